"""The declarations of operations hold together, and one more is known to scripts, the command line and menus."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from inspect import signature

import pytest

from recorder_editor import Edit, edits
from recorder_editor.cli.edit import DETAILS, OPTIONS
from recorder_editor.edits import operations
from recorder_editor.edits.operations import EVERY, Argument, Operation, Option, kinds
from recorder_editor.edits.operations.command import command_words, details, metavar, read
from recorder_editor.edits.operations.common import ACTORS, FROM, TO
from recorder_editor.edits.operations.schema import OperationCall
from recorder_editor.edits.script import read_script, run_step, save_script
from recorder_editor.errors import EditError
from recorder_editor.progress import SILENT, Progress
from recorder_editor.reading import Life
from recorder_editor.recording import Intent, RecordingLike
from recorder_editor.texts import N_
from tests.recording.films import add, attach, delete, film, opened

from .. import builders as b

OF_A_CALL = {"lives", "life", "first", "second", "frames", "progress"}
"""Parameters of functions that a call fills in by itself."""


def declared() -> Iterator[tuple[Operation, Argument]]:
    """Yield every argument with its operation."""
    for operation in EVERY.values():
        for argument in operation.parameters:
            yield operation, argument


def label_of(operation: Operation, argument: Argument) -> str:
    return f"{operation.name}.{argument.name}"


# --- what is declared ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EVERY)
def test_options_name_arguments_of_their_operation(name: str) -> None:
    for option in EVERY[name].options:
        assert {*option.values, *option.fixed} <= EVERY[name].arguments.keys(), option.name
        for key, value in option.fixed.items():
            assert EVERY[name].arguments[key].fits(value), option.name


@pytest.mark.parametrize("name", [name for name, each in EVERY.items() if each.run is None])
def test_a_function_that_is_called_by_itself_takes_the_arguments_by_their_names(name: str) -> None:
    operation = EVERY[name]
    taken = list(signature(operation.edit).parameters)[1:]
    given = operation.arguments.keys() - {"actors", "from", "to"}
    assert given == set(taken) - OF_A_CALL
    needed = {each.name for each in operation.arguments.values() if each.needed} - {"actors"}
    without_default = {
        parameter.name
        for parameter in list(signature(operation.edit).parameters.values())[1:]
        if parameter.default is parameter.empty
    }
    assert without_default - OF_A_CALL <= needed


def test_operations_are_public_edits() -> None:
    assert [name for name, each in EVERY.items() if getattr(edits, name) is not each.edit] == []


def test_every_argument_says_what_it_is() -> None:
    assert [label_of(*pair) for pair in declared() if not pair[1].help] == []


def test_fields_have_a_label_for_each_axis() -> None:
    for operation, argument in declared():
        if isinstance(argument.label, tuple):
            assert len(argument.label) == len(argument.kind.axes), label_of(operation, argument)
        else:
            assert not (argument.label and argument.kind.axes), label_of(operation, argument)


def test_what_a_field_holds_first_fits_its_kind() -> None:
    for operation, argument in declared():
        default = argument.default
        if default is None or callable(default):
            continue
        as_json = list(default) if isinstance(default, tuple) else default
        assert argument.fits(as_json) or default == "", label_of(operation, argument)


def test_values_to_choose_from_fit_their_kind() -> None:
    for operation, argument in declared():
        for value in (*argument.choices, *argument.flags):
            assert argument.fits(value), label_of(operation, argument)


def test_no_two_changes_have_the_same_option() -> None:
    names = [option.name for operation in EVERY.values() for option in operation.options]
    assert len(set(names)) == len(names)
    assert not set(names) & DETAILS.keys()
    assert list(OPTIONS) == names


def test_no_two_entries_have_the_same_action() -> None:
    actions = [each.menu.action for each in EVERY.values() if each.menu is not None]
    assert len(set(actions)) == len(actions)


def test_what_is_done_at_once_says_what_it_does() -> None:
    for operation in EVERY.values():
        at_once = operation.menu is not None and operation.form is None
        assert bool(operation.progress_text) == at_once, operation.name


# --- a call -------------------------------------------------------------------------------------------------


def frames() -> list[list[bytes]]:
    cars = (b.actor(7, 1, "vehicle.car", uid=21), b.actor(8, 1, "vehicle.car", uid=21))
    born = add(*cars)
    return [
        [
            born if number == 0 else add(),
            delete(),
            attach(),
            b.packet(6, b.position([b.pose(7, b.xyz(100.0 * number)), b.pose(8, b.xyz(100.0 * number, 500.0))])),
        ]
        for number in range(10)
    ]


def test_arguments_are_read_by_their_types() -> None:
    with opened(film(*frames())) as recording:
        call = OperationCall(
            recording.snapshot,
            {"turn": 90, "offset": [1, 2.5, 0], "point": [3, 4], "uid": 21, "role": "hero", "at": "#3", "on": False},
        )
        assert (call.number("turn"), call.number("speed"), call.number("speed", 2.0)) == (90.0, 0.0, 2.0)
        assert (call.shift("offset"), call.shift("other")) == ((1.0, 2.5, 0.0), (0.0, 0.0, 0.0))
        assert call.ground_point("point") == (3.0, 4.0)
        assert (call.whole("uid"), call.whole("other")) == (21, None)
        assert (call.text("role"), call.text_or_none("role"), call.text_or_none("other")) == ("hero", "hero", None)
        assert (call.moment("at"), call.moment("to")) == ("#3", None)
        assert (call.flag("on", default=True), call.flag("off", default=True)) == (False, True)


@pytest.mark.parametrize(("name", "value"), [("number", "far"), ("whole", 1.5), ("text", 3), ("ground_point", 4)])
def test_an_argument_of_another_type_is_refused(name: str, value: object) -> None:
    with opened(film(*frames())) as recording:
        call = OperationCall(recording.snapshot, {"it": value})
        with pytest.raises(AssertionError):
            getattr(call, name)("it")


def test_one_actor_is_not_two() -> None:
    with opened(film(*frames())) as recording:
        with pytest.raises(EditError, match="exactly one actor, not 2"):
            _ = OperationCall(recording.snapshot, {"actors": ["7", "8"]}).life
        with pytest.raises(EditError, match="exactly 2 actors, not 1"):
            _ = OperationCall(recording.snapshot, {"actors": ["7"]}).pair


# --- one more, as CONTRIBUTING says -------------------------------------------------------------------------


def lift_actors(
    recording: RecordingLike,
    lives: Sequence[Life],
    metres: float,
    frames: range | None = None,
    *,
    progress: Progress = SILENT,
) -> Edit:
    """Return the edit that lifts actors."""
    edit = edits.move_actors(recording, lives, offset=(0.0, 0.0, metres), frames=frames, progress=progress)
    assert edit.intent is not None
    given = {"actors": edit.intent.arguments["actors"], "metres": metres}
    return replace(edit, intent=Intent("lift_actors", given))


LIFT_ACTORS = Operation(
    edit=lift_actors,
    title=N_("Lift"),
    summary=N_("Lift an actor"),
    frame_range="life",
    parameters=(ACTORS, Argument("metres", kinds.LENGTH, help=N_("how far"), label=N_("Up")), FROM, TO),
    options=(Option("--lift", help=N_("lift actors (m)"), values=("metres",)),),
)


@pytest.fixture
def lift(monkeypatch: pytest.MonkeyPatch) -> Operation:
    monkeypatch.setattr(operations, "OPERATIONS", {**operations.OPERATIONS, "lift_actors": LIFT_ACTORS})
    monkeypatch.setattr("recorder_editor.edits.script.OPERATIONS", operations.OPERATIONS)
    return LIFT_ACTORS


def test_a_further_operation_is_a_step_of_a_script_and_an_option(lift: Operation) -> None:
    (option,) = lift.options
    assert metavar(lift, option) == "ACTORS=M"
    assert list(details(lift, option)) == ["--from", "--to"]
    assert read(lift, option, "7,8=150cm") == {"actors": ["7", "8"], "metres": 1.5}
    assert command_words(lift, {"metres": -2.0}, "7", ["--from", "#2"]) == ["--lift", "7=-2", "--from", "#2"]
    text = '{"script": 2, "steps": [{"operation": "lift_actors", "arguments": {"actors": ["7"], "metres": 2}}]}'
    (step,) = read_script(text).steps
    with opened(film(*frames())) as recording:
        result = run_step(recording.snapshot, step)
        assert not result.is_lossy
        recording.apply(result.edit)
        packet = recording[4].packet("Position")
        assert packet is not None
        assert packet.array["location.z"].tolist() == [200.0, 0.0]
        assert '"lift_actors"' in save_script([result.edit]).text


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"actors": ["7"]}, "lift_actors needs “metres”: a number."),
        ({"actors": ["7"], "metres": "2"}, "lift_actors: “metres” is a number."),
        ({"actors": [], "metres": 2}, "lift_actors: “actors” is a list of actors"),
        ({"actors": ["7"], "metres": 2, "feet": 6}, "lift_actors has no argument “feet”; it takes actors, metres"),
    ],
)
def test_wrong_arguments_of_it_are_refused(arguments: dict[str, object], told: str, lift: Operation) -> None:
    wrong = operations.argument_error(lift.name, arguments)
    assert wrong is not None
    assert wrong.startswith(told)
