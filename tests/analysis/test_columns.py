"""The columns of the L1 table, which are told whole in `resources/l1.json`."""

from recorder_editor.analysis.constants import COLUMNS, EXTRA, SURROUNDINGS


def test_every_column_has_a_name_of_its_own_a_known_type_and_a_meaning() -> None:
    assert (len(COLUMNS), len(EXTRA)) == (50, 7)
    assert len({each.name for each in COLUMNS + EXTRA}) == 57
    for each in COLUMNS + EXTRA:
        assert each.type in ("i1", "i4", "i8", "f4", "f8", "str")
        assert len(each.meaning) > len(each.unit)
        assert not each.meaning.endswith(".")


def test_the_surroundings_are_all_neighbours_but_the_leader() -> None:
    assert {name for name in SURROUNDINGS if name.startswith("left")} == {
        "leftPrecedingId",
        "leftAlongsideId",
        "leftFollowingId",
    }
    assert len(SURROUNDINGS) == 7
