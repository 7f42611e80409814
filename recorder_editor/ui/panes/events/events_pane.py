"""The Events pane: near misses, collisions and other moments that matter, the worst ones first."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QMenu, QSizePolicy, QTableView

from ....arrays import BoolArray
from ....edits.trim import losses_before, part_of
from ....errors import RecorderError, error_sentence
from ....formats.event_files import write_events
from ....option_specs import options_of
from ....progress import Progress
from ....reading.events import KINDS, NUMBERS, EventKind, Events, Thresholds
from ....reading.events.filtering import matching, names_kind
from ....reading.events.moments import moments_about
from ....reading.expression import ExpressionError
from ....recording import LostPackets
from ....recording.history import loss_text
from ....recording.save import save_copies
from ....texts import listed, say, say_count
from ....views.event_signs import EVENT_SIGNS
from ....views.event_texts import event_sentence
from ...session import Session
from ...style.boxes import Stretch, fill, frameless, push_button, show_what_fits
from ...style.theme import Theme
from ...widgets import Label, SwitchStrip, ThemedWidget, ToggleChip
from ...widgets.columns_pane import ColumnsPane
from ...widgets.error_line import ErrorLine
from ...widgets.file_dialogs import EVENT_FILES, ask_file
from ...widgets.keyboard import ViewKeys
from ...widgets.pane import WorkspaceValue
from ...widgets.pane_parts import Hairline
from .events_model import SEVERITY, EventsModel

_NEXT = "go.next_traffic_event"
_FILTER = 176  # px


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


class _Foot(ThemedWidget):
    """The place of the chosen event, the key to the next one, and buttons; what has no room is left out.

    Attributes:
        place: Which of how many it is.
        key: The key to the next one.
        note: The button that makes a note.
        export: The button that exports the listed events.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.place = Label(theme, "", "small", "muted")
        self.key = Label(theme, "", "small")
        self.key.setProperty("keycap", True)
        self._next = Label(theme, say("next"), "small", "muted")
        self.note = push_button(say("Make a note"))
        self.export = push_button("")
        for button in (self.note, self.export):
            button.setProperty("large", True)
        row = fill(QHBoxLayout(self), self.place, self.key, self._next, Stretch(), spacing=6, margins=(8, 10, 8, 10))
        fill(row, self.note, self.export, margins=None)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def restyle(self) -> None:
        super().restyle()
        self.fit()

    def show_counts(self, place: str, count: int) -> None:
        """Show the place of the chosen event, empty without one, and how many events are listed."""
        self.place.setText(place)
        self.export.setText(say("Export these {count:,}", count=count))
        self.export.setEnabled(count > 0)
        self.fit()

    def fit(self) -> None:
        """Show what there is something in and room for."""
        row = self.layout()
        if row is None:
            return
        for part in (self.key, self.note, self.export):
            part.setMinimumWidth(part.sizeHint().width())  # a style sheet lets them be narrower
        has_next = bool(self.key.text()) and self.export.isEnabled()
        optional = []
        for part, is_filled in (
            (self._next, has_next),
            (self.key, has_next),
            (self.note, True),
            (self.place, bool(self.place.text())),
            (self.export, True),
        ):
            part.setVisible(is_filled)
            if is_filled:
                optional.append((part,))
        show_what_fits(row, self.width(), optional)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()


class EventsPane(ColumnsPane):
    """The events as a table, with a filter, a switch for each kind, and what can be done with one.

    Attributes:
        model: Its rows.
        error: What is wrong in the filter.
        kinds: The switches that show the kinds, by name; those of kinds without an event are hidden.
        thresholds: The button that opens the preferences at the thresholds, where there is no event.
        foot: What is below the table.
    """

    edits_selection = True
    _asks_for_kinds = False  # by the filter
    _pointed = -1  # the row under the pointer

    def __init__(self, session: Session, theme: Theme) -> None:
        table = frameless(_Table(), "eventsTable", say("Events"))
        super().__init__(session, theme, table, say("Filter: value < 1.2"))
        self.model = EventsModel(session, theme, self)
        self.error = ErrorLine(theme, self.filter)
        self.error.hide()
        self.column.insertWidget(1, self.error)
        self.kinds = {kind.name: self._make_switch(kind) for kind in KINDS}
        self._switches = SwitchStrip(*self.kinds.values())
        self.strip.addWidget(self._switches)
        self.keep("kinds", lambda: dict(session.events.switched), session.events.show_kinds, _are_kinds)
        self.former_values["frequent"] = WorkspaceValue(bool, self._show_frequent, _is_switch)
        self.thresholds = push_button(say("Thresholds..."), partial(self.action_asked.emit, "file.event_thresholds"))
        self.thresholds.hide()
        self.empty.add_button(self.thresholds)
        self.foot = _Foot(theme)
        self.show_model(self.model)
        self.table.sortByColumn(SEVERITY, Qt.SortOrder.DescendingOrder)
        ViewKeys(self.table, {"Esc": session.events.leave}, letters_pass=True)
        self.foot.note.clicked.connect(self.note)
        self.foot.export.clicked.connect(self._open_exports)
        self.column.addWidget(Hairline(theme))
        self.column.addWidget(self.foot)
        self.filter.textChanged.connect(self._show)
        self.table.clicked.connect(self._choose)
        self.table.doubleClicked.connect(self._zoom)
        self.whole_rows.pointed.connect(self._point)
        self.offer_menu(self.table, self._menu_at)
        session.events.changed.connect(self._show)
        session.events.kinds_changed.connect(self._show)
        session.events.chosen_changed.connect(self._show_chosen)
        session.opened.connect(self._show)
        self._show()

    def _make_switch(self, kind: EventKind) -> ToggleChip:
        switch = ToggleChip(kind.title, self.session.events.shows(kind))
        switch.setObjectName(f"events-{kind.name}")
        sign = EVENT_SIGNS[kind.name]
        switch.set_sign(self.theme.icons.icon(sign.icon, sign.color))
        switch.clicked.connect(partial(self._switch, kind))
        return switch

    def _show_frequent(self, on: bool) -> None:
        """Show frequent kinds, too, as one switch did before there was one for each kind."""
        self.session.events.show_kinds({kind.name: True for kind in KINDS if on and kind.is_frequent})

    def _switch(self, kind: EventKind) -> None:
        """Show or hide the events of a kind, as its switch is."""
        on = self.kinds[kind.name].isChecked()
        switched = dict(self.session.events.switched)
        switched[kind.name] = on
        if on != kind.is_frequent:  # as it is at first
            del switched[kind.name]
        self.session.events.show_kinds(switched)

    def restyle(self) -> None:
        super().restyle()
        self.filter.setMinimumWidth(self.theme.px(_FILTER))

    def show_keys(self, keys: Mapping[str, str]) -> None:
        super().show_keys(keys)
        self.foot.key.setText(keys.get(_NEXT, ""))
        self.foot.fit()

    # --- what is shown ----------------------------------------------------------------------------------

    @property
    def events(self) -> Events | None:
        """The events that were found; None before."""
        return self.session.events.found

    def _show(self) -> None:
        """Show the events that the filter and the switches leave."""
        matches = self._matching()
        if matches is None:
            self._show_stale()
            return
        shown = matches & self._switched_on()
        self.model.show_events(self.events, np.flatnonzero(shown).tolist())
        self._show_switches()
        self._show_empty(matches & ~shown)
        self._point(self._pointed)
        self._show_chosen()

    def _show_stale(self) -> None:
        """Leave the rows while the filter is wrong, unless they are those of events of before."""
        if self.model.rows and self.model.rows[0].events is not self.events:
            self.model.show_events(self.events, [])
            self._show_switches()
        self._show_chosen()

    def _show_empty(self, left_out: BoolArray) -> None:
        """Say how many events are shown, and why none is.

        Args:
            left_out: Which events only the switches leave out, bool[n].
        """
        every = 0
        if self.events is not None:
            every = len(self.events)
        self.show_counts(
            len(self.model.rows), every, say("No event matches"), self._none_text(), about=self._thresholds_text()
        )
        if every and not self.session.events.is_whole:
            number = f"{len(self.model.rows):,}"
            self.set_caption(say("{number} so far", number=number), short=number)
        self.thresholds.setVisible(not every and self._was_looked_for)
        if not self.model.rows and left_out.any():
            count = int(left_out.sum())
            text = say_count("1 event, of a kind that is off", "{count:,} events, of kinds that are off", count=count)
            self.empty.set_text(text, self._counts_text(left_out))

    def _matching(self) -> BoolArray | None:
        """Return which events the filter leaves, bool[n]; None where it is wrong: then they stay."""
        events = self.events
        snapshot = self.session.events.snapshot
        self.error.show_error("")
        self.error.hide()
        if events is None or snapshot is None:
            return np.zeros(0, np.bool_)
        text = self.filter.text().strip()
        try:
            matches = matching(events, text, snapshot.elapsed)
            self._asks_for_kinds = names_kind(text)
        except ExpressionError as error:
            self.error.show_error(error.message, error.column)
            self.error.show()
            return None
        return matches

    def _switched_on(self) -> BoolArray:
        """Return of which events the kind is shown, bool[n]; a filter that asks for kinds looks through all."""
        events = self.events
        if events is None:
            return np.zeros(0, np.bool_)
        if self._asks_for_kinds:
            return np.ones(len(events), np.bool_)
        is_shown = np.array([self.session.events.shows(kind) for kind in KINDS])
        chosen: BoolArray = is_shown[events.table["kind"]]
        return chosen

    def _show_switches(self) -> None:
        """Show the switches of the kinds that have events, with their numbers."""
        counts: Counter[int] = Counter()
        if self.events is not None:
            counts.update(self.events.table["kind"].tolist())
        for number, kind in enumerate(KINDS):
            switch = self.kinds[kind.name]
            switch.setText(f"{kind.title} {counts[number]:,}")
            switch.setAccessibleName(switch.text())
            switch.setChecked(self.session.events.shows(kind))
            switch.setEnabled(not self._asks_for_kinds)
            switch.setToolTip(self._switch_tip(kind))
            switch.setVisible(counts[number] > 0)
        self._switches.setVisible(bool(counts))

    def _switch_tip(self, kind: EventKind) -> str:
        if self._asks_for_kinds:
            return say("The filter says which kinds are shown")
        return say("Shows events of this kind here and on the timeline: {kind}", kind=kind.title)

    @property
    def _was_looked_for(self) -> bool:
        """Whether the events of this state are known."""
        return self.session.snapshot is not None and not self.session.events.is_looking

    def _none_text(self) -> str:
        if self.session.snapshot is None:
            return say("No recording open")
        if self.session.events.is_looking:
            return say("Looking for events...")
        return say("No events in {count:,} frames", count=self.session.frames)

    def _thresholds_text(self) -> str:
        """Return what events were looked for with, and which kinds were not looked for; empty before."""
        events = self.events
        if events is None or not self._was_looked_for:
            return ""
        limits = []
        for name, _, spec in options_of(Thresholds):
            value = self.theme.units.short(getattr(events.thresholds, name), spec.unit)
            limits.append(say("{threshold} {value}", threshold=say(spec.label), value=value))
        return "\n".join(filter(None, (listed(limits, "clauses"), self._lacking_text())))

    def _lacking_text(self) -> str:
        """Return which kinds were not looked for without a road map that fits; empty where all were."""
        events = self.events
        if events is None or not events.lacking:
            return ""
        kinds = listed(kind.title for kind in events.lacking)
        if self.session.roads.map is None:
            return say("{kinds}: these need a road map.", kinds=kinds)
        return say("{kinds}: the road map is that of another town or release.", kinds=kinds)

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
        has_chosen = chosen is not None
        self.foot.note.setEnabled(has_chosen)
        self.foot.show_counts(self._place_text(row), len(self.model.rows))

    def _place_text(self, row: int | None) -> str:
        if row is None:
            return ""
        return say("{number:,} of {count:,}", number=row + 1, count=len(self.model.rows))

    def _counts_text(self, chosen: BoolArray) -> str:
        """Return how many events of each kind there are among some, as `58 Hard braking`.

        Args:
            chosen: Which events, bool[n].
        """
        if self.events is None:
            return ""
        counts = Counter(self.events.table["kind"][chosen].tolist())
        return listed(f"{counts[number]:,} {KINDS[number].title}" for number in sorted(counts))

    # --- what can be done -------------------------------------------------------------------------------

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            self.session.events.choose(self.model.rows[index.row()].row)

    def _point(self, number: int) -> None:
        """Mark the event of a row under the pointer on the timeline and in the scene; -1: of none."""
        self._pointed = number
        event = None
        if 0 <= number < len(self.model.rows):
            event = self.model.rows[number].row
        self.session.events.point_at(event)

    def _zoom(self, index: QModelIndex) -> None:
        """Go to an event, see its actors closely, and keep them in view."""
        self._choose(index)
        self.action_asked.emit("event.follow")

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

        self.session.jobs.start(say("Writing recordings"), work, done, self._fail)

    def _fail(self, error: Exception) -> None:
        if isinstance(error, (RecorderError, OSError)):
            self.session.refused.emit(error_sentence(error))
        else:
            self.session.jobs.failed.emit(error)

    def _shown_events(self) -> Events | None:
        """Return the events that are shown, in the order of time."""
        if self.events is None:
            return None
        chosen = np.zeros(len(self.events), np.bool_)
        chosen[[row.row for row in self.model.rows]] = True
        return self.events.of(chosen)

    def _open_exports(self) -> None:
        """Offer what the listed events can be written as."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._add_exports(menu)
        button = self.foot.export
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    def _add_exports(self, menu: QMenu) -> None:
        count = len(self.model.rows)
        for text, action in (
            (say("Export these {count:,}...", count=count), self.ask_export),
            (say("Save these {count:,} as recordings...", count=count), self.ask_recordings),
        ):
            menu.addAction(text, action).setEnabled(count > 0)

    def _menu_at(self, point: QPoint) -> QMenu:
        index = self.table.indexAt(point)
        self._choose(index)
        menu = QMenu(self)
        has_chosen = self.session.events.chosen is not None
        for text, action in ((say("Trim around this"), self.trim_around), (say("Make a note of this"), self.note)):
            menu.addAction(text, action).setEnabled(has_chosen)
        menu.addSeparator()
        self._add_exports(menu)
        menu.addSeparator()
        menu.addAction(say("Thresholds..."), partial(self.action_asked.emit, "file.event_thresholds"))
        menu.addAction(say("Explain in the guide"), partial(self.guide_asked.emit, "events.md#Kinds"))
        self.offer_copies(menu, self.table)
        return menu


def _is_switch(value: object) -> bool:
    return isinstance(value, bool)


def _are_kinds(values: Mapping[str, object]) -> bool:
    """Return whether values that were read say for kinds of events whether they are shown."""
    return all(name in NUMBERS and isinstance(value, bool) for name, value in values.items())
