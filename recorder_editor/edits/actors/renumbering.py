"""Other ids for actors, and two actors that swap places."""

from collections.abc import Mapping, Sequence

from ...errors import EditError, NothingToDo
from ...progress import SILENT, Progress
from ...reading import Actors, Life
from ...recording import Edit, RecordingLike, RecordPlace, Snapshot, Splice
from ...recording.place import record_at
from ...texts import say
from ..attachments import event_add_record
from ..intents import edit_of
from ..wrong_class import refuse_crash
from .rewrite import (
    Plan,
    Rename,
    id_span_of,
    name_of,
    refuse_new_id,
    refuse_outside_frames,
    refuse_used_id,
    rewrite,
    unused_id,
)

_FAMILIES = {"vehicle": "vehicle", "two-wheeler": "vehicle"}


def set_actor_id(recording: RecordingLike, life: Life, new_id: int, *, progress: Progress = SILENT) -> Edit:
    """Return the edit that gives a life another id in all its records; other lives of the old id keep it.

    Raises:
        EditError: Another actor has the new id during this life (or ends in the frame in which it begins), the
            simulator would crash on records that have it already, or a replay takes it for the id of the spectator.
        NothingToDo: The life has that id already.
        Cancelled: The user cancelled.
    """
    snapshot = recording.snapshot
    refuse_outside_frames(snapshot, [life])
    if new_id == life.actor:
        raise NothingToDo(say("{actor} has that id already.", actor=name_of(life)))
    refuse_new_id(snapshot, new_id, life.born, life.gone, [life], spectator=life.is_spectator)
    splices = with_ids(snapshot, {life.index: new_id}, progress)
    label = say("Change id {actor} to {id}", actor=life.actor, id=new_id)
    return refuse_crash(snapshot, edit_of(snapshot, "set_actor_id", label, splices, [life], new_id=new_id))


def with_unused_ids(snapshot: Snapshot, lives: Sequence[Life], progress: Progress = SILENT) -> tuple[Splice, ...]:
    """Return the splices that give lives unused ids in all records.

    Raises:
        EditError: A life begins outside of frames.
        Cancelled: The user cancelled.
    """
    if not lives:
        return ()
    ids = {life.index: new_id for new_id, life in enumerate(lives, unused_id(snapshot))}
    return with_ids(snapshot, ids, progress)


def with_ids(snapshot: Snapshot, ids: Mapping[int, int], progress: Progress = SILENT) -> tuple[Splice, ...]:
    """Return the splices that give lives other ids in all records.

    Args:
        snapshot: The recording.
        ids: The new ids, which are free, by index of the life.
        progress: Reports progress and cancels.

    Raises:
        EditError: A life begins outside of frames.
        Cancelled: The user cancelled.
    """
    if not ids:
        return ()
    actors = Actors.of(snapshot)
    lives = [actors.lives[index] for index in ids]
    refuse_outside_frames(snapshot, lives)
    plan = Plan()
    for life in lives:
        new_id = ids[life.index]
        plan.renamed.append(Rename(id_span_of(snapshot, life), new_id))
        for place in life.events:
            plan.renumbered.append((place, new_id))
    return rewrite(snapshot, plan, progress)


def swap_actors(recording: RecordingLike, first: Life, second: Life, *, progress: Progress = SILENT) -> Edit:
    """Return the edit that swaps two lives: the truck drives the path of the car, the car that of the truck.

    Each keeps its id, blueprint, attributes, box and physics, and takes over everything else: when and where it is
    created and destroyed, positions, controls, lights, collisions and attachments.

    Raises:
        EditError: A life is a traffic actor, they are of different classes, or another life of either id overlaps.
        Cancelled: The user cancelled.
    """
    snapshot = recording.snapshot
    lives = [first, second]
    refuse_outside_frames(snapshot, lives)
    _refuse_incompatible(first, second)
    if first.actor != second.actor:
        refuse_used_id(snapshot, first.actor, second.born, second.gone, lives)
        refuse_used_id(snapshot, second.actor, first.born, first.gone, lives)
    plan = Plan()
    _replace_life(snapshot, plan, first, second)
    _replace_life(snapshot, plan, second, first)
    label = say("Swap {one} and {other}", one=first.actor, other=second.actor)
    return edit_of(snapshot, "swap_actors", label, rewrite(snapshot, plan, progress), lives)


def _replace_life(snapshot: Snapshot, plan: Plan, path: Life, driver: Life) -> None:
    """Plan that the life `driver` takes over what the life `path` does."""
    if path.actor != driver.actor:
        hero = driver.is_hero if driver.is_hero != path.is_hero else None
        plan.renamed.append(Rename(id_span_of(snapshot, path), driver.actor, hero))
        for place in path.events[1:]:
            plan.renumbered.append((place, driver.actor))
    plan.dropped.append(path.added)
    pose = event_add_record(snapshot, path)[snapshot.dialect.event_add.record.six_numbers]
    plan.add(path.added.row, "EventAdd", event_add_record(snapshot, driver, pose))
    bodies = _body_records(snapshot, driver)
    for name, places in _body_records(snapshot, path).items():
        plan.dropped += places
        records = bodies[name]
        if not records:
            continue
        rows = [place.row for place in places] or [path.added.row]
        for index, row in enumerate(rows):
            # Of fewer records the last one is repeated.
            plan.add(row, name, record_at(snapshot, records[min(index, len(records) - 1)]))


def _refuse_incompatible(first: Life, second: Life) -> None:
    """Raise `EditError` for lives that cannot be swapped."""
    if first.index == second.index:
        raise EditError(say("An actor cannot be swapped with itself."))
    for life in (first, second):
        if life.is_traffic:
            raise EditError(
                say(
                    "{actor} cannot be moved: the simulator finds traffic actors by their position.",
                    actor=name_of(life),
                )
            )
    first_family = _FAMILIES.get(first.class_, first.class_)
    second_family = _FAMILIES.get(second.class_, second.class_)
    if first_family != second_family:
        raise EditError(
            say(
                "{one} and {other} cannot be swapped: a {kind} and a {other_kind} are recorded by different packets.",
                one=name_of(first),
                other=name_of(second),
                kind=first_family,
                other_kind=second_family,
            )
        )


def _body_records(snapshot: Snapshot, life: Life) -> dict[str, list[RecordPlace]]:
    """Return the places of lasting additional records of a life (box, physics), in file order, by packet name."""
    places_of: dict[str, list[RecordPlace]] = {}
    for kind in snapshot.dialect.kinds("lasting"):
        if kind.additional:
            places_of[kind.name] = []
    for name, record in Actors.of(snapshot).lasting_records_of(life):
        if name in places_of:
            places_of[name].append(RecordPlace(row=record.row, packet=record.packet, record=record.ordinal))
    return places_of
