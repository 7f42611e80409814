"""The timeline: when it is, what happens, who is there, what stays."""

from typing import TYPE_CHECKING

from ..docks import Placement
from ..panes import PaneSpec, Services
from ..scene import SCENE
from ..settings import Settings

if TYPE_CHECKING:
    from .pane import TimelinePane


def _make(services: Services) -> "TimelinePane":
    from .pane import TimelinePane

    pane = TimelinePane(services.session, services.theme, services.player)
    settings, canvas = services.settings, pane.canvas
    known = canvas.wishes = settings.lanes

    def keep_lanes() -> None:
        nonlocal known
        settings.put(Settings.lanes, canvas.wishes, before=known)
        known = canvas.wishes

    canvas.wished.connect(keep_lanes)
    canvas.picture_at = lambda frame: services.panes.get(SCENE).picture_at(frame)
    return pane


_EVERYWHERE = Placement(
    "bottom", {"inspect": ("bottom", 0), "trim": ("bottom", 0), "repair": ("bottom", 0)}, is_quiet=True
)

TIMELINE = PaneSpec("timeline", "Timeline", _make, _EVERYWHERE)
