"""The status bar: what is open and where one is in it, a refusal for a few seconds, the job that runs."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSizePolicy, QStatusBar, QWidget

from ...reading import short_blueprint
from ...texts import N_, listed, say, say_count
from ...views.selection import HEADER
from ...views.units import size_text
from ..session import Session
from ..session.debounce import Debounce
from ..session.settings import short_map
from ..style.boxes import Stretch, fill
from ..style.painting import LEFT, draw_text
from ..style.theme import Theme
from ..widgets import ElidedLabel, ProgressStrip, RunningText, ThemedWidget, font_of
from ..widgets.base import Sign
from ..widgets.screen_reader import Speaker, announce

_WARNING_MS = 7000
_INFO_MS = 4000
_MS_BEFORE_A_JOB_SHOWS = 400
PARTS = ("map", "dialect", "size", "offset", "frame", "range", "mode", "edits", "problems")
_SPOKEN = ("frame", "problems")


class Status(QStatusBar):
    """24 high."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.theme = theme
        self._mode = ""
        self._shows_range = False
        self.setSizeGripEnabled(False)
        self.parts: dict[str, Part] = {name: Part(theme, name) for name in PARTS}
        self.note = Note(theme)
        self.note.closed.connect(self._show_parts)
        self._told_edits: tuple[int, str, str] = (0, "", "")
        self._told_actor: tuple[int | None, str] = (None, "")
        self._told_range = ""
        self.speaker = Speaker(self, self._spoken)
        self.job = JobStrip(session, theme)
        self.job.told.connect(self._announce)
        row = QWidget()
        self._row = QHBoxLayout(row)
        fill(self._row, *self.parts.values(), (self.note, 1), Stretch(0), self.job, spacing=0)
        self.addWidget(row, 1)
        inner = self.layout()
        if inner is not None:
            inner.setContentsMargins(0, 0, 0, 0)
        self._note_timer = Debounce(self, self._show_parts)
        session.opened.connect(self.refresh)
        session.editing.changed.connect(self.refresh)
        session.selection.changed.connect(self.refresh)
        session.range.changed.connect(self.refresh)
        session.background.findings_changed.connect(self.refresh)
        session.state_changed.connect(self.refresh)
        session.refused.connect(self.tell)
        session.warned.connect(self.tell)
        session.informed.connect(self.inform)
        session.announced.connect(self._announce)
        theme.changed.connect(self._restyle)
        self._restyle()
        self._show_parts()
        self.refresh()

    def _announce(self, sentence: str) -> None:
        announce(self, sentence)

    def tell(self, sentence: str) -> None:
        """Say why something was not done, or what is wrong with it; it goes by itself, or by a click."""
        self._show_note(sentence, "warning", _WARNING_MS)

    def inform(self, sentence: str) -> None:
        """Say what was done; it goes by itself, or by a click."""
        self._show_note(sentence, "info", _INFO_MS)

    def _show_note(self, sentence: str, sign: str, milliseconds: int) -> None:
        self.note.say(sentence, sign)
        announce(self, sentence)
        for part in self.parts.values():
            part.hide()
        self._note_timer.start(milliseconds)

    def _show_parts(self) -> None:
        self._note_timer.stop()
        self.note.hide()
        for part in self.parts.values():
            part.show()

    def set_mode(self, mode: str, *, shows_range: bool) -> None:
        """Show how typing acts (`INS`), and the range of frames or not."""
        if (mode, shows_range) != (self._mode, self._shows_range):
            self._mode = mode
            self._shows_range = shows_range
            self.refresh()

    def _restyle(self) -> None:
        self.setFixedHeight(self.theme.px(24))
        self._row.activate()  # as in `refresh`

    def refresh(self) -> None:
        """Take over what the session says now."""
        texts = self._texts()
        for name, part in self.parts.items():
            text = texts.get(name, "")
            strong = name == "map" or (name == "problems" and bool(self.session.background.findings))
            part.setText(text)
            part.set_color("text" if strong else "muted")
        # At once: until Qt gets to it, longer words would end in an ellipsis beside free room.
        self._row.activate()
        self.speaker.announce_soon()

    def _texts(self) -> dict[str, str]:
        session = self.session
        snapshot = self.session.snapshot
        if snapshot is None:
            return {"map": say("No recording open")}
        texts = {
            "map": self._map(),
            "dialect": say("Unknown release"),
            "size": size_text(snapshot.size),
            "offset": f"0x{session.selection.span[0]:06x}",
            "frame": self._frame(),
            "mode": self._mode,
            "edits": self._edits(),
            "problems": self._problems(),
        }
        if self._knows_release():
            texts["dialect"] = snapshot.dialect.releases
        if self._shows_range:
            texts["range"] = self._range()
        return texts

    def _map(self) -> str:
        snapshot = self.session.snapshot
        if snapshot is None or snapshot.header is None:
            return short_map(say("No readable header"))
        name = snapshot.header.map_name
        if isinstance(name, bytes):
            return name.hex(" ")
        return short_map(name)

    def _spoken(self) -> list[str]:
        """What a screen reader is told: parts of the bar, then what is new."""
        texts = [self.parts[name].text() for name in _SPOKEN]
        texts.extend(self._news())
        return texts

    def _news(self) -> tuple[str, str, str]:
        """The last step with the number of edits; the selected actor; the range."""
        return self._edit_news(), self._actor_news(), self._range_news()

    def _edit_news(self) -> str:
        """The step that was made, undone or redone, and the number of edits."""
        steps = self.session.steps
        count = self.parts["edits"].text()
        version_before, count_before, text = self._told_edits
        if (steps.version, count) != (version_before, count_before):
            step = ""
            if steps.version != version_before:
                step = steps.news
            text = listed((step, count), "clauses")
            self._told_edits = (steps.version, count, text)
        return text

    def _actor_news(self) -> str:
        """The selected actor, unless the view that has the keyboard speaks of it itself."""
        selection = self.session.selection
        if selection.actor != self._told_actor[0]:
            life = selection.life
            focus = QApplication.focusWidget()
            is_view = hasattr(focus, "spoken") or hasattr(focus, "selectionModel")
            text = ""
            if life is not None and not is_view:
                text = f"{life.actor} {short_blueprint(life.blueprint)}"
            self._told_actor = (selection.actor, text)
        return self._told_actor[1]

    def _range_news(self) -> str:
        """The range, in every layout, or that it was cleared."""
        text = self._range()
        if not text and self._told_range:
            text = say("Range cleared")
        self._told_range = text
        return text

    def _knows_release(self) -> bool:
        """Without a frame nothing tells it, and it stands for nothing unless a person chose it."""
        snapshot = self.session.snapshot
        return snapshot is not None and (len(snapshot) > 0 or snapshot.detection.forced)

    def _frame(self) -> str:
        session = self.session
        snapshot = self.session.snapshot
        assert snapshot is not None
        if not len(snapshot):
            return say("No frames")
        template = N_("Frame {frame:,} of {frames:,}")
        between = session.selection.current is not None and session.selection.current is not session.selection.frame
        if between and session.selection.place.row != HEADER:
            template = N_("After frame {frame:,} of {frames:,}")
        text = say(template, frame=session.selection.frame_index + 1, frames=len(snapshot))
        damaged = snapshot.rows - len(snapshot)
        if damaged:
            text = listed((text, say("{damaged:,} damaged", damaged=damaged)), "clauses")
        return text

    def _range(self) -> str:
        session = self.session
        if not session.range.is_set:
            return ""
        frames = session.range.frames
        return say("In point {first:,}, out point {last:,}", first=frames.start + 1, last=frames.stop)

    def _edits(self) -> str:
        recording = self.session.recording
        if recording is None:
            return say("Reading")
        history = recording.history
        if history.is_clean:
            return say("No edits")
        saved = history.clean_position
        if saved is not None:
            count = abs(history.position - saved)
        else:
            count = history.position
        return say_count("1 edit", "{count:,} edits", count=count)

    def _problems(self) -> str:
        session = self.session
        count = sum(finding.severity != "info" for finding in session.background.findings)
        if session.background.trajectories is None and not count:
            return say("Checking")
        if not count:
            return say("No problems")
        return say_count("1 problem", "{count:,} problems", count=count)


class Part(RunningText):
    """A part of the status bar: small muted words, and a hairline before all but the first one."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(theme, "", font="mono" if name == "offset" else "small", color="muted")
        self._is_first = name == PARTS[0]
        self.setObjectName(f"status.{name}")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        width = super().sizeHint().width()
        if width:
            width += 2 * 12
        return QSize(width, self.theme.px(20))

    def minimumSizeHint(self) -> QSize:
        return QSize(min(self.sizeHint().width(), self.theme.px(40)), self.theme.px(20))

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.text():
            return
        palette = self.theme.palette
        painter = QPainter(self)
        words = self.rect().adjusted(12, 0, -12, 0)
        font = font_of(self.theme, self._font_name)
        flags = LEFT | Qt.TextFlag.TextDontClip
        draw_text(painter, words, self.text(), font, palette.color(self._color), flags, room=words.width() + 2)
        if not self._is_first:
            painter.fillRect(0, (self.height() - 12) // 2, 1, 12, palette.hairline)


class Note(ThemedWidget):
    """A sentence with a sign, over the parts of the status bar. Signal: `closed()` when it was clicked."""

    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._sign = Sign(theme)
        self.words = ElidedLabel(theme, "", "small", "text")
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        fill(QHBoxLayout(self), self._sign, (self.words, 1), spacing=8, margins=(12, 0, 12, 0))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.hide()

    def say(self, sentence: str, sign: str) -> None:
        """Show a sentence, as a `warning` or an `info`."""
        self._sign.set_icon(sign)
        self.words.setText(sentence)
        self.show()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.closed.emit()


class JobStrip(ProgressStrip):
    """The oldest job that has run for a while. Signal: `told(str)`, that it is shown, or has ended."""

    told = Signal(str)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(theme, compact=True)
        self.session = session
        self._soon = Debounce(self, self._show_oldest, _MS_BEFORE_A_JOB_SHOWS)
        session.jobs.changed.connect(self._follow)
        self.hide()

    def _follow(self) -> None:
        running = self.session.jobs.running
        if self._job is not None and self._job not in running:
            if self._job.is_cancelled:
                template = N_("{title}: cancelled")
            else:
                template = N_("{title}: ended")
            self.told.emit(say(template, title=self._job.title))
            self.follow(None)
            self.hide()
        if not running:
            self._soon.stop()
        elif self._job is None and not self._soon.isActive():
            self._soon.start()

    def _show_oldest(self) -> None:
        running = self.session.jobs.running
        if not running:
            return
        if self.session.snapshot is None:
            self._soon.start()  # the start page shows how far it is, until the first frames are shown
            return
        loud = [job for job in running if not job.quiet]
        job = (loud or list(running))[0]
        self.follow(job)
        self.show()
        self.told.emit(job.title)
