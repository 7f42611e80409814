"""The pictures of a video: the scene without a window, a title above it, the time in a corner, the timeline below."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QCoreApplication, QRectF, Qt
from PySide6.QtGui import QFont, QImage, QPainter
from PySide6.QtWidgets import QApplication

from ...arrays import ByteArray
from ...formats.video import VideoChoiceError, VideoError, VideoOptions, picture_size, text_scale
from ...formats.video.options import place_in
from ...progress import SILENT, Progress
from ...reading.selectors import find_actors
from ...recording import Snapshot
from ...texts import listed, say
from ...views.named_signals import chosen_actors
from ...views.units import AS_STORED, Units
from ..dialogs.video import ShownView
from ..panes.scene.camera import Camera
from ..panes.scene.painter import (
    FOLLOWED_WIDTH,
    FitView,
    FollowView,
    RectView,
    SceneChoices,
    ScenePainter,
    SceneSource,
    View,
)
from ..panes.scene.scene_view import SceneView
from ..panes.timeline.timeline_view import TimelineView
from ..session import Session
from ..style.colors import Palette, with_alpha
from ..style.look import PALETTES, Look, PictureLook
from ..style.painting import draw_text
from ..style.theme import Theme
from .film_strips import PlottedSignals, Strips, make_strips, named_signals, session_of
from .window_scene import WindowScene, analyser, with_analysis

_EDGE = 14.0  # px from the edges, as the instruments of the scene
_PADDING = 6.0
_MOST_TOLD = 6  # actors
_CORNERS = 130.0
"""Pixels at both sides of the title that are left to the time and to the arrow of north."""


def followed_actor(snapshot: Snapshot, selector: str) -> int:
    """Return the id of the one actor that a selector matches.

    Raises:
        SelectorError: It matches none, or is invalid.
        VideoChoiceError: It matches several.
    """
    actors = sorted({span.actor for span in find_actors(snapshot, [selector])})
    if len(actors) > 1:
        names = [str(actor) for actor in actors[:_MOST_TOLD]]
        if len(actors) > _MOST_TOLD:
            names.append("…")
        ids = listed(names)
        raise VideoChoiceError(say("{selector} is more than one actor: {ids}. Follow one.", selector=selector, ids=ids))
    return actors[0]


def view_of(options: VideoOptions, snapshot: Snapshot, frames: range, sides: float) -> View:
    """Return which part of the world a video shows.

    Args:
        options: The choices.
        snapshot: The state of the recording.
        frames: The frames of the video.
        sides: The height of the scene for its width.

    Raises:
        SelectorError: There is no such actor.
        VideoChoiceError: Several are to be followed, or a text is no place.
    """
    across = options.across or FOLLOWED_WIDTH
    if options.follow:
        actor = followed_actor(snapshot, options.follow)
        if options.mode == "up":
            return FollowView(actor, "up", across)
        if options.mode == "keep":
            return FollowView(actor, "keep", across)
        return FollowView(actor, "middle", across)
    if options.center:
        x, y = place_in(options.center)
        high = across * sides
        return RectView(QRectF(x - across / 2, y - high / 2, across, high))
    return FitView(frames)


def look_of(options: VideoOptions, units: Units = AS_STORED) -> Look:
    """Return the colours and fonts of a video, which shows quantities in these units; there is a QGuiApplication."""
    return PictureLook(palette_of(options), units=units)


def palette_of(options: VideoOptions) -> Palette:
    """Return the colours of a video."""
    for mode, palette in PALETTES.items():
        if mode == options.theme:
            return palette
    raise ValueError(options.theme)


class SceneFilm:
    """Paints the pictures of a video, all into the same memory.

    Attributes:
        camera: Which part of the world the last picture shows; None before the first one.
        application: What knows the fonts, where it lives no longer than the film.
    """

    application: QCoreApplication | None = None

    def __init__(
        self, source: SceneSource, look: Look, options: VideoOptions, frames: range, strips: Strips | None = None
    ) -> None:
        """Make the film, in the thread that paints.

        Args:
            source: What is painted.
            look: Colours, fonts and units.
            options: The choices; those of the file do not matter.
            frames: The frames of the video.
            strips: What is below the scene; None: nothing is.

        Raises:
            SelectorError: There is no such actor.
            VideoChoiceError: The choices are wrong.
            VideoError: There is not enough memory.
        """
        width, height = picture_size(options)
        self._options = options
        self._scale = text_scale(options)
        lines = height
        if strips is not None:
            lines -= strips.lines
        self._strips = strips
        self._size = (width / self._scale, lines / self._scale)
        self._view = view_of(options, source.snapshot, frames, lines / width)
        choices = SceneChoices.of(options)
        if options.actors:
            choices = replace(choices, selected=chosen_actors(source.snapshot, options.actors))
        self._painter = ScenePainter(source, look, choices)
        self._look = look
        self.camera: Camera | None = None
        self._image = QImage(width, height, QImage.Format.Format_RGB32)
        if self._image.isNull():
            raise VideoError(say("There is not enough memory for pictures of this size."))
        self._image.setDevicePixelRatio(self._scale)

    def picture(self, frame_index: int) -> ByteArray:
        """Paint a frame; see `formats.video.Film`."""
        camera = self._painter.camera(self._view, frame_index, self._size, self.camera)
        if self._options.across and not self._options.follow:
            camera = camera._replace(scale=self._size[0] / self._options.across)
        self.camera = camera
        texts = self._texts(frame_index)
        state = self._painter.state(frame_index, camera)
        state = replace(state, covered=tuple(place for place, _, _ in texts))
        if self._strips is not None:
            self._strips.paint(self._image)
        painter = QPainter(self._image)
        try:
            painter.save()
            if self._strips is not None:  # else the edge of the picture cuts it
                painter.setClipRect(state.camera.pane)
            self._painter.paint_state(painter, state)
            for place, text, font in texts:
                self._write(painter, place, text, font)
            painter.restore()
            if self._strips is not None:
                self._strips.paint_cursors(painter, self._size[1], frame_index)
        finally:
            painter.end()
        height = self._image.height()
        return np.frombuffer(self._image.constBits(), np.uint8).reshape(height, -1, 4)

    def close(self) -> None:
        """Release the layers, in the thread that made them."""
        self._painter.release()

    def _texts(self, frame_index: int) -> list[tuple[QRectF, str, QFont]]:
        """Return what is written over the scene: where (px), and in which font."""
        look = self._look
        texts = []
        if self._options.clock:
            elapsed = self._painter.source.snapshot.elapsed
            time = look.units.time_label(float(elapsed[frame_index]), float(elapsed[-1]))
            text = say("{time}, frame {frame:,}", time=time, frame=frame_index + 1)
            width = look.metrics(look.font).horizontalAdvance(text) + 2 * _PADDING
            texts.append((QRectF(_EDGE - _PADDING, _EDGE - _PADDING, width, look.px(22)), text, look.font))
        if self._options.title:
            room = max(60.0, self._size[0] - 2 * _CORNERS)
            metrics = look.metrics(look.heading)
            text = metrics.elidedText(self._options.title, Qt.TextElideMode.ElideRight, round(room - 2 * _PADDING))
            width = metrics.horizontalAdvance(text) + 2 * _PADDING
            place = QRectF((self._size[0] - width) / 2, _EDGE - _PADDING, width, look.px(30))
            texts.append((place, text, look.heading))
        return texts

    def _write(self, painter: QPainter, place: QRectF, text: str, font: QFont) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(with_alpha(self._look.palette.scene, 0.85))
        painter.drawRoundedRect(place, 3, 3)
        draw_text(painter, place, text, font, self._look.palette.text, Qt.AlignmentFlag.AlignCenter)


def make_film(snapshot: Snapshot, options: VideoOptions, frames: range, progress: Progress = SILENT) -> SceneFilm:
    """Return what paints the pictures of a video, in the language that is spoken; makes a QGuiApplication without one.

    Args:
        snapshot: The state of the recording, with its road map.
        options: The choices.
        frames: The frames of the video, indices from 0.
        progress: Counts frames that are read beforehand.

    Raises:
        VideoChoiceError: The choices are wrong.
        SelectorError: There is no actor to follow.
        OSError: The recording cannot be read.
    """
    application = QApplication.instance() or QApplication([__package__])
    reading = progress.part(0.0, 0.5)
    source = SceneSource.of(snapshot, snapshot.roads, progress=reading)
    source = with_analysis(source, analyser(options), progress.quiet())
    strips = None
    if options.timeline or options.signals:
        signals = named_signals(source, options, progress.part(0.5, 0.6))
        session = session_of(source, progress.part(0.6, 1.0))
        strips = make_strips(session, options, frames, palette_of(options), signals=signals)
    progress.update(1, 1)
    film = SceneFilm(source, look_of(options), options, frames, strips)
    film.application = application
    return film


class WindowStudio:
    """Makes films of what the window shows; the recording is read once for all of them."""

    def __init__(
        self,
        session: Session,
        theme: Theme,
        scene: SceneView | None,
        timeline: TimelineView | None = None,
        signals: PlottedSignals | None = None,
    ) -> None:
        """Make the studio.

        Args:
            session: The session of the window.
            theme: Its theme, for the units.
            scene: Its scene; None while there is none.
            timeline: Its timeline; None while there is none.
            signals: The signals that are plotted and not hidden; None: there are none.
        """
        self._recording = WindowScene(session)
        self._session = session
        self._theme = theme
        self._scene = scene
        self._timeline = timeline
        self._signals = signals

    @property
    def plotted(self) -> tuple[str, ...]:
        """The titles of the signals that are plotted."""
        if self._signals is None:
            return ()
        return tuple(trace.title for trace in self._signals.traces)

    def film(self, options: VideoOptions, frames: range) -> Callable[[Progress], SceneFilm]:
        """Return what makes the painter of a video, for a thread; any signals that it has are those of the window."""
        read = self._recording.reading(options)
        look = look_of(options, self._theme.units)
        strips = None
        with suppress(VideoChoiceError):  # which the film raises again
            strips = self._strips(options, frames)
        return lambda progress: SceneFilm(read(progress), look, options, frames, strips)

    def _strips(self, options: VideoOptions, frames: range) -> Strips | None:
        signals = None
        if options.signals:
            signals = self._signals
        return make_strips(
            self._session,
            options,
            frames,
            palette_of(options),
            signals=signals,
            like=self._timeline,
            units=self._theme.units,
        )

    def shown_view(self) -> ShownView | None:
        """Return what the scene shows; None where there is nothing in it."""
        scene = self._scene
        if scene is None or scene.contents.frame is None:
            return None
        camera = scene.camera
        return ShownView(f"{camera.x:.2f},{camera.y:.2f}", round(camera.width / camera.scale, 2))
