"""The trap for a Qt that cannot paint plots.

PySide6 6.9.1 paints no curve at all, and 6.12.0 on Python 3.11 crashes inside the axis after a number of
paints; both pass an import and a first look.  The dependency in pyproject.toml rests on this.
"""

import gc

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

PAINTS = 200
SIZE = (320, 180)


def reddish_pixels(plot: pg.PlotWidget) -> int:
    """How many of the plot's pixels, every second one each way, are of the curve's red."""
    picture = plot.grab().toImage()
    colours = (picture.pixelColor(x, y) for x in range(0, SIZE[0], 2) for y in range(0, SIZE[1], 2))
    return sum(colour.red() > 150 and colour.green() < 80 and colour.blue() < 80 for colour in colours)


@pytest.mark.qt
@pytest.mark.xcb
def test_a_plot_with_axes_survives_two_hundred_paints(qapp: QApplication, qtbot: QtBot) -> None:
    plot = pg.PlotWidget(background="w")
    qtbot.addWidget(plot)
    plot.resize(*SIZE)
    plot.setLabel("left", "speed", units="m/s")
    plot.setLabel("bottom", "time", units="s")
    plot.addLegend()
    plot.showGrid(x=True, y=True)
    seconds = np.linspace(0.0, 10.0, 500)
    curve = plot.plot(seconds, np.sin(seconds), pen=pg.mkPen((220, 0, 0), width=2), name="speed of 174")
    cursor = pg.InfiniteLine(0.0)
    plot.addItem(cursor)
    plot.show()

    for turn in range(PAINTS):
        curve.setData(seconds, np.sin(seconds + turn) * (1 + turn))
        cursor.setPos(turn / 20)
        plot.setXRange(0.0, 10.0 + turn)
        plot.grab()
        if turn % 50 == 0:
            qapp.processEvents()
            gc.collect()

    plot.enableAutoRange()
    qapp.processEvents()
    (left, right), _ = plot.viewRange()
    assert -2.0 < left < 0.0
    assert 10.0 < right < 12.0
    assert reddish_pixels(plot) > 100
