"""A field of the schema as an editor: which control, how a value gets in, what was refused, what may be added.

One place decides how a type is edited; forms only lay the controls out. Colours are stored as three linear shares, and
picked as screens have them: 0 to 255.
"""

import math
from collections.abc import Container, Mapping, Sequence

from PySide6.QtCore import QObject, Signal

from ....errors import FieldError
from ....format import INTEGER_RANGES, LONGEST_STRING, Field, exact_text
from ....format.schema import Value
from ....texts import say, value_names
from ...style.theme import Theme
from ...widgets import AngleEdit, CheckEdit, ChoiceEdit, FlagsEdit, NumberEdit, TextEdit
from ...widgets.value_edit import ValueEdit

CHANNELS = ("r", "g", "b")


def is_colour(paths: Container[str], group: str) -> bool:
    """Return whether a group of fields is a colour: it has red, green and blue."""
    return all(f"{group}.{channel}" in paths for channel in CHANNELS)


def colour_text(values: Mapping[str, Value], group: str) -> str:
    """Return the colour of a group of fields as "r,g,b", 0 to 255; "none" where a share is no number.

    Args:
        values: The values of a record, by path.
        group: The path of the group.
    """
    numbers = []
    for channel in CHANNELS:
        share = values[f"{group}.{channel}"]
        if not isinstance(share, (int, float)) or not math.isfinite(share):
            return "none"
        numbers.append(str(_screen_value(share)))
    return ",".join(numbers)


def linear_shares(text: str) -> tuple[float, ...]:
    """Return the three linear shares (0 to 1) of "r,g,b" (0 to 255)."""
    return tuple(_linear(int(part) / 255) for part in text.split(","))


def _screen_value(share: float) -> int:
    """Return a linear share (0 to 1) as screens have it (sRGB), 0 to 255."""
    share = min(max(share, 0.0), 1.0)
    if share <= 0.0031308:
        curved = 12.92 * share
    else:
        curved = 1.055 * share ** (1 / 2.4) - 0.055
    return round(255 * curved)


def _linear(share: float) -> float:
    """Return a share as screens have it (sRGB, 0 to 1) as a linear one."""
    if share <= 0.04045:
        return share / 12.92
    return float(((share + 0.055) / 1.055) ** 2.4)


Control = NumberEdit | ChoiceEdit | FlagsEdit | CheckEdit | TextEdit


class FieldEditor(QObject):
    """The control of one field.

    Signals: `committed(str)`: this text is asked for as the new value; `switched(int, bool)`: this bit is, of values
    that differ.

    Attributes:
        field: The field.
        path: Where in the record it is; for an element of an array it has the number of the element.
        widget: The control.
    """

    committed = Signal(str)
    switched = Signal(object, bool)

    def __init__(self, theme: Theme, field: Field, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.field = field
        self.path = field.path
        self.widget: Control = _control(theme, field)
        self.widget.setToolTip(say(field.meaning))
        self.widget.committed.connect(self.committed)
        if isinstance(self.widget, FlagsEdit):
            self.widget.switched.connect(self.switched)

    @property
    def is_wide(self) -> bool:
        """Whether the control wants the whole line."""
        return isinstance(self.widget, (FlagsEdit, TextEdit))

    @property
    def is_typed_in(self) -> bool:
        """Whether something was typed that is not applied yet, or was refused: it must not be overwritten."""
        return isinstance(self.widget, ValueEdit) and (self.widget.dirty or bool(self.widget.reason))

    def show(self, value: Value) -> None:
        """Show a value, forgetting what was typed."""
        widget = self.widget
        if self.field.is_raw:
            assert isinstance(widget, TextEdit)
            widget.set_value(exact_text(self.field, value))
        elif isinstance(widget, TextEdit):
            if not isinstance(value, (str, bytes)):
                value = str(value)
            widget.set_value(value)
        elif isinstance(widget, NumberEdit):
            assert not isinstance(value, (str, bytes))
            widget.set_value(value, exact_text(self.field, value))
        else:
            assert not isinstance(value, (str, bytes))
            widget.set_value(int(value))

    def show_mixed(self, values: Sequence[Value]) -> None:
        """Show that several values differ; of a mask of bits, show which of them all values have."""
        if isinstance(self.widget, FlagsEdit):
            self.widget.set_mixed([value for value in values if isinstance(value, int)])
        else:
            self.widget.set_mixed()


def _control(theme: Theme, field: Field) -> Control:
    if field.choices is not None:
        return ChoiceEdit(theme, value_names(field.choices), name=field.label)
    if field.flags is not None:
        return FlagsEdit(theme, value_names(field.flags), name=field.label)
    if field.type == "bool":
        return CheckEdit(theme, field.label)
    if field.type == "str":
        return TextEdit(theme, longest=LONGEST_STRING, name=field.label)
    if field.is_raw:
        return TextEdit(theme, name=field.label)
    step = field.step or 1.0
    if field.angle:
        return AngleEdit(theme, field.unit, step=step, name=field.label)
    if field.type in INTEGER_RANGES:
        low, high = INTEGER_RANGES[field.type]
        return NumberEdit(theme, field.unit, integer=True, low=low, high=high, step=step, name=field.label)
    return NumberEdit(theme, field.unit, step=step, name=field.label)


def is_addable(field: Field) -> bool:
    """Return whether something can be added to a field: to numbers that count or measure, not names, switches, ids."""
    return not (field.actor or field.choices or field.flags or field.is_raw or field.type in ("str", "bool"))


def sum_of(field: Field, before: Value, added: Value) -> Value:
    """Return the sum of two values of a field; angles stay within -180 to 180.

    Raises:
        FieldError: Nothing can be added to the value.
    """
    if isinstance(before, (str, bytes)) or isinstance(added, (str, bytes)) or not math.isfinite(before):
        refusal = say("Nothing can be added to {value}; set it instead.", value=exact_text(field, before))
        raise FieldError(refusal, field=field.path)
    total = before + added
    if field.angle:
        return (total + 180.0) % 360.0 - 180.0
    return total
