"""The pages of the panel: each shows one kind of selection and says what its editors ask for."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from ....format import PacketType
from ....reading import Life, short_blueprint
from ....recording import Packet, Place, Snapshot
from ....texts import listed, say
from ....views.describe import icon_of, speed_in
from ....views.selection import Selection, look_up
from ...session import Session
from ...session.preferences import APPLY_TO
from ...style.boxes import Stretch, fill
from ...style.theme import Theme
from ...widgets import ElidedLabel, Form, FormRow, Segmented, ThemedWidget
from ...widgets.base import Sign
from .attribute_list import AttributeList
from .editors import FieldEditor, is_addable
from .forms import Facts, FieldForm, RecordForm, raw_text


def tighten(form: Form) -> Form:
    """Stack forms under one another: only the outermost keep their upper and lower margin."""
    layout = form.layout()
    assert layout is not None
    margins = layout.contentsMargins()
    layout.setContentsMargins(margins.left(), 2, margins.right(), 6)
    return form


class Heading(ThemedWidget):
    """The title of a page: semi-bold words, and a line with an icon and a detail."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.words = ElidedLabel(theme, "", "bold")
        self.detail = ElidedLabel(theme, "", "small", "muted")
        self._sign = Sign(theme)
        below = fill(QHBoxLayout(), self._sign, (self.detail, 1), spacing=6)
        fill(QVBoxLayout(self), self.words, below, spacing=2, margins=(12, 12, 12, 4))

    def show_title(self, words: str, detail: str = "", icon: str = "") -> None:
        """Set them; an empty icon leaves its place out."""
        self.words.setText(words)
        self.detail.setText(detail)
        self._sign.set_icon(icon)


class ApplyForm(Form):
    """Which frames a commit is meant for, and whether typing sets or adds. Signal: `mode_changed`."""

    mode_changed = Signal()

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.session = session
        self.scope = QComboBox()
        self.scope.setAccessibleName(say("Apply to"))
        for value, text in APPLY_TO.said.choices.items():
            self.scope.addItem(say(text), value)
        self.typing = Segmented(theme, [say("Set"), say("Add")], name=say("Mode"))
        self.typing.setToolTip(say("Set the value, or add to it"))
        self.wide(say("Apply to"), self.scope)
        self.wide(say("Mode"), self.typing)
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
    """A life: when, whose child, whose parent. A double click goes to the birth."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(theme)
        self._session = session
        self.heading(say("Actor"))

    def fill(self, life: Life) -> None:
        """Show a life."""
        actors = self._session.actors
        assert actors is not None
        self._born = life.born
        kind = say(life.class_)
        if life.is_hero:
            kind = say("{kind}, hero", kind=kind)
        self.fact(say("class"), kind)
        self.fact(say("role"), life.role_name or "–")
        self.fact(say("first frame"), f"{life.born + 1:,}")
        self.fact(say("last frame"), f"{life.gone:,}" if life.gone is not None else say("to the end"))
        parent = actors.parent_of(life)
        self.fact(say("parent"), f"{parent.actor} {short_blueprint(parent.blueprint)}" if parent else "–")
        children = actors.children_of(life)
        names = [*(str(child.actor) for child in children[:12]), *(["…"] if len(children) > 12 else [])]
        self.fact(say("children"), listed(names) or "–")

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._session.selection.go_to_frame(self._born)


class RecordPage(QWidget):
    """A record, or several. Attributes: `form`, and `list` (of the attributes of a description) say what is asked."""

    def __init__(self, session: Session, theme: Theme, kind: PacketType, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.theme = theme
        self.kind = kind
        self.heading = Heading(theme)
        self.form = RecordForm(theme, kind)
        self.nested = FieldForm(theme)
        self._nested: tuple[FieldEditor, FormRow] | None = None
        self.apply = ApplyForm(session, theme)
        self.apply.mode_changed.connect(self.refresh)
        self.list: AttributeList | None = None
        self._holder = Form(theme)
        self.derived = Facts(theme, say("Derived"))
        self.actor = ActorFacts(session, theme)
        if "attributes" in kind.record.arrays:
            choices = kind.record.arrays["attributes"].element.fields["type"].choices or {}
            self.list = AttributeList(theme, choices)
            self._holder.heading(say("Attributes"))
            self._holder.across(self.list)
        forms: tuple[Form, ...] = (self.form, self._holder, self.nested, self.apply, self.derived, self.actor)
        fill(QVBoxLayout(self), self.heading, *map(tighten, forms), Stretch(), spacing=0)
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

    def refresh(self) -> None:
        """Fill everything from the session."""
        found = self.session.selection.found
        if found.packet is None or found.record is None:
            return
        if self.session.selection.more:
            self._fill_several(found.packet)
            return
        packet = found.packet
        record = found.record
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

    def _fill_several(self, packet: Packet) -> None:
        snapshot = self.session.snapshot
        selection = self.session.selection
        assert snapshot is not None
        records = []
        for one, index, _ in alike(snapshot, selection.value, packet.type):
            records.append((one, index))
        if self.adds:
            verb = say("typing adds to all of them")
        else:
            verb = say("typing sets all of them")
        self.heading.show_title(say("{name} of {count} actors", name=say(packet.name), count=len(records)), verb)
        self.form.fill_mixed(records)
        if self.adds:
            self._show_zeros()
        leaf = selection.found.leaf
        self.form.mark(leaf.path if leaf is not None else None)
        for widget in (self.derived, self.actor, self.nested, self._holder):
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
            self.nested.heading(say("Selected"))
            editor = FieldEditor(self.theme, leaf.field, self)
            editor.committed.connect(lambda text: self.form.asked.emit(editor, text))
            row = self.nested.field_row(
                leaf.path, leaf.field.label, editor.widget, say(leaf.field.meaning), wide=editor.is_wide
            )
            self._nested = editor, row
        editor, row = self._nested
        row.label.setToolTip(say("{path}: {meaning}", path=leaf.path, meaning=say(leaf.field.meaning)))
        if not (editor.is_typed_in and editor.path == leaf.path):
            editor.show(packet.decoded.value(leaf))
        editor.path = leaf.path
        row.set_raw(raw_text(packet.body[leaf.start : leaf.stop]))
        row.set_selected(True)
        counted = leaf.path in packet.type.record.arrays or leaf.path == "count"
        editor.widget.setEnabled(not counted)

    def _fill_actor(self, packet: Packet, record: int) -> None:
        selection = self.session.selection
        owner = packet.type.actor_field
        life = selection.life if selection.actor is not None else None
        words = say(
            "{name}, {kind} {record}", name=say(packet.name), kind=say(packet.type.record.name), record=record + 1
        )
        if owner is not None:
            words = say("{name} of {actor}", actor=packet.decoded.get(record, "id"), name=say(packet.name))
        if life is not None:
            self.heading.show_title(words, life.blueprint, icon_of(life))
        else:
            self.heading.show_title(words, say(packet.type.meaning), "packet")
        frame = selection.frame if life is not None and owner is not None else None
        self.actor.setVisible(frame is not None)
        if frame is not None and life is not None:
            self.actor.fill(life)
        speed = None
        if life is not None:
            speed = speed_in(frame, life.actor)
        self.derived.setVisible(speed is not None)
        if speed is not None:
            self.derived.number(say("speed"), speed, "m/s")


def alike(snapshot: Snapshot, selection: Selection, kind: PacketType) -> list[tuple[Packet, int, Place]]:
    """The selected records of one type, the first one first: (packet, record, place without its field)."""
    records = []
    for place in dict.fromkeys(one._replace(field=None) for one in (selection.place, *selection.more)):
        found = look_up(snapshot, place)
        if found.packet is not None and found.record is not None and found.packet.type is kind:
            records.append((found.packet, found.record, place))
    return records
