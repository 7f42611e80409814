"""Tables of a recording: the records of every packet, and derived tables, as blocks of columns.

One row for each frame and actor or record. Column names end with their unit: `location_x_cm` is a stored field in the
file's unit, `x_m` is derived. Knows no output format.
"""

from ...recording.selectors import SelectorError
from ...recording.snapshot import Snapshot
from .derived import derived_tables
from .packets import packet_tables
from .table import Table
from .values import Block, DictionaryColumn, Values

__all__ = ["Block", "DictionaryColumn", "Table", "Values", "find_table", "tables"]


def tables(snapshot: Snapshot) -> tuple[Table, ...]:
    """Every table of a recording: the derived ones, then the packets of its dialect."""
    return (*derived_tables(snapshot), *packet_tables(snapshot))


def find_table(snapshot: Snapshot, name: str) -> Table:
    """The table of a name, ignoring case; raises `SelectorError`, which lists the names."""
    every = tables(snapshot)
    for table in every:
        if table.name.lower() == name.strip().lower():
            return table
    raise SelectorError(f"“{name}” is not a table. There are: {', '.join(table.name for table in every)}.")
