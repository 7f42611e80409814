"""From a case that breaks to a small one that breaks alike: whole packets, lines and commands go first, then pieces."""

import dataclasses
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, TypeVar

from .damage import packets_of

Case = TypeVar("Case")
Parts = Sequence[Any]
MAX_TRIES = 400


def shrunk(case: Case, breaks: Callable[[Case], bool], tries: int = MAX_TRIES) -> Case:
    """The case (a frozen dataclass of bytes, texts and tuples) with as little in it as still `breaks`."""
    left = tries

    def still(candidate: Case) -> bool:
        nonlocal left
        left -= 1
        return left >= 0 and breaks(candidate)

    def without(case: Case, name: str, split: Callable[[Any], Parts]) -> Case:
        empty = type(getattr(case, name))()

        def put(parts: Parts) -> Case:
            value = tuple(parts) if empty == () else empty.join(parts)
            return dataclasses.replace(case, **{name: value})  # type: ignore[type-var] # it is a dataclass

        return put(_fewest(split(getattr(case, name)), lambda parts: still(put(parts))))

    names = [field.name for field in dataclasses.fields(case)]  # type: ignore[arg-type] # as above
    fields = [name for name in names if isinstance(getattr(case, name), bytes | str | tuple)]
    # Short fields first: a command less saves more time than a byte less.
    for name in sorted(fields, key=lambda each: len(getattr(case, each))):
        for split in _SPLITS[type(getattr(case, name))]:
            case = without(case, name, split)
    return case


def _fewest(parts: Parts, breaks: Callable[[Parts], bool]) -> Parts:
    """Delta debugging: take away halves, quarters, ... as long as it breaks."""
    size = max(1, len(parts) // 2)
    while size:
        at = 0
        while at < len(parts):
            fewer = [*parts[:at], *parts[at + size :]]
            if breaks(fewer):
                parts = fewer
            else:
                at += size
        size //= 2
    return parts


def _packets(data: bytes) -> Parts:
    return [data[first:stop] for first, stop in pairwise([0, *packets_of(data), len(data)])]


_SPLITS: dict[type, tuple[Callable[[Any], Parts], ...]] = {
    tuple: (list,),
    str: (lambda text: text.splitlines(keepends=True), list),
    bytes: (_packets, lambda data: [data[at : at + 1] for at in range(len(data))]),
}
