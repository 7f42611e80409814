"""What the bytes of a recording are spent on: by packet type, over the frames. Reads headers, not bodies."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..progress import SILENT, Progress
from ..recording.frames import RAW, START_SIZE
from ..recording.packet_headers import heads
from ..recording.snapshot import Snapshot


class Sizes(NamedTuple):
    """Bytes of packets over the frames, headers included.

    Attributes: `edges` (int64[bins + 1]: frame index at which each bin begins, and the end), `names` (packet types, the
    largest in all first), `bytes` (float64[names, bins]: bytes for each frame of the bin).
    """

    edges: npt.NDArray[np.int64]
    names: tuple[str, ...]
    bytes: npt.NDArray[np.float64]


def sizes_over_time(snapshot: Snapshot, bins: int = 400, progress: Progress = SILENT) -> Sizes:
    """How many bytes a frame each packet type takes, in at most `bins` stretches of frames.

    `progress` counts layouts. Raises `Cancelled`, and errors of reading as `Store.read`.
    """
    frames = len(snapshot)
    bins = max(1, min(bins, frames))
    edges = np.linspace(0, frames, bins + 1).astype(np.int64)
    rows = snapshot.table.rows()
    rows = rows[rows["kind"] != RAW]
    which = np.searchsorted(edges, np.arange(frames), side="right") - 1
    found: dict[str, npt.NDArray[np.float64]] = {}

    def add(name: str, size: int, counts: npt.NDArray[np.int64]) -> None:
        found.setdefault(name, np.zeros(bins))[:] += size * counts

    add("FrameStart", START_SIZE, np.bincount(which, minlength=bins))
    for layout in progress.over(np.unique(rows["layout"]).tolist()):
        chosen = np.flatnonzero(rows["layout"] == layout)
        if layout >= 0:
            ids, _, sizes = snapshot.layouts.get(layout)
            counts = np.bincount(which[chosen], minlength=bins)
            for number, size in zip(ids.tolist(), sizes.tolist(), strict=True):
                add(snapshot.dialect.packet(number).name, size + 5, counts)
            continue
        for index in chosen.tolist():
            row = rows[index]
            one = np.bincount([which[index]], minlength=bins)
            for head in heads(snapshot.store, int(row["source"]), int(row["offset"]), int(row["size"])):
                add(snapshot.dialect.packet(head.id).name, head.size + 5, one)
    width = np.maximum(np.diff(edges), 1)
    names = tuple(sorted(found, key=lambda name: -float(found[name].sum())))
    return Sizes(edges, names, np.array([found[name] / width for name in names]).reshape(len(names), bins))
