"""How the time of each verb grows with its input: `python tests/fuzz/growth.py [KIND ...]`.

Each input is doubled three times; printed are processor seconds, less those of a recording of one frame, and the last
ratio. A ratio above 2.2 is marked: such a verb takes more than twice as long for twice the input.
"""

import struct
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

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
    there = [packet(6, builders.position([pose(each, xyz(300.0 * each + at)) for each in range(number)]))
             for at in range(20)]  # fmt: skip
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


KINDS: dict[str, tuple[Callable[[int], bytes], int]] = {
    "frames": (frames, 1000), "actors": (actors, 1000), "lives": (lives, 1500), "open frames": (open_frames, 2000),
    "odd rows": (odd_rows, 1000),
}  # fmt: skip

VERBS = (
    "info --all {path}", "info --json {path}", "collisions {path}", "blocked {path}", "actors {path}", "check {path}",
    "check --fix {out} {path}", "repair {path} {out}", "rewrite --reencode {path} {out}", "diff {path} {path}",
    "dump {path}", "trim --damaged --from #9 {path} {out}", "cut --damaged --from #9 --to #12 {path} {out}",
    "split --damaged --frames 100 {path} {out}.parts", "edit --damaged {path} {out} --fixed-step 0.04",
    "edit --damaged {path} {out} --set Position:location.z=0", "edit --damaged {path} {out} --remove-actor 7",
    "convert --damaged --dialect ue5-0.10.0 {path} {out}", "export --table Position {path} {out}.csv",
    "export {path} {out}.csv",
)  # fmt: skip


def main(names: list[str]) -> int:
    with tempfile.TemporaryDirectory(prefix="recorder-editor-growth-") as folder:
        empty, path, out = (Path(folder) / name for name in ("empty.log", "in.log", "out.log"))
        empty.write_bytes(recording(frame(1)))
        for name in names or KINDS:
            make, size = KINDS[name]
            inputs = [make(size << doubled) for doubled in range(DOUBLINGS + 1)]
            for verb in VERBS:
                taken = []
                for data in (empty.read_bytes(), *inputs):
                    path.write_bytes(data)
                    taken.append(measured([word.format(path=path, out=out) for word in verb.split()])[2])
                net = [each - taken[0] for each in taken[1:]]
                ratio = net[-1] / max(net[-2], 0.05)
                mark = "  GROWS" if ratio > MOST and net[-1] > 0.5 else ""
                print(f"{name:12}{verb:58}{'  '.join(f'{each:6.2f}' for each in net)}{ratio:8.2f}{mark}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
