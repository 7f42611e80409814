"""The signals that are shown, and their values: read as a job, followed through edits, of whom they are. No widget."""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from ....errors import RecorderError
from ....formats import signals as exchange
from ....recording import Change
from ....texts import ENGLISH, say, speaking
from ....views.signal_catalog import title_of, words_of
from ....views.signal_key import Key
from ....views.signal_reading import NOTHING, Gathered, Stock, gather
from ...session import Session
from ...session.jobs import LatestJob
from .series import COLOURS, Trace

MOST = 24


class SignalModel(QObject):
    """The signals of one pane; `is_seen` says whether the pane is visible: signals are read when it is shown.

    Attributes: `traces` (in the order they were added), `is_following` (signals of the selected actor become those of
    the next one that is selected). Signals: `changed` (others are shown), `arrived` (their values are others).
    """

    changed = Signal()
    arrived = Signal()

    def __init__(self, session: Session, is_seen: Callable[[], bool], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.traces: list[Trace] = []
        self.is_following = False
        self._is_seen = is_seen
        self._stock: Stock | None = None
        self._path: Path | None = None
        self._is_stale = False
        self._followed: int | None = None
        self._latest = LatestJob(self, session.jobs, self.read)
        session.traffic.changed.connect(self._take_traffic)
        session.lanes_changed.connect(self._follow_roads)

    # --- which signals ----------------------------------------------------------------------------------

    def add(self, *keys: Key) -> None:
        """Show further signals; those that are there already are shown where they were hidden."""
        snapshot = self.session.snapshot
        if snapshot is None:
            return
        before = {trace.key: trace for trace in self.traces}
        for key in keys:
            if key in before:
                before[key].is_shown = True
            elif len(self.traces) < MOST:
                words = words_of(key, snapshot.dialect)
                title = title_of(key, snapshot.dialect)
                before[key] = Trace(key, words, title, self._number_for(key, words.unit))
                self.traces.append(before[key])
            else:
                self.session.refused.emit(say("No more than {most} signals are shown together.", most=MOST))
                break
        self.changed.emit()
        self.read()

    def exported(self) -> list[exchange.Signal]:
        """The signals that are read, under English names."""
        with speaking(ENGLISH):
            titles = []
            for trace in self.traces:
                titles.append(words_of(trace.key, self.session.snapshot_or_refuse().dialect).title)
        return [
            exchange.Signal(exchange.identifier(title), trace.key.actor, *trace.series)
            for title, trace in zip(titles, self.traces, strict=True)
            if trace.is_read
        ]

    def _number_for(self, key: Key, unit: str) -> int:
        """The colour and sign of a new signal: where signals of several actors are shown, those of its actor."""
        used = [trace.number for trace in self.traces]
        in_plot = set()
        for trace in self.traces:
            if trace.words.unit == unit:
                in_plot.add(trace.number)
        own = []
        for trace in self.traces:
            if trace.key.actor == key.actor and trace.number not in in_plot:
                own.append(trace.number)
        others = {trace.key.actor for trace in self.traces} - {key.actor, None}
        if own and others and key.actor is not None:
            return own[0]
        return min(range(len(COLOURS)), key=used.count)

    def add_for(self, actors: Iterable[int], traces: Iterable[Trace]) -> None:
        """Show the same signals of further actors."""
        keys = []
        for trace in traces:
            if trace.key.actor is not None:
                keys.append(trace.key)
        self.add(*(key._replace(actor=actor) for key in keys for actor in actors if actor != key.other))

    def remove(self, *traces: Trace) -> None:
        """Show these signals no more."""
        self.traces = [trace for trace in self.traces if trace not in traces]
        self.changed.emit()

    def clear(self) -> None:
        """Show none."""
        self.remove(*self.traces)

    def toggle(self, trace: Trace) -> None:
        """Hide a signal, or show it again; it stays in the legend."""
        self.show_all([trace], on=not trace.is_shown)

    def show_all(self, traces: list[Trace], *, on: bool) -> None:
        """Show these signals, or hide them."""
        for trace in traces:
            trace.is_shown = on
        self.changed.emit()

    # --- reading ----------------------------------------------------------------------------------------

    def read(self) -> None:
        """Read what was not read yet, as a job."""
        snapshot = self.session.snapshot
        self._is_stale = True
        if snapshot is None or not self._is_seen():
            return
        self._is_stale = False
        self._latest.cancel()
        keys = [trace.key for trace in self.traces]
        if not keys:
            return
        traffic = self.session.traffic
        if any(key.kind == "traffic" for key in keys):
            traffic.want()
        analysis = traffic.analysis if traffic.is_current else None
        work = partial(gather, snapshot, keys, self._stock, analysis)
        self._latest.run(say("Reading signals"), work, self._take, self._refuse)

    def catch_up(self) -> None:
        """The pane is shown: read what was not read meanwhile."""
        if self._is_stale:
            self.read()

    def _take(self, found: Gathered) -> None:
        if self.session.snapshot is not found.stock.snapshot:
            return
        self._stock = found.stock
        for trace in self.traces:
            if trace.key in found.series:
                trace.series, trace.reason = found.series[trace.key], ""
                trace.is_read = trace.key.kind != "traffic" or self.session.traffic.is_current
            elif trace.key in found.refused:
                trace.series, trace.reason = NOTHING, found.refused[trace.key]
        self._say_traffic()
        self.arrived.emit()

    def _refuse(self, error: Exception) -> None:
        if not isinstance(error, (RecorderError, OSError)):
            self.session.jobs.failed.emit(error)
        for trace in self.traces:
            if not trace.is_read:
                trace.reason = str(error)
        self.arrived.emit()

    def _take_traffic(self) -> None:
        if any(trace.key.kind == "traffic" for trace in self.traces):
            self._say_traffic()
            if self.session.traffic.is_current:
                self.read()
            else:
                self.arrived.emit()

    def _follow_roads(self) -> None:
        """Another road map: what is read of it is read anew, expressions too, which may ask for plots."""
        if any(trace.key.kind in ("motion", "expression") for trace in self.traces):
            self.read()

    def _say_traffic(self) -> None:
        for trace in self.traces:
            if trace.key.kind == "traffic":
                trace.reason = self.session.traffic.reason

    # --- following --------------------------------------------------------------------------------------

    def open(self) -> bool:
        """Another recording is shown, or none. The signals go (True), unless it is the same file, read again."""
        recording = self.session.recording
        path = recording.path if recording is not None else None
        is_another = path is None or path != self._path
        self._path = path
        self._stock = None
        if is_another:
            self.traces = []
        self._renew()
        return is_another

    def change(self, change: Change) -> None:
        """The recording was changed: all is read anew soon."""
        if change.dialect:
            self._stock = None
            for trace in self.traces:
                trace.words = words_of(trace.key, change.after.dialect)
        self._renew()

    def _renew(self) -> None:
        self._latest.cancel()
        for trace in self.traces:
            trace.is_read = False
        if self.traces:
            self._is_stale = True
            self._latest.begin()

    def set_following(self, on: bool) -> None:
        """Let the signals follow the selection, or not."""
        self.is_following = on
        self._followed = self.session.selection.actor if on else None

    def follow_actor(self) -> None:
        """Where signals follow the selection, those of the actor that was selected become those of another."""
        actor = self.session.selection.actor
        snapshot = self.session.snapshot
        before = self._followed
        if not self.is_following or snapshot is None or actor is None or actor == before:
            return
        self._followed = actor
        meant = [trace for trace in self.traces if before is not None and trace.key.actor == before]
        for trace in meant:
            trace.key = trace.key._replace(actor=actor)
            trace.words, trace.title = words_of(trace.key, snapshot.dialect), title_of(trace.key, snapshot.dialect)
            trace.series, trace.is_read, trace.reason = NOTHING, False, ""
        if meant:
            first = {trace.key: trace for trace in reversed(self.traces)}
            self.traces = [trace for trace in self.traces if first[trace.key] is trace]
            self.changed.emit()
            self.read()
