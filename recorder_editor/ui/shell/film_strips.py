"""What is below the scene in the pictures of a video: the timeline and the plots of signals, with a cursor that moves.

Both are painted once, by the views of the window, which are never shown; then only the cursor is painted, and that in
any thread.
"""

import gc
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QImage, QPainter

from ...arrays import ByteArray
from ...checks import check
from ...formats.video import VideoOptions, picture_size, text_scale
from ...progress import SILENT, Progress
from ...reading import SelectorError
from ...reading.events import find_events
from ...reading.lanes import LaneUse
from ...views.named_signals import chosen_actors, keys_of
from ...views.signal_catalog import texts_of, title_of
from ...views.signal_reading import read_signals
from ...views.signal_scale import Scale
from ...views.time_axis import Axis
from ...views.units import AS_STORED, Units
from ..panes.scene.painter import SceneSource
from ..panes.signals.plot import AXIS
from ..panes.signals.plot_view import PlotView
from ..panes.signals.series import Trace, number_for
from ..panes.timeline.canvas import Canvas
from ..panes.timeline.cursor import Cursor
from ..panes.timeline.timeline_layout import TimelineLayout
from ..panes.timeline.timeline_view import NAMES, TimelineView
from ..session import Session
from ..style.colors import Palette
from ..style.look import PictureLook
from ..style.picture_theme import PictureTheme
from ..style.theme import Theme

_SHARE = 0.3
"""Of the height of a picture, what the timeline takes at most, and what the signals do."""

_TIMELINE = 196
"""The height of the timeline in the window, px of the design."""

_PLOT = 84
_RULER = 24
_LINE = 1

PaintCursor = Callable[[QPainter, int], None]
"""Paints the cursor at a frame (its index, from 0), over what stands still."""


class Strip(NamedTuple):
    """The timeline, or the plots.

    Attributes:
        corner: Its upper left corner below the scene, px.
        paint_cursor: Paints its cursor.
    """

    corner: QPointF
    paint_cursor: PaintCursor


class Strips:
    """Timeline and plots of a video.

    Attributes:
        lines: Their height, in pixels of the picture.
    """

    def __init__(self, still: QImage, strips: Sequence[Strip]) -> None:
        """Make them.

        Args:
            still: The picture of what does not move, RGB32.
            strips: The parts with a cursor.
        """
        self.lines = still.height()
        self._still = still
        self._strips = tuple(strips)

    def paint(self, image: QImage) -> None:
        """Paint what stands still at the lower edge of a picture, which is as wide; nothing else may paint on it."""
        np.copyto(_pixels_of(image)[image.height() - self.lines :], _pixels_of(self._still))

    def paint_cursors(self, painter: QPainter, top: float, frame_index: int) -> None:
        """Paint the cursor of each at a frame (its index, from 0); `top` is their upper edge, px."""
        for strip in self._strips:
            painter.save()
            painter.translate(strip.corner + QPointF(0, top))
            strip.paint_cursor(painter, frame_index)
            painter.restore()


class PlottedSignals(NamedTuple):
    """The signals of a video.

    Attributes:
        traces: The signals, with their values.
        scales: The scales of their plots, by unit.
    """

    traces: tuple[Trace, ...]
    scales: Mapping[str, Scale]

    @classmethod
    def of(cls, traces: Iterable[Trace], scales: Mapping[str, Scale]) -> "PlottedSignals":
        """Return those of a window as they are now."""
        return cls(tuple(replace(trace) for trace in traces), dict(scales))


def make_strips(
    session: Session,
    options: VideoOptions,
    frames: range,
    palette: Palette,
    *,
    signals: PlottedSignals | None = None,
    like: TimelineView | None = None,
    units: Units = AS_STORED,
) -> Strips | None:
    """Paint timeline and signals for a video, in the thread of the application.

    Args:
        session: What they show.
        options: The choices.
        frames: The frames of the video.
        palette: The colours.
        signals: The signals; None: there are none.
        like: A timeline whose lanes and rows are shown; None: as a recording is opened.
        units: The units in which quantities are shown.

    Returns:
        None where neither is wanted, or there is no frame.

    Raises:
        VideoChoiceError: The size is none.
    """
    if not frames or not (options.timeline or signals):
        return None
    theme = PictureTheme(palette, units)
    scale = text_scale(options)
    width, height = picture_size(options)
    room = QSize(math.ceil(width / scale), round(_SHARE * height / scale))
    timeline = _laid_out_timeline(session, theme, frames, room, like)
    plots = None
    if signals is not None:
        left = NAMES - AXIS if options.timeline else 0
        plots = _laid_out_plots(session, theme, signals, room - QSize(left, 0), timeline.axis, scale)
        plots.move(left, 0)
    try:
        return _painted(timeline if options.timeline else None, plots, theme, width, scale)
    finally:
        timeline.deleteLater()
        if plots is not None:
            plots.deleteLater()


def _laid_out_timeline(
    session: Session, theme: Theme, frames: range, room: QSize, like: TimelineView | None
) -> TimelineView:
    """Return the timeline of the frames of a video, no higher than there is room, px."""
    view = Canvas(session, theme)
    view.lay_out(QSize(room.width(), min(_TIMELINE, room.height())), like)
    axis = view.axis
    view.set_axis(axis.showing(float(axis.times[frames.start]), axis.end_of(frames.stop - 1)))
    return view


def _laid_out_plots(
    session: Session, theme: Theme, signals: PlottedSignals, room: QSize, axis: Axis, scale: float
) -> PlotView:
    """Return the plots of signals over a time axis, no higher than there is room, px."""
    view = PlotView(theme)
    view.thresholds = session.events.thresholds
    view.scales = dict(signals.scales)
    view.show_traces(list(signals.traces))
    if session.range.is_shown:
        view.set_range(session.range.shown, is_cut=session.range.is_cut)
    wanted = _RULER + _PLOT * len(view.plots)
    view.lay_out(QSize(room.width(), min(wanted, room.height())), axis, scale)
    return view


def _painted(
    timeline: TimelineView | None, plots: PlotView | None, theme: PictureTheme, width: int, scale: float
) -> Strips:
    """Paint views below one another, each with a line above it.

    Args:
        timeline: The timeline; None: there is none.
        plots: The plots, and how far they are from the left edge; None: there are none.
        theme: Colours and fonts.
        width: The width of the picture, in its pixels.
        scale: Pixels of the picture for one of the views.
    """
    look = PictureLook(theme.palette, units=theme.units)
    heights = [view.height() for view in (timeline, plots) if view is not None]
    still = QImage(width, round((sum(heights) + _LINE * len(heights)) * scale), QImage.Format.Format_RGB32)
    still.setDevicePixelRatio(scale)
    still.fill(theme.palette.window)
    strips = []
    painter = QPainter(still)
    top = 0
    if timeline is not None:
        corner = _begin_strip(painter, QPointF(0, top), theme)
        labels = timeline.paint_still(painter)
        painter.restore()
        layout = replace(timeline.timeline_layout, theme=look)
        strips.append(Strip(corner, partial(_paint_cursor, layout, labels, layout.grips())))
        top = _LINE + timeline.height()
    if plots is not None:
        corner = _begin_strip(painter, QPointF(plots.x(), top), theme)
        plots.paint_still(painter)
        painter.restore()
        strips.append(Strip(corner, plots.picture_cursor(look).paint))
    painter.end()
    return Strips(still, strips)


def _begin_strip(painter: QPainter, place: QPointF, theme: Theme) -> QPointF:
    """Draw the line above a strip, save the painter and move it to the corner below, which is returned."""
    painter.fillRect(QRectF(0, place.y(), painter.device().width(), _LINE), theme.palette.edge)
    painter.save()
    corner = place + QPointF(0, _LINE)
    painter.translate(corner)
    return corner


def _paint_cursor(
    layout: TimelineLayout, labels: list[QRectF], grips: list[QRectF], painter: QPainter, frame: int
) -> None:
    Cursor(layout, labels, grips, frame).paint(painter)


# --- without a window -------------------------------------------------------------------------------------


def session_of(source: SceneSource, progress: Progress = SILENT) -> Session:
    """Return a session that shows a state as a window does that has just opened it; it runs no job.

    Args:
        source: The state, and what was read of it.
        progress: Counts what is looked for.

    Raises:
        Cancelled: The user stopped it.
        OSError: The file cannot be read.
    """
    snapshot = source.snapshot
    session = Session()
    gc.enable()  # the window's guard works by a timer, and here all is in one thread
    session.snapshot = snapshot
    session.background.trajectories = source.survey
    session.background.lane_use = LaneUse.of(snapshot, progress.part(0.0, 0.2))
    session.background.findings = tuple(check(snapshot, progress.part(0.2, 0.6)))
    session.events.found = find_events(snapshot, session.events.thresholds, progress=progress.part(0.6, 1.0))
    session.events.snapshot = snapshot
    session.events.is_whole = True
    return session


def named_signals(source: SceneSource, options: VideoOptions, progress: Progress = SILENT) -> PlottedSignals | None:
    """Read the signals that are named; None where none are.

    They are of the actors that are named, else of the one that is followed, else of the heroes.

    Raises:
        SelectorError: There is no such actor or signal.
        Cancelled: The user stopped it.
        OSError: The file cannot be read.
    """
    if not options.signals:
        return None
    snapshot = source.snapshot
    selectors = options.actors
    if not selectors and options.follow:
        selectors = (options.follow,)
    keys = keys_of(options.signals, snapshot, chosen_actors(snapshot, selectors))
    result = read_signals(snapshot, keys, None, None, progress)
    for reason in result.refused.values():
        raise SelectorError(reason)
    traces: list[Trace] = []
    for key in keys:
        texts = texts_of(key, snapshot.dialect)
        title = title_of(key, snapshot.dialect)
        number = number_for(key, texts.unit, traces)
        traces.append(Trace(key, texts, title, number, series=result.series[key], is_read=True))
    return PlottedSignals(tuple(traces), {})


def _pixels_of(image: QImage) -> ByteArray:
    """Return the pixels of a picture in RGB32, which is not copied, uint8[height, width, 4]."""
    return np.frombuffer(image.bits(), np.uint8).reshape(image.height(), -1, 4)
