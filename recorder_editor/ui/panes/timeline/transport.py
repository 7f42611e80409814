"""The strip above the timeline lanes: play, step, speed, loop, where it is, in and out."""

from collections.abc import Mapping
from datetime import timedelta
from functools import partial

import numpy as np
from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtGui import QAction, QActionGroup, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QToolButton

from ....errors import EditError
from ....recording import Snapshot
from ....texts import listed, say, say_count
from ....views.time_axis import frame_of, times_rise
from ...session import Session
from ...session.player import SPEEDS, Player
from ...style.boxes import Part, Stretch, fill, icon_button
from ...style.theme import Theme
from ...widgets import Label, RunningText, ThemedWidget
from ...widgets.value_edit import ValueEdit

HEIGHT = 32
NARROWEST = 440
_WIDEST = 160  # an editor
_AROUND = 44  # pixels beside the text of an editor, for its frame and the cross that clears it

_ACTIONS = {"first": "go.first", "previous": "go.previous", "play": "play.toggle", "next": "go.next", "last": "go.last"}
"""The actions that do the same as buttons."""


def _with_key(text: str, key: str) -> str:
    if key:
        return f"{text} ({key})"
    return text


def _speed(factor: float) -> str:
    return f"{factor:g}×".replace("-", "−")


class MomentLine(ValueEdit):
    """In or out: a moment, or a frame as `#250`."""

    def tip(self) -> str:
        return say("Seconds, h:mm:ss, or a frame as #250")


class Transport(ThemedWidget):
    """Attributes: `buttons` (by name: first, previous, play, next, last, loop), `speed`, `start` and `stop` (the
    editors of in and out), `clears` (the crosses in them)."""

    def __init__(self, session: Session, theme: Theme, player: Player) -> None:
        super().__init__(theme)
        self.session = session
        self.player = player
        self.buttons: dict[str, QToolButton] = {}
        self.clears: list[QAction] = []
        self._rises = True
        self._end = 0.0
        parts: list[Part] = [*self._make_buttons(), *self._make_labels(), Stretch()]
        self.start, self.stop = self._editor(say("In"), "rangeIn"), self._editor(say("Out"), "rangeOut")
        lines = self.start, self.stop
        self.range_words = [Label(theme, line.accessibleName(), "small", "muted") for line in lines]
        for word, line in zip(self.range_words, lines, strict=True):
            parts += [word, theme.px(4), line, theme.px(8)]
        self.kept = RunningText(theme, "", "small", "muted")
        self.kept.set_alignment(Qt.AlignmentFlag.AlignRight)
        margins = theme.px(8), 0, theme.px(14), 0
        fill(QHBoxLayout(self), *parts, self.kept, spacing=theme.px(4), margins=margins)
        session.opened.connect(self.refresh)
        session.editing.changed.connect(self._change)
        session.selection.changed.connect(self.show_frame)
        session.range.changed.connect(self.show_range)
        player.changed.connect(self.show_player)
        theme.changed.connect(self._give_way)  # after all parts: they were connected before
        self.restyle()
        self.refresh()
        self.show_player()

    # --- parts ------------------------------------------------------------------------------------------

    def _make_buttons(self) -> tuple[Part, ...]:
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
            button = self.buttons[name] = icon_button(self.theme.icons.icon(name), tip, slot, 16)
            button.setObjectName(f"transport-{name}")
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.buttons["loop"].setCheckable(True)
        self.speed = QToolButton(autoRaise=True, popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        self.speed.setObjectName("speed")
        self.speed.setToolTip(say("Speed"))
        self._told = ""
        self.speed.setMenu(self._speeds())
        *steps, loop = self.buttons.values()
        return *steps, self.theme.px(8), self.speed, loop, self.theme.px(12)

    def show_keys(self, keys: Mapping[str, str]) -> None:
        """Name in the tooltips the keys that do the same, by action."""
        for name, action in _ACTIONS.items():
            button = self.buttons[name]
            button.setToolTip(_with_key(button.accessibleName(), keys[action]))
        both = say("{slower} and {faster}", slower=keys["play.slower"], faster=keys["play.faster"])
        has_both = keys["play.slower"] and keys["play.faster"]
        self.speed.setToolTip(_with_key(say("Speed"), both if has_both else ""))
        if keys["range.clear"]:
            clears_both = say("{key} clears both", key=keys["range.clear"])
        else:
            clears_both = ""
        for line, clear in zip((self.start, self.stop), self.clears, strict=True):
            name = say("Clear {pane}", pane=line.accessibleName().lower())
            clear.setToolTip(_with_key(name, clears_both))

    def _speeds(self) -> QMenu:
        menu = QMenu(self)
        group = QActionGroup(menu)
        for speed in SPEEDS:
            action = menu.addAction(f"{speed:g}×", partial(self.player.set_speed, speed))
            action.setCheckable(True)
            action.setData(speed)
            group.addAction(action)
        return menu

    def _make_labels(self) -> tuple[Part, ...]:
        theme = self.theme
        self.frame, self.time = (RunningText(theme, "", "mono_bold") for _ in range(2))
        self.frames, self.whole, self.wall = (RunningText(theme, "", "mono", "muted") for _ in range(3))
        self.wall.setToolTip(say("Date of the recording plus the simulated time"))
        self.frame_word = Label(theme, say("frame"), "small", "muted")
        for label in (self.frame, self.time):
            label.set_alignment(Qt.AlignmentFlag.AlignRight)
        frame = (self.frame_word, theme.px(4), self.frame, self.frames)
        time = (self.time, self.whole)
        return *frame, theme.px(20), *time, theme.px(16), self.wall

    def _editor(self, name: str, object_name: str) -> MomentLine:
        line = MomentLine(self.theme, name)
        line.setObjectName(object_name)
        line.committed.connect(lambda text: self._commit(line, text))
        line.setAlignment(Qt.AlignmentFlag.AlignRight)
        icon = self.theme.icons.icon("close")
        clear = line.addAction(icon, QLineEdit.ActionPosition.TrailingPosition)
        clear.setToolTip(say("Clear {name}", name=name.lower()))
        clear.triggered.connect(lambda: self._commit(line, f"#{self.session.frames if line is self.stop else 1}"))
        self.clears.append(clear)
        return line

    def restyle(self) -> None:
        super().restyle()
        self.setFixedHeight(self.theme.px(HEIGHT))
        for line in (self.start, self.stop):
            line.setFont(self.theme.mono)
        self._hold_widths()
        self.show_range()
        self.show_frame()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What is only convenient gives way in a narrow window."""
        super().resizeEvent(event)
        self._give_way()

    def _give_way(self) -> None:
        layout = self.layout()
        if layout is None:
            return
        buttons = (self.buttons[name] for name in ("first", "last", "loop"))
        labels = (self.wall, self.whole, self.kept, self.frame_word, *self.range_words)
        optional = (*labels, self.frames, *buttons, self.time, self.speed)
        for part in optional:
            part.setVisible(True)
        for part in optional:
            layout.invalidate()
            # The names of the two editors go together.
            if part is not self.range_words[1] and layout.minimumSize().width() <= self.width():
                break
            part.setVisible(False)
        layout.activate()  # at once: fields of another width would overlap until Qt gets to it

    def minimumSizeHint(self) -> QSize:
        return QSize(self.theme.px(NARROWEST), self.theme.px(HEIGHT))

    # --- showing ----------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Everything anew."""
        self._change()
        self.show_frame()
        self._give_way()

    def _change(self) -> None:
        self.setEnabled(self.session.frames > 0)
        self._hold_widths()
        self.show_range()
        self._give_way()

    def _hold_widths(self) -> None:
        """Numbers that run keep their neighbours where they are."""
        snapshot = self.session.snapshot
        if snapshot is not None:
            frames = len(snapshot)
        else:
            frames = 0
        # The column is put together from chunks: once a state, not once a step.
        if snapshot is not None:
            times = snapshot.elapsed
        else:
            times = np.empty(0)
        if frames:
            self._end = float(times[-1])
        else:
            self._end = 0.0
        self._rises = bool(frames) and times_rise(times)
        longest = self._label(self._end)
        number = f"{frames:,}"
        self.frame_word.setText(say("frame") if frames else "")
        for label, widest in (
            (self.frame, number),
            (self.frames, f" / {number}"),
            (self.time, longest.removesuffix(" s")),
            (self.whole, f" / {self._label(self._end)}"),
            (self.wall, _wall_time(snapshot, self._end) if snapshot is not None else ""),
            (self.kept, say("{number} frames", number=number)),
        ):
            label.reserve(widest if frames else "")
        text = self.theme.metrics(self.theme.mono).horizontalAdvance(longest)
        for line in (self.start, self.stop):
            line.setFixedWidth(min(max(self.theme.px(84), text + self.theme.px(_AROUND)), self.theme.px(_WIDEST)))
        metrics = self.speed.fontMetrics()
        around = self.speed.sizeHint().width() - metrics.horizontalAdvance(self.speed.text())
        self.speed.setMinimumWidth(around + max(metrics.horizontalAdvance(_speed(-speed)) for speed in SPEEDS))

    def _label(self, seconds: float) -> str:
        """A moment with its unit."""
        return self.theme.units.time_label(seconds, self._end)

    def show_frame(self) -> None:
        """Where it is."""
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
        self.time.setText(self.theme.units.time_parts(frame.elapsed, self._end)[0])
        self.whole.setText(f" / {self._label(self._end)}")
        self.wall.setText(_wall_time(snapshot, frame.elapsed))

    def show_range(self) -> None:
        """In, out, and how many frames stay: in seconds, or by frames where the seconds do not rise."""
        snapshot = self.session.snapshot
        span = self.session.range.frames
        for clear, is_set in zip(self.clears, (span.start > 0, span.stop < self.session.frames), strict=True):
            clear.setVisible(is_set)
        if snapshot is None or not len(snapshot):
            self.start.show_text("")
            self.stop.show_text("")
            self.kept.setText("")
            return
        times = snapshot.elapsed
        if self._rises:
            end = float(times[min(span.stop, len(times) - 1)])
            texts = self._label(float(times[span.start])), self._label(end)
        else:
            texts = f"#{span.start + 1}", f"#{span.stop}"
        for line, text in zip((self.start, self.stop), texts, strict=True):
            if not line.dirty:
                line.show_text(text)
        self.kept.setText(say_count("1 frame", "{count:,} frames", count=len(span)))

    def show_player(self) -> None:
        """Play or pause, speed, loop."""
        player = self.player
        self.buttons["play"].setIcon(self.theme.icons.icon("pause" if player.is_playing else "play"))
        self.speed.setText(_speed(-player.speed if player.is_backward else player.speed))
        self.speed.setAccessibleName(say("Speed {speed}", speed=self.speed.text()))
        if player.is_playing:
            state = say("Playing")
        else:
            state = say("Paused")
        words = listed((state, self.speed.accessibleName()), "clauses")
        before = self._told
        self._told = words
        if before not in ("", words):
            self.session.announced.emit(words)
        with QSignalBlocker(self.buttons["loop"]):
            self.buttons["loop"].setChecked(player.is_looping)
        for action in self.speed.menu().actions():
            action.setChecked(action.data() == player.speed)

    # --- in and out -------------------------------------------------------------------------------------

    def _commit(self, line: MomentLine, text: str) -> None:
        """In is the first frame at that time or after, out is exclusive in seconds; `#` names the frame that stays."""
        snapshot = self.session.snapshot
        if snapshot is None or not len(snapshot):
            return
        try:
            index = frame_of(snapshot.elapsed, text, stop=line is self.stop)
        except EditError as error:
            line.refuse(error.message)
            return
        span = self.session.range.frames
        line.revert()
        if line is self.start:
            self.session.range.set(index, max(span.stop, index + 1), say("Set in point"))
        else:
            self.session.range.set(min(span.start, index - 1), index, say("Set out point"))


def _wall_time(snapshot: Snapshot, seconds: float) -> str:
    """The moment so many seconds after the recording began, where its header tells when that was."""
    when = snapshot.header.when if snapshot.header is not None else None
    try:
        if when is not None:
            return format(when + timedelta(seconds=seconds), "%H:%M:%S UTC")
        return ""
    except (OverflowError, ValueError):
        return ""
