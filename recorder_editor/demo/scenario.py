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
from .traffic import CYCLIST, CYCLIST_RAIL, HERO, HERO_RAIL, Accident, Start, Traffic

LONGEST_STEP = 0.05  # seconds the simulation advances at once
# Shares of the whole time.
SENSOR_ADDED = 0.12
SENSOR_REMOVED = 0.85
DOOR_OPENS = 0.28
LAMPS_ON = 0.45
ACCIDENT = 0.5
PARKED_LEAVES = 0.55
# Seconds.
GETS_OUT = 1.0
DOOR_CLOSES = 2.6
LAMPS_TAKE = 1.5
WEATHER_EVERY = 2.0
PROPS = 5
LAMPS = 24
LAMP_LIGHT = (5000.0, 0.956, 0.815, 0.527, 1.0)  # intensity and colour
NO_BOX = (-np.nan,) * 3 + (-np.inf,) * 3
POSITION = 0x1
LOW_BEAM = 0x2
BRAKE = 0x8
RIGHT_BLINKER = 0x10
LEFT_BLINKER = 0x20
DEGREES = np.array([100.0] * 3 + [180.0 / pi] * 3)  # from metres and radians to the file's units
SPECTATOR = 1  # id of the actor

Records = list[tuple[Any, ...]]
"""Records of a packet, each a tuple of the values of its fields."""

Packets = dict[str, Records]
"""The records of a frame by names of packets."""


class Scenario:
    """The running simulation.

    Attributes:
        random: The source of all that is left to chance.
        release: The release that the names and attributes of blueprints are of.
        seconds: Elapsed time of the last frame.
        step: Seconds between frames.
        vehicles: The most vehicles at a time.
        town: The road network.
        traffic: The road users.
        ids: Ids of actors by row of the traffic; 0: none yet.
        velocity: Velocities (m/s) and angular velocities (degrees/s), shape (6, rows).
    """

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
        self.town = Town(vehicles, walkers, lights, self.random)
        places = vehicles + walkers
        if walkers:
            places += 1  # the passenger of a parked car
        self.traffic = Traffic(self.town, places, self.random)
        self.ids = np.zeros(places, np.int64)
        self.velocity = np.zeros((6, places))
        self._next_ids = count(SPECTATOR + 1)
        self._car_models = cycle(self.random.sample(CARS, len(CARS)))
        self._arrivals: list[tuple[float, int]] = []  # when a row is used again
        self._packets: Packets = defaultdict(list)
        self._gnss = 0  # id of the sensor that is attached for a while
        self._touches = 0  # Collision records so far
        self._accident: Accident | None = None
        if vehicles > 1:
            self._accident = Accident(self.traffic, ACCIDENT * seconds, collides=collision)
        self._parked: list[int] = []
        if vehicles >= 6:
            self._parked = list(range(vehicles - vehicles // 8 - 1, vehicles))
        self._lights = self._add_signs()
        self._props = self._add_props()
        self._populate(vehicles, walkers)
        self._packets["TrafficLightTime"] = [(light, GREEN, YELLOW, ALL_RED) for light in self._lights]
        self._packets["SceneLight"] = [_lamp_record(lamp, is_on=False) for lamp in range(LAMPS)]
        spectator = ("spectator", 0, ())
        self._add(SPECTATOR, "Other", spectator, self._spectator(), NO_BOX)

    # --- actors -----------------------------------------------------------------------------------------

    def _add(
        self,
        actor: int,
        kind: str,
        blueprint: tuple[str, int | None, Attributes],
        pose: FloatArray,
        box: tuple[float, ...],
    ) -> None:
        """Create an actor; `pose` in metres and radians, `box` (centre and half size) in cm."""
        name, uid, attributes = blueprint
        x, y, z, roll, pitch, yaw = (pose * DEGREES).tolist()
        added = (actor, kind, x, y, z, roll, pitch, yaw, uid, name, attributes)
        self._packets["EventAdd"].append(added)
        if kind.startswith("Traffic"):
            box_packet = "TriggerVolume"
        else:
            box_packet = "BoundingBox"
        self._packets[box_packet].append((actor, *box))

    def _add_signs(self) -> list[int]:
        """Add the traffic lights and the signs, and return the ids of the lights."""
        town = self.town
        lights = []
        for rail, crossing in town.heads:
            begin = float(town.begins[rail, crossing])
            lights.append(self._add_sign("TrafficLight", "traffic.traffic_light", rail, begin))
        for rail, crossing in town.unlit:
            begin = float(town.begins[rail, crossing])
            self._add_sign("TrafficSign", "traffic.stop", rail, begin)
        for rail in np.flatnonzero(town.kind == CAR).tolist():
            self._add_sign("TrafficSign", "traffic.speed_limit.30", rail, 12.0)
        return lights

    def _add_sign(self, kind: str, name: str, rail: int, along: float) -> int:
        """Add a light or sign at the kerb, with its trigger volume before it, and return its id."""
        x, y, heading = self.town.along(rail, along + 0.4, 4.6)
        pose = np.array([x, y, ground(x, y)[0] + 0.1, 0.0, 0.0, wrap_angle(heading + pi)])
        volume_x, volume_y, _ = self.town.along(rail, along - 2.5)
        volume_z = ground(volume_x, volume_y)[0]
        box = (100 * volume_x, 100 * volume_y, 100 * volume_z + 90.0, 165.0, 165.0, 90.0)
        actor = next(self._next_ids)
        self._add(actor, kind, (name, 0, ()), pose, box)
        return actor

    def _add_props(self) -> Records:
        """Add props beside parking bays that stay free, and return their records of positions."""
        positions = []
        for number in range(PROPS):
            name = blueprints.PROPS[number % 3]
            bay_x, bay_y, bay_heading = self.town.bays.pop()
            beside_x = bay_x - np.sign(bay_heading) * (BESIDE - BAY)
            x, y, heading = bend(beside_x, bay_y, bay_heading)
            pose = np.array([x, y, ground(x, y)[0], 0.0, 0.0, heading])
            actor = next(self._next_ids)
            box = (0.0, 0.0, 45.0, 35.0, 60.0, 45.0)
            self._add(actor, "Other", self.release.other(name, "prop"), pose, box)
            positions.append(_position_record(actor, pose))
        return positions

    def _populate(self, vehicles: int, walkers: int) -> None:
        """Spawn the road users of the first frame."""
        bicycles = max(1, vehicles // 10)
        planned = self._planned_models(vehicles, bicycles)
        starts = {}
        if self._accident:
            starts = self._accident.starts
        free = {
            CAR: self.traffic.free_places(CAR, 12.0),
            BICYCLE: self.traffic.free_places(BICYCLE, 12.0),
            FOOT: self.traffic.free_places(FOOT, 3.0),
        }
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
            if row in self._parked:
                bay = self.town.bays[row - self._parked[0]]
                self._spawn_parked(row, model, bay)
                continue
            if row in starts:
                start = starts[row]
            else:
                start = _next_start(free[kind])
            self._spawn(row, model, _role(row), start)
        if vehicles > HERO:
            self._attach_sensor(HERO, "sensor.other.collision", 0.0, 0.0)
            self._attach_sensor(HERO, "sensor.camera.rgb", 1.3, 2.3)
        if vehicles > CYCLIST:
            self._attach_sensor(CYCLIST, "sensor.other.collision", 0.0, 0.0)

    def _planned_models(self, vehicles: int, bicycles: int) -> dict[int, Model]:
        """The models that are not left to chance, by row."""
        planned = {HERO: blueprints.HERO_MODEL, CYCLIST: BICYCLES[0]}
        for number in range(vehicles // 12):
            planned[bicycles + 1 + number] = blueprints.MOTORCYCLE
        if self._parked:
            planned[self._parked[0]] = next(car for car in CARS if car.special == "doors")
        return planned

    def _random_model(self, kind: int) -> Model:
        if kind == FOOT:
            if self.random.random() < 0.2:
                return CHILD
            return blueprints.ADULT
        if kind == CAR:
            return next(self._car_models)
        return self.random.choice(BICYCLES)

    def _spawn(self, row: int, model: Model, role: str, start: Start) -> None:
        """Create a road user on a rail."""
        traffic = self.traffic
        traffic.add(row, model)
        speed = min(start.speed, float(traffic.target_speed[row]))
        traffic.place_on_rail(row, start.rail, start.along, speed)
        self._introduce(row, model, role)

    def _spawn_parked(self, row: int, model: Model, bay: tuple[float, float, float]) -> None:
        """Create a vehicle in a parking bay."""
        self.traffic.add(row, model)
        x, y, yaw = bend(bay[0], bay[1], bay[2])
        self.traffic.park(row, x, y, yaw)
        self._introduce(row, model, "parked")

    def _introduce(self, row: int, model: Model, role: str) -> None:
        """Create the actor of a road user that has its place."""
        traffic = self.traffic
        release = self.release
        pose = traffic.pose[:, row].copy()
        speed = traffic.speed[row]
        self.velocity[:, row] = 0.0
        self.velocity[0, row] = speed * np.cos(pose[5])
        self.velocity[1, row] = speed * np.sin(pose[5])
        color = self.random.choice(model.colors)  # drawn for walkers too
        actor = next(self._next_ids)
        self.ids[row] = actor
        if traffic.walks[row]:
            number = self.random.choice(release.walkers_of(model))
            self._add(actor, "Walker", release.walker(number), pose, model.box)
        else:
            blueprint = release.vehicle(model, color, role)
            self._add(actor, "Vehicle", blueprint, pose, model.box)
            self._packets["PhysicsControl"].append((actor, model, pose))

    def _attach_sensor(self, row: int, name: str, ahead: float, above: float) -> int:
        """Attach a sensor to a vehicle, at metres from its origin, and return its id."""
        pose = np.array([ahead, 0.0, above, 0.0, 0.0, 0.0])
        sensor = next(self._next_ids)
        self._add(sensor, "Sensor", self.release.other(name, "front"), pose, NO_BOX)
        self._packets["EventParent"].append((sensor, int(self.ids[row])))
        return sensor

    def _remove(self, row: int) -> None:
        self.traffic.alive[row] = False
        self.traffic.driving[row] = False
        self._packets["EventDel"].append((int(self.ids[row]),))

    # --- frames -----------------------------------------------------------------------------------------

    def frames(self) -> Iterator[Packets]:
        """The packets of each frame, the first at 0 s and the last at `seconds`."""
        last = round(self.seconds / self.step)
        elapsed = 0.0
        for index in range(last + 1):
            time = index * self.step
            before = (index - 1) * self.step
            share = 0.0
            if index:
                self._packets = defaultdict(list)
                share = time / self.seconds
                self._advance(before, time)
            changes = int(time / WEATHER_EVERY + 1e-9) > int(before / WEATHER_EVERY + 1e-9)
            if changes or not index:
                self._packets["Weather"] = [_weather(share)]
            duration = self.step
            if index == last:
                duration = -1.0
            self._packets["FrameStart"] = [(index + 1, duration, elapsed)]
            self._packets["VisualTime"] = [(312.5 + elapsed,)]
            self._packets["PlatformTime"] = [(0.03 + 1.1 * elapsed,)]
            self._record_states(time)
            yield self._packets
            elapsed += self.step

    def _advance(self, before: float, time: float) -> None:
        """Simulate what happens between two frames."""
        parts = max(1, ceil(self.step / LONGEST_STEP - 1e-9))
        dt = self.step / parts
        touches = False
        for part in range(parts):
            if self._simulate(before + (part + 1) * dt, dt):
                touches = True
        self._spawn_arrivals(time)
        self._run_events(time, before)
        if touches:
            hero, bicycle = self.ids[[HERO, CYCLIST]].tolist()
            self._packets["Collision"] = [
                (self._touches, hero, bicycle, True, False),
                (self._touches + 1, bicycle, hero, False, True),
            ]
            self._touches += 2

    def _simulate(self, time: float, dt: float) -> bool:
        """Advance by one step, and return whether hero and cyclist touch."""
        traffic = self.traffic
        accident = self._accident
        before = traffic.pose.copy()
        if accident:
            accident.prepare_step(time, dt)
        traffic.step(time, dt)
        if accident:
            accident.resolve_contact(dt)
        departed = traffic.departed.tolist()
        for row in departed:
            due = time + 0.5 + 3.5 * self.random.random()
            self._arrivals.append((due, row))
            self._remove(row)
        moved = traffic.pose - before
        yaw = traffic.pose[5]
        roll, pitch, turn = np.degrees(wrap_angle(moved[3:]))
        # Yaw turns with the left-handed axes, roll and pitch against them (measured on real recordings).
        rate_x = pitch * np.sin(yaw) - roll * np.cos(yaw)
        rate_y = -roll * np.sin(yaw) - pitch * np.cos(yaw)
        self.velocity = np.vstack((moved[:3], rate_x, rate_y, turn)) / dt
        return accident is not None and accident.in_contact

    def _spawn_arrivals(self, time: float) -> None:
        """Replace road users that left the map, where an entry is free."""
        traffic = self.traffic
        for due, row in list(self._arrivals):
            kind = self.town.kind[traffic.rail[row]]
            rail = self.random.choice(np.flatnonzero(self.town.kind == kind).tolist())
            room = 30.0
            if kind == FOOT:
                room = 4.0
            if due <= time and traffic.is_free(rail, 5.0, room):
                self._arrivals.remove((due, row))
                model = self._random_model(kind)
                self._spawn(row, model, "autopilot", Start(rail, 5.0, 9.0))

    # --- events -----------------------------------------------------------------------------------------

    def _run_events(self, time: float, before: float) -> None:
        """Run the events that are due between `before` and `time`."""

        def is_due(share: float, later: float = 0.0) -> bool:
            return before < share * self.seconds + later <= time

        packets = self._packets
        if self._parked:
            car = int(self.ids[self._parked[0]])
            if is_due(DOOR_OPENS):
                packets["VehicleDoor"].append((car, 1, True))
            if is_due(DOOR_OPENS, DOOR_CLOSES):
                packets["VehicleDoor"].append((car, 1, False))
            if time >= DOOR_OPENS * self.seconds + GETS_OUT:
                self._let_passenger_out()
        if len(self._parked) > 1 and is_due(PARKED_LEAVES):
            self._remove(self._parked.pop())
        if self.vehicles and is_due(SENSOR_ADDED):
            self._gnss = self._attach_sensor(HERO, "sensor.other.gnss", 1.0, 2.8)
        if self.vehicles and is_due(SENSOR_REMOVED):
            packets["EventDel"].append((self._gnss,))
        lamps = range(self._lamps_on(before), self._lamps_on(time))
        packets["SceneLight"] = [_lamp_record(lamp, is_on=True) for lamp in lamps]

    def _let_passenger_out(self) -> None:
        """Spawn the passenger on the pavement beside the first parking bay, once, and when there is room."""
        passenger = len(self.ids) - 1
        if self.ids[passenger]:  # the passenger is out, or the town has no walkers and this is the last vehicle
            return
        town = self.town
        x, y, _ = town.bays[0]
        distances = np.where(town.group == 2, np.abs(town.start[0] - x), np.inf)
        rail = int(distances.argmin())
        along = float(abs(town.start[1, rail] - y))
        if self.traffic.is_free(rail, along, 2.0):
            self._spawn(passenger, blueprints.ADULT, "", Start(rail, along, 0.0))

    def _lamps_on(self, time: float) -> int:
        """How many street lamps are on at a time."""
        share = (time - LAMPS_ON * self.seconds) / LAMPS_TAKE
        return int(np.clip(share, 0.0, 1.0) * LAMPS)

    # --- states -----------------------------------------------------------------------------------------

    def _spectator(self) -> FloatArray:
        """Pose of the spectator: behind and above the hero, or above the town."""
        if self.vehicles:
            x, y, z, _, _, yaw = self.traffic.pose[:, HERO]
        else:
            x, y, z, yaw = (0.0, 0.0, 120.0, 0.0)
        return np.array([x - 9.0 * np.cos(yaw), y - 9.0 * np.sin(yaw), z + 5.5, 0.0, -0.31, yaw])

    def _record_states(self, time: float) -> None:
        """Record positions, velocities, traffic lights and animations."""
        packets = self._packets
        traffic = self.traffic
        ids = self.ids
        alive = np.flatnonzero(traffic.alive)
        alive = alive[np.argsort(ids[alive])]
        drivers = alive[~traffic.walks[alive]]
        people = alive[traffic.walks[alive]]
        poses = traffic.pose[:, alive] * DEGREES[:, None]
        positions = rows(ids[alive], *poses)
        if self.release.era >= 2:
            positions.append(_position_record(SPECTATOR, self._spectator()))
            positions += self._props
        packets["Position"] = sorted(positions)
        packets["Kinematics"] = rows(ids[alive], *self.velocity[:, alive])
        self._record_lights(time)
        packets |= walker_states(ids[people], traffic.speed[people], traffic.spin[people])
        packets |= vehicle_states(
            ids[drivers],
            [traffic.model[row] for row in drivers],
            speed=traffic.speed[drivers],
            accel=traffic.accel[drivers],
            steer=traffic.steer[drivers],
            spin=traffic.spin[drivers],
            is_driven=traffic.driving[drivers],
        )
        brake = np.array([record[3] for record in packets["AnimVehicle"]])
        is_dark = time >= LAMPS_ON * self.seconds
        packets["VehicleLight"] = self._vehicle_lights(drivers, brake, is_dark)

    def _record_lights(self, time: float) -> None:
        """Record the states of the traffic lights."""
        town = self.town
        lamp, since, _ = town.lamps(time)
        for light, (rail, crossing) in zip(self._lights, town.heads, strict=True):
            junction = town.junction[rail, crossing]
            group = town.group[rail]
            record = (light, False, since[junction, group], lamp[junction, group])
            self._packets["State"].append(record)

    def _vehicle_lights(self, drivers: IntArray, brake: FloatArray, is_dark: bool) -> Records:
        """Lights of vehicles, derived from their motion."""
        traffic = self.traffic
        driving = traffic.driving[drivers]
        emergency = traffic.emergency[drivers]
        junction = self.town.begins[traffic.rail[drivers], traffic.ahead[drivers]]
        is_near = junction - traffic.along[drivers] < 30.0
        turns = driving & traffic.turning[drivers] & is_near
        lights = np.where(brake > 0.02, BRAKE, 0)
        lights |= np.where(driving & is_dark, POSITION | LOW_BEAM, 0)
        lights |= np.where(turns, RIGHT_BLINKER, 0)
        lights |= np.where(emergency, RIGHT_BLINKER | LEFT_BLINKER, 0)
        has_lights = np.array([traffic.model[row].kind != "bicycle" for row in drivers], bool)
        return rows(self.ids[drivers], lights * has_lights)


def _role(row: int) -> str:
    if row == HERO:
        return "hero"
    if row == CYCLIST:
        return "scenario"
    return "autopilot"


def _next_start(places: list[Start]) -> Start:
    """Take the next of free places, which is not on the approach: that is reserved for the hero and the cyclist."""
    start = places.pop()
    while start.rail in (HERO_RAIL, CYCLIST_RAIL) and start.along <= APPROACH:
        start = places.pop()
    return start


def _lamp_record(lamp: int, is_on: bool) -> tuple[Any, ...]:
    """The record of a street lamp in SceneLight."""
    return (lamp + 1, *LAMP_LIGHT, is_on, 2)


def _position_record(actor: int, pose: FloatArray) -> tuple[Any, ...]:
    """The record of an actor in Position; the pose in metres and radians."""
    return (actor, *(pose * DEGREES).tolist())


def _weather(share: float) -> tuple[float, ...]:
    """The record of Weather at a share of the whole time: sunset, and rising fog."""
    return (
        30 + 20 * share,
        0.0,
        10.0,
        15 + 5 * share,
        245 + 3 * share,
        6 - 8 * share,
        2 + 6 * share,
        40.0,
        0.2,
        0.0,
        1.0,
        0.03,
        0.0331,
        0.0,
    )
