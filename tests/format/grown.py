"""Program of `test_new_release`: every packet but FrameStart has one more field, and every element of a list in it.

The same made-up town is there in the newest release and in one that has these fields. What is read of both is the same,
and an edit of one, converted, is the same edit of the other, byte for byte. Prints what differs as JSON.

Arguments: a folder, before which member the field stands at the latest, and the seconds of the town: 1 at least; from 2
on edits are converted back as well.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from recorder_editor import resources

OLDER, NEWER = "ue4-2026", "ue4-next"
ALSO_IN_NEWER = {"since": NEWER}


def grown(table: dict[str, Any], latest: int) -> dict[str, Any]:
    """The table with the fields and the release."""
    for packet in table["packets"]:
        members = packet.get("members")
        if not members or packet["name"] == "FrameStart":
            continue
        # Before what has no fixed size: fields at the begin of a record are read by their offset.
        fixed = next(
            (at for at, each in enumerate(members) if isinstance(each, dict) or each[1] == "str"), len(members)
        )
        members.insert(min(fixed, latest), ["novelty", "u16", "A new number", {**ALSO_IN_NEWER, "default": 7}])
        for each in members:
            if isinstance(each, dict):
                each["members"].append(["extra", "u8", "A new byte", {**ALSO_IN_NEWER, "default": 9}])
    table["dialects"].append({"name": NEWER, "after": OLDER, "first": "next"})
    return table


FOLDER, SECONDS = Path(sys.argv[1]), float(sys.argv[3])
TABLES = resources.table
GROWN = grown(json.loads(json.dumps(TABLES("packets"))), int(sys.argv[2]))
resources.table = lambda name: GROWN if name == "packets" else TABLES(name)  # type: ignore[assignment]

import recorder_editor  # noqa: E402 - reads the table
from recorder_editor import Recording, edits  # noqa: E402
from recorder_editor.checks import check  # noqa: E402
from recorder_editor.demo import make_town  # noqa: E402
from recorder_editor.format.dialects import DIALECTS  # noqa: E402
from recorder_editor.formats.dump import build_bytes, dump_lines  # noqa: E402
from recorder_editor.formats.export import TableOptions, export  # noqa: E402
from recorder_editor.reading import Life  # noqa: E402
from recorder_editor.reports.blocked import blocked_report  # noqa: E402
from recorder_editor.reports.collisions import collision_report  # noqa: E402
from recorder_editor.reports.info import info_report  # noqa: E402

TOWN = {name: FOLDER / f"{name}.log" for name in (OLDER, NEWER)}
LINE = [(0.0, 0.0), (50.0, 0.0)]


def opened(name: str) -> Recording:
    return recorder_editor.open(TOWN[name], dialect=name)


def saved(recording: Recording) -> bytes:
    path = FOLDER / "saved.log"
    recording.save(path, overwrite=True)
    return path.read_bytes()


def converted(data: bytes, name: str, to: str) -> bytes:
    path = FOLDER / "converted.log"
    path.write_bytes(data)
    with recorder_editor.open(path, dialect=name) as recording:
        recording.apply(edits.convert(recording, to).edit)
        return saved(recording)


def of_class(recording: Recording, name: str) -> list[Life]:
    return [life for life in recording.actors if life.class_ == name]


def car(recording: Recording) -> Life:
    return of_class(recording, "vehicle")[0]


EDITS: dict[str, Callable[[Recording], Any]] = {
    "trim": lambda town: edits.trim(town, range(5, 15)),
    "cut": lambda town: edits.cut(town, range(5, 15)),
    "join": lambda town: edits.join(town, [town]),
    "retime": lambda town: edits.retime(town, 2.0),
    "resample": lambda town: edits.resample(town, 0.03),
    "shift": lambda town: edits.shift(town, 0.5),
    "remove": lambda town: edits.remove_actors(town, [car(town)]),
    "keep": lambda town: edits.keep_only_actors(town, [car(town)]),
    "duplicate": lambda town: edits.duplicate_actor(town, car(town), offset=(0.0, 5.0, 0.0)),
    "duplicate later": lambda town: edits.duplicate_actor(town, car(town), offset=(0.0, 5.0, 0.0), seconds=0.5),
    "paste": lambda town: edits.paste_actor(town, town.snapshot, car(town), offset=(0.0, 9.0, 0.0)),
    "trim life": lambda town: edits.trim_life(town, car(town), range(5, 20)),
    "id": lambda town: edits.set_actor_id(town, car(town), 999),
    "swap": lambda town: edits.swap_actors(town, *of_class(town, "vehicle")[:2]),
    "blueprint": lambda town: edits.set_blueprint(town, [car(town)], "vehicle.audi.tt", uid=3),
    "role": lambda town: edits.set_role(town, [car(town)], "other"),
    "add vehicle": lambda town: edits.add_actor(town, "vehicle.tesla.model3", path=LINE, speed=10.0),
    "add walker": lambda town: edits.add_actor(town, "walker.pedestrian.0001", path=LINE, speed=1.0),
    "mirror": lambda town: edits.mirror_path(town, [car(town)], None, (0.0, 0.0), 30.0),
    "hold": lambda town: edits.hold_actor(town, car(town), range(3, 18), ease_in=0.2, ease_out=0.2),
    "offset": lambda town: edits.offset_path(town, car(town), None, 2.0),
    "smooth": lambda town: edits.smooth_path(town, car(town), None, 1.0),
    "move": lambda town: edits.move_actors(town, [car(town)], (1.0, 2.0, 0.0), 20.0),
    "place": lambda town: edits.place_actors(town, [car(town)], 5, location=(1.0, 2.0, 0.0)),
    "vehicle lights": lambda town: edits.set_vehicle_lights(town, [car(town)], 0x10, mode="add"),
    "traffic lights": lambda town: edits.set_traffic_lights(
        town, of_class(town, "traffic light"), "red", frozen=True, elapsed=1.0
    ),
    "weather": lambda town: edits.set_weather(town, {"cloudiness": 50.0}),
}


def edited(name: str) -> bool:
    """Whether an edit of both towns is the same."""
    made = {}
    for dialect in TOWN:
        with opened(dialect) as town:
            town.apply(EDITS[name](town))
            made[dialect] = saved(town)
    there = converted(made[OLDER], OLDER, NEWER) == made[NEWER]
    return there and (SECONDS < 2 or converted(made[NEWER], NEWER, OLDER) == made[OLDER])


def read(town: Recording) -> dict[str, Any]:
    """What is read of a town, without the new fields."""
    lives = list(town.actors)
    middle = len(town) // 2
    world = town.actors.world_at(middle)
    return {
        "lives": [(life.actor, life.blueprint, life.class_, life.transform, life.born, life.gone) for life in lives],
        "poses": [(state.life.actor, state.pose) for state in world.actors],
        "parents": [(child.actor, parent.actor) for child, parent in world.parents],
        "collisions": town.actors.collisions.tolist(),
        "positions": town.tracks.positions().tolist(),
        "speeds": town.tracks.speeds().tolist(),
        "findings": sorted({finding.code for finding in check(town.snapshot)}),
        "contacts": b"".join(collision_report(town.snapshot)).decode(),
        "blocked": b"".join(blocked_report(town.snapshot)).decode(),
        "tables": [exported(town, table) for table in ("positions", "actors")],
        "info": b"".join(info_report(town.snapshot, show_all=True, utc=True)).decode(),
    }


def exported(town: Recording, table: str) -> str:
    path = FOLDER / "table.csv"
    export(town.snapshot, path, TableOptions(table), overwrite=True)
    return path.read_text(encoding="utf-8")


def main() -> None:
    for name, path in TOWN.items():
        path.write_bytes(b"".join(make_town(SECONDS, vehicles=6, walkers=1, lights=2, dialect=name)))
    older, newer = (path.read_bytes() for path in TOWN.values())
    differs = [name for name in EDITS if not edited(name)]
    if converted(older, OLDER, NEWER) != newer or converted(newer, NEWER, OLDER) != older:
        differs.append("convert")
    with opened(OLDER) as one, opened(NEWER) as other:
        if not any((doors := frame.packet("VehicleDoor")) and doors.records for frame in one):
            differs.append("no door opens")
        one_read, other_read = read(one), read(other)
        differs += [name for name, value in one_read.items() if value != other_read[name]]
        lines = list(dump_lines(other.snapshot))
        if b"".join(build_bytes(lines, DIALECTS)) != newer:
            differs.append("dump and build")
    with recorder_editor.open(TOWN[NEWER]) as detected:
        if detected.dialect.name != NEWER:
            differs.append("detection")
    sys.stdout.write(json.dumps(differs))


main()
