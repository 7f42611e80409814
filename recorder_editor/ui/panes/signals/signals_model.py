"""The signals that are shown, and their values, which a job reads; they follow edits and the selection. No widget."""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from ....errors import RecorderError
from ....formats import signals as exchange
from ....recording import Change, Snapshot
from ....texts import ENGLISH, say, speaking
from ....views.event_texts import plotted
from ....views.signal_catalog import texts_of, title_of
from ....views.signal_key import Key
from ....views.signal_reading import NOTHING, SignalResult, SignalTables, read_signals
from ...session import Session
from ...session.jobs import LatestJob
from .series import Trace, number_for

MOST = 24


class SignalModel(QObject):
    """The signals of one pane; they are read while the pane is visible.

    Attributes:
        session: The session.
        traces: The signals, in the order they were added.
        is_following: Whether signals of the selected actor become those of the next one that is selected.

    Signals: `changed` (other signals are shown), `arrived` (their values changed).
    """

    changed = Signal()
    arrived = Signal()

    def __init__(self, session: Session, is_seen: Callable[[], bool], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.traces: list[Trace] = []
        self.is_following = False
        self._is_seen = is_seen
        self._stock: SignalTables | None = None
        self._path: Path | None = None
        self._is_stale = False
        self._followed: int | None = None
        self._event_keys: tuple[Key, ...] = ()
        self._latest = LatestJob(self, session.jobs, self.read)
        session.traffic.changed.connect(self._take_traffic)
        session.lanes_changed.connect(self._follow_roads)

    # --- which signals ----------------------------------------------------------------------------------

    def add(self, *keys: Key) -> None:
        """Show further signals; those that are there already are shown where they were hidden."""
        snapshot = self.session.snapshot
        if snapshot is None:
            return
        traces = {trace.key: trace for trace in self.traces}
        for key in keys:
            if key in traces:
                traces[key].is_shown = True
                traces[key].is_guest = False
            elif len(self.own) < MOST:
                trace = self._make(key, snapshot)
                traces[key] = trace
                self.traces.append(trace)
            else:
                self.session.refused.emit(say("No more than {most} signals are shown together.", most=MOST))
                break
        self.changed.emit()
        self.read()

    def _make(self, key: Key, snapshot: Snapshot) -> Trace:
        words = texts_of(key, snapshot.dialect)
        title = title_of(key, snapshot.dialect)
        return Trace(key, words, title, number_for(key, words.unit, self.traces))

    @property
    def own(self) -> list[Trace]:
        """The signals that a person added, without those of the chosen event."""
        return [trace for trace in self.traces if not trace.is_guest]

    def exported(self) -> list[exchange.Signal]:
        """Return the signals that are read, under English names."""
        signals = []
        with speaking(ENGLISH):
            for trace in self.traces:
                title = texts_of(trace.key, self.session.snapshot_or_refuse().dialect).title
                if trace.key.kind == "pair" and not trace.key.path:
                    title = f"{trace.key.name}_{trace.key.other}"  # as the command line names it
                if trace.is_read:
                    frames, values = trace.series
                    signals.append(exchange.Signal(exchange.identifier(title), trace.key.actor, frames, values))
        return signals

    def add_for(self, actors: Iterable[int], traces: Iterable[Trace]) -> None:
        """Show the same signals of further actors."""
        keys = []
        for trace in traces:
            if trace.key.actor is None:
                continue
            for actor in actors:
                if actor != trace.key.other:
                    keys.append(trace.key._replace(actor=actor))
        self.add(*keys)

    def remove(self, *traces: Trace) -> None:
        """Remove signals."""
        self.traces = [trace for trace in self.traces if trace not in traces]
        self.changed.emit()

    def clear(self) -> None:
        """Remove all signals but those of the chosen event, which go with it."""
        self.remove(*self.own)

    def toggle(self, trace: Trace) -> None:
        """Hide a signal, or show it again; it stays in the legend."""
        self.show_all([trace], on=not trace.is_shown)

    def show_all(self, traces: list[Trace], *, on: bool) -> None:
        """Show signals, or hide them."""
        for trace in traces:
            trace.is_shown = on
        self.changed.emit()

    # --- reading ----------------------------------------------------------------------------------------

    def read(self) -> None:
        """Read what is not read yet, as a job."""
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
            traffic.request()
        analysis = traffic.analysis if traffic.is_current else None
        work = partial(read_signals, snapshot, keys, self._stock, analysis)
        self._latest.run(say("Reading signals"), work, self._take, self._refuse)

    def catch_up(self) -> None:
        """Read what was not read while the pane was hidden."""
        if self._is_stale:
            self.read()

    def _take(self, result: SignalResult) -> None:
        if self.session.snapshot is not result.stock.snapshot:
            return
        self._stock = result.stock
        for trace in self.traces:
            if trace.key in result.series:
                trace.series = result.series[trace.key]
                trace.reason = ""
                trace.is_read = trace.key.kind != "traffic" or self.session.traffic.is_current
            elif trace.key in result.refused:
                trace.series = NOTHING
                trace.reason = result.refused[trace.key]
        self._update_traffic_reasons()
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
            self._update_traffic_reasons()
            if self.session.traffic.is_current:
                self.read()
            else:
                self.arrived.emit()

    def _follow_roads(self) -> None:
        """Read anew what may depend on the road map."""
        if any(trace.key.kind in ("motion", "expression") for trace in self.traces):
            self.read()

    def _update_traffic_reasons(self) -> None:
        for trace in self.traces:
            if trace.key.kind == "traffic":
                trace.reason = self.session.traffic.reason

    # --- following --------------------------------------------------------------------------------------

    def open(self) -> bool:
        """Take another recording, or none; return whether the signals were removed.

        They stay where it is the same file, read again.
        """
        recording = self.session.recording
        path = recording.path if recording is not None else None
        is_another = path is None or path != self._path
        self._path = path
        self._stock = None
        self._event_keys = ()
        if is_another:
            self.traces = []
        else:
            self.traces = self.own
        self._read_soon()
        return is_another

    def change(self, change: Change) -> None:
        """Read all signals anew soon, after a change of the recording."""
        if change.dialect:
            self._stock = None
            for trace in self.traces:
                trace.texts = texts_of(trace.key, change.after.dialect)
        self._read_soon()

    def _read_soon(self) -> None:
        self._latest.cancel()
        for trace in self.traces:
            trace.is_read = False
        if self.traces:
            self._is_stale = True
            self._latest.begin()

    def follow_event(self) -> None:
        """Show the measures of the two of the chosen event before all signals, and take those of another one away."""
        snapshot = self.session.snapshot
        events = self.session.events
        keys: tuple[Key, ...] = ()
        if snapshot is not None and events.found is not None and events.chosen is not None:
            keys = plotted(events.found, events.chosen)
        if snapshot is None or keys == self._event_keys:
            return
        self._event_keys = keys
        own = self.own
        self.traces = own
        guests = []
        for key in keys:
            if all(trace.key != key for trace in own):
                guest = self._make(key, snapshot)
                guest.is_guest = True
                guests.append(guest)
        self.traces = guests + own
        self.changed.emit()
        self.read()

    def set_following(self, on: bool) -> None:
        """Switch on or off that signals follow the selection."""
        self.is_following = on
        self._followed = self.session.selection.actor if on else None

    def follow_actor(self) -> None:
        """Change the actor of signals that follow the selection to the one that is selected now."""
        actor = self.session.selection.actor
        snapshot = self.session.snapshot
        before = self._followed
        if not self.is_following or snapshot is None or actor is None or actor == before:
            return
        self._followed = actor
        if before is None:
            return
        followed = [trace for trace in self.own if trace.key.actor == before]
        for trace in followed:
            trace.key = trace.key._replace(actor=actor)
            trace.texts = texts_of(trace.key, snapshot.dialect)
            trace.title = title_of(trace.key, snapshot.dialect)
            trace.series = NOTHING
            trace.is_read = False
            trace.reason = ""
        if followed:
            self._remove_repeats()
            self.changed.emit()
            self.read()

    def _remove_repeats(self) -> None:
        """Keep the first trace of each signal."""
        traces: dict[Key, Trace] = {}
        for trace in self.traces:
            traces.setdefault(trace.key, trace)
        self.traces = list(traces.values())
