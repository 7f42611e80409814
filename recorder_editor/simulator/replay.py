"""Replays in a running simulator, and the programs in Python that replay elsewhere."""

import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from .. import resources
from ..edits.convert import EVERY, NEAREST, Renaming, convert
from ..edits.convert.packet_map import PacketMap
from ..errors import EditError
from ..format import DIALECTS, Dialect
from ..option_specs import OptionSpec, option
from ..progress import SILENT, Progress
from ..reading import Actors
from ..reading.selectors import find_actors
from ..recording import Snapshot
from ..recording.save import save_copy
from ..recording.store import state_folder
from ..texts import N_, say
from .server import NoSimulator, Server, ask

_RELEASE = re.compile(r"(\d+(?:\.\d+)+)(?:-dirty)?")
_OFFSET = "offset=carla.Transform(carla.Location(x=-10, z=5), carla.Rotation(pitch=-25))"
_CM = 100


class Replay(NamedTuple):
    """How a recording is replayed.

    Attributes:
        start: Where it begins, in s; below 0: before the end.
        duration: How long it lasts, in s; 0: to the end.
        follow: The id of the actor that the view follows; 0: none.
        sensors: Sensors are created, too.
        ignore_hero: The hero is not replayed.
        ignore_spectator: The view stays where it is.
        time_factor: How fast it is.
    """

    start: float = 0.0
    duration: float = 0.0
    follow: int = 0
    sensors: bool = False
    ignore_hero: bool = False
    ignore_spectator: bool = False
    time_factor: float = 1.0

    @classmethod
    def chosen(cls, options: "ReplayOptions", snapshot: Snapshot) -> "Replay":
        """Make a replay of what was chosen.

        Raises:
            SelectorError: There is no such actor to follow.
            EditError: The recording has no frame.
        """
        if not len(snapshot.elapsed):
            raise EditError(say("There is no frame to replay."))
        actor = 0
        if options.follow:
            actor = find_actors(snapshot, [options.follow])[0].actor
        return cls(
            start=options.start,
            duration=options.duration,
            follow=actor,
            sensors=options.sensors,
            ignore_hero=options.ignore_hero,
            ignore_spectator=options.ignore_spectator,
            time_factor=options.time_factor,
        )

    @property
    def settings(self) -> dict[str, object]:
        """What the replayer is set to, by the functions of the client."""
        return {
            "set_replayer_ignore_hero": self.ignore_hero,
            "set_replayer_ignore_spectator": self.ignore_spectator,
            "set_replayer_time_factor": self.time_factor,
        }

    def call(self, path: Path, dialect: Dialect) -> str:
        """Return the lines that replay a file, with everything that `replay_file` of the dialect's release takes."""
        default_settings = Replay().settings
        lines = []
        for name, value in self.settings.items():
            if value != default_settings[name]:
                lines.append(f"client.{name}({value})")
        arguments = [repr(str(path.absolute())), f"{self.start:.3f}", f"{self.duration:.3f}", str(self.follow)]
        if dialect.replays_sensors:
            arguments.append(f"replay_sensors={self.sensors}")
        is_newest = dialect.family == "newest"
        if is_newest or dialect.header_version == 2:
            arguments.append(_OFFSET)
        if is_newest:
            arguments.append("replay_weather=False")
            arguments.append("map_override=''")
        lines.append(f"client.replay_file({', '.join(arguments)})")
        return "\n".join(lines)


Remedy = Literal["", "convert", "load_map"]
"""The option that overcomes an obstacle; empty if none is needed."""


@dataclass(frozen=True)
class ReplayOptions:
    """What may be chosen of a replay.

    Attributes:
        host: The machine on which the simulator runs.
        port: The port at which it answers.
        start: Where the replay begins, in seconds; below 0 before the end.
        duration: How long it lasts, in seconds; 0 to the end.
        follow: The actor that the view follows, as a selector.
        sensors: Recorded sensors are created.
        ignore_hero: The hero is not replayed.
        ignore_spectator: The view stays where it is.
        time_factor: How fast it is.
        load_map: The map of the recording is loaded where another one is shown.
        convert: A converted copy is replayed where the recording would be misread.
    """

    host: str = option(
        "localhost",
        OptionSpec(
            flag="--host",
            kind="text",
            metavar="HOST",
            label=N_("Host"),
            help=N_("the machine on which the simulator runs (default localhost)"),
        ),
    )
    port: int = option(
        2000, OptionSpec(flag="--port", kind="count", metavar="N", label=N_("Port"), help=N_("its port (default 2000)"))
    )
    start: float = option(
        0.0,
        OptionSpec(
            flag="--from",
            kind="time",
            metavar="S",
            label=N_("Start"),
            unit="s",
            note=N_("negative: so long before the end"),
            help=N_("start: a time (12.5, 0:12.5); below 0: before the end (default 0)"),
        ),
    )
    duration: float = option(
        0.0,
        OptionSpec(
            flag="--duration",
            kind="unsigned",
            metavar="S",
            label=N_("Duration"),
            unit="s",
            note=N_("0: to the end"),
            help=N_("how many seconds; 0: to the end (default 0)"),
        ),
    )
    follow: str | None = option(
        None,
        OptionSpec(
            flag="--follow",
            kind="text",
            metavar="ACTOR",
            label=N_("Follow"),
            hint=N_("ID, hero, role:NAME"),
            note=N_("the view follows it; empty: no actor"),
            help=N_("the actor that the view follows: ID, hero, role:NAME"),
        ),
    )
    sensors: bool = option(
        False,
        OptionSpec(
            flag="--sensors",
            kind="switch",
            label=N_("Sensors"),
            note=N_("creates the recorded sensors, too; without it none is made"),
            help=N_("create the recorded sensors, too"),
        ),
    )
    ignore_hero: bool = option(
        False,
        OptionSpec(
            flag="--ignore-hero",
            kind="switch",
            label=N_("Ignore hero"),
            note=N_("leaves the hero out, for one that is driven meanwhile"),
            help=N_("do not replay the hero"),
        ),
    )
    ignore_spectator: bool = option(
        False,
        OptionSpec(
            flag="--ignore-spectator",
            kind="switch",
            label=N_("Ignore spectator"),
            note=N_("leaves the view where it is"),
            help=N_("leave the view where it is, not where it was recorded"),
        ),
    )
    time_factor: float = option(
        1.0,
        OptionSpec(
            flag="--time-factor",
            kind="unsigned",
            metavar="X",
            label=N_("Speed"),
            unit="×",
            step=0.5,
            note=N_("1: as recorded; 2: twice as fast"),
            help=N_("how fast, 2: twice as fast (default 1)"),
        ),
    )
    load_map: bool = option(
        False,
        OptionSpec(
            flag="--load-map",
            kind="switch",
            label=N_("Load the map"),
            note=N_("loads the map of the recording if another one is shown"),
            help=N_("if the simulator shows another map, load that of the recording first"),
        ),
    )
    convert: bool = option(
        False,
        OptionSpec(
            flag="--convert",
            kind="switch",
            label=N_("Convert a copy"),
            note=N_("replays a copy for the release of the simulator, if that would misread the file"),
            help=N_(
                "if the simulator would misread the recording, or make other actors, replay a copy for its release"
            ),
        ),
    )

    @property
    def server(self) -> Server:
        """Where the simulator answers."""
        return Server(host=self.host, port=self.port)

    def allows(self, remedy: Remedy) -> bool:
        """Return whether an option that overcomes an obstacle is chosen, or none is needed."""
        if remedy == "convert":
            return self.convert
        if remedy == "load_map":
            return self.load_map
        return True


class Obstacle(NamedTuple):
    """Why a replay would go wrong, or may.

    Attributes:
        sentence: What is shown.
        option: The option that helps; empty: none is needed.
        value: The dialect to convert to, or the map to load.
    """

    sentence: str
    option: Remedy = ""
    value: str = ""


def find_obstacles(snapshot: Snapshot, server: Server, progress: Progress = SILENT) -> list[Obstacle]:
    """Return what a simulator shows, then why it cannot replay a recording as it is.

    Raises:
        NoSimulator: No simulator answers.
        Cancelled: The user cancelled it.
    """
    answer = ask(server, "look", progress)
    release = answer["release"]
    client = answer["client"]
    town = answer["map"].rpartition("/")[2]
    sentence = say("CARLA {release} answers at {place}, and shows {shown}.", release=release, place=server, shown=town)
    obstacles = [Obstacle(sentence)]
    obstacles += _obstacles_of_release(snapshot, server, release, progress)
    name = _map_of(snapshot)
    if name and name.lower() != town.lower():
        template = N_("The simulator at {place} shows {shown}, and this recording is of {town}.")
        if name == "OpenDriveMap":
            template = N_(
                "The simulator at {place} shows {shown}, and this recording is of a world made "
                "of a road map: make that there (generate_opendrive_world), or load the last "
                "one that was made."
            )
        sentence = say(template, place=server, shown=town, town=name)
        obstacles.append(Obstacle(sentence, "load_map", name))
    if client != release:
        sentence = say(
            "The package carla is of {client} here, the simulator of {release}: some calls may fail.",
            client=client,
            release=release,
        )
        obstacles.append(Obstacle(sentence))
    return obstacles


def _obstacles_of_release(snapshot: Snapshot, server: Server, release: str, progress: Progress) -> list[Obstacle]:
    """What a simulator of a release would read otherwise than it was recorded."""
    dialect = _dialect_of(release)
    if dialect is None:
        sentence = say(
            "The simulator at {place} calls itself {release}: whether it reads this recording is not known.",
            place=server,
            release=release,
        )
        return [Obstacle(sentence)]
    if _is_misread(snapshot, dialect):
        sentence = say(
            "The simulator at {place} is CARLA {release}, and would misread this recording of {title}.",
            place=server,
            release=release,
            title=snapshot.dialect.title,
        )
        return [Obstacle(sentence, "convert", dialect.name)]
    if Renaming(snapshot, dialect, {}, progress.quiet()).is_needed:
        sentence = say(
            "The simulator at {place} is CARLA {release}, and would make other actors than "
            "were recorded, or none: blueprints have other names or uids there.",
            place=server,
            release=release,
        )
        return [Obstacle(sentence, "convert", dialect.name)]
    return []


def _dialect_of(release: str) -> Dialect | None:
    """The dialect that recordings of a release are of; None for a build between releases."""
    match = _RELEASE.fullmatch(release)
    if match is None:
        return None
    for dialect in DIALECTS.values():
        if dialect.holds(match[1]):
            return dialect
    return None


def _is_misread(snapshot: Snapshot, target: Dialect) -> bool:
    """Whether a replayer of another dialect takes packets of a recording for others; it skips what it does not know."""
    packet_map = PacketMap(snapshot.dialect, target)
    if packet_map.attribute_types is not None or snapshot.dialect.engine != target.engine:
        return True
    numbers = set()
    for layout in np.unique(snapshot.table.column("layout")).tolist():
        if layout >= 0:
            numbers.update(snapshot.layouts.get(layout).ids.tolist())
    for number in numbers:
        is_replayed = target.packet(number).replayed != "skipped"
        if is_replayed and packet_map.mapping(number).number != number:
            return True
    return False


def _map_of(snapshot: Snapshot) -> str:
    """The name of the map; empty if it is not known."""
    if snapshot.header is None or not isinstance(snapshot.header.map_name, str):
        return ""
    return snapshot.header.map_name.rpartition("/")[2]


def replayed_file(path: Path, obstacles: list[Obstacle], edited: bool = False) -> Path:
    """Return the file that a simulator is told to read.

    Args:
        path: The recording.
        obstacles: The obstacles that are overcome.
        edited: The recording was edited since it was saved.

    Returns:
        A copy where the recording was edited or has to be converted, else the recording.
    """
    is_converted = any(obstacle.option == "convert" for obstacle in obstacles)
    if edited or is_converted:
        return state_folder() / "replayed" / path.name
    return path.absolute()


def replay(
    snapshot: Snapshot,
    path: Path,
    server: Server,
    how: Replay,
    obstacles: list[Obstacle],
    edited: bool,
    progress: Progress,
) -> list[str]:
    """Begin a replay of a file in a simulator.

    A copy that is replayed takes the place of the one before. The nearest of its class stands in for a blueprint that
    the simulator does not have.

    Args:
        snapshot: The recording.
        path: Its file.
        server: Where the simulator answers.
        how: How it is replayed.
        obstacles: The obstacles that are overcome.
        edited: The recording was edited since it was saved: a copy is replayed.
        progress: Of the conversion, the copy and the question.

    Returns:
        Lines that are shown: what the conversion changed, and what the simulator answered.

    Raises:
        NoSimulator: No simulator answers, or it does not find the file.
        EditError: The recording cannot be converted.
        OSError: The copy cannot be written.
        Cancelled: The user cancelled it.
    """
    lines: list[str] = []
    values = {obstacle.option: obstacle.value for obstacle in obstacles}
    target = replayed_file(path, obstacles, edited)
    if "convert" in values:
        conversion = convert(snapshot, values["convert"], progress.part(0, 0.5), substitutes={EVERY: NEAREST})
        snapshot = snapshot.after(conversion.edit)
        lines += conversion.remarks
    if "convert" in values or edited:
        _write_copy(snapshot, target, progress.part(0.5, 1))
    answer = ask(
        server,
        "replay",
        progress.quiet(),
        load=values.get("load_map"),
        settings=how.settings,
        file=[str(target), how.start, how.duration, how.follow, how.sensors],
    )
    if not answer["found"]:
        raise NoSimulator(
            say(
                "The simulator at {place} does not find {path}: it reads files on its own machine.",
                path=str(target),
                place=server,
            )
        )
    lines += answer["lines"]
    return lines


def _write_copy(snapshot: Snapshot, target: Path, progress: Progress) -> None:
    """Write a copy in place of all earlier ones."""
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    for earlier in target.parent.iterdir():
        with suppress(OSError):  # where the system keeps what a simulator still reads
            earlier.unlink()
    save_copy(snapshot, target, progress, overwrite=True)


def collect_script(snapshot: Snapshot, path: Path, server: Server, how: Replay) -> str:
    """Return a program in Python that replays a file step by step, and saves what sensors on an actor see.

    The actor is the one that is followed, else the hero.

    Args:
        snapshot: The recording.
        path: Its file.
        server: Where the simulator answers.
        how: How it is replayed.
    """
    elapsed = snapshot.elapsed[np.isfinite(snapshot.elapsed)].tolist() or [0.0]
    start = how.start
    if start < 0:
        start += elapsed[-1]
    first = snapshot.frame_at_time(start)
    steps = [step for step in np.diff(elapsed).tolist() if step > 0] or [0.05]
    values: dict[str, object] = {}
    for name, value in (server._asdict() | how._asdict()).items():
        values[name.upper()] = value
    values["RECORDING"] = str(path.absolute())
    values["RELEASE"] = snapshot.dialect.releases
    values["MAP"] = _map_of(snapshot)
    values["END"] = elapsed[-1]
    values["STEP"] = float(f"{np.median(steps):.6g}")
    values["ACTOR"] = _actor(snapshot, how.follow, first)
    text = resources.path("collect_script.py").read_text("utf-8")
    assignments = f"(?m)^({'|'.join(values)}) = .*"
    return re.sub(assignments, lambda match: f"{match[1]} = {values[match[1]]!r}", text)


def _actor(snapshot: Snapshot, actor: int, first: int) -> dict[str, object] | None:
    """What tells an actor (0: the hero) from others in a frame or when it is born; None where there is none."""
    actors = Actors.of(snapshot)
    for life in actors:
        is_wanted = life.actor == actor
        if not actor:
            is_wanted = life.is_hero
        if is_wanted and (life.gone is None or life.gone > first):
            frame = max(first, life.born)
            state = actors.world_at(frame).state_of(life.actor) or life
            x, y, z = state.transform[:3]
            return {
                "id": life.actor,
                "type_id": life.blueprint,
                "role_name": life.role_name,
                "since": float(snapshot.elapsed[frame]),
                "location": [x / _CM, y / _CM, z / _CM],
            }
    return None
