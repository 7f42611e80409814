"""The Packets pane: both ways of the selection, the filter, editing in place, keys, and a million frames."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor.edits import Place
from recorder_editor.errors import SourceChanged
from recorder_editor.recording import Change
from recorder_editor.recording.frames import ROW, START_SIZE, FrameTable
from recorder_editor.recording.history import Edit, Splice
from recorder_editor.ui.panes.packets.packets_delegate import ROW as ROW_HEIGHT
from recorder_editor.ui.panes.packets.packets_model import LINE, PacketModel
from recorder_editor.ui.panes.packets.packets_pane import PacketPane
from recorder_editor.ui.session import Session
from recorder_editor.ui.style.theme import Theme

from .. import builders as b
from .parts import Parts
from .windows import bring_up

CONTROL = Qt.KeyboardModifier.ControlModifier

part = Parts()


@pytest.fixture
def path(recordings: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "town05.log"
    shutil.copy(recordings / "carla-0.9.13-town05-collisions.log", copy)
    return copy


@pytest.fixture
def pane(session: Session, theme: Theme, path: Path, qtbot: QtBot) -> PacketPane:
    pane = PacketPane(session, theme)
    qtbot.addWidget(pane)
    session.open(path)
    pane.resize(500, 400)
    bring_up(pane, qtbot)
    session.selection.go_to_frame(330)
    session.selection.select_actor(3932)
    return pane


def names(pane: PacketPane) -> list[str]:
    """The packets in sight below the current row."""
    parent = pane.model.index_of(Place(pane.session.selection.row))
    rows = range(pane.model.rowCount(parent))
    return [pane.model.index(r, 0, parent).data(LINE).name for r in rows if not pane.tree.isRowHidden(r, parent)]


def is_free(pane: PacketPane) -> bool:
    """The current row is in sight, and no pinned row covers it."""
    tree = pane.tree
    row = tree.visualRect(tree.currentIndex())
    return len(tree.pinned()) * tree.theme.px(ROW_HEIGHT) <= row.top() and row.bottom() < tree.viewport().height()


@part
def the_selected_row_stays_free_of_the_pinned_ones(pane: PacketPane, theme: Theme, qtbot: QtBot) -> None:
    for field in ("location.x", "rotation.yaw"):
        place = edits.place(pane.session.snapshot_or_refuse(), frame=330, packet="Position", record=40, field=field)
        pane.session.selection.select(place)
        for height in (400, 170, 130, 90, 400):
            pane.resize(500, height)
            qtbot.waitUntil(lambda: is_free(pane))
        for size in (18, 12):
            theme.set_text_size(size)
            qtbot.waitUntil(lambda: is_free(pane))
    pane.tree.verticalScrollBar().setValue(pane.tree.verticalScrollBar().maximum())
    assert len(pane.tree.pinned()) > 0


@pytest.mark.parametrize("whole", [False, True])
def test_the_model_keeps_qts_rules(session: Session, tmp_path: Path, whole: bool) -> None:
    path = tmp_path / "small.log"
    path.write_bytes(b.drive(4, vehicles=2))
    session.open(path)
    model = PacketModel(session)
    model.set_whole(whole)

    def follow(change: Change) -> None:
        moves = whole and any(removed != inserted for _, removed, inserted in change.splices)
        model.rebuild() if moves else model.change(change)

    session.editing.changed.connect(follow)
    session.selection.changed.connect(model.show_current)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    position = next(packet.index for packet in session.snapshot_or_refuse().row(1).packets if packet.name == "Position")
    for frame in (1, 3, 0):
        session.selection.go_to_frame(frame)
    session.selection.go_to_frame(1)
    session.editing.apply(edits.delete_record(session.snapshot_or_refuse(), Place(1, position, 0)))
    session.editing.apply(edits.duplicate_packet(session.snapshot_or_refuse(), Place(1, position)))
    # The tester wants the rows behind a removed one to say the same; frames behind a removed one get other numbers.
    session.editing.apply(edits.delete_rows(session.snapshot_or_refuse(), 3 if whole else 2))
    for _ in range(3):
        session.editing.undo()
    assert model.rowCount() == (1 + 4 if whole else 2)
    assert tester is not None


@part
def the_selected_row_stays_in_sight_when_the_pane_gets_lower(pane: PacketPane, qtbot: QtBot) -> None:
    tree = pane.tree
    assert tree.viewport().rect().contains(tree.visualRect(tree.currentIndex()))
    for height in (240, 160):
        pane.resize(500, height)
        assert tree.viewport().rect().contains(tree.visualRect(tree.currentIndex()))
    tree.scrollToTop()
    pane.resize(500, 140)
    assert tree.verticalScrollBar().value() == 0


@part
def no_row_is_cut_at_the_top_when_a_selection_is_scrolled_to(pane: PacketPane, theme: Theme) -> None:
    tree = pane.tree
    for height in (150, 163, 170, 181, 400):
        pane.resize(500, height)
        for actor in (3890, 3932):
            pane.session.selection.go_to_frame(330)
            pane.session.selection.select_actor(actor)
            bar = tree.verticalScrollBar()
            assert bar.value() == bar.maximum() or bar.value() % theme.px(ROW_HEIGHT) == 0, (height, actor)
            assert is_free(pane)


@part
def names_of_fields_have_room_in_the_narrowest_pane(pane: PacketPane, theme: Theme) -> None:
    place = edits.place(pane.session.snapshot_or_refuse(), frame=330, packet="Position", record=40, field="location.x")
    pane.session.selection.select(place)
    tree = pane.tree
    index = tree.currentIndex().siblingAtColumn(0)
    line = index.data(LINE)
    for width, has_sizes in ((221, False), (400, True)):
        pane.resize(width, 400)
        assert tree.isColumnHidden(3) != has_sizes
        columns = sum(tree.columnWidth(column) for column in range(4))
        assert columns <= tree.viewport().width()
        free = tree.columnWidth(1) - tree.delegate.value_width(line)
        room = tree.columnWidth(0) - tree.indentation() * len(tree.packets.path(index)) + free - 4
        assert theme.metrics(theme.font).horizontalAdvance("loc…n.x") <= room


@part
def selection_goes_both_ways(pane: PacketPane, qtbot: QtBot) -> None:
    session, place = pane.session, pane.session.selection.place
    assert pane.model.place(pane.tree.currentIndex()) == place
    session.selection.select(place._replace(field="rotation.yaw"))
    assert pane.model.place(pane.tree.currentIndex()) == place._replace(field="rotation.yaw")
    qtbot.keyClick(pane.tree, Qt.Key.Key_Up)
    assert session.selection.place == place._replace(field="rotation.pitch")
    index = pane.model.index_of(place._replace(record=(place.record or 0) + 1))
    pane.tree.scrollTo(index)
    qtbot.mouseClick(pane.tree.viewport(), Qt.MouseButton.LeftButton, pos=pane.tree.visualRect(index).center())
    assert session.selection.place.record == (place.record or 0) + 1


@part
def a_step_keeps_actor_field_and_unfolding(pane: PacketPane) -> None:
    session = pane.session
    session.selection.select(session.selection.place._replace(field="location.x"))
    session.selection.step(5)
    place = pane.model.place(pane.tree.currentIndex())
    assert place is not None
    assert (place.row, place.field) == (335, "location.x")
    assert session.selection.actor == 3932


@part
def a_value_is_edited_in_place_and_a_wrong_one_refused(pane: PacketPane, qtbot: QtBot) -> None:
    session = pane.session
    place = session.selection.place._replace(field="location.z")
    session.selection.select(place)
    pane.tree.setFocus()
    qtbot.keyClick(pane.tree, Qt.Key.Key_F2)
    editor = pane.tree.findChild(QLineEdit, "fieldEditor")
    assert editor is not None
    editor.selectAll()
    qtbot.keyClicks(editor, "1e99")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert not session.is_modified
    editor.selectAll()
    qtbot.keyClicks(editor, "12.5")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert session.is_modified
    found = session.selection.target
    assert found.packet is not None
    assert found.leaf is not None
    assert found.packet.decoded.value(found.leaf) == 12.5


@part
def keys_delete_duplicate_and_move(pane: PacketPane, qtbot: QtBot) -> None:
    session = pane.session

    def ids() -> list[int]:
        packet = session.snapshot_or_refuse().frame(330).packet("Position")
        assert packet is not None
        found: list[int] = packet.array["id"].tolist()
        return found

    before, record = ids(), session.selection.place.record or 0
    pane.tree.setFocus()
    qtbot.keyClick(pane.tree, Qt.Key.Key_Delete)
    assert ids() == before[:record] + before[record + 1 :]
    session.editing.undo()
    session.selection.select_actor(3932)
    qtbot.keyClick(pane.tree, Qt.Key.Key_D, CONTROL)
    assert ids() == before[: record + 1] + before[record:]
    session.editing.undo()
    session.selection.select_actor(3932)
    qtbot.keyClick(pane.tree, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert ids().index(3932) == record - 1
    session.editing.undo()
    assert ids() == before
    assert not session.is_modified


@part
def the_filter_hides_what_does_not_match(pane: PacketPane, qtbot: QtBot) -> None:
    qtbot.keyClicks(pane.filter, "Position where speed > 5")
    qtbot.waitUntil(lambda: names(pane) == ["Position"])
    parent = pane.model.index_of(Place(330, 5))
    shown = [r for r in range(pane.model.rowCount(parent)) if not pane.tree.isRowHidden(r, parent)]
    assert 0 < len(shown) < 32
    pane.filter.clear()
    qtbot.keyClicks(pane.filter, "Position where sped > 5")
    qtbot.waitUntil(lambda: "sped" in pane.note.text())
    pane.filter.clear()
    qtbot.waitUntil(lambda: len(names(pane)) == 14)
    qtbot.keyClicks(pane.filter, "light")
    qtbot.waitUntil(lambda: "Position" not in names(pane))
    assert "VehicleLight" in names(pane)


@part
def enter_in_the_filter_goes_to_the_next_match(pane: PacketPane, qtbot: QtBot) -> None:
    qtbot.keyClicks(pane.filter, "Collision where actor1 == 3890")
    qtbot.keyClick(pane.filter, Qt.Key.Key_Return)
    qtbot.waitUntil(
        lambda: (
            pane.session.selection.target.packet is not None
            and pane.session.selection.target.packet.name == "Collision"
        )
    )
    assert pane.session.selection.frame_index > 400


@part
def the_context_menu_offers_what_fits(pane: PacketPane) -> None:
    texts = [action.text() for action in pane.menu().actions()]
    assert {"Copy as hex", "Copy as JSON", "Duplicate", "Delete", "Insert record"} <= set(texts)


def test_the_pane_of_a_real_recording(pane: PacketPane, theme: Theme, qtbot: QtBot, subtests: pytest.Subtests) -> None:
    session = pane.session

    def begin() -> dict[str, object]:
        while session.is_modified:
            session.editing.undo()
        pane.filter.clear()
        pane.resize(500, 400)
        session.selection.go_to_frame(330)
        qtbot.waitUntil(lambda: len(names(pane)) == 14)
        session.selection.select_actor(3932)
        return {}

    part.run(subtests, begin, pane=pane, theme=theme, qtbot=qtbot)


def test_a_packet_of_sixty_thousand_records_is_grouped(
    session: Session, theme: Theme, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "large.log"
    path.write_bytes(b.recording(b.frame(1, packets=[b.packet(3, b.u16(60_000) + bytes(4 * 60_000))])))
    pane = PacketPane(session, theme)
    qtbot.addWidget(pane)
    pane.show()
    session.open(path)
    session.selection.select(Place(0, 1, 59_999))
    assert pane.model.rowCount(pane.model.index_of(Place(0, 1))) == 60
    assert pane.model.place(pane.tree.currentIndex()) == Place(0, 1, 59_999)


def test_a_million_frames_are_shown_and_one_is_inserted(
    session: Session, theme: Theme, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "one.log"
    path.write_bytes(b.recording(b.frame(1)))
    pane = PacketPane(session, theme)
    qtbot.addWidget(pane)
    pane.show()
    session.open(path)
    snapshot = session.snapshot_or_refuse()
    rows = np.zeros(1_000_000, ROW)
    rows[:] = snapshot.table.rows(0, 1)
    rows["key"] = snapshot.keys.take(len(rows))
    table = FrameTable.from_rows(rows)
    session.editing.apply(Edit("Many", snapshot.version, (Splice(0, 1, table),)))
    assert rows["offset"][0] >= START_SIZE
    pane.mode.set_current(1)
    assert pane.model.rowCount() == 1 + 1000
    session.selection.select(Place(654_321))
    assert pane.model.place(pane.tree.currentIndex()) == Place(654_321)
    session.editing.apply(edits.insert_frame(session.snapshot_or_refuse(), 654_000, copy_of=0))
    assert pane.model.place(pane.tree.currentIndex()) == Place(654_322)
    session.editing.undo()
    # Undo shows where it was.
    assert pane.model.place(pane.tree.currentIndex()) == Place(654_000)
    pane.tree.verticalScrollBar().setValue(pane.tree.verticalScrollBar().value() + 5)
    seen = pane.tree.verticalScrollBar().value()
    session.editing.apply(edits.insert_frame(session.snapshot_or_refuse(), 654_900, copy_of=0))
    assert pane.tree.verticalScrollBar().value() == seen


def test_numbers_of_bytes_have_the_room_of_the_largest_one(
    session: Session, theme: Theme, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "many.log"
    path.write_bytes(b.recording(*(b.frame(n, n / 20, packets=[b.packet(9, bytes(1000))]) for n in range(1001))))
    pane = PacketPane(session, theme)
    qtbot.addWidget(pane)
    session.open(path)
    metrics = theme.metrics(theme.mono)
    pane.mode.set_current(1)
    size = pane.model.index(1, 0).data(LINE).size
    assert len(size) == len("1,044,000")
    for width in (500, 300):
        pane.tree.resize(width, 300)
        room = pane.tree.columnWidth(3) - pane.tree.delegate.SIZE_MARGIN
        assert metrics.elidedText(size, Qt.TextElideMode.ElideRight, room + 1) == size


@pytest.mark.parametrize(("value", "text"), [(float("nan"), "nan"), (float("-inf"), "-inf")])
def test_what_is_not_finite_is_written_and_aligned_as_numbers_are(
    session: Session, theme: Theme, tmp_path: Path, qtbot: QtBot, value: float, text: str
) -> None:
    path = tmp_path / "odd.log"
    body = b.anim_vehicle([{"id": 1, "steering": 0.0, "throttle": 0.0, "brake": value, "handbrake": 0, "gear": 1}])
    path.write_bytes(b.recording(b.frame(1, 0.0, packets=[b.packet(8, body)])))
    pane = PacketPane(session, theme)
    qtbot.addWidget(pane)
    session.open(path)
    line, width = pane.model.index_of(Place(0, 1, 0, "brake")).data(LINE), pane.tree.delegate.value_width
    assert line.value == text
    assert width(line) == width(replace(line, value="1" * len(text)))


def test_a_packet_whose_saved_bytes_were_rewritten_is_edited(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "rewritten.log"
    path.write_bytes(b.drive(200, vehicles=2))
    session.open(path)
    snapshot = session.snapshot_or_refuse()
    place = edits.place(snapshot, frame=2, packet="Position", record=0, field="location.x")
    session.editing.apply(edits.set_field(snapshot, place, 12.5))
    assert session.recording is not None
    saved = session.recording.saved
    assert all(saved.row(row).packets for row in range(20, 200))  # so that the row is no longer in memory
    path.write_bytes(b"rewritten in place, and much shorter")
    with pytest.raises(SourceChanged):
        _ = saved.row(place.row).packets
    assert session.editing.is_edited(place)
