"""Operations as a window needs them: their words in its language, and what they are asked for now."""

from collections.abc import Sequence

from ..edits.operations.schema import Situation
from ..recording import Life
from .language import tr
from .session import Session


def filled(pattern: str, *values: str) -> str:
    """A text of the table of operations with its `%1`, `%2`..."""
    text = tr(pattern)
    for number, value in enumerate(values, 1):
        text = text.replace(f"%{number}", value)
    return text


def situation(session: Session, lives: Sequence[Life]) -> Situation:
    """What an operation is asked for now."""
    span = session.range.frames if session.range.is_set else None
    return Situation(session.snapshot_or_refuse(), lives, session.selection.frame_index, span)
