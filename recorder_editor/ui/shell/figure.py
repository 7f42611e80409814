"""Pictures for papers: the scene at moments, a strip of them, paths with marks of time, and signals; as SVG, PDF, PNG.

Lengths are millimetres: the picture is laid out in pixels of the scene, of which eleven are as high as its text, and
drawn at whatever size that is. What is drawn on SVG and PDF is lines, areas and text.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from math import ceil
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QBuffer, QByteArray, QCoreApplication, QIODevice, QMarginsF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QGuiApplication,
    QImage,
    QImageWriter,
    QPageSize,
    QPaintDevice,
    QPainter,
    QPdfWriter,
    QPen,
)
from PySide6.QtSvg import QSvgGenerator

from ...arrays import FloatArray, IntArray
from ...formats.picture import (
    BETWEEN,
    MM_PER_INCH,
    MM_PER_POINT,
    SIDES,
    PictureChoiceError,
    PictureError,
    PictureOptions,
    columns_of,
    corners_in,
    moments_of,
)
from ...progress import SILENT, Progress
from ...reading import SelectorError
from ...reading.selectors import find_actors
from ...recording import Snapshot
from ...texts import listed, say
from ...views.frame_actors import FrameActors, FrameContents, Kind
from ...views.named_signals import chosen_actors, keys_of
from ...views.signal_catalog import texts_of, title_of
from ...views.signal_reading import Series, read_signals
from ...views.units import AS_STORED, Units
from ..panes.scene.camera import Camera
from ..panes.scene.painter import FOLLOWED_WIDTH, FitView, FollowView, RectView, SceneChoices, ScenePainter, SceneSource
from ..panes.scene.painter import View as SceneViewport
from ..panes.scene.scene_view import SceneView
from ..panes.scene.state import MarkedPath, SceneState
from ..panes.signals.figure import Curve, CurvesFigure
from ..panes.signals.series import Trace
from ..session import Session
from ..session.preferences import FollowMode
from ..style.colors import Palette
from ..style.look import PALETTES, PictureLook
from ..style.theme import Theme
from .window_scene import WindowScene, analyser, with_analysis

_SMALL = 11
"""Height of the text of a scene, px of the design: that is what the size of a font is given for."""

_UNITS = 100
"""Units of an SVG for a millimetre."""

_FAMILY = re.compile(rb'font-family="([^"]*)"')
"""A font of this computer; another one has some font, at least."""

_PDF_DPI = 1200
_NOTHING = np.zeros(0)
_CAPTION = 15.0  # px above each picture of a strip
_ROOM = 0.12
"""Of the size of a path, what is seen beside it."""

_LEAST_ROOM = 12.0  # m
_FASTEST = 120.0  # m/s: what is faster was put elsewhere


def look_of(options: PictureOptions, units: Units = AS_STORED) -> PictureLook:
    """Return the colours and fonts of a picture; glyphs are not moved to pixels, which a printer does not have."""
    palette: Palette = PALETTES["print"]
    for mode, other in PALETTES.items():
        if mode == options.theme:
            palette = other
    look = PictureLook(palette, units=units)
    for font in (look.font, look.small, look.bold, look.small_bold, look.tiny, look.heading, look.mono, look.mono_bold):
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return look


def mm_per_pixel(options: PictureOptions) -> float:
    """Return the size of a pixel of the layout, mm."""
    return options.font * MM_PER_POINT / _SMALL


# --- files ------------------------------------------------------------------------------------------------


class Drawing:
    """What is drawn.

    Attributes:
        options: The choices.
        width: Width of the layout, px.
        height: Height of the layout, px.
        title: The title of the file.
        application: What knows the fonts, where it lives no longer than the drawing.
    """

    options: PictureOptions
    width: float
    height: float
    title: str
    application: QCoreApplication | None = None

    def paint(self, painter: QPainter) -> None:
        """Paint it at the origin of a painter, in pixels of the layout."""
        raise NotImplementedError

    def close(self) -> None:
        """Release what it draws with, in the thread that drew."""

    def written(self, kind: str) -> bytes:
        """Return its file; see `formats.picture.Figure`."""
        if kind == "svg":
            return self._as_svg()
        if kind == "pdf":
            return self._as_pdf()
        buffer = _open_buffer()
        QImageWriter(buffer, QByteArray(b"png")).write(self.image(self.options.dpi))
        return _data_of(buffer)

    def _as_svg(self) -> bytes:
        scale = mm_per_pixel(self.options)
        buffer = _open_buffer()
        svg = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)  # Tiny has no clip paths
        svg.setOutputDevice(buffer)
        svg.setResolution(round(MM_PER_INCH * _UNITS))
        svg.setSize(QSize(round(self.width * scale * _UNITS), round(self.height * scale * _UNITS)))
        svg.setViewBox(QRectF(0, 0, self.width, self.height))
        svg.setTitle(self.title)
        svg.setDescription("Recorder Editor")
        _paint_on(svg, self, 1.0)
        return _FAMILY.sub(rb'font-family="\1, sans-serif"', _data_of(buffer))

    def _as_pdf(self) -> bytes:
        scale = mm_per_pixel(self.options)
        buffer = _open_buffer()
        pdf = QPdfWriter(buffer)
        size = QSizeF(self.width * scale, self.height * scale)
        pdf.setPageSize(QPageSize(size, QPageSize.Unit.Millimeter, "", QPageSize.SizeMatchPolicy.ExactMatch))
        pdf.setPageMargins(QMarginsF(0, 0, 0, 0))
        pdf.setResolution(_PDF_DPI)
        pdf.setTitle(self.title)
        pdf.setCreator("Recorder Editor")
        _paint_on(pdf, self, scale * _PDF_DPI / MM_PER_INCH)
        return _data_of(buffer)

    def image(self, dpi: float) -> QImage:
        """Return it in pixels.

        Raises:
            PictureError: There is not enough memory.
        """
        pixels = mm_per_pixel(self.options) * dpi / MM_PER_INCH
        image = QImage(round(self.width * pixels), round(self.height * pixels), QImage.Format.Format_RGB32)
        if image.isNull():
            raise PictureError(say("There is not enough memory for a picture of this size."))
        image.fill(Qt.GlobalColor.white)
        image.setDotsPerMeterX(round(dpi / MM_PER_INCH * 1000))
        image.setDotsPerMeterY(round(dpi / MM_PER_INCH * 1000))
        _paint_on(image, self, pixels)
        return image


def _open_buffer() -> QBuffer:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    return buffer


def _data_of(buffer: QBuffer) -> bytes:
    return bytes(buffer.data().data())


def _refuse_empty(frames: range) -> None:
    """Refuse to draw nothing.

    Raises:
        PictureError: There is no frame.
    """
    if not len(frames):
        raise PictureError(say("There are no frames to show."))


def _paint_on(device: QPaintDevice, drawing: Drawing, scale: float) -> None:
    painter = QPainter(device)
    try:
        painter.scale(scale, scale)
        drawing.paint(painter)
    finally:
        painter.end()


# --- the scene --------------------------------------------------------------------------------------------


class _Panel(NamedTuple):
    """A picture of a strip.

    Attributes:
        place: Its place, px.
        frame: Index of its frame.
        caption: What stands above it; empty for one picture alone.
    """

    place: QRectF
    frame: int
    caption: str


class ScenePicture(Drawing):
    """The scene at moments, or the paths between them."""

    def __init__(self, source: SceneSource, options: PictureOptions, frames: range, look: PictureLook) -> None:
        """Lay the picture out.

        Args:
            source: What is painted.
            options: The choices.
            frames: The range of a path.
            look: Colours and fonts.

        Raises:
            SelectorError: There is no such actor or moment.
            PictureChoiceError: The choices are wrong.
        """
        self._source = source
        _refuse_empty(frames)
        self.options = options
        self._look = look
        snapshot = source.snapshot
        self._actors = chosen_actors(snapshot, options.actors)
        if options.path and not self._actors:
            raise SelectorError(say("No actor has the role hero; name the actors of the paths."))
        self._frames = frames
        self._moments = moments_of(options, snapshot, frames)
        self._painter = ScenePainter(source, look, _choices_of(options, self._actors))
        scale = mm_per_pixel(options)
        self.width = options.width / scale
        self.title = listed([self._time_text(frame) for frame in self._moments], "clauses")
        self._panels = self._placed(scale)

    def close(self) -> None:
        """Release the layers, in the thread that made them."""
        self._painter.release()

    def _placed(self, scale: float) -> list[_Panel]:
        """Return the pictures in their places, and set the height."""
        shown = self._moments[-1:] if self.options.path else self._moments
        count = len(shown)
        columns = columns_of(self.options, count)
        rows = ceil(count / columns)
        gap = BETWEEN / scale
        above = _CAPTION if count > 1 else 0.0
        width = (self.width - (columns - 1) * gap) / columns
        height = width / SIDES
        if self.options.height is not None:
            height = (self.options.height / scale - (rows - 1) * gap) / rows - above
        if min(width, height) < 4 * _CAPTION:
            raise PictureChoiceError(
                say(
                    "The pictures are too small for text of {font:g} pt: choose a larger width, or fewer columns.",
                    font=self.options.font,
                )
            )
        self.height = rows * (height + above) + (rows - 1) * gap
        panels = []
        for number, frame in enumerate(shown):
            row, column = divmod(number, columns)
            place = QRectF(column * (width + gap), row * (height + above + gap) + above, width, height)
            caption = ""
            if count > 1:
                caption = f"({_letter(number)})  {self._time_text(frame)}"
            panels.append(_Panel(place, frame, caption))
        return panels

    def _time_text(self, frame: int) -> str:
        elapsed = self._source.snapshot.elapsed
        return self._look.units.time_label(float(elapsed[frame]), float(elapsed[-1]))

    def paint(self, painter: QPainter) -> None:
        painter.fillRect(QRectF(0, 0, self.width, self.height), self._look.palette.scene)
        for panel in self._panels:
            painter.save()
            painter.translate(panel.place.topLeft())
            inside = QRectF(0, 0, panel.place.width(), panel.place.height())
            if panel.caption:
                painter.setFont(self._look.small)
                painter.setPen(self._look.palette.text)
                above = QRectF(0, -_CAPTION, inside.width(), _CAPTION - 2)
                painter.drawText(above, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, panel.caption)
            if len(self._panels) > 1:  # else the edge of the file cuts it
                painter.setClipRect(inside)
            self._painter.paint_state(painter, self._state(panel.frame, inside))
            painter.setClipping(False)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._look.palette.edge, 0.8))
            painter.drawRect(inside.adjusted(0.4, 0.4, -0.4, -0.4))
            painter.restore()

    def _state(self, frame: int, pane: QRectF) -> SceneState:
        size = (pane.width(), pane.height())
        if not self.options.path:
            state = self._painter.state(frame, self._camera(frame, size))
            actors = state.actors
            seen = np.flatnonzero(actors.kind != Kind.SPECTATOR)  # the simulator's own view, and drawn as pixels
            return replace(state, contents=replace(state.contents, actors=_part_of(actors, seen)))
        paths = self._marked_paths()
        camera = self._camera_of_paths(paths, size)
        state = self._painter.state(frame, camera)
        return replace(state, contents=self._several_moments(), marked_paths=paths, trails=(), message="")

    def _camera(self, frame: int, size: tuple[float, float]) -> Camera:
        options = self.options
        corners = corners_in(options.area)
        view: SceneViewport = FitView(range(self._moments[0], self._moments[-1] + 1))
        if corners is not None:
            view = RectView(QRectF(corners[0], corners[1], corners[2] - corners[0], corners[3] - corners[1]))
        elif options.follow:
            followed = _one_actor(self._source.snapshot, options.follow)
            mode: FollowMode = "up" if options.mode == "up" else "middle"
            view = FollowView(followed, mode, options.across or FOLLOWED_WIDTH)
        return self._painter.camera(view, frame, size)

    # --- paths ------------------------------------------------------------------------------------------

    def _marked_paths(self) -> tuple[MarkedPath, ...]:
        """Return the paths of the chosen actors in the range, with the moments as their marks.

        Raises:
            SelectorError: None of them is anywhere in it.
        """
        times = self._source.snapshot.elapsed
        paths = []
        for actor in self._actors:
            x, y = self._path_of(actor)
            marks = []
            for frame in self._moments:
                actors = self._source.contents(frame).actors
                index = actors.index_of(actor)
                if index is not None and frame in self._frames:
                    text = say("{seconds:g} s", seconds=round(float(times[frame]), 1))
                    marks.append((float(actors.x[index]), float(actors.y[index]), text))
            if len(x) or marks:
                paths.append(MarkedPath(actor, self._color_of(actor), x, y, tuple(marks)))
        if not paths:
            raise SelectorError(say("None of the chosen actors has a position in this range."))
        return tuple(paths)

    def _path_of(self, actor: int) -> tuple[FloatArray, FloatArray]:
        """Return the places of an actor in the range, m, with NaN where it was put elsewhere."""
        times = self._source.snapshot.elapsed
        xs = [np.zeros(0)]
        ys = [np.zeros(0)]
        for trajectory in self._source.survey.trajectories:
            if trajectory.actor != actor:
                continue
            points = trajectory.path
            is_in = (points["frame"] >= self._frames.start) & (points["frame"] < self._frames.stop)
            points = points[is_in]
            x = points["x"].astype(np.float64)
            y = points["y"].astype(np.float64)
            steps = np.hypot(np.diff(x), np.diff(y))
            seconds = np.maximum(np.diff(times[points["frame"]]), 1e-6)
            jumps = np.flatnonzero(steps / seconds > _FASTEST) + 1
            xs += [np.insert(x, jumps, np.nan), np.full(1, np.nan)]
            ys += [np.insert(y, jumps, np.nan), np.full(1, np.nan)]
        return np.concatenate(xs), np.concatenate(ys)

    def _color_of(self, actor: int) -> QColor:
        """Return the colour of an actor's path: that of heroes, or of its class."""
        lives = self._source.traits.actors.of_id(actor)
        if any(life.is_hero for life in lives):
            return self._look.palette.hero
        return self._look.palette.edge_of(self._look.palette.class_color(lives[0].class_))

    def _camera_of_paths(self, paths: Sequence[MarkedPath], size: tuple[float, float]) -> Camera:
        """Return a camera that shows an area, or else all of the paths."""
        if self.options.area:
            return self._camera(self._moments[-1], size)
        xs = [path.x[np.isfinite(path.x)] for path in paths]
        ys = [path.y[np.isfinite(path.y)] for path in paths]
        for path in paths:
            xs.append(np.array([mark[0] for mark in path.marks]))
            ys.append(np.array([mark[1] for mark in path.marks]))
        x = np.concatenate(xs)
        y = np.concatenate(ys)
        beside = max(_LEAST_ROOM, _ROOM * max(float(np.ptp(x)), float(np.ptp(y))))
        box = QRectF(float(x.min()), float(y.min()), float(np.ptp(x)), float(np.ptp(y)))
        view = RectView(box.adjusted(-beside, -beside, beside, beside))
        return self._painter.camera(view, self._moments[-1], size)

    def _several_moments(self) -> FrameContents:
        """Return the chosen actors as they are at each of the moments; rings are round the last ones alone."""
        parts = []
        for frame in self._moments:
            actors = self._source.contents(frame).actors
            chosen = np.array(actors.indices_of(self._actors), np.int64)
            part = _part_of(actors, chosen)
            parts.append(replace(part, hero=part.hero & (frame == self._moments[-1])))
        last = self._source.contents(self._moments[-1])
        return replace(last, actors=_joined(parts), lights=(), rays=())


def _part_of(actors: FrameActors, chosen: IntArray) -> FrameActors:
    """Return some of the actors of a frame, by index."""
    return FrameActors(*(getattr(actors, member.name)[chosen] for member in fields(actors)))


def _joined(parts: Sequence[FrameActors]) -> FrameActors:
    return FrameActors(
        *(np.concatenate([getattr(part, member.name) for part in parts]) for member in fields(FrameActors))
    )


def _choices_of(options: PictureOptions, actors: tuple[int, ...]) -> SceneChoices:
    choices = replace(SceneChoices.of(options), trails=False)
    if options.path:
        return replace(choices, ids=None)
    if options.actors:
        return replace(choices, selected=actors)
    return choices


def _one_actor(snapshot: Snapshot, selector: str) -> int:
    """Return the id of the one actor that a selector matches.

    Raises:
        SelectorError: It matches none.
        PictureChoiceError: It matches several.
    """
    actors = sorted({span.actor for span in find_actors(snapshot, [selector])})
    if len(actors) > 1:
        ids = listed([str(actor) for actor in actors[:8]])
        raise PictureChoiceError(say("{selector} is more than one actor: {ids}.", selector=selector, ids=ids))
    return actors[0]


def _letter(number: int) -> str:
    return chr(ord("a") + number)


# --- signals ----------------------------------------------------------------------------------------------


class SignalsPicture(Drawing):
    """Signals over the range."""

    def __init__(
        self, curves: Sequence[Curve], span: tuple[float, float], options: PictureOptions, look: PictureLook
    ) -> None:
        """Lay the picture out.

        Args:
            curves: The signals.
            span: The first and the last moment, s.
            options: The choices.
            look: Colours and fonts.

        Raises:
            PictureChoiceError: There is nothing to draw.
        """
        self.options = options
        if not curves:
            raise PictureChoiceError(say("These signals have no value in this range."))
        if not span[1] > span[0]:
            raise PictureChoiceError(say("Signals over time need more than one frame."))
        scale = mm_per_pixel(options)
        height = None
        if options.height is not None:
            height = options.height / scale
        self._figure = CurvesFigure(look, curves, span, options.width / scale, height)
        self.width = self._figure.width
        self.height = self._figure.height
        self.title = listed([curve.title for curve in curves])

    def paint(self, painter: QPainter) -> None:
        self._figure.paint(painter)


def _span_of(snapshot: Snapshot, frames: range) -> tuple[float, float]:
    _refuse_empty(frames)
    times = snapshot.elapsed
    return float(times[frames.start]), float(times[frames.stop - 1])


def _curves_of(snapshot: Snapshot, options: PictureOptions, frames: range) -> list[Curve]:
    """Return the signals that have a value in a range.

    Raises:
        SelectorError: There is no such actor or signal.
    """
    keys = keys_of(options.signals, snapshot, chosen_actors(snapshot, options.actors))
    result = read_signals(snapshot, keys, None, None)
    for reason in result.refused.values():
        raise SelectorError(reason)
    curves = []
    for key in keys:
        texts = texts_of(key, snapshot.dialect)
        curve = _curve_in(
            snapshot,
            frames,
            result.series[key],
            Curve(title_of(key, snapshot.dialect), texts.unit, _NOTHING, _NOTHING, texts.is_stepped),
        )
        if curve is not None:
            curves.append(curve)
    return curves


def _curve_in(snapshot: Snapshot, frames: range, series: Series, curve: Curve, factor: float = 1.0) -> Curve | None:
    """Return a signal with its values in a range; None without any."""
    is_in = (series.frames >= frames.start) & (series.frames < frames.stop)
    values = series.values[is_in] * factor
    if not np.isfinite(values).any():
        return None
    return curve._replace(times=snapshot.elapsed[series.frames[is_in]], values=values)


# --- what makes them --------------------------------------------------------------------------------------


def make_figure(snapshot: Snapshot, options: PictureOptions, frames: range, progress: Progress = SILENT) -> Drawing:
    """Lay out a picture, in the language that is spoken; see `formats.picture.MakeFigure`.

    Makes a QGuiApplication where there is none.
    """
    application = QGuiApplication.instance() or QGuiApplication([__package__])
    look = look_of(options)
    drawing: Drawing
    if options.signals:
        curves = _curves_of(snapshot, options, frames)
        drawing = SignalsPicture(curves, _span_of(snapshot, frames), options, look)
    else:
        source = SceneSource.of(snapshot, snapshot.roads, progress=progress)
        source = with_analysis(source, analyser(options), progress)
        drawing = ScenePicture(source, options, frames, look)
    drawing.application = application
    return drawing


class WindowFigures:
    """Lays out pictures of what the window shows; the recording is read once for all of them."""

    def __init__(self, session: Session, theme: Theme, scene: SceneView | None, traces: Sequence[Trace]) -> None:
        """Make what draws.

        Args:
            session: The session of the window.
            theme: Its theme, for the units.
            scene: Its scene; None while there is none.
            traces: The signals that are plotted and not hidden.
        """
        self._session = session
        self._theme = theme
        self._scene = scene
        self._traces = tuple(traces)
        self._recording = WindowScene(session)

    @property
    def has_signals(self) -> bool:
        """Whether signals are plotted."""
        return bool(self._traces)

    def shown_area(self) -> str | None:
        """Return what the scene shows, as `PictureOptions.area`; None where there is nothing in it, or it is turned."""
        scene = self._scene
        if scene is None or scene.contents.frame is None or scene.camera.angle:
            return None
        view = scene.camera.view
        corners = (view.left(), view.top(), view.right(), view.bottom())
        return ",".join(f"{value:.2f}" for value in corners)

    def figure(self, options: PictureOptions, frames: range, *, of_signals: bool) -> Callable[[Progress], Drawing]:
        """Return what lays out a picture, for a thread.

        Args:
            options: The choices.
            frames: The range of paths and signals.
            of_signals: Draw the plotted signals, in the place of the scene.
        """
        snapshot = self._session.snapshot_or_refuse()
        read = self._recording.reading(options)
        look = look_of(options, self._theme.units)
        traces = self._traces

        def make(progress: Progress) -> Drawing:
            if of_signals:
                curves = _curves_of_traces(snapshot, frames, traces)
                return SignalsPicture(curves, _span_of(snapshot, frames), options, look)
            return ScenePicture(read(progress), options, frames, look)

        return make


def _curves_of_traces(snapshot: Snapshot, frames: range, traces: Sequence[Trace]) -> list[Curve]:
    curves = []
    for trace in traces:
        empty = Curve(trace.title, trace.unit, _NOTHING, _NOTHING, trace.holds)
        curve = _curve_in(snapshot, frames, trace.series, empty, trace.factor)
        if curve is not None:
            curves.append(curve)
    return curves
