"""Which of the marks of the timeline are drawn."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recorder_editor.views.timeline_marks import marks_apart


def test_of_marks_that_are_near_the_first_is_drawn() -> None:
    xs = np.array([100.0, 105.0, 109.9, 110.0, 119.0, 90.0, 91.0])
    assert marks_apart(xs, 10, 0, 200).tolist() == [0, 3, 5]
    assert marks_apart(xs, 10, 101, 200).tolist() == [1, 4]


@given(st.lists(st.floats(0, 200), max_size=40))
def test_each_mark_is_drawn_or_has_a_worse_one_beside_it(places: list[float]) -> None:
    xs = np.array(places)
    drawn = marks_apart(xs, 10, 0, 200).tolist()
    for index, x in enumerate(places):
        worse = [abs(x - places[other]) < 10 for other in drawn if other < index]
        assert (index in drawn) is not any(worse)
