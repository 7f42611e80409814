"""The Attributes pane: picks the page for what is selected, and turns what its editors ask for into edits."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QPoint, QSize, Qt
from PySide6.QtGui import QDrag
from PySide6.QtWidgets import QMenu, QStackedWidget, QVBoxLayout, QWidget

import recorder_editor as library

from ....errors import RecorderError
from ....format import FileHeader, PacketType, parse_value
from ....format.codec import Record
from ....format.schema import Value
from ....progress import SILENT, Progress
from ....reading import Actors
from ....recording import Edit, Frame, Packet, Place, Row, Snapshot
from ....recording.compose import compose
from ....texts import N_, say
from ....views.selection import HEADER, frame_of, look_up
from ....views.signal_catalog import keys_at
from ....views.signal_key import Key
from ...session import Session
from ...style.boxes import Stretch, fill, scrolling
from ...style.theme import Theme
from ...widgets import EmptyState
from ...widgets.dragged_signals import dragged
from ...widgets.pane import Pane
from .attribute_list import AttributeList
from .editors import CHANNELS, FieldEditor, is_addable, linear_shares, sum_of
from .forms import FrameForm, HeaderForm, PacketFacts, RawFacts, frame_title
from .pages import Heading, RecordPage, alike, tighten

_SECONDS_OF_A_GESTURE = 0.8
_PASSES = 3


class _Pages(QStackedWidget):
    """As high as the page that is shown, not as the highest one."""

    def sizeHint(self) -> QSize:
        page = self.currentWidget()
        if page is not None:
            return page.sizeHint()
        return super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        page = self.currentWidget()
        if page is not None:
            return page.minimumSizeHint()
        return super().minimumSizeHint()


class AttributePanel(Pane):
    """The form of the selection, in a scroll area (`area`)."""

    guide_topic = Pane.packet_topic

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._stack = _Pages()
        self.area = scrolling(self._stack)
        self.area.setAccessibleName(say("Attributes of the selection"))
        fill(QVBoxLayout(self), self.area)
        self.setFocusProxy(self.area)
        self._empty = EmptyState(theme, say("Nothing selected"), say("Select a packet, a byte or an actor."))
        self._stack.addWidget(self._empty)
        self._records: dict[PacketType, RecordPage] = {}
        self._pages: dict[str, tuple[QWidget, Any, Heading]] = {}
        self._burst = 0
        self._last_commit = 0.0
        session.opened.connect(self._open)
        session.selection.rested.connect(self.refresh)
        session.background.trajectories_changed.connect(self.refresh)

    def _open(self) -> None:
        for page in self._records.values():
            self._stack.removeWidget(page)
            page.deleteLater()
        self._records.clear()
        self.refresh()

    # --- the page for the selection ---------------------------------------------------------------------

    def refresh(self) -> None:
        """Show what is selected."""
        if not self.isVisible():
            return
        page = self._page()
        if self._stack.currentWidget() is not page:
            self._stack.setCurrentWidget(page)
            self._stack.updateGeometry()
            self.area.verticalScrollBar().setValue(0)
        self._settle(page)

    def _settle(self, page: QWidget) -> None:
        """Lay the page out now: painted before Qt gets to it, it would be squeezed into the room of the last one."""
        layout = page.layout()
        if layout is None:
            return
        widgets = [item.widget() for at in range(layout.count()) if (item := layout.itemAt(at)) is not None]
        layouts = [inner for widget in widgets if widget is not None and (inner := widget.layout()) is not None]
        # A form takes other columns when its width has changed, with the scroll bar for one: hence again.
        for _ in range(_PASSES):
            stale = [inner.activate() for inner in (*layouts, layout)]
            if not any(stale):
                break
            QCoreApplication.sendEvent(self.area, QEvent(QEvent.Type.LayoutRequest))

    def _page(self) -> QWidget:
        snapshot = self.session.snapshot
        found = self.session.selection.found
        if snapshot is not None and snapshot.header is not None and self.session.selection.place.row == HEADER:
            return self._header_page(snapshot.header)
        if snapshot is None or found.row is None:
            return self._empty
        if isinstance(found.row, Frame) and (found.packet is None or found.packet.id == 0):
            return self._frame_page(snapshot, found.row)
        if found.packet is None:
            return self._raw_page(found.row)
        if found.record is None:
            return self._packet_page(found.packet)
        page = self._record_page(found.packet.type)
        page.refresh()
        return page

    def _record_page(self, kind: PacketType) -> RecordPage:
        page = self._records.get(kind)
        if page is None:
            page = self._records[kind] = RecordPage(self.session, self.theme, kind)
            page.form.asked.connect(self._commit)
            page.form.switched.connect(self._switch)
            page.form.coloured.connect(self._set_colour)
            page.form.chosen.connect(self._choose)
            page.form.dragged.connect(self._drag)
            page.form.menu_asked.connect(self._menu)
            if page.list is not None:
                page.list.changed.connect(partial(self._set_attributes, page.list))
            self._stack.addWidget(page)
        return page

    def _made(
        self, icon: str, make: Callable[[Theme], Any], title: str, detail: str, asked: Callable[..., None] | None = None
    ) -> tuple[QWidget, Any]:
        """(A page of a heading and one form, that form), made when it is first needed; `asked` takes its edits."""
        if icon not in self._pages:
            page = QWidget()
            form = make(self.theme)
            heading = Heading(self.theme)
            fill(QVBoxLayout(page), heading, tighten(form), Stretch(), spacing=0)
            if asked is not None:
                form.asked.connect(asked)
                form.chosen.connect(self._choose)
            self._pages[icon] = page, form, heading
            self._stack.addWidget(page)
        page, form, heading = self._pages[icon]
        heading.show_title(title, detail, icon)
        return page, form

    def _header_page(self, header: FileHeader) -> QWidget:
        path = self.session.recording.path if self.session.recording is not None else None
        name = path.name if path is not None else ""
        page, form = self._made("header", HeaderForm, say("File header"), name, self._set_header)
        form.fill(header)
        form.mark(self.session.selection.place.field)
        return page

    def _frame_page(self, snapshot: Snapshot, frame: Frame) -> QWidget:
        make = partial(FrameForm, kind=frame.packets[0].type)
        title = frame_title(snapshot, frame, self.theme.units)
        page, form = self._made("frame", make, *title, self._set_frame_start)
        form.fill_frame(frame)
        form.mark(self.session.selection.place.field)
        return page

    def _packet_page(self, packet: Packet) -> QWidget:
        page, form = self._made("packet", PacketFacts, say(packet.name), say(packet.type.meaning))
        form.fill(packet)
        return page

    def _raw_page(self, row: Row) -> QWidget:
        page, form = self._made("raw", RawFacts, say("Outside of frames"), say("bytes outside of frames"))
        sentences = (finding.message for finding in self.session.background.findings if finding.row == row.row)
        form.fill(row, next(sentences, say("These bytes can be edited in the Bytes pane.")))
        return page

    # --- edits ------------------------------------------------------------------------------------------

    def _gesture(self, what: str) -> str:
        """Steps that follow one another quickly are one undo step."""
        now = time.monotonic()
        if now - self._last_commit > _SECONDS_OF_A_GESTURE:
            self._burst += 1
        self._last_commit = now
        return f"{what} {self._burst}"

    def _choose(self, path: str) -> None:
        """Select a field of what is shown; further records stay selected with it."""
        selection = self.session.selection
        place = self.session.selection.place
        if place.row != HEADER and selection.found.record is None:
            place = Place(place.row, 0, 0)  # of a frame: its FrameStart
        selection.select(place._replace(field=path), more=selection.more)

    def _field_keys(self, path: str) -> tuple[Key, ...]:
        """The signal that a field of the record that is shown is over time."""
        snapshot = self.session.snapshot
        place = self.session.selection.place
        if snapshot is not None:
            return keys_at(snapshot, place._replace(field=path))
        return ()

    def dragged_data(self, path: str) -> QMimeData | None:
        """What is dragged with a field; None where it is no number."""
        keys = self._field_keys(path)
        if keys:
            return dragged(keys)
        return None

    def _drag(self, path: str) -> None:
        data = self.dragged_data(path)
        if data is not None:
            drag = QDrag(self)
            drag.setMimeData(data)
            drag.exec(Qt.DropAction.CopyAction)

    def _menu(self, path: str, point: QPoint) -> None:
        if self._field_keys(path):
            menu = QMenu(self)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.addAction(say("Plot over time"), partial(self.action_asked.emit, "signals.plot"))
            menu.popup(point)

    def _places(self) -> list[Place]:
        """The selected records of one type, the first one first, without their fields."""
        packet = self.session.selection.found.packet
        snapshot = self.session.snapshot_or_refuse()
        if packet is None:
            return []
        return [place for *_, place in alike(snapshot, self.session.selection.value, packet.type)]

    def _commit(self, editor: FieldEditor, text: str) -> None:
        self._change(editor, lambda _place: parse_value(editor.field, text))

    def _switch(self, editor: FieldEditor, bit: int, on: bool) -> None:
        """One bit of several records that differ: each keeps its others."""

        def switched(place: Place) -> int:
            number = self._stored(place)
            assert isinstance(number, int)
            if on:
                return number | bit
            return number & ~bit

        self._change(editor, switched)

    def _stored(self, place: Place) -> Value:
        found = look_up(self.session.snapshot_or_refuse(), place)
        assert found.packet is not None
        assert found.leaf is not None
        return found.packet.decoded.value(found.leaf)

    def _change(self, editor: FieldEditor, value_of: Callable[[Place], Value]) -> None:
        """Give the selected records values in the frames that are meant; a refusal is said at the editor."""
        session = self.session
        field = editor.field
        packet = self.session.selection.found.packet
        try:
            places = []
            for place in self._places():
                places.append(place._replace(field=editor.path))
            wanted = [(place, value_of(place)) for place in places]
        except RecorderError as error:
            editor.widget.refuse(error.message)
            return
        if packet is None or not wanted:
            return
        page = self._record_page(packet.type)
        adds = page.adds and is_addable(field)
        here = range(session.selection.frame_index, session.selection.frame_index + 1)
        if page.has_scope and session.editing.scope != "frame" and session.editing.frames_for() != here:
            self._change_over(editor, wanted, adds=adds)
            return

        def make() -> Edit:
            values = []
            for one, value in wanted:
                values.append((one, sum_of(field, self._stored(one), value) if adds else value))
            return library.edits.set_fields(session.snapshot_or_refuse(), values)

        gesture = self._gesture(f"{places[0]}+{len(places)}")
        session.editing.attempt(make, gesture=gesture, refuse=editor.widget.refuse)

    def _change_over(self, editor: FieldEditor, wanted: Sequence[tuple[Place, Value]], *, adds: bool) -> None:
        """The same for many frames: one edit for all actors, or none where one of them refuses."""
        changes = [(place, value, self._frames_of(place)) for place, value in wanted]
        number = sum(len(frames) for *_, frames in changes)

        def make(snapshot: Snapshot, progress: Progress) -> Edit:
            def change(state: Snapshot, at: int) -> Edit:
                place, value, frames = changes[at]
                part = progress.part(at / len(changes), (at + 1) / len(changes))
                return over(state, place, value, frames, adds=adds, progress=part)

            return compose(snapshot, label, (partial(change, at=at) for at in range(len(changes))))

        label = ""
        if len(changes) > 1:
            if adds:
                template = N_("Add to {name} of {actors} actors")
            else:
                template = N_("Set {name} of {actors} actors")
            label = say(template, name=editor.field.label, actors=len(changes))
        title = say("Changing {number:,} frames", number=number)
        job = self.session.editing.attempt_over(number, title, make, refuse=editor.widget.refuse)
        if job is not None:
            # Cancelled, it leaves the editor with what was typed: show what is stored again.
            job.ended.connect(self.refresh)

    def _frames_of(self, place: Place) -> range:
        """The frames that an edit of this record is meant for."""
        session = self.session
        actor = look_up(session.snapshot_or_refuse(), place._replace(field=None)).actor
        actors = session.actors
        life = None
        if actors is not None and actor is not None:
            life = actors.at(actor, session.selection.frame_index)
        if session.editing.scope == "life" and life is not None:
            return range(life.born, life.gone if life.gone is not None else session.frames)
        return session.editing.frames_for()

    def _set_colour(self, group: str, text: str) -> None:
        def make() -> Edit:
            values = []
            for place in self._places():
                for channel, share in zip(CHANNELS, linear_shares(text), strict=True):
                    values.append((place._replace(field=f"{group}.{channel}"), share))
            return library.edits.set_fields(self.session.snapshot_or_refuse(), values, label=say("Set colour"))

        packet = self.session.selection.found.packet
        assert packet is not None
        gesture = self._gesture(f"{group}@{self.session.selection.place._replace(field=None)}")
        edit = self._record_page(packet.type).form.colours[group]
        self.session.editing.attempt(make, gesture=gesture, refuse=edit.refuse)

    def _set_header(self, path: str, text: str) -> None:
        self.session.editing.set_header(path, text, self._pages["header"][1].editors[path].refuse)

    def _set_frame_start(self, editor: FieldEditor, text: str) -> None:
        row = self.session.selection.row
        path = editor.field.path

        def make() -> Edit:
            value = parse_value(editor.field, text)
            return library.edits.set_frame_start(self.session.snapshot_or_refuse(), row, {path: value})

        self.session.editing.attempt(make, gesture=self._gesture(f"{path}@{row}"), refuse=editor.widget.refuse)

    def _set_attributes(self, shown: AttributeList, attributes: list[Record], label: str) -> None:
        place = self.session.selection.place._replace(field=None)
        found = self.session.selection.found
        if found.packet is None or found.record is None:
            return
        record = {**found.packet.decoded.record(found.record), "attributes": attributes}

        def make() -> Edit:
            return library.edits.replace_record(self.session.snapshot_or_refuse(), place, record, label)

        self.session.editing.attempt(make, refuse=shown.refuse)


def over(
    snapshot: Snapshot, place: Place, value: Value, frames: range, *, adds: bool, progress: Progress = SILENT
) -> Edit:
    """The edit that sets a field of an actor in many frames, or adds to it; adding to a place moves the actor."""
    if not adds:
        return library.edits.set_over(snapshot, place, value, frames, progress=progress)
    assert isinstance(value, (int, float))
    found = look_up(snapshot, place)
    name, dot, axis = (place.field or "").partition(".")
    life = Actors.of(snapshot).at(found.actor or 0, frame_of(snapshot, place.row))
    if found.packet is not None and found.packet.name == "Position" and name == "location" and dot and life:
        x, y, z = (float(value) / 100 if axis == one else 0.0 for one in "xyz")
        return library.edits.move_actors(snapshot, [life], (x, y, z), frames=frames, progress=progress)
    return library.edits.add_over(snapshot, place, float(value), frames, progress=progress)
