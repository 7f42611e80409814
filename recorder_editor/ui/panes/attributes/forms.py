"""The forms: one for records of a packet type, one each for header, frame, packet, and bytes that are nothing.

A form is built once and filled anew for every selection, so that a step of frames only sets values.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QSizePolicy, QWidget

from ....format import LONGEST_MAP_NAME, Field, FileHeader, Leaf, PacketType, exact_text
from ....format.header import FIELDS
from ....format.schema import Value
from ....recording import Frame, Packet, Row, Snapshot
from ....texts import field_title, say
from ....views.describe import moment_text
from ....views.units import Units
from ...style.theme import Theme
from ...widgets import ChoiceEdit, ColourEdit, Form, FormRow, Label, NumberEdit, NumberLabel, RawBytes, TextEdit
from ...widgets.base import RunningText
from ...widgets.dates import MomentEdit
from .editors import FieldEditor, colour_text, is_colour

LONGEST_RAW = 12
_BY_HAND = (
    Qt.FocusReason.MouseFocusReason,
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)
_CLICKS = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease)


def raw_text(data: bytes) -> str:
    """Return bytes as the form shows them at the right of an editor."""
    text = data[:LONGEST_RAW].hex(" ")
    if len(data) > LONGEST_RAW:
        return text + " …"
    return text


class FieldForm(Form):
    """A form whose lines are fields.

    Signals: `chosen(str)`: the field of that path was clicked, or got the keyboard; `dragged(str)`: its label or its
    bytes are being dragged; `menu_asked(str, QPoint)`: its menu is wanted, at a place of the screen.
    """

    chosen = Signal(str)
    dragged = Signal(str)
    menu_asked = Signal(str, QPoint)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._paths: dict[QObject, str] = {}
        self.field_rows: dict[str, FormRow] = {}
        self._pressed: QPoint | None = None

    def field_row(self, path: str, label: str, editor: QWidget, meaning: str, *, wide: bool = False) -> FormRow:
        """Add the line of a field.

        Args:
            path: The path of the field.
            label: Its name as it is shown.
            editor: Its control.
            meaning: The tip of the name.
            wide: The editor takes the whole line, its bytes stand beneath; else they stand at its right.
        """
        if wide:
            label_widget = self.wide(label, editor).label
            row = FormRow(label_widget, editor, RawBytes(self.theme))
            self.wide("", row.raw)
        else:
            row = self.row(label, editor)
            if isinstance(editor, ChoiceEdit):
                editor.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
                self.restyle()
        row.label.setToolTip(meaning)
        row.raw.setToolTip(say("The bytes of this field; click to select them"))
        for widget in (editor, row.label, row.raw, *editor.findChildren(QCheckBox)):
            widget.installEventFilter(self)
            self._paths[widget] = path
        self.field_rows[path] = row
        return row

    def mark(self, path: str | None) -> None:
        """Show which field is selected."""
        for name, row in self.field_rows.items():
            row.set_selected(name == path)

    def mark_edited(self, is_edited: Callable[[str], bool]) -> None:
        """Show which fields differ from the saved file.

        Args:
            is_edited: Returns whether the field of a path does.
        """
        for path, row in self.field_rows.items():
            was_edited = row.is_edited
            row.is_edited = is_edited(path)
            if row.is_edited != was_edited:
                self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        path = self._paths.get(watched)
        is_text = isinstance(watched, (Label, RunningText))
        if path is not None:
            by_hand = isinstance(event, QFocusEvent) and event.gotFocus() and event.reason() in _BY_HAND
            if by_hand or event.type() == QEvent.Type.MouseButtonPress:
                self.chosen.emit(path)
            if is_text:
                self._handle_text_event(path, event)
        return is_text and event.type() in _CLICKS  # a click on a text means nothing else

    def _handle_text_event(self, path: str, event: QEvent) -> None:
        """Let labels and bytes be dragged, and have a menu; editors have their own."""
        if isinstance(event, QContextMenuEvent):
            self.chosen.emit(path)
            self.menu_asked.emit(path, event.globalPos())
        elif not isinstance(event, QMouseEvent):
            return
        elif event.type() == QEvent.Type.MouseButtonPress:
            self._pressed = event.globalPosition().toPoint()
        elif event.type() == QEvent.Type.MouseMove and self._pressed is not None:
            way = event.globalPosition().toPoint() - self._pressed
            if way.manhattanLength() >= QApplication.startDragDistance():
                self._pressed = None
                self.dragged.emit(path)
        elif event.type() == QEvent.Type.MouseButtonRelease:
            self._pressed = None


@dataclass
class FormField:
    """A field in a form.

    Attributes:
        editor: Its editor.
        row: Its line.
        shown: The value it shows; None for several values that differ.
    """

    editor: FieldEditor
    row: FormRow
    shown: Value | None = None


class RecordForm(FieldForm):
    """The plain fields of a record type, in groups.

    Signals: `asked(FieldEditor, str)`, `switched(FieldEditor, int, bool)` (a bit alone, of records that differ),
    `coloured(str, str)` (a group and its new colour), `chosen(str)` (a path).

    Attributes:
        kind: The packet type.
        lines: The fields, by path.
        colours: The editors of colours, by group.
    """

    asked = Signal(object, str)
    switched = Signal(object, object, bool)
    coloured = Signal(str, str)

    def __init__(self, theme: Theme, kind: PacketType, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.kind = kind
        self.lines: dict[str, FormField] = {}
        self.colours: dict[str, ColourEdit] = {}
        self._subject: object = None
        self._longest = 0
        # The title names the actor of the record already: its id comes last.
        fields = [field for field in kind.record.fields.values() if field is not kind.actor_field]
        if kind.actor_field is not None:
            fields.append(kind.actor_field)
        group = ""
        is_named = False
        for field in fields:
            if field.group != group and field.group:
                self.heading(_heading(field_title(field.group)))
                if is_colour(kind.record.fields, field.group):
                    self._add_colour(field.group)
            elif field.group != group or not self.lines:
                if is_named or field is kind.actor_field:
                    self.heading(say("Record"))
                else:
                    self.heading(_heading(say(kind.record.name)))
                is_named = True
            group = field.group
            self._add(field)

    def _add(self, field: Field) -> None:
        editor = FieldEditor(self.theme, field, self)
        editor.committed.connect(lambda text: self.asked.emit(editor, text))
        editor.switched.connect(lambda bit, on: self.switched.emit(editor, bit, on))
        label = field_title(field.name)
        row = self.field_row(field.path, label, editor.widget, _meaning(field), wide=editor.is_wide)
        self.lines[field.path] = FormField(editor, row)

    def _add_colour(self, group: str) -> None:
        edit = ColourEdit(self.theme, say("{field_name} red, green, blue", field_name=field_title(group)))
        edit.committed.connect(lambda text: self.coloured.emit(group, text))
        edit.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        row = self.wide(say("on screen"), edit)
        row.label.setToolTip(say("The colour as screens show it, 0 to 255; the file holds linear values"))
        self.colours[group] = edit

    def fill(self, packet: Packet, record: int, leaves: Sequence[Leaf]) -> None:
        """Show one record; what is being typed for it, or was refused, stays."""
        if self.kind.actor_field is not None:
            owner = packet.decoded.get(record, "id")
        else:
            owner = record
        values: dict[str, Value] = {}
        longest = 0
        for leaf in leaves:
            line = self.lines.get(leaf.path)
            if line is not None:
                text = raw_text(packet.body[leaf.start : leaf.stop])
                longest = max(longest, len(text))
                line.row.set_raw(text)
                values[leaf.path] = packet.decoded.value(leaf)
                self._show(line, values[leaf.path], owner)
        for group, edit in self.colours.items():
            edit.set_value(colour_text(values, group))
        self._subject = owner
        if longest != self._longest:
            # Editors give way to bytes where both have room then.
            self._longest = longest
            self._fit_width()

    def fill_mixed(self, records: Sequence[tuple[Packet, int]]) -> None:
        """Show what several records have in common."""
        subject = tuple((packet.index, record) for packet, record in records)
        for path, line in self.lines.items():
            values = [packet.decoded.get(record, path) for packet, record in records]
            line.row.set_raw("")
            self._show(line, _common(line.editor.field, values), subject, values)
        for edit in self.colours.values():
            edit.set_mixed()
        self._subject = subject

    def _show(self, line: FormField, value: Value | None, subject: object, values: Sequence[Value] = ()) -> None:
        """Show a value of a subject, or several values (None); what is being typed for the same subject stays."""
        before = line.shown
        line.shown = value
        if line.editor.is_typed_in and subject == self._subject and _is_same(line.editor.field, before, value):
            return
        if value is None:
            line.editor.show_mixed(values)
        else:
            line.editor.show(value)


def _meaning(field: Field) -> str:
    """Return what a field means, its type, and the values it is meant to have."""
    path = field.path
    meaning = say(field.meaning)
    values = field.unit
    if field.low is not None and field.high is not None:
        high = f"{field.high:g} {field.unit}".rstrip()
        values = say("{low:g} to {high}", low=field.low, high=high)
    if not values:
        return say("{path}: {meaning} ({type})", path=path, meaning=meaning, type=field.type)
    return say("{path}: {meaning} ({type}, {values})", path=path, meaning=meaning, type=field.type, values=values)


def _is_same(field: Field, before: Value | None, now: Value | None) -> bool:
    """Return whether two values have the same bits, or both stand for several values (None)."""
    if before is None or now is None:
        return before is now
    return exact_text(field, before) == exact_text(field, now)


def _common(field: Field, values: Sequence[Value]) -> Value | None:
    """Return the value that all are, to the bit; None where they differ."""
    texts = {exact_text(field, value) for value in values}
    if len(texts) == 1:
        return values[0]
    return None


def _heading(text: str) -> str:
    """Return a name as a heading: with blanks, and a capital letter first."""
    title = text.replace("_", " ")
    return title[:1].upper() + title[1:]


class Facts(Form):
    """Names and values that are only read; a line without a value is left out."""

    def __init__(self, theme: Theme, title: str = "") -> None:
        super().__init__(theme)
        if title:
            self.heading(title)
        self._facts: dict[str, tuple[Label, FormRow]] = {}
        self._numbers: dict[str, tuple[NumberLabel, FormRow]] = {}

    def fact(self, name: str, value: str) -> None:
        """Set a line of text, made when it is first set."""
        if name not in self._facts:
            label = Label(self.theme, "", "small", wraps=True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._facts[name] = (label, self.wide(name, label))
        label, row = self._facts[name]
        label.setText(value)
        row.label.setVisible(bool(value))
        label.setVisible(bool(value))

    def number(self, name: str, value: float | None, unit: str = "") -> None:
        """Set a number, made when it is first set."""
        if name not in self._numbers:
            label = NumberLabel(self.theme, unit, name=name)
            self._numbers[name] = (label, self.row(name, label))
        label, row = self._numbers[name]
        label.set_value(value)
        row.set_visible(value is not None)


class FrameForm(RecordForm):
    """The three values of a frame."""

    def fill_frame(self, frame: Frame) -> None:
        """Show those of a frame."""
        start = frame.packets[0]
        self.fill(start, 0, start.decoded.leaves(0))


class PacketFacts(Facts):
    """A packet: id, size, count; what it is for stands above."""

    def fill(self, packet: Packet) -> None:
        """Show a packet."""
        decoded = packet.decoded
        self.number(say("id"), packet.id)
        self.number(say("body"), packet.size, "B")
        self.number(say("count"), decoded.count)
        records = None
        if packet.type.body in ("list", "single"):
            records = len(decoded)
        self.number(say("records"), records)
        note = ""
        if packet.type.body == "opaque":
            note = say("This body is not decoded; edit its bytes in the Bytes pane.")
        elif decoded.damage is not None:
            note = say("{message}.", message=decoded.damage.message)
        self.fact(say("note"), note)


class RawFacts(Facts):
    """Bytes that are no frame."""

    def fill(self, row: Row, sentence: str) -> None:
        """Show a raw row, with a sentence about it."""
        self.fact(say("bytes"), f"{row.size:,}")
        self.fact(say("from"), f"0x{row.offset:06x}")
        self.fact(say("to"), f"0x{row.offset + row.size:06x}")
        self.fact(say("what"), sentence)


class HeaderForm(FieldForm):
    """The file header. Signals: `asked(str, str)`: a field's path and the text of its new value; `chosen(str)`."""

    asked = Signal(str, str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.heading(say("File header"))
        self.editors: Mapping[str, TextEdit | MomentEdit | NumberEdit] = {
            "map": TextEdit(theme, longest=LONGEST_MAP_NAME, name=field_title("map")),
            "date": MomentEdit(theme, say("date, UTC")),
            "version": NumberEdit(theme, "", integer=True, low=0, high=65535, name=field_title("version")),
        }
        self._magic = Label(theme, "", "mono")
        self._shown: FileHeader | None = None
        meanings = {field.path: say(field.meaning) for field in FIELDS}
        for path, editor in self.editors.items():
            self.field_row(path, field_title(path), editor, meanings[path], wide=path != "version")
            editor.committed.connect(partial(self.asked.emit, path))
        self.field_row("magic", field_title("magic"), self._magic, meanings["magic"], wide=True)

    def fill(self, header: FileHeader) -> None:
        """Show a header."""
        raw = header.encode()
        for field, start, stop in header.spans():
            self.field_rows[field.path].set_raw(raw_text(raw[start:stop]))
        values: dict[str, Any] = {"map": header.map_name, "date": header.date, "version": header.version}
        for path, editor in self.editors.items():
            is_typed_in = isinstance(editor, (TextEdit, NumberEdit)) and (editor.dirty or editor.reason)
            if not is_typed_in or header != self._shown:
                editor.set_value(values[path])
        self._magic.setText(header.magic.decode("ascii", "replace"))
        self._shown = header


def frame_title(snapshot: Snapshot, frame: Frame, units: Units) -> tuple[str, str]:
    """Return title and detail of a frame."""
    title = say("Frame {index:,}", index=frame.index + 1)
    return title, moment_text(snapshot, frame.elapsed, units)
