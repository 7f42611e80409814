"""A release that adds fields and a packet is entries of the table: everything else follows.

The release stands in a copy of `resources/packets.json`. A process of its own reads that, since dialects are made once;
all tests here ask the same one.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import recorder_editor
from recorder_editor.format import packets
from recorder_editor.format.dialects import NEWEST

PROJECT = Path(__file__).resolve().parents[2]
NEWER, OLDER = "ue4-next", NEWEST[4].name

Ask = Callable[[str], Any]


def table() -> dict[str, Any]:
    """The table with a release that follows the newest one of Unreal 4."""
    found: dict[str, Any] = json.loads((PROJECT / "resources" / "packets.json").read_text(encoding="utf-8"))
    by_name = {each["name"]: each for each in found["packets"]}
    new = {"since": NEWER}
    # In a list packet, in a nested array, in a single packet, and a type that changed.
    by_name["VehicleLight"]["members"].append(
        ["hazard", "f32", "Rate of the hazard lights", "1/min", {**new, "default": 70.5}]
    )
    (wheels,) = (
        each for each in by_name["PhysicsControl"]["members"] if isinstance(each, dict) and each["path"] == "wheels"
    )
    wheels["members"].append(["width", "f32", "Width of the tyre", "cm", {**new, "default": 25.0}])
    by_name["PlatformTime"]["members"].append(["drift", "i16", "Drift of the clock", "ppm", {**new, "default": -3}])
    lights = by_name["VehicleLight"]["members"]
    at = next(index for index, each in enumerate(lights) if each[0] == "lights")
    lights[at][-1]["until"] = OLDER
    lights.insert(at + 1, ["lights", "u64", "The lights that are on", {**new, "flags": "vehicle lights"}])
    horn = {
        "name": "Horn",
        "record": "horn",
        "meaning": "Horns that sound",
        "members": [
            ["id", "actor", "Actor id at recording time"],
            ["loudness", "f32", "Loudness", "dB", {"default": 90.0}],
        ],
    }
    found["packets"].insert(
        next(at for at, each in enumerate(found["packets"]) if each["name"] == "VehicleLight"), horn
    )
    newest = next(each for each in found["dialects"] if each["name"] == OLDER)
    found["dialects"].append(
        {**newest, "name": NEWER, "first": "next", "last": "next", "after": OLDER, "packets": ["Horn"]}
    )
    return found


PROGRAM = """
import json, sys, traceback
from pathlib import Path
from recorder_editor import resources
tables = resources.table
new = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
resources.table = lambda name: new if name == "packets" else tables(name)
import recorder_editor
from recorder_editor import edits
from recorder_editor.format.dialects import DIALECTS
from recorder_editor.formats.dump import build_bytes, dump_lines
known = dict(globals())
for line in sys.stdin:
    code, folder = json.loads(line)
    names = {**known, "folder": Path(folder)}
    try:
        exec(code, names)
        answer = {"told": names["told"]}
    except Exception:
        answer = {"failed": traceback.format_exc()}
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[subprocess.Popen[str]]:
    """Knows the new release, and answers one line of code after the other."""
    path = tmp_path_factory.mktemp("release") / "packets.json"
    path.write_text(json.dumps(table()), encoding="utf-8")
    running = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(path)],
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with running:
        yield running
        running.communicate(timeout=60)
    assert running.returncode == 0


@pytest.fixture
def ask(program: subprocess.Popen[str], tmp_path: Path) -> Ask:
    """Runs code that knows the new release, and returns what it puts into `told`."""

    def run(code: str) -> Any:
        assert program.stdin is not None
        assert program.stdout is not None
        print(json.dumps([code, str(tmp_path)]), file=program.stdin, flush=True)
        answer = json.loads(program.stdout.readline())
        assert "failed" not in answer, answer["failed"]
        return answer["told"]

    return run


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """A recording of the newest release that there is, with the packets that get fields."""
    from recorder_editor.format.codec import encode

    from .. import builders as b

    dialect = recorder_editor.format.dialects.DIALECTS[OLDER]
    kinds = {name: dialect.by_name(name) for name in ("VehicleLight", "PhysicsControl", "PlatformTime")}
    wheel = {**kinds["PhysicsControl"].record.arrays["wheels"].element.default_record(), "radius": 33.0}
    physics = {**kinds["PhysicsControl"].record.default_record(), "id": 1, "wheels": [wheel, wheel]}
    bodies = {
        "VehicleLight": encode(kinds["VehicleLight"], [{"id": 1, "lights": 5}, {"id": 2, "lights": 0xFFFFFFFF}]),
        "PhysicsControl": encode(kinds["PhysicsControl"], [physics]),
        "PlatformTime": encode(kinds["PlatformTime"], [{"time": 1.5}]),
    }
    made = [b.packet(kinds[name].id, body) for name, body in bodies.items()]
    frames = [b.frame(number + 1, number * 0.05, 0.05, made) for number in range(3)]
    path = tmp_path / "older.log"
    path.write_bytes(b.recording(*frames, version=2))
    return path


TO_NEWER = """
with recorder_editor.open(folder / "older.log", dialect="ue4-2026") as recording:
    there = edits.convert(recording, "ue4-next")
    recording.apply(there.edit)
    recording.save(folder / "newer.log")
"""


def test_names_in_since_and_until_are_dialects() -> None:
    names = {each["name"] for each in packets.TABLE["dialects"]}

    def options(rows: list[Any]) -> list[dict[str, Any]]:
        found = []
        for row in rows:
            if isinstance(row, dict):
                found += [row, *options(row["members"])]
            elif isinstance(row[-1], dict):
                found.append(row[-1])
        return found

    for packet in packets.TABLE["packets"]:
        for each in options(packet.get("members", [])) + options(packet.get("unreal_5_members", [])):
            assert {each[name] for name in ("since", "until") if name in each} <= names


def test_converting_fills_new_fields_with_their_defaults_and_says_so(ask: Ask, older: Path) -> None:
    told = ask(
        TO_NEWER
        + """
told = {"losses": [(loss.kind, loss.name, loss.count, loss.fields, loss.is_lossy) for loss in there.losses]}
with recorder_editor.open(folder / "newer.log", dialect="ue4-next") as recording:
    frame = recording[1]
    told["lights"] = [[record["lights"], record["hazard"]] for record in frame.packet("VehicleLight").decoded.records()]
    told["wheels"] = [wheel["width"] for wheel in frame.packet("PhysicsControl").decoded.records()[0]["wheels"]]
    told["radius"] = [wheel["radius"] for wheel in frame.packet("PhysicsControl").decoded.records()[0]["wheels"]]
    told["drift"] = frame.packet("PlatformTime").decoded.records()[0]["drift"]
"""
    )
    assert told == {
        "losses": [
            ["filled", "PhysicsControl", 6, ["width"], False],
            ["filled", "PlatformTime", 3, ["drift"], False],
            ["filled", "VehicleLight", 6, ["hazard"], False],
        ],
        "lights": [[5, 70.5], [0xFFFFFFFF, 70.5]],
        "wheels": [25.0, 25.0],
        "radius": [33.0, 33.0],
        "drift": -3,
    }


def test_converting_back_gives_the_same_bytes(ask: Ask, older: Path) -> None:
    told = ask(
        TO_NEWER
        + """
with recorder_editor.open(folder / "newer.log", dialect="ue4-next") as recording:
    back = edits.convert(recording, "ue4-2026")
    recording.apply(back.edit)
    recording.save(folder / "back.log")
told = [(loss.kind, loss.is_lossy) for loss in back.losses]
"""
    )
    assert told == []
    assert (older.parent / "back.log").read_bytes() == older.read_bytes()


def test_what_the_older_release_has_no_place_for_is_named(ask: Ask, older: Path) -> None:
    told = ask(
        TO_NEWER
        + """
with recorder_editor.open(folder / "newer.log", dialect="ue4-next") as recording:
    def put(name, field, value, record=None):
        where = edits.place(recording, frame=1, packet=name, record=record, field=field)
        recording.apply(edits.set_field(recording, where, value))
    put("VehicleLight", "hazard", 99.0, 0)
    put("VehicleLight", "lights", 1 << 40, 1)
    put("PlatformTime", "drift", 7)
    horns = edits.place(recording, frame=1)
    number = DIALECTS["ue4-next"].by_name("Horn").id
    recording.apply(edits.insert_packet(recording, horns, number, b"\\1\\0" + bytes(8)))
    back = edits.convert(recording, "ue4-2026")
    recording.apply(back.edit)
    told = [(loss.kind, loss.name, loss.count, loss.frame_index, loss.fields) for loss in back.losses]
    told.append([record["lights"] for record in recording[1].packet("VehicleLight").decoded.records()])
"""
    )
    assert told == [
        ["field", "PlatformTime", 1, 1, ["drift"]],
        ["field", "VehicleLight", 1, 1, ["hazard"]],
        ["number", "VehicleLight", 1, 1, []],
        ["packet", "Horn", 1, 1, []],
        [5, 0xFFFFFFFF],  # the nearest number that the older field holds
    ]


def test_a_dump_of_it_is_built_into_the_same_bytes_and_lacks_the_field_before(ask: Ask, older: Path) -> None:
    told = ask(
        TO_NEWER
        + """
texts = {}
for name, dialect in (("older.log", "ue4-2026"), ("newer.log", "ue4-next")):
    with recorder_editor.open(folder / name, dialect=dialect) as recording:
        lines = list(dump_lines(recording.snapshot))
        texts[name] = "".join(lines)
        assert b"".join(build_bytes(lines, DIALECTS)) == (folder / name).read_bytes()
told = {name: text.count('"hazard"') for name, text in texts.items()}
"""
    )
    assert told == {"older.log": 0, "newer.log": 6}


def test_a_unit_that_no_table_knows_is_a_suffix_in_letters(ask: Ask, older: Path) -> None:
    told = ask(
        TO_NEWER
        + """
from recorder_editor.formats.tables.values import column_for
fields = DIALECTS["ue4-next"].by_name("VehicleLight").record.fields
told = [column_for(path, field).name for path, field in fields.items()]
"""
    )
    assert told == ["id", "lights", "hazard_1_per_min"]


def test_it_is_detected_by_its_packets_and_by_the_sizes_of_its_records(ask: Ask, older: Path) -> None:
    told = ask(
        TO_NEWER
        + """
def found(path):
    with recorder_editor.open(path) as recording:
        return recording.dialect.name, recording.dialect.title, list(recording.detection.reasons)
told = [found(folder / "older.log"), found(folder / "newer.log")]
with recorder_editor.open(folder / "newer.log") as recording:
    number = DIALECTS["ue4-next"].by_name("Horn").id
    for frame in range(len(recording)):
        for name in ("VehicleLight", "PhysicsControl", "PlatformTime"):
            recording.apply(edits.delete_packet(recording, edits.place(recording, frame=frame, packet=name)))
    recording.apply(edits.insert_packet(recording, edits.place(recording, frame=0), number, b"\\0\\0"))
    recording.save(folder / "horns.log")
told.append(found(folder / "horns.log"))
"""
    )
    (old, old_title, _), (new, _, sizes), (horns, _, packet) = told
    assert (old, new, horns) == ("ue4-0.9.16", NEWER, NEWER)
    assert old_title == "CARLA 0.9.16 to 2026 (floats)"
    assert "The records of VehicleLight are 16 bytes long." in sizes
    assert "It holds Horn (25)." in packet


def test_new_actors_have_the_defaults_of_its_fields(ask: Ask) -> None:
    told = ask(
        """
from recorder_editor.demo import make_town
(folder / "town.log").write_bytes(b"".join(make_town(2.0, vehicles=4, walkers=2, dialect="ue4-next")))
with recorder_editor.open(folder / "town.log") as recording:
    name = recording.dialect.name
    there = {life.actor for life in recording.actors}
    about = dict(blueprint="vehicle.tesla.model3", path=[(0.0, 0.0), (50.0, 0.0)], speed=10.0)
    recording.apply(edits.add_actor(recording, **about))
    (new,) = {life.actor for life in recording.actors} - there
    frame = recording[5]
    lights = [record for record in frame.packet("VehicleLight").decoded.records() if record["id"] == new]
    physics = [
        record for frame in recording for packet in [frame.packet("PhysicsControl")] if packet
        for record in packet.decoded.records() if record["id"] == new
    ]
    told = [name, lights, [wheel["width"] for record in physics for wheel in record["wheels"]]]
"""
    )
    name, (lights,), widths = told
    assert name == NEWER
    assert lights["hazard"] == 70.5
    assert widths == [25.0] * 4


def test_frames_are_edited_and_told_with_the_new_fields(ask: Ask, older: Path) -> None:
    told = ask(
        TO_NEWER
        + """
from recorder_editor.edits.trim import part_of
from recorder_editor.formats.export import TableOptions, export
from recorder_editor.reports.info import info_report
hazards = lambda recording: [
    [record["hazard"] for record in frame.packet("VehicleLight").decoded.records()] for frame in recording
]
told = {}
with recorder_editor.open(folder / "newer.log") as recording:
    where = edits.place(recording, frame=2, packet="VehicleLight", record=0, field="hazard")
    recording.apply(edits.set_field(recording, where, 99.0))
    recording.save(folder / "set.log")
    told["info"] = b"".join(info_report(recording.snapshot, show_all=True, utc=True)).decode()
    export(recording.snapshot, folder / "lights.csv", TableOptions("VehicleLight"))
    told["table"] = (folder / "lights.csv").read_text().splitlines()[:2]
    recording.apply(edits.trim(recording, range(1, 3)))
    told["trimmed"] = hazards(recording)
    recording.undo()
    recording.apply(edits.cut(recording, range(1, 2)))
    told["cut"] = hazards(recording)
    recording.undo()
    recording.apply(edits.join(recording, [recording]))
    told["joined"] = hazards(recording)
"""
    )
    set_, default = [99.0, 70.5], [70.5, 70.5]
    assert told["trimmed"] == [default, set_]
    assert told["cut"] == [default, set_]
    assert told["joined"] == [default, default, set_, default, default, set_]
    assert told["info"].count("Physics Control events") == 3
    names, first = (line.split(",") for line in told["table"])
    assert first[names.index("hazard_1_per_min")] == "70.5"


def test_the_form_and_the_tree_of_a_record_have_the_new_field(ask: Ask, older: Path) -> None:
    told = ask(
        TO_NEWER
        + """
from PySide6.QtWidgets import QApplication, QLineEdit
from recorder_editor.ui import create_window
from recorder_editor.views.outline import Outline
app = QApplication([])
window = create_window(folder / "newer.log", dialect="ue4-next")
session = window.session
with_horns = session.snapshot.frame(1)
packet = with_horns.packet("VehicleLight")
from recorder_editor.recording import Place
session.selection.select(Place(session.snapshot.table.row_of_frame(1), packet.index, 0, None))
app.processEvents()
told = sorted({one.accessibleName() for one in window.findChildren(QLineEdit) if one.isVisible()})
window.close()
"""
    )
    assert "hazard" in told


def test_grammars_and_the_page_of_packets_have_it(ask: Ask) -> None:
    told = ask(
        """
sys.path.insert(0, "packaging")
import reference
from recorder_editor.formats.grammars import GRAMMARS, grammar_lines
page = "\\n".join(reference.packets(reference.Say()))
kaitai, imhex = ("\\n".join(grammar_lines(suffix)) for suffix in GRAMMARS)
told = [name in text for text in (kaitai, imhex, page) for name in ("hazard", "Horn")]
"""
    )
    assert told == [True] * 6


@pytest.mark.parametrize(
    ("latest", "seconds"),
    [(1, 1.0), (99, 1.0), pytest.param(1, 4.0, marks=pytest.mark.long), pytest.param(99, 4.0, marks=pytest.mark.long)],
    ids=[
        "at the begin of records",
        "at their end",
        "at the begin of records, of a long town",
        "at their end, of a long town",
    ],
)
def test_a_field_more_in_every_packet_changes_nothing_else(tmp_path: Path, latest: int, seconds: float) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.format.grown", str(tmp_path), str(latest), str(seconds)],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []


def test_the_begin_of_a_frame_is_no_table() -> None:
    """Scanning reads it by its bytes: a field there would be another format."""
    (begin,) = (each for each in packets.TABLE["packets"] if each["name"] == "FrameStart")
    for member in begin["members"]:
        assert not {"since", "until"} & set(member[-1] if isinstance(member[-1], dict) else ())
