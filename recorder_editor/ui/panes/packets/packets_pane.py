"""The Packets pane: the filter strip, the tree, and how both follow the session."""

from functools import partial

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ....recording import Change, Frame, Packet, Place, Row, Snapshot
from ....texts import say, say_count
from ....views.outline import MOST_CHILDREN
from ....views.packet_filter import ExpressionError, Filter, Finder, filter_of
from ....views.packet_matches import Match
from ...session import Session
from ...session.debounce import Debounce
from ...session.jobs import LatestJob
from ...style.boxes import fill
from ...style.theme import Theme
from ...widgets import Label, SearchField, Segmented
from ...widgets.completion import ExpressionCompleter
from ...widgets.keyboard import ViewKeys
from .listing import Listing
from .packets_menu import PacketCommands
from .packets_model import PacketModel
from .packets_view import PacketView

_NARROW = 240
"""Pixels of the design below which the filter needs the room of longer words beside it."""

_LOW = 120
_LOWEST = 56
"""Below these heights the rows get the room of header and scroll bar, and of the filter: else fewer than three, or
none, would be seen."""


class PacketPane(PacketCommands):
    """The filter, and the packets of this frame or of the recording.

    Attributes:
        model: The rows of the tree.
        tree: The tree.
        filter: The line of the filter.
        note: What is wrong with the filter, or what it has found.
        listing: The matches in the whole recording.
        mode: Whether this frame or the recording is shown.
    """

    guide_topic = PacketCommands.packet_topic

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.model = PacketModel(session, self)
        self.tree = PacketView(session, theme, self.model)
        self.search = self.filter = SearchField(theme, say("Filter: Position where speed > 8"), icon="")
        self.filter.setObjectName("packetFilter")
        self.filter.setClearButtonEnabled(True)
        self.keep("filter", self.filter.text, self.filter.setText)
        self.filter.setToolTip(
            say("Words, or a query. Enter goes to the next frame with a match, Recording lists all of them.")
        )
        self._filter: Filter | None = None
        self._typing = Debounce(self, self._apply_filter)
        self.filter.textChanged.connect(lambda: self._typing.begin())
        self.filter.returnPressed.connect(self.go_to_match)
        self.note = Label(theme, "", font="small", color="text", wraps=True)
        self.note.setContentsMargins(10, 0, 10, 4)
        self.note.hide()
        self._hides = False  # rows of the frame may be hidden
        self._finding = LatestJob(self, session.jobs)
        self.listing = Listing(session, self)
        self.listing.begun.connect(self._begin_matches)
        self.listing.found.connect(self._add_matches)
        self.listing.progressed.connect(self._show_progress)
        self.mode = Segmented(theme, self._mode_titles(), name=say("What is shown"))
        theme.changed.connect(self._fit_mode)
        self.mode.changed.connect(lambda index: self._set_whole(index == 1))
        self.keep("whole", lambda: self.model.whole, self.mode.set_current)
        self._strip = QWidget()
        fill(QHBoxLayout(self._strip), (self.filter, 1), self.mode, spacing=8, margins=(8, 5, 8, 5))
        fill(QVBoxLayout(self), self._strip, self.note, (self.tree, 1), spacing=0)
        self.filter.lead_to(self.tree, Qt.Key.Key_Down, Qt.Key.Key_Escape)
        self.completer = ExpressionCompleter(session, theme, self.filter)
        self.setFocusProxy(self.tree)
        self.offer_menu(self.tree, lambda _point: self.menu())
        ViewKeys(self.tree, {"Del": self.delete, "Ctrl+D": self.duplicate})
        self.give(self.tree, self.copied_places)
        steps = {
            "PgUp": partial(self.go_to_packet, -1),
            "PgDown": partial(self.go_to_packet, 1),
            "Ctrl+PgUp": partial(self.go_to_frame, -1),
            "Ctrl+PgDown": partial(self.go_to_frame, 1),
            "Alt+Up": partial(self.shift, -1),
            "Alt+Down": partial(self.shift, 1),
        }
        ViewKeys(self.tree, steps)
        session.opened.connect(self._open)
        session.editing.changed.connect(self._change)
        session.selection.rested.connect(self.refresh)
        session.rule_colors.changed.connect(self.tree.viewport().update)
        self._open()

    def _mode_titles(self, *, short: bool = False) -> tuple[str, str]:
        if short:
            return (say("Frame"), say("All"))
        return (say("This frame"), say("Recording"))

    def _fit_mode(self) -> None:
        """Use short titles in a narrow pane, where the filter needs the room."""
        self.mode.show_texts(self._mode_titles(short=self.width() < self.theme.px(_NARROW)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_mode()
        is_low = self.height() < self.theme.px(_LOW)
        self.tree.header().setHidden(is_low)
        if is_low:
            self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        else:
            self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._strip.setVisible(self.height() >= self.theme.px(_LOWEST) or bool(self.filter.text()))

    def open_find(self) -> bool:
        self._strip.show()
        return super().open_find()

    # --- following the session --------------------------------------------------------------------------

    def _open(self) -> None:
        self.model.rebuild()
        self._show_outline()

    def _set_whole(self, whole: bool) -> None:
        self.model.set_whole(whole)
        self._show_outline()

    def _show_outline(self) -> None:
        """Show a tree that was built anew, with the filter applied to it."""
        if not self.model.whole:
            self.tree.expand(self.model.index_of(Place(self.session.selection.row)))
        self._apply_filter()
        self.refresh()

    def _change(self, change: Change) -> None:
        with self.tree.held():
            if self.listing.wanted is not None:
                self._change_matches(change)
            elif not self.model.change(change):
                self.tree.rebuild(change)

    def _change_matches(self, change: Change) -> None:
        """Follow an edit while matches are listed."""
        rows = self.listing.change(change)
        if rows is None:
            return
        if not self.model.change(change, self.listing.matches):
            self.model.rebuild()
            rows = [match.row for match in self.listing.matches]
        for row in rows:
            self._unfold_match(row)
        self._show_progress()

    def refresh(self) -> None:
        """Show the present row and the selection."""
        if not self.isVisible():
            return
        with self.tree.held():
            self.model.show_current()
            self._show_filtered()
        self.tree.follow()
        self.tree.viewport().update()

    # --- the filter -------------------------------------------------------------------------------------

    def _apply_filter(self) -> None:
        """Apply what stands in the filter line; what is wrong with it is said beneath."""
        self._typing.stop()
        snapshot = self.session.snapshot
        text = self.filter.text().strip()
        self._filter = None
        fault = ""
        if text and snapshot is not None:
            try:
                self._filter = filter_of(text, snapshot)
            except ExpressionError as error:
                fault = str(error)
        self._show_note(fault)
        if self._filter is not None and self.model.whole:
            self.listing.begin(self._filter)
            return
        self.listing.end()
        self.session.matched.set(())
        self.model.set_matches(None)
        self._show_filtered()

    def _show_note(self, sentence: str) -> None:
        self.note.setText(sentence)
        self.note.setVisible(bool(sentence))

    def _show_filtered(self) -> None:
        """Hide what does not match, in the view of one frame."""
        snapshot = self.session.snapshot
        current = self.session.selection.current
        tree = self.tree
        if snapshot is None or self.model.whole or not isinstance(current, Frame):
            return
        if self._filter is None and not self._hides:
            return
        self._hides = self._filter is not None
        parent = self.model.index_of(Place(current.row))
        for packet in current.packets:
            shown = self._records_shown(snapshot, current, packet)
            tree.hide_row(packet.index, parent, shown is not None and not shown)
            self._hide_records(packet, parent, shown)

    def _records_shown(self, snapshot: Snapshot, row: Row, packet: Packet) -> list[int] | None:
        """Return the records that the filter leaves of a packet.

        Returns:
            None for all; an empty list where the packet is hidden, too.
        """
        if self._filter is None or not isinstance(row, Frame):
            return None
        try:
            return self._filter.shows(snapshot, row, packet, self.session.actors)
        except ExpressionError as error:
            self._show_note(error.message)
        return None

    def _hide_records(self, packet: Packet, parent: QModelIndex, shown: list[int] | None) -> None:
        """Hide all records of a packet but these; None hides none."""
        number = len(packet.decoded)
        if packet.type.body != "list" or number > MOST_CHILDREN:
            return
        index = self.model.index(packet.index, 0, parent)
        if shown is None:
            kept = set(range(number))
        else:
            kept = set(shown)
        for record in range(number):
            self.tree.hide_row(record, index, record not in kept)

    def go_to_match(self) -> None:
        """Select the first match in the next frame that has one, found by a job."""
        snapshot = self.session.snapshot
        if self._typing.isActive() or self._filter is None:
            self._apply_filter()
        wanted = self._filter
        actors = self.session.actors
        if wanted is None or snapshot is None or not len(snapshot):
            return
        finder = Finder(wanted, snapshot, actors)
        start = self.session.selection.row

        def done(match: Match | None) -> None:
            if match is None or self.session.snapshot is not snapshot:
                self._show_note(wanted.no_match(actors))
                return
            self.session.selection.select(match.first())

        def failed(error: Exception) -> None:
            self._show_note(str(error))

        self._finding.run(say("Finding the next match"), partial(finder.next_match, start), done, failed)

    # --- the matches of the whole recording -------------------------------------------------------------

    def _begin_matches(self) -> None:
        with self.tree.held():
            self.model.set_matches([])

    def _add_matches(self, matches: list[Match]) -> None:
        with self.tree.held():
            self.model.add_matches(matches)
            for match in matches:
                self._unfold_match(match.row)
        if self.isVisible() and not self.tree.selectionModel().hasSelection():
            self.tree.follow()

    def _unfold_match(self, row: int) -> None:
        """Unfold the frame of a match, and its packets that have matching records."""
        outline = self.model.matches
        if outline is None or not outline.has(row):
            return
        frame = self.model.index(outline.find(row), 0)
        self.tree.expand(frame)
        packets = outline.matches[frame.row()].packets
        for number in range(self.model.rowCount(frame)):
            _, records = packets[number]
            if records is not None:
                self.tree.expand(self.model.index(number, 0, frame))

    def _show_progress(self) -> None:
        """Say how far the search is, and how many matches there are."""
        listing = self.listing
        snapshot = self.session.snapshot
        if listing.wanted is None or snapshot is None:
            return
        matches = listing.matches
        self.session.matched.set(tuple(snapshot.table.frame_of_row(match.row) for match in matches))
        count = say_count("1 match", "{count:,} matches", count=sum(match.record_count for match in matches))
        frame = snapshot.table.frame_of_row(min(listing.row, snapshot.rows))
        if listing.error:
            note = listing.error
        elif listing.is_full:
            note = say(
                "The first {matches}, up to frame {frame:,}. A narrower filter shows the rest.",
                matches=count,
                frame=frame,
            )
        elif listing.is_running:
            note = say(
                "{matches} up to frame {frame:,} of {frames:,}...", matches=count, frame=frame, frames=len(snapshot)
            )
        elif not matches:
            note = listing.wanted.no_match(self.session.actors)
        else:
            frames = say_count("1 frame", "{count:,} frames", count=len(matches))
            note = say("{matches} in {frames}", matches=count, frames=frames)
        self._show_note(note)

    # --- going ------------------------------------------------------------------------------------------

    def go_to_packet(self, step: int) -> None:
        """Select the next (or previous) packet that is shown; beyond the ends of the row that of the next row."""
        snapshot = self.session.snapshot
        row = self.session.selection.row
        place = self.session.selection.place
        if snapshot is None or not snapshot.rows:
            return
        current = -1
        if place.packet is not None and place.row == row:
            current = place.packet
        ahead = [packet for packet in self._packets_shown(snapshot, row) if (packet - current) * step > 0]
        if not ahead:
            beside: int | None = row + step
            if self.model.matches is not None:
                beside = self.model.matches.row_beside(row, step)
            if beside is None or not 0 <= beside < snapshot.rows:
                return
            row = beside
            ahead = self._packets_shown(snapshot, row)
        nearest = None
        if ahead and step > 0:
            nearest = ahead[0]
        elif ahead:
            nearest = ahead[-1]
        self.session.selection.select(Place(row, nearest))

    def _packets_shown(self, snapshot: Snapshot, row: int) -> list[int]:
        """Return the indices of the packets of a row that the filter leaves."""
        content = snapshot.row(row)
        packets = []
        for packet in content.packets:
            if self._records_shown(snapshot, content, packet) != []:
                packets.append(packet.index)
        return packets

    def go_to_frame(self, step: int) -> None:
        """Go to the next (or previous) frame; of a list of matches, to the next frame in it."""
        if self.model.matches is None:
            self.session.selection.step(step)
            return
        row = self.model.matches.row_beside(self.session.selection.row, step)
        if row is not None:
            self.session.selection.select(Place(row))
