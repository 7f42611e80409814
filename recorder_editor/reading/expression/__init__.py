"""The expression language: `TYPE [where EXPR] [: FIELD = EXPR [, FIELD = EXPR]]`.

As in `Position where id == 174 and location.z < 0: location.z = 0`; a number of each record is
`TYPE [where EXPR]: EXPR`. Expressions are parsed here and evaluated over arrays; Python's `eval` is not used. Fields
are in the file's units; derived names are `speed` (m/s), `heading` (degrees), `frame`, `time` (s), `blueprint`, `role`,
`class`, and `x`, `y`, `z` (metres); with a road map `lane`, `lane_type`, `lane_offset` (metres to the right of its
centre), `in_junction`, `off_road`, `wrong_way`; of actors the worst measure with others near them, as `ttc2d` and
`distance`.
"""

from .actors import find_matching_actors
from .completion import Completion, Proposal, completion
from .grammar import ExpressionError
from .query import DERIVED, Query, parse, parse_value
