"""No word is cut off, in no pane, layout or dialog, from text of 9 points to text of 18, at scales of 100 to 200 %."""

import subprocess
import sys

import pytest
from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QColor, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QCheckBox, QDialog, QHBoxLayout, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from recorder_editor import resources
from recorder_editor.ui.app import settle, wait_for_jobs
from recorder_editor.ui.shell import recent_files
from recorder_editor.ui.shell.dock_layout import PRESETS
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.style.boxes import fill
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets import Label

from ..extent import is_long
from .clipping import cut_words, painted_words
from .windows import PARTS, OpenWindow, ask_nobody, dialogs

SIZES = [24, *(pytest.param(size, marks=pytest.mark.pictures) for size in (12, 16, 20))]
"""Pixels: 18 points, and with `--long` 9, 12 and 15; the short suite has 9 points on a scaled screen."""

SCALED = [
    ("1.5", 12),
    *(pytest.param(*each, marks=pytest.mark.pictures) for each in (("1.25", 12), ("1.25", 24), ("1.5", 24))),
    *(pytest.param(*each, marks=pytest.mark.pictures) for each in (("2", 12), ("2", 24))),
]


@pytest.fixture
def window(open_window: OpenWindow, theme: Theme, size: int, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    ask_nobody(monkeypatch)
    for module in ("base", "guide", "properties"):
        monkeypatch.setattr(f"recorder_editor.ui.dialogs.{module}.room_for", lambda _window: QSize(1272, 760))
    theme.set_text_size(size)
    window = open_window(resources.path("sample/town.log"), size=(1440, 900), preset="inspect")
    wait_for_jobs(window)
    window.session.selection.go_to_frame(254)
    window.session.selection.select_actor(25)
    window.session.range.set(160, 380)
    wait_for_jobs(window)
    return window


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("presets", "part"),
    [
        pytest.param(["inspect"], PARTS[0].values[0], id="part1"),
        pytest.param(list(PRESETS), slice(None), id="all", marks=pytest.mark.long),
    ],
)
def test_in_no_layout_pane_and_dialog(
    window: MainWindow, presets: list[str], part: slice, subtests: pytest.Subtests
) -> None:
    """Panes that are opened besides are read in some of the layouts, and a part of the dialogs."""
    with subtests.test("layouts and panes"):
        assert_whole_in_layouts(window, presets)
    window.panes.set_preset("inspect")
    wait_for_jobs(window)
    with subtests.test("dialogs"):
        assert_whole_in_dialogs(window, part)


def assert_whole_in_layouts(window: MainWindow, presets: list[str]) -> None:
    found: list[str] = []
    with painted_words(found):
        for preset in PRESETS:
            window.panes.set_preset(preset)
            wait_for_jobs(window)
            window.grab()
            found += cut_words(window)
            for name in sorted(window.panes.docks.keys() - PRESETS.keys()) if preset in presets else ():
                was_open = window.panes.is_open(name)
                window.panes.show(name)
                settle()
                window.grab()
                found += cut_words(window)
                window.panes.show(name, was_open)
            assert found == [], preset


def assert_whole_in_dialogs(window: MainWindow, part: slice) -> None:
    wrong: list[tuple[str, list[str]]] = []
    seen = 0
    actions = [each for each in dialogs(window, part) if window.registry.is_enabled(each)]
    for action in actions:
        found: list[str] = []
        with painted_words(found):
            window.registry.run(action)
            wait_for_jobs(window)
            for dialog in QApplication.topLevelWidgets():
                if isinstance(dialog, QDialog) and dialog.isVisible():
                    seen += 1
                    dialog.grab()
                    found += cut_words(dialog)
                    dialog.close()
        wrong += [(action, found)] if found else []
    assert wrong == []
    assert seen > len(actions) / 2


@pytest.mark.parametrize(("scale", "size"), SCALED)
def test_nor_on_a_scaled_screen(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, scale: str, size: int
) -> None:
    """The test above, in a process of its own: Qt reads the scale once."""
    monkeypatch.setenv("QT_SCALE_FACTOR", scale)
    much = "all" if is_long(request.config) else "part1"
    options = "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "", "-k", f"test_in_no and {size} and {much}"
    command = [sys.executable, "-m", "pytest", *options, __file__]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert "1 passed" in done.stdout, done.stdout + done.stderr


def test_what_is_cut_off_is_found(theme: Theme, qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    label, button, box = QLabel("some words"), QPushButton("a button"), QCheckBox("a choice")
    wrapped = Label(theme, "many words that need more than one line where it is narrow", wraps=True)
    fill(QHBoxLayout(page), label, button, box, wrapped)
    page.resize(900, 60)
    page.show()
    assert cut_words(page) == []
    for widget in (label, button, box):
        widget.setFixedWidth(24)
    wrapped.setFixedSize(60, 20)
    settle()
    assert [text.partition(": ")[2].strip("'") for text in cut_words(page)] == [
        each.text() for each in (label, button, box, wrapped)
    ]


def test_painted_words_that_are_cut_off_are_found(theme: Theme) -> None:
    found: list[str] = []
    picture = QPixmap(200, 50)
    painter = QPainter(picture)
    with painted_words(found):
        for width, room in ((200, None), (20, None), (20, 20)):  # the last one ends in an ellipsis
            recent_files.draw_text(painter, QRect(0, 0, width, 50), f"{width} wide", theme.font, QColor(), room=room)
    painter.end()
    assert len(found) == 1
    assert "20 wide" in found[0]
