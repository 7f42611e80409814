"""The overview of a recording: what it holds, in numbers, for the first screen of `info`."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from ..format import FileHeader
from ..progress import SILENT, Progress
from ..reading import Actors, Life
from ..reading.event_index import CLASSES, ActorClass
from ..reading.trajectories import Trajectories, Trajectory, find_trajectories
from ..recording import Snapshot
from .statistics import TimeSteps, duration, packet_counts, time_steps

ROAD_USERS: tuple[ActorClass, ...] = ("vehicle", "two-wheeler", "walker")
"""The classes of road users, in the order of tables."""


@dataclass(frozen=True, slots=True)
class ClassTotals:
    """The road users of one class.

    Attributes:
        class_: The class.
        count: The number of lives.
        at_once: The most that are alive in one frame.
        distance: Metres that all of them drive or walk together.
        top_speed: The speed of the fastest, m/s; NaN if unknown.
    """

    class_: ActorClass
    count: int
    at_once: int
    distance: float
    top_speed: float


@dataclass(frozen=True, slots=True)
class Contact:
    """Two actors that collide in consecutive frames.

    Attributes:
        start: Seconds of its first frame.
        end: Seconds of its last frame.
        actors: The ids of the two; `actors.NO_ACTOR` is an object that is no actor.
        lives: Their lives; None: the id is unknown.
    """

    start: float
    end: float
    actors: tuple[int, int]
    lives: tuple[Life | None, Life | None]


@dataclass(frozen=True, slots=True)
class Overview:
    """What a recording holds.

    Attributes:
        size: Bytes of the file.
        header: The file header; None: it is damaged.
        frames: The number of frames.
        duration: Seconds, as the simulator defines them.
        steps: The time steps.
        heroes: The trajectories of the actors with the role name `hero`.
        roles: How many road users have each role name, those without one left out.
        road_users: The classes of road users that occur.
        others: The number of lives by class, of the other classes that occur.
        others_at_once: The most of them that are alive in one frame, likewise.
        contacts: The contacts, in the order of their first frames.
        packets: Bytes of the bodies by packet name, the largest first; what is left of `size` are headers.
    """

    size: int
    header: FileHeader | None
    frames: int
    duration: float
    steps: TimeSteps
    heroes: tuple[Trajectory, ...]
    roles: Counter[str]
    road_users: tuple[ClassTotals, ...]
    others: dict[ActorClass, int]
    others_at_once: dict[ActorClass, int]
    contacts: tuple[Contact, ...]
    packets: tuple[tuple[str, int], ...]

    @classmethod
    def of(
        cls, snapshot: Snapshot, progress: Progress = SILENT, trajectories: Trajectories | None = None
    ) -> "Overview":
        """Read the overview of a recording.

        Args:
            snapshot: The state of the recording.
            progress: Counts frames.
            trajectories: Its trajectories, if they were read already.

        Raises:
            Cancelled: The user stopped it.
            OSError: The file cannot be read, as by `Store.read`.
        """
        if trajectories is None:
            trajectories = find_trajectories(snapshot, progress)
        actors = trajectories.actors
        classes = Counter(life.class_ for life in actors)
        road_users = []
        for class_ in ROAD_USERS:
            if classes[class_]:
                road_users.append(_totals(class_, trajectories, len(snapshot)))
        others = {name: classes[name] for name in CLASSES if classes[name] and name not in ROAD_USERS}
        others_at_once = {}
        for name in others:
            others_at_once[name] = _most_at_once([life for life in actors if life.class_ == name], len(snapshot))
        return cls(
            size=snapshot.size,
            header=snapshot.header,
            frames=len(snapshot),
            duration=duration(snapshot),
            steps=time_steps(snapshot),
            heroes=tuple(trajectories.of(life) for life in actors if life.is_hero),
            roles=Counter(life.role_name for life in actors if life.is_road_user and life.role_name),
            road_users=tuple(road_users),
            others=others,
            others_at_once=others_at_once,
            contacts=tuple(_contacts(actors, snapshot)),
            packets=tuple(_packet_bytes(snapshot)),
        )


def _totals(class_: ActorClass, trajectories: Trajectories, frames: int) -> ClassTotals:
    lives = [life for life in trajectories.actors if life.class_ == class_]
    own = [trajectories.of(life) for life in lives]
    speeds = [trajectory.top_speed for trajectory in own if np.isfinite(trajectory.top_speed)]
    return ClassTotals(
        class_=class_,
        count=len(lives),
        at_once=_most_at_once(lives, frames),
        distance=sum(trajectory.distance for trajectory in own),
        top_speed=max(speeds, default=float("nan")),
    )


def _most_at_once(lives: list[Life], frames: int) -> int:
    """Return the most of these lives that are alive in one frame."""
    changes = np.zeros(frames + 1, np.int64)
    np.add.at(changes, [min(life.born, frames) for life in lives], 1)
    np.add.at(changes, [min(life.gone, frames) for life in lives if life.gone is not None], -1)
    return int(changes[:frames].cumsum().max(initial=0))


def _contacts(actors: Actors, snapshot: Snapshot) -> list[Contact]:
    seconds = snapshot.elapsed
    contacts = []
    for contact in np.sort(actors.contacts, order=("first", "last")):
        first = int(contact["first"])
        last = int(contact["last"])
        if last >= len(seconds):  # a packet behind the last frame
            continue
        ids = int(contact["actor1"]), int(contact["actor2"])
        contacts.append(
            Contact(
                start=float(seconds[first]),
                end=float(seconds[last]),
                actors=ids,
                lives=(actors.at(ids[0], first), actors.at(ids[1], first)),
            )
        )
    return contacts


def _packet_bytes(snapshot: Snapshot) -> list[tuple[str, int]]:
    sizes: Counter[str] = Counter()
    for number, totals in packet_counts(snapshot).items():
        sizes[snapshot.dialect.packet(number).name] += totals.bytes
    return sizes.most_common()
