"""Fields from a description: their labels, editors and values, one below another.

Knows kinds of values, not what is done with them.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

from PySide6.QtCore import QStringListModel, Qt, QTimer, Signal
from PySide6.QtWidgets import QCompleter, QFormLayout, QHBoxLayout, QSizePolicy, QWidget

from ...format import DIALECTS
from ...option_specs import DeclaredOption, options_of
from ...texts import listed, say
from ..session import SCOPES
from ..style.boxes import fill, set_spacing
from ..style.painting import RIGHT
from ..style.theme import Theme
from ..widgets import AngleEdit, CheckEdit, ChoiceEdit, ElidedLabel, FlagsEdit, Label, NumberEdit, TextEdit

Kind = Literal["number", "angle", "whole", "text", "choice", "flags", "check", "frames", "path"]
Values = Mapping[str, Any]
Editor = NumberEdit | TextEdit | ChoiceEdit | FlagsEdit | CheckEdit
_LONGEST_LIST = 5_000
_WIDTH = 168

_Options = TypeVar("_Options")


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field of a form.

    Attributes:
        name: Its name among the values of the form.
        label: Its label.
        kind: Its editor: `whole` is a whole number, `frames` the frames of an edit (a `Scope`), `path` the path that is
            drawn in the scene.
        value: Its first value; None: it is empty.
        unit: The unit of a number.
        choices: Of `choice` the names by number, of `flags` by bit, of `frames` names that differ.
        offers: Texts that are suggested.
        low: The least number.
        high: The largest number.
        step: The step of a number.
        optional: Whether it may be empty, which is None.
        hint: The text of the empty field.
        tip: The tooltip.
        decimals: Decimals of a number.
        width: Pixels at normal size; 0: of a number the usual width, of a choice all the room.
        longest: Bytes of a text at most.
    """

    name: str
    label: str
    kind: Kind
    value: Any = None
    unit: str = ""
    choices: Mapping[int, str] = field(default_factory=dict)
    offers: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    step: float = 1
    optional: bool = False
    hint: str = ""
    tip: str = ""
    decimals: int = 3
    width: int = _WIDTH
    longest: int | None = None


class OptionalNumber(NumberEdit):
    """A number that may be missing: then its `hint` stands here."""

    def reason_against(self, text: str) -> str:
        if text.strip():
            return super().reason_against(text)
        return ""

    def set_missing(self) -> None:
        """Show that there is none."""
        self._value = None
        self._stored = ""
        self._exact = ""
        self.revert()


class Fields(QWidget):
    """A form of fields, and of rows of widgets.

    Attributes: `editors` and `values`, by name. Signal: `changed(str)`, the name of the field that was changed.
    """

    changed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.editors: dict[str, Editor] = {}
        self.values: dict[str, Any] = {}
        self._specs: dict[str, FieldSpec] = {}
        self._layout = set_spacing(QFormLayout(self), 8, 4)
        self._layout.setLabelAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._layout.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._labels: list[Label] = []
        self._choices: Sequence[Collection[QWidget]] = ()
        theme.changed.connect(self._align)

    def add_field(self, spec: FieldSpec) -> Editor:
        """Add the row of a field; returns its editor."""
        editor = self.add(spec)
        self.add_row(spec.label, editor, tip=spec.tip)
        return editor

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self._layout.rowCount()

    def add_row(self, label: str, *parts: QWidget, tip: str = "") -> QWidget:
        """Add a row of a label and widgets beside one another.

        Returns:
            The widget behind the label, which `show_row` takes.
        """
        row_label = Label(self.theme, label, "font", "muted")
        row_label.setAlignment(RIGHT)
        row_label.setToolTip(tip)
        row_label.setBuddy(parts[0])
        self._labels.append(row_label)
        self._align()
        row = parts[0]
        if len(parts) > 1:
            row = in_row(*parts)
        self._layout.addRow(row_label, row)
        return row

    def show_row(self, row: QWidget, on: bool) -> None:
        """Show a row that `add_row` returned, or hide it."""
        self._layout.setRowVisible(row, on)

    def declare_choices(self, choices: Sequence[Collection[QWidget]]) -> None:
        """Say which rows some choices show that others hide.

        Args:
            choices: For each choice the rows, which `add_row` returned.
        """
        self._choices = choices

    def arrangements(self) -> Iterator[None]:
        """Show the rows of each choice in turn, and at last the present ones again."""
        rows: list[QWidget] = []
        for choice in self._choices:
            rows.extend(row for row in choice if row not in rows)
        present = [row for row in rows if self._layout.isRowVisible(row)]
        for choice in (*self._choices, present):
            for row in rows:
                self.show_row(row, row in choice)
            yield

    def _align(self) -> None:
        """Give all labels the width of the longest, hidden ones too, so that nothing moves sideways."""
        metrics = self.theme.metrics()
        width = max((metrics.horizontalAdvance(label.text()) + 1 for label in self._labels), default=0)
        for label in self._labels:
            label.setMinimumWidth(width)

    def add(self, spec: FieldSpec) -> Editor:
        """Make the editor of a field and hold its value; the caller places it."""
        editor = self._editor(spec)
        editor.setObjectName(spec.name)
        if spec.tip:
            # An editor's own tooltip says its exact value.
            editor.setAccessibleDescription(listed((spec.tip, getattr(editor, "shown_unit", "")), "clauses"))
        self._specs[spec.name] = spec
        self.editors[spec.name] = editor
        self.set_value(spec.name, spec.value)
        editor.committed.connect(lambda text: self._commit(spec, text))
        return editor

    def _editor(self, spec: FieldSpec) -> Editor:
        if spec.kind in ("number", "whole"):
            return self._number_editor(spec)
        if spec.kind == "angle":
            angle = AngleEdit(self.theme, "°", name=spec.label)
            angle.set_width(spec.width)
            return angle
        if spec.kind == "text":
            text = TextEdit(self.theme, longest=spec.longest, name=spec.label)
            text.hint = spec.hint
            _propose(text, spec.offers)
            return text
        if spec.kind == "flags":
            return FlagsEdit(self.theme, spec.choices, name=spec.label)
        if spec.kind == "check":
            return CheckEdit(self.theme, spec.label)
        return self._choice_editor(spec)

    def _number_editor(self, spec: FieldSpec) -> NumberEdit:
        make = OptionalNumber if spec.optional else NumberEdit
        number = make(
            self.theme,
            spec.unit,
            integer=spec.kind == "whole",
            low=spec.low,
            high=spec.high,
            step=spec.step,
            decimals=spec.decimals,
            name=spec.label,
        )
        if spec.width:
            number.set_width(spec.width)
        if isinstance(number, OptionalNumber):
            number.hint = spec.hint
        return number

    def _choice_editor(self, spec: FieldSpec) -> ChoiceEdit:
        names: dict[int, str] = {}
        if spec.kind == "frames":
            names.update(enumerate(say(text) for _, text in SCOPES))
        names.update(spec.choices)
        choice = ChoiceEdit(self.theme, names, numbers=False, name=spec.label)
        if spec.width:
            choice.setMinimumWidth(self.theme.px(spec.width))
            choice.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        return choice

    def set_value(self, name: str, value: Any) -> None:
        """Show a value, and hold it."""
        spec = self._specs[name]
        editor = self.editors[name]
        self.values[name] = value
        if isinstance(editor, OptionalNumber) and value is None:
            editor.set_missing()
        elif isinstance(editor, TextEdit):
            editor.set_value(str(value or ""))
        elif isinstance(editor, ChoiceEdit) and spec.kind == "frames":
            editor.set_value([scope for scope, _ in SCOPES].index(value))
        elif isinstance(editor, CheckEdit):
            editor.set_value(bool(value))
        else:
            editor.set_value(value)

    def _commit(self, spec: FieldSpec, text: str) -> None:
        value: Any = text
        if spec.kind in ("number", "angle"):
            try:
                value = None
                if text.strip():
                    value = float(text)
            except ValueError:
                # The editor takes any bit pattern, also one that is no decimal number.
                self.editors[spec.name].refuse(say("Not a number."))
                return
        elif spec.kind == "whole":
            value = None
            if text.strip():
                base = 16 if "x" in text.lower() else 10
                value = int(text, base)
        elif spec.kind == "frames":
            value = SCOPES[int(text)][0]
        elif spec.kind in ("choice", "flags"):
            value = int(text)
        elif spec.kind == "check":
            value = text == "1"
        self.set_value(spec.name, value)
        self.changed.emit(spec.name)

    def propose(self, name: str, offers: Sequence[str]) -> None:
        """Suggest other texts in a field of text."""
        editor = self.editors[name]
        if not isinstance(editor, TextEdit):
            return
        completer: QCompleter | None = editor.completer()  # the stub leaves None out
        if completer is None:
            _propose(editor, offers)
        else:
            completer.setModel(QStringListModel(list(offers[:_LONGEST_LIST]), completer))

    def commit(self) -> bool:
        """Take what still stands in an editor that has the keyboard; False where a text cannot be a value."""
        for editor in self.editors.values():
            # Not every system gives a button the keyboard when it is clicked.
            if isinstance(editor, (NumberEdit, TextEdit)):
                editor.commit()
        return not any(getattr(editor, "reason", "") for editor in self.editors.values())


def dialect_titles(names: Sequence[str]) -> dict[int, str]:
    """Return the titles of dialects by their position, for a choice."""
    titles = {}
    for number, name in enumerate(names):
        titles[number] = listed((DIALECTS[name].title, name), "clauses")
    return titles


def in_row(*parts: QWidget) -> QWidget:
    """Put widgets beside one another; those that do not grow stand at the left."""
    holder = QWidget()
    row = fill(QHBoxLayout(holder), spacing=8)
    growing = (QSizePolicy.Policy.Expanding, QSizePolicy.Policy.MinimumExpanding)
    for part in parts:
        row.addWidget(part, 1 if part.sizePolicy().horizontalPolicy() in growing else 0)
    row.addStretch(0)  # takes what is left while none that grows is shown
    holder.setFocusProxy(parts[0])
    return holder


def _propose(editor: TextEdit, offers: Sequence[str]) -> None:
    if not offers:
        return
    completer = QCompleter(QStringListModel(list(offers[:_LONGEST_LIST]), editor), editor)
    completer.setFilterMode(Qt.MatchFlag.MatchContains)
    completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    popup = completer.popup()
    if popup is not None:
        popup.setProperty("framed", True)  # it hangs over a dialog of nearly its own ground

    def take(text: str) -> None:
        editor.setText(text)
        editor.textEdited.emit(text)
        editor.commit()
        # Qt itself sets the text after this, and shows its end.
        QTimer.singleShot(0, editor, lambda: editor.setCursorPosition(0))

    completer.activated.connect(take)
    editor.setCompleter(completer)
    shows = editor.addAction(editor.theme.icons.icon("chevron-down", "muted"), editor.ActionPosition.TrailingPosition)
    shows.setShortcut("Alt+Down")
    shows.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
    shows.triggered.connect(lambda: completer.setCompletionPrefix(""))
    shows.triggered.connect(lambda: completer.complete())


def option_field(option: DeclaredOption) -> FieldSpec:
    """Make the field of an option of one value that the command line has, too."""
    name, default, spec = option
    help = say(spec.help, **spec.help_values)
    field = FieldSpec(
        name=name,
        label=say(spec.label),
        kind="text",
        value=default,
        unit=spec.unit,
        step=spec.step,
        low=spec.low,
        high=spec.high,
        hint=say(spec.hint),
        tip=help[:1].upper() + help[1:],
        longest=spec.longest,
    )
    if spec.kind == "choice":
        values = _choice_values(option)
        names = []
        for value in values:
            if value is None:
                names.append(field.hint)
            else:
                names.append(say(spec.choices[value]))
        return replace(field, kind="choice", value=values.index(default), choices=dict(enumerate(names)))
    if spec.kind == "dialect":
        names = list(DIALECTS)
        return replace(field, kind="choice", value=names.index(default), choices=dialect_titles(names), width=0)
    if spec.kind == "switch":
        return replace(field, kind="check")
    if spec.kind == "count":
        return replace(field, kind="whole", low=1)
    if spec.kind == "number":
        return replace(field, kind="number", optional=default is None)
    if spec.kind == "unsigned":
        return replace(field, kind="number", low=0, optional=default is None)
    return field


def _choice_values(option: DeclaredOption) -> list[str | None]:
    """The values of a choice in the order of its field; the first is that nothing is chosen, if that is the default."""
    values: list[str | None] = list(option.spec.choices)
    if option.default is None:
        values.insert(0, None)
    return values


def add_option(form: Fields, option: DeclaredOption, *, width: int = 0, beside: QWidget | None = None) -> QWidget:
    """Add the row of an option, with a field for each of several numbers.

    Args:
        form: The form.
        option: The option.
        width: The width of the fields of several numbers, in px at normal size; 0: the usual one.
        beside: Stands behind the field of one value, as a button that fills it.

    Returns:
        What `show_row` shows or hides.
    """
    if option.spec.kind == "numbers":
        editors = [form.add(field) for field in number_fields(option, width)]
        return form.add_row(say(option.spec.label), *editors)
    field = option_field(option)
    parts: list[QWidget] = [form.add(field)]
    if beside is not None:
        parts.append(beside)
    if option.spec.note:
        parts.append(ElidedLabel(form.theme, say(option.spec.note), "small", "muted"))
    return form.add_row(field.label, *parts, tip=field.tip)


def table_field(option: DeclaredOption, names: Sequence[str]) -> FieldSpec:
    """Make the field of an option that names a table: a choice of the tables that there are."""
    return FieldSpec(
        name=option.name,
        label=say(option.spec.label),
        kind="choice",
        value=names.index(option.default) if option.default in names else 0,
        choices=dict(enumerate(names)),
        width=0,
    )


def number_fields(option: DeclaredOption, width: int) -> list[FieldSpec]:
    """Make the fields of an option of several numbers, one for each."""
    fields = []
    for index, (part, number) in enumerate(zip(option.spec.parts, option.default, strict=True)):
        fields.append(
            FieldSpec(
                name=_part_name(option, index),
                label=say(part.label),
                kind="number",
                value=number,
                unit=part.unit,
                width=width,
            )
        )
    return fields


def _part_name(option: DeclaredOption, index: int) -> str:
    return f"{option.name}.{index}"


def options_from(values: Values, declared: type[_Options], **others: object) -> _Options:
    """Return the options of a dataclass by the values of their fields in a form.

    Args:
        values: The values of the form, by the names of its fields.
        declared: The dataclass.
        others: Its fields that are no options.
    """
    chosen = dict(others)
    for option in options_of(declared):
        if option.spec.kind == "numbers":
            numbers = []
            for index in range(len(option.spec.parts)):
                numbers.append(float(values[_part_name(option, index)]))
            chosen[option.name] = type(option.default)(*numbers)
        else:
            chosen[option.name] = option_value(option, values[option.name])
    return declared(**chosen)


def option_value(option: DeclaredOption, value: Any) -> object:
    """Return the value of an option by that of its field in a form."""
    if option.spec.kind == "choice":
        return _choice_values(option)[value]
    if option.spec.kind == "texts":
        if value:
            return (value,)
        return ()
    if option.spec.kind == "dialect":
        return list(DIALECTS)[value]
    if value == "" and option.default is None:
        return None
    return value
