"""The panes of the window, one a line; a further pane is declared in its own module and named here.

They stand in this order in the menus; the first one has the keyboard when a recording is opened.
"""

from .attributes import ATTRIBUTES
from .differences import DIFFERENCES
from .hex_view import BYTES
from .history_view import HISTORY
from .packet_tree import PACKETS
from .pane import Pane
from .panes import PaneSpec
from .repairing import REPAIR
from .scene import SCENE
from .signals import SIGNALS
from .tables import ACTORS, NOTES, PROBLEMS
from .timeline import TIMELINE
from .trimming import TRIM

PANES: tuple[PaneSpec[Pane], ...] = (
    PACKETS,
    ACTORS,
    PROBLEMS,
    NOTES,
    BYTES,
    ATTRIBUTES,
    HISTORY,
    DIFFERENCES,
    TRIM,
    REPAIR,
    TIMELINE,
    SIGNALS,
    SCENE,
)
