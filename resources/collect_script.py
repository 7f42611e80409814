#!/usr/bin/env python3
"""Replay a recording of CARLA step by step, and save what sensors on one of its actors see.

    python3 collect.py --rig sensors.json --out seen

Needs nothing but the package `carla` of the simulator's release. The simulator reads the recording itself: the path is
one on its machine. It is run in synchronous mode, one step of STEP seconds after the other, and no step is taken before
every sensor has sent its data of the last one. What was set before is set again at the end.

The rig is a JSON file as the leaderboard has it (a list of objects with type, id, x, y, z, roll, pitch, yaw, width,
height, fov), or as ros-bridge has it (`objects`, each with type, id, spawn_point and attributes of the blueprint). All
of its sensors are attached to the one actor. Places are metres from the actor's own: those of the leaderboard as CARLA
has them, y to the right and pitch up; those of a spawn_point as ROS has them, y to the left and pitch down. Attributes
that are not given stay as the simulator has them; `sensor_tick` is set to 0, a value for each step. Pseudo sensors are
left out.

What is written:

    OUT/frames.jsonl            a line a step: its number, the time in the recording (s), the simulator's frame, and
                                where the actor is (m, degrees)
    OUT/SENSOR/000123.png       cameras, as the sensor sends them: depth and classes are encoded in the colours
    OUT/SENSOR/000123.ply       lidar
    OUT/SENSOR/000123.json      radar: depth (m), azimuth, altitude (rad) and velocity (m/s) of each detection
    OUT/SENSOR/000123.bin       the bytes of others (DVS, optical flow)
    OUT/SENSOR.jsonl            a line for each value of the rest: GNSS, IMU, collisions, crossed lines

At a time in the recording the simulator shows the frame before it, or a point between that and its own: pictures are up
to one frame late, as in any replay.
"""

import argparse
import json
import queue
import re
import shlex
import sys
from pathlib import Path

try:
    import carla
except ImportError as error:
    command = shlex.join([sys.executable, "-m", "pip", "install", "carla"])
    sys.exit(f"This needs the simulator's package ({error}): `{command}` installs it, for Python 3.12 or older.")

# --- what is replayed -----------------------------------------------------------------------------------

RECORDING = "/path/on/the/machine/of/the/simulator.log"
RELEASE = "CARLA 0.9.15"
MAP = ""
HOST = "localhost"
PORT = 2000
START = 0.0
DURATION = 0.0
END = 0.0
STEP = 0.05
ACTOR = None

# --- how it is looked at --------------------------------------------------------------------------------

RIG = [
    {"type": "sensor.camera.rgb", "id": "front", "x": 1.5, "z": 1.6, "width": 1280, "height": 720, "fov": 90},
    {"type": "sensor.lidar.ray_cast", "id": "lidar", "z": 2.4, "channels": 32, "range": 80},
]
"""The sensors where no rig is given."""

EVENTS = ("sensor.other.collision", "sensor.other.lane_invasion", "sensor.other.obstacle", "sensor.other.v2x")
"""Sensors that send something now and then: nobody waits for them."""

FIRST_STEPS = 3
"""Until CARLA 0.9.13, sensors may send nothing in their first steps."""


def main():
    arguments = read_arguments()
    try:
        rig = RIG if arguments.rig is None else json.loads(arguments.rig.read_text("utf-8"))
        sensors = list(read_rig(rig))
    except (OSError, ValueError, TypeError, AttributeError, KeyError) as error:
        sys.exit(f"{arguments.rig} is no rig of sensors: {type(error).__name__}: {error}.")
    if not sensors:
        sys.exit("The rig has no sensor.")
    if len({name for name, *_ in sensors}) < len(sensors):
        sys.exit("Two sensors of the rig have one id.")
    client = carla.Client(arguments.host, arguments.port)
    client.set_timeout(arguments.timeout)
    print(f"The simulator is CARLA {client.get_server_version()}, the recording of {RELEASE}.")
    world = client.get_world()
    if MAP and world.get_map().name.rpartition("/")[2].lower() != MAP.lower():
        print(f"Loading {MAP}.")
        world = client.load_world(MAP)
    before = world.get_settings()
    settings = world.get_settings()
    settings.synchronous_mode, settings.fixed_delta_seconds = True, arguments.step
    world.apply_settings(settings)
    try:
        collect(client, world, sensors, arguments)
    finally:
        client.stop_replayer(False)
        world.apply_settings(before)


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--recording", default=RECORDING, help=f"the file, on the simulator's machine ({RECORDING})")
    parser.add_argument("--rig", type=Path, help="the sensors (JSON); else a camera and a lidar")
    parser.add_argument("--out", type=Path, default=Path("collected"), help="the folder to write to (collected)")
    parser.add_argument("--actor", help="the id or role name of another actor than the one chosen")
    parser.add_argument("--host", default=HOST, help=f"where the simulator runs ({HOST})")
    parser.add_argument("--port", type=int, default=PORT, help=f"its port ({PORT})")
    parser.add_argument("--start", type=float, default=START, help=f"s; below 0: before the end ({START:g})")
    parser.add_argument("--duration", type=float, default=DURATION, help=f"s; 0: to the end ({DURATION:g})")
    parser.add_argument("--step", type=above_zero, default=STEP, help=f"s of a step ({STEP:g})")
    parser.add_argument("--every", type=whole, default=1, help="save every N-th step only (1)")
    parser.add_argument("--timeout", type=float, default=60.0, help="s to wait for an answer (60)")
    return parser.parse_args()


def above_zero(text):
    if not 0 < float(text) < float("inf"):
        raise ValueError
    return float(text)


def whole(text):
    return int(above_zero(str(int(text))))


# --- the rig --------------------------------------------------------------------------------------------


def read_rig(rig):
    """The sensors of a rig: name, type, transform and attributes."""
    if isinstance(rig, dict):
        rig = [*rig.get("sensors", ()), *rig.get("objects", ())]
    for each in rig:
        kind, name = each["type"], each.get("id") or each["type"]
        if not kind.startswith("sensor."):
            yield from read_rig(each)
        elif kind in ("sensor.opendrive_map", "sensor.speedometer") or kind.startswith("sensor.pseudo."):
            print(f"{name} ({kind}) is no sensor of the simulator; it is left out.")
        else:
            known = ("type", "id", "spawn_point", "attached_objects", "x", "y", "z", "roll", "pitch", "yaw")
            attributes = {key: value for key, value in each.items() if key not in known}
            for key, other in (("width", "image_size_x"), ("height", "image_size_y")):
                if key in attributes:
                    attributes[other] = attributes.pop(key)
            attributes["sensor_tick"] = 0.0
            yield re.sub(r"[^\w.-]", "_", name), kind, place_of(each), attributes


def place_of(sensor):
    """Where a sensor is on its actor."""
    ros = "spawn_point" in sensor
    point = sensor.get("spawn_point", sensor)
    x, y, z, roll, pitch, yaw = (float(point.get(key, 0.0)) for key in ("x", "y", "z", "roll", "pitch", "yaw"))
    if ros:
        y, pitch, yaw = -y, -pitch, -yaw
    return carla.Transform(carla.Location(x=x, y=y, z=z), carla.Rotation(pitch=pitch, yaw=yaw, roll=roll))


def attach(world, actor, sensors):
    """Create sensors on an actor: by name what each is, and the queue of its data."""
    library, made = world.get_blueprint_library(), {}
    try:
        for name, kind, place, attributes in sensors:
            blueprint = library.find(kind)
            for key, value in attributes.items():
                if blueprint.has_attribute(key):
                    blueprint.set_attribute(key, str(value).lower() if isinstance(value, bool) else str(value))
                elif key != "sensor_tick":
                    print(f"{name}: {kind} has no attribute {key}; it is left out.")
            sensor = world.spawn_actor(blueprint, place, attach_to=actor)
            made[name] = sensor, queue.Queue()
            sensor.listen(made[name][1].put)
    except BaseException:
        remove(made)
        raise
    return made


def remove(made):
    """Destroy sensors."""
    for sensor, _ in made.values():
        if sensor.is_alive:
            sensor.stop()
            sensor.destroy()


# --- the replay -----------------------------------------------------------------------------------------


def collect(client, world, sensors, arguments):
    """Replay the recording, and save what the sensors see until it ends or the actor is gone."""
    start = max(0.0, END + arguments.start) if arguments.start < 0 else arguments.start
    end = min(END, start + arguments.duration) if arguments.duration > 0 else END
    if start + arguments.step >= end:
        sys.exit(f"From {start:g} s on there is nothing to see: the recording ends at {END:g} s.")
    client.set_replayer_time_factor(1.0)
    client.set_replayer_ignore_hero(False)
    answer = client.replay_file(arguments.recording, start, end - start, 0, False)
    print(answer.strip())
    if "not found" in answer or "Could not load" in answer:
        sys.exit("The simulator cannot replay it.")
    if "Loading map" in answer:
        here = world.get_map().name.rpartition("/")[2]
        sys.exit(
            f"The simulator calls its map {here} and the recording names it otherwise, so it is loaded anew, without "
            f"waiting for steps. A copy with that name helps: recorder-editor edit IN OUT --set-map {here}"
        )
    actor, made, number, written = None, {}, 0, 0
    arguments.out.mkdir(parents=True, exist_ok=True)
    try:
        with (arguments.out / "frames.jsonl").open("w", encoding="utf-8") as frames:
            # In the step that reaches its end, the replayer lets go of the actors.
            while start + (number + 1) * arguments.step < end - 1e-6:
                frame = world.tick()
                number += 1
                time = start + number * arguments.step
                if actor is None:
                    actor = find_actor(world, arguments.actor, time)
                    if actor is not None:
                        print(f"At {time:.3f} s: actor {actor.id}, {actor.type_id}.")
                        made, born = attach(world, actor, sensors), number
                    continue
                if not world.get_snapshot().has_actor(actor.id):
                    print(f"At {time:.3f} s: the actor is gone.")
                    break
                seen = gather(made, frame, 2.0 if number - born <= FIRST_STEPS else arguments.timeout)
                if number - born > FIRST_STEPS and None in seen.values():
                    names = ", ".join(name for name, values in seen.items() if values is None)
                    sys.exit(f"Nothing came from {names} at {time:.3f} s.")
                if number % arguments.every == 0:
                    for name, values in seen.items():
                        for data in values or ():
                            save(arguments.out, name, number, data)
                    line = {"step": number, "time": round(time, 6), "frame": frame, **pose(actor.get_transform())}
                    frames.write(json.dumps(line) + "\n")
                    written += 1
    finally:
        remove(made)
    if actor is None:
        there = sorted(f"{each.id} {each.type_id}" for each in world.get_actors() if "role_name" in each.attributes)
        sys.exit(f"The actor was not found; there were: {', '.join(there)}")
    print(f"Saved {written} steps in {arguments.out}.")


def find_actor(world, other, time):
    """The actor that the sensors are put on, once it is there.

    The simulator gives an actor the id that it had where that is free. Else it is the one of its blueprint and role
    name that is nearest to where it was recorded.
    """
    actors = list(world.get_actors())
    if other is not None:
        named = (each for each in actors if other in (str(each.id), each.attributes.get("role_name")))
        return next(named, None)
    if ACTOR is None:
        sys.exit("The recording has no hero: choose an actor with --actor.")
    if time < ACTOR["since"]:
        return None
    alike = [
        each
        for each in actors
        if each.type_id == ACTOR["type_id"] and each.attributes.get("role_name", "") == ACTOR["role_name"]
    ]
    place = carla.Location(*ACTOR["location"])
    return min(alike, key=lambda each: (each.id != ACTOR["id"], each.get_location().distance(place)), default=None)


def gather(made, frame, seconds):
    """What each sensor has sent of a frame: a list of data; None where it has sent nothing in time."""
    seen = {}
    for name, (sensor, data) in made.items():
        values = []
        try:
            if sensor.type_id.startswith(EVENTS):
                while True:
                    values.append(data.get_nowait())
            while not values:
                value = data.get(timeout=seconds)
                if value.frame >= frame:
                    values.append(value)
        except queue.Empty:
            values = values if sensor.type_id.startswith(EVENTS) else None
        seen[name] = values
    return seen


# --- files ----------------------------------------------------------------------------------------------


def save(out, name, number, data):
    """Write one value of a sensor."""
    file = out / name / f"{number:06d}"
    if not hasattr(data, "raw_data"):
        with (out / f"{name}.jsonl").open("a", encoding="utf-8") as lines:
            lines.write(json.dumps({"step": number, **fields(data)}) + "\n")
        return
    file.parent.mkdir(exist_ok=True)
    if hasattr(data, "save_to_disk"):
        data.save_to_disk(f"{file}.png" if hasattr(data, "width") else f"{file}.ply")
    elif hasattr(data, "get_detection_count"):
        found = [[each.depth, each.azimuth, each.altitude, each.velocity] for each in data]
        Path(f"{file}.json").write_text(json.dumps(found), "utf-8")
    else:
        Path(f"{file}.bin").write_bytes(bytes(data.raw_data))


def fields(data):
    """What a value holds beside its place, as JSON."""
    names = [name for name in dir(data) if not name.startswith("_") and name not in ("frame_number", "transform")]
    values = {name: getattr(data, name) for name in names}
    return {name: plain(value) for name, value in values.items() if not callable(value)}


def plain(value):
    """A value as JSON has it: vectors as lists, actors as their ids."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if hasattr(value, "x"):
        return [getattr(value, axis) for axis in "xyz" if hasattr(value, axis)]
    if hasattr(value, "id"):
        return value.id
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return str(value)


def pose(transform):
    """A transform as JSON has it: metres, and degrees."""
    place, turn = transform.location, transform.rotation
    return {"location": [place.x, place.y, place.z], "rotation": [turn.roll, turn.pitch, turn.yaw]}


if __name__ == "__main__":
    try:
        main()
    except RuntimeError as error:  # the package's own: nobody answers, or it is refused
        sys.exit(str(error))
