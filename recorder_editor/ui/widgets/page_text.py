"""The texts of a page with a form or a summary, as they are copied: a row for each line of the page."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QAbstractItemView, QCheckBox, QComboBox, QLabel, QLineEdit, QWidget

from ...texts import say
from .base import RunningText
from .copied import Copied, copied_table
from .forms import NumberLabel, NumberLink
from .numbers import NumberEdit

_LINE = 10
"""How far the middles of two widgets of one line are apart at most, px."""


def copied_page(page: QWidget) -> Copied | None:
    """Return the texts of a page that are to be seen, or would be by scrolling; the heads of the columns are numbers.

    Args:
        page: The page.

    Returns:
        None for a page without texts.
    """
    placed: list[tuple[int, int, list[str]]] = []
    rows: list[list[str]] = []
    for widget in page.findChildren(QWidget):
        if not widget.isVisibleTo(page):
            continue
        texts = _texts_of(widget)
        if texts:
            corner = widget.mapTo(page, QPoint())
            placed.append((corner.y() + min(widget.height(), 2 * _LINE) // 2, corner.x(), texts))
        elif isinstance(widget, QAbstractItemView):
            corner = widget.mapTo(page, QPoint())
            for number, cells in enumerate(_cells_of(widget)):
                placed.append((corner.y() + 2 * number * (_LINE + 1), corner.x(), cells))
    placed.sort(key=lambda entry: entry[:2])
    line: list[tuple[int, list[str]]] = []
    middle = 0
    for y, x, texts in placed:
        if line and y - middle > _LINE:
            rows.append(_joined(line))
            line = []
        if not line:
            middle = y
        line.append((x, texts))
    if line:
        rows.append(_joined(line))
    if not rows:
        return None
    width = max(len(row) for row in rows)
    filled = [row + [""] * (width - len(row)) for row in rows]
    heads = [say("Name"), say("Value"), say("Unit")][:width]
    heads += [""] * (width - len(heads))
    return copied_table(heads, filled)


def _joined(line: Sequence[tuple[int, list[str]]]) -> list[str]:
    """Return the texts of a line from the left."""
    cells = []
    for _, texts in sorted(line, key=lambda entry: entry[0]):
        cells.extend(texts)
    return cells


def _texts_of(widget: QWidget) -> list[str]:
    """Return what a widget shows as text, a number with its unit; nothing for buttons and for what holds others."""
    if isinstance(widget, NumberLabel):
        return [widget.text(), widget.theme.units.unit(widget.unit)]
    if isinstance(widget, QLineEdit):
        if isinstance(widget, NumberEdit) and widget.unit:
            return [widget.text(), widget.theme.units.unit(widget.unit)]
        return [widget.text()]
    if isinstance(widget, QComboBox):
        return [widget.currentText()]
    if isinstance(widget, QCheckBox):
        text = say("yes") if widget.isChecked() else say("no")
        return [widget.text(), text] if widget.text() else [text]
    if isinstance(widget, (QLabel, RunningText, NumberLink)) and widget.text():
        return [widget.text()]
    return []


def _cells_of(view: QAbstractItemView) -> list[list[str]]:
    """Return the texts of a table's or a list's rows."""
    model: Any = view.model()
    rows = []
    if model is not None:
        for row in range(model.rowCount()):
            rows.append([str(model.index(row, column).data() or "") for column in range(model.columnCount())])
    return rows
