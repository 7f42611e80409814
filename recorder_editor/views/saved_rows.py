"""Rows and records of two states of a recording, as of the current and the saved one, that are the same by key or id.

Also how many rows differ between the states.
"""

from itertools import islice

import numpy as np

from ..format import Body
from ..recording import RAW, Snapshot
from ..texts import N_count, listed, say, say_count

_CONTENT = ("source", "offset", "size", "kind", "stored", "frame_id", "elapsed", "duration")
_MOST_READ = 1 << 26


def row_of_key(snapshot: Snapshot, key: int, near: int) -> int | None:
    """Find the row of a key.

    Args:
        snapshot: State to search.
        key: Key of the row.
        near: Row that is looked at first: where the key stands if nothing was inserted.

    Returns:
        The row; None where this state does not have it.
    """
    table = snapshot.table
    if near < len(table) and int(table.row(near)["key"]) == key:
        return near
    base = 0
    for chunk in table.chunks:
        (rows,) = np.nonzero(chunk["key"] == key)
        if len(rows):
            return base + int(rows[0])
        base += len(chunk)
    return None


def same_record(here: Body, there: Body, record: int) -> int | None:
    """Find a record of one body in another body of the same type.

    Records with a key are found by it, others by their bytes, or else by their place.

    Args:
        here: Body that holds the record.
        there: Body that is searched.
        record: Index of the record in `here`.

    Returns:
        Its index in `there`; None where that has no such record.
    """
    key = _key_of(here, record)
    # First without reading all of them: where it is if no record before it, or none behind it, came or went.
    for index in (record, record + len(there) - len(here)):
        if 0 <= index < len(there) and _key_of(there, index) == key:
            return index
    # Among records of the same key the first is the first one there, the second the second.
    earlier = sum(1 for index in range(record) if _key_of(here, index) == key)
    matches = (index for index in range(len(there)) if _key_of(there, index) == key)
    match = next(islice(matches, earlier, None), None)
    if match is None and len(here) == len(there):
        return record
    return match


def differences(saved: Snapshot, now: Snapshot) -> str:
    """Describe how a recording differs from the saved one.

    Only rows that were edited are read; errors are those of `Snapshot.read`. Damaged places, which are no frames, are
    counted by themselves.

    Args:
        saved: State that the file holds.
        now: State that is compared with it.

    Returns:
        The number of bytes that differ, or of frames and damaged places that were edited, inserted and removed where
        the bytes behind them moved.
    """
    old = saved.table
    new = now.table
    keys = old.column("key")
    new_keys = new.column("key")
    _, before, after = np.intersect1d(keys, new_keys, assume_unique=True, return_indices=True)
    is_edited = np.zeros(len(before), np.bool_)
    for name in _CONTENT:
        is_edited |= old.column(name)[before] != new.column(name)[after]
    edited = before[is_edited]
    sizes = np.diff(old.positions())
    is_same_order = np.array_equal(keys, new_keys) and len(saved.header_bytes) == len(now.header_bytes)
    has_same_sizes = is_same_order and np.array_equal(sizes, np.diff(new.positions()))
    if has_same_sizes and sizes[edited].sum() <= _MOST_READ:
        number = _differing_bytes(saved, now, 0, len(saved.header_bytes))
        for row in edited.tolist():
            number += _differing_bytes(saved, now, saved.position(row), int(sizes[row]))
        return say_count("1 byte differs", "{count:,} bytes differ", count=number)
    was_frame = old.column("kind") != RAW
    is_frame = new.column("kind") != RAW
    # A row that is a frame now and was bytes that cannot be read is another row.
    stayed = was_frame[before] == is_frame[after]
    is_edited &= stayed
    removed = np.ones(len(old), dtype=bool)
    removed[before[stayed]] = False
    inserted = np.ones(len(new), dtype=bool)
    inserted[after[stayed]] = False
    edited_frame = was_frame[before]
    counts = {
        N_count("1 frame edited", "{count:,} frames edited"): is_edited & edited_frame,
        N_count("1 frame inserted", "{count:,} frames inserted"): inserted & is_frame,
        N_count("1 frame removed", "{count:,} frames removed"): removed & was_frame,
        N_count("1 damaged place edited", "{count:,} damaged places edited"): is_edited & ~edited_frame,
        N_count("1 damaged place inserted", "{count:,} damaged places inserted"): inserted & ~is_frame,
        N_count("1 damaged place removed", "{count:,} damaged places removed"): removed & ~was_frame,
    }
    texts = []
    for template, rows in counts.items():
        number = int(np.count_nonzero(rows))
        if number:
            texts.append(say(template, count=number))
    return listed(texts) or say("frames moved")


def _differing_bytes(saved: Snapshot, now: Snapshot, position: int, size: int) -> int:
    """Return how many bytes of a span differ, which stands at the same position in both states."""
    old = np.frombuffer(saved.read(position, size), np.uint8)
    new = np.frombuffer(now.read(position, size), np.uint8)
    return int(np.count_nonzero(old != new))


def _key_of(body: Body, record: int) -> bytes:
    start, stop = body.span(record)
    data = body.data[start:stop]
    if body.type.key:
        return body.type.key_of(data)
    return data
