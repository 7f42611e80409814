"""The scene as a widget: follows the session, says what the view box shows, turns its mouse and the keys into edits."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QHideEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QToolTip

import recorder_editor as library

from ....errors import RecorderError
from ....progress import Progress
from ....reading import Ghost, Life
from ....reading.events import Events
from ....recording import Edit, Frame, Place, Snapshot
from ....texts import say, say_count
from ....views.conflict import Conflict, conflict_in
from ....views.describe import describe
from ....views.frame_actors import EMPTY, LifeTraits, colliding_in, former_places, frame_contents, life_traits
from ....views.lane_texts import ghost_place, lane_text, moved_to_lane
from ....views.saved_rows import row_of_key
from ....views.streets import street_text
from ...session import SCOPES, Scope, Session
from ...session.editing import Reach, other_scope
from ...session.preferences import IDS, IdsMode
from ...style.theme import Theme
from ...widgets.keyboard import step_by_key
from ...widgets.screen_reader import Spoken
from .box import Point, SceneBox
from .coloring import COLOR_BY, NEEDS_ANALYSIS, ColorBy, coloring_of
from .compared_view import ComparedView
from .ground_view import GroundView
from .hints import Situation, part_text
from .key_moves import KeyMoves
from .modes import active_modes
from .path_handles import PathHandle, dragged, handle_at, moment_on_path
from .spoken import spoken_scene
from .state import REACH_OF_IDS, SceneState, actor_at, actors_in, frame_on_trail, message_of, rays_at
from .trails import LeaderLine, leader_lines, trails_of, trajectories_of

_CLOSE_SCALE = 9.0  # px a metre, of a thing that is looked at
_MOST_TRAILS = 8
"""More of them hide what they are about."""


_HELD = {
    int(Qt.Key.Key_Shift): Qt.KeyboardModifier.ShiftModifier,
    int(Qt.Key.Key_Control): Qt.KeyboardModifier.ControlModifier,
    int(Qt.Key.Key_Alt): Qt.KeyboardModifier.AltModifier,
}
"""The modifiers by their keys: whether the event of one holds it already differs between systems."""


class SceneView(GroundView):
    """The scene as a widget.

    Signal: `situation_changed()`.

    Attributes:
        color_by: What actors are filled with.
        ids_mode: Which road users have their id beside them, while ids are on.
        moves: What arrow keys move.
        situation: The modes that are on, and what else hints depend on.
    """

    situation_changed = Signal()

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self._traits: LifeTraits | None = None
        self.color_by: ColorBy = COLOR_BY.default
        self.ids_mode: IdsMode = IDS.default
        self.compared = ComparedView(session)
        self._path: Path | None = None
        self._ghosts: tuple[Ghost, ...] = ()
        self._conflict_key: tuple[Events, int, int] | None = None
        self._conflict_shown: Conflict | None = None
        self.situation = Situation()
        self.set_box(SceneBox(theme, self._state))
        self._find_ground()
        self.box.snap = self._on_lane
        self.moves = KeyMoves(self.box, session, self._apply, self._selected_place)
        self.setObjectName("sceneView")
        self.setAccessibleName(say("Scene from above"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCacheMode(self.CacheModeFlag.CacheNone)
        self.setViewportUpdateMode(self.ViewportUpdateMode.FullViewportUpdate)
        for signal in (
            self.roads.drawn,
            self.road_map.drawn,
            self.box.changed,
            session.comparison.changed,
            session.comparison.marked,
            session.path_editing.changed,
            session.drawing.changed,
            session.traffic.changed,
            session.events.changed,
            session.events.chosen_changed,
            session.events.pointed_changed,
            session.rule_colors.changed,
        ):
            signal.connect(self.redraw)
        self.box.changed.connect(self._note_view)
        self.box.changed.connect(self.place_overview)
        self.box.pointer_moved.connect(self.place_overview)
        self.box.pointer_moved.connect(self._follow_pointer)
        self.box.pointed_changed.connect(self._update_situation)
        self.box.panned.connect(self._pan)
        self.box.wheeled.connect(self.zoom)
        self.box.clicked.connect(self._click)
        self.box.double_clicked.connect(self._double_click)
        self.box.banded.connect(self._select_in_band)
        self.box.dragged.connect(self._apply)
        self.box.wiped.connect(self._move_line)
        session.comparison.shown.connect(self._show_compared)
        self.box.handle_dragged.connect(self._drag_handle)
        self.box.handle_released.connect(session.path_editing.release)
        self.box.dropped.connect(session.path_editing.cancel)
        theme.changed.connect(self._follow_theme)
        self._follow_session()
        self._follow_theme()
        self._load_map()
        self._open()

    # --- following the session --------------------------------------------------------------------------

    def _follow_session(self) -> None:
        self.session.opened.connect(self._open)
        self.session.editing.changed.connect(self._change)
        self.session.selection.changed.connect(self._follow)
        self.session.selection.sought.connect(self.show_selection)
        self.session.background.trajectories_changed.connect(self._show_paths)
        self.session.drawing.switched.connect(self._follow_drawing)
        self.session.roads.changed.connect(self._load_map)

    def _open(self) -> None:
        path = None
        if self.session.recording is not None:
            path = self.session.recording.path
        if path is None or path != self._path:
            self._fitted = False
            self._opening = None
            self.followed = None
            self.beside = None
            self._views.clear()
            self.roads.set_state(SceneState())
        # The same file read again: what is in view stays.
        self._path = path
        self._show_ground()
        self.box.setEnabled(self.session.snapshot is not None)
        self.box.measured.clear()
        self._request_analysis()
        self._change()
        self._follow()

    def _change(self, _change: object = None) -> None:
        """Take in the actors of another state; the picture follows with `selected`."""
        self.moves.cancel()
        if self.box.is_moving:
            self.box.drop()  # from a place that is no more
        self.box.forget_shown()
        actors = self.session.actors
        if actors is None or self._traits is None or self._traits.actors is not actors:
            self.contents = EMPTY  # its lives are those of another state, while the new one is not read or not seen
            if actors is not None:
                self._traits = life_traits(actors)
            else:
                self._traits = None

    def _follow_theme(self) -> None:
        self.scene().setBackgroundBrush(self.theme.palette.scene)
        self.redraw()

    def _follow_drawing(self, on: bool) -> None:
        if on:
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _follow(self, _selection: object = None, *, reads: bool = False) -> None:
        if not self.isVisible():
            return
        frame = self.session.selection.frame
        snapshot = self.session.snapshot
        if self._traits is None or frame is None or snapshot is None:
            self.contents = EMPTY
        elif reads or self.contents.frame is not frame:
            self.contents = frame_contents(snapshot, frame, self._traits)
        if not self._fitted and len(self.contents.actors):
            self.show_opening()
        if self.followed is not None:
            self._keep_in_view()
        self.place_overview()
        self.redraw()
        self.caption_changed.emit(self.caption)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._change()
        self._follow(reads=True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._fitted and len(self.contents.actors):
            self.show_opening()

    # --- what is shown ----------------------------------------------------------------------------------

    @property
    def state(self) -> SceneState:
        """What is shown now."""
        return self.box.shown

    def redraw(self) -> None:
        super().redraw()
        self._update_situation()

    def _update_situation(self) -> None:
        """Note the modes and what hints depend on; announce which modes began and ended."""
        session = self.session
        box = self.box
        before = self.situation.modes
        modes = active_modes(self)
        scope = ""
        if box.ghost is not None:
            scope = _scope_text(next_scope(session))
        situation = Situation(
            has_frames=session.frames > 0,
            modes=modes,
            pointed=box.pointed,
            dragged=box.dragged_tool,
            modifiers=box.modifiers,
            selected=session.selection.actor,
            can_follow=self.can_follow(box.pointed.actor),
            has_map=session.roads.map is not None,
            ends=len(box.measured),
            places=len(session.drawing.legs),
            moves_key=self.moves.moves_key,
            scope=scope,
        )
        if situation == self.situation:
            return
        self.situation = situation
        names_before = {active.mode.name for active in before}
        names = {active.mode.name for active in modes}
        for active in before:
            if active.mode.name not in names:
                session.announced.emit(say("{title}: ended", title=active.title))
        for active in modes:
            if active.mode.name not in names_before:
                session.announced.emit(say("{mode}, Esc ends it", mode=active.title))
        self.situation_changed.emit()

    @contextmanager
    def showing(self, frame_index: int) -> Iterator[None]:
        """Show another frame while something is drawn.

        Raises:
            RecorderError: The frame cannot be read.
            OSError: The file cannot be read.
        """
        snapshot = self.session.snapshot
        if snapshot is not None and self._traits is not None:
            contents = frame_contents(snapshot, snapshot.frame(frame_index), self._traits)
            self.box.shown = replace(
                self.state,
                contents=contents,
                coloring=coloring_of(self.color_by, self.session, contents, self.theme),
                trails=(),
                pointed=(),
                leaders=(),
                conflict=None,
                other=None,
                compared=None,
                wipe=None,
                former=(),
                colliding=frozenset(),
                message="",
            )
        yield
        self.redraw()

    def _state(self) -> SceneState:
        session = self.session
        snapshot = self.session.snapshot
        box = self.box
        if snapshot is None:
            return SceneState(box.camera)
        survey = session.background.trajectories
        selected = session.selection.actors
        frame_index = session.selection.frame_index
        chosen: tuple[int, ...] = ()
        if self.switches["trails"]:
            chosen = selected[:_MOST_TRAILS]
        trajectories = trajectories_of(survey, session.actors, chosen, frame_index)
        ghosts = self._ghosts
        ghost_scope = ""
        ghost_lane = ""
        if box.ghost is not None:
            ghosts = (box.ghost,)
            ghost_scope = scope_note(session, box.ghost)
            ghost_lane = self._lane_under(box.ghost)
        other = None
        if self.switches["other"] or session.comparison.is_wiping:
            other = self.compared.contents(frame_index)
        state = SceneState(
            camera=box.camera,
            contents=self.contents,
            streets=self.streets,
            roads=self._shapes,
            selected=selected,
            pointed=session.events.actors_of(session.events.pointed),
            editable=session.is_complete,
            trails=trails_of(trajectories, snapshot.elapsed, frame_index),
            colliding=self._colliding(snapshot),
            coloring=coloring_of(self.color_by, session, self.contents, self.theme),
            ids=self.switches["ids"],
            id_reach=REACH_OF_IDS[self.ids_mode],
            pointer=self._pointed_place(),
            signs=self.switches["signs"],
            packets=self.switches["packets"],
            conflict=self._conflict(frame_index),
            leaders=self._leaders(selected[:_MOST_TRAILS]),
            other=other.actors if other is not None else None,
            compared=self.compared.thing(self.theme.units) if other is not None else None,
            former=self._former(selected[:_MOST_TRAILS]),
            ghosts=ghosts,
            ghost_scope=ghost_scope,
            ghost_lane=ghost_lane,
            measured=box.measure,
            band=box.band,
            path=session.path_editing.path,
            path_key=session.path_editing.key,
            path_warnings=session.path_editing.warnings,
            path_refusal=session.path_editing.refusal,
            drawn=session.drawing,
            covered=self.covered,
            message=self._message(),
        )
        if other is None or not session.comparison.is_wiping:
            return state
        return self.compared.wiped(state, other, self.theme.palette)

    def _message(self) -> str:
        """Return why there is no actor to see; empty where there is one."""
        if not self.session.frames:
            return say("No frames in this file; Repair shows what can be recovered")
        return message_of(self.contents)

    def set_color_by(self, by: ColorBy) -> None:
        """Fill actors by their class, their own colour, or a value; what follows from traffic is analysed first."""
        self.color_by = by
        self.session.rule_colors.show(self.session.rule_colors.rules, on=by == "rules")
        self._request_analysis()
        self.toggled.emit("colors", by != COLOR_BY.default)
        self.redraw()

    def _request_analysis(self) -> None:
        if self.color_by in NEEDS_ANALYSIS:
            self.session.traffic.request()

    def _leaders(self, selected: tuple[int, ...]) -> tuple[LeaderLine, ...]:
        """Return the lines from these actors to their leaders, where they are to be shown."""
        analysis = self.session.traffic.shown
        actors = self.session.actors
        if analysis is None or actors is None or not self.session.traffic.is_current:
            return ()
        return leader_lines(analysis, actors, selected, self.session.selection.frame_index)

    def _conflict(self, frame_index: int) -> Conflict | None:
        """Return the two of the chosen traffic event in a frame; None where one of them is not in it."""
        events = self.session.events
        if events.found is None or events.chosen is None or not len(self.contents.actors):
            return None
        key = (events.found, events.chosen, frame_index)
        if key != self._conflict_key:
            self._conflict_key = key
            self._conflict_shown = conflict_in(events.found, events.chosen, frame_index)
        return self._conflict_shown

    def _former(self, selected: tuple[int, ...]) -> tuple[Ghost, ...]:
        """Return where these actors are in the saved file, if they were edited in this frame."""
        snapshot = self.session.snapshot
        recording = self.session.recording
        frame = self.contents.frame
        if not selected or snapshot is None or recording is None or frame is None or self._traits is None:
            return ()
        if not self.session.editing.is_edited(Place(frame.row)):
            return ()
        saved_row = row_of_key(recording.saved, int(snapshot.table.row(frame.row)["key"]), frame.row)
        if saved_row is None:
            return ()
        try:
            saved = recording.saved.row(saved_row)
            if isinstance(saved, Frame):
                return former_places(self.contents.actors, saved, self._traits, selected)
        except (RecorderError, OSError):  # the file was rewritten; the message bar says so
            pass
        return ()

    def _colliding(self, snapshot: Snapshot) -> frozenset[int]:
        """Return the ids of actors that collide in this frame, or did so less than half a second ago."""
        actors = self.session.actors
        frame = self.contents.frame
        if actors is None or frame is None:
            return frozenset()
        return colliding_in(actors, snapshot, frame)

    def show_ghosts(self, ghosts: tuple[Ghost, ...]) -> None:
        """Show where actors would be after an edit that is being prepared; an empty tuple hides them."""
        if ghosts != self._ghosts:
            self._ghosts = ghosts
            self.redraw()

    def switch(self, name: str, on: bool | None = None) -> None:
        """Turn something on or off: `roads`, `trails`, `ids`, `signs`, `packets`, `other`, `measure`."""
        if on is None:
            on = not self.switches[name]
        if name == "roads":
            self.set_roads(self._shown_roads if on else "none")
            return
        self.switches[name] = on
        self.box.measuring = self.switches["measure"]
        if name == "measure":
            self.box.measured.clear()
        self.toggled.emit(name, self.switches[name])
        self.redraw()
        if name == "measure" and on:
            hint = say(
                "Clicks or Enter set both ends; arrow keys move the second, Ctrl+Up and Ctrl+Down choose its actor."
            )
            self.session.informed.emit(hint)

    # --- roads ------------------------------------------------------------------------------------------

    def _on_lane(self, ghost: Ghost) -> Ghost:
        """Return an actor that is dragged in the middle of the lane beneath it, and with its heading."""
        road_map = self.session.roads.map
        if road_map is not None:
            return moved_to_lane(road_map, self.contents.actors, ghost)
        return ghost

    def _lane_under(self, ghost: Ghost) -> str:
        """Return the lane beneath an actor that is dragged; empty where there is none."""
        road_map = self.session.roads.map
        place = ghost_place(self.contents.actors, ghost)
        if road_map is None or place is None:
            return ""
        return lane_text(road_map, place)

    # --- mouse and keys ---------------------------------------------------------------------------------

    def _move_line(self, share: float) -> None:
        """Put the line between two recordings at a share of the width."""
        self.compared.share = share
        self.redraw()

    def swap_sides(self) -> None:
        """Show the other recording where this one is, and this one where the other is."""
        self.compared.is_swapped = not self.compared.is_swapped
        self.redraw()
        sides = say("This recording is at the left, the other one at the right")
        if self.compared.is_swapped:
            sides = say("The other recording is at the left, this one at the right")
        self.session.informed.emit(sides)

    def _show_compared(self) -> None:
        """See the chosen thing that differs closely, in the middle of the larger side of the line."""
        self.redraw()
        place = self.compared.place(self.state)
        if place is None:
            return
        share = self.compared.share / 2
        if self.compared.share < 0.5:
            share = (1 + self.compared.share) / 2
        camera = self.camera._replace(x=place[0], y=place[1], scale=max(self.camera.scale, _CLOSE_SCALE))
        self._jump(camera.moved(camera.width * (share - 0.5), 0.0))

    def _select_in_band(self, band: QRectF) -> None:
        self.session.selection.select_actors(actors_in(self.state, band))

    def _drag_handle(self, handle: PathHandle, place: Point) -> None:
        self.session.path_editing.preview(handle.key, partial(dragged, handle, place))

    def _click(self, point: QPointF, add: bool) -> None:
        half = self.state.half_at(point)
        actor = actor_at(half, point)
        frame = frame_on_trail(self.state, point)
        selection = self.session.selection
        thing = self.compared.only_there_at(self.state, point)
        if self.session.drawing.is_on:
            self.session.drawing.add(self.camera.world(point), straight=add)
        elif thing is not None:
            self.session.comparison.choose(thing)
        elif actor is not None:
            selection.select_actor(actor, add=add)
        elif frame is not None:
            selection.go_to_frame(frame)
        elif not add and selection.actor is not None and self._path_moment(point) is None:
            selection.select(Place(selection.row))

    def _pointed_place(self) -> Point | None:
        """Return the place under the pointer, m; None while it is elsewhere."""
        if self.box.pointer is None:
            return None
        return self.camera.world(self.box.pointer)

    def _follow_pointer(self) -> None:
        """Paint anew where other actors have their ids now."""
        state = self.state
        if state.ids and not math.isinf(state.id_reach):
            moved = replace(state, pointer=self._pointed_place())
            if not np.array_equal(moved.labelled, state.labelled):
                self.redraw()

    def set_ids_mode(self, mode: IdsMode) -> None:
        """Show the ids of road users near to the hero, the pointer or a selected one, or of all."""
        self.ids_mode = mode
        self.redraw()

    def _path_moment(self, point: QPointF) -> float | None:
        """Return when the actor of the edited path is at a point, s; None beside its path."""
        if self.state.path is not None:
            return moment_on_path(self.state.path, self.camera, point)
        return None

    def _double_click(self, point: QPointF) -> None:
        moment = self._path_moment(point)
        actor = actor_at(self.state, point)
        if self.session.drawing.is_on:
            self.session.drawing.set_on(on=False)
        elif moment is not None:
            self.session.path_editing.add(moment)
        else:
            self.follow_actor(actor)
            if actor is not None:
                self.session.selection.select_actor(actor)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ToolTip or not isinstance(event, QHelpEvent):
            return super().viewportEvent(event)
        QToolTip.showText(event.globalPos(), self._tip_at(QPointF(event.pos())), self)
        return True

    def _tip_at(self, point: QPointF) -> str:
        """Return what is under a point: a handle of a path, an actor, rays, or a lane; empty for nothing."""
        handle = handle_at(self.state.path_handles, point)
        if handle is not None:
            return part_text(handle.part)
        road_map = self.session.roads.map
        snapshot = self.session.snapshot
        actor = actor_at(self.state, point)
        if actor is not None:
            place = self.session.selection.place_of_actor(actor)
            if place is not None and snapshot is not None:
                return describe(snapshot, place, self.session.actors, self.theme.units)
            return ""
        rays = rays_at(self.state, point)
        if rays:
            return "\n".join(ray.name for ray in rays)
        if self.road_map.isVisible() and road_map is not None:
            return lane_text(road_map, np.array(self.camera.world(point)), self.theme.units)
        if self.roads.isVisible() and snapshot is not None:
            return street_text(self.streets, self.camera.world(point), snapshot.elapsed, self.theme.units)
        return ""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        modifiers = event.modifiers()
        keys = self._keys(modifiers)  # as they are before an arrow or Enter moves something
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        step = steps.get(Qt.Key(event.key()))
        if event.key() in _HELD:
            self.hold(event.key(), is_down=True)
            event.ignore()
        elif event.key() == Qt.Key.Key_Escape:
            event.setAccepted(self.give_up())
        elif self.moves.take(event):
            return
        elif event.key() in keys:
            keys[event.key()]()
        elif step is not None and (not modifiers or self.box.measured):
            self.box.aim = self._selected_place
            self._choose_next(step)
        elif not step_by_key(self.session, event):
            event.ignore()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        self.hold(event.key(), is_down=False)
        super().keyReleaseEvent(event)

    def hold(self, key: int, *, is_down: bool) -> None:
        """Note that a key is pressed or released, where it is that of a modifier."""
        modifier = _HELD.get(key, Qt.KeyboardModifier.NoModifier)
        if is_down:
            self.box.hold(self.box.modifiers | modifier)
        else:
            self.box.hold(self.box.modifiers & ~modifier)

    def _keys(self, modifiers: Qt.KeyboardModifier) -> dict[int, Callable[[], object]]:
        """Return what keys mean at this moment, with these modifiers held."""
        center = self.camera.pane.center()
        is_back = not modifiers & Qt.KeyboardModifier.ShiftModifier
        keys: dict[int, Callable[[], object]] = {
            Qt.Key.Key_Plus: partial(self.zoom, 1.25, center),
            Qt.Key.Key_Minus: partial(self.zoom, 0.8, center),
            Qt.Key.Key_Backspace: partial(self.step_view, back=is_back),
        }
        if not modifiers & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier):
            keys[Qt.Key.Key_F] = self.fit
            keys[Qt.Key.Key_G] = self.move_by_keys
            keys[Qt.Key.Key_Z] = self.zoom_to_selection
            keys[Qt.Key.Key_T] = partial(self.switch, "trails")
            keys[Qt.Key.Key_R] = partial(self.switch, "roads")
            keys[Qt.Key.Key_H] = partial(self.switch, "signs")
            keys[Qt.Key.Key_M] = partial(self.switch, "measure")
        if self.box.ghost is not None and not modifiers:
            keys[Qt.Key.Key_S] = self._change_scope  # else it splits segments
        if self.session.path_editing.life is not None and not modifiers:
            keys[Qt.Key.Key_Delete] = self.session.path_editing.delete
        if self.state.wipe is not None and not modifiers:
            keys[Qt.Key.Key_X] = self.swap_sides
        if self.session.drawing.is_on:
            keys[Qt.Key.Key_Backspace] = self.session.drawing.take_back
        return keys

    def give_up(self) -> bool:
        """Give up what is dragged, or a distance with one end; else end the innermost mode; else let north be up.

        Returns:
            False where there is nothing of that.
        """
        if self.box.give_up():
            return True
        modes = active_modes(self)
        if modes:
            modes[0].mode.end(self)
            return True
        is_turned = bool(self.camera.angle)  # since an actor was followed, until the ground was dragged
        if is_turned:
            self.follow_actor(None)
        return is_turned

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """End what is dragged or moved by keys: neither a release nor Enter comes here any more."""
        super().focusOutEvent(event)
        self.box.drop()
        self.box.hold(Qt.KeyboardModifier.NoModifier)  # their release does not come here any more
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self.moves.cancel()
            self.redraw()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.box.drop()

    def move_by_keys(self) -> None:
        """Let the arrow keys move the selected actor, or the chosen key of the edited path, until Enter or Esc."""
        session = self.session
        actor = session.selection.actor
        if actor is None or not session.is_complete or not self.can_follow(actor):
            session.refused.emit(say("Select an actor first that has a position in this frame."))
            return
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.moves.begin(actor)
        hint = say("Arrow keys move it by 0.1 m, with Shift by 1 m; with Ctrl they turn it. Enter ends, Esc cancels.")
        session.informed.emit(hint)

    def _choose_next(self, step: int) -> None:
        """Choose the next (or previous) key of the edited path; without a path the next actor of the frame."""
        path = self.session.path_editing
        actors = self.contents.actors
        selected = self.session.selection.actor
        if path.path is not None:
            path.release(min(max(path.key + step, 0), len(path.path.keys) - 1), False)
            return
        if not len(actors):
            return
        index = None
        if selected is not None:
            index = actors.index_of(selected)
        if index is None:
            index = 0
        else:
            index = (index + step) % len(actors)
        self.session.selection.select_actor(int(actors.ids[index]))

    def spoken(self) -> Spoken:
        """Return the actors of this frame, for a screen reader."""
        return spoken_scene(self.state, self._traits, self.theme.units, measures=len(self.box.measured) == 1)

    # --- edits ------------------------------------------------------------------------------------------

    def _change_scope(self) -> None:
        """Drag over the next choice of frames."""
        self.session.editing.set_scope(next_scope(self.session))
        self.redraw()

    def _apply(self, ghost: Ghost) -> None:
        """Move an actor as it was dragged, in the frames that Attributes applies edits to, as one edit."""
        session = self.session
        life = _life_of(session, ghost)
        frame = session.selection.frame
        if life is None or session.snapshot is None or frame is None:
            session.refused.emit(say("Actor {actor} is not alive in this frame.", actor=ghost.actor))
            return
        packet = frame.packet("Position")
        pivot: Point | None = None
        if packet is not None:
            record = packet.decoded.find_actor(ghost.actor)
            if record is not None:
                x = float(packet.array["location.x"][record]) / 100
                y = float(packet.array["location.y"][record]) / 100
                pivot = (x, y)

        def make(snapshot: Snapshot, progress: Progress, frames: range) -> Edit:
            offset = (ghost.dx, ghost.dy, ghost.dz)
            turn = ghost.turn
            return library.edits.move_actors(snapshot, [life], offset, turn, frames, pivot=pivot, progress=progress)

        def reach(scope: Scope) -> Reach:
            frames = life.within(session.editing.frames_for(scope, life))
            title = say("Moving {actor} over {count:,} frames", actor=life.actor, count=len(frames))
            return Reach(scope, len(frames), title, partial(make, frames=frames))

        scope = session.editing.scope
        session.editing.attempt_reach(reach(scope), reach(other_scope(scope)))


def _life_of(session: Session, ghost: Ghost) -> Life | None:
    """Return the life of a dragged actor in the current frame."""
    if session.actors is None:
        return None
    return session.actors.at(ghost.actor, session.selection.frame_index)


def next_scope(session: Session) -> Scope:
    """Return the scope after the present one; the one from in to out is left out where there is no range."""
    scopes = []
    for scope, _ in reversed(SCOPES):
        if scope != "range" or session.range.is_set:
            scopes.append(scope)
    if session.editing.scope not in scopes:
        return scopes[0]
    following = scopes.index(session.editing.scope) + 1
    return scopes[following % len(scopes)]


def scope_note(session: Session, ghost: Ghost) -> str:
    """Return the frames that a drag is for, as in `in 1 frame`."""
    life = _life_of(session, ghost)
    frames = session.editing.frames_for(life=life)
    if life is not None:
        count = len(life.within(frames))
    else:
        count = len(frames)
    return say_count("in 1 frame", "over {count:,} frames", count=count)


def _scope_text(scope: Scope) -> str:
    """Return a scope in the middle of a sentence, as in `from here on`."""
    return say(dict(SCOPES)[scope]).lower()
