"""Trajectories of road users, from files of other programs, as recordings."""

from .columns import MEANINGS, MissingColumnError
from .importer import TableImport, TrajectoryImport
from .imports import IMPORTS
from .options import Origin, RecordingOptions
from .recording import Written, recording_pieces
from .table import TableSample
from .table_options import TableOptions
from .trajectories import ROW, Axes, MemoryRows, RoadUser, Rows, Trajectories, TrajectoryError, ZAt

__all__ = [
    "IMPORTS",
    "MEANINGS",
    "ROW",
    "Axes",
    "MemoryRows",
    "MissingColumnError",
    "Origin",
    "RecordingOptions",
    "RoadUser",
    "Rows",
    "TableImport",
    "TableOptions",
    "TableSample",
    "Trajectories",
    "TrajectoryError",
    "TrajectoryImport",
    "Written",
    "ZAt",
    "recording_pieces",
]
