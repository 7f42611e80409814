"""What a pane gives to other programs: a table, a text or a picture, put on the clipboard. Knows no pane.

A table is there in three forms, of which a program takes the one that it knows best: `text/plain` with tabs between the
cells, `text/csv` and `text/html`.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QListView, QTableView, QWidget

from ...texts import say, say_count

CSV = "text/csv"
_SCALE = 2
"""Pixels of a picture for one of the screen."""


@dataclass(frozen=True)
class Copied:
    """A text for the clipboard.

    Attributes:
        text: The text.
        told: The sentence that says what was copied.
        more: Further forms of the same, by their MIME types.
    """

    text: str
    told: str
    more: Mapping[str, bytes] = field(default_factory=dict)


def copied_table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], more: Mapping[str, bytes] | None = None
) -> Copied | None:
    """Return a table for the clipboard.

    Args:
        heads: The heading of each column, with its unit in brackets.
        rows: The texts of the cells; tabs and line breaks in them become spaces where tabs separate cells.
        more: Further forms of the same, by their MIME types.

    Returns:
        None where there is no row.
    """
    if not rows:
        return None
    lines = [heads, *rows]
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(lines)
    forms = {CSV: written.getvalue().encode(), "text/html": _html(heads, rows).encode()}
    forms.update(more or {})
    text = "\n".join("\t".join(" ".join(cell.split()) for cell in line) for line in lines)
    told = say_count("Copied 1 row as CSV", "Copied {count:,} rows as CSV", count=len(rows))
    return Copied(text, told, forms)


def heading(title: str, unit: str) -> str:
    """Return the heading of a column of numbers, with the unit in brackets where it has one."""
    if unit:
        return f"{title} [{unit}]"
    return title


def _html(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table as HTML; programs of spreadsheets take its cells."""
    lines = ["<table>", _html_row("th", heads)]
    for row in rows:
        lines.append(_html_row("td", row))
    lines.append("</table>")
    return "\n".join(lines)


def _html_row(tag: str, cells: Sequence[str]) -> str:
    inside = "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells)
    return f"<tr>{inside}</tr>"


def copied_lines(lines: Sequence[str]) -> Copied | None:
    """Return lines of text for the clipboard; None where there is none."""
    if not lines:
        return None
    told = say_count("Copied 1 line as text", "Copied {count:,} lines as text", count=len(lines))
    return Copied("\n".join(lines), told)


def table_of_view(view: QTableView) -> Copied | None:
    """Return what a table shows: the selected rows, or all where none is; of the columns those that are to be seen."""
    model = view.model()
    header = view.horizontalHeader()
    columns = []
    for place in range(header.count()):
        column = header.logicalIndex(place)
        if not view.isColumnHidden(column):
            columns.append(column)
    chosen = sorted(index.row() for index in view.selectionModel().selectedRows())
    if not chosen:
        chosen = list(range(model.rowCount()))
    rows = []
    for row in chosen:
        if not view.isRowHidden(row):
            rows.append([str(model.index(row, column).data() or "") for column in columns])
    heads = []
    for column in columns:
        heads.append(str(model.headerData(column, Qt.Orientation.Horizontal) or ""))
    return copied_table(heads, rows)


def lines_of_view(view: QListView) -> Copied | None:
    """Return the lines of a list as screen readers say them: the selected ones, or all where none is."""
    model = view.model()
    chosen = sorted(index.row() for index in view.selectionModel().selectedRows())
    if not chosen:
        chosen = list(range(model.rowCount()))
    lines = []
    for row in chosen:
        index = model.index(row, 0)
        text = index.data(Qt.ItemDataRole.AccessibleTextRole) or index.data()
        lines.append(str(text))
    return copied_lines(lines)


def picture_of(widget: QWidget) -> QImage:
    """Return a widget as it is seen, in twice as many pixels each way."""
    picture = QImage(widget.size() * _SCALE, QImage.Format.Format_ARGB32_Premultiplied)
    picture.setDevicePixelRatio(_SCALE)
    picture.fill(widget.palette().window().color())
    widget.render(picture)
    return picture


def put_content(content: Copied) -> None:
    """Put a text on the clipboard, in all of its forms."""
    data = QMimeData()
    data.setText(content.text)
    for form, stored in content.more.items():
        data.setData(form, stored)
    QGuiApplication.clipboard().setMimeData(data)


def put_picture(picture: QImage) -> str:
    """Put a picture on the clipboard.

    Returns:
        The sentence that says so.
    """
    QGuiApplication.clipboard().setImage(picture)
    return say("Copied a picture of {width} × {height} pixels", width=picture.width(), height=picture.height())
