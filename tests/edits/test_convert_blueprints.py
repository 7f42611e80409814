"""Blueprints and uids of other releases: the bytes of EventAdds by hand, losses, substitutes, one step."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from recorder_editor.api import Recording
from recorder_editor.checks import check
from recorder_editor.edits import convert
from recorder_editor.edits.blueprints import MODELS, Release
from recorder_editor.edits.convert import Renaming, preview
from recorder_editor.edits.operations import OPERATIONS
from recorder_editor.edits.script import ScriptStep, run_step
from recorder_editor.errors import EditError
from recorder_editor.format import DIALECTS
from recorder_editor.reading import Actors

from .. import builders as b
from ..extent import is_long
from ..real_recordings import RECORDINGS, SOUND, missing
from ..recording.films import beginning, opened, town
from .conftest import saved

NEAREST = {"*": "nearest"}
CODES = ("replay-blueprint", "replay-uid")
UE5 = ("ue5-0.10.0", "ue5-2026")

HERO = [b.attribute(3, "role_name", "hero"), b.attribute(1, "number_of_wheels", "4")]


def film(dialect: str, *actors: Mapping[str, Any], others: Sequence[Mapping[str, Any]] = ()) -> bytes:
    """Two frames: actors of the first one, others outside of frames after it."""
    release = b.RELEASES[dialect]

    def added(records: Sequence[Mapping[str, Any]]) -> bytes:
        shifted = [
            {**each, "attributes": [{**a, "type": a["type"] + release.shift} for a in each["attributes"]]}
            for each in records
        ]
        return b.packet(2, b.event_add(shifted, release.wide))

    first = b.frame(1, 0.0, 0.1, [added(actors)])
    stray = added(others) if others else b""
    return b.recording(first + stray, b.frame(2, 0.1, -1.0), version=release.version)


def vehicle(name: str, uid: int, number: int = 1) -> Mapping[str, Any]:
    return b.actor(number, 1, name, b.xyz(1.5, 2.5, 3.5), b.turn(), uid, HERO)


MKZ = {
    "ue4-0.9.6": ("vehicle.lincoln.mkz2017", 19),
    "ue4-0.9.10": ("vehicle.lincoln.mkz2017", 26),
    "ue4-0.9.12": ("vehicle.lincoln.mkz_2017", 26),
    "ue4-0.9.15": ("vehicle.lincoln.mkz_2017", 26),
    "ue4-0.9.16": ("vehicle.lincoln.mkz_2017", 26),
    "ue4-2026": ("vehicle.lincoln.mkz_2017", 26),
}
WALKER = {"ue4-0.9.6": 35, "ue4-0.9.10": 46, "ue4-0.9.12": 59, "ue4-0.9.15": 61, "ue4-0.9.16": 61, "ue4-2026": 61}


@pytest.mark.parametrize("source", MKZ)
@pytest.mark.parametrize("target", MKZ)
def test_an_event_add_becomes_that_of_the_other_era_and_all_else_stays(source: str, target: str) -> None:
    walker, own = "walker.pedestrian.0001", b.actor(3, 1, b"vehicle.own.\xe9", uid=99)
    actors = {each: (vehicle(*MKZ[each]), b.actor(2, 2, walker, uid=WALKER[each]), own) for each in (source, target)}
    with opened(film(source, *actors[source], others=[vehicle(*MKZ[source], 9)]), source) as recording:
        conversion = convert(recording, target)
        recording.apply(conversion.edit)
        assert saved(recording) == film(target, *actors[target], others=[vehicle(*MKZ[target], 9)])
        assert not conversion.is_lossy
        recording.apply(convert(recording, source).edit)
        assert saved(recording) == film(source, *actors[source], others=[vehicle(*MKZ[source], 9)])


@pytest.mark.parametrize(
    ("old", "new", "uid"),
    [
        ("vehicle.dodge_charger.police", "vehicle.dodge.charger_police", 8),
        ("vehicle.mini.cooperst", "vehicle.mini.cooper_s", 11),
        ("vehicle.mustang.mustang", "vehicle.ford.mustang", 27),
        ("vehicle.mercedes-benz.coupe", "vehicle.mercedes.coupe", 10),
        ("vehicle.bmw.isetta", "vehicle.micro.microlino", 4),
        ("vehicle.audi.tt", "vehicle.audi.tt", 2),
    ],
)
def test_names_of_before_0_9_12_become_those_of_the_same_model(old: str, new: str, uid: int) -> None:
    with opened(film("ue4-0.9.10", vehicle(old, 3)), "ue4-0.9.10") as recording:
        conversion = convert(recording, "ue4-0.9.16")
        recording.apply(conversion.edit)
        assert saved(recording) == film("ue4-0.9.16", vehicle(new, uid))
        kinds = [loss.kind for loss in conversion.losses]
        assert kinds == (["uid"] if old == new else ["renamed"])
        if old != new:
            assert (conversion.losses[0].blueprint, conversion.losses[0].becomes) == (old, new)
            assert conversion.losses[0].message == f"1 actor of {old} becomes {new}, as ue4-0.9.16 calls it."


def test_between_the_engines_names_change_and_uids_that_are_not_known_stay() -> None:
    with opened(film("ue4-0.9.15", vehicle("vehicle.dodge.charger_2020", 30)), "ue4-0.9.15") as recording:
        conversion = convert(recording, "ue5-0.10.0")
        recording.apply(conversion.edit)
        assert saved(recording) == film("ue5-0.10.0", vehicle("vehicle.dodge.charger", 30))
        assert [loss.kind for loss in conversion.losses] == ["renamed", "uid-kept"]
        recording.apply(convert(recording, "ue4-0.9.15").edit)
        assert saved(recording) == film("ue4-0.9.15", vehicle("vehicle.dodge.charger_2020", 30))


def test_a_name_that_two_releases_have_for_other_models_stays() -> None:
    with opened(film("ue4-0.9.15", vehicle("vehicle.nissan.patrol_2021", 36)), "ue4-0.9.15") as recording:
        recording.apply(convert(recording, "ue5-2026").edit)
        assert saved(recording) == film("ue5-2026", vehicle("vehicle.nissan.patrol", 36))


def test_blueprints_are_kept_where_that_is_asked_for() -> None:
    with opened(film("ue4-0.9.6", vehicle("vehicle.lincoln.mkz2017", 19)), "ue4-0.9.6") as recording:
        conversion = convert(recording, "ue4-0.9.16", keep_blueprints=True)
        recording.apply(conversion.edit)
        assert saved(recording) == film("ue4-0.9.16", vehicle("vehicle.lincoln.mkz2017", 19))
        assert conversion.losses == ()


# --- blueprints that are missing --------------------------------------------------------------------------

CYBERTRUCK = vehicle("vehicle.tesla.cybertruck", 23)


def test_one_that_the_target_lacks_is_a_loss_and_stays() -> None:
    with opened(film("ue4-0.9.15", CYBERTRUCK), "ue4-0.9.15") as recording:
        conversion = convert(recording, "ue5-2026")
        recording.apply(conversion.edit)
        assert saved(recording) == film("ue5-2026", CYBERTRUCK)
        assert conversion.is_lossy
        (loss,) = conversion.losses
        assert (loss.kind, loss.count, loss.frame_index, loss.becomes) == ("blueprint", 1, 0, "")
        assert loss.message == (
            "1 actor of vehicle.tesla.cybertruck stays: ue5-2026 has no such blueprint. "
            "The nearest is vehicle.nissan.patrol."
        )
        assert [each.code for each in check(recording.snapshot) if each.code in CODES] == ["replay-blueprint"]


@pytest.mark.parametrize("substitutes", [NEAREST, {"vehicle.tesla.cybertruck": "nearest"}])
def test_the_nearest_stands_in_where_that_is_asked_for(substitutes: Mapping[str, str]) -> None:
    with opened(film("ue4-0.9.15", CYBERTRUCK), "ue4-0.9.15") as recording:
        conversion = convert(recording, "ue5-2026", substitutes=substitutes)
        recording.apply(conversion.edit)
        assert saved(recording) == film("ue5-2026", vehicle("vehicle.nissan.patrol", 23))
        assert conversion.is_lossy  # it is another model all the same
        assert conversion.losses[0].becomes == "vehicle.nissan.patrol"
        assert not [each for each in check(recording.snapshot) if each.code in CODES]


def test_one_that_is_named_stands_in_for_any_of_its_class() -> None:
    own = vehicle("vehicle.own.model", 77, 2)
    chosen = {"vehicle.own.model": "vehicle.audi.tt", "*": "vehicle.seat.leon"}
    with opened(film("ue4-0.9.16", vehicle("vehicle.ford.ambulance", 33), own), "ue4-0.9.16") as recording:
        conversion = convert(recording, "ue4-0.9.10", substitutes=chosen)
        recording.apply(conversion.edit)
        wanted = vehicle("vehicle.seat.leon", 14), vehicle("vehicle.audi.tt", 2, 2)
        assert saved(recording) == film("ue4-0.9.10", *wanted)
        assert [loss.kind for loss in conversion.losses] == ["blueprint", "renamed"]


@pytest.mark.parametrize(
    ("substitute", "sentence"),
    [
        ("walker.pedestrian.0001", "of another class of actors"),
        ("vehicle.tesla.model3", "ue5-2026 has no such blueprint either"),
    ],
)
def test_what_cannot_stand_in_is_refused(substitute: str, sentence: str) -> None:
    with opened(film("ue4-0.9.15", CYBERTRUCK), "ue4-0.9.15") as recording:
        for call in (convert, preview):
            with pytest.raises(EditError, match=sentence):
                call(recording, "ue5-2026", substitutes={"vehicle.tesla.cybertruck": substitute})


def test_several_that_become_one_have_one_uid() -> None:
    actors = [vehicle("vehicle.tesla.model3", 24, 1), vehicle("vehicle.audi.etron", 22, 2)]
    actors += [vehicle("vehicle.lincoln.mkz_2017", 26, 3), vehicle("vehicle.lincoln.mkz_2017", 26, 4)]
    with opened(film("ue4-0.9.15", *actors), "ue4-0.9.15") as recording:
        recording.apply(convert(recording, "ue5-0.10.0", substitutes=NEAREST).edit)
        assert {(life.blueprint, life.uid) for life in Actors.of(recording.snapshot)} == {("vehicle.lincoln.mkz", 26)}


def test_where_the_name_makes_actors_the_uid_of_any_vehicle_will_do() -> None:
    actors = vehicle("vehicle.firetruck.actors", 70), vehicle("vehicle.fuso.mitsubishi", 9, 2)
    with opened(film("ue5-2026", *actors), "ue5-2026") as recording:
        recording.apply(convert(recording, "ue4-0.9.16").edit)
        wanted = vehicle("vehicle.carlamotors.firetruck", 26), vehicle("vehicle.mitsubishi.fusorosa", 9, 2)
        assert saved(recording) == film("ue4-0.9.16", *wanted)


def test_the_nearest_is_of_the_kind_and_of_the_size() -> None:
    old, newest, ue5 = (Release.of(DIALECTS[name]) for name in ("ue4-0.9.10", "ue4-0.9.16", "ue5-0.10.0"))
    assert old.alternatives("vehicle.mercedes.sprinter", newest, {})[0] == "vehicle.volkswagen.t2"
    assert old.alternatives("vehicle.vespa.zx125", newest, {})[0] == "vehicle.yamaha.yzf"
    assert old.alternatives("vehicle.carlamotors.firetruck", newest, {})[0] == "vehicle.carlamotors.carlacola"
    assert ue5.alternatives("vehicle.mitsubishi.fusorosa", newest, {})[0] == "vehicle.fuso.mitsubishi"
    # What the actor says itself comes before what the catalogue says of its blueprint.
    assert ue5.alternatives("vehicle.audi.a2", newest, {"base_type": "truck"})[0] in (
        "vehicle.carlacola.actors",
        "vehicle.firetruck.actors",
    )
    assert old.alternatives("walker.pedestrian.0048", newest, {"age": "child", "gender": "male"})[0].endswith("0009")
    assert old.alternatives("vehicle.own.model", newest, {}) == []
    for model in MODELS:
        assert newest.alternatives(newest.own_name_of(model), newest, {}) or not newest.own_name_of(model)


# --- one step, script, journal ----------------------------------------------------------------------------


def test_it_is_one_step_and_a_script_repeats_it() -> None:
    options = {"keep_blueprints": True}, {"substitutes": {"*": "nearest", "vehicle.a.b": "vehicle.audi.tt"}}, {}
    for option in options:
        with opened(film("ue4-0.9.15", CYBERTRUCK), "ue4-0.9.15") as recording:
            before = saved(recording)
            edit = convert(recording, "ue5-2026", **option).edit
            assert edit.intent is not None
            assert edit.intent.arguments == {"dialect": "ue5-2026", **option}
            recording.apply(edit)
            after = saved(recording)
            assert len(recording.history.steps) == 1
            recording.undo()
            assert (saved(recording), recording.dialect.name) == (before, "ue4-0.9.15")
            made = run_step(recording.snapshot, ScriptStep("convert", edit.intent.arguments))
            assert made.is_lossy != ("keep_blueprints" in option)
            recording.apply(made.edit)
            assert saved(recording) == after


@pytest.mark.parametrize("wrong", [{}, [], "nearest", {"a": 1}, {"a": ""}])
def test_substitutes_of_a_script_are_blueprints(wrong: object) -> None:
    kind = next(each.kind for each in OPERATIONS["convert"].parameters if each.name == "substitutes")
    assert not kind.fits(wrong)
    assert kind.read(kind.write({"a": "b", "*": "nearest"})) == {"a": "b", "*": "nearest"}


# --- what is known ----------------------------------------------------------------------------------------


def test_a_dialect_that_is_a_range_stands_for_all_its_releases() -> None:
    for name, changes, wanted in (
        ("ue4-0.9.12", {"first": "0.9.4", "last": "0.9.15"}, [0, 1, 2, 3]),
        ("ue4-0.9.12", {"first": "0.9.10"}, [1, 2]),
        ("ue4-0.9.6", {"first": "0.9.9"}, [0]),
        ("ue4-0.9.16", {"last": "newest without weather"}, [3]),
        ("ue5-0.10.0", {"last": "0.10 (2026)"}, [3]),
        ("ue4-0.9.10", {}, [1]),
    ):
        dialect = replace(DIALECTS[name], **changes)
        assert [release.era for release in Release.all_of(dialect)] == wanted


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_uid_of_the_catalogue_is_that_of_one_blueprint(dialect: str) -> None:
    release = Release.of(DIALECTS[dialect])
    names: dict[int, set[str]] = {}
    for blueprint in release.blueprints():
        if blueprint.uid is not None:
            names.setdefault(blueprint.uid, set()).add(blueprint.name)
        assert release.has(blueprint.name) is True
    if not release.ue5:
        assert not {uid: found for uid, found in names.items() if len(found) > 1}


@pytest.mark.sampled
@pytest.mark.parametrize("target", DIALECTS)
@pytest.mark.parametrize("name", SOUND)
def test_a_converted_real_recording_has_the_blueprints_of_its_release(
    name: str, target: str, request: pytest.FixtureRequest
) -> None:
    path = RECORDINGS / name
    if not path.exists():
        missing(f"{name} is not there")
    data = path.read_bytes() if is_long(request.config) else beginning(path, 30)
    with opened(data, None) as recording:
        attributes = _attributes(recording)
        assert not [each for each in check(recording.snapshot) if each.code in CODES]
        conversion = convert(recording, target, substitutes=NEAREST)
        foreseen = preview(recording, target, substitutes=NEAREST)
        assert foreseen.losses == conversion.losses
        recording.apply(conversion.edit)
        assert not [each for each in check(recording.snapshot) if each.code in CODES]
        assert _attributes(recording) == attributes
        assert not Renaming(recording.snapshot, DIALECTS[target], NEAREST).losses()


def _attributes(recording: Recording) -> list[Any]:
    return [
        (life.actor, life.transform, [(each.id, each.value) for each in life.attributes])
        for life in Actors.of(recording.snapshot)
    ]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_made_up_town_has_the_blueprints_of_its_release(dialect: str) -> None:
    with opened(town(0.0, dialect=dialect), dialect) as recording:
        assert not [each for each in check(recording.snapshot) if each.code in CODES]
