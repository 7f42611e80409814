"""The bytes of the recording: offset, hex and text, with packets and fields told apart."""

from typing import TYPE_CHECKING

from ..docks import Placement
from ..panes import PaneSpec, plain

if TYPE_CHECKING:
    from .pane import HexPane


_PLACE = Placement("left", {"inspect": ("below", 0), "repair": ("below", 0)})

BYTES: "PaneSpec[HexPane]" = PaneSpec("bytes", "Bytes", plain(".hex_view.pane", "HexPane"), _PLACE, guide="packets.md")
