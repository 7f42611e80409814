"""The first screen of `info`: a recording in at most 25 lines for people, and several recordings as a table."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ..reading import Life
from ..reading.actors import NO_ACTOR
from ..reading.event_index import CLASS_COUNTS
from ..recording import Recording
from ..reports.overview import Contact, Overview
from ..roads.towns import town_of
from ..terminal import Span, Tone
from ..texts import N_, display_width, listed, say, say_count, wrap_lines
from ..views.health import Health

MOST_LINES = 25
WIDTH = 100
"""The columns of the screen where there is no terminal, and the most that it uses."""

_NARROW = 60
"""Below this width each fact has a line of its own."""
_LABEL = 12
_INDENT = 2
_VALUE = 23  # the width of the first of two facts, with the gap behind it
_SECOND_LABEL = 10
_NAME = 13  # of a class or a packet
_NUMBERS = (10, 9, 11, 13)  # how many in all, at once, metres, speed
_BESIDES = 2  # between the numbers of road users and what there is besides
_BAR = 44
_MOST_CONTACTS = 3
_MOST_PACKETS = 5
_MOST_ROLES = 4
_CLASS_TITLES = {"vehicle": N_("vehicles"), "two-wheeler": N_("two-wheelers"), "walker": N_("walkers")}

Line = list[Span]


class Signs(NamedTuple):
    """The signs of the screen.

    Attributes:
        error: What is wrong.
        warning: What may be wrong.
        fine: What is right.
        bar: A column of a bar.
        half: Half a column of it; empty: there is none.
    """

    error: str
    warning: str
    fine: str
    bar: str
    half: str

    @classmethod
    def of(cls, encoding: str | None) -> "Signs":
        """Return the signs that a terminal of an encoding can show."""
        if (encoding or "").lower().replace("-", "") == "utf8":
            return cls("✗", "▲", "✓", "━", "╸")
        return cls("x", "!", "ok", "=", "")


# --- one recording ----------------------------------------------------------------------------------------


def screen_lines(
    recording: Recording, overview: Overview, health: Health, *, width: int = WIDTH, signs: Signs
) -> list[Line]:
    """Return the screen of a recording.

    Args:
        recording: The recording.
        overview: What it holds.
        health: Its state.
        width: The columns of the terminal.
        signs: The signs that it can show.
    """
    width = max(20, min(width, WIDTH))
    head = _head_lines(recording, overview, width)
    health_lines = _health_lines(health, width, signs)
    if health.lines[0][0] == "error":
        rest = len(health.next)
        head += health_lines[:-rest]
        health_lines = health_lines[-rest:]
    facts = _fact_lines(overview, width)
    road_users = _road_user_lines(overview, width)
    contacts = _contact_lines(overview, width, signs)
    used = sum(map(len, (head, health_lines, facts, road_users, contacts))) + 5  # blank lines
    packets = _packet_lines(overview, width, signs, most=max(1, min(_MOST_PACKETS, MOST_LINES - used - 2)))
    lines: list[Line] = []
    for block in (head, facts, road_users, contacts, packets, health_lines):
        if lines:
            lines.append([])
        lines += block
    return lines


def _head_lines(recording: Recording, overview: Overview, width: int) -> list[Line]:
    size = say("{size:,} bytes", size=overview.size)
    name = _cut(recording.path.name, width - display_width(size) - 2)
    release = recording.dialect.releases
    reason = ""
    for text in reversed(recording.detection.reasons):
        longer = listed((text, reason), "sentences")
        if display_width(release) + 2 + display_width(longer) <= width:
            reason = longer
    return [[Span(name, "bold"), Span("  "), Span(size, "faint")], [Span(release), Span("  "), Span(reason, "faint")]]


def _fact_lines(overview: Overview, width: int) -> list[Line]:
    town = say("none")
    date = say("unknown")
    if overview.header is not None:
        map_name = overview.header.map_name
        if isinstance(map_name, bytes):
            map_name = map_name.decode("utf-8", "backslashreplace")
        town = town_of(map_name) or say("none")
        if overview.header.when is not None:
            date = f"{overview.header.when:%Y-%m-%d %H:%M:%S} UTC"
    length = say("none")
    if overview.frames:
        frames = say_count("1 frame", "{count:,} frames", count=overview.frames)
        length = listed((say("{seconds:,.3f} s", seconds=overview.duration), frames))
    lines = _pair((say("map"), town), (say("recorded"), date), width)
    lines += _pair((say("length"), length), (say("step"), _step_text(overview)), width)
    lines.append(_fact(say("hero"), _hero_text(overview), width))
    return lines


def _step_text(overview: Overview) -> str:
    steps = overview.steps
    if steps.least is None or steps.greatest is None or steps.median is None:
        return say("none")
    if steps.fixed:
        return say("{step:.3f} s in every frame", step=steps.median)
    return say(
        "{least:.3f} to {greatest:.3f} s, median {median:.3f} s",
        least=steps.least,
        greatest=steps.greatest,
        median=steps.median,
    )


def _hero_text(overview: Overview) -> str:
    if not overview.heroes:
        if not overview.roles:
            return say("none")
        roles = [f"{name} ({count:,})" for name, count in overview.roles.most_common(_MOST_ROLES)]
        return say("none; role names are {roles}", roles=listed(roles))
    hero = overview.heroes[0]
    blueprint = hero.life.blueprint if hero.life is not None else ""
    name = listed((str(hero.actor), blueprint), "values")
    distance = say("drives {distance:,.1f} m", distance=hero.distance)
    fastest = ""
    if math.isfinite(hero.top_speed):
        fastest = say("at most {speed:,.1f} m/s", speed=hero.top_speed)
    more = ""
    if len(overview.heroes) > 1:
        more = say_count("1 more hero", "{count:,} more heroes", count=len(overview.heroes) - 1)
    return listed((name, distance, fastest, more), "clauses")


def _road_user_lines(overview: Overview, width: int) -> list[Line]:
    besides = [say(CLASS_COUNTS[name], count=count) for name, count in overview.others.items()]
    titles = (say("in all"), say("at once"), say("driven"), say("fastest"))
    rows = [(say("road users"), *titles)]
    for totals in overview.road_users:
        speed = "-"
        if math.isfinite(totals.top_speed):
            speed = say("{speed:,.1f} m/s", speed=totals.top_speed)
        rows.append(
            (
                say(_CLASS_TITLES[totals.class_]),
                f"{totals.count:,}",
                f"{totals.at_once:,}",
                say("{distance:,.0f} m", distance=totals.distance),
                speed,
            )
        )
    if len(rows) == 1:
        rows = [(say("road users"), say("none"), "", "", "")]
    lines: list[Line] = []
    for index, (name, *cells) in enumerate(rows):
        text = _padded(name, _NAME)
        for cell, cell_width in zip(cells, _NUMBERS, strict=True):
            text += _padded(cell, cell_width, right=True)
        lines.append([Span(" " * _INDENT), Span(text, "plain" if index else "faint")])
    if not besides:
        return lines
    if width < WIDTH:
        return lines + _besides_lines(besides, width)
    before = _INDENT + _NAME + sum(_NUMBERS)
    wrapped = _filled(besides, width - before - _BESIDES)
    gap = " " * _BESIDES
    lines[0] += [Span(gap), Span(say("besides"), "faint")]
    for index, text in enumerate(wrapped, 1):
        if index == len(lines):
            lines.append([Span(" " * before)])
        lines[index] += [Span(gap), Span(text)]
    return lines


def _besides_lines(besides: Sequence[str], width: int) -> list[Line]:
    """Return what there is besides road users in lines of its own."""
    lines = []
    label = say("besides")
    for text in _filled(besides, width - _INDENT - _LABEL):
        lines.append(_fact(label, text, width))
        label = ""
    return lines


def _contact_lines(overview: Overview, width: int, signs: Signs) -> list[Line]:
    contacts = overview.contacts
    label = say("collisions")
    if not contacts:
        return [_fact(label, say("none"), width)]
    texts = [_contact_text(contact) for contact in contacts[:_MOST_CONTACTS]]
    count = say_count("1 contact", "{count:,} contacts", count=len(contacts))
    if len(contacts) == 1:
        texts = [listed((count, texts[0]), "clauses")]
    else:
        texts.insert(0, count)
    if len(contacts) > _MOST_CONTACTS:
        texts.append(say("and {more:,} more", more=len(contacts) - _MOST_CONTACTS))
    return _signed_lines(label, [("error", texts[0]), *(("plain", text) for text in texts[1:])], width, signs)


def _contact_text(contact: Contact) -> str:
    first = _actor_text(contact.actors[0], contact.lives[0])
    second = _actor_text(contact.actors[1], contact.lives[1])
    if contact.start == contact.end:
        return say("{start:.3f} s: {first} and {second}", start=contact.start, first=first, second=second)
    return say(
        "{start:.3f} to {end:.3f} s: {first} and {second}",
        start=contact.start,
        end=contact.end,
        first=first,
        second=second,
    )


def _actor_text(actor: int, life: Life | None) -> str:
    if actor == NO_ACTOR:
        return say("an object")
    if life is None:
        return str(actor)
    if life.is_hero:
        return say("hero {actor}", actor=actor)
    return f"{actor} {life.blueprint}"


def _packet_lines(overview: Overview, width: int, signs: Signs, most: int) -> list[Line]:
    """Return the table of packets; the rest with all headers is its last row, so that the column adds up to the size.

    Args:
        overview: What the recording holds.
        width: The columns of the terminal.
        signs: The signs of the bars.
        most: How many packets have rows of their own, at most.
    """
    shown = list(overview.packets[:most])
    others = len(overview.packets) - len(shown)
    rest = overview.size - sum(size for _, size in shown)
    rest_name = say("headers")
    if others:
        rest_name = say_count("1 other", "{count:,} others", count=others)
    rows = [*shown, (rest_name, rest)]
    largest = max(1, *(size for _, size in rows))
    head = _padded(say("packets"), _NAME + 1) + _padded(say("bytes"), 13, right=True)
    head += _padded(say("share"), 9, right=True)
    lines: list[Line] = [[Span(" " * _INDENT), Span(head, "faint")]]
    for name, size in rows:
        share = 100 * size / max(1, overview.size)
        percent = f"{share:.0f} %" if share >= 0.5 or not size else "<1 %"
        text = _padded(_cut(name, _NAME + 6), _NAME + 1)
        text += _padded(f"{size:,}", _NAME + 14 - max(_NAME + 1, display_width(text)), right=True)
        text += _padded(percent, 9, right=True)
        line = [Span(" " * _INDENT), Span(text)]
        if width >= WIDTH:
            line += [Span("  "), Span(_bar(size / largest, signs), "faint")]
        lines.append(line)
    return lines


def _bar(part: float, signs: Signs) -> str:
    halves = round(2 * _BAR * part)
    if not signs.half:
        return signs.bar * round(halves / 2)
    return signs.bar * (halves // 2) + signs.half * (halves % 2)


def _health_lines(health: Health, width: int, signs: Signs) -> list[Line]:
    lines = _signed_lines(say("health"), list(health.lines), width, signs)
    label = say("what next")
    for command, purpose in health.next:
        room = width - _INDENT - _LABEL - display_width(command) - 1
        head = Span(_padded(label, _LABEL), "faint")
        if room > 0:
            lines.append([Span(" " * _INDENT), head, Span(command), Span(" "), Span(_cut(purpose, room), "faint")])
        else:
            lines.append([Span(" " * _INDENT), head, Span(command)])
        label = ""
    return lines


# --- several recordings -----------------------------------------------------------------------------------

_COLUMNS = (38, 16, 12, 12, 10)
"""The widths of the columns of the table of recordings; the last one, health, takes what is left."""


def table_head() -> Line:
    """Return the head of the table of several recordings."""
    cells = (say("recording"), say("map"), say("length"), say("road users"), say("contacts"), say("health"))
    return [Span(_row_text(cells), "faint")]


def table_row(path: Path, overview: Overview, health: Health, *, signs: Signs) -> Line:
    """Return the row of a recording.

    Args:
        path: Its path.
        overview: What it holds.
        health: Its state.
        signs: The signs that the terminal can show.
    """
    town = say("none")
    if overview.header is not None and isinstance(overview.header.map_name, str):
        town = town_of(overview.header.map_name)
    length = say("none")
    if overview.frames:
        length = say("{seconds:,.1f} s", seconds=overview.duration)
    users = sum(totals.count for totals in overview.road_users)
    cells = (path.name, town, length, f"{users:,}", f"{len(overview.contacts):,}", "")
    tone = health.lines[0][0]
    if any(line_tone == "warning" for line_tone, _ in health.lines) and tone == "fine":
        tone = "warning"
    return [Span(_row_text(cells)), Span(_sign(tone, signs), tone), Span(f" {health.word}")]


def _row_text(cells: Sequence[str]) -> str:
    text = ""
    for index, (cell, width) in enumerate(zip(cells[:-1], _COLUMNS, strict=True)):
        text += _padded(_cut(cell, width - 2), width - 2, right=index >= 2) + "  "
    return text + cells[-1]


# --- lines ------------------------------------------------------------------------------------------------


def _fact(label: str, value: str, width: int) -> Line:
    room = width - _INDENT - _LABEL
    return [Span(" " * _INDENT), Span(_padded(label, _LABEL), "faint"), Span(_cut(value, room))]


def _pair(first: tuple[str, str], second: tuple[str, str], width: int) -> list[Line]:
    """Return two facts in one line, or in two where the terminal is narrow."""
    if width < _NARROW:
        return [_fact(*first, width), _fact(*second, width)]
    line = _fact(first[0], _padded(_cut(first[1], _VALUE - 2), _VALUE), width)
    room = width - _INDENT - _LABEL - _VALUE - _SECOND_LABEL
    return [[*line, Span(_padded(second[0], _SECOND_LABEL), "faint"), Span(_cut(second[1], room))]]


def _signed_lines(label: str, texts: Sequence[tuple[Tone, str]], width: int, signs: Signs) -> list[Line]:
    """Return lines with the sign of their tone before them; the label is on the first."""
    sign_width = max(map(len, (signs.error, signs.warning, signs.fine))) + 1
    room = width - _INDENT - _LABEL - sign_width
    lines = []
    for tone, text in texts:
        sign = _sign(tone, signs)
        for part in wrap_lines(text, lambda line: display_width(line) <= room):
            lines.append(
                [
                    Span(" " * _INDENT),
                    Span(_padded(label, _LABEL), "faint"),
                    Span(sign.ljust(sign_width), tone),
                    Span(_cut(part.rstrip(), room)),
                ]
            )
            label = ""
            sign = ""
    return lines


def _sign(tone: Tone, signs: Signs) -> str:
    match tone:
        case "error":
            return signs.error
        case "warning":
            return signs.warning
        case "fine":
            return signs.fine
    return ""


def _padded(text: str, width: int, *, right: bool = False) -> str:
    gap = " " * (width - display_width(text))
    if right:
        return gap + text
    return text + gap


def _cut(text: str, width: int) -> str:
    """Return a text that is at most so wide, cut in the middle."""
    if display_width(text) <= width:
        return text
    head = max(1, (width - 1) // 2)
    tail = max(1, width - 1 - head)
    return f"{text[:head]}…{text[-tail:]}"


def _filled(items: Sequence[str], width: int) -> list[str]:
    """Return lists of the items, as many in each as are at most so wide together."""
    rows: list[list[str]] = [[]]
    for item in items:
        if rows[-1] and display_width(listed([*rows[-1], item])) > width:
            rows.append([])
        rows[-1].append(item)
    return [listed(row) for row in rows]
