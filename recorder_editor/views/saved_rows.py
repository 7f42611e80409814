"""Which row or record of one state of a recording is that of another, as the saved one: by its key or id, wherever it
stands; and how many differ."""

from itertools import islice

import numpy as np

from ..format import Body
from ..recording import RAW, Snapshot
from ..texts import N_count, listed, say, say_count

_CONTENT = ("source", "offset", "size", "kind", "stored", "frame_id", "elapsed", "duration")
_MOST_READ = 1 << 26


def row_of_key(snapshot: Snapshot, key: int, near: int) -> int | None:
    """The row of that key, looked for first where it would be without insertions; None where it is no more."""
    table = snapshot.table
    if near < len(table) and int(table.row(near)["key"]) == key:
        return near
    base = 0
    for chunk in table.chunks:
        (found,) = np.nonzero(chunk["key"] == key)
        if len(found):
            return base + int(found[0])
        base += len(chunk)
    return None


def same_record(here: Body, there: Body, record: int) -> int | None:
    """The ordinal of a record of one body in another body of the same type; None where that has no such record.

    Records with a key are known by it, others by what they hold, or else by their place.
    """
    own = _key_of(here, record)
    # Without a look at all of them: as if nothing came or went before it, or all of it did.
    for at in (record, record + len(there) - len(here)):
        if 0 <= at < len(there) and _key_of(there, at) == own:
            return at
    earlier = sum(_key_of(here, at) == own for at in range(record))
    found = next(islice((at for at in range(len(there)) if _key_of(there, at) == own), earlier, None), None)
    if found is None and len(here) == len(there):
        return record
    return found


def differences(saved: Snapshot, now: Snapshot) -> str:
    """How a recording differs from the saved one: in so many bytes, or frames where the bytes behind them moved.

    Damaged places, which are no frames, are counted by themselves.

    Only rows that were edited are read. Errors as `Snapshot.read`.
    """
    old = saved.table
    new = now.table
    keys = old.column("key")
    new_keys = new.column("key")
    _, before, after = np.intersect1d(keys, new_keys, assume_unique=True, return_indices=True)
    is_edited = np.logical_or.reduce([old.column(name)[before] != new.column(name)[after] for name in _CONTENT])
    edited = before[is_edited]
    sizes = np.diff(old.positions())
    stays = np.array_equal(keys, new_keys) and len(saved.header_bytes) == len(now.header_bytes)
    if stays and np.array_equal(sizes, np.diff(new.positions())) and sizes[edited].sum() <= _MOST_READ:
        spans = [(0, len(saved.header_bytes)), *((saved.position(row), int(sizes[row])) for row in edited.tolist())]
        pairs = ((np.frombuffer(one.read(*span), "u1") for one in (saved, now)) for span in spans)
        number = sum(int(np.count_nonzero(was != is_)) for was, is_ in pairs)
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
    numbers = {}
    for template, rows in counts.items():
        numbers[template] = int(np.count_nonzero(rows))
    return listed(say(template, count=number) for template, number in numbers.items() if number) or say("frames moved")


def _key_of(body: Body, record: int) -> bytes:
    start, stop = body.span(record)
    data = body.data[start:stop]
    if body.type.key:
        return body.type.key_of(data)
    return data
