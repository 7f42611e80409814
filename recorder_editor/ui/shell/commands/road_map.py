"""Recording: the road map that lies under the actors."""

from ....simulator.road_maps import SUFFIX
from ....texts import N_, say
from ...widgets.file_dialogs import RECORDINGS, ask_open
from ..action import Action, Switch
from ..panes import Services


def choose(services: Services) -> None:
    """Ask for the file of a map, beside the one that is shown."""
    roads = services.session.roads
    folder = services.documents.folder
    if roads.found_map is not None:
        folder = roads.found_map.path
    kinds = (say("Road maps ({suffix})", suffix=f"*{SUFFIX}"), RECORDINGS[1])
    ask_open(services.window, title=say("Choose a road map"), folder=folder, then=roads.choose, kinds=kinds)


def use_none(services: Services, on: bool) -> None:
    """Use no map of this town, or look for one again."""
    if on:
        services.session.roads.choose(None)
    else:
        services.session.roads.forget()


def _nameless_reason(services: Services) -> str:
    reason = services.not_ready_reason()
    if not reason and not services.session.roads.town:
        reason = say("The recording does not name its map.")
    return reason


def _not_chosen_reason(services: Services) -> str:
    reason = services.not_ready_reason()
    if not reason and not services.session.roads.is_chosen:
        reason = say("No map was chosen.")
    return reason


ACTIONS = (
    Action(
        "roads.choose",
        choose,
        disabled_reason=Services.not_ready_reason,
        text=N_("Choose..."),
        icon="open",
        menu="Recording/Road map",
        tooltip=N_("Choose the OpenDRIVE map to draw under the actors; it is remembered for this town"),
        keywords=N_("road map roads lanes opendrive xodr town"),
    ),
    Action(
        "roads.simulator",
        lambda services: services.session.roads.ask_simulator(),
        disabled_reason=_nameless_reason,
        text=N_("Get from running simulator"),
        menu="Recording/Road map",
        tooltip=N_("Ask the simulator on this computer for its map, and keep it"),
        keywords=N_("roads lanes opendrive xodr town"),
    ),
    Action(
        "roads.forget",
        lambda services: services.session.roads.forget(),
        disabled_reason=_not_chosen_reason,
        text=N_("Forget"),
        menu="Recording/Road map",
        tooltip=N_("Forget the choice for this town, and search for its map"),
        keywords=N_("roads lanes opendrive xodr town"),
    ),
    Switch(
        "roads.none",
        use_none,
        checked=lambda services: services.session.roads.is_none,
        disabled_reason=Services.not_ready_reason,
        text=N_("None"),
        menu="Recording/Road map",
        tooltip=N_("Use no map of this town; recorded paths are drawn instead"),
        keywords=N_("roads lanes opendrive xodr town"),
    ),
)
