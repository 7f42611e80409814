"""Export of trajectories as OpenSCENARIO XML, as the standard has it or as a player wants it.

Recorded poses are written point by point with their times, mirrored into the standard's right-handed axes, in groups of
actors with a bounded number of points. The reference point of an entity is the origin of the CARLA actor. Actors that
do not move get an initial position and no trajectory.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element

import numpy as np

from ..arrays import FloatArray, IndexArray, Int32Array, StructuredArray, run_ends, run_starts
from ..edits.blueprints import TYPICAL_SIZES
from ..errors import RecorderError
from ..format import Field
from ..option_specs import OptionSpec, option
from ..progress import SILENT, Progress
from ..reading import Actors, Life, SelectorError, Subset, Tracks
from ..reading.lives import Box
from ..reading.tracks import speeds_in
from ..recording import Snapshot, atomic_write
from ..texts import N_, listed, say, say_count
from . import openscenario_xml as xml
from .contents import Contents
from .export_format import ExportFormat, ExportPreview, ExportSource, FileBeside
from .tables.values import block_of
from .text_file import write_pieces

_POSE = ("x", "y", "z", "roll", "pitch", "yaw")
_AS_STANDARD = [0, 1, 2, 5, 4, 3]  # of the columns of a pose: x, y, z, heading, pitch, roll
_GROUP = 1 << 20  # points in memory together
_ROWS = 1 << 14  # formatted together
_POINT_SIZE = 215  # mean bytes of a point, between 190 and 225 in real recordings

_CATEGORIES = {
    "motorcycle": "motorbike",
    "bicycle": "bicycle",
    "bus": "bus",
    "truck": "truck",
    "van": "van",
    "car": "car",
}
"""CARLA's `base_type` attribute (since 0.9.14) as a category of the standard."""

_NO_TOWN = ("", "OpenDriveMap")  # what a recording calls a world that was made of a road map

_BICYCLES = ("vehicle.bh.crossbike", "vehicle.diamondback.century", "vehicle.gazelle.omafiets")


class ScenarioError(RecorderError):
    """No scenario can be made of the chosen actors and frames, or for the chosen player."""


class ScenarioStyle(NamedTuple):
    """How a scenario is written.

    Attributes:
        player: The player that it is for, `scenariorunner` or `esmini`; empty: any.
        version: The version of the standard.
        tolerance: How far thinned paths may be from the recorded ones, m; 0: they have all points.
    """

    player: str = ""
    version: str = "1.1"
    tolerance: float = 0.0

    @property
    def is_runner(self) -> bool:
        """Whether it is for ScenarioRunner."""
        return self.player == RUNNER.player


RUNNER = ScenarioStyle(player="scenariorunner", version="1.0", tolerance=0.1)
STANDARD = ScenarioStyle()


@dataclass(frozen=True)
class ScenarioOptions:
    """What may be chosen of a scenario; what is None is as the player wants it.

    Attributes:
        player: The player that the scenario is for: `scenariorunner` or `esmini`.
        version: The version of the standard.
        tolerance: How far thinned paths may be from the recorded ones, in metres.
    """

    player: str | None = option(
        None,
        OptionSpec(
            flag="--for",
            kind="choice",
            label=N_("Player"),
            hint=N_("Any"),
            choices={"scenariorunner": "ScenarioRunner", "esmini": "esmini"},
            help=N_("the program that it is for: a scenario gets the version, the map and the points that it reads"),
        ),
    )
    version: str | None = option(
        None,
        OptionSpec(
            flag="--version",
            kind="choice",
            label=N_("Version"),
            hint=N_("Automatic"),
            choices={"1.0": "1.0", "1.1": "1.1", "1.2": "1.2", "1.3": "1.3"},
            help=N_("the version of OpenSCENARIO; else 1.1, or 1.0 for ScenarioRunner"),
        ),
    )
    tolerance: float | None = option(
        None,
        OptionSpec(
            flag="--tolerance",
            kind="unsigned",
            metavar="M",
            label=N_("Tolerance"),
            hint=N_("Automatic"),
            unit="m",
            step=0.1,
            help=N_(
                "thin paths out, so that they stay within so many metres at any time; else all points are written, "
                "or 0.1 for ScenarioRunner"
            ),
        ),
    )


def scenario_style(options: ScenarioOptions) -> ScenarioStyle:
    """Complete what was chosen of a scenario by what the player wants.

    Raises:
        SelectorError: The player reads no such version.
    """
    usual = RUNNER if options.player == RUNNER.player else STANDARD
    if usual is RUNNER and options.version not in (None, RUNNER.version):
        raise SelectorError(say("ScenarioRunner reads OpenSCENARIO 1.0 only."))
    tolerance = options.tolerance
    if tolerance is None:
        tolerance = usual.tolerance
    return ScenarioStyle(player=options.player or "", version=options.version or usual.version, tolerance=tolerance)


class OpenScenario(ExportFormat[ScenarioOptions]):
    """OpenSCENARIO XML."""

    name = "xosc"
    title = "OpenSCENARIO"
    suffixes = (".xosc",)
    options = ScenarioOptions
    contents = N_("Trajectories of moving actors; there is no table")

    def preview(
        self, source: ExportSource, options: ScenarioOptions, suffix: str, rows: int, progress: Progress
    ) -> ExportPreview:
        """Show the entities; all positions are read."""
        return preview_scenario(source.snapshot, source.subset, scenario_style(options), progress).preview(rows)

    def write(
        self, source: ExportSource, options: ScenarioOptions, target: Path, *, overwrite: bool, progress: Progress
    ) -> tuple[FileBeside, ...]:
        """Write the scenario, atomically."""
        style = scenario_style(options)
        with atomic_write(target, overwrite=overwrite) as stream:
            pieces = scenario(source.snapshot, source.subset, progress, style=style, folder=target.parent)
            write_pieces(stream, pieces, progress)
        return ()


@dataclass(slots=True)
class _Entity:
    """One life in the scenario.

    Attributes:
        life: The life.
        first_frame: The first chosen frame in which it has a pose.
        first: Its pose there, as in `_Poses`, float64[6].
        records: The number of its poses.
        moves: Whether a later pose differs from the first.
        name: Its name in the scenario.
    """

    life: Life
    first_frame: int
    first: FloatArray
    records: int = 0
    moves: bool = False
    name: str = ""


class _Poses(NamedTuple):
    """Recorded poses, ordered by life and frame.

    Attributes:
        lives: Index of the life of each, int32[n].
        frames: The frame of each, int32[n].
        poses: x, y, z (m), roll, pitch, yaw (degrees) as CARLA has them, float64[n, 6].
    """

    lives: Int32Array
    frames: Int32Array
    poses: FloatArray


def scenario(
    snapshot: Snapshot,
    subset: Subset,
    progress: Progress = SILENT,
    *,
    style: ScenarioStyle = STANDARD,
    folder: Path | None = None,
) -> Iterator[bytes]:
    """Yield the XML in pieces; time begins with the first chosen frame.

    Args:
        snapshot: The state of the recording.
        subset: The chosen actors and frames; without a choice of actors all vehicles and walkers, and props that move.
        progress: Counts records.
        style: How the scenario is written.
        folder: The folder of the scenario; the path of a road map that lies in there begins with it.

    Raises:
        ScenarioError: Time does not rise, no actor has a position, or the player needs a map.
        Cancelled: The user stopped it.
        OSError: The recording cannot be read.
    """
    cast = _Cast(snapshot, subset, style, progress.quiet())
    first = subset.frames[0]
    start = _time_condition(float(cast.times[first]), style)
    stop = _time_condition(float(cast.times[subset.frames[-1]]), style)
    before_objects, before_actions, before_groups, last = _document(
        snapshot, style, folder=folder, start=start, stop=stop
    )
    yield before_objects.encode()
    for entity in cast.entities:
        yield cast.entity_text(entity).encode()
    yield before_actions.encode()
    speeds = _initial_speeds(snapshot, first) if style.is_runner else {}
    for entity in cast.entities:
        (position,) = _positions(entity.first[None], style)
        speed = 0.0  # what moves later stands still until then
        if entity.moves and entity.first_frame == first:
            speed = speeds.get(entity.life.actor, 0.0)
        yield xml.private(entity.name, xml.WorldPosition(*position), speed).encode()
    yield before_groups.encode()
    if cast.movers:
        yield from _maneuver_groups(cast, progress)
    else:
        yield xml.empty_maneuver_group().encode()
    yield last.encode()


def _initial_speeds(snapshot: Snapshot, frame: int) -> dict[int, float]:
    """Return the speed over the ground in a frame, m/s, by actor; what falls does not drive."""
    speeds = speeds_in(snapshot, snapshot.frame(frame))
    kinematics = Tracks(snapshot).kinematics(frames=range(frame, frame + 1))
    with np.errstate(over="ignore", invalid="ignore"):
        over_ground = np.hypot(kinematics["vx"], kinematics["vy"])
    horizontal = dict(zip(kinematics["id"].tolist(), over_ground.tolist(), strict=True))
    return {actor: min(speed, horizontal.get(actor, speed)) for actor, speed in speeds.items()}


def _positions(poses: FloatArray, style: ScenarioStyle) -> list[list[float]]:
    """Return poses (as in `_Poses`) as values of a `WorldPosition`: x forward, y to the left, z up, pitch nose down."""
    # ScenarioRunner takes pitch as CARLA has it: nose up.
    pitch_sign = 1 if style.is_runner else -1
    turned = poses * (1, -1, 1, 1, pitch_sign, -1)
    turned[:, 3:] = np.radians(turned[:, 3:])
    turned += 0.0  # turns minus zero into zero, for readers of the file
    positions: list[list[float]] = turned[:, _AS_STANDARD].tolist()
    return positions


def _thinned(times: FloatArray, poses: FloatArray, tolerance: float) -> IndexArray:
    """Return the points to keep: straight and even motion between them is at any time within the tolerance.

    A path is thinned in pieces of `_ROWS` points, so that long ones take no longer for a point than short ones.

    Args:
        times: When the points are, s, float64[n].
        poses: The points, as in `_Poses`, float64[n, 6].
        tolerance: Metres.

    Returns:
        Indices, rising.
    """
    kept = {*range(0, len(times), _ROWS), len(times) - 1}
    pieces = list(pairwise(sorted(kept)))
    while pieces:
        begin, end = pieces.pop()
        if end - begin <= 1:
            continue
        share = (times[begin : end + 1] - times[begin]) / (times[end] - times[begin])
        straight = poses[begin, :3] + share[:, None] * (poses[end, :3] - poses[begin, :3])
        off = np.linalg.norm(poses[begin : end + 1, :3] - straight, axis=1)
        worst = begin + int(off[1:-1].argmax()) + 1
        if off[worst - begin] > tolerance:
            kept.add(worst)
            pieces.append((begin, worst))
            pieces.append((worst, end))
    return np.array(sorted(kept))


_ENTITY_COLUMNS = (
    Field("entity", "str", N_("Name of the entity")),
    Field("id", "u32", N_("Id of the actor"), actor=True),
    Field("blueprint", "str", N_("Blueprint of the actor")),
    Field("category", "str", N_("What the standard calls it")),
    Field("first_s", "f64", N_("When it first exists, from the beginning of the scenario"), unit="s"),
    Field("points", "u32", N_("Points of its trajectory; 0 for those that do not move")),
)


def preview_scenario(
    snapshot: Snapshot, subset: Subset, style: ScenarioStyle = STANDARD, progress: Progress = SILENT
) -> Contents:
    """Return the entities that `scenario` would write; all positions are read.

    Args:
        snapshot: As of `scenario`.
        subset: As of `scenario`.
        style: As of `scenario`.
        progress: Counts frames.

    Raises:
        ScenarioError: As `scenario`.
        Cancelled: The user stopped it.
        OSError: The recording cannot be read.
    """
    _logic_file(snapshot, style, None)  # says so where the player lacks a map
    cast = _Cast(snapshot, subset, style, progress.quiet())
    points = {entity.name: entity.records for entity in cast.movers}
    if style.tolerance:
        points = {}
        for entity, times, _ in cast.trajectories(progress.quiet()):
            points[entity.name] = len(times)
    rows = []
    size = 0
    for entity in cast.entities:
        count = points.get(entity.name, 0)
        size += len(cast.entity_text(entity)) + count * _POINT_SIZE
        rows.append(
            (
                entity.name,
                entity.life.actor,
                entity.life.blueprint,
                category_of(entity.life),
                cast.times[entity.first_frame],
                count,
            )
        )
    entities_text = say_count("1 entity", "{count:,} entities", count=len(rows))
    points_text = say_count("1 point of paths", "{count:,} points of paths", count=sum(points.values()))
    amount = listed((entities_text, points_text), "clauses")
    return Contents(_ENTITY_COLUMNS, block_of(_ENTITY_COLUMNS, rows), size, amount)


# --- entities and times -----------------------------------------------------------------------------------


def _times(snapshot: Snapshot, frames: range) -> FloatArray:
    """Return the seconds from the first of the frames, for every frame of the recording.

    Raises:
        ScenarioError: There is no frame, or time does not rise in the frames.
    """
    if not frames:
        raise ScenarioError(say("There is no frame to export."))
    elapsed = snapshot.elapsed
    chosen = elapsed[np.arange(frames.start, frames.stop, frames.step)]
    stuck = np.flatnonzero(~(chosen[1:] > chosen[:-1]))
    if len(stuck) or not np.isfinite(chosen).all():
        index = int(stuck[0]) + 1 if len(stuck) else 0
        frame = frames[index] + 1
        raise ScenarioError(
            say(
                "Time does not rise at frame {frame}, and a trajectory needs rising times. "
                "Retime the recording, or choose other frames.",
                frame=frame,
            ),
            frame=frame,
        )
    with np.errstate(all="ignore"):
        since: FloatArray = elapsed - chosen[0]
    return since


class _Cast:
    """The chosen actors.

    Attributes:
        style: How the scenario is written.
        times: Seconds from the first chosen frame, for every frame of the recording.
        entities: The chosen lives that have a pose, in their order.
        movers: Those of them that move.
    """

    def __init__(self, snapshot: Snapshot, subset: Subset, style: ScenarioStyle, progress: Progress) -> None:
        self.style = style
        self.times = _times(snapshot, subset.frames)
        self._actors = Actors.of(snapshot, progress)
        self._tracks = Tracks(snapshot)
        self._subset = subset
        self.entities = self._find_entities(progress)
        self.movers = [entity for entity in self.entities if entity.moves]

    def _find_entities(self, progress: Progress) -> list[_Entity]:
        by_life: dict[int, _Entity] = {}
        subset = self._subset
        for block in self._tracks.blocks("positions", subset.ids, subset.frames, progress=progress):
            track = self._read_poses([block])
            edges = np.append(np.flatnonzero(run_starts(track.lives)), len(track.lives))
            for head, tail in pairwise(edges.tolist()):
                life = self._actors.lives[int(track.lives[head])]
                frames = track.frames[head:tail]
                poses = track.poses[head:tail]
                entity = by_life.get(life.index)
                if entity is None:
                    entity = by_life[life.index] = _Entity(life, int(frames[0]), poses[0].copy())
                entity.records += tail - head
                entity.moves |= bool((poses[frames > entity.first_frame] != entity.first).any())
        entities = []
        for _, entity in sorted(by_life.items()):
            if subset.spans is not None or _is_road_user(entity):
                entities.append(entity)
        if not entities:
            raise ScenarioError(say("No chosen actor has a position in these frames."))
        _set_names(entities)
        return entities

    def _read_poses(self, blocks: Sequence[StructuredArray]) -> _Poses:
        """Return the finite poses of chosen lives; of several in one frame the last."""
        block = np.concatenate(blocks)
        lives = self._actors.indices_of(block["id"], block["frame"])
        chosen = self._subset.mask(block["id"], block["frame"])
        with np.errstate(invalid="ignore"):  # signalling NaN
            poses = np.stack([block[name].astype(np.float64) for name in _POSE], axis=1)
            poses[:, :3] /= 100
        keep = np.flatnonzero((lives >= 0) & chosen & np.isfinite(poses).all(axis=1))
        keep = keep[np.argsort(lives[keep], kind="stable")]
        lives = lives[keep]
        frames = block["frame"][keep]
        last = run_ends(lives, frames)
        return _Poses(lives[last], frames[last], poses[keep[last]])

    def trajectories(self, progress: Progress) -> Iterator[tuple[_Entity, FloatArray, FloatArray]]:
        """Yield entity, times (s) and poses (as in `_Poses`) of those that move, in their order; paths are thinned."""
        for group in self._groups():
            ids = sorted({entity.life.actor for entity in group})
            blocks = list(self._tracks.blocks("positions", ids, self._subset.frames, progress=progress))
            track = self._read_poses(blocks)
            for entity in group:
                begin, end = np.searchsorted(track.lives, (entity.life.index, entity.life.index + 1)).tolist()
                times = self.times[track.frames[begin:end]]
                poses = track.poses[begin:end]
                if self.style.tolerance:
                    kept = _thinned(times, poses, self.style.tolerance)
                    times = times[kept]
                    poses = poses[kept]
                yield entity, times, poses

    def _groups(self) -> list[list[_Entity]]:
        """Return the entities that move in groups; points of a group are in memory together."""
        groups: dict[int, list[_Entity]] = {}
        records = 0
        for entity in self.movers:
            records += entity.records
            groups.setdefault(records // _GROUP, []).append(entity)
        return list(groups.values())

    def entity_text(self, entity: _Entity) -> str:
        """Return the XML of an entity."""
        return _entity(entity, self._actors.boxes.get(entity.life.index), self.style)


def _is_road_user(entity: _Entity) -> bool:
    return entity.life.is_road_user or (entity.life.class_ == "prop" and entity.moves)


def _set_names(entities: Sequence[_Entity]) -> None:
    """Give every entity a unique name: `hero`, where there is one, `actor_174`, `actor_174_2` for a second life."""
    heroes = [entity for entity in entities if entity.life.is_hero]
    lives: dict[int, int] = {}
    for entity in entities:
        number = lives.get(entity.life.actor, 0) + 1
        lives[entity.life.actor] = number
        entity.name = f"actor_{entity.life.actor}"
        if number > 1:
            entity.name += f"_{number}"
    if len(heroes) == 1:
        heroes[0].name = "hero"


# --- XML --------------------------------------------------------------------------------------------------


def _map_name(snapshot: Snapshot) -> str:
    """Return the name of the map in the header; empty where it is none."""
    header = snapshot.header
    if header is not None and isinstance(header.map_name, str):
        return header.map_name
    return ""


def _document(
    snapshot: Snapshot, style: ScenarioStyle, folder: Path | None, start: Element, stop: Element
) -> list[str]:
    """Return the four parts of the file, as `openscenario_xml.document` makes them."""
    date = "1970-01-01T00:00:00Z"
    if snapshot.header is not None and snapshot.header.when is not None:
        date = snapshot.header.when.strftime("%Y-%m-%dT%H:%M:%SZ")
    description = "Trajectories of a CARLA recording"
    map_name = _map_name(snapshot)
    if map_name:
        description += f" of {map_name}"
    return xml.document(
        minor=style.version.removeprefix("1."),
        date=date,
        description=description,
        logic_file=_logic_file(snapshot, style, folder),
        start=start,
        stop=stop,
    )


def _logic_file(snapshot: Snapshot, style: ScenarioStyle, folder: Path | None) -> str:
    """Return what tells the roads: the file of the road map where one is known, else the name of the map.

    ScenarioRunner prefers the name of a town, which it loads with all that stands there; esmini reads only files.
    """
    map_name = _map_name(snapshot)
    town = map_name.rpartition("/")[2]
    if style.is_runner and town not in _NO_TOWN:
        return town
    if snapshot.road_file is None:
        if style.is_runner:
            raise ScenarioError(
                say("ScenarioRunner needs the name of a town or a road map (.xodr), and neither is known.")
            )
        if town and style.player == "esmini":
            return f"{town}.xodr"
        return map_name
    file = snapshot.road_file.resolve()
    if folder is not None and file.is_relative_to(folder.resolve()):
        file = file.relative_to(folder.resolve())
    return file.as_posix()


def _entity(entity: _Entity, box: Box | None, style: ScenarioStyle) -> str:
    life = entity.life
    category = category_of(life)
    centre, (length, width, height) = box_of(category, box)
    size = xml.Size(centre, length=length, width=width, height=height)
    properties = []
    if life.role_name:
        properties.append(("role_name", life.role_name))
    color = life.attribute("color")
    if color:
        properties.append(("color", color))
    if style.is_runner:
        properties.append(("type", "ego_vehicle" if life.is_hero else "simulation"))
    name = life.blueprint
    match category:
        case "pedestrian":
            return xml.pedestrian(entity=entity.name, name=name, size=size, properties=properties)
        case "none":
            return xml.misc_object(entity=entity.name, name=name, size=size, properties=properties)
    return xml.vehicle(entity=entity.name, name=name, category=category, size=size, properties=properties)


def category_of(life: Life) -> str:
    """Return the category of the standard; `none` if it is neither vehicle nor walker."""
    if life.class_ == "walker":
        return "pedestrian"
    if not life.is_road_user:
        return "none"
    base_type = (life.attribute("base_type") or "").lower()
    if base_type in _CATEGORIES:
        return _CATEGORIES[base_type]
    if life.class_ != "two-wheeler":
        return "car"
    if life.blueprint in _BICYCLES:
        return "bicycle"
    return "motorbike"


def box_of(category: str, box: Box | None) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """Return centre and size in the standard's axes.

    Args:
        category: The category of the standard.
        box: The recorded box, in centimetres; typical sizes are taken without a sound one.

    Returns:
        x, y, z of the centre, and length, width, height, m.
    """
    if box is not None and all(map(math.isfinite, box.origin + box.extent)) and min(box.extent) > 0:
        x, y, z = box.origin
        half_length, half_width, half_height = box.extent
        centre = (x / 100, -y / 100 + 0.0, z / 100)
        return centre, (half_length / 50, half_width / 50, half_height / 50)
    length, width, height = TYPICAL_SIZES[category]
    return (0.0, 0.0, height / 2), (length, width, height)


def _time_condition(seconds: float, style: ScenarioStyle) -> Element:
    """Return the condition that time has come to so many seconds; 1.0 knows only that it is past them."""
    if style.version == "1.0":
        return xml.past_time(seconds)
    return xml.from_time(seconds)


def _maneuver_groups(cast: _Cast, progress: Progress) -> Iterator[bytes]:
    """Yield the groups of maneuvers of all entities that move, in pieces; `progress` counts records."""
    style = cast.style
    done = 0
    total = sum(entity.records for entity in cast.movers)
    for entity, times, poses in cast.trajectories(progress.quiet()):
        before_points, after_points = xml.maneuver_group(
            entity.name,
            _time_condition(float(times[0]), style),
            is_relative=style.is_runner,
            has_reference=style.version != "1.0",
        )
        yield before_points.encode()
        if style.is_runner:  # it counts the times of a path from its beginning
            times = times - times[0]
        for begin in range(0, len(times), _ROWS):
            positions = _positions(poses[begin : begin + _ROWS], style)
            yield xml.vertices(times[begin : begin + _ROWS].tolist(), positions).encode()
        yield after_points.encode()
        done += entity.records
        progress.update(done, total)
