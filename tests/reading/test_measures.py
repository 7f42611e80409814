"""Surrogate safety measures: known cases, and random ones against a judge that only steps through time."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from recorder_editor.arrays import FloatArray
from recorder_editor.reading.measures import (
    Boxes,
    are_apart,
    closing_speed,
    deceleration_to_avoid,
    distance,
    drac,
    encroachment_time,
    lateral_deceleration,
    longitudinal_deceleration,
    meet_turning,
    nearby,
    post_encroachment_time,
    predicted_pet,
    time_gap,
    time_headway,
    time_to_close,
    ttc2d,
)
from recorder_editor.reading.measures.nearby import near_pairs


class Car(NamedTuple):
    """A box on the ground: middle (m), heading (degrees), half sizes (m), speed along a course (m/s, degrees)."""

    x: float = 0.0
    y: float = 0.0
    heading: float = 0.0
    half_length: float = 2.0
    half_width: float = 1.0
    speed: float = 0.0
    course: float | None = None

    def at(self, seconds: float) -> "Car":
        angle = math.radians(self.heading if self.course is None else self.course)
        way = self.speed * seconds
        return self._replace(x=self.x + way * math.cos(angle), y=self.y + way * math.sin(angle))

    def corners(self) -> list[complex]:
        turn = complex(math.cos(math.radians(self.heading)), math.sin(math.radians(self.heading)))
        ways = [complex(1, 1), complex(1, -1), complex(-1, -1), complex(-1, 1)]
        middle = complex(self.x, self.y)
        return [middle + turn * complex(way.real * self.half_length, way.imag * self.half_width) for way in ways]


def boxes(*cars: Car) -> Boxes:
    columns = np.array(cars, np.float64).T
    x, y, heading, half_length, half_width, speed, course = columns
    angle = np.radians(heading)
    way = np.radians(np.where(np.isnan(course), heading, course))
    return Boxes(x, y, np.cos(angle), np.sin(angle), half_length, half_width, speed * np.cos(way), speed * np.sin(way))


def one(value: np.ndarray) -> float:
    (number,) = value.tolist()
    return float(number)


# --- the slow judge -----------------------------------------------------------------------------------------


def contains(car: Car, point: complex) -> bool:
    turn = complex(math.cos(math.radians(car.heading)), -math.sin(math.radians(car.heading)))
    place = (point - complex(car.x, car.y)) * turn
    return abs(place.real) <= car.half_length and abs(place.imag) <= car.half_width


def crosses(a: complex, b: complex, c: complex, d: complex) -> bool:
    """Whether the lines a-b and c-d cross."""

    def side(p: complex, q: complex, r: complex) -> float:
        return ((q - p).conjugate() * (r - p)).imag

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def sides(car: Car) -> list[tuple[complex, complex]]:
    corners = car.corners()
    return list(zip(corners, [*corners[1:], corners[0]], strict=True))


def touch(a: Car, b: Car) -> bool:
    if contains(a, complex(b.x, b.y)):
        return True  # also where the same corners of both are outside by rounding
    if any(contains(a, corner) for corner in b.corners()) or any(contains(b, corner) for corner in a.corners()):
        return True
    return any(crosses(*one_side, *other) for one_side in sides(a) for other in sides(b))


def apart_by(point: complex, begin: complex, end: complex) -> float:
    way = end - begin
    share = ((point - begin) * way.conjugate()).real / abs(way) ** 2
    return abs(point - (begin + way * min(max(share, 0.0), 1.0)))


def shortest(a: Car, b: Car) -> float:
    if touch(a, b):
        return 0.0
    from_b = [apart_by(corner, *side) for corner in b.corners() for side in sides(a)]
    from_a = [apart_by(corner, *side) for corner in a.corners() for side in sides(b)]
    return min(from_a + from_b)


cars = st.builds(
    Car,
    x=st.floats(-20, 20),
    y=st.floats(-20, 20),
    heading=st.floats(-180, 180),
    half_length=st.floats(0.3, 6),
    half_width=st.floats(0.2, 2),
    speed=st.floats(0, 20),
    course=st.none() | st.floats(-180, 180),
)


def both(a: Car, b: Car) -> tuple[Boxes, Boxes]:
    return boxes(a._replace(course=a.course if a.course is not None else math.nan)), boxes(
        b._replace(course=b.course if b.course is not None else math.nan)
    )


@given(cars, cars)
def test_two_boxes_are_as_far_apart_as_their_corners_and_sides(a: Car, b: Car) -> None:
    expected = shortest(a, b)
    found = one(distance(*both(a, b)))
    assert found == pytest.approx(expected, abs=1e-6)
    assert one(distance(*both(b, a))) == pytest.approx(expected, abs=1e-6)


@given(cars, cars)
def test_the_2d_ttc_is_when_a_film_in_steps_shows_the_first_touch(a: Car, b: Car) -> None:
    found = one(ttc2d(*both(a, b)))
    step = 0.02
    film = next((number * step for number in range(151) if touch(a.at(number * step), b.at(number * step))), math.nan)
    if math.isnan(film):
        # They may touch for less than a step, or later.
        assert math.isnan(found) or found > 3 or shortest(a.at(found), b.at(found)) < 1e-6
    else:
        assert film - step - 1e-6 <= found <= film + 1e-6
        fine = found + 1e-6
        assert shortest(a.at(fine), b.at(fine)) < 1e-4
    assert one(ttc2d(*both(b, a))) == pytest.approx(found, nan_ok=True, abs=1e-9)


@given(cars, cars)
def test_the_pet_is_the_shortest_wait_at_a_place_that_both_sweep(a: Car, b: Car) -> None:
    a = a._replace(course=None)
    b = b._replace(course=None)
    angle = abs(math.sin(math.radians(a.heading - b.heading)))
    assume(angle > 0.3 and a.speed > 1 and b.speed > 1)
    pet = one(post_encroachment_time(*both(a, b)))
    if pet == 0:
        # At some moment, maybe before now, both are at one place.
        back_a = a.at(-1000.0)
        back_b = b.at(-1000.0)
        assert not math.isnan(one(ttc2d(*both(back_a, back_b))))
        return
    # Delayed by a little less than the PET they never touch, by a little more they do.
    for share, meets in ((0.99, False), (1.01, True)):
        late = b.at(pet * share - 1000.0)
        assert (not math.isnan(one(ttc2d(*both(a.at(-1000.0), late))))) is meets


# --- known cases --------------------------------------------------------------------------------------------

STILL = Car()
KNOWN: Mapping[str, tuple[Car, Car, float]] = {
    "head on": (Car(speed=10), Car(x=24, heading=180, speed=10), 1.0),
    "from behind": (Car(speed=12), Car(x=14, speed=2), 1.0),
    "crossing at right angles": (Car(speed=10), Car(x=13, y=-16, heading=90, speed=10), 1.3),
    "standing ahead": (Car(speed=5), Car(x=9), 1.0),
    "beside": (Car(speed=5), Car(x=9, y=2.1), math.nan),
    "just touching when it passes": (Car(speed=5), Car(x=9, y=2.0), 1.0),
    "driving away": (Car(speed=5, heading=180), Car(x=9), math.nan),
    "already touching": (Car(speed=5), Car(x=3), 0.0),
    "both stand apart": (STILL, Car(x=9), math.nan),
    "both stand and touch": (STILL, Car(x=3), 0.0),
}


@pytest.mark.parametrize("case", KNOWN)
def test_the_2d_ttc_of_known_cases(case: str) -> None:
    a, b, expected = KNOWN[case]
    assert one(ttc2d(*both(a, b))) == pytest.approx(expected, nan_ok=True)


def test_the_closing_speed_is_that_along_the_shortest_line() -> None:
    own = Car(speed=10)
    assert one(closing_speed(*both(own, Car(x=24, heading=180, speed=5)))) == pytest.approx(15)
    assert one(closing_speed(*both(own, Car(x=24, speed=12)))) == pytest.approx(-2)
    assert one(closing_speed(*both(own, Car(y=24, heading=90, speed=3)))) == pytest.approx(-3)
    assert math.isnan(one(closing_speed(*both(own, Car(x=3)))))


def test_a_crossing_has_the_pet_of_the_second_ones_way_to_where_the_first_one_left() -> None:
    # The first one leaves the way of the second one, 1 m to each side, with its rear; there the second one comes.
    first = Car(x=-10, speed=10)
    second = Car(y=-28, heading=90, speed=10)
    left = (10 + 1 + 2) / 10
    came = (28 - 1 - 2) / 10
    assert one(post_encroachment_time(*both(first, second))) == pytest.approx(came - left)
    assert one(post_encroachment_time(*both(second, first))) == pytest.approx(left - came)
    assert one(encroachment_time(*both(first, second))) == pytest.approx((2 + 4) / 10)


def test_a_pet_is_predicted_until_both_have_passed() -> None:
    first = Car(x=-10, speed=10)
    second = Car(y=-28, heading=90, speed=10)
    for seconds in (0.0, 1.5, 3.0):
        a, b = both(first.at(seconds), second.at(seconds))
        assert one(predicted_pet(a, b)) == pytest.approx(1.2)
        assert one(predicted_pet(b, a)) == pytest.approx(-1.2)
    assert math.isnan(one(predicted_pet(*both(first.at(4.0), second.at(4.0)))))
    assert math.isnan(one(predicted_pet(*both(Car(speed=10), Car(y=5000, heading=-90, speed=10)))))


def test_times_beyond_all_numbers_warn_of_nothing() -> None:
    a, b = both(Car(), Car(x=14, speed=1e-310, course=180))
    for measure in (ttc2d, drac, longitudinal_deceleration, lateral_deceleration, time_headway, predicted_pet):
        assert not one(measure(a, b)) > 0 or measure is ttc2d


def test_followers_have_no_pet() -> None:
    assert math.isnan(one(post_encroachment_time(*both(Car(speed=5), Car(x=20, speed=5)))))


def test_deceleration_rates_of_a_follower() -> None:
    a, b = both(Car(speed=12), Car(x=14, speed=2))
    assert one(drac(a, b)) == pytest.approx(10**2 / (2 * 10))
    assert one(longitudinal_deceleration(a, b)) == pytest.approx(10 / 2)
    assert one(lateral_deceleration(a, b)) == pytest.approx(2 * 2.0 / 1.0)


@given(st.floats(0.01, 200), st.floats(0.2, 50), st.floats(0, 50), st.floats(-180, 180))
def test_boxes_one_behind_the_other_have_the_measures_of_their_gap_and_speeds(
    gap: float, speed: float, ahead: float, heading: float
) -> None:
    """TTC, DRAC and headway are one definition: that of the traffic analysis is of gaps, that of events of boxes."""
    assume(abs(speed - ahead) > 1e-3)
    follower = Car(speed=speed, heading=heading)
    angle = math.radians(heading)
    leader = Car((gap + 4) * math.cos(angle), (gap + 4) * math.sin(angle), heading, speed=ahead)
    a, b = both(follower, leader)
    room = np.array([gap])
    closing = np.array([speed - ahead])
    assert ttc2d(a, b) == pytest.approx(time_to_close(room, closing), rel=1e-6, nan_ok=True)
    assert drac(a, b) == pytest.approx(deceleration_to_avoid(room, closing), rel=1e-6)
    assert time_headway(a, b) == pytest.approx(time_gap(room, np.array([speed])), rel=1e-6)


def test_less_of_a_swerve_is_needed_for_what_is_nearly_passed() -> None:
    a, b = both(Car(speed=12), Car(x=14, y=1.5, speed=2))
    assert one(lateral_deceleration(a, b)) == pytest.approx(2 * 0.5)


@pytest.mark.parametrize("measure", [drac, longitudinal_deceleration, lateral_deceleration])
def test_what_goes_away_needs_no_braking(measure: Callable[[Boxes, Boxes], FloatArray]) -> None:
    value = one(measure(*both(Car(speed=2), Car(x=14, speed=12))))
    assert value == 0 or math.isnan(value)


def test_the_headway_is_the_gap_over_the_own_speed() -> None:
    assert one(time_headway(*both(Car(speed=10), Car(x=14, speed=10)))) == pytest.approx(1.0)
    for other in (Car(x=14, y=2.5), Car(x=-14)):
        assert math.isnan(one(time_headway(*both(Car(speed=10), other))))
    assert math.isnan(one(time_headway(*both(Car(speed=0.01), Car(x=14)))))


def test_a_bend_leads_past_what_a_straight_way_meets() -> None:
    """On a bend of 20 m the velocity of the moment leads into what stands beside it, the bend does not."""
    turn = np.array([10.0 / 20.0])
    a, b = both(Car(speed=10), Car(x=9.5, y=-0.5, heading=200))
    assert one(ttc2d(a, b)) < 1.5
    assert not meet_turning(a, b, turn, np.zeros(1), 2.0).any()
    assert meet_turning(a, b, np.zeros(1), np.zeros(1), 2.0).all()


def test_a_box_that_turns_goes_along_a_circle() -> None:
    box, _ = both(Car(speed=10), STILL)
    quarter = math.pi / 2 / 0.5
    moved = box.after_turning(quarter, np.array([0.5]))
    assert (one(moved.x), one(moved.y)) == pytest.approx((20, 20))
    assert (one(moved.cos), one(moved.sin)) == pytest.approx((0, 1), abs=1e-9)


@pytest.mark.parametrize("name", Boxes._fields)
def test_a_missing_number_gives_no_value_and_no_warning(name: str) -> None:
    a, b = both(Car(speed=12), Car(x=14, speed=2))
    a = a._replace(**{name: np.array([math.nan])})
    values = [measure(a, b) for measure in (ttc2d, drac, longitudinal_deceleration, lateral_deceleration)]
    assert all(math.isnan(one(value)) for value in values)
    if name not in ("vx", "vy"):
        assert are_apart(a, b).all()
        assert math.isnan(one(distance(a, b)))


# --- pairs --------------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 2), cars), max_size=12), st.floats(0.1, 3))
def test_no_pair_that_meets_within_the_time_is_left_out(placed: Sequence[tuple[int, Car]], seconds: float) -> None:
    group = np.array([frame for frame, _ in placed], np.int64)
    rows = (
        boxes(*(car._replace(course=math.nan if car.course is None else car.course) for _, car in placed))
        if (placed)
        else Boxes(*np.zeros((8, 0)))
    )
    first, second = near_pairs(group, rows, seconds)
    found = set(zip(first.tolist(), second.tolist(), strict=True))
    assert len(found) == len(first)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nearby, "_AT_ONCE", 3)
        for few, whole in zip(near_pairs(group, rows, seconds), (first, second), strict=True):
            assert few.tolist() == whole.tolist(), "portions change nothing"
    assert all(i < j and group[i] == group[j] for i, j in found)
    for i in range(len(placed)):
        for j in range(i + 1, len(placed)):
            if group[i] == group[j]:
                time = one(ttc2d(rows.take(slice(i, i + 1)), rows.take(slice(j, j + 1))))
                assert not time <= seconds or (i, j) in found
