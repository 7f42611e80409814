"""Texts and numbers in columns, as a preview shows them. Knows their layout, not what is counted."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QWidget

from recorder_editor.ui.style.boxes import Stretch, fill, set_spacing
from recorder_editor.ui.style.painting import LEFT, RIGHT
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets.base import ElidedLabel, FontName, Label, Sign

from ...texts import listed
from ..style.colors import ColorName


class Column(NamedTuple):
    """How a column looks.

    Texts of a column that grows end in an ellipsis where they have no room; numbers (`font` "mono") are never cut.

    Attributes:
        title: The title above it.
        color: The colour of its cells.
        sign: The icon before its title.
        sign_color: The colour of that icon.
        font: The font of its cells.
        side: The side of its cells.
        grows: Its share of the free room, in this ratio to others; 0: none. An empty column has none, either.
        least: Its least width, px for text of 12 pixels.
    """

    title: str = ""
    color: ColorName = "text"
    sign: str = ""
    sign_color: ColorName = "muted"
    font: FontName = "mono"
    side: Qt.AlignmentFlag = RIGHT
    grows: int = 1
    least: int = 0


class Figure(NamedTuple):
    """A row of `FIGURES`.

    Attributes:
        label: The text before the number.
        number: The number.
        unit: Its unit.
        note: A muted text at the right.
    """

    label: str
    number: str
    unit: str = ""
    note: str = ""


NAME = Column(color="muted", font="font", side=LEFT)
NUMBER = Column(grows=0)
FIGURES = (
    Column(color="muted", font="font", grows=0),
    NUMBER._replace(least=64),
    Column(color="muted", font="small", side=LEFT, grows=0),
    Column(color="muted", font="small"),
)


class Figures(QWidget):
    """Rows of texts and numbers; above them the heading, in one line with the titles of all columns but the first.

    Attributes:
        theme: The theme.
        rows: The texts of each row.
        tips: The tooltip of each row.
        heads: The labels of the titles.
    """

    def __init__(self, theme: Theme, name: str, columns: Sequence[Column] = FIGURES, heading: str = "") -> None:
        super().__init__()
        self.theme = theme
        self.rows: tuple[Sequence[str], ...] = ()
        self.tips: tuple[str, ...] = ()
        self.heads = [Label(theme, column.title, "font", "muted") for column in columns]
        self._columns = columns
        self._cells: list[list[Label]] = []
        self._grid = set_spacing(QGridLayout(self), across=4, down=6)
        if heading:
            self._add_heads(Label(theme, heading, "bold", wraps=True))
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def _add_heads(self, heading: Label) -> None:
        for index, column in enumerate(self._columns[1:], 1):
            sign = Sign(self.theme)
            if index == 1:
                # The heading is over the first column, too, as far as the title leaves room.
                box = fill(QHBoxLayout(), (heading, 1), sign, self.heads[index], spacing=4)
                self._grid.addLayout(box, 0, 0, 1, 2)
            else:
                box = fill(QHBoxLayout(), Stretch(), sign, self.heads[index], spacing=4)
                self._grid.addLayout(box, 0, index, 1, 1)
            sign.set_icon(column.sign, column.sign_color)

    def show_rows(self, rows: Sequence[Sequence[str]], tips: Sequence[str] = ()) -> None:
        """Show rows, each with a text for every column, and with a tooltip where there are `tips`."""
        self.rows = tuple(rows)
        self.tips = tuple(tips)
        for index, column in enumerate(self._columns):
            is_used = any(row[index] for row in rows)
            self._grid.setColumnStretch(index, column.grows if is_used else 0)
            self._grid.setColumnMinimumWidth(index, self.theme.px(column.least))
        while len(self._cells) < len(rows):
            self._add_row()
        for cells in self._cells[len(rows) :]:
            for cell in cells:
                cell.hide()
        for row, cells in zip(rows, self._cells, strict=False):
            for text, cell, column in zip(row, cells, self._columns, strict=True):
                cell.setText(text)
                cell.set_color(_color_of(text, column))
                cell.show()
        for index, cells in enumerate(self._cells):
            tip = tips[index] if index < len(tips) else ""
            for cell in cells:
                cell.setToolTip(tip)
        self.setAccessibleDescription(listed([self._spoken_row(row) for row in rows], "clauses"))

    def _spoken_row(self, row: Sequence[str]) -> str:
        """Return the texts of a row for screen readers, each with the title of its column."""
        texts = []
        for text, head in zip(row, self.heads, strict=True):
            if text:
                texts.append(f"{text} {head.text()}".strip())
        return " ".join(texts)

    def _add_row(self) -> None:
        cells: list[Label] = []
        for column in self._columns:
            if column.grows and column.font != "mono":
                cell: Label = ElidedLabel(self.theme, "", column.font, column.color)
            else:
                cell = Label(self.theme, "", column.font, column.color)
            cell.setAlignment(column.side)
            self._grid.addWidget(cell, len(self._cells) + 1, len(cells))
            cells.append(cell)
        self._cells.append(cells)


def _color_of(text: str, column: Column) -> ColorName:
    """Return the colour of a cell: a column of errors is muted where it counts none."""
    if column.color == "error" and text in ("0", "0.000"):
        return "muted"
    return column.color
