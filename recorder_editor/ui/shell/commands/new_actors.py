"""Actor: new actors that are added at once, where the menu of the scene was asked for, else where they make sense."""

from collections.abc import Callable

from ....edits.new_actors.add_actor import WantedActor, add_wanted, crossing_walker, follower, parked_car
from ....progress import Progress
from ....recording import Edit, Snapshot
from ....texts import N_, say
from ..action import Action
from ..pane_list import SCENE
from ..panes import Services
from .chosen import recording_reason

Proposal = Callable[[Snapshot, int], WantedActor]
"""Returns the actor that is added at a frame."""


def add_parked(services: Services) -> None:
    """Add a parked car at the clicked place, or in the middle of the scene."""
    pane = services.panes.get(SCENE)
    place = pane.clicked_place or pane.view.camera[:2]
    _add(services, lambda snapshot, _frame: parked_car(snapshot, place))


def add_follower(services: Services) -> None:
    """Add a car that follows the hero."""
    _add(services, follower)


def add_walker(services: Services) -> None:
    """Add a walker that crosses at the clicked place, or in front of the hero."""
    place = services.panes.get(SCENE).clicked_place
    _add(services, lambda snapshot, frame: crossing_walker(snapshot, frame, place))


def _add(services: Services, propose: Proposal) -> None:
    session = services.session
    frame = session.selection.frame_index

    def make(snapshot: Snapshot, progress: Progress) -> Edit:
        return add_wanted(snapshot, propose(snapshot, frame), progress)

    session.editing.attempt_later(say("Adding an actor"), make, done=session.selection.seek_newest)


ACTIONS = (
    Action(
        "actor.add_parked",
        add_parked,
        disabled_reason=recording_reason,
        text=N_("Parked car"),
        menu="Actor/New",
        section="at once",
        tooltip=N_("A car that stands at the clicked place, or in the middle of the scene, for the whole recording"),
        keywords=N_("new actor vehicle spawn insert"),
    ),
    Action(
        "actor.add_follower",
        add_follower,
        disabled_reason=recording_reason,
        text=N_("Car that follows the hero"),
        menu="Actor/New",
        section="at once",
        tooltip=N_("A car behind the hero on its path, from this frame on, that keeps its distance"),
        keywords=N_("new actor vehicle spawn insert idm"),
    ),
    Action(
        "actor.add_walker",
        add_walker,
        disabled_reason=recording_reason,
        text=N_("Walker that crosses"),
        menu="Actor/New",
        section="at once",
        tooltip=N_("A walker that crosses in front of the hero: at the clicked place, or where it will be in 4 s"),
        keywords=N_("new actor pedestrian spawn insert step out"),
    ),
)
