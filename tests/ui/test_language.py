"""The windows speak English and Simplified Chinese, and change from one to the other when they are reopened."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QPoint, Qt
from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QMenu, QPushButton
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from recorder_editor import edits
from recorder_editor.recording import Recording, open_recording
from recorder_editor.recording.recovery import find_leftovers
from recorder_editor.repair import propose
from recorder_editor.texts import say
from recorder_editor.ui.app import Program, settle
from recorder_editor.ui.dialogs.closing import UnwrittenPrompt
from recorder_editor.ui.dialogs.key_table import KeysRow
from recorder_editor.ui.dialogs.preferences import PreferencesDialog
from recorder_editor.ui.panes.signals.signal_table import table_of
from recorder_editor.ui.session.preferences import LANGUAGE, THEME
from recorder_editor.ui.session.settings import Settings
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import PACKETS, SIGNALS, TIMELINE
from recorder_editor.ui.style import language
from recorder_editor.ui.style.language import has_letters, language_of, use_language
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets.file_dialogs import RECORDINGS
from recorder_editor.views.repair_texts import tip_of, title_of
from recorder_editor.views.signal_key import Key

from .parts import Parts
from .windows import beginning, idle

SAMPLE = Path(__file__).resolve().parents[2] / "resources" / "sample" / "town.log"


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """The beginning of the sample, with the car 25 and a few others."""
    path = tmp_path / SAMPLE.name
    path.write_bytes(beginning(SAMPLE, frames=210, actor=25, others=6))
    return path


@pytest.fixture
def program(qapp: QApplication, tmp_path: Path, theme: Theme, monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    monkeypatch.setattr(language, "has_letters", lambda _name: True)
    settings = Settings(tmp_path / "settings.ini")
    settings[LANGUAGE] = "en"
    program = Program(qapp, settings, theme)
    yield program
    for window in list(program.windows):
        window.close_anyway()
    settle()
    use_language(qapp, "en")
    program.deleteLater()
    QCoreApplication.sendPostedEvents()


def click(qtbot: QtBot, menu: QMenu, name: str) -> None:
    """Open a menu and click an entry of it, or of its submenu."""
    action = next(each for each in menu.actions() if each.objectName() == name)
    menu.popup(QPoint(0, 0))
    # Where the mouse was somewhere else a moment ago, Qt closes a menu that is pressed.
    qtbot.mouseMove(menu, menu.actionGeometry(action).center())
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())


def choose(qtbot: QtBot, window: MainWindow, name: str) -> None:
    """Choose a language in View > Language."""
    qtbot.mouseMove(window, window.rect().center())  # where it is already, Qt takes no click in a menu
    click(qtbot, window.menus["View/Language"], f"view.language_{name}")
    assert window.settings[LANGUAGE] == name


def reopened(qtbot: QtBot, program: Program, asking: MainWindow) -> MainWindow:
    """Press *Reopen*; returns the first window that was opened, when its recording is there."""
    before = tuple(program.windows)
    qtbot.mouseClick(asking.language_notice.reopen, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(program.windows) == len(before) and not any(map(isValid, before)))
    qtbot.waitUntil(lambda: not any(each.documents.is_busy for each in program.windows))
    return program.windows[0]


def speak(qtbot: QtBot, program: Program, name: str) -> MainWindow:
    """Choose a language in View > Language and reopen; returns the first window then."""
    choose(qtbot, program.windows[0], name)
    return reopened(qtbot, program, program.windows[0])


def opened(qtbot: QtBot, program: Program, path: Path) -> MainWindow:
    """A window with a recording, and the jobs about that over."""
    window = program.new_window(path)
    qtbot.waitUntil(lambda: window.session.background.trajectories is not None and not window.session.jobs.running)
    return window


def a_window_keeps_its_language_until_it_is_reopened(qtbot: QtBot, program: Program, window: MainWindow) -> None:
    assert not window.language_notice.isVisible()
    choose(qtbot, window, "zh_CN")
    said = window.language_notice.words.text()
    assert said.startswith("The language becomes 简体中文 when the windows are opened again. ")
    assert said.endswith("重新打开窗口后，界面语言为简体中文。")
    assert window.language_notice.isVisible()
    assert window.menus["File"].title() == "&File"
    assert say("Undo") == "Undo", "what is made later, too"
    other = program.new_window()
    assert other.menus["File"].title() == "&File"
    assert other.language_notice.isVisible()
    other.close()
    window.session.editing.apply(edits.delete_rows(window.session.snapshot_or_refuse(), 3))
    assert window.session.steps.undo_label == "Delete frame 4"
    choose(qtbot, window, "en")
    assert not window.language_notice.isVisible()


def the_notice_can_be_dismissed_and_comes_back_with_the_next_choice(qtbot: QtBot, window: MainWindow) -> None:
    choose(qtbot, window, "zh_CN")
    buttons = window.language_notice.findChildren(QPushButton)
    qtbot.mouseClick(next(each for each in buttons if each.text() == "Dismiss"), Qt.MouseButton.LeftButton)
    assert not window.language_notice.isVisible()
    choose(qtbot, window, "en")
    choose(qtbot, window, "zh_CN")
    assert window.language_notice.isVisible()


def what_could_not_be_read_again_is_not_closed(
    qtbot: QtBot, program: Program, window: MainWindow, sample: Path, tmp_path: Path
) -> None:
    path = tmp_path / "mine.log"
    path.write_bytes(sample.read_bytes())
    window.session.open(path)
    idle(window, qtbot)
    choose(qtbot, window, "zh_CN")
    path.unlink()
    qtbot.mouseClick(window.language_notice.reopen, Qt.MouseButton.LeftButton)
    assert window.session.messages[-1].startswith("Not reopened, since what this window shows could not be read again.")
    assert window.session.is_complete
    assert program.windows == [window]


def edits_that_no_journal_keeps_are_not_closed(
    qtbot: QtBot, program: Program, window: MainWindow, sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_recording: Recording) -> None:
        raise OSError("read-only")

    monkeypatch.setattr(Recording, "keep_journal", refuse)
    window.session.open(sample)
    idle(window, qtbot)
    window.session.editing.apply(edits.delete_rows(window.session.snapshot_or_refuse(), 3))
    qtbot.waitUntil(lambda: not window.session.jobs.running)
    choose(qtbot, window, "zh_CN")
    qtbot.mouseClick(window.language_notice.reopen, Qt.MouseButton.LeftButton)
    said = "Not reopened: the edits of town.log could not be kept on the disk. Save it first."
    assert window.session.messages[-1] == said
    assert program.windows == [window]
    assert window.session.is_modified


def notes_that_cannot_be_written_are_asked_about_before(
    qtbot: QtBot, program: Program, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window.session.notes, "finish", lambda: False)
    choose(qtbot, window, "zh_CN")
    qtbot.mouseClick(window.language_notice.reopen, Qt.MouseButton.LeftButton)
    prompt = window.findChild(UnwrittenPrompt)
    assert prompt.isVisible()
    assert program.windows == [window]
    monkeypatch.undo()
    prompt.reject()
    settle()
    assert reopened(qtbot, program, window).menus["File"].title() == "文件(&F)"


def test_a_window_before_it_is_reopened(
    qtbot: QtBot, program: Program, sample: Path, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    """In one window, which the last part reopens."""
    window = opened(qtbot, program, sample)
    parts = Parts()
    for part in (
        a_window_keeps_its_language_until_it_is_reopened,
        the_notice_can_be_dismissed_and_comes_back_with_the_next_choice,
        what_could_not_be_read_again_is_not_closed,
        edits_that_no_journal_keeps_are_not_closed,
        notes_that_cannot_be_written_are_asked_about_before,
    ):
        parts(part)

    def begin() -> dict[str, object]:
        program.settings[LANGUAGE] = "en"
        window.session.messages.clear()
        window.session.open(sample)
        idle(window, qtbot)
        assert not window.language_notice.isVisible()
        return {}

    parts.run(subtests, begin, qtbot=qtbot, program=program, window=window, sample=sample, tmp_path=tmp_path)


def assert_reopened_window_speaks_chinese(qtbot: QtBot, window: MainWindow) -> None:
    session = window.session
    assert not window.language_notice.isVisible()
    assert window.menus["File"].title() == "文件(&F)"
    assert window.registry["file.open"].text() == "打开..."
    assert window.panes.docks["packets"].windowTitle() == "数据包"
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "取消"
    qtbot.waitUntil(lambda: session.background.trajectories is not None and not session.jobs.running)
    assert session.background.findings
    assert all(re.search("[一-鿿]", finding.message) for finding in session.background.findings)
    steps = session.recording.history.steps
    assert steps[0].label == "删除第 4 帧"
    assert "示廓灯、近光灯" in steps[1].label
    spoken = window.panes.get(TIMELINE).canvas.spoken()
    assert not any(", " in spoken.line(number) for number in range(spoken.size)), "commas are Chinese"
    (trace,) = window.panes.get(SIGNALS).model.traces
    assert trace.title == "25 速度"
    assert table_of(session.snapshot, [trace], range(2)).startswith("frame,frame_id,elapsed [s],25 speed [m/s]")


def test_a_reopened_window_has_the_edits_their_undo_and_the_place_and_speaks_the_other_language(
    qtbot: QtBot, program: Program, sample: Path, subtests: pytest.Subtests
) -> None:
    window = opened(qtbot, program, sample)
    session = window.session
    session.editing.apply(edits.delete_rows(session.snapshot_or_refuse(), 3))
    lives = session.actors.of_id(25)
    session.editing.apply(edits.set_vehicle_lights(session.snapshot_or_refuse(), lives, 0b11, range(9)))
    assert session.steps.undo_label == "Set lights of 25: Position, LowBeam, over 9 frames"
    session.editing.undo()
    session.selection.go_to_frame(120)
    session.selection.select_actor(25)
    session.range.set(40, 200)
    selected, rows = session.selection.value, session.snapshot.rows
    window.panes.set_preset("trim")
    place = window.geometry()
    window.panes.get(SIGNALS).model.add(Key("motion", "speed", "", 25))
    window.panes.get(PACKETS).filter.setText("Weather")
    qtbot.waitUntil(lambda: not session.jobs.running)
    window = speak(qtbot, program, "zh_CN")
    session = window.session
    with subtests.test("a reopened window has the edits and the place"):
        assert window.documents.path == sample
        assert session.is_modified
        assert session.snapshot.rows == rows
        assert len(session.recording.history.steps) == 2
        assert session.selection.frame_index == 120
        assert session.selection.value == selected
        assert session.range.frames == range(40, 200)
        assert window.panes.preset == "trim"
        assert window.geometry() == place
        assert [trace.key.actor for trace in window.panes.get(SIGNALS).traces] == [25]
        assert window.panes.get(PACKETS).filter.text() == "Weather"
    with subtests.test("a reopened window speaks the other language"):
        assert_reopened_window_speaks_chinese(qtbot, window)
    session.editing.redo()
    session = speak(qtbot, program, "en").session
    with subtests.test("it is reopened in the first language, with the undo of its edits"):
        assert program.windows[0].menus["File"].title() == "&File"
        assert session.steps.undo_label == "Set lights of 25: Position, LowBeam, over 9 frames"
        session.editing.undo()
        session.editing.undo()
        assert not session.is_modified
        assert session.snapshot.rows == rows + 1
        assert not find_leftovers()


def test_without_a_recording_the_start_page_is_reopened(
    qtbot: QtBot, program: Program, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    monkeypatch.setattr(QFontDatabase, "hasFamily", lambda name: name in ("Noto Sans CJK SC", "DejaVu Sans"))
    monkeypatch.setattr(QLocale, "system", lambda: QLocale("en_GB"))
    window = program.new_window()
    before = program.theme.font.families()
    with subtests.test("the preferences stay usable where the language is chosen in them"):
        window.registry.run("file.preferences")
        dialog = window.findChild(PreferencesDialog)
        row = dialog.rows[LANGUAGE.name]
        qtbot.keyClick(row.editor, Qt.Key.Key_Down)
        assert program.settings[LANGUAGE] == "zh_CN"
        assert window.language_notice.isVisible()
        assert dialog.isVisible()
        assert dialog.windowTitle() == "Preferences"
        dialog.search.setText("theme")
        assert dialog.rows[THEME.name].isVisible()
        assert not row.isVisible()
    window = reopened(qtbot, program, window)
    with subtests.test("without a recording the start page is in the other language"):
        assert window.isVisible()
        assert window.centre.currentIndex() == 0
        assert window.windowTitle() == "Recorder Editor"
        assert window.menus["File"].title() == "文件(&F)"
    with subtests.test("on a desktop of another language letters have the forms of this one"):
        assert program.theme.font.families() == [*before, "Noto Sans CJK SC"]
        assert program.theme.mono.families()[-1] == "Noto Sans CJK SC"
        assert program.theme.bold.weight() == QFont.Weight.Bold
        speak(qtbot, program, "en")
        assert program.theme.font.families() == before
        assert program.theme.bold.weight() == QFont.Weight.DemiBold
        monkeypatch.setattr(QLocale, "system", lambda: QLocale("zh_CN"))
        speak(qtbot, program, "zh_CN")
        assert program.theme.font.families() == before
    with subtests.test("a signal that ends the program while it reopens ends it"):
        ended: list[int] = []
        program.ended.connect(ended.append)
        program.reopen(program.windows[0])
        assert program.windows == []
        program.end(15)
        settle()
        assert ended == [143]
        assert program.windows == []


def test_all_windows_are_reopened_with_their_own_recordings_but_not_while_a_job_is_at_work(
    qtbot: QtBot, program: Program, sample: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.log"
    other.write_bytes(sample.read_bytes())
    for path in (sample, other):
        opened(qtbot, program, path)
    windows = list(program.windows)
    changed = windows[1].session
    changed.editing.apply(edits.delete_rows(changed.snapshot_or_refuse(), 3))
    qtbot.waitUntil(lambda: not changed.jobs.running)
    assert all(window.language_notice.isHidden() for window in windows)
    choose(qtbot, windows[0], "zh_CN")
    assert all(window.language_notice.isVisible() for window in windows)
    goes_on = threading.Event()
    session = windows[0].session
    job = session.jobs.start("Saving x.log", lambda _: goes_on.wait(), lambda _: None)
    qtbot.mouseClick(windows[0].language_notice.reopen, Qt.MouseButton.LeftButton)
    said = session.messages[-1]
    goes_on.set()
    qtbot.waitUntil(lambda: job not in session.jobs.running)
    assert said == "Not reopened: “Saving x.log” is at work. Wait for it or cancel it."
    assert program.windows == windows
    assert windows[0].language_notice.isVisible()
    reopened(qtbot, program, windows[1])
    assert [window.documents.path for window in program.windows] == [sample, other]
    assert [window.session.is_modified for window in program.windows] == [False, True]
    assert {window.menus["Edit"].title() for window in program.windows} == {"编辑(&E)"}


def test_the_language_of_the_system_is_the_first_that_the_program_speaks(monkeypatch: pytest.MonkeyPatch) -> None:
    class System(QLocale):
        tags: tuple[str, ...] = ()

        def uiLanguages(self) -> list[str]:
            return list(self.tags)

    monkeypatch.setattr(QLocale, "system", System)
    for tags, name in (
        (("zh-CN", "zh"), "zh_CN"),
        (("zh-Hans-SG",), "zh_CN"),
        (("zh-TW", "zh-Hant-TW"), "en"),
        (("en-GB", "zh-CN"), "en"),
        (("de-DE", "zh-CN", "en"), "zh_CN"),
        (("C",), "en"),
        ((), "en"),
    ):
        System.tags = tags
        assert language_of("system") == name
    assert language_of("zh_CN") == "zh_CN"


def test_where_no_font_has_its_letters_it_stays_english_and_says_so(
    qtbot: QtBot, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(language, "has_letters", lambda _name: False)
    window = program.new_window()
    program.settings[LANGUAGE] = "zh_CN"
    assert any("fonts-noto-cjk" in each for each in window.session.messages)
    assert not window.language_notice.isVisible()
    program.reopen(window)
    qtbot.waitUntil(lambda: len(program.windows) == 1)
    (window,) = program.windows
    assert any("fonts-noto-cjk" in each for each in window.session.messages)
    assert window.menus["File"].title() == "&File"


def test_letters_that_no_font_has_are_missed(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    assert has_letters("de")
    monkeypatch.setattr(QLocale, "nativeLanguageName", lambda _locale: "\U0010fffd")
    assert not has_letters("de")


def test_values_take_the_places_of_a_text(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "has_letters", lambda _name: True)
    assert say("Frame {frame:,} of {frames:,}", frame=7, frames=1000) == "Frame 7 of 1,000"
    assert say("{first}, {last}", first="{last}", last="%1") == "{last}, %1"
    use_language(qapp, "zh_CN")
    try:
        assert say("Frame {frame:,} of {frames:,}", frame=7, frames=9) == "第 7 帧，共 9 帧"
        assert say("Nothing says {word}", word="{word}") == "Nothing says {word}", "what has no translation"
        assert say("") == ""
    finally:
        use_language(qapp, "en")


def test_the_file_dialog_of_qt_is_chinese_too(
    qapp: QApplication, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(language, "has_letters", lambda _name: True)
    use_language(qapp, "zh_CN")
    try:
        dialog = QFileDialog(filter=say(RECORDINGS[0]))
        qtbot.addWidget(dialog)
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        labels = [each.text() for each in dialog.findChildren(QLabel)]
        assert dialog.nameFilters() == ["CARLA 记录文件 (*.log *.rec)"]
        assert len(labels) > 2
        assert [text for text in labels if re.search("[A-Za-z]{2}", text)] == []
    finally:
        use_language(qapp, "en")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no LANG")
def test_a_chinese_desktop_has_a_chinese_window(qapp: QApplication) -> None:
    code = (
        "from recorder_editor.ui.app import create_window\n"
        "window = create_window()\nprint([*window.menus.values()][0].title())\nwindow.close()\n"
    )
    environment = {**os.environ, "LANG": "zh_CN.UTF-8", "QT_QPA_PLATFORM": "offscreen", "PYTHONUTF8": "1"}
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        environment.pop(name, None)
    if not has_letters("zh_CN"):
        pytest.skip("no font has Chinese letters")
    run = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, encoding="utf-8", check=True
    )
    assert run.stdout == "文件(&F)\n"


def test_steps_of_a_repair_are_said_in_the_language_of_the_window(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(language, "has_letters", lambda _name: True)
    path = tmp_path / "hole.log"
    data = SAMPLE.read_bytes()[:-300]
    path.write_bytes(data[:40_000] + bytes(700) + data[41_500:])
    use_language(qapp, "zh_CN")
    try:
        with open_recording(path) as recording:
            proposal = propose(recording.snapshot)
        said = [text for step in proposal.steps for text in (title_of(step, proposal), tip_of(step, proposal))]
    finally:
        use_language(qapp, "en")
    assert len(said) > 4
    assert [text for text in said if re.search("[a-z]{3} [a-z]", text)] == []


def test_a_chinese_window_is_searched_and_its_keys_are_listed(
    qtbot: QtBot, program: Program, theme: Theme, subtests: pytest.Subtests
) -> None:
    program.settings[LANGUAGE] = "zh_CN"
    settle()
    window = program.new_window()
    find = window.search_field.search.find
    with subtests.test("the list finds Chinese by its signs, by their initials and by English words"):
        for typed, text in (
            ("保存", "保存"),
            ("bc", "保存"),
            ("save", "保存"),
            ("lcw", "另存为"),
            ("cz", "重做"),
            ("undo", "撤销"),
            ("路径", "编辑路径"),
            ("problems", "问题"),
            ("notes", "备注"),
        ):
            assert text in [match.text for match in find(typed)][:8], typed
    with subtests.test("panes in which keys act are called in the language of the window"):
        row = KeysRow(program.settings, theme, window.registry)
        qtbot.addWidget(row)
        keys = [row.table.item(at, 1).text() for at in range(row.table.rowCount())]
        assert "Ctrl+D（数据包、场景、参与者）" in keys
        assert [text for text in keys if re.search("[（(].*[a-z]{3}", text)] == []
