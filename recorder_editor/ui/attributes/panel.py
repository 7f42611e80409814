"""The Attributes pane: picks the page for what is selected, and turns what its editors ask for into edits."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QPoint, QSize, Qt
from PySide6.QtGui import QDrag
from PySide6.QtWidgets import QFrame, QMenu, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from ... import edits
from ...edits.place import Place
from ...errors import FieldError, RecorderError
from ...format.header import FIELDS, parse_header
from ...format.schema import Field, PacketType, Value
from ...format.values import parse_value
from ...progress import SILENT, Progress
from ...recording.actors import Actors
from ...recording.compose import compose
from ...recording.history import Edit
from ...recording.snapshot import Snapshot
from ...recording.views import Frame
from ..boxes import Stretch, fill
from ..icons import Icons
from ..pane import Pane
from ..selection import HEADER, frame_of, look_up
from ..session import Session
from ..signal_key import MIME, Key, packed
from ..signals.catalog import keys_at
from ..theme import Theme
from ..widgets import EmptyState
from .colours import CHANNELS, linear_shares
from .editors import FieldEditor, is_addable, sum_of
from .forms import FrameForm, HeaderForm, PacketFacts, RawFacts, frame_title
from .pages import Heading, RecordPage, alike, tighten

_SECONDS_OF_A_GESTURE = 0.8
_PASSES = 3


class _Pages(QStackedWidget):
    """As high as the page that is shown, not as the highest one."""

    def sizeHint(self) -> QSize:
        page = self.currentWidget()
        return page.sizeHint() if page is not None else super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        page = self.currentWidget()
        return page.minimumSizeHint() if page is not None else super().minimumSizeHint()


class AttributePanel(Pane):
    """The form of the selection, in a scroll area (`area`)."""

    guide_topic = Pane.packet_topic

    def __init__(self, session: Session, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.area = QScrollArea()
        self.area.setObjectName("attributePanel")
        self.area.setAccessibleName(self.tr("Attributes of the selection"))
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._stack = _Pages()
        self.area.setWidget(self._stack)
        fill(QVBoxLayout(self), self.area)
        self.setFocusProxy(self.area)
        self._empty = EmptyState(theme, self.tr("Nothing selected"), self.tr("Click a row, a byte or a car."))
        self._stack.addWidget(self._empty)
        self._records: dict[PacketType, RecordPage] = {}
        self._pages: dict[str, tuple[QWidget, Heading]] = {}
        self._burst = 0
        self._last_commit = 0.0
        session.opened.connect(self._open)
        session.selection.changed.connect(self.refresh)
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
        self._show(self._page())

    def _show(self, page: QWidget) -> None:
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
        session = self.session
        if session.snapshot is None:
            return self._empty
        if session.selection.place.row == HEADER:
            return self._header_page()
        found = session.selection.found
        if found.row is None:
            return self._empty
        if found.packet is None:
            return self._frame_page(found.row) if isinstance(found.row, Frame) else self._raw_page()
        if found.packet.id == 0 and isinstance(found.row, Frame):
            return self._frame_page(found.row)
        if found.record is None:
            return self._packet_page()
        page = self._record_page(found.packet.type)
        page.refresh()
        return page

    def _record_page(self, kind: PacketType) -> RecordPage:
        page = self._records.get(kind)
        if page is None:
            page = RecordPage(self.session, self.theme, kind)
            page.asked.connect(self._commit)
            page.switched.connect(self._switch)
            page.coloured.connect(self._set_colour)
            page.chosen.connect(self._choose)
            page.dragged.connect(self._drag)
            page.menu_asked.connect(self._menu)
            page.attributes.connect(self._set_attributes)
            page.go.connect(self.session.selection.go_to_frame)
            self._records[kind] = page
            self._stack.addWidget(page)
        return page

    def _made(self, name: str, make: Callable[[], Any]) -> tuple[Any, Heading]:
        """A page of a heading and one form, made when it is first needed."""
        if name not in self._pages:
            page = QWidget()
            form, heading = make(), Heading(self.theme)
            fill(QVBoxLayout(page), heading, tighten(form), Stretch(), spacing=0)
            page.setProperty("form", form)
            self._pages[name] = page, heading
            self._stack.addWidget(page)
        page, heading = self._pages[name]
        return page.property("form"), heading

    def _header_page(self) -> QWidget:
        snapshot = self.session.snapshot
        assert snapshot is not None
        if snapshot.header is None:
            return self._raw_page()

        def make() -> HeaderForm:
            made = HeaderForm(self.theme)
            made.asked.connect(self._set_header)
            made.chosen.connect(lambda path: self.session.selection.select(Place(HEADER, field=path)))
            return made

        form, heading = self._made("header", make)
        path = self.session.recording.path if self.session.recording is not None else None
        heading.show_title(self.tr("File header"), path.name if path is not None else "", "header")
        form.fill(snapshot.header)
        form.mark(self.session.selection.place.field)
        return self._pages["header"][0]

    def _frame_page(self, frame: Frame) -> QWidget:
        kind = frame.packets[0].type

        def make() -> FrameForm:
            made = FrameForm(self.theme, kind)
            made.asked.connect(self._set_frame_start)
            made.chosen.connect(
                lambda path: self.session.selection.select(Place(self.session.selection.row, 0, 0, path))
            )
            return made

        form, heading = self._made("frame", make)
        title, detail = frame_title(frame, self.theme.units)
        heading.show_title(title, detail, "frame")
        form.fill_frame(frame)
        form.mark(self.session.selection.place.field)
        return self._pages["frame"][0]

    def _packet_page(self) -> QWidget:
        packet = self.session.selection.found.packet
        assert packet is not None
        form, heading = self._made("packet", lambda: PacketFacts(self.theme))
        heading.show_title(packet.name, packet.type.meaning, "packet")
        form.fill(packet)
        return self._pages["packet"][0]

    def _raw_page(self) -> QWidget:
        row = self.session.selection.found.row
        if row is None:
            return self._empty
        form, heading = self._made("raw", lambda: RawFacts(self.theme))
        heading.show_title(self.tr("Outside of frames"), self.tr("bytes outside of frames"), "raw")
        sentences = (finding.message for finding in self.session.background.findings if finding.row == row.row)
        form.fill(row, next(sentences, self.tr("These bytes can be edited in the Bytes pane.")))
        return self._pages["raw"][0]

    # --- edits ------------------------------------------------------------------------------------------

    def _gesture(self, what: str) -> str:
        """Steps that follow one another quickly are one undo step."""
        now = time.monotonic()
        if now - self._last_commit > _SECONDS_OF_A_GESTURE:
            self._burst += 1
        self._last_commit = now
        return f"{what} {self._burst}"

    def _choose(self, path: str) -> None:
        """Select a field of the record that is shown; the others stay selected with it."""
        selection = self.session.selection.value
        if self.session.selection.found.record is not None:
            self.session.selection.select(selection.place._replace(field=path), more=selection.more)

    def _field_keys(self, path: str) -> tuple[Key, ...]:
        """The signal that a field of the record that is shown is over time."""
        snapshot, place = self.session.snapshot, self.session.selection.place
        return keys_at(snapshot, place._replace(field=path)) if snapshot is not None else ()

    def dragged_data(self, path: str) -> QMimeData | None:
        """What is dragged with a field; None where it is no number."""
        keys = self._field_keys(path)
        if not keys:
            return None
        data = QMimeData()
        data.setData(MIME, packed(keys))
        return data

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
            menu.addAction(self.tr("Plot over time"), partial(self.action_asked.emit, "signals.plot"))
            menu.popup(point)

    def _places(self) -> list[Place]:
        """The selected records of one type, the first one first, without their fields."""
        found, selection = self.session.selection.found, self.session.selection.value
        if found.packet is None or found.record is None:
            return []
        snapshot, first = self.session.snapshot_or_refuse(), selection.place._replace(field=None)
        records = alike(snapshot, found.packet, found.record, selection.more)
        return list(dict.fromkeys(place or first for _, _, place in records))

    def _commit(self, editor: FieldEditor, text: str) -> None:
        try:
            value = parse_value(editor.field, text)
            values = [(place._replace(field=editor.path), value) for place in self._places()]
            if values:
                self._change(editor, values)
        except RecorderError as error:
            editor.refuse(error.message)

    def _switch(self, editor: FieldEditor, bit: int, on: bool) -> None:
        """One bit of several records that differ: each keeps its others."""
        try:
            snapshot, values = self.session.snapshot_or_refuse(), []
            for place in (place._replace(field=editor.path) for place in self._places()):
                found = look_up(snapshot, place)
                assert found.packet is not None
                assert found.leaf is not None
                number = found.packet.decoded.value(found.leaf)
                assert isinstance(number, int)
                values.append((place, number | bit if on else number & ~bit))
            if values:
                self._change(editor, values)
        except RecorderError as error:
            editor.refuse(error.message)

    def _change(self, editor: FieldEditor, wanted: Sequence[tuple[Place, Value]]) -> None:
        session, snapshot, field = self.session, self.session.snapshot_or_refuse(), editor.field
        packet = session.selection.found.packet
        assert packet is not None
        page = self._record_page(packet.type)
        adds = page.adds and is_addable(field)
        here = range(session.selection.frame_index, session.selection.frame_index + 1)
        if page.has_scope and session.editing.scope != "frame" and session.editing.frames_for() != here:
            self._change_over(editor, wanted, adds=adds)
            return
        values = [(place, self._sum(snapshot, place, field, value) if adds else value) for place, value in wanted]
        what = f"{values[0][0]} and {len(values) - 1} more"
        session.editing.apply(edits.set_fields(snapshot, values), gesture=self._gesture(what))

    def _sum(self, snapshot: Snapshot, place: Place, field: Field, added: Value) -> Value:
        found = look_up(snapshot, place)
        assert found.packet is not None
        assert found.leaf is not None
        return sum_of(field, found.packet.decoded.value(found.leaf), added)

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

        verb = self.tr("Add to %1 of %2 actors") if adds else self.tr("Set %1 of %2 actors")
        label = verb.replace("%1", editor.field.label).replace("%2", str(len(changes))) if len(changes) > 1 else ""
        title = self.tr("Changing %1 frames").replace("%1", f"{number:,}")
        job = self.session.editing.attempt_over(number, title, make, refuse=editor.refuse)
        if job is not None:
            # Cancelled, it leaves the editor with what was typed: show what is stored again.
            job.ended.connect(self.refresh)

    def _frames_of(self, place: Place) -> range:
        """The frames that an edit of this record is meant for."""
        session = self.session
        actor, actors = look_up(session.snapshot_or_refuse(), place._replace(field=None)).actor, session.actors
        life = actors.at(actor, session.selection.frame_index) if actors is not None and actor is not None else None
        if session.editing.scope == "life" and life is not None:
            return range(life.born, life.gone if life.gone is not None else session.frames)
        return session.editing.frames_for()

    def _set_colour(self, group: str, text: str) -> None:
        values = [
            (place._replace(field=f"{group}.{channel}"), share)
            for place in self._places()
            for channel, share in zip(CHANNELS, linear_shares(text), strict=True)
        ]
        try:
            edit = edits.set_fields(self.session.snapshot_or_refuse(), values, label=self.tr("Set colour"))
            self.session.editing.apply(edit, gesture=self._gesture(f"{group} of {values[0][0]}"))
        except RecorderError as error:
            packet = self.session.selection.found.packet
            assert packet is not None
            self._record_page(packet.type).form.colours[group].refuse(error.message)

    def _set_header(self, path: str, text: str) -> None:
        form = self._pages["header"][0].property("form")
        field = next(field for field in FIELDS if field.path == path)
        try:
            change: dict[str, Any] = {"map_name" if path == "map" else path: parse_value(field, text)}
            edit = edits.set_header(self.session.snapshot_or_refuse(), **change)
            if edit.header is not None and parse_header(edit.header.encode()) is None:
                sentence = self.tr("With this %1 the file would not be recognised as a recording.")
                raise FieldError(sentence.replace("%1", path), field=path)
            self.session.editing.apply(edit)
        except RecorderError as error:
            form.editors[path].refuse(error.message)

    def _set_frame_start(self, editor: FieldEditor, text: str) -> None:
        row = self.session.selection.row
        try:
            value = parse_value(editor.field, text)
            edit = edits.set_frame_start(self.session.snapshot_or_refuse(), row, {editor.field.path: value})
            self.session.editing.apply(edit, gesture=self._gesture(f"{editor.field.path} of row {row}"))
        except RecorderError as error:
            editor.refuse(error.message)

    def _set_attributes(self, attributes: list[dict[str, Any]], label: str) -> None:
        place, found = self.session.selection.place, self.session.selection.found
        if found.packet is None or found.record is None:
            return
        record = found.packet.decoded.record(found.record)
        record["attributes"] = attributes
        where = place._replace(field=None)
        try:
            self.session.editing.apply(edits.replace_record(self.session.snapshot_or_refuse(), where, record, label))
        except RecorderError as error:
            shown = self._record_page(found.packet.type).list
            assert shown is not None
            shown.refuse(error.message)


def over(
    snapshot: Snapshot, place: Place, value: Value, frames: range, *, adds: bool, progress: Progress = SILENT
) -> Edit:
    """The edit that sets a field of an actor in many frames, or adds to it; adding to a place moves the actor."""
    if not adds:
        return edits.set_over(snapshot, place, value, frames, progress=progress)
    assert isinstance(value, (int, float))
    found = look_up(snapshot, place)
    name, dot, axis = (place.field or "").partition(".")
    life = Actors.of(snapshot).at(found.actor or 0, frame_of(snapshot, place.row))
    if found.packet is not None and found.packet.name == "Position" and name == "location" and dot and life:
        x, y, z = (float(value) / 100 if axis == one else 0.0 for one in "xyz")
        return edits.move_actors(snapshot, [life], (x, y, z), frames=frames, progress=progress)
    return edits.add_over(snapshot, place, float(value), frames, progress=progress)
