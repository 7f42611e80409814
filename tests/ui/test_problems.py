"""The Problems pane mends what it tells, one finding or all of a kind in one undo step, and follows every edit."""

from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor.edits import Place
from recorder_editor.recording.findings import Finding
from recorder_editor.ui.panes.problems.problems_pane import FindingDelegate, ProblemsPane
from recorder_editor.ui.session import Session
from recorder_editor.ui.shell.pane_list import PROBLEMS
from recorder_editor.ui.style.theme import Theme

from .. import builders as b
from ..recording.films import add, attach, delete
from .windows import OpenWindow, bring_up

LEFT = Qt.MouseButton.LeftButton
POSES = b.packet(6, b.position([b.pose(1), b.pose(2, b.xyz(900.0))]))
LONG = b.packet(6, b.position([b.pose(1), b.pose(2, b.xyz(900.0))]) + b"!!")


@pytest.fixture
def ailing(tmp_path: Path) -> Path:
    """Frames 2 to 4 destroy nobody, 5 and 6 are longer than they say, 7 attaches to nobody."""
    contents = [
        # Of a blueprint of their own: it is none that some release lacks.
        [add(*(b.actor(number, blueprint="vehicle.own.car") for number in (1, 2))), POSES],
        [delete(7), POSES],
        [delete(8), POSES],
        [delete(9), POSES],
        [LONG],
        [LONG],
        [attach((1, 40)), POSES],
        [POSES],
    ]
    last = len(contents) - 1
    frames = [b.frame(n + 1, n * 0.1, -1.0 if n == last else 0.1, each) for n, each in enumerate(contents)]
    path = tmp_path / "ailing.log"
    path.write_bytes(b.recording(*frames))
    return path


@pytest.fixture
def problems(session: Session, theme: Theme, ailing: Path, qtbot: QtBot) -> ProblemsPane:
    table = ProblemsPane(session, theme)
    qtbot.addWidget(table)
    table.resize(440, 400)
    session.open(ailing, dialect="ue4-0.9.12")
    bring_up(table, qtbot)
    qtbot.waitUntil(lambda: len(codes(table)) == 6)
    return table


def codes(problems: ProblemsPane) -> list[str]:
    return [finding.code for finding in problems.model.rows]


def click(problems: ProblemsPane, code: str, qtbot: QtBot, which: int = 0) -> Finding:
    row = [number for number, found in enumerate(codes(problems)) if found == code][which]
    index = problems.model.index(row, 0)
    problems.list.scrollTo(index)
    qtbot.mouseClick(problems.list.viewport(), LEFT, pos=problems.list.visualRect(index).center())
    return problems.model.rows[row]


def press(problems: ProblemsPane, name: str, qtbot: QtBot) -> None:
    button = problems.findChild(QPushButton, name)
    assert isinstance(button, QPushButton)
    assert button.isVisible()
    qtbot.mouseClick(button, LEFT)


def test_a_click_tells_why_and_what_a_fix_does(problems: ProblemsPane, qtbot: QtBot) -> None:
    assert not problems.foot.isVisible()
    click(problems, "body-size", qtbot)
    assert problems.foot.isVisible()
    assert "lose its place" in problems.foot.why.text()
    assert problems.foot.does.text() == "Keep the whole records, with count and size to match"
    assert problems.foot.fix_all.text() == "Fix all 2"
    tip = problems.list.currentIndex().data(Qt.ItemDataRole.ToolTipRole)
    assert "lose its place" in tip


def test_fix_mends_one_finding_and_undo_brings_it_back(problems: ProblemsPane, session: Session, qtbot: QtBot) -> None:
    found = click(problems, "replay-deleted-unknown", qtbot, 1)
    press(problems, "problemFix", qtbot)
    qtbot.waitUntil(lambda: codes(problems).count("replay-deleted-unknown") == 2)
    assert found not in problems.model.rows
    recording = session.recording
    assert recording is not None
    assert recording.history.position == 1
    session.editing.undo()
    qtbot.waitUntil(lambda: codes(problems).count("replay-deleted-unknown") == 3)
    assert not session.is_modified


@pytest.mark.parametrize("code", ["replay-deleted-unknown", "body-size"])
def test_fix_all_of_a_kind_is_one_step(problems: ProblemsPane, session: Session, qtbot: QtBot, code: str) -> None:
    before = codes(problems)
    click(problems, code, qtbot)
    press(problems, "problemFixAll", qtbot)
    qtbot.waitUntil(lambda: code not in codes(problems))
    qtbot.waitUntil(lambda: not session.jobs.running)
    assert sorted(codes(problems)) == sorted(one for one in before if one != code)
    recording = session.recording
    assert recording is not None
    assert recording.history.position == 1
    session.editing.undo()
    qtbot.waitUntil(lambda: codes(problems) == before)


def test_everything_mended_shows_that_nothing_is_wrong(problems: ProblemsPane, session: Session, qtbot: QtBot) -> None:
    for code in ("body-size", "replay-parent-unknown", "replay-deleted-unknown"):
        click(problems, code, qtbot)
        press(problems, "problemFixAll" if problems.foot.fix_all.isVisible() else "problemFix", qtbot)
        qtbot.waitUntil(lambda code=code: code not in codes(problems))
        qtbot.waitUntil(lambda: not session.jobs.running)
    assert problems.empty.isVisible()
    assert not problems.foot.isVisible()


def test_the_pane_follows_an_edit_before_everything_is_checked_again(problems: ProblemsPane, session: Session) -> None:
    before = {(one.code, one.row): one.offset for one in problems.model.rows}
    packet = session.snapshot_or_refuse().frame(0).packet("Position")
    assert packet is not None
    where = Place(0, packet.index)
    session.editing.apply(edits.replace_body(session.snapshot_or_refuse(), where, packet.body + b"???"))
    # No time has passed for a job: this is what is known at once.
    after = {(one.code, one.row): one.offset for one in problems.model.rows}
    assert ("body-size", 0) in after
    assert {key: (after[key] or 0) - 3 for key in before} == before
    session.editing.undo()
    assert {(one.code, one.row): one.offset for one in problems.model.rows} == before


def test_findings_move_with_the_frames_behind_an_edit(problems: ProblemsPane, session: Session) -> None:
    before = [(one.code, one.frame_index) for one in problems.model.rows]
    session.editing.apply(edits.insert_frame(session.snapshot_or_refuse(), 1))
    after = [(one.code, one.frame_index) for one in problems.model.rows]
    assert after == [(code, None if frame is None else frame + 1) for code, frame in before]


def test_f8_and_the_action_mend_the_next_problem(open_window: OpenWindow, ailing: Path, qtbot: QtBot) -> None:
    window = open_window(ailing)
    bring_up(window, qtbot)
    qtbot.waitUntil(
        lambda: len(window.session.background.findings) == 6 and window.registry["go.next_problem"].isEnabled()
    )
    qtbot.keyClick(window, Qt.Key.Key_F8)
    first = window.panes.get(PROBLEMS).current
    assert first is not None
    assert window.registry["problem.fix"].isEnabled()
    window.registry.run("problem.fix")
    qtbot.waitUntil(lambda: len(window.session.background.findings) == 5)
    assert first not in window.session.background.findings


def test_errors_stand_before_warnings(problems: ProblemsPane) -> None:
    ranks = [["error", "warning", "info"].index(finding.severity) for finding in problems.model.rows]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) > 1


def test_a_right_click_selects_what_the_finding_is_about(
    problems: ProblemsPane, session: Session, qtbot: QtBot
) -> None:
    row = codes(problems).index("body-size")
    problems.list.customContextMenuRequested.emit(problems.list.visualRect(problems.model.index(row, 0)).center())
    assert session.selection.span[0] == problems.model.rows[row].offset
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    menu.close()
    qtbot.waitUntil(lambda: not problems.findChildren(QMenu))


def test_the_filter_leaves_the_problems_that_have_its_words(
    problems: ProblemsPane, session: Session, qtbot: QtBot
) -> None:
    every = codes(problems)
    assert problems.filter.isVisible()
    assert problems.open_find()
    qtbot.keyClicks(problems.filter, "body-size frame 6")
    assert [(one.code, one.frame_index) for one in problems.model.rows] == [("body-size", 5)]
    assert problems.caption == "1 of 6"
    qtbot.keyClick(problems.filter, Qt.Key.Key_Down)
    assert problems.list.hasFocus()
    problems.step(1)
    assert session.selection.frame_index == 5
    problems.open_find()
    qtbot.keyClicks(problems.filter, "no such words")
    assert problems.empty.isVisible()
    assert problems.empty.text() == "No problem matches"
    qtbot.keyClick(problems.filter, Qt.Key.Key_Escape)
    assert codes(problems) == every
    assert problems.filter.isVisible()


def test_a_word_wider_than_a_line_leaves_no_line_empty(problems: ProblemsPane, theme: Theme, qtbot: QtBot) -> None:
    theme.set_text_size(18)
    delegate = problems.list.itemDelegate()
    assert isinstance(delegate, FindingDelegate)
    words = "The brake of vehicle.lincoln.mkz_2017 3890 is 1.5 in frame 5 and 3 more."
    delegate.lines = 3
    lines = delegate.broken(words, 160).split("\n")
    assert len(lines) == 3
    assert all(lines)
    assert all(theme.metrics(theme.font).horizontalAdvance(line) <= 160 for line in lines)


def test_no_more_lines_are_drawn_than_there_is_room_for(problems: ProblemsPane, theme: Theme) -> None:
    words = "The file ends in the middle of a packet after frame 374; 53 bytes of it are left."
    delegate, option = problems.list.itemDelegate(), QStyleOptionViewItem()
    assert isinstance(delegate, FindingDelegate)
    for size in (9, 10, 12):
        theme.set_text_size(size)
        delegate.lines, high = 2, 3 * theme.metrics().lineSpacing()
        below = 4 + 2 * theme.metrics().lineSpacing() + 1
        for width in range(240, 480):
            option.rect = QRect(0, 0, width, high + 20)
            problems.model.rows = (Finding("no-header", "error", words),)
            picture = QImage(width, high, QImage.Format.Format_RGB32)
            painter = QPainter(picture)
            delegate.paint(painter, option, problems.model.index(0, 0))
            painter.end()
            rest = picture.copy(38, below, width - 38, high - below)
            ground = picture.pixel(1, 1)
            assert all(rest.pixel(x, y) == ground for x in range(rest.width() - 90) for y in range(rest.height()))


def test_a_message_that_is_cut_keeps_whole_words(problems: ProblemsPane, theme: Theme) -> None:
    delegate = problems.list.itemDelegate()
    assert isinstance(delegate, FindingDelegate)
    words = (
        "The bytes after frame 2 are not in the form of packets: 748 bytes, up to the next readable frame or the end."
    )
    delegate.lines = 2
    for width in range(100, 300, 10):
        text = delegate.broken(words, width)
        assert "…" in text
        assert set(text.split()) <= {*words.split(), "…"}
        assert all(theme.metrics(theme.font).horizontalAdvance(line) <= width for line in text.split("\n"))


def test_chinese_messages_fill_their_lines(problems: ProblemsPane, theme: Theme) -> None:
    delegate = problems.list.itemDelegate()
    assert isinstance(delegate, FindingDelegate)
    metrics, words = (
        theme.metrics(theme.font),
        "某个程序把该记录文件当作文本读取并保存：所有不是有效 UTF-8 的字节都已被替换。",
    )
    delegate.lines = 9
    slack = metrics.horizontalAdvance("UTF-8 的，")  # what is not broken; its signs are narrow where no font has them
    for width in range(160, 300, 10):
        lines = delegate.broken(words, width).split("\n")
        assert "".join(lines).replace(" ", "") == words.replace(" ", "")
        assert all(width - slack < metrics.horizontalAdvance(line) <= width for line in lines[:-1])
        assert not [line for line in lines if line[0] in "，。："]


def test_in_a_narrow_pane_messages_have_the_room_of_the_places(problems: ProblemsPane) -> None:
    delegate = problems.list.itemDelegate()
    assert isinstance(delegate, FindingDelegate)
    narrow, wide = (delegate._message_rect(QRect(0, 0, width, 42)).width() for width in (221, 340))
    assert narrow > 160
    assert wide < 340 - 38 - 84


def test_messages_have_the_lines_they_need_while_there_is_room(
    problems: ProblemsPane, session: Session, qtbot: QtBot
) -> None:
    long = "Some program read this recording as text and saved it: every byte that was not valid UTF-8 was replaced"
    delegate = problems.list.itemDelegate()
    assert isinstance(delegate, FindingDelegate)

    def cut(number: int, height: int) -> int:
        """The lines of each of so many findings, 0 where the message ends in an ellipsis."""
        problems.resize(440, height)
        session.background.findings = (Finding("no-header", "error", long * 2),) * number
        session.background.findings_changed.emit()
        qtbot.waitUntil(lambda: problems.model.rowCount() == number)
        QApplication.processEvents()
        rect = problems.list.visualRect(problems.model.index(0, 0))
        return 0 if "…" in delegate.broken(long * 2, rect.width() - 38 - 100) else rect.height() // 16

    assert cut(1, 400) >= 4
    assert cut(9, 400) == 0
    assert delegate.lines == 3
    cut(9, 100)
    assert delegate.lines == 2
