"""Small OpenDRIVE maps as text, written without the library."""

from collections.abc import Sequence

Polynomial = tuple[float, ...]
"""s, then up to four coefficients."""

LINE = "<line/>"
WIDE: Sequence[Polynomial] = ((0.0, 3.5),)


def arc(curvature: float) -> str:
    return f'<arc curvature="{curvature!r}"/>'


def spiral(begin: float, end: float) -> str:
    return f'<spiral curvStart="{begin!r}" curvEnd="{end!r}"/>'


def poly3(*across: float) -> str:
    return f"<poly3 {_letters(across)}/>"


def param_poly3(u: Sequence[float], v: Sequence[float], p_range: str) -> str:
    return f'<paramPoly3 {_letters(u, "U")} {_letters(v, "V")} pRange="{p_range}"/>'


def _letters(values: Sequence[float], after: str = "") -> str:
    padded = [*values, 0.0, 0.0, 0.0][:4]
    return " ".join(f'{name}{after}="{value!r}"' for name, value in zip("abcd", padded, strict=True))


def geometry(
    shape: str = LINE, length: float = 100.0, s: float = 0.0, x: float = 0.0, y: float = 0.0, heading: float = 0.0
) -> str:
    return f'<geometry s="{s!r}" x="{x!r}" y="{y!r}" hdg="{heading!r}" length="{length!r}">{shape}</geometry>'


def profile(tag: str, *pieces: Polynomial, at: str = "s") -> str:
    """Elements of cubics: `profile("elevation", (0, 1.0, 0.1), (50, 6.0))`."""
    return "".join(f'<{tag} {at}="{s!r}" {_letters(values)}/>' for s, *values in pieces)


def lane(
    id_: int,
    type_: str = "driving",
    widths: Sequence[Polynomial] = WIDE,
    *more: str,
    before: int | None = None,
    after: int | None = None,
    tag: str = "width",
) -> str:
    links = [("predecessor", before), ("successor", after)]
    link = "".join(f'<{name} id="{other}"/>' for name, other in links if other is not None)
    inside = f"<link>{link}</link>{profile(tag, *widths, at='sOffset')}{''.join(more)}"
    return f'<lane id="{id_}" type="{type_}" level="false">{inside}</lane>'


def mark(type_: str = "solid", color: str = "white", offset: float = 0.0, inside: str = "", **more: object) -> str:
    rest = " ".join(f'{name}="{value}"' for name, value in more.items())
    return f'<roadMark sOffset="{offset!r}" type="{type_}" color="{color}" {rest}>{inside}</roadMark>'


def section(s: float = 0.0, left: Sequence[str] = (), right: Sequence[str] = (), centre: str = "") -> str:
    sides = f"<left>{''.join(left)}</left>" if left else ""
    sides += f'<center><lane id="0" type="none" level="false">{centre}</lane></center>'
    sides += f"<right>{''.join(right)}</right>" if right else ""
    return f'<laneSection s="{s!r}">{sides}</laneSection>'


TWO_WAY = section(left=[lane(1)], right=[lane(-1)])


def road(
    id_: object = 1,
    length: float = 100.0,
    plan: str | None = None,
    lanes: str = TWO_WAY,
    *,
    elevation: str = "",
    lateral: str = "",
    junction: int = -1,
    rule: str = "",
    link: str = "",
    more: str = "",
) -> str:
    plan = geometry(length=length) if plan is None else plan
    rule = f'rule="{rule}"' if rule else ""
    return (
        f'<road name="" id="{id_}" junction="{junction}" length="{length!r}" {rule}>\n<link>{link}</link>{more}\n'
        f"<planView>{plan}</planView>\n<elevationProfile>{elevation}</elevationProfile>"
        f"<lateralProfile>{lateral}</lateralProfile>\n<lanes>{lanes}</lanes>\n</road>\n"
    )


def joined(name: str, id_: int, contact: str = "") -> str:
    """The link of a road to another road, or without a contact to a junction."""
    kind = f'elementType="road" contactPoint="{contact}"' if contact else 'elementType="junction"'
    return f'<{name} elementId="{id_}" {kind}/>'


def junction(id_: int, *connections: tuple[int, int, str, Sequence[tuple[int, int]]]) -> str:
    """A junction of connections: incoming road, connecting road, contact, pairs of lanes."""
    parts = []
    for number, (incoming, connecting, contact, pairs) in enumerate(connections):
        links = "".join(f'<laneLink from="{begin}" to="{end}"/>' for begin, end in pairs)
        roads = f'incomingRoad="{incoming}" connectingRoad="{connecting}" contactPoint="{contact}"'
        parts.append(f'<connection id="{number}" {roads}>{links}</connection>')
    return f'<junction id="{id_}" name="">{"".join(parts)}</junction>\n'


def opendrive(*parts: str, header: str = "") -> bytes:
    head = f'<header revMajor="1" revMinor="4" north="0" south="0" east="0" west="0">{header}</header>'
    return f'<?xml version="1.0"?>\n<OpenDRIVE>\n{head}\n{"".join(parts)}</OpenDRIVE>\n'.encode()
