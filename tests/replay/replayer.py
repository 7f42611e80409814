"""The replayer: passes the frames of a recording as the simulator does, by section 6 of the format reference.

An independent reading, from packets alone: it judges lists of actors and states of the world that others make, and
uses none of them. Where a body is not as long as its content the simulator would lose its place; the model goes on by
size, and `checks/replay.py` reports it.
"""

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from recorder_editor.format.codec import Body
from recorder_editor.format.dialects import DIALECTS
from recorder_editor.format.schema import PacketType
from recorder_editor.recording.frames import FRAME
from recorder_editor.recording.snapshot import Frame, Packet, Row, Snapshot

from .rotation import Pose, numbers, relative
from .scene import ALL_DOORS, DOORS, SHUT, Attribute, Created, Link, Records, Scene

SPAWNS_ANEW = ("ue4-2026", "ue5-2026")
"""Simulators that never reuse a living actor for the same id and blueprint, and refuse the uid 0 (format reference
6.4)."""

PLACES_IN_WORLD = ("ue4-0.9.4", "ue4-0.9.6", "ue4-0.9.10")
"""Simulators for which a Position of an attached actor is a place in the world; later ones take it as its offset."""


_Value = TypeVar("_Value")


class Replayer:
    """What a simulator would do with a recording.

    `release` names the dialect of the simulator that replays (`ue4-2026`); without it, the one that recorded. Raises
    KeyError for a name that is none. Sensors, the spectator and the weather are replayed, as on request.

    `keeps_places`: not what a simulator does, but what the author of a recording meant whose EventAdds hold places in
    the world (`offsets.are_offsets`): what is attached keeps its place in the world, and Positions are such places.
    """

    def __init__(self, snapshot: Snapshot, *, release: str | None = None, keeps_places: bool = False) -> None:
        self._snapshot = snapshot
        simulator = snapshot.dialect if release is None else DIALECTS[release]
        self._release = simulator.name
        self._interpolated = simulator.interpolated
        self._keeps_places = keeps_places

    def frames(self, stop: int | None = None) -> Iterator[Scene]:
        """The scene of every frame (of the first `stop` ones), stepped one by one from the start of the recording.

        Each is found where it lasts: one without a positive duration, as the last frame, only has its events run.
        """
        world = self._world()
        for row in self._rows():
            if isinstance(row, Frame) and stop is not None and row.index >= stop:
                return
            # A tick at the very beginning of a frame finds it.
            world.run(row, is_found=isinstance(row, Frame) and row.elapsed < row.elapsed + row.duration)
            if isinstance(row, Frame):
                yield world.scene(row, 0.0)

    def to_frame(self, index: int) -> Scene:
        """The scene of a frame, stepped from the start; raises IndexError."""
        if not 0 <= index < len(self._snapshot):
            raise IndexError(f"There is no frame {index + 1}; the recording has {len(self._snapshot)}.")
        return deque(self.frames(index + 1), 1).pop()

    def at_time(self, seconds: float) -> Scene:
        """The scene at a time, stepped from the start: of the frame that holds it, with the share that is gone.

        Past the end it is the last scene, with `shown` false. Raises IndexError for a recording without frames.
        """
        scene = None
        for scene in self.frames():
            if scene.shown and seconds < scene.elapsed + scene.duration:
                return replace(scene, share=(seconds - scene.elapsed) / scene.duration)
        if scene is None:
            raise IndexError("There is no frame to be shown.")
        return scene

    def play(self, times: Iterable[float], start: float = 0.0) -> Iterator[Scene]:
        """The scene as `replay_file` leaves it at `start`, then that of a tick at each of the times (rising).

        Frames that a tick jumps over have only their events run (format reference 6.2). Ends with the recording.
        """
        if not len(self._snapshot):
            return
        rows, world = self._rows(), self._world()
        # The scan for the total time leaves the last FrameStart behind as the one that was read.
        frame, is_first = self._snapshot.frame(len(self._snapshot) - 1), True
        for target in (start, *times):
            is_found = frame.elapsed <= target < frame.elapsed + frame.duration
            while not is_found:
                row = next(rows, None)
                if row is None:
                    yield world.scene(frame, None if is_first else 0.0, is_shown=False)
                    return
                frame, is_found = self._pass(world, row, rows, target, frame)
            share = (target - frame.elapsed) / frame.duration if frame.duration else 0.0
            yield world.scene(frame, None if is_first else share)
            is_first = False

    def _pass(self, world: "_World", row: Row, rows: Iterator[Row], target: float, before: Frame) -> tuple[Frame, bool]:
        """Read up to the next FrameEnd: the last frame read, and whether it was found."""
        frame, is_found = before, False
        while True:
            if isinstance(row, Frame):
                frame = row
                is_found = target < row.elapsed + row.duration or is_found
            world.run(row, is_found=is_found)
            if row.kind == FRAME or not is_found:
                return frame, is_found
            following = next(rows, None)
            if following is None:
                return frame, is_found
            row = following

    def _world(self) -> "_World":
        return _World(self._snapshot, self._release, self._keeps_places, self._interpolated)

    def _rows(self) -> Iterator[Row]:
        return map(self._snapshot.row, range(self._snapshot.rows))


# --- the world ------------------------------------------------------------------------------------------


class _World:
    """The simulator's world while frames pass. Mappings of a scene that was handed out never change."""

    def __init__(self, snapshot: Snapshot, release: str, keeps_places: bool, interpolated: Collection[str]) -> None:
        self._wide = snapshot.dialect.wide
        self._spawns_anew = release in SPAWNS_ANEW
        self._keeps_places = keeps_places
        self._interpolated = interpolated
        self._now = Scene(positions_are_offsets=not keeps_places and release not in PLACES_IN_WORLD)
        self._positions: Records = {}  # of the packet that was applied last

    def scene(self, frame: Frame, share: float | None, *, is_shown: bool | None = None) -> Scene:
        """What the world looks like now."""
        is_shown = self._now.shown if is_shown is None else is_shown
        return replace(
            self._now,
            frame_index=frame.index,
            elapsed=frame.elapsed,
            duration=frame.duration,
            shown=is_shown,
            share=share,
        )

    def _set(self, **changes: Any) -> None:
        self._now = replace(self._now, **changes)

    def run(self, row: Row, *, is_found: bool) -> None:
        """Run the events of a row, and apply its other records where it is the found frame."""
        frame = row.index if isinstance(row, Frame) else -1
        late: list[tuple[int, int]] = []
        told: dict[str, Records] = {}
        for packet in row.packets:
            match packet.name:
                case "EventAdd":
                    self._add(packet, frame)
                case "EventDel":
                    self._delete(packet)
                case "EventParent":
                    pairs = [(child, parent) for child, parent in packet.array.tolist()]
                    if self._keeps_places:
                        late += pairs
                    else:
                        self._attach(pairs)
                case "Weather" if len(packet.decoded):
                    self._set(weather=packet.body[slice(*packet.decoded.span(len(packet.decoded) - 1))])
                case "VisualTime" if len(packet.decoded):
                    self._set(visual_time=packet.body[:8])
                case "SceneLight" if is_found:
                    self._set(scene_lights={**self._now.scene_lights, **by_id(packet.decoded)})
                case "VehicleDoor" if is_found:
                    self._turn_doors(packet)
                case kind if packet.type.keyed == "actor" and is_read(packet.type, is_found=is_found):
                    if packet.type.lifetime == "lasting":
                        self._set(held=self._held({kind: self._living(by_id(packet.decoded))}))
                    elif kind in self._interpolated:
                        # A second packet replaces the first, which becomes that of the frame before.
                        if kind == "Position" and kind in told:
                            self._positions = told[kind]
                        told[kind] = by_id(packet.decoded)
                    else:
                        told[kind] = {**told.get(kind, {}), **by_id(packet.decoded)}
        if is_found:
            self._apply(told)
        else:
            self._set(shown=False, told={})
        self._attach_in_place(late)

    # --- events -----------------------------------------------------------------------------------------

    def _add(self, packet: Packet, frame: int) -> None:
        body = packet.decoded
        if not len(body):
            return
        created, where = dict(self._now.created), dict(self._now.where)
        self._set(created=created, where=where)
        for index in range(len(body)):
            actor, added = self._described(body, index, frame)
            if self._spawns_anew and added.uid == 0 and not added.is_of_level:
                continue
            before = created.pop(actor, None)
            if before is not None and (self._spawns_anew or before.blueprint != added.blueprint):
                if not before.is_traffic:
                    self._set(left_behind=(*self._now.left_behind, (actor, before)))
                self._forget({actor}, where)
            created[actor] = added
            where[actor] = added.pose
            if actor in self._now.links:
                self._settle(actor, self._now.links[actor].parent)

    def _described(self, body: Body, index: int, frame: int) -> tuple[int, Created]:
        record = body.record(index)
        begin = body.span(index)[0] + 5
        pose = body.data[begin : begin + (48 if self._wide else 24)]
        attributes = tuple(Attribute(each["type"], each["id"], each["value"]) for each in record["attributes"])
        return record["id"], Created(frame, record["type"], pose, record["uid"], record["blueprint"], attributes)

    def _delete(self, packet: Packet) -> None:
        gone = self._now.created.keys() & packet.decoded.actors
        if gone:
            where = dict(self._now.where)
            self._forget(gone, where)
            self._set(created=_without(self._now.created, gone), where=_without(where, gone))

    def _forget(self, gone: set[int], where: dict[int, bytes]) -> None:
        """Drop what is known of actors; what is attached to them stays where it is now: that goes into `where`."""
        now = self._now
        loose = {child for child, link in now.links.items() if link.parent in gone}
        where.update({child: self._stored(now.pose(child)) for child in loose})
        self._set(
            links=_without(now.links, gone | loose),
            held={kind: _without(held, gone) for kind, held in now.held.items()},
            doors=_without(now.doors, gone),
        )

    def _turn_doors(self, packet: Packet) -> None:
        doors = dict(self._now.doors)
        for actor, door, is_open in packet.array.tolist():
            if actor in self._now.created and door <= ALL_DOORS:
                now = doors.get(actor, SHUT)
                doors[actor] = tuple(bool(is_open) if door in (each, ALL_DOORS) else now[each] for each in range(DOORS))
        self._set(doors=doors)

    # --- records of the found frame -----------------------------------------------------------------------

    def _apply(self, told: Mapping[str, Records]) -> None:
        previous, self._positions = self._positions, told.get("Position", {})
        told = {kind: self._living(records) for kind, records in told.items()}
        positions = told.get("Position", {})
        where = {**self._now.where, **positions}
        self._set(shown=True, told=told, held=self._held(told), where=where, previous=previous)
        for child in self._now.links.keys() & positions.keys():
            self._settle(child, self._now.links[child].parent)

    def _living(self, records: Records) -> Records:
        created = self._now.created
        if records.keys() <= created.keys():
            return records
        return {actor: each for actor, each in records.items() if actor in created}

    def _held(self, told: Mapping[str, Records]) -> Mapping[str, Records]:
        """The last records of each kind, with these the newest."""
        held = dict(self._now.held)
        for kind, records in told.items():
            before = held.get(kind, {})
            held[kind] = records if before.keys() <= records.keys() else {**before, **records}
        return held

    def _attach(self, pairs: list[tuple[int, int]]) -> None:
        """Attach actors with the relative place kept: that of an actor without a parent is its place in the world."""
        for child, parent in pairs:
            now = self._now
            if not self._can_attach(child, parent):
                continue
            link = now.links.get(child)
            if link is None:
                offset = numbers(now.where[child])
            elif link.parent_then is None:
                offset = link.child_then
            else:
                offset = relative(link.parent_then, link.child_then)
            self._set(links={**now.links, child: Link(parent, offset, None)})

    def _attach_in_place(self, pairs: list[tuple[int, int]]) -> None:
        """Attach actors where they are in the world after a frame."""
        for child, parent in pairs:
            now = self._now
            if not self._can_attach(child, parent):
                continue
            if child in now.links and child not in now.told.get("Position", ()):
                self._set(where={**now.where, child: self._stored(now.pose(child))})
            self._set(links=_without(now.links, {child}))
            self._settle(child, parent)

    def _can_attach(self, child: int, parent: int) -> bool:
        created = self._now.created
        return child in created and parent in created and not self._is_above(child, parent)

    def _settle(self, child: int, parent: int) -> None:
        """Take the place that was told last of a child as its place on a parent."""
        now = self._now
        place = numbers(now.where[child])
        parent_then = None if now.positions_are_offsets else now.pose(parent)
        self._set(links={**now.links, child: Link(parent, place, parent_then)})

    def _is_above(self, actor: int, other: int) -> bool:
        """Whether the other is the actor itself or attached to it, over any number of others."""
        while other != actor and other in self._now.links:
            other = self._now.links[other].parent
        return other == actor

    def _stored(self, pose: Pose) -> bytes:
        with np.errstate(invalid="ignore", over="ignore"):
            return pose.astype("<f8" if self._wide else "<f4").tobytes()


def is_read(kind: PacketType, *, is_found: bool) -> bool:
    """Whether the replayer takes in a packet of a frame that passes, or is the found one."""
    return kind.replayed == "run" or (is_found and kind.replayed == "applied")


def by_id(body: Body) -> dict[int, bytes]:
    """The whole records of a body by the id they begin with, without it; the last where an id occurs twice."""
    if not len(body):
        return {}
    size = body.type.record.size
    if size is None:
        spans = (body.span(index) for index in range(len(body)))
        return {int.from_bytes(body.data[a : a + 4], "little"): body.data[a + 4 : b] for a, b in spans}
    parts = np.frombuffer(body.data, [("id", "<u4"), ("rest", f"V{size - 4}")], len(body), body.span(0)[0])
    return dict(parts.tolist())


def _without(of: Mapping[int, _Value], gone: set[int]) -> Mapping[int, _Value]:
    return of if gone.isdisjoint(of) else {actor: each for actor, each in of.items() if actor not in gone}
