"""The operations on states over frames: traffic lights, vehicle lights, weather."""

import numpy as np

from ...errors import EditError
from ...format import LIGHT_STATES, VEHICLE_LIGHTS, PacketType, decode
from ...reading import Actors
from ...recording import Snapshot
from ...texts import N_, listed, say
from ..states import set_traffic_lights, set_vehicle_lights, set_weather
from . import kinds
from .common import ACTORS, FROM, TO, reason
from .schema import Argument, Form, Menu, Operation, Option, Situation

_RECORDS_NO_WEATHER = N_(
    "{title} records no weather; Recording > Convert to... ue4-2026 or ue5-2026 makes one that does."
)
_STATES = {name.lower(): name for name in LIGHT_STATES.values()}


# --- values in the shown frame --------------------------------------------------------------------------


def _held(situation: Situation, packet: str, field: str) -> object:
    """Return a field of the first actor's record in a packet; None where there is none."""
    snapshot = situation.snapshot
    if not len(snapshot):
        return None
    frame_packet = snapshot.frame(situation.frame_index).packet(packet)
    if frame_packet is None:
        return None
    body = frame_packet.decoded
    record = body.find_actor(situation.lives[0].actor)
    if record is None:
        return None
    return body.get(record, field)


def _state_now(situation: Situation) -> str:
    value = _held(situation, "State", "state")
    if not isinstance(value, int) or value not in LIGHT_STATES:
        return LIGHT_STATES[0].lower()
    return LIGHT_STATES[value].lower()


def _lights_now(situation: Situation) -> int:
    value = _held(situation, "VehicleLight", "lights")
    if isinstance(value, int):
        return value
    return 0


def weather_kind(snapshot: Snapshot) -> PacketType:
    """Return the packet type of the weather.

    Raises:
        EditError: The release records none.
    """
    kind = snapshot.dialect.by_name("Weather")
    if kind is None:
        raise EditError(say(_RECORDS_NO_WEATHER, title=snapshot.dialect.title))
    return kind


def _weather_now(situation: Situation) -> dict[str, float | None]:
    """The fields of the weather; None for each if none is recorded up to here."""
    snapshot = situation.snapshot
    kind = weather_kind(snapshot)
    held = _held_weather(situation)
    if held is None:
        return dict.fromkeys(kind.record.fields)
    body = decode(kind, b"\x01\x00" + held)
    return {name: _short(body.get(0, name)) for name in kind.record.fields}


def _held_weather(situation: Situation) -> bytes | None:
    snapshot = situation.snapshot
    if not len(snapshot):
        return None
    return Actors.of(snapshot).world_at(situation.frame_index).weather


def _short(value: object) -> float:
    """A stored float as the shortest number that is stored as the same."""
    if isinstance(value, float):
        return float(str(np.float32(value)))
    return 0.0


def _weather_note(situation: Situation) -> str:
    if _held_weather(situation) is None:
        return say("No weather is recorded up to here, so all of it is written.")
    return say("After these frames the recorded weather holds again.")


# --- reasons --------------------------------------------------------------------------------------------


def _no_weather(situation: Situation) -> str | None:
    dialect = situation.snapshot.dialect
    if dialect.by_name("Weather") is not None:
        return None
    return say(_RECORDS_NO_WEATHER, title=dialect.title)


def _no_traffic_light(situation: Situation) -> str | None:
    return reason(situation, lambda life: life.class_ != "traffic light", N_("{actor} is not a traffic light."))


def _no_vehicle(situation: Situation) -> str | None:
    dialect = situation.snapshot.dialect
    if dialect.by_name("VehicleLight") is None:
        return say("{title} records no lights of vehicles.", title=dialect.title)
    return reason(situation, lambda life: not life.blueprint.startswith("vehicle."), N_("{actor} is not a vehicle."))


SET_TRAFFIC_LIGHTS = Operation(
    edit=set_traffic_lights,
    title=N_("Set traffic light"),
    summary=N_("Red, yellow or green over the whole recording or a range"),
    frame_range="recording",
    parameters=(
        ACTORS,
        Argument(
            "state", kinds.STATE, help=listed(_STATES), label=N_("New state"), default=_state_now, choices=_STATES
        ),
        Argument(
            "elapsed",
            kinds.SECONDS,
            needed=False,
            detail="--since",
            help=N_("how long the light has been in that state"),
            label=N_("Time in state"),
            low=0,
            tip=N_("Time in that state in the first frame; it counts on from there. Empty: unchanged"),
            hint=N_("as it is"),
        ),
        Argument(
            "frozen",
            kinds.FLAG,
            needed=False,
            detail="--frozen",
            help=N_("the light keeps its state"),
            label=N_("Frozen"),
        ),
        FROM,
        TO,
    ),
    options=(
        Option(
            "--set-traffic-light", help=N_("red, yellow, green, off or unknown; --frozen, --since"), values=("state",)
        ),
    ),
    menu=Menu(
        action="actor.traffic_light",
        section="states",
        keywords=N_("red yellow green"),
        disabled_reasons=(_no_traffic_light,),
    ),
    form=Form(heading=N_("Set the state of {names}"), verb=N_("Set")),
)

SET_VEHICLE_LIGHTS = Operation(
    edit=set_vehicle_lights,
    title=N_("Set vehicle lights"),
    summary=N_("Switch lamps and blinkers on or off over a range"),
    frame_range="life",
    parameters=(
        ACTORS,
        Argument(
            "mode",
            kinds.MODE,
            needed=False,
            help=N_("set exactly these, switch these on, or switch them off"),
            label=N_("Mode"),
            default="set",
            choices={"set": N_("Set exactly these"), "add": N_("Switch these on"), "remove": N_("Switch these off")},
        ),
        Argument(
            "mask",
            kinds.BITS,
            help=N_("the bits of lights"),
            label=N_("Lights"),
            default=_lights_now,
            flags=VEHICLE_LIGHTS,
        ),
        FROM,
        TO,
    ),
    options=(
        Option(
            "--set-lights",
            help=N_("set exactly these lights of vehicles (LowBeam,Fog), or none"),
            values=("mask",),
            fixed={"mode": "set"},
        ),
        Option("--lights-on", help=N_("switch lights on"), values=("mask",), fixed={"mode": "add"}),
        Option("--lights-off", help=N_("switch lights off"), values=("mask",), fixed={"mode": "remove"}),
    ),
    menu=Menu(
        action="actor.vehicle_lights",
        section="states",
        keywords=N_("lamps blinker brake"),
        disabled_reasons=(_no_vehicle,),
    ),
    form=Form(heading=N_("Set the lights of {names}"), verb=N_("Set")),
)

SET_WEATHER = Operation(
    edit=set_weather,
    title=N_("Set weather"),
    summary=N_("Sun, clouds, rain and fog over the whole recording or a range"),
    frame_range="recording",
    parameters=(
        FROM,
        TO,
        Argument(
            "values",
            kinds.VALUES,
            help=N_("fields of Weather and their values"),
            label=N_("Values"),
            default=_weather_now,
        ),
    ),
    options=(Option("--set-weather", help=N_("set fields of the weather"), values=("values",)),),
    menu=Menu(
        action="recording.weather",
        path="Recording",
        section="weather",
        keywords=N_("rain sun cloud fog wind"),
        disabled_reasons=(_no_weather,),
    ),
    form=Form(heading=N_("Set the weather"), verb=N_("Set"), note=_weather_note),
)

OPERATIONS = (SET_TRAFFIC_LIGHTS, SET_VEHICLE_LIGHTS, SET_WEATHER)
"""The operations on states."""
