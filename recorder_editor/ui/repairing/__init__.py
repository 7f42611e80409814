"""The Repair pane: what can be saved of a damaged recording, looked at before, and the edit that saves it."""

from typing import TYPE_CHECKING

from ..docks import Placement
from ..panes import PaneSpec, Services

if TYPE_CHECKING:
    from .pane import RepairPane


def _make(services: Services) -> "RepairPane":
    from .pane import RepairPane

    pane = RepairPane(services.session, services.theme)
    pane.save_asked.connect(lambda path: services.documents.ask_save_as(suggested=path))
    return pane


REPAIR = PaneSpec(
    "repair", "Repair", _make, Placement("right", {"repair": ("right", 0)}), guide="repair.md#In the window"
)
