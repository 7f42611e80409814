"""Reads CARLA's file info text back into values, in the two ways that programs of other people do it.

`read` goes by patterns, line by line. `count_words` goes by the order of the sections and the place of a word in its
line, as ScenarioRunner's metrics do, and fails where either is another. Never imports the library.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

NUMBER = r"(-?(?:nan|inf|[\d.]+(?:e[+-]\d+)?))"
VECTOR = rf"\({NUMBER}, {NUMBER}, {NUMBER}\)"
BOX = rf"  Id: (\d+) origin: {VECTOR} extension: {VECTOR}"
EVENTS = {
    "Create": re.compile(rf" Create (\d+): (\S*) \((\d+)\) at {VECTOR}"),
    "Destroy": re.compile(r" Destroy (\d+)"),
    "Parenting": re.compile(r" Parenting (\d+) with (\d+) \(parent\)"),
    "Collision": re.compile(r" Collision id (\d+) between (\d+)( \(hero\) )? with (\d+)( \(hero\) )?"),
    "platform": re.compile(rf" Current platform time: {NUMBER}"),
}
SECTIONS = {
    "Positions": re.compile(rf"  Id: (\d+) Location:? {VECTOR} Rotation:? {VECTOR}"),
    "State traffic lights": re.compile(rf"  Id: (\d+) state: (.) frozen: ([01]) elapsedTime: {NUMBER}"),
    "Vehicle animations": re.compile(
        rf"  (?:Vehicle id|Id:) (\d+):? Steering:? {NUMBER} Throttle:? {NUMBER} Brake:? {NUMBER} "
        r"Handbrake:? ([01]) Gear:? (-?\d+)"
    ),
    "Walker animations": re.compile(rf"  (?:Walker id|Id:) (\d+):? speed:? {NUMBER}"),
    "Vehicle light animations": re.compile(r"  Id: (\d+) ((?:[A-Z]\w+ ?)+)"),
    "Scene light changes": re.compile(rf"  Id: (-?\d+) enabled: (True|False) intensity: {NUMBER} RGB_color: {VECTOR}"),
    "Dynamic actors": re.compile(rf"  Id: (\d+) linear_velocity: {VECTOR} angular_velocity: {VECTOR}"),
    "Actor bounding boxes": re.compile(BOX),
    "Actor trigger volumes": re.compile(BOX),
    "Physics Control events": re.compile(r"  (?:Id: (\d+)| +(?:\w+ \d+: |forward_gears:|wheels:|\w+ =).*)"),
    "Traffic Light time events": re.compile(
        rf"  Id: (\d+) green_time: {NUMBER} yellow_time: {NUMBER} red_time: {NUMBER}"
    ),
}
FRAME = re.compile(rf"Frame (\d+) at {NUMBER} seconds")
TITLE = re.compile(r" ([A-Z][\w ]+): (\d+)")
ATTRIBUTE = re.compile(r"  (\w+) = (.*)")


class Line(NamedTuple):
    """A line: the frame's number in the file, what it belongs to, and the groups of its pattern."""

    frame: int
    kind: str
    groups: tuple[Any, ...]


def read(text: str) -> Iterator[Line]:
    """The lines between head and foot; raises ValueError for one that fits no pattern."""
    head, _, rest = text.partition("\n\n")
    if not re.fullmatch(r"Version: \d+\nMap: \S+\nDate: \d\d/\d\d/\d\d \d\d:\d\d:\d\d", head):
        raise ValueError(f"a strange head: {head!r}")
    body, _, foot = rest.rpartition("\n\nFrames: ")
    if not re.fullmatch(rf"\d+\nDuration: {NUMBER} seconds\n", foot):
        raise ValueError(f"a strange foot: {foot!r}")
    frame, section = 0, "attribute"
    for line in body.split("\n"):
        if found := FRAME.fullmatch(line):
            frame = int(found[1])
            yield Line(frame, "frame", found.groups()[1:])
        elif line.startswith("  "):
            found = (ATTRIBUTE if section == "attribute" else SECTIONS[section]).fullmatch(line)
            if found is None:
                raise ValueError(f"a strange line among {section}: {line!r}")
            yield Line(frame, section, (line,) if section == "Physics Control events" else found.groups())
        elif event := next(((kind, hit) for kind, form in EVENTS.items() if (hit := form.fullmatch(line))), None):
            section = "attribute"
            yield Line(frame, event[0], event[1].groups())
        elif (found := TITLE.fullmatch(line)) and found[1] in SECTIONS:
            section = found[1]
            yield Line(frame, "title", found.groups())
        elif line:
            raise ValueError(f"a strange line: {line!r}")


ORDER = (
    "Positions",
    "State traffic lights",
    "Vehicle animations",
    "Walker animations",
    "Vehicle light animations",
    "Scene light changes",
    "Dynamic actors",
    "Actor bounding boxes",
    "Actor trigger volumes",
    "Current platform time",
    "Physics Control events",
    "Traffic Light time events",
)
WORDS = {
    "Positions": (3, 4, 5, 7, 8, 9),
    "State traffic lights": (3, 5, 7),
    "Vehicle animations": (3, 5, 7, 9, 11),
    "Walker animations": (3,),
    "Scene light changes": (5, 7, 8, 9),
    "Dynamic actors": (3, 4, 5, 7, 8, 9),
    "Actor bounding boxes": (3, 4, 5, 7, 8, 9),
    "Actor trigger volumes": (3, 4, 5, 7, 8, 9),
    "Traffic Light time events": (3, 5, 7),
}
"""Which words of a line are numbers, where word 0 is `Id:` and word 1 the actor (0.9.10 and newer)."""


def count_words(text: str) -> list[tuple[int, float, dict[str, dict[int, tuple[float, ...]]]]]:
    """(number, time, numbers of each section by actor) of each frame; IndexError or ValueError for other text."""
    parts = text.split("Frame")
    last = parts[-1].split("\n")
    frames, seconds = int(last[0][3:]), float(last[1][10:-8])
    told = []
    for part in parts[1:-1]:
        rows = part.split("\n")
        words = rows[0].split(" ")
        sections: dict[str, dict[int, tuple[float, ...]]] = {}
        at = _count_events(rows, sections)
        for title in ORDER:
            if rows[at].startswith(f" {title}"):
                at = _count_section(rows, at, title, sections)
        if any(rows[at:]):
            raise ValueError(f"what comes here was expected before: {rows[at]!r}")
        told.append((int(words[1]), float(words[3]), sections))
    if (frames, seconds) != told[-1][:2]:
        raise ValueError("the foot tells of another frame than the last")
    return told


def _count_events(rows: list[str], sections: dict[str, dict[int, tuple[float, ...]]]) -> int:
    at = 1
    while rows[at].startswith((" Create", "  ")):
        words = rows[at][1:].split(" ")
        if words[0] == "Create":
            place = float(words[5][1:-1]), float(words[6][:-1]), float(words[7][:-1])
            sections.setdefault("Create", {})[int(words[1][:-1])] = place
        elif " = " not in rows[at]:
            raise ValueError(f"no attribute: {rows[at]!r}")
        at += 1
    for event, actor in ((" Destroy", 1), (" Collision", 4), (" Parenting", 1)):
        while rows[at].startswith(event):
            words = rows[at][1:].split(" ")
            sections.setdefault(event[1:], {})[int(words[actor])] = ()
            at += 1
    return at


def _count_section(rows: list[str], at: int, title: str, sections: dict[str, dict[int, tuple[float, ...]]]) -> int:
    found = sections[title] = {}
    if title == "Current platform time":
        found[0] = (float(rows[at].split(" ")[-1]),)
    at += 1
    while rows[at].startswith("  "):
        words = rows[at][2:].split(" ")
        if title in WORDS:
            found[int(words[1])] = tuple(float(words[place].strip("(),")) for place in WORDS[title])
        at += 1
    return at
