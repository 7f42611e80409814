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
from ..texts import say, say_count
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
    """Return the edit that appends other recordings.

    Spectator, traffic actors and props of the level are the same in all; other actors of a later recording get unused
    ids. Collisions are numbered on. If one recording creates attached actors at offsets from the parent and another
    at places in the world, the places become offsets.

    Args:
        recording: The first recording, which is not changed.
        others: The recordings to append.
        gap: The time from a last frame to the next first one, s; None: a duration recorded there.
        match_actors: Whether actors with id and blueprint of an actor alive at the seam are the same, and others keep
            ids that are free.
        progress: Reports progress and cancels.

    Raises:
        EditError: A recording has another map or dialect, no frames, or events before the first frame; or the gap is
            invalid.
        Cancelled: The user cancelled.
    """
    snapshot = recording.snapshot
    if not others:
        raise EditError(say("No recording to append is named."))
    for other in others:
        _refuse_incompatible(snapshot, other.snapshot)
        _refuse_early_events(other.snapshot)
    joining = _Joining(snapshot, gap, match_actors, progress)
    label = say_count("Append a recording", "Append {count} recordings", count=len(others))
    steps = [partial(joining.append, other=other.snapshot) for other in others]
    edit = compose(snapshot, label, steps)
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

    Attributes:
        world: In the last frame.
        highest: The largest actor id.
        collisions: The next number of a collision.
        bodies: Of lasting packets that are not decoded, by id.
    """

    world: World
    highest: int
    collisions: int
    bodies: Mapping[int, bytes]

    @classmethod
    def of(cls, snapshot: Snapshot, progress: Progress = SILENT) -> "_Ending":
        """Return the end of a recording."""
        actors = Actors.of(snapshot, progress)
        numbers = actors.collisions["id"]
        world = actors.world_at(len(snapshot) - 1)
        return cls(
            world=world,
            highest=max((life.actor for life in actors), default=0),
            collisions=int(numbers.max()) + 1 if len(numbers) else 0,
            bodies=Bodies.of(snapshot).at(snapshot.rows),
        )

    def followed_by(self, later: Snapshot, matched: Collection[int], frames: int) -> "_Ending":
        """Return the end after appending a recording.

        Args:
            later: The recording to append.
            matched: Ids of actors in both.
            frames: Number of frames before it.
        """
        own = _Ending.of(later)
        staying: dict[int, ActorState] = {}
        added: list[ActorState] = []
        for state in own.world.actors:
            if state.life.actor in matched:
                staying[state.life.actor] = state
            else:
                life = replace(state.life, born=frames + state.life.born)
                added.append(replace(state, life=life))
        kinds = later.dialect.kinds("lasting")
        stayed: list[ActorState] = []
        for state in self.world.actors:
            if state.life.actor in staying:
                stayed.append(_continued(state, staying, kinds))
        lasting: dict[str, Mapping[bytes, bytes]] = {}
        for name in dict(self.world.lasting) | dict(own.world.lasting):
            lasting[name] = dict(self.world.records(name)) | dict(own.world.records(name))
        return _Ending(
            world=World(frames + own.world.frame_index, (*stayed, *added), lasting),
            highest=max(self.highest, own.highest),
            collisions=max(self.collisions, own.collisions),
            bodies=dict(self.bodies) | dict(own.bodies),
        )


def _continued(then: ActorState, staying: Mapping[int, ActorState], kinds: Sequence[PacketType]) -> ActorState:
    """Return the state of an actor in both recordings.

    It is that of the later one, with lasting records that it does not repeat.
    """
    now = staying[then.life.actor]
    parent = now.parent
    if now.life.parent is None and then.parent is not None and then.parent.actor in staying:
        parent = then.parent
    lasting: dict[str, tuple[bytes, ...]] = {}
    for kind in kinds:
        records = last_records(kind, (*then.records(kind.name), *now.records(kind.name)))
        if records:
            lasting[kind.name] = records
    return replace(now, life=replace(then.life, index=now.life.index), parent=parent, lasting=lasting)


class _Joining:
    """Appends recordings.

    Attributes:
        mixed: Whether places in the world were converted to offsets.
    """

    def __init__(self, snapshot: Snapshot, gap: float | None, match_actors: bool, progress: Progress) -> None:
        self.mixed = False
        self._offsets = holds_offsets(snapshot)  # true once one recording holds offsets, None without any actor
        self._ending = _Ending.of(snapshot, progress)
        self._gap = gap
        self._match_actors = match_actors
        self._progress = progress

    def append(self, snapshot: Snapshot, other: Snapshot) -> Edit:
        """Return the edit that appends another recording to the present state."""
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
        appended = self._appended(snapshot, other, poses)
        last = snapshot.table.row_of_frame(len(snapshot) - 1)
        ended = snapshot.table.rows(last, last + 1).copy()
        ended["duration"] = step
        ended["stored"] = 0
        rows = numbered(appended.rows(), int(ended["frame_id"][0]) + 1, float(ended["elapsed"][0]) + step)
        splices = (
            *moved,
            Splice(last, 1, FrameTable.from_rows(ended)),
            Splice(snapshot.rows, 0, FrameTable.from_rows(rows)),
        )
        return Edit("", version, splices)

    def _appended(self, snapshot: Snapshot, other: Snapshot, poses: Mapping[RecordPlace, bytes]) -> FrameTable:
        """Return the rows of another recording, in the store of the first one; `poses` are those of its EventAdds."""
        imported = _imported(snapshot, other)
        opened: set[int] = set()
        if other.store is not snapshot.store:
            opened = sources_of([imported.table]) - {snapshot.store.scratch}
        used: set[int] = set()
        try:
            rows = self._behind(_after(imported, _moved(imported, poses)), len(snapshot))
            used = sources_of([rows])
        finally:
            # Close files that no row refers to, because all their frames were rewritten.
            for source in opened - used:
                snapshot.store.drop(source)
        return rows

    def _behind(self, later: Snapshot, frames: int) -> FrameTable:
        """Return the frames of the later recording with new ids and a rebuilt first frame."""
        ending = self._ending
        before = ending.world
        matched = _matched(before, later, self._match_actors)
        kept: set[int] = set()
        if self._match_actors:
            kept = _kept(before, later, matched)
        ids = _ids(ending.highest, later, matched, kept)
        later = _after(later, with_ids(later, ids, self._progress))
        later = _after(later, _renumbered_collisions(ending.collisions, later))
        staying = {state.life.actor for state in matched.values()}
        self._ending = ending.followed_by(later, staying, frames)
        first = later.table.row_of_frame(0)
        opening = rows_of(later, _boundary_frame(later, ending, staying), like=first)
        return later.table.splice(first, 1, opening)


def _moved(snapshot: Snapshot, poses: Mapping[RecordPlace, bytes]) -> tuple[Splice, ...]:
    """Return the splices that set the poses of EventAdd records."""
    # Id and type come before the pose.
    patches = [(place, 5, pose) for place, pose in poses.items()]
    return with_bodies(snapshot, patched(snapshot, patches))


def _after(snapshot: Snapshot, splices: tuple[Splice, ...]) -> Snapshot:
    """Return the state after splices; the same one without any."""
    if splices:
        return snapshot.after(Edit("", snapshot.version, splices))
    return snapshot


# --- compatibility and matching -------------------------------------------------------------------------


def _refuse_incompatible(snapshot: Snapshot, other: Snapshot) -> None:
    """Raise `EditError` for recordings that cannot be joined."""
    if not len(snapshot):
        raise EditError(say("The first recording has no frames."))
    if not len(other):
        raise EditError(say("The appended recording has no frames."))
    first = snapshot.dialect
    second = other.dialect
    if first is not second and first.name != second.name:
        raise EditError(
            say(
                "The recordings have different dialects: {one} and {other}. Convert one first, "
                "as in recorder-editor convert IN OUT --write-as {name}",
                one=first.title,
                other=second.title,
                name=first.name,
            )
        )
    difference = attributes_apart(first, second)
    if difference:
        raise EditError(difference)
    first_map = _map_name(snapshot)
    second_map = _map_name(other)
    if first_map is None or second_map is None:
        return
    if first_map.rsplit(b"/", 1)[-1] != second_map.rsplit(b"/", 1)[-1]:
        raise EditError(
            say(
                "The recordings are of different maps: {one} and {other}.",
                one=_shown_map(snapshot),
                other=_shown_map(other),
            )
        )


def _map_name(snapshot: Snapshot) -> bytes | None:
    """Return the name of the map as bytes; None without a header."""
    if snapshot.header is None:
        return None
    name = snapshot.header.map_name
    if isinstance(name, str):
        return name.encode("utf-8", "surrogateescape")
    return name or b""


def _shown_map(snapshot: Snapshot) -> object:
    """Return the name of the map as it is shown; None without a header."""
    if snapshot.header is None:
        return None
    name = snapshot.header.map_name
    if isinstance(name, bytes):
        return name.decode("utf-8", "replace")
    return name


def _refuse_early_events(later: Snapshot) -> None:
    """Raise `EditError` for events before the first frame, which would act on the recording before."""
    for row in range(later.table.row_of_frame(0)):
        for packet in later.row(row).packets:
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


def _gap(snapshot: Snapshot, other: Snapshot, gap: float | None) -> float:
    """Return the time between two recordings (s): the given one, or the duration nearest to the seam."""
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
    """Return the state before of actors that the first frame of the later recording has, too.

    Args:
        before: The world at the end of the recordings before.
        later: The later recording.
        by_id: Whether id and blueprint make an actor the same.

    Returns:
        The states by index of the life in the later recording.
    """
    states: dict[tuple[object, ...], ActorState] = {}
    for state in before.actors:
        for key in _keys(state.life, by_id):
            states.setdefault(key, state)
    matched: dict[int, ActorState] = {}
    taken: set[int] = set()
    for life in Actors.of(later).alive(0):
        if life.born:
            continue
        for key in _keys(life, by_id):
            if key in states and states[key].life.index not in taken:
                matched[life.index] = states[key]
                taken.add(states[key].life.index)
                break
    children: list[ActorState] = []
    for state in Actors.of(later).world_at(0).actors:
        if state.life.index in matched and state.parent is not None and state.pose_source != "position":
            children.append(state)
    # A child that is another actor may be the parent of others.
    is_checked = False
    while not is_checked:
        is_checked = True
        for state in children:
            if state.life.index in matched and not _stays_attached(matched, later, state):
                del matched[state.life.index]
                is_checked = False
    return matched


def _stays_attached(matched: Mapping[int, ActorState], later: Snapshot, now: ActorState) -> bool:
    """Return whether a matched actor is attached to the parent, and at the offset, that the later recording has.

    An EventParent does not move it, so at another place another actor has to be created.
    """
    then = matched[now.life.index]
    if now.parent is None or then.parent is None:
        return False
    parent = matched.get(now.parent.index)
    if parent is None or then.parent.actor != parent.life.actor:
        return False
    if Actors.of(later).holds_places:
        return True
    with np.errstate(all="ignore"):
        apart = np.abs(numbers_of(then.spawn) - numbers_of(now.spawn))
    return not bool((apart > _SAME_OFFSET).any())


def _keys(life: Life, by_id: bool) -> list[tuple[object, ...]]:
    """Return keys by which an actor is the same in two recordings (format reference 6.4)."""
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
    """Return indices of lives with ids that are free at the seam, or before they begin."""
    staying = {state.life.actor for state in matched.values()}
    leaving = {state.life.actor for state in before.actors} - staying
    kept: set[int] = set()
    for life in Actors.of(later):
        if life.actor not in staying and (life.born or life.actor not in leaving):
            kept.add(life.index)
    return kept


def _ids(highest: int, later: Snapshot, matched: Mapping[int, ActorState], kept: Collection[int]) -> dict[int, int]:
    """Return new ids of the later recording's lives, by index; without those that keep theirs."""
    actors = Actors.of(later)
    free = max(SPECTATOR_ID, highest) + 1
    for life in actors:
        free = max(free, life.actor + 1)
    ids: dict[int, int] = {}
    for life in actors:
        if life.index in matched:
            new_id = matched[life.index].life.actor
        elif life.index in kept:
            new_id = life.actor
        else:
            new_id = free
            free += 1
        if new_id >= NO_ACTOR:
            raise EditError(say("There are no ids left above the highest one of the recordings."))
        if new_id != life.actor:
            ids[life.index] = new_id
    return ids


# --- the later recording, in the store of the first -----------------------------------------------------


def _imported(snapshot: Snapshot, other: Snapshot) -> Snapshot:
    """Return the other recording as a state in the store of the first one."""
    rows = other.table.rows().copy()
    rows["key"] = snapshot.keys.take(len(rows))
    if other.store is snapshot.store:
        return replace(snapshot, table=FrameTable.from_rows(rows), derived=Derived(), context=Context())
    sources = np.unique(rows["source"]).tolist()
    numbers: dict[int, int] = {}
    for source in sources:
        if source != other.store.scratch:
            numbers[source] = _add_source(snapshot, other, source)
    for source in sources:
        chosen = rows["source"] == source
        if source in numbers:
            rows["source"][chosen] = numbers[source]
        else:
            copy_rows(other.store, snapshot.store, rows, np.flatnonzero(chosen))
    layouts = {NO_LAYOUT: NO_LAYOUT}
    for layout in np.unique(rows["layout"]).tolist():
        if layout != NO_LAYOUT:
            layouts[layout] = snapshot.layouts.add(other.layouts.headers_of(layout))
    rows["layout"] = np.array([layouts[layout] for layout in rows["layout"].tolist()], np.int32)
    return replace(
        snapshot,
        table=FrameTable.from_rows(rows),
        header=other.header,
        header_bytes=other.header_bytes,
        derived=Derived(),
        context=Context(),
    )


def _add_source(snapshot: Snapshot, other: Snapshot, source: int) -> int:
    """Add a file of the other recording to the store of the first one, and return its number."""
    other.store.verify(source)
    number = snapshot.store.add_file(other.store.path(source))
    try:
        other.store.verify(source)
    except SourceChanged:
        snapshot.store.drop(number)
        raise
    return number


def _renumbered_collisions(more: int, later: Snapshot) -> tuple[Splice, ...]:
    """Return the splices that add `more` to the numbers of the later recording's collisions."""
    if not more:
        return ()
    patches: list[tuple[RecordPlace, int, bytes]] = []
    collisions = Actors.of(later).collisions
    for row, packet, record, number in collisions[["row", "packet", "record", "id"]].tolist():
        new_number = (number + more) & 0xFFFFFFFF
        patches.append((RecordPlace(row, packet, record), 0, new_number.to_bytes(4, "little")))
    return with_bodies(later, patched(later, patches))


# --- boundary frame -------------------------------------------------------------------------------------


def _boundary_frame(later: Snapshot, ending: _Ending, matched: set[int]) -> bytes:
    """Return the later recording's first frame, without what holds already, with EventDels of unmatched actors."""
    draft = FrameDraft(later.frame(0))
    draft.drop_bodies(ending.bodies)
    before = ending.world
    staying: dict[int, ActorState] = {}
    gone: list[int] = []
    for state in before.actors:
        if state.life.actor in matched:
            staying[state.life.actor] = state
        else:
            gone.append(state.life.actor)
    parents: dict[int, tuple[bytes, ...]] = {}
    for actor, state in staying.items():
        if state.parent is not None:
            parents[actor] = (later.dialect.attachment(actor, state.parent.actor),)
    draft.drop("EventAdd", lambda record: _actor(record) in staying)
    draft.drop("EventParent", _restating(parents, _actor, _last_one))
    for kind in later.dialect.kinds("lasting"):
        if kind.actor_offsets:
            of_actors = {actor: state.records(kind.name) for actor, state in staying.items()}
            is_restated = _restating(of_actors, kind.actor_in, partial(last_records, kind))
        else:
            of_keys = {key: (record,) for key, record in before.records(kind.name).items()}
            is_restated = _restating(of_keys, kind.key_of, partial(last_records, kind))
        draft.drop(kind.name, is_restated)
    draft.put_first("EventDel", [later.dialect.deletion(actor) for actor in gone])
    return draft.to_bytes()


def _last_one(records: tuple[bytes, ...]) -> tuple[bytes, ...]:
    return records[-1:]


def _actor(record: bytes) -> int:
    return int.from_bytes(record[:4], "little")


def _restating(
    held: Mapping[Subject, tuple[bytes, ...]],
    subject: Callable[[bytes], Subject],
    last: Callable[[tuple[bytes, ...]], tuple[bytes, ...]],
) -> Callable[[bytes], bool]:
    """Return a function that decides for records in file order whether they repeat what holds.

    Args:
        held: The records that hold at first, by what they are about.
        subject: Returns what a record is about.
        last: Selects those that hold after several records.
    """
    holding = dict(held)

    def is_restated(record: bytes) -> bool:
        about = subject(record)
        if about not in holding:
            return False
        before = holding[about]
        holding[about] = last((*before, record))
        return set(before) == set(holding[about])

    return is_restated
