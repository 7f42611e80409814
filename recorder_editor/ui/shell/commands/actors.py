"""Actor: what is done with the actor that is selected."""

from ....texts import N_, say
from ..action import ACTOR, FRAMES, NO_ACTOR, Action, Condition, Switch, in_pane
from ..pane_list import ACTORS, SCENE
from ..panes import Services


def follow(services: Services, on: bool) -> None:
    """Keep the selected actor in view, or do not any more."""
    services.panes.get(SCENE).view.follow_actor(services.session.selection.actor if on else None)


def select_hero(services: Services) -> None:
    """Select the hero, and go to a frame in which it exists."""
    session = services.session
    heroes = [life for life in session.actors or () if life.is_hero]
    if not heroes:
        session.refused.emit(say("No actor of this recording has the role hero."))
        return
    hero = next((life for life in heroes if life.is_alive(session.selection.frame_index)), heroes[0])
    if not hero.is_alive(session.selection.frame_index):
        session.selection.go_to_frame(hero.born)
    session.selection.seek_actor(hero.actor)


_is_following = in_pane(SCENE, lambda pane: pane.view.followed is not None)


def _can_follow(services: Services) -> bool:
    return services.session.selection.actor is not None or _is_following(services)


FOLLOWABLE = Condition(_can_follow, NO_ACTOR)

ACTIONS = (
    Switch(
        "actor.follow",
        follow,
        checked=_is_following,
        needs=FOLLOWABLE,
        text=N_("Follow"),
        icon="follow",
        menu="Actor",
        tooltip=N_("Keep the selected actor in view"),
    ),
    Action(
        "actor.hero",
        select_hero,
        needs=FRAMES,
        text=N_("Select hero"),
        icon="star",
        menu="Actor",
        tooltip=N_("Select the hero, and go to a frame in which it exists"),
    ),
    Action(
        "actor.table",
        lambda services: services.panes.focus(ACTORS.name),
        needs=ACTOR,
        text=N_("Show in Actors"),
        icon="actors",
        menu="Actor",
        section="copy",
        tooltip=N_("The row of the selected actor in the Actors table"),
    ),
)
