"""The window without a recording: what to do first, three things to try, the files of last time, four keys."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from ...reading.trajectories import SIDE
from ...texts import listed, say, say_count
from ...views.units import size_text
from ..session.jobs import Job
from ..session.settings import Recent, Settings
from ..style.boxes import Stretch, fill, set_spacing
from ..style.colors import Palette
from ..style.painting import RIGHT, draw_box, draw_text
from ..style.theme import Theme
from ..widgets import Label, ProgressStrip, ThemedButton, ThemedWidget
from ..widgets.base import Sign
from ..widgets.keyboard import ViewKeys
from .action import Action
from .commands.samples import ACTIONS as SAMPLES

WIDTH = 600
ROW = 56
SHOWN = 3
THUMBNAIL = 56, 40
_WRAPS = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap


class StartPage(ThemedWidget):
    """Signals: `open_asked()`, `demo_asked()`, `recent_asked(str)` with the path, `leftovers_asked()`,
    `action_asked(str)` (the tour, or a sample).

    Attribute: `cards` (by the action of each sample).
    """

    open_asked = Signal()
    action_asked = Signal(str)
    demo_asked = Signal()
    recent_asked = Signal(str)
    leftovers_asked = Signal()

    def __init__(self, settings: Settings, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.settings = settings
        self.setObjectName("startPage")
        # The pane that shares its place must be free to become narrower than this page.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._job: Job | None = None
        self._caps: dict[tuple[str, ...], Label] = {}
        self.open_button = self._large_button("", self.open_asked)
        self.open_button.setAccessibleName(say("Open"))
        self.open_button.setProperty("primary", True)
        sign = Sign(theme, 16)
        self._open_key = Label(theme, "", "small", "on_selection")
        sign.set_icon("open", "on_selection")
        open_text = Label(theme, say("Open"), "bold", "on_selection")
        row = QHBoxLayout(self.open_button)
        fill(row, sign, open_text, 8, self._open_key, spacing=6, margins=(9, 0, 9, 0))
        row.setSizeConstraint(QLayout.SizeConstraint.SetMinimumSize)
        self.tour_button = self._large_button(say("Take the tour"), self.action_asked, "help.tour")
        self.library_button = self._large_button(say("Library"), self.action_asked, "file.library")
        self.demo_button = self._large_button(say("Make a demo recording"), self.demo_asked)
        self.progress = ProgressStrip(theme)
        self.progress.hide()
        self.recents = RecentFiles(theme)
        self.recents.chosen.connect(self.recent_asked)
        self._buttons = QWidget()
        fill(
            QHBoxLayout(self._buttons),
            self.open_button,
            self.library_button,
            self.demo_button,
            self.tour_button,
            Stretch(),
            spacing=8,
        )
        self.cards = {sample.id: SampleCard(theme, sample) for sample in SAMPLES}
        cards = fill(QHBoxLayout(), spacing=8)
        for name, card in self.cards.items():
            card.clicked.connect(partial(self.action_asked.emit, name))
            cards.addWidget(card, 1)
        self.leftovers_button = self._large_button("", self.leftovers_asked)
        self.leftovers_button.setToolTip(say("Edits that were not saved when the program ended"))
        self.leftovers_button.hide()
        column = fill(
            QVBoxLayout(),
            Stretch(),
            Label(theme, say("Open a recording"), "heading"),
            12,
            Label(theme, say("Drop a .log or .rec file anywhere in this window, or choose one."), color="muted"),
            16,
            self._buttons,
            self.progress,
            8,
            (self.leftovers_button, 0, Qt.AlignmentFlag.AlignLeft),
            22,
            Label(theme, say("Try it with a sample"), "small_bold"),
            8,
            cards,
            22,
            Label(theme, say("Recent"), "small_bold"),
            8,
            self.recents,
            22,
            Label(theme, say("With a recording open"), "small_bold"),
            7,
            self._keys(),
            Stretch(),
            spacing=0,
        )
        fill(QHBoxLayout(self), Stretch(), column, Stretch(), margins=12)
        self.restyle()

    def restyle(self) -> None:
        """Take over the lengths of this moment."""
        super().restyle()
        self.progress.setFixedWidth(self.theme.px(WIDTH))
        self.recents.setFixedWidth(self.theme.px(WIDTH))
        for column in (0, 1):
            self._key_grid.setColumnMinimumWidth(column, self.theme.px(WIDTH // 2))

    def _large_button(self, text: str, asked: SignalInstance, action: str = "") -> QPushButton:
        """A large button that emits a signal, with the id of an action if there is one."""
        button = QPushButton(text)
        button.setProperty("large", True)
        if action:
            button.clicked.connect(lambda: asked.emit(action))
        else:
            button.clicked.connect(lambda: asked.emit())
        return button

    def show_keys(self, keys: Mapping[str, str]) -> None:
        """Show the keys of actions, by their ids."""
        for actions, cap in self._caps.items():
            cap.setText("  ".join(keys[action] or "–" for action in actions))
        self._open_key.setText(keys["file.open"])

    def _keys(self) -> QGridLayout:
        grid = self._key_grid = set_spacing(QGridLayout(), 0, 8)
        shown = (
            (("play.toggle",), say("play and pause")),
            (("range.in", "range.out"), say("set the in and out points, then Trim")),
            (("go.to",), say("go to a frame, time, offset or actor")),
            (("palette.open",), say("find every action")),
        )
        for number, (actions, words) in enumerate(shown):
            cap = self._caps[actions] = Label(self.theme, "", "small")
            cap.setProperty("keycap", True)
            pair = fill(QHBoxLayout(), cap, (Label(self.theme, words, color="muted"), 1), spacing=10)
            grid.addLayout(pair, number // 2, number % 2)
        return grid

    def refresh(self) -> None:
        """Read the recent files again."""
        files = self.settings.recents[:SHOWN]
        if files != tuple(row.recent for row in self.recents.rows):
            self.recents.show_files(files)

    def event(self, event: QEvent) -> bool:
        # Other programs may have written files, or removed them, while their windows were in front.
        if event.type() == QEvent.Type.WindowActivate and self.isVisible():
            self.refresh()
        return super().event(event)

    def show_leftovers(self, names: tuple[str, ...]) -> None:
        """Offer the unsaved edits of these recordings; nothing is shown where there are none."""
        if len(names) == 1:
            text = say("Unsaved edits of {file} were found...", file=names[0])
        else:
            text = say("Unsaved edits of {count} recordings were found...", count=len(names))
        self.leftovers_button.setText(text)
        self.leftovers_button.setVisible(bool(names))

    def show_job(self, job: Job) -> None:
        """Show how far a job is, in the place of the buttons, until it ends."""
        self._job = job
        self.progress.follow(job)
        job.ended.connect(partial(self._end, job))
        self._show_progress(True)
        self.progress.cancel_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _end(self, job: Job) -> None:
        if self._job is job:
            self._show_progress(False)

    def _show_progress(self, runs: bool) -> None:
        self.progress.setVisible(runs)
        self._buttons.setHidden(runs)
        self.recents.setDisabled(runs)
        for card in self.cards.values():
            card.setDisabled(runs)

    def first_stop(self) -> QWidget:
        """What Enter is to press: the first recent file, or Open; while a job runs, its Cancel."""
        if self.progress.isVisibleTo(self):
            return self.progress.cancel_button
        if self.recents.rows:
            return self.recents.rows[0]
        return self.open_button

    def take_focus(self) -> None:
        """Give the keyboard to the first stop."""
        self.first_stop().setFocus()


class SampleCard(ThemedButton):
    """Something to do with a sample: the icon, words and sentence of its action."""

    def __init__(self, theme: Theme, action: Action) -> None:
        super().__init__(theme, say(action.text))
        assert action.icon is not None
        self._icon = action.icon
        self.setAccessibleDescription(say(action.tooltip))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        return QSize(self.theme.px((WIDTH - 16) // 3), self.places()[1].bottom() + 10)

    def places(self) -> tuple[QRect, QRect]:
        """Where the words and the sentence stand."""
        theme = self.theme
        places = []
        top = 36
        for font, text in ((theme.bold, self.text()), (theme.small, self.accessibleDescription())):
            room = QRect(12, top, theme.px((WIDTH - 16) // 3) - 24, 1000)
            places.append(theme.metrics(font).boundingRect(room, _WRAPS, text) | room.adjusted(0, 0, 0, -999))
            top = places[-1].bottom() + 4
        return places[0], places[1]

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self.theme
        palette = self.theme.palette
        painter = QPainter(self)
        enabled = self.isEnabled()
        is_hovered = enabled and (self.underMouse() or self.isDown())
        ground = palette.hover if is_hovered else palette.field
        if self.hasFocus():  # an edge of two pixels
            draw_box(painter, self.rect(), ground, palette.selection)
            draw_box(painter, self.rect().adjusted(1, 1, -1, -1), ground, palette.selection)
        else:
            draw_box(painter, self.rect(), ground, palette.edge)
        icon_ink = palette.selection if enabled else palette.faint
        title_ink = palette.text if enabled else palette.faint
        sentence_ink = palette.muted if enabled else palette.faint
        theme.icons.draw(painter, self._icon, 12, 12, 16, icon_ink)
        title, sentence = self.places()
        draw_text(painter, title, self.text(), theme.bold, title_ink, _WRAPS)
        draw_text(painter, sentence, self.accessibleDescription(), theme.small, sentence_ink, _WRAPS)


class RecentFiles(ThemedWidget):
    """Rows of 56 in one frame. Signal: `chosen(str)` with the path."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.rows: list[RecentRow] = []
        self._column = fill(QVBoxLayout(self), spacing=0, margins=1)
        self._none = Label(theme, say("Recordings that were open are listed here."), color="muted")
        self._none.setContentsMargins(11, 12, 11, 12)
        self._column.addWidget(self._none)

    def show_files(self, files: tuple[Recent, ...]) -> None:
        """Show these."""
        for row in self.rows:
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = [RecentRow(self.theme, file, self) for file in files]
        for row in self.rows:
            row.clicked.connect(partial(self.chosen.emit, row.recent.path))
            self._column.addWidget(row)
        self._none.setVisible(not self.rows)
        self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self.theme.palette
        painter = QPainter(self)
        draw_box(painter, self.rect(), palette.field, palette.hairline)


class RecentRow(ThemedButton):
    """One file: its paths, name and folder, map and release, length and frames, date and size."""

    def __init__(self, theme: Theme, recent: Recent, files: RecentFiles) -> None:
        super().__init__(theme, Path(recent.path).name, files)
        self.recent = recent
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(recent.path)
        ViewKeys(self, {"Return; Enter": self.click})
        self.restyle()

    def restyle(self) -> None:
        """Say it in the units of this moment, too."""
        super().restyle()
        recent = self.recent
        words = [self.text()]
        if recent.is_known:
            length = self.theme.units.time_label(recent.seconds, recent.seconds, 1)
            words += [recent.map, length, say_count("1 frame", "{count:,} frames", count=recent.frames), recent.date]
        words.append(size_text(recent.size))
        self.setAccessibleName(listed(words, "clauses"))

    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(WIDTH) - 2, self.theme.px(ROW))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self.theme
        palette = self.theme.palette
        painter = QPainter(self)
        px = theme.px
        enabled = self.isEnabled()
        current = self.hasFocus() or self.underMouse()
        if current and enabled:
            draw_box(painter, self.rect(), palette.hover, palette.hover)
        if self.y() > 1:
            painter.fillRect(0, 0, self.width(), 1, palette.hairline)
        if self.hasFocus():
            painter.fillRect(0, 1, 2, self.height(), palette.selection)
        width, height = THUMBNAIL
        draw_paths(painter, QRect(10, px(8), px(width), px(height)), self.recent.lines, palette)
        upper = QRect(0, px(9), self.width(), px(18))
        lower = QRect(0, px(27), self.width(), px(18))
        if enabled:
            ink, quiet = (palette.text, palette.muted)
        else:
            ink, quiet = (palette.faint, palette.faint)
        at_left = partial(draw_text, painter, elide=Qt.TextElideMode.ElideMiddle)
        at_right = partial(draw_text, painter, side=RIGHT)
        name_room = px(310) - px(79) - 12
        name_font = theme.bold if current else theme.font
        at_left(upper.adjusted(px(79), 0, 0, 0), self.text(), name_font, ink, room=name_room)
        folder = short_folder(Path(self.recent.path).parent)
        at_left(lower.adjusted(px(79), 0, 0, 0), folder, theme.small, quiet, room=name_room)
        end = self.width() - 12
        at_right(QRect(0, lower.y(), end, lower.height()), size_text(self.recent.size), theme.small, quiet)
        if not self.recent.is_known:
            return
        frames = say_count("1 frame", "{count:,} frames", count=self.recent.frames)
        frames_left = px(494) - theme.metrics(theme.small).horizontalAdvance(frames)
        map_room = px(430) - px(309) - 8
        at_left(upper.adjusted(px(309), 0, 0, 0), self.recent.map, theme.font, ink, room=map_room)
        room = min(map_room, frames_left - px(309) - 8)
        at_left(lower.adjusted(px(309), 0, 0, 0), self.recent.release, theme.small, quiet, room=room)
        length, unit = theme.units.time_parts(self.recent.seconds, self.recent.seconds, 1)
        length_end = px(478) if unit else px(494)
        at_right(QRect(0, upper.y(), length_end, upper.height()), length, theme.mono, ink)
        at_left(upper.adjusted(px(482), 0, 0, 0), unit, theme.small, quiet)
        at_right(QRect(0, lower.y(), px(494), lower.height()), frames, theme.small, quiet)
        at_right(QRect(0, upper.y(), end, upper.height()), self.recent.date, theme.mono, ink)


def draw_paths(painter: QPainter, rect: QRect, lines: Sequence[Sequence[tuple[int, int]]], palette: Palette) -> None:
    """Draw the paths driven into a thumbnail."""
    draw_box(painter, rect, palette.scene, palette.scene)
    if not lines:
        return
    inner = QRectF(rect).adjusted(5, 5, -5, -5)
    xs = []
    ys = []
    for line in lines:
        for x, y in line:
            xs.append(x)
            ys.append(y)
    width = max(xs) - min(xs)
    height = max(ys) - min(ys)
    scale = min(inner.width() / max(1, width), inner.height() / max(1, height))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(palette.muted, 1))
    centre = inner.center()
    for line in lines:
        moved = []
        for x, y in line:
            moved.append(centre + QPointF((x - SIDE / 2) * scale, (y - SIDE / 2) * scale))
        painter.drawPolyline(QPolygonF(moved))
    painter.restore()


def short_folder(folder: Path) -> str:
    """A folder with `~` for the user's own."""
    try:
        inside = folder.relative_to(Path.home())
    except (ValueError, RuntimeError):
        return str(folder)
    if inside.parts:
        return f"~/{inside.as_posix()}"
    return "~"
