"""Which children of a node came, went or moved, so that what is unfolded stays with what it belongs to. No Qt."""

from collections.abc import Sequence
from typing import Any


def difference(before: Sequence[Any], after: Sequence[Any]) -> tuple[int, int, int]:
    """`(at, removed, inserted)`: from child `at` on, so many gave way to so many; the rest is the same."""
    shorter = min(len(before), len(after))
    at = 0
    while at < shorter and before[at] == after[at]:
        at += 1
    behind = 0
    while behind < shorter - at and before[-1 - behind] == after[-1 - behind]:
        behind += 1
    return at, len(before) - at - behind, len(after) - at - behind


def move(before: Sequence[Any], after: Sequence[Any]) -> tuple[int, int] | None:
    """`(child, place)` where `after` is `before` with one child moved, None otherwise; counted as after its removal."""
    at, removed, inserted = difference(before, after)
    if removed != inserted or removed < 2:
        return None
    old, new = list(before[at : at + removed]), list(after[at : at + removed])
    if new == [*old[1:], old[0]]:
        return at, at + removed - 1
    if new == [old[-1], *old[:-1]]:
        return at + removed - 1, at
    return None
