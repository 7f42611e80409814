"""What names a signal, and signals as they are dragged from pane to pane. Knows no recording."""

import json
from typing import Literal, NamedTuple, get_args

from ..format import JsonError, read_json

MIME = "application/x-recorder-editor-signals"
"""What is dragged: signals, as JSON."""

Kind = Literal["field", "motion", "traffic", "frame", "expression", "computed"]

OFF_SCALE = {"ttc": 10.0, "headway": 10.0}
"""Seconds from which on a signal of the analysis means nothing: what is above is not drawn as a line."""


class Key(NamedTuple):
    """One signal.

    Attributes: `kind` ("field": of a packet's records; "motion": computed from positions and velocities; "traffic":
    of the analysis; "frame": of the frames themselves; "expression": as queries have them; "computed": by an installed
    package), `name` (of the packet,
    of what is computed, or of the expression), `path` (of the field, or the expression), `actor` (id; None: nobody's),
    `other` (the id of the actor that a distance is to).
    """

    kind: Kind
    name: str
    path: str = ""
    actor: int | None = None
    other: int | None = None


def packed(keys: tuple[Key, ...]) -> bytes:
    """Signals as they are dragged."""
    return json.dumps([list(key) for key in keys]).encode()


def unpacked(data: bytes) -> tuple[Key, ...]:
    """The signals that were dragged; none where it is something else."""
    try:
        keys = tuple(Key(*each) for each in read_json(data))
    except (JsonError, TypeError):
        return ()
    return tuple(key for key in keys if _is_key(key))


def _is_key(key: tuple[object, ...]) -> bool:
    texts = key[:3]
    ids = (each for each in key[3:] if each is not None)
    return (
        all(isinstance(each, str) for each in texts)
        and all(isinstance(each, int) and 0 <= each < 1 << 32 for each in ids)
        and key[0] in get_args(Kind)
    )
