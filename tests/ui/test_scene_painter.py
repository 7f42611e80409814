"""A frame that is painted without a window is, pixel by pixel, what the scene shows at that size and in that view."""

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRectF, QSize, QSizeF
from PySide6.QtGui import QImage, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator
from pytestqt.qtbot import QtBot

from recorder_editor.ui.panes.scene.painter import (
    FitView,
    FollowView,
    RectView,
    SceneChoices,
    ScenePainter,
    SceneSource,
)
from recorder_editor.ui.panes.scene.scene_view import SceneView
from recorder_editor.ui.session import Session
from recorder_editor.ui.session.preferences import FollowMode
from recorder_editor.ui.style.colors import DARK, LIGHT
from recorder_editor.ui.style.look import PALETTES, Look, PictureLook, PictureMode
from recorder_editor.ui.style.theme import Theme

from ..real_recordings import MAPS
from .test_roads import MAP
from .test_scene import BIKE, HERO, PARKED, town

SIZE = (640, 400)


def pixels(image: QImage) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    rgb = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(rgb.constBits(), np.uint8).reshape(rgb.height(), rgb.bytesPerLine())
    return rows[:, : rgb.width() * 3].reshape(rgb.height(), rgb.width(), 3).copy()


def differing(first: QImage, second: QImage) -> int:
    """How many pixels differ."""
    assert first.size() == second.size()
    return int((pixels(first) != pixels(second)).any(axis=2).sum())


@pytest.fixture
def show(qtbot: QtBot, theme: Theme, session: Session) -> Callable[..., SceneView]:
    """Opens a recording in a scene of 640 x 400, with a map or without, and without what lies over it."""

    def make(path: Path, xodr: Path | None = None) -> SceneView:
        if xodr is not None:
            session.roads.give(xodr)
        view = SceneView(session, theme)
        view.show_overview(False)
        qtbot.addWidget(view)
        view.resize(*SIZE)
        view.show()
        session.open(path)
        qtbot.waitUntil(lambda: session.background.trajectories is not None and not session.roads.is_busy)
        assert (session.roads.map is None) == (xodr is None)
        view.street_caption.hide()
        seen(qtbot, view)
        return view

    return make


@pytest.fixture
def drive(show: Callable[..., SceneView], tmp_path: Path) -> SceneView:
    """A hero that drives along a street of a map."""
    (tmp_path / "town.log").write_bytes(town())
    (tmp_path / "street.xodr").write_bytes(MAP)
    return show(tmp_path / "town.log", tmp_path / "street.xodr")


def seen(qtbot: QtBot, view: SceneView) -> QImage:
    """What the scene shows once nothing of it is prepared or drawn."""
    view.viewport().grab()
    qtbot.waitUntil(lambda: not (view.session.jobs.running or view.is_drawing))
    return view.viewport().grab().toImage()


def painter_of(view: SceneView, look: Look | None = None, choices: SceneChoices | None = None) -> ScenePainter:
    session = view.session
    assert session.snapshot is not None
    source = SceneSource.of(session.snapshot, session.roads.map, session.background.trajectories)
    return ScenePainter(source, look or view.theme, choices)


def agree(qtbot: QtBot, view: SceneView, painter: ScenePainter, frames: int) -> None:
    """Fail unless frames all over the recording are the same in the window and without it."""
    for frame_index in np.linspace(0, view.session.frames - 1, frames).astype(int).tolist():
        view.session.selection.go_to_frame(frame_index)
        assert differing(seen(qtbot, view), painter.image(frame_index, view.camera)) == 0, frame_index


def test_ten_frames_are_those_of_the_window(drive: SceneView, qtbot: QtBot) -> None:
    agree(qtbot, drive, painter_of(drive), frames=10)


def test_recorded_paths_all_ids_and_colours_are_those_of_the_window(
    show: Callable[..., SceneView], tmp_path: Path, qtbot: QtBot
) -> None:
    (tmp_path / "town.log").write_bytes(town())
    view = show(tmp_path / "town.log")
    view.set_ids_mode("all")
    view.set_color_by("speed")
    agree(qtbot, view, painter_of(view, choices=SceneChoices(ids="all", color_by="speed")), frames=3)


def test_a_selected_actor_has_its_ring_and_trail(drive: SceneView, qtbot: QtBot) -> None:
    drive.session.selection.go_to_frame(30)
    drive.session.selection.select_actor(BIKE)
    seen(qtbot, drive)
    painter = painter_of(drive, choices=SceneChoices(selected=(BIKE,)))
    assert differing(seen(qtbot, drive), painter.image(30, drive.camera)) == 0


def test_a_dark_picture_beside_a_light_window_is_that_of_a_dark_one(
    drive: SceneView, theme: Theme, qtbot: QtBot
) -> None:
    painter = painter_of(drive, PictureLook(DARK))
    picture = painter.image(0, drive.camera)
    assert theme.palette is LIGHT
    theme.set_mode("dark")
    assert differing(seen(qtbot, drive), picture) == 0


def test_an_actor_is_followed_as_in_the_window(drive: SceneView, qtbot: QtBot) -> None:
    drive.follow_actor(HERO)
    painter = painter_of(drive)
    modes: tuple[FollowMode, ...] = ("keep", "middle", "up")
    for mode in modes:
        drive.session.selection.go_to_frame(0)
        drive.set_follow_mode(mode)
        view = FollowView(HERO, mode, width=SIZE[0] / drive.camera.scale)
        camera = drive.camera
        for frame_index in (20, 40, 59):
            drive.session.selection.go_to_frame(frame_index)
            camera = painter.camera(view, frame_index, SIZE, camera)
            assert camera == pytest.approx(drive.camera), mode
        assert differing(seen(qtbot, drive), painter.image(59, camera)) == 0, mode


def test_a_view_shows_a_rectangle_all_road_users_or_an_actor_that_is_not_there_yet(drive: SceneView) -> None:
    painter = painter_of(drive)
    rect = QRectF(-10.0, -20.0, 60.0, 30.0)
    camera = painter.camera(RectView(rect), 0, SIZE)
    assert camera.view.contains(rect)
    assert camera.view.width() == pytest.approx(60.0)
    first = painter.camera(FitView(), 0, SIZE)
    drive.fit()
    assert first == drive.camera
    whole = painter.camera(FitView(range(60)), 0, SIZE)
    assert whole == painter.camera(FitView(range(60)), 59, SIZE)
    assert whole.view.contains(29.5, 0.0)
    assert painter.camera(FollowView(4711), 0, SIZE) == first
    assert painter.camera(FollowView(4711), 0, SIZE, whole) == whole


def test_a_ratio_gives_more_pixels_to_the_same_picture(drive: SceneView) -> None:
    painter = painter_of(drive)
    camera = painter.camera(FollowView(PARKED), 0, SIZE)
    picture = painter.image(0, camera, 2.0)
    assert picture.size() == QSize(1280, 800)
    scaled = QImage(1280, 800, QImage.Format.Format_RGB32)
    canvas = QPainter(scaled)
    canvas.scale(2.0, 2.0)
    painter.paint(canvas, 0, camera)
    canvas.end()
    assert differing(picture, scaled) == 0


def test_on_paper_everything_is_lines_and_areas(drive: SceneView) -> None:
    painter = painter_of(drive)
    camera = painter.camera(FitView(), 0, SIZE)
    svg = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    text = QBuffer()
    svg.setOutputDevice(text)
    svg.setViewBox(QRectF(camera.pane))
    page = QBuffer()
    page.open(QIODevice.OpenModeFlag.WriteOnly)
    pdf = QPdfWriter(page)
    pdf.setResolution(72)
    pdf.setPageSize(QPageSize(QSizeF(*SIZE), QPageSize.Unit.Point))
    pdf.setPageMargins(QMarginsF())
    for device in (svg, pdf):
        canvas = QPainter(device)
        painter.paint(canvas, 0, camera)
        canvas.end()
    assert LIGHT.road.name().encode() in text.data().data()
    assert b"<image" not in text.data().data()
    assert b"/Subtype /Image" not in page.data().data()


def test_a_thread_paints_while_the_window_does_something_else(drive: SceneView) -> None:
    drive.session.selection.go_to_frame(7)
    look = PictureLook(drive.theme.palette)
    camera = drive.camera
    pictures = []

    def paint() -> None:
        pictures.append(painter_of(drive, look).image(7, camera))

    thread = threading.Thread(target=paint)
    thread.start()
    thread.join()
    assert differing(pictures[0], painter_of(drive).image(7, camera)) == 0


@pytest.mark.long
@pytest.mark.parametrize("mode", [mode for mode in PALETTES if mode != "print"])  # a window never has that one
@pytest.mark.parametrize(
    ("recording", "xodr"),
    [
        ("carla-0.9.13-town05-collisions.log", "Town05.xodr"),
        ("carla-0.9.15-town05-bikes.log", "Town05.xodr"),
        ("carla-0.9.13-town01.log", "Town01.xodr"),
    ],
)
def test_ten_frames_of_real_recordings_are_those_of_the_window(
    show: Callable[..., SceneView],
    recordings: Path,
    theme: Theme,
    qtbot: QtBot,
    mode: PictureMode,
    recording: str,
    xodr: str,
) -> None:
    theme.set_mode(mode)
    view = show(recordings / recording, MAPS / xodr)
    agree(qtbot, view, painter_of(view, PictureLook(PALETTES[mode])), frames=10)
