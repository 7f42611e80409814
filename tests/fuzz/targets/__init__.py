"""What is fuzzed: each target makes cases of a seed and does with them what a user may, under every check."""

from .builds import Builds
from .expressions import Expressions
from .highd import Highd
from .journals import Journals
from .library import Library
from .maps import Maps
from .remembered import Remembered
from .scripts import Scripts
from .target import Target
from .verbs import Verbs
from .windows import Windows

TARGETS: dict[str, type[Target]] = {
    "verbs": Verbs,
    "library": Library,
    "builds": Builds,
    "expressions": Expressions,
    "scripts": Scripts,
    "journals": Journals,
    "remembered": Remembered,
    "highd": Highd,
    "maps": Maps,
    "windows": Windows,
}

__all__ = ["TARGETS", "Target"]
