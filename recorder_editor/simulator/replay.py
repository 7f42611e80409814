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
_OFFSET = ("offset=carla.Transform(carla.Location(x=-10, z=5)", "carla.Rotation(pitch=-25))")
_CM = 100


class Replay(NamedTuple):
    """How a recording is replayed.

    Attributes: `start` (s; below 0: before the end), `duration` (s; 0: to the end), `follow` (the id of an actor, 0:
    none), `sensors` (they are created, too), `ignore_hero`, `ignore_spectator`, `time_factor`.
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
        return {f"set_replayer_{name}": getattr(self, name) for name in self._fields[4:]}

    def call(self, path: Path, dialect: Dialect) -> str:
        """The lines that replay a file, with everything that `replay_file` of its release takes."""
        words = [repr(str(path.absolute())), f"{self.start:.3f}", f"{self.duration:.3f}", str(self.follow)]
        if dialect.replays_sensors:
            words += [f"replay_sensors={self.sensors}"]
        is_newest = dialect.family == "newest"
        usual = Replay().settings
        words += _OFFSET if is_newest or dialect.header_version == 2 else []
        if is_newest:
            words += ["replay_weather=False", "map_override=''"]
        sets = []
        for name, value in self.settings.items():
            if value != usual[name]:
                sets.append(f"client.{name}({value})")
        return "\n".join([*sets, f"client.replay_file({', '.join(words)})"])


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
            flag="--start",
            kind="number",
            metavar="S",
            label=N_("Start"),
            unit="s",
            help=N_("where to begin, in seconds; below 0: before the end (default 0)"),
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
            help=N_("the actor that the view follows: ID, hero, role:NAME"),
        ),
    )
    sensors: bool = option(
        False,
        OptionSpec(flag="--sensors", kind="switch", label=N_("Sensors"), help=N_("create the recorded sensors, too")),
    )
    ignore_hero: bool = option(
        False,
        OptionSpec(flag="--ignore-hero", kind="switch", label=N_("Ignore hero"), help=N_("do not replay the hero")),
    )
    ignore_spectator: bool = option(
        False,
        OptionSpec(
            flag="--ignore-spectator",
            kind="switch",
            label=N_("Ignore spectator"),
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
            help=N_("how fast, 2: twice as fast (default 1)"),
        ),
    )
    load_map: bool = option(
        False,
        OptionSpec(
            flag="--load-map",
            kind="switch",
            label=N_("Load the map"),
            help=N_("if the simulator shows another map, load that of the recording first"),
        ),
    )
    convert: bool = option(
        False,
        OptionSpec(
            flag="--convert",
            kind="switch",
            label=N_("Convert a copy"),
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
    """Why a replay would go wrong, or may. Attributes: `sentence`, `option` (of the command line, which helps; empty:
    none is needed), `value` (the dialect to convert to, or the map to load)."""

    sentence: str
    option: Remedy = ""
    value: str = ""


def find_obstacles(snapshot: Snapshot, server: Server, progress: Progress = SILENT) -> list[Obstacle]:
    """What a simulator shows, then why it cannot replay a recording as it is. Raises `NoSimulator`, `Cancelled`."""
    shown = ask(server, "look", progress)
    release = shown["release"]
    client = shown["client"]
    town = shown["map"].rpartition("/")[2]
    name = _map_of(snapshot)
    said = {"place": server, "release": release, "shown": town}
    found = [Obstacle(say("CARLA {release} answers at {place}, and shows {shown}.", **said))]
    dialect = next((each for each in DIALECTS.values() if _is_within(release, each)), None)
    if dialect is None:
        found.append(
            Obstacle(
                say(
                    "The simulator at {place} calls itself {release}: whether it reads this recording is not known.",
                    **said,
                )
            )
        )
    elif _is_misread(snapshot, dialect):
        sentence = say(
            "The simulator at {place} is CARLA {release}, and would misread this recording of {title}.",
            title=snapshot.dialect.title,
            **said,
        )
        found.append(Obstacle(sentence, "convert", dialect.name))
    elif Renaming(snapshot, dialect, {}, progress.quiet()).is_needed:
        found.append(
            Obstacle(
                say(
                    "The simulator at {place} is CARLA {release}, and would make other actors than "
                    "were recorded, or none: blueprints have other names or uids there.",
                    **said,
                ),
                "convert",
                dialect.name,
            )
        )
    if name and name.lower() != town.lower():
        if name == "OpenDriveMap":
            template = N_(
                "The simulator at {place} shows {shown}, and this recording is of a world made "
                "of a road map: make that there (generate_opendrive_world), or load the last "
                "one that was made."
            )
        else:
            template = N_("The simulator at {place} shows {shown}, and this recording is of {town}.")
        found.append(Obstacle(say(template, town=name, **said), "load_map", name))
    if client != release:
        found.append(
            Obstacle(
                say(
                    "The package carla is of {client} here, the simulator of {release}: some calls may fail.",
                    client=client,
                    **said,
                )
            )
        )
    return found


def _is_within(release: str, dialect: Dialect) -> bool:
    """Whether recordings of a release are of a dialect; never those of a build between releases."""
    match = _RELEASE.fullmatch(release)
    return match is not None and dialect.holds(match[1])


def _is_misread(snapshot: Snapshot, there: Dialect) -> bool:
    """Whether a replayer of another dialect takes packets of a recording for others; it skips what it does not know."""
    mapped = PacketMap(snapshot.dialect, there)
    layouts = np.unique(snapshot.table.column("layout")).tolist()
    numbers = set()
    for each in layouts:
        if each >= 0:
            numbers.update(snapshot.layouts.get(each).ids.tolist())
    moved = []
    for n in numbers:
        if there.packet(n).replayed != "skipped" and mapped.mapping(n).number != n:
            moved.append(n)
    return bool(moved) or mapped.attribute_types is not None or snapshot.dialect.engine != there.engine


def _map_of(snapshot: Snapshot) -> str:
    name = snapshot.header.map_name if snapshot.header is not None else ""
    if isinstance(name, str):
        return name.rpartition("/")[2]
    return ""


def replayed_file(path: Path, found: list[Obstacle], edited: bool = False) -> Path:
    """The file that a simulator is told to read: a copy where this one was `edited` since, or has to be converted."""
    is_copy = edited or any(each.option == "convert" for each in found)
    if is_copy:
        return state_folder() / "replayed" / path.name
    return path.absolute()


def replay(
    snapshot: Snapshot, path: Path, server: Server, how: Replay, found: list[Obstacle], edited: bool, progress: Progress
) -> list[str]:
    """Begin a replay of a file in a simulator; returns what is to be said of it.

    The obstacles that were `found` are overcome. Where the file was `edited` since, or is to be converted, a copy is
    replayed, which the next one replaces; the nearest of its class stands in for a blueprint that the simulator does
    not have. Raises `NoSimulator`, `Cancelled`, and what `save_copy` and `convert` raise.
    """
    told: list[str] = []
    helps = {each.option: each.value for each in found}
    target = replayed_file(path, found, edited)
    if "convert" in helps:
        conversion = convert(snapshot, helps["convert"], progress.part(0, 0.5), substitutes={EVERY: NEAREST})
        snapshot = snapshot.after(conversion.edit)
        told = list(conversion.remarks)
    if "convert" in helps or edited:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        for old in target.parent.iterdir():
            with suppress(OSError):  # where the system keeps what a simulator still reads
                old.unlink()
        save_copy(snapshot, target, progress.part(0.5, 1), overwrite=True)
    file = [str(target), *how[:4]]
    asked = {"load": helps.get("load_map"), "settings": how.settings, "file": file}
    answer = ask(server, "replay", progress.quiet(), **asked)
    if not answer["found"]:
        raise NoSimulator(
            say(
                "The simulator at {place} does not find {path}: it reads files on its own machine.",
                path=file[0],
                place=server,
            )
        )
    return [*told, *answer["lines"]]


def collect_script(snapshot: Snapshot, path: Path, server: Server, how: Replay) -> str:
    """A program in Python that replays a file step by step, and saves what sensors on an actor see.

    The actor is the one that is followed, else the hero.
    """
    elapsed = snapshot.elapsed[np.isfinite(snapshot.elapsed)].tolist() or [0.0]
    first = snapshot.frame_at_time(how.start if how.start >= 0 else elapsed[-1] + how.start)
    steps = [step for step in np.diff(elapsed).tolist() if step > 0] or [0.05]
    values = {}
    for name, value in (server._asdict() | how._asdict()).items():
        values[name.upper()] = value
    values |= {"RECORDING": str(path.absolute()), "RELEASE": snapshot.dialect.releases, "MAP": _map_of(snapshot)}
    values |= {"END": elapsed[-1], "STEP": float(f"{np.median(steps):.6g}")}
    values["ACTOR"] = _actor(snapshot, how.follow, first)
    text = resources.path("collect_script.py").read_text("utf-8")
    places = f"(?m)^({'|'.join(values)}) = .*"
    return re.sub(places, lambda place: f"{place[1]} = {values[place[1]]!r}", text)


def _actor(snapshot: Snapshot, actor: int, first: int) -> dict[str, object] | None:
    """What tells an actor, or the hero, from others in a frame or when it is born; None where there is none."""
    actors = Actors.of(snapshot)
    for life in actors:
        if (life.actor == actor if actor else life.is_hero) and (life.gone is None or life.gone > first):
            frame = max(first, life.born)
            state = actors.world_at(frame).of(life.actor)
            place = [each / _CM for each in (state or life).transform[:3]]
            who = {"id": life.actor, "type_id": life.blueprint, "role_name": life.role_name}
            return {**who, "since": float(snapshot.elapsed[frame]), "location": place}
    return None
