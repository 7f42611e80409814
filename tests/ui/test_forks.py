"""Packets of forks in the window: what an edit takes away besides is told, and numbers name packets in the filter."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor.edits.segments import Segment
from recorder_editor.texts import speaking
from recorder_editor.ui.dialogs.split import BY_FRAMES, SplitDialog
from recorder_editor.ui.panes.attributes.attributes_pane import AttributePanel
from recorder_editor.ui.panes.attributes.pages import RecordPage
from recorder_editor.ui.panes.packets.packets_model import LINE
from recorder_editor.ui.panes.packets.packets_pane import PacketPane
from recorder_editor.ui.panes.trim.trim_pane import CUT
from recorder_editor.ui.session import Session
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import TRIM
from recorder_editor.ui.style.theme import Theme
from recorder_editor.views.packet_filter import Finder, filter_of

from .. import builders as b
from ..forks import STORY, data_of
from .windows import OpenWindow, bring_up, idle
from .windows import data_of as bytes_of

ONE_LOST = (
    "1 packet 150 is cut away before frames that stay: no table knows this id, so what it sets is not carried on."
)
TWO_LOST = "2 packets 150 are cut away before frames that stay"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "fork.log"
    path.write_bytes(data_of(STORY))
    return path


@pytest.fixture
def window(open_window: OpenWindow, path: Path, qtbot: QtBot) -> MainWindow:
    window = open_window(path)
    window.resize(1440, 900)
    window.show()
    idle(window, qtbot)
    return window


def test_what_a_trim_takes_away_besides_is_told_in_the_window(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.range.set(3, 8)
    window.registry.run("range.trim")
    idle(window, qtbot)
    assert session.messages[-1] == ONE_LOST
    assert window.status.note.words.text() == ONE_LOST
    session.editing.undo()
    assert bytes_of(window) == data_of(STORY)
    told = len(session.messages)
    session.editing.redo()
    session.editing.undo()
    session.range.set(0, 3)
    window.registry.run("range.trim")
    idle(window, qtbot)
    assert list(session.messages)[told:] == []


def test_the_pane_tells_it_before_and_after(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    window.panes.set_preset("trim")
    window.session.range.set(3, 8)
    pane = window.panes.get(TRIM)
    qtbot.waitUntil(lambda: pane.preview is not None)
    assert pane.lost.text() == ONE_LOST
    assert dict(pane.preview.written)["DReyeVRWeather"] == 2
    pane.write(tmp_path / "part.log")
    idle(window, qtbot)
    assert pane.job_panel.sentence.text().startswith("Wrote part.log: 5 frames, ")
    assert pane.job_panel.sentence.text().endswith(ONE_LOST)
    pane.means.set_current(CUT)
    window.session.range.set(0, 3)
    qtbot.waitUntil(lambda: pane.preview is not None)
    pane.apply()
    assert pane.job_panel.sentence.text().endswith(f"Undo takes it back. {ONE_LOST}")


def test_segments_that_are_cut_out_or_written_tell_it(
    window: MainWindow, theme: Theme, tmp_path: Path, qtbot: QtBot
) -> None:
    session = window.session
    session.segments.set([Segment("one", 0, 2), Segment("two", 5, 6)])
    window.registry.run("segments.cut")
    idle(window, qtbot)
    assert session.messages[-1].startswith(TWO_LOST)
    session.editing.undo()
    dialog = SplitDialog(session, theme)
    dialog.open_()
    dialog.set_folder(tmp_path / "parts")
    dialog.means.set_current(BY_FRAMES)
    dialog.on_change()
    qtbot.waitUntil(lambda: dialog.parts is not None)
    dialog.write()
    qtbot.waitUntil(lambda: "Wrote" in dialog.job_panel.sentence.text())
    assert "1 packet 150 is cut away" in dialog.job_panel.sentence.text()
    dialog.close()


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("139", range(8)),
        ("150", (1, 3, 5)),
        ("141", (0, 4)),
        ("150 where frame > 2", ()),
        ("DReyeVRWeather", (1, 2, 4, 5, 7)),
        ("6 where location.x > 500", (6, 7)),
        ("7", range(8)),
    ],
)
def test_the_filter_takes_numbers_of_packets(session: Session, path: Path, text: str, rows: tuple[int, ...]) -> None:
    session.open(path)
    snapshot = session.snapshot_or_refuse()
    finder = Finder(filter_of(text, snapshot), snapshot, None)
    assert [match.row for match in finder.matches_in(range(snapshot.rows))] == list(rows)


def overlay_body() -> bytes:
    """A record of DReyeVR's custom actors in the form that the program describes."""
    pose = b"".join(b.f32(number) for number in (100.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0))
    surface = b"".join(b.f32(number) for number in range(13))
    return b.u16(1) + pose + b.string("/Game/Ball") + surface + b.string("") * 2 + b.string("Ball")


def test_packets_of_dreyevr_have_chinese_names_and_meanings(
    session: Session, theme: Theme, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "overlay.log"
    path.write_bytes(b.recording(b.frame(1, packets=[b.packet(140, overlay_body())])))
    session.open(path)
    place = edits.place(session.snapshot_or_refuse(), frame=0, packet="DReyeVRCustomActor", record=0, field="scale.y")
    with speaking("zh_CN"):
        tree = PacketPane(session, theme)
        form = AttributePanel(session, theme)
        for pane in (tree, form):
            qtbot.addWidget(pane)
            bring_up(pane, qtbot)
        session.selection.select(place)
        field = tree.model.index_of(place)
        packet = tree.model.index_of(place._replace(record=None, field=None))
        assert packet.data(LINE).name == "自定义参与者 (DReyeVRCustomActor)"
        assert "DReyeVR 分支在场景中的物体，如叠加显示" in packet.data(Qt.ItemDataRole.ToolTipRole)
        assert field.data(LINE).name == "缩放 y"
        assert "缩放，自身坐标轴：Y，向右" in field.data(Qt.ItemDataRole.ToolTipRole)
        (page,) = form.findChildren(RecordPage)
        assert page.heading.title.text() == "自定义参与者 (DReyeVRCustomActor)，自定义参与者 1"
        assert {"网格路径", "不透明度"} <= {label.text() for label in page.findChildren(QLabel)}
