"""The open recording as every view sees it. In layers, each on the one before: what is shown, how the selection moves,
what is done to the recording, and the file with what a job finds out about it."""

from .editing import Scope
from .session import Session

__all__ = ["Scope", "Session"]
