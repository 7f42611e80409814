"""The Timeline pane: the transport strip above, the lanes below."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

from PySide6.QtCore import QPoint, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QActionGroup, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from ... import edits
from ..icons import Icons
from ..player import SPEEDS, Player
from ..session import Session
from ..theme import Theme
from ..widgets import Label
from ..widgets.lines import ValueLine
from .canvas import Canvas


class TimeLine(ValueLine):
    """In or out: seconds, or a frame as `#250`."""

    def set_value(self, text: str) -> None:
        """Show this."""
        self._exact = text
        self.revert()


class Transport(QWidget):
    """Play, step, speed, loop, where it is, in and out."""

    def __init__(self, session: Session, theme: Theme, player: Player, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.theme = theme
        self.player = player
        self.setFixedHeight(theme.px(32))
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.px(8), 0, theme.px(12), 0)
        row.setSpacing(theme.px(4))
        self.buttons: dict[str, QToolButton] = {}
        for name, tip, slot in (
            ("first", self.tr("First frame (Home)"), lambda: session.go_to_frame(0)),
            ("previous", self.tr("Frame before (,)"), lambda: session.step(-1)),
            ("play", self.tr("Play or pause (Space)"), player.toggle),
            ("next", self.tr("Next frame (.)"), lambda: session.step(1)),
            ("last", self.tr("Last frame (End)"), lambda: session.go_to_frame(session.frames - 1)),
        ):
            self._button(row, name, tip, slot)
        row.addSpacing(theme.px(8))
        self.speed = QToolButton()
        self.speed.setObjectName("speed")
        self.speed.setAutoRaise(True)
        self.speed.setToolTip(self.tr("Speed ([ and ])"))
        self.speed.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.speed.setMenu(self._speeds())
        row.addWidget(self.speed)
        tip = self.tr("Play the range again and again")
        self._button(row, "loop", tip, lambda: player.set_looping(not player.is_looping))
        self.buttons["loop"].setCheckable(True)
        row.addSpacing(theme.px(12))
        self.frame, self.frames = Label(theme, "", "mono_bold"), Label(theme, "", "mono", "muted")
        self.time, self.whole = Label(theme, "", "mono_bold"), Label(theme, "", "mono", "muted")
        self.wall = Label(theme, "", "mono", "muted")
        self._frame_word = Label(theme, self.tr("frame"), "small", "muted")
        row.addWidget(self._frame_word)
        row.addSpacing(theme.px(4))
        row.addWidget(self.frame)
        row.addWidget(self.frames)
        row.addSpacing(theme.px(20))
        row.addWidget(self.time)
        row.addWidget(self.whole)
        row.addSpacing(theme.px(16))
        row.addWidget(self.wall)
        row.addStretch(1)
        self.start, self.stop = self._editor(row, self.tr("In")), self._editor(row, self.tr("Out"))
        self.kept = Label(theme, "", "small", "muted")
        self.kept.setMinimumWidth(theme.px(76))
        self.kept.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.kept)
        self.start.setObjectName("rangeIn")
        self.stop.setObjectName("rangeOut")
        self.start.committed.connect(lambda text: self._set(self.start, text))
        self.stop.committed.connect(lambda text: self._set(self.stop, text))
        session.opened.connect(self.refresh)
        session.changed.connect(self.refresh)
        session.selected.connect(self.show_frame)
        session.range_changed.connect(self.show_range)
        player.changed.connect(self.show_player)
        self.refresh()
        self.show_player()

    def _button(self, row: QHBoxLayout, name: str, tip: str, slot: Callable[[], object]) -> None:
        button = QToolButton()
        button.setObjectName(f"transport-{name}")
        button.setIcon(self.theme.icons.icon(name))
        button.setIconSize(QSize(16, 16))
        button.setAutoRaise(True)
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda: slot())
        row.addWidget(button)
        self.buttons[name] = button

    def _speeds(self) -> QMenu:
        menu = QMenu(self)
        group = QActionGroup(menu)
        for speed in SPEEDS:
            action = menu.addAction(f"{speed:g}×", partial(self.player.set_speed, speed))
            action.setCheckable(True)
            action.setData(speed)
            group.addAction(action)
        return menu

    def _editor(self, row: QHBoxLayout, name: str) -> TimeLine:
        row.addWidget(Label(self.theme, name, "small", "muted"))
        row.addSpacing(self.theme.px(4))
        line = TimeLine(self.theme, name)
        line.setFont(self.theme.mono)
        line.setAlignment(Qt.AlignmentFlag.AlignRight)
        line.setFixedWidth(self.theme.px(84))
        line.setToolTip(self.tr("Seconds, or a frame as #250"))
        row.addWidget(line)
        row.addSpacing(self.theme.px(8))
        return line

    # --- showing ----------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Everything anew."""
        self.setEnabled(self.session.frames > 0)
        self.show_frame()
        self.show_range()

    def show_frame(self) -> None:
        """Where it is."""
        frame, snapshot = self.session.frame, self.session.snapshot
        if frame is None or snapshot is None:
            for label in (self.frame, self.frames, self.time, self.whole, self.wall):
                label.setText("")
            self._frame_word.setVisible(False)
            return
        self._frame_word.setVisible(True)
        self.frame.setText(f"{frame.index + 1:,}")
        self.frames.setText(f" / {len(snapshot):,}")
        self.time.setText(f"{frame.elapsed:.3f}")
        self.whole.setText(f" / {float(snapshot.elapsed[-1]):.3f} s")
        self.wall.setText(self._wall_time(frame.elapsed))

    def _wall_time(self, elapsed: float) -> str:
        snapshot = self.session.snapshot
        when = snapshot.header.when if snapshot is not None and snapshot.header is not None else None
        try:
            return f"{when + timedelta(seconds=elapsed):%H:%M:%S} UTC" if when is not None else ""
        except (OverflowError, ValueError):
            return ""

    def show_range(self) -> None:
        """In, out, and how many frames stay."""
        snapshot = self.session.snapshot
        if snapshot is None or not len(snapshot):
            self.start.set_value("")
            self.stop.set_value("")
            self.kept.setText("")
            return
        span = self.session.range
        times = snapshot.elapsed
        end = float(times[span.stop]) if span.stop < len(times) else float(times[-1])
        self.start.set_value(f"{float(times[span.start]):.3f} s")
        self.stop.set_value(f"{end:.3f} s")
        self.kept.setText(self.tr("%1 frames").replace("%1", f"{len(span):,}"))

    def show_player(self) -> None:
        """Play or pause, speed, loop."""
        player = self.player
        self.buttons["play"].setIcon(self.theme.icons.icon("pause" if player.is_playing else "play"))
        sign = "−" if player.is_backward else ""
        self.speed.setText(f"{sign}{player.speed:g}×")
        with QSignalBlocker(self.buttons["loop"]):
            self.buttons["loop"].setChecked(player.is_looping)
        for action in self.speed.menu().actions():
            action.setChecked(action.data() == player.speed)

    # --- in and out -------------------------------------------------------------------------------------

    def _set(self, line: TimeLine, text: str) -> None:
        """In is the first frame at that time or after; out is exclusive in seconds, and the last that stays as #."""
        snapshot = self.session.snapshot
        if snapshot is None:
            return
        given = text.strip().removesuffix("s").strip()
        try:
            if given.startswith("#"):
                index = int(given[1:].replace(",", "")) - (0 if line is self.stop else 1)
            else:
                times = snapshot.elapsed
                index = int((times < float(given) - 1e-9).sum())
                if line is self.stop and float(given) >= float(times[-1]):
                    index = len(times)
        except ValueError:
            line.refuse(self.tr("Write seconds, as in 12.5, or a frame, as in #250."))
            return
        span = self.session.range
        if line is self.start:
            self.session.set_range(index, max(span.stop, index + 1))
        else:
            self.session.set_range(min(span.start, index - 1), index)
        self.show_range()


class TimelinePane(QWidget):
    """Signal: `caption_changed(str)`."""

    caption_changed = Signal(str)
    caption = ""
    title_switches: tuple[QWidget, ...] = ()

    def __init__(
        self, session: Session, theme: Theme, icons: Icons, player: Player, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.session = session
        self.player = player
        self.transport = Transport(session, theme, player)
        self.canvas = Canvas(session, theme)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.transport)
        layout.addWidget(self.canvas, 1)
        self.setFocusProxy(self.canvas)
        self.canvas.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.canvas.customContextMenuRequested.connect(self._menu)

    def set_shows_frames(self, shows: bool) -> None:
        """Whether the handles carry the numbers of the first and last frame that stay."""
        if shows != self.canvas.shows_frames:
            self.canvas.shows_frames = shows
            self.canvas.refresh()

    def _menu(self, point: QPoint) -> None:
        session = self.session
        if not session.frames:
            return
        frame = self.canvas.axis.frame(point.x())
        menu = QMenu(self)
        menu.addAction(self.tr("Go to frame %1").replace("%1", f"{frame + 1:,}"), lambda: session.go_to_frame(frame))
        menu.addAction(self.tr("Set in here"), lambda: session.set_in(frame))
        menu.addAction(self.tr("Set out here"), lambda: session.set_out(frame))
        clear = menu.addAction(self.tr("Clear the range"), session.clear_range)
        clear.setEnabled(session.has_range)
        menu.addSeparator()
        row = session.snapshot.table.row_of_frame(frame) if session.snapshot is not None else 0
        for text, make in (
            (self.tr("Insert an empty frame"), lambda: edits.insert_frame(session.snapshot_or_refuse(), row + 1)),
            (self.tr("Duplicate the frame"), lambda: edits.insert_frame(session.snapshot_or_refuse(), row + 1, row)),
            (self.tr("Delete the frame"), lambda: edits.delete_rows(session.snapshot_or_refuse(), row)),
        ):
            action = menu.addAction(text, partial(session.attempt, make))
            action.setEnabled(session.is_complete)
        menu.exec(self.canvas.mapToGlobal(point))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = {Qt.Key.Key_Space: self.player.toggle, Qt.Key.Key_J: lambda: self.player.shuttle(-1),
                Qt.Key.Key_K: lambda: self.player.shuttle(0), Qt.Key.Key_L: lambda: self.player.shuttle(1),
                Qt.Key.Key_I: self.session.set_in, Qt.Key.Key_O: self.session.set_out,
                Qt.Key.Key_BracketLeft: self.player.slower, Qt.Key.Key_BracketRight: self.player.faster}  # fmt: skip
        action = keys.get(Qt.Key(event.key()))
        if action is None or event.modifiers():
            super().keyPressEvent(event)
            return
        action()
