"""Edits: pure functions from a state of a recording and arguments to an `Edit` that can be applied to that state.

Nothing here changes a recording. New bytes go to the scratch file at once; an edit that is never applied leaves
nothing but unused scratch space. Every function takes a `Recording` or a `Snapshot` as its first argument.
"""

from .fields import add_over, set_field, set_fields, set_frame_start, set_header, set_over
from .packets import (
    delete_packet,
    delete_record,
    delete_records,
    delete_rows,
    duplicate_packet,
    duplicate_record,
    insert_frame,
    insert_packet,
    insert_record,
    move_packet,
    move_record,
    replace_body,
    replace_record,
)
from .paths import move_actor
from .place import Place, place
from .raw import overwrite, replace_bytes
from .take import take_frame, take_packet, take_record
from .times import order_times, retime, shift

__all__ = [
    "Place",
    "add_over",
    "delete_packet",
    "delete_record",
    "delete_records",
    "delete_rows",
    "duplicate_packet",
    "duplicate_record",
    "insert_frame",
    "insert_packet",
    "insert_record",
    "move_actor",
    "move_packet",
    "move_record",
    "order_times",
    "overwrite",
    "place",
    "replace_body",
    "replace_bytes",
    "replace_record",
    "retime",
    "set_field",
    "set_fields",
    "set_frame_start",
    "set_header",
    "set_over",
    "shift",
    "take_frame",
    "take_packet",
    "take_record",
]
