"""What the road map tells against vehicles."""

from recorder_editor.checks import check

from ..recording.street import AWAY, ON_SIDEWALK, WRONG, on_street

CODES = ("off-road", "wrong-way", "on-sidewalk")


def test_vehicles_off_the_road_against_their_lane_and_on_sidewalks_are_told_once_each() -> None:
    with on_street() as recording:
        found = [finding for finding in check(recording.snapshot) if finding.code in CODES]
        assert {finding.severity for finding in found} == {"info"}
        assert {finding.message for finding in found} == {
            f"vehicle.audi.tt {WRONG} is against the direction of its lane for 3.5 s, from frame 1 to 8.",
            f"vehicle.audi.tt {ON_SIDEWALK} is on a sidewalk for 1.5 s, from frame 1 to 4.",
            f"vehicle.audi.tt {AWAY} is off the road for 2.5 s, from frame 1 to 6.",
        }
        for finding in found:
            assert finding.offset is not None
            assert finding.frame_index == 0


def test_without_a_map_nothing_of_it_is_told() -> None:
    with on_street() as recording:
        told = check(recording.snapshot)
        recording.context.use_road_map(None)
        assert check(recording.snapshot) == [finding for finding in told if finding.code not in CODES]
