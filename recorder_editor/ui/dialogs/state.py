"""What can be asked about states that hold over frames: traffic lights, lights of vehicles, the weather.

Descriptions of forms; the edits are `edits.states`.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ... import edits
from ...edits.states import Mode
from ...errors import EditError
from ...format.codec import decode
from ...format.packets import LIGHT_STATES, VEHICLE_LIGHTS
from ...recording.actors import Actors
from ...recording.history import Edit
from ...recording.lives import Life
from ...recording.snapshot import Snapshot
from ..jobs import Cancel, Progress
from ..session import Session
from .actor import again, frames_ask, names_of, told_frames, tr
from .command_words import over, plain, whose
from .form import Ask, Task, Values

_MODES: tuple[Mode, ...] = ("set", "add", "remove")
_OPTIONS = ("--set-lights", "--lights-on", "--lights-off")


def traffic_light(session: Session, lives: Sequence[Life]) -> Task:
    """Asks for a state of traffic lights."""
    index, record = _state_now(session, lives[0])

    def make(snapshot: Snapshot, values: Values, progress: Progress, cancel: Cancel) -> Edit:
        frozen = None if values["frozen"] == 0 else values["frozen"] == 1
        return edits.set_traffic_lights(
            snapshot, again(snapshot, lives), values["state"], values["frames"], frozen=frozen,
            elapsed=values["elapsed"], progress=progress, cancel=cancel,
        )  # fmt: skip

    def command(values: Values) -> list[str]:
        snapshot, since = session.snapshot_or_refuse(), values["elapsed"]
        more = [f"--since={plain(since)}"] if since is not None else []
        more += ["--frozen", "yes" if values["frozen"] == 1 else "no"] if values["frozen"] else []
        name = LIGHT_STATES[values["state"]].lower()
        return ["edit", "--set-traffic-light", f"{whose(snapshot, lives)}={name}", *over(snapshot, values["frames"]),
                *more]  # fmt: skip

    state = index if record else 0
    frozen = {0: tr("As it is"), 1: tr("Yes"), 2: tr("No")}
    asks = (
        Ask("state", tr("State"), "choice", state, choices=LIGHT_STATES),
        Ask("elapsed", tr("Seconds in it"), "number", None, low=0, optional=True,
            hint=tr("as it is"), tip=tr("Seconds in that state in the first frame; they count on. Empty: as they are")),
        Ask("frozen", tr("Frozen"), "choice", 0, choices=frozen),
        replace(frames_ask(session), choices={0: tr("Whole recording")}),
    )  # fmt: skip
    return Task(
        tr("Traffic light"), tr("State of %1").replace("%1", names_of(lives)), tr("Set"), asks, make, "",
        lambda values: told_frames(session, lives, values), command,
    )  # fmt: skip


def _state_now(session: Session, life: Life) -> tuple[int, bool]:
    """The state a light is in, and whether that is known."""
    packet = session.frame.packet("State") if session.frame is not None else None
    record = packet.decoded.find_actor(life.actor) if packet is not None else None
    if packet is None or record is None:
        return 0, False
    value = packet.decoded.get(record, "state")
    return (value, True) if isinstance(value, int) and value in LIGHT_STATES else (0, False)


def vehicle_lights(session: Session, lives: Sequence[Life]) -> Task:
    """Asks for lights of vehicles."""
    packet = session.frame.packet("VehicleLight") if session.frame is not None else None
    record = packet.decoded.find_actor(lives[0].actor) if packet is not None else None
    now = packet.decoded.get(record, "lights") if packet is not None and record is not None else 0

    def make(snapshot: Snapshot, values: Values, progress: Progress, cancel: Cancel) -> Edit:
        return edits.set_vehicle_lights(
            snapshot, again(snapshot, lives), values["lights"], values["frames"], mode=_MODES[values["mode"]],
            progress=progress, cancel=cancel,
        )  # fmt: skip

    def command(values: Values) -> list[str] | None:
        snapshot, mask = session.snapshot_or_refuse(), values["lights"]
        if mask & ~sum(VEHICLE_LIGHTS):
            return None
        names = ",".join(name for bit, name in VEHICLE_LIGHTS.items() if mask & bit) or "none"
        return ["edit", _OPTIONS[values["mode"]], f"{whose(snapshot, lives)}={names}",
                *over(snapshot, values["frames"])]  # fmt: skip

    modes = {0: tr("Set to exactly these"), 1: tr("Switch these on"), 2: tr("Switch these off")}
    asks = (
        Ask("mode", tr("Do"), "choice", 0, choices=modes),
        Ask("lights", tr("Lights"), "flags", now if isinstance(now, int) else 0, choices=VEHICLE_LIGHTS),
        frames_ask(session),
    )  # fmt: skip
    return Task(
        tr("Vehicle lights"), tr("Lights of %1").replace("%1", names_of(lives)), tr("Set"), asks, make, "",
        lambda values: told_frames(session, lives, values), command,
    )  # fmt: skip


def weather(session: Session) -> Task:
    """Asks for the weather; raises `EditError` for a release that records none."""
    snapshot = session.snapshot_or_refuse()
    kind = snapshot.dialect.by_name("Weather")
    if kind is None:
        raise EditError(
            f"{snapshot.dialect.title} records no weather; Recording > Convert to... ue4-2026 or ue5-2026 makes one "
            "that does."
        )
    world = Actors.of(snapshot).world_at(session.frame_index) if len(snapshot) else None
    held = world.weather if world is not None else None
    body = decode(kind, b"\x01\x00" + held) if held is not None else None
    now = {name: _short(body.get(0, name)) if body is not None else 0.0 for name in kind.record.fields}

    def changed(values: Values) -> dict[str, float]:
        # What stands there may be no number at all, and stays it.
        is_other = {name: values[name] != now[name] and not math.isnan(values[name]) for name in now}
        return {name: values[name] for name in now if held is None or is_other[name]}

    def command(values: Values) -> list[str] | None:
        wanted = ",".join(f"{name}={plain(value)}" for name, value in changed(values).items())
        snapshot = session.snapshot_or_refuse()
        return ["edit", "--set-weather", wanted, *over(snapshot, values["frames"])] if wanted else None

    def make(snapshot: Snapshot, values: Values, progress: Progress, cancel: Cancel) -> Edit:
        wanted = changed(values)
        if not wanted:
            raise EditError("The weather is like that already; change a value first.")
        return edits.set_weather(snapshot, wanted, values["frames"], progress=progress, cancel=cancel)

    def tell(values: Values) -> str:
        frames = values["frames"]
        number = session.frames if frames is None else len(frames)
        return (tr("Over 1 frame") if number == 1 else tr("Over %1 frames")).replace("%1", f"{number:,}")

    fields = kind.record.fields
    asks = (
        replace(frames_ask(session), choices={0: tr("Whole recording")}),
        *(
            Ask(name, each.label.capitalize(), "number", now[name], each.unit, step=each.step or 1, tip=each.meaning)
            for name, each in fields.items()
        ),
    )  # fmt: skip
    words = tr("Behind the frames it is again what it was.")
    if held is None:
        words = tr("No weather is recorded up to here, so all of it is written.")
    return Task(tr("Weather"), tr("Weather"), tr("Set"), asks, make, words, tell, command)


def _short(value: object) -> float:
    """A stored float as the shortest number that means it."""
    return float(str(np.float32(value))) if isinstance(value, float) else 0.0
