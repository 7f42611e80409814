"""What happens in the town, frame by frame: who comes and goes, doors, street lamps, weather, the one collision.

Runs the simulation and hands out one `Moment` for each frame. Knows which things exist in a town, not how they are
written: a moment says everything, and the writer leaves out what a release does not record.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import ceil, degrees, pi
from random import Random

import numpy as np

from . import cast
from .accident import Accident, Stage
from .cast import Actor, Triple
from .catalog import BICYCLES, CARS, HERO, MOTORCYCLES, PEDESTRIANS, Model, Release
from .fleet import Fleet
from .geometry import turned
from .pavements import Pavements, Place
from .signals import Signals
from .town import NOWHERE, Town, build_town
from .traffic import Traffic
from .walkers import Walkers

LONGEST_STEP = 0.05  # seconds the simulation advances at once
WARM_UP = 6.0  # seconds of traffic before the recording begins
FRONT_RIGHT = 1
DOOR_OPENS, DOOR_STAYS_OPEN = 0.28, 2.6  # share of the whole time; seconds
LAMPS_ON, LAMPS_TAKE = 0.45, 1.5
PARKED_LEAVES, SENSOR_COMES, SENSOR_GOES, ACCIDENT = 0.55, 0.12, 0.85, 0.5
WEATHER_EVERY = 2.0
BUSY = 4  # how much likelier a vehicle begins on a road that leads to traffic lights
COMES_AFTER = (0.5, 4.0)
LAMP_INTENSITY, LAMP_COLOR = 5000.0, (0.956, 0.815, 0.527)
RIDE_HIGH, RIDE_BEHIND, RIDE_DOWN = 5.5, 9.0, -18.0  # the spectator behind the hero: metres, metres, degrees


@dataclass(slots=True)
class Lamp:
    """A street lamp that changes: its number in the map and whether it burns."""

    id: int
    on: bool


@dataclass(slots=True)
class Moment:
    """Everything there is to tell about one frame.

    Attributes: `time`; what happened: `added`, `removed`, `parented` (child, parent), `collisions` (number, first,
    second, whether each is a hero), `doors` (actor, door, open), `lamps`, `weather`; `night` (headlights are on),
    `open` (actors with an open door), `hazard` (actors with hazard lights); the spectator's `location` (cm) and
    `rotation` (roll, pitch, yaw).
    """

    time: float
    added: list[Actor] = field(default_factory=list)
    removed: list[int] = field(default_factory=list)
    parented: list[tuple[int, int]] = field(default_factory=list)
    collisions: list[tuple[int, int, int, bool, bool]] = field(default_factory=list)
    doors: list[tuple[int, int, bool]] = field(default_factory=list)
    lamps: list[Lamp] = field(default_factory=list)
    weather: tuple[float, ...] | None = None
    night: bool = False
    open: frozenset[int] = frozenset()
    hazard: frozenset[int] = frozenset()
    location: Triple = (0.0, 0.0, 0.0)
    rotation: Triple = (0.0, 0.0, 0.0)


class Play:
    """The town with everybody in it; `moments` runs it.

    Attributes: `town`, `signals`, `traffic`, `walkers` (all as they are at the moment handed out last), `spectator`,
    `lights` (ids of the heads), `props`.
    """

    def __init__(
        self, release: Release, *, seconds: float, step: float, vehicles: int, walkers: int, lights: int, seed: int
    ) -> None:
        self.random = Random(seed)
        self.release, self.seconds, self.step = release, seconds, step
        self.town: Town = build_town(vehicles, lights, self.random)
        self.pavements = Pavements(self.town, self.random)
        self.signals = Signals(self.town)
        self.traffic = Traffic(self.town, self.signals, vehicles, self.random)
        guest = 1 if walkers else 0
        self.walkers = Walkers(self.pavements, self.traffic.junctions, walkers + guest, self.random)
        self._next_id, self._clock, self._told = 1, 0.0, 0.0
        self.spectator = self._new_id()
        self._introduced = [cast.light(self._new_id(), head) for head in self.town.heads]
        self.lights = [actor.id for actor in self._introduced]
        self._introduced += cast.signs(self.town, self._next_id)
        self._next_id += len(self._introduced) - len(self.lights)
        self.props = [cast.prop(self._new_id(), kind, place, release) for kind, place in self.pavements.furniture]
        self._introduced += self.props
        self.hero, self.cyclist = NOWHERE, NOWHERE
        self._accident: Accident | None = None
        self._parked: list[tuple[int, Place]] = []
        self._sensors: list[tuple[Actor, int]] = []
        self._arrivals: list[tuple[float, int]] = []
        self._walker_arrivals: list[tuple[float, int]] = []
        self._collisions, self._view = 0, 0.0
        self._pack: list[Model] = []
        self._populate(vehicles, walkers)
        self._warm_up()

    @property
    def frames(self) -> int:
        """How many moments there are."""
        return round(self.seconds / self.step) + 1

    def _new_id(self) -> int:
        self._next_id += 1
        return self._next_id - 1

    # --- before the first frame ---------------------------------------------------------------------------

    def _populate(self, vehicles: int, walkers: int) -> None:
        parked = min(vehicles // 8 + (vehicles >= 6), len(self.pavements.bays))
        bicycles = max(1, vehicles // 10) if vehicles >= 3 else 0
        motorcycles = vehicles // 12
        for row in range(vehicles):
            if row == 0:
                self._enter(row, HERO, "hero")
                self._place_hero(row)
            elif row == 1 and bicycles:
                self._enter(row, BICYCLES[0], "scenario")
                self._place_cyclist(row)
            elif row <= bicycles:
                self._enter(row, BICYCLES[row % len(BICYCLES)], "autopilot")
                self._place(row, bicycle=True)
            elif row >= vehicles - parked:
                self._enter(row, self._car(doors=row == vehicles - parked), "parked")
                place = self.pavements.bays[vehicles - 1 - row]
                self.traffic.fleet.park(row, place.x, place.y, place.heading)
                self._parked.append((row, place))
            else:
                choice = MOTORCYCLES[row % len(MOTORCYCLES)] if row <= bicycles + motorcycles else self._car()
                self._enter(row, choice, "autopilot")
                self._place(row, bicycle=False)
        for row in range(walkers):
            self._walker(row)
            self.walkers.start_anywhere(row)
        if self.cyclist != NOWHERE:
            begins = WARM_UP + ACCIDENT * self.seconds
            self._accident = Accident(self.town, self.traffic, self.hero, self.cyclist, begins)

    def _enter(self, row: int, model: Model, role: str) -> None:
        color = model.colors[int(self.random.random() * len(model.colors))]
        self.traffic.fleet.enter(row, self._new_id(), model, color, role)

    def _car(self, *, doors: bool = False) -> Model:
        """The next car of a shuffled pack, so that no model comes twice before all have come."""
        if not self._pack:
            self._pack = list(CARS)
            self.random.shuffle(self._pack)
        fits = [model for model in self._pack if not doors or (model.doors and model.kind == "car")]
        model = (fits or self._pack)[-1]
        self._pack.remove(model)
        return model

    def _place_hero(self, row: int) -> None:
        ring = [lane for lane in self.town.beside if self.town.curves.length[lane] > 60]
        lane = ring[int(self.random.random() * len(ring))]
        self.traffic.set_off(row, HERO, lane, 14.0, 0.6)
        self.traffic.go_straight(row)
        self.hero = row
        carried = (
            ("sensor.camera.rgb", "front", (130.0, 0.0, 230.0)), ("sensor.other.collision", "front", (0.0, 0.0, 0.0)),
        )  # fmt: skip
        for name, role, mount in carried:
            self._carry(name, role, mount, row)

    def _place_cyclist(self, row: int) -> None:
        lane = self.town.beside[int(self.traffic.fleet.link[self.hero])]
        self.traffic.set_off(row, BICYCLES[0], lane, 30.0, 0.9)
        self.traffic.go_straight(row)
        self.cyclist = row
        self._carry("sensor.other.collision", "front", (0.0, 0.0, 0.0), row)

    def _carry(self, name: str, role: str, mount: Triple, row: int) -> None:
        sensor = cast.sensor(self._new_id(), name, role, mount, self.release)
        self._sensors.append((sensor, int(self.traffic.fleet.id[row])))

    def _place(self, row: int, *, bicycle: bool) -> None:
        model = self.traffic.fleet.model[row] or HERO
        lanes = [
            lane for lane in self.town.lanes if self.town.bicycle[lane] == bicycle
            for _ in range(BUSY if self._leads_to_lights(lane) else 1)
        ]  # fmt: skip
        for attempt in range(400):
            lane = lanes[int(self.random.random() * len(lanes))]
            length = float(self.town.curves.length[lane])
            along = 6.0 + self.random.random() * (length - 12.0)
            close = 6.0 if attempt < 200 else 2.0
            if self.traffic.room_at(lane, along, close):
                self.traffic.set_off(row, model, lane, along, 0.7)
                return
        self.traffic.fleet.leave(row)
        self._arrivals.append((0.0, row))

    def _leads_to_lights(self, lane: int) -> bool:
        junction = self.town.junction[lane]
        return junction != NOWHERE and self.town.crossroads[junction].signal != NOWHERE

    def _walker(self, row: int) -> None:
        number = PEDESTRIANS[int(self.random.random() * len(PEDESTRIANS))]
        self.walkers.appear(row, self._new_id(), number, child=cast.is_child(number))

    def _warm_up(self) -> None:
        quiet = Moment(0.0)
        for _ in range(ceil(WARM_UP / LONGEST_STEP)):
            self._simulate(LONGEST_STEP)
            self._come_and_go(quiet)

    # --- the frames -----------------------------------------------------------------------------------------

    def moments(self) -> Iterator[Moment]:
        """One moment for each frame, the first at 0 and the last at `seconds`."""
        parts = max(1, ceil(self.step / LONGEST_STEP - 1e-9))
        yield self._first()
        for index in range(1, self.frames):
            moment = Moment(index * self.step)
            touched = False
            for _ in range(parts):
                self._simulate(self.step / parts)
                touched = touched or (self._accident is not None and self._accident.touching)
            self._come_and_go(moment)
            if touched:
                self._collide(moment)
            self._happen(moment)
            self._light_up(moment)
            self._watch(moment, self.step)
            self._told = moment.time
            yield moment

    def _simulate(self, dt: float) -> None:
        self._clock += dt
        self.signals.show(self._clock)
        self.traffic.junctions.claimed[:] = False
        self.walkers.step(dt)
        fleet = self.traffic.fleet
        before = fleet.stand()
        if self._accident is not None:
            self._accident.steer(self._clock, dt)
        self.traffic.step(dt)
        if self._accident is not None:
            self._accident.after(dt)
        fleet.measure(before, dt)

    def _first(self) -> Moment:
        fleet, moment = self.traffic.fleet, Moment(0.0)
        self._watch(moment, 0.0)
        moment.added.append(cast.spectator(self.spectator, moment.location, moment.rotation))
        moment.added += self._introduced
        moment.added += [cast.vehicle(fleet, int(row), self.release) for row in np.flatnonzero(fleet.alive)]
        alive = np.flatnonzero(self.walkers.alive)
        moment.added += [cast.walker(self.walkers, int(row), self.release) for row in alive]
        moment.added += [sensor for sensor, _ in self._sensors]
        moment.parented += [(sensor.id, parent) for sensor, parent in self._sensors]
        moment.lamps = [Lamp(number + 1, on=False) for number in range(self.pavements.lamps)]
        moment.weather = self._weather(0.0)
        moment.added.sort(key=lambda actor: actor.id)
        return moment

    def _come_and_go(self, moment: Moment) -> None:
        traffic, walkers = self.traffic, self.walkers
        for row in traffic.left:
            moment.removed.append(int(traffic.fleet.id[row]))
            traffic.fleet.leave(row)
            traffic.junctions.forget(row)
            self._arrivals.append((self._clock + self._pause(), row))
        for row in walkers.gone:
            moment.removed.append(int(walkers.id[row]))
            walkers.leave(row)
            self._walker_arrivals.append((self._clock + self._pause(), row))
        self._arrivals = [entry for entry in self._arrivals if not self._arrive(entry, moment)]
        due = [row for time, row in self._walker_arrivals if time <= self._clock]
        self._walker_arrivals = [entry for entry in self._walker_arrivals if entry[0] > self._clock]
        for row in due:
            self._walker(row)
            walkers.start_at_edge(row)
            moment.added.append(cast.walker(walkers, row, self.release))

    def _pause(self) -> float:
        shortest, longest = COMES_AFTER
        return shortest + (longest - shortest) * self.random.random()

    def _arrive(self, entry: tuple[float, int], moment: Moment) -> bool:
        time, row = entry
        if time > self._clock:
            return False
        entries = self.town.entries
        start = int(self.random.random() * len(entries))
        for lane in entries[start:] + entries[:start]:
            if self.traffic.room_to_enter(lane):
                model = self._car()
                self._enter(row, model, "autopilot")
                self.traffic.set_off(row, model, lane, float(self.traffic.fleet.tail[row]) + 0.5, 0.9)
                moment.added.append(cast.vehicle(self.traffic.fleet, row, self.release))
                return True
        return False

    def _collide(self, moment: Moment) -> None:
        """One record for each of the two collision sensors; a number now and then goes to a repeated pair."""
        hero, bicycle = (int(self.traffic.fleet.id[row]) for row in (self.hero, self.cyclist))
        moment.collisions = [
            (self._collisions, hero, bicycle, True, False), (self._collisions + 1, bicycle, hero, False, True)
        ]  # fmt: skip
        self._collisions += 2 if self._collisions % 5 else 4

    def _happen(self, moment: Moment) -> None:
        time, before, whole = moment.time, self._told, self.seconds

        def now(at: float) -> bool:
            return before < at <= time

        if self._parked and self.walkers.alive.size:
            row, place = self._parked[0]
            actor = int(self.traffic.fleet.id[row])
            if now(DOOR_OPENS * whole):
                moment.doors.append((actor, FRONT_RIGHT, True))
            if now(DOOR_OPENS * whole + 1.0) and not self.walkers.alive[-1]:
                self._get_out(place, moment)
            closes = DOOR_OPENS * whole + DOOR_STAYS_OPEN
            if now(closes):
                moment.doors.append((actor, FRONT_RIGHT, False))
            if DOOR_OPENS * whole <= time < closes:
                moment.open = frozenset((actor,))
        if len(self._parked) > 1 and now(PARKED_LEAVES * whole):
            row, _ = self._parked.pop()
            moment.removed.append(int(self.traffic.fleet.id[row]))
            self.traffic.fleet.leave(row)
        if self.hero != NOWHERE:
            self._late_sensor(moment, comes=now(SENSOR_COMES * whole), goes=now(SENSOR_GOES * whole))
        if int(time / WEATHER_EVERY + 1e-9) > int(before / WEATHER_EVERY + 1e-9):
            moment.weather = self._weather(time)

    def _get_out(self, place: Place, moment: Moment) -> None:
        row = len(self.walkers) - 1
        self._walker(row)
        self.walkers.start_beside(row, place)
        moment.added.append(cast.walker(self.walkers, row, self.release))

    def _late_sensor(self, moment: Moment, *, comes: bool, goes: bool) -> None:
        if comes:
            self._carry("sensor.other.gnss", "default", (100.0, 0.0, 280.0), self.hero)
            sensor, parent = self._sensors[-1]
            moment.added.append(sensor)
            moment.parented.append((sensor.id, parent))
        if goes and self._sensors[-1][0].blueprint == "sensor.other.gnss":
            moment.removed.append(self._sensors.pop()[0].id)

    def _light_up(self, moment: Moment) -> None:
        """Street lamps go on one after the other, from one end of the map to the other; headlights with the last."""
        begins, number = LAMPS_ON * self.seconds, self.pavements.lamps
        times = (self._told, moment.time)
        before, now = (int(np.clip((time - begins) / LAMPS_TAKE, 0.0, 1.0) * number) for time in times)
        moment.lamps = [Lamp(lamp + 1, on=True) for lamp in range(before, now)]
        moment.night = moment.time >= begins
        if self._accident is not None and self._accident.stage is Stage.SLIDING:
            moment.hazard = frozenset((int(self.traffic.fleet.id[self.hero]),))

    def _weather(self, time: float) -> tuple[float, ...]:
        """A cloudy evening: the sun goes down, mist comes up."""
        share = time / self.seconds if self.seconds > 0 else 0.0
        sun = 6.0 - 8.0 * share
        return (
            30.0 + 20.0 * share, 0.0, 10.0, 15.0 + 5.0 * share, 245.0 + 3.0 * share, sun, 2.0 + 6.0 * share, 40.0, 0.2,
            0.0, 1.0, 0.03, 0.0331, 0.0,
        )  # fmt: skip

    def _watch(self, moment: Moment, dt: float) -> None:
        """The spectator floats behind the hero, and turns after it slowly."""
        if self.hero == NOWHERE:
            moment.location, moment.rotation = (0.0, 0.0, 12000.0), (0.0, -90.0, 0.0)
            return
        fleet: Fleet = self.traffic.fleet
        goal = float(fleet.yaw[self.hero])
        if dt == 0.0:
            self._view = goal
        else:
            self._view += float(turned(np.array(goal - self._view))) * min(1.0, 1.2 * dt)
        x = fleet.x[self.hero] - RIDE_BEHIND * np.cos(self._view)
        y = fleet.y[self.hero] - RIDE_BEHIND * np.sin(self._view)
        moment.location = (100 * float(x), 100 * float(y), 100 * (float(fleet.z[self.hero]) + RIDE_HIGH))
        moment.rotation = (0.0, RIDE_DOWN, degrees((self._view + pi) % (2 * pi) - pi))
