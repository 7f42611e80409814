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
    PlaceParts,
    Selection,
    existing_place,
    frame_of,
    look_up,
    matching_place,
    place_after_edit,
    place_at,
    place_of_span,
    span_of,
)
from .state import SessionState

_Arguments = ParamSpec("_Arguments")
SavedSelection = tuple[Selection, tuple[int, int | None] | None]
"""A selection, and the packet id and actor that stay selected from frame to frame."""

_TRAIL_OF_SELECTIONS = 200
_TRAIL_KEPT_OVER_AN_EDIT = 20


def _refuses_unreadable(
    method: Callable[Concatenate["CurrentSelection", _Arguments], None],
) -> Callable[Concatenate["CurrentSelection", _Arguments], None]:
    """Decorate a method that reads the file: an error of reading is emitted as a refusal and the selection stays."""

    @wraps(method)
    def guarded(selection: "CurrentSelection", /, *args: _Arguments.args, **kwargs: _Arguments.kwargs) -> None:
        try:
            method(selection, *args, **kwargs)
        except RecorderError as error:
            selection.state.refused.emit(error.message)
        except OSError as error:
            selection.state.refused.emit(say("The file cannot be read: {reason}.", reason=reason_of(error)))

    return guarded


class CurrentSelection(QObject):
    """The selection of a session; any view may set any part of it.

    Attributes:
        value: The selected place, further records and bytes.
        row: The row that the tree shows.
        frame_index: The frame that is shown, from 0; of a raw row the frame before it.
        skips_text_panes: Playback is late, so panes of text do not follow the frame that is being shown.

    Signals:
        changed(Selection): Another place is selected.
        rested(Selection): The same, for panes of text.
        picked(): A place is about to be selected, which is more than to show another frame.
        pointed(int): A single byte was selected; follows `changed` with the field that holds it.
        sought(): The selected actors were asked for by a name, a problem or an event; views bring them into sight.
    """

    changed = Signal(object)
    rested = Signal(object)
    picked = Signal()
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
        self._target_of: tuple[Snapshot, Place] | None = None
        self._target = PlaceParts()
        self._target_actor: int | None = None
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
        """The further records that are selected."""
        return self.value.more

    @property
    def is_event(self) -> bool:
        """Whether the selected record is an event of the recording, a collision, a birth, a light that changes."""
        actors = self.state.actors
        place = self.place
        if actors is None or place.packet is None or place.record is None:
            return False
        events = actors.events
        same_row = events[events["row"] == place.row]
        is_same = (same_row["packet"] == place.packet) & (same_row["record"] == place.record)
        return bool(is_same.any())

    @property
    def current(self) -> Row | None:
        """The row that is shown, a frame or a raw row; None where there is none."""
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
    def target(self) -> PlaceParts:
        """The selected place, looked up."""
        if self._snapshot is None:
            return PlaceParts()
        self._look_up_target(self._snapshot)
        return self._target

    def _look_up_target(self, snapshot: Snapshot) -> None:
        """Look the selected place up once for a selection: dozens of actions ask about it."""
        place = self.value.place
        if self._target_of is None or self._target_of[0] is not snapshot or self._target_of[1] != place:
            self._target = look_up(snapshot, place)
            self._target_actor = self._target.actor
            self._target_of = (snapshot, place)

    @property
    def span(self) -> tuple[int, int]:
        """The selected bytes `(start, stop)`, as positions in the file."""
        if self._snapshot is None:
            return 0, 0
        return self.value.span or span_of(self._snapshot, self.place)

    @property
    def actor(self) -> int | None:
        """The selected actor, also while the current frame lacks its record."""
        if self._snapshot is not None:
            self._look_up_target(self._snapshot)
            if self._target_actor is not None:
                return self._target_actor
        if self._sticky is not None:
            return self._sticky[1]
        return None

    @property
    def actors(self) -> tuple[int, ...]:
        """All selected actors, the first one first."""
        if self._snapshot is None:
            return ()
        actors = [self.actor]
        for place in self.more:
            actors.append(look_up(self._snapshot, place).actor)
        unique = dict.fromkeys(actors)
        return tuple(actor for actor in unique if actor is not None)

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
        """The life of each selected actor, chosen as `life` does; computed once for a selection."""
        key = (self.actors, self.frame_index)
        if self._snapshot is not self._lives_of or key != self._lives_key:
            self._lives_of = self._snapshot
            self._lives_key = key
            self._lives = self._find_lives()
        return self._lives

    def _find_lives(self) -> list[Life]:
        actors = self.state.actors
        if actors is None:
            return []
        lives = (actors.nearest(actor, self.frame_index) for actor in self.actors)
        return [life for life in lives if life is not None]

    @property
    def _snapshot(self) -> Snapshot | None:
        return self.state.snapshot

    @_refuses_unreadable
    def select(self, place: Place, *, more: tuple[Place, ...] = (), span: tuple[int, int] | None = None) -> None:
        """Select a place; the frame that holds it becomes the current one.

        Args:
            place: The place.
            more: Further records that are selected.
            span: The selected bytes as positions `(start, stop)`; None: those of the place.
        """
        if self._snapshot is None:
            return
        self.picked.emit()
        place = existing_place(self._snapshot, place)
        self._remember_target(look_up(self._snapshot, place))
        self._select(Selection(place, more, span), remember=True)

    @_refuses_unreadable
    def select_byte(self, position: int) -> None:
        """Select the smallest field that holds a byte."""
        if self._snapshot is not None:
            self.select(place_at(self._snapshot, position))
            self.pointed.emit(position)

    @_refuses_unreadable
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
            stop = finding.offset + max(1, finding.size)
            self.select_span(finding.offset, min(stop, snapshot.size))
        elif finding.row is not None and finding.row < snapshot.rows:
            self.select(Place(finding.row))
        self.sought.emit()

    @_refuses_unreadable
    def select_actor(self, actor: int, *, add: bool = False) -> None:
        """Select an actor's record in the current frame, or its EventAdd.

        Args:
            actor: The id.
            add: Keep the other records of this frame selected, and leave this one out where it is selected already.
        """
        place = self.place_of_actor(actor)
        if place is None:
            self.state.refused.emit(say("Actor {actor} does not exist in this recording.", actor=actor))
            return
        if not add:
            self.select(place)
            return
        places = []
        for selected in dict.fromkeys((self.place, *self.more)):
            if selected.record is not None and selected.row == place.row:
                places.append(selected)
        if place in places:
            places.remove(place)
        else:
            places.append(place)
        if places:
            self.select(places[0], more=tuple(places[1:]))

    def seek_actor(self, actor: int) -> None:
        """Select an actor that was asked for by name: views bring it into sight."""
        self.select_actor(actor)
        self.sought.emit()

    def seek_newest(self, _added: object = None) -> None:
        """Select the actor of the highest id, which was added last."""
        self.seek_actor(max(life.actor for life in Actors.of(self.state.snapshot_or_refuse())))

    @_refuses_unreadable
    def select_actors(self, actors: tuple[int, ...]) -> None:
        """Select several actors' records in the current frame."""
        places = []
        for actor in actors:
            place = self.place_of_actor(actor)
            if place is not None and place.row == self.row:
                places.append(place)
        if places:
            self.select(places[0], more=tuple(places[1:]))

    def place_of_actor(self, actor: int) -> Place | None:
        """Return an actor's record in the current frame (position, light, control), else its EventAdd.

        Returns:
            None where no recording is shown or it has no actor of this id.
        """
        frame = self.frame
        actors = self.state.actors
        if frame is None or actors is None:
            return None
        for name in ("Position", "State", "AnimVehicle", "AnimWalker", "EventAdd"):
            packet = frame.packet(name)
            if packet is None:
                continue
            record = packet.decoded.find_actor(actor)
            if record is not None:
                return Place(frame.row, packet.index, record)
        life = actors.nearest(actor, self.frame_index)
        if life is not None:
            return Place(*life.added)
        return None

    def go_to_frame(self, index: int) -> None:
        """Show a frame; the same actor, packet and field stay selected.

        Args:
            index: From 0; outside the recording it means the first or the last frame.
        """
        snapshot = self._snapshot
        if snapshot is None or not len(snapshot):
            return
        within = max(0, min(index, len(snapshot) - 1))
        self.go_to_row(snapshot.table.row_of_frame(within))

    @_refuses_unreadable
    def go_to_row(self, row: int) -> None:
        """Show a row; the same actor, packet and field stay selected as far as the row has them."""
        snapshot = self._snapshot
        if snapshot is None or not 0 <= row < snapshot.rows or row == self.place.row:
            return
        self._select(self._selection_in(row), remember=False)

    def _selection_in(self, row: int) -> Selection:
        """Return the counterpart of the selection in another row."""
        snapshot = self._snapshot
        if snapshot is None or self._sticky is None:
            return Selection(Place(row))
        packet_id, first_actor = self._sticky
        more = []
        for actor in self.actors[1:]:
            place = matching_place(snapshot, row, self.place, packet_id, actor)
            if place.record is not None:
                more.append(place)
        return Selection(matching_place(snapshot, row, self.place, packet_id, first_actor), tuple(more))

    def go_to_time(self, seconds: float) -> None:
        """Show the last frame whose elapsed is at most `seconds`."""
        if self._snapshot is not None:
            self.go_to_frame(self._snapshot.frame_at_time(seconds))

    def step(self, frames: int) -> None:
        """Go so many frames on; a negative number goes back."""
        self.go_to_frame(self.frame_index + frames)

    def step_seconds(self, seconds: float) -> None:
        """Go so many recorded seconds on, at least one frame; a negative number goes back."""
        snapshot = self._snapshot
        if snapshot is None or not len(snapshot):
            return
        before = self.frame_index
        target = snapshot.frame_at_time(float(snapshot.elapsed[before]) + seconds)
        if target == before and seconds > 0:
            target = before + 1
        elif target == before:
            target = before - 1
        self.go_to_frame(target)

    @_refuses_unreadable
    def step_event(self, by: int) -> None:
        """Go to the nearest frame in which something happens: a birth, an end, a collision, a door.

        Args:
            by: Positive: to the next one, else to the one before.
        """
        actors = self.state.actors
        if actors is None:
            return
        frames = np.unique(actors.events["frame_index"])
        if by > 0:
            target = int(np.searchsorted(frames, self.frame_index, side="right"))
        else:
            target = int(np.searchsorted(frames, self.frame_index, side="left")) - 1
        if 0 <= target < len(frames):
            self.go_to_frame(int(frames[target]))

    def can_go_back(self) -> bool:
        """Return whether there is an earlier selection."""
        return bool(self._back)

    def can_go_forward(self) -> bool:
        """Return whether there is a later selection."""
        return bool(self._forward)

    @_refuses_unreadable
    def back(self) -> None:
        """Return to the selection before this one."""
        if self._back:
            self._forward.append(self.value)
            self._return_to(self._back.pop())

    @_refuses_unreadable
    def forward(self) -> None:
        """Return to the selection that `back` left."""
        if self._forward:
            self._back.append(self.value)
            self._return_to(self._forward.pop())

    def _return_to(self, selection: Selection) -> None:
        if self._snapshot is not None:
            self.picked.emit()
            place = existing_place(self._snapshot, selection.place)
            self._remember_target(look_up(self._snapshot, place))
            self._select(Selection(place, selection.more), remember=False)
            self.state.state_changed.emit()

    def _select(self, selection: Selection, *, remember: bool) -> None:
        if selection == self.value:
            return
        row = self.row
        frame_index = self.frame_index
        if selection.place.row != HEADER and self._snapshot is not None:
            row = selection.place.row
            # Read before anything changes: an error leaves the selection as it is, and views find the packets decoded.
            _ = self._snapshot.row(row).packets
            frame_index = frame_of(self._snapshot, row)
        if remember:
            self._back.append(self.value)
            del self._back[:-_TRAIL_OF_SELECTIONS]
            self._forward.clear()
        self.value = selection
        self.row = row
        self.frame_index = frame_index
        self.notify()
        if remember:
            self.state.state_changed.emit()

    def notify(self) -> None:
        """Emit `changed`, and `rested` unless panes of text are left out."""
        self.changed.emit(self.value)
        if not self.skips_text_panes:
            self.rested.emit(self.value)

    def start(self, frame_index: int) -> None:
        """Forget the selections of another recording and select a frame of the present one, without a signal.

        Args:
            frame_index: From 0; behind the end it means the last frame.
        """
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
        if snapshot.rows:
            self.value = Selection(Place(self.row))
        else:
            self.value = Selection(Place(HEADER))

    def rebase(self, change: Change) -> None:
        """Move the selection and the earlier ones to where an edit has put them, without a signal."""

        def moved(place: Place) -> Place:
            return place_after_edit(change.before, change.after, place, change.splices)

        selects_records = self.place.record is not None
        places = [moved(place) for place in (self.place, *self.more)]
        kept = places
        if selects_records:
            kept = [place for place in places if place.record is not None]
        if kept:
            self.value = Selection(kept[0], tuple(kept[1:]))
        else:
            self.value = Selection(places[0])
        self._back = [Selection(moved(earlier.place)) for earlier in self._back[-_TRAIL_KEPT_OVER_AN_EDIT:]]
        self._forward.clear()
        target = self.target
        if target.record is not None or selects_records:
            self._remember_target(target)
        else:
            self._forget_missing_actor()
        self._sync_row()

    def _forget_missing_actor(self) -> None:
        """Forget an actor that stayed selected without a record, where an edit has removed all of its lives."""
        if self._sticky is None:
            return
        packet_id, actor = self._sticky
        if actor is None:
            return
        actors = self.state.actors
        if actors and not actors.of_id(actor):
            self._sticky = (packet_id, None)

    def _remember_target(self, target: PlaceParts) -> None:
        """Let the packet and the actor of a place stay selected from frame to frame."""
        if target.packet is not None:
            self._sticky = (target.packet.id, target.actor)
        else:
            self._sticky = None

    def choose(self, place: Place) -> None:
        """Select a place without a signal."""
        if self._snapshot is not None:
            self._back.append(self.value)
            self.value = Selection(existing_place(self._snapshot, place))
            self._remember_target(self.target)
            self._sync_row()

    def _sync_row(self) -> None:
        """Make the row of the selection the one that is shown."""
        snapshot = self._snapshot
        if snapshot is not None:
            row = self.place.row
            if row != HEADER:
                self.row = row
            else:
                self.row = max(0, min(self.row, snapshot.rows - 1))
            self.frame_index = frame_of(snapshot, self.row)

    def saved_state(self) -> SavedSelection:
        """Return the selection in the form that `restore` takes."""
        return self.value, self._sticky

    def restore(self, saved: SavedSelection, row: int | None) -> None:
        """Select what was selected in a state of the recording that is shown again, without a signal.

        Args:
            saved: What `saved_state` returned then.
            row: Select its counterpart in this row; None: the same places.
        """
        self.value, self._sticky = saved
        if row is not None and self._snapshot is not None:
            self.value = self._selection_in(row)
        self._sync_row()
