"""The layout for repair: a damaged file opens in it, the pane says what can be saved, and its button saves it."""

import re
import shlex
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QScrollArea, QToolTip
from pytestqt.qtbot import QtBot

import recorder_editor
from recorder_editor.cli import main
from recorder_editor.progress import Progress
from recorder_editor.repair import propose
from recorder_editor.ui.app import settle
from recorder_editor.ui.panes.repair import repair_pane as pane_module
from recorder_editor.ui.panes.repair.excerpt import counterpart
from recorder_editor.ui.panes.repair.repair_pane import RepairPane
from recorder_editor.ui.session import Session
from recorder_editor.ui.session.settings import Settings
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import BYTES, REPAIR, TIMELINE
from recorder_editor.ui.style.theme import Theme
from recorder_editor.ui.widgets import Label
from recorder_editor.views.byte_shading import DAMAGED
from recorder_editor.views.repair_preview import RepairPreview, RepairRequest, preview_repair

from .. import builders as b
from .parts import Parts
from .test_widgets import wheel
from .windows import OpenWindow, bring_up, data_of, idle, workspace_cell

LEFT = Qt.MouseButton.LeftButton
FRAMES = 40


@dataclass(frozen=True)
class Alone:
    """The pane without a window around it."""

    session: Session
    repair: RepairPane


Shown = Alone | MainWindow
Opened = Callable[[bytes], Alone]
InWindow = Callable[[bytes], MainWindow]


def pane_of(shown: Shown) -> RepairPane:
    return shown.repair if isinstance(shown, Alone) else shown.panes.get(REPAIR)


def looked(shown: Shown, qtbot: QtBot) -> RepairPreview:
    """Waits until the pane has looked at all, and at what would be left."""
    pane = pane_of(shown)

    def is_through() -> bool:
        found = pane.preview
        if found is None or shown.session.jobs.running or not same(found, pane.request()):
            return False
        return pane.errors is not None or found.proposal.problem is not None or found.proposal.is_copy

    qtbot.waitUntil(is_through)
    assert pane.preview is not None
    return pane.preview


def same(found: RepairPreview, wanted: RepairRequest | None) -> bool:
    return wanted is not None and wanted.is_same(found.request)


def labels(shown: Shown) -> list[str]:
    assert shown.session.recording is not None
    history = shown.session.recording.history
    return [step.label for step in history.steps[: history.position]]


def figure(shown: Shown, label: str) -> tuple[str, ...]:
    return next(tuple(numbers) for name, *numbers in pane_of(shown).summary.figures.rows if name == label)


def codes(shown: Shown) -> list[str]:
    return [line.code for line in pane_of(shown).steps.lines]


def whole(frames: int = FRAMES) -> bytes:
    return b.drive(frames, vehicles=3)


def starts(data: bytes) -> list[int]:
    """Where the frames begin, by their FrameStarts."""
    mark = struct.pack("<BI", 0, 24)
    found, at = [], data.find(mark)
    while at >= 0:
        found.append(at)
        at = data.find(mark, at + 29)
    return found


def torn() -> bytes:
    data = whole()
    return data[: starts(data)[30] + 120]


def with_a_hole() -> bytes:
    data = whole()
    low, high = starts(data)[12] + 60, starts(data)[16] + 60
    return data[:low] + bytes(high - low) + data[high:]


@pytest.fixture
def opened(session: Session, theme: Theme, tmp_path: Path, qtbot: QtBot) -> Iterator[Opened]:
    """Opens these bytes beside the pane alone, and waits until everything was looked at."""
    pane = RepairPane(session, theme)
    pane.resize(352, 700)
    bring_up(pane, qtbot)

    def make(data: bytes) -> Alone:
        path = tmp_path / "town 1.log"
        path.write_bytes(data)
        session.open(path)
        alone = Alone(session, pane)
        looked(alone, qtbot)
        return alone

    yield make
    pane.close()
    pane.deleteLater()


@pytest.fixture
def as_found(open_window: OpenWindow, tmp_path: Path, qtbot: QtBot) -> InWindow:
    """Opens these bytes in one window as they are found: in the layout that is chosen for them."""
    window = open_window(size=(1440, 900))

    def make(data: bytes) -> MainWindow:
        window.session.show_none()
        path = tmp_path / "town 1.log"
        path.write_bytes(data)
        window.session.open(path)
        idle(window, qtbot)
        return window

    return make


@pytest.fixture
def in_window(as_found: InWindow, qtbot: QtBot) -> InWindow:
    """Opens these bytes in the same window, in the layout for repair, and waits until everything was looked at."""

    def make(data: bytes) -> MainWindow:
        window = as_found(data)
        if window.panes.preset != "repair":
            window.panes.set_preset("repair")
        looked(window, qtbot)
        return window

    return make


# --- opening --------------------------------------------------------------------------------------------------


def a_damaged_file_opens_in_the_layout_for_repair_until_one_goes_elsewhere(
    as_found: InWindow, tmp_path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    window = as_found(torn())
    assert window.panes.preset == "repair"
    assert window.panes.docks["repair"].isVisible()
    assert window.panes.docks["problems"].isVisible()
    assert window.panes.docks["bytes"].isVisible()
    with subtests.test("who went elsewhere stays there when the file is read again"):
        window.panes.set_preset("inspect")
        window.documents.reload()
        idle(window, qtbot)
        assert window.panes.preset == "inspect"
    with subtests.test("a damaged file that is opened once more is damaged still"):
        window.documents.close()
        window.documents.open(tmp_path / "town 1.log")
        idle(window, qtbot)
        assert window.panes.preset == "repair"
    with subtests.test("the next sound file is shown as before"):
        sound = tmp_path / "sound.log"
        sound.write_bytes(whole())
        window.documents.open(sound)
        idle(window, qtbot)
        assert window.panes.preset == "inspect"


def of_a_sound_file_the_toolbar_and_the_menu_lead_to_a_pane_that_says_so(
    as_found: InWindow, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    window = as_found(whole())
    assert window.panes.preset == "inspect"
    with subtests.test("the toolbar leads to the pane and back"):
        qtbot.mouseClick(workspace_cell(window, "repair"), LEFT)
        assert window.panes.docks["repair"].isVisible()
        qtbot.mouseClick(workspace_cell(window, "inspect"), LEFT)
        assert window.panes.docks["repair"].isHidden()
    with subtests.test("a sound file is repaired from the menu by saying so"):
        window.registry.run("repair.apply")
        idle(window, qtbot)
        assert window.panes.preset == "repair"
        assert window.panes.get(REPAIR).job_panel.sentence.text() == "There is nothing to repair."
        assert labels(window) == []
    with subtests.test("a sound file says that nothing is to repair"):
        window.documents.reload()
        idle(window, qtbot)
        window.panes.set_preset("repair")
        looked(window, qtbot)
        assert window.panes.get(REPAIR).empty.isVisible()
        assert window.panes.get(REPAIR).empty.text() == "There is nothing to repair"
        assert not window.panes.get(REPAIR).go.isEnabled()
        assert not window.registry.is_enabled("repair.apply")


# --- looking before -------------------------------------------------------------------------------------------


def test_the_pane_tells_the_steps_their_cost_and_what_is_left_of_a_recording_with_a_hole(
    opened: Opened, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    alone = opened(with_a_hole())
    with subtests.test("the steps say what they do and cost"):
        assert codes(alone)[0] == "junk"
        line = alone.repair.steps.lines[0]
        assert line.title.startswith("Leave out 0x")
        assert "lost" in line.cost
        assert "no packets" in line.tip
        assert line.is_taken
    with subtests.test("the figures are those of the proposal"):
        found = alone.repair.preview
        assert found is not None
        report = found.proposal.report
        assert figure(alone, "frames") == (
            f"{len(found.proposal.before)}",
            f"{report.kept.frames}",
            f"{report.lost.frames}",
        )
        assert figure(alone, "bytes")[1] == f"{found.proposal.after.size:,}"
        assert figure(alone, "bytes")[2] == f"{report.lost.bytes:,}"
        assert float(figure(alone, "seconds")[2]) == pytest.approx(0.05 * report.lost.frames, abs=1e-3)
    with subtests.test("losses are listed by type"):
        found = alone.repair.preview
        assert found is not None
        lost = found.proposal.report.lost
        names = sorted(lost.packets_by_type | lost.records_by_type)
        assert [name for name, *_ in alone.repair.summary.losses.rows] == names
        assert alone.repair.summary.losses.isHidden() == (not names)
    with subtests.test("a click on a step selects its damage"):
        found = alone.repair.preview
        assert found is not None
        step = found.proposal.steps[0]
        row = alone.repair.steps.rows[0]
        qtbot.mouseClick(row, LEFT, pos=QPoint(120, 20))
        assert alone.session.selection.span[0] == step.findings[0].offset
        assert row.property("current")
        assert row.line.is_taken
        excerpt = alone.repair.summary.excerpt
        assert excerpt.before is not None
        assert excerpt.after is not None
        assert DAMAGED in excerpt.before.codes
        assert DAMAGED not in excerpt.after.codes


def balance(shown: Shown, label: str) -> str:
    """The tooltip of the numbers of a row, which tells how they add up."""
    figures = pane_of(shown).summary.figures
    row = [name for name, *_ in figures.rows].index(label)
    tips = {cell.toolTip() for cell in figures.findChildren(Label) if cell.text() in figures.rows[row][1:]}
    (tip,) = tips & {figures.tips[row]}
    return tip


@pytest.mark.parametrize("damaged", [torn, with_a_hole])
def test_numbers_that_do_not_add_up_say_why(opened: Opened, damaged: Callable[[], bytes]) -> None:
    alone = opened(damaged())
    figures = alone.repair.summary.figures
    explained = 0
    for label, *numbers in figures.rows:
        if label == "seconds":
            assert balance(alone, label) == "Before and after: without the time of frames that are missing"
            continue
        before, after, lost = (int(number.replace(",", "")) for number in numbers)
        tip = balance(alone, label)
        explained += bool(tip)
        assert bool(tip) == (before - lost != after), label
        if tip:
            left, right = tip.splitlines()[0].replace(",", "").replace("−", "-").split("=")
            assert sum(int(sign + number) for sign, number in re.findall(r"([+-]?) ?(\d+)", left)) == after
            assert int(right.split()[0]) == after
    assert explained
    assert all(head.toolTip() for head in figures.heads[1:])


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (
            lambda data: data[:70_001],
            {
                "packets": "743 before − 0 lost + 1 that could not be read = 744 after",
                "records": "5,087 before − 46 lost + 54 that could not be read = 5,095 after",
                "bytes": "70,001 before − 3 lost + 5 made anew = 70,003 after",
            },
        ),
        (
            lambda data: data[:30_000] + bytes(5000) + data[35_000:],
            {
                "frames": "109 before − 6 lost + 7 that could not be read = 110 after",
                "records": "6,729 before − 0 lost + 4 that could not be read = 6,733 after",
                "bytes": "96,249 before − 5,404 lost + 34 made anew = 90,879 after",
            },
        ),
    ],
)
def test_damage_to_a_real_recording_adds_up(
    opened: Opened, recordings: Path, make: Callable[[bytes], bytes], told: dict[str, str]
) -> None:
    alone = opened(make((recordings / "carla-0.9.13-opendrive.log").read_bytes()))
    assert {label: balance(alone, label).partition("\n")[0] for label in told} == told


def test_the_pane_of_a_torn_recording_has_a_verdict_and_a_last_good_frame(
    opened: Opened, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    alone = opened(torn())
    with subtests.test("the verdict is that of the checks"):
        assert alone.repair.errors == ()
        assert alone.repair.summary.verdict.text() in (
            "No error would be left",
            "Nothing is lost, and no error would be left",
        )
    with subtests.test("the wheel scrolls past the slider that has not the keyboard"):
        looked(alone, qtbot)
        slider = alone.repair.options.slider
        alone.repair.go.setFocus()
        assert not wheel(slider, -120).isAccepted()
        assert slider.value() == alone.session.frames
        slider.setFocus()
        assert wheel(slider, -120).isAccepted()
        assert slider.value() < alone.session.frames
    with subtests.test("the last good frame is typed"):
        edit = alone.repair.options.frame
        edit.setFocus()
        edit.selectAll()
        qtbot.keyClicks(edit, "20")
        qtbot.keyClick(edit, Qt.Key.Key_Return)
        assert looked(alone, qtbot).request.last_good_frame == 19
        assert alone.repair.options.slider.value() == 20
    with subtests.test("no command is offered for what none does"):
        alone.repair.set_last_good(alone.session.frames - 1)
        looked(alone, qtbot)
        assert alone.repair.copy.isEnabled()
        alone.repair.set_last_good(9)
        looked(alone, qtbot)
        assert not alone.repair.copy.isEnabled()
        assert "no command" in alone.repair.copy.toolTip()
    with subtests.test("the words of a button fit into the narrowest column"):
        alone.repair.resize(252, 700)
        take = alone.repair.options.take
        assert take.width() >= take.sizeHint().width()


def test_a_step_that_is_unticked_is_passed_over(opened: Opened, qtbot: QtBot) -> None:
    data = with_a_hole()
    data = data[: starts(data)[-1] + 120]
    alone = opened(data)
    every = set(codes(alone))
    assert {"junk", "torn-tail"} <= every
    row = next(row for row in alone.repair.steps.rows if row.line.code == "torn-tail")
    qtbot.mouseClick(row.box, LEFT)
    found = looked(alone, qtbot)
    assert [step.code for step in found.proposal.steps if not step.is_taken] == ["torn-tail"]
    line = next(line for line in alone.repair.steps.lines if line.code == "torn-tail")
    assert not line.is_taken
    assert "stays as it is" in line.cost
    qtbot.mouseClick(row.box, LEFT)
    looked(alone, qtbot)
    assert all(line.is_taken for line in alone.repair.steps.lines)
    assert set(codes(alone)) == every


def test_without_any_step_nothing_is_done(opened: Opened, qtbot: QtBot) -> None:
    alone = opened(torn())
    while any(line.is_taken for line in alone.repair.steps.lines):
        row = next(row for row in alone.repair.steps.rows if row.line.is_taken and not row.isHidden())
        qtbot.mouseClick(row.box, LEFT)
        qtbot.waitUntil(lambda: bool(alone.repair.preview) and not alone.session.jobs.running)
        qtbot.waitUntil(lambda: alone.repair.preview is not None and same(alone.repair.preview, alone.repair.request()))
    assert not alone.repair.go.isEnabled()
    assert alone.repair.summary.verdict.text() == "No step is selected."


def test_the_last_good_frame_is_set_by_the_slider(opened: Opened, qtbot: QtBot) -> None:
    alone = opened(torn())
    slider = alone.repair.options.slider
    assert (slider.minimum(), slider.maximum(), slider.value()) == (1, alone.session.frames, alone.session.frames)
    slider.setFocus()
    for _ in range(5):
        qtbot.keyClick(slider, Qt.Key.Key_Left)
    last = alone.session.frames - 5
    assert alone.session.selection.frame_index == last - 1
    assert alone.session.lost.frames == (range(last, alone.session.frames),)
    found = looked(alone, qtbot)
    assert found.request.last_good_frame == last - 1
    assert figure(alone, "frames")[1] == f"{last}"
    assert codes(alone)[0] == "last-good-frame"
    qtbot.keyClick(slider, Qt.Key.Key_End)
    looked(alone, qtbot)
    assert "last-good-frame" not in codes(alone)
    assert alone.session.lost.frames == ()


def what_would_be_left_out_is_hatched_on_the_timeline_and_in_the_bytes(in_window: InWindow, qtbot: QtBot) -> None:
    window = in_window(with_a_hole())
    canvas = window.panes.get(TIMELINE).canvas
    gaps = len(canvas.timeline_layout.marks.gaps)
    assert gaps >= 1
    window.registry.run("edit.undo")
    window.session.selection.go_to_frame(24)
    window.registry.run("repair.last_good")
    looked(window, qtbot)
    assert len(canvas.timeline_layout.marks.gaps) == gaps + 1
    gap = max(canvas.timeline_layout.marks.gaps)
    assert (gap.frames_before, gap.frames) == (25, window.session.frames - 25)
    view = window.panes.get(BYTES).view
    snapshot = window.session.snapshot
    assert snapshot is not None
    at = snapshot.frame(30).offset
    window.session.selection.select_byte(at)
    shading = view._visible()
    assert int(shading.codes[at - shading.start]) == DAMAGED
    window.panes.set_preset("inspect")
    assert window.session.lost.frames == ()
    assert len(canvas.timeline_layout.marks.gaps) == gaps


def test_steps_are_reached_by_the_keyboard(opened: Opened, qtbot: QtBot) -> None:
    data = with_a_hole()
    alone = opened(data[: starts(data)[-1] + 120])
    rows = [row for row in alone.repair.steps.rows if not row.isHidden()]
    rows[0].box.setFocus()
    qtbot.keyClick(rows[0].box, Qt.Key.Key_Down)
    assert rows[1].box.hasFocus()
    assert rows[1].property("current")
    qtbot.keyClick(rows[1].box, Qt.Key.Key_Return)
    found = alone.repair.preview
    assert found is not None
    assert alone.session.selection.span[0] in [finding.offset for finding in found.proposal.steps[1].findings]
    qtbot.keyClick(rows[1].box, Qt.Key.Key_Space)
    assert rows[1].line.code in looked(alone, qtbot).request.passed_over


def test_a_lost_header_is_compared_with_the_new_one(opened: Opened) -> None:
    data = whole()
    alone = opened(data[starts(data)[0] :])
    excerpt = alone.repair.summary.excerpt
    assert excerpt.before is not None
    assert excerpt.after is not None
    assert (excerpt.before.start, excerpt.after.start) == (0, 0)
    assert b"CARLA_RECORDER" in excerpt.after.data
    assert excerpt.after.edited.all()


def test_looking_is_cancelled_and_begun_again(opened: Opened, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    ends = Event()

    def never(_wanted: RepairRequest, progress: Progress) -> RepairPreview:
        while not ends.wait(0.005):
            progress.check()
        raise AssertionError

    alone = opened(torn())
    monkeypatch.setattr(pane_module, "preview_repair", never)
    alone.repair.set_last_good(10)
    qtbot.waitUntil(lambda: alone.repair.strip.isVisible())
    alone.repair.strip.cancel_button.click()
    idle(alone, qtbot)
    assert alone.repair.empty.text() == "Not checked"
    assert alone.repair.again.isVisible()
    monkeypatch.setattr(pane_module, "preview_repair", preview_repair)
    qtbot.mouseClick(alone.repair.again, LEFT)
    looked(alone, qtbot)
    assert alone.repair.steps.isVisible()


# --- doing ----------------------------------------------------------------------------------------------------


def test_repairing_is_one_step_that_is_undone(opened: Opened, qtbot: QtBot) -> None:
    data = with_a_hole()
    alone = opened(data)
    found = alone.repair.preview
    assert found is not None
    expected = found.proposal.after.read(0, found.proposal.after.size)
    qtbot.mouseClick(alone.repair.go, LEFT)
    assert labels(alone) == ["Repair"]
    assert data_of(alone) == expected
    assert alone.repair.is_done
    assert alone.repair.save.isVisible()
    assert not alone.repair.go.isVisible()
    assert alone.repair.summary.heading.text() == "What was done"
    assert "Undo takes it back." in alone.repair.job_panel.sentence.text()
    alone.session.editing.undo()
    assert data_of(alone) == data
    assert not alone.repair.is_done
    looked(alone, qtbot)
    assert alone.repair.go.isEnabled()
    alone.session.editing.redo()
    assert alone.repair.is_done
    assert data_of(alone) == expected


def test_who_is_in_a_hurry_need_not_wait_for_the_look(opened: Opened, qtbot: QtBot) -> None:
    alone = opened(torn())
    alone.repair.set_last_good(9)
    alone.repair.go.click()
    assert alone.repair.job_panel.is_busy
    idle(alone, qtbot)
    assert alone.session.frames == 10
    assert labels(alone) == ["Repair"]


def test_a_repair_that_is_cancelled_leaves_no_trace(opened: Opened, qtbot: QtBot) -> None:
    data = torn()
    alone = opened(data)
    alone.repair.set_last_good(9)
    alone.repair.go.click()
    alone.repair.job_panel.strip.cancel_button.click()
    idle(alone, qtbot)
    assert data_of(alone) == data
    assert labels(alone) == []


def the_list_of_everything_repairs_from_any_layout_and_a_copy_is_saved(
    in_window: InWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    data = torn()
    window = in_window(data)
    pane = window.panes.get(REPAIR)
    with subtests.test("another edit is looked at anew"):
        first = pane.preview
        window.session.range.set(5, 20)
        window.registry.run("range.trim")
        idle(window, qtbot)
        found = looked(window, qtbot)
        assert found is not first
        assert len(found.proposal.before) == 15
        assert pane.empty.text() == "There is nothing to repair"
        window.session.editing.undo()
        looked(window, qtbot)
    with subtests.test("the list of everything repairs from any layout"):
        window.panes.set_preset("inspect")
        window.registry.refresh()
        window.registry.run("repair.apply")
        idle(window, qtbot)
        assert window.panes.preset == "repair"
        assert labels(window) == ["Repair"]
        window.session.editing.undo()
        looked(window, qtbot)
    with subtests.test("a repaired copy is saved and the damaged file stays"):
        offered: list[str] = []

        def answer(_parent: object, _title: str, place: str, _filter: str) -> tuple[str, str]:
            offered.append(Path(place).name)
            return place, ""

        monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
        pane.go.click()
        qtbot.mouseClick(pane.save, LEFT)
        idle(window, qtbot)
        assert offered == ["town 1-repaired.log"]
        assert (tmp_path / "town 1.log").read_bytes() == data
        assert (tmp_path / "town 1-repaired.log").read_bytes() == data_of(window)
        assert not window.session.is_modified
        assert window.documents.path == tmp_path / "town 1-repaired.log"


def test_bytes_are_compared_a_report_is_written_and_the_copied_command_does_the_same(
    opened: Opened, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    alone = opened(with_a_hole())
    with subtests.test("bytes before and after begin at the same place"):
        found = alone.repair.preview
        assert found is not None
        before, after = found.proposal.before, found.proposal.after
        start = before.frame(20).offset
        there = counterpart(before, after, start)
        assert there is not None
        assert before.read(start, 40) == after.read(there, 40)
        assert counterpart(before, after, 3) == 3
    with subtests.test("the report is written as a text"):
        target = tmp_path / "loss.txt"
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_arguments: (str(target), ""))
        qtbot.mouseClick(alone.repair.report, LEFT)
        text = target.read_text("utf-8")
        assert text.startswith("Repair of town 1.log\n")
        assert "[x] Leave out 0x" in text
        assert "Lost: " in text
        assert "0 errors are left in the result." in text
    with subtests.test("the copied command does the same"):
        qtbot.mouseClick(alone.repair.copy, LEFT)
        words = shlex.split(QGuiApplication.clipboard().text())
        assert words == ["recorder-editor", "repair", "town 1.log", "town 1-repaired.log"]
        alone.repair.go.click()
        assert shlex.split(alone.repair.command_line()) == words
        monkeypatch.chdir(tmp_path)
        assert main(words[1:]) in (0, 3)
        assert (tmp_path / words[3]).read_bytes() == data_of(alone)


# --- another copy ---------------------------------------------------------------------------------------------


def test_another_copy_gives_good_bytes_is_given_up_or_refused(
    opened: Opened, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    alone = opened(with_a_hole())
    with subtests.test("another recording is no copy and refused in place"):
        other = tmp_path / "other.log"
        other.write_bytes(b.drive(FRAMES, vehicles=1))
        alone.repair.set_donor(other)
        qtbot.waitUntil(lambda: bool(alone.repair.options.refusal.text()))
        looked(alone, qtbot)
        assert "not a copy of this recording" in alone.repair.options.refusal.text()
        assert alone.repair.request() is not None
        assert alone.repair.options.take.isVisible()
        assert alone.repair.go.isEnabled()
    with subtests.test("the other copy is given up"):
        copy = tmp_path / "copy.log"
        copy.write_bytes(whole())
        alone.repair.set_donor(copy)
        looked(alone, qtbot)
        qtbot.mouseClick(alone.repair.options.drop, LEFT)
        assert looked(alone, qtbot).request.donor is None
        assert alone.repair.options.take.isVisible()
    with subtests.test("good bytes come from another copy"):
        copy = tmp_path / "copy.log"
        copy.write_bytes(whole())
        assert figure(alone, "frames")[2] != "0"
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_arguments: (str(copy), ""))
        qtbot.mouseClick(alone.repair.options.take, LEFT)
        found = looked(alone, qtbot)
        assert found.proposal.report.lossless
        assert alone.repair.options.donor.text() == "Other copy: copy.log"
        assert "--donor" in alone.repair.command_line()
        alone.repair.go.click()
        assert data_of(alone) == whole()


# --- kinds of damage ------------------------------------------------------------------------------------------


def test_a_lost_map_is_asked_for(opened: Opened, qtbot: QtBot) -> None:
    data = whole()
    alone = opened(data[starts(data)[0] :])
    edit = alone.repair.options.map
    assert edit.isVisible()
    assert alone.repair.options.map_asked.isVisible()
    edit.setFocus()
    qtbot.keyClicks(edit, "Town07")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    found = looked(alone, qtbot)
    assert found.request.map_name == "Town07"
    assert not found.proposal.needs_map
    assert not alone.repair.options.map_asked.isVisible()
    assert "--map Town07" in alone.repair.command_line()
    alone.repair.go.click()
    snapshot = alone.session.snapshot
    assert snapshot is not None
    assert snapshot.header is not None
    assert snapshot.header.map_name == "Town07"
    assert alone.session.frames == FRAMES


def test_zeros_at_the_end_cost_nothing(opened: Opened) -> None:
    alone = opened(whole() + bytes(5000))
    assert codes(alone) == ["zeros-at-end"]
    assert alone.repair.summary.verdict.text() == "Nothing is lost, and no error would be left"
    alone.repair.go.click()
    assert data_of(alone) == whole()


def test_frames_that_only_another_copy_has_are_told(opened: Opened, tmp_path: Path, qtbot: QtBot) -> None:
    data = whole()
    low, high = starts(data)[10], starts(data)[14]
    alone = opened(data[:low] + data[high:])
    assert codes(alone) == ["missing-frames"]
    assert alone.repair.steps.lines[0].title == "4 frames stay missing"
    assert alone.repair.summary.verdict.text() == "Only another copy of this recording could help."
    assert not alone.repair.go.isEnabled()
    copy = tmp_path / "copy.log"
    copy.write_bytes(data)
    alone.repair.set_donor(copy)
    looked(alone, qtbot)
    assert alone.repair.steps.lines[0].title == "Restore missing frames from the copy"
    alone.repair.go.click()
    assert data_of(alone) == data


def test_a_file_that_is_no_recording_is_explained_in_place(opened: Opened) -> None:
    alone = opened(b"GET / HTTP/1.1\r\nHost: carla.org\r\n\r\n" * 40)
    assert alone.repair.empty.isVisible()
    assert alone.repair.empty.text() == "Nothing can be recovered"
    assert not alone.repair.go.isEnabled()


def a_recording_saved_as_text_is_explained_in_place(as_found: InWindow, recordings: Path, qtbot: QtBot) -> None:
    window = as_found((recordings / "damaged-saved-as-text.log").read_bytes())
    found = looked(window, qtbot)
    assert window.panes.preset == "repair"
    assert found.proposal.problem is not None
    assert window.panes.get(REPAIR).empty.text() == "Nothing can be recovered"
    assert not window.panes.get(REPAIR).go.isEnabled()
    assert window.panes.get(REPAIR).report.isEnabled()


def test_damaged_files_in_a_window(request: pytest.FixtureRequest, subtests: pytest.Subtests) -> None:
    parts = Parts()
    for part in (
        of_a_sound_file_the_toolbar_and_the_menu_lead_to_a_pane_that_says_so,
        a_damaged_file_opens_in_the_layout_for_repair_until_one_goes_elsewhere,
        what_would_be_left_out_is_hatched_on_the_timeline_and_in_the_bytes,
        the_list_of_everything_repairs_from_any_layout_and_a_copy_is_saved,
        a_recording_saved_as_text_is_explained_in_place,
    ):
        parts(part)
    names = ("as_found", "in_window", "qtbot", "recordings", "tmp_path")
    given = {name: request.getfixturevalue(name) for name in names}
    parts.run(subtests, lambda: {"subtests": subtests}, **given)


@pytest.mark.parametrize("kind", ["torn", "hole", "zeros", "header", "text"])
def test_a_real_recording_that_was_damaged_is_repaired_as_the_engine_does(
    kind: str, recordings: Path, opened: Opened, tmp_path: Path
) -> None:
    data = (recordings / "carla-0.9.6-town03-collision.rec").read_bytes()
    low, middle = starts(data)[0], starts(data)[60] + 33
    made = {
        "torn": data[: len(data) - 500],
        "hole": data[:middle] + bytes(9000) + data[middle + 9000 :],
        "zeros": data + bytes(777),
        "header": data[low:],
        "text": data.replace(b"\n", b"\r\n"),
    }[kind]
    alone = opened(made)
    # The same file: where a header is lost, the time of the file gives the date.
    with recorder_editor.open(tmp_path / "town 1.log") as recording:
        proposal = propose(recording.snapshot)
        expected = proposal.after.read(0, proposal.after.size)
    assert alone.repair.errors == ()
    alone.repair.go.click()
    assert data_of(alone) == expected


# --- how it looks ---------------------------------------------------------------------------------------------


def wounded(recordings: Path) -> bytes:
    """The recording of Town05 with a bad size, 64 KiB of zeros and a cut end, as the designed picture has it."""
    data = bytearray((recordings / "carla-0.9.13-town05-collisions.log").read_bytes())
    frames = starts(bytes(data))
    at = data.index(struct.pack("<B", 6), frames[142] + 29)
    while struct.unpack_from("<BI", data, at)[1] != 730:
        at = data.index(struct.pack("<B", 6), at + 1)
    data[at + 1 : at + 5] = struct.pack("<I", 2_147_484_378)
    data[0x8F000:0x9F000] = bytes(0x10000)
    return bytes(data[: frames[530] + 1500])


@pytest.mark.parametrize(
    ("size", "mode"), [((1280, 800), "light"), pytest.param((1920, 1080), "dark", marks=pytest.mark.pictures)]
)
def test_the_layout_for_repair_in_pictures(
    open_window: OpenWindow,
    settings: Settings,
    recordings: Path,
    artefacts: Path,
    tmp_path: Path,
    qtbot: QtBot,
    mode: str,
    size: tuple[int, int],
) -> None:
    path = tmp_path / "town05-power-loss.log"
    path.write_bytes(wounded(recordings))
    window = open_window(path)
    window.theme.set_mode("dark" if mode == "dark" else "light")
    window.resize(*size)
    window.show()
    looked(window, qtbot)
    right = 352 if size[0] >= 1400 else 300
    qtbot.waitUntil(lambda: window.panes.get(REPAIR).width() == right)
    window.panes.get(REPAIR).steps.chosen.emit(codes(window).index("junk"))
    name = f"{mode}-{size[0]}"
    scroll = window.panes.get(REPAIR).findChild(QScrollArea)
    assert isinstance(scroll, QScrollArea)
    assert not scroll.horizontalScrollBar().maximum()
    for place, end in (("repair", False), ("repair-below", True)):
        scroll.verticalScrollBar().setValue(scroll.verticalScrollBar().maximum() if end else 0)
        assert window.grab().save(str(artefacts / f"{place}-{name}.png"))
    window.panes.get(REPAIR).go.click()
    scroll.verticalScrollBar().setValue(0)
    qtbot.waitUntil(
        lambda: fits(window) and window.session.background.trajectories is not None and not window.session.jobs.running
    )
    assert window.grab().save(str(artefacts / f"repair-done-{name}.png"))
    window.resize(960, 600)
    qtbot.waitUntil(lambda: fits(window))
    QToolTip.hideText()


def fits(window: MainWindow) -> bool:
    """The words of the buttons are whole."""
    return all(
        button.width() >= button.sizeHint().width()
        for button in (window.panes.get(REPAIR).report, window.panes.get(REPAIR).save)
    )


def test_frames_at_infinite_times_are_no_seconds_that_are_missing(tmp_path: Path) -> None:
    path = tmp_path / "infinite.log"
    path.write_bytes(b.recording(*(b.frame(number, time, 0.1) for number, time in ((1, 0.0), (66, inf), (67, inf)))))
    with recorder_editor.open(path) as recording:
        found = preview_repair(RepairRequest(recording.snapshot))
    assert found.now.seconds == 0.0
    assert found.now.frames == 3


@pytest.mark.parametrize(
    "size", [9, pytest.param(12, marks=pytest.mark.long), pytest.param(14, marks=pytest.mark.long), 24]
)
def test_the_narrowest_pane_shows_its_buttons_and_numbers_whole(
    opened: Opened, theme: Theme, qtbot: QtBot, size: int
) -> None:
    theme.set_text_size(size)
    alone = opened(torn())
    looked(alone, qtbot)
    pane = alone.repair
    pane.resize(pane.minimumSizeHint().width(), 400)
    bring_up(pane, qtbot)
    settle()
    for button in (pane.report, pane.go):
        words = button.fontMetrics().horizontalAdvance(button.text())
        assert button.width() - 2 * 12 >= words, button.text()
    area = pane.findChild(QScrollArea)
    assert area is not None
    assert area.horizontalScrollBar().maximum() == 0
