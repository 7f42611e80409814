"""Actor: what is done with the actor that is selected."""

from functools import partial

from ..actions import ActionSpec
from ..panes import Services
from ..scene import SCENE
from ..tables import ACTORS


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
        session.refused.emit(services.tr("No actor of this recording has the role hero."))
        return
    hero = next((life for life in heroes if life.is_alive(session.selection.frame_index)), heroes[0])
    if not hero.is_alive(session.selection.frame_index):
        session.selection.go_to_frame(hero.born)
    session.selection.seek_actor(hero.actor)
