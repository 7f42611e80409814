"""Every edit there is, in any order, on one recording: it stays sound, and undo and redo give the identical bytes.

With `--long` the search is many times as long.
"""

import inspect
import random
import shutil
import tempfile
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

import recorder_editor
from recorder_editor import Edit, edits
from recorder_editor.errors import RecorderError
from recorder_editor.format.dialects import DIALECTS
from recorder_editor.progress import Progress
from recorder_editor.reading.actors import Actors
from recorder_editor.recording.packet_search import using
from recorder_editor.recording.snapshot import Snapshot

from ..extent import LONG
from ..recording.films import BIKES, of_real, opened
from ..replaying import complaints
from . import gazes
from .choices import street
from .conftest import saved
from .operations import NO_EDITS, OPERATIONS, PUBLIC
from .test_actors_recordings import judge

ON_PURPOSE = {"shift": {"replay-starts-late"}, "set_header": {"replay-map"}}
"""What an edit makes a simulator complain of because that is what was asked for."""

seeds = st.integers(0, 1 << 32)
names = st.sampled_from(sorted(OPERATIONS))


def can_be_stopped(name: str) -> bool:
    return "progress" in inspect.signature(getattr(edits, name)).parameters


def codes_of(snapshot: Snapshot) -> set[str]:
    return {each.code for each in complaints(snapshot)}


@cache
def first_complaints(data: bytes, dialect: str) -> set[str]:
    with opened(data, dialect) as recording:
        return codes_of(recording.snapshot)


def others_stay(before: Snapshot, after: Snapshot, edit: Edit) -> None:
    """Whom an edit does not name, and who is attached to nobody it names or takes out, is where he was."""
    was, now = Actors.of(before), Actors.of(after)
    named = {each["id"] for each in edit.intent.arguments["actors"]} if edit.intent is not None else set()
    named |= {life.actor for life in was.lives} - {life.actor for life in now.lives}
    while more := {each.child for each in (*was.parents, *now.parents) if each.parent in named} - named:
        named |= more
    for frame in {0, len(before) // 2, len(before) - 1}:
        there = {(each.life.actor, each.life.born): each for each in now.world_at(frame).actors}
        for each in was.world_at(frame).actors:
            same = there.get((each.life.actor, each.life.born))
            if same is None or each.life.actor in named:
                continue
            # Whether births are offsets is told by those who are attached: with the last of them nothing tells.
            if (was.offset_parent_of(each.life) is None) == (now.offset_parent_of(same.life) is None):
                assert same.pose == each.pose, (edit.label, frame, each.life.actor)


class AllEdits(RuleBasedStateMachine):
    """A recording to which edits happen."""

    data: bytes
    dialect: str

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        (self.folder / "start.log").write_bytes(self.data)
        self.recording = recorder_editor.open(self.folder / "start.log", dialect=self.dialect)
        self.states = [self.data]
        self.complaints = first_complaints(self.data, self.dialect)

    @rule(name=names, seed=seeds)
    def happen(self, name: str, seed: int) -> None:
        """An edit, unless it refuses with a reason: then nothing has happened."""
        before = self.recording.snapshot
        try:
            edit = OPERATIONS[name](self.recording, random.Random(seed), {})
        except RecorderError:
            self.nothing_happened(before)
            return
        self.recording.apply(edit)
        self.states.append(saved(self.recording))
        if name == "paste_actor" or (edit.intent is not None and "actors" in edit.intent.arguments):
            others_stay(before, self.recording.snapshot, edit)
        self.look_through(name, edit)

    @rule(seed=seeds)
    def become_another(self, seed: int) -> None:
        """An actor becomes another one, maybe of another class, which the simulator may crash on."""
        self.happen("set_blueprint", seed)

    @rule(name=st.sampled_from(sorted(filter(can_be_stopped, OPERATIONS))), seed=seeds, after=st.integers(0, 3))
    def be_stopped(self, name: str, seed: int, after: int) -> None:
        """An edit is cancelled when it asks for the so manieth time."""
        before, asked = self.recording.snapshot, 0

        def cancel() -> bool:
            nonlocal asked
            asked += 1
            return asked > after

        try:
            OPERATIONS[name](self.recording, random.Random(seed), {"progress": Progress(is_cancelled=cancel)})
        except RecorderError:
            pass
        else:
            assert asked <= after
        self.nothing_happened(before)

    @rule(steps=st.integers(1, 4))
    def be_undone(self, steps: int) -> None:
        """Back by some steps, and forth again."""
        taken = min(steps, len(self.states) - 1)
        for number in range(taken):
            assert self.recording.undo() is not None
            assert saved(self.recording) == self.states[-2 - number]
        for _ in range(taken):
            assert self.recording.redo() is not None
        assert saved(self.recording) == self.states[-1]

    def nothing_happened(self, before: Snapshot) -> None:
        assert self.recording.snapshot is before
        assert saved(self.recording) == self.states[-1]

    def look_through(self, name: str, edit: Edit) -> None:
        """The bytes open as what the recording holds; every record is whole, and means somebody who lives."""
        recording = self.recording
        path = self.folder / "again.log"
        path.write_bytes(self.states[-1])
        with recorder_editor.open(path, dialect=recording.dialect.name) as again:
            assert not again.findings, edit.label
            assert [frame.data for frame in again] == [frame.data for frame in recording]
            assert [(life.actor, life.born, life.gone, life.blueprint) for life in again.actors] == [
                (life.actor, life.born, life.gone, life.blueprint) for life in recording.actors
            ]
            judge(again)
            now = codes_of(again.snapshot)
            assert now <= self.complaints | ON_PURPOSE.get(name, set()), edit.label
            self.complaints = now
        recording.undo()
        assert saved(recording) == self.states[-2]
        recording.redo()
        assert saved(recording) == self.states[-1]

    def teardown(self) -> None:
        for state in reversed(self.states[:-1]):
            self.recording.undo()
            assert saved(self.recording) == state
        assert not self.recording.is_modified
        self.recording.close()
        shutil.rmtree(self.folder)


def machine(recorded: bytes, read_as: str) -> type[AllEdits]:
    class OnThese(AllEdits):
        data, dialect = recorded, read_as

    return OnThese


def search(recorded: bytes, dialect: str, number: int, steps: int) -> None:
    """Some orders of edits; with `--long` 4 times `number` of them, of twice as many steps each."""
    assert settings.default is not None
    is_long = settings.default.max_examples == LONG
    phases = [Phase.explicit, Phase.generate, *([Phase.shrink] if is_long else [])]
    several = settings(
        max_examples=number * (4 if is_long else 1),
        stateful_step_count=steps * (2 if is_long else 1),
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=phases,
    )
    run_state_machine_as_test(machine(recorded, dialect), settings=several)


def test_every_edit_takes_part() -> None:
    assert set(OPERATIONS) == PUBLIC - NO_EDITS


def test_the_street_is_sound(tmp_path: Path) -> None:
    (tmp_path / "street.log").write_bytes(street())
    with recorder_editor.open(tmp_path / "street.log") as recording:
        assert recording.dialect.name == "ue4-2026"
        assert not recording.findings
        judge(recording)
        assert codes_of(recording.snapshot) == set()
        assert len(recording.actors.lives) == 11
        assert recording.actors.offset_parent_of(recording.actors.of_id(9)[0]) == recording.actors.of_id(7)[0]


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_every_edit_happens_on_the_street(name: str) -> None:
    town = machine(street(), "ue4-2026")()
    if name == "order_times":
        town.happen("set_frame_start", 1)
        town.happen("take_frame", 3)
    done = len(town.states)
    for seed in range(60):
        town.happen(name, seed)
        if len(town.states) > done:
            break
    else:
        pytest.fail(f"{name} never happened")
    town.teardown()


def test_whatever_an_actor_becomes_the_simulator_does_not_crash(tmp_path: Path) -> None:
    (tmp_path / "street.log").write_bytes(street())
    with recorder_editor.open(tmp_path / "street.log") as recording:
        lives = [life for life in recording.actors.lives if life.uid]
        blueprints = {life.blueprint for life in lives}
        assert len(blueprints) == 7
        for life in lives:
            for blueprint in blueprints - {life.blueprint}:
                recording.apply(edits.set_blueprint(recording, [life], blueprint))
                assert codes_of(recording.snapshot) == set(), (life.blueprint, blueprint)
                recording.undo()


def test_edits_of_a_street_in_any_order_leave_it_sound() -> None:
    search(street(), "ue4-2026", 6, 12)


def test_edits_of_packets_of_a_user_in_any_order_leave_them_sound() -> None:
    with using([gazes.FILE]):
        search(gazes.street_with_gazes(), "ue4-2026", 3, 12)


@pytest.mark.parametrize("dialect", ["ue4-0.9.15", "ue5-2026"])
def test_edits_of_a_street_of_other_releases_leave_it_sound(dialect: str, tmp_path: Path) -> None:
    (tmp_path / "street.log").write_bytes(street())
    with recorder_editor.open(tmp_path / "street.log", dialect="ue4-2026") as recording:
        recording.apply(edits.convert(recording, dialect).edit)
        data = saved(recording)
    assert dialect in DIALECTS
    search(data, dialect, 2, 8)


@of_real(BIKES)
def test_edits_of_a_stretch_of_a_real_recording_leave_it_sound(sound_recording: Path) -> None:
    with recorder_editor.open(sound_recording) as recording:
        first = len(recording) // 3
        stretch = recording.snapshot.after(edits.trim(recording, range(first, min(first + 8, len(recording)))))
        data, dialect = stretch.read(0, stretch.size), recording.dialect.name
    search(data, dialect, 2, 6)
