"""The situation in which an operation is offered by the window."""

from collections.abc import Sequence

from ...edits.operations.schema import Situation
from ...reading import Life
from . import Session


def situation(session: Session, lives: Sequence[Life]) -> Situation:
    """Return the situation of lives in a session, at the frame and the range of now; raises `EditError`."""
    span = None
    if session.range.is_set:
        span = session.range.frames
    return Situation(
        snapshot=session.snapshot_or_refuse(), lives=lives, frame_index=session.selection.frame_index, span=span
    )
