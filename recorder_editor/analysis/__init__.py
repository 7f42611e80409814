"""Analysis of traffic: kinematics, car following, safety and emissions, of highD and of open recordings.

`of_recording` is for an open recording, `fleet.l1` (which needs polars) for folders of highD.
"""

from .constants import SIGNALS, Options
from .libraries import AnalysisError, LibraryMissing
from .recording import Analysis, of_recording

__all__ = ["SIGNALS", "Analysis", "AnalysisError", "LibraryMissing", "Options", "of_recording"]
