"""Actor: what is done with the actor that is selected; and notes, of it, of a frame or of the range."""

from functools import partial

from ....texts import say
from ...widgets.actions import ActionSpec
from ..pane_list import ACTORS, NOTES, SCENE
from ..panes import Services


def actor_actions(services: Services) -> list[ActionSpec]:
    """The actions of Actor."""
    session, panes = services.session, services.panes

    is_following = panes.when(SCENE, lambda pane: pane.view.followed is not None)

    def can_follow() -> bool:
        return session.selection.actor is not None or is_following()

    def follow(on: bool) -> None:
        panes.get(SCENE).view.follow_actor(session.selection.actor if on else None)

    action = services.action
    return [
        action("actor.follow", follow, enabled=can_follow, checked=is_following),
        action("actor.hero", partial(_select_hero, services)),
        action("actor.table", partial(panes.focus, ACTORS.name)),
    ]


def _select_hero(services: Services) -> None:
    session = services.session
    heroes = [life for life in session.actors or () if life.is_hero]
    if not heroes:
        session.refused.emit(say("No actor of this recording has the role hero."))
        return
    hero = next((life for life in heroes if life.is_alive(session.selection.frame_index)), heroes[0])
    if not hero.is_alive(session.selection.frame_index):
        session.selection.go_to_frame(hero.born)
    session.selection.seek_actor(hero.actor)


def note_actions(services: Services) -> list[ActionSpec]:
    """The actions that make notes."""
    session, panes = services.session, services.panes
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
        elif notes.bookmark(say("Bookmark"), frames.start):
            session.announced.emit(say("Frame {frame:,} is marked", frame=frames.stop))

    def mark_actor() -> None:
        life = selection.life
        if life is not None:
            mark(f"{life.actor} {life.blueprint}", life.within(range(session.frames)), life.actor)

    action = services.action
    return [
        action("notes.frame", mark_frame, enabled=lambda: session.is_complete and session.frames > 0),
        action("notes.range", lambda: mark(say("Range"), session.range.frames), enabled=lambda: session.range.is_set),
        action("notes.edit", edit, enabled=lambda: notes.newest in notes.items),
        action("notes.actor", mark_actor),
    ]
