"""The things that differ, as rows with buttons: take over, show, ignore; those that are ignored at the end."""

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QItemSelectionModel, QObject, QPoint, QRect, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QListView, QMenu, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from ....reports.diff import Comparison, Thing
from ....texts import listed, say, say_count
from ....views.thing_texts import spoken_thing, thing_detail, thing_icon, thing_state, thing_title
from ...session import Session
from ...session.comparison import Item
from ...style.boxes import frameless
from ...style.painting import draw_text
from ...style.theme import Theme
from ...widgets.keyboard import ViewKeys
from ...widgets.rows_model import RowsModel
from .row_buttons import Index, Placed, RowButton, RowButtons, left_of, paint_buttons, place_buttons

THING = int(Qt.ItemDataRole.UserRole)
ROW = 44  # px, as all lengths here
_HEADING = 24
_ICON = 14
_LEFT = 12
_TEXT = 32
_NARROW = 350
"""Below this width of a row only *Take over* is in it; the rest is in its menu."""


class ThingRow(NamedTuple):
    """A row: a thing, a line that says how many actors are not listed, or the heading of those that are ignored.

    Attributes:
        thing: The thing; None: the line or the heading.
        is_ignored: It is ignored, or their heading.
    """

    thing: Thing | None
    is_ignored: bool = False


class ThingsModel(RowsModel[ThingRow]):
    """The things of the newest comparison. The role `THING` gives a `ThingRow`."""

    def __init__(self, session: Session, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme

    @property
    def comparison(self) -> Comparison | None:
        """The comparison whose things are shown."""
        return self._session.comparison.result

    def load(self) -> None:
        """Show the things of the newest comparison, the ignored ones at the end."""
        listed_rows: list[ThingRow] = []
        ignored: list[ThingRow] = []
        if self.comparison is not None:
            for thing in self.comparison.things:
                if thing.key in self._session.comparison.ignored:
                    ignored.append(ThingRow(thing, is_ignored=True))
                else:
                    listed_rows.append(ThingRow(thing))
            if self.comparison.unlisted:
                listed_rows.append(ThingRow(None))
        if ignored:
            listed_rows.append(ThingRow(None, is_ignored=True))
        self.show(listed_rows + ignored)

    @property
    def ignored(self) -> int:
        """How many things are ignored."""
        return sum(row.is_ignored and row.thing is not None for row in self.rows)

    def reason(self, thing: Thing) -> str:
        """Return why a thing cannot be taken over; empty where it can."""
        return self._session.comparison.refusal_of(Item(thing=thing))

    def row_of(self, key: Hashable) -> int | None:
        """Return the row of a thing; None where it is not there."""
        for number, row in enumerate(self.rows):
            if row.thing is not None and row.thing.key == key:
                return number
        return None

    def detail(self, thing: Thing) -> str:
        """Return the second line of a thing; that it cannot be taken over, where there is nothing else to say."""
        comparison = self.comparison
        if comparison is None:
            return ""
        clauses = (thing_detail(comparison, thing, self._theme.units), self.reason(thing))
        return listed(clauses, "clauses")

    def _line(self, row: ThingRow) -> str:
        """Return the text of a row without a thing."""
        if row.is_ignored:
            return say_count("1 ignored", "{count:,} ignored", count=self.ignored)
        return say_count(
            "1 more actor that differs is not listed",
            "{count:,} more actors that differ are not listed",
            count=self.comparison.unlisted if self.comparison is not None else 0,
        )

    def flags(self, index: Index) -> Qt.ItemFlag:
        row = index.data(THING)
        if isinstance(row, ThingRow) and row.thing is None:
            return Qt.ItemFlag.NoItemFlags
        return super().flags(index)

    def shown(self, row: ThingRow, _column: int, role: int) -> object:
        if role == THING:
            return row
        if row.thing is None or self.comparison is None:
            if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
                return self._line(row)
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return listed((thing_title(row.thing), thing_state(row.thing)), "clauses")
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.detail(row.thing)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            text = spoken_thing(self.comparison, row.thing, self._theme.units, self.reason(row.thing))
            if row.is_ignored:
                return say("{thing}, ignored", thing=text)
            return text
        return None


class _Delegate(QStyledItemDelegate):
    """Draws a thing: its icon, title and state, below it the detail, and its buttons."""

    def __init__(self, things: "ThingsList") -> None:
        super().__init__(things)
        self._things = things
        self._theme = things.theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row = index.data(THING)
        if isinstance(row, ThingRow) and row.thing is None:
            return QSize(100, self._theme.px(_HEADING))
        return QSize(100, self._theme.px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(THING)
        rect: QRect = option.rect
        palette = self._theme.palette
        is_current = self._things.is_current(index)
        painter.fillRect(rect, palette.hover if is_current else palette.window)
        if is_current:
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), palette.selection)
        painter.setPen(palette.hairline)
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        if option.state & QStyle.StateFlag.State_HasFocus and not is_current:
            painter.setPen(palette.selection)
            painter.drawRect(rect.adjusted(3, 2, -4, -4))
        if not isinstance(row, ThingRow):
            return
        if row.thing is None:
            left = rect.adjusted(self._theme.px(_LEFT), 0, 0, 0)
            draw_text(painter, left, str(index.data()), self._theme.small, palette.muted)
            return
        placed = self._things.buttons_of(index)
        self._paint_texts(painter, rect, row, left_of(placed, rect) - self._theme.px(8))
        pointed = ""
        if self._things.buttons.points_at(index):
            pointed = self._things.buttons.name
        paint_buttons(painter, self._theme, placed, is_current=is_current, pointed=pointed)

    def _paint_texts(self, painter: QPainter, rect: QRect, row: ThingRow, right: int) -> None:
        """Draw icon, title, state and detail, up to where the buttons begin."""
        thing = row.thing
        comparison = self._things.model_of_things.comparison
        assert thing is not None
        if comparison is None:
            return
        theme = self._theme
        palette = theme.palette
        ink = palette.muted if row.is_ignored else palette.text
        icon = thing_icon(comparison, thing)
        half = rect.height() // 2
        icon_top = rect.top() + theme.px(13) - _ICON // 2
        color = palette.faint if row.is_ignored else theme.icons.color_of(icon)
        theme.icons.draw(painter, icon, rect.left() + theme.px(_LEFT), icon_top, _ICON, color)
        left = rect.left() + theme.px(_TEXT)
        room = right - left
        top = QRect(left, rect.top() + theme.px(4), room, half - theme.px(4))
        bold = theme.metrics(theme.bold)
        title = bold.elidedText(thing_title(thing), Qt.TextElideMode.ElideRight, room)
        draw_text(painter, top, title, theme.bold, ink)
        width = bold.horizontalAdvance(title) + theme.px(8)
        if width < room:
            beside = top.adjusted(width, 0, 0, 0)
            draw_text(painter, beside, thing_state(thing), theme.font, palette.muted, room=beside.width())
        below = QRect(left, rect.top() + half, room, half - theme.px(4))
        detail = self._things.model_of_things.detail(thing)
        draw_text(painter, below, detail, theme.small, palette.muted, room=room)


class ThingsList(QListView):
    """The list of things.

    Attributes:
        theme: The theme.
        model_of_things: The rows.
        buttons: The mouse on the buttons of the rows.
        take: Is called with a thing that is to be taken over.
        choose: Is called with the thing that became the current one.
    """

    def __init__(
        self, session: Session, theme: Theme, take: Callable[[Thing], object], choose: Callable[[], object]
    ) -> None:
        super().__init__()
        self.theme = theme
        self.take = take
        self.choose = choose
        self._session = session
        frameless(self, "thingsList", say("Things that differ"))
        self.setProperty("ground", "window")
        self.model_of_things = ThingsModel(session, theme, self)
        self.setModel(self.model_of_things)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setItemDelegate(_Delegate(self))
        self.buttons = RowButtons(self, self.buttons_of)
        self.buttons.pressed.connect(self._press)
        # Not the current row: a list that gets the keyboard makes its first row the current one.
        self.selectionModel().selectionChanged.connect(self._follow_current)
        keys = {
            "Return; Enter": partial(self.run, "take"),
            "Ctrl+Return; Ctrl+Enter": partial(self.run, "show"),
            "Del": partial(self.run, "ignore"),
        }
        ViewKeys(self, keys, letters_pass=True)
        theme.changed.connect(self.doItemsLayout)

    # --- rows -------------------------------------------------------------------------------------------

    def load(self) -> None:
        """Show the newest things; the current one stays so while it differs, and nothing is selected anew."""
        before = self.current_thing()
        number = self.currentIndex().row()
        scrolled = self.verticalScrollBar().value()
        with QSignalBlocker(self.selectionModel()):
            self.model_of_things.load()
            row = None
            if before is not None:
                row = self.model_of_things.row_of(before.key)
            if row is not None:
                self.setCurrentIndex(self.model_of_things.index(row, 0))
            elif number >= 0:
                # What stood behind it is in its place now: arrow keys go on from there.
                last = len(self.model_of_things.rows) - 1
                index = self.model_of_things.index(min(number, last), 0)
                self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.doItemsLayout()
        self.verticalScrollBar().setValue(scrolled)

    def content_height(self) -> int:
        """Return the height of all rows, px."""
        rows = len(self.model_of_things.rows)
        headings = sum(row.thing is None for row in self.model_of_things.rows)
        return (rows - headings) * self.theme.px(ROW) + headings * self.theme.px(_HEADING)

    def row_at(self, index: Index) -> ThingRow | None:
        """Return the row of an index; None of an invalid one."""
        row = index.data(THING)
        if isinstance(row, ThingRow):
            return row
        return None

    def current_thing(self) -> Thing | None:
        """Return the thing whose row is selected."""
        index = self.currentIndex()
        row = self.row_at(index)
        if row is None or not self.is_current(index):
            return None
        return row.thing

    def is_current(self, index: Index) -> bool:
        """Return whether a row is the current one, and selected."""
        return self.selectionModel().isSelected(self.model_of_things.index(index.row(), 0))

    def show_current(self, thing: Thing) -> None:
        """Make the row of a thing the current one, which was chosen elsewhere."""
        row = self.model_of_things.row_of(thing.key)
        if row is None or thing is self.current_thing():
            return
        index = self.model_of_things.index(row, 0)
        with QSignalBlocker(self.selectionModel()):
            self.setCurrentIndex(index)
        self.scrollTo(index)
        self.viewport().update()

    def leave(self) -> None:
        """Let no row be the current one."""
        with QSignalBlocker(self.selectionModel()):
            self.selectionModel().clear()
        self.viewport().update()

    def _follow_current(self) -> None:
        if self.current_thing() is not None:
            self.choose()

    # --- buttons ----------------------------------------------------------------------------------------

    def buttons_of(self, index: Index) -> Placed:
        """Return the buttons of a row, with their places."""
        row = self.row_at(index)
        if row is None or row.thing is None:
            return []
        rect = self.visualRect(self.model_of_things.index(index.row(), 0))
        buttons = self.offered(row)
        if rect.width() < self.theme.px(_NARROW):
            buttons = buttons[:1]
        return place_buttons(self.theme, rect, buttons)

    def offered(self, row: ThingRow) -> Sequence[RowButton]:
        """Return what can be done with a row."""
        thing = row.thing
        if thing is None:
            return []
        if row.is_ignored:
            tip = say("List it again with the others")
            return [RowButton("restore", say("List again"), tip, is_framed=True)]
        reason = self.model_of_things.reason(thing)
        is_shown = self._session.comparison.is_shown(thing)
        return [
            RowButton("take", say("Take over"), reason or _take_tip(thing), is_enabled=not reason, is_framed=True),
            RowButton("show", say("Show"), say("Zoom to it in the scene, with both recordings"), is_on=is_shown),
            RowButton("ignore", say("Ignore"), say("Put it at the end of the list")),
        ]

    def run(self, name: str, index: Index | None = None) -> None:
        """Do what a button does: with a row, or with the current one."""
        if index is None:
            index = self.currentIndex()
            if not self.is_current(index):  # what came into the place of another row is not meant
                return
        row = self.row_at(index)
        if row is None or row.thing is None:
            return
        comparison = self._session.comparison
        if name == "take" and not row.is_ignored:
            self.take(row.thing)
        elif name == "show":
            comparison.show(row.thing)
        elif name == "ignore" and not row.is_ignored:
            comparison.ignore(Item(thing=row.thing))
        elif name in ("ignore", "restore"):
            comparison.ignore(Item(thing=row.thing), on=False)

    def _press(self, index: Index, name: str) -> None:
        if name != "restore":
            self.setCurrentIndex(self.model_of_things.index(index.row(), 0))
        self.run(name, index)

    def menu_at(self, point: QPoint) -> QMenu | None:
        """Return the menu of the row at a point, or of the current one; None without."""
        index = self.indexAt(point)
        if not index.isValid():
            index = self.currentIndex()
        row = self.row_at(index)
        if row is None or row.thing is None:
            return None
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        keys = {"take": "Return", "show": "Ctrl+Return", "ignore": "Del", "restore": "Del"}
        for button in self.offered(row):
            entry = menu.addAction(button.text, partial(self.run, button.name, index))
            entry.setShortcut(keys[button.name])
            entry.setToolTip(button.tip)
            entry.setEnabled(button.is_enabled)
        return menu


def _take_tip(thing: Thing) -> str:
    """Return what taking a thing over does."""
    if thing.kind == "frames" and thing.only == "a":
        return say("Delete these frames here; one step to undo")
    if thing.kind == "frames":
        return say("Insert these frames here; one step to undo")
    if thing.kind == "actor" and thing.only == "a":
        return say("Remove the actor here, as Remove actor does; one step to undo")
    if thing.kind == "actor" and thing.only == "b":
        return say("Add the actor here with all its packets; one step to undo")
    return say("Make it here as it is in the other recording; one step to undo")
