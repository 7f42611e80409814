"""Recording and Actor: notes of a frame, of the range, of an actor."""

from ....texts import N_, say
from ..action import ACTOR, COMPLETE_WITH_FRAMES, RANGE, Action, Condition
from ..pane_list import NOTES, TIMELINE
from ..panes import Services


def edit(services: Services) -> None:
    """Let the text of the note that was made or opened last be typed."""
    services.panes.focus(NOTES.name)
    services.panes.get(NOTES).edit()


def _make(services: Services, text: str, frames: range, actor: int | None = None) -> None:
    if services.session.notes.make(text, frames, actor):
        edit(services)


def mark_frame(services: Services) -> None:
    """Make a bookmark of the current frame, or take its note, and let the text be typed at the cursor."""
    session = services.session
    notes = session.notes
    index = session.selection.frame_index
    frames = range(index, index + 1)
    there = []
    for note in notes.items:
        if note.frames == frames and note.actor is None:
            there.append(note)
    text = ""
    if there:
        notes.newest = there[0]
        text = there[0].text
    elif notes.bookmark(say("Bookmark"), index):
        session.informed.emit(say("Frame {frame:,} is marked", frame=index + 1))
    else:
        return
    timeline = services.panes.if_made(TIMELINE)
    if timeline is not None and timeline.isVisible():
        timeline.ask_note(text)
    elif there:
        edit(services)


def mark_range(services: Services) -> None:
    """Make a note of the range."""
    _make(services, say("Range"), services.session.range.frames)


def mark_actor(services: Services) -> None:
    """Make a note of the selected actor, for the frames in which it exists."""
    session = services.session
    life = session.selection.life
    if life is not None:
        frames = life.within(range(session.frames))
        _make(services, text=f"{life.actor} {life.blueprint}", frames=frames, actor=life.actor)


def _has_newest(services: Services) -> bool:
    return services.session.notes.newest in services.session.notes.items


NEWEST = Condition(_has_newest, N_("Make a note first (B)."))

ACTIONS = (
    Action(
        "notes.frame",
        mark_frame,
        needs=COMPLETE_WITH_FRAMES,
        text=N_("Bookmark frame"),
        key="B",
        icon="tag",
        menu="Recording",
        section="notes",
        yields_to_panes=True,
        hint=N_("bookmark"),
        tooltip=N_("Make a note of this frame, or open the one that it has"),
        keywords=N_("note mark comment annotate"),
    ),
    Action(
        "notes.range",
        mark_range,
        needs=RANGE,
        text=N_("Note of the range"),
        menu="Recording",
        section="notes",
        tooltip=N_("Make a note of the frames from in to out"),
        keywords=N_("bookmark mark comment annotate"),
    ),
    Action(
        "notes.edit",
        edit,
        needs=NEWEST,
        text=N_("Edit note"),
        menu="Recording",
        section="notes",
        tooltip=N_("Write the text of the note that was made or opened last"),
        keywords=N_("bookmark comment annotate"),
    ),
    Action(
        "notes.actor",
        mark_actor,
        needs=ACTOR,
        text=N_("Note of the actor"),
        menu="Actor",
        section="notes",
        tooltip=N_("Make a note of the selected actor"),
        keywords=N_("bookmark mark comment annotate"),
    ),
)
