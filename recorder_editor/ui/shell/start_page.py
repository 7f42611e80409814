"""The window without a recording: what the program is for, three things to do, the files of last time, the Library."""

from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QLayout,
    QPushButton,
    QSizePolicy,
    QSpacerItem,
    QVBoxLayout,
    QWidget,
)

from ...texts import listed, say, say_count
from ..session import Session
from ..session.jobs import Job, LatestJob
from ..session.settings import Settings
from ..style.boxes import Stretch, fill
from ..style.icons import IconName
from ..style.painting import draw_box
from ..style.theme import Theme
from ..widgets import ElidedLabel, Label, ProgressStrip, SearchField, ThemedWidget
from ..widgets.base import Sign
from .commands.samples import ACTIONS as SAMPLES
from .recent_files import RecentFiles, short_folder
from .situation_pictures import HEIGHT, Draw, draw_collision, draw_damage, draw_picture, draw_range

WIDTH = 840
SHOWN = 3
_SIDE = 24
_TOP = 44
_TOP_OF_LOW = 20
_LOW = 740  # of the page: a window of 800
_STACKED = 700
_BESIDE = 96
_UNBOUND = (1 << 24) - 1  # of Qt
_BESIDE_TEXT = QSize(20, 16)
"""The size of an icon of 16 with room at its sides, pixels: Qt puts 4 between it and a text."""

Place = Literal["above", "beside", "none"]
"""Where the picture of a card stands."""


class StartPage(ThemedWidget):
    """The page in the centre of a window without a recording.

    Attributes:
        situations: The cards of what can be done, by `open`, `cut` and `repair`.
        samples: The buttons of the samples, by their actions; shown while no file was open before.
        recents: The files of last time.
        search: The line that searches in the Library.
        progress: Shown while a file is read or made.

    Signals:
        open_asked(): A file is to be opened.
        cut_asked(): A file is to be opened, and trimmed.
        repair_asked(): A file is to be opened, and repaired.
        demo_asked(): A demo recording is to be made.
        recent_asked(str): The file of this path is to be opened.
        leftovers_asked(): The edits that a crash left are to be offered.
        library_asked(str): The Library is to be shown, with this filter.
        library_folder_asked(): A folder is to be chosen for the Library.
        action_asked(str): The action of this id is to be run.
    """

    open_asked = Signal()
    cut_asked = Signal()
    repair_asked = Signal()
    action_asked = Signal(str)
    demo_asked = Signal()
    recent_asked = Signal(str)
    leftovers_asked = Signal()
    library_asked = Signal(str)
    library_folder_asked = Signal()

    def __init__(self, session: Session, settings: Settings, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.settings = settings
        self.setObjectName("startPage")
        # The pane that shares its place must be free to become narrower than this page.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._job: Job | None = None
        self._dropped = ""
        self._kept_edits: Collection[str] = ()
        self._latest = LatestJob(self, session.jobs, self._count_library)
        self._is_counted = False
        self._caps: dict[str, Label] = {}
        self._hint = Label(theme, "", color="muted", wraps=True)
        self.progress = ProgressStrip(theme)
        self.progress.hide()
        self.leftovers_button = self._large_button("", self.leftovers_asked)
        self.leftovers_button.setToolTip(say("Edits that were not saved when the program ended"))
        self._leftovers = QWidget()
        left = Qt.AlignmentFlag.AlignLeft
        fill(QVBoxLayout(self._leftovers), (self.leftovers_button, 0, left), margins=(0, 10, 0, 0))
        self._leftovers.hide()
        self._make_situations()
        self.samples: dict[str, QPushButton] = {}
        self.recents = RecentFiles(theme, self._make_samples())
        self.recents.chosen.connect(self.recent_asked)
        self.recents.removed.connect(self._remove)
        self._page = QWidget()
        self._top = QSpacerItem(0, _TOP)
        column = QVBoxLayout(self._page)
        column.addSpacerItem(self._top)
        heading = Label(theme, say("See, cut, edit and repair recordings of the driving simulator CARLA"), "heading")
        heading.setWordWrap(True)
        fill(
            column,
            heading,
            6,
            self._hint,
            self.progress,
            self._leftovers,
            20,
            self._cards,
            28,
            Label(theme, say("Recent"), "bold"),
            8,
            self.recents,
            28,
            self._make_library(),
            28,
            self._make_foot(),
            24,
            Stretch(),
            spacing=0,
        )
        fill(QHBoxLayout(self), Stretch(), self._page, Stretch(), spacing=0)
        self.restyle()
        self.show_dropped("")

    # --- parts ------------------------------------------------------------------------------------------

    def _make_situations(self) -> None:
        self.open_button = self._large_button("", self.open_asked)
        self.open_button.setAccessibleName(say("Open"))
        self.open_button.setProperty("primary", True)
        sign = Sign(self.theme, 16)
        self._open_key = Label(self.theme, "", "small", "on_selection")
        open_text = Label(self.theme, say("Open"), "bold", "on_selection")
        row = QHBoxLayout(self.open_button)
        fill(row, sign, open_text, 8, self._open_key, spacing=6, margins=(12, 0, 12, 0))
        row.setSizeConstraint(QLayout.SizeConstraint.SetMinimumSize)
        sign.set_icon("open", "on_selection")  # now that it is not a window of its own
        cut_button = self._icon_button(say("Cut a recording"), "trim", self.cut_asked)
        repair_button = self._icon_button(say("Repair a recording"), "repair", self.repair_asked)
        self.situations = {
            "open": SituationCard(
                self.theme,
                say("Something happened in a run"),
                say("Play it from above, step to the moment, and read every value and byte behind it."),
                draw_collision,
                self.open_button,
            ),
            "cut": SituationCard(
                self.theme,
                say("Only some seconds are needed"),
                say("Mark where they begin and end. The part that is saved replays as it did."),
                draw_range,
                cut_button,
            ),
            "repair": SituationCard(
                self.theme,
                say("A recording is broken"),
                say("See where it is damaged, what can be kept and what is lost. Save a copy that replays."),
                draw_damage,
                repair_button,
            ),
        }
        self._cards = QWidget()
        self._cards_row = fill(QHBoxLayout(self._cards), spacing=12)
        for card in self.situations.values():
            self._cards_row.addWidget(card, 1)

    def _make_samples(self) -> QWidget:
        """What stands in the place of recent files: the samples."""
        holder = QWidget()
        buttons = []
        for sample in SAMPLES:
            button = self._large_button(say(sample.text), self.action_asked, sample.id)
            button.setToolTip(say(sample.tooltip))
            button.setAccessibleDescription(say(sample.tooltip))
            self.samples[sample.id] = button
            buttons.append(button)
        words = Label(
            self.theme, say("Recordings you open are listed here. Or try a sample:"), color="muted", wraps=True
        )
        fill(QHBoxLayout(holder), (words, 1), *buttons, spacing=8, margins=(12, 13, 12, 13))
        return holder

    def _make_library(self) -> QWidget:
        holder = QWidget()
        self._library_words = ElidedLabel(self.theme, "", "font", "muted")
        title = fill(QHBoxLayout(), Label(self.theme, say("Library"), "bold"), (self._library_words, 1), spacing=12)
        self.search = SearchField(self.theme, say("Find in all of them: town == 'Town05' and collisions > 0"))
        self.search.returnPressed.connect(lambda: self.library_asked.emit(self.search.text()))
        self.library_button = QPushButton("")
        self.library_button.clicked.connect(self._open_library)
        row = fill(QHBoxLayout(), (self.search, 1), self.library_button, Stretch(0), spacing=8)
        fill(QVBoxLayout(holder), title, 8, row, spacing=0)
        return holder

    def _make_foot(self) -> QWidget:
        holder = QWidget()
        self.tour_button = QPushButton(say("Take the tour"))
        self.tour_button.clicked.connect(partial(self.action_asked.emit, "help.tour"))
        self.demo_button = QPushButton(say("Make a demo recording"))
        self.demo_button.clicked.connect(self.demo_asked)
        row = fill(QHBoxLayout(holder), spacing=8)
        for action, words in (("palette.open", say("find every action")), ("help.guide", say("guide"))):
            cap = self._caps[action] = Label(self.theme, "", "small")
            cap.setProperty("keycap", True)
            fill(row, cap, Label(self.theme, words, color="muted"), 16, margins=None)
        fill(row, Stretch(), self.tour_button, self.demo_button, margins=None)
        return holder

    def _large_button(self, text: str, asked: SignalInstance, action: str = "") -> QPushButton:
        """A large button that emits a signal, with the id of an action if there is one."""
        button = QPushButton(text)
        button.setProperty("large", True)
        if action:
            button.clicked.connect(lambda: asked.emit(action))
        else:
            button.clicked.connect(lambda: asked.emit())
        return button

    def _icon_button(self, text: str, icon: IconName, asked: SignalInstance) -> QPushButton:
        button = self._large_button(text, asked)
        button.setIcon(self.theme.icons.icon(icon))
        button.setIconSize(_BESIDE_TEXT)
        return button

    def show_keys(self, keys: Mapping[str, str]) -> None:
        """Show the keys of actions, by their ids."""
        for action, cap in self._caps.items():
            cap.setText(keys[action] or "–")
        self._open_key.setText(keys["file.open"])

    # --- room -------------------------------------------------------------------------------------------

    def restyle(self) -> None:
        """Take over the lengths of this moment."""
        super().restyle()
        self.arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ParentChange:
            view = self.parentWidget()
            if view is not None:
                view.installEventFilter(self)
        if event.type() == QEvent.Type.LayoutRequest:
            QTimer.singleShot(0, self, self.arrange)
        # Other programs may have written files, or removed them, while their windows were in front.
        if event.type() == QEvent.Type.WindowActivate and self.isVisible():
            self.refresh()
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self.parentWidget():
            self.arrange()
        return super().eventFilter(watched, event)

    def arrange(self) -> None:
        """Fit the column to the room: where that is low, pictures go; where it is narrow, cards are in a column."""
        view = self.parentWidget() or self
        px = self.theme.px
        width = min(px(WIDTH), max(px(_BESIDE) * 2, view.width() - 2 * _SIDE))
        self._page.setFixedWidth(width)
        is_low = view.height() < px(_LOW)
        self._top.changeSize(0, px(_TOP_OF_LOW if is_low else _TOP))
        layout = self._page.layout()
        if layout is None:
            return
        layout.invalidate()
        direction = QBoxLayout.Direction.LeftToRight
        place: Place = "above"
        if width < px(_STACKED):
            direction = QBoxLayout.Direction.TopToBottom
            place = "beside"
        elif self._height_with_pictures(width) > view.height():
            place = "none"
        self._cards_row.setDirection(direction)
        for card in self.situations.values():
            card.arrange(place)

    def _height_with_pictures(self, width: int) -> int:
        """How high the page is with pictures above the words of the cards, whatever is shown now."""
        layout = self._page.layout()
        assert layout is not None
        height = max(layout.totalHeightForWidth(width), layout.totalMinimumSize().height())
        if self.situations["open"].place != "above":
            height += self.theme.px(HEIGHT)
        return height

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._dropped:
            painter = QPainter(self)
            painter.setPen(QPen(self.theme.palette.selection, 4))
            painter.drawRect(self.rect())

    # --- what is shown ----------------------------------------------------------------------------------

    def show_dropped(self, name: str) -> None:
        """Say what would be opened while a file is dragged over the window; an empty name: none is."""
        self._dropped = name
        words = say(
            "Drop a .log or .rec file anywhere in this window, or begin with what you need. "
            "The original is never changed until you save over it."
        )
        if name:
            words = say("Drop to open {name}", name=name)
        self._hint.setText(words)
        self.update()

    def refresh(self) -> None:
        """Read the recent files again, and what the Library holds."""
        files = self.settings.all_recents[:SHOWN]
        shown = tuple(row.recent for row in self.recents.rows)
        edits = tuple(row.recent.path for row in self.recents.rows if row.has_edits)
        if files != shown or edits != tuple(file.path for file in files if file.path in self._kept_edits):
            self.recents.show_files(files, self._kept_edits)
            self.arrange()
        self._show_library()

    def _remove(self, path: str) -> None:
        """Take a file off the list, and go on with the next one."""
        index = [row.recent.path for row in self.recents.rows].index(path)
        self.settings.forget_recent(path)
        self.refresh()
        rows = self.recents.rows
        if rows:
            rows[min(index, len(rows) - 1)].setFocus()
        else:
            self.take_focus()

    def show_leftovers(self, paths: tuple[Path, ...]) -> None:
        """Offer the unsaved edits of these recordings; nothing is shown where there are none."""
        if len(paths) == 1:
            text = say("Unsaved edits of {file} were found...", file=paths[0].name)
        else:
            text = say("Unsaved edits of {count} recordings were found...", count=len(paths))
        self.leftovers_button.setText(text)
        self._leftovers.setVisible(bool(paths))
        self._kept_edits = frozenset(str(path) for path in paths)
        self.refresh()

    def show_job(self, job: Job) -> None:
        """Show how far a job is, below the heading, until it ends."""
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
        self._hint.setHidden(runs)
        for part in (self._cards, self.recents, self.search, self.library_button, self.demo_button, self.tour_button):
            part.setDisabled(runs)

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

    # --- the Library ------------------------------------------------------------------------------------

    def _open_library(self) -> None:
        if self.settings.library:
            self.library_asked.emit("")
        else:
            self.library_folder_asked.emit()

    def _show_library(self) -> None:
        has_folder = bool(self.settings.library)
        self.search.setVisible(has_folder)
        if has_folder:
            self.library_button.setText(say("Open library"))
            if not self._is_counted and self.isVisible():
                self._is_counted = True
                self._latest.begin(opening=True)
        else:
            self.library_button.setText(say("Choose a folder"))
            self._library_words.setText(say("Find recordings and collisions in a whole folder"))

    def _count_library(self) -> None:
        """Count as a job what the index of the Library's folder holds."""
        folder = Path(self.settings.library)

        def work(_progress: object) -> list[tuple[int, int]]:
            # Loaded with SQLite and the analysis, which the first picture does without.
            from ...fleet.catalogue import find

            return find(folder, "", "recordings", ("collisions", "near_misses"))

        self._latest.run(say("Searching"), work, self._show_counts, self._show_no_counts)

    def _show_counts(self, rows: list[tuple[int, int]]) -> None:
        collisions = sum(row[0] or 0 for row in rows)
        near_misses = sum(row[1] or 0 for row in rows)
        recordings_text = say_count("1 recording", "{count:,} recordings", count=len(rows))
        collisions_text = say_count("1 collision", "{count:,} collisions", count=collisions)
        near_misses_text = say_count("1 near miss", "{count:,} near misses", count=near_misses)
        words = say(
            "{recordings} in {folder} with {events}",
            recordings=recordings_text,
            folder=short_folder(Path(self.settings.library)),
            events=listed((collisions_text, near_misses_text), "and"),
        )
        self._library_words.setText(words)

    def _show_no_counts(self, _error: Exception) -> None:
        """The Library itself tells what is wrong with its index."""
        self._library_words.setText(short_folder(Path(self.settings.library)))

    def count_again(self) -> None:
        """Count what the Library holds when the page is shown next: it was indexed."""
        self._is_counted = False


class SituationCard(ThemedWidget):
    """A situation: its picture, its words, and the button of what helps; a click anywhere presses that.

    Attributes: `button`, `place` (of the picture).
    """

    def __init__(self, theme: Theme, title: str, words: str, draw: Draw, button: QPushButton) -> None:
        super().__init__(theme)
        self.button = button
        button.setAccessibleDescription(words)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._picture = _Picture(theme, draw)
        column = fill(
            QVBoxLayout(),
            Label(theme, title, "bold", wraps=True),
            4,
            Label(theme, words, "font", "muted", wraps=True),
            12,
            Stretch(),
            (button, 0, Qt.AlignmentFlag.AlignLeft),
            spacing=0,
            margins=12,
        )
        self._row = fill(QVBoxLayout(self), self._picture, (column, 1), spacing=0, margins=1)
        self.place: Place = "none"
        self.arrange("above")

    def restyle(self) -> None:
        """Take over the lengths of this moment."""
        super().restyle()
        self._fit_picture()

    def arrange(self, place: Place) -> None:
        """Put the picture above the words or beside them, or show none."""
        if place != self.place:
            self.place = place
            self._picture.setVisible(place != "none")
            self._fit_picture()

    def _fit_picture(self) -> None:
        px = self.theme.px
        if self.place == "beside":
            self._row.setDirection(QBoxLayout.Direction.LeftToRight)
            self._picture.setFixedSize(px(_BESIDE), px(_BESIDE))
        else:
            self._row.setDirection(QBoxLayout.Direction.TopToBottom)
            self._picture.setMinimumSize(0, px(HEIGHT))
            self._picture.setMaximumSize(_UNBOUND, px(HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self.theme.palette
        ground = palette.field
        if self.isEnabled() and self.underMouse():
            ground = palette.hover
        draw_box(QPainter(self), self.rect(), ground, palette.hairline)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.button.click()


class _Picture(ThemedWidget):
    """The picture of a card."""

    def __init__(self, theme: Theme, draw: Draw) -> None:
        super().__init__(theme)
        self._draw = draw
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(_BESIDE), self.theme.px(HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        draw_picture(painter, self.rect(), self._draw, self.theme)
        painter.fillRect(QRect(0, self.height() - 1, self.width(), 1), self.theme.palette.hairline)
