"""The frames that a drag is for, as its note says them, and the next ones that a key chooses. Knows no widget."""

from ...edits.operations.schema import Ghost
from ..dialogs.fields import SCOPES
from ..session import Scope, Session


def next_scope(session: Session) -> Scope:
    """The scope behind the present one; in to out only where there is a range."""
    scopes = [scope for scope, _ in reversed(SCOPES) if scope != "range" or session.range.is_set]
    return (
        scopes[(scopes.index(session.editing.scope) + 1) % len(scopes)]
        if session.editing.scope in scopes
        else scopes[0]
    )


def scope_note(session: Session, ghost: Ghost) -> str:
    """`in 1 frame, S: from here on`."""
    actors = session.actors
    life = actors.at(ghost.actor, session.selection.frame_index) if actors is not None else None
    asked = session.editing.frames_for(life=life)
    frames = len(life.within(asked)) if life is not None else len(asked)
    over = "in 1 frame" if frames == 1 else f"over {frames:,} frames"
    return f"{over}, S: {dict(SCOPES)[next_scope(session)].lower()}"
