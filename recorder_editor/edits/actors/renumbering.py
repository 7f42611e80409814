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
    """The edit that gives a life another id in all its records; other lives of the old id keep it.

    Raises `EditError` if another actor has the new id during this life (or ends in the frame in which it begins), and
    if the simulator would crash on records that have it already, and for an id that a replay takes for the spectator's;
    `Cancelled`.
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
    """Splices that give these lives unused ids in all records. Raises `EditError`, `Cancelled`."""
    if lives:
        first = unused_id(snapshot)
    else:
        first = 0
    return with_ids(snapshot, {life.index: first + number for number, life in enumerate(lives)}, progress)


def with_ids(snapshot: Snapshot, ids: Mapping[int, int], progress: Progress = SILENT) -> tuple[Splice, ...]:
    """Splices that give lives (by index) other ids in all records; the caller makes sure that these are free.

    Raises `EditError` for a life that begins outside of frames, `Cancelled`.
    """
    if not ids:
        return ()
    actors = Actors.of(snapshot)
    lives = [actors.lives[index] for index in ids]
    refuse_outside_frames(snapshot, lives)
    plan = Plan(
        renamed=[Rename(id_span_of(snapshot, life), ids[life.index]) for life in lives],
        renumbered=[(place, ids[life.index]) for life in lives for place in life.events],
    )
    return rewrite(snapshot, plan, progress)


def swap_actors(recording: RecordingLike, first: Life, second: Life, *, progress: Progress = SILENT) -> Edit:
    """The edit that swaps two lives: the truck drives the path of the car, the car that of the truck.

    Each keeps its id, blueprint, attributes, box and physics, and takes over everything else: when and where it is
    created and destroyed, positions, controls, lights, collisions and attachments. Raises `EditError` for traffic
    actors, for actors of different classes, and if another life of either id overlaps.
    """
    snapshot = recording.snapshot
    a = first
    b = second
    _refuse_incompatible(a, b)
    refuse_outside_frames(snapshot, [a, b])
    for mine, other in ((a, b), (b, a)):
        if a.actor != b.actor:
            refuse_used_id(snapshot, mine.actor, other.born, other.gone, [a, b])
    bodies = {life.index: _bodily(snapshot, life) for life in (a, b)}
    plan = Plan()
    for way, driver in ((a, b), (b, a)):
        if a.actor != b.actor:
            hero = driver.is_hero if driver.is_hero != way.is_hero else None
            plan.renamed.append(Rename(id_span_of(snapshot, way), driver.actor, hero))
            plan.renumbered += [(place, driver.actor) for place in way.events[1:]]
        plan.dropped.append(way.added)
        place = event_add_record(snapshot, way)[snapshot.dialect.event_add.record.six_numbers]
        plan.add(way.added.row, "EventAdd", event_add_record(snapshot, driver, place))
        for name, places in bodies[way.index].items():
            new = bodies[driver.index][name]
            plan.dropped += places
            for number, row in enumerate([each.row for each in places] or [way.added.row]):
                if new:
                    plan.add(row, name, record_at(snapshot, new[min(number, len(new) - 1)]))
    label = say("Swap {one} and {other}", one=a.actor, other=b.actor)
    return edit_of(snapshot, "swap_actors", label, rewrite(snapshot, plan, progress), [a, b])


def _refuse_incompatible(a: Life, b: Life) -> None:
    if a.index == b.index:
        raise EditError(say("An actor cannot be swapped with itself."))
    for life in (a, b):
        if life.is_traffic:
            raise EditError(
                say(
                    "{actor} cannot be moved: the simulator finds traffic actors by their position.",
                    actor=name_of(life),
                )
            )
    kind, other = (_FAMILIES.get(life.class_, life.class_) for life in (a, b))
    if kind != other:
        raise EditError(
            say(
                "{one} and {other} cannot be swapped: a {kind} and a {other_kind} are recorded by different packets.",
                one=name_of(a),
                other=name_of(b),
                kind=kind,
                other_kind=other,
            )
        )


def _bodily(snapshot: Snapshot, life: Life) -> dict[str, list[RecordPlace]]:
    """The places of lasting additional records of a life (box, physics), in file order, by packet name."""
    names = []
    for kind in snapshot.dialect.kinds("lasting"):
        if kind.additional:
            names.append(kind.name)
    found: dict[str, list[RecordPlace]] = {name: [] for name in names}
    for name, each in Actors.of(snapshot).lasting_records_of(life):
        if name in found:
            found[name].append(RecordPlace(each.row, each.packet, each.ordinal))
    return found
