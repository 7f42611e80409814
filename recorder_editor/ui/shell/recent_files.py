"""The files of last time on the start page: a row each, with a picture of the paths driven."""

from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from ...reading.trajectories import SIDE
from ...texts import listed, say, say_count
from ...views.units import size_text
from ..session.settings import Recent
from ..style.boxes import fill
from ..style.colors import Palette
from ..style.painting import RIGHT, draw_box, draw_text
from ..style.theme import Theme
from ..widgets import ThemedButton, ThemedWidget
from ..widgets.keyboard import ViewKeys

ROW = 56
THUMBNAIL = 56, 40
_LEFT = 78
_NAME = 274
_LEAST_NAME = 150
_USERS = 166
_MAP = 128
_LENGTH = 70
_DATE = 72
_BETWEEN = 14
_END = 11


class RecentFiles(ThemedWidget):
    """Rows of 56 in one frame.

    Attributes: `rows`, `none` (what is shown without any).

    Signals: `chosen(str)` with the path, `removed(str)` (it is to be taken off the list).
    """

    chosen = Signal(str)
    removed = Signal(str)

    def __init__(self, theme: Theme, none: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.rows: list[RecentRow] = []
        self.none = none
        self._column = fill(QVBoxLayout(self), none, spacing=0, margins=1)

    def show_files(self, files: Sequence[Recent], kept_edits: Collection[str]) -> None:
        """Show files; `kept_edits` are the paths of those whose unsaved edits were found."""
        for row in self.rows:
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = [RecentRow(self.theme, file, self, has_edits=file.path in kept_edits) for file in files]
        for row in self.rows:
            row.clicked.connect(partial(self.chosen.emit, row.recent.path))
            row.removed.connect(partial(self.removed.emit, row.recent.path))
            self._column.addWidget(row)
            row.show()  # at once: it may be given the keyboard
        self._measure()
        self.none.setVisible(not self.rows)
        self.updateGeometry()

    def restyle(self) -> None:
        super().restyle()
        self._measure()

    def _measure(self) -> None:
        """Let each row know what the names and the road users of all rows need, since their columns are the same."""
        bold = self.theme.metrics(self.theme.bold)
        metrics = self.theme.metrics()
        name = max((bold.horizontalAdvance(row.text()) for row in self.rows), default=0)
        users = max((metrics.horizontalAdvance(row.users()) + 1 for row in self.rows), default=0)
        for row in self.rows:
            row.widest = (name, users)

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self.theme.palette
        draw_box(QPainter(self), self.rect(), palette.field, palette.hairline)


class _Columns(NamedTuple):
    """Where the columns of a row are: x and width, pixels; a width of 0: there is no room for it."""

    name: tuple[int, int]
    users: tuple[int, int]
    map: tuple[int, int]
    length: tuple[int, int]
    date: tuple[int, int]


class RecentRow(ThemedButton):
    """One file: its paths, name and folder, road users and collisions, map and release, length, date and size.

    Attributes: `recent`, `has_edits`, `widest` (the widths of the longest name and of the longest road users of all
    rows, px).

    Signal: `removed()` (it is to be taken off the list).
    """

    removed = Signal()

    def __init__(self, theme: Theme, recent: Recent, files: QWidget, *, has_edits: bool = False) -> None:
        super().__init__(theme, Path(recent.path).name, files)
        self.widest = (0, 0)
        self.recent = recent
        self.has_edits = has_edits
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(recent.path)
        ViewKeys(self, {"Return; Enter": self.click, "Delete": self.removed.emit})
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
        words += [self.users(), self.happened()[0]]
        if not recent.is_found:
            words.append(say("not found"))
        self.setAccessibleName(listed(words, "clauses"))

    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(_LEFT + _LEAST_NAME + _LENGTH + _DATE + 2 * _BETWEEN), self.theme.px(ROW))

    def users(self) -> str:
        """How many road users there are, by class; empty where that is not known."""
        recent = self.recent
        counts = []
        if recent.vehicles > 0:
            counts.append(say_count("1 vehicle", "{count:,} vehicles", count=recent.vehicles))
        if recent.two_wheelers > 0:
            counts.append(say_count("1 two-wheeler", "{count:,} two-wheelers", count=recent.two_wheelers))
        if recent.walkers > 0:
            counts.append(say_count("1 walker", "{count:,} walkers", count=recent.walkers))
        if not counts and recent.vehicles == 0:
            return say("no road users")
        return listed(counts, "clauses")

    def happened(self) -> tuple[str, QColor | None]:
        """What happened: a text and the colour of the mark before it; the text is empty where that is not known."""
        palette = self.theme.palette
        if self.has_edits:
            return say("edits kept"), palette.edited
        if self.recent.collisions > 0:
            return say_count("1 collision", "{count:,} collisions", count=self.recent.collisions), palette.error
        if self.recent.collisions == 0:
            return say("no collision"), None
        return "", None

    def columns(self) -> _Columns:
        """Where the columns are: map and release go first, then road users, then the name is cut.

        Road users that are longer than their column get what the names leave.
        """
        px = self.theme.px
        end = self.width() - _END
        length_end = end - px(_DATE + _BETWEEN)
        room = length_end - px(_LENGTH + _BETWEEN) - px(_LEFT)
        users_width = px(_USERS)
        map_width = px(_MAP)
        if room - users_width - map_width - px(2 * _BETWEEN) < px(_LEAST_NAME):
            map_width = 0
        if room - users_width - px(_BETWEEN) < px(_LEAST_NAME):
            users_width = 0
        rest = room
        for width in (users_width, map_width):
            if width:
                rest -= width + px(_BETWEEN)
        name_width = rest
        if map_width:
            name_width = min(px(_NAME), rest)
        if users_width:
            widest_name, widest_users = self.widest
            lacking = max(0, widest_users - users_width)
            if map_width:
                more = min(lacking, rest - name_width)
                users_width += more
                lacking -= more
            more = max(0, min(lacking, name_width - max(px(_LEAST_NAME), widest_name)))
            name_width -= more
            users_width += more
        users_x = px(_LEFT) + name_width + px(_BETWEEN)
        map_x = users_x + users_width + px(_BETWEEN)
        return _Columns(
            name=(px(_LEFT), name_width),
            users=(users_x, users_width),
            map=(map_x, map_width),
            length=(length_end - px(_LENGTH), px(_LENGTH)),
            date=(end - px(_DATE), px(_DATE)),
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self.theme
        palette = theme.palette
        painter = QPainter(self)
        px = theme.px
        if self.isEnabled() and (self.hasFocus() or self.underMouse()):
            draw_box(painter, self.rect(), palette.hover, palette.hover)
        if self.y() > 1:
            painter.fillRect(0, 0, self.width(), 1, palette.hairline)
        if self.hasFocus():
            painter.fillRect(0, 1, 2, self.height(), palette.selection)
        width, height = THUMBNAIL
        draw_paths(painter, QRect(10, px(8), px(width), px(height)), self.recent.lines, palette, self.recent.kinds)
        self._draw_texts(painter)

    def _draw_texts(self, painter: QPainter) -> None:
        theme = self.theme
        px = theme.px
        recent = self.recent
        columns = self.columns()
        ink = theme.palette.text
        quiet = theme.palette.muted
        if not self.isEnabled():
            ink = quiet = theme.palette.faint
        elif not recent.is_found:
            ink = quiet

        def place(column: tuple[int, int], y: int) -> QRect:
            return QRect(column[0], px(y), column[1], px(18))

        upper = partial(place, y=9)
        lower = partial(place, y=27)
        in_middle = Qt.TextElideMode.ElideMiddle
        name_font = theme.bold if self.hasFocus() or self.underMouse() else theme.font
        folder = short_folder(Path(recent.path).parent)
        at_left = partial(draw_text, painter)
        at_right = partial(draw_text, painter, side=RIGHT)
        room = columns.name[1]
        at_left(upper(columns.name), self.text(), name_font, ink, room=room, elide=in_middle)
        at_left(lower(columns.name), folder, theme.small, quiet, room=room, elide=Qt.TextElideMode.ElideLeft)
        if recent.is_found:
            at_right(lower(columns.date), size_text(recent.size), theme.small, quiet)
        else:
            at_right(upper(columns.length).adjusted(-px(_BETWEEN), 0, 0, 0), say("not found"), theme.small, quiet)
        if columns.users[1]:
            at_left(upper(columns.users), self.users(), theme.font, ink, room=columns.users[1])
            self._draw_happened(painter, lower(columns.users), quiet)
        if not recent.is_known:
            return
        if columns.map[1]:
            at_left(upper(columns.map), recent.map, theme.font, ink, room=columns.map[1])
            at_left(lower(columns.map), recent.release, theme.small, quiet, room=columns.map[1])
        at_right(upper(columns.date), recent.date, theme.mono, ink)
        if recent.is_found:
            self._draw_length(painter, upper(columns.length), lower(columns.length), ink, quiet)

    def _draw_happened(self, painter: QPainter, place: QRect, quiet: QColor) -> None:
        text, mark = self.happened()
        room = place.width()
        if mark is not None:
            height = self.theme.px(10)
            painter.fillRect(place.left(), place.center().y() - height // 2, 2, height, mark)
            place = place.adjusted(self.theme.px(8), 0, 0, 0)
            room = place.width()
        draw_text(painter, place, text, self.theme.small, quiet, room=room)

    def _draw_length(self, painter: QPainter, upper: QRect, lower: QRect, ink: QColor, quiet: QColor) -> None:
        theme = self.theme
        recent = self.recent
        frames = say_count("1 frame", "{count:,} frames", count=recent.frames)
        length, unit = theme.units.time_parts(recent.seconds, recent.seconds, 1)
        unit_width = 0
        if unit:
            unit_width = theme.metrics(theme.small).horizontalAdvance(unit) + 4
        before = -theme.px(_BETWEEN)  # long numbers reach into the gap
        draw_text(painter, upper.adjusted(before, 0, -unit_width, 0), length, theme.mono, ink, RIGHT)
        draw_text(painter, upper, unit, theme.small, quiet, RIGHT)
        draw_text(painter, lower.adjusted(before, 0, 0, 0), frames, theme.small, quiet, RIGHT)


def draw_paths(
    painter: QPainter,
    rect: QRect,
    lines: Sequence[Sequence[tuple[int, int]]],
    palette: Palette,
    kinds: Sequence[str] = (),
) -> None:
    """Draw the paths driven into a thumbnail.

    Args:
        painter: Draws it.
        rect: Where it is.
        lines: The points of each path.
        palette: The colours.
        kinds: For each path the class of its actor, or `hero`; without them all are muted.
    """
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
    centre = inner.center()
    for index in reversed(range(len(lines))):  # the longest ones, and the hero, on top
        kind = kinds[index] if index < len(kinds) else None
        if kind != "hero":
            _draw_path(painter, lines[index], centre, scale, _pen_of(kind, palette))
    for line, kind in zip(lines, kinds, strict=False):
        if kind == "hero":
            _draw_path(painter, line, centre, scale, QPen(palette.hero, 1.4))
    painter.restore()


def _pen_of(kind: str | None, palette: Palette) -> QPen:
    if kind is None:
        return QPen(palette.muted, 1)
    return QPen(palette.class_color(kind), 1)


def _draw_path(painter: QPainter, line: Sequence[tuple[int, int]], centre: QPointF, scale: float, pen: QPen) -> None:
    moved = []
    for x, y in line:
        moved.append(centre + QPointF((x - SIDE / 2) * scale, (y - SIDE / 2) * scale))
    painter.setPen(pen)
    painter.drawPolyline(QPolygonF(moved))


def short_folder(folder: Path) -> str:
    """A folder with `~` for the user's own."""
    try:
        inside = folder.relative_to(Path.home())
    except (ValueError, RuntimeError):
        return str(folder)
    if inside.parts:
        return f"~/{inside.as_posix()}"
    return "~"
