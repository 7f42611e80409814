"""Where edited actors are in the saved file, relative to where they are now."""

import pytest

from recorder_editor import edits
from recorder_editor.reading import Actors
from recorder_editor.recording import Frame, Place
from recorder_editor.views.frame_actors import former_places, frame_contents, life_traits

from .. import builders
from ..recording.films import film, opened

FRAMES = film(
    [
        builders.packet(2, builders.event_add([builders.actor(1)])),
        builders.packet(6, builders.position([builders.pose(1, rotation=builders.turn(yaw=180.0))])),
    ]
)


@pytest.mark.parametrize(("yaw", "turns"), [(-180.0, []), (-170.0, [-10.0]), (170.0, [10.0])])
def test_a_heading_is_the_same_after_a_whole_turn(yaw: float, turns: list[float]) -> None:
    with opened(FRAMES) as recording:
        recording.apply(edits.set_field(recording, Place(0, 2, 0, "rotation.yaw"), yaw))
        snapshot = recording.snapshot
        traits = life_traits(Actors.of(snapshot))
        actors = frame_contents(snapshot, snapshot.frame(0), traits).actors
        saved = recording.saved.row(0)
        assert isinstance(saved, Frame)
        ghosts = former_places(actors, saved, traits, [1])
        assert [round(ghost.turn, 3) for ghost in ghosts] == turns
