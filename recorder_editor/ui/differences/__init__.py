"""What differs from another recording, as a tree."""

from typing import TYPE_CHECKING

from ..docks import Placement
from ..panes import PaneSpec, plain

if TYPE_CHECKING:
    from .pane import DifferencesPane


DIFFERENCES: "PaneSpec[DifferencesPane]" = PaneSpec(
    "differences",
    "Differences",
    plain(".differences.pane", "DifferencesPane"),
    Placement("left", joins="behind"),
    shown_while=lambda session: session.comparison.other is not None,
    guide="guide.md#Differences",
)
