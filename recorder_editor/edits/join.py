"""Join: recordings one after another, as one recording.

Actors of the level are the same in all recordings; other actors of a later recording get unused ids. Of the recordings
before, only their end is kept (`_Ending`), so that each further one costs the same.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import TypeVar

import numpy as np

from ..errors import EditError, SourceChanged
from ..format import PacketType
from ..progress import SILENT, Progress
from ..reading import Actors, Life
from ..reading.actor_state import ActorState, World, last_records, numbers_of
from ..reading.actors import NO_ACTOR
from ..reading.bodies import Bodies
from ..reading.lives import SPECTATOR_ID
from ..recording import RAW, Edit, FrameTable, RecordingLike, RecordPlace, Snapshot, Splice
from ..recording.compose import compose
from ..recording.context import Context
from ..recording.frames import NO_LAYOUT
from ..recording.snapshot import Derived
from ..recording.source_refs import copy_rows, sources_of
from ..texts import N_, say, say_count
from .actors.renumbering import with_ids
from .attachments import as_offsets, holds_offsets
from .convert.packet_map import attributes_apart
from .rows import patched, rows_of, with_bodies
from .trim import FrameDraft, numbered
from .wrong_class import refuse_crash

Subject = TypeVar("Subject")

_SAME_OFFSET = 0.1
"""How far offsets of one attachment differ at most by the rounding of places in the world, cm and degrees."""


def join(
    recording: RecordingLike,
    others: Sequence[RecordingLike],
    *,
    gap: float | None = None,
    match_actors: bool = False,
    progress: Progress = SILENT,
) -> Edit:
    """The edit that appends other recordings.

    Spectator, traffic actors and props of the level are the same in all; other actors of a later recording get unused
    ids. With `match_actors`, actors with id and blueprint of an actor alive at the seam are the same, and others keep
    ids that are free. `gap` is the time from a last frame to the next first one in seconds (None: a duration recorded
    there). Collisions are numbered on. If one recording creates attached actors at offsets from the parent and another
    at places in the world, the places become offsets. Raises `EditError` for another map or dialect, for events before
    a first frame and for an invalid gap, `Cancelled`.
    """
    snapshot = recording.snapshot
    if not others:
        raise EditError(say("No recording to append is named."))
    for other in others:
        _refuse_incompatible(snapshot, other.snapshot)
        _refuse_early_events(other.snapshot)
    joining = _Joining(snapshot, gap, match_actors, progress)
    label = say_count("Append a recording", "Append {count} recordings", count=len(others))
    edit = compose(snapshot, label, (partial(joining.append, other=other.snapshot) for other in others))
    if joining.mixed and holds_offsets(snapshot.after(edit)) is False:
        raise EditError(
            say(
                "One of the recordings creates what is attached at its offset from the parent, "
                "the other one at its place in the world, and together they would be read as "
                "if both held places. Remove what is attached from one."
            )
        )
    return refuse_crash(snapshot, edit, appended=[other.snapshot for other in others])


@dataclass(frozen=True)
class _Ending:
    """The end of joined recordings.

    Attributes: `world` (in the last frame), `highest` (largest actor id), `collisions` (the next number), `bodies` (of
    lasting packets that are not decoded, by id).
    """

    world: World
    highest: int
    collisions: int
    bodies: Mapping[int, bytes]

    @classmethod
    def of(cls, snapshot: Snapshot, progress: Progress = SILENT) -> "_Ending":
        """The end of a recording."""
        actors = Actors.of(snapshot, progress)
        known = actors.collisions["id"]
        world = actors.world_at(len(snapshot) - 1)
        highest = max((life.actor for life in actors), default=0)
        bodies = Bodies.of(snapshot).at(snapshot.rows)
        return cls(world, highest, int(known.max()) + 1 if len(known) else 0, bodies)

    def followed_by(self, later: Snapshot, matched: Collection[int], frames: int) -> "_Ending":
        """The end after appending a recording to `frames` frames; `matched` are ids of actors in both."""
        own = _Ending.of(later)
        now = {each.life.actor: each for each in own.world.actors}
        staying = {actor: now[actor] for actor in matched if actor in now}
        known = []
        for each in self.world.actors:
            if each.life.actor in staying:
                known.append(each)
        stayed = []
        for each in known:
            stayed.append(_continued(each, staying, later.dialect.kinds("lasting")))
        came = []
        for each in own.world.actors:
            if each.life.actor not in matched:
                came.append(each)
        came = [replace(each, life=replace(each.life, born=frames + each.life.born)) for each in came]
        names = {**self.world.lasting, **own.world.lasting}
        lasting = {}
        for name in names:
            lasting[name] = {**self.world.records(name), **own.world.records(name)}
        return _Ending(
            World(frames + own.world.frame_index, (*stayed, *came), lasting),
            max(self.highest, own.highest),
            max(self.collisions, own.collisions),
            {**self.bodies, **own.bodies},
        )


def _continued(then: ActorState, staying: Mapping[int, ActorState], kinds: Sequence[PacketType]) -> ActorState:
    """The state of an actor in both recordings: that of the later one, with lasting records that it does not repeat."""
    now = staying[then.life.actor]
    parent = now.parent
    if now.life.parent is None and then.parent is not None and then.parent.actor in staying:
        parent = then.parent
    lasting = {}
    for kind in kinds:
        lasting[kind.name] = last_records(kind, (*then.records(kind.name), *now.records(kind.name)))
    life = replace(then.life, index=now.life.index)
    return replace(
        now, life=life, parent=parent, lasting={name: records for name, records in lasting.items() if records}
    )


class _Joining:
    """Appends recordings. Attribute: `mixed` (places in the world were converted to offsets)."""

    def __init__(self, snapshot: Snapshot, gap: float | None, match_actors: bool, progress: Progress) -> None:
        self.mixed = False
        self._offsets = holds_offsets(snapshot)  # true once one recording holds offsets, None without any actor
        self._ending = _Ending.of(snapshot, progress)
        self._gap = gap
        self._match_actors = match_actors
        self._progress = progress

    def append(self, snapshot: Snapshot, other: Snapshot) -> Edit:
        """The edit that appends another recording to the present state."""
        version = snapshot.version
        step = _gap(snapshot, other, self._gap)
        before = self._offsets
        later = holds_offsets(other)
        # The simulator reads offsets, so places are converted.
        moved: tuple[Splice, ...] = ()
        poses: Mapping[RecordPlace, bytes] = {}
        if before is False and later is True:
            moved = _moved(snapshot, as_offsets(snapshot))
        elif before is True and later is False:
            poses = as_offsets(other)
        if before is None or later is True:
            self._offsets = later
        if moved:
            snapshot = _after(snapshot, moved)
            self._ending = _Ending.of(snapshot, self._progress)
        self.mixed = self.mixed or bool(moved or poses)
        imported = _imported(snapshot, other)
        is_shared = other.store is snapshot.store
        if is_shared:
            opened = set()
        else:
            opened = sources_of([imported.table]) - {snapshot.store.scratch}
        used: set[int] = set()
        try:
            follows = self._behind(_after(imported, _moved(imported, poses)), len(snapshot))
            used = sources_of([follows])
        finally:
            # Close files that no row refers to, because all their frames were rewritten.
            for source in opened - used:
                snapshot.store.drop(source)
        last = snapshot.table.row_of_frame(len(snapshot) - 1)
        ended = snapshot.table.rows(last, last + 1).copy()
        ended["duration"], ended["stored"] = step, 0
        rows = numbered(follows.rows(), int(ended["frame_id"][0]) + 1, float(ended["elapsed"][0]) + step)
        added = Splice(last, 1, FrameTable.from_rows(ended)), Splice(snapshot.rows, 0, FrameTable.from_rows(rows))
        return Edit("", version, (*moved, *added))

    def _behind(self, later: Snapshot, frames: int) -> FrameTable:
        """The frames of the later recording with new ids and a rebuilt first frame."""
        ending = self._ending
        before = ending.world
        matched = _matched(before, later, self._match_actors)
        if self._match_actors:
            kept = _kept(before, later, matched)
        else:
            kept = set()
        later = _after(later, with_ids(later, _ids(ending.highest, later, matched, kept), self._progress))
        later = _after(later, _renumbered_collisions(ending.collisions, later))
        staying = {state.life.actor for state in matched.values()}
        self._ending = ending.followed_by(later, staying, frames)
        first = later.table.row_of_frame(0)
        opening = rows_of(later, _boundary_frame(later, ending, staying), like=first)
        return later.table.splice(first, 1, opening)


def _moved(snapshot: Snapshot, poses: Mapping[RecordPlace, bytes]) -> tuple[Splice, ...]:
    """Splices that set the poses of EventAdd records."""
    # Id and type come before the pose.
    return with_bodies(snapshot, patched(snapshot, ((place, 5, pose) for place, pose in poses.items())))


def _after(snapshot: Snapshot, splices: tuple[Splice, ...]) -> Snapshot:
    if splices:
        return snapshot.after(Edit("", snapshot.version, splices))
    return snapshot


# --- compatibility and matching -------------------------------------------------------------------------


def _refuse_incompatible(snapshot: Snapshot, other: Snapshot) -> None:
    for each, template in (
        (snapshot, N_("The first recording has no frames.")),
        (other, N_("The appended recording has no frames.")),
    ):
        if not len(each):
            raise EditError(say(template))
    mine = snapshot.dialect
    theirs = other.dialect
    if mine is not theirs and mine.name != theirs.name:
        raise EditError(
            say(
                "The recordings have different dialects: {one} and {other}. Convert one first, "
                "as in recorder-editor convert IN OUT --dialect {name}",
                one=mine.title,
                other=theirs.title,
                name=mine.name,
            )
        )
    if numbered_apart := attributes_apart(mine, theirs):
        raise EditError(numbered_apart)
    maps = [each.header.map_name if each.header is not None else None for each in (snapshot, other)]
    if None not in maps and _bare(maps[0]) != _bare(maps[1]):
        names = []
        for name in maps:
            names.append(name.decode("utf-8", "replace") if isinstance(name, bytes) else name)
        raise EditError(say("The recordings are of different maps: {one} and {other}.", one=names[0], other=names[1]))


def _refuse_early_events(later: Snapshot) -> None:
    """Raises `EditError` for events before the first frame, which would act on the recording before."""
    for row in map(later.row, range(later.table.row_of_frame(0))):
        for packet in row.packets:
            if packet.type.is_recorded_once and packet.size > 2:
                raise EditError(
                    say(
                        "{name} is outside of any frame, before the first frame of the appended "
                        "recording, and would act on the recording before it. Repair the appended "
                        "recording first.",
                        name=packet.name,
                    ),
                    offset=packet.offset,
                )


def _bare(name: str | bytes | None) -> bytes:
    if isinstance(name, str):
        raw = name.encode("utf-8", "surrogateescape")
    else:
        raw = name or b""
    return raw.rsplit(b"/", 1)[-1]


def _gap(snapshot: Snapshot, other: Snapshot, gap: float | None) -> float:
    if gap is None:
        backwards = (chunk[::-1] for chunk in reversed(snapshot.table.chunks))
        for rows in chain(backwards, other.table.chunks):
            durations = rows["duration"][rows["kind"] != RAW]
            positive = np.flatnonzero((durations > 0) & np.isfinite(durations))
            if len(positive):
                return float(durations[positive[0]])
        raise EditError(say("No frame has a duration; give the time between the recordings."))
    if not 0 < gap < float("inf"):
        raise EditError(say("{gap:g} s cannot lie between two frames; the replayer needs a time above 0.", gap=gap))
    return gap


def _matched(before: World, later: Snapshot, by_id: bool) -> dict[int, ActorState]:
    """The known state of actors of the later recording's first frame, by index of the life."""
    there: dict[tuple[object, ...], ActorState] = {}
    for state in before.actors:
        for key in _keys(state.life, by_id):
            there.setdefault(key, state)
    found: dict[int, ActorState] = {}
    taken: set[int] = set()
    for life in Actors.of(later).alive(0):
        if not life.born:
            keys = _keys(life, by_id)
        else:
            keys = []
        same = next((there[key] for key in keys if key in there and there[key].life.index not in taken), None)
        if same is not None:
            found[life.index] = same
            taken.add(same.life.index)
    children = [
        state
        for state in Actors.of(later).world_at(0).actors
        if state.life.index in found and state.parent is not None and state.pose_source != "position"
    ]
    is_checked = False
    while not is_checked:
        is_checked = True
        for state in children:
            if state.life.index in found and not _stays_attached(found, later, state):
                del found[state.life.index]
                is_checked = False
    return found


def _stays_attached(matched: Mapping[int, ActorState], later: Snapshot, now: ActorState) -> bool:
    """Whether a known actor is attached to the parent, and at the offset, of the later recording's first frame.

    An EventParent does not move it, so at another place another actor has to be created.
    """
    then = matched[now.life.index]
    if now.parent is None:
        parent = None
    else:
        parent = matched.get(now.parent.index)
    if parent is None or then.parent is None or then.parent.actor != parent.life.actor:
        return False
    if Actors.of(later).holds_places:
        return True
    with np.errstate(all="ignore"):
        apart = np.abs(numbers_of(then.spawn) - numbers_of(now.spawn))
    return not bool((apart > _SAME_OFFSET).any())


def _keys(life: Life, by_id: bool) -> list[tuple[object, ...]]:
    """Keys by which an actor is the same in two recordings (format reference 6.4)."""
    keys: list[tuple[object, ...]] = []
    if life.blueprint == "spectator":
        keys.append(("spectator",))
    elif life.is_traffic or (life.blueprint.startswith("static.") and not life.born):
        place = life.transform[:3]
        if np.isfinite(place).all():
            keys.append((life.blueprint, *map(int, place)))
    if by_id:
        keys.append((life.blueprint, "id", life.actor))
    return keys


def _kept(before: World, later: Snapshot, matched: Mapping[int, ActorState]) -> set[int]:
    """Indices of lives whose ids are free at the seam, or before they begin."""
    staying = {state.life.actor for state in matched.values()}
    leaving = {state.life.actor for state in before.actors} - staying
    return {
        life.index
        for life in Actors.of(later)
        if life.actor not in staying and (life.born or life.actor not in leaving)
    }


def _ids(highest: int, later: Snapshot, matched: Mapping[int, ActorState], kept: Collection[int]) -> dict[int, int]:
    """New ids of the later recording's lives, by index; without those that keep theirs."""
    actors = Actors.of(later)
    free = max((SPECTATOR_ID, highest, *(life.actor for life in actors))) + 1
    ids: dict[int, int] = {}
    for life in actors:
        if life.index in matched:
            new = matched[life.index].life.actor
        elif life.index in kept:
            new = life.actor
        else:
            new, free = free, free + 1
        if new >= NO_ACTOR:
            raise EditError(say("There are no ids left above the highest one of the recordings."))
        if new != life.actor:
            ids[life.index] = new
    return ids


# --- the later recording, in the store of the first -----------------------------------------------------


def _imported(snapshot: Snapshot, other: Snapshot) -> Snapshot:
    """The other recording as a state in the store of the first one."""
    rows = other.table.rows().copy()
    rows["key"] = snapshot.keys.take(len(rows))
    if other.store is snapshot.store:
        return replace(snapshot, table=FrameTable.from_rows(rows), derived=Derived(), context=Context())
    sources = np.unique(rows["source"]).tolist()
    new = {source: _source(snapshot, other, source) for source in sources if source != other.store.scratch}
    for source in sources:
        chosen = rows["source"] == source
        if source in new:
            rows["source"][chosen] = new[source]
        else:
            copy_rows(other.store, snapshot.store, rows, np.flatnonzero(chosen))
    layouts = np.unique(rows["layout"]).tolist()
    pool = {}
    for each in layouts:
        if each != NO_LAYOUT:
            pool[each] = snapshot.layouts.add(other.layouts.headers_of(each))
    rows["layout"] = np.array([pool.get(each, NO_LAYOUT) for each in rows["layout"].tolist()], np.int32)
    return replace(
        snapshot,
        table=FrameTable.from_rows(rows),
        header=other.header,
        header_bytes=other.header_bytes,
        derived=Derived(),
        context=Context(),
    )


def _source(snapshot: Snapshot, other: Snapshot, source: int) -> int:
    other.store.verify(source)
    number = snapshot.store.add_file(other.store.path(source))
    try:
        other.store.verify(source)
    except SourceChanged:
        snapshot.store.drop(number)
        raise
    return number


def _renumbered_collisions(more: int, later: Snapshot) -> tuple[Splice, ...]:
    """Splices that add `more` to the numbers of the later recording's collisions."""
    collisions = Actors.of(later).collisions
    if more:
        places = collisions[["row", "packet", "record", "id"]].tolist()
    else:
        places = []
    patches = ((RecordPlace(*at), 0, (number + more & 0xFFFFFFFF).to_bytes(4, "little")) for *at, number in places)
    return with_bodies(later, patched(later, patches))


# --- boundary frame -------------------------------------------------------------------------------------


def _boundary_frame(later: Snapshot, ending: _Ending, matched: set[int]) -> bytes:
    """The later recording's first frame, without what holds already, with EventDels of unmatched actors."""
    draft = FrameDraft(later.frame(0))
    draft.drop_bodies(ending.bodies)
    before = ending.world
    there = {}
    for state in before.actors:
        if state.life.actor in matched:
            there[state.life.actor] = state
    parents = {}
    for actor, state in there.items():
        if state.parent is not None:
            parents[actor] = (later.dialect.attachment(actor, state.parent.actor),)
    restated: dict[str, Callable[[bytes], bool]] = {
        "EventAdd": lambda record: _actor(record) in there,
        "EventParent": _restating(parents, _actor, lambda records: records[-1:]),
    }
    for kind in later.dialect.kinds("lasting"):
        if kind.actor_offsets:
            held = {}
            for actor, state in there.items():
                held[actor] = state.records(kind.name)
            restated[kind.name] = _restating(held, kind.actor_in, partial(last_records, kind))
        else:
            known = {key: (record,) for key, record in before.records(kind.name).items()}
            restated[kind.name] = _restating(known, kind.key_of, partial(last_records, kind))
    for name, is_restated in restated.items():
        draft.drop(name, is_restated)
    gone = []
    for state in before.actors:
        if state.life.actor not in matched:
            gone.append(state.life.actor)
    draft.put_first("EventDel", [later.dialect.deletion(actor) for actor in gone])
    return draft.to_bytes()


def _actor(record: bytes) -> int:
    return int.from_bytes(record[:4], "little")


def _restating(
    held: Mapping[Subject, tuple[bytes, ...]],
    subject: Callable[[bytes], Subject],
    last: Callable[[tuple[bytes, ...]], tuple[bytes, ...]],
) -> Callable[[bytes], bool]:
    """A function that tells for records in file order whether they repeat what holds of their subject.

    `held` are the records that hold at first; `last` selects those that hold after several records.
    """
    holding = dict(held)

    def is_restated(record: bytes) -> bool:
        about = subject(record)
        if about not in holding:
            return False
        before, holding[about] = holding[about], last((*holding[about], record))
        return set(before) == set(holding[about])

    return is_restated
