"""The table of preferences: what people may choose about the program, each declared once.

The dialog, its search, the list under Ctrl+K and what the settings file holds are read from here. Knows no widget.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from ..recording.history import MAX_BYTES
from .session import Scope
from .theme import LARGEST_TEXT, SMALLEST_TEXT, TEXT_SIZE, Mode
from .units import Angle, Length, Speed, Time

T = TypeVar("T", bound=str | int)

FollowMode = Literal["keep", "middle", "up"]
"""Who is followed stays in view, in the middle, or there with its heading up."""


class Preference(NamedTuple, Generic[T]):
    """One thing that can be chosen: one of `choices`, a whole number, a text, or a switch where `default` is a
    bool.

    Attributes: `name` (in the settings file), `group`, `title`, `sentence` (what it does), `default`, `choices` (value
    and title), `low`, `high`, `step` and `unit` of a number, `keywords` (it is found by them, too).
    """

    name: str
    group: str
    title: str
    sentence: str
    default: T
    choices: Mapping[T, str] = MappingProxyType({})
    low: int = 0
    high: int = 0
    step: int = 1
    unit: str = ""
    keywords: str = ""

    def allowed(self, value: int) -> int:
        """The nearest number within the range."""
        return min(self.high, max(self.low, value))

    def stored(self, value: T) -> str:
        """A value as the settings file holds it."""
        return ("yes" if value else "no") if isinstance(self.default, bool) else str(value)

    def read(self, text: str) -> T:
        """What the settings file holds; the default for anything else."""
        value: Any = self.default
        if self.choices:
            value = next((each for each in self.choices if str(each) == text), self.default)
        elif isinstance(self.default, bool):
            value = text == "yes"
        elif isinstance(self.default, str):
            value = text
        elif text.isascii() and text.isdecimal() and len(text) < 10:
            value = self.allowed(int(text))
        result: T = value
        return result

    @property
    def words(self) -> str:
        """All that it is found by, in small letters."""
        return " ".join((self.group, self.title, self.sentence, self.keywords, *self.choices.values())).lower()


LENGTH: Preference[Length] = Preference(
    "units/length",
    "Units",
    "Lengths",
    "Places, distances and sizes in the window; files, scripts and commands keep their units",
    "file",
    {"file": "As recorded", "cm": "cm", "m": "m"},
    keywords="centimetres metres meters distance",
)
SPEED: Preference[Speed] = Preference(
    "units/speed",
    "Units",
    "Speeds",
    "Velocities in the window, and signals of them",
    "file",
    {"file": "As recorded", "m/s": "m/s", "km/h": "km/h"},
    keywords="kmh kilometres per hour velocity",
)
ANGLE: Preference[Angle] = Preference(
    "units/angle",
    "Units",
    "Angles",
    "Rotations, headings and yaw rates",
    "°",
    {"°": "Degrees", "rad": "Radians"},
    keywords="degrees radians rotation",
)
TIME: Preference[Time] = Preference(
    "units/time",
    "Units",
    "Time",
    "Moments, and lengths of recordings, in seconds or h:mm:ss; automatic: h:mm:ss from a minute on",
    "auto",
    {"auto": "Automatic", "seconds": "Seconds", "clock": "h:mm:ss"},
    keywords="clock hours minutes",
)
APPLY_TO: Preference[Scope] = Preference(
    "edit/apply_to",
    "Editing",
    "Apply to",
    "The frames that an edit of an actor is meant for when a window is opened",
    "frame",
    {"frame": "This frame", "range": "In-out range", "onward": "From here on", "life": "Whole life"},
    keywords="scope default drag",
)
UNDO_MEMORY = Preference(
    "edit/undo_memory",
    "Editing",
    "Undo memory",
    "Memory for the steps of Undo in each window; beyond it the oldest steps are forgotten",
    MAX_BYTES >> 20,
    low=16,
    high=16_384,
    step=16,
    unit="MB",
    keywords="history steps limit",
)
KEEPS_BACKUP = Preference(
    "backup",
    "Editing",
    "Keep a backup when saving",
    "Saving keeps the replaced file as NAME.bak; an earlier backup is overwritten",
    False,
    keywords="bak copy",
)
FOLLOWS_PLAYBACK = Preference(
    "scene/follows_playback",
    "Scene",
    "Follow while playing",
    "Playing keeps the selected actor, or else the hero, in view",
    True,
    keywords="camera playback",
)
FOLLOW_MODE: Preference[FollowMode] = Preference(
    "scene/follow_mode",
    "Scene",
    "Who is followed",
    "Stays in the middle half of the scene, exactly in its middle, or there with its heading up",
    "keep",
    {"keep": "Keep in view", "middle": "In the middle", "up": "Heading up"},
    keywords="follow camera mode turn rotate",
)
THEME: Preference[Mode] = Preference(
    "theme",
    "Look",
    "Theme",
    "Light, dark, or as the desktop says",
    "system",
    {"system": "System", "light": "Light", "dark": "Dark"},
    keywords="colours colors night",
)
TEXT_SIZE_PIXELS = Preference(
    "text_size",
    "Look",
    "Text size",
    "Height of the text in pixels; controls grow with it",
    TEXT_SIZE,
    low=SMALLEST_TEXT,
    high=LARGEST_TEXT,
    unit="px",
    keywords="font larger smaller zoom",
)
FOLDER = Preference(
    "folder",
    "Folders",
    "Unsaved edits",
    "Where edits are kept until they are saved: in journals, and their bytes in scratch files",
    "",
    keywords="directory path scratch journal disk space recovery crash state",
)
"""Its value is not in the settings: the command line and other windows have to find it, too."""

KEYS = Preference(
    "keys",
    "Keys",
    "Keys of commands",
    "Double-click a command, or press Enter, to type another key",
    "{}",
    keywords="shortcuts keyboard hotkeys",
)
"""A JSON object: ids of actions and the keys that were chosen for them."""

PREFERENCES: tuple[Preference[Any], ...] = tuple(each for each in vars().values() if isinstance(each, Preference))
"""All of the above, in the order of the dialog."""
