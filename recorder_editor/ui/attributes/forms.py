"""The forms: one for records of a packet type, one each for header, frame, packet, and bytes that are nothing.

A form is built once and filled anew for every selection, so that a step of frames only sets values.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QDateTime, Qt, QTimeZone, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QDateTimeEdit, QWidget

from ...edits.place import Place
from ...format.codec import Leaf
from ...format.header import FIELDS, LONGEST_MAP_NAME, FileHeader
from ...format.schema import Field, PacketType, Value
from ...recording.contents import Frame, Packet, Row
from ..describe import number_text
from ..theme import Theme
from ..widgets import Bar, Form, FormRow, Label, NumberEdit, NumberLabel, TextEdit
from ..widgets.forms import GroupHeading
from .editors import FieldEditor

Commit = Callable[[FieldEditor, str], None]
LONGEST_RAW = 12


def raw_text(data: bytes) -> str:
    """Bytes as the form shows them at the right of an editor."""
    text = data[:LONGEST_RAW].hex(" ")
    return text + " …" if len(data) > LONGEST_RAW else text


class RawLabel(Label):
    """The bytes of a field. Signal: `clicked`."""

    clicked = Signal()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit()


@dataclass
class Line:
    """A field in a form: its editor and its line."""

    editor: FieldEditor
    row: FormRow


class RecordForm(Form):
    """The plain fields of a record type, in groups. Signals: `asked(FieldEditor, str)`, `chosen(str)` (a path)."""

    asked = Signal(object, str)
    chosen = Signal(str)

    def __init__(self, theme: Theme, kind: PacketType, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.kind = kind
        self.lines: dict[str, Line] = {}
        group = ""
        # Whose record it is stands in the title already: the id comes last.
        for field in sorted(kind.record.fields.values(), key=lambda field: field is kind.actor_field):
            if field.group != group and field.group:
                self.heading(_heading(field.group))
            elif field.group != group or not self.lines:
                self.heading(_heading("record" if field is kind.actor_field else kind.record.name))
            group = field.group
            self._add(field)

    def _add(self, field: Field) -> None:
        editor = FieldEditor(self.theme, field, self)
        editor.committed.connect(lambda text: self.asked.emit(editor, text))
        label = field.name.replace("_", " ")
        row = self.wide(label, editor.widget) if editor.is_wide else self.row(label, editor.widget)
        row.label.setToolTip(field.meaning)
        row.raw.installEventFilter(self)
        self.lines[field.path] = Line(editor, row)

    def fill(self, packet: Packet, record: int, leaves: Sequence[Leaf]) -> None:
        """Show one record."""
        for leaf in leaves:
            line = self.lines.get(leaf.path)
            if line is not None:
                data = packet.body[leaf.start : leaf.stop]
                line.row.set_raw(raw_text(data))
                line.editor.show(packet.decoded.value(leaf))

    def fill_mixed(self, records: Sequence[tuple[Packet, int]]) -> None:
        """Show what several records have in common."""
        for path, line in self.lines.items():
            values = [packet.decoded.get(record, path) for packet, record in records]
            line.row.set_raw("")
            if all(_same(value, values[0]) for value in values):
                line.editor.show(values[0])
            else:
                line.editor.show_mixed()

    def mark(self, path: str | None) -> None:
        """Show which field is selected."""
        for name, line in self.lines.items():
            line.row.set_selected(name == path)


def _same(one: Value, other: Value) -> bool:
    return one == other and type(one) is type(other)


def _heading(text: str) -> str:
    words = text.replace("_", " ")
    return words[:1].upper() + words[1:]


class Facts(Form):
    """Names and values that are only read."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._facts: dict[str, Label] = {}
        self._numbers: dict[str, NumberLabel] = {}
        self._bars: dict[str, Bar] = {}

    def fact(self, name: str, value: str) -> None:
        """Set a line of words, made when it is first set."""
        label = self._facts.get(name)
        if label is None:
            label = Label(self.theme, "", "small")
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._facts[name] = label
            self.wide(name, label)
        label.setText(value)

    def number(self, name: str, value: float | None, unit: str = "") -> None:
        """Set a number, made when it is first set."""
        label = self._numbers.get(name)
        if label is None:
            label = NumberLabel(self.theme, unit, name=name)
            self._numbers[name] = label
            self.row(name, label)
        label.set_value(value)

    def bar(self, name: str, value: float | None, low: float = 0.0) -> None:
        """Set a share as a bar, made when it is first set."""
        bar = self._bars.get(name)
        if bar is None:
            bar = Bar(self.theme, low, 1.0, name)
            self._bars[name] = bar
            self.wide(name, bar)
        bar.set_value(value)


class FrameForm(RecordForm):
    """A frame: its three values, and what it holds."""

    def __init__(self, theme: Theme, kind: PacketType, parent: QWidget | None = None) -> None:
        super().__init__(theme, kind, parent)
        self.heading(self.tr("Holds"))
        self._packets = NumberLabel(theme, "", name="packets")
        self._bytes = NumberLabel(theme, "B", name="bytes")
        self.row(self.tr("packets"), self._packets)
        self.row(self.tr("bytes"), self._bytes)

    def fill_frame(self, frame: Frame) -> None:
        """Show a frame."""
        start = frame.packets[0]
        self.fill(start, 0, start.decoded.leaves(0))
        self._packets.set_value(len(frame.packets))
        self._bytes.set_value(frame.size)


class PacketFacts(Facts):
    """A packet: id, size, count, what it is for."""

    def fill(self, packet: Packet) -> None:
        """Show a packet."""
        decoded = packet.decoded
        self.fact(self.tr("id"), str(packet.id))
        self.fact(self.tr("body"), f"{packet.size:,} B")
        self.fact(self.tr("count"), f"{decoded.count:,}" if decoded.count is not None else "–")
        self.fact(self.tr("records"), f"{len(decoded):,}" if packet.type.body in ("list", "single") else "–")
        self.fact(self.tr("what"), packet.type.meaning + ".")
        hint = ""
        if packet.type.body == "opaque":
            hint = self.tr("Nobody decodes this body; its bytes can be edited in the Bytes pane.")
        elif decoded.damage is not None:
            hint = decoded.damage.message + "."
        self.fact(self.tr("note"), hint)


class RawFacts(Facts):
    """Bytes that are no frame."""

    def fill(self, row: Row, sentence: str) -> None:
        """Show a raw row, with what was found out about it."""
        self.fact(self.tr("bytes"), f"{row.size:,}")
        self.fact(self.tr("from"), f"0x{row.offset:06x}")
        self.fact(self.tr("to"), f"0x{row.offset + row.size:06x}")
        self.fact(self.tr("what"), sentence)


class HeaderForm(Form):
    """The file header. Signal: `asked(str, object)`: a field's name and its new value."""

    asked = Signal(str, object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.heading(self.tr("File header"))
        self._magic = Label(theme, "", "mono")
        self.map = TextEdit(theme, longest=LONGEST_MAP_NAME, name="map")
        self.date = QDateTimeEdit(calendarPopup=True, displayFormat="yyyy-MM-dd HH:mm:ss")
        self.date.setTimeZone(QTimeZone.utc())
        self.date.setAccessibleName(self.tr("date, UTC"))
        self.version = NumberEdit(theme, "", integer=True, low=0, high=65535, name="version")
        self.lines = {
            "map": self.wide("map", self.map),
            "date": self.wide("date", self.date),
            "version": self.row("version", self.version),
            "magic": self.wide("magic", self._magic),
        }
        for field in FIELDS:
            self.lines[field.path].label.setToolTip(field.meaning)
        self.map.committed.connect(lambda text: self.asked.emit("map_name", text))
        self.version.committed.connect(lambda text: self.asked.emit("version", int(text, 0)))
        self.date.editingFinished.connect(self._date_edited)
        self._shown = 0

    def fill(self, header: FileHeader) -> None:
        """Show a header."""
        self._shown = header.date
        self.map.set_value(header.map_name)
        self.version.set_value(header.version, str(header.version))
        self.date.setDateTime(QDateTime.fromSecsSinceEpoch(header.date, QTimeZone.utc()))
        self._magic.setText(header.magic.decode("ascii", "replace"))

    def _date_edited(self) -> None:
        seconds = self.date.dateTime().toSecsSinceEpoch()
        if seconds != self._shown:
            self.asked.emit("date", seconds)

    def mark(self, path: str | None) -> None:
        """Show which field is selected."""
        for name, line in self.lines.items():
            line.set_selected(name == path)


def heading_of(form: Form, text: str) -> GroupHeading:
    """Begin a group of a form."""
    return form.heading(text)


def frame_title(frame: Frame) -> tuple[str, str]:
    """Title and detail of a frame."""
    return f"Frame {frame.index + 1}", f"{number_text(frame.elapsed)} s"


def places_of(place: Place, more: Sequence[Place]) -> list[Place]:
    """All selected records, the first one first, without their fields."""
    return list(dict.fromkeys(one._replace(field=None) for one in (place, *more)))
