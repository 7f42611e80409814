"""Whatever is selected, as a form: the values, their bytes, and editors made from the schema."""

from typing import TYPE_CHECKING

from ..docks import Placement
from ..panes import PaneSpec, Services

if TYPE_CHECKING:
    from .panel import AttributePanel


def _make(services: Services) -> "AttributePanel":
    from .panel import AttributePanel

    return AttributePanel(services.session, services.theme)


ATTRIBUTES = PaneSpec(
    "attributes", "Attributes", _make, Placement("right", {"inspect": ("right", 0)}), guide="packets.md"
)
