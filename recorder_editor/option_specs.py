"""Options that the command line and a dialog offer alike.

Each option is a field of a frozen dataclass, which stands beside the code that the options are for:

    @dataclass(frozen=True)
    class ScenarioOptions:
        tolerance: float | None = option(None, OptionSpec(flag="--tolerance", label=N_("Tolerance"), ...))

The field's name is the name of the value in both; `options_of` lists the fields for what makes a parser or a form.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, NamedTuple, TypeVar

OptionKind = Literal[
    "text", "texts", "choice", "switch", "number", "unsigned", "time", "count", "table", "numbers", "dialect"
]
"""What values an option has: `texts` are several, a `switch` is on or off, `unsigned` are numbers from 0 on, a `time`
is a number of seconds that may be typed as a clock (0:12.5), a `count` is a whole number from 1 on, a `table` is the
name of a table of the recording, `numbers` are those of a named tuple, and a `dialect` is the name of one."""

_SPEC = "spec"
_Value = TypeVar("_Value")


class NumberPart(NamedTuple):
    """One of several numbers: its label, marked by `N_` if it is a word, and its unit."""

    label: str
    unit: str


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """What is said of an option. Texts are marked by `N_` and translated when they are shown.

    Attributes:
        flag: Its name on the command line.
        kind: What values it has.
        label: Its name in a dialog.
        help: What it does, for the command line and for the dialog's tooltip.
        metavar: What stands for its value on the command line; None for choices and switches.
        hint: What the dialog shows where nothing is chosen.
        note: What the dialog says beside the field, where its label alone does not tell what it does.
        unit: The unit of a number.
        step: By how much a key changes a number.
        low: The least number; None: there is none.
        high: The greatest number; None: there is none.
        source: Where the default comes from; empty where that needs no word.
        choices: The names of the values of a choice, marked by `N_` where they are words.
        parts: The numbers of `numbers`, in the order of the tuple.
        longest: The bytes that a text may have; None: any number.
        help_values: The values of the placeholders in `help`.
        tables: The tables that it is for, in lower case; empty: it is for all, or not about tables.
    """

    flag: str
    kind: OptionKind
    label: str
    help: str
    metavar: str | None = None
    hint: str = ""
    note: str = ""
    unit: str = ""
    step: float = 1.0
    low: float | None = None
    high: float | None = None
    source: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    parts: tuple[NumberPart, ...] = ()
    longest: int | None = None
    help_values: Mapping[str, object] = field(default_factory=dict)
    tables: tuple[str, ...] = ()

    def holds(self, value: float) -> bool:
        """Return whether a number is within the range; NaN never is."""
        is_above = self.low is None or value >= self.low
        is_below = self.high is None or value <= self.high
        return is_above and is_below and value == value

    def is_for_table(self, table: str) -> bool:
        """Return whether it applies where a table is chosen, by its name in lower case."""
        return not self.tables or table in self.tables


class DeclaredOption(NamedTuple):
    """An option with the name and the default of its field."""

    name: str
    default: Any
    spec: OptionSpec


def option(default: _Value, spec: OptionSpec) -> _Value:
    """Declare a field of a dataclass as an option."""
    declared: _Value = field(default=default, metadata={_SPEC: spec})
    return declared


def options_of(options: type[Any]) -> tuple[DeclaredOption, ...]:
    """List the options that a dataclass declares, in their order; other fields are none."""
    declared = []
    for member in fields(options):
        if _SPEC in member.metadata:
            declared.append(DeclaredOption(member.name, member.default, member.metadata[_SPEC]))
    return tuple(declared)


def command_words(options: Any) -> list[str]:
    """List the words of a command that choose the same options; those with their defaults are left out."""
    words: list[str] = []
    for name, default, spec in options_of(type(options)):
        value = getattr(options, name)
        if value == default:
            continue
        if spec.kind == "switch":
            words.append(spec.flag)
        elif spec.kind == "texts":
            for text in value:
                words += [spec.flag, text]
        elif spec.kind == "numbers":
            # The first number may have a minus, which would make an option of a word of its own.
            numbers = ",".join(map(_word, value))
            words.append(f"{spec.flag}={numbers}")
        elif _word(value).startswith("-"):
            words.append(f"{spec.flag}={_word(value)}")  # a word of its own would be an option
        else:
            words += [spec.flag, _word(value)]
    return words


def _word(value: object) -> str:
    """A value as it is typed: numbers in the fewest digits."""
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    return str(value)


def without_other_tables(options: _Value, table: str) -> _Value:
    """Return options with the defaults of those that are for other tables than the chosen one.

    Args:
        options: An instance of a dataclass of options.
        table: The name of the table in lower case.
    """
    defaults: dict[str, object] = {}
    for name, default, spec in options_of(type(options)):
        if not spec.is_for_table(table):
            defaults[name] = default
    changed: _Value = replace(options, **defaults)  # type: ignore[type-var]  # its class is a dataclass
    return changed


def same_options(options: object, wanted: type[_Value]) -> _Value:
    """Return the same choices as options of another dataclass.

    Args:
        options: An instance of a dataclass of options.
        wanted: The dataclass; it may lack options that have their defaults.

    Raises:
        ValueError: It lacks an option that was chosen; the message is its flag.
    """
    names = {declared.name for declared in options_of(wanted)}
    values: dict[str, object] = {}
    for name, default, spec in options_of(type(options)):
        value = getattr(options, name)
        if name in names:
            values[name] = value
        elif value != default:
            raise ValueError(spec.flag)
    return wanted(**values)
