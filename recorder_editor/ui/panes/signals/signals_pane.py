"""The Signals pane: signals over time, two cursors, and the visible part of the recording."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QHideEvent, QImage, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QSplitter, QStackedLayout

from ....errors import RecorderError
from ....format import json_of
from ....recording import Change, write_file
from ....texts import listed, say
from ....views.signal_catalog import texts_of
from ....views.signal_key import MIME, Key, unpacked
from ....views.time_axis import Axis
from ...session import Session
from ...style.boxes import push_button
from ...style.theme import Theme
from ...widgets import EmptyState, ToggleChip
from ...widgets.copied import Copied, copied_table, picture_of, table_of_view
from ...widgets.file_dialogs import ask_table
from ...widgets.pane import Pane
from ...widgets.plots import picture_of as picture_of_plots
from ...widgets.switches import WordButton
from ...widgets.time_axis_view import TimeAxisView
from ...widgets.view_history import ViewHistory
from .expression_dialog import ExpressionDialog
from .legend import Legend
from .picker import Picker
from .plot_view import PlotView
from .series import Trace
from .signal_parts import OVER_TIME, PARTS, SignalParts
from .signal_table import cells_of, table_of
from .signals_model import SignalModel

if TYPE_CHECKING:
    from ....edits.paths.keyed import KeyedPath


_LOWEST_PART = 190
_LOWEST_CURVES = 130
"""The least heights of XY plot, histogram and statistics, and of the curves above them, px of the design."""
_SHARE = 0.35
"""Of the height of the window, what these may take at most."""


class SignalsPane(Pane):
    """Numbers over time, as plots and as a legend of the signals.

    Attributes:
        model: The signals.
        plot_view: The plots, one above another.
        legend: The signals with their values in the current frame.
        canvas: The timeline, which has the same axis.
        splitter: Holds legend and plots.
        parts: The curves, and below them XY plot, histogram and statistics.
        empty: The text that is shown without signals.
        add_first: The button below it.
        buttons: Buttons by name: add, back, forward, whole, export.
        chip: Switches the cursors on and off.
        follows: Switches on and off that signals follow the selection.
        view_history: The parts that were visible.

    Signal: `room_asked()` (the parts that are shown need another height).
    """

    room_asked = Signal()

    def __init__(self, session: Session, theme: Theme, canvas: TimeAxisView) -> None:
        super().__init__(session, theme)
        self.canvas = canvas
        self.model = SignalModel(session, self.isVisible, self)
        self.view_history = ViewHistory(self)
        self._cursors: dict[str, int] = {}
        self._speed_key: Key | None = None
        self._is_split_by_hand = False
        self._make_parts()
        self.model.changed.connect(self._show_traces)
        self.model.arrived.connect(self._show_values)
        session.events.changed.connect(self._follow_event)
        session.events.chosen_changed.connect(self._follow_event)
        session.events.thresholds_changed.connect(self._follow_event)
        session.opened.connect(self._open)
        session.editing.changed.connect(self._change)
        session.selection.changed.connect(self._follow)
        session.range.changed.connect(self._show_range)
        session.path_editing.changed.connect(self._show_path)
        canvas.moved.connect(self._show_axis)
        theme.changed.connect(self._fit_legend)
        theme.changed.connect(self._show_units)
        self._open()
        self._follow_event()

    # --- parts ------------------------------------------------------------------------------------------

    def _make_parts(self) -> None:
        theme = self.theme
        self.plot_view = PlotView(theme)
        self.legend = Legend(theme)
        self.plot_view.frame_asked.connect(self.session.selection.go_to_frame)
        self.plot_view.axis_asked.connect(self._move)
        self.plot_view.cursor_asked.connect(self.set_cursor)
        self.plot_view.key_dragged.connect(self._drag_key)
        self.plot_view.key_released.connect(self.session.path_editing.apply)
        self.plot_view.key_given_up.connect(self.session.path_editing.cancel)
        self.legend.hide_asked.connect(self.model.toggle)
        self.legend.remove_asked.connect(lambda traces: self.model.remove(*traces))
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.legend)
        self.splitter.addWidget(self.plot_view)
        self.splitter.splitterMoved.connect(self._split_by_hand)
        self.splitter.setStretchFactor(1, 1)
        self.parts = SignalParts(theme, self.splitter)
        self.parts.frame_asked.connect(self.session.selection.go_to_frame)
        self.parts.pointed.connect(self._point_at)
        self.parts.stretches_changed.connect(self._show_stretches)
        self.parts.switched.connect(self._switch_parts)
        text = say("Choose a signal from the list, or drag a field from Packets or Attributes here.")
        self.empty = EmptyState(theme, say("Plot numbers over time"), text)
        self.add_first = push_button(say("Plot signal..."), self.ask_add, primary=True)
        self.empty.add_button(self.add_first)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.parts)
        self._make_switches()
        self._give_parts()
        self.setAcceptDrops(True)
        self.setFocusProxy(self.plot_view)

    def _give_parts(self) -> None:
        """Let each part be copied: the one that has the keyboard."""
        self.give(self.plot_view, self.copied_curves, self.curves_picture)
        self.give(self.legend, partial(table_of_view, self.legend), self.curves_picture)
        for name, frame in self.parts.frames.items():
            self.give(frame.body, partial(self.parts.copied, name), partial(picture_of, frame))

    def _make_switches(self) -> None:
        self.buttons: dict[str, WordButton] = {}
        for name, icon, word, tip, slot in (
            ("add", "add", say("Plot signal"), say("Plot signal"), self.ask_add),
            ("back", "previous", say("Back"), say("Previous view"), partial(self.step_view, -1)),
            ("forward", "next", say("Forward"), say("Next view"), partial(self.step_view, 1)),
            ("whole", "fit", say("Whole"), say("Show the whole recording"), lambda: self.canvas.zoom(0)),
            ("export", "export", say("Export"), say("Export what is shown as CSV"), self.ask_export),
        ):
            self.buttons[name] = WordButton(self.theme.icons.icon(icon), word, tip, slot)
        self.chip = ToggleChip(say("Cursors"))
        self.chip.setToolTip(say("Two cursors, with values and differences"))
        self.chip.clicked.connect(self.show_cursors)
        self.follows = ToggleChip(say("Selected actor"))
        self.follows.setToolTip(say("Signals become those of the actor that is selected"))
        self.follows.toggled.connect(self.model.set_following)
        self.switches = (
            self.buttons["add"],
            self.parts.choice,
            *self.parts.chips.values(),
            self.follows,
            self.chip,
            self.buttons["back"],
            self.buttons["forward"],
            self.buttons["whole"],
            self.buttons["export"],
        )
        self.keep("signals", self._kept_signals, self._show_only, self._are_signals)
        self.keep("parts", self.parts.kept, self.parts.restore, lambda names: set(names) <= set(PARTS))
        self.keep("axes", self.parts.choice.kept, self._restore_axes, _are_axes)
        self.keep("selected_actor", self.follows.isChecked, self.follows.setChecked)
        self.view_history.changed.connect(self._enable)
        self.view_history.changed.connect(self.changed)
        # Buttons with their tooltips without keys, by name.
        self._tips: dict[str, tuple[QAbstractButton, str]] = {"cursors": (self.chip, self.chip.toolTip())}
        for name, button in self.buttons.items():
            self._tips[name] = (button, button.toolTip())
        self._enable()

    def show_keys(self, keys: Mapping[str, str]) -> None:
        super().show_keys(keys)
        for name, (button, tip) in self._tips.items():
            key = keys.get(f"signals.{name}", "")
            if name == "whole" and "0" not in keys.values():
                key = "0"
            if key:
                tip = f"{tip} ({key})"
            button.setToolTip(tip)

    def _enable(self) -> None:
        has_traces = bool(self.traces)
        self.buttons["back"].setEnabled(has_traces and self.view_history.can_go_back)
        self.buttons["forward"].setEnabled(has_traces and self.view_history.can_go_forward)
        chips = self.parts.chips.values()
        for switch in (self.buttons["whole"], self.buttons["export"], self.chip, self.follows, *chips):
            switch.setEnabled(has_traces)

    # --- the signals ------------------------------------------------------------------------------------

    @property
    def traces(self) -> list[Trace]:
        """The signals, in the order they were added."""
        return self.model.traces

    def add(self, *keys: Key) -> None:
        """Show further signals; those that are there already are shown where they were hidden."""
        self.model.add(*keys)

    def _kept_signals(self) -> list[list[object]]:
        """Return the signals as workspaces keep them."""
        return [list(trace.key) for trace in self.model.own]

    def _show_only(self, keys: list[object]) -> None:
        self.model.clear()
        self.add(*unpacked(json_of(keys).encode()))

    def _are_signals(self, values: list[object]) -> bool:
        """Return whether values of a workspace are signals, which this recording's dialect has."""
        keys = unpacked(json_of(values).encode())
        if len(keys) != len(values):
            return False
        snapshot = self.session.snapshot
        if snapshot is None:
            return True
        try:
            for key in keys:
                texts_of(key, snapshot.dialect)
        except (KeyError, RecorderError):
            return False
        return True

    def ask_add(self) -> None:
        """Let a person choose signals from a list."""
        if self.session.snapshot is None:
            return
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        picker = Picker(self.session, self.theme, self.window())
        picker.picked.connect(lambda keys: self.add(*keys))
        picker.expression_asked.connect(self.ask_expression)
        picker.open_()

    def ask_expression(self) -> None:
        """Let a person type an expression."""
        if self.session.snapshot is None:
            return
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        dialog = ExpressionDialog(self.session, self.theme, self.window())
        dialog.picked.connect(lambda keys: self.add(*keys))
        dialog.open_()

    def _show_units(self) -> None:
        """Show the same in other units."""
        if any(trace.units != self.theme.units for trace in self.traces):
            self._show_traces()
        self.set_caption(self._caption_text())

    def _show_traces(self) -> None:
        for trace in self.traces:
            trace.units = self.theme.units
        self._stack.setCurrentIndex(1 if self.traces else 0)
        self.lead_to(self.plot_view if self.traces else None)  # not to the button, which Space would press
        self.legend.legend.set_traces(self.traces)
        self.plot_view.show_traces(self.traces)
        self._show_parts()
        self._fit_legend()
        self._show_axis()
        self._enable()
        self.set_caption(self._caption_text())
        self.changed.emit()

    def _show_values(self) -> None:
        self.plot_view.refresh()
        self.legend.legend.refresh()
        self._show_parts()
        self.changed.emit()

    # --- XY plot, histogram and statistics --------------------------------------------------------------

    def _show_parts(self) -> None:
        self.parts.set_traces(self.shown, self.canvas.axis, self.plot_view.thresholds)

    def _show_stretches(self) -> None:
        """Tint the chosen frames in the curves."""
        self.plot_view.set_stretches(self.parts.stretches())

    def _point_at(self, frame: int | None) -> None:
        """Show the frame under the pointer in curves and timeline; None: there is none."""
        self.plot_view.point_at(frame)
        self.canvas.point_at(frame)

    def _switch_parts(self) -> None:
        """Give the parts that are shown the height they need."""
        self._keep_lowest()
        self.room_asked.emit()
        self._align()
        self.changed.emit()

    def _keep_lowest(self) -> None:
        """Keep a least height for the parts that are switched on, as far as the window is high enough."""
        lowest = 0
        parts = self.parts.kept()
        if parts != [OVER_TIME]:
            lowest = _LOWEST_PART
            if OVER_TIME in parts:
                lowest += _LOWEST_CURVES
        self.keep_height(min(self.theme.px(lowest), round(_SHARE * self.window().height())))

    def set_brushed_range(self) -> None:
        """Set In and Out to the first and the last of the brushed frames, and take the brush back."""
        if self.parts.brushed is not None:
            frames = self.parts.chosen.frames
            self.session.range.set(int(frames[0]), int(frames[-1]) + 1)
            self.parts.brush(None)

    def _restore_axes(self, keys: list[list[object]]) -> None:
        """Put the signals of a workspace along X and Y; an empty list stands for none."""
        axes = []
        for values in keys:
            signals = unpacked(json_of([values]).encode())
            axes.append(signals[0] if signals else None)
        self.parts.choice.restore(axes)

    # --- following the session --------------------------------------------------------------------------

    def refresh(self) -> None:
        self.model.catch_up()
        self._show_axis()
        self._show_range()
        self._show_path()
        self._follow()

    def _open(self) -> None:
        if self.model.open():
            self._cursors = {}
            self.parts.brush(None)
            self.view_history.clear()
            self.plot_view.scales.clear()
        self._update_frames()

    def _change(self, change: Change) -> None:
        self.model.change(change)
        self._update_frames()

    def _update_frames(self) -> None:
        """Keep the cursors within the frames, and show everything anew."""
        frames = self.session.frames
        self._cursors = {name: min(frame, frames - 1) for name, frame in self._cursors.items() if frames}
        self._show_traces()
        self._show_cursors()

    def _follow(self, _selection: object = None) -> None:
        if not self.isVisible():
            return
        frame = self.session.selection.frame_index
        if not self.canvas.isVisible():
            self.canvas.follow()
        self.plot_view.go_to(frame)
        self.parts.go_to(frame)
        self.legend.legend.go_to(frame)
        self.model.follow_actor()

    def _follow_event(self) -> None:
        """Show the measures and thresholds of the chosen traffic event."""
        thresholds = self.session.events.thresholds
        if thresholds != self.plot_view.thresholds:
            self.plot_view.thresholds = thresholds
            self._show_traces()
        self.model.follow_event()

    def _show_range(self) -> None:
        span = self.session.range
        frames = span.shown if span.is_shown else None
        self.plot_view.set_range(frames, is_cut=span.is_cut)
        self.parts.set_range(frames)

    # --- a path that is edited --------------------------------------------------------------------------

    def _show_path(self) -> None:
        """Show the speed and the keys of the path that is edited; the signal is added when the editing begins."""
        if not self.isVisible():
            return
        editing = self.session.path_editing
        key = None
        if editing.life is not None:
            key = Key("motion", "speed", actor=editing.life.actor)
        if key is not None and key != self._speed_key:
            self.add(key)
        self._speed_key = key
        self.plot_view.show_path(editing.path, editing.key, key)

    def _drag_key(self, key: int, moved: dict[str, float]) -> None:
        def change(path: "KeyedPath") -> "KeyedPath":
            time = None
            if "time" in moved:
                time = path.time_within(key, moved["time"])
            return path.with_key(key, time=time, pace=moved.get("pace"), speed=moved.get("speed"))

        self.session.path_editing.preview(key, change)

    # --- the visible part -------------------------------------------------------------------------------

    def _show_axis(self) -> None:
        """Show the part of the recording that the timeline shows."""
        axis = self.canvas.axis
        if self.traces and len(axis.times):
            self.view_history.note(axis.low, axis.high)
        if self.isVisible():
            self.plot_view.set_axis(axis)
            self.parts.set_axis(axis)
            self._align()

    def _move(self, axis: Axis) -> None:
        self.canvas.set_axis(self.canvas.axis.showing(axis.low, axis.high))

    def step_view(self, by: int) -> None:
        """Show the part that was visible before (-1), or the one before going back (1)."""
        part = self.view_history.step(by)
        if part is not None:
            low, high = part
            self.canvas.set_axis(self.canvas.axis.showing(low, high))

    # --- cursors ----------------------------------------------------------------------------------------

    @property
    def cursors(self) -> dict[str, int]:
        """Frames of the cursors A and B; empty while they are hidden."""
        return dict(self._cursors)

    def show_cursors(self, on: bool) -> None:
        """Show two cursors at a third and two thirds of the visible part, or hide them."""
        self._cursors = {}
        frames = self.canvas.axis.visible_frames()
        if on and len(frames):
            span = frames.stop - 1 - frames.start
            self._cursors = {"A": frames.start + span // 3, "B": frames.start + 2 * span // 3}
        self._show_cursors()

    def set_cursor(self, name: str, frame: int) -> None:
        """Put a cursor at a frame; the other one is shown as well."""
        if not self._cursors:
            self.show_cursors(True)
        if self.session.frames:
            self._cursors[name] = max(0, min(frame, self.session.frames - 1))
        self._show_cursors()

    def _show_cursors(self) -> None:
        self.chip.setChecked(bool(self._cursors))
        self.legend.show_cursors(bool(self._cursors))
        self._fit_legend()
        self.legend.legend.set_cursors(self._cursors)
        self.plot_view.set_cursors(self._cursors)
        self.parts.set_cursors(self._cursors)
        self.set_caption(self._caption_text())
        self.changed.emit()

    def _caption_text(self) -> str:
        """Return the moments of the cursors; without them the two of the event where only their measures are shown."""
        guests = [trace for trace in self.traces if trace.is_guest]
        if self._cursors or not guests or self.model.own:
            return self._cursors_text()
        actors = listed((str(guests[0].key.actor), str(guests[0].key.other)))
        return say("of the pair {actors}", actors=actors)

    def _cursors_text(self) -> str:
        """Return the moments of the cursors and what is between them; empty while they are hidden."""
        snapshot = self.session.snapshot
        if snapshot is None or len(self._cursors) < 2 or not self.session.frames:
            return ""
        first = self._cursors["A"]
        second = self._cursors["B"]
        elapsed = snapshot.elapsed
        end = float(elapsed[-1])
        first_time = float(elapsed[first])
        second_time = float(elapsed[second])
        units = self.theme.units
        return say(
            "A {first}   B {second}   B − A {between}, {frames:,} frames",
            first=units.time_label(first_time, end),
            second=units.time_label(second_time, end),
            between=units.time_label(second_time - first_time, end),
            frames=second - first,
        )

    def _fit_legend(self) -> None:
        """Give the legend the width of its columns, at most two fifths of the pane, unless a person moved the line."""
        width = self.width()
        if width > 1 and not self._is_split_by_hand:
            legend_width = self.legend.fit(width * 2 // 5)
            self.splitter.setSizes([legend_width, width - legend_width])
        self._align()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_legend()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.window().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self.window():
            self._keep_lowest()
        return super().eventFilter(watched, event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._align()

    def _split_by_hand(self) -> None:
        self._is_split_by_hand = True
        self._align()

    def _align(self) -> None:
        """Let the axis of the timeline begin where the curves do, as long as they stand one above the other."""
        canvas = self.canvas
        left = 0
        has_curves = self.traces and OVER_TIME in self.parts.shown
        if self.isVisible() and has_curves and canvas.window() is self.window():
            start = self.plot_view.mapTo(self.window(), QPoint(round(self.plot_view.axis.left), 0)).x()
            left = start - canvas.mapTo(self.window(), QPoint(0, 0)).x()
        if left >= canvas.width() * 0.6:
            left = 0
        canvas.set_left(left)

    # --- files ------------------------------------------------------------------------------------------

    @property
    def shown(self) -> list[Trace]:
        """The signals that are not hidden."""
        return [trace for trace in self.traces if trace.is_shown]

    def copied_curves(self) -> Copied | None:
        """Return the shown signals in the visible part as a table, with all digits."""
        snapshot = self.session.snapshot
        if snapshot is None or not self.shown:
            return None
        return copied_table(*cells_of(snapshot, self.shown, self.canvas.axis.visible_frames()))

    def curves_picture(self) -> QImage:
        """Return the picture of the curves, with the names of the signals."""
        with self.plot_view.named():
            return picture_of_plots(self.plot_view)

    def ask_export(self) -> None:
        """Ask for a name, and write the shown signals as CSV."""
        ask_table(self, self.session, say("Export signals"), "signals", self.export)

    def export(self, path: Path) -> None:
        """Write the shown signals in the visible part as CSV.

        Raises:
            OSError: The file cannot be written.
            SaveRefused: The file must not be written.
        """
        snapshot = self.session.snapshot
        if snapshot is not None:
            table = table_of(snapshot, self.shown, self.canvas.axis.visible_frames())
            write_file(path, table.encode(), overwrite=True)

    # --- drops ------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasFormat(MIME):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        keys = unpacked(bytes(event.mimeData().data(MIME).data()))
        if keys:
            event.acceptProposedAction()
            self.add(*keys)

    # --- keys and menus ---------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key == Qt.Key.Key_Escape and self.parts.brushed is not None:
            self.parts.brush(None)
        elif key == Qt.Key.Key_Backspace:
            self.step_view(1 if shift else -1)
        elif key == Qt.Key.Key_Insert:
            self.ask_add()
        elif key in (Qt.Key.Key_A, Qt.Key.Key_B) and not control and self.traces:
            self.set_cursor("A" if key == Qt.Key.Key_A else "B", self.session.selection.frame_index)
        elif key == Qt.Key.Key_C and not control and self.traces:
            self.show_cursors(not self._cursors)
        elif not self.canvas.take_key(event):
            super().keyPressEvent(event)


def _are_axes(values: list[object]) -> bool:
    """Return whether values of a workspace are the signals along X and Y; an empty list stands for none."""
    if len(values) != 2:
        return False
    return all(value == [] or len(unpacked(json_of([value]).encode())) == 1 for value in values)
