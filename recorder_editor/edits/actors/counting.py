"""How much a recording says of some lives, before any of it is changed."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...progress import SILENT, Progress
from ...recording.blocks import blocks
from ...recording.lives import Life
from ..place import RecordingLike
from ..uniform_frames import Alike, Patterns
from .owners import EXACT, endings, stay_of


class Told(NamedTuple):
    """Records that name lives, and in how many frames there are such."""

    records: int
    frames: int


def count_records(recording: RecordingLike, lives: Sequence[Life], *, progress: Progress = SILENT) -> Told:
    """How many records of any packet name one of these lives. Raises `Cancelled`."""
    snapshot = recording.snapshot
    stays = sorted((stay_of(snapshot, life) for life in lives), key=lambda stay: (stay.actor, stay.first))
    if not stays:
        return Told(0, 0)
    actors, first, last = np.array(stays, np.int64).T
    keys = (actors << 32) | first

    def named(alike: Alike) -> tuple[int, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
        """Records that mean one of them, and the frames that have one."""
        rows = alike.rows + alike.block.first
        number, frames = 0, np.zeros(len(alike), np.bool_)
        for records in alike.lists:
            if not len(records) or records.kind.name in EXACT:
                continue
            mask = np.zeros((len(alike), len(records)), np.bool_)
            for offset in records.kind.actor_places:
                ids = records.numbers(alike.data, offset)
                row, column = np.nonzero(np.isin(ids, actors.astype(np.uint32)))
                at = keys.searchsorted((ids[row, column].astype(np.int64) << 32) | rows[row], side="right") - 1
                mine = (at >= 0) & (actors[at] == ids[row, column]) & (rows[row] <= last[at])
                mask[row[mine], column[mine]] = True
            number += int(mask.sum())
            frames |= mask.any(axis=1)
        return number, frames

    patterns = Patterns(snapshot.dialect.packet)
    start, stop = int(first.min()), int(last.max()) + 1
    exact = [life.added.row for life in lives] + [place.row for place in endings(snapshot, lives).values()]
    number, told = len(exact), set(exact)
    for block in blocks(snapshot, start, stop):
        for alike in patterns.alike(block, np.arange(len(block))):
            progress.check()
            more, frames = named(alike)
            number += more
            told.update((alike.rows[frames] + block.first).tolist())
        progress.update(block.first + len(block) - start, stop - start)
    return Told(number, len(told))
