"""The columns of the L1 table in order, and the signals that are plotted of them, as `resources/l1.json` has them."""

from typing import NamedTuple

from .. import resources
from ..sentences import say
from .constants import REACTION_TIME


class Column(NamedTuple):
    """A column. `type` is a numpy code (`i4`, `i8`, `i1`, `f4`, `f8`) or `str`."""

    name: str
    type: str
    meaning: str
    unit: str = ""


class SignalKind(NamedTuple):
    """A computed signal: its name, column of the L1 table and unit."""

    name: str
    column: str
    unit: str

    @property
    def title(self) -> str:
        return say(f"traffic.{self.name}")

    @property
    def meaning(self) -> str:
        return say(f"traffic.{self.name}_meaning", reaction=REACTION_TIME)


L1 = "l1"
L1_MEANING = "analysis.l1"
"""The name of the table, and the code of what it holds."""

_TABLE = resources.table("l1")

COLUMNS: tuple[Column, ...] = tuple(Column(*words) for words in _TABLE["columns"])
"""The 50 columns of every table."""

EXTRA: tuple[Column, ...] = tuple(Column(*words) for words in _TABLE["extra"])
"""The optional columns after them."""

SURROUNDINGS = tuple(each.name for each in COLUMNS if each.name.startswith(("following", "left", "right")))
"""The neighbours other than the leader."""

SIGNALS = {name: SignalKind(name, *said) for name, said in _TABLE["signals"].items()}
"""The computed signals of a vehicle, by the name that `Analysis.signal` takes."""
