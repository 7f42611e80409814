"""What is shown as a file: numbers as CSV, curves as PNG or SVG."""

import csv
import io
import math
from pathlib import Path

import numpy as np
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QImage, QImageWriter, QPainter, QPen, QPolygonF
from PySide6.QtSvg import QSvgGenerator

from ...recording.atomic_file import atomic_write
from ...recording.snapshot import Snapshot
from .plot import Lane, Plot
from .traces import Trace, draw_sign


def table_of(snapshot: Snapshot, traces: list[Trace], frames: range) -> str:
    """The values of signals in these frames as CSV: a line for each frame in which one of them has a value.

    `frame` counts from 1, `elapsed` is in seconds; numbers are exact, and nothing stands where there is no value.
    """
    columns = []
    for trace in traces:
        values = np.full(len(frames), np.nan)
        low, high = np.searchsorted(trace.series.frames, (frames.start, frames.stop))
        values[trace.series.frames[low:high] - frames.start] = trace.series.values[low:high]
        columns.append(values)
    table = np.stack(columns) if columns else np.zeros((0, len(frames)))
    elapsed, numbers = snapshot.elapsed, snapshot.frame_column("frame_id")
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    units = [f"{trace.title} [{trace.words.unit}]" if trace.words.unit else trace.title for trace in traces]
    writer.writerow(["frame", "frame_id", "elapsed [s]", *units])
    for row in np.flatnonzero(~np.isnan(table).all(axis=0)).tolist():
        frame = frames.start + row
        cells = ["" if math.isnan(value) else repr(value) for value in table[:, row].tolist()]
        writer.writerow([frame + 1, int(numbers[frame]), repr(float(elapsed[frame])), *cells])
    return out.getvalue()


def save_table(path: Path, snapshot: Snapshot, traces: list[Trace], frames: range) -> None:
    """Write the CSV; it appears under its name when it is whole. Raises OSError, `SaveRefused`."""
    with atomic_write(path) as file:
        file.write(table_of(snapshot, traces, frames).encode())


# --- pictures ---------------------------------------------------------------------------------------------


def draw(painter: QPainter, plot: Plot) -> None:
    """The curves with any painter, in pixels of the plot, with the names of the signals in their lanes."""
    plot.draw_ground(painter)
    for lane in plot.lanes:
        painter.save()
        painter.setClipRect(lane.rect)
        for trace in lane.traces:
            _curve(painter, plot, lane, trace)
        _names(painter, plot, lane)
        painter.restore()
    plot.draw_cursors(painter)


def _curve(painter: QPainter, plot: Plot, lane: Lane, trace: Trace) -> None:
    x, y = trace.points(plot.axis)
    if not len(x):
        return
    xs, ys = plot.axis.xs(x), lane.rect.bottom() - (y - lane.low) / (lane.high - lane.low) * lane.rect.height()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(trace.color(plot.theme.palette), 1.4))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    sound = np.isfinite(ys)
    for part in np.split(np.arange(len(xs)), np.flatnonzero(~sound)):
        kept = part[sound[part]]
        points = zip(xs[kept].tolist(), ys[kept].tolist(), strict=True)
        painter.drawPolyline(QPolygonF([QPointF(*point) for point in points]))


def _names(painter: QPainter, plot: Plot, lane: Lane) -> None:
    theme, palette = plot.theme, plot.theme.palette
    painter.setFont(theme.small)
    x, height = lane.rect.left() + 10, theme.metrics(theme.small).height() + 2
    for trace in lane.traces:
        middle = QPointF(x, lane.rect.top() + 4 + height / 2)
        draw_sign(painter, trace.number, middle, 8, trace.color(palette), palette.in_range)
        painter.setPen(palette.text)
        width = theme.metrics(theme.small).horizontalAdvance(trace.title)
        place = QRectF(x + 9, lane.rect.top() + 4, width + 4, height)
        painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, trace.title)
        x += width + 30


def picture_of(plot: Plot, scale: float = 2.0) -> QImage:
    """The curves in more pixels."""
    image = QImage(plot.size() * scale, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(scale)
    painter = QPainter(image)
    draw(painter, plot)
    painter.end()
    return image


def save_picture(path: Path, plot: Plot) -> None:
    """Write the curves as PNG, or as SVG where the name ends so. Raises OSError, `SaveRefused`."""
    held = QBuffer()
    held.open(QIODevice.OpenModeFlag.WriteOnly)
    if path.suffix.lower() == ".svg":
        svg = QSvgGenerator()
        svg.setOutputDevice(held)
        svg.setSize(plot.size())
        svg.setViewBox(QRect(QPoint(0, 0), plot.size()))
        svg.setTitle(plot.accessibleName())
        painter = QPainter(svg)
        draw(painter, plot)
        painter.end()
    else:
        QImageWriter(held, QByteArray(b"png")).write(picture_of(plot))
    with atomic_write(path) as file:
        file.write(held.data().data())
