"""The index of a folder: the same as what each recording tells, whatever happened to the folder or to the index."""

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recorder_editor
from recorder_editor import resources
from recorder_editor.analysis import AnalysisError
from recorder_editor.errors import Cancelled
from recorder_editor.fleet import catalogue
from recorder_editor.fleet.catalogue import COLUMNS, NAME, SHOWN, STORED, Kind, OldIndex, find, index, thumbnail
from recorder_editor.progress import Progress
from recorder_editor.reading import Actors
from recorder_editor.reading.events import find_events
from recorder_editor.reading.expression import ExpressionError
from recorder_editor.reading.trajectories import find_trajectories, thumbnail_lines

from .. import builders as b
from ..extent import examples

PROJECT = Path(__file__).resolve().parents[2]
SAMPLE = resources.path("sample/town.log")
KINDS: tuple[Kind, ...] = ("recordings", "events")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the sample, two short recordings, one of them deeper, and what is none."""
    return filled(tmp_path / "drives")


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with its index, for what only reads it."""
    place = filled(tmp_path_factory.mktemp("indexed") / "drives")
    index(place)
    return place


def filled(place: Path) -> Path:
    (place / "deep").mkdir(parents=True)
    shutil.copy(SAMPLE, place / "town.log")
    (place / "deep/a.REC").write_bytes(b.drive(6, vehicles=2))
    (place / "b.log").write_bytes(b.drive(8))
    for name in ("notes.txt", ".hidden.log", "b.log.bak"):
        (place / name).write_text("no recording", encoding="utf-8")
    (place / "folder.log").mkdir()
    return place


def rows(place: Path, text: str = "", kind: Kind = "recordings") -> list[dict[str, Any]]:
    names = [*COLUMNS[kind], "lines"]
    return [dict(zip(names, row, strict=True)) for row in find(place, text, kind, names)]


def everything(place: Path) -> dict[Kind, list[dict[str, Any]]]:
    return {kind: rows(place, kind=kind) for kind in KINDS}


def paths(place: Path, text: str = "") -> list[str]:
    return [row["path"] for row in rows(place, text)]


# --- what it holds --------------------------------------------------------------------------------------------


def test_the_table_is_whole() -> None:
    names = [field.path for kind in KINDS for field in STORED[kind]]
    assert len(set(names)) == len(names)
    assert all(field.meaning for kind in KINDS for field in STORED[kind])
    assert all(name in COLUMNS[kind] for kind in KINDS for name in SHOWN[kind])
    for kind in KINDS:  # texts first: a number at the right of its column would touch a text at the left of the next
        are_texts = [COLUMNS[kind][name].type == "str" for name in SHOWN[kind]]
        assert are_texts == sorted(are_texts, reverse=True)


def test_a_row_tells_what_the_recording_tells(recordings: Path, tmp_path: Path) -> None:
    given = [*recordings.glob("*.log"), *recordings.glob("*.rec"), SAMPLE, resources.path("sample/town-damaged.log")]
    for path in given:
        shutil.copyfile(path, tmp_path / path.name)
    assert index(tmp_path) == (len(given), 0, 0, 0, {})
    told = {row["path"]: row for row in rows(tmp_path)}
    events = rows(tmp_path, kind="events")
    assert sorted(told) == sorted(path.name for path in given)
    for path in given:
        row, data = told[path.name], path.read_bytes()
        with recorder_editor.open(path) as recording:
            actors, judged = Actors.of(recording.snapshot), find_events(recording.snapshot)
            found = [(each, judged.kind(number).name) for number, each in enumerate(judged.table)]
            elapsed = recording.snapshot.elapsed
            header = recording.header
            assert row["frames"] == len(recording)
            assert row["duration"] == (elapsed[-1] if len(elapsed) else 0)
            assert row["town"] == ("" if header is None else str(header.map_name).rpartition("/")[2])
            date = "" if header is None else datetime.fromtimestamp(header.date, UTC).isoformat(" ")[:19]
            assert row["date"] == date
            assert (row["size"], row["hash"]) == (len(data), hashlib.sha256(data).hexdigest())
            classes = Counter(life.class_ for life in actors)
            assert (
                row["vehicles"],
                row["two_wheelers"],
                row["walkers"],
                row["traffic_lights"],
                row["others"],
            ) == tuple(
                classes[name]
                for name in ("vehicle", "two-wheeler", "walker", "traffic light", "other")  # type: ignore[index]
            )
            assert row["hero"] == next((life.blueprint for life in actors if life.role_name == "hero"), "")
            assert row["damage"] == sum(each.severity == "error" for each in recording.findings)
            near = [float(each["value"]) for each, kind in found if kind == "near-miss"]
            assert (row["collisions"], row["near_misses"]) == (len(actors.contacts), len(near))
            assert row["min_ttc"] == min(near, default=None)
            own = [each for each in events if each["path"] == path.name]
            assert sorted((each["frame"], each["kind"], each["value"]) for each in own) == sorted(
                (each["worst"] + 1, kind, each["value"]) for each, kind in found
            )
            for each in own:
                life = actors.at(each["actor"], each["frame"] - 1)
                assert each["blueprint"] == (life.blueprint if life is not None else "")
                assert each["time"] == elapsed[each["frame"] - 1]
                assert each["town"] == row["town"]
    assert told[SAMPLE.name]["release"] == "0.9.15"


def test_a_collision_with_no_actor_has_no_other(tmp_path: Path) -> None:
    hit = {"id": 1, "actor1": 100, "actor2": 0xFFFFFFFF, "hero1": False, "hero2": False}
    birth = b.packet(2, b.event_add([b.actor(100)]))
    frames = [b.frame(1, 0.0, 0.1, [birth]), b.frame(2, 0.1, -1.0, [b.packet(5, b.collision([hit]))])]
    (tmp_path / "wall.log").write_bytes(b.recording(*frames))
    index(tmp_path)
    (event,) = rows(tmp_path, kind="events")
    assert (event["kind"], event["frame"], event["actor"]) == ("collision", 2, 100)
    assert (event["other"], event["other_blueprint"], event["value"]) == (None, "", None)


def test_an_optimised_map_is_the_same_town_and_of_two_heroes_the_first_is_told(tmp_path: Path) -> None:
    role = [b.attribute(3, "role_name", "hero")]
    born = [[b.packet(2, b.event_add([b.actor(n, 1, name, attributes=role)]))] for n, name in enumerate("ab", 1)]
    frames = [b.frame(n + 1, 0.1 * n, 0.1, packets) for n, packets in enumerate(born)]
    (tmp_path / "a.log").write_bytes(b.header(map_name="Carla/Maps/Town03_Opt") + b"".join(frames))
    index(tmp_path)
    (row,) = rows(tmp_path)
    assert (row["town"], row["hero"]) == ("Town03", "a")


def test_names_of_files_that_are_no_unicode_are_told_as_they_can_be(tmp_path: Path) -> None:
    try:
        (tmp_path / os.fsdecode(b"caf\xe9 \xff.log")).write_bytes(b.drive(3))
    except OSError:
        pytest.skip("this file system refuses such names")
    assert index(tmp_path).read == 1
    assert paths(tmp_path) == [r"caf\udce9 \udcff.log"]
    assert index(tmp_path) == (0, 1, 0, 0, {})


# --- only what changed ----------------------------------------------------------------------------------------


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of files that were hashed, and with `!` of those that were read; every time counts."""
    seen: list[str] = []

    def watched(name: str, mark: str) -> None:
        real: Callable[..., Any] = getattr(catalogue, name)

        def watch(path: Path, *more: Any) -> Any:
            seen.append(path.name + mark)
            return real(path, *more)

        monkeypatch.setattr(catalogue, name, watch)

    watched("content", "")
    watched("open_recording", "!")
    monkeypatch.setattr(catalogue, "_SETTLED", -1)
    return seen


def test_only_what_changed_is_read_again(folder: Path, opened: list[str]) -> None:
    assert index(folder) == (3, 0, 0, 0, {})
    assert sorted(opened) == ["a.REC", "a.REC!", "b.log", "b.log!", "town.log", "town.log!"]
    before = everything(folder)
    opened.clear()
    assert index(folder) == (0, 3, 0, 0, {})
    assert opened == []
    os.utime(folder / "town.log", (1, 1))  # as a copy might have
    assert index(folder) == (0, 3, 0, 0, {})
    assert opened == ["town.log"]
    assert everything(folder) == before
    opened.clear()
    assert index(folder) == (0, 3, 0, 0, {})
    assert opened == []
    path = folder / "b.log"
    status = path.stat()
    path.write_bytes(path.read_bytes().replace(b"Town01", b"Town02"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))  # of the same size and time
    assert index(folder) == (1, 2, 0, 0, {})
    assert opened == ["b.log", "b.log!"]
    assert paths(folder, "town == 'Town02'") == ["b.log"]
    path.unlink()
    (folder / "deep/a.REC").rename(folder / "c.rec")
    assert index(folder) == (1, 1, 2, 0, {})
    assert paths(folder) == ["c.rec", "town.log"]
    assert {row["path"] for row in everything(folder)["events"]} == {"town.log"}


def test_a_collision_goes_with_its_file_also_where_another_comes(tmp_path: Path) -> None:
    hit = {"id": 1, "actor1": 100, "actor2": 101, "hero1": False, "hero2": False}
    born = b.packet(2, b.event_add([b.actor(100), b.actor(101)]))
    (tmp_path / "hit.log").write_bytes(b.recording(b.frame(1, 0.0, 0.1, [born, b.packet(5, b.collision([hit]))])))
    index(tmp_path)
    assert len(rows(tmp_path, kind="events")) == 1
    (tmp_path / "hit.log").unlink()
    (tmp_path / "calm.log").write_bytes(b.drive(3))
    index(tmp_path)
    assert rows(tmp_path, kind="events") == []


def test_a_file_that_was_just_written_is_looked_at_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its time does not tell whether it was written once more at that time."""
    monkeypatch.setattr(catalogue, "time_ns", lambda: (folder / "b.log").stat().st_ctime_ns + 1_000_000_000)
    index(folder)
    seen: list[str] = []
    monkeypatch.setattr(catalogue, "content", lambda path: seen.append(path.name) or "")
    index(folder)
    assert sorted(seen) == ["a.REC", "b.log", "town.log"]


CONTENTS = (*(b.drive(2 + number % 3, vehicles=1 + number % 2) for number in range(6)), b"", b"text", b.drive(4)[:-9])
NO_RECORDINGS = (b"", b"text")
NAMES = st.sampled_from(["a.log", "b.log", "deep/a.log", "deep/b.rec"])
STEPS = st.one_of(
    st.tuples(st.just("write"), NAMES, st.integers(0, len(CONTENTS) - 1)),
    st.tuples(st.just("move"), NAMES, NAMES),
    st.tuples(st.just("remove"), NAMES),
    st.tuples(st.just("touch"), NAMES),
    st.just(("index",)),
)


def do(place: Path, step: Any) -> None:
    what, *names = step
    path = place / str(names[0]) if names else place
    if what == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(CONTENTS[names[1]])
    elif what == "index":
        index(place)
    elif path.exists() and what == "move":
        (place / names[1]).parent.mkdir(exist_ok=True)
        path.replace(place / names[1])
    elif path.exists():
        path.unlink() if what == "remove" else os.utime(path, (5, 5))


@settings(max_examples=examples(25), deadline=None)
@given(steps=st.lists(STEPS, max_size=14))
def test_an_index_that_follows_is_the_same_as_one_made_anew(steps: list[Any]) -> None:
    with TemporaryDirectory() as name:
        place = Path(name)
        for step in steps:
            do(place, step)
        index(place)
        followed = everything(place)
        index(place, anew=True)
        assert everything(place) == followed
        files = [path for path in place.rglob("*.[lr][oe]*") if path.is_file()]
        assert len(followed["recordings"]) == sum(path.read_bytes() not in NO_RECORDINGS for path in files)


def test_several_processes_make_the_same(folder: Path) -> None:
    if sys.platform != "win32":
        (folder / "z.log").symlink_to("nowhere")
    done, alone = index(folder), everything(folder)
    assert done.read == 3
    assert index(folder, workers=2, anew=True) == done
    assert everything(folder) == alone


def test_a_file_that_fails_stops_nothing_and_is_tried_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index(folder)
    (folder / "b.log").write_bytes(b.drive(5))
    real = catalogue.content

    def broken(path: Path) -> str:
        if path.name == "b.log":
            raise OSError(5, "Input/output error", str(path))
        return real(path)

    monkeypatch.setattr(catalogue, "content", broken)
    done = index(folder)
    assert (done.read, done.gone) == (0, 0)
    assert done.failed == {"b.log": f"{folder / 'b.log'}: Input/output error."}
    assert paths(folder) == ["deep/a.REC", "town.log"]  # what it was is not what it is
    monkeypatch.undo()
    assert index(folder).read == 1
    assert paths(folder, "frames == 5") == ["b.log"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
def test_what_is_no_file_is_told_and_tried_again(folder: Path) -> None:
    (folder / "z.log").symlink_to("nowhere")
    os.mkfifo(folder / "pipe.log")
    for read in (3, 0):
        done = index(folder)
        assert (done.read, done.unchanged) == (read, 3 - read)
        assert [*done.failed.items()] == [
            ("pipe.log", f"{folder / 'pipe.log'} is not an ordinary file."),
            ("z.log", f"{folder / 'z.log'}: No such file or directory."),
        ]
    (folder / "z.log").unlink()
    (folder / "z.log").write_bytes(b.drive(3))
    assert index(folder).read == 1


def test_a_folder_that_cannot_be_listed_loses_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index(folder)

    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    with monkeypatch.context() as patched:
        patched.setattr("os.scandir", refuse)
        with pytest.raises(PermissionError):
            index(folder)
    assert len(paths(folder)) == 3


def test_what_was_read_before_a_cancel_stays(folder: Path) -> None:
    done: list[int] = []
    with pytest.raises(Cancelled):
        index(folder, progress=Progress(lambda done_, _: done.append(done_), lambda: len(done) == 2))
    assert len(paths(folder)) == 3
    assert index(folder) == (0, 3, 0, 0, {})


KILLED = """
import os, signal, sqlite3, sys
from pathlib import Path
from recorder_editor.fleet import catalogue

def insert(connection, table, row):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    connection.execute("PRAGMA cache_size = 1")  # so that pages reach the file before the end of the transaction
    return real(connection, table, row)

catalogue.index(Path(sys.argv[1]))  # loads what an index needs, once for all
real, catalogue._insert = catalogue._insert, insert
for place, at, seconds in zip(sys.argv[2::3], sys.argv[3::3], sys.argv[4::3]):
    child = os.fork()
    if child == 0:
        left, catalogue._SECONDS = int(at), float(seconds)
        try:
            catalogue.index(Path(place))
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_a_killed_process_leaves_it_usable(tmp_path: Path) -> None:
    other = filled(tmp_path / "other")
    command = [sys.executable, "-c", KILLED, str(other)]
    kept = {}
    for at, seconds, number in ((1, 0, 0), (2, 0, 1), (4, 9, 0), (6, 9, 0)):
        place = filled(tmp_path / f"killed-{at}")
        kept[place] = number
        command += [str(place), str(at), str(seconds)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    whole = everything(other)
    for place, number in kept.items():
        assert len(paths(place)) == number
        assert index(place).read == 3 - number
        assert everything(place) == whole
        assert [each.name for each in place.iterdir() if each.name.startswith(NAME)] == [NAME]


# --- questions ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", ["b.log", "deep/a.REC", "town.log"]),
        ("town == 'DemoTown' and collisions > 0", ["town.log"]),
        ("min_ttc < 100", []),
        ("not min_ttc < 100", ["b.log", "deep/a.REC", "town.log"]),  # as of a number that is none
        ("isnan(min_ttc)", ["b.log", "deep/a.REC", "town.log"]),
        ("frames in (6, 8)", ["b.log", "deep/a.REC"]),
        ("path like 'deep/*' or path like '[!bd]*'", ["deep/a.REC", "town.log"]),
        ("duration * 2 >= 42 - 0.001", ["town.log"]),
        ("date < '2020'", []),
        ("true", ["b.log", "deep/a.REC", "town.log"]),
    ],
)
def test_expressions_find_recordings(indexed: Path, text: str, found: list[str]) -> None:
    assert paths(indexed, text) == found


def test_events_are_found_by_what_they_are_and_where(indexed: Path) -> None:
    every = rows(indexed, kind="events")
    assert len(every) == 3
    told = rows(indexed, "kind == 'hard-braking' and value < 0 and town == 'DemoTown'", "events")
    assert told == [row for row in every if row["kind"] == "hard-braking"]
    assert len(told) == 2
    assert [each["frame"] for each in every] == sorted(each["frame"] for each in every)


def test_a_thumbnail_has_the_paths_driven(indexed: Path) -> None:
    with recorder_editor.open(SAMPLE) as recording:
        lines = thumbnail_lines(find_trajectories(recording.snapshot), 200)
    (row,) = rows(indexed, "path == 'town.log'")
    assert [tuple(line) for line in thumbnail(row["lines"])] == [*lines]
    assert len(lines) > 10
    assert thumbnail(b"") == thumbnail(b"123") == thumbnail(b"\xff" * 9) == []
    assert thumbnail(b"\1\0\2\0\3\0\4\0\5") == [[(1, 2), (3, 4)]]


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("twn == 'x'", "recordings", "Recording has no field “twn”. Did you mean “town”? (column 1)"),
        ("kind == 'near-miss'", "recordings", "Recording has no field “kind”. (column 1)"),
        ("frames > 1 and lane == 2", "events", "Event has no field “lane”. (column 16)"),
        ("speed > 2", "recordings", "Recording has no field “speed”. (column 1)"),
        ("town", "recordings", "A condition is not a text alone. (column 1)"),
        ("frames > 1 frames", "recordings", "“frames” was not expected here. (column 12)"),
        ("frames =", "recordings", "A comparison is written ==; assignments follow a colon. (column 8)"),
    ],
)
def test_what_is_wrong_in_an_expression_is_told_with_its_place(
    folder: Path, text: str, kind: Kind, message: str
) -> None:
    with pytest.raises(ExpressionError) as caught:
        find(folder, text, kind, ["path"])
    assert str(caught.value) == message


# --- files that are no index ----------------------------------------------------------------------------------


def change(place: Path, script: str) -> None:
    connection = sqlite3.connect(place / NAME)
    connection.executescript(script)
    connection.close()


def foreign(place: Path) -> Iterator[str]:
    """Puts one file after another where the index is."""
    path, whole = place / NAME, (place / NAME).read_bytes()
    spoilt = {"text": b"some text\n" * 500, "torn": whole[: len(whole) // 2], "ends": whole[:50], "header": whole[:100]}
    spoilt |= {"pages": whole[:4096] + bytes(len(whole) - 4096), "schema": whole[:100] + b"\xff" * 3996 + whole[4096:]}
    for name, data in spoilt.items():
        path.write_bytes(data)
        yield name
    for script in (
        "CREATE TABLE more (x)",
        "CREATE TRIGGER each AFTER DELETE ON recordings BEGIN DELETE FROM events; END",
        "DROP TABLE events",
        "DROP TABLE recordings; CREATE VIEW recordings AS SELECT 1 AS id, 2 AS path, 3 AS stamp",
        "PRAGMA encoding = 'UTF-16'; DROP INDEX by_path",
    ):
        path.write_bytes(whole)
        change(place, script)
        yield script
    path.unlink()
    change(place, "CREATE TABLE passwords (x); INSERT INTO passwords VALUES ('secret')")
    yield "another"


def test_a_foreign_or_broken_file_is_told_and_replaced_only_when_asked(folder: Path) -> None:
    index(folder)
    before, seen = everything(folder), 0
    words = f"{folder / NAME} is no index that this release has made, or is damaged."
    for what in foreign(folder):
        data = (folder / NAME).read_bytes()
        for ask in (lambda: everything(folder), lambda: index(folder)):
            with pytest.raises(AnalysisError) as caught:
                ask()
            assert str(caught.value).startswith(words), what
            assert (folder / NAME).read_bytes() == data, what
        seen += 1
    assert seen == 12
    assert index(folder, anew=True).read == 3
    assert everything(folder) == before


def test_an_index_of_another_release_is_told_and_made_anew(folder: Path) -> None:
    index(folder)
    before = everything(folder)
    change(folder, "ALTER TABLE recordings ADD COLUMN speed REAL")
    with pytest.raises(OldIndex, match="is an index of another release"):
        everything(folder)
    assert index(folder).read == 3
    assert everything(folder) == before


def test_a_link_to_nothing_in_its_place_is_not_followed(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    there = tmp_path_factory.mktemp("others") / "a file of theirs"
    (folder / NAME).symlink_to(there)
    with pytest.raises(AnalysisError, match="is a link to a file that is not there"):
        index(folder)
    assert not there.exists()
    assert index(folder, anew=True).read == 3
    assert not (folder / NAME).is_symlink()
    assert not there.exists()


def test_a_folder_in_its_place_is_told(folder: Path) -> None:
    (folder / NAME).mkdir()
    with pytest.raises(AnalysisError, match="cannot be written"):
        index(folder)
    with pytest.raises(AnalysisError, match="has no index yet"):
        find(folder, "", "recordings", [])


@pytest.mark.parametrize("value", ["NULL", "'words'", "x'ff00fe'", "1e308", "-9223372036854775808", "9e999", "''"])
def test_values_of_other_types_are_read_as_those_of_the_columns(indexed: Path, tmp_path: Path, value: str) -> None:
    folder = shutil.copytree(indexed, tmp_path / "drives")
    script = f"UPDATE recordings SET lines = {value}, stamp = {value};"
    for kind in KINDS:
        for field in STORED[kind]:
            where = "WHERE id = 1" if field.path == "path" else ""  # another one cannot have the same
            script += f"UPDATE {kind} SET {field.path} = {value} {where};"
    change(folder, script)
    types = {"str": (str,), "i64": (int, type(None)), "f64": (float, type(None))}
    if value.startswith("x"):  # a text that is none
        with pytest.raises(AnalysisError, match=r"or is damaged\. Move it away, or have it replaced"):
            everything(folder)
        index(folder, anew=True)
    for kind, listed in everything(folder).items():
        assert listed
        for row in listed:
            assert all(isinstance(row[name], types[field.type]) for name, field in COLUMNS[kind].items())
            assert all(0 <= x <= 0xFFFF and 0 <= y <= 0xFFFF for line in thumbnail(row["lines"]) for x, y in line)
    assert index(folder).failed == {}
    assert [each for each in paths(folder) if each] == ["b.log", "deep/a.REC", "town.log"]


def test_bytes_of_an_index_changed_by_chance_break_nothing(folder: Path) -> None:
    index(folder)
    whole = (folder / NAME).read_bytes()
    for at in range(0, len(whole), max(1, len(whole) // 120)):
        (folder / NAME).write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        for ask in (lambda: everything(folder), lambda: index(folder)):
            with suppress(AnalysisError):
                ask()
