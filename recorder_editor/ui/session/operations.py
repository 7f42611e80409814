"""Operations as a window needs them: what they are asked for now."""

from collections.abc import Sequence

from ...edits.operations.schema import Situation
from ...reading import Life
from . import Session


def situation(session: Session, lives: Sequence[Life]) -> Situation:
    """What an operation is asked for now."""
    span = session.range.frames if session.range.is_set else None
    return Situation(session.snapshot_or_refuse(), lives, session.selection.frame_index, span)
