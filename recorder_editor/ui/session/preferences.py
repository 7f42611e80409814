"""The table of preferences: what people may choose about the program, each declared once.

The dialog, its search, the list under Ctrl+K and the settings file are made from it. The texts of each preference are
in `resources/preferences.json`, or with the option of the command line that it is, too. Knows no widget.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Generic, Literal, NamedTuple, TypeVar, get_args

from ... import resources
from ...option_specs import OptionSpec, options_of
from ...reading.thresholds import Thresholds
from ...recording.history import MAX_BYTES
from ...texts import LANGUAGES, N_, listed, say
from ...views.units import Angle, Length, Speed, Time
from ..style.language import CHOICES, native_name
from ..style.look import LARGEST_TEXT, SMALLEST_TEXT, TEXT_SIZE
from ..style.theme import Mode
from . import Scope

T = TypeVar("T", bound=str | float)

FollowMode = Literal["keep", "middle", "up"]
"""An actor that is followed stays in view, in the middle, or in the middle with its heading up."""

RoadsMode = Literal["map", "paths", "none"]
"""What is drawn under the actors."""


IdsMode = Literal["near", "all"]
"""Which road users have their id beside them: those near to a hero, the pointer or a selected one, or all."""


class PreferenceTexts(NamedTuple):
    """The texts of a preference, in English.

    Attributes:
        group: The title of its group in the dialog.
        title: Its name.
        sentence: What it does.
        keywords: Further words that the search finds it by.
        choices: The title of each value, in the order of the values.
        unit: Of a number.
        source: Where the default comes from; empty where that needs no word.
    """

    group: str
    title: str
    sentence: str
    keywords: str
    choices: Mapping[str, str] = MappingProxyType({})
    unit: str = ""
    source: str = ""

    @property
    def explanation(self) -> str:
        """What it does and where the default comes from, in the language of the window."""
        sentence = say(self.sentence)
        parts = [sentence[:1].upper() + sentence[1:]]
        if self.source:
            parts.append(say(self.source))
        return listed(parts, "parts")


@cache
def preference_table() -> Mapping[str, Mapping[str, Any]]:
    """Return the attributes of `PreferenceTexts` of each preference, by name, in the order of the dialog.

    They are read from `resources/preferences.json`; languages are added by their own names for themselves.
    """
    table: dict[str, dict[str, Any]] = {}
    for group, preferences in resources.table("preferences").items():
        for name, attributes in preferences.items():
            table[name] = {"group": group} | attributes
    language = table[LANGUAGE.name]
    language["choices"] = language["choices"] | {name: native_name(name) for name in LANGUAGES}
    return table


class Preference(NamedTuple, Generic[T]):
    """One thing that can be chosen: one of `choices`, a number, a text, or a switch.

    Attributes:
        name: In the settings file.
        default: The value where none was chosen; a bool makes it a switch, an int a whole number.
        choices: All values, where they are few.
        low: The lowest number.
        high: The highest number.
        step: How far a step of the control goes.
        option: The option that declares it; None: its texts are in the table.
    """

    name: str
    default: T
    choices: tuple[T, ...] = ()
    low: float | None = 0
    high: float | None = 0
    step: float = 1
    option: OptionSpec | None = None

    @property
    def texts(self) -> PreferenceTexts:
        """Its texts; the table is read with the first request."""
        if self.option is not None:
            return PreferenceTexts(
                group=_EVENTS,
                title=self.option.label,
                sentence=self.option.help,
                keywords=self.option.flag.strip("-"),
                unit=self.option.unit,
                source=self.option.source,
            )
        return PreferenceTexts(**preference_table()[self.name])

    def allowed(self, value: float) -> float:
        """Return the nearest number within the range."""
        if self.low is not None:
            value = max(self.low, value)
        if self.high is not None:
            value = min(self.high, value)
        return value

    def stored(self, value: T) -> str:
        """Return a value as the settings file holds it."""
        default: Any = self.default
        if isinstance(default, bool):
            return "yes" if value else "no"
        return str(value)

    def read(self, text: str) -> T:
        """Return the value of a text of the settings file; the default for a text that means none."""
        default: Any = self.default
        value: Any = default
        if self.choices:
            for choice in self.choices:
                if str(choice) == text:
                    return choice
        elif isinstance(default, bool):
            value = text == "yes"
        elif isinstance(default, str):
            value = text
        elif isinstance(default, float):
            number = _finite(text)
            if number is not None:
                value = float(self.allowed(number))
        elif text.isascii() and text.isdecimal() and len(text) < 10:
            value = self.allowed(int(text))
        result: T = value
        return result

    @property
    def search_text(self) -> str:
        """The text that the search looks in: in English and in the language of the window, in small letters."""
        texts = self.texts
        english = [texts.group, texts.title, texts.sentence, texts.source, texts.keywords]
        english.extend(texts.choices.values())
        translated = [say(text) for text in english]
        return " ".join(english + translated).lower()


def _finite(text: str) -> float | None:
    """Return the number of a text; None for one that is no finite number."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


_EVENTS = N_("Traffic events")


def _of_thresholds() -> tuple[Preference[float], ...]:
    """Return a preference for each threshold of traffic events."""
    preferences = []
    for name, default, spec in options_of(Thresholds):
        preference = Preference(
            f"events/{name}", float(default), low=spec.low, high=spec.high, step=spec.step, option=spec
        )
        preferences.append(preference)
    return tuple(preferences)


def _all_preferences(declared: Iterable[object]) -> Iterator["AnyPreference"]:
    """Yield the preferences among values, and those of thresholds where these stand."""
    for value in declared:
        if isinstance(value, Preference):
            yield value
        elif value is THRESHOLDS:
            yield from THRESHOLDS


LENGTH: Preference[Length] = Preference("units/length", "file", get_args(Length))
SPEED: Preference[Speed] = Preference("units/speed", "file", get_args(Speed))
ANGLE: Preference[Angle] = Preference("units/angle", "°", get_args(Angle))
TIME: Preference[Time] = Preference("units/time", "auto", get_args(Time))
APPLY_TO: Preference[Scope] = Preference("edit/apply_to", "frame", get_args(Scope))
TELLS_STEPS = Preference("edit/tells_steps", True)
UNDO_MEMORY = Preference("edit/undo_memory", MAX_BYTES >> 20, low=16, high=16_384, step=16)
KEEPS_BACKUP = Preference("backup", False)
FOLLOWS_PLAYBACK = Preference("scene/follows_playback", True)
FOLLOW_MODE: Preference[FollowMode] = Preference("scene/follow_mode", "keep", get_args(FollowMode))
ROADS: Preference[RoadsMode] = Preference("scene/roads", "map", get_args(RoadsMode))
OVERVIEW = Preference("scene/overview", True)
IDS: Preference[IdsMode] = Preference("scene/which_ids", "near", get_args(IdsMode))
HINTS = Preference("scene/hints", True)
THRESHOLDS: tuple[Preference[float], ...] = _of_thresholds()
"""Those of traffic events, by name as `events/near_miss`."""

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

PREFERENCES: tuple[AnyPreference, ...] = tuple(_all_preferences(list(vars().values())))
"""All of the above, in the order of the dialog."""
