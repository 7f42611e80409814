"""The operations on states over frames: traffic lights, vehicle lights, weather."""

from typing import Any

import numpy as np

from ...errors import EditError
from ...format.codec import decode
from ...format.packets import LIGHT_STATES, VEHICLE_LIGHTS
from ...format.schema import PacketType
from ...recording.actors import Actors
from ...recording.snapshot import Snapshot
from ..states import set_traffic_lights, set_vehicle_lights, set_weather
from .common import MANY, RANGE, reason
from .kinds import BITS, FLAG, MODE, SECONDS, STATE, VALUES
from .schema import Argument, Form, Menu, Operation, Option, Sentence, Situation

_STATES = {name.lower(): name for name in LIGHT_STATES.values()}


# --- values in the shown frame --------------------------------------------------------------------------


def _held(situation: Situation, packet: str, field: str) -> Any:
    """A field of the first actor's record in a packet; None where there is none."""
    snapshot = situation.snapshot
    frame = snapshot.frame(situation.frame_index) if len(snapshot) else None
    found = frame.packet(packet) if frame is not None else None
    record = found.decoded.find_actor(situation.lives[0].actor) if found is not None else None
    return found.decoded.get(record, field) if found is not None and record is not None else None


def _state_now(situation: Situation) -> str:
    value = _held(situation, "State", "state")
    return LIGHT_STATES.get(value, "Red").lower() if isinstance(value, int) else "red"


def _lights_now(situation: Situation) -> int:
    value = _held(situation, "VehicleLight", "lights")
    return value if isinstance(value, int) else 0


def weather_kind(snapshot: Snapshot) -> PacketType:
    """The packet type of the weather. Raises `EditError` for a release that records none."""
    kind = snapshot.dialect.by_name("Weather")
    if kind is None:
        raise EditError(_no_weather(snapshot).filled())
    return kind


def _weather_now(situation: Situation) -> dict[str, float | None]:
    """The fields of the weather; None for each if none is recorded up to here."""
    snapshot = situation.snapshot
    kind, held = weather_kind(snapshot), _held_weather(situation)
    body = decode(kind, b"\x01\x00" + held) if held is not None else None
    return {name: None if body is None else _short(body.get(0, name)) for name in kind.record.fields}


def _held_weather(situation: Situation) -> bytes | None:
    snapshot = situation.snapshot
    return Actors.of(snapshot).world_at(situation.frame_index).weather if len(snapshot) else None


def _short(value: object) -> float:
    """A stored float as the shortest number that is stored as the same."""
    return float(str(np.float32(value))) if isinstance(value, float) else 0.0


def _weather_note(situation: Situation) -> str:
    if _held_weather(situation) is None:
        return "No weather is recorded up to here, so all of it is written."
    return "After these frames the recorded weather holds again."


# --- reasons --------------------------------------------------------------------------------------------


def _no_weather(snapshot: Snapshot) -> Sentence:
    words = "%1 records no weather; Recording > Convert to... ue4-2026 or ue5-2026 makes one that does."
    return Sentence(words, (snapshot.dialect.title,))


def _no_weather_recorded(situation: Situation) -> Sentence | None:
    return _no_weather(situation.snapshot) if situation.snapshot.dialect.by_name("Weather") is None else None


def _no_traffic_light(situation: Situation) -> Sentence | None:
    return reason(situation, lambda life: life.class_ != "traffic light", "%1 %2 is not a traffic light.")


def _no_vehicle(situation: Situation) -> Sentence | None:
    dialect = situation.snapshot.dialect
    if dialect.by_name("VehicleLight") is None:
        return Sentence("%1 records no lights of vehicles.", (dialect.title,))
    return reason(situation, lambda life: not life.blueprint.startswith("vehicle."), "%1 %2 is not a vehicle.")


OPERATIONS = (
    Operation(
        set_traffic_lights,
        "Traffic light state",
        "Red, yellow or green over the whole recording or a range",
        (
            MANY,
            Argument("state", STATE, help=", ".join(_STATES), label="State", default=_state_now, choices=_STATES),
            Argument(
                "elapsed",
                SECONDS,
                False,
                detail="--since",
                help="time since the light is in that state",
                label="Seconds in it",
                low=0,
                hint="as it is",
                tip="Seconds in that state in the first frame, counting on from there. Empty: unchanged",
            ),
            Argument("frozen", FLAG, False, detail="--frozen", help="the light keeps its state", label="Frozen"),
            *RANGE,
        ),
        (Option("--set-traffic-light", "red, yellow, green, off or unknown; --frozen, --since", ("state",)),),
        over="recording",
        menu=Menu(
            "actor.traffic_light", section="states", keywords="red yellow green", disabled_reasons=(_no_traffic_light,)
        ),
        form=Form("State of %1", "Set"),
    ),
    Operation(
        set_vehicle_lights,
        "Vehicle lights",
        "Switch lamps and blinkers on or off over a range",
        (
            MANY,
            Argument(
                "mode",
                MODE,
                False,
                help="set exactly these, switch these on, or switch them off",
                label="Do",
                default="set",
                choices={"set": "Set to exactly these", "add": "Switch these on", "remove": "Switch these off"},
            ),
            Argument(
                "mask", BITS, help="the bits of lights", label="Lights", default=_lights_now, choices=VEHICLE_LIGHTS
            ),
            *RANGE,
        ),
        (
            Option(
                "--set-lights",
                "set exactly these lights of vehicles (LowBeam,Fog), or none",
                ("mask",),
                {"mode": "set"},
            ),
            Option("--lights-on", "switch lights on", ("mask",), {"mode": "add"}),
            Option("--lights-off", "switch lights off", ("mask",), {"mode": "remove"}),
        ),
        over="life",
        menu=Menu(
            "actor.vehicle_lights", section="states", keywords="lamps blinker brake", disabled_reasons=(_no_vehicle,)
        ),
        form=Form("Lights of %1", "Set"),
    ),
    Operation(
        set_weather,
        "Weather",
        "Sun, clouds, rain and fog over the whole recording or a range",
        (
            *RANGE,
            Argument("values", VALUES, help="fields of Weather and their values", label="Values", default=_weather_now),
        ),
        (Option("--set-weather", "set fields of the weather", ("values",)),),
        over="recording",
        menu=Menu(
            "recording.weather",
            "Recording",
            "weather",
            keywords="rain sun cloud fog wind",
            disabled_reasons=(_no_weather_recorded,),
        ),
        form=Form("Weather", "Set", _weather_note),
    ),
)
"""The operations on states."""
