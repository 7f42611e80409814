"""The key of a signal, and signals as they are dragged from pane to pane. Knows no recording."""

import json
from typing import Literal, NamedTuple, get_args

from ..format import JsonError, read_json

MIME = "application/x-recorder-editor-signals"
"""MIME type of dragged signals, which are JSON."""

Kind = Literal["field", "motion", "traffic", "frame", "expression", "computed", "pair"]

OFF_SCALE = {"ttc": 10.0, "headway": 10.0, "ttc2d": 5.0}
"""Seconds above which a signal of the analysis or of a pair has no meaning and is not drawn as a line."""


class Key(NamedTuple):
    """One signal.

    Attributes:
        kind: "field": of a packet's records; "motion": computed of positions and velocities; "traffic": of the
            analysis; "frame": of the frames themselves; "expression": as queries have them; "computed": by an
            installed package; "pair": a measure of two road users.
        name: Name of the packet, of what is computed, or of the expression.
        path: Path of the field, or the expression; of a pair the title that was given to it.
        actor: Id of the actor; None: it belongs to none.
        other: Id of the actor that a distance or a measure of a pair is of.
    """

    kind: Kind
    name: str
    path: str = ""
    actor: int | None = None
    other: int | None = None


def packed(keys: tuple[Key, ...]) -> bytes:
    """Return signals as bytes that are dragged."""
    return json.dumps([list(key) for key in keys]).encode()


def unpacked(data: bytes) -> tuple[Key, ...]:
    """Return the signals that were dragged; none where the bytes are something else."""
    keys = []
    try:
        for values in read_json(data):
            key = Key(*values)
            if _is_key(key):
                keys.append(key)
    except (JsonError, TypeError):
        return ()
    return tuple(keys)


def _is_key(key: tuple[object, ...]) -> bool:
    """Return whether the values of a key that was read have the right types."""
    kind, name, path, actor, other = key
    has_texts = isinstance(name, str) and isinstance(path, str)
    return has_texts and kind in get_args(Kind) and _is_id(actor) and _is_id(other)


def _is_id(value: object) -> bool:
    """Return whether a value is the id of an actor, or None."""
    return value is None or (isinstance(value, int) and 0 <= value < 1 << 32)
