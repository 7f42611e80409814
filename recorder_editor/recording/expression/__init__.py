"""The one expression language: `TYPE [where EXPR] [: FIELD = EXPR [, FIELD = EXPR]]`.

As in `Position where id == 174 and location.z < 0: location.z = 0`. A small parser of our own, evaluated over arrays:
text never reaches Python's own evaluation. Fields are in the file's units; derived names are `speed` (m/s), `heading`
(degrees), `frame`, `time` (s), `blueprint`, `role`, and `x`, `y`, `z` (metres).
"""

from .grammar import ExpressionError
from .query import DERIVED, Query, parse

__all__ = ["DERIVED", "ExpressionError", "Query", "parse"]
