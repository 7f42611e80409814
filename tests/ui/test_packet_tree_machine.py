"""Whatever is edited or undone: the tree says what a newly built one says, and what is selected is lit in it."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QApplication
from shiboken6 import delete

from recorder_editor import edits
from recorder_editor.edits import Place
from recorder_editor.errors import RecorderError
from recorder_editor.recording import Snapshot
from recorder_editor.recording.history import Edit
from recorder_editor.ui.panes.packets.packets_model import COLUMNS, LINE, PacketModel
from recorder_editor.ui.panes.packets.packets_pane import PacketPane
from recorder_editor.ui.session import Session
from recorder_editor.ui.style.theme import Theme
from recorder_editor.views.outline import TreeLine

from .. import builders as b
from ..edits import gazes
from ..recording.films import add, film

POSES = b.packet(6, b.position([b.pose(1), b.pose(2), b.pose(3)]))
LAMPS = b.packet(7, b.traffic_light_state([{"id": 5, "frozen": False, "elapsed": 1.0, "state": 0}]))
UNKNOWN = b.packet(200, b"unknown")
GAZE = b.packet(gazes.GAZE, b.u16(2) + gazes.gaze(1, 2, 5.0, "sign", 2) + gazes.gaze(2, 1, 6.0, ""))
FRAMES = ([add(b.actor(1), b.actor(2)), POSES, LAMPS], [POSES, UNKNOWN, GAZE], [POSES, POSES], [LAMPS], [GAZE, POSES])
SMALL = st.integers(0, 30)


def said(model: PacketModel, index: QModelIndex | None = None) -> list[Any]:
    """All that a tree says: what its rows tell, of the topmost ones the texts of the columns, and what is below."""
    parent = index if index is not None else QModelIndex()
    rows: list[Any] = []
    for row in range(model.rowCount(parent)):
        child = model.index(row, 0, parent)
        line = child.data(LINE)
        assert isinstance(line, TreeLine)
        texts = []
        if index is None:
            texts = [model.index(row, column).data() for column in range(len(COLUMNS))]
        assert model.parent(child) == parent
        assert model.hasChildren(child) == (model.rowCount(child) > 0)
        rows.append((line, texts, said(model, child)))
    return rows


class Editing(RuleBasedStateMachine):
    """Random edits on a small recording that is shown in the tree."""

    theme: Theme
    whole = False

    @initialize()
    def begin(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        path = Path(self.folder.name) / "town.log"
        path.write_bytes(film(*FRAMES))
        self.session = Session()
        self.session.give_packets(path, [gazes.FILE])
        self.session.open(path)
        self.pane = PacketPane(self.session, self.theme)
        self.pane.resize(420, 500)
        self.pane.show()
        if self.whole:
            self.pane.mode.set_current(1)
        self.fresh = PacketModel(self.session)
        self.fresh.set_whole(self.whole)
        self.fresh_of: tuple[Snapshot, int] | None = None

    def teardown(self) -> None:
        if hasattr(self, "pane"):
            self.session.jobs.cancel_all()
            self.session.close()
            delete(self.fresh)
            delete(self.pane)
            delete(self.session)
            self.folder.cleanup()

    # --- what is done -----------------------------------------------------------------------------------

    def place(self, row: int, packet: int | None = None, record: int | None = None) -> Place:
        """A place that is there, near the numbers that were drawn."""
        snapshot = self.session.snapshot_or_refuse()
        row %= snapshot.rows
        if packet is None:
            return Place(row)
        packets = snapshot.row(row).packets
        packet %= len(packets)
        if record is None:
            return Place(row, packet)
        return Place(row, packet, record % max(1, len(packets[packet].decoded)))

    def attempt(self, make: Callable[[], Edit]) -> None:
        try:
            self.session.editing.apply(make())
        except RecorderError:
            return  # refused: nothing may have changed, which is looked at below

    @rule(row=SMALL, packet=SMALL, record=SMALL)
    def edit_record(self, row: int, packet: int, record: int) -> None:
        snapshot, where = self.session.snapshot_or_refuse(), self.place(row, packet, record)
        self.attempt(lambda: edits.duplicate_record(snapshot, where))

    @rule(row=SMALL, packet=SMALL, record=SMALL)
    def delete_record(self, row: int, packet: int, record: int) -> None:
        snapshot, where = self.session.snapshot_or_refuse(), self.place(row, packet, record)
        self.attempt(lambda: edits.delete_record(snapshot, where))

    @rule(row=SMALL, packet=SMALL, record=SMALL, to=SMALL)
    def move_record(self, row: int, packet: int, record: int, to: int) -> None:
        snapshot, where = self.session.snapshot_or_refuse(), self.place(row, packet, record)
        self.attempt(lambda: edits.move_record(snapshot, where, to % 4))

    @rule(row=SMALL, packet=SMALL, number=st.sampled_from([2, 6, 7, gazes.GAZE, 200]))
    def insert_packet(self, row: int, packet: int, number: int) -> None:
        snapshot, where = self.session.snapshot_or_refuse(), self.place(row, packet)
        self.attempt(lambda: edits.insert_packet(snapshot, where, number))

    @rule(row=SMALL, packet=SMALL, how=st.sampled_from([edits.delete_packet, edits.duplicate_packet]))
    def change_packet(self, row: int, packet: int, how: Callable[..., Edit]) -> None:
        snapshot, where = self.session.snapshot_or_refuse(), self.place(row, packet)
        self.attempt(lambda: how(snapshot, where))

    @rule(row=SMALL, packet=SMALL, to=SMALL)
    def move_packet(self, row: int, packet: int, to: int) -> None:
        snapshot, where = self.session.snapshot_or_refuse(), self.place(row, packet)
        self.attempt(lambda: edits.move_packet(snapshot, where, to % 6))

    @rule(row=SMALL, copy=st.booleans())
    def insert_frame(self, row: int, copy: bool) -> None:
        snapshot, where = self.session.snapshot_or_refuse(), self.place(row)
        self.attempt(lambda: edits.insert_frame(snapshot, where.row, where.row if copy else None))

    @precondition(lambda self: self.session.frames > 2)
    @rule(row=SMALL)
    def delete_frame(self, row: int) -> None:
        snapshot, where = self.session.snapshot_or_refuse(), self.place(row)
        self.attempt(lambda: edits.delete_rows(snapshot, where.row))

    @rule(row=SMALL, packet=SMALL, record=SMALL, value=st.integers(0, 200))
    def set_field(self, row: int, packet: int, record: int, value: int) -> None:
        snapshot, where = self.session.snapshot_or_refuse(), self.place(row, packet, record)
        fields = snapshot.row(where.row).packets[where.packet or 0].type.record.fields
        if fields:
            self.attempt(lambda: edits.set_field(snapshot, where._replace(field=next(iter(fields))), value))

    @rule(name=st.sampled_from(["Town01", "Town10HD"]))
    def set_header(self, name: str) -> None:
        self.attempt(lambda: edits.set_header(self.session.snapshot_or_refuse(), map_name=name))

    @rule()
    def undo(self) -> None:
        self.session.editing.undo()

    @rule()
    def redo(self) -> None:
        self.session.editing.redo()

    # --- what is looked at ------------------------------------------------------------------------------

    @rule(row=SMALL, packet=SMALL, record=SMALL)
    def select(self, row: int, packet: int, record: int) -> None:
        self.session.selection.select(self.place(row, packet, record))

    @rule(row=SMALL, packet=SMALL)
    def unfold(self, row: int, packet: int) -> None:
        index = self.pane.model.index_of(self.place(row, packet))
        if index.isValid():
            self.pane.tree.expand(index)

    @invariant()
    def the_tree_says_what_a_new_one_says(self) -> None:
        if not hasattr(self, "pane"):
            return
        QApplication.processEvents()
        shown = self.session.snapshot_or_refuse(), self.session.selection.frame_index
        if self.fresh_of is None or shown[0] is not self.fresh_of[0] or shown[1] != self.fresh_of[1]:
            self.fresh_of = shown
            self.fresh.rebuild()
            self.fresh_says = said(self.fresh)
        assert said(self.pane.model) == self.fresh_says
        assert self.pane.tree.currentIndex() == self.pane.model.index_of(self.session.selection.place)
        assert self.pane.tree.selectionModel().isSelected(self.pane.tree.currentIndex())


@pytest.mark.parametrize("whole", [False, True], ids=["this frame", "recording"])
def test_the_tree_follows_every_edit(theme: Theme, whole: bool) -> None:
    machine = type("Followed", (Editing,), {"theme": theme, "whole": whole})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=max(6, settings.default.max_examples // 6),
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
