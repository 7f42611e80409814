"""Numbers over time: fields of records and what follows from them, on the time axis of the timeline."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..actions import ActionSpec
from ..docks import Placement
from ..panes import PaneSpec, Services

if TYPE_CHECKING:
    from .pane import SignalsPane


def _make(services: Services) -> "SignalsPane":
    from ..timeline import TIMELINE
    from .menu import offer_menus
    from .pane import SignalsPane

    canvas = services.panes.get(TIMELINE).canvas
    pane = SignalsPane(services.session, services.theme, canvas)
    offer_menus(pane)
    return pane


def _actions(services: Services) -> Sequence[ActionSpec]:
    from .actions import pane_actions

    return pane_actions(services, SIGNALS)


SIGNALS = PaneSpec("signals", "Signals", _make, Placement("bottom", joins="below"), _actions, guide="signals.md")
