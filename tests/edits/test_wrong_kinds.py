"""What a program hands over instead of lives and frames is refused by a sentence, not by an attribute that it lacks."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from recorder_editor import Recording, edits

OTHERS: dict[str, dict[str, Any]] = {
    "edit_path": {"keys": []},
    "mirror_path": {"frames": None, "point": (0.0, 0.0), "angle": 0.0},
    "offset_path": {"frames": None, "metres": 1.0},
    "paste_actor": {},
    "place_actors": {"at": 0, "yaw": 0.0},
    "put_on_lane": {"frames": None, "xodr": "none.xodr"},
    "remove_from_frame": {"frame_index": 0},
    "set_actor_id": {"new_id": 5},
    "set_attribute": {"key": "color", "value": "1,2,3"},
    "set_blueprint": {"blueprint": "vehicle.audi.tt"},
    "set_role": {"role": "ego"},
    "set_traffic_lights": {"state": "red"},
    "set_vehicle_lights": {"mask": 1},
    "smooth_path": {"frames": None, "window": 1.0},
    "trim_life": {"frames": range(1)},
}
"""The other arguments that have no default."""


def edits_of_actors() -> dict[str, list[str]]:
    """The public edits of lives, each with the parameters that lives are given by."""
    found = {}
    for name, function in inspect.getmembers(edits, inspect.isfunction):
        lives = [
            each.name for each in inspect.signature(function).parameters.values() if "Life" in str(each.annotation)
        ]
        if lives:
            found[name] = lives
    return found


@pytest.mark.parametrize("name", sorted(edits_of_actors()))
@pytest.mark.parametrize("wrong", ["hero", 7, ["hero"], [7]], ids=repr)
def test_an_id_or_a_selector_is_no_life(name: str, wrong: object, recording: Recording) -> None:
    given: dict[str, Any] = dict.fromkeys(edits_of_actors()[name], wrong) | OTHERS.get(name, {})
    if name == "paste_actor":
        given["other"] = recording.snapshot
    function: Callable[..., object] = getattr(edits, name)
    with pytest.raises(TypeError, match="is no life of an actor: `lives` of a recording"):
        function(recording, **given)
    assert not recording.is_modified


def test_most_edits_of_actors_are_asked() -> None:
    assert {"move_actors", "set_hero", "swap_actors", "duplicate_actor"} <= edits_of_actors().keys()
    assert OTHERS.keys() <= edits_of_actors().keys()


@pytest.mark.parametrize("edit", [edits.trim, edits.cut])
def test_a_list_is_no_range_of_frames(edit: Callable[..., object], recording: Recording) -> None:
    with pytest.raises(TypeError, match=r"Frames are a range, as in range\(10, 20\), not \[1, 2\]"):
        edit(recording, [1, 2])
