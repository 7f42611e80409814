"""Times and numbers as no simulator records them: every verb does its work or refuses it, and says nothing unmeant."""

import math
from functools import cache
from pathlib import Path

import pytest

from recorder_editor.cli import main

from .. import builders as b
from ..recording.films import add

pytestmark = pytest.mark.usefixtures("one_parser")

INF, NAN = math.inf, math.nan
SOUND = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
ODD = (
    ((0.0, 0.1, INF, INF, 0.4, 0.5), 0.0),
    ((0.0, -INF, 0.2, INF, -INF, 0.5), INF),
    ((0.0, NAN, 0.2, NAN, NAN, 0.5), NAN),
    ((0.0, 1e308, 1.5e308, -1e308, 1e308, 1e-320), 3e38),
    ((-1.7e308, -1e308, 0.0, 1e308, 1.5e308, 1.7e308), 0.0),
    (SOUND, 3e38),
    (SOUND, INF),
)
"""The times of the frames, and what is added to the numbers of records, with another sign in each frame."""

VERBS = (
    "info IN",
    "info IN --all",
    "info IN --json",
    "collisions IN",
    "collisions IN --json",
    "blocked IN --min-time 0",
    "blocked IN --json --min-time 0 --min-distance 1e14",
    "actors IN",
    "actors IN --json",
    "diff IN SOUND --details",
    "diff IN SOUND --details --json --tolerance 1e300",
    "dump IN",
    "check IN",
    "check IN --json",
    "check IN --fix OUT",
    "repair IN OUT",
    "repair IN OUT --json",
    "rewrite IN OUT",
    "rewrite IN OUT --reencode",
    "export IN OUT.csv",
    "export IN OUT.jsonl --table actors",
    "export IN OUT.xosc",
    "export IN OUT.mcap",
    "export IN OUT.csv --table controls",
    "export IN OUT.csv --table l1",
    "export IN OUT.parquet",
    "export IN OUT.csv --from 0.1 --to 0.4",
    "trim IN OUT --from #2 --to #5",
    "trim IN OUT --from 0.1 --to 0.4 --rebase-clocks",
    "cut IN OUT --from #2 --to #4",
    "split IN OUTDIR --every 0.1",
    "split IN OUTDIR --frames 2",
    "split IN OUTDIR --max-size 700",
    "segments IN --segments list.csv OUTDIR --overwrite --json",
    "join IN SOUND OUT",
    "join SOUND IN OUT",
    "join SOUND IN OUT --gap 0.5 --match-actors",
    "convert IN OUT --write-as ue5-2026",
    "convert IN OUT --write-as ue4-0.9.4",
    *(
        f"edit IN OUT {change}"
        for change in (
            "--remove-actor 100",
            "--move 100=1,2,3",
            "--move 100=1,2,3 --from #2 --to #5 --ease-in 0.1",
            "--rotate 100=90",
            "--retime 2",
            "--shift 1",
            "--fixed-step 0.1",
            "--duplicate 100 --later 0.2",
            "--smooth 100=0.5",
            "--sideways 100=1",
            "--order-times",
            "--set-id 100=7",
            "--place 100=1,2,3 --at #3",
            "--mirror 100=0,0,45",
            "--swap 100,101",
            "--trim --from #2",
            "--cut --to #3",
            "--set-traffic-light 100=red",
            "--trim-actor 100 --from #2 --to #4",
        )
    ),
    *(
        f"edit IN OUT --set|{text}"
        for text in (
            "FrameStart: frame_id = elapsed",
            "FrameStart: elapsed = elapsed * 2",
            "FrameStart: duration = 0 - elapsed",
            "Position: location.x = time",
            "Position: location.z = speed",
            "Position where speed > 1: location.z = 1",
            "Position where time > 0.1: id = time",
            "AnimVehicle: gear = time",
            "Kinematics where linear_velocity.x > 1: linear_velocity.x = speed * 2",
        )
    ),
)


def recording(times: tuple[float, ...], number: float) -> bytes:
    frames = []
    for index, time in enumerate(times):
        wild = number * (-1.0) ** index
        place = [b.pose(actor, b.xyz(1000.0 * index + wild, wild, wild), b.turn(yaw=wild)) for actor in (100, 101)]
        controls = [
            {"id": actor, "steering": wild, "throttle": 0.5, "brake": wild, "handbrake": 0, "gear": 1}
            for actor in (100, 101)
        ]
        moving = [
            {"id": actor, "linear_velocity": b.xyz(10.0 + wild, wild, 0.0), "angular_velocity": b.xyz(wild)}
            for actor in (100, 101)
        ]
        packets = [add(b.actor(100), b.actor(101))] if not index else []
        packets += [
            b.packet(6, b.position(place)),
            b.packet(8, b.anim_vehicle(controls)),
            b.packet(12, b.kinematics(moving)),
            b.packet(5, b.collision([{"id": index, "actor1": 100, "actor2": 101, "hero1": False, "hero2": True}])),
            b.packet(14, b.platform_time({"time": time})),
        ]
        frames.append(b.frame(index + 1, time, abs(time), packets))
    return b.recording(*frames)


@cache
def recordings() -> list[bytes]:
    return [recording(times, number) for times, number in ODD]


def run(command: str, data: bytes, folder: Path) -> None:
    (folder / "in.log").write_bytes(data)
    (folder / "sound.log").write_bytes(b.drive(4, vehicles=2))
    (folder / "list.csv").write_text("#2,,from the second\n")
    names = {"IN": "in.log", "SOUND": "sound.log", "OUT": "out.log", "OUTDIR": "parts.d"}
    words, _, text = command.partition("|")
    given = [names.get(word, word.replace("OUT.", "out.")) for word in words.split()]
    given = [str(folder / word) if "." in word and word[0].isalpha() else word for word in given]
    assert main([*given, text] if text else given) in (0, 1, 2, 3)


@pytest.mark.parametrize("command", VERBS)
def test_odd_times_make_no_verb_say_what_is_not_meant(
    command: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for data in recordings():
        run(command, data, tmp_path)
    said = capfd.readouterr().err
    assert "Warning" not in said
    assert "Traceback" not in said
    assert "unrecognized" not in said
