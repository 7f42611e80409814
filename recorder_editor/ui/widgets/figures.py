"""Words and numbers in columns, as a preview shows them. They know how these are laid out, not what is counted."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QWidget

from recorder_editor.ui.style.boxes import Stretch, fill, spaced
from recorder_editor.ui.style.painting import LEFT, RIGHT
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets.base import ElidedLabel, FontName, Label, Sign

from ...texts import listed
from ..style.colors import ColorName


class Column(NamedTuple):
    """How a column looks: its `title` behind a `sign` (an icon) over cells of one font and colour, at one `side`.

    Columns that `grow` share the free room in that ratio, if anything stands in them, and words there end in an
    ellipsis where they have none; numbers (`font` "mono") are never cut. `least` is how wide it is at least, for text
    of 12 pixels.
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
    """A row of `FIGURES`: `label`, `number`, its `unit`, and muted at the right what stands `beside`."""

    label: str
    number: str
    unit: str = ""
    beside: str = ""


NAME = Column(color="muted", font="font", side=LEFT)
NUMBER = Column(grows=0)
FIGURES = (
    Column(color="muted", font="font", grows=0),
    NUMBER._replace(least=64),
    Column(color="muted", font="small", side=LEFT, grows=0),
    Column(color="muted", font="small"),
)


class Figures(QWidget):
    """Rows of words and numbers; above them the `heading`, in one line with the titles of all columns but the first.

    Attributes: `rows`; `tips` (the tooltip of each row); `heads` (the titles).
    """

    def __init__(self, theme: Theme, name: str, columns: Sequence[Column] = FIGURES, heading: str = "") -> None:
        super().__init__()
        self.theme = theme
        self.rows: tuple[Sequence[str], ...] = ()
        self.tips: tuple[str, ...] = ()
        self.heads = [Label(theme, column.title, "font", "muted") for column in columns]
        self._columns = columns
        self._cells: list[list[Label]] = []
        self._grid = spaced(QGridLayout(self), 4, 6)
        if heading:
            self._add_heads(Label(theme, heading, "bold", wraps=True))
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def _add_heads(self, heading: Label) -> None:
        for at, column in enumerate(self._columns[1:], 1):
            sign = Sign(self.theme)
            is_first = at == 1
            # The heading goes as far as the first title lets it.
            box = fill(QHBoxLayout(), (heading, 1) if is_first else Stretch(), sign, self.heads[at], spacing=4)
            self._grid.addLayout(box, 0, at - is_first, 1, 1 + is_first)
            sign.set_icon(column.sign, column.sign_color)

    def show_rows(self, rows: Sequence[Sequence[str]], tips: Sequence[str] = ()) -> None:
        """Show these, each with a text for every column, and with a tooltip where there are `tips`."""
        self.rows = tuple(rows)
        self.tips = tuple(tips)
        for at, column in enumerate(self._columns):
            self._grid.setColumnStretch(at, column.grows * any(row[at] for row in rows))
            self._grid.setColumnMinimumWidth(at, self.theme.px(column.least))
        while len(self._cells) < len(rows):
            self._add_row()
        for cells in self._cells[len(rows) :]:
            for cell in cells:
                cell.hide()
        for row, cells in zip(rows, self._cells, strict=False):
            for text, cell, column in zip(row, cells, self._columns, strict=True):
                cell.setText(text)
                # Nothing lost is nothing to be looked at.
                cell.set_color("muted" if column.color == "error" and text in ("0", "0.000") else column.color)
                cell.show()
        for at, cells in enumerate(self._cells):
            for cell in cells:
                cell.setToolTip(tips[at] if at < len(tips) else "")
        told = (zip(row, self.heads, strict=True) for row in rows)
        words = (" ".join(f"{text} {head.text()}".strip() for text, head in row if text) for row in told)
        self.setAccessibleDescription(listed(words, "clauses"))

    def _add_row(self) -> None:
        cells: list[Label] = []
        for column in self._columns:
            gives_way = column.grows and column.font != "mono"
            cell = (ElidedLabel if gives_way else Label)(self.theme, "", column.font, column.color)
            cell.setAlignment(column.side)
            self._grid.addWidget(cell, len(self._cells) + 1, len(cells))
            cells.append(cell)
        self._cells.append(cells)
