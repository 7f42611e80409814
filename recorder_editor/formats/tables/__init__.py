"""Tables of a recording: the records of every packet, and derived tables, as blocks of columns.

One row for each frame and actor or record. Column names end with their unit: `location_x_cm` is a stored field in the
file's unit, `x_m` is derived. Knows no output format.
"""

from ...errors import PacketNameError
from ...format import packet_number, packets_named
from ...reading import SelectorError
from ...recording import Snapshot
from ...suggestions import did_you_mean
from ...texts import listed, say
from .derived import derived_tables
from .lanes import NAME as LANES
from .lanes import lanes_table, road_map_table
from .objects import AS_OPENDRIVE, OBJECTS, Axes, ObjectChoices, objects_table
from .packets import packet_tables
from .road_users import EVENTS
from .table import Table
from .values import DictionaryColumn, GappedColumn, TableBlock, Values

__all__ = [
    "EVENTS",
    "LANES",
    "OBJECTS",
    "Axes",
    "DictionaryColumn",
    "GappedColumn",
    "ObjectChoices",
    "Table",
    "TableBlock",
    "Values",
    "find_table",
    "road_map_table",
    "tables",
]


def tables(snapshot: Snapshot, objects: ObjectChoices = AS_OPENDRIVE) -> tuple[Table, ...]:
    """Return every table of a recording.

    Args:
        snapshot: The state of the recording.
        objects: What is chosen of the table of objects.

    Returns:
        The derived tables, the table of lanes if a road map is known, then the tables of the dialect's packets.
    """
    positions, *others = derived_tables(snapshot)
    result = [positions, objects_table(snapshot, objects), *others]
    if snapshot.roads is not None:
        result.append(lanes_table(snapshot, snapshot.roads))
    result.extend(packet_tables(snapshot))
    return tuple(result)


def find_table(snapshot: Snapshot, name: str, objects: ObjectChoices = AS_OPENDRIVE) -> Table:
    """Return the table of a name.

    Args:
        snapshot: The state of the recording.
        name: The name of the table, ignoring case, or the id of a packet.
        objects: What is chosen of the table of objects.

    Raises:
        SelectorError: There is no such table; the message lists the names.
    """
    candidates = tables(snapshot, objects)
    wanted = name.strip().lower()
    try:
        if packet_number(wanted) is not None:
            wanted = packets_named(snapshot.dialect, wanted)[0].name.lower()
    except PacketNameError as error:
        raise SelectorError(error.message) from None
    for table in candidates:
        if table.name.lower() == wanted:
            return table
    if name.strip().lower() == LANES:
        raise SelectorError(say("The table lanes needs a road map (.xodr), and none of this town is known."))
    names = [table.name for table in candidates]
    raise SelectorError(
        say(
            "“{name}” is not a table.{meant} There are: {names}.",
            name=name,
            meant=did_you_mean(wanted, names),
            names=listed(names),
        )
    )
