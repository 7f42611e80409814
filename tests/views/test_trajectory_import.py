"""What the import of trajectories is told of columns that a person takes for something else."""

from recorder_editor.views.trajectory_import import ShownColumn, choose_meaning

NAMES = ("time", "id", "x", "y", "other", "other")


def column(place: int, meaning: str = "") -> ShownColumn:
    return ShownColumn(place, NAMES[place], (), meaning, "")


def test_a_column_is_taken_for_something_else_and_left_out() -> None:
    """Left out it has no meaning at all, not that of its name; of two with one name the number is told."""
    assert choose_meaning(NAMES, {}, column(2, "x"), "") == {"x": ""}
    as_heading = choose_meaning(NAMES, {"x": ""}, column(2), "yaw")
    assert as_heading == {"x": "", "yaw": "x"}
    assert choose_meaning(NAMES, {"yaw": "x"}, column(2, "yaw"), "") == {"x": ""}
    assert choose_meaning(NAMES, as_heading, column(5), "x") == {"x": "6", "yaw": "x"}
    assert choose_meaning(NAMES, {"x": "6"}, column(5, "x"), "z") == {"z": "6"}
