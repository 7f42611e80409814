"""Whether a stretch of one recording replays as it does in another one.

The original is stepped frame by frame from its start, as the simulator would; what its frames leave in the world is
compared from the first kept frame on, what is seen between two frames from the second. The last frame of a recording is
never shown, so it is not compared. Judges by the replay model alone: nothing here asks an edit what it meant to do.
"""

from collections.abc import Callable, Collection, Mapping
from itertools import islice
from typing import Any, NoReturn

import numpy as np

from recorder_editor.checks import replay, simulator_crashes, structure
from recorder_editor.checks.rule import DeferredFinding
from recorder_editor.recording.findings import Finding
from recorder_editor.recording.snapshot import Snapshot

from .replay import Created, Replayer, Scene
from .replay.offsets import are_offsets
from .replay.rotation import distance, numbers
from .replay.scene import SHUT

FARTHEST = 0.5  # cm
MAX_TURNED = 0.05  # degrees
BETWEEN = 0.5
"""The share of a frame at which pictures are compared."""

Records = Mapping[int, bytes]


def assert_replays_same(
    original: Snapshot,
    first: int,
    stop: int,
    result: Snapshot,
    *,
    result_first: int = 0,
    ids: Mapping[int, int] | None = None,
    without: Collection[str] = (),
    release: str | None = None,
) -> None:
    """The frames `[first, stop)` of the original are replayed by the result from its frame `result_first` on.

    `ids` tells the new id of actors that have another one; `without` names kinds of packets that the result need not
    carry (as where it is written for a release that has none of them, or where times were meant to change). `release`
    names the dialect of the simulator that replays both, by default that of each.
    """
    assert 0 <= first < stop <= len(original), f"there are no frames [{first}, {stop}) among {len(original)}"
    needed = result_first + stop - first
    assert needed <= len(result), f"the result has {len(result)} frames, but {needed} are to be compared"
    comparison = _Comparison(original, result, ids or {}, frozenset(without))
    ours = _as_meant(original, release).frames(stop)
    theirs = _as_meant(result, release).frames(needed)
    for scene in islice(ours, first):
        comparison.reserve(scene, comparison.renamed)
    for scene in islice(theirs, result_first):
        comparison.reserve(scene, int)
    for ordinal, (was, now) in enumerate(zip(ours, theirs, strict=True)):
        if was.frame_index < len(original) - 1 and now.frame_index < len(result) - 1:
            comparison.compare(was, now, is_first=ordinal == 0)


def _as_meant(snapshot: Snapshot, release: str | None) -> Replayer:
    """The replay of a recording, or what its author meant by EventAdds with places in the world."""
    return Replayer(snapshot, release=release, keeps_places=not are_offsets(snapshot))


def complaints(snapshot: Snapshot) -> list[Finding]:
    """What a simulator has to complain of: what it says of a replay, what it crashes on, and damage at which it loses
    its place."""
    found = (each.make() if isinstance(each, DeferredFinding) else each for each in structure.find(snapshot))
    damage = (each for each in found if each.severity == "error")
    return [*damage, *replay.find(snapshot), *simulator_crashes.find(snapshot)]


def assert_no_new_warnings(original: Snapshot, result: Snapshot) -> None:
    """A simulator has nothing to complain of in the result that it has not in the original already."""
    known = {each.code for each in complaints(original)}
    new = [f"{each.code}: {each.message}" for each in complaints(result) if each.code not in known]
    assert not new, "\n".join(new[:20])


class _Comparison:
    def __init__(self, original: Snapshot, result: Snapshot, ids: Mapping[int, int], without: frozenset[str]) -> None:
        self._new_id = ids
        self._old_id = {new: old for old, new in ids.items()}
        self._without = without
        self._lasting = {kind.name for kind in original.dialect.kinds("lasting")}
        self._is_same_dialect = original.dialect.name == result.dialect.name
        self._is_same_width = original.dialect.wide == result.dialect.wide
        self._types = tuple(_attribute_types(snapshot) for snapshot in (original, result))
        self._described: dict[int, tuple[Created, Created]] = {}
        self._carried: set[int] = set()
        self._frames = (0, 0)

    def reserve(self, scene: Scene, new_id: Callable[[int], int]) -> None:
        """Take notice of who is carried along: where they are is computed, and rounded when they are let go."""
        self._carried.update(map(new_id, scene.links))

    def compare(self, was: Scene, now: Scene, *, is_first: bool) -> None:
        """`is_first`: of the result; what is seen on the way from an earlier frame is not compared."""
        self._frames = was.frame_index, now.frame_index
        if was.shown != now.shown:
            self._fail("is", *("shown" if scene.shown else "never shown" for scene in (was, now)))
        self._living(was, now)
        self._same_for_each("parent", {c: self.renamed(p) for c, p in was.parents.items()}, now.parents)
        for kind in was.told.keys() | now.told.keys():
            if kind not in self._without and (self._is_same_width or kind != "WalkerBones"):
                self._same_for_each(kind, *(self._bytes(kind, scene.told.get(kind, {})) for scene in (was, now)))
        for kind in self._lasting - self._without:
            self._same_for_each(kind, *(scene.held.get(kind, {}) for scene in (was, now)))
        if not is_first:
            self._same_for_each("earlier Position", *(self._bytes("Position", _before(each)) for each in (was, now)))
        self._untold(was, now, is_first=is_first)
        self._surroundings(was, now)

    # --- who lives ------------------------------------------------------------------------------------------

    def _living(self, was: Scene, now: Scene) -> None:
        expected = {self.renamed(actor) for actor in was.created}
        for actor in sorted(expected ^ now.created.keys()):
            self._fail("lives", *("yes" if actor in living else "no" for living in (expected, now.created)), actor)
        for old, created in was.created.items():
            actor = self.renamed(old)
            pair = created, now.created[actor]
            seen = self._described.get(actor)
            if seen is None or seen[0] is not pair[0] or seen[1] is not pair[1]:
                self._same_description(actor, *pair)
                self._described[actor] = pair

    def _same_description(self, actor: int, was: Created, now: Created) -> None:
        if self._is_same_dialect:
            self._same("type", was.type, now.type, actor)
        self._same("blueprint", was.blueprint, now.blueprint, actor)
        self._same("uid", was.uid, now.uid, actor)
        attributes = [
            [(types.get(each.type, each.type), each.id, each.value) for each in created.attributes]
            for created, types in zip((was, now), self._types, strict=True)
        ]
        self._same("attributes", *attributes, actor)
        if was.is_traffic:
            # The simulator finds it by this place.
            self._same("place of creation", *(self._pose_bytes(each.pose) for each in (was, now)), actor)

    # --- where they are -------------------------------------------------------------------------------------

    def _untold(self, was: Scene, now: Scene, *, is_first: bool) -> None:
        """Poses of those of whom the frame does not tell where they are."""
        self.reserve(was, self.renamed)
        self.reserve(now, int)
        told = was.told.get("Position", {})
        for old in was.created:
            if old in told:
                continue
            actor = self.renamed(old)
            if actor not in self._carried:
                poses = self._pose_bytes(was.where[old]), self._pose_bytes(now.where[actor])
                self._same("pose without a Position", *poses, actor)
                continue
            self._near("pose", was.pose(old), now.pose(actor), actor)
            if not is_first:
                self._near("picture", was.picture(old, BETWEEN), now.picture(actor, BETWEEN), actor)

    def _near(self, what: str, was: Any, now: Any, actor: int) -> None:
        away, turned = distance(was, now)
        if not (away <= FARTHEST and turned <= MAX_TURNED):
            self._fail(f"{what} ({away:.3f} cm and {turned:.3f} degrees apart)", was, now, actor)

    # --- the rest of the world ------------------------------------------------------------------------------

    def _surroundings(self, was: Scene, now: Scene) -> None:
        if "SceneLight" not in self._without:
            self._same_for_each("lamp", was.scene_lights, now.scene_lights, are_actors=False)
        if "VehicleDoor" not in self._without:
            opened = ({a: doors for a, doors in scene.doors.items() if doors != SHUT} for scene in (was, now))
            self._same_for_each("open doors", *opened)
        if "Weather" not in self._without:
            self._same("weather", was.weather, now.weather)
        if "VisualTime" not in self._without:
            self._same("visual time", was.visual_time, now.visual_time)

    # --- comparing ------------------------------------------------------------------------------------------

    def _same_for_each(
        self, what: str, was: Mapping[int, Any], now: Mapping[int, Any], *, are_actors: bool = True
    ) -> None:
        if self._new_id and are_actors:
            was = {self.renamed(actor): each for actor, each in was.items()}
        if was != now:
            for number in sorted(was.keys() | now.keys()):
                self._same(what, was.get(number), now.get(number), number)

    def _same(self, what: str, was: object, now: object, actor: int | None = None) -> None:
        if was != now:
            self._fail(what, was, now, actor)

    def _fail(self, what: str, was: object, now: object, actor: int | None = None) -> NoReturn:
        ours, theirs = (index + 1 for index in self._frames)
        whose = "" if actor is None else f", {actor}"
        if actor is not None and actor in self._old_id:
            whose += f" ({self._old_id[actor]} in the original)"
        raise AssertionError(
            f"frame {ours} of the original, {theirs} of the result{whose}: {what}: "
            f"{_words(was)} in the original, {_words(now)} in the result"
        )

    def renamed(self, actor: int) -> int:
        """The id that an actor of the original has in the result."""
        return self._new_id.get(actor, actor)

    def _bytes(self, kind: str, records: Records) -> Records:
        if self._is_same_width or "Position" not in kind:
            return records
        return {actor: self._pose_bytes(pose) for actor, pose in records.items()}

    def _pose_bytes(self, pose: bytes) -> bytes:
        if self._is_same_width:
            return pose
        with np.errstate(invalid="ignore", over="ignore"):
            return numbers(pose).astype("<f4").tobytes()


def _before(scene: Scene) -> Records:
    """What the frame found before told of those whom this one tells of."""
    return {actor: scene.previous[actor] for actor in scene.told.get("Position", ()) if actor in scene.previous}


def _attribute_types(snapshot: Snapshot) -> Mapping[int, str]:
    added = snapshot.dialect.by_name("EventAdd")
    assert added is not None
    return added.record.arrays["attributes"].element.fields["type"].choices or {}


def _words(value: object) -> str:
    if isinstance(value, bytes):
        text = value.hex(" ", 4)
        poses = f" = {numbers(value).tolist()}" if len(value) in (24, 48) else ""
        return (text if len(text) < 200 else f"{text[:200]} ...") + poses
    return "nothing" if value is None else str(value)
