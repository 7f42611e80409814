"""What a row or a record of an edited recording was in the saved file: by its key or id, wherever it stands now."""

from itertools import islice

import numpy as np

from ..format.codec import Body
from ..recording.snapshot import Snapshot


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


def record_before(now: Body, then: Body, record: int) -> int | None:
    """The ordinal that a record had in a body of the same type; None for a new one.

    Records with a key are known by it, others by what they hold, or else by their place.
    """
    own = _key_of(now, record)
    # Without a look at all of them: as if nothing came or went before it, or all of it did.
    for at in (record, record + len(then) - len(now)):
        if 0 <= at < len(then) and _key_of(then, at) == own:
            return at
    earlier = sum(_key_of(now, at) == own for at in range(record))
    found = next(islice((at for at in range(len(then)) if _key_of(then, at) == own), earlier, None), None)
    return record if found is None and len(now) == len(then) else found


def _key_of(body: Body, record: int) -> bytes:
    start, stop = body.span(record)
    data = body.data[start:stop]
    return body.type.key_of(data) if body.type.key else data
