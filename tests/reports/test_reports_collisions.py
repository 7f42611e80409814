"""The report of collisions, held against texts written by hand from the rules of the format reference, 7.2."""

from collections.abc import Iterable

from recorder_editor.reports.collisions import collision_report

from .. import builders as b
from ..recording.films import add, delete, film, opened
from .texts import CAST, HEAD, hits

COLUMNS = "    Time  Types     Id Actor 1                                 Id Actor 2                            \n"


def collided(frames: Iterable[list[bytes]], first: str = "a", second: str = "a") -> str:
    with opened(film(*frames, step=0.5)) as recording:
        text = b"".join(collision_report(recording.snapshot, first, second, utc=True)).decode()
    assert text.startswith(HEAD + COLUMNS)
    return text.removeprefix(HEAD + COLUMNS)


def row(when: int, letters: str, one: tuple[int, str], two: tuple[int, str]) -> str:
    return f"{when:8d}   {letters}  {one[0]:6d} {one[1]:<35} {two[0]:6d} {two[1]:<35}\n"


def test_a_pair_is_told_once_while_it_touches() -> None:
    hit = hits((7, 8, False, False))
    told = collided([[CAST], [hit], [hit], [], [hit]])
    audi, walker = (7, "vehicle.audi.tt"), (8, "walker.pedestrian.0001")
    assert told == row(0, "v w", audi, walker) + row(2, "v w", audi, walker) + "\nFrames: 5\nDuration: 2 seconds\n"


def test_without_a_row_the_duration_keeps_its_decimals() -> None:
    assert collided([[CAST], []]) == "\nFrames: 2\nDuration: 0.5 seconds\n"


def test_filters_take_letters_and_heroes() -> None:
    frames = [[CAST, hits((7, 8, True, False), (8, 7, False, True), (9, 8, False, False))]]
    assert collided(frames, "h", "w").startswith(row(0, "v w", (7, "vehicle.audi.tt"), (8, "walker.pedestrian.0001")))
    assert collided(frames, "w", "v").count("\n") == 1 + 3
    # The letter of a sign is that of a hero, by the table's accident.
    assert collided(frames, "h", "a").count("walker") == 2
    assert collided(frames, "t", "a").startswith("\nFrames")


def test_what_is_no_actor_is_other_and_keeps_its_number() -> None:
    told = collided([[CAST, hits((7, 0xFFFFFFFF, False, False))]])
    assert told.startswith(row(0, "v o", (7, "vehicle.audi.tt"), (4294967295, "")))


def test_a_deletion_forgets_the_actor_that_was_added_last() -> None:
    told = collided([[CAST], [delete(7)], [hits((7, 9, False, False))]])
    assert told.startswith(row(1, "v o", (7, "vehicle.audi.tt"), (9, "")))


def test_one_that_is_known_again_has_its_name_again() -> None:
    told = collided([[CAST], [delete(7)], [add(b.actor(9, 4, "traffic.stop"))], [hits((9, 7, False, False))]])
    assert told.startswith(row(2, "h v", (9, "traffic.stop"), (7, "vehicle.audi.tt")))


def test_records_of_a_pair_in_one_frame_each_give_a_row() -> None:
    hit = (7, 8, False, False)
    assert collided([[CAST, hits(hit, hit)], [hits(hit, (8, 7, False, False))]]).count(" v w ") == 2


def test_a_pair_that_was_filtered_out_before_is_new_when_it_passes() -> None:
    frames = [[CAST, hits((7, 8, False, False))], [hits((7, 8, True, False))]]
    assert collided(frames, "h", "a").startswith(row(0, "v w", (7, "vehicle.audi.tt"), (8, "walker.pedestrian.0001")))


def test_long_names_are_not_cut() -> None:
    long = "vehicle." + "x" * 40
    told = collided([[add(b.actor(7, 1, long)), hits((7, 7, False, False))]])
    assert told.startswith(f"       0   v v       7 {long}      7 {long}\n")
