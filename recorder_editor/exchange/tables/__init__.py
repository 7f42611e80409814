"""A recording as tables: every packet's records, and what is derived from them, as columns in blocks of rows.

One row for each frame and actor or record. Names of columns end with their unit: `location_x_cm` is a stored field, in
the file's unit; `x_m` is derived. Knows no file format.
"""

from ...recording.selectors import ChoiceError
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
    """The table of that name, whatever its case; raises `ChoiceError` with the names there are."""
    every = tables(snapshot)
    for table in every:
        if table.name.lower() == name.strip().lower():
            return table
    raise ChoiceError(f"“{name}” is no table. There are: {', '.join(table.name for table in every)}.")
