"""Notes: what is marked, and the pane in which its text is written."""

from ..actions import ActionSpec
from ..language import put
from ..panes import Services
from ..tables import NOTES


def note_actions(services: Services) -> list[ActionSpec]:
    """The actions that make notes."""
    session, panes, tr = services.session, services.panes, services.tr
    notes, selection = session.notes, session.selection

    def edit() -> None:
        panes.focus(NOTES.name)
        panes.get(NOTES).edit()

    def mark(text: str, frames: range, actor: int | None = None) -> None:
        if notes.make(text, frames, actor):
            edit()

    def mark_frame() -> None:
        frames = range(selection.frame_index, selection.frame_index + 1)
        there = [note for note in notes.items if note.frames == frames and note.actor is None]
        if there:
            notes.newest = there[0]
            edit()
        elif notes.make(tr("Bookmark"), frames):
            session.announced.emit(put(tr("Frame %1 is marked"), f"{frames.stop:,}"))

    def mark_actor() -> None:
        life = selection.life
        if life is not None:
            mark(f"{life.actor} {life.blueprint}", life.within(range(session.frames)), life.actor)

    action = services.action
    return [
        action("notes.frame", mark_frame, enabled=lambda: session.is_complete and session.frames > 0),
        action("notes.range", lambda: mark(tr("Range"), session.range.frames), enabled=lambda: session.range.is_set),
        action("notes.edit", edit, enabled=lambda: notes.newest in notes.items),
        action("notes.actor", mark_actor),
    ]
