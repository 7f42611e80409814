"""The Events pane: near misses, collisions and other moments that matter, the worst ones first."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QMenu, QTableView

from ....arrays import BoolArray
from ....edits.trim import losses_before, part_of
from ....errors import RecorderError
from ....formats.event_files import write_events
from ....progress import Progress
from ....reading.events import KINDS, Events
from ....reading.events.filtering import matching
from ....reading.events.moments import moments_about
from ....reading.expression import ExpressionError
from ....recording import LostPackets
from ....recording.history import loss_text
from ....recording.save import save_copies
from ....texts import listed, say, say_count
from ....views.event_texts import event_sentence
from ...session import Session
from ...session.jobs import LatestJob
from ...style.boxes import fill, frameless, push_button
from ...style.theme import Theme
from ...widgets import ElidedLabel, ToggleChip
from ...widgets.columns_pane import ColumnsPane
from ...widgets.error_line import ErrorLine
from ...widgets.file_dialogs import EVENT_FILES, ask_file
from ...widgets.keyboard import ViewKeys
from ...widgets.pane_parts import Hairline
from .events_model import EventsModel


class _Table(QTableView):
    """The table. Keys that make another row the current one are as a click on it, Enter as a double click."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        before = QPersistentModelIndex(self.currentIndex())
        super().keyPressEvent(event)
        index = self.currentIndex()
        if not index.isValid():
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.doubleClicked.emit(index)
        elif before != QPersistentModelIndex(index):
            self.clicked.emit(index)


class EventsPane(ColumnsPane):
    """The events as a table, with a filter, a switch that folds frequent kinds, and what can be done with one.

    Attributes:
        model: Its rows.
        error: What is wrong in the filter.
        frequent: The switch that shows kinds that are frequent, as hard braking.
    """

    edits_selection = True

    def __init__(self, session: Session, theme: Theme) -> None:
        table = frameless(_Table(), "eventsTable", say("Events"))
        super().__init__(session, theme, table, say("Filter: kind == 'near-miss' and value < 1"))
        self.model = EventsModel(session, theme, self)
        self.error = ErrorLine(theme, self.filter)
        self._writing = LatestJob(self, session.jobs)
        self.error.hide()
        self.column.insertWidget(1, self.error)
        self.frequent = ToggleChip(say("Frequent kinds"), False)
        self.frequent.setObjectName("events-frequent")
        names = listed(kind.title for kind in KINDS if kind.is_frequent)
        self.frequent.setToolTip(say("Shows {kinds}, too", kinds=names))
        self.frequent.toggled.connect(self._show)
        self.keep_switch("frequent", self.frequent)
        self.strip.addWidget(self.frequent)
        self.show_model(self.model)
        ViewKeys(self.table, {"Esc": session.events.leave}, letters_pass=True)
        self.place = ElidedLabel(theme, "", "small", "muted")
        self.trim = push_button(say("Trim around this"), self.trim_around)
        self.trim.setToolTip(say("Keep only the seconds about it"))
        self.note_button = push_button(say("Make a note"), self.note)
        buttons = fill(QHBoxLayout(), (self.place, 1), self.note_button, self.trim, spacing=8, margins=(12, 8, 12, 8))
        self.column.addWidget(Hairline(theme))
        self.column.addLayout(buttons)
        self.filter.textChanged.connect(self._show)
        self.table.clicked.connect(self._choose)
        self.table.doubleClicked.connect(self._zoom)
        self.offer_menu(self.table, self._menu_at)
        session.events.changed.connect(self._show)
        session.events.chosen_changed.connect(self._show_chosen)
        session.opened.connect(self._show)
        self._show()

    # --- what is shown ----------------------------------------------------------------------------------

    @property
    def events(self) -> Events | None:
        """The events that were found; None before."""
        return self.session.events.found

    def _show(self) -> None:
        """Show the events that the filter and the switch leave."""
        chosen = self._matching()
        if chosen is not None:
            self.model.show_events(self.events, np.flatnonzero(chosen).tolist())
        every = 0 if self.events is None else len(self.events)
        self.show_counts(
            len(self.model.rows), every, say("No event matches"), self._none_text(), about=self._lacking_text()
        )
        if every and not self.model.rows and self._folds:
            self.empty.set_text(say("Only frequent kinds"), self._folded_text())
        self._show_chosen()

    def _matching(self) -> BoolArray | None:
        """Return which events are shown, bool[n]; None where the filter is wrong: then they stay."""
        events = self.events
        snapshot = self.session.events.snapshot
        self.error.show_error("")
        self.error.hide()
        if events is None or snapshot is None:
            return np.zeros(0, np.bool_)
        text = self.filter.text().strip()
        try:
            chosen = matching(events, text, snapshot.elapsed)
        except ExpressionError as error:
            self.error.show_error(error.message, error.column)
            self.error.show()
            return None
        if self._folds:
            chosen &= ~np.array([kind.is_frequent for kind in KINDS])[events.table["kind"]]
        return chosen

    @property
    def _folds(self) -> bool:
        """Whether frequent kinds are left out."""
        return not self.frequent.isChecked() and not self.filter.text().strip()

    def _none_text(self) -> str:
        if self.session.snapshot is None:
            return say("No recording open")
        if self.session.events.is_looking:
            return say("Looking for events...")
        return say("No events in {count:,} frames", count=self.session.frames)

    def _lacking_text(self) -> str:
        """Return which kinds were not looked for without a road map that fits; empty where all were."""
        events = self.events
        if events is None or not events.lacking:
            return ""
        kinds = listed(kind.title for kind in events.lacking)
        if self.session.roads.map is None:
            return say("{kinds}: these need a road map.", kinds=kinds)
        return say("{kinds}: the road map is that of another town.", kinds=kinds)

    def _show_chosen(self) -> None:
        """Make the row of the chosen event the current one, and say which of how many it is."""
        chosen = self.session.events.chosen
        row = None
        if chosen is not None:
            row = self.model.row_of(chosen)
        selection = self.table.selectionModel()
        if row is None:
            selection.clear()
        else:
            index = self.model.index(row, 0)
            flags = selection.SelectionFlag
            selection.setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
            self.table.scrollTo(index)
        self.place.setText(self._place_text(row))
        has_chosen = chosen is not None
        self.trim.setEnabled(has_chosen)
        self.note_button.setEnabled(has_chosen)

    def _place_text(self, row: int | None) -> str:
        if row is not None:
            return say("{number:,} of {count:,}", number=row + 1, count=len(self.model.rows))
        if self._folds:
            return self._folded_text()
        return ""

    def _folded_text(self) -> str:
        """Return how many events of frequent kinds there are, as `58 Hard braking`."""
        if self.events is None:
            return ""
        numbers = Counter(self.events.kind(row).title for row in range(len(self.events)))
        return listed(
            f"{numbers[kind.title]:,} {kind.title}" for kind in KINDS if kind.is_frequent and numbers[kind.title]
        )

    # --- what can be done -------------------------------------------------------------------------------

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            self.session.events.choose(self.model.rows[index.row()].row)

    def _zoom(self, index: QModelIndex) -> None:
        """Go to an event, and see its actors as closely as they fit."""
        self._choose(index)
        self.action_asked.emit("scene.zoom")

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) event of the table, round the ends."""
        rows = self.model.rows
        if not rows:
            return
        chosen = self.session.events.chosen
        current = None
        if chosen is not None:
            current = self.model.row_of(chosen)
        if current is None:
            following = 0 if by > 0 else len(rows) - 1
        else:
            following = (current + by) % len(rows)
        self.session.events.choose(rows[following].row)
        if not self.table.hasFocus() and self.events is not None:
            text = event_sentence(self.events, rows[following].row, self.theme.units)
            self.session.announced.emit(text)

    def trim_around(self) -> None:
        """Keep only the seconds about the chosen event."""
        self.action_asked.emit("event.trim")

    def note(self) -> None:
        """Make a note of the chosen event."""
        self.action_asked.emit("event.note")

    def ask_export(self) -> None:
        """Ask for a name, and write the events that are shown as CSV, JSON or MCAP."""
        name = f"{self.session.path.stem}-events.csv"
        ask_file(self, self.session, title=say("Export events"), name=name, write=self.export, kinds=EVENT_FILES)

    def export(self, path: Path) -> None:
        """Write the events that are shown in the order of time, as the ending of the file says.

        Raises:
            RecorderError: As `write_events`.
            OSError: The file cannot be written.
        """
        snapshot = self.session.events.snapshot
        events = self._shown_events()
        if snapshot is not None and events is not None:
            write_events(path, self.session.path, snapshot, events, overwrite=True)

    def ask_recordings(self) -> None:
        """Ask for a folder, and write the seconds about each event that is shown as a recording of its own."""
        chosen = QFileDialog.getExistingDirectory(self, say("Folder of the recordings"), str(self.session.path.parent))
        if chosen:
            self.write_recordings(Path(chosen))

    def write_recordings(self, folder: Path) -> None:
        """Write the seconds about each event that is shown to a folder, as a job; files that exist stay."""
        snapshot = self.session.events.snapshot
        events = self._shown_events()
        if snapshot is None or events is None:
            return
        parts = list(moments_about(snapshot, events, self.session.events.seconds, self.session.path))

        def work(progress: Progress) -> Sequence[LostPackets]:
            copies = ((name, part_of(snapshot, frames), progress.quiet()) for name, frames in parts)
            save_copies(folder, copies)
            return losses_before(snapshot, [frames for _, frames in parts])

        def done(losses: Sequence[LostPackets]) -> None:
            sentence = say_count(
                "Saved 1 recording in {folder}.",
                "Saved {count:,} recordings in {folder}.",
                count=len(parts),
                folder=folder.name,
            )
            self.session.informed.emit(sentence)
            if losses:
                self.session.refused.emit(loss_text(losses))

        self._writing.run(say("Writing recordings"), work, done, self._fail, quiet=False)

    def _fail(self, error: Exception) -> None:
        if isinstance(error, RecorderError):
            self.session.refused.emit(str(error))
        else:
            self.session.jobs.failed.emit(error)

    def _shown_events(self) -> Events | None:
        """Return the events that are shown, in the order of time."""
        if self.events is None:
            return None
        chosen = np.zeros(len(self.events), np.bool_)
        chosen[[row.row for row in self.model.rows]] = True
        return self.events.of(chosen)

    def _menu_at(self, point: QPoint) -> QMenu:
        index = self.table.indexAt(point)
        self._choose(index)
        menu = QMenu(self)
        has_chosen = self.session.events.chosen is not None
        for text, action in ((say("Trim around this"), self.trim_around), (say("Make a note of this"), self.note)):
            menu.addAction(text, action).setEnabled(has_chosen)
        menu.addSeparator()
        count = len(self.model.rows)
        for text, action in (
            (say("Export these {count:,}...", count=count), self.ask_export),
            (say("Save these {count:,} as recordings...", count=count), self.ask_recordings),
        ):
            menu.addAction(text, action).setEnabled(count > 0)
        menu.addSeparator()
        menu.addAction(say("Explain in the guide"), partial(self.guide_asked.emit, "events.md#Kinds"))
        return menu
