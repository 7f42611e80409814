"""The operations on states over frames: traffic lights, vehicle lights, weather."""

from functools import partial
from typing import Any

import numpy as np

from ...errors import EditError
from ...format import LIGHT_STATES, VEHICLE_LIGHTS, PacketType, decode
from ...reading import Actors
from ...recording import Snapshot
from ...texts import N_, listed, say
from ..states import set_traffic_lights, set_vehicle_lights, set_weather
from .common import reason
from .schema import Argument, Form, Situation, operation

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
    return LIGHT_STATES[value if value in LIGHT_STATES else 0].lower()


def _lights_now(situation: Situation) -> int:
    value = _held(situation, "VehicleLight", "lights")
    return value if isinstance(value, int) else 0


def weather_kind(snapshot: Snapshot) -> PacketType:
    """The packet type of the weather. Raises `EditError` for a release that records none."""
    kind = snapshot.dialect.by_name("Weather")
    if kind is None:
        raise EditError(
            say(
                "{title} records no weather; Recording > Convert to... ue4-2026 or ue5-2026 makes one that does.",
                title=snapshot.dialect.title,
            )
        )
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
        return say("No weather is recorded up to here, so all of it is written.")
    return say("After these frames the recorded weather holds again.")


# --- reasons --------------------------------------------------------------------------------------------


def _no_weather(situation: Situation) -> str | None:
    dialect = situation.snapshot.dialect
    return (
        say(
            "{title} records no weather; Recording > Convert to... ue4-2026 or ue5-2026 makes one that does.",
            title=dialect.title,
        )
        if dialect.by_name("Weather") is None
        else None
    )


def _no_traffic_light(situation: Situation) -> str | None:
    return reason(situation, lambda life: life.class_ != "traffic light", N_("{actor} is not a traffic light."))


def _no_vehicle(situation: Situation) -> str | None:
    dialect = situation.snapshot.dialect
    if dialect.by_name("VehicleLight") is None:
        return say("{title} records no lights of vehicles.", title=dialect.title)
    return reason(situation, lambda life: not life.blueprint.startswith("vehicle."), N_("{actor} is not a vehicle."))


OPERATIONS = (
    operation(
        set_traffic_lights,
        parameters={"state": partial(Argument, help=listed(_STATES), default=_state_now, choices=_STATES)},
        disabled_reasons=(_no_traffic_light,),
    ),
    operation(
        set_vehicle_lights,
        parameters={"mask": partial(Argument, default=_lights_now, choices=VEHICLE_LIGHTS)},
        disabled_reasons=(_no_vehicle,),
    ),
    operation(
        set_weather,
        parameters={"values": partial(Argument, default=_weather_now)},
        disabled_reasons=(_no_weather,),
        form=partial(Form, note=_weather_note),
    ),
)
"""The operations on states."""
