"""What differs from another recording, as a tree."""

from typing import TYPE_CHECKING

from ..docks import Placement
from ..panes import PaneSpec, Services

if TYPE_CHECKING:
    from .pane import DifferencesPane


def _make(services: Services) -> "DifferencesPane":
    from .pane import DifferencesPane

    return DifferencesPane(services.session, services.theme)


DIFFERENCES = PaneSpec(
    "differences",
    "Differences",
    _make,
    Placement("left", joins="behind"),
    shown_while=lambda session: session.comparison.other is not None,
    guide="guide.md#Differences",
)
