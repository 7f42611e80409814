"""Actor: what is done with the actor that is selected."""

from functools import partial

from PySide6.QtGui import QGuiApplication

from ...recording.place import Place
from ..actions import ActionSpec
from ..panes import Services
from ..scene import SCENE
from ..session import Session
from ..tables import ACTORS


def actor_actions(services: Services) -> list[ActionSpec]:
    """The actions of Actor."""
    session, tr, panes = services.session, services.tr, services.panes

    def chosen() -> bool:
        return session.selection.actor is not None

    def living() -> bool:
        return session.selection.life is not None

    is_following = panes.when(SCENE, lambda pane: pane.view.followed is not None)

    def can_follow() -> bool:
        return chosen() or is_following()

    def follow(on: bool) -> None:
        panes.get(SCENE).view.follow_actor(session.selection.actor if on else None)

    def copy_id() -> None:
        QGuiApplication.clipboard().setText(str(session.selection.actor))

    def copy_blueprint() -> None:
        QGuiApplication.clipboard().setText(
            session.selection.life.blueprint if session.selection.life is not None else ""
        )

    actor_action = partial(ActionSpec, menu="Actor")
    life_action = partial(ActionSpec, menu="Actor", enabled=living, section="life", needs=services.no_actor)
    copy_action = partial(ActionSpec, menu="Actor", section="copy", needs=services.no_actor)
    return [
        actor_action(
            "actor.follow",
            tr("Follow"),
            follow,
            icon="follow",
            tooltip=tr("Keep the selected actor in the middle of the scene"),
            enabled=can_follow,
            needs=services.no_actor,
            checked=is_following,
        ),
        actor_action(
            "actor.hero",
            tr("Select the hero"),
            partial(_select_hero, services),
            icon="star",
            tooltip=tr("Select the hero, and go to a frame in which it exists"),
            enabled=services.has_frames,
            needs=services.no_frames,
        ),
        life_action(
            "actor.birth",
            tr("Go to first frame"),
            partial(_go_to_birth, session),
            icon="born",
            tooltip=tr("The first frame of the selected actor"),
        ),
        life_action(
            "actor.end",
            tr("Go to last frame"),
            partial(_go_to_end, session),
            icon="gone",
            tooltip=tr("The last frame of the selected actor"),
        ),
        life_action(
            "actor.description",
            tr("Go to its EventAdd"),
            partial(_go_to_description, session),
            tooltip=tr("Blueprint and attributes of the selected actor"),
        ),
        copy_action(
            "actor.table",
            tr("Show in Actors"),
            partial(panes.focus, ACTORS.name),
            icon="actors",
            tooltip=tr("The row of the selected actor in the Actors table"),
            enabled=chosen,
        ),
        copy_action(
            "actor.copy_id", tr("Copy id"), copy_id, tooltip=tr("Copy the id of the selected actor"), enabled=chosen
        ),
        copy_action(
            "actor.copy_blueprint",
            tr("Copy blueprint"),
            copy_blueprint,
            tooltip=tr("Copy the blueprint of the selected actor"),
            enabled=living,
        ),
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


def _go_to_birth(session: Session) -> None:
    life = session.selection.life
    if life is not None:
        session.selection.go_to_frame(life.born)
        session.selection.select_actor(life.actor)


def _go_to_end(session: Session) -> None:
    life = session.selection.life
    if life is not None:
        session.selection.go_to_frame((life.gone if life.gone is not None else session.frames) - 1)
        session.selection.select_actor(life.actor)


def _go_to_description(session: Session) -> None:
    life = session.selection.life
    if life is not None:
        session.selection.select(Place(*life.added))
