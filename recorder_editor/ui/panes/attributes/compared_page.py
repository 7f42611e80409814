"""The page of a thing that differs from another recording: its values here and there, what taking it over writes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from ....errors import RecorderError
from ....texts import listed, say
from ....views.compared_values import compared_values, written
from ....views.thing_texts import life_of, thing_detail, thing_icon, thing_state, thing_title
from ...session import Session
from ...session.comparison import Item
from ...style.boxes import fill, frameless, push_button
from ...style.painting import LEFT, RIGHT, draw_text
from ...style.theme import Theme
from ...widgets import Label, ThemedWidget
from ...widgets.pane_parts import Hairline, WrappedRow
from ...widgets.rows_model import Index, RowsModel
from .frame_page import ROW, SIDE, TITLE, paint_section
from .pages import Heading

if TYPE_CHECKING:
    from ....reports.diff import Comparison, Thing

_UNIT = 34
_ABOVE = 18  # px that a name takes above its values
_BETWEEN = 8
_LEAST_LIST = 96
_LINE = int(Qt.ItemDataRole.UserRole)


class Line(NamedTuple):
    """A row of the list.

    Attributes:
        title: What it is.
        here: The text of the column of this recording.
        there: The text of the column of the other one.
        unit: The unit of both.
        kind: Its form: a title of a section, the names of the columns, or values.
    """

    title: str
    here: str = ""
    there: str = ""
    unit: str = ""
    kind: str = "values"


class ComparedModel(RowsModel[Line]):
    """The lines of the page. The role `_LINE` gives a line."""

    def show_lines(self, lines: Sequence[Line]) -> None:
        """Show these; where only texts are others, the place in the list stays."""
        if [line.kind for line in lines] != [line.kind for line in self.rows]:
            self.show(lines)
            return
        self.rows = lines
        if lines:
            self.dataChanged.emit(self.index(0, 0), self.index(len(lines) - 1, 0))

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        """Return the flags of a row: the keyboard passes over titles and the names of columns."""
        if index.isValid() and self.rows[index.row()].kind != "values":
            return Qt.ItemFlag.NoItemFlags
        return super().flags(index)

    def shown(self, row: Line, _column: int, role: int) -> object:
        if role == _LINE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return _spoken(row)
        if role == Qt.ItemDataRole.ToolTipRole and row.kind == "values":
            return _spoken(row)
        return None


def _spoken(line: Line) -> str:
    """Return a line as one text: `x: here –, there -21060.775 cm`."""
    if line.kind != "values":
        return listed((line.title, line.here, line.there), "clauses")
    if not line.here:
        return say("{name}: {value}", name=line.title, value=line.there)
    there = f"{line.there} {line.unit}".rstrip()
    return say("{name}: here {here}, there {there}", name=line.title, here=line.here, there=there)


class _Delegate(QStyledItemDelegate):
    """Draws lines: the name at the left, the values in two columns at the right, behind them the unit."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self.theme = theme
        self._view = view
        self._column = 0

    def fit(self, lines: Sequence[Line]) -> None:
        """Make the columns as wide as the values of these lines."""
        metrics = self.theme.metrics(self.theme.mono)
        texts = [text for line in lines if line.kind == "values" for text in (line.here, line.there)]
        self._column = max((metrics.horizontalAdvance(text) + 1 for text in texts), default=0)

    def _column_in(self, width: int) -> int:
        """Return the width of a column of values in rows of a width, px."""
        return min(self._column, (width - 2 * SIDE - self.theme.px(_UNIT)) // 2 - _BETWEEN)

    def _name_room(self, line: Line, width: int) -> int:
        """Return the room of a name beside the values, px."""
        columns = 2 if line.here else 1
        return width - 2 * SIDE - self.theme.px(_UNIT) - columns * (self._column_in(width) + _BETWEEN)

    def _is_tall(self, line: Line, width: int) -> bool:
        """Return whether a name stands above its values, as there is no room beside them."""
        if line.kind != "values":
            return False
        return self.theme.metrics(self.theme.font).horizontalAdvance(line.title) > self._name_room(line, width)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        line: Line = index.data(_LINE)
        height = self.theme.px(TITLE if line.kind == "section" else ROW)
        if self._is_tall(line, self._view.viewport().width()):
            height += self.theme.px(_ABOVE)
        return QSize(60, height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line: Line = index.data(_LINE)
        rect: QRect = option.rect
        theme = self.theme
        palette = theme.palette
        if line.kind == "section":
            paint_section(painter, rect, line.title, theme)
            return
        name = QRect(rect.left() + SIDE, rect.top(), self._name_room(line, rect.width()), rect.height())
        values = QRect(rect)
        if self._is_tall(line, rect.width()):
            name.setWidth(rect.width() - 2 * SIDE)
            name.setHeight(theme.px(ROW))
            values.setTop(rect.bottom() + 1 - theme.px(ROW))
        draw_text(painter, name, line.title, theme.font, palette.muted, room=name.width())
        self._paint_values(painter, values, line)
        if option.state & QStyle.StateFlag.State_HasFocus and self._view.hasFocus():
            painter.setPen(palette.selection)
            painter.drawRect(rect.adjusted(0, 0, -1, -1))

    def _paint_values(self, painter: QPainter, rect: QRect, line: Line) -> None:
        """Draw both values, or the names of the columns, and the unit behind them."""
        theme = self.theme
        palette = theme.palette
        font = theme.mono
        ink = palette.text
        if line.kind == "columns":
            font = theme.small
            ink = palette.muted
        column = self._column_in(rect.width())
        right = rect.right() + 1 - SIDE - theme.px(_UNIT)
        there = QRect(right - column, rect.top(), column, rect.height())
        here = there.translated(-column - _BETWEEN, 0)
        unit = QRect(right + 4, rect.top(), theme.px(_UNIT) - 4, rect.height())
        draw_text(painter, here, line.here, font, ink, RIGHT, room=column)
        draw_text(painter, there, line.there, font, ink, RIGHT, room=column)
        draw_text(painter, unit, line.unit, theme.small, palette.muted, LEFT, room=unit.width())


class ComparedPage(QWidget):
    """The chosen thing of a comparison. It is filled while it is seen.

    Attributes:
        heading: What it is and how it differs; below that its blueprint, or by how much.
        list: Its values in the frame that is shown, and what taking it over writes.
        model: The lines of the list.
        note: What else there is to know of taking it over, or why it cannot be.
    """

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session = session
        self.theme = theme
        self.heading = Heading(theme)
        self.list = frameless(QListView(), "comparedValues", say("Values here and there"))
        self.list.setProperty("ground", "window")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.model = ComparedModel(self)
        self.list.setModel(self.model)
        self._delegate = _Delegate(theme, self.list)
        self.list.setItemDelegate(self._delegate)
        self.note = Label(theme, "", "small", "muted", wraps=True)
        self.note.setContentsMargins(SIDE, 4, SIDE, 8)
        fill(QVBoxLayout(self), self.heading, (self.list, 1), self.note, spacing=0)
        theme.changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        self.list.setMinimumHeight(self.theme.px(_LEAST_LIST))
        self._delegate.fit(self.model.rows)
        self.list.doItemsLayout()

    def fill(self) -> None:
        """Show the thing, in the frame that is shown."""
        comparison = self.session.comparison.result
        thing = self.session.comparison.chosen
        if comparison is None or thing is None:
            return
        title = listed((thing_title(thing), thing_state(thing)), "clauses")
        detail = thing_detail(comparison, thing, self.theme.units)
        life = life_of(comparison, thing)
        if life is not None and len(thing.ids) == 1:
            detail = life.blueprint
        reason = self.session.comparison.refusal_of(Item(thing=thing))
        self.heading.show_title(title, detail or reason, thing_icon(comparison, thing))
        lines = [*self._values(comparison, thing), *_written(comparison, thing)]
        self._delegate.fit(lines)
        self.model.show_lines(lines)
        self.list.doItemsLayout()
        self.note.setText(_note(thing, reason))

    def _values(self, comparison: "Comparison", thing: "Thing") -> list[Line]:
        """Return the lines of the frame; none of a thing without values."""
        selection = self.session.selection
        there = self.session.comparison.frame_of_other(selection.frame_index)
        try:
            values = compared_values(comparison, thing, selection.frame, there, self.theme.units)
        except (RecorderError, OSError) as error:  # a file was rewritten
            self.session.jobs.failed.emit(error)
            values = []
        if not values:
            return []
        section = say("In frame {frame:,}", frame=selection.frame_index + 1)
        if thing.kind == "header":
            section = say("Fields")
        lines = [Line(section, kind="section"), Line("", say("here"), say("there"), kind="columns")]
        lines += [Line(value.title, value.here or "–", value.there or "–", value.unit) for value in values]
        return lines


def _note(thing: "Thing", reason: str) -> str:
    """Return what else there is to know of taking a thing over, or the reason why it cannot be."""
    if reason:
        return say("Cannot be taken over: {reason}.", reason=reason)
    step = say("One step to undo.")
    if thing.kind == "actor" and thing.only == "b":
        return listed((say("The id {actor} is free here.", actor=thing.ids[0]), step), "sentences")
    return step


def _written(comparison: "Comparison", thing: "Thing") -> list[Line]:
    """Return the lines of what taking a thing over writes or removes."""
    packets = written(comparison, thing)
    if not packets:
        return []
    title = say("Take over writes, in frames")
    if thing.only == "a":
        title = say("Take over removes, in frames")
    lines = [Line(title, kind="section")]
    lines += [Line(each.packet, there=f"{each.frames:,}") for each in packets]
    return lines


class ComparedFooter(ThemedWidget):
    """Below a hairline: what can be done with the chosen thing.

    Attributes:
        ignore: Puts it at the end of the list, or lists it again.
        take: Takes it over.
    """

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(theme)
        self._session = session
        self.ignore = push_button(say("Ignore"), self._ignore, say("Put it at the end of the list"))
        self.take = push_button(say("Take over"), self._take, primary=True)
        buttons = fill(QHBoxLayout(), WrappedRow(self.ignore, self.take), margins=(12, 8, 12, 8))
        fill(QVBoxLayout(self), Hairline(theme), buttons, spacing=0)

    def fill(self) -> None:
        """Enable what can be done now."""
        comparison = self._session.comparison
        thing = comparison.chosen
        if thing is None:
            return
        is_ignored = thing.key in comparison.ignored
        self.ignore.setText(say("List again") if is_ignored else say("Ignore"))
        reason = comparison.refusal_of(Item(thing=thing))
        self.take.setEnabled(not reason and not is_ignored)
        self.take.setToolTip(reason or say("Make it here as it is in the other recording"))

    def _ignore(self) -> None:
        comparison = self._session.comparison
        thing = comparison.chosen
        if thing is not None:
            comparison.ignore(Item(thing=thing), on=thing.key not in comparison.ignored)

    def _take(self) -> None:
        thing = self._session.comparison.chosen
        if thing is not None:
            self._session.comparison.take(Item(thing=thing))
