"""The one selection of a session, and how it moves: to a place, a byte, an actor, a frame, an event, and back and
forward through what it was.

Knows the snapshot that is shown, no edit and no file.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

import numpy as np
from PySide6.QtCore import QObject, Signal

from ...errors import RecorderError, reason_of
from ...reading import Actors, Life
from ...recording import Change, Finding, Frame, Place, Row, Snapshot
from ...texts import say
from ...views.selection import (
    HEADER,
    Found,
    Selection,
    followed,
    frame_of,
    look_up,
    place_at,
    place_of_span,
    same_in,
    settled,
    span_of,
)
from .state import SessionState

_Given = ParamSpec("_Given")
Kept = tuple[Selection, tuple[int, int | None] | None]
"""A selection, and the packet id and actor that stay selected from frame to frame."""

_TRAIL_OF_SELECTIONS = 200
_TRAIL_KEPT_OVER_AN_EDIT = 20


def _reading(
    method: Callable[Concatenate["CurrentSelection", _Given], None],
) -> Callable[Concatenate["CurrentSelection", _Given], None]:
    """What is selected is read at once; where the file was changed beneath, the reason is told and nothing moves."""

    @wraps(method)
    def read(selection: "CurrentSelection", /, *given: _Given.args, **named: _Given.kwargs) -> None:
        try:
            method(selection, *given, **named)
        except RecorderError as error:
            selection.state.refused.emit(error.message)
        except OSError as error:
            selection.state.refused.emit(say("The file cannot be read: {reason}.", reason=reason_of(error)))

    return read


class CurrentSelection(QObject):
    """What is selected, and how to set it; every part of it is set from anywhere.

    Attributes: `value`, `row` (shown in the tree), `frame_index` (from 0; of a raw row the frame before it),
    `skips_text_panes` (a frame is shown that is late while playing: panes of text are left out).

    Signals: `changed(Selection)`; `rested(Selection)`, the same for panes of text; `pointed(int)` when a single byte
    was meant, after the field that holds it became selected; `sought` when the selected actor was asked for by its name
    or by a problem, and is to be brought into sight.
    """

    changed = Signal(object)
    rested = Signal(object)
    pointed = Signal(object)
    sought = Signal()

    def __init__(self, state: SessionState) -> None:
        super().__init__(state)
        self.state = state
        self.value = Selection(Place(HEADER))
        self.row = 0
        self.frame_index = 0
        self.skips_text_panes = False
        # The packet id and the actor that stay selected from frame to frame, also where they are missing.
        self._sticky: tuple[int, int | None] | None = None
        self._lives_of: Snapshot | None = None
        self._lives_key: tuple[tuple[int, ...], int] = ((), 0)
        self._lives: list[Life] = []
        self._back: list[Selection] = []
        self._forward: list[Selection] = []

    @property
    def place(self) -> Place:
        """The selected place."""
        return self.value.place

    @property
    def more(self) -> tuple[Place, ...]:
        """Further records that are selected."""
        return self.value.more

    @property
    def current(self) -> Row | None:
        """The row that is shown: a frame, or a raw stretch; None where there is none."""
        if self._snapshot is None or not 0 <= self.row < self._snapshot.rows:
            return None
        return self._snapshot.row(self.row)

    @property
    def frame(self) -> Frame | None:
        """The current frame, or None where the recording has none."""
        if self._snapshot is None or not len(self._snapshot):
            return None
        return self._snapshot.frame(min(self.frame_index, len(self._snapshot) - 1))

    @property
    def found(self) -> Found:
        """The selected place, looked up."""
        if self._snapshot is not None:
            return look_up(self._snapshot, self.place)
        return Found()

    @property
    def span(self) -> tuple[int, int]:
        """The selected bytes `(start, stop)`."""
        if self._snapshot is None:
            return 0, 0
        return self.value.span or span_of(self._snapshot, self.place)

    @property
    def actor(self) -> int | None:
        """The selected actor: also while its record is missing in the current frame."""
        actor = self.found.actor
        if actor is not None:
            return actor
        if self._sticky is not None:
            return self._sticky[1]
        return None

    @property
    def actors(self) -> tuple[int, ...]:
        """All selected actors, the first one first."""
        if self._snapshot is None:
            return ()
        more = (look_up(self._snapshot, place).actor for place in self.more)
        every = dict.fromkeys((self.actor, *more))
        return tuple(actor for actor in every if actor is not None)

    @property
    def life(self) -> Life | None:
        """The life of the selected actor that holds the current frame, or its nearest one."""
        actor = self.actor
        actors = self.state.actors
        if actor is not None and actors is not None:
            return actors.nearest(actor, self.frame_index)
        return None

    @property
    def lives(self) -> list[Life]:
        """The lives of all selected actors, as `life` has it; looked up once for all that ask."""
        key = (self.actors, self.frame_index)
        if self._snapshot is not self._lives_of or key != self._lives_key:
            self._lives_of = self._snapshot
            self._lives_key = key
            self._lives = self._found_lives()
        return self._lives

    def _found_lives(self) -> list[Life]:
        actors = self.state.actors
        if actors is None:
            return []
        lives = (actors.nearest(actor, self.frame_index) for actor in self.actors)
        return [life for life in lives if life is not None]

    @property
    def _snapshot(self) -> Snapshot | None:
        return self.state.snapshot

    @_reading
    def select(self, place: Place, *, more: tuple[Place, ...] = (), span: tuple[int, int] | None = None) -> None:
        """Select a place; the frame that holds it becomes the current one."""
        if self._snapshot is None:
            return
        place = settled(self._snapshot, place)
        self._remember_target(look_up(self._snapshot, place))
        self._select(Selection(place, more, span), remember=True)

    @_reading
    def select_byte(self, position: int) -> None:
        """Select the smallest field that holds a byte."""
        if self._snapshot is not None:
            self.select(place_at(self._snapshot, position))
            self.pointed.emit(position)

    @_reading
    def select_span(self, start: int, stop: int) -> None:
        """Select bytes, and the packet, record or field that spans them."""
        if self._snapshot is not None and stop > start:
            self.select(place_of_span(self._snapshot, start, stop), span=(start, stop))

    def select_finding(self, finding: Finding) -> None:
        """Select the bytes of a finding, or its row where it names no bytes."""
        snapshot = self._snapshot
        if snapshot is None:
            return
        if finding.offset is not None and finding.offset < snapshot.size:
            self.select_span(finding.offset, min(finding.offset + max(1, finding.size), snapshot.size))
        elif finding.row is not None and finding.row < snapshot.rows:
            self.select(Place(finding.row))
        self.sought.emit()

    @_reading
    def select_actor(self, actor: int, *, add: bool = False) -> None:
        """Select an actor's record in the current frame, or its EventAdd; `add` adds it to the others or removes it."""
        place = self.place_of_actor(actor)
        if place is None:
            self.state.refused.emit(say("Actor {actor} does not exist in this recording.", actor=actor))
            return
        if not add:
            self.select(place)
            return
        every = list(dict.fromkeys((self.place, *self.more)))
        every = [one for one in every if one.record is not None and one.row == place.row]
        if place in every:
            every.remove(place)
        else:
            every.append(place)
        if every:
            self.select(every[0], more=tuple(every[1:]))

    def seek_actor(self, actor: int) -> None:
        """Select an actor that was asked for by name: views bring it into sight."""
        self.select_actor(actor)
        self.sought.emit()

    def seek_newest(self, _added: object = None) -> None:
        """Select the actor of the highest id, which was added last."""
        self.seek_actor(max(life.actor for life in Actors.of(self.state.snapshot_or_refuse())))

    @_reading
    def select_actors(self, actors: tuple[int, ...]) -> None:
        """Select several actors' records in the current frame."""
        places = []
        for place in map(self.place_of_actor, actors):
            if place is not None and place.row == self.row:
                places.append(place)
        if places:
            self.select(places[0], more=tuple(places[1:]))

    def place_of_actor(self, actor: int) -> Place | None:
        """Where an actor is: its record in the current frame (position, light, control), else its EventAdd."""
        frame = self.frame
        actors = self.state.actors
        if frame is None or actors is None:
            return None
        for name in ("Position", "State", "AnimVehicle", "AnimWalker", "EventAdd"):
            packet = frame.packet(name)
            record = None
            if packet is not None:
                record = packet.decoded.find_actor(actor)
            if packet is not None and record is not None:
                return Place(frame.row, packet.index, record)
        life = actors.nearest(actor, self.frame_index)
        if life is not None:
            return Place(*life.added)
        return None

    def go_to_frame(self, index: int) -> None:
        """Show a frame (from 0, held within the recording); the same actor, packet and field stay selected."""
        if self._snapshot is None or not len(self._snapshot):
            return
        self.go_to_row(self._snapshot.table.row_of_frame(max(0, min(index, len(self._snapshot) - 1))))

    @_reading
    def go_to_row(self, row: int) -> None:
        """Show a row; what is selected in it stays the same as far as it is there."""
        snapshot = self._snapshot
        if snapshot is None or not 0 <= row < snapshot.rows or row == self.place.row:
            return
        self._select(self._same_in(row), remember=False)

    def _same_in(self, row: int) -> Selection:
        """What is selected, in another row."""
        snapshot = self._snapshot
        if snapshot is None or self._sticky is None:
            return Selection(Place(row))
        actors = self.actors[1:]
        same = (same_in(snapshot, row, self.place, self._sticky[0], actor) for actor in actors)
        more = tuple(one for one in same if one.record is not None)
        return Selection(same_in(snapshot, row, self.place, *self._sticky), more)

    def go_to_time(self, seconds: float) -> None:
        """Show the last frame whose elapsed is at most `seconds`."""
        if self._snapshot is not None:
            self.go_to_frame(self._snapshot.frame_at_time(seconds))

    def step(self, frames: int) -> None:
        """Go so many frames on, or back."""
        self.go_to_frame(self.frame_index + frames)

    def step_seconds(self, seconds: float) -> None:
        """Go so many seconds on, or back; at least one frame."""
        snapshot = self._snapshot
        if snapshot is None or not len(snapshot):
            return
        before = self.frame_index
        target = snapshot.frame_at_time(float(snapshot.elapsed[before]) + seconds)
        self.go_to_frame(target if target != before else before + (1 if seconds > 0 else -1))

    @_reading
    def step_event(self, by: int) -> None:
        """Go to the next frame (or the one before) in which something happens: a birth, an end, a collision, a door."""
        actors = self.state.actors
        if actors is None:
            return
        frames = np.unique(actors.events["frame_index"])
        here = int(np.searchsorted(frames, self.frame_index, side="right" if by > 0 else "left")) - (0 if by > 0 else 1)
        if 0 <= here < len(frames):
            self.go_to_frame(int(frames[here]))

    def can_go_back(self) -> bool:
        """There is an earlier selection."""
        return bool(self._back)

    def can_go_forward(self) -> bool:
        """There is a later selection."""
        return bool(self._forward)

    @_reading
    def back(self) -> None:
        """The selection before this one."""
        if self._back:
            self._forward.append(self.value)
            self._return_to(self._back.pop())

    @_reading
    def forward(self) -> None:
        """The selection that `back` left."""
        if self._forward:
            self._back.append(self.value)
            self._return_to(self._forward.pop())

    def _return_to(self, selection: Selection) -> None:
        if self._snapshot is not None:
            place = settled(self._snapshot, selection.place)
            self._remember_target(look_up(self._snapshot, place))
            self._select(Selection(place, selection.more), remember=False)
            self.state.state_changed.emit()

    def _select(self, selection: Selection, *, remember: bool) -> None:
        if selection == self.value:
            return
        if selection.place.row != HEADER and self._snapshot is not None:
            # Read before anything changes: what the views are about to ask for is then there.
            _ = self._snapshot.row(selection.place.row).packets
        if remember:
            self._back.append(self.value)
            del self._back[:-_TRAIL_OF_SELECTIONS]
            self._forward.clear()
        self.value = selection
        if selection.place.row != HEADER and self._snapshot is not None:
            self.row = selection.place.row
            self.frame_index = frame_of(self._snapshot, self.row)
        self.tell()
        if remember:
            self.state.state_changed.emit()

    def tell(self) -> None:
        """Tell the views what is selected."""
        self.changed.emit(self.value)
        if not self.skips_text_panes:
            self.rested.emit(self.value)

    def start(self, frame_index: int) -> None:
        """Forget all selections of another recording, and select this frame of the present one; tells nobody."""
        snapshot = self._snapshot
        assert snapshot is not None
        self._sticky = None
        self._back.clear()
        self._forward.clear()
        if len(snapshot):
            self.row = snapshot.table.row_of_frame(min(frame_index, len(snapshot) - 1))
        else:
            self.row = 0
        self.frame_index = frame_of(snapshot, self.row)
        self.value = Selection(Place(self.row if snapshot.rows else HEADER))

    def rebase(self, change: Change) -> None:
        """Take the selection and the way back over into what is shown after an edit; tells nobody."""

        def carried(place: Place) -> Place:
            return followed(change.before, change.after, place, change.splices)

        of_records = self.place.record is not None
        every = [carried(place) for place in (self.place, *self.more)]
        held = [place for place in every if place.record is not None or not of_records]
        if held:
            self.value = Selection(held[0], tuple(held[1:]))
        else:
            self.value = Selection(every[0])
        self._back = [Selection(carried(one.place)) for one in self._back[-_TRAIL_KEPT_OVER_AN_EDIT:]]
        self._forward.clear()
        found = self.found
        sticky = self._sticky
        if found.record is not None or of_records:
            self._remember_target(found)
        elif sticky and sticky[1] is not None and (actors := self.state.actors) and not actors.of_id(sticky[1]):
            # Not in this frame before, and now nowhere.
            self._sticky = sticky[0], None
        self._sync_row()

    def _remember_target(self, found: Found) -> None:
        if found.packet is not None:
            self._sticky = (found.packet.id, found.actor)
        else:
            self._sticky = None

    def choose(self, place: Place) -> None:
        """Select a place; tells nobody."""
        if self._snapshot is not None:
            self._back.append(self.value)
            self.value = Selection(settled(self._snapshot, place))
            self._remember_target(self.found)
            self._sync_row()

    def _sync_row(self) -> None:
        """Show the row that the selection is in."""
        snapshot = self._snapshot
        if snapshot is not None:
            row = self.place.row
            if row != HEADER:
                self.row = row
            else:
                self.row = max(0, min(self.row, snapshot.rows - 1))
            self.frame_index = frame_of(snapshot, self.row)

    def saved_state(self) -> Kept:
        """What is selected, to be taken up again."""
        return self.value, self._sticky

    def restore(self, kept: Kept, row: int | None) -> None:
        """Select what was selected in just this state, or the same in another row; tells nobody."""
        self.value, self._sticky = kept
        if row is not None and self._snapshot is not None:
            self.value = self._same_in(row)
        self._sync_row()
