"""Trajectories of road users, from files of other programs, as recordings."""

from .importer import TableImport, TrajectoryImport
from .imports import IMPORTS
from .options import Origin, RecordingOptions
from .recording import Written, recording_pieces
from .table_options import TableOptions
from .trajectories import ROW, Axes, MemoryRows, RoadUser, Rows, Trajectories, TrajectoryError, ZAt

__all__ = [
    "IMPORTS",
    "ROW",
    "Axes",
    "MemoryRows",
    "Origin",
    "RecordingOptions",
    "RoadUser",
    "Rows",
    "TableImport",
    "TableOptions",
    "Trajectories",
    "TrajectoryError",
    "TrajectoryImport",
    "Written",
    "ZAt",
    "recording_pieces",
]
