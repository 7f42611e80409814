"""The pages of the panel: each shows one kind of selection and says what its editors ask for."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from ....format import Leaf, PacketType
from ....reading import Life, short_blueprint
from ....recording import Packet, Place, Snapshot
from ....texts import listed, say, say_count
from ....views.describe import icon_of, speed_in
from ....views.selection import Selection, look_up
from ...session import Session
from ...session.preferences import APPLY_TO
from ...style.boxes import Stretch, fill
from ...style.colors import ColorName
from ...style.theme import Theme
from ...widgets import ElidedLabel, Form, FormRow, Label, Segmented, ThemedWidget
from ...widgets.base import Sign
from .attribute_list import AttributeList
from .editors import FieldEditor, is_addable
from .forms import Facts, FieldForm, RecordForm, raw_text

_MOST_CHILDREN = 12


def tighten(form: Form) -> Form:
    """Reduce the upper and lower margins of a form that stands among others, and return it."""
    layout = form.layout()
    assert layout is not None
    margins = layout.contentsMargins()
    layout.setContentsMargins(margins.left(), 2, margins.right(), 6)
    return form


class Heading(ThemedWidget):
    """The title of a page.

    Attributes:
        title: The title, semi-bold.
        detail: The line beneath, behind an icon.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.title = ElidedLabel(theme, "", "bold")
        self.detail = ElidedLabel(theme, "", "small", "muted")
        self._sign = Sign(theme)
        below = fill(QHBoxLayout(), self._sign, (self.detail, 1), spacing=6)
        fill(QVBoxLayout(self), self.title, below, spacing=2, margins=(12, 12, 12, 4))

    def show_title(self, title: str, detail: str = "", icon: str = "", color: ColorName | None = None) -> None:
        """Set title, detail and icon, and the icon's colour; without an icon there is no room for one."""
        self.title.setText(title)
        self.detail.setText(detail)
        self._sign.set_icon(icon, color)


class ApplyForm(Form):
    """Which frames a commit is meant for, how many these are, and whether typing sets or adds.

    Attributes:
        scope: The choice of frames.
        reach: How many frames of the actor's life that is; empty where no selected actor is alive.
        typing: Whether typing sets or adds.

    Signals:
        mode_changed(): Typing sets instead of adding, or the other way round.
    """

    mode_changed = Signal()

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.session = session
        self.scope = QComboBox()
        self.scope.setAccessibleName(say("Apply to"))
        for value, text in APPLY_TO.texts.choices.items():
            self.scope.addItem(say(text), value)
        self.typing = Segmented(theme, [say("Set"), say("Add")], name=say("Mode"))
        self.typing.setToolTip(say("Set the value, or add to it"))
        self.wide(say("Apply to"), self.scope)
        self.reach = Label(theme, "", "small", "muted", wraps=True)
        self.wide("", self.reach)
        self.reach.hide()
        self.wide(say("Mode"), self.typing)
        self.scope.activated.connect(lambda: session.editing.set_scope(self.scope.currentData()))
        self.typing.changed.connect(self.mode_changed)
        session.editing.scope_changed.connect(self._show_scope)
        session.range.changed.connect(self.show_reach)
        self._show_scope()

    @property
    def adds(self) -> bool:
        """Whether what is typed is added."""
        return self.typing.current == 1

    def _show_scope(self) -> None:
        self.scope.setCurrentIndex(list(APPLY_TO.choices).index(self.session.editing.scope))
        self.show_reach()

    def show_reach(self) -> None:
        """Show how many frames an edit of the selected actors is for, and of how many."""
        lives = self.session.selection.lives
        editing = self.session.editing
        reached = sum(len(life.within(editing.frames_for(life=life))) for life in lives)
        count = sum(len(life.within(range(self.session.frames))) for life in lives)
        text = ""
        if len(lives) == 1:
            text = say_count(
                "{reached:,} of 1 frame of its life",
                "{reached:,} of {count:,} frames of its life",
                count=count,
                reached=reached,
            )
        elif lives:
            text = say_count(
                "{reached:,} of 1 frame of their lives",
                "{reached:,} of {count:,} frames of their lives",
                count=count,
                reached=reached,
            )
        if text != self.reach.text():  # else the form would be laid out anew in each frame
            self.reach.setText(text)
            self.reach.setVisible(bool(text))
            self.scope.setAccessibleDescription(text)


class ActorFacts(Facts):
    """A life: its frames, its parent and its children. A double click goes to its first frame."""

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
        last = say("to the end")
        if life.gone is not None:
            last = f"{life.gone:,}"
        self.fact(say("last frame"), last)
        parent_text = "–"
        parent = actors.parent_of(life)
        if parent:
            parent_text = f"{parent.actor} {short_blueprint(parent.blueprint)}"
        self.fact(say("parent"), parent_text)
        children = actors.children_of(life)
        names = [str(child.actor) for child in children[:_MOST_CHILDREN]]
        if len(children) > _MOST_CHILDREN:
            names.append("…")
        self.fact(say("children"), listed(names) or "–")

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._session.selection.go_to_frame(self._born)


class RecordPage(QWidget):
    """A record, or several.

    Attributes:
        kind: The packet type.
        heading: The title.
        form: The fields of the record; its signals say what is edited.
        nested: The selected element of an array.
        apply: Which frames an edit is for.
        list: The attributes of a description, with a signal that says what is edited; None for other types.
        derived: What follows from other packets.
        actor: The life of the actor.
    """

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
        fill(QVBoxLayout(self), self.heading, *[tighten(form) for form in forms], Stretch(), spacing=0)
        # Only now, with a parent: what is shown without one is a window of its own for a moment.
        self.apply.setVisible(kind.actor_field is not None and kind.dtype is not None)
        self._holder.setVisible(self.list is not None)

    @property
    def has_scope(self) -> bool:
        """Whether the form has a choice of frames, and of setting or adding."""
        return not self.apply.isHidden()

    @property
    def adds(self) -> bool:
        """Whether what is typed is added."""
        return self.has_scope and self.apply.adds

    def refresh(self) -> None:
        """Fill all forms from the session."""
        content = self.session.selection.target
        packet = content.packet
        record = content.record
        if packet is None or record is None:
            return
        self.apply.show_reach()
        self._mark_edited()
        if self.session.selection.more:
            self._fill_several(packet)
            return
        path = None
        if content.leaf is not None:
            path = content.leaf.path
        self.form.fill(packet, record, packet.decoded.leaves(record))
        if self.adds:
            self._show_zeros()
        self.form.mark(path)
        self._fill_nested(packet)
        if self.list is not None:
            self._holder.show()
            self.list.show_attributes(packet.decoded.record(record)["attributes"])
            self.list.mark(path or "")
        self._fill_actor(packet, record)

    def _mark_edited(self) -> None:
        """Show which fields of the selected record differ from the saved file; none of several records."""
        editing = self.session.editing
        record = self.session.selection.place._replace(field=None)
        has_edits = not self.session.selection.more and editing.is_edited(record)

        def is_edited(path: str) -> bool:
            return has_edits and editing.is_edited(record._replace(field=path))

        self.form.mark_edited(is_edited)

    def _show_zeros(self) -> None:
        """Let editors of numbers begin at zero: what is typed is added."""
        for line in self.form.lines.values():
            field = line.editor.field
            if is_addable(field) and not line.editor.is_typed_in:
                if field.type in ("f32", "f64"):
                    line.editor.show(0.0)
                else:
                    line.editor.show(0)

    def _fill_several(self, packet: Packet) -> None:
        snapshot = self.session.snapshot
        selection = self.session.selection
        assert snapshot is not None
        alike = records_alike(snapshot, selection.value, packet.type)
        records = [(owner, record) for owner, record, _ in alike]
        detail = say("typing sets all of them")
        if self.adds:
            detail = say("typing adds to all of them")
        title = say("{name} of {count} actors", name=say(packet.name), count=len(records))
        self.heading.show_title(title, detail)
        self.form.fill_mixed(records)
        if self.adds:
            self._show_zeros()
        path = None
        if selection.target.leaf is not None:
            path = selection.target.leaf.path
        self.form.mark(path)
        for widget in (self.derived, self.actor, self.nested, self._holder):
            widget.hide()

    def _fill_nested(self, packet: Packet) -> None:
        """Show an editor for the selected element of an array: the radius of a wheel, the place of a bone."""
        leaf = self.session.selection.target.leaf
        if leaf is None or leaf.path in self.form.lines or leaf.path.startswith("attributes"):
            self.nested.hide()
            return
        self.nested.show()
        if self._nested is None or self._nested[0].field is not leaf.field:
            self._nested = self._make_nested(leaf)
        editor, row = self._nested
        row.label.setToolTip(say("{path}: {meaning}", path=leaf.path, meaning=say(leaf.field.meaning)))
        if not (editor.is_typed_in and editor.path == leaf.path):
            editor.show(packet.decoded.value(leaf))
        editor.path = leaf.path
        row.set_raw(raw_text(packet.body[leaf.start : leaf.stop]))
        row.set_selected(True)
        is_count = leaf.path in packet.type.record.arrays or leaf.path == "count"
        editor.widget.setEnabled(not is_count)

    def _make_nested(self, leaf: Leaf) -> tuple[FieldEditor, FormRow]:
        """Make the editor of an element of an array, and its line, in the place of the one before."""
        self.nested.clear()
        self.nested.heading(say("Selected"))
        editor = FieldEditor(self.theme, leaf.field, self)
        editor.committed.connect(lambda text: self.form.asked.emit(editor, text))
        meaning = say(leaf.field.meaning)
        row = self.nested.field_row(leaf.path, leaf.field.label, editor.widget, meaning, wide=editor.is_wide)
        return editor, row

    def _fill_actor(self, packet: Packet, record: int) -> None:
        """Set the title, and show the life of the actor and what is derived of it."""
        selection = self.session.selection
        owner = packet.type.actor_field
        life = None
        if selection.actor is not None:
            life = selection.life
        if owner is not None:
            title = say("{name} of {actor}", actor=packet.decoded.get(record, "id"), name=say(packet.name))
        else:
            kind = say(packet.type.record.name)
            title = say("{name}, {kind} {record}", name=say(packet.name), kind=kind, record=record + 1)
        if life is not None:
            self.heading.show_title(title, life.blueprint, icon_of(life))
        else:
            self.heading.show_title(title, say(packet.type.meaning), "packet")
        frame = None
        speed = None
        if life is not None:
            if owner is not None:
                frame = selection.frame
            speed = speed_in(frame, life.actor)
        self.actor.setVisible(frame is not None)
        if frame is not None and life is not None:
            self.actor.fill(life)
        self.derived.setVisible(speed is not None)
        if speed is not None:
            self.derived.number(say("speed"), speed, "m/s")


def records_alike(snapshot: Snapshot, selection: Selection, kind: PacketType) -> list[tuple[Packet, int, Place]]:
    """Return the selected records of one type, the first one first: (packet, record, place without its field)."""
    places = [place._replace(field=None) for place in (selection.place, *selection.more)]
    records = []
    for place in dict.fromkeys(places):
        content = look_up(snapshot, place)
        if content.packet is not None and content.record is not None and content.packet.type is kind:
            records.append((content.packet, content.record, place))
    return records
