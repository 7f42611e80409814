"""The scenario: road users that enter and leave, doors, street lamps, weather, the one collision.

Each frame is a dict of packet names and records as tuples; `packets` leaves out what a release does not record.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import count, cycle
from math import ceil, pi
from random import Random
from typing import Any

import numpy as np

from ..arrays import FloatArray, IntArray
from ..edits import blueprints
from ..edits.blueprints import BICYCLES, CARS, CHILD, Attributes, Model, Release
from ..edits.new_actors.writer import rows, vehicle_states, walker_states
from .town import ALL_RED, APPROACH, BAY, BESIDE, BICYCLE, CAR, FOOT, GREEN, YELLOW, Town, bend, ground, wrap_angle
from .traffic import CYCLIST, HERO, Accident, Traffic

LONGEST_STEP = 0.05  # seconds the simulation advances at once
SENSOR_ADDED, SENSOR_REMOVED = 0.12, 0.85  # shares of the whole time, as the next line
DOOR_OPENS = 0.28
LAMPS_ON = 0.45
ACCIDENT = 0.5
PARKED_LEAVES = 0.55
GETS_OUT, DOOR_CLOSES, LAMPS_TAKE, WEATHER_EVERY = 1.0, 2.6, 1.5, 2.0  # seconds
LAMPS, LAMP = 24, (5000.0, 0.956, 0.815, 0.527, 1.0)  # intensity and colour
NO_BOX = (-np.nan,) * 3 + (-np.inf,) * 3
POSITION = 0x1
LOW_BEAM = 0x2
BRAKE = 0x8
RIGHT_BLINKER = 0x10
LEFT_BLINKER = 0x20
DEGREES = np.array([100.0] * 3 + [180.0 / pi] * 3)  # from metres and radians to the file's units

Records = list[tuple[Any, ...]]
"""Records of a packet, each a tuple of the values of its fields."""

Packets = dict[str, Records]
"""The records of a frame by names of packets."""


class Scenario:
    """The running simulation. Attributes: `town`, `traffic`, and `ids` (of actors, by row of the traffic)."""

    def __init__(
        self,
        release: Release,
        *,
        seconds: float,
        step: float,
        vehicles: int,
        walkers: int,
        lights: int,
        seed: int,
        collision: bool = True,
    ) -> None:
        self.random = Random(seed)
        self.release = release
        self.seconds = seconds
        self.step = step
        self.vehicles = vehicles
        self.town = town = Town(vehicles, walkers, lights, self.random)
        places = vehicles + walkers + (walkers > 0)  # the last one is the passenger of a parked car
        self.traffic = Traffic(town, places, self.random)
        self.ids = np.zeros(places, np.int64)
        self.velocity = np.zeros((6, places))
        self._count, self._car_models = count(2), cycle(self.random.sample(CARS, len(CARS)))
        self._arrivals: list[tuple[float, int]] = []  # when a row is used again
        self._packets: Packets = defaultdict(list)
        self._accident: Accident | None = None
        if vehicles > 1:
            self._accident = Accident(self.traffic, ACCIDENT * seconds, collides=collision)
        if vehicles >= 6:
            self._parked = list(range(vehicles - vehicles // 8 - 1, vehicles))
        else:
            self._parked = []
        self._lights = [self._add_sign("traffic.traffic_light", *head) for head in town.heads]
        for head in town.unlit:
            self._add_sign("traffic.stop", *head)
        for rail in np.flatnonzero(town.kind == CAR).tolist():
            self._add_sign("traffic.speed_limit.30", rail, None)
        self._props = [self._add_prop(blueprints.PROPS[number % 3], *town.bays.pop()) for number in range(5)]
        self._populate(vehicles, walkers)
        self._packets["TrafficLightTime"] = [(light, GREEN, YELLOW, ALL_RED) for light in self._lights]
        self._packets["SceneLight"] = [(lamp + 1, *LAMP, False, 2) for lamp in range(LAMPS)]
        self._add("Other", ("spectator", 0, ()), self._spectator(), NO_BOX, actor=1)

    def _populate(self, vehicles: int, walkers: int) -> None:
        """Spawn the road users of the first frame."""
        bicycles = max(1, vehicles // 10)
        starts = self._accident.starts if self._accident else {}
        planned = {HERO: blueprints.HERO_MODEL, CYCLIST: BICYCLES[0]}
        planned |= {bicycles + 1 + number: blueprints.MOTORCYCLE for number in range(vehicles // 12)}
        planned |= {row: next(car for car in CARS if car.special == "doors") for row in self._parked[:1]}
        slots = [self.traffic.free_places(kind, every) for kind, every in ((CAR, 12.0), (BICYCLE, 12.0), (FOOT, 3.0))]
        for row in range(vehicles + walkers):
            if row >= vehicles:
                kind = FOOT
            elif 0 < row <= bicycles:
                kind = BICYCLE
            else:
                kind = CAR
            if row in planned and row < vehicles:
                model = planned[row]
            else:
                model = self._random_model(kind)
            role = {HERO: "hero", CYCLIST: "scenario"}.get(row, "autopilot")
            if row in self._parked:
                self._spawn(row, model, "parked", bay=self.town.bays[row - self._parked[0]])
            else:
                # The approach is reserved for the hero and the cyclist.
                free = (slot for slot in iter(slots[kind].pop, None) if slot[0] > BICYCLE or slot[1] > APPROACH)
                self._spawn(row, model, role, *(starts[row] if row in starts else next(free)))
        for row in (HERO, CYCLIST)[: min(vehicles, 2)]:
            self._attach_sensor(row, "sensor.other.collision", 0.0, 0.0)
            if row == HERO:
                self._attach_sensor(row, "sensor.camera.rgb", 1.3, 2.3)

    def _add(
        self,
        kind: str,
        blueprint: tuple[str, int | None, Attributes],
        pose: FloatArray,
        box: tuple[float, ...],
        actor: int = 0,
    ) -> int:
        """Create an actor, and return its id; `pose` in metres and radians, `box` (centre and half size) in cm."""
        name, uid, attributes = blueprint
        actor = actor or next(self._count)
        self._packets["EventAdd"].append((actor, kind, *(pose * DEGREES).tolist(), uid, name, attributes))
        self._packets["TriggerVolume" if kind.startswith("Traffic") else "BoundingBox"].append((actor, *box))
        return actor

    def _add_sign(self, name: str, rail: int, at: int | None) -> int:
        """Add a light or sign at the kerb, with its trigger volume before it."""
        if at is None:
            along = 12.0
        else:
            along = float(self.town.begins[rail, at])
        (x, y, heading), (far, aside, _) = self.town.along(rail, along + 0.4, 4.6), self.town.along(rail, along - 2.5)
        box = (100 * far, 100 * aside, 100 * ground(far, aside)[0] + 90.0, 165.0, 165.0, 90.0)
        pose = np.array([x, y, ground(x, y)[0] + 0.1, 0.0, 0.0, wrap_angle(heading + pi)])
        return self._add("TrafficLight" if name.endswith("light") else "TrafficSign", (name, 0, ()), pose, box)

    def _add_prop(self, name: str, x: float, y: float, heading: float) -> tuple[float, ...]:
        x, y, heading = bend(x - np.sign(heading) * (BESIDE - BAY), y, heading)
        pose = np.array([x, y, ground(x, y)[0], 0.0, 0.0, heading])
        blueprint = self.release.other(name, "prop")
        return self._add("Other", blueprint, pose, (0.0, 0.0, 45.0, 35.0, 60.0, 45.0)), *(pose * DEGREES).tolist()

    def _random_model(self, kind: int) -> Model:
        if kind == FOOT:
            if self.random.random() < 0.2:
                return CHILD
            return blueprints.ADULT
        if kind == CAR:
            return next(self._car_models)
        return self.random.choice(BICYCLES)

    def _spawn(
        self,
        row: int,
        model: Model,
        role: str,
        rail: int = 0,
        along: float = 0.0,
        speed: float = 4.5,
        bay: tuple[float, float, float] | None = None,
    ) -> None:
        """Create a road user, in a parking bay or on a rail at up to `speed` (m/s)."""
        traffic = self.traffic
        release = self.release
        random = self.random
        traffic.add(row, model)
        if bay:
            traffic.park(row, *bend(*bay))
        else:
            traffic.place_on_rail(row, rail, along, min(speed, float(traffic.target_speed[row])))
        pose = traffic.pose[:, row].copy()
        walks = bool(traffic.walks[row])
        self.velocity[:, row] = 0.0
        self.velocity[:2, row] = traffic.speed[row] * np.cos(pose[5]), traffic.speed[row] * np.sin(pose[5])
        numbers = release.walkers_of(model)
        color = random.choice(model.colors)
        blueprint = release.walker(random.choice(numbers)) if walks else release.vehicle(model, color, role)
        self.ids[row] = self._add("Walker" if walks else "Vehicle", blueprint, pose, model.box)
        if not walks:
            self._packets["PhysicsControl"].append((int(self.ids[row]), model, pose))

    def _attach_sensor(self, row: int, name: str, ahead: float, above: float) -> int:
        pose = np.array([ahead, 0.0, above, 0.0, 0.0, 0.0])
        sensor = self._add("Sensor", self.release.other(name, "front"), pose, NO_BOX)
        self._packets["EventParent"].append((sensor, int(self.ids[row])))
        return sensor

    def frames(self) -> Iterator[Packets]:
        """The packets of each frame, the first at 0 s and the last at `seconds`."""
        last = round(self.seconds / self.step)
        parts = max(1, ceil(self.step / LONGEST_STEP - 1e-9))
        elapsed = 0.0
        dt = self.step / parts
        touches = 0
        share = 0.0
        for index in range(last + 1):
            time = index * self.step
            before = (index - 1) * self.step
            if index:
                self._packets = defaultdict(list)
                share = time / self.seconds
                touching = []
                for part in range(parts):
                    touching.append(self._simulate(before + (part + 1) * dt, dt))
                self._spawn_arrivals(time)
                self._run_events(time, before)
                if any(touching):
                    hero, bicycle = self.ids[[HERO, CYCLIST]].tolist()
                    hits = (touches, hero, bicycle, True, False), (touches + 1, bicycle, hero, False, True)
                    self._packets["Collision"], touches = list(hits), touches + 2
            if int(time / WEATHER_EVERY + 1e-9) > int(before / WEATHER_EVERY + 1e-9) or not index:
                # Sunset, and rising fog.
                sky = (30 + 20 * share, 0.0, 10.0, 15 + 5 * share, 245 + 3 * share, 6 - 8 * share, 2 + 6 * share)
                self._packets["Weather"] = [(*sky, 40.0, 0.2, 0.0, 1.0, 0.03, 0.0331, 0.0)]
            self._packets["FrameStart"] = [(index + 1, self.step if index < last else -1.0, elapsed)]
            self._packets["VisualTime"], self._packets["PlatformTime"] = [(312.5 + elapsed,)], [(0.03 + 1.1 * elapsed,)]
            self._record_states(time)
            yield self._packets
            elapsed += self.step

    def _simulate(self, time: float, dt: float) -> bool:
        """Advance by one step; returns whether hero and cyclist touch."""
        traffic = self.traffic
        accident = self._accident
        before = self.traffic.pose.copy()
        if accident:
            accident.prepare_step(time, dt)
        traffic.step(time, dt)
        if accident:
            accident.resolve_contact(dt)
        self._arrivals += [(time + 0.5 + 3.5 * self.random.random(), row) for row in traffic.departed.tolist()]
        for row in traffic.departed.tolist():
            self._remove(row)
        moved = traffic.pose - before
        yaw = traffic.pose[5]
        roll, pitch, turn = np.degrees(wrap_angle(moved[3:]))
        # Yaw turns with the left-handed axes, roll and pitch against them (measured on real recordings).
        rates = pitch * np.sin(yaw) - roll * np.cos(yaw), -roll * np.sin(yaw) - pitch * np.cos(yaw), turn
        self.velocity = np.stack((*moved[:3], *rates)) / dt
        return accident is not None and accident.in_contact

    def _remove(self, row: int) -> None:
        self.traffic.alive[row] = self.traffic.driving[row] = False
        self._packets["EventDel"].append((int(self.ids[row]),))

    def _spawn_arrivals(self, time: float) -> None:
        """Replace road users that left the map, where an entry is free."""
        traffic = self.traffic
        random = self.random
        for due, row in self._arrivals[:]:
            kind = self.town.kind[traffic.rail[row]]
            rail = random.choice(np.flatnonzero(self.town.kind == kind).tolist())
            if due <= time and traffic.is_free(rail, 5.0, 4.0 if kind == FOOT else 30.0):
                self._arrivals.remove((due, row))
                self._spawn(row, self._random_model(kind), "autopilot", rail, 5.0, 9.0)

    def _run_events(self, time: float, before: float) -> None:
        """Run the events that are due between `before` and `time`."""

        def due(share: float, later: float = 0.0) -> bool:
            return before < share * self.seconds + later <= time

        now = self._packets
        traffic = self.traffic
        passenger = len(self.ids) - 1
        doors = [(int(self.ids[row]), 1) for row in self._parked[:1]]
        now["VehicleDoor"] = [(*door, True) for door in doors if due(DOOR_OPENS)]
        now["VehicleDoor"] += [(*door, False) for door in doors if due(DOOR_OPENS, DOOR_CLOSES)]
        if self._parked and time >= DOOR_OPENS * self.seconds + GETS_OUT and not self.ids[passenger]:
            x, y, _ = self.town.bays[0]
            rail = int(np.where(self.town.group == 2, np.abs(self.town.start[0] - x), np.inf).argmin())
            if traffic.is_free(rail, along := float(abs(self.town.start[1, rail] - y)), 2.0):
                self._spawn(passenger, blueprints.ADULT, "", rail, along, 0.0)
        if len(self._parked) > 1 and due(PARKED_LEAVES):
            self._remove(self._parked.pop())
        if self.vehicles and due(SENSOR_ADDED):
            self._gnss = self._attach_sensor(HERO, "sensor.other.gnss", 1.0, 2.8)
        if self.vehicles and due(SENSOR_REMOVED):
            now["EventDel"].append((self._gnss,))
        lit = (int(np.clip((at - LAMPS_ON * self.seconds) / LAMPS_TAKE, 0.0, 1.0) * LAMPS) for at in (before, time))
        now["SceneLight"] = [(lamp + 1, *LAMP, True, 2) for lamp in range(*lit)]

    def _spectator(self) -> FloatArray:
        """Pose of the spectator: behind and above the hero, or above the town."""
        if self.vehicles:
            x, y, z, _, _, yaw = self.traffic.pose[:, HERO]
        else:
            x, y, z, _, _, yaw = (0.0, 0.0, 120.0, 0.0, 0.0, 0.0)
        return np.array([x - 9.0 * np.cos(yaw), y - 9.0 * np.sin(yaw), z + 5.5, 0.0, -0.31, yaw])

    def _record_states(self, time: float) -> None:
        """Record positions, velocities, traffic lights and animations."""
        now = self._packets
        traffic = self.traffic
        ids = self.ids
        alive = np.flatnonzero(traffic.alive)
        alive = alive[np.argsort(ids[alive])]
        drivers = alive[~traffic.walks[alive]]
        people = alive[traffic.walks[alive]]
        if self.release.era >= 2:
            others = [(1, *(self._spectator() * DEGREES).tolist()), *self._props]
        else:
            others = []
        now["Position"] = sorted([*others, *rows(ids[alive], *traffic.pose[:, alive] * DEGREES[:, None])])
        now["Kinematics"] = rows(ids[alive], *self.velocity[:, alive])
        lamp, since, _ = self.town.lamps(time)
        for light, (rail, at) in zip(self._lights, self.town.heads, strict=True):
            place = self.town.junction[rail, at], self.town.group[rail]
            now["State"].append((light, False, since[place], lamp[place]))
        now |= walker_states(ids[people], traffic.speed[people], traffic.spin[people])
        models = [traffic.model[row] for row in drivers]
        columns = traffic.speed, traffic.accel, traffic.steer, traffic.spin, traffic.driving
        now |= vehicle_states(ids[drivers], models, [column[drivers] for column in columns])
        brake = np.array([record[3] for record in now["AnimVehicle"]])
        now["VehicleLight"] = self._lights_of(drivers, brake, time >= LAMPS_ON * self.seconds)

    def _lights_of(self, drivers: IntArray, brake: FloatArray, dark: bool) -> Records:
        """Lights of vehicles, derived from their motion."""
        traffic = self.traffic
        driving = self.traffic.driving[drivers]
        near = self.town.begins[traffic.rail[drivers], traffic.ahead[drivers]] - traffic.along[drivers] < 30.0
        lights = np.where(brake > 0.02, BRAKE, 0) | np.where(driving & dark, POSITION | LOW_BEAM, 0)
        lights |= np.where(driving & traffic.turning[drivers] & near, RIGHT_BLINKER, 0)
        lights |= np.where(traffic.emergency[drivers], RIGHT_BLINKER | LEFT_BLINKER, 0)
        lit = np.array([traffic.model[row].kind != "bicycle" for row in drivers], bool)
        return rows(self.ids[drivers], lights * lit)
