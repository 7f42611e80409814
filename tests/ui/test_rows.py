"""Rows of tables: numbers and names on one line, and the row under the pointer lit as a whole."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect
from PySide6.QtGui import QColor, QHoverEvent, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from recorder_editor.ui.dialogs.widgets import NumbersTable
from recorder_editor.ui.style.theme import Theme

from .windows import bring_up


@pytest.fixture
def table(theme: Theme, qtbot: QtBot) -> NumbersTable:
    """Two rows of a name and two numbers, without letters that hang below the line."""
    table = NumbersTable(theme, "Numbers", ("Name", "First", "Second"), (60, 60))
    qtbot.addWidget(table)
    table.resize(260, 120)
    table.show_rows([("HIM", "12", "34"), ("MEN", "56", "78")])
    bring_up(table, qtbot)
    return table


def cell(table: NumbersTable, row: int, column: int) -> QImage:
    rect = table.visualRect(table.model().index(row, column))
    return table.viewport().grab(rect.adjusted(0, 0, -1, -1)).toImage()


def lowest_ink(image: QImage, ink: QColor) -> int:
    """The last line of pixels that are mostly of that colour."""
    rows = (
        y
        for y in range(image.height())
        if any(abs(image.pixelColor(x, y).lightness() - ink.lightness()) < 80 for x in range(image.width()))
    )
    return max(rows)


@pytest.mark.parametrize("size", [11, 12, 14, 16, 18])
def test_numbers_stand_on_the_line_of_the_names_beside_them(table: NumbersTable, theme: Theme, size: int) -> None:
    theme.set_text_size(size)
    table.clearFocus()  # no line around the current cell
    table.show_rows([("HIM", "12", "34"), ("MEN", "56", "78")])  # with the fonts of this size
    for row in range(2):
        assert len({lowest_ink(cell(table, row, column), theme.palette.text) for column in range(3)}) == 1


def test_the_row_under_the_pointer_is_lit_as_a_whole(table: NumbersTable, theme: Theme, qtbot: QtBot) -> None:
    def lit() -> list[tuple[int, int]]:
        return [
            (row, column)
            for row in range(2)
            for column in range(3)
            if cell(table, row, column).pixelColor(1, 1) == theme.palette.hover
        ]

    assert lit() == []
    # A dialog may open below a pointer that rests.
    resting = QPointF(table.visualRect(table.model().index(0, 1)).center())
    QApplication.sendEvent(table.viewport(), QHoverEvent(QEvent.Type.HoverEnter, resting, resting, QPointF(-1, -1)))
    assert lit() == [(0, 0), (0, 1), (0, 2)]
    at: QRect = table.visualRect(table.model().index(1, 0))
    qtbot.mouseMove(table.viewport(), at.center() + QPoint(1, 0))
    qtbot.mouseMove(table.viewport(), at.center())
    assert lit() == [(1, 0), (1, 1), (1, 2)]
    QApplication.sendEvent(table.viewport(), QEvent(QEvent.Type.Leave))
    assert lit() == []
