"""Scripts: what was done to a recording, as a text, and done again."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recorder_editor
from recorder_editor import edits
from recorder_editor import edits as acting
from recorder_editor.api import Recording
from recorder_editor.edits import states
from recorder_editor.edits.convert import convert
from recorder_editor.edits.intents import name_lives
from recorder_editor.edits.operations import OPERATIONS
from recorder_editor.edits.replace import replace_where
from recorder_editor.edits.resample import resample
from recorder_editor.edits.script import ScriptError, ScriptStep, read_script, run_step, save_script
from recorder_editor.errors import Cancelled, EditError
from recorder_editor.progress import Progress
from recorder_editor.reading.actors import Actors
from recorder_editor.reading.selectors import SelectorError
from recorder_editor.recording.history import Edit, Intent
from recorder_editor.recording.snapshot import Snapshot

from .. import builders as b
from ..extent import examples
from ..recording import films
from .drives import apply_step, drive, life_of, opened, pose_of, saved
from .operations import FIELD, NO_EDITS, PUBLIC

REAL, FRAMES = films.COLLISIONS, 140
HERO, BIKE, CAR, LIGHT = 3890, 3891, 3899, 3836
GONE, END = 3900, 75
"""One whose life ends, and the frame in which it does."""


def ahead(frame: int) -> tuple[float, float, float, float]:
    return 100.0 * frame, 0.0, 50.0, 0.0


def life(snapshot: Snapshot, actor: int) -> recorder_editor.reading.lives.Life:
    return Actors.of(snapshot).of_id(actor)[0]


def bytes_of(snapshot: Snapshot) -> bytes:
    return snapshot.read(0, snapshot.size)


@contextmanager
def real(recordings: Path, name: str = REAL) -> Iterator[Recording]:
    with films.opened(films.beginning(recordings / name, FRAMES), "ue4-0.9.12") as recording:
        yield recording


def place_of(snapshot: Snapshot, frame: int, packet: str, actor: int, field: str) -> edits.Place:
    return edits.place(snapshot, frame=frame, packet=packet, actor=actor, field=field)


# --- every operation ------------------------------------------------------------------------------------

Make = Callable[[Snapshot], Edit]

EDITS: dict[str, Make] = {
    "trim": lambda s: edits.trim(s, range(25, 75)),
    "trim to the end": lambda s: edits.trim(s, range(25, len(s)), rebase_clocks=True),
    "trim from the beginning": lambda s: edits.trim(s, range(77)),
    "cut": lambda s: edits.cut(s, range(20, 110), rebase_clocks=True),
    "retime": lambda s: edits.retime(s, 1.3),
    "shift": lambda s: edits.shift(s, 0.1),
    "resample": lambda s: resample(s, 0.07),
    "set_header": lambda s: edits.set_header(s, map_name="Town05_Opt", date=1700000000),
    "set_over": lambda s: edits.set_over(s, place_of(s, 50, "AnimVehicle", HERO, "handbrake"), True, range(40, 60)),
    "set_over, the whole life": lambda s: edits.set_over(
        s, place_of(s, 50, "Position", GONE, "location.z"), 0.1, range(END)
    ),
    "set_over, flags": lambda s: edits.set_over(
        s, place_of(s, 50, "VehicleLight", HERO, "lights"), 0x1003, range(len(s))
    ),
    "set_over, NaN": lambda s: edits.set_over(
        s, place_of(s, 50, "Kinematics", HERO, "linear_velocity.x"), float("nan"), range(3, 9)
    ),
    "add_over": lambda s: edits.add_over(s, place_of(s, 50, "Position", HERO, "rotation.yaw"), 0.1, range(3, 130)),
    "replace_where": lambda s: replace_where(s, "Position where id == 3890 and speed > 1: location.z = z * 101"),
    "replace_where, in a range": lambda s: replace_where(
        s, 'EventAdd where blueprint like "vehicle.*": uid = uid + 1', frames=range(1, 90)
    ),
    "set_traffic_lights": lambda s: states.set_traffic_lights(
        s, [life(s, LIGHT), life(s, LIGHT + 3)], "green", range(30, 90), frozen=True, elapsed=1.5
    ),
    "set_vehicle_lights": lambda s: states.set_vehicle_lights(s, [life(s, BIKE)], 0x31, mode="add"),
    "move_actors": lambda s: acting.move_actors(
        s, [life(s, HERO), life(s, BIKE)], (1.0, -2.5, 0.1), 30.0, range(40, 110), ease_in=2.0, ease_out=1.0
    ),
    "move_actors, whole lives": lambda s: acting.move_actors(s, [life(s, CAR)], (0.1, 0.2, 0.3), 30.0),
    "move_actors, to the end": lambda s: acting.move_actors(
        s, [life(s, BIKE)], (1.0, 0.0, 0.0), 10.0, range(10, len(s)), pivot=(3.0, 4.0), ease_in=1.0
    ),
    "move_actors, a sensor": lambda s: edits.move_actors(s, [life(s, 3893)], (0.1, 0.0, 0.0), frames=range(5, 9)),
    "place_actors": lambda s: acting.place_actors(
        s, [life(s, HERO)], 60, location=(1.0, None, 3.0), yaw=90.0, frames=range(40, 90), ease_in=0.5
    ),
    "mirror_path": lambda s: acting.mirror_path(s, [life(s, HERO)], range(20, 90), (10.0, 20.0), 45.0),
    "put_on_lane": lambda s: acting.put_on_lane(s, life(s, HERO), range(20, 90), FIELD, ease_in=1.0),
    "edit_path": lambda s: edits.edit_path(s, life(s, HERO), [{"at": 2.0}, {"at": 3.0, "time": 3.5}, {"at": 5.0}]),
    "smooth_path": lambda s: acting.smooth_path(s, life(s, HERO), range(20, 90), 1.0),
    "offset_path": lambda s: acting.offset_path(s, life(s, BIKE), range(20, 90), 3.5, ease_in=1.0, ease_out=1.0),
    "hold_actor": lambda s: edits.hold_actor(s, life(s, HERO), range(30, 120), ease_in=2.0, ease_out=1.5),
    "remove_actors": lambda s: acting.remove_actors(s, [life(s, HERO), life(s, CAR)]),
    "remove_actors without children": lambda s: acting.remove_actors(s, [life(s, HERO)], children=False),
    "keep_only_actors": lambda s: acting.keep_only_actors(s, [life(s, BIKE)]),
    "trim_life": lambda s: acting.trim_life(s, life(s, BIKE), range(25, 75)),
    "trim_life, its end": lambda s: acting.trim_life(s, life(s, GONE), range(40)),
    "set_blueprint": lambda s: acting.set_blueprint(s, [life(s, HERO)], life(s, CAR).blueprint),
    "set_blueprint with a number": lambda s: acting.set_blueprint(s, [life(s, HERO)], "vehicle.x.y", 77),
    "set_attribute": lambda s: acting.set_attribute(s, [life(s, HERO), life(s, CAR)], "color", "1,2,3"),
    "set_attribute, gone": lambda s: acting.set_attribute(s, [life(s, HERO)], "color", None),
    "set_role": lambda s: acting.set_role(s, [life(s, BIKE)], "rider"),
    "set_hero": lambda s: acting.set_hero(s, life(s, CAR)),
    "set_actor_id": lambda s: acting.set_actor_id(s, life(s, HERO), 7),
    "swap_actors": lambda s: acting.swap_actors(s, life(s, HERO), life(s, CAR)),
    "duplicate_actor": lambda s: acting.duplicate_actor(
        s, life(s, HERO), offset=(2.0, 0.0, 0.0), turn=5.0, seconds=1.5
    ),
    "add_actor": lambda s: edits.add_actor(
        s, life(s, CAR).blueprint, follow=name_lives(s, [life(s, HERO)])[0], start="#20", gap=1.0
    ),
    "drop_packets": edits.drop_packets,
    "drop_packets, named": lambda s: edits.drop_packets(s, ["Kinematics", 14]),
    "convert": lambda s: convert(s, "ue4-2026").edit,
}


@pytest.mark.parametrize("name", EDITS)
def test_what_was_done_is_done_again_to_the_bit(name: str, recordings: Path) -> None:
    with real(recordings) as recording, real(recordings) as other:
        recording.apply(EDITS[name](recording.snapshot))
        text, left_out = save_script(recording.history.steps)
        assert left_out == []
        (step,) = read_script(text).steps
        assert step.label == recording.history.steps[0].label
        edit = apply_step(other.snapshot, step)
        assert edit.label == step.label
        other.apply(edit)
        assert saved(other) == saved(recording)
        assert save_script(other.history.steps).text == text


def test_every_operation_of_the_table_is_among_them() -> None:
    named = {name.partition(",")[0].partition(" ")[0] for name in EDITS}
    assert named | {"set_weather", "order_times"} == set(OPERATIONS)


ONE_FILE_ONLY = {
    "delete_packet",
    "delete_record",
    "delete_records",
    "append_frames",
    "delete_rows",
    "duplicate_packet",
    "duplicate_record",
    "insert_frame",
    "insert_packet",
    "insert_record",
    "join",
    "move_packet",
    "move_record",
    "overwrite",
    "paste_actor",
    "remove_from_frame",
    "replace_body",
    "replace_bytes",
    "replace_record",
    "set_field",
    "set_fields",
    "set_frame_start",
    "take_actor",
    "take_frame",
    "take_frames",
    "take_header",
    "take_packet",
    "take_record",
    "take_values",
}
"""Edits of bytes and records at a place, and of what comes from another recording."""


def test_every_edit_is_an_operation_or_belongs_to_one_file_only() -> None:
    assert set(OPERATIONS) == PUBLIC - NO_EDITS - ONE_FILE_ONLY


def test_times_are_put_in_order_again(recordings: Path) -> None:
    with real(recordings) as recording, real(recordings) as other:
        recording.apply(edits.shift(recording, 7.5))
        recording.apply(edits.order_times(recording))
        for step in read_script(save_script(recording.history.steps).text).steps:
            other.apply(apply_step(other.snapshot, step))
        assert saved(other) == saved(recording)


def test_the_weather_is_set_again_to_the_bit(tmp_path: Path, recordings: Path) -> None:
    values = {"cloudiness": 10.0, "precipitation": 0.5}
    with opened(tmp_path, b.everything("ue4-2026"), "ue4-2026") as recording:
        before = bytes_of(recording.snapshot)
        recording.apply(states.set_weather(recording, values, range(len(recording))))
        after = bytes_of(recording.snapshot)
        (step,) = read_script(save_script(recording.history.steps).text).steps
        recording.undo()
        assert bytes_of(recording.snapshot) == before
        assert bytes_of(recording.snapshot.after(apply_step(recording.snapshot, step))) == after != before


def test_a_whole_history_is_replayed_in_its_order(recordings: Path) -> None:
    with real(recordings) as recording, real(recordings) as other:
        for name in ("trim", "duplicate_actor", "set_hero", "retime", "remove_actors", "set_header"):
            recording.apply(EDITS[name](recording.snapshot))
        for step in read_script(save_script(recording.history.steps).text).steps:
            other.apply(apply_step(other.snapshot, step))
        assert saved(other) == saved(recording)


def test_steps_of_one_gesture_are_all_told(recordings: Path) -> None:
    with real(recordings) as recording, real(recordings) as other:
        for actor in (HERO, BIKE):
            where = place_of(recording.snapshot, 50, "Position", actor, "location.z")
            recording.apply(edits.add_over(recording, where, 5.0, range(40, 60)), gesture="over 1")
        assert len(recording.history.steps) == 1
        steps = read_script(save_script(recording.history.steps).text).steps
        assert [step.arguments["actors"][0]["id"] for step in steps] == [HERO, BIKE]
        for step in steps:
            other.apply(apply_step(other.snapshot, step))
        assert saved(other) == saved(recording)


# --- what is left out -----------------------------------------------------------------------------------


def test_what_belongs_to_one_file_only_is_left_out_and_told(tmp_path: Path) -> None:
    with opened(tmp_path, drive({7: ahead})) as recording:
        recording.apply(edits.overwrite(recording, recording.snapshot.size - 1, b"\x00"))
        recording.apply(edits.retime(recording, 2.0))
        text, left_out = save_script(recording.history.steps)
        assert left_out == [recording.history.steps[0].label]
        script = read_script(text)
        assert [step.operation for step in script.steps] == ["retime"]
        assert script.left_out == tuple(left_out)


def test_a_gesture_of_which_a_part_is_left_out_is_left_out_as_a_whole(tmp_path: Path) -> None:
    with opened(tmp_path, drive({7: ahead})) as recording:
        where = place_of(recording.snapshot, 1, "Position", 7, "location.z")
        recording.apply(edits.add_over(recording, where, 5.0, range(5)), gesture="one")
        recording.apply(edits.set_field(recording, where, 1.0), gesture="one")
        assert save_script(recording.history.steps).left_out == [recording.history.steps[0].label]


def test_an_intent_that_no_script_may_hold_is_left_out() -> None:
    edit = Edit("Odd", 0, (), intent=Intent("retime", {"factor": float("nan")}))
    assert save_script([edit, Edit("Join", 0, (), intent=Intent("join", {}))]).left_out == ["Odd", "Join"]


def test_a_script_of_nothing_is_a_script() -> None:
    text, left_out = save_script([])
    assert (read_script(text).steps, left_out) == ((), [])
    assert json.loads(text) == {"script": 2, "steps": []}


def test_a_script_is_readable(tmp_path: Path) -> None:
    with opened(tmp_path, drive({7: ahead})) as recording:
        recording.apply(edits.trim(recording, range(2, 5)))
        assert save_script(recording.history.steps).text == (
            '{\n  "script": 2,\n  "steps": [\n    {\n      "operation": "trim",\n'
            '      "label": "Trim to frames 3 to 5",\n      "arguments": {\n        "from": 0.2,\n'
            '        "to": 0.5,\n        "rebase_clocks": false\n      }\n    }\n  ]\n}\n'
        )


def test_a_name_that_is_no_text_survives(tmp_path: Path) -> None:
    step = Edit("Half \ud83d", 0, (), intent=Intent("set_role", {"actors": [{"id": 7}], "role": "\udcff"}))
    text = save_script([step]).text
    assert text.encode().decode() == text
    assert read_script(text).steps == (
        ScriptStep("set_role", {"actors": [{"id": 7}], "role": "\udcff"}, "Half \ud83d"),
    )


# --- what is no script ----------------------------------------------------------------------------------


def one(operation: str, arguments: str) -> str:
    step = f'{{"operation": "{operation}",\n   "arguments": {arguments}}}'
    return f'{{"script": 2,\n "steps": [\n  {{"operation": "order_times"}},\n\n  {step}]}}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Line 1: This is not JSON: Expecting value, at column 1."),
        ('{"script": 2,\n"steps": [}', "Line 2: This is not JSON: Expecting value, at column 11."),
        ("[" * 100_000, "This is nested too deep."),
        ('{"script": 2%s}' % ("0" * 5000), "This holds a number of too many digits."),
        (
            f'{{"script": {"[" * 900 + "]" * 900}}}',
            f"This is a script of form {'[' * 39}…; this program reads forms 1 and 2. A newer one may help.",
        ),
        ("[]", 'This is not an edit script; one begins with {"script": 2, "steps": [...]}.'),
        ('{"steps": []}', 'This is not an edit script; one begins with {"script": 2, "steps": [...]}.'),
        (
            '{"script": 3, "steps": []}',
            "This is a script of form 3; this program reads forms 1 and 2. A newer one may help.",
        ),
        ('{"script": 2, "step": []}', "A script has no “step”; it has script, steps, left_out and packets."),
        ('{"script": 2}', "“steps” is a list of steps."),
        ('{"script": 2, "steps": [], "left_out": [1]}', "“left_out” is a list of texts."),
        ('{"script": 2, "script": 2, "steps": []}', "“script” is twice in one object."),
        ('{"script": 2,\n"steps": [5]}', "Step 1 is 5; a step is an object with operation and arguments."),
        ('{"script": 2,\n"steps": [{}]}', "Step 1 does not say its operation."),
        (
            '{"script": 2, "steps": [{"operation": "shift", "x": 1}]}',
            "Step 1 has “x”; a step has operation, arguments and label.",
        ),
        (
            '{"script": 2, "steps": [{"operation": "shift", "arguments": []}]}',
            "Step 1: arguments are an object, and a label is a text.",
        ),
        (one("open", "{}"), "Step 2 cannot be done. There is no operation “open”."),
        (one("__class__", "{}"), "Step 2 cannot be done. There is no operation “__class__”."),
        (one("shift", '{"second": 1}'), "Step 2 cannot be done. shift has no argument “second”; it takes seconds."),
        (one("shift", "{}"), "Step 2 cannot be done. shift needs “seconds”: a number."),
        (one("shift", '{"seconds": NaN}'), "NaN is not a number that JSON may hold."),
        (one("shift", '{"seconds": 1e999}'), "1e999 is too large a number."),
        (one("shift", '{"seconds": true}'), "Step 2 cannot be done. shift: “seconds” is a number."),
        (one("shift", '{"seconds": 1%s}' % ("0" * 400)), "Step 2 cannot be done. shift: “seconds” is a number."),
        (
            one("place_actors", '{"actors": ["hero"], "at": 1%s}' % ("0" * 400)),
            'Step 2 cannot be done. place_actors: “at” is seconds or a frame such as "f250".',
        ),
        (
            one("trim", '{"from": "12.5"}'),
            'Step 2 cannot be done. trim: “from” is seconds, a frame such as "f250", or null.',
        ),
        (
            one("remove_actors", '{"actors": []}'),
            (
                'Step 2 cannot be done. remove_actors: “actors” is a list of actors: words such as "hero" or '
                '"type:vehicle.*", or objects with "id" and "blueprint".'
            ),
        ),
        (
            one("convert", '{"dialect": "ue6"}'),
            (
                "Step 2 cannot be done. convert: “dialect” is one of ue4-0.9.4, ue4-0.9.6, ue4-0.9.10, "
                "ue4-0.9.12, ue4-0.9.14, ue4-0.9.15, ue4-doors, ue4-0.9.16, ue4-2026, ue5-0.10.0, ue5-2026."
            ),
        ),
    ],
)
def test_what_is_no_script_is_told_with_its_place(text: str, message: str) -> None:
    with pytest.raises(ScriptError) as caught:
        read_script(text)
    assert str(caught.value) == message


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.sampled_from(["hero", "#1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "life", "x"]), inner),
    max_leaves=4,
)


@settings(max_examples=examples(200))
@given(st.data())
def test_whatever_arguments_hold_they_fit_or_are_refused(data: st.DataObject) -> None:
    operation = data.draw(st.sampled_from(sorted(OPERATIONS)))
    arguments = data.draw(st.dictionaries(st.sampled_from(["x", *OPERATIONS[operation].arguments]), VALUES))
    text = json.dumps({"script": 2, "steps": [{"operation": operation, "arguments": arguments}]})
    with suppress(ScriptError):
        assert read_script(text).steps[0].arguments == arguments


def test_a_call_of_something_unknown_is_refused_without_a_text_too(tmp_path: Path) -> None:
    with opened(tmp_path, drive({7: ahead})) as recording, pytest.raises(EditError, match="no operation “eval”"):
        apply_step(recording.snapshot, ScriptStep("eval", {"text": "1"}))


# --- who is meant on another recording ------------------------------------------------------------------


def car(actor: int, blueprint: str, role: str = "", x: float = 0.0, kind: int = 1) -> b.Record:
    attributes = [b.attribute(6, "role_name", role)] if role else []
    return b.actor(actor, kind, blueprint, b.xyz(x, 7.9, -3.2), attributes=attributes)


def town(*added: b.Record, frames: int = 4, step: float = 0.5) -> bytes:
    poses = [b.pose(each["id"], each["location"]) for each in added]
    return b.recording(
        *(
            b.frame(
                number + 1,
                step * number,
                -1.0 if number == frames - 1 else step,
                [b.packet(2, b.event_add(added if not number else [])), b.packet(6, b.position(poses))],
            )
            for number in range(frames)
        )
    )


TESLA, AUDI = "vehicle.tesla.model3", "vehicle.audi.tt"


def removed(tmp_path: Path, here: tuple[b.Record, ...], named: dict[str, object] | str) -> set[int]:
    """The ids that are gone when the step is done to a town of these."""
    with opened(tmp_path, town(*here)) as recording:
        before = set(Actors.of(recording.snapshot).ids)
        recording.apply(apply_step(recording.snapshot, ScriptStep("remove_actors", {"actors": [named]})))
        return before - set(Actors.of(recording.snapshot).ids)


@pytest.mark.parametrize(
    ("here", "meant"),
    [
        ((car(9, AUDI, "hero"), car(7, TESLA)), 9),  # the role, whatever else it is
        ((car(9, TESLA), car(7, TESLA)), 7),  # no such role: id and blueprint
        ((car(9, TESLA), car(7, AUDI)), 9),  # neither: the only one of the blueprint
        ((car(9, AUDI, "hero"), car(8, TESLA, "hero")), 8),  # two heroes: the one of the blueprint
        ((car(8, TESLA, "hero"), car(7, TESLA, "hero")), 7),  # two alike: the one of the id
        ((car(8, TESLA, "hero"), car(9, TESLA, "hero"), car(7, TESLA)), 7),
    ],
)
def test_an_actor_is_found_by_role_then_by_id_then_by_blueprint(
    here: tuple[b.Record, ...], meant: int, tmp_path: Path
) -> None:
    named = {"id": 7, "blueprint": TESLA, "role": "hero", "life": 0}
    assert removed(tmp_path, (*here, car(99, "vehicle.other.one", "other")), named) == {meant}


@pytest.mark.parametrize(
    ("named", "message"),
    [
        (
            {"id": 7, "blueprint": AUDI, "role": "hero"},
            (
                "This recording has no vehicle.audi.tt 7 with the role name “hero”: that role name, that id with that "
                "blueprint, or that blueprint alone belongs to no single actor."
            ),
        ),
        (
            {"id": 5, "blueprint": TESLA},
            (
                "This recording has no vehicle.tesla.model3 5: neither that id with that blueprint nor that blueprint "
                "alone belongs to a single actor."
            ),
        ),
        ({"id": 5}, "This recording has no actor 5."),
    ],
)
def test_whoever_is_not_found_is_named(named: dict[str, object], message: str, tmp_path: Path) -> None:
    with pytest.raises(EditError) as caught:
        removed(tmp_path, (car(7, TESLA), car(8, TESLA)), named)
    assert str(caught.value) == message


def test_a_traffic_light_is_found_by_its_place_alone(tmp_path: Path) -> None:
    light = "traffic.traffic_light"
    here = car(7, light, x=500.0, kind=3), car(8, light, x=-199.5, kind=3)
    named = {"id": 7, "blueprint": light, "life": 0, "place": [-199, 7, -3]}
    assert removed(tmp_path, here, named) == {8}
    with pytest.raises(EditError, match=r"no traffic.traffic_light is at \(0, 7, -3\) cm"):
        removed(tmp_path, here, {**named, "place": [0, 7, -3]})


def test_words_of_the_command_line_name_actors_too(tmp_path: Path) -> None:
    here = car(7, TESLA, "hero"), car(8, AUDI), car(9, TESLA)
    assert removed(tmp_path, here, "hero") == {7}
    assert removed(tmp_path, here, "type:vehicle.tesla.*") == {7, 9}
    with pytest.raises(SelectorError, match="no actor 12"):
        removed(tmp_path, here, "12")


def test_the_right_life_of_an_id_is_found_again(tmp_path: Path) -> None:
    data = b.recording(
        *(
            b.frame(
                number + 1,
                0.5 * number,
                0.5,
                [
                    b.packet(2, b.event_add([car(7, TESLA)] if number in (0, 4) else [])),
                    b.packet(3, b.event_del([{"id": 7}] if number == 2 else [])),
                    b.packet(6, b.position([b.pose(7)])),
                ],
            )
            for number in range(6)
        )
    )
    with opened(tmp_path, data) as recording:
        recording.apply(acting.remove_actors(recording, [life_of(recording, 7, 1)]))
        (step,) = read_script(save_script(recording.history.steps).text).steps
        recording.undo()
        edit = apply_step(recording.snapshot, step)
        (left,) = Actors.of(recording.snapshot.after(edit))
        assert (left.born, left.gone) == (0, 2)


def test_an_operation_on_one_actor_refuses_several(tmp_path: Path) -> None:
    with opened(tmp_path, town(car(7, TESLA), car(8, TESLA))) as recording:
        with pytest.raises(EditError, match="exactly one actor, not 2"):
            apply_step(recording.snapshot, ScriptStep("set_hero", {"actors": ["type:*"]}))
        with pytest.raises(EditError, match="exactly 2 actors, not 1"):
            apply_step(recording.snapshot, ScriptStep("swap_actors", {"actors": ["7"]}))


def test_an_id_that_was_never_born_is_set_by_its_id(tmp_path: Path) -> None:
    data = b.recording(*(b.frame(n + 1, 0.5 * n, 0.5, [b.packet(6, b.position([b.pose(5)]))]) for n in range(3)))
    with opened(tmp_path, data) as recording:
        where = place_of(recording.snapshot, 0, "Position", 5, "location.x")
        edit = edits.set_over(recording, where, 3.0, range(3))
        assert edit.intent is not None
        assert edit.intent.arguments["actors"] == [{"id": 5}]
        (step,) = read_script(save_script([edit]).text).steps
        assert bytes_of(recording.snapshot.after(apply_step(recording.snapshot, step))) == bytes_of(
            recording.snapshot.after(edit)
        )


# --- when on another recording --------------------------------------------------------------------------


def test_seconds_find_the_frames_of_another_step(tmp_path: Path) -> None:
    with opened(tmp_path, drive({7: ahead}, frames=41, step=0.1)) as recording:
        step = ScriptStep("move_actors", {"actors": ["7"], "offset": [0, 5, 0], "from": 1, "to": 2})
        recording.apply(apply_step(recording.snapshot, step))
        assert [pose_of(recording, frame, 7)[1] for frame in (9, 10, 20, 21)] == [0.0, 500.0, 500.0, 0.0]


def test_the_end_of_one_recording_is_that_of_another(tmp_path: Path) -> None:
    with opened(tmp_path, drive({7: ahead}, frames=11)) as short:
        edit = acting.move_actors(short, [life_of(short, 7)], (0.0, 5.0, 0.0), frames=range(4, 11))
        (step,) = read_script(save_script([edit]).text).steps
    assert (step.arguments["from"], step.arguments["to"]) == (0.4, None)
    with opened(tmp_path, drive({7: ahead}, frames=31)) as recording:
        recording.apply(apply_step(recording.snapshot, step))
        assert [pose_of(recording, frame, 7)[1] for frame in (3, 4, 30)] == [0.0, 500.0, 500.0]


def test_where_time_does_not_go_on_frames_are_counted(tmp_path: Path) -> None:
    data = b.recording(*(b.frame(n + 1, 1.0, 0.5, [b.packet(6, b.position([b.pose(5)]))]) for n in range(5)))
    with opened(tmp_path, data) as recording:
        edit = edits.cut(recording, range(2, 4))
        assert edit.intent is not None
        assert dict(edit.intent.arguments) == {"from": "#3", "to": "#5", "rebase_clocks": False}
        (step,) = read_script(save_script([edit]).text).steps
        assert bytes_of(recording.snapshot.after(apply_step(recording.snapshot, step))) == bytes_of(
            recording.snapshot.after(edit)
        )


@pytest.mark.parametrize("times", [(0.0, float("nan"), 1.0), (0.0, 2.0, 1.0), (0.0, 1.0, float("inf"))])
def test_seconds_are_refused_where_time_does_not_go_on(times: tuple[float, ...], tmp_path: Path) -> None:
    with opened(tmp_path, b.recording(*(b.frame(n + 1, time, 0.5) for n, time in enumerate(times)))) as recording:
        with pytest.raises(EditError, match="seconds name no frame"):
            apply_step(recording.snapshot, ScriptStep("trim", {"from": 0.5}))
        assert len(recording.snapshot.after(apply_step(recording.snapshot, ScriptStep("trim", {"from": "#2"})))) == 2


def test_a_time_beyond_the_end_is_told_with_the_length(tmp_path: Path) -> None:
    with opened(tmp_path, drive({7: ahead})) as recording, pytest.raises(EditError) as caught:
        apply_step(recording.snapshot, ScriptStep("trim", {"from": 12, "to": "#900"}))
    assert str(caught.value) == ("No frame lies from 12 s to frame 900; the recording has 11 frames and ends at 1 s.")


# --- along the way --------------------------------------------------------------------------------------


def test_progress_is_told_and_a_step_can_be_cancelled(tmp_path: Path) -> None:
    step = ScriptStep("move_actors", {"actors": ["7"], "offset": [1, 0, 0]})
    told: list[tuple[int, int]] = []
    with opened(tmp_path, drive({7: ahead})) as recording:
        apply_step(recording.snapshot, step, Progress(lambda *at: told.append(at)))
        assert told[-1] == (11, 11)
        with pytest.raises(Cancelled):
            apply_step(recording.snapshot, step, progress=Progress(is_cancelled=lambda: True))


def test_what_a_conversion_loses_is_told(tmp_path: Path) -> None:
    with opened(tmp_path, b.everything("ue4-0.9.15"), "ue4-0.9.15") as recording:
        made = run_step(recording.snapshot, ScriptStep("convert", {"dialect": "ue4-0.9.14"}))
    assert made.is_lossy
    assert made.remarks[0] == "2 records of AnimBiker are left out: ue4-0.9.14 has none. First in frame 1."
