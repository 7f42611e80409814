"""What can be done with what is selected in the tree: copied, changed, moved, exported; and the menu that offers it."""

import json
from collections.abc import Callable
from functools import partial
from itertools import chain
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu

import recorder_editor as library

from ....format.dialects import can_describe
from ....formats.dump import header_line, json_record, packet_line
from ....progress import Progress
from ....recording import Edit, Frame, Packet, Place, Snapshot, write_file
from ....recording.compose import compose
from ....texts import say
from ....views.copied_records import selected_table
from ....views.describe import guide_place
from ....views.packet_filter import Finder, filter_of
from ....views.selection import HEADER, look_up, span_of
from ....views.signal_catalog import keys_at
from ...widgets.copied import Copied, copied_table
from ...widgets.file_dialogs import ask_file
from ...widgets.pane import Pane

_LARGEST_COPY = 1 << 24


class PacketCommands(Pane):
    """The commands of the pane; a subclass adds the tree."""

    edits_selection = True

    # --- going ------------------------------------------------------------------------------------------

    def go_to_kind(self, step: int) -> None:
        """Select the next (or previous) packet of the selected kind that holds something, found by a job."""
        snapshot = self.session.snapshot
        packet = self.session.selection.target.packet
        row = self.session.selection.row
        if snapshot is None or packet is None:
            return
        kind = packet.name

        def done(place: Place | None) -> None:
            if place is not None and self.session.snapshot is snapshot:
                self.session.selection.select(place)
            else:
                self.session.refused.emit(say("There is no other {kind} with records.", kind=kind))

        work = partial(_next_of_kind, snapshot, row, packet, step)
        self.session.jobs.start(say("Finding the next {kind}", kind=kind), work, done, quiet=True)

    # --- copying ----------------------------------------------------------------------------------------

    def _places(self) -> list[Place]:
        """Return what is selected: one place, or several records in their order."""
        selection = self.session.selection.value
        if not selection.more:
            return [selection.place]
        records = {place._replace(field=None) for place in (selection.place, *selection.more)}
        return sorted(records, key=lambda place: (place.row, place.packet or 0, place.record or 0))

    def copied_places(self) -> Copied | None:
        """Return what is selected as a table with exact values: records, the packets of a frame, or the header."""
        snapshot = self.session.snapshot
        if snapshot is None or (self.session.selection.target.row is None and not self._is_header):
            return None
        return copied_table(*selected_table(snapshot, self._places()))

    @property
    def _is_header(self) -> bool:
        return self.session.selection.place.row == HEADER

    def copy(self, form: str) -> None:
        """Copy what is selected to the clipboard, as `hex`, `json` or `python`; several records one a line."""
        snapshot = self.session.snapshot
        if snapshot is None:
            return

        def copy_texts() -> None:
            texts = [self._text_of(snapshot, place, form) for place in self._places()]
            QGuiApplication.clipboard().setText("\n".join(texts))

        self.session.attempt(copy_texts)

    def _text_of(self, snapshot: Snapshot, place: Place, form: str) -> str:
        if form == "json":
            return _as_json(snapshot, place)
        start, stop = span_of(snapshot, place)
        if stop - start > _LARGEST_COPY:
            most = say("Only the first {most} MiB were copied.", most=_LARGEST_COPY >> 20)
            self.session.refused.emit(most)
        data = snapshot.read(start, min(stop - start, _LARGEST_COPY))
        if form == "python":
            return repr(data)
        return data.hex(" ")

    # --- edits ------------------------------------------------------------------------------------------

    def _make(self, make: Callable[..., Edit], *arguments: object, then: Place | None = None) -> None:
        """Make an edit of the snapshot and these arguments, and select `then` after it."""

        def edit() -> Edit:
            return make(self.session.snapshot_or_refuse(), *arguments)

        self.session.editing.attempt(edit, then=then)

    def delete(self) -> None:
        """Remove what is selected: records, a packet, or a row; what comes next in its list is selected then."""
        selection = self.session.selection
        place = selection.place
        packet = selection.target.packet
        if place.row == HEADER:
            self.session.refused.emit(say("The file header cannot be removed."))
        elif packet is not None and place.record is not None and (selection.more or self._is_listed()):
            self._delete_records(place, packet)
        elif place.packet is not None:
            self._make(library.edits.delete_packet, place, then=Place(*place[:2]))
        else:
            self._make(library.edits.delete_rows, place.row)

    def _delete_records(self, place: Place, packet: Packet) -> None:
        """Remove the selected records; in the packet of the first one, the next record is selected then."""
        places = self._places()
        removed = [record.record or 0 for record in places if record[:2] == place[:2]]
        remaining = len(packet.decoded) - len(removed)
        following = None
        if remaining:
            first = min(removed)
            following = min(first, remaining - 1)
        then = Place(place.row, place.packet, following)
        if self.session.selection.more:
            self._make(library.edits.delete_records, places, then=then)
        else:
            self._make(library.edits.delete_record, place, then=then)

    def duplicate(self) -> None:
        """Put a copy behind what is selected."""
        place = self.session.selection.place
        more = self.session.selection.more
        if place.row == HEADER:
            self.session.refused.emit(say("The file header cannot be duplicated."))
        elif more and place.record is not None:
            places = self._places()
            # The last first, so that the others stay in place.
            steps = [partial(library.edits.duplicate_record, where=record) for record in reversed(places)]
            self._make(compose, say("Duplicate {count:,} records", count=len(places)), steps)
        elif place.record is not None and self._is_listed():
            copy = Place(place.row, place.packet, place.record + 1)
            self._make(library.edits.duplicate_record, place, then=copy)
        elif place.packet is not None:
            copy = Place(place.row, place.packet + 1)
            self._make(library.edits.duplicate_packet, place, then=copy)
        else:
            copy = Place(place.row + 1)
            self._make(library.edits.insert_frame, copy.row, place.row, then=copy)

    def shift(self, by: int) -> None:
        """Move the selected record or packet up or down."""
        place = self.session.selection.place
        if place.record is not None and self._is_listed():
            record = place.record + by
            self._make(library.edits.move_record, place, record, then=Place(place.row, place.packet, record))
        elif place.packet is not None:
            packet = place.packet + by
            self._make(library.edits.move_packet, place, packet, then=Place(place.row, packet))

    def _can_shift(self, by: int) -> bool:
        """Return whether the selected record or packet can be moved: FrameStart and FrameEnd stay at the ends."""
        selection = self.session.selection
        record = selection.place.record
        packet = selection.target.packet
        row = selection.target.row
        if row is None or packet is None or selection.more:
            return False
        if record is not None and self._is_listed():
            return 0 <= record + by < len(packet.decoded)
        target = packet.index + by
        if packet.id in (0, 1) or not 0 <= target < len(row.packets):
            return False
        return row.packets[target].id > 1

    def _is_listed(self) -> bool:
        packet = self.session.selection.target.packet
        return packet is not None and packet.type.body == "list"

    def insert_packet(self, number: int, after: bool) -> None:
        """Insert an empty packet beside the selected one; without one, where the recorder would write it.

        Args:
            number: Id of the packet.
            after: Insert it after the selected one, else before it.
        """
        place = self.session.selection.place
        before = self.session.snapshot
        if place.packet is not None:
            target = Place(place.row, place.packet)
            if after:
                target = Place(place.row, place.packet + 1)
            self._make(library.edits.insert_packet, target, number, then=target)
            return
        self._make(library.edits.insert_packet, Place(place.row), number)
        snapshot = self.session.snapshot
        if snapshot is not before and snapshot is not None:
            inserted = None
            for packet in snapshot.row(place.row).packets:
                if packet.id == number:
                    inserted = packet.index
                    break
            self.session.selection.select(Place(place.row, inserted))

    def insert_record(self) -> None:
        """Insert a record of zeros behind the selected one, or at the end, and select it."""
        place = self.session.selection.place
        packet = self.session.selection.target.packet
        if packet is not None:
            if place.record is None:
                target = len(packet.decoded)
            else:
                target = place.record + 1
            there = Place(place.row, place.packet, target)
            self._make(library.edits.insert_record, there, then=there)

    def insert_frame(self) -> None:
        """Insert a frame with nothing in it behind the selected one."""
        row = self.session.selection.place.row + 1
        self._make(library.edits.insert_frame, row, then=Place(row))

    def export_body(self) -> None:
        """Write the selected packet's body to a file."""
        packet = self.session.selection.target.packet
        if packet is None:
            return
        write = partial(write_file, data=packet.body, overwrite=True)
        ask_file(self, self.session, say("Export body"), f"{packet.name}.bin", write)

    def replace_body(self) -> None:
        """Give the selected packet the bytes of a file as its body."""
        name, _ = QFileDialog.getOpenFileName(self, say("Replace body"))
        if name:
            place = self.session.selection.place
            edit = library.edits.replace_body
            self.session.attempt(lambda: self._make(edit, place, Path(name).read_bytes()))

    # --- the menu ---------------------------------------------------------------------------------------

    def menu(self) -> QMenu:
        """Make the context menu for what is selected."""
        menu = QMenu(self)
        place = self.session.selection.place
        found = self.session.selection.target
        self.offer_copies(menu)
        self.offer(menu, say("Copy as hex"), partial(self.copy, "hex"), "edit.copy_hex")
        self.offer(menu, say("Copy as JSON"), partial(self.copy, "json"), "edit.copy_json")
        self.offer(menu, say("Copy as Python bytes"), partial(self.copy, "python"), "edit.copy_python")
        menu.addSeparator()
        if self.session.snapshot is not None and keys_at(self.session.snapshot, place):
            plot = partial(self.action_asked.emit, "signals.plot")
            self.offer(menu, say("Plot over time"), plot, "signals.plot")
            menu.addSeparator()
        if found.packet is not None:
            self._offer_going(menu, found.packet)
            menu.addSeparator()
        can_edit = self.session.is_complete
        if can_edit and place.row != HEADER and found.row is not None:
            self._offer_edits(menu, found.packet, isinstance(found.row, Frame))
            menu.addSeparator()
        if found.packet is not None:
            self.offer(menu, say("Export body..."), self.export_body)
            self.offer(menu, say("Replace body from file..."), self.replace_body).setEnabled(can_edit)
        if found.actor is not None and can_edit:
            menu.addSeparator()
            actor = menu.addMenu(say("Actor {actor}", actor=found.actor))
            self.menu_asked.emit(actor)
            actor.menuAction().setVisible(not actor.isEmpty())
        return menu

    def _offer_going(self, menu: QMenu, packet: Packet) -> None:
        """Offer other packets of the same kind, and the guide."""
        kind = say(packet.name)
        following = say("Next {kind}", kind=kind)
        previous = say("Previous {kind}", kind=kind)
        explain = partial(self.guide_asked.emit, guide_place(packet))
        self.offer(menu, following, partial(self.go_to_kind, 1), "go.next_kind")
        self.offer(menu, previous, partial(self.go_to_kind, -1), "go.previous_kind")
        self.offer(menu, say("Explain in the guide"), explain, "help.guide")
        if can_describe(packet.id):
            describe = partial(self.action_asked.emit, "recording.describe_packet")
            self.offer(menu, say("Describe this packet..."), describe, "recording.describe_packet").setEnabled(
                self.session.is_complete
            )

    def _offer_edits(self, menu: QMenu, packet: Packet | None, in_frame: bool) -> None:
        """Offer what changes the selected packet (None: the row), which is `in_frame` or bytes outside of frames."""
        if packet is None and in_frame:
            self._insert_menu(menu, say("Insert packet"), after=False)
            self.offer(menu, say("Insert empty frame"), self.insert_frame)
        elif packet is not None:
            self._insert_menu(menu, say("Insert packet before"), after=False).setEnabled(packet.id != 0)
            self._insert_menu(menu, say("Insert packet after"), after=True).setEnabled(packet.id != 1)
        if self._is_listed():
            self.offer(menu, say("Insert record"), self.insert_record)
        is_loose = packet is None or packet.id not in (0, 1)
        self.offer(menu, say("Duplicate"), self.duplicate, "edit.duplicate").setEnabled(is_loose)
        self.offer(menu, say("Delete"), self.delete, "edit.delete").setEnabled(is_loose)
        if packet is not None:
            for text, by, key in ((say("Move up"), -1, "Alt+Up"), (say("Move down"), 1, "Alt+Down")):
                self.offer(menu, text, partial(self.shift, by), key=key).setEnabled(self._can_shift(by))

    def _insert_menu(self, menu: QMenu, title: str, *, after: bool) -> QMenu:
        inner = menu.addMenu(title)
        snapshot = self.session.snapshot
        assert snapshot is not None
        for number, kind in sorted(snapshot.dialect.packets.items()):
            if number not in (0, 1):
                text = say("{name} ({number})", name=say(kind.name), number=number)
                inner.addAction(text, partial(self.insert_packet, number, after))
        return inner


def _as_json(snapshot: Snapshot, place: Place) -> str:
    """Return a place as text that programs read: a record, a packet, the packets of a row one a line, or the header."""
    if place.row == HEADER:
        return header_line(snapshot)
    found = look_up(snapshot, place)
    if found.packet is not None and found.record is not None:
        record = json_record(found.packet.type.record, found.packet.decoded.record(found.record))
        return json.dumps(record, ensure_ascii=False)
    if found.packet is not None:
        return packet_line(found.packet)
    if found.row is not None:
        return "\n".join(packet_line(packet) for packet in found.row.packets)
    return ""


def _next_of_kind(snapshot: Snapshot, row: int, packet: Packet, step: int, progress: Progress) -> Place | None:
    """Return the next (or previous) packet of the same id that holds something.

    Args:
        snapshot: The recording.
        row: The row of `packet`.
        packet: Where the search begins.
        step: 1: the next packet, -1: the previous one.
        progress: Tells how far the search is.

    Returns:
        None without such a packet.
    """
    finder = Finder(filter_of(packet.name, snapshot), snapshot, None)
    if step > 0:
        ahead = range(row + 1, snapshot.rows)
    else:
        ahead = range(row)[::-1]
    for match in chain(finder.matches_in(range(row, row + 1)), finder.matches_in(ahead, progress)):
        packets = snapshot.row(match.row).packets
        indices = [index for index, _ in match.packets if packets[index].id == packet.id]
        if match.row == row:
            indices = [index for index in indices if (index - packet.index) * step > 0]
        if indices and step > 0:
            return Place(match.row, indices[0])
        if indices:
            return Place(match.row, indices[-1])
    return None
