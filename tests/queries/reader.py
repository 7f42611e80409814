"""Reads CARLA's file info text back into values, as programs of other people do: by patterns, line by line.

Never imports the library.
"""

import re
from collections.abc import Iterator
from typing import Any

NUMBER = r"(-?(?:nan|inf|[\d.]+(?:e[+-]\d+)?))"
VECTOR = rf"\({NUMBER}, {NUMBER}, {NUMBER}\)"
LINES = {
    "create": re.compile(rf"^ Create (\d+): (\S*) \((\d+)\) at {VECTOR}$"),
    "attribute": re.compile(r"^  (\w+) = (.*)$"),
    "destroy": re.compile(r"^ Destroy (\d+)$"),
    "parenting": re.compile(r"^ Parenting (\d+) with (\d+) \(parent\)$"),
    "collision": re.compile(r"^ Collision id (\d+) between (\d+)( \(hero\) )? with (\d+)( \(hero\) )?$"),
    "position": re.compile(rf"^  Id: (\d+) Location:? {VECTOR} Rotation:? {VECTOR}$"),
    "light": re.compile(rf"^  Id: (\d+) state: (.) frozen: ([01]) elapsedTime: {NUMBER}$"),
    "vehicle": re.compile(
        rf"^  (?:Vehicle id|Id:) (\d+):? Steering:? {NUMBER} Throttle:? {NUMBER} Brake:? {NUMBER} "
        r"Handbrake:? ([01]) Gear:? (-?\d+)$"
    ),
    "walker": re.compile(rf"^  (?:Walker id|Id:) (\d+):? speed:? {NUMBER}$"),
    "kinematics": re.compile(rf"^  Id: (\d+) linear_velocity: {VECTOR} angular_velocity: {VECTOR}$"),
    "box": re.compile(rf"^  Id: (\d+) origin: {VECTOR} extension: {VECTOR}$"),
    "platform": re.compile(rf"^ Current platform time: {NUMBER}$"),
    "times": re.compile(rf"^  Id: (\d+) green_time: {NUMBER} yellow_time: {NUMBER} red_time: {NUMBER}$"),
    "scene light": re.compile(
        rf"^  Id: (-?\d+) enabled: (True|False) intensity: {NUMBER} RGB_color: {VECTOR}$"
    ),
    "vehicle lights": re.compile(r"^  Id: (\d+) ((?:[A-Z]\w+ ?)+)$"),
    "title": re.compile(r"^ ([A-Z][\w ]+): (\d+)$"),
    "physics": re.compile(r"^   (\w+) =(.*)$"),
    "bone": re.compile(r"^     Bone: .*$"),
    "part": re.compile(r"^   +(?:forward_gears|wheels|gear \d+|wheel \d+):.*$"),
    "owner": re.compile(r"^  Id: (\d+)$"),
}  # fmt: skip
FRAME = re.compile(rf"^Frame (\d+) at {NUMBER} seconds$")


def read(text: str) -> Iterator[tuple[int, str, tuple[Any, ...]]]:
    """(frame id, kind of line, groups) of each line between head and foot; raises ValueError for a strange one."""
    head, _, rest = text.partition("\n\n")
    if not re.fullmatch(r"Version: \d+\nMap: \S+\nDate: \d\d/\d\d/\d\d \d\d:\d\d:\d\d", head):
        raise ValueError(f"a strange head: {head!r}")
    body, _, foot = rest.rpartition("\n\nFrames: ")
    if not re.fullmatch(rf"\d+\nDuration: {NUMBER} seconds\n", foot):
        raise ValueError(f"a strange foot: {foot!r}")
    frame = 0
    for line in body.split("\n"):
        found = FRAME.match(line)
        if found:
            frame = int(found[1])
            yield frame, "frame", (float(found[2]),)
            continue
        if not line:
            continue
        for kind, pattern in LINES.items():
            match = pattern.match(line)
            if match:
                yield frame, kind, match.groups()
                break
        else:
            raise ValueError(f"a strange line: {line!r}")
