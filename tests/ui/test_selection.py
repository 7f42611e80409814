"""What is selected stays what it is, through edits, undo and redo: an actor, never the next row of a list."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from recorder_editor import edits
from recorder_editor.recording.place import Place
from recorder_editor.ui.dialogs.form import FormDialog
from recorder_editor.ui.session import Session
from recorder_editor.ui.shell.main_window import MainWindow
from recorder_editor.ui.shell.pane_list import SCENE

from .. import builders as b
from ..extent import examples
from ..recording.films import beginning
from .parts import Parts, begin_anew
from .windows import OpenWindow, bring_up, idle, place_of

CONTROL, SHIFT, LEFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier, Qt.MouseButton.LeftButton
COLLISIONS = "carla-0.9.13-town05-collisions.log"
CAR, NEXT = 3932, 3933
FRAME = 330

part = Parts()


# --- in the window, as a person does it ---------------------------------------------------------------------


def point(window: MainWindow, actor: int) -> QPoint:
    found = place_of(window.panes.get(SCENE).view, actor)
    assert found is not None
    return found.toPoint()


def click(window: MainWindow, qtbot: QtBot, actor: int) -> None:
    view = window.panes.get(SCENE).view
    view.centre_on(actor)
    qtbot.mouseClick(view.viewport(), LEFT, pos=point(window, actor))
    assert window.session.selection.actors == (actor,)
    assert view.hasFocus()


def band(window: MainWindow, number: int = 8) -> tuple[int, ...]:
    """Shift-drag around so many cars of the frame, from the top left of one corner of the scene on."""
    view = window.panes.get(SCENE).view
    actors = view.contents.actors
    users = sorted(int(actors.ids[at]) for at in actors.road_users.nonzero()[0])
    spots = {actor: point(window, actor) for actor in users}
    top = sorted(users, key=lambda actor: spots[actor].y())[:number]
    xs, ys = ([spots[actor].x() for actor in top], [spots[actor].y() for actor in top])
    first, last = QPoint(min(xs) - 12, min(ys) - 12), QPoint(max(xs) + 1, max(ys) + 1)
    QTest.mousePress(view.viewport(), LEFT, SHIFT, first)
    QTest.mouseMove(view.viewport(), first + QPoint(20, 20))
    QTest.mouseMove(view.viewport(), last)
    QTest.mouseRelease(view.viewport(), LEFT, SHIFT, last)
    return window.session.selection.actors


def form(window: MainWindow, qtbot: QtBot) -> FormDialog:
    """The form that a key has opened."""
    found: list[FormDialog] = []

    def is_open() -> bool:
        found[:] = [one for one in window.findChildren(FormDialog) if one.isVisible()]
        return bool(found)

    qtbot.waitUntil(is_open)
    return found[0]


def answer(window: MainWindow, qtbot: QtBot, *, frame_only: bool = False) -> None:
    """Say yes to the form, perhaps for this frame only."""
    dialog = form(window, qtbot)
    if frame_only:
        choice = dialog.editors["frame"]
        choice.setFocus()
        qtbot.keyClick(choice, Qt.Key.Key_Down)
        assert "In frame 331 only" in dialog.outlook.text()
    dialog.go.click()
    qtbot.waitUntil(lambda: not any(one.isVisible() for one in window.findChildren(FormDialog)))
    idle(window, qtbot)


def positions(window: MainWindow, frame: int = FRAME) -> list[int]:
    packet = window.session.snapshot_or_refuse().frame(frame).packet("Position")
    assert packet is not None
    ids: list[int] = packet.array["id"].tolist()
    return ids


@part.each("frame_only", [False, True])
def what_is_deleted_in_the_scene_leaves_nothing_selected_and_undo_selects_it(
    window: MainWindow, qtbot: QtBot, frame_only: bool
) -> None:
    chosen = band(window)
    assert len(chosen) >= 8
    before = positions(window)
    qtbot.keyClick(window.panes.get(SCENE).view, Qt.Key.Key_Delete)
    answer(window, qtbot, frame_only=frame_only)
    assert positions(window) == [actor for actor in before if actor not in chosen]
    assert (set(chosen) <= set(positions(window, FRAME + 1))) is frame_only
    assert window.session.selection.actors == ()
    history = window.session.recording.history
    assert ("in frame 331 only" in history.steps[-1].label) is frame_only
    # With nothing selected the key has nothing to remove, and no frame goes for it.
    said: list[str] = []
    window.session.refused.connect(said.append)
    qtbot.keyClick(window.panes.get(SCENE).view, Qt.Key.Key_Delete)
    assert said
    assert history.position == 1
    window.session.editing.undo()
    assert positions(window) == before
    assert window.session.selection.actors == chosen
    window.session.editing.redo()
    assert window.session.selection.actors == ()


@part
def delete_twice_in_the_scene_removes_the_chosen_actor_alone(window: MainWindow, qtbot: QtBot) -> None:
    click(window, qtbot, CAR)
    qtbot.keyClick(window.panes.get(SCENE).view, Qt.Key.Key_Delete)
    dialog = form(window, qtbot)
    assert dialog.heading.text().startswith(f"Remove {CAR} ")
    answer(window, qtbot)
    window.panes.get(SCENE).view.setFocus()
    qtbot.keyClick(window.panes.get(SCENE).view, Qt.Key.Key_Delete)
    qtbot.keyClick(window.panes.get(SCENE).view, Qt.Key.Key_Delete, SHIFT)
    assert not [one for one in window.findChildren(FormDialog) if one.isVisible()]
    assert not [life for life in window.session.actors if life.actor == CAR]
    assert NEXT in positions(window)


@part
def a_copy_that_was_taken_back_leaves_the_actor_selected_that_was(window: MainWindow, qtbot: QtBot) -> None:
    click(window, qtbot, CAR)
    qtbot.keyClick(window.panes.get(SCENE).view, Qt.Key.Key_D, CONTROL)
    assert form(window, qtbot).heading.text().startswith(f"Duplicate {CAR} ")
    answer(window, qtbot)
    assert len(set(positions(window))) == len(positions(window))
    window.panes.get(SCENE).view.setFocus()
    qtbot.keyClick(window.panes.get(SCENE).view, Qt.Key.Key_Z, CONTROL)
    assert window.session.selection.actors == (CAR,)
    qtbot.keyClick(window.panes.get(SCENE).view, Qt.Key.Key_Delete, SHIFT)
    dialog = form(window, qtbot)
    assert dialog.heading.text().startswith(f"Remove {CAR} ")
    dialog.reject()


@part
def undo_in_another_frame_stays_there_where_that_changed_too(window: MainWindow, qtbot: QtBot) -> None:
    click(window, qtbot, CAR)
    qtbot.keyClick(window.panes.get(SCENE).view, Qt.Key.Key_Delete)
    answer(window, qtbot)
    window.session.selection.go_to_frame(FRAME + 5)
    window.session.editing.undo()
    assert window.session.selection.frame_index == FRAME + 5
    assert window.session.selection.actors == (CAR,)
    assert window.session.selection.target.actor == CAR


@part
def undo_of_one_frame_goes_back_to_it(window: MainWindow, qtbot: QtBot) -> None:
    click(window, qtbot, CAR)
    qtbot.keyClick(window.panes.get(SCENE).view, Qt.Key.Key_Delete)
    answer(window, qtbot, frame_only=True)
    window.session.selection.go_to_frame(FRAME + 5)
    window.session.editing.undo()
    assert window.session.selection.frame_index == FRAME
    assert window.session.selection.target.actor == CAR


def test_what_is_selected_in_a_window(
    open_window: OpenWindow, recordings: Path, tmp_path: Path, qtbot: QtBot, subtests: pytest.Subtests
) -> None:
    path = tmp_path / "town05.log"
    path.write_bytes(beginning(recordings / COLLISIONS, FRAME + 20))
    window = open_window(path)
    begin_with_a_copy = begin_anew(window, path, qtbot)

    def begin() -> dict[str, Path]:
        own = begin_with_a_copy()
        bring_up(window, qtbot)
        window.session.selection.go_to_frame(FRAME)
        window.panes.get(SCENE).view.fit()
        return own

    part.run(subtests, begin, window=window, qtbot=qtbot)


def test_a_range_that_an_edit_changes_is_told_when_its_frames_are_there(session: Session, path: Path) -> None:
    session.open(path)
    session.range.set(2, 5)
    told: list[tuple[str, range]] = []
    session.editing.changed.connect(lambda _change: told.append(("frames", session.range.frames)))
    session.range.changed.connect(lambda: told.append(("range", session.range.frames)))
    trim = edits.trim(session.snapshot_or_refuse(), range(2, 5))
    session.editing.apply(trim, clears_range=True)
    assert told == [("frames", range(3)), ("range", range(3))]
    session.editing.undo()
    assert told[2:] == [("frames", range(2, 5)), ("range", range(2, 5))]


def test_another_selection_ends_the_way_forward(session: Session, path: Path) -> None:
    session.open(path)
    session.selection.select(Place(3))
    session.selection.select(Place(5))
    session.selection.back()
    assert (session.selection.place, session.selection.can_go_forward()) == (Place(3), True)
    session.selection.select(Place(7))
    assert not session.selection.can_go_forward()


# --- against a model that knows names alone -----------------------------------------------------------------

IDS, FRAMES = (11, 12, 13, 14, 15), 4
Frames = tuple[tuple[int, ...], ...]


def town() -> bytes:
    births = b.packet(2, b.event_add([b.actor(n) for n in IDS]))
    return b.recording(
        *(
            b.frame(
                index + 1,
                index * 0.1,
                0.1,
                [
                    *([births] if index == 0 else []),
                    b.packet(6, b.position([b.pose(n, b.xyz(100.0 * n, 10.0 * index)) for n in IDS])),
                ],
            )
            for index in range(FRAMES)
        )
    )


class Model:
    """Who is in each frame and who is selected, and both before and after every step."""

    def __init__(self) -> None:
        self.frames: Frames = (IDS,) * FRAMES
        self.at = 0
        self.chosen: tuple[int, ...] = ()
        self.steps: list[tuple[Frames, tuple[int, ...], int, Frames, tuple[int, ...], int, bool]] = []
        self.position = 0

    def go(self, at: int) -> None:
        self.at = at
        # The first one stays meant where it is not seen; the others are those who are there.
        self.chosen = self.chosen[:1] + tuple(one for one in self.chosen[1:] if one in self.frames[at])

    def step(self, frames: Frames, chosen: tuple[int, ...], *, births: bool = False) -> None:
        """Another state; with `births`, who is born in the first frame is not the same either."""
        del self.steps[self.position :]
        self.steps.append((self.frames, self.chosen, self.at, frames, chosen, self.at, births))
        self.position += 1
        self.frames, self.chosen = frames, chosen

    def turn(self, back: bool) -> None:
        step = self.steps[self.position - 1 if back else self.position]
        frames, chosen, at = step[:3] if back else step[3:6]
        changed = [index for index in range(FRAMES) if step[0][index] != step[3][index] or (step[6] and not index)]
        here = self.at
        self.frames, self.chosen, self.at = frames, chosen, at
        if here != at and changed and changed[0] <= here <= changed[-1]:
            self.go(here)
        self.position += -1 if back else 1


def delete_records(session: Session, model: Model) -> None:
    """What the scene does for one frame only."""
    lives = [life for life in session.actors or () if life.actor in model.chosen]
    session.editing.apply(edits.remove_from_frame(session.snapshot_or_refuse(), lives, session.selection.frame_index))
    left = tuple(one for one in model.frames[model.at] if one not in model.chosen)
    model.step((*model.frames[: model.at], left, *model.frames[model.at + 1 :]), ())


def remove_actors(session: Session, model: Model) -> None:
    lives = [life for life in session.actors or () if life.actor in model.chosen]
    session.editing.apply(edits.remove_actors(session.snapshot_or_refuse(), lives))
    left = tuple(tuple(one for one in ids if one not in model.chosen) for ids in model.frames)
    model.step(left, (), births=True)


def remove_others(session: Session, model: Model) -> None:
    """Somebody else goes: who is selected stays so."""
    others = [one for one in model.frames[model.at] if one not in model.chosen]
    if others:
        life = next(life for life in session.actors or () if life.actor == others[0])
        session.editing.apply(edits.remove_actors(session.snapshot_or_refuse(), [life]))
        left = tuple(tuple(one for one in ids if one != others[0]) for ids in model.frames)
        model.step(left, model.chosen, births=True)


def duplicate_record(session: Session, model: Model) -> None:
    place = session.selection.place
    assert place.record is not None
    then = place._replace(record=place.record + 1)
    session.editing.apply(edits.duplicate_record(session.snapshot_or_refuse(), place), then=then)
    ids, one = model.frames[model.at], model.chosen[0]
    at = ids.index(one) + 1
    model.step((*model.frames[: model.at], (*ids[:at], one, *ids[at:]), *model.frames[model.at + 1 :]), (one,))


DO = {"delete": delete_records, "remove": remove_actors, "others": remove_others, "duplicate": duplicate_record}


def test_undo_stays_in_a_frame_that_changed_where_one_between_did_not(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "town.log"
    path.write_bytes(town())
    session.open(path)
    (life,) = (life for life in session.actors or () if life.actor == 11)
    session.editing.apply(edits.remove_from_frame(session.snapshot_or_refuse(), [life], 1))
    (life,) = (life for life in session.actors or () if life.actor == 11)
    session.editing.apply(edits.remove_actors(session.snapshot_or_refuse(), [life]))
    session.selection.go_to_frame(0)
    session.editing.undo()
    assert session.selection.frame_index == 0


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_course_of_edits_selects_whom_a_model_of_names_selects(
    session: Session, tmp_path: Path, data: st.DataObject
) -> None:
    path = tmp_path / "town.log"
    path.write_bytes(town())
    session.open(path)
    model = Model()
    for _ in range(data.draw(st.integers(1, 14), "steps")):
        here = model.frames[model.at]
        acts = ["go"] + ["select"] * bool(here) + ["undo"] * bool(model.position)
        acts += ["redo"] * (model.position < len(model.steps))
        if model.chosen and all(one in here for one in model.chosen) and session.selection.target.record is not None:
            acts += list(DO)
        act = data.draw(st.sampled_from(acts), "act")
        if act == "go":
            at = data.draw(st.integers(0, FRAMES - 1), "frame")
            session.selection.go_to_frame(at)
            model.go(at)
        elif act == "select":
            chosen = data.draw(st.lists(st.sampled_from(sorted(set(here))), min_size=1, max_size=3, unique=True), "who")
            session.selection.select_actors(tuple(chosen))
            model.chosen = tuple(chosen)
        elif act in DO:
            DO[act](session, model)
        else:
            (session.editing.undo if act == "undo" else session.editing.redo)()
            model.turn(act == "undo")
        assert session.selection.frame_index == model.at
        assert session.selection.actors == model.chosen
        packet = session.snapshot_or_refuse().frame(model.at).packet("Position")
        assert packet is not None
        assert tuple(packet.array["id"].tolist()) == model.frames[model.at]


# --- packets and rows ---------------------------------------------------------------------------------------


def test_a_packet_that_goes_selects_none_of_its_kind_and_one_before_it_changes_nothing(
    session: Session, tmp_path: Path
) -> None:
    path = tmp_path / "town.log"
    packets = [b.packet(6, b.position([b.pose(n, b.xyz(float(n)))])) for n in (11, 12)]
    lights = b.packet(10, b.vehicle_light([{"id": 12, "lights": 1}]))
    path.write_bytes(b.recording(b.frame(1, 0.0, 0.1, [*packets, lights]), b.frame(2, 0.1, -1.0, packets)))
    session.open(path, dialect="ue4-0.9.12")
    session.selection.select(Place(0, 3, 0, "lights"))
    session.editing.apply(edits.delete_packet(session.snapshot_or_refuse(), Place(0, 1)))
    assert session.selection.place == Place(0, 2, 0, "lights")
    session.editing.undo()
    session.selection.select(Place(0, 1, 0))
    session.editing.apply(edits.delete_packet(session.snapshot_or_refuse(), Place(0, 1)))
    assert session.selection.place == Place(0)
    session.editing.undo()
    assert session.selection.place == Place(0, 1, 0)


def test_where_a_frame_goes_the_same_actor_is_selected_in_the_next_one(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "town.log"
    path.write_bytes(town())
    session.open(path, dialect="ue4-0.9.12")
    session.selection.go_to_frame(1)
    session.selection.select_actor(13)
    session.editing.apply(edits.delete_rows(session.snapshot_or_refuse(), 1))
    assert session.frames == FRAMES - 1
    assert session.selection.target.actor == 13
    session.editing.apply(
        edits.set_field(session.snapshot_or_refuse(), session.selection.place._replace(field="id"), 77)
    )
    assert session.selection.actors == (77,)
