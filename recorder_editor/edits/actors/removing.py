"""Removal of actors, or of all others."""

from collections.abc import Iterable, Sequence

from ...errors import EditError, NothingToDo
from ...progress import SILENT, Progress
from ...recording.actors import Actors
from ...recording.history import Edit, Splice
from ...recording.lives import Life, RecordPlace
from ...recording.snapshot import Snapshot
from ..intents import edit_of
from ..place import RecordingLike
from .id_spans import event_dels, id_span_of, is_of_level, label_of, refuse_empty, refuse_outside_frames
from .rewrite import Plan, rewrite
from .trimming import detach_children


def remove_actors(
    recording: RecordingLike, lives: Sequence[Life], *, children: bool = True, progress: Progress = SILENT
) -> Edit:
    """The edit that removes all records of these lives; other lives of their ids stay.

    With `children` the actors attached to them last are removed, too, and theirs. Collisions are removed with either
    actor; other collisions keep their numbers. Raises `EditError`, `Cancelled`.
    """
    snapshot = recording.snapshot
    refuse_empty(lives)
    leaving = with_children(Actors.of(snapshot), lives) if children else _once(lives)
    more = len(leaving) - len(_once(lives))
    label = f"Remove {label_of(_once(lives))}"
    if more:
        label += f" and {more:,} {'child' if more == 1 else 'children'}"
    return edit_of(snapshot, "remove_actors", label, _without(snapshot, leaving, progress), lives, children=children)


def remove_from_frame(recording: RecordingLike, lives: Sequence[Life], frame_index: int) -> Edit:
    """The edit that removes the places, controls, lights and velocities of these lives in one frame (index from 0).

    Events and lasting records stay. Raises `EditError` if the frame has no such records.
    """
    snapshot = recording.snapshot
    refuse_empty(lives)
    frame, ids = snapshot.frame(frame_index), {life.actor for life in lives}
    plan = Plan(
        dropped=[
            RecordPlace(frame.row, packet.index, record)
            for packet in frame.packets
            if packet.type.actor_field is not None and not packet.type.is_recorded_once
            for record in range(len(packet.decoded))
            if packet.decoded.get(record, "id") in ids
        ]
    )
    if not plan.dropped:
        raise EditError(f"Frame {frame_index + 1:,} has no such records of {label_of(_once(lives))}.")
    return Edit(
        f"Remove {label_of(_once(lives))} in frame {frame_index + 1:,} only", snapshot.version, rewrite(snapshot, plan)
    )


def keep_only_actors(recording: RecordingLike, lives: Sequence[Life], *, progress: Progress = SILENT) -> Edit:
    """The edit that removes all actors but these lives, their parents, and those attached to them.

    Actors of the map stay (see `is_of_level`). Raises `EditError` if there are no other actors, `Cancelled`.
    """
    snapshot = recording.snapshot
    refuse_empty(lives)
    actors = Actors.of(snapshot)
    kept = {life.index for life in _with_parents(actors, with_children(actors, lives))}
    leaving = [life for life in actors if life.index not in kept and not is_of_level(life)]
    if not leaving:
        raise NothingToDo(f"There are no other actors to remove besides {label_of(_once(lives))}.")
    label = f"Keep only {label_of(_once(lives))}"
    return edit_of(snapshot, "keep_only_actors", label, _without(snapshot, leaving, progress), lives)


def with_children(actors: Actors, lives: Iterable[Life]) -> list[Life]:
    """The lives and all that were attached to them last, directly or indirectly, each once."""
    found = {life.index: life for life in lives}
    waiting = list(found.values())
    while waiting:
        for child in actors.children_of(waiting.pop()):
            if child.index not in found:
                found[child.index] = child
                waiting.append(child)
    return list(found.values())


def _with_parents(actors: Actors, lives: Iterable[Life]) -> list[Life]:
    found: dict[int, Life] = {}
    for life in lives:
        above: Life | None = life
        while above is not None and above.index not in found:
            found[above.index] = above
            above = actors.parent_of(above)
    return list(found.values())


def _once(lives: Iterable[Life]) -> list[Life]:
    return list({life.index: life for life in lives}.values())


def _without(snapshot: Snapshot, leaving: Sequence[Life], progress: Progress) -> tuple[Splice, ...]:
    refuse_outside_frames(snapshot, leaving)
    plan = Plan(leaving=[id_span_of(snapshot, life) for life in leaving])
    plan.dropped = [life.added for life in leaving] + list(event_dels(snapshot, leaving).values())
    detach_children(snapshot, plan, leaving)
    return rewrite(snapshot, plan, progress)
