"""Parts of all plots: axes and lines in the look of the window, and pictures by pyqtgraph's exporters."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from pyqtgraph.exporters import ImageExporter
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QGraphicsItem

from ..style.theme import Theme

GRID = 110
"""Opacity of grid lines, of 255."""

_BETWEEN_MARKS = 12

# A drag follows every move of the mouse, as everywhere in the window; the default leaves out those within 10 ms.
pg.setConfigOptions(mouseRateLimit=0)


def style_plot(plot: pg.PlotItem, theme: Theme) -> None:
    """Give a plot the colours and fonts of this moment."""
    palette = theme.palette
    plot.vb.setBackgroundColor(palette.in_range)
    for side in ("left", "top", "bottom"):
        axis = plot.getAxis(side)
        axis.enableAutoSIPrefix(False)
        axis.autoSIPrefixScale = 1.0  # since pyqtgraph 0.14 the call above scales small numbers once more
        axis.setPen(pg.mkPen(None))
        axis.setTickPen(palette.edge)
        axis.setTextPen(palette.muted)
        axis.setTickFont(theme.small)
        axis.label.setFont(theme.small)
        axis.label.setDefaultTextColor(palette.muted)


def style_legend(legend: pg.LegendItem, theme: Theme) -> None:
    """Clear a legend; names that are added from now on have the colour and size of this moment."""
    legend.clear()
    legend.setLabelTextColor(theme.palette.text)
    legend.setLabelTextSize(f"{theme.small.pixelSize()}px")


def make_marks(symbol: str, **options: object) -> pg.ScatterPlotItem:
    """Return symbols of a constant size in pixels that take no part in ranges."""
    marks = pg.ScatterPlotItem(symbol=symbol, pen=None, **options)
    marks.setZValue(20)
    return marks


def off_scale(x: npt.NDArray[np.float64], is_off: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
    """Find the entries to mark of those that are off the scale: the ends of each run, with room between the marks.

    Args:
        x: The place of each entry, rising, px: float64[n].
        is_off: Whether it is off the scale: bool[n].

    Returns:
        Indices, rising.
    """
    edges = np.diff(is_off.astype(np.int8), prepend=0, append=0)
    ends = np.union1d(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1) - 1)
    _, first = np.unique(x[ends] // _BETWEEN_MARKS, return_index=True)
    return ends[first]


def picture_of(view: pg.GraphicsView) -> QImage:
    """Return the plots of a view in twice as many pixels each way."""
    exporter = ImageExporter(view.scene())
    exporter.params.param("width").setValue(2 * view.width(), blockSignal=exporter.widthChanged)
    exporter.params.param("height").setValue(2 * view.height(), blockSignal=exporter.heightChanged)
    with without_caches(view):
        image: QImage = exporter.export(toBytes=True)
    return image


@contextmanager
def without_caches(view: pg.GraphicsView) -> Iterator[None]:
    """Let all items be drawn anew, in the resolution of the picture, while the context is open."""
    cached = [(item, item.cacheMode()) for item in view.scene().items()]
    for item, _ in cached:
        item.setCacheMode(QGraphicsItem.CacheMode.NoCache)
    yield
    for item, mode in cached:
        item.setCacheMode(mode)
