"""The packets of a frame, or of the whole recording, as a tree: frame, packet, record, field."""

from typing import TYPE_CHECKING

from ..docks import Placement
from ..panes import PaneSpec, Services

if TYPE_CHECKING:
    from .pane import PacketPane


def _make(services: Services) -> "PacketPane":
    from .pane import PacketPane
    from .saved import SavedFilters

    pane = PacketPane(services.session, services.theme)
    SavedFilters(services.settings, services.theme, pane.filter)
    return pane


PACKETS = PaneSpec(
    "packets", "Packets", _make, Placement("left", {"inspect": ("tabs", 0), "repair": ("tabs", 1)}), guide="packets.md"
)
