"""The filter over the whole recording: its matches are listed, frame by frame, and follow what is edited."""

from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor.edits import Place
from recorder_editor.ui.panes.packets import listing
from recorder_editor.ui.panes.packets.packets_model import LINE
from recorder_editor.ui.panes.packets.packets_pane import PacketPane
from recorder_editor.ui.session import Session
from recorder_editor.ui.style.theme import Theme
from recorder_editor.views.outline import TreeLine
from recorder_editor.views.packet_filter import Filter, Finder, filter_of
from recorder_editor.views.packet_matches import Match

from .. import builders as b
from ..extent import is_long
from ..recording.films import add, film
from .parts import Parts
from .windows import bring_up

CONTROL = Qt.KeyboardModifier.ControlModifier


def poses(*ids: int, x: float = 0.0) -> bytes:
    return b.packet(6, b.position([b.pose(number, b.xyz(x)) for number in ids]))


# Position: packet 2 in the first frame, 1 in the others. In frames 1, 4, 7 ... there is nobody.
FRAMES = [
    [add(b.actor(1), b.actor(2)), poses(1, 2, 3)],
    *([poses() if number % 3 == 1 else poses(1, 2, x=number)] for number in range(1, 30)),
]


part = Parts()


@pytest.fixture
def session(session: Session, tmp_path: Path) -> Session:
    path = tmp_path / "town.log"
    path.write_bytes(film(*FRAMES))
    session.open(path, dialect="ue4-0.9.12")
    return session


@pytest.fixture
def pane(session: Session, theme: Theme, qtbot: QtBot) -> PacketPane:
    pane = PacketPane(session, theme)
    qtbot.addWidget(pane)
    pane.resize(500, 500)
    bring_up(pane, qtbot)
    pane.mode.set_current(1)
    qtbot.waitUntil(lambda: not session.jobs.running)
    return pane


def find(pane: PacketPane, text: str, qtbot: QtBot) -> None:
    """Type a filter and wait until all is listed."""
    pane.filter.setFocus()
    pane.filter.clear()
    qtbot.keyClicks(pane.filter, text)
    qtbot.waitUntil(lambda: pane.listing.wanted is not None and pane.listing.wanted.text == text)
    qtbot.waitUntil(lambda: not pane.listing.is_running)


def listed(pane: PacketPane) -> dict[int, list[tuple[int, list[int | None]]]]:
    """The rows of the list: by row of the recording its packets, each with its records."""
    model, found = pane.model, {}

    def below(parent: QModelIndex) -> list[QModelIndex]:
        return [model.index(row, 0, parent) for row in range(model.rowCount(parent))]

    for frame in below(QModelIndex()):
        packets = []
        for packet in below(frame):
            records = [place.record for place in map(model.place, below(packet)) if place is not None]
            place = model.place(packet)
            assert place is not None
            packets.append((place.packet or 0, records))
        place = model.place(frame)
        assert place is not None
        found[place.row] = packets
    return found


def expected(session: Session, text: str) -> dict[int, list[tuple[int, list[int | None]]]]:
    """The same, looked for in every packet of every frame."""
    snapshot = session.snapshot_or_refuse()
    wanted, found = filter_of(text, snapshot), {}
    for frame in snapshot:
        packets = []
        for packet in frame.packets:
            shown = wanted.shows(snapshot, frame, packet, session.actors)
            if shown:
                packets.append((packet.index, list[int | None](shown)))
        if packets:
            found[frame.row] = packets
    return found


@part
def matches_are_listed_by_frame_and_unfolded(pane: PacketPane, session: Session, qtbot: QtBot) -> None:
    find(pane, "Position where id == 2 and frame > 3", qtbot)
    found = listed(pane)
    assert found == expected(session, "Position where id == 2 and frame > 3")
    assert set(found) == {row for row in range(3, 30) if row % 3 != 1}
    assert all(packets == [(1, [1])] for packets in found.values())
    assert pane.note.text() == "18 matches in 18 frames"
    first = pane.model.index(0, 0)
    assert pane.tree.isExpanded(first)
    assert pane.tree.isExpanded(pane.model.index(0, 0, first))
    line = pane.model.index(0, 0, first).data(LINE)
    assert isinstance(line, TreeLine)
    assert (line.name, line.records) == ("Position", "1 / 2")


@part
def the_frames_of_the_matches_are_marked_for_all_panes(pane: PacketPane, session: Session, qtbot: QtBot) -> None:
    find(pane, "Position where id == 3", qtbot)
    assert session.matched.frames == (0,)
    find(pane, "Position where id == 2 and frame > 20", qtbot)
    assert session.matched.frames == tuple(number for number in range(20, 30) if number % 3 != 1)
    session.editing.apply(edits.delete_rows(session.snapshot_or_refuse(), 0))
    qtbot.waitUntil(lambda: session.matched.frames[:1] == (20,))
    qtbot.keyClick(pane.filter, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: session.matched.frames == ())


@part
def words_list_what_they_name(pane: PacketPane, session: Session, qtbot: QtBot) -> None:
    blueprint = session.actors.of_id(1)[0].blueprint if session.actors is not None else ""
    find(pane, blueprint, qtbot)
    found = listed(pane)
    assert found == expected(session, blueprint)
    assert found[0][0][0] == 1
    find(pane, "nothing like it", qtbot)
    assert pane.note.text() == "No frame has a match."
    assert pane.model.rowCount() == 0
    find(pane, f'Position where blueprint == "{blueprint[:-1]}"', qtbot)
    assert f"Did you mean “{blueprint}”" in pane.note.text()


@part
def a_wrong_query_says_so_and_everything_stays(pane: PacketPane, qtbot: QtBot) -> None:
    find(pane, "Position where id == 2", qtbot)
    qtbot.keyClicks(pane.filter, " and sped > 1")
    qtbot.waitUntil(lambda: "sped" in pane.note.text())
    assert pane.model.matches is None
    assert pane.model.rowCount() == 1 + 30


@part
def clearing_the_filter_or_the_mode_brings_everything_back(pane: PacketPane, session: Session, qtbot: QtBot) -> None:
    find(pane, "Position where id == 2", qtbot)
    qtbot.keyClick(pane.filter, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: pane.model.matches is None)
    assert not pane.filter.text()
    assert not pane.note.text()
    assert pane.model.rowCount() == 1 + 30
    find(pane, "Position where id == 2", qtbot)
    pane.mode.set_current(0)
    assert pane.model.matches is None
    assert pane.model.rowCount() == 2
    pane.mode.set_current(1)
    qtbot.waitUntil(lambda: pane.model.rowCount() == 20)


@part
def another_text_cancels_what_was_looked_for(
    pane: PacketPane, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "_SECONDS_OF_A_BLOCK", 0.0)
    monkeypatch.setattr(listing, "_ROWS_OF_FIRST_BLOCK", 1)
    wanted = filter_of("Position", session.snapshot_or_refuse())
    pane.listing.begin(wanted)
    running = session.jobs.running
    assert running
    qtbot.waitUntil(lambda: pane.model.rowCount() > 0)
    assert pane.listing.is_running
    find(pane, "Position where id == 3", qtbot)
    assert list(listed(pane)) == [0]
    qtbot.waitUntil(lambda: not session.jobs.running)
    assert list(listed(pane)) == [0]


@part
def the_list_is_bounded_and_says_so(
    pane: PacketPane, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "MAX_ROWS", 12)
    find(pane, "Position", qtbot)
    # Three rows beside the frame and the packet, then twice two, of which the second does not fit whole.
    assert pane.note.text() == "The first 6 matches, up to frame 4. A narrower filter shows the rest."
    assert listed(pane) == {0: [(2, [0, 1, 2])], 2: [(1, [0, 1])], 3: [(1, [0])]}


@part
def a_click_in_the_list_selects_and_the_selection_is_shown(pane: PacketPane, session: Session, qtbot: QtBot) -> None:
    find(pane, "Position where id == 2", qtbot)
    frame = pane.model.index(1, 0)
    record = pane.model.index(0, 0, pane.model.index(0, 0, frame))
    at = pane.tree.visualRect(record).center()
    qtbot.mouseClick(pane.tree.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert session.selection.place == Place(2, 1, 1)
    session.selection.select(Place(5, 1, 1, "location.x"))
    assert pane.model.place(pane.tree.currentIndex()) == Place(5, 1, 1, "location.x")
    # What does not match is not shown, and nothing else pretends to be selected.
    session.selection.select(Place(4))
    assert not pane.tree.selectionModel().hasSelection()


@part
def keys_go_through_the_list(pane: PacketPane, session: Session, qtbot: QtBot) -> None:
    find(pane, "Position where id == 2", qtbot)
    qtbot.keyClick(pane.filter, Qt.Key.Key_Down)
    assert pane.tree.hasFocus()
    session.selection.select(Place(0, 2))
    qtbot.keyClick(pane.tree, Qt.Key.Key_PageDown)
    assert session.selection.place == Place(2, 1)
    qtbot.keyClick(pane.tree, Qt.Key.Key_PageUp)
    assert session.selection.place == Place(0, 2)
    qtbot.keyClick(pane.tree, Qt.Key.Key_PageDown, CONTROL)
    assert session.selection.place == Place(2)
    qtbot.keyClick(pane.tree, Qt.Key.Key_PageUp, CONTROL)
    assert session.selection.place == Place(0)
    session.selection.select(Place(4))
    qtbot.keyClick(pane.tree, Qt.Key.Key_PageDown)
    assert session.selection.place == Place(5, 1)


@part
def the_list_follows_edits_and_undo(pane: PacketPane, session: Session, qtbot: QtBot) -> None:
    find(pane, "Position where x < 0.04", qtbot)
    tester = QAbstractItemModelTester(pane.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert list(listed(pane)) == [0, 2, 3]
    session.editing.apply(edits.set_field(session.snapshot_or_refuse(), Place(2, 1, 0, "location.x"), 900.0))
    assert listed(pane)[2] == [(1, [1])]
    session.editing.apply(edits.set_field(session.snapshot_or_refuse(), Place(2, 1, 1, "location.x"), 900.0))
    assert list(listed(pane)) == [0, 3]
    assert pane.note.text() == "5 matches in 2 frames"
    session.editing.apply(edits.delete_record(session.snapshot_or_refuse(), Place(3, 1, 0)))
    assert listed(pane)[3] == [(1, [0])]
    session.editing.apply(edits.set_field(session.snapshot_or_refuse(), Place(9, 1, 0, "location.x"), 0.0))
    assert list(listed(pane)) == [0, 3, 9]
    for _ in range(4):
        session.editing.undo()
    assert listed(pane) == expected(session, "Position where x < 0.04")
    assert list(listed(pane)) == [0, 2, 3]
    assert tester is not None


@part
def the_list_begins_anew_when_frames_come_or_go(pane: PacketPane, session: Session, qtbot: QtBot) -> None:
    find(pane, "Position where id == 2", qtbot)
    session.editing.apply(edits.delete_rows(session.snapshot_or_refuse(), 0, 3))
    qtbot.waitUntil(lambda: not pane.listing.is_running)
    assert listed(pane) == expected(session, "Position where id == 2")
    session.editing.undo()
    qtbot.waitUntil(lambda: not pane.listing.is_running)
    assert listed(pane) == expected(session, "Position where id == 2")


@part
def saving_leaves_the_list_as_it_is(pane: PacketPane, session: Session, qtbot: QtBot) -> None:
    find(pane, "Position where id == 2", qtbot)
    pane.tree.collapse(pane.model.index(3, 0))
    session.editing.apply(edits.set_header(session.snapshot_or_refuse(), map_name="Town02"))
    session.editing.save()
    assert not pane.listing.is_running
    assert len(listed(pane)) == 20
    assert not pane.tree.isExpanded(pane.model.index(3, 0))


@part
def another_recording_is_looked_through_at_once(
    pane: PacketPane, session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    find(pane, "Position where id == 2", qtbot)
    other = tmp_path / "other.log"
    other.write_bytes(film([poses(2)], [poses(1)], [poses(2)]))
    session.open(other, dialect="ue4-0.9.12")
    qtbot.waitUntil(lambda: not pane.listing.is_running)
    assert listed(pane) == {0: [(1, [0])], 2: [(1, [0])]}


@part
def enter_goes_on_from_match_to_match(pane: PacketPane, session: Session, qtbot: QtBot) -> None:
    find(pane, "Position where id == 2 and frame > 27", qtbot)
    for row in (27, 29, 27):
        qtbot.keyClick(pane.filter, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda row=row: session.selection.place == Place(row, 1, 1))


def test_the_list_of_matches(
    pane: PacketPane, session: Session, tmp_path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    path, data = tmp_path / "town.log", film(*FRAMES)

    def begin() -> dict[str, object]:
        pane.filter.clear()
        path.unlink()
        path.write_bytes(data)
        session.open(path, dialect="ue4-0.9.12")
        pane.mode.set_current(1)
        qtbot.waitUntil(lambda: pane.model.rowCount() == 1 + 30 and not session.jobs.running)
        return {}

    part.run(subtests, begin, pane=pane, session=session, tmp_path=tmp_path, qtbot=qtbot)


def test_nothing_is_passed_over_in_a_real_recording(
    recordings: Path, session: Session, pytestconfig: pytest.Config, subtests: pytest.Subtests
) -> None:
    session.open(recordings / "carla-0.9.13-town05-collisions.log")
    snapshot = session.snapshot_or_refuse()
    step = 7 if is_long(pytestconfig) else 28
    for text in ("Position where speed > 9", "hero", "Collision", "3932", "audi", "FrameStart"):
        with subtests.test(text=text):
            finder = Finder(filter_of(text, snapshot), snapshot, session.actors)
            candidates = set(finder.candidates(0, snapshot.rows))
            for row in range(0, snapshot.rows, step):
                found = finder.in_row(row)
                assert found is None or row in candidates
                assert found is None or found.rows > found.record_count


def test_a_packet_without_records_is_found_by_its_name(session: Session) -> None:
    snapshot = session.snapshot_or_refuse()
    finder = Finder(Filter("frameend", None), snapshot, session.actors)
    assert finder.in_row(1) == Match(1, ((2, None),))
    assert finder.in_row(1, most=1) is None
