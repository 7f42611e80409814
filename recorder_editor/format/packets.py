"""The table of packets: every packet of every CARLA release, one line per field.

A new packet type needs an entry here and an id in `dialects`. Decoder, encoder, editors, tooltips and dumps are derived
from its fields; edits, states and the replay model from its traits (`PacketType`).
Units and meanings: format reference, section 4. `real` is f32 in UE4 and f64 in UE5 (vectors only).
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal

from .schema import EMPTY, Array, BodyKind, Field, FieldType, Lifetime, PacketType, Struct, World

Real = Literal["f32", "f64"]

ACTOR_TYPES_098 = {0: "Other", 1: "Vehicle", 2: "Walker", 3: "TrafficLight", 4: "Invalid"}
ACTOR_TYPES_096 = {**ACTOR_TYPES_098, 4: "TrafficSign (0.9.9), Invalid (before)", 5: "Invalid"}
ACTOR_TYPES_0910 = {**ACTOR_TYPES_098, 4: "TrafficSign", 5: "Invalid"}
ACTOR_TYPES_0912 = {**ACTOR_TYPES_098, 4: "TrafficSign", 5: "Sensor", 6: "Invalid"}
ATTRIBUTE_TYPES_1 = {0: "Bool", 1: "Int", 2: "Float", 3: "String", 4: "RGBColor"}
ATTRIBUTE_TYPES_2 = {0: "None", 1: "Bool", 2: "Int", 3: "Float", 4: "String", 5: "RGBColor"}
ATTRIBUTE_TYPES_UE5 = {**ATTRIBUTE_TYPES_1, 5: "Vector"}
LIGHT_STATES = {0: "Red", 1: "Yellow", 2: "Green", 3: "Off", 4: "Unknown"}
LIGHT_GROUPS = {0: "None", 1: "Vehicle", 2: "Street", 3: "Building", 4: "Other"}
WHEELS = {0: "Front left", 1: "Front right", 2: "Rear left", 3: "Rear right", 4: "Middle left", 5: "Middle right"}
DOORS = {0: "Front left", 1: "Front right", 2: "Rear left", 3: "Rear right", 4: "Hood", 5: "Trunk", 6: "All"}
_LIGHTS = "Position LowBeam HighBeam Brake RightBlinker LeftBlinker Reverse Fog Interior Special1 Special2"
VEHICLE_LIGHTS = dict(zip((1 << bit for bit in range(11)), _LIGHTS.split(), strict=True))


def _list(
    name: str, record: str, meaning: str, lifetime: Lifetime = "shown", body: BodyKind = "list", **traits: Any
) -> Callable[..., PacketType]:
    """A packet without its fields, with which it is called; `record` is the name of a record."""

    def holding(*members: Field | Array) -> PacketType:
        key = ("id",) if body == "list" else ()
        return PacketType(-1, name, body, Struct(record, members), meaning, lifetime, **{"key": key, **traits})

    return holding


def _additional(name: str, record: str, meaning: str, *more: Any, **traits: Any) -> Callable[..., PacketType]:
    return _list(name, record, f"{meaning} (additional data)", *more, additional=True, **traits)


_single = partial(_list, body="single")
_applied = partial(_list, replayed="applied")
_quiet = partial(_single, replayed="run", reported=False)


def _record(name: str, *members: Field | Array) -> Struct:
    return Struct(name, members)


def _actor(path: str = "id", meaning: str = "Actor id at recording time") -> Field:
    return Field(path, "u32", meaning, actor=True)


def _vector(
    group: str, real: FieldType, unit: str, meaning: str, step: float, world: World | None = None
) -> tuple[Field, ...]:
    axes = (("x", "X, forward"), ("y", "Y, to the right"), ("z", "Z, up"))
    return tuple(
        Field(f"{group}.{axis}", real, f"{meaning}: {says}", unit, step=step, world=world) for axis, says in axes
    )


def _rotation(real: FieldType, world: World | None = None) -> tuple[Field, ...]:
    turns = (("roll", "about X"), ("pitch", "about Y, nose up"), ("yaw", "about Z, clockwise from above"))
    return tuple(
        Field(f"rotation.{name}", real, f"Rotation {says}", "°", low=-180, high=180, step=1, angle=True, world=world)
        for name, says in turns
    )


def _clock(meaning: str) -> Field:
    return Field("time", "f64", meaning, "s", step=0.01, clock=True)


def _share(path: str, meaning: str) -> Field:
    return Field(path, "f32", meaning, low=0, high=1, step=0.05)


def _percent(path: str, meaning: str) -> Field:
    return Field(path, "f32", meaning, "%", low=0, high=100, step=1)


def _amount(path: str, meaning: str, unit: str = "") -> Field:
    return Field(path, "f32", meaning, unit, low=0, step=0.05)


def packet_types(
    real: Real, *, actor_types: Mapping[int, str], attribute_types: Mapping[int, str], long_wheels: bool
) -> Mapping[str, PacketType]:
    """Every packet by name in the order of the recorder, for one vector type and one set of enumerations.

    All ids are -1; `dialects` assigns them. `long_wheels` selects the 48-byte wheel of 0.9.12 and newer instead of the
    36-byte one (format reference 4.15).
    """
    attribute = _record(
        "attribute",
        Field("type", "u8", "Type of the value", choices=attribute_types),
        Field("id", "str", "Name of the attribute"),
        Field("value", "str", "Value, as text"),
    )
    bone = _record(
        "bone",
        Field("name", "str", "Name of the bone"),
        *_vector("location", real, "cm", "Position of the bone, relative to its parent", 1),
        *_rotation(real),
    )
    wheel = _record(
        "wheel",
        Field("location", "u8", "Wheel; a bicycle has 0 in front, 1 behind", choices=WHEELS),
        Field("steering", "f32", "Steering angle", "°", step=1),
        Field("rotation", "f32", "Rotation of the wheel", "°", step=10),
    )
    rows = (
        _quiet("FrameStart", "frame", "Begins a frame: its number and times", "structural")(
            Field("frame_id", "u64", "Number of the frame, from 1, without gaps"),
            Field("duration", "f64", "Time from this frame to the next; -1 in the last frame", "s", step=0.01),
            Field("elapsed", "f64", "Time since the recording began", "s", step=0.01),
        ),
        _quiet("VisualTime", "time", "Time of clouds, rain and other effects")(_clock("Time of the visual effects")),
        _list("EventAdd", "actor", "Actors that were created in this frame", "event", replayed="run")(
            _actor(),
            Field("type", "u8", "Class of the actor; the replayer does not use it", choices=actor_types),
            *_vector("location", real, "cm", "Where it was created, world", 10),
            *_rotation(real),
            Field(
                "uid", "u32", "Number of the blueprint in the build that recorded; 0 for spectator and traffic actors"
            ),
            Field("blueprint", "str", "Blueprint (description id), as in vehicle.lincoln.mkz_2017"),
            Array("attributes", "u16", attribute, "The blueprint's attributes"),
        ),
        _list("EventDel", "actor", "Actors that were destroyed in this frame", "event", replayed="run")(_actor()),
        _list(
            "EventParent",
            "attachment",
            "Attachments made in this frame",
            "event",
            key=("child", "parent"),
            replayed="run",
        )(_actor("child", "Actor that is attached"), _actor("parent", "Actor it is attached to")),
        _list(
            "Collision",
            "collision",
            "Collisions that sensors reported in this frame",
            "event",
            key=("actor1", "actor2"),
        )(
            Field("id", "u32", "Number of the collision, from 0; gaps are normal"),
            _actor("actor1", "Owner of the collision sensor; 4294967295 is not a CARLA actor"),
            _actor("actor2", "The other actor; 4294967295 is not a CARLA actor"),
            Field("hero1", "bool", "The first actor is a hero"),
            Field("hero2", "bool", "The second actor is a hero"),
        ),
        _applied("VehicleDoor", "door", "Doors that opened or closed in this frame", "lasting", key=("id", "door"))(
            _actor(), Field("door", "u8", "Door", choices=DOORS, every=6), Field("open", "bool", "The door is open")
        ),
        _applied("Position", "position", "Where every vehicle, walker and prop is", motion=True)(
            _actor(), *_vector("location", real, "cm", "Where it is, world", 10, "place"), *_rotation(real, "rotation")
        ),
        _applied("State", "traffic light", "State of every traffic light")(
            _actor(),
            Field("frozen", "bool", "The light is frozen in its state"),
            Field("elapsed", "f32", "Time in the current state", "s", low=0, step=0.1),
            Field("state", "i8", "State of the light", choices=LIGHT_STATES),
        ),
        _applied("AnimVehicle", "vehicle control", "Steering, throttle, brake and gear of every vehicle", motion=True)(
            _actor(),
            Field("steering", "f32", "Steering, -1 left to 1 right", low=-1, high=1, step=0.05),
            _share("throttle", "Throttle, 0 to 1"),
            _share("brake", "Brake, 0 to 1"),
            Field("handbrake", "bool", "Hand brake is on"),
            Field("gear", "i32", "Gear; negative is reverse"),
        ),
        _applied("AnimWalker", "walker control", "Walking speed of every walker", motion=True)(
            _actor(), Field("speed", "f32", "Walking speed", "cm/s", low=0, step=10)
        ),
        _applied("VehicleLight", "vehicle lights", "Lights of every vehicle")(
            _actor(), Field("lights", "u32", "The lights that are on", flags=VEHICLE_LIGHTS)
        ),
        _applied(
            "SceneLight",
            "scene light",
            "Lights of the map that changed; all of them in the first frame",
            "lasting",
            presence="filled",
        )(
            Field("id", "i32", "Number of the light in the map"),
            Field("intensity", "f32", "Brightness", low=0, step=100),
            _share("color.r", "Red, linear"),
            _share("color.g", "Green, linear"),
            _share("color.b", "Blue, linear"),
            _share("color.a", "Alpha, linear"),
            Field("on", "bool", "The light is switched on"),
            Field("group", "u8", "What the light belongs to", choices=LIGHT_GROUPS),
        ),
        _applied("AnimVehicleWheels", "wheels", "Angles of the vehicles' wheels", motion=True, reported=False)(
            _actor(), Array("wheels", "u32", wheel, "The vehicle's wheels")
        ),
        _applied("AnimBiker", "rider", "Animation of riders", motion=True, reported=False)(
            _actor(),
            Field("forward_speed", "f32", "Riding speed for the animation", step=0.1),
            _share("engine_rotation", "Engine speed, as a fraction of its maximum"),
        ),
        _list(
            "Weather",
            "weather",
            "Weather, when it changed; in force from the first frame",
            "lasting",
            key=(),
            presence="filled",
            replayed="run",
        )(
            _percent("cloudiness", "Clouds, 0 clear to 100 overcast"),
            _percent("precipitation", "Rain, 0 none to 100 heavy"),
            _percent("precipitation_deposits", "Puddles on the road"),
            _percent("wind_intensity", "Wind"),
            Field("sun_azimuth_angle", "f32", "Azimuth of the sun", "°", low=0, high=360, step=1),
            Field("sun_altitude_angle", "f32", "Altitude of the sun; below 0 is night", "°", low=-90, high=90, step=1),
            _percent("fog_density", "Fog"),
            Field("fog_distance", "f32", "Distance at which the fog begins", "m", low=0, step=1),
            Field("fog_falloff", "f32", "Falloff of the fog with height", low=0, step=0.1),
            _percent("wetness", "Wetness of the camera"),
            Field("scattering_intensity", "f32", "Light that the fog scatters", low=0, step=0.1),
            Field("mie_scattering_scale", "f32", "Scattering by large particles", low=0, step=0.01),
            Field("rayleigh_scattering_scale", "f32", "Scattering by small particles", low=0, step=0.01),
            _percent("dust_storm", "Dust storm"),
        ),
        _additional("Kinematics", "velocity", "Velocities of vehicles and walkers", presence="filled", motion=True)(
            _actor(),
            *_vector("linear_velocity", real, "m/s", "Velocity, world axes", 0.1, "velocity"),
            *_vector("angular_velocity", real, "°/s", "Angular velocity, world axes", 1, "velocity"),
        ),
        _additional("BoundingBox", "box", "Boxes of the actors created in this frame", "lasting")(
            _actor(),
            *_vector("origin", real, "cm", "Centre of the box, in the actor's axes", 1),
            *_vector("extent", real, "cm", "Half the size of the box", 1),
        ),
        _additional(
            "TriggerVolume", "trigger volume", "Where lights and signs act, at creation", "lasting", presence="filled"
        )(
            _actor(),
            *_vector("origin", real, "cm", "Centre of the volume, world", 1, "place"),
            *_vector("extent", real, "cm", "Half the size of the volume", 1),
        ),
        _additional("PlatformTime", "time", "Wall-clock time of the frame", body="single")(
            _clock("Wall-clock time since the recording began")
        ),
        _additional("PhysicsControl", "physics", "Physics of vehicles, when set", "lasting", presence="filled")(
            *_physics(long_wheels)
        ),
        _additional(
            "TrafficLightTime", "light times", "Durations of the lights' phases, when set", "lasting", presence="filled"
        )(
            _actor(),
            Field("green", "f32", "Duration of green", "s", low=0, step=0.5),
            Field("yellow", "f32", "Duration of yellow", "s", low=0, step=0.5),
            Field("red", "f32", "Duration of red", "s", low=0, step=0.5),
        ),
        _additional("WalkerBones", "skeleton", "Poses of the walkers' skeletons", motion=True, replayed="applied")(
            _actor(), Array("bones", "u16", bone, "The walker's bones")
        ),
        _single(
            "FrameCounter",
            "counter",
            "Frame number shared by several GPUs; never written to a file by CARLA",
            presence="never",
        )(Field("counter", "u64", "Frame number of the primary server")),
        PacketType(-1, "FrameEnd", "empty", EMPTY, "Ends a frame", "structural", replayed="run", reported=False),
    )
    return {row.name: row for row in rows}


def _physics(long_wheels: bool) -> tuple[Field | Array, ...]:
    """The members of a record of PhysicsControl."""
    stiffness = (
        Field("lat_stiff_max_load", "f32", "Load at which lateral stiffness is at its maximum"),
        Field("lat_stiff_value", "f32", "Lateral stiffness"),
        Field("long_stiff_value", "f32", "Longitudinal stiffness"),
    )
    wheel = _record(
        "wheel",
        _amount("tire_friction", "Friction of the tyre"),
        _amount("damping_rate", "Damping of the wheel"),
        Field("max_steer_angle", "f32", "Maximum steering angle", "°", low=0, step=1),
        Field("radius", "f32", "Radius", "cm", low=0, step=1),
        Field("max_brake_torque", "f32", "Maximum braking torque", "N·m", low=0, step=10),
        Field("max_handbrake_torque", "f32", "Maximum torque of the hand brake", "N·m", low=0, step=10),
        *(stiffness if long_wheels else ()),
        *_vector("position", "f32", "cm", "Position of the wheel, world", 1),
    )
    torque = _record(
        "point", Field("rpm", "f32", "Engine speed", "rpm"), Field("torque", "f32", "Torque at that speed", "N·m")
    )
    gear = _record(
        "gear",
        Field("ratio", "f32", "Gear ratio"),
        Field("down_ratio", "f32", "Engine speed at which it shifts down, as a fraction of its maximum"),
        Field("up_ratio", "f32", "Engine speed at which it shifts up, as a fraction of its maximum"),
    )
    steering = _record(
        "point",
        Field("speed", "f32", "Speed", "km/h"),
        Field("value", "f32", "Fraction of the steering angle at that speed"),
    )
    damping = "Damping of the engine"
    return (
        _actor(),
        Field("max_rpm", "f32", "Maximum engine speed", "rpm", low=0, step=100),
        _amount("moi", "Moment of inertia of the engine", "kg·m²"),
        _amount("damping_full_throttle", f"{damping}, full throttle"),
        _amount("damping_zero_throttle_clutch_engaged", f"{damping}, no throttle, clutch engaged"),
        _amount("damping_zero_throttle_clutch_disengaged", f"{damping}, no throttle, clutch open"),
        Field("use_gear_autobox", "bool", "The gearbox is automatic"),
        _amount("clutch_strength", "Strength of the clutch"),
        _amount("final_ratio", "Final drive ratio"),
        Field("mass", "f32", "Mass", "kg", low=0, step=10),
        _amount("drag_coefficient", "Drag coefficient"),
        *_vector("center_of_mass", "f32", "m", "Centre of mass, in the actor's axes", 0.05),
        Array("torque_curve", "u32", torque, "Torque over engine speed"),
        Array("forward_gears", "u32", gear, "The forward gears"),
        Array("steering_curve", "u32", steering, "Steering over speed"),
        Array("wheels", "u32", wheel, "The wheels"),
    )


FORK_PACKETS: Mapping[int, PacketType] = {
    number: PacketType(number, name, "opaque", EMPTY, meaning)
    for number, name, meaning in (
        (18, "DReyeVRWeather", "Weather of the DReyeVR fork (52 bytes a record)"),
        (139, "DReyeVRSensor", "Sensor data of the DReyeVR fork"),
        (140, "DReyeVRCustomActor", "Custom actors of the DReyeVR fork"),
        (141, "DReyeVRConfig", "Configuration file of the DReyeVR fork"),
    )
}
