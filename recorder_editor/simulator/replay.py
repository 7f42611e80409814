"""Replays in a running simulator, and the programs in Python that replay elsewhere."""

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .. import resources
from ..edits.convert import EVERY, NEAREST, Renaming, convert
from ..edits.convert.packet_map import PacketMap
from ..errors import EditError
from ..format import DIALECTS, Dialect
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
    def chosen(cls, values: Mapping[str, Any], snapshot: Snapshot) -> "Replay":
        """A replay by values of options, of which `follow` is a selector; raises `SelectorError`, `EditError`."""
        if not len(snapshot.elapsed):
            raise EditError(say("There is no frame to replay."))
        actor = find_actors(snapshot, [values["follow"]])[0].actor if values["follow"] else 0
        return cls(**{name: values[name] for name in cls._fields} | {"follow": actor})

    @property
    def settings(self) -> dict[str, Any]:
        """What the replayer is set to, by the functions of the client."""
        return {f"set_replayer_{name}": getattr(self, name) for name in self._fields[4:]}

    def call(self, path: Path, dialect: Dialect) -> str:
        """The lines that replay a file, with everything that `replay_file` of its release takes."""
        words = [repr(str(path.absolute())), f"{self.start:.3f}", f"{self.duration:.3f}", str(self.follow)]
        words += [f"replay_sensors={self.sensors}"] if dialect.replays_sensors else []
        is_newest, usual = dialect.family == "newest", Replay().settings
        words += _OFFSET if is_newest or dialect.header_version == 2 else []
        words += ["replay_weather=False", "map_override=''"] if is_newest else []
        sets = [f"client.{name}({value})" for name, value in self.settings.items() if value != usual[name]]
        return "\n".join([*sets, f"client.replay_file({', '.join(words)})"])


class Obstacle(NamedTuple):
    """Why a replay would go wrong, or may. Attributes: `sentence`, `option` (of the command line, which helps; empty:
    none is needed), `value` (the dialect to convert to, or the map to load)."""

    sentence: str
    option: str = ""
    value: str = ""


def find_obstacles(snapshot: Snapshot, server: Server, progress: Progress = SILENT) -> list[Obstacle]:
    """What a simulator shows, then why it cannot replay a recording as it is. Raises `NoSimulator`, `Cancelled`."""
    shown = ask(server, "look", progress)
    release, client, town, name = shown["release"], shown["client"], shown["map"].rpartition("/")[2], _map_of(snapshot)
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
        code = (
            N_(
                "The simulator at {place} shows {shown}, and this recording is of a world made "
                "of a road map: make that there (generate_opendrive_world), or load the last "
                "one that was made."
            )
            if name == "OpenDriveMap"
            else N_("The simulator at {place} shows {shown}, and this recording is of {town}.")
        )
        found.append(Obstacle(say(code, town=name, **said), "load_map", name))
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
    numbers = {number for each in layouts if each >= 0 for number in snapshot.layouts.get(each).ids.tolist()}
    moved = [n for n in numbers if there.packet(n).replayed != "skipped" and mapped.mapping(n).number != n]
    return bool(moved) or mapped.attribute_types is not None or snapshot.dialect.engine != there.engine


def _map_of(snapshot: Snapshot) -> str:
    name = snapshot.header.map_name if snapshot.header is not None else ""
    return name.rpartition("/")[2] if isinstance(name, str) else ""


def replayed_file(path: Path, found: list[Obstacle], edited: bool = False) -> Path:
    """The file that a simulator is told to read: a copy where this one was `edited` since, or has to be converted."""
    is_copy = edited or any(each.option == "convert" for each in found)
    return state_folder() / "replayed" / path.name if is_copy else path.absolute()


def replay(
    snapshot: Snapshot, path: Path, server: Server, how: Replay, found: list[Obstacle], edited: bool, progress: Progress
) -> list[str]:
    """Begin a replay of a file in a simulator; returns what is to be said of it.

    The obstacles that were `found` are overcome. Where the file was `edited` since, or is to be converted, a copy is
    replayed, which the next one replaces; the nearest of its class stands in for a blueprint that the simulator does
    not have. Raises `NoSimulator`, `Cancelled`, and what `save_copy` and `convert` raise.
    """
    told: list[str] = []
    helps, target = {each.option: each.value for each in found}, replayed_file(path, found, edited)
    if "convert" in helps:
        conversion = convert(snapshot, helps["convert"], progress.part(0, 0.5), substitutes={EVERY: NEAREST})
        snapshot, told = snapshot.after(conversion.edit), list(conversion.remarks)
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
    values = {name.upper(): value for name, value in (server._asdict() | how._asdict()).items()}
    values |= {"RECORDING": str(path.absolute()), "RELEASE": snapshot.dialect.releases, "MAP": _map_of(snapshot)}
    values |= {"END": elapsed[-1], "STEP": float(f"{np.median(steps):.6g}")}
    values["ACTOR"] = _actor(snapshot, how.follow, first)
    text, places = resources.path("collect_script.py").read_text("utf-8"), f"(?m)^({'|'.join(values)}) = .*"
    return re.sub(places, lambda place: f"{place[1]} = {values[place[1]]!r}", text)


def _actor(snapshot: Snapshot, actor: int, first: int) -> dict[str, Any] | None:
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
