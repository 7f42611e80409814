"""The bytes of the recording: offset, hex and text, with packets and fields told apart."""

from typing import TYPE_CHECKING

from ..docks import Placement
from ..panes import PaneSpec, Services

if TYPE_CHECKING:
    from .pane import HexPane


def _make(services: Services) -> "HexPane":
    from .pane import HexPane

    return HexPane(services.session, services.theme)


BYTES = PaneSpec(
    "bytes", "Bytes", _make, Placement("left", {"inspect": ("below", 0), "repair": ("below", 0)}), guide="packets.md"
)
