"""The Trim pane: what stays of a recording, looked at before, and the edits that make it so."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from ..docks import Placement
from ..panes import PaneSpec, Services

if TYPE_CHECKING:
    from .pane import TrimPane


def _make(services: Services) -> "TrimPane":
    from .pane import TrimPane

    pane = TrimPane(services.session, services.theme)
    for spec in services.actions.present:
        if spec.menu == "Recording/Segments":
            pane.tools.addAction(services.actions[spec.id])
            pane.tools.widgetForAction(services.actions[spec.id]).setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return pane


TRIM = PaneSpec("trim", "Trim", _make, Placement("right", {"trim": ("right", 0)}), guide="editing.md#In the window")
