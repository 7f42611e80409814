"""The table of preferences: what people may choose about the program, each declared once.

The dialog, its search, the list under Ctrl+K and what the settings file holds are read from here; what is said of each
stands in `resources/preferences.json`. Knows no widget.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Generic, Literal, NamedTuple, TypeVar, get_args

from ... import resources
from ...recording.history import MAX_BYTES
from ...texts import LANGUAGES, say
from ...views.units import Angle, Length, Speed, Time
from ..style.language import CHOICES, native_name
from ..style.theme import LARGEST_TEXT, SMALLEST_TEXT, TEXT_SIZE, Mode
from . import Scope

T = TypeVar("T", bound=str | int)

FollowMode = Literal["keep", "middle", "up"]
"""Who is followed stays in view, in the middle, or there with its heading up."""

RoadsMode = Literal["map", "paths", "none"]
"""What lies under the actors."""


class PreferenceWords(NamedTuple):
    """What is said of a preference.

    Attributes: `group`, `title`, `sentence` (what it does), `keywords` (it is found by them, too), `choices` (the title
    of each value, in their order), `unit` of a number.
    """

    group: str
    title: str
    sentence: str
    keywords: str
    choices: Mapping[str, str] = MappingProxyType({})
    unit: str = ""


@cache
def preference_table() -> Mapping[str, Mapping[str, Any]]:
    """Attributes of `PreferenceWords` as `resources/preferences.json` has them, in English: by name, in the order of
    the dialog; languages by their own names for themselves.
    """
    groups = resources.table("preferences")
    table = {}
    for group, each in groups.items():
        for name, words in each.items():
            table[name] = {"group": group, **words}
    language = table[LANGUAGE.name]
    language["choices"] = {**language["choices"], **{name: native_name(name) for name in LANGUAGES}}
    return table


class Preference(NamedTuple, Generic[T]):
    """One thing that can be chosen: one of `choices`, a whole number, a text, or a switch where `default` is a
    bool.

    Attributes: `name` (in the settings file), `default`, `choices`, `low`, `high` and `step` of a number.
    """

    name: str
    default: T
    choices: tuple[T, ...] = ()
    low: int = 0
    high: int = 0
    step: int = 1

    @property
    def said(self) -> PreferenceWords:
        """What is said of it; the table is read when somebody asks for it first."""
        return PreferenceWords(**preference_table()[self.name])

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
        said = self.said
        english = said.group, said.title, said.sentence, said.keywords, *said.choices.values()
        return " ".join((*english, *map(say, english))).lower()


LENGTH: Preference[Length] = Preference("units/length", "file", get_args(Length))
SPEED: Preference[Speed] = Preference("units/speed", "file", get_args(Speed))
ANGLE: Preference[Angle] = Preference("units/angle", "°", get_args(Angle))
TIME: Preference[Time] = Preference("units/time", "auto", get_args(Time))
APPLY_TO: Preference[Scope] = Preference("edit/apply_to", "frame", get_args(Scope))
UNDO_MEMORY = Preference("edit/undo_memory", MAX_BYTES >> 20, low=16, high=16_384, step=16)
KEEPS_BACKUP = Preference("backup", False)
FOLLOWS_PLAYBACK = Preference("scene/follows_playback", True)
FOLLOW_MODE: Preference[FollowMode] = Preference("scene/follow_mode", "keep", get_args(FollowMode))
ROADS: Preference[RoadsMode] = Preference("scene/roads", "map", get_args(RoadsMode))
THEME: Preference[Mode] = Preference("theme", "system", get_args(Mode))
LANGUAGE = Preference("language", "system", CHOICES)
TEXT_SIZE_PIXELS = Preference("text_size", TEXT_SIZE, low=SMALLEST_TEXT, high=LARGEST_TEXT)
FOLDER = Preference("folder", "")
"""Its value is not in the settings: the command line and other windows have to find it, too."""

MAP_FOLDERS = Preference("roads/folders", "")
KEYS = Preference("keys", "{}")
"""A JSON object: ids of actions and the keys that were chosen for them."""

AnyPreference = Preference[Any]
"""A preference of whatever type."""

PREFERENCES: tuple[AnyPreference, ...] = tuple(each for each in vars().values() if isinstance(each, Preference))
"""All of the above, in the order of the dialog."""
