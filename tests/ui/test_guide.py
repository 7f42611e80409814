"""The guide in the window: opened where the keyboard is, searched, followed from page to page; reports of problems."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QGuiApplication, QTextDocument
from pytestqt.qtbot import QtBot

from recorder_editor import __version__, resources, texts
from recorder_editor.ui.dialogs.guide import GuideWindow
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import PACKETS, PANES, PROBLEMS
from recorder_editor.ui.style.theme import Theme

from ..recording.films import COLLISIONS
from .parts import Parts, close_dialogs
from .windows import OpenWindow

of_window = Parts()


@pytest.fixture
def guide(theme: Theme, qtbot: QtBot) -> GuideWindow:
    window = GuideWindow(theme)
    qtbot.addWidget(window)
    window.show()
    return window


@pytest.fixture
def chinese(theme: Theme, qtbot: QtBot) -> Iterator[GuideWindow]:
    texts.set_language("zh_CN")
    window = GuideWindow(theme)
    qtbot.addWidget(window)
    window.show()
    yield window
    texts.set_language(texts.ENGLISH)


def opened(window: MainWindow) -> GuideWindow:
    window.registry.run("help.guide")
    found = window.findChild(GuideWindow)
    assert isinstance(found, GuideWindow)
    return found


def page(guide: GuideWindow) -> str:
    return str(guide.pages.currentItem().data(Qt.ItemDataRole.UserRole))


def test_every_page_of_the_guide_is_listed(guide: GuideWindow) -> None:
    names = {guide.pages.item(row).data(Qt.ItemDataRole.UserRole) for row in range(guide.pages.count())}
    assert names == {path.name for path in resources.path("guide").glob("*.md")}


def test_every_pane_has_its_place_in_the_guide(guide: GuideWindow) -> None:
    for spec in PANES:
        name, _, heading = spec.guide.partition("#")
        guide.show_page(name, heading)
        assert page(guide) == name
        assert not heading or guide.browser.textCursor().block().text() == heading


def test_every_place_of_the_program_is_in_the_chinese_guide_too(chinese: GuideWindow) -> None:
    titles = [chinese.pages.item(row).text() for row in range(chinese.pages.count())]
    assert titles[0] == "Recorder Editor 使用指南"
    for spec in PANES:
        name, _, heading = spec.guide.partition("#")
        chinese.show_page(name, heading)
        shown = chinese.browser.textCursor().block()
        assert not heading or (shown.blockFormat().headingLevel() and shown.text() != heading)
    chinese.show_page("editing.md", "Scripts")
    assert chinese.browser.textCursor().block().text() == "脚本"
    chinese.show_page("packets.md", "Position (6)")
    assert chinese.browser.textCursor().block().text() == "Position (6)"
    chinese.show_page("checks.md", "torn-tail")
    assert chinese.browser.textCursor().selectedText() == "torn-tail"


def test_a_page_that_is_not_translated_is_shown_in_english(theme: Theme, qtbot: QtBot) -> None:
    texts.set_language("de")
    try:
        window = GuideWindow(theme)
    finally:
        texts.set_language(texts.ENGLISH)
    qtbot.addWidget(window)
    assert window.pages.item(0).text() == "Recorder Editor: the guide"


def test_tables_fit_the_window_and_break_no_word(guide: GuideWindow, theme: Theme, qtbot: QtBot) -> None:
    guide.resize(theme.px(960), theme.px(680))
    for name in ("packets.md", "operations.md", "formats.md", "actions.md"):
        guide.show_page(name)
        document = guide.browser.document()
        document.documentLayout().documentSize()  # lays the page out
        assert guide.browser.horizontalScrollBar().maximum() == 0, name
        block = document.begin()
        while block.isValid():
            for number in range(1, block.layout().lineCount()):
                start = block.layout().lineAt(number).textStart()
                assert block.text()[start - 1] in " -/", block.text()
            block = block.next()


@pytest.mark.sampled(cases=1)
@pytest.mark.parametrize("width", [792, 1272])
def test_no_page_is_wider_than_the_window_in_large_text(
    theme: Theme, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setattr("recorder_editor.ui.dialogs.guide.room_for", lambda _window: QSize(width, 760))
    theme.set_text_size(24)
    guide = GuideWindow(theme)
    qtbot.addWidget(guide)
    guide.show()
    bar = guide.browser.horizontalScrollBar()
    for row in range(guide.pages.count()):
        guide.pages.setCurrentRow(row)
        qtbot.waitUntil(lambda: bar.maximum() <= 1 and not bar.isVisible())  # a table may stand out by a line


def test_no_line_of_a_page_is_left_out(guide: GuideWindow) -> None:
    document = guide.browser.document()
    layout, left_out = document.documentLayout(), []
    for row in range(guide.pages.count()):
        guide.pages.setCurrentRow(row)
        block = document.begin()
        while block.isValid():
            if block.text() and not layout.blockBoundingRect(block).height():
                left_out.append((page(guide), block.text()))
            block = block.next()
    assert left_out == []


@of_window
def it_opens_at_the_packet_that_is_selected(window: MainWindow) -> None:
    window.session.selection.go_to_frame(330)
    window.session.selection.select_actor(3932)
    window.panes.focus(PACKETS.name)
    guide = opened(window)
    assert page(guide) == "packets.md"
    assert guide.browser.textCursor().block().text() == "Position (6)"


@of_window
def the_menu_of_a_packet_leads_to_its_explanation(window: MainWindow) -> None:
    packets = window.panes.get(PACKETS)
    window.session.selection.select_actor(3890)
    window.panes.focus(PACKETS.name)
    next(action for action in packets.menu().actions() if action.text() == "Explain in the guide").trigger()
    guide = window.findChild(GuideWindow)
    assert isinstance(guide, GuideWindow)
    assert guide.browser.textCursor().block().text() == "Position (6)"


@of_window
def a_problem_is_explained_in_the_guide(window: MainWindow, qtbot: QtBot) -> None:
    problems = window.panes.get(PROBLEMS)
    qtbot.waitUntil(lambda: problems.model.rowCount() > 0)
    window.panes.show(PROBLEMS.name)
    problems.step(1)
    window.panes.focus(PROBLEMS.name)
    explain = next(action for action in problems.menu().actions() if action.text() == "Explain in the guide")
    explain.trigger()
    guide = window.findChild(GuideWindow)
    assert isinstance(guide, GuideWindow)
    assert page(guide) == "checks.md"
    assert problems.current is not None
    assert guide.browser.textCursor().selectedText() == problems.current.code


def test_the_search_leaves_the_pages_with_the_words_and_marks_them(guide: GuideWindow, qtbot: QtBot) -> None:
    qtbot.keyClicks(guide.search, "headway")
    shown = [row for row in range(guide.pages.count()) if not guide.pages.isRowHidden(row)]
    assert 0 < len(shown) < guide.pages.count()
    first = guide.browser.textCursor()
    assert first.selectedText().lower() == "headway"
    qtbot.keyClick(guide.search, Qt.Key.Key_Return)
    assert guide.browser.textCursor().selectionStart() >= first.selectionStart()
    guide.search.clear()
    assert not any(guide.pages.isRowHidden(row) for row in range(guide.pages.count()))


def test_the_search_marks_a_word_where_all_of_them_never_stand_together(guide: GuideWindow, qtbot: QtBot) -> None:
    qtbot.keyClicks(guide.search, "distance headway")
    assert guide.browser.textCursor().selectedText().lower() in ("distance", "headway")


def test_pictures_of_a_page_are_shown_in_the_language_of_the_guide(guide: GuideWindow, chinese: GuideWindow) -> None:
    folder = resources.path("guide")
    for window, pictures in ((guide, folder / "pictures"), (chinese, folder / "zh_CN" / "pictures")):
        for name, text in window._texts.items():
            for picture in re.findall(r"!\[[^]]*\]\(pictures/([^)]+)\)", text):
                kind, place = int(QTextDocument.ResourceType.ImageResource), QUrl(f"pictures/{picture}")
                assert bytes(window.browser.loadResource(kind, place).data()) == (pictures / picture).read_bytes(), name
        assert window._texts["editing.md"].count("](pictures/") == 2


def test_links_lead_to_other_pages(guide: GuideWindow) -> None:
    guide.browser.anchorClicked.emit(QUrl("export.md"))
    assert page(guide) == "export.md"
    guide.browser.anchorClicked.emit(QUrl("no-such-page.md"))
    assert page(guide) == "guide.md"


def test_links_lead_to_headings(guide: GuideWindow, chinese: GuideWindow) -> None:
    guide.show_page("editing.md")
    guide.browser.anchorClicked.emit(QUrl("#keys-of-a-path"))
    assert (page(guide), guide.browser.textCursor().block().text()) == ("editing.md", "Keys of a path")
    chinese.browser.anchorClicked.emit(QUrl("editing.md#路径的关键点"))
    assert (page(chinese), chinese.browser.textCursor().block().text()) == ("editing.md", "路径的关键点")


@of_window
def a_report_holds_versions_facts_and_the_last_messages(window: MainWindow) -> None:
    window.session.refused.emit("That cannot be done.")
    window.registry.run("help.report")
    text = QGuiApplication.clipboard().text()
    assert text.startswith(f"recorder-editor {__version__}")
    assert "555 frames" in text
    assert text.endswith("That cannot be done.")
    assert "town05" not in text


def test_the_guide_of_a_window(
    open_window: OpenWindow, recordings: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    window = open_window(recordings / COLLISIONS)
    window.session.selection.go_to_frame(330)

    def begin() -> dict[str, object]:
        """No guide is open."""
        close_dialogs()
        return {}

    of_window.run(subtests, begin, window=window, qtbot=qtbot)
