"""Whatever is selected, as a form: the values, their bytes, and editors made from the schema."""

from typing import TYPE_CHECKING

from ..docks import Placement
from ..panes import PaneSpec, plain

if TYPE_CHECKING:
    from .panel import AttributePanel


_PLACE, _make = Placement("right", {"inspect": ("right", 0)}), plain(".attributes.panel", "AttributePanel")

ATTRIBUTES: "PaneSpec[AttributePanel]" = PaneSpec("attributes", "Attributes", _make, _PLACE, guide="packets.md")
