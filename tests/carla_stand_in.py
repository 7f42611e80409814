"""A stand-in for the simulator's package and a simulator behind it, which replays in synchronous mode.

The environment says in JSON what it shows (`SCENE`), and where what is done with it is written down, a line each
(`DONE`). Actors drive along x, one metre a second. Data of sensors comes from threads of its own, the last one's twice.
"""

import json
import os
import threading

SCENE = json.loads(os.environ["SCENE"])


def done(*what):
    with open(os.environ["DONE"], "a", encoding="utf-8") as file:
        file.write(json.dumps(what) + "\n")


class Vector3D:
    def __init__(self, x=0.0, y=0.0, z=0.0):
        self.x, self.y, self.z = x, y, z


class Location(Vector3D):
    def distance(self, other):
        return abs(complex(self.x - other.x, self.y - other.y))


class Rotation:
    def __init__(self, pitch=0.0, yaw=0.0, roll=0.0):
        self.pitch, self.yaw, self.roll = pitch, yaw, roll


class Transform:
    def __init__(self, location, rotation):
        self.location, self.rotation = location, rotation


class WorldSettings:
    def __init__(self, synchronous_mode=False, fixed_delta_seconds=None):
        self.synchronous_mode, self.fixed_delta_seconds = synchronous_mode, fixed_delta_seconds


class Actor:
    def __init__(self, id, type_id, role_name="", x=0.0, y=0.0, since=0.0, until=1e9):
        self.id, self.type_id, self.since, self.until = id, type_id, since, until
        self.attributes = {"role_name": role_name} if role_name else {}
        self.born = x, y

    def get_location(self):
        return Location(self.born[0] + WORLD.time, self.born[1], 0.5)

    def get_transform(self):
        return Transform(self.get_location(), Rotation(1.0, 2.0, 3.0))


class SensorData:
    def __init__(self, frame):
        self.frame, self.timestamp, self.transform = frame, frame / 10, Transform(Location(), Rotation())


class Image(SensorData):
    width, height, raw_data = 4, 2, bytes(32)

    def save_to_disk(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"{type(self).__name__} {self.frame}")


class LidarMeasurement(SensorData):
    channels, raw_data = 32, bytes(16)
    save_to_disk = Image.save_to_disk


class RadarDetection:
    depth, azimuth, altitude, velocity = 10.0, 0.1, 0.0, -1.0


class RadarMeasurement(SensorData):
    raw_data = bytes(16)

    def get_detection_count(self):
        return 1

    def __iter__(self):
        return iter([RadarDetection()])


class DVSEventArray(SensorData):
    raw_data = b"events"


class IMUMeasurement(SensorData):
    compass = 1.5

    @property
    def accelerometer(self):
        return Vector3D(1.0, 2.0, 9.8)


class CollisionEvent(SensorData):
    @property
    def other_actor(self):
        return WORLD.actors[0]


KINDS = {
    "sensor.camera.rgb": Image,
    "sensor.lidar.ray_cast": LidarMeasurement,
    "sensor.other.radar": RadarMeasurement,
    "sensor.camera.dvs": DVSEventArray,
    "sensor.other.imu": IMUMeasurement,
    "sensor.other.collision": CollisionEvent,
}


class ActorBlueprint:
    def __init__(self, id):
        self.id, self.set = id, {}

    def has_attribute(self, name):
        return name in ("image_size_x", "image_size_y", "fov", "channels", "range", "sensor_tick", "use_log")

    def set_attribute(self, name, value):
        assert isinstance(value, str)
        self.set[name] = value


class BlueprintLibrary:
    def find(self, id):
        assert id in KINDS, id
        return ActorBlueprint(id)


class Sensor:
    def __init__(self, type_id):
        self.type_id, self.hears, self.is_alive = type_id, None, True

    def listen(self, hears):
        self.hears = hears

    def stop(self):
        self.hears = None

    def destroy(self):
        self.is_alive = False
        done("destroy", self.type_id)


class World:
    def __init__(self, name):
        self.name, self.settings, self.frame, self.time, self.stop = name, WorldSettings(), 1000, 0.0, None
        self.actors = [Actor(**each) for each in SCENE["actors"]]
        self.sensors = []

    def get_map(self):
        return self

    def get_settings(self):
        return WorldSettings(**vars(self.settings))

    def apply_settings(self, settings):
        self.settings = settings
        done("settings", settings.synchronous_mode, settings.fixed_delta_seconds)

    def get_actors(self):
        return [each for each in self.actors if each.since <= self.time < each.until]

    def get_snapshot(self):
        return self

    def has_actor(self, id):
        return id in [each.id for each in self.get_actors()]

    def get_blueprint_library(self):
        return BlueprintLibrary()

    def spawn_actor(self, blueprint, transform, attach_to):
        place, turn = transform.location, transform.rotation
        pose = [place.x, place.y, place.z, turn.roll, turn.pitch, turn.yaw]
        done("spawn", blueprint.id, pose, blueprint.set, attach_to.id)
        self.sensors.append(Sensor(blueprint.id))
        return self.sensors[-1]

    def tick(self):
        assert self.settings.synchronous_mode
        self.frame += 1
        self.time += self.settings.fixed_delta_seconds
        if self.frame == SCENE.get("interrupted"):
            raise KeyboardInterrupt
        assert self.stop is None or self.time < self.stop, "it was replayed to its end, where the actors are let go"
        for each in self.sensors:
            if each.hears is not None and self.frame not in SCENE.get("silent", {}).get(each.type_id, []):
                threading.Thread(target=self.send, args=(each.type_id, self.frame, each.hears)).start()
        return self.frame

    @staticmethod
    def send(kind, frame, hears):
        hears(KINDS[kind](frame - 1))
        hears(KINDS[kind](frame))


class Client:
    def __init__(self, host, port):
        done("client", host, port)

    def set_timeout(self, seconds):
        pass

    def get_server_version(self):
        return "0.9.15"

    def get_world(self):
        return WORLD

    def load_world(self, name):
        done("load", name)
        WORLD.__init__(f"Carla/Maps/{name}")
        return WORLD

    def set_replayer_time_factor(self, factor):
        assert factor == 1.0

    def set_replayer_ignore_hero(self, on):
        assert not on

    def replay_file(self, name, start, duration, follow_id, replay_sensors):
        done("replay", name, start, duration, follow_id, replay_sensors)
        WORLD.time, WORLD.stop = start, start + duration
        return SCENE.get("answer", f"Replaying File: {name}\n")

    def stop_replayer(self, keep_actors):
        done("stop", keep_actors)


WORLD = World(SCENE["map"])
