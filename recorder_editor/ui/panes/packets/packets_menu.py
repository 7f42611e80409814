"""What can be done with what is selected in the tree: copied, changed, moved, exported; and the menu that offers it."""

import json
from collections.abc import Callable
from functools import partial
from itertools import chain
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu

import recorder_editor as library

from ....formats.dump import header_line, json_record, packet_line
from ....progress import Progress
from ....recording import Edit, Frame, Packet, Place, Snapshot, write_file
from ....recording.compose import compose
from ....texts import say
from ....views.describe import guide_place
from ....views.packet_filter import Finder, filter_of
from ....views.selection import HEADER, look_up, span_of
from ....views.signal_catalog import keys_at
from ...widgets.file_dialogs import ask_file
from ...widgets.pane import Pane

_LARGEST_COPY = 1 << 24


class PacketCommands(Pane):
    """The commands; whoever inherits from it brings the tree."""

    edits_selection = True

    # --- going ------------------------------------------------------------------------------------------

    def go_to_kind(self, step: int) -> None:
        """Select the next (or previous) packet of the selected kind that holds something, found by a job."""
        snapshot = self.session.snapshot
        packet = self.session.selection.found.packet
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
        """What is selected: one place, or several records in their order."""
        selection = self.session.selection.value
        if not selection.more:
            return [selection.place]
        records = {place._replace(field=None) for place in (selection.place, *selection.more)}
        return sorted(records, key=lambda place: (place.row, place.packet or 0, place.record or 0))

    def copy(self, form: str) -> None:
        """What is selected to the clipboard: `hex`, `json` or `python`; several records one a line."""
        snapshot = self.session.snapshot
        if snapshot is not None:
            texts = (self._text_of(snapshot, place, form) for place in self._places())
            self.session.attempt(lambda: QGuiApplication.clipboard().setText("\n".join(texts)))

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
        def edit() -> Edit:
            return make(self.session.snapshot_or_refuse(), *arguments)

        self.session.editing.attempt(edit, then=then)

    def delete(self) -> None:
        """Remove what is selected: records, a packet, or a row; what comes next in its list is selected then."""
        selection = self.session.selection
        place = selection.place
        more = selection.more
        packet = selection.found.packet
        if place.row == HEADER:
            self.session.refused.emit(say("The file header cannot be removed."))
        elif packet is not None and place.record is not None and (more or self._is_listed()):
            places = self._places()
            first = min((one for one in places if one[:2] == place[:2]), key=lambda one: one.record or 0)
            left = len(packet.decoded) - sum(one[:2] == place[:2] for one in places)
            then = Place(place.row, place.packet, min(first.record or 0, left - 1) if left else None)
            if more:
                self._make(library.edits.delete_records, places, then=then)
            else:
                self._make(library.edits.delete_record, place, then=then)
        elif place.packet is not None:
            self._make(library.edits.delete_packet, place, then=Place(*place[:2]))
        else:
            self._make(library.edits.delete_rows, place.row)

    def duplicate(self) -> None:
        """Put a copy behind what is selected."""
        place = self.session.selection.place
        more = self.session.selection.more
        if place.row == HEADER:
            self.session.refused.emit(say("The file header cannot be duplicated."))
        elif more and place.record is not None:
            places = self._places()
            # The last first, so that the others stay in place.
            steps = []
            for one in reversed(places):
                steps.append(partial(library.edits.duplicate_record, where=one))
            self._make(compose, say("Duplicate {count:,} records", count=len(places)), steps)
        elif place.record is not None and self._is_listed():
            self._make(library.edits.duplicate_record, place, then=Place(place.row, place.packet, place.record + 1))
        elif place.packet is not None:
            self._make(library.edits.duplicate_packet, place, then=Place(place.row, place.packet + 1))
        else:
            self._make(library.edits.insert_frame, place.row + 1, place.row, then=Place(place.row + 1))

    def shift(self, by: int) -> None:
        """Move the selected record or packet up or down."""
        place = self.session.selection.place
        if place.record is not None and self._is_listed():
            to = place.record + by
            self._make(library.edits.move_record, place, to, then=Place(place.row, place.packet, to))
        elif place.packet is not None:
            self._make(library.edits.move_packet, place, place.packet + by, then=Place(place.row, place.packet + by))

    def _can_shift(self, by: int) -> bool:
        place = self.session.selection.place
        found = self.session.selection.found
        if found.row is None or found.packet is None or self.session.selection.more:
            return False
        if place.record is not None and self._is_listed():
            return 0 <= place.record + by < len(found.packet.decoded)
        to = found.packet.index + by
        return found.packet.id not in (0, 1) and 0 <= to < len(found.row.packets) and found.row.packets[to].id > 1

    def _is_listed(self) -> bool:
        packet = self.session.selection.found.packet
        return packet is not None and packet.type.body == "list"

    def insert_packet(self, number: int, after: bool) -> None:
        """Insert an empty packet beside the selected one; without one, where the recorder would write it."""
        place = self.session.selection.place
        snapshot = self.session.snapshot
        if place.packet is not None:
            at = place.packet + (1 if after else 0)
            self._make(library.edits.insert_packet, Place(place.row, at), number, then=Place(place.row, at))
            return
        self._make(library.edits.insert_packet, Place(place.row), number)
        if self.session.snapshot is not snapshot and self.session.snapshot is not None:
            packets = self.session.snapshot.row(place.row).packets
            self.session.selection.select(
                Place(place.row, next((one.index for one in packets if one.id == number), None))
            )

    def insert_record(self) -> None:
        """Insert a record of zeros behind the selected one, or at the end, and select it."""
        place = self.session.selection.place
        packet = self.session.selection.found.packet
        if packet is not None:
            if place.record is None:
                at = len(packet.decoded)
            else:
                at = place.record + 1
            there = Place(place.row, place.packet, at)
            self._make(library.edits.insert_record, there, then=there)

    def insert_frame(self) -> None:
        """Insert a frame with nothing in it behind the selected one."""
        row = self.session.selection.place.row + 1
        self._make(library.edits.insert_frame, row, then=Place(row))

    def export_body(self) -> None:
        """Write the selected packet's body to a file."""
        packet = self.session.selection.found.packet
        if packet is None:
            return
        body = packet.body
        title = say("Export body")
        ask_file(self, self.session, title, f"{packet.name}.bin", partial(write_file, data=body, overwrite=True))

    def replace_body(self) -> None:
        """Give the selected packet the bytes of a file as its body."""
        name, _ = QFileDialog.getOpenFileName(self, say("Replace body"))
        if name:
            place = self.session.selection.place
            edit = library.edits.replace_body
            self.session.attempt(lambda: self._make(edit, place, Path(name).read_bytes()))

    # --- the menu ---------------------------------------------------------------------------------------

    def menu(self) -> QMenu:
        """The context menu for what is selected."""
        menu = QMenu(self)
        place = self.session.selection.place
        found = self.session.selection.found
        self.offer(menu, say("Copy as hex"), partial(self.copy, "hex"), "edit.copy")
        self.offer(menu, say("Copy as JSON"), partial(self.copy, "json"), "edit.copy_json")
        self.offer(menu, say("Copy as Python bytes"), partial(self.copy, "python"), "edit.copy_python")
        menu.addSeparator()
        if self.session.snapshot is not None and keys_at(self.session.snapshot, place):
            self.offer(menu, say("Plot over time"), partial(self.action_asked.emit, "signals.plot"), "signals.plot")
            menu.addSeparator()
        if found.packet is not None:
            kind = say(found.packet.name)
            for text, step, action in (
                (say("Next {kind}", kind=kind), 1, "go.next_kind"),
                (say("Previous {kind}", kind=kind), -1, "go.previous_kind"),
            ):
                self.offer(menu, text, partial(self.go_to_kind, step), action)
            explain = partial(self.guide_asked.emit, guide_place(found.packet))
            self.offer(menu, say("Explain in the guide"), explain, "help.guide")
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

    def _offer_edits(self, menu: QMenu, packet: Packet | None, in_frame: bool) -> None:
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
                inner.addAction(
                    say("{name} ({number})", name=say(kind.name), number=number),
                    partial(self.insert_packet, number, after),
                )
        return inner


def _as_json(snapshot: Snapshot, place: Place) -> str:
    """A place as text that programs read: a record, a packet, the packets of a row one a line, or the header."""
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
    """The next (or previous) packet of the same id that holds something, from a packet of `row` on; None for none."""
    finder = Finder(filter_of(packet.name, snapshot), snapshot, None)
    if step > 0:
        ahead = range(row + 1, snapshot.rows)
    else:
        ahead = range(row)[::-1]
    for match in chain(finder.matches_in(range(row, row + 1)), finder.matches_in(ahead, progress)):
        packets = snapshot.row(match.row).packets
        there = []
        for index, _ in match.packets:
            if packets[index].id == packet.id:
                there.append(index)
        there = [index for index in there if match.row != row or (index - packet.index) * step > 0]
        if there:
            return Place(match.row, there[0 if step > 0 else -1])
    return None
