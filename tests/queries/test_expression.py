"""The expression language: what it finds, and what it says of a text that is none."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder_editor.format.dialects import DIALECTS
from recorder_editor.queries.expression import ExpressionError, parse
from recorder_editor.recording.recording import Recording, open_recording

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


def test_conditions_are_what_a_loop_would_find(recording: Recording) -> None:
    rows = recording[330].packets[5].array
    fast = {int(row["id"]) for row in recording[330].packet("Kinematics").array  # type: ignore[union-attr]
            if np.hypot(row["linear_velocity.x"], row["linear_velocity.y"]) > 5}  # fmt: skip
    assert set(found(recording, 330, "Position where speed > 5")) == fast
    assert found(recording, 330, "Position where id == 3932") == [3932]
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
        ("", 1), ("Nothing", 1), ("Position speed", 10), ("Position where", 15), ("Position where foo > 1", 16),
        ("Position where id ==", 21), ("Position where (id == 1", 24), ("Position where id == 1 2", 24),
        ("Position where id $ 1", 19), ("Position where abs(1, 2) > 1", 16), ("Position where id like 3", 19),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_column(text: str, column: int) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse(text, DIALECT)
    assert caught.value.column == column
    assert caught.value.message.endswith(".")


def test_text_and_numbers_are_not_compared(recording: Recording) -> None:
    with pytest.raises(ExpressionError):
        found(recording, 330, "Position where role > 3")


@given(st.text(max_size=60))
def test_any_text_is_a_query_or_refused_with_a_sentence(text: str) -> None:
    column = 1
    try:
        parse(text, DIALECT)
    except ExpressionError as error:
        column = error.column
    assert 1 <= column <= len(text) + 1


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(ExpressionError, match="deep"):
        parse("Position where " + "(" * 500 + "1", DIALECT)
    with pytest.raises(ExpressionError, match="deep"):
        parse("Position where " + "not " * 500 + "1", DIALECT)
