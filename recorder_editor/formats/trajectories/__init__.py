"""Trajectories of road users, from files of other programs, as recordings."""

from .options import Origin, RecordingOptions
from .recording import Written, recording_pieces
from .trajectories import ROW, Axes, MemoryRows, RoadUser, Rows, Trajectories, TrajectoryError

__all__ = [
    "ROW",
    "Axes",
    "MemoryRows",
    "Origin",
    "RecordingOptions",
    "RoadUser",
    "Rows",
    "Trajectories",
    "TrajectoryError",
    "Written",
    "recording_pieces",
]
