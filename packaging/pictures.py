"""Writes the README's pictures, of the window on the sample, and those of the guide, of the scene of a real recording.

python packaging/pictures.py [--lang zh_CN] [FOLDER]

They go to resources/pictures, or the folder of the language in it, unless another folder is named; those of the guide
to `guide` in that, or to resources/guide/pictures (in the folder of the language). The guide's need the real
recordings beside the project; where those are absent they are left out.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QPoint, QRect, QSize  # noqa: E402 - Qt reads its platform from the line above
from PySide6.QtTest import QTest  # noqa: E402 - as above

from recorder_editor.edits.new_actors.add_actor import add_wanted, crossing_walker  # noqa: E402 - the project is found a line above
from recorder_editor.recording.place import Place  # noqa: E402 - the project is found a line above
from recorder_editor.texts import LANGUAGES  # noqa: E402 - as above
from recorder_editor.ui.app import application, create_window, settle, theme_of, wait_for_jobs  # noqa: E402 - as above
from recorder_editor.ui.session.preferences import LANGUAGE  # noqa: E402 - as above
from recorder_editor.ui.session.settings import Settings  # noqa: E402 - as above
from recorder_editor.ui.shell.main_window import MainWindow  # noqa: E402 - as above
from recorder_editor.ui.shell.pane_list import SCENE, SIGNALS  # noqa: E402 - as above
from recorder_editor.ui.style.language import use_language  # noqa: E402 - as above
from recorder_editor.ui.style.theme import Mode  # noqa: E402 - as above

SIZE = (1440, 900)
DELAY_MS = 1000  # panes update some time after the last change of the selection
SAMPLE = PROJECT / "resources" / "sample" / "town.log"
FOLDER = PROJECT / "resources" / "pictures"
GUIDE = PROJECT / "resources" / "guide"
REAL = PROJECT.parent / "shared" / "recordings" / "carla-0.9.13-town05-collisions.log"


def inspect(window: MainWindow) -> None:
    """The hero before the collision: one field of its position, in the tree, the bytes and the form."""
    session = window.session
    session.range.set(160, 380)
    session.selection.go_to_frame(254)
    assert session.actors is not None
    hero = next(life.actor for life in session.actors if life.is_hero)
    packet = session.snapshot_or_refuse().frame(session.selection.frame_index).packet("Position")
    assert packet is not None
    session.selection.select(
        Place(session.selection.row, packet.index, packet.decoded.find_actor(hero), "rotation.yaw")
    )
    window.panes.get(SCENE).view.centre_on(hero)


def path_keys(window: MainWindow) -> None:
    """A key of the hero before the collision, while its dot in Signals is dragged: it brakes two seconds earlier."""
    session, editing = window.session, window.session.path_editing
    window.panes.get(SIGNALS)
    window.panes.focus(SIGNALS.name)
    session.selection.go_to_frame(260)
    assert session.actors is not None
    session.selection.select_actor(next(life.actor for life in session.actors if life.is_hero))
    window.registry.run("path.edit")
    wait_for_jobs(window)
    window.registry.run("path.add_key")
    key = editing.key
    editing.preview(key, lambda path: path.with_key(key, time=13.5, speed=2.0))
    assert editing.path is not None
    view, (x, y) = window.panes.get(SCENE).view, editing.path.values[key, 0]
    view.box.set_camera(view.camera._replace(x=x, y=y, scale=8.0))


def brake(window: MainWindow) -> None:
    """The steps of the guide on a real recording: the hero brakes two seconds earlier."""
    session, editing = window.session, window.session.path_editing
    assert session.actors is not None
    session.selection.select_actor(next(life.actor for life in session.actors if life.is_hero))
    window.registry.run("path.edit")
    wait_for_jobs(window)
    for time, action in ((4.8, "path.delete_key"), (4.0, "path.add_key")):
        session.selection.go_to_frame(session.snapshot_or_refuse().frame_at_time(time))
        window.registry.run(action)
    key = editing.key
    editing.preview(key, lambda path: path.with_key(key, time=5.0, speed=1.5))
    assert editing.path is not None
    view, (x, y) = window.panes.get(SCENE).view, editing.path.values[key, 0]
    view.box.set_camera(view.camera._replace(x=x - 4.0, y=y, scale=12.0))


def walker(window: MainWindow) -> None:
    """The next step: a walker crosses before it."""
    brake(window)
    session, editing = window.session, window.session.path_editing
    editing.apply()
    editing.end()
    snapshot = session.snapshot_or_refuse()
    frame, hero = snapshot.frame_at_time(1.0), next(life for life in session.actors or () if life.is_hero)
    x, y = (each / 100 for each in hero.transform[:2])
    session.editing.apply(add_wanted(snapshot, crossing_walker(snapshot, frame, (x - 15.0, y))))
    session.selection.seek_newest()
    session.selection.go_to_frame(snapshot.frame_at_time(5.4))
    view = window.panes.get(SCENE).view
    view.box.set_camera(view.camera._replace(x=x - 13.0, y=y, scale=20.0))


def trim(window: MainWindow) -> None:
    """A range of eight seconds around the collision."""
    window.session.range.set(140, 301)
    window.session.selection.go_to_frame(240)
    window.panes.get(SCENE).view.fit()


def repair(window: MainWindow) -> None:
    """A damaged recording: zeros in the middle, and a missing end."""
    window.session.selection.go_to_frame(195)
    window.panes.get(SCENE).view.fit()


def crashed(sample: bytes) -> bytes:
    """The sample with 90 kB of zeros in it, and without its last bytes."""
    hole = range(1_000_000, 1_090_000)
    return sample[: hole.start] + bytes(len(hole)) + sample[hole.stop : -1000]


PICTURES: dict[str, tuple[Callable[[MainWindow], None], str, Mode]] = {
    "inspect-light": (inspect, "inspect", "light"),
    "inspect-dark": (inspect, "inspect", "dark"),
    "keys-light": (path_keys, "inspect", "light"),
    "trim-light": (trim, "trim", "light"),
    "repair-dark": (repair, "repair", "dark"),
}


STEPS: dict[str, tuple[Callable[[MainWindow], None], str, Mode]] = {
    "brake": (brake, "inspect", "light"),
    "walker": (walker, "inspect", "light"),
}
"""Of the guide: the middle of the scene."""
STEP = (430, 240)  # as wide as a page of the guide


def write(name: str, folder: Path, work: Path, language: str) -> None:
    """Write one picture; `work` is a folder for the recording and the settings."""
    arrange, preset, mode = (PICTURES | STEPS)[name]
    source = REAL if name in STEPS else SAMPLE
    recording = work / ("crashed.log" if arrange is repair else source.name)
    recording.write_bytes(crashed(source.read_bytes()) if arrange is repair else source.read_bytes())
    use_language(application(), language)
    theme = theme_of(application())
    theme.set_mode(mode)
    settings = Settings(work / "settings.ini")
    settings[LANGUAGE] = language
    window = create_window(recording, theme=theme, settings=settings, size=SIZE, preset=preset)
    wait_for_jobs(window)
    arrange(window)
    QTest.qWait(DELAY_MS)
    wait_for_jobs(window)
    shown = window.panes.get(SCENE) if name in STEPS else window
    part = QRect(shown.rect().center() - QPoint(*STEP) / 2, QSize(*STEP)) if name in STEPS else shown.rect()
    shown.grab(part).save(str(folder / f"{name}.png"))
    window.close()
    window.deleteLater()
    settle()


def main(arguments: list[str]) -> int:
    """Write all pictures; returns the exit code."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--lang", default="en", choices=LANGUAGES)
    parser.add_argument("folder", nargs="?", type=Path)
    given = parser.parse_args(arguments)
    folder: Path = given.folder or (FOLDER if given.lang == "en" else FOLDER / given.lang)
    guide = given.folder / "guide" if given.folder else GUIDE.joinpath(*[given.lang] * (given.lang != "en"), "pictures")
    for name in (*PICTURES, *(STEPS if REAL.is_file() else ())):
        into = guide if name in STEPS else folder
        into.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
            os.environ["RECORDER_EDITOR_STATE_DIR"] = work
            write(name, into, Path(work), given.lang)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
