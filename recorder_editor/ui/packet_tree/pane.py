"""The Packets pane: the filter strip, the tree, and what can be done with what is selected in it."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QMenu, QVBoxLayout, QWidget

from ... import edits
from ...edits.place import Place
from ...exchange.dump import json_record, packet_line
from ...recording.contents import Frame, Packet
from ...recording.history import Edit
from ...recording.recording import Change
from ..icons import Icons
from ..jobs import Cancel, Progress
from ..selection import HEADER, look_up, span_of
from ..session import Session
from ..theme import Theme
from ..widgets import Label, SearchField, Segmented
from .filter import ExpressionError, Filter, filter_of
from .model import PacketModel
from .outline import MOST_CHILDREN
from .view import PacketView

_LARGEST_COPY = 1 << 24
_MS_BEFORE_FILTER = 150


class PacketPane(QWidget):
    """Signal: `caption_changed(str)`."""

    caption_changed = Signal(str)
    caption = ""
    title_switches: tuple[QWidget, ...] = ()

    def __init__(self, session: Session, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.theme = theme
        self.model = PacketModel(session, self)
        self.tree = PacketView(session, theme, self.model)
        hint, shorter = self.tr("Filter: Position where speed > 8"), self.tr("Filter packets")
        self.filter = SearchField(theme, hint, icon="", shorter=shorter)
        self.filter.setObjectName("packetFilter")
        self.filter.setClearButtonEnabled(True)
        self.filter.setToolTip(self.tr("Words, or a query; Enter goes to the next frame with a match"))
        self._filter: Filter | None = None
        self._soon = QTimer(self, singleShot=True, interval=_MS_BEFORE_FILTER)
        self._soon.timeout.connect(self._filter_typed)
        self.filter.textChanged.connect(lambda: self._soon.start())
        self.filter.returnPressed.connect(lambda: self.go_to_match(1))
        self.note = Label(theme, "", font="small", color="text")
        self.note.setWordWrap(True)
        self.note.setContentsMargins(10, 0, 10, 4)
        self.note.hide()
        self._narrowed: set[int] = set()
        self.mode = Segmented(theme, [self.tr("This frame"), self.tr("Recording")], name=self.tr("What is shown"))
        self.mode.changed.connect(lambda index: self._set_whole(index == 1))
        strip = QHBoxLayout()
        strip.setContentsMargins(8, 5, 8, 5)
        strip.setSpacing(8)
        strip.addWidget(self.filter, 1)
        strip.addWidget(self.mode)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(strip)
        layout.addWidget(self.note)
        layout.addWidget(self.tree, 1)
        self.setFocusProxy(self.tree)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.customContextMenuRequested.connect(self._menu)
        session.opened.connect(self._open)
        session.changed.connect(self._change)
        session.selected.connect(self._follow)
        self._open()

    # --- following the session --------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._follow()

    def _open(self) -> None:
        self.model.rebuild()
        self._expand_row()
        self._follow()

    def _set_whole(self, whole: bool) -> None:
        self.model.set_whole(whole)
        self._expand_row()
        self._follow()

    def _expand_row(self) -> None:
        if not self.model.whole:
            self.tree.expand(self.model.index_of(Place(self.session.row)))

    def _change(self, change: Change) -> None:
        self.tree.hold()
        self.model.change(change)
        self.tree.release()

    def _follow(self) -> None:
        if not self.isVisible():
            return
        self.model.show_current()
        self._show_filtered()
        self.tree.follow()
        self.tree.viewport().update()

    # --- the filter -------------------------------------------------------------------------------------

    def _filter_typed(self) -> None:
        """Take in what stands in the filter line; what is wrong with it is said beneath."""
        snapshot, text = self.session.snapshot, self.filter.text().strip()
        self._filter, said = None, ""
        if text and snapshot is not None:
            try:
                self._filter = filter_of(text, snapshot)
            except ExpressionError as error:
                said = f"{error.message} (column {error.column})"
        self._tell(said)
        self._show_filtered()

    def _tell(self, sentence: str) -> None:
        self.note.setText(sentence)
        self.note.setVisible(bool(sentence))

    def _show_filtered(self) -> None:
        """Hide what does not match, in the view of one frame."""
        snapshot, current, tree = self.session.snapshot, self.session.current, self.tree
        if snapshot is None or self.model.whole or not isinstance(current, Frame):
            return
        parent = self.model.index_of(Place(current.row))
        for packet in current.packets:
            shown = None
            if self._filter is not None:
                try:
                    shown = self._filter.shows(snapshot, current, packet, self.session.actors)
                except ExpressionError as error:
                    self._tell(error.message)
            tree.hide_row(packet.index, parent, shown is not None and not shown)
            self._hide_records(packet, parent, shown)

    def _hide_records(self, packet: Packet, parent: QModelIndex, shown: list[int] | None) -> None:
        if packet.type.body != "list" or len(packet.decoded) > MOST_CHILDREN:
            return
        if shown is None and packet.index not in self._narrowed:
            return
        index = self.model.index(packet.index, 0, parent)
        kept = set(shown) if shown is not None else None
        for record in range(len(packet.decoded)):
            self.tree.hide_row(record, index, kept is not None and record not in kept)
        (self._narrowed.discard if kept is None else self._narrowed.add)(packet.index)

    def go_to_match(self, step: int) -> None:
        """Select the first match in the next (or previous) frame that has one, found by a job."""
        snapshot, actors = self.session.snapshot, self.session.actors
        self._filter_typed()
        wanted = self._filter
        if wanted is None or snapshot is None or not len(snapshot):
            return
        start = self.session.frame_index

        def work(progress: Progress, cancel: Cancel) -> tuple[int, int, int | None] | None:
            return wanted.next_match(snapshot, actors, start, step, progress, cancel)

        def done(found: tuple[int, int, int | None] | None) -> None:
            if found is None or self.session.snapshot is not snapshot:
                self._tell(self.tr("No frame has a match."))
                return
            self.session.select(Place(snapshot.table.row_of_frame(found[0]), found[1], found[2]))

        def failed(error: Exception) -> None:
            self._tell(str(error))

        self.session.jobs.start(self.tr("Finding the next match"), work, done, failed, quiet=True)

    # --- going ------------------------------------------------------------------------------------------

    def go_to_packet(self, step: int) -> None:
        """Select the next (or previous) packet of the row; beyond its ends that of the next row."""
        session, place = self.session, self.session.selection.place
        current = session.current
        if current is None:
            return
        index = (place.packet if place.packet is not None and place.row == session.row else -1) + step
        if 0 <= index < len(current.packets):
            session.select(Place(session.row, index))
        elif session.snapshot is not None and 0 <= session.row + (1 if step > 0 else -1) < session.snapshot.rows:
            row = session.row + (1 if step > 0 else -1)
            packets = session.snapshot.row(row).packets
            session.select(Place(row, (0 if step > 0 else len(packets) - 1) if packets else None))

    def go_to_kind(self, step: int) -> None:
        """Select the next (or previous) packet of the selected kind that holds something."""
        snapshot, packet = self.session.snapshot, self.session.found.packet
        if snapshot is None or packet is None:
            return
        row = self.session.row + step
        while 0 <= row < snapshot.rows:
            record = snapshot.table.row(row)
            if record["layout"] >= 0:
                layout = snapshot.layouts.get(int(record["layout"]))
                sizes = layout.sizes[layout.ids == packet.id]
                if len(sizes) and sizes.max() > (2 if packet.type.body == "list" else 0):
                    found = next(one for one in snapshot.row(row).packets if one.id == packet.id)
                    self.session.select(Place(row, found.index))
                    return
            row += step
        self.session.refused.emit(self.tr("There is no further %1 with records.").replace("%1", packet.name))

    # --- copying ----------------------------------------------------------------------------------------

    def copy(self, form: str) -> None:
        """What is selected to the clipboard: `hex`, `json` or `python`."""
        snapshot, place = self.session.snapshot, self.session.selection.place
        if snapshot is None:
            return
        if form == "json":
            QGuiApplication.clipboard().setText(self._as_json())
            return
        start, stop = span_of(snapshot, place)
        data = snapshot.read(start, min(stop - start, _LARGEST_COPY))
        QGuiApplication.clipboard().setText(repr(data) if form == "python" else data.hex(" "))

    def _as_json(self) -> str:
        found = self.session.found
        if found.packet is not None and found.record is not None:
            record = json_record(found.packet.type.record, found.packet.decoded.record(found.record))
            return json.dumps(record, ensure_ascii=False)
        if found.packet is not None:
            return packet_line(found.packet)
        return "\n".join(packet_line(packet) for packet in found.row.packets) if found.row is not None else ""

    # --- edits ------------------------------------------------------------------------------------------

    def _make(self, make: Callable[..., Edit], *arguments: object, then: Place | None = None) -> None:
        def edit() -> Edit:
            return make(self.session.snapshot_or_refuse(), *arguments)

        self.session.attempt(edit, then=then)

    def delete(self) -> None:
        """Remove what is selected: records, a packet, or a row."""
        place, more = self.session.selection.place, self.session.selection.more
        if place.row == HEADER:
            return
        if more and place.record is not None:
            self._make(edits.delete_records, [place._replace(field=None), *(one._replace(field=None) for one in more)])
        elif place.record is not None and self._is_listed():
            self._make(edits.delete_record, place)
        elif place.packet is not None:
            self._make(edits.delete_packet, place)
        else:
            self._make(edits.delete_rows, place.row)

    def duplicate(self) -> None:
        """Put a copy behind what is selected."""
        place = self.session.selection.place
        if place.row == HEADER:
            return
        if place.record is not None and self._is_listed():
            self._make(edits.duplicate_record, place, then=Place(place.row, place.packet, place.record + 1))
        elif place.packet is not None:
            self._make(edits.duplicate_packet, place, then=Place(place.row, place.packet + 1))
        else:
            self._make(edits.insert_frame, place.row + 1, place.row, then=Place(place.row + 1))

    def shift(self, by: int) -> None:
        """Move the selected record or packet up or down."""
        place = self.session.selection.place
        if place.record is not None and self._is_listed():
            to = place.record + by
            self._make(edits.move_record, place, to, then=Place(place.row, place.packet, to))
        elif place.packet is not None:
            self._make(edits.move_packet, place, place.packet + by, then=Place(place.row, place.packet + by))

    def _is_listed(self) -> bool:
        packet = self.session.found.packet
        return packet is not None and packet.type.body == "list"

    def insert_packet(self, number: int, after: bool) -> None:
        """Insert an empty packet beside the selected one, or where the recorder would write it."""
        place = self.session.selection.place
        at = None if place.packet is None else place.packet + (1 if after else 0)
        self._make(edits.insert_packet, Place(place.row, at), number, then=Place(place.row, at))

    def insert_record(self) -> None:
        """Insert a record of zeros behind the selected one, or at the end."""
        place = self.session.selection.place
        at = None if place.record is None else place.record + 1
        self._make(edits.insert_record, Place(place.row, place.packet, at))

    def export_body(self) -> None:
        """Write the selected packet's body to a file."""
        packet = self.session.found.packet
        if packet is None:
            return
        name, _ = QFileDialog.getSaveFileName(self, self.tr("Export body"), f"{packet.name}.bin")
        if name:
            try:
                Path(name).write_bytes(packet.body)
            except OSError as error:
                self.session.refused.emit(f"{name}: {error.strerror}.")

    def replace_body(self) -> None:
        """Give the selected packet the bytes of a file as its body."""
        name, _ = QFileDialog.getOpenFileName(self, self.tr("Replace body"))
        if name:
            try:
                body = Path(name).read_bytes()
            except OSError as error:
                self.session.refused.emit(f"{name}: {error.strerror}.")
                return
            self._make(edits.replace_body, self.session.selection.place, body)

    # --- keys and menu ----------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        key = event.key()
        if key == Qt.Key.Key_Delete:
            self.delete()
        elif key == Qt.Key.Key_D and control:
            self.duplicate()
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            step = -1 if key == Qt.Key.Key_PageUp else 1
            self.session.step(step) if control else self.go_to_packet(step)
        elif alt and key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.shift(-1 if key == Qt.Key.Key_Up else 1)
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy("hex")
        elif event.matches(QKeySequence.StandardKey.Find):
            self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.filter.selectAll()
        else:
            super().keyPressEvent(event)

    def _menu(self, point: QPoint) -> None:
        self.menu().exec(self.tree.viewport().mapToGlobal(point))

    def menu(self) -> QMenu:
        """The context menu for what is selected."""
        menu = QMenu(self)
        place, found = self.session.selection.place, self.session.found
        for text, keys, slot in (
            (self.tr("Copy as hex"), "Ctrl+C", lambda: self.copy("hex")),
            (self.tr("Copy as JSON"), "", lambda: self.copy("json")),
            (self.tr("Copy as Python bytes"), "", lambda: self.copy("python")),
        ):
            menu.addAction(text, slot).setShortcut(QKeySequence(keys))
        menu.addSeparator()
        if found.packet is not None:
            menu.addAction(self.tr("Next %1").replace("%1", found.packet.name), lambda: self.go_to_kind(1))
            menu.addAction(self.tr("Previous %1").replace("%1", found.packet.name), lambda: self.go_to_kind(-1))
            menu.addSeparator()
        if place.row == HEADER or not self.session.is_complete:
            return menu
        self._insert_menu(menu, self.tr("Insert packet before"), after=False)
        self._insert_menu(menu, self.tr("Insert packet after"), after=True)
        if self._is_listed():
            menu.addAction(self.tr("Insert record"), self.insert_record)
        for text, keys, slot in (
            (self.tr("Duplicate"), "Ctrl+D", self.duplicate),
            (self.tr("Delete"), "Del", self.delete),
            (self.tr("Move up"), "Alt+Up", lambda: self.shift(-1)),
            (self.tr("Move down"), "Alt+Down", lambda: self.shift(1)),
        ):
            menu.addAction(text, slot).setShortcut(QKeySequence(keys))
        if found.packet is not None and look_up(self.session.snapshot_or_refuse(), place).packet is not None:
            menu.addSeparator()
            menu.addAction(self.tr("Export body..."), self.export_body)
            menu.addAction(self.tr("Replace body from file..."), self.replace_body)
        return menu

    def _insert_menu(self, menu: QMenu, title: str, *, after: bool) -> None:
        snapshot = self.session.snapshot
        assert snapshot is not None
        inner = menu.addMenu(title)
        for number, kind in sorted(snapshot.dialect.packets.items()):
            if number not in (0, 1):
                inner.addAction(f"{kind.name} ({number})", partial(self.insert_packet, number, after))
