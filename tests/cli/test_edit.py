"""The verb that changes a recording: what each option writes, what belongs to it, what is refused."""

import errno
import json
import os
import struct
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import recorder_editor
from recorder_editor import edits
from recorder_editor import edits as acting
from recorder_editor.api import Recording
from recorder_editor.cli import main
from recorder_editor.cli.edit import DETAILS, OPTIONS, parse_changes
from recorder_editor.cli.files import WrongUsage
from recorder_editor.edits import states
from recorder_editor.edits.convert import convert
from recorder_editor.edits.operations import OPERATIONS
from recorder_editor.edits.operations.kinds import ANGLES, LENGTHS, NUMBERS, TIMES, MeasureError, Units, measure, whole
from recorder_editor.reading.actors import Actors
from recorder_editor.reading.lives import Life
from recorder_editor.recording.history import Edit
from recorder_editor.recording.snapshot import Snapshot

from .. import builders as b
from ..edits.operations import FIELD
from ..extent import examples, is_long
from ..real_recordings import only_one

pytestmark = pytest.mark.usefixtures("one_parser")

Captured = pytest.CaptureFixture[str]

REAL = "carla-0.9.13-town05-collisions.log"
FRAMES = 120
"""Of it, as many as the options name."""
HERO, BIKE, CAR, LIGHT, CAMERA = 3890, 3891, 3899, 3836, 3893
KEYS = [{"at": 2.0}, {"at": 3.0, "time": 3.5, "x": -150.0}, {"distance": 20.0}]


def strict(text: str) -> Any:
    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    return json.loads(text, parse_constant=refuse)


def life(snapshot: Snapshot, actor: int) -> Life:
    return Actors.of(snapshot).of_id(actor)[0]


def bytes_of(recording: Recording) -> bytes:
    return recording.snapshot.read(0, recording.snapshot.size)


def vehicles(snapshot: Snapshot) -> list[Life]:
    return [each for each in Actors.of(snapshot) if each.blueprint.startswith("vehicle.")]


# --- every option, held against the edit it stands for --------------------------------------------------

Make = Any

NEW = {"blueprint": "vehicle.tesla.model3", "follow": "hero", "gap": 1.0, "role": "new"}

SAME: dict[str, tuple[Sequence[str], Make]] = {
    "--set": (
        ["--set", "Position where id == 3890: location.z = z * 101", "--from", "#10", "--to", "#20"],
        lambda s: edits.replace_where(s, "Position where id == 3890: location.z = z * 101", frames=range(9, 19)),
    ),
    "--set-map": (["--set-map", "Town99"], lambda s: edits.set_header(s, map_name="Town99")),
    "--set-date": (["--set-date", "2026-01-31T12:00:00"], lambda s: edits.set_header(s, date=1769860800)),
    "--set-version": (["--set-version", "1"], lambda s: edits.set_header(s, version=1)),
    "--remove-actor": (
        ["--remove-actor", f"hero,{CAR}"],
        lambda s: acting.remove_actors(s, [life(s, HERO), life(s, CAR)]),
    ),
    "--remove-actor, one after another": (
        ["--remove-actor", f"{HERO}", "--remove-actor", f"{CAMERA}"],
        lambda s: acting.remove_actors(s, [life(s, HERO), life(s, CAMERA)]),
    ),
    "--keep-children": (
        ["--remove-actor", "hero", "--keep-children"],
        lambda s: acting.remove_actors(s, [life(s, HERO)], children=False),
    ),
    "--only-actor": (
        ["--only-actor", "hero", "--only-actor", f"{BIKE}"],
        lambda s: acting.keep_only_actors(s, [life(s, HERO), life(s, BIKE)]),
    ),
    "--trim-actor": (
        ["--trim-actor", f"{BIKE}", "--from", "#31", "--to", "#91"],
        lambda s: acting.trim_life(s, life(s, BIKE), range(30, 90)),
    ),
    "--set-blueprint": (
        ["--set-blueprint", "hero=vehicle.x.y,77"],
        lambda s: acting.set_blueprint(s, [life(s, HERO)], "vehicle.x.y", 77),
    ),
    "--set-attribute": (
        ["--set-attribute", f"{CAR}:color=1,2,3"],
        lambda s: acting.set_attribute(s, [life(s, CAR)], "color", "1,2,3"),
    ),
    "--set-attribute, of a type": (
        ["--set-attribute", "type:vehicle.*:a=b=c:d"],
        lambda s: acting.set_attribute(s, vehicles(s), "a", "b=c:d"),
    ),
    "--remove-attribute": (
        ["--remove-attribute", f"{CAR}:color"],
        lambda s: acting.set_attribute(s, [life(s, CAR)], "color", None),
    ),
    "--set-role": (["--set-role", f"{BIKE}=rider"], lambda s: acting.set_role(s, [life(s, BIKE)], "rider")),
    "--set-hero": (["--set-hero", f"{CAR}"], lambda s: acting.set_hero(s, life(s, CAR))),
    "--set-id": (["--set-id", "hero=0x7"], lambda s: acting.set_actor_id(s, life(s, HERO), 7)),
    "--swap": (["--swap", f"hero,{CAR}"], lambda s: acting.swap_actors(s, life(s, HERO), life(s, CAR))),
    "--duplicate": (
        ["--duplicate", f"{BIKE}=2,-50cm,0,5", "--later", "1500ms", "--as", "70000"],
        lambda s: acting.duplicate_actor(
            s, life(s, BIKE), offset=(2.0, -0.5, 0.0), turn=5.0, seconds=1.5, new_id=70000
        ),
    ),
    "--duplicate, in place": (["--duplicate", f"{BIKE}"], lambda s: acting.duplicate_actor(s, life(s, BIKE))),
    "--paste": (
        ["--paste", f"{{folder}}/{REAL}:{BIKE}=0,3,0", "--at", "#21", "--as", "70001"],
        lambda s: acting.paste_actor(
            s, s, life(s, BIKE), at=float(s.elapsed[20]), offset=(0.0, 3.0, 0.0), new_id=70001
        ),
    ),
    "--move": (
        ["--move", f"{HERO}=1,-2.5,10cm,30", "--move", f"{BIKE}=1,-2.5,10cm,30"],
        lambda s: acting.move_actors(s, [life(s, HERO), life(s, BIKE)], (1.0, -2.5, 0.1), 30.0),
    ),
    "--move, eased": (
        ["--move", "hero=0,3.5,0", "--from", "#31", "--to", "#111", "--ease-in", "2", "--ease-out", "1s"],
        lambda s: acting.move_actors(
            s, [life(s, HERO)], (0.0, 3.5, 0.0), 0.0, range(30, 110), ease_in=2.0, ease_out=1.0
        ),
    ),
    "--rotate": (
        ["--rotate", "hero=30", "--pivot=-3,4"],
        lambda s: acting.move_actors(s, [life(s, HERO)], turn=30.0, pivot=(-3.0, 4.0)),
    ),
    "--place": (
        ["--place", "hero=1,,3,90", "--at", "#46", "--from", "#31", "--to", "#61"],
        lambda s: acting.place_actors(
            s, [life(s, HERO)], 45, location=(1.0, None, 3.0), yaw=90.0, frames=range(30, 60)
        ),
    ),
    "--place, from the beginning": (
        ["--place", f"{CAR}=1,2,"],
        lambda s: acting.place_actors(s, [life(s, CAR)], life(s, CAR).born, location=(1.0, 2.0, None)),
    ),
    "--sideways": (
        ["--sideways", f"{BIKE}=350cm", "--from", "#21", "--to", "#91", "--ease-in", "1"],
        lambda s: acting.offset_path(s, life(s, BIKE), range(20, 90), 3.5, ease_in=1.0),
    ),
    "--hold": (
        ["--hold", "hero", "--from", "#31", "--to", "#91", "--ease-in", "1", "--ease-out", "500ms"],
        lambda s: edits.hold_actor(s, life(s, HERO), range(30, 90), ease_in=1.0, ease_out=0.5),
    ),
    "--path": (["--path", "hero=" + json.dumps(KEYS)], lambda s: edits.edit_path(s, life(s, HERO), KEYS)),
    "--add-actor": (
        ["--add-actor", json.dumps(NEW), "--from", "#21", "--to", "#91"],
        lambda s: edits.add_actor(s, **NEW, start="#21", end="#90"),
    ),
    "--smooth": (
        ["--smooth", "hero=1", "--from", "#21", "--to", "#91"],
        lambda s: acting.smooth_path(s, life(s, HERO), range(20, 90), 1.0),
    ),
    "--put-on-lane": (
        ["--put-on-lane", "hero", "--xodr", str(FIELD), "--from", "#21", "--to", "#91"],
        lambda s: acting.put_on_lane(s, life(s, HERO), range(20, 90), FIELD),
    ),
    "--mirror": (
        ["--mirror", "hero=10,20,45"],
        lambda s: acting.mirror_path(s, [life(s, HERO)], None, (10.0, 20.0), 45.0),
    ),
    "--set-traffic-light": (
        ["--set-traffic-light", f"{LIGHT}=Green", "--from", "#31", "--to", "#91", "--frozen", "yes", "--since", "1.5"],
        lambda s: states.set_traffic_lights(s, [life(s, LIGHT)], "green", range(30, 90), frozen=True, elapsed=1.5),
    ),
    "--set-lights": (
        ["--set-lights", f"{BIKE}=lowbeam,Fog"],
        lambda s: states.set_vehicle_lights(s, [life(s, BIKE)], 0x82),
    ),
    "--lights-on": (
        ["--lights-on", f"{BIKE}=0x31"],
        lambda s: states.set_vehicle_lights(s, [life(s, BIKE)], 0x31, mode="add"),
    ),
    "--lights-off": (
        ["--set-lights", f"{BIKE}=Brake,Fog", "--lights-off", f"{BIKE}=Brake"],
        lambda s: states.set_vehicle_lights(s, [life(s, BIKE)], 0x80),
    ),
    "--retime": (["--retime", "1.3"], lambda s: edits.retime(s, 1.3)),
    "--fixed-step": (["--fixed-step", "70ms"], lambda s: edits.resample(s, 0.07)),
    "--shift": (["--shift=-2"], lambda s: edits.shift(s, -2.0)),
    "--trim": (["--trim", "--from", "#31"], lambda s: edits.trim(s, range(30, len(s)))),
    "--cut": (
        ["--cut", "--from", "#41", "--to", "#101", "--rebase-clocks"],
        lambda s: edits.cut(s, range(40, 100), rebase_clocks=True),
    ),
    "--drop-additional": (["--drop-additional"], edits.drop_packets),
    "--drop-packets": (["--drop-packets", "Kinematics, 13"], lambda s: edits.drop_packets(s, ["Kinematics", "13"])),
    "--convert": (["--convert", "ue4-2026"], lambda s: convert(s, "ue4-2026").edit),
}


@pytest.fixture(scope="module")
def real(recordings: Path, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """The first frames of a real recording, with `--long` all of it."""
    if is_long(request.config):
        return recordings / REAL
    with recorder_editor.open(recordings / REAL) as recording:
        stop = recording[FRAMES].offset
    path = tmp_path_factory.mktemp("real") / REAL
    path.write_bytes((recordings / REAL).read_bytes()[:stop])
    return path


@pytest.mark.parametrize("name", SAME)
def test_an_option_makes_the_bytes_of_its_edit(name: str, real: Path, tmp_path: Path) -> None:
    options, make = SAME[name]
    out = tmp_path / "out.log"
    words = [word.replace("{folder}", str(real.parent)) for word in options]
    assert main(["edit", str(real), str(out), *words]) == 0
    with recorder_editor.open(real) as recording:
        edit: Edit = make(recording.snapshot)
        recording.apply(edit)
        assert out.read_bytes() == bytes_of(recording)


def test_every_option_and_detail_is_among_them() -> None:
    tried = {word.partition("=")[0] for words, _ in SAME.values() for word in words if word.startswith("--")}
    alone = {"--set-weather", "--order-times", "--substitute", "--keep-blueprints"}
    assert tried | alone == OPTIONS.keys() | DETAILS.keys()


def test_every_operation_of_scripts_has_an_option() -> None:
    named = {operation.name for operation, _ in OPTIONS.values()}
    # Values over frames are those of --set.
    assert OPERATIONS.keys() - named == {"set_over", "add_over"}


def test_the_weather_is_set(tmp_path: Path) -> None:
    source, out = tmp_path / "in.log", tmp_path / "out.log"
    source.write_bytes(b.everything("ue4-2026"))
    assert main(["edit", str(source), str(out), "--set-weather", "cloudiness=10,precipitation=0.5"]) == 0
    with recorder_editor.open(source) as recording:
        recording.apply(states.set_weather(recording, {"cloudiness": 10.0, "precipitation": 0.5}))
        assert out.read_bytes() == bytes_of(recording)


@pytest.mark.parametrize(
    ("typed", "options"),
    [
        (["--keep-blueprints"], {"keep_blueprints": True}),
        (["--substitute", "*=nearest"], {"substitutes": {"*": "nearest"}}),
        (
            ["--substitute", "a.b=c,vehicle.x=vehicle.audi.tt"],
            {"substitutes": {"a.b": "c", "vehicle.x": "vehicle.audi.tt"}},
        ),
    ],
)
def test_a_conversion_takes_what_becomes_of_blueprints(
    tmp_path: Path, typed: list[str], options: dict[str, object]
) -> None:
    source, out = tmp_path / "in.log", tmp_path / "out.log"
    source.write_bytes(b.drive(3))
    assert main(["edit", str(source), str(out), "--convert", "ue5-2026", *typed]) in (0, 3)
    with recorder_editor.open(source) as recording:
        recording.apply(convert(recording, "ue5-2026", **options).edit)  # type: ignore[arg-type]
        assert out.read_bytes() == bytes_of(recording)


def test_changes_are_made_in_the_order_given(tmp_path: Path) -> None:
    source, out = tmp_path / "in.log", tmp_path / "out.log"
    source.write_bytes(b.drive(6, vehicles=2))
    named, removed = ["--set-role", "101=first"], ["--remove-actor", "role:first"]
    assert main(["edit", str(source), str(out), *removed, *named]) == 2
    assert main(["edit", str(source), str(out), *named, *removed]) == 0
    with recorder_editor.open(out) as recording:
        assert Actors.of(recording.snapshot).ids == (100,)


@only_one
def test_a_real_recording_is_changed_and_is_as_sound_as_before(sound_recording: Path, tmp_path: Path) -> None:
    with recorder_editor.open(sound_recording) as recording:
        moving = next(each for each in Actors.of(recording.snapshot) if each.class_ == "vehicle")
        frames = len(recording)
    out, again, script = tmp_path / "out.log", tmp_path / "again.log", tmp_path / "edits.json"
    words = [
        "--trim",
        "--from",
        f"#{frames // 4}",
        "--duplicate",
        f"{moving.actor}=0,4,0",
        "--set-role",
        f"{moving.actor}=first",
        "--move",
        "role:first=0,0,1",
        "--retime",
        "2",
        "--fixed-step",
        "0.1",
        "--set-map",
        "Town99",
    ]
    assert main(["edit", str(sound_recording), str(out), *words, "--save-script", str(script)]) == 0
    assert main(["check", str(out)]) == main(["check", str(sound_recording)])
    assert main(["run", str(script), str(sound_recording), str(again)]) == 0
    assert again.read_bytes() == out.read_bytes()


# --- what is said ---------------------------------------------------------------------------------------


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.log"
    path.write_bytes(b.drive(6, vehicles=2))
    return path


def test_nothing_is_said_where_all_is_well(small: Path, tmp_path: Path, capsys: Captured) -> None:
    assert main(["edit", str(small), str(tmp_path / "out.log"), "--remove-actor", "100"]) == 0
    assert capsys.readouterr() == ("", "")


def test_a_dry_run_says_what_would_be_done_and_writes_nothing(small: Path, tmp_path: Path, capsys: Captured) -> None:
    out, script = tmp_path / "out.log", tmp_path / "edits.json"
    words = ["--remove-actor", "100", "--retime", "2", "--dry-run", "--save-script", str(script)]
    assert main(["edit", str(small), str(out), *words]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["Remove 100", "Retime by 2"]
    assert lines[2].startswith("6 frames, 0.500 s, 1 actors, ")
    assert not out.exists()
    assert not script.exists()


def test_json_tells_what_was_done(small: Path, tmp_path: Path, capsys: Captured) -> None:
    out = tmp_path / "out.log"
    assert main(["edit", str(small), str(out), "--order-times", "--remove-actor", "101", "--json"]) == 0
    told = strict(capsys.readouterr().out)
    assert told == {
        "file": str(small),
        "out": str(out),
        "changes": ["Remove 101"],
        "remarks": ["The times are like that already. Nothing is changed by that."],
        "lossless": True,
        "frames": 6,
        "seconds": pytest.approx(0.25),
        "actors": 1,
        "size": out.stat().st_size,
    }


def test_what_is_so_already_is_a_remark_and_no_failure(small: Path, tmp_path: Path, capsys: Captured) -> None:
    out = tmp_path / "out.log"
    assert main(["edit", str(small), str(out), "--set", "Position where id == 7: location.x = 0"]) == 0
    assert capsys.readouterr().err == "small.log: No record of Position matches. Nothing is changed by that.\n"
    assert out.read_bytes() == small.read_bytes()


def test_loss_makes_the_exit_code_3(tmp_path: Path, capsys: Captured) -> None:
    source, out = tmp_path / "in.log", tmp_path / "out.log"
    source.write_bytes(b.everything("ue4-0.9.15"))
    assert main(["edit", str(source), str(out), "--convert", "ue4-0.9.14", "--set-map", "X"]) == 3
    assert "in.log: 2 records of AnimBiker are left out" in capsys.readouterr().err
    assert out.exists()


def test_the_change_that_cannot_be_made_is_named(small: Path, tmp_path: Path, capsys: Captured) -> None:
    out = tmp_path / "out.log"
    assert main(["edit", str(small), str(out), "--retime", "2", "--set-blueprint", "100=walker.x"]) == 1
    assert capsys.readouterr().err.startswith("recorder-editor: --set-blueprint 100=walker.x: The number (uid) of")
    assert not out.exists()


def test_who_has_another_role_than_hero_is_named(tmp_path: Path, capsys: Captured) -> None:
    small, bridge = tmp_path / "small.log", tmp_path / "bridge.log"
    small.write_bytes(b.drive(6, vehicles=3))
    roles = ["--set-role", "100=ego_vehicle", "--set-role", "101=autopilot", "--set-role", "102=autopilot"]
    assert main(["edit", str(small), str(bridge), *roles]) == 0
    hint = "The roles are ego_vehicle, autopilot; one is written role:ego_vehicle."
    for actors, message in (
        ("hero", "There is no hero in this recording."),
        ("role:x*", "No actor has the role name “x*”."),
    ):
        assert main(["export", str(bridge), str(tmp_path / "out.csv"), "--actors", actors]) == 2
        assert capsys.readouterr().err == f"recorder-editor: {message} {hint}\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--remove-actor", "7"], "--remove-actor 7: There is no actor 7 in this recording."),
        (["--remove-actor", "hero"], "--remove-actor hero: There is no hero in this recording."),
        (
            ["--cut", "--from", "9"],
            "--cut: No frame lies from 9 up to the end. The recording lasts from 0.000 to 0.250 s, frames f1 to f6.",
        ),
        (["--paste", "{small}:100", "--at", "#90"], "--paste {small}:100: There is no frame #90."),
    ],
)
def test_nobody_and_no_time_are_wrong_usage(
    words: list[str], message: str, small: Path, tmp_path: Path, capsys: Captured
) -> None:
    words = [word.replace("{small}", str(small)) for word in words]
    assert main(["edit", str(small), str(tmp_path / "out.log"), *words]) == 2
    assert capsys.readouterr().err == f"recorder-editor: {message.replace('{small}', str(small))}\n"
    assert not (tmp_path / "out.log").exists()


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ([("--from", "1")], "--from belongs to the change before it, and there is none; name that first."),
        ([("--retime", "2"), ("--from", "1")], "--from does not belong to --retime; it takes none."),
        (
            [("--sideways", "7=1"), ("--at", "1")],
            "--at does not belong to --sideways; it takes --from, --to, --ease-in, --ease-out.",
        ),
        ([("--trim", ""), ("--from", "1"), ("--from", "2")], "--trim has --from twice."),
        ([("--cut", "")], "--cut needs a range: --from, --to, or both after it."),
        ([("--retime", "fast")], "--retime fast: “fast” is not a number. Write it as --retime FACTOR."),
        ([("--move", "7")], "--move 7: There is no “=” in it. Write it as --move ACTORS=DX,DY,DZ[,DYAW]."),
        (
            [("--move", "7=1,2")],
            (
                "--move 7=1,2: “1,2” is not three numbers of metres, and perhaps one of degrees, with commas between. "
                "Write it as --move ACTORS=DX,DY,DZ[,DYAW]."
            ),
        ),
        (
            [("--move", "7=1,2,3s")],
            (
                "--move 7=1,2,3s: “3s” is not a number, with or without a unit (m, cm, mm, km). Write it as --move "
                "ACTORS=DX,DY,DZ[,DYAW]."
            ),
        ),
        ([("--set-id", "7=x")], "--set-id 7=x: “x” is not a whole number. Write it as --set-id ACTOR=ID."),
        (
            [("--set-id", "7=-1")],
            "--set-id 7=-1: “-1” is not a number from 0 to 4294967295. Write it as --set-id ACTOR=ID.",
        ),
        ([("--remove-actor", "7,")], "--remove-actor 7,: No actor is named. Write it as --remove-actor ACTORS."),
        (
            [("--set-attribute", "7=x")],
            (
                "--set-attribute 7=x: There is no “:” with an attribute after it. Write it as --set-attribute "
                "ACTORS:KEY=VALUE."
            ),
        ),
        (
            [("--set-traffic-light", "7=blue")],
            (
                "--set-traffic-light 7=blue: “blue” is not a state; there are red, yellow, green, off, unknown. Write "
                "it as --set-traffic-light ACTORS=STATE."
            ),
        ),
        (
            [("--lights-on", "7=Disco")],
            (
                "--lights-on 7=Disco: “Disco” is not a light; there are Position, LowBeam, HighBeam, Brake, "
                "RightBlinker, LeftBlinker, Reverse, Fog, Interior, Special1, Special2, and none. Write it as "
                "--lights-on ACTORS=NAMES."
            ),
        ),
        ([("--set-traffic-light", "7=red"), ("--frozen", "so")], "--frozen: “so” is neither yes nor no."),
        (
            [("--set-date", "tomorrow")],
            (
                "--set-date tomorrow: “tomorrow” is not a date, as in 2026-01-31T12:00:00, nor seconds since 1970. "
                "Write it as --set-date DATE."
            ),
        ),
        (
            [("--paste", "a.log")],
            (
                "--paste a.log: There is no “:” with an actor after it. Write it as "
                "--paste FILE:ACTOR[=DX,DY,DZ[,DYAW]]."
            ),
        ),
    ],
)
def test_what_was_typed_wrong_is_told(typed: list[tuple[str, str]], message: str) -> None:
    with pytest.raises(WrongUsage) as caught:
        parse_changes(typed)
    assert str(caught.value) == message


@pytest.mark.parametrize("change", ["--move 100=1e37,0,0", "--place 100=1e37,0,0", "--duplicate 100=1e37,0,0"])
def test_a_place_too_large_for_its_field_is_refused(change: str, small: Path, tmp_path: Path, capsys: Captured) -> None:
    assert main(["edit", str(small), str(tmp_path / "out.log"), *change.split()]) == 1
    assert "that a recording can hold" in (said := capsys.readouterr().err) or "too large" in said
    assert not (tmp_path / "out.log").exists()


VALUES = st.text("0123456789,=:.-+eE°cm#hero@ \udcff", max_size=12) | st.text(max_size=8)


@settings(max_examples=examples(200))
@given(st.lists(st.tuples(st.sampled_from([*OPTIONS, *DETAILS]), VALUES), max_size=3))
@example([("--add-actor", "\0")])
def test_whatever_is_typed_is_changes_or_wrong_usage(typed: list[tuple[str, str]]) -> None:
    with suppress(WrongUsage):
        parse_changes(typed)


def test_no_change_is_wrong_usage(small: Path, tmp_path: Path, capsys: Captured) -> None:
    assert main(["edit", str(small), str(tmp_path / "out.log")]) == 2
    assert "Name a change" in capsys.readouterr().err


def test_a_file_to_paste_from_that_is_missing_is_wrong_usage(small: Path, tmp_path: Path, capsys: Captured) -> None:
    assert main(["edit", str(small), str(tmp_path / "out.log"), "--paste", f"{tmp_path}/none.log:7"]) == 2
    assert "none.log" in capsys.readouterr().err


def test_a_damaged_recording_is_refused_with_the_command_that_helps(
    damaged_recording: Path, tmp_path: Path, capsys: Captured
) -> None:
    out = tmp_path / "out.log"
    assert main(["edit", str(damaged_recording), str(out), "--set-map", "X"]) == 1
    assert "recorder-editor repair" in capsys.readouterr().err
    assert not out.exists()


def test_a_torn_recording_is_edited_where_that_is_asked_for(tmp_path: Path) -> None:
    source, out = tmp_path / "in.log", tmp_path / "out.log"
    source.write_bytes(b.drive(6)[:-7])
    assert main(["edit", str(source), str(out), "--set-map", "Town99"]) == 1
    assert main(["edit", str(source), str(out), "--set-map", "Town99", "--damaged"]) == 0
    assert out.read_bytes() == source.read_bytes().replace(b"Town01", b"Town99")


def test_no_input_is_written_onto(small: Path, tmp_path: Path) -> None:
    before = small.read_bytes()
    assert main(["edit", str(small), str(small), "--retime", "2"]) == 2
    assert main(["edit", str(small), str(tmp_path / "o"), "--retime", "2", "--save-script", str(small)]) == 2
    assert main(["edit", str(small), str(tmp_path / "o"), "--retime", "2", "--save-script", str(tmp_path / "o")]) == 2
    assert small.read_bytes() == before
    assert not (tmp_path / "o").exists()


def test_what_no_script_can_hold_is_told(small: Path, tmp_path: Path, capsys: Captured) -> None:
    script = tmp_path / "edits.json"
    words = ["--paste", f"{small}:100", "--retime", "2", "--save-script", str(script)]
    assert main(["edit", str(small), str(tmp_path / "out.log"), *words]) == 0
    assert "edits.json: “Paste " in capsys.readouterr().err
    assert [step["operation"] for step in strict(script.read_text())["steps"]] == ["retime"]


# --- words ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "units", "value"),
    [
        ("3.5", LENGTHS, 3.5),
        ("150cm", LENGTHS, 1.5),
        ("-7 mm", LENGTHS, -0.007),
        ("1km", LENGTHS, 1000.0),
        (".5", NUMBERS, 0.5),
        ("1e-3", NUMBERS, 0.001),
        ("90°", ANGLES, 90.0),
        ("90deg", ANGLES, 90.0),
        ("500ms", TIMES, 0.5),
        ("2min", TIMES, 120.0),
    ],
)
def test_a_unit_behind_a_number_is_understood(text: str, units: Units, value: float) -> None:
    assert measure(text, units) == value


@pytest.mark.parametrize("text", ["", "nan", "inf", "1e999", "1,5", "0x10", "3 miles", "٣", "1_000"])
def test_other_texts_are_no_numbers(text: str) -> None:
    with pytest.raises(MeasureError):
        measure(text, LENGTHS)


def test_whole_numbers_are_decimal_or_hexadecimal() -> None:
    assert (whole("12"), whole("0x31"), whole("-3")) == (12, 0x31, -3)
    with pytest.raises(MeasureError):
        whole("1.0")


@pytest.mark.parametrize(
    ("text", "file", "who"),
    [
        ("a.log:7", "a.log", ["7"]),
        ("C:\\x\\a.log:hero=1,2,3", "C:\\x\\a.log", ["hero"]),
        ("a=b.log:role:me", "a=b.log", ["role:me"]),
        ("a:b.log:type:vehicle.*=1,2cm,-3", "a:b.log", ["type:vehicle.*"]),
    ],
)
def test_the_file_and_the_actor_of_a_paste_are_told_apart(text: str, file: str, who: list[str]) -> None:
    (change,) = parse_changes([("--paste", text)])
    assert (change.arguments["file"], change.arguments["actors"]) == (file, who)


def test_changes_in_a_row_that_say_the_same_are_one() -> None:
    typed = [
        ("--move", "1=0,0,1"),
        ("--move", "2=0,0,1"),
        ("--move", "3=0,0,2"),
        ("--remove-actor", "4"),
        ("--set-hero", "5"),
        ("--set-hero", "6"),
    ]
    found = [(change.operation.name, change.arguments["actors"]) for change in parse_changes(typed)]
    assert found == [
        ("move_actors", ["1", "2"]),
        ("move_actors", ["3"]),
        ("remove_actors", ["4"]),
        ("set_hero", ["5"]),
        ("set_hero", ["6"]),
    ]


def test_something_done_to_each_names_every_life(recordings: Path) -> None:
    with recorder_editor.open(recordings / REAL) as recording:
        (change,) = parse_changes([("--smooth", "type:vehicle.*=1")])
        steps = list(change.steps(recording.snapshot))
        found = [f"{each.actor}@{each.born + 1}" for each in vehicles(recording.snapshot)]
    assert [step.arguments["actors"] for step in steps] == [[name] for name in found]


def test_who_comes_and_goes_in_one_frame_is_not_edited(tmp_path: Path, capsys: Captured) -> None:
    born = b.packet(2, b.event_add([b.actor(7, attributes=[b.attribute(3, "role_name", "hero")])]))
    gone = b.packet(3, struct.pack("<HI", 1, 7))
    source, out = tmp_path / "in.log", tmp_path / "out.log"
    source.write_bytes(b.recording(b.frame(1, 0.0, 0.05, [born, gone]), b.frame(2, 0.05)))
    for change in (["--place", "hero=1,2,3"], ["--remove-actor", "7"]):
        assert main(["edit", str(source), str(out), *change]) == 1
        assert "created and destroyed in one frame" in capsys.readouterr().err
        assert not out.exists()


def test_a_script_that_cannot_be_written_leaves_the_one_that_is_there(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "script.json"
    script.write_text("what was there")
    replace = os.replace

    def full(source: Any, target: Any) -> None:
        if Path(target) == script:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        replace(source, target)

    monkeypatch.setattr(os, "replace", full)
    assert main(["edit", str(small), str(tmp_path / "o"), "--retime", "2", "--save-script", str(script)]) == 1
    assert script.read_text() == "what was there"
