"""Recording > Road map: which map the scene draws."""

from ...exchange.road_maps import SUFFIX
from ..actions import ActionSpec
from ..export_files import RECORDINGS, ask_open
from ..language import put
from ..panes import Services


def road_actions(services: Services) -> list[ActionSpec]:
    """The actions of the road map."""
    session, tr, action = services.session, services.tr, services.action
    roads = session.roads

    def choose() -> None:
        place = roads.found.path if roads.found is not None else services.documents.folder
        maps = (put(tr("Road maps (%1)"), f"*{SUFFIX}"), RECORDINGS[1])
        ask_open(services.window, tr("Choose a road map"), place, roads.choose, maps)

    def nameless() -> str:
        return services.unready() or ("" if roads.town else tr("The recording does not name its map."))

    def unchosen() -> str:
        return services.unready() or ("" if roads.is_chosen else tr("No map was chosen."))

    return [
        action("roads.choose", choose, disabled_reason=services.unready),
        action("roads.simulator", roads.ask_simulator, disabled_reason=nameless),
        action("roads.forget", roads.forget, disabled_reason=unchosen),
        action(
            "roads.none",
            lambda _on: roads.choose(None),
            checked=lambda: roads.is_none,
            disabled_reason=services.unready,
        ),
    ]
