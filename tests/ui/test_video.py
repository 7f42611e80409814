"""Export video: what the dialog chooses and shows, what it writes, and that pictures are those of the window."""

import shlex
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QImageReader
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from recorder_editor import cli, edits
from recorder_editor.arrays import ByteArray
from recorder_editor.demo import make_town
from recorder_editor.edits.segments import Segment
from recorder_editor.formats.video import VideoOptions, shots, write_video
from recorder_editor.progress import SILENT
from recorder_editor.recording import Snapshot, open_recording
from recorder_editor.roads import read_road_map
from recorder_editor.ui.dialogs.video import VideoDialog
from recorder_editor.ui.panes.scene.painter import SceneSource
from recorder_editor.ui.panes.scene.scene_view import SceneView
from recorder_editor.ui.panes.signals.plot import AXIS
from recorder_editor.ui.panes.signals.plot_view import PlotView
from recorder_editor.ui.panes.timeline.canvas import Canvas
from recorder_editor.ui.session import Session
from recorder_editor.ui.shell.film import SceneFilm, WindowStudio, look_of, make_film, palette_of
from recorder_editor.ui.shell.film_strips import PlottedSignals, make_strips, named_signals, session_of
from recorder_editor.ui.style.theme import Theme

from ..real_recordings import PROJECT
from .test_roads import MAP
from .test_scene import HERO, town

SMALL = VideoOptions(size="192x108", rate=10)


@pytest.fixture
def scene(qtbot: QtBot, theme: Theme, session: Session, tmp_path: Path) -> SceneView:
    """The scene of a hero that drives along a street of a map for 6 s."""
    (tmp_path / "town.log").write_bytes(town())
    (tmp_path / "street.xodr").write_bytes(MAP)
    session.roads.give(tmp_path / "street.xodr")
    view = SceneView(session, theme)
    qtbot.addWidget(view)
    view.show_overview(False)
    view.resize(640, 360)
    view.show()
    session.open(tmp_path / "town.log")
    qtbot.waitUntil(lambda: session.background.trajectories is not None and session.roads.map is not None)
    qtbot.waitUntil(lambda: not session.jobs.running)
    return view


@pytest.fixture
def show(qtbot: QtBot, scene: SceneView) -> Iterator[Callable[..., VideoDialog]]:
    """Opens the dialog, and waits for its picture."""
    dialogs: list[VideoDialog] = []

    def make(start: VideoOptions = SMALL, signals: PlottedSignals | None = None) -> VideoDialog:
        studio = WindowStudio(scene.session, scene.theme, scene, signals=signals)
        dialog = VideoDialog(scene.session, scene.theme, studio, start)
        dialogs.append(dialog)
        dialog.open_()
        rest(qtbot, dialog)
        return dialog

    yield make
    for dialog in dialogs:
        if isValid(dialog):  # one that was closed is gone
            dialog.close()


def rest(qtbot: QtBot, dialog: VideoDialog) -> None:
    qtbot.waitUntil(lambda: not dialog.looking.is_pending and not dialog.session.jobs.running)


def choose(qtbot: QtBot, dialog: VideoDialog, **values: object) -> None:
    for name, value in values.items():
        dialog.form.set_value(name, value)
    dialog.on_change()
    rest(qtbot, dialog)


def click_export(qtbot: QtBot, dialog: VideoDialog) -> None:
    qtbot.mouseClick(dialog.go, Qt.MouseButton.LeftButton)


def name_it(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[str]:
    """Answer the question for a name; what is proposed is noted."""
    proposed: list[str] = []

    def answer(_parent: object, _title: str, proposal: str, _kinds: str) -> tuple[str, str]:
        proposed.append(proposal)
        return str(path), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    return proposed


def test_what_is_chosen_is_shown_told_as_a_command_and_written(
    show: Callable[..., VideoDialog], qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = show()
    assert dialog.total.text() == "60 pictures of 192 x 108, 6.0 s"
    dialog.session.segments.set([Segment("braking", 10, 20)])
    dialog.close()
    dialog = show()
    assert dialog.frames == range(60)
    choose(qtbot, dialog, frames=1, follow="hero", theme=1, title="Braking")
    assert dialog.frames == range(10, 20)  # the segment
    assert dialog.total.text() == "10 pictures of 192 x 108, 1.0 s"
    dialog.format.set_current(2)
    rest(qtbot, dialog)
    words = shlex.split(dialog.command_line())
    assert words[:4] == ["recorder-editor", "video", "town.log", "town.gif"]
    parsed = cli.verb_parser("video").parse_args(words[2:])
    assert (parsed.start, parsed.stop) == ("f11", "f21")
    assert cli.options.declared_options(parsed, VideoOptions) == dialog.options()
    proposed = name_it(monkeypatch, tmp_path / "out")
    click_export(qtbot, dialog)
    qtbot.waitUntil(lambda: not dialog.job_panel.is_busy)
    assert proposed == [str(tmp_path / "town.gif")]
    assert dialog.job_panel.sentence.text().startswith("Wrote out.gif (")
    reader = QImageReader(str(tmp_path / "out.gif"))
    assert (reader.imageCount(), reader.size().width()) == (10, 192)


def test_the_view_of_the_scene_is_taken_over(show: Callable[..., VideoDialog], scene: SceneView, qtbot: QtBot) -> None:
    scene.box.set_camera(scene.camera._replace(x=-12.5, y=3.0, scale=8.0))
    dialog = show()
    qtbot.mouseClick(dialog.seen, Qt.MouseButton.LeftButton)
    rest(qtbot, dialog)
    assert (dialog.options().center, dialog.options().across) == ("-12.50,3.00", 80.0)
    parsed = cli.verb_parser("video").parse_args(shlex.split(dialog.command_line())[2:])
    assert cli.options.declared_options(parsed, VideoOptions) == dialog.options()


def test_the_selected_actor_is_followed(show: Callable[..., VideoDialog], scene: SceneView, qtbot: QtBot) -> None:
    scene.session.selection.select_actor(HERO)
    dialog = show()
    qtbot.mouseClick(dialog.selected, Qt.MouseButton.LeftButton)
    rest(qtbot, dialog)
    assert dialog.options().follow == str(HERO)
    assert not dialog.rows["mode"].isHidden()
    assert dialog.rows["center"].isHidden()


def test_timeline_and_plotted_signals_are_shown_below(
    show: Callable[..., VideoDialog], scene: SceneView, qtbot: QtBot
) -> None:
    assert scene.session.snapshot is not None
    dialog = show()
    assert not dialog.form.editors["plotted"].isEnabled()  # none is
    dialog.close()
    dialog = show(VideoOptions(size="640x360"), signals=traces_of(scene.session.snapshot, "speed"))
    bare = dialog.view.grab().toImage()
    choose(qtbot, dialog, timeline=True)
    assert "--timeline" in shlex.split(dialog.command_line())
    with_timeline = dialog.view.grab().toImage()
    assert with_timeline != bare
    choose(qtbot, dialog, plotted=True)
    assert dialog.options().signals == ("1 speed",)
    assert dialog.command_line() == ""  # the window has chosen them
    assert dialog.view.grab().toImage() != with_timeline
    choose(qtbot, dialog, size="640x280")
    assert "300 lines are needed" in dialog.empty.text()


REFUSED: tuple[tuple[dict[str, object], str], ...] = (
    ({"size": "191x108"}, "MP4 wants an even width and height: 190x108 in place of 191x108."),
    ({"follow": "type:vehicle.*"}, "type:vehicle.* is more than one actor: 1, 2, 4. Follow one."),
    ({"follow": "4711"}, "4711"),
    ({"center": "here"}, "'here' is not a place; write it as X,Y in metres."),
)


def test_what_cannot_be_is_told_in_place_of_the_picture(show: Callable[..., VideoDialog], qtbot: QtBot) -> None:
    dialog = show()
    usual = {"size": SMALL.size, "follow": None, "center": None}
    for values, reason in REFUSED:
        choose(qtbot, dialog, **usual)
        assert dialog.go.isEnabled()
        choose(qtbot, dialog, **values)
        assert reason in dialog.empty.text()
        assert not dialog.go.isEnabled()
        assert dialog.total.text() == ""


def test_without_pyav_the_remedy_is_told_and_gif_is_offered(
    show: Callable[..., VideoDialog], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    dialog = show()
    assert "MP4 and WebM videos need PyAV, which is not installed." in dialog.empty.text()
    dialog.format.set_current(2)
    rest(qtbot, dialog)
    assert dialog.go.isEnabled()


def test_cancel_leaves_the_older_file(
    show: Callable[..., VideoDialog], qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = show()
    dialog.format.set_current(2)
    rest(qtbot, dialog)
    out = tmp_path / "out.gif"
    out.write_bytes(b"older")
    paints = threading.Event()
    goes_on = threading.Event()
    picture = SceneFilm.picture

    def slow(self: SceneFilm, frame_index: int) -> object:
        paints.set()
        goes_on.wait(60)
        return picture(self, frame_index)

    monkeypatch.setattr(SceneFilm, "picture", slow)
    name_it(monkeypatch, out)
    click_export(qtbot, dialog)
    qtbot.waitUntil(paints.is_set)
    qtbot.mouseClick(dialog.job_panel.strip.cancel_button, Qt.MouseButton.LeftButton)
    goes_on.set()
    qtbot.waitUntil(lambda: not dialog.job_panel.is_busy and not dialog.session.jobs.running)
    assert out.read_bytes() == b"older"
    assert dialog.job_panel.sentence.text() == "" or "ancel" in dialog.job_panel.sentence.text()


# --- what is in the pictures ------------------------------------------------------------------------------


def image_of(film: SceneFilm, frame_index: int) -> QImage:
    pixels = film.picture(frame_index)
    height, width = pixels.shape[:2]
    return QImage(pixels.tobytes(), width, height, 4 * width, QImage.Format.Format_RGB32)


def test_ten_pictures_are_those_of_the_window(scene: SceneView, qtbot: QtBot) -> None:
    session = scene.session
    assert session.snapshot is not None
    across = scene.camera.width / scene.camera.scale
    center = f"{scene.camera.x!r},{scene.camera.y!r}"
    options = VideoOptions(size="640x360", center=center, across=across)
    source = SceneSource.of(session.snapshot, session.roads.map)
    film = SceneFilm(source, look_of(options), options, range(60))
    for frame_index in range(0, 60, 6):
        session.selection.go_to_frame(frame_index)
        scene.viewport().grab()
        qtbot.waitUntil(lambda: not scene.is_drawing)
        assert image_of(film, frame_index) == scene.viewport().grab().toImage(), frame_index
    film.close()


def pixels_of(image: QImage) -> ByteArray:
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4).copy()


def traces_of(snapshot: Snapshot, *texts: str) -> PlottedSignals:
    signals = named_signals(SceneSource.of(snapshot), VideoOptions(signals=texts))
    assert signals is not None
    return signals


def test_timeline_and_signals_below_are_those_of_the_window(scene: SceneView, theme: Theme, qtbot: QtBot) -> None:
    session = scene.session
    assert session.snapshot is not None
    signals = traces_of(session.snapshot, "speed", "acceleration")
    holder = QWidget()
    qtbot.addWidget(holder)
    timeline = Canvas(session, theme)
    plots = PlotView(theme)
    plots.setParent(holder)
    timeline.setParent(holder)
    holder.resize(640, 220)
    timeline.resize(640, 108)
    left = round(timeline.axis.left) - AXIS
    plots.resize(640 - left, 108)
    plots.show_traces(list(signals.traces))
    plots.set_axis(timeline.axis)
    plots.move(0, 110)
    holder.show()
    options = VideoOptions(size="640x360", timeline=True, signals=("speed", "acceleration"))
    frames = range(60)
    palette = palette_of(options)
    strips = make_strips(session, options, frames, palette, signals=signals)
    assert strips is not None
    assert strips.lines == 2 * 109  # each with a line above it
    film = SceneFilm(SceneSource.of(session.snapshot), look_of(options), options, frames, strips)
    for frame_index in (27, 44, 59):
        session.selection.go_to_frame(frame_index)
        plots.go_to(frame_index)
        image = image_of(film, frame_index)
        lanes = image.copy(0, 360 - 217, 640, 108)
        assert lanes == timeline.grab().toImage().convertToFormat(QImage.Format.Format_RGB32), frame_index
        with plots.named():
            shown = plots.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        drawn = pixels_of(image.copy(left, 360 - 108, 640 - left, 108))
        rows, columns = np.nonzero((drawn != pixels_of(shown)).any(axis=2))
        # Lines of the grid lie over the cursor and its signs in the window, and under them here.
        assert len(rows) <= 24
        assert (np.abs(columns + left - timeline.axis.x(float(timeline.axis.times[frame_index]))) <= 5).all()
    film.close()


def test_a_command_shows_the_timeline_of_a_window_that_was_just_opened(scene: SceneView) -> None:
    session = scene.session
    assert session.snapshot is not None
    options = VideoOptions(size="640x360", timeline=True, theme="dark", across=40.0, center="0,0")
    window = WindowStudio(session, scene.theme, scene).film(options, range(10, 40))(SILENT)
    command = make_film(session.snapshot, options, range(10, 40))
    assert image_of(command, 20) == image_of(window, 20)
    assert image_of(command, 20) != image_of(command, 21)
    for film in (window, command):
        film.close()


def test_a_video_stays_as_it_was_begun_while_the_recording_is_edited(scene: SceneView) -> None:
    session = scene.session
    session.range.set(20, 50)  # the tag of the cursor makes room for its handle
    options = VideoOptions(size="640x360", timeline=True)
    film = WindowStudio(session, scene.theme, scene).film(options, range(60))(SILENT)
    before = image_of(film, 20)
    session.range.clear()
    session.editing.attempt(lambda: edits.trim(session.snapshot_or_refuse(), range(2)))
    assert session.frames == 2
    session.range.set(0, 1)
    assert image_of(film, 20) == before
    film.close()
    session.editing.undo()


def test_the_title_and_the_time_lie_over_the_scene(scene: SceneView) -> None:
    assert scene.session.snapshot is not None
    source = SceneSource.of(scene.session.snapshot, scene.session.roads.map)
    options = VideoOptions(size="640x360", center="0,0")
    bare = image_of(SceneFilm(source, look_of(options), options, range(60)), 5)
    options = VideoOptions(size="640x360", center="0,0", title="x" * 500, clock=True)
    written = image_of(SceneFilm(source, look_of(options), options, range(60)), 5)
    differing = np.array([[bare.pixel(x, y) != written.pixel(x, y) for x in range(640)] for y in range(60)])
    assert differing[:44, 140:500].any()  # the title, cut to the room between the corners
    assert differing[:36, :120].any()  # the time
    assert not differing[:, 520:].any()  # north


class Still:
    """Gives pictures that were painted before."""

    def __init__(self, pictures: list[ByteArray]) -> None:
        self._pictures = pictures

    def picture(self, frame_index: int) -> ByteArray:
        return self._pictures[frame_index]

    def close(self) -> None: ...


@pytest.mark.long
def test_painting_130_actors_takes_at_most_twice_as_long_as_encoding(
    maps: Path, tmp_path: Path, qapp: QApplication
) -> None:
    """Processor time at 1920x1080, above the map of a town, with timeline and signals below."""
    pytest.importorskip("av")
    options = VideoOptions(size="1920x1080", timeline=True, signals=("speed", "acceleration"))
    (tmp_path / "town.log").write_bytes(b"".join(make_town(6.0, vehicles=100, walkers=30, lights=8)))
    with open_recording(tmp_path / "town.log") as recording:
        snapshot = recording.snapshot
        source = SceneSource.of(snapshot, read_road_map(maps / "Town05.xodr"))
        assert int(source.contents(0).actors.road_users.sum()) == 130
        frames = range(len(snapshot))
        indices = shots(snapshot, frames, options.rate, options.speed).tolist()[:100]
        palette = palette_of(options)
        signals = named_signals(source, options)
        strips = make_strips(session_of(source), options, frames, palette, signals=signals)
        film = SceneFilm(source, look_of(options), options, frames, strips)
        film.picture(indices[0])  # the ground is drawn once
        begin = process_time()
        pictures = [film.picture(index).copy() for index in indices]
        painting = process_time() - begin
        film.close()
    begin = process_time()
    write_video(tmp_path / "still.mp4", Still(pictures), range(len(pictures)), options)
    encoding = process_time() - begin
    assert painting <= 2 * encoding


_PEAK = """
import sys
from recorder_editor.__main__ import main
from tests.memory import peak
code = main(sys.argv[1:])
print(peak())
sys.exit(code)
"""


@pytest.mark.long
def test_ten_times_as_many_pictures_take_no_more_memory(tmp_path: Path) -> None:
    pytest.importorskip("av")
    pytest.importorskip("resource")
    (tmp_path / "town.log").write_bytes(b"".join(make_town(82.0, vehicles=20, walkers=5, lights=2)))
    peaks = []
    for end in ("8", "80"):
        words = ["video", str(tmp_path / "town.log"), str(tmp_path / f"{end}.mp4"), "--size", "640x360", "--to", end]
        words += ["--timeline", "--signals", "Position: location.x", "--actors", "type:vehicle.*"]
        command = [sys.executable, "-c", _PEAK, *words]
        done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True, timeout=600)
        peaks.append(int(done.stdout))
    assert peaks[1] <= peaks[0] * 1.1
