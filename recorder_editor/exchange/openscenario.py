"""Export of trajectories as OpenSCENARIO XML 1.1, which is valid 1.2 and 1.3 too.

Recorded poses are written point by point with their times, mirrored into the standard's right-handed axes, in groups of
actors with a bounded number of points. The reference point of an entity is the origin of the CARLA actor. Actors that
do not move get an initial position and no trajectory.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

import numpy as np

from ..arrays import FloatArray, Int32Array, StructuredArray, begins, ends
from ..errors import RecorderError
from ..format import Field
from ..progress import SILENT, Progress
from ..recording import Actors, Life, Snapshot, Subset, Tracks
from ..recording.lives import Box
from .blueprints import TYPICAL_SIZES
from .tables import Block
from .tables.table import columns_of
from .tables.values import block_of

_POSE = ("x", "y", "z", "roll", "pitch", "yaw")
_GROUP = 1 << 20  # points in memory together
_ROWS = 1 << 14  # formatted together
_POINT_SIZE = 215  # mean bytes of a point, between 190 and 225 in real recordings
_ROAD_USERS = ("vehicle", "two-wheeler", "walker")

_CATEGORIES = {"motorcycle": "motorbike"} | {name: name for name in ("bicycle", "bus", "truck", "van", "car")}
"""CARLA's `base_type` attribute (since 0.9.14) as a category of the standard."""

_EMPTY_MANEUVER_GROUP = (
    b'        <ManeuverGroup name="nobody" maximumExecutionCount="1"><Actors selectTriggeringEntities="false"/>'
    b"</ManeuverGroup>\n"
)
"""The story of a scenario in which nothing moves: the standard requires one."""

_BICYCLES = ("vehicle.bh.crossbike", "vehicle.diamondback.century", "vehicle.gazelle.omafiets")


class ScenarioError(RecorderError):
    """No scenario can be made of the chosen actors and frames."""


@dataclass(slots=True)
class _Entity:
    """One life in the scenario: its first pose, the number of its records, and whether it moves."""

    life: Life
    first_frame: int
    first: FloatArray
    records: int = 0
    moves: bool = False
    name: str = ""


class _Poses(NamedTuple):
    """Recorded poses, ordered by life and frame: indices of lives, frames, and x, y, z (m), roll, pitch, yaw (degrees)
    as CARLA has them, float64[n, 6]."""

    lives: Int32Array
    frames: Int32Array
    poses: FloatArray


def scenario(
    snapshot: Snapshot, subset: Subset, progress: Progress = SILENT, *, folder: Path | None = None
) -> Iterator[bytes]:
    """The XML in pieces: of the chosen actors, or of all vehicles and walkers, and props that move.

    The road network is the file of the road map where one is known, by its path from the `folder` of the scenario where
    it lies in there; else the name of the map. Time begins with the first chosen frame. Raises `ScenarioError` if time
    does not rise or no actor has a position, `Cancelled`, and errors of reading.
    """
    cast = _Cast(snapshot, subset, progress.quiet())
    movers = [entity for entity in cast.entities if entity.moves]
    yield from _file_header(snapshot, folder)
    yield from (cast.entity_text(entity).encode() for entity in cast.entities)
    yield b"  </Entities>\n  <Storyboard>\n    <Init>\n      <Actions>\n"
    yield from (_teleport_action(entity).encode() for entity in cast.entities)
    yield b"      </Actions>\n    </Init>\n"
    yield b'    <Story name="recording">\n      <Act name="recording">\n'
    yield from _maneuver_groups(cast, movers, progress) if movers else (_EMPTY_MANEUVER_GROUP,)
    yield f"        <StartTrigger>{_time_condition(0.0)}</StartTrigger>\n      </Act>\n    </Story>\n".encode()
    end = float(cast.times[subset.frames[-1]])
    yield f"    <StopTrigger>{_time_condition(end)}</StopTrigger>\n  </Storyboard>\n</OpenSCENARIO>\n".encode()


def vertices(times: FloatArray, poses: FloatArray) -> Iterator[bytes]:
    """The points of a polyline: metres and radians, x forward, y to the left, z up, pitch nose down.

    `times` are seconds, float64[n], `poses` as in `_Poses`.
    """
    for start in range(0, len(times), _ROWS):
        turned = poses[start : start + _ROWS] * (1, -1, 1, 1, -1, -1)
        turned[:, 3:] = np.radians(turned[:, 3:])
        # + 0.0 turns minus zero into zero, for readers of the file.
        rows = zip(times[start : start + _ROWS].tolist(), (turned + 0.0).tolist(), strict=True)
        yield "".join(
            f'<Vertex time="{time!r}"><Position><WorldPosition x="{x!r}" y="{y!r}" z="{z!r}" h="{h!r}" p="{p!r}" '
            f'r="{r!r}"/></Position></Vertex>\n'
            for time, (x, y, z, r, p, h) in rows
        ).encode()


class ScenarioPreview(NamedTuple):
    """The entities of a scenario, a row for each, and the estimated size of the file in bytes."""

    columns: tuple[Field, ...]
    block: Block
    size: int


def preview_scenario(snapshot: Snapshot, subset: Subset, progress: Progress = SILENT) -> ScenarioPreview:
    """The entities that `scenario` would write; all positions are read. Raises as `scenario`."""
    cast = _Cast(snapshot, subset, progress.quiet())
    columns = columns_of("scenario")
    points = [entity.records if entity.moves else 0 for entity in cast.entities]
    rows = [
        (each.name, each.life.actor, each.life.blueprint, _category(each.life), cast.times[each.first_frame], count)
        for each, count in zip(cast.entities, points, strict=True)
    ]
    size = sum(len(cast.entity_text(entity)) for entity in cast.entities) + sum(points) * _POINT_SIZE
    return ScenarioPreview(columns, block_of(columns, rows), size)


# --- entities and times -----------------------------------------------------------------------------------


def _times(snapshot: Snapshot, frames: range) -> FloatArray:
    """Seconds from the first of the frames, for every frame of the recording."""
    if not frames:
        raise ScenarioError("There is no frame to make a scenario of.")
    elapsed = snapshot.elapsed
    chosen = elapsed[np.arange(frames.start, frames.stop, frames.step)]
    stuck = np.flatnonzero(~(chosen[1:] > chosen[:-1]))
    if len(stuck) or not np.isfinite(chosen).all():
        frame = frames[int(stuck[0]) + 1 if len(stuck) else 0] + 1
        raise ScenarioError(
            f"Time does not rise at frame {frame}, and a trajectory needs rising times. Retime the recording, or "
            "choose other frames.",
            frame=frame,
        )
    with np.errstate(all="ignore"):
        since: FloatArray = elapsed - chosen[0]
    return since


class _Cast:
    """The chosen actors. Attributes: `times` (s, of all frames), `entities`."""

    def __init__(self, snapshot: Snapshot, subset: Subset, progress: Progress) -> None:
        self.times = _times(snapshot, subset.frames)
        self._actors, self._tracks, self._subset = Actors.of(snapshot, progress), Tracks(snapshot), subset
        self.entities = self._find_entities(progress)

    def _find_entities(self, progress: Progress) -> list[_Entity]:
        found: dict[int, _Entity] = {}
        subset = self._subset
        for block in self._tracks.blocks("positions", subset.ids, subset.frames, progress=progress):
            track = self._read_poses(block)
            heads = np.flatnonzero(begins(track.lives))
            for head, tail in zip(heads.tolist(), [*heads[1:].tolist(), len(track.lives)], strict=False):
                life = self._actors.lives[int(track.lives[head])]
                frames, poses = track.frames[head:tail], track.poses[head:tail]
                entity = found.setdefault(life.index, _Entity(life, int(frames[0]), poses[0].copy()))
                entity.records += tail - head
                entity.moves |= bool((poses[frames > entity.first_frame] != entity.first).any())
        entities = [entity for _, entity in sorted(found.items()) if subset.spans is not None or _is_road_user(entity)]
        if not entities:
            raise ScenarioError("No chosen actor has a position in these frames.")
        _set_names(entities)
        return entities

    def _read_poses(self, *blocks: StructuredArray) -> _Poses:
        """The finite poses of chosen lives; of several in one frame the last."""
        block = np.concatenate(blocks)
        lives, chosen = (
            self._actors.indices_of(block["id"], block["frame"]),
            self._subset.mask(block["id"], block["frame"]),
        )
        with np.errstate(invalid="ignore"):  # signalling NaN
            poses = np.stack([block[name].astype(np.float64) for name in _POSE], axis=1)
            poses[:, :3] /= 100
        keep = np.flatnonzero((lives >= 0) & chosen & np.isfinite(poses).all(axis=1))
        keep = keep[np.argsort(lives[keep], kind="stable")]
        lives, frames = lives[keep], block["frame"][keep]
        last = ends(lives, frames)
        return _Poses(lives[last], frames[last], poses[keep[last]])

    def trajectories(
        self, entities: Sequence[_Entity], progress: Progress
    ) -> Iterator[tuple[_Entity, FloatArray, FloatArray]]:
        """(entity, times, poses) of each entity, in their order."""
        for group in _groups(entities):
            ids = sorted({entity.life.actor for entity in group})
            track = self._read_poses(*self._tracks.blocks("positions", ids, self._subset.frames, progress=progress))
            for entity in group:
                begin, end = np.searchsorted(track.lives, (entity.life.index, entity.life.index + 1)).tolist()
                yield entity, self.times[track.frames[begin:end]], track.poses[begin:end]

    def entity_text(self, entity: _Entity) -> str:
        """The XML of an entity."""
        return _entity(entity, self._actors.boxes.get(entity.life.index))


def _is_road_user(entity: _Entity) -> bool:
    class_ = entity.life.class_
    return class_ in _ROAD_USERS or (class_ == "prop" and entity.moves)


def _set_names(entities: Sequence[_Entity]) -> None:
    """Give every entity a unique name: `hero`, where there is one, `actor_174`, `actor_174_2` for a second life."""
    heroes = [entity for entity in entities if entity.life.is_hero]
    lives: dict[int, int] = {}
    for entity in entities:
        number = lives[entity.life.actor] = lives.get(entity.life.actor, 0) + 1
        entity.name = f"actor_{entity.life.actor}" + (f"_{number}" if number > 1 else "")
    if len(heroes) == 1:
        heroes[0].name = "hero"


def _groups(entities: Sequence[_Entity]) -> Iterator[list[_Entity]]:
    group: list[_Entity] = []
    for entity in entities:
        if group and sum(each.records for each in group) + entity.records > _GROUP:
            yield group
            group = []
        group.append(entity)
    if group:
        yield group


# --- XML --------------------------------------------------------------------------------------------------


def _text(value: str) -> str:
    """An attribute value in quotes; characters that XML 1.0 does not allow are replaced."""
    return quoteattr(re.sub("[\x00-\x1f\ufffe\uffff\ud800-\udfff]", "\ufffd", value))


def _file_header(snapshot: Snapshot, folder: Path | None) -> Iterator[bytes]:
    header = snapshot.header
    when = header.when if header is not None else None
    date = when.strftime("%Y-%m-%dT%H:%M:%SZ") if when is not None else "1970-01-01T00:00:00Z"
    map_name = header.map_name if header is not None and isinstance(header.map_name, str) else ""
    about = f"Trajectories of a CARLA recording{f' of {map_name}' if map_name else ''}"
    logic_file = _road_file(snapshot, folder) or map_name
    road = f"<LogicFile filepath={_text(logic_file)}/>" if logic_file else ""
    yield (
        '<?xml version="1.0" encoding="UTF-8"?>\n<OpenSCENARIO>\n'
        f'  <FileHeader revMajor="1" revMinor="1" date="{date}" author="Recorder Editor" description={_text(about)}/>\n'
        f"  <CatalogLocations/>\n  <RoadNetwork>{road}</RoadNetwork>\n  <Entities>\n"
    ).encode()


def _road_file(snapshot: Snapshot, folder: Path | None) -> str:
    """The path of the road map's file; empty where none is known."""
    if snapshot.road_file is None:
        return ""
    file = snapshot.road_file.resolve()
    if folder is not None and file.is_relative_to(folder.resolve()):
        file = file.relative_to(folder.resolve())
    return file.as_posix()


def _entity(entity: _Entity, box: Box | None) -> str:
    life = entity.life
    category = _category(life)
    (x, y, z), (length, width, height) = _box(category, box)
    kept = [("role_name", life.role_name), ("color", life.attribute("color") or "")]
    properties = "".join(f"<Property name={_text(name)} value={_text(value)}/>" for name, value in kept if value)
    bounds = (
        f'<BoundingBox><Center x="{x!r}" y="{y!r}" z="{z!r}"/>'
        f'<Dimensions width="{width!r}" length="{length!r}" height="{height!r}"/></BoundingBox>'
    )
    kind, values, inner = "Vehicle", f'vehicleCategory="{category}"', ""
    if category == "pedestrian":
        kind, values = "Pedestrian", f'model={_text(life.blueprint)} mass="80.0" pedestrianCategory="pedestrian"'
    elif category == "none":
        kind, values = "MiscObject", 'mass="0.0" miscObjectCategory="none"'
    else:
        inner = '<Performance maxSpeed="70.0" maxAcceleration="10.0" maxDeceleration="10.0"/>'
        inner += _axles(category, x, length, width)
    text = (
        f"<{kind} name={_text(life.blueprint)} {values}>{bounds}{inner}<Properties>{properties}</Properties></{kind}>"
    )
    return f'    <ScenarioObject name="{entity.name}">{text}</ScenarioObject>\n'


def _category(life: Life) -> str:
    """The category of the standard; `none` if it is neither vehicle nor walker."""
    if life.class_ == "walker":
        return "pedestrian"
    if life.class_ not in _ROAD_USERS:
        return "none"
    known = _CATEGORIES.get((life.attribute("base_type") or "").lower())
    if known is not None:
        return known
    if life.class_ == "two-wheeler":
        return "bicycle" if life.blueprint in _BICYCLES else "motorbike"
    return "car"


def _box(category: str, box: Box | None) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """Centre and size in metres, in the standard's axes; typical ones if none were recorded."""
    if box is not None and all(map(math.isfinite, box.origin + box.extent)) and min(box.extent) > 0:
        x, y, z = box.origin
        length, width, height = (side / 50 for side in box.extent)  # half sizes in centimetres
        return (x / 100, -y / 100 + 0.0, z / 100), (length, width, height)
    length, width, height = TYPICAL_SIZES[category]
    return (0.0, 0.0, height / 2), (length, width, height)


def _axles(category: str, middle: float, length: float, width: float) -> str:
    """Axles at typical positions; recordings do not have them."""
    wheel = 0.7 if category in ("bicycle", "motorbike", "car", "van") else 1.0
    axles = (("FrontAxle", 0.5, middle + 0.3 * length), ("RearAxle", 0.0, middle - 0.3 * length))
    made = (
        f'<{name} maxSteering="{steering}" wheelDiameter="{wheel}" trackWidth="{0.85 * width!r}" '
        f'positionX="{place!r}" positionZ="{wheel / 2}"/>'
        for name, steering, place in axles
    )
    return f"<Axles>{''.join(made)}</Axles>"


def _teleport_action(entity: _Entity) -> str:
    """The action that puts an entity at its first pose."""
    point = next(vertices(np.zeros(1), entity.first[None]))
    position = point[point.index(b"<Position>") : point.rindex(b"</Vertex>")].decode()
    return (
        f'        <Private entityRef="{entity.name}"><PrivateAction><TeleportAction>{position}</TeleportAction>'
        "</PrivateAction></Private>\n"
    )


def _time_condition(seconds: float) -> str:
    return (
        '<ConditionGroup><Condition name="time" delay="0.0" conditionEdge="none"><ByValueCondition>'
        f'<SimulationTimeCondition value="{seconds!r}" rule="greaterOrEqual"/>'
        "</ByValueCondition></Condition></ConditionGroup>"
    )


def _maneuver_groups(cast: _Cast, movers: Sequence[_Entity], progress: Progress) -> Iterator[bytes]:
    total = sum(entity.records for entity in movers)
    done = 0
    for entity, times, poses in cast.trajectories(movers, progress.quiet()):
        name = entity.name
        yield (
            f'        <ManeuverGroup name="{name}" maximumExecutionCount="1">\n'
            f'          <Actors selectTriggeringEntities="false"><EntityRef entityRef="{name}"/></Actors>\n'
            f'          <Maneuver name="{name}"><Event name="{name}" priority="parallel" maximumExecutionCount="1">'
            f'<Action name="{name}"><PrivateAction><RoutingAction><FollowTrajectoryAction>\n'
            f'<TrajectoryRef><Trajectory name="{name}" closed="false"><Shape><Polyline>\n'
        ).encode()
        yield from vertices(times, poses)
        yield (
            "</Polyline></Shape></Trajectory></TrajectoryRef>\n"
            '<TimeReference><Timing domainAbsoluteRelative="absolute" scale="1.0" offset="0.0"/></TimeReference>'
            '<TrajectoryFollowingMode followingMode="position"/>'
            "</FollowTrajectoryAction></RoutingAction></PrivateAction></Action>"
            f"<StartTrigger>{_time_condition(float(times[0]))}</StartTrigger></Event></Maneuver>\n"
            "        </ManeuverGroup>\n"
        ).encode()
        done += entity.records
        progress.update(done, total)
