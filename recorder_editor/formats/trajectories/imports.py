"""The importers of trajectories."""

from typing import Any

from .importer import TableImport, TrajectoryImport
from .osi import OsiImport

IMPORTS: tuple[TrajectoryImport[Any], ...] = (OsiImport(), TableImport())
"""The importers, in the order in which they are asked whether a file is theirs."""
