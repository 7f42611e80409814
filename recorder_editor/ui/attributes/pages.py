"""The pages of the panel: each shows one kind of selection and says what its editors ask for."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from ...edits.place import Place
from ...format.schema import PacketType
from ...recording.lives import Life, short_blueprint
from ...recording.snapshot import Snapshot
from ...recording.views import Frame, Packet
from ..boxes import fill
from ..describe import icon_of, speed_in
from ..preferences import APPLY_TO
from ..selection import look_up
from ..session import Session
from ..theme import Theme
from ..widgets import ElidedLabel, Form, FormRow, Segmented, ThemedWidget
from .attribute_list import AttributeList
from .editors import FieldEditor, is_addable
from .forms import Facts, FieldForm, RecordForm, raw_text


def tighten(form: Form, top: int = 2, bottom: int = 6) -> Form:
    """Stack forms under one another: only the outermost keep their upper and lower margin."""
    layout = form.layout()
    assert layout is not None
    margins = layout.contentsMargins()
    layout.setContentsMargins(margins.left(), top, margins.right(), bottom)
    return form


class Heading(ThemedWidget):
    """The title of a page: semi-bold words, and a line with an icon and a detail."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.words = ElidedLabel(theme, "", "bold")
        self.detail = ElidedLabel(theme, "", "small", "muted")
        self._icon = QLabel()
        self._icon.setFixedSize(14, 14)
        self._icon.hide()
        self._name = ""
        below = fill(QHBoxLayout(), self._icon, (self.detail, 1), spacing=6)
        fill(QVBoxLayout(self), self.words, below, spacing=2, margins=(12, 12, 12, 4))

    def show_title(self, words: str, detail: str = "", icon: str = "") -> None:
        """Set them; an empty icon leaves its place out."""
        if self.words.text() != words:
            self.words.setText(words)
        if self.detail.text() != detail:
            self.detail.setText(detail)
        if icon != self._name:
            self._name = icon
            self._icon.setVisible(bool(icon))
            self.restyle()

    def restyle(self) -> None:
        super().restyle()
        if self._name:
            ratio = self.devicePixelRatioF()
            icons = self.theme.icons
            self._icon.setPixmap(icons.pixmap(self._name, 14, icons.color_of(self._name), ratio))


class ApplyForm(Form):
    """Which frames a commit is meant for, and whether typing sets or adds. Signal: `mode_changed`."""

    mode_changed = Signal()

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.session = session
        self.scope = QComboBox()
        self.scope.setObjectName("applyTo")
        self.scope.setAccessibleName(self.tr("Apply to"))
        for value, text in APPLY_TO.choices.items():
            self.scope.addItem(text, value)
        self.typing = Segmented(theme, [self.tr("Sets"), self.tr("Adds")], name=self.tr("Typing"))
        self.typing.setToolTip(self.tr("Sets the value, or adds what is typed to it"))
        self.wide(self.tr("Apply to"), self.scope)
        self.wide(self.tr("Typing"), self.typing)
        self.scope.activated.connect(lambda: session.editing.set_scope(self.scope.currentData()))
        self.typing.changed.connect(self.mode_changed)
        session.editing.scope_changed.connect(self._show_scope)
        self._show_scope()

    @property
    def adds(self) -> bool:
        """What is typed is added."""
        return self.typing.current == 1

    def _show_scope(self) -> None:
        self.scope.setCurrentIndex(list(APPLY_TO.choices).index(self.session.editing.scope))


class ActorFacts(Facts):
    """A life: when, whose child, whose parent. Click goes to the birth. Signal: `go(int)` (frame index)."""

    go = Signal(int)

    def fill(self, session: Session, life: Life) -> None:
        """Show a life."""
        actors = session.actors
        assert actors is not None
        self._born = life.born
        self.fact(self.tr("class"), life.class_ + (", hero" if life.is_hero else ""))
        self.fact(self.tr("role"), life.role_name or "–")
        self.fact(self.tr("born"), self.tr("frame %1").replace("%1", f"{life.born + 1:,}"))
        gone = life.gone
        self.fact(self.tr("gone"), f"frame {gone + 1:,}" if gone is not None else self.tr("lives to the end"))
        parent = actors.parent_of(life)
        self.fact(self.tr("parent"), f"{parent.actor} {short_blueprint(parent.blueprint)}" if parent else "–")
        children = actors.children_of(life)
        names = ", ".join(str(child.actor) for child in children[:12]) + (" …" if len(children) > 12 else "")
        self.fact(self.tr("children"), names or "–")

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.go.emit(self._born)


class RecordPage(QWidget):
    """A record, or several.

    Signals: `asked(FieldEditor, str)`, `switched(FieldEditor, int, bool)`, `coloured(str, str)`, `chosen(str)`,
    `attributes(list, str)`, `go(int)`, `dragged(str)`, `menu_asked(str, QPoint)` (of a field).
    """

    dragged = Signal(str)
    menu_asked = Signal(str, QPoint)
    asked = Signal(object, str)
    switched = Signal(object, object, bool)
    coloured = Signal(str, str)
    chosen = Signal(str)
    attributes = Signal(list, str)
    go = Signal(int)

    def __init__(self, session: Session, theme: Theme, kind: PacketType, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.theme = theme
        self.kind = kind
        self.heading = Heading(theme)
        self.form = RecordForm(theme, kind)
        self.form.asked.connect(self.asked)
        self.form.switched.connect(self.switched)
        self.form.coloured.connect(self.coloured)
        self.form.chosen.connect(self.chosen)
        self.form.dragged.connect(self.dragged)
        self.form.menu_asked.connect(self.menu_asked)
        self.nested = FieldForm(theme)
        self._nested: tuple[FieldEditor, FormRow] | None = None
        self.apply = ApplyForm(session, theme)
        self.apply.mode_changed.connect(self.refresh)
        self.list: AttributeList | None = None
        self._holder = Form(theme)
        self.derived = Facts(theme)
        self.derived.heading(self.tr("Derived"))
        self.control = Facts(theme)
        self.control.heading(self.tr("Control in this frame"))
        self.walking = Facts(theme)
        self.walking.heading(self.tr("AnimWalker in this frame"))
        self.actor = ActorFacts(theme)
        self.actor.heading(self.tr("Actor"))
        self.actor.go.connect(self.go)
        layout = fill(QVBoxLayout(self), self.heading, tighten(self.form), spacing=0)
        if "attributes" in kind.record.arrays:
            self._add_list()
        layout.addWidget(tighten(self._holder))
        layout.addWidget(tighten(self.nested))
        layout.addWidget(tighten(self.apply))
        for facts in (self.derived, self.control, self.walking, self.actor):
            layout.addWidget(tighten(facts))
        layout.addStretch(1)
        # Only now, with a parent: what is shown without one is a window of its own for a moment.
        self.apply.setVisible(kind.actor_field is not None and kind.dtype is not None)
        self._holder.setVisible(self.list is not None)

    @property
    def has_scope(self) -> bool:
        """Apply to, and whether typing sets or adds, stand in the form and hold."""
        return not self.apply.isHidden()

    @property
    def adds(self) -> bool:
        """What is typed is added."""
        return self.has_scope and self.apply.adds

    def _add_list(self) -> None:
        choices = self.kind.record.arrays["attributes"].element.fields["type"].choices or {}
        self.list = AttributeList(self.theme, choices)
        self.list.changed.connect(self.attributes)
        self._holder.heading(self.tr("Attributes"))
        self._holder.across(self.list)

    def refresh(self) -> None:
        """Fill everything from the session."""
        found = self.session.selection.found
        if found.packet is None or found.record is None:
            return
        more = self.session.selection.more
        if more:
            self._fill_several(found.packet, found.record, more)
            return
        packet, record = found.packet, found.record
        leaves = packet.decoded.leaves(record)
        self.form.fill(packet, record, leaves)
        if self.adds:
            self._show_zeros()
        self.form.mark(found.leaf.path if found.leaf is not None else None)
        self._fill_nested(packet, record)
        if self.list is not None:
            self._holder.show()
            self.list.show_attributes(packet.decoded.record(record)["attributes"])
            self.list.mark(found.leaf.path if found.leaf is not None else "")
        self._fill_actor(packet, record)

    def _show_zeros(self) -> None:
        """What is typed is added: editors of numbers begin at nothing."""
        for line in self.form.lines.values():
            field = line.editor.field
            if is_addable(field) and not line.editor.is_typed_in:
                line.editor.show(0.0 if field.type in ("f32", "f64") else 0)

    def _fill_several(self, packet: Packet, record: int, more: Sequence[Place]) -> None:
        snapshot = self.session.snapshot
        assert snapshot is not None
        records = [(one, index) for one, index, _ in alike(snapshot, packet, record, more)]
        verb = self.tr("typing adds to all of them") if self.adds else self.tr("typing sets all of them")
        self.heading.show_title(f"{packet.name} of {len(records)} actors", verb)
        self.form.fill_mixed(records)
        if self.adds:
            self._show_zeros()
        found = self.session.selection.found
        self.form.mark(found.leaf.path if found.leaf is not None else None)
        for widget in (self.derived, self.control, self.walking, self.actor, self.nested, self._holder):
            widget.hide()

    def _fill_nested(self, packet: Packet, record: int) -> None:
        """An editor for the selected element of an array: a wheel's radius, a bone's place."""
        leaf = self.session.selection.found.leaf
        inside = leaf is not None and leaf.path not in self.form.lines and not leaf.path.startswith("attributes")
        self.nested.setVisible(inside)
        if leaf is None or not inside:
            return
        if self._nested is None or self._nested[0].field is not leaf.field:
            self.nested.clear()
            self.nested.heading(self.tr("Selected"))
            editor = FieldEditor(self.theme, leaf.field, self)
            editor.committed.connect(lambda text: self.asked.emit(editor, text))
            row = self.nested.field_row(
                leaf.path, leaf.field.label, editor.widget, leaf.field.meaning, wide=editor.is_wide
            )
            self._nested = editor, row
        editor, row = self._nested
        row.label.setToolTip(f"{leaf.path}: {leaf.field.meaning}")
        if not (editor.is_typed_in and editor.path == leaf.path):
            editor.show(packet.decoded.value(leaf))
        editor.path = leaf.path
        row.set_raw(raw_text(packet.body[leaf.start : leaf.stop]))
        row.set_selected(True)
        counted = leaf.path in packet.type.record.arrays or leaf.path == "count"
        editor.widget.setEnabled(not counted)

    def _fill_actor(self, packet: Packet, record: int) -> None:
        session = self.session
        life = session.selection.life if session.selection.actor is not None else None
        owner = packet.type.actor_field
        words = f"{packet.name}, {packet.type.record.name} {record + 1}"
        if owner is not None:
            words = f"{packet.name} of {packet.decoded.get(record, 'id')!r}"
        if life is not None:
            self.heading.show_title(words, life.blueprint, icon_of(life))
        else:
            self.heading.show_title(words, packet.type.meaning, "packet")
        frame = session.selection.frame
        shown = life is not None and frame is not None and owner is not None
        self.actor.setVisible(shown)
        if shown and life is not None:
            self.actor.fill(session, life)
        self._fill_derived(frame if shown else None, life)

    def _fill_derived(self, frame: Frame | None, life: Life | None) -> None:
        speed = speed_in(frame, life.actor) if life is not None else None
        distance = self._to_hero(frame, life)
        self.derived.setVisible(speed is not None or distance is not None)
        if speed is not None or distance is not None:
            self.derived.number(self.tr("speed"), speed, "m/s")
            self.derived.number(self.tr("to hero"), distance, "m")
        self._fill_control(frame, life)

    def _fill_control(self, frame: Frame | None, life: Life | None) -> None:
        packet = frame.packet("AnimVehicle") if frame is not None else None
        record = packet.decoded.find_actor(life.actor) if packet is not None and life is not None else None
        shown = packet is not None and record is not None and self.kind.name != "AnimVehicle"
        self.control.setVisible(shown)
        if packet is not None and record is not None and shown:
            values = packet.array[record]
            self.control.bar(self.tr("steering"), float(values["steering"]), -1.0)
            self.control.bar(self.tr("throttle"), float(values["throttle"]))
            self.control.bar(self.tr("brake"), float(values["brake"]))

        self._fill_walking(frame, life)

    def _fill_walking(self, frame: Frame | None, life: Life | None) -> None:
        walks = life is not None and life.class_ == "walker" and self.kind.name != "AnimWalker"
        packet = frame.packet("AnimWalker") if frame is not None and walks else None
        record = packet.decoded.find_actor(life.actor) if packet is not None and life is not None else None
        self.walking.setVisible(record is not None)
        if packet is not None and record is not None:
            self.walking.number(self.tr("speed"), float(packet.array[record]["speed"]), "cm/s")

    def _to_hero(self, frame: Frame | None, life: Life | None) -> float | None:
        actors = self.session.actors
        packet = frame.packet("Position") if frame is not None else None
        if frame is None or packet is None or actors is None or life is None or life.is_hero:
            return None
        hero = next((one for one in actors.alive(frame.index) if one.is_hero), None)
        if hero is None:
            return None
        own, other = packet.decoded.find_actor(life.actor), packet.decoded.find_actor(hero.actor)
        if own is None or other is None:
            return None
        here, there = packet.array[own], packet.array[other]
        return math.dist(*([float(one[f"location.{axis}"]) for axis in "xyz"] for one in (here, there))) / 100


def alike(
    snapshot: Snapshot, packet: Packet, record: int, more: Sequence[Place]
) -> list[tuple[Packet, int, Place | None]]:
    """The selected records of one type, the first one first: (packet, record, place; None for the first)."""
    records: list[tuple[Packet, int, Place | None]] = [(packet, record, None)]
    for place in more:
        found = look_up(snapshot, place._replace(field=None))
        if found.packet is not None and found.record is not None and found.packet.type is packet.type:
            records.append((found.packet, found.record, place._replace(field=None)))
    return records
