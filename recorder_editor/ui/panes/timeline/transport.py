"""The strip above the timeline lanes: play, step, speed, loop, the current frame, in and out."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from functools import partial

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtGui import QAction, QActionGroup, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QMenu, QSizePolicy, QToolButton, QWidget

from ....errors import EditError
from ....recording import Snapshot
from ....texts import listed, say, say_count
from ....views.time_axis import frame_of, times_rise
from ...session import Session
from ...session.player import SPEEDS, Player
from ...style.boxes import Stretch, fill, icon_button, show_what_fits
from ...style.theme import Theme
from ...widgets import Label, RunningText, ThemedWidget
from ...widgets.value_edit import ValueEdit

HEIGHT = 32
NARROWEST = 440
_NARROWEST_EDITOR = 84
_WIDEST_EDITOR = 160
_CELL_HEIGHT = 24
_CELL_SIDE = 8
_EDGE = 1  # pixels
_AROUND = 44  # pixels beside the text of an editor, for its frame and the cross that clears it

_ACTIONS = {"first": "go.first", "previous": "go.previous", "play": "play.toggle", "next": "go.next", "last": "go.last"}
"""The actions that do the same as buttons, by name of the button."""


def _with_key(text: str, key: str) -> str:
    if key:
        return f"{text} ({key})"
    return text


def _speed_text(factor: float) -> str:
    return f"{factor:g}×".replace("-", "−")


class MomentLine(ValueEdit):
    """The editor of in or out: a moment, or a frame as `#250`."""

    def tip(self) -> str:
        return say("Seconds, h:mm:ss, or a frame as #250")


class AroundButtons(QFrame):
    """Actions that set in and out around a frame, as cells of one control."""

    def __init__(self, theme: Theme, actions: Sequence[QAction]) -> None:
        super().__init__()
        self.theme = theme
        self.cells: list[QToolButton] = []
        self.setObjectName("around")
        self.setProperty("segmented", True)
        self.setAccessibleName(say("± 5 s round"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        for action, place in zip(actions, ("first", "last"), strict=True):
            cell = QToolButton()
            cell.setDefaultAction(action)
            cell.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            cell.setObjectName(f"around.{action.objectName()}")
            cell.setAccessibleName(action.text().replace("&", ""))
            cell.setProperty("segment", place)
            cell.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            action.changed.connect(self._explain)
            self.cells.append(cell)
        fill(QHBoxLayout(self), *self.cells, spacing=0)
        self.restyle()
        self._explain()

    def _explain(self) -> None:
        """Say in the tooltip of a grey cell why it is grey."""
        for cell in self.cells:
            action = cell.defaultAction()
            tip = action.toolTip()
            if not action.isEnabled():
                tip = f"{tip}\n{action.statusTip()}".strip()
            cell.setToolTip(tip)

    def restyle(self) -> None:
        """Give the cells the room of their texts."""
        px = self.theme.px
        metrics = self.theme.metrics(self.theme.small)
        height = px(_CELL_HEIGHT)
        whole = 2 * _EDGE
        for cell in self.cells:
            width = metrics.horizontalAdvance(cell.text()) + 2 * px(_CELL_SIDE)
            cell.setFixedSize(width, height - 2 * _EDGE)
            whole += width
        self.setFixedSize(whole, height)  # at once: the row would else know of it only after the next event


class Transport(ThemedWidget):
    """The strip with the buttons, the current frame and the range.

    Attributes:
        session: The session.
        player: Plays the recording.
        buttons: Buttons by name: first, previous, play, next, last, loop.
        speed: The button with the menu of speeds.
        start: The editor of in.
        stop: The editor of out.
        clears: The crosses in these editors.
        range_labels: The names beside these editors.
        around: The buttons that set both around a frame, with their name; empty before they are offered.
        kept: The number of frames of the range.
        frame: The number of the current frame.
        frame_word: The word before it.
        frames: The number of frames.
        time: The current moment.
        whole: The end of the recording.
        wall: The date and time of the current moment.
    """

    def __init__(self, session: Session, theme: Theme, player: Player) -> None:
        super().__init__(theme)
        self.session = session
        self.player = player
        self.buttons: dict[str, QToolButton] = {}
        self.clears: list[QAction] = []
        self.around: list[QWidget] = []
        self._around_buttons: AroundButtons | None = None
        self._has_rising_times = True
        self._end = 0.0
        self._make_buttons()
        self._make_labels()
        self._make_editors()
        row = QHBoxLayout(self)
        fill(row, spacing=theme.px(4), margins=(theme.px(8), 0, theme.px(14), 0))
        self._fill_buttons(row)
        self._fill_labels(row)
        fill(row, Stretch(), margins=None)
        self._row = row
        self._around_at = row.count()
        for word, editor in zip(self.range_labels, (self.start, self.stop), strict=True):
            fill(row, word, theme.px(4), editor, theme.px(8), margins=None)
        row.addWidget(self.kept)
        session.opened.connect(self.refresh)
        session.editing.changed.connect(self._change)
        session.selection.changed.connect(self.show_frame)
        session.range.changed.connect(self.show_range)
        player.changed.connect(self.show_player)
        theme.changed.connect(self._hide_optional)  # after all parts: they were connected before
        self.restyle()
        self.refresh()
        self.show_player()

    # --- parts ------------------------------------------------------------------------------------------

    def _make_buttons(self) -> None:
        session = self.session
        player = self.player
        for name, tip, slot in (
            ("first", say("First frame"), lambda: session.selection.go_to_frame(0)),
            ("previous", say("Previous frame"), lambda: session.selection.step(-1)),
            ("play", say("Play or pause"), player.toggle),
            ("next", say("Next frame"), lambda: session.selection.step(1)),
            ("last", say("Last frame"), lambda: session.selection.go_to_frame(session.frames - 1)),
            ("loop", say("Loop range"), lambda: player.set_looping(not player.is_looping)),
        ):
            button = icon_button(self.theme.icons.icon(name), tip, slot, 16)
            button.setObjectName(f"transport-{name}")
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self.buttons[name] = button
        self.buttons["loop"].setCheckable(True)
        self.speed = QToolButton(autoRaise=True, popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        self.speed.setObjectName("speed")
        self.speed.setToolTip(say("Speed"))
        self._announced = ""
        self.speed.setMenu(self._make_speed_menu())

    def _fill_buttons(self, row: QHBoxLayout) -> None:
        for name in ("first", "previous", "play", "next", "last"):
            row.addWidget(self.buttons[name])
        fill(row, self.theme.px(8), self.speed, self.buttons["loop"], self.theme.px(12), margins=None)

    def show_keys(self, keys: Mapping[str, str]) -> None:
        """Show the keys that do the same in the tooltips.

        Args:
            keys: Keys by action; empty for an action without one.
        """
        for name, action in _ACTIONS.items():
            button = self.buttons[name]
            button.setToolTip(_with_key(button.accessibleName(), keys[action]))
        speed_keys = ""
        if keys["play.slower"] and keys["play.faster"]:
            speed_keys = say("{slower} and {faster}", slower=keys["play.slower"], faster=keys["play.faster"])
        self.speed.setToolTip(_with_key(say("Speed"), speed_keys))
        clear_key = ""
        if keys["range.clear"]:
            clear_key = say("{key} clears both", key=keys["range.clear"])
        for editor, clear in zip((self.start, self.stop), self.clears, strict=True):
            text = say("Clear {pane}", pane=editor.accessibleName().lower())
            clear.setToolTip(_with_key(text, clear_key))

    def _make_speed_menu(self) -> QMenu:
        menu = QMenu(self)
        group = QActionGroup(menu)
        for speed in SPEEDS:
            action = menu.addAction(f"{speed:g}×", partial(self.player.set_speed, speed))
            action.setCheckable(True)
            action.setData(speed)
            group.addAction(action)
        return menu

    def _make_labels(self) -> None:
        theme = self.theme
        self.frame = RunningText(theme, "", "mono_bold")
        self.time = RunningText(theme, "", "mono_bold")
        self.frames = RunningText(theme, "", "mono", "muted")
        self.whole = RunningText(theme, "", "mono", "muted")
        self.wall = RunningText(theme, "", "mono", "muted")
        self.wall.setToolTip(say("Date of the recording plus the simulated time"))
        self.frame_word = Label(theme, say("frame"), "small", "muted")
        self.frame.set_alignment(Qt.AlignmentFlag.AlignRight)
        self.time.set_alignment(Qt.AlignmentFlag.AlignRight)

    def _fill_labels(self, row: QHBoxLayout) -> None:
        px = self.theme.px
        fill(row, self.frame_word, px(4), self.frame, self.frames, margins=None)
        fill(row, px(20), self.time, self.whole, px(16), self.wall, margins=None)

    def _make_editors(self) -> None:
        theme = self.theme
        self.start = self._make_editor(say("In"), "rangeIn", clear=lambda: self._commit(self.start, "#1"))
        self.stop = self._make_editor(
            say("Out"), "rangeOut", clear=lambda: self._commit(self.stop, f"#{self.session.frames}")
        )
        self.range_labels = [
            Label(theme, self.start.accessibleName(), "small", "muted"),
            Label(theme, self.stop.accessibleName(), "small", "muted"),
        ]
        self.kept = RunningText(theme, "", "small", "muted")
        self.kept.set_alignment(Qt.AlignmentFlag.AlignRight)

    def _make_editor(self, name: str, object_name: str, clear: Callable[[], None]) -> MomentLine:
        editor = MomentLine(self.theme, name)
        editor.setObjectName(object_name)
        editor.committed.connect(lambda text: self._commit(editor, text))
        editor.setAlignment(Qt.AlignmentFlag.AlignRight)
        icon = self.theme.icons.icon("close")
        cross = editor.addAction(icon, QLineEdit.ActionPosition.TrailingPosition)
        cross.setToolTip(say("Clear {name}", name=name.lower()))
        cross.triggered.connect(clear)
        self.clears.append(cross)
        return editor

    def offer_around(self, *actions: QAction) -> None:
        """Offer actions that set both around a frame, as buttons beside the editors."""
        self._around_buttons = AroundButtons(self.theme, actions)
        name = Label(self.theme, say("± 5 s round"), "small", "muted")
        self.around = [name, self._around_buttons]
        # Not in a row of their own: its width would be known only after the next event.
        self._row.insertWidget(self._around_at, name)
        self._row.insertWidget(self._around_at + 1, self._around_buttons)
        self._row.insertSpacing(self._around_at + 2, self.theme.px(8))
        self.theme.changed.connect(self._hide_optional)  # after these parts, too
        self._hide_optional()

    def restyle(self) -> None:
        super().restyle()
        self.setFixedHeight(self.theme.px(HEIGHT))
        for line in (self.start, self.stop):
            line.setFont(self.theme.mono)
        if self._around_buttons is not None:
            self._around_buttons.restyle()
        self._hold_widths()
        self.show_range()
        self.show_frame()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._hide_optional()

    def _hide_optional(self) -> None:
        """Hide what is only convenient, one after another, until the rest has room."""
        layout = self.layout()
        if layout is None:
            return
        optional = (
            (self.wall,),
            (self.whole,),
            (self.kept,),
            self.around,
            (self.frame_word,),
            self.range_labels,
            (self.frames,),
            (self.buttons["first"],),
            (self.buttons["last"],),
            (self.buttons["loop"],),
            (self.time,),
            (self.speed,),
        )
        moment = self._label(self._end)
        if not self.session.frames:
            moment = ""
        self.time.reserve(moment.removesuffix(" s"))
        show_what_fits(layout, self.width(), optional)
        if self.whole.isHidden():  # which has the unit of both
            self.time.reserve(moment)
            show_what_fits(layout, self.width(), optional)
        self._show_moment()

    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.px(NARROWEST), self.theme.px(HEIGHT))

    # --- showing ----------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the current frame and range of the session."""
        self._change()
        self.show_frame()
        self._hide_optional()

    def _change(self) -> None:
        self.setEnabled(self.session.frames > 0)
        self._hold_widths()
        self.show_range()
        self._hide_optional()

    def _hold_widths(self) -> None:
        """Reserve the widths of the longest texts, so that numbers that run do not move their neighbours."""
        snapshot = self.session.snapshot
        self._end = 0.0
        self._has_rising_times = False
        if snapshot is not None and len(snapshot):
            # The column is put together from chunks: once a state, not once a step.
            times = snapshot.elapsed
            self._end = float(times[-1])
            self._has_rising_times = times_rise(times)
            self._reserve_labels(snapshot)
        else:
            self.frame_word.setText("")
            for label in (self.frame, self.frames, self.time, self.whole, self.wall, self.kept):
                label.reserve("")
        px = self.theme.px
        text_width = self.theme.metrics(self.theme.mono).horizontalAdvance(self._label(self._end))
        width = min(max(px(_NARROWEST_EDITOR), text_width + px(_AROUND)), px(_WIDEST_EDITOR))
        self.start.setFixedWidth(width)
        self.stop.setFixedWidth(width)
        metrics = self.speed.fontMetrics()
        around = self.speed.sizeHint().width() - metrics.horizontalAdvance(self.speed.text())
        widest = max(metrics.horizontalAdvance(_speed_text(-speed)) for speed in SPEEDS)
        self.speed.setMinimumWidth(around + widest)

    def _reserve_labels(self, snapshot: Snapshot) -> None:
        number = f"{len(snapshot):,}"
        longest = self._label(self._end)
        self.frame_word.setText(say("frame"))
        self.frame.reserve(number)
        self.frames.reserve(f" / {number}")
        self.whole.reserve(f" / {longest}")
        self.wall.reserve(_wall_time(snapshot, self._end))
        self.kept.reserve(say("{number} frames", number=number))

    def _label(self, seconds: float) -> str:
        """Return a moment with its unit."""
        return self.theme.units.time_label(seconds, self._end)

    def show_frame(self) -> None:
        """Show the current frame and moment."""
        frame = self.session.selection.frame
        snapshot = self.session.snapshot
        if frame is None or snapshot is None:
            for label in (self.frame, self.frames, self.time, self.whole, self.wall):
                label.setText("")
            return
        for label in (self.frame, self.frames):
            label.setToolTip(say("Frame id in the file: {frame_id}", frame_id=frame.frame_id))
        self.frame.setText(f"{frame.index + 1:,}")
        self.frames.setText(f" / {len(snapshot):,}")
        self._show_moment()
        self.whole.setText(f" / {self._label(self._end)}")
        self.wall.setText(_wall_time(snapshot, frame.elapsed))

    def _show_moment(self) -> None:
        """Show the current moment, with its unit where the end of the recording is not shown."""
        frame = self.session.selection.frame
        if frame is None:
            return
        moment, _ = self.theme.units.time_parts(frame.elapsed, self._end)
        if self.whole.isHidden():
            moment = self._label(frame.elapsed)
        self.time.setText(moment)

    def show_range(self) -> None:
        """Show in, out, and the number of frames: in seconds, or by frames where the seconds do not rise."""
        snapshot = self.session.snapshot
        span = self.session.range.shown
        clear_start, clear_stop = self.clears
        clear_start.setVisible(span.start > 0)
        clear_stop.setVisible(span.stop < self.session.frames)
        if snapshot is None or not len(snapshot):
            self.start.show_text("")
            self.stop.show_text("")
            self.kept.setText("")
            return
        times = snapshot.elapsed
        if self._has_rising_times:
            start = self._label(float(times[span.start]))
            stop = self._label(float(times[min(span.stop, len(times) - 1)]))
        else:
            start = f"#{span.start + 1}"
            stop = f"#{span.stop}"
        if not self.start.dirty:
            self.start.show_text(start)
        if not self.stop.dirty:
            self.stop.show_text(stop)
        self.kept.setText(say_count("1 frame", "{count:,} frames", count=len(span)))

    def show_player(self) -> None:
        """Show whether it plays, the speed, and whether it loops."""
        player = self.player
        if player.is_playing:
            icon = "pause"
            state = say("Playing")
        else:
            icon = "play"
            state = say("Paused")
        self.buttons["play"].setIcon(self.theme.icons.icon(icon))
        self.speed.setText(_speed_text(-player.speed if player.is_backward else player.speed))
        self.speed.setAccessibleName(say("Speed {speed}", speed=self.speed.text()))
        text = listed((state, self.speed.accessibleName()), "clauses")
        before = self._announced
        self._announced = text
        if before not in ("", text):
            self.session.announced.emit(text)
        with QSignalBlocker(self.buttons["loop"]):
            self.buttons["loop"].setChecked(player.is_looping)
        for action in self.speed.menu().actions():
            action.setChecked(action.data() == player.speed)

    # --- in and out -------------------------------------------------------------------------------------

    def _commit(self, editor: MomentLine, text: str) -> None:
        """Set in to the first frame at a time or after, out to the frame before it; `#` names the frame itself."""
        snapshot = self.session.snapshot
        if snapshot is None or not len(snapshot):
            return
        try:
            index = frame_of(snapshot.elapsed, text, stop=editor is self.stop)
        except EditError as error:
            editor.refuse(error.message)
            return
        span = self.session.range.shown
        editor.revert()
        if editor is self.start:
            self.session.range.set(index, max(span.stop, index + 1), say("Mark in"))
        else:
            self.session.range.set(min(span.start, index - 1), index, say("Mark out"))


def _wall_time(snapshot: Snapshot, seconds: float) -> str:
    """Return the time of day so many seconds after the recording began; empty where the header does not tell it."""
    if snapshot.header is None or snapshot.header.when is None:
        return ""
    try:
        return format(snapshot.header.when + timedelta(seconds=seconds), "%H:%M:%S UTC")
    except (OverflowError, ValueError):
        return ""
