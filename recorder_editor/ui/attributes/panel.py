"""The Attributes pane: picks the page for what is selected, and turns what its editors ask for into edits."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from ... import edits
from ...edits.place import Place
from ...errors import FieldError, RecorderError
from ...format.schema import PacketType, Value
from ...format.values import parse_value
from ...recording.contents import Frame
from ...recording.history import Edit
from ..icons import Icons
from ..jobs import Cancel, Progress
from ..selection import HEADER
from ..session import Session
from ..theme import Theme
from ..widgets import EmptyState
from .editors import FieldEditor
from .forms import FrameForm, HeaderForm, PacketFacts, RawFacts, frame_title, places_of
from .pages import Heading, RecordPage, tighten

FRAMES_AT_ONCE = 2_000
"""Frames that are changed on the spot; more of them as a job."""

_SECONDS_OF_A_GESTURE = 0.8


class AttributePanel(QScrollArea):
    """The form of the selection. Signal: `caption_changed(str)`."""

    caption_changed = Signal(str)
    caption = ""
    title_switches: tuple[QWidget, ...] = ()

    def __init__(self, session: Session, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.theme = theme
        self.setObjectName("attributePanel")
        self.setAccessibleName(self.tr("Attributes of the selection"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._stack = QStackedWidget()
        self.setWidget(self._stack)
        self._empty = EmptyState(theme, self.tr("Nothing selected"), self.tr("Click a row, a byte or a car."))
        self._stack.addWidget(self._empty)
        self._records: dict[PacketType, RecordPage] = {}
        self._pages: dict[str, tuple[QWidget, Heading]] = {}
        self._burst = 0
        self._last_commit = 0.0
        session.opened.connect(self._open)
        session.changed.connect(self.refresh)
        session.selected.connect(self.refresh)
        session.surveyed.connect(self.refresh)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

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
            self.verticalScrollBar().setValue(0)

    def _page(self) -> QWidget:
        session = self.session
        if session.snapshot is None:
            return self._empty
        if session.selection.place.row == HEADER:
            return self._header_page()
        found = session.found
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
            page.attributes.connect(self._set_attributes)
            page.go.connect(self.session.go_to_frame)
            self._records[kind] = page
            self._stack.addWidget(page)
        return page

    def _made(self, name: str, make: Callable[[], Any]) -> tuple[Any, Heading]:
        """A page of a heading and one form, made when it is first needed."""
        if name not in self._pages:
            page = QWidget()
            form, heading = make(), Heading(self.theme)
            layout = QVBoxLayout(page)
            layout.setContentsMargins(0, 0, 0, 0)
            layout.setSpacing(0)
            layout.addWidget(heading)
            layout.addWidget(tighten(form))
            layout.addStretch(1)
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
            return made

        form, heading = self._made("frame", make)
        title, detail = frame_title(frame)
        heading.show_title(title, detail, "frame")
        form.fill_frame(frame)
        form.mark(self.session.selection.place.field)
        return self._pages["frame"][0]

    def _packet_page(self) -> QWidget:
        packet = self.session.found.packet
        assert packet is not None
        form, heading = self._made("packet", lambda: PacketFacts(self.theme))
        heading.show_title(packet.name, packet.type.meaning, "packet")
        form.fill(packet)
        return self._pages["packet"][0]

    def _raw_page(self) -> QWidget:
        row = self.session.found.row
        if row is None:
            return self._empty
        form, heading = self._made("raw", lambda: RawFacts(self.theme))
        heading.show_title(self.tr("No frame"), self.tr("bytes that belong to no frame"), "raw")
        sentences = (finding.message for finding in self.session.findings if finding.row == row.row)
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

    def _commit(self, editor: FieldEditor, text: str) -> None:
        place = self._place_of(editor)
        if place is None:
            return
        try:
            value = parse_value(editor.field, text)
            self._change(editor, place, value)
        except RecorderError as error:
            editor.refuse(error.message)

    def _place_of(self, editor: FieldEditor) -> Place | None:
        found, place = self.session.found, self.session.selection.place
        if found.packet is None or found.record is None:
            return None
        path = editor.field.path
        if path not in found.packet.type.record.fields and found.leaf is not None:
            path = found.leaf.path
        return place._replace(field=path)

    def _change(self, editor: FieldEditor, place: Place, value: Value) -> None:
        session = self.session
        snapshot = session.snapshot_or_refuse()
        packet = session.found.packet
        assert packet is not None
        page = self._record_page(packet.type)
        adds = page.apply.adds and page.apply.isVisible() and isinstance(value, (int, float))
        others = places_of(place, session.selection.more)
        if len(others) > 1:
            values = [(one._replace(field=place.field), value) for one in others]
            session.apply(edits.set_fields(snapshot, values), gesture=self._gesture(f"{place.field} of many"))
            return
        frames = session.frames_for()
        if session.scope != "frame" and page.apply.isVisible() and len(frames) > 1:
            self._change_over(place, value, frames, adds, editor)
            return
        if adds:
            before = packet.decoded.get(place.record or 0, place.field or "")
            assert isinstance(before, (int, float))
            assert isinstance(value, (int, float))
            value = before + value
            if editor.field.angle:
                value = (value + 180.0) % 360.0 - 180.0
        session.apply(edits.set_field(snapshot, place, value), gesture=self._gesture(f"{place}"))

    def _change_over(self, place: Place, value: Value, frames: range, adds: bool, editor: FieldEditor) -> None:
        session, snapshot = self.session, self.session.snapshot_or_refuse()

        def make(progress: Progress | None, cancel: Cancel | None) -> Edit:
            if adds:
                assert isinstance(value, (int, float))
                return edits.add_over(snapshot, place, float(value), frames, progress=progress, cancel=cancel)
            return edits.set_over(snapshot, place, value, frames, progress=progress, cancel=cancel)

        if len(frames) <= FRAMES_AT_ONCE:
            session.apply(make(None, None))
            return

        def done(edit: Edit) -> None:
            session.attempt(lambda: edit)

        def failed(error: Exception) -> None:
            editor.refuse(error.message if isinstance(error, RecorderError) else str(error))

        session.jobs.start(self.tr("Changing %1 frames").replace("%1", f"{len(frames):,}"), make, done, failed)

    def _set_header(self, name: str, value: object) -> None:
        form = self._pages["header"][0].property("form")
        try:
            change: dict[str, Any] = {name: value}
            self.session.apply(edits.set_header(self.session.snapshot_or_refuse(), **change))
        except FieldError as error:
            (form.map if name == "map_name" else form.version).refuse(error.message)
        except RecorderError as error:
            self.session.refused.emit(error.message)

    def _set_frame_start(self, editor: FieldEditor, text: str) -> None:
        row = self.session.row
        try:
            value = parse_value(editor.field, text)
            edit = edits.set_frame_start(self.session.snapshot_or_refuse(), row, {editor.field.path: value})
            self.session.apply(edit, gesture=self._gesture(f"{editor.field.path} of row {row}"))
        except RecorderError as error:
            editor.refuse(error.message)

    def _set_attributes(self, attributes: list[dict[str, Any]], label: str) -> None:
        place, found = self.session.selection.place, self.session.found
        if found.packet is None or found.record is None:
            return
        record = found.packet.decoded.record(found.record)
        record["attributes"] = attributes
        where = place._replace(field=None)
        self.session.attempt(partial(edits.replace_record, self.session.snapshot_or_refuse(), where, record, label))
