"""The Trim pane: what stays of a recording, looked at before, and the edits that make it so."""

from typing import TYPE_CHECKING

from ..docks import Placement
from ..panes import PaneSpec, Services

if TYPE_CHECKING:
    from .pane import TrimPane


def _make(services: Services) -> "TrimPane":
    from .pane import TrimPane

    return TrimPane(services.session, services.theme)


TRIM = PaneSpec("trim", "Trim", _make, Placement("right", {"trim": ("right", 0)}), guide="editing.md#In the window")
