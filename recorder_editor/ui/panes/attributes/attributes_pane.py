"""The Attributes pane: picks the page for what is selected, and turns what its editors ask for into edits."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QPoint, QSize, Qt
from PySide6.QtGui import QDrag
from PySide6.QtWidgets import QLayout, QMenu, QStackedWidget, QVBoxLayout, QWidget

import recorder_editor as library

from ....errors import RecorderError
from ....format import Field, FileHeader, PacketType, parse_value
from ....format.codec import Record
from ....format.schema import Value
from ....progress import SILENT, Progress
from ....reading import Actors
from ....recording import Edit, Frame, Packet, Place, Row, Snapshot
from ....recording.compose import compose
from ....texts import N_, say, say_count
from ....views.copied_records import fields_table, selected_table
from ....views.selection import HEADER, frame_of, look_up
from ....views.signal_catalog import keys_at
from ....views.signal_key import Key
from ...session import Scope, Session
from ...session.editing import Reach, other_scope
from ...style.boxes import Stretch, fill, make_scrolling
from ...style.theme import Theme
from ...widgets import EmptyState
from ...widgets.copied import Copied, copied_table
from ...widgets.dragged_signals import drag_data
from ...widgets.page_text import copied_page
from ...widgets.pane import Pane
from .attribute_list import AttributeList
from .compared_page import ComparedFooter, ComparedPage
from .editors import CHANNELS, FieldEditor, is_addable, linear_shares, sum_of
from .event_page import EventFooter, EventPage
from .forms import HeaderForm, PacketFacts, RawFacts
from .frame_page import FramePage
from .pages import Heading, RecordPage, records_alike, tighten

_SECONDS_OF_A_GESTURE = 0.8
_PASSES = 3  # of laying out


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

    def heightForWidth(self, width: int) -> int:
        page = self.currentWidget()
        if page is not None:
            return page.heightForWidth(width)
        return super().heightForWidth(width)


class AttributePanel(Pane):
    """The form of the selection, in a scroll area (`area`).

    Attributes:
        event_footer: What can be done with the chosen event, while its page is shown.
        compared_footer: What can be done with the chosen thing of a comparison, while its page is shown.
    """

    guide_topic = Pane.packet_topic

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self._stack = _Pages()
        self.area = make_scrolling(self._stack)
        self.area.setAccessibleName(say("Attributes of the selection"))
        self.event_footer = EventFooter(session, theme)
        self.event_footer.asked.connect(self.action_asked)
        self.compared_footer = ComparedFooter(session, theme)
        fill(QVBoxLayout(self), (self.area, 1), self.event_footer, self.compared_footer, spacing=0)
        self.event_footer.hide()
        self.compared_footer.hide()
        self.setFocusProxy(self.area)
        self.give(self.area, self.copied_values)
        self.offer_menu(self.area, self._menu_of_page)
        self._empty = EmptyState(theme, say("Nothing selected"), say("Select a packet, a byte or an actor."))
        self._stack.addWidget(self._empty)
        self._records: dict[PacketType, RecordPage] = {}
        self._pages: dict[str, tuple[QWidget, Any, Heading]] = {}
        self._event: EventPage | None = None
        self._compared: ComparedPage | None = None
        self._frame: FramePage | None = None
        self._burst = 0
        self._last_commit = 0.0
        session.opened.connect(self._open)
        session.selection.rested.connect(self.refresh)
        session.background.trajectories_changed.connect(self.refresh)
        session.background.findings_changed.connect(self.refresh)
        session.events.changed.connect(self.refresh)
        session.events.kinds_changed.connect(self.refresh)
        session.events.chosen_changed.connect(self.refresh)
        session.comparison.changed.connect(self.refresh)
        session.comparison.marked.connect(self.refresh)
        theme.changed.connect(self._refresh_units)

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
            # Else a page whose layout is not stale would stay as high as the one before.
            QCoreApplication.sendEvent(self.area, QEvent(QEvent.Type.LayoutRequest))
            self.area.verticalScrollBar().setValue(0)
        self.event_footer.setVisible(page is self._event)
        self.event_footer.fill()
        self.compared_footer.setVisible(page is self._compared)
        self.compared_footer.fill()
        self._settle(page)

    def _refresh_units(self) -> None:
        """Show times, sizes and values of an event or of a thing that differs in other units."""
        page = self._stack.currentWidget()
        if isinstance(page, (EventPage, ComparedPage)):
            page.fill()

    def _settle(self, page: QWidget) -> None:
        """Lay the page out now: painted before Qt gets to it, it would be squeezed into the room of the last one."""
        layout = page.layout()
        if layout is None:
            return
        layouts = _layouts_in(layout)
        layouts.append(layout)  # the inner ones first
        # A form takes other columns when its width has changed, with the scroll bar for one: hence again.
        for _ in range(_PASSES):
            is_stale = False
            for inner in layouts:
                is_stale |= inner.activate()
            if not is_stale:
                break
            QCoreApplication.sendEvent(self.area, QEvent(QEvent.Type.LayoutRequest))

    def _page(self) -> QWidget:
        """Return the page for what is selected, filled."""
        snapshot = self.session.snapshot
        content = self.session.selection.target
        if self.session.events.is_selected and snapshot is not None:
            return self._event_page()
        if self.session.comparison.is_selected and snapshot is not None:
            return self._compared_page()
        if snapshot is not None and snapshot.header is not None and self.session.selection.place.row == HEADER:
            return self._header_page(snapshot.header)
        if snapshot is None or content.row is None:
            return self._empty
        if isinstance(content.row, Frame) and (content.packet is None or content.packet.id == 0):
            return self._frame_page(snapshot, content.row)
        if content.packet is None:
            return self._raw_page(content.row)
        if content.record is None:
            return self._packet_page(content.packet)
        page = self._record_page(content.packet.type)
        page.refresh()
        return page

    def _event_page(self) -> EventPage:
        """Return the page of the chosen event, made when one is first chosen."""
        if self._event is None:
            self._event = EventPage(self.session, self.theme)
            self._stack.addWidget(self._event)
        self._event.fill()
        return self._event

    def _compared_page(self) -> ComparedPage:
        """Return the page of the chosen thing of a comparison, made when one is first chosen."""
        if self._compared is None:
            self._compared = ComparedPage(self.session, self.theme)
            self._stack.addWidget(self._compared)
        self._compared.fill()
        return self._compared

    def _record_page(self, kind: PacketType) -> RecordPage:
        """Return the page for records of a packet type, made when it is first needed."""
        page = self._records.get(kind)
        if page is not None:
            return page
        page = RecordPage(self.session, self.theme, kind)
        self._records[kind] = page
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

    def _simple_page(
        self, icon: str, make: Callable[[Theme], Any], title: str, detail: str, asked: Callable[..., None] | None = None
    ) -> tuple[QWidget, Any]:
        """Return a page of a heading and one form, made when it is first needed.

        Args:
            icon: The icon, which stands for the page, too.
            make: Makes the form.
            title: The title.
            detail: The line beneath it.
            asked: Called for the edits of the form; None for a form without edits.

        Returns:
            (The page, its form.)
        """
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
        recording = self.session.recording
        name = ""
        if recording is not None and recording.path is not None:
            name = recording.path.name
        title = say("File header")
        page, form = self._simple_page("header", HeaderForm, title, name, self._set_header)
        form.fill(header)
        form.mark(self.session.selection.place.field)
        return page

    def _frame_page(self, snapshot: Snapshot, frame: Frame) -> FramePage:
        """Return the page of a frame, made when one is first selected."""
        if self._frame is None:
            self._frame = FramePage(self.session, self.theme, frame.packets[0].type)
            self._frame.form.asked.connect(self._set_frame_start)
            self._frame.form.chosen.connect(self._choose)
            self._stack.addWidget(self._frame)
        self._frame.fill(snapshot, frame)
        return self._frame

    def _packet_page(self, packet: Packet) -> QWidget:
        page, form = self._simple_page("packet", PacketFacts, say(packet.name), say(packet.type.meaning))
        form.fill(packet)
        return page

    def _raw_page(self, row: Row) -> QWidget:
        title = say("Outside of frames")
        page, form = self._simple_page("raw", RawFacts, title, say("bytes outside of frames"))
        sentence = say("These bytes can be edited in the Bytes pane.")
        for finding in self.session.background.findings:
            if finding.row == row.row:
                sentence = finding.message
                break
        form.fill(row, sentence)
        return page

    # --- edits ------------------------------------------------------------------------------------------

    def _gesture(self, what: str) -> str:
        """Return the name of a gesture: edits of one gesture that follow one another quickly are one undo step."""
        now = time.monotonic()
        if now - self._last_commit > _SECONDS_OF_A_GESTURE:
            self._burst += 1
        self._last_commit = now
        return f"{what} {self._burst}"

    def _choose(self, path: str) -> None:
        """Select a field of what is shown; further records stay selected with it."""
        selection = self.session.selection
        place = self.session.selection.place
        if place.row != HEADER and selection.target.record is None:
            place = Place(place.row, 0, 0)  # of a frame: its FrameStart
        selection.select(place._replace(field=path), more=selection.more)

    def _field_keys(self, path: str) -> tuple[Key, ...]:
        """Return the signal that a field of the shown record is over time; none where it is no number."""
        snapshot = self.session.snapshot
        place = self.session.selection.place
        if snapshot is not None:
            return keys_at(snapshot, place._replace(field=path))
        return ()

    def dragged_data(self, path: str) -> QMimeData | None:
        """Return what is dragged with a field; None where it is no number."""
        keys = self._field_keys(path)
        if keys:
            return drag_data(keys)
        return None

    def _drag(self, path: str) -> None:
        data = self.dragged_data(path)
        if data is not None:
            drag = QDrag(self)
            drag.setMimeData(data)
            drag.exec(Qt.DropAction.CopyAction)

    def _menu(self, path: str, point: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self._field_keys(path):
            menu.addAction(say("Plot over time"), partial(self.action_asked.emit, "signals.plot"))
        self.offer_copies(menu, self.area)
        menu.popup(point)

    def _menu_of_page(self, _point: QPoint) -> QMenu:
        menu = QMenu(self)
        self.offer_copies(menu, self.area)
        return menu

    def copied_values(self) -> Copied | None:
        """Return what the page shows as a table: of one record the exact value of each field, of several a row each."""
        page = self._stack.currentWidget()
        snapshot = self.session.snapshot
        if page is None or page is self._empty or snapshot is None:
            return None
        if not isinstance(page, RecordPage):
            return copied_page(page)
        places = self._places()
        if len(places) == 1:
            return copied_table(*fields_table(snapshot, places[0]))
        return copied_table(*selected_table(snapshot, places))

    def _places(self) -> list[Place]:
        """Return the selected records of one type, the first one first, without their fields."""
        packet = self.session.selection.target.packet
        snapshot = self.session.snapshot_or_refuse()
        if packet is None:
            return []
        records = records_alike(snapshot, self.session.selection.value, packet.type)
        return [place for _, _, place in records]

    def _commit(self, editor: FieldEditor, text: str) -> None:
        self._change(editor, lambda _place: parse_value(editor.field, text))

    def _switch(self, editor: FieldEditor, bit: int, on: bool) -> None:
        """Set or clear one bit of several records that differ: each keeps its other bits."""

        def switched(place: Place) -> int:
            number = self._stored(place)
            assert isinstance(number, int)
            if on:
                return number | bit
            return number & ~bit

        self._change(editor, switched)

    def _stored(self, place: Place) -> Value:
        """Return the value of a field as it is stored."""
        return stored_value(self.session.snapshot_or_refuse(), place)

    def _change(self, editor: FieldEditor, value_of: Callable[[Place], Value]) -> None:
        """Give the selected records values, in the frames that were chosen; a refusal is shown at the editor.

        Args:
            editor: The editor of the field.
            value_of: Returns the value of a record, or what is added to it; raises RecorderError for a refusal.
        """
        session = self.session
        field = editor.field
        packet = self.session.selection.target.packet
        values: list[tuple[Place, Value]] = []
        try:
            for record in self._places():
                place = record._replace(field=editor.path)
                values.append((place, value_of(place)))
        except RecorderError as error:
            editor.widget.refuse(error.message)
            return
        if packet is None or not values:
            return
        page = self._record_page(packet.type)
        scope: Scope = "frame"
        if page.has_scope:
            scope = session.editing.scope
        change = ScopedChange(packet.type, field, values, adds=page.adds and is_addable(field))
        chosen = self._reach(change, scope)
        other = None
        if page.has_scope and not field.actor and session.selection.life is not None:
            other = self._reach(change, other_scope(scope))
        gesture = None
        if chosen.scope == "frame" and not change.adds:  # what is added twice is two steps
            first, _ = values[0]
            gesture = self._gesture(f"{first}+{len(values)}")
        job = session.editing.attempt_reach(chosen, other, gesture=gesture, refuse=editor.widget.refuse)
        if job is not None:
            # Cancelled, it leaves the editor with what was typed: show what is stored again.
            job.ended.connect(self.refresh)

    def _reach(self, change: "ScopedChange", scope: Scope) -> Reach:
        """Return a change for a choice of frames; one for this frame alone sets just the selected records."""
        editing = self.session.editing
        index = self.session.selection.frame_index
        if scope == "frame" or editing.frames_for(scope) == range(index, index + 1):
            return Reach("frame", 1, change.title(1), change.here)
        spans = [self._span_of(place, scope) for place, _ in change.values]
        number = sum(len(span) for span in spans)
        return Reach(scope, number, change.title(number), partial(change.over, spans=spans))

    def _span_of(self, place: Place, scope: Scope) -> range:
        """Return the frames that an edit of a record is for: those of its actor's life in the choice."""
        session = self.session
        actor = look_up(session.snapshot_or_refuse(), place._replace(field=None)).actor
        life = None
        if session.actors is not None and actor is not None:
            life = session.actors.at(actor, session.selection.frame_index)
        frames = session.editing.frames_for(scope, life)
        if life is None:
            return frames
        return life.within(frames)

    def _set_colour(self, group: str, text: str) -> None:
        def make() -> Edit:
            values = []
            for place in self._places():
                for channel, share in zip(CHANNELS, linear_shares(text), strict=True):
                    values.append((place._replace(field=f"{group}.{channel}"), share))
            return library.edits.set_fields(self.session.snapshot_or_refuse(), values, label=say("Set colour"))

        packet = self.session.selection.target.packet
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

    def _set_attributes(self, editor: AttributeList, attributes: list[Record], label: str) -> None:
        place = self.session.selection.place._replace(field=None)
        content = self.session.selection.target
        if content.packet is None or content.record is None:
            return
        record = dict(content.packet.decoded.record(content.record))
        record["attributes"] = attributes

        def make() -> Edit:
            return library.edits.replace_record(self.session.snapshot_or_refuse(), place, record, label)

        self.session.editing.attempt(make, refuse=editor.refuse)


def _layouts_in(layout: QLayout) -> list[QLayout]:
    """Return the layouts of the widgets that a layout holds."""
    layouts = []
    for index in range(layout.count()):
        item = layout.itemAt(index)
        widget = None
        if item is not None:
            widget = item.widget()
        if widget is not None:
            inner = widget.layout()
            if inner is not None:
                layouts.append(inner)
    return layouts


def stored_value(snapshot: Snapshot, place: Place) -> Value:
    """Return the value of a field as it is stored."""
    content = look_up(snapshot, place)
    assert content.packet is not None
    assert content.leaf is not None
    return content.packet.decoded.value(content.leaf)


class ScopedChange:
    """Values for a field of records, which are set in this frame or in many.

    Attributes:
        kind: The packet type of the records.
        field: The field.
        values: The field of each record, and its value, or what is added to it.
        adds: The values are added.
    """

    def __init__(self, kind: PacketType, field: Field, values: Sequence[tuple[Place, Value]], *, adds: bool) -> None:
        self.kind = kind
        self.field = field
        self.values = values
        self.adds = adds

    def title(self, frames: int) -> str:
        """Return the title of a job that changes so many frames."""
        return say_count("Changing 1 frame", "Changing {count:,} frames", count=frames)

    def here(self, snapshot: Snapshot, progress: Progress) -> Edit:
        """Return the edit of the records alone."""
        del progress  # it takes no time
        results = self.values
        if self.adds:
            results = [(place, sum_of(self.field, stored_value(snapshot, place), added)) for place, added in results]
        return library.edits.set_fields(snapshot, results)

    def over(self, snapshot: Snapshot, progress: Progress, *, spans: Sequence[range]) -> Edit:
        """Return the edit of many frames: one for all actors, or none where one of them refuses.

        Args:
            snapshot: The recording.
            progress: Tells how far it is.
            spans: The frames of each record's actor, which hold the frame of the records.
        """
        count = len(self.values)
        label = ""
        if count > 1:
            if self.adds:
                template = N_("Add to {name} of {actors} actors")
            else:
                template = N_("Set {name} of {actors} actors")
            frames = max(span.stop for span in spans) - min(span.start for span in spans)
            name = library.edits.fields.short_label(self.kind, self.field)
            label = library.edits.intents.over_frames(say(template, name=name, actors=count), frames)

        def change(state: Snapshot, index: int) -> Edit:
            place, value = self.values[index]
            part = progress.part(index / count, (index + 1) / count)
            return over(state, place, value, spans[index], adds=self.adds, progress=part)

        return compose(snapshot, label, (partial(change, index=index) for index in range(count)))


def over(
    snapshot: Snapshot, place: Place, value: Value, frames: range, *, adds: bool, progress: Progress = SILENT
) -> Edit:
    """Return the edit that sets a field of an actor in many frames, or adds to it.

    Args:
        snapshot: The recording.
        place: A field of a record of the actor.
        value: The value, or what is added.
        frames: Indices of the frames.
        adds: Add to the field; adding to a place moves the actor.
        progress: Tells how far it is.
    """
    if not adds:
        return library.edits.set_over(snapshot, place, value, frames, progress=progress)
    assert isinstance(value, (int, float))
    content = look_up(snapshot, place)
    name, dot, axis = (place.field or "").partition(".")
    life = Actors.of(snapshot).at(content.actor or 0, frame_of(snapshot, place.row))
    is_position = content.packet is not None and content.packet.name == "Position"
    if is_position and name == "location" and dot and life:
        offset = {"x": 0.0, "y": 0.0, "z": 0.0}
        offset[axis] = float(value) / 100
        way = (offset["x"], offset["y"], offset["z"])
        return library.edits.move_actors(snapshot, [life], way, frames=frames, progress=progress)
    return library.edits.add_over(snapshot, place, float(value), frames, progress=progress)
