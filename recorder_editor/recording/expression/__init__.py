"""The one expression language: `TYPE [where EXPR] [: FIELD = EXPR [, FIELD = EXPR]]`.

As in `Position where id == 174 and location.z < 0: location.z = 0`. A small parser of our own, evaluated over arrays:
text never reaches Python's own evaluation. Fields are in the file's units; derived names are `speed` (m/s), `heading`
(degrees), `frame`, `time` (s), `blueprint`, `role`, and `x`, `y`, `z` (metres).
"""

from .blocks import BlockRecords, FrameRecords, Names, Picked, bits_of
from .grammar import ExpressionError, tokens
from .query import DERIVED, Assignment, Query, parse
from .records import PacketRecords, Records
from .values import Inexact, Mask, Texts, counted, worth

__all__ = [
    "DERIVED",
    "Assignment",
    "BlockRecords",
    "ExpressionError",
    "FrameRecords",
    "Inexact",
    "Mask",
    "Names",
    "PacketRecords",
    "Picked",
    "Query",
    "Records",
    "Texts",
    "bits_of",
    "counted",
    "parse",
    "tokens",
    "worth",
]
