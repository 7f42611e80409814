"""Large recordings made on the spot, written by numpy and struct alone; they never import the library."""

import os
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter

import numpy as np

PROJECT = Path(__file__).resolve().parents[2]
HEADER = struct.pack("<HH14sqH6s", 1, 14, b"CARLA_RECORDER", 1637676528, 6, b"Town01")

FRAMES = 72_000
ACTORS = 130
STEP = 0.05
BUFFER = 4 << 20

POSE = np.dtype([("id", "<u4"), ("location", "<f4", 3), ("rotation", "<f4", 3)])
MOTION = np.dtype([("id", "<u4"), ("linear", "<f4", 3), ("angular", "<f4", 3)])
CONTROL = np.dtype(
    [("id", "<u4"), ("steering", "<f4"), ("throttle", "<f4"), ("brake", "<f4"), ("handbrake", "u1"), ("gear", "<i4")]
)
LAMP = np.dtype([("id", "<u4"), ("lights", "<u4")])
LIGHT = np.dtype([("id", "<u4"), ("frozen", "u1"), ("elapsed", "<f4"), ("state", "i1")])


def folder() -> Path:
    """Where large files are kept from one run to the next: RECORDER_EDITOR_BENCH_DIR, or build/bench."""
    place = Path(os.environ.get("RECORDER_EDITOR_BENCH_DIR") or PROJECT / "build" / "bench")
    place.mkdir(parents=True, exist_ok=True)
    return place


def kept(name: str, make: Callable[[], Iterator[bytes]]) -> Path:
    """The file of that name, made now if it is not there; nothing half written ever has the name."""
    path = folder() / name
    if not path.exists():
        half = path.with_suffix(".half")
        with half.open("wb") as stream:
            for part in make():
                stream.write(part)
        half.replace(path)
    return path


def seconds_to_read(path: Path) -> float:
    """Of reading a file once with preadv, again and again into one small buffer: the fastest way there is."""
    begin = perf_counter()
    descriptor = os.open(path, os.O_RDONLY)
    try:
        buffer = bytearray(BUFFER)
        at = 0
        while count := os.preadv(descriptor, [buffer], at):
            at += count
    finally:
        os.close(descriptor)
    return perf_counter() - begin


def packet(number: int, body: bytes) -> bytes:
    return struct.pack("<BI", number, len(body)) + body


def listed(records: np.ndarray) -> bytes:
    return struct.pack("<H", len(records)) + records.tobytes()


# --- 800 MB of long runs ----------------------------------------------------------------------------------


def births(ids: np.ndarray) -> bytes:
    parts = [struct.pack("<H", len(ids))]
    for number in ids.tolist():
        name, role = b"vehicle.lincoln.mkz_2017", b"hero" if number == ids[0] else b"autopilot"
        parts += [
            struct.pack("<IB6fI", number, 1, 100.0, 4.0 * number, 50.0, 0.0, 0.0, 0.0, 21),
            struct.pack("<H", len(name)) + name,
            struct.pack("<HBH", 1, 3, 9) + b"role_name" + struct.pack("<H", len(role)) + role,
        ]
    return b"".join(parts)


def frame_of(ids: np.ndarray, born: np.ndarray, gone: np.ndarray) -> tuple[np.ndarray, dict[int, int]]:
    """One frame as bytes, and where the bodies of its packets begin."""
    lights = np.zeros(36, LIGHT)
    lights["id"] = np.arange(500, 536)
    bodies: list[tuple[int, bytes]] = [
        (0, bytes(24)),
        (2, births(born)),
        (3, struct.pack("<H", len(gone)) + gone.astype("<u4").tobytes()),
        (4, b"\0\0"),
        (5, b"\0\0"),
    ]
    for number, kind in ((6, POSE), (7, lights), (8, CONTROL), (9, None), (10, LAMP), (12, MOTION), (13, None)):
        if isinstance(kind, np.ndarray):
            bodies.append((number, listed(kind)))
        elif kind is None:
            bodies.append((number, b"\0\0"))
        else:
            records = np.zeros(len(ids), kind)
            records["id"] = ids
            bodies.append((number, listed(records)))
    bodies += [(14, bytes(8)), (1, b"")]
    places, at = {}, 0
    for number, body in bodies:
        places[number] = at + 5
        at += 5 + len(body)
    return np.frombuffer(b"".join(packet(*each) for each in bodies), np.uint8), places


def filled(
    ids: np.ndarray, frame: np.ndarray, places: dict[int, int], numbers: np.ndarray, last: int, step: float
) -> bytes:
    """The frame once for each of `numbers` (from 0), with its own times, poses and motions."""
    whole = np.tile(frame, (len(numbers), 1))

    def column(at: int, kind: np.dtype, count: int = 1) -> np.ndarray:
        shape, strides = (len(numbers), count), (whole.strides[0], kind.itemsize)
        return np.ndarray(shape, kind, whole, at, strides)

    start = np.dtype([("id", "<u8"), ("duration", "<f8"), ("elapsed", "<f8")])
    column(places[0], start)["id"][:, 0] = numbers + 1
    column(places[0], start)["duration"][:, 0] = np.where(numbers == last, -1.0, step)
    column(places[0], start)["elapsed"][:, 0] = numbers * step
    column(places[14], np.dtype("<f8"))[:, 0] = numbers * step * 1.5
    angle = (numbers[:, None] * step + ids) * 0.1
    poses = column(places[6] + 2, POSE, len(ids))
    poses["location"][..., 0] = 20_000.0 * np.cos(angle) + 100.0 * ids
    poses["location"][..., 1] = 20_000.0 * np.sin(angle)
    poses["location"][..., 2] = 50.0
    poses["rotation"][..., 2] = np.degrees(angle) % 360.0 - 90.0
    motions = column(places[12] + 2, MOTION, len(ids))
    motions["linear"][..., 0] = -20.0 * np.sin(angle)
    motions["linear"][..., 1] = 20.0 * np.cos(angle)
    column(places[8] + 2, CONTROL, len(ids))["throttle"] = 0.5
    return whole.tobytes()


def long_runs(
    frames: int = FRAMES, actors: int = ACTORS, run: int = 1500, block: int = 500, step: float = STEP
) -> Iterator[bytes]:
    """About 11 kB a frame; every `run` frames one actor gives way to a new one."""
    yield HEADER
    ids = np.arange(100, 100 + actors)
    nobody = ids[:0]
    for first in range(0, frames, run):
        born, gone = (ids, nobody) if first == 0 else (ids[-1:] + 1, ids[:1])
        if first:
            ids = np.append(ids[1:], ids[-1] + 1)
        frame, places = frame_of(ids, born, gone)
        yield filled(ids, frame, places, np.array([first]), frames - 1, step)
        frame, places = frame_of(ids, nobody, nobody)
        for begin in range(first + 1, min(first + run, frames), block):
            numbers = np.arange(begin, min(begin + block, first + run, frames))
            yield filled(ids, frame, places, numbers, frames - 1, step)


# --- short runs -----------------------------------------------------------------------------------------------


def plain_frames(counts: Iterator[tuple[int, int, int]], total: int) -> Iterator[bytes]:
    """Frames of fourteen packets until `total` bytes are written; `counts` are the records of three of the packets."""
    yield HEADER
    written = number = 0
    head = b"".join(packet(each, b"\0\0") for each in (2, 3, 4, 5))
    tail = b"".join(packet(each, bytes(102)) for each in (7, 9, 13)) + packet(14, bytes(8)) + packet(1, b"")
    while written < total:
        start = packet(0, struct.pack("<Qdd", number + 1, STEP, number * STEP))
        changing = zip((6, 8, 10), (28, 21, 8), next(counts), strict=True)
        lists = [packet(each, struct.pack("<H", count) + bytes(size * count)) for each, size, count in changing]
        part = b"".join((start, head, *lists, tail))
        written, number = written + len(part), number + 1
        yield part


def tiny_frames(count: int) -> Iterator[bytes]:
    """Frames without a packet."""
    yield HEADER
    frames = np.zeros(count, [("head", "S5"), ("id", "<u8"), ("duration", "<f8"), ("elapsed", "<f8"), ("end", "S5")])
    frames["head"], frames["end"] = b"\x00\x18", b"\x01"
    frames["id"], frames["duration"] = np.arange(1, count + 1), STEP
    frames["elapsed"] = STEP * np.arange(count)
    yield frames.tobytes()


def tiled(recording: Path, total: int) -> Iterator[bytes]:
    """A recording's frames again and again, until `total` bytes are written."""
    data = recording.read_bytes()
    start = 28 + struct.unpack_from("<H", data, 26)[0]
    yield data[:start]
    for _ in range(0, total, len(data) - start):
        yield data[start:]
