"""How the time of each verb grows with its input: `python tests/fuzz/growth.py [KIND ...]`.

Each input is doubled three times; printed are processor seconds, less those of a recording of one frame, and the last
ratio. A ratio above 2.2 is marked: such a verb takes more than twice as long for twice the input. The kinds `join` and
`run` are 10 to 80 recordings that are joined, and steps of a script.
"""

import json
import struct
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT))

from tests import builders  # noqa: E402
from tests.builders import frame, frame_start, packet, pose, recording, xyz  # noqa: E402
from tests.fuzz.verbs import measured  # noqa: E402

MOST = 2.2
DOUBLINGS = 3


def frames(number: int) -> bytes:
    """A drive of so many frames with 30 vehicles."""
    return builders.drive(frames=number, vehicles=30)


def actors(number: int) -> bytes:
    """20 frames of so many actors."""
    born = packet(2, builders.event_add([builders.actor(each, location=xyz(300.0 * each)) for each in range(number)]))
    there = [
        packet(6, builders.position([pose(each, xyz(300.0 * each + at)) for each in range(number)])) for at in range(20)
    ]
    parts = [[born, there[0]], *([each] for each in there[1:])]
    return recording(*(frame(n + 1, n / 20, 0.05, part) for n, part in enumerate(parts)))


def lives(number: int) -> bytes:
    """So many frames in each of which somebody comes and somebody goes."""

    def part(n: int) -> list[bytes]:
        come = packet(2, builders.event_add([builders.actor(n + 1)]))
        gone = packet(3, struct.pack("<HI", 1, n)) if n else packet(3, b"\0\0")
        return [come, gone, packet(6, builders.position([pose(n + 1, xyz(n))]))]

    return recording(*(frame(n + 1, n / 20, 0.05, part(n)) for n in range(number)))


def open_frames(number: int) -> bytes:
    """So many frames without a FrameEnd."""
    return recording(*(frame_start(n + 1, n / 20, 0.05) for n in range(number)))


def odd_rows(number: int) -> bytes:
    """So many frames, each with junk behind it."""
    return recording(*(frame(n + 1, n / 20, 0.05, [packet(6, b"\0\0")]) + b"\xee" * 40 for n in range(number)))


def sensors(number: int) -> bytes:
    """So many frames of 30 vehicles, each with a camera that rides on it from birth on."""
    cars = range(1, 31)
    born = [builders.actor(n, location=xyz(300.0 * n)) for n in cars]
    born += [builders.actor(100 + n, 0, "sensor.camera.rgb", xyz(-550.0, 0.0, 280.0)) for n in cars]
    attached = packet(4, builders.event_parent([{"child": 100 + n, "parent": n} for n in cars]))
    return _placed(number, cars, [packet(2, builders.event_add(born)), attached])


def unplaced(number: int) -> bytes:
    """So many frames of 30 vehicles, beside 30 actors that have no position."""
    born = [builders.actor(n, location=xyz(300.0 * n)) for n in range(1, 61)]
    return _placed(number, range(1, 31), [packet(2, builders.event_add(born))])


def _placed(number: int, actors: range, first: list[bytes]) -> bytes:
    """So many frames with the positions of actors; the first one begins with these packets."""
    there = [packet(6, builders.position([pose(n, xyz(300.0 * n, 20.0 * at)) for n in actors])) for at in range(number)]
    parts = [[*first, there[0]], *([each] for each in there[1:])]
    return recording(*(frame(n + 1, n / 20, 0.05, part) for n, part in enumerate(parts)))


KINDS: dict[str, tuple[Callable[[int], bytes], int]] = {
    "frames": (frames, 1000),
    "actors": (actors, 1000),
    "lives": (lives, 1500),
    "open frames": (open_frames, 2000),
    "odd rows": (odd_rows, 1000),
    "sensors": (sensors, 500),
    "unplaced": (unplaced, 500),
}

VERBS = (
    "info --all {path}",
    "info --json {path}",
    "collisions {path}",
    "blocked {path}",
    "actors {path}",
    "events {path} --json",
    "check {path}",
    "check --fix {out} {path}",
    "repair {path} {out}",
    "rewrite --reencode {path} {out}",
    "diff {path} {path}",
    "dump {path}",
    "trim --damaged --from #9 {path} {out}",
    "cut --damaged --from #9 --to #12 {path} {out}",
    "split --damaged --frames 100 {path} {out}.parts",
    "edit --damaged {path} {out} --fixed-step 0.04",
    "edit --damaged {path} {out} --set Position:location.z=0",
    "edit --damaged {path} {out} --remove-actor 7",
    "convert --damaged --write-as ue5-0.10.0 {path} {out}",
    "export --table Position {path} {out}.csv",
    "export {path} {out}.csv",
    "run --damaged {script} {path} {out}",
)

MANY = (10, 20, 40, 80)
JOINED = {"sensors": sensors, "unplaced": unplaced, "lives": lives}
WHOLE = {"from": None, "to": None}
CARS = ["type:vehicle.*"]
STEPS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("move_actors", {"actors": CARS, "offset": [0, 1, 0], **WHOLE}),
    ("add_over", {"packet": "Position", "actors": ["1"], "field": "location.z", "delta": 1, **WHOLE}),
    ("replace_where", {"text": "Position where z < 9: location.z = z * 100 + 1", **WHOLE}),
    ("duplicate_actor", {"actors": ["1"], "offset": [0, 9, 0]}),
    ("trim", {"from": "#2", "to": None}),
    ("retime", {"factor": 1.01}),
)
"""Operations of scripts, the first of which is the one step of `run` among the verbs."""


def main(names: list[str]) -> int:
    with tempfile.TemporaryDirectory(prefix="recorder-editor-growth-") as folder:
        files = {name: Path(folder) / f"{name}.log" for name in ("empty", "path", "out", "script")}
        files["empty"].write_bytes(recording(frame(1)))
        for name in names or [*KINDS, "join", "run"]:
            if name == "join":
                _join(files)
            elif name == "run":
                _run(files)
            else:
                _verbs(name, files)
    return 0


def _verbs(name: str, files: dict[str, Path]) -> None:
    make, size = KINDS[name]
    inputs = [make(size << doubled) for doubled in range(DOUBLINGS + 1)]
    files["script"].write_text(_script(1, *STEPS[0]), encoding="utf-8")
    for verb in VERBS:
        taken = []
        for data in (files["empty"].read_bytes(), *inputs):
            files["path"].write_bytes(data)
            taken.append(_seconds(verb.split(), files))
        _tell(name, verb, taken)


def _join(files: dict[str, Path]) -> None:
    for name, make in JOINED.items():
        files["path"].write_bytes(make(200))
        words = [["join", *["{empty}"] * 2, "{out}"], *(["join", *["{path}"] * number, "{out}"] for number in MANY)]
        _tell("join", f"{MANY} recordings of the kind {name}", [_seconds(each, files) for each in words])


def _run(files: dict[str, Path]) -> None:
    files["path"].write_bytes(sensors(400))
    for operation, arguments in STEPS:
        taken = []
        for number in (0, *MANY):
            files["script"].write_text(_script(number, operation, arguments), encoding="utf-8")
            taken.append(_seconds(["run", "{script}", "{path}", "{out}"], files))
        _tell("run", f"{MANY} steps {operation}", taken)


def _script(number: int, operation: str, arguments: dict[str, Any]) -> str:
    return json.dumps({"script": 1, "steps": [{"operation": operation, "arguments": arguments}] * number})


def _seconds(words: Sequence[str], files: dict[str, Path]) -> float:
    return measured([word.format_map(files) for word in words])[2]


def _tell(name: str, what: str, taken: Sequence[float]) -> None:
    """Print the seconds beyond the first ones."""
    net = [each - taken[0] for each in taken[1:]]
    ratio = net[-1] / max(net[-2], 0.05)
    mark = "  GROWS" if ratio > MOST and net[-1] > 0.5 else ""
    print(f"{name:12}{what:58}{'  '.join(f'{each:6.2f}' for each in net)}{ratio:8.2f}{mark}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
