"""The expression language: what it finds, and what it says of a text that is none."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder_editor.api import Recording, open_recording
from recorder_editor.edits.replace import preview, replace_where
from recorder_editor.errors import NothingToDo
from recorder_editor.format.dialects import DIALECTS
from recorder_editor.reading.expression import DERIVED, ExpressionError, parse, parse_value
from recorder_editor.reading.expression.records import TrackRecords
from recorder_editor.reading.tracks import Tracks

from .films import COLLISIONS, of_real

DIALECT = DIALECTS["ue4-0.9.12"]


def found(recording: Recording, frame: int, text: str) -> list[int]:
    query = parse(text, recording.dialect)
    packet = recording[frame].packet(query.type_name)
    assert packet is not None
    mask = query.matches(recording.snapshot, recording[frame], packet, recording.actors)
    ids: list[int] = packet.array["id"][mask].tolist()
    return ids


@pytest.fixture
def recording(recordings: Path) -> Recording:
    return open_recording(recordings / "carla-0.9.13-town05-collisions.log")


@pytest.mark.parametrize("folder", [".", "zh_CN"])
def test_the_guide_has_every_derived_word(folder: str) -> None:
    page = (Path(__file__).parents[2] / "resources" / "guide" / folder / "editing.md").read_text(encoding="utf-8")
    rows = "".join(line.split("|")[1] for line in page.splitlines() if line.startswith("| `"))
    assert [name for name in DERIVED if f"`{name}`" not in rows] == []


def test_conditions_are_what_a_loop_would_find(recording: Recording) -> None:
    rows = recording[330].packets[5].array
    fast = {
        int(row["id"])
        for row in recording[330].packet("Kinematics").array  # type: ignore[union-attr]
        if np.hypot(row["linear_velocity.x"], row["linear_velocity.y"]) > 5
    }
    assert set(found(recording, 330, "Position where speed > 5")) == fast
    assert found(recording, 330, "Position where id == 3932") == [3932]
    assert found(recording, 330, "Position where id in (1, 2, 3932)") == [3932]
    low = [int(row["id"]) for row in rows if row["location.z"] < 0 or row["rotation.yaw"] >= 90]
    assert found(recording, 330, "position where location.z < 0 or rotation.yaw >= 90") == low
    near = [int(row["id"]) for row in rows if abs(row["location.x"] / 100 + 190) <= 5.5]
    assert found(recording, 330, "Position where abs(x + 190) <= 2.5 + 3") == near


def test_actors_are_found_by_blueprint_and_role(recording: Recording) -> None:
    assert found(recording, 330, 'Position where role == "hero"') == [3890]
    assert found(recording, 330, "Position where blueprint like 'vehicle.chevrolet.*' and id in (3932, 1)") == [3932]
    assert 3890 not in found(recording, 330, 'Position where not (role == "hero")')
    assert found(recording, 330, "Position where frame == 331 and time > 16 and id == 3932") == [3932]


def test_a_type_alone_means_all_of_it(recording: Recording) -> None:
    assert len(found(recording, 330, "Position")) == 32


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("", 1),
        ("Nothing", 1),
        ("Position speed", 10),
        ("Position where", 15),
        ("Position where foo > 1", 16),
        ("Position where id ==", 21),
        ("Position where (id == 1", 24),
        ("Position where id == 1 2", 24),
        ("Position where id $ 1", 19),
        ("Position where abs(1, 2) > 1", 16),
        ("Position where id like 3", 19),
        ("Position where id = 1", 19),
        ("Position: id == 1", 14),
        ("Position where role > 3", 21),
        ("Position where role + 1 > 3", 16),
        ("Position where role", 16),
        ("Position where id like 'a'", 16),
        ("Position where 'a' and 1", 16),
        ("Position where role == 'a", 24),
        ("Position where id == 1e999", 22),
        ("Position:", 10),
        ("Position: location.z", 21),
        ("Position: location.z = ", 24),
        ("Position: 1 = 2", 11),
        ("Position: speed = 1", 11),
        ("Position: nothing = 1", 11),
        ("Position: id = 1, id = 2", 19),
        ("Position: id = -1", 16),
        ("Position: id = 0.5", 16),
        ("Position: id = role", 16),
        ("Position: location.x = 1e40", 24),
        ("Position: location.x = 1 / 0", 26),
        ("Position: id = 2, ", 19),
        ("EventAdd: attributes = 1", 11),
        ("EventAdd where attributes == 1", 16),
        ("EventAdd: role = 'hero'", 11),
        ("EventAdd: blueprint = 1", 23),
        ("EventAdd: blueprint = type", 23),
        ("State: state = Blue", 16),
        ("State where state == 'Blue'", 22),
        ("State where state in (Red, Mauve)", 28),
        ("AnimVehicle: gear = Red", 21),
    ],
)
def test_what_is_wrong_is_told_with_its_column(text: str, column: int) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse(text, DIALECT)
    assert caught.value.column == column
    assert caught.value.message.endswith(".")


@pytest.mark.parametrize(
    ("text", "column", "meant"),
    [
        ("Positon where id == 1", 1, "Position"),
        ("Position where locaton.x > 1", 16, "location.x"),
        ("Position where sped > 1", 16, "speed"),
        ("Position: location.X = 1", 11, "location.x"),
        ("Position where isnann(x)", 16, "isnan"),
        ("State where state == Gren", 22, "Green"),
        ("State where state in (Red, 'Yelow')", 28, "Yellow"),
    ],
)
def test_a_misspelt_name_is_told_with_the_nearest_one(text: str, column: int, meant: str) -> None:
    with pytest.raises(ExpressionError, match=f"Did you mean “{meant}”") as caught:
        parse(text, DIALECT)
    assert str(caught.value).endswith(f"? (column {column})")


@pytest.mark.parametrize("text", ["AnimVehicle where brake == nan", "AnimVehicle: brake = NaN"])
def test_who_looks_for_nan_as_it_is_shown_is_sent_to_isnan(text: str) -> None:
    with pytest.raises(ExpressionError, match="isnan") as caught:
        parse(text, DIALECT)
    assert caught.value.column == text.lower().index("nan") + 1


def test_a_blueprint_or_role_of_no_actor_is_told_with_the_nearest_one(recording: Recording) -> None:
    text = 'Position where id == 1 or blueprint == "vehicle.chevrolet.impla"'
    meant = "“vehicle.chevrolet.impla” (column 40). Did you mean “vehicle.chevrolet.impala”?"
    assert parse(text, DIALECT).misspelt(recording.actors).endswith(meant)
    with pytest.raises(NothingToDo, match="Did you mean “hero”"):
        replace_where(recording, 'Position where role in ("heroes", "heroe"): location.z = 0')
    told = parse('Position where class == "vehicles"', DIALECT).misspelt(recording.actors)
    assert told == " No actor has the class “vehicles” (column 25). Did you mean “vehicle”?"
    for fine in ('role == "hero"', 'role == "qq"', 'class == "vehicle"', "id == 3"):
        assert parse(f"Position where {fine}", DIALECT).misspelt(recording.actors) == ""


def test_numbers_that_are_none_are_found_by_isnan_and_isfinite() -> None:
    values = np.array([1.0, np.nan, -np.inf])

    class Columns:
        def column(self, name: str) -> np.ndarray:  # type: ignore[type-arg]
            return values

    def met(text: str) -> list[bool]:
        query = parse(f"Position where {text}", DIALECT)
        mask: list[bool] = query.mask(Columns(), values.shape).tolist()
        return mask

    assert met("isnan(location.x)") == [False, True, False]
    assert met("isfinite(location.x) == 1") == [True, False, False]
    assert met("not isfinite(location.x) and not isnan(location.x + 1)") == [False, False, True]
    assert met("isnan(1) or isfinite(2)") == [True, True, True]


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("", 1),
        ("Nothing: 1", 1),
        ("Position", 9),
        ("Position where id == 1", 23),
        ("Position:", 10),
        ("Position: role", 11),
        ("Position: location.x = 1", 22),
        ("Position: foo + 1", 11),
        ("Position where foo: 1", 16),
        ("Position: 1, 2", 12),
    ],
)
def test_what_is_wrong_with_a_value_is_told_with_its_column(text: str, column: int) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse_value(text, DIALECT)
    assert caught.value.column == column
    assert caught.value.message.endswith(".")


def test_values_of_a_track_are_those_of_its_records(recording: Recording) -> None:
    tracks = Tracks(recording.snapshot)
    table = tracks.read("Position", [3932])

    def values(text: str) -> tuple[list[float], list[bool]]:
        query = parse_value(text, recording.dialect)
        records = TrackRecords(query.kind, table, recording.snapshot)
        return query.values(records, table.shape).tolist(), query.mask(records, table.shape).tolist()

    x, met = values("position where location.y > 306: location.x / 100 + 1")
    assert x == (table["location.x"].astype(float) / 100 + 1).tolist()
    assert met == (table["location.y"] > 306).tolist()
    assert True in met
    assert False in met
    speeds = tracks.speeds([3932])["speed"]
    np.testing.assert_array_equal(values("Position: speed * 3.6")[0], speeds * 3.6)
    assert values("Position: 7")[0] == [7.0] * len(table)
    assert values("Position: blueprint like '*impala' and role != 'hero'")[0] == [1.0] * len(table)
    assert values("Position: frame")[0] == (table["frame"] + 1.0).tolist()


def test_values_may_be_signalling_nan(recording: Recording) -> None:
    table = Tracks(recording.snapshot).read("Position", [3932])
    table["location.x"].view("<u4")[:] = 0x7F800001
    query = parse_value("Position: location.x", recording.dialect)
    assert np.isnan(query.values(TrackRecords(query.kind, table, recording.snapshot), table.shape)).all()


def test_text_and_numbers_are_not_compared(recording: Recording) -> None:
    with pytest.raises(ExpressionError):
        found(recording, 330, "Position where role > 3")


@given(st.text(max_size=60))
def test_any_text_is_a_query_or_refused_with_a_sentence(text: str) -> None:
    for read in (parse, parse_value):
        column = 1
        try:
            read(text, DIALECT)
        except ExpressionError as error:
            column = error.column
        assert 1 <= column <= len(text) + 1


@pytest.mark.parametrize("opening", ["(", "not ", "-", "abs(", "not ("])
@pytest.mark.parametrize("place", ["Position where ", "Position: id = "])
def test_deep_nesting_is_refused(opening: str, place: str) -> None:
    with pytest.raises(ExpressionError, match="deep"):
        parse(place + opening * 5000 + "1", DIALECT)


@pytest.mark.parametrize("sign", [" + ", " * ", " or ", " and "])
def test_long_chains_are_no_nesting(recording: Recording, sign: str) -> None:
    text = "Position where id == 3932 and (" + sign.join(["1"] * 20_000) + ")"
    assert found(recording, 330, text) == [3932]


def test_names_of_enumerations_and_bits_are_numbers(recording: Recording) -> None:
    states = recording[330].packet("State")
    assert states is not None
    for text, number in (("Green", 2), ("'green'", 2), ("2", 2), ("RED", 0)):
        wanted = [int(row["id"]) for row in states.array if row["state"] == number]
        assert found(recording, 330, f"State where state == {text}") == wanted
    either = [int(row["id"]) for row in states.array if row["state"] in (0, 1)]
    assert found(recording, 330, "State where state in (Red, Yellow)") == either
    assert found(recording, 330, "State where frozen == true") == found(recording, 330, "State where frozen")
    assert parse("VehicleLight: lights = LowBeam + Brake", DIALECT).assignments[0].value.value == 10


def test_a_typed_number_is_what_a_field_of_32_bits_would_hold(recording: Recording) -> None:
    packet = recording[330].packet("Position")
    assert packet is not None
    row = packet.array[3]
    shown = np.format_float_positional(row["location.x"], unique=True)
    assert int(row["id"]) in found(recording, 330, f"Position where location.x == {shown}")


def test_patterns_hold_stars_and_never_take_long(recording: Recording) -> None:
    assert found(recording, 330, 'Position where role like "*er*"') == found(
        recording, 330, 'Position where role == "hero"'
    )
    assert found(recording, 330, f"Position where blueprint like '{'*a' * 40}b'") == []


def test_a_query_says_what_is_set() -> None:
    query = parse("position where id == 1 and x > 2 : location.x = location.y, location.y = -1", DIALECT)
    assert query.type_name == "Position"
    assert [(each.field.path, each.is_copy) for each in query.assignments] == [
        ("location.x", True),
        ("location.y", False),
    ]
    assert (query.where, query.settings) == ("id == 1 and x > 2", "location.x = location.y, location.y = -1")
    assert query.within(5, 9) == (
        "Position where (id == 1 and x > 2) and frame >= 5 and frame <= 9: location.x = location.y, location.y = -1"
    )
    assert parse("Position", DIALECT).within(3, 3) == "Position where frame == 3"
    assert parse(query.within(5, 9), DIALECT).assignments[0].field is query.assignments[0].field


TEXTS = (
    "speed > 3",
    "heading < 0 and z > -10",
    "frame >= 20 and frame < 50",
    "frame >= 20 and time < 3.5",
    "x * x + y * y < 10000",
    "blueprint like 'vehicle.*'",
    "role == 'hero' or role == 'autopilot'",
    "role != blueprint",
    "ttc2d < 3 or distance < 2",
)


@of_real(COLLISIONS)
@pytest.mark.parametrize("kind", ["Position", "Kinematics", "AnimVehicle", "State", "PlatformTime"])
def test_blocks_of_frames_say_what_each_frame_says(sound_recording: Path, kind: str) -> None:
    with open_recording(sound_recording) as recording:
        snapshot, actors = recording.snapshot, recording.actors
        if kind not in {one.name for one in snapshot.dialect.packets.values()}:
            return
        found = 0
        for text in TEXTS:
            if "ttc2d" in text and snapshot.dialect.by_name(kind).actor_field is None:
                continue
            query = parse(f"{kind} where {text}", snapshot.dialect)
            wanted = [
                int(query.matches(snapshot, frame, packet, actors).sum())
                for frame in snapshot[:90]
                for packet in frame.packets
                if packet.name == kind
            ]
            told = preview(snapshot, f"{kind} where {text}", frames=range(90))
            assert (told.matches, told.frames) == (sum(wanted), sum(number > 0 for number in wanted))
            found += told.matches
        assert found or sound_recording.name != COLLISIONS
