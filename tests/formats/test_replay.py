"""Replays in a simulator: the real package of it, against a server of the tests that answers as a simulator does."""

import socketserver
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType

import pytest

import recorder_editor
from recorder_editor.edits import set_header
from recorder_editor.errors import Cancelled
from recorder_editor.format import DIALECTS
from recorder_editor.progress import SILENT, Progress
from recorder_editor.recording.store import state_folder
from recorder_editor.simulator import replay as replays
from recorder_editor.simulator import server as questions
from recorder_editor.simulator.replay import Obstacle, Replay, find_obstacles, replay
from recorder_editor.simulator.server import NoSimulator, Server, ask
from tests.simulator import SimulatorServer, running_simulator

from .. import builders as b

CAMERA = [[-10.0, 0.0, 5.0], [-25.0, 0.0, 0.0]]
"""The offset that the package sends where none is given."""


@pytest.fixture
def server(carla: ModuleType) -> Iterator[SimulatorServer]:
    with running_simulator() as server:
        yield server


@pytest.fixture
def place(server: SimulatorServer) -> Server:
    return Server("127.0.0.1", server.port)


def written(path: Path, dialect: str = "ue4-0.9.16", town: str = "Town05") -> Path:
    path.write_bytes(b.everything(dialect))
    with recorder_editor.open(path) as recording:
        recording.apply(set_header(recording, map_name=town))
        recording.save()
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A recording of the newest release; its name holds what people's names of files do."""
    return written(tmp_path / "town 1 é'.log")


def showing(monkeypatch: pytest.MonkeyPatch, release: str, client: str, town: str) -> Server:
    """A simulator that was asked and shows this."""
    answer = {"release": release, "client": client, "map": f"Carla/Maps/{town}"}
    monkeypatch.setattr(replays, "ask", lambda *_asked: answer)
    return Server("here")


def test_a_simulator_tells_its_release_and_its_map(server: SimulatorServer, place: Server, path: Path) -> None:
    with recorder_editor.open(path) as recording:
        found = find_obstacles(recording.snapshot, place)
    assert found == [Obstacle(f"CARLA 0.9.16 answers at {place}, and shows Town05.")]


def test_a_replay_is_begun_as_it_was_chosen_and_the_answer_is_told(
    server: SimulatorServer, place: Server, path: Path
) -> None:
    how = Replay(1.5, 20.0, 214, sensors=True, ignore_hero=True, time_factor=2.0)
    with recorder_editor.open(path) as recording:
        told = replay(recording.snapshot, path, place, how, [], False, SILENT)
    assert told[0] == f"Replaying File: {path}"
    assert told[-1] == "Replaying from 0 s - 27.7 s (27.7 s) at 1.0x"
    assert server.calls == [
        ("set_replayer_ignore_hero", [True]),
        ("set_replayer_ignore_spectator", [False]),
        ("set_replayer_time_factor", [2.0]),
        ("replay_file", [str(path), 1.5, 20.0, 214, True, CAMERA]),
    ]


@pytest.mark.parametrize(
    ("recorded", "release", "wanted"),
    [
        ("ue4-0.9.16", "0.9.16", ""),
        ("ue4-0.9.16", "0.9.15", "ue4-0.9.15"),
        ("ue4-0.9.15", "0.9.15-dirty", ""),
        ("ue4-doors", "0.9.15", "ue4-0.9.15"),
        ("ue4-0.9.15", "0.9.16", "ue4-0.9.16"),
        ("ue4-0.9.15", "0.9.14", ""),
        ("ue4-0.9.12", "0.9.13", ""),
        ("ue4-0.9.10", "0.9.15", "ue4-0.9.15"),
        ("ue4-0.9.15", "0.10.0", "ue5-0.10.0"),
        ("ue5-2026", "0.9.16", "ue4-0.9.16"),
        ("ue4-0.9.6", "0.9.15-169-g063cc9d90", ""),
        ("ue4-0.9.6", "", ""),
    ],
)
def test_a_release_that_would_misread_a_recording_is_told_with_the_one_to_convert_it_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorded: str, release: str, wanted: str
) -> None:
    """A packet that an older release does not know is skipped by its size; one with another number is taken for it."""
    with recorder_editor.open(written(tmp_path / "a.log", recorded)) as recording:
        found = find_obstacles(recording.snapshot, showing(monkeypatch, release, release, "Town05"))
        helps = [each for each in found if each.option]
        assert [each.value for each in helps] == ([wanted] if wanted else [])
        for each in helps:
            would = f"misread this recording of {recording.dialect.title}."
            if recorded == "ue4-0.9.10":  # whose packets are read, but whose hero has another name
                would = "make other actors than were recorded, or none: blueprints have other names or uids there."
            assert each.sentence == f"The simulator at here:2000 is CARLA {release}, and would {would}"


def test_releases_that_nobody_knows_and_other_packages_are_doubts(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with recorder_editor.open(path) as recording:
        for release, client, wanted in (
            ("0.9.16", "0.9.16", []),
            (
                "0.9.99",
                "0.9.99",
                ["The simulator at here:2000 calls itself 0.9.99: whether it reads this recording is not known."],
            ),
            (
                "0.9.16",
                "0.9.13",
                ["The package carla is of 0.9.13 here, the simulator of 0.9.16: some calls may fail."],
            ),
        ):
            found = find_obstacles(recording.snapshot, showing(monkeypatch, release, client, "Town05"))[1:]
            assert found == [Obstacle(sentence) for sentence in wanted]


def test_a_copy_for_the_simulators_release_is_replayed(server: SimulatorServer, place: Server, tmp_path: Path) -> None:
    path = written(tmp_path / "a.log", "ue4-2026")
    before, server.release = path.read_bytes(), "0.9.15"
    with recorder_editor.open(path) as recording:
        found = find_obstacles(recording.snapshot, place)[1:]
        assert [(each.option, each.value) for each in found] == [("convert", "ue4-0.9.15"), ("", "")]
        told = replay(recording.snapshot, path, place, Replay(), found, False, SILENT)
    assert any("Weather" in line for line in told)
    _, (name, *_) = server.calls[-1]
    assert path.read_bytes() == before
    with recorder_editor.open(name) as copy:
        assert copy.dialect.name == "ue4-0.9.15"
        assert copy.findings == ()


def test_unsaved_edits_are_replayed_from_a_copy_which_the_next_one_replaces(
    server: SimulatorServer, place: Server, path: Path, tmp_path: Path
) -> None:
    before = path.read_bytes()
    for name in (path.name, "other.log"):
        source = written(tmp_path / name)
        with recorder_editor.open(source) as recording:
            recording.apply(set_header(recording, map_name="Town07"))
            replay(recording.snapshot, source, place, Replay(), [], True, SILENT)
        (copy,) = (state_folder() / "replayed").iterdir()
        assert copy.name == name
        assert server.calls[-1][1][0] == str(copy)
        with recorder_editor.open(copy) as recording:
            assert recording.header is not None
            assert recording.header.map_name == "Town07"
    assert path.read_bytes() == before


@pytest.mark.parametrize("shown", ["Town01", "Town05_Opt"])
def test_the_map_of_the_recording_is_loaded_first(
    server: SimulatorServer, place: Server, path: Path, shown: str
) -> None:
    server.map = shown
    with recorder_editor.open(path) as recording:
        found = find_obstacles(recording.snapshot, place)[1:]
        assert found[0].sentence == f"The simulator at {place} shows {shown}, and this recording is of Town05."
        replay(recording.snapshot, path, place, Replay(), found, False, SILENT)
    assert [name for name, _ in server.calls if not name.startswith("set_")] == ["load_new_episode", "replay_file"]
    assert server.map == "Town05"


def test_the_map_is_compared_without_its_folder_and_a_header_without_one_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for town in ("Town05", "/Game/Carla/Maps/town05", ""):
        with recorder_editor.open(written(tmp_path / "a.log", town=town)) as recording:
            assert len(find_obstacles(recording.snapshot, showing(monkeypatch, "0.9.16", "0.9.16", "Town05"))) == 1


# --- what goes wrong ----------------------------------------------------------------------------------------


def refused(place: Server, path: Path, *helps: Obstacle) -> str:
    with recorder_editor.open(path) as recording, pytest.raises(NoSimulator) as caught:
        replay(recording.snapshot, path, place, Replay(), list(helps), False, SILENT)
    return caught.value.message


def test_a_file_that_the_simulator_does_not_find_is_a_sentence(server: SimulatorServer, place: Server) -> None:
    path = written(Path(state_folder().parent / "gone.log"))
    with recorder_editor.open(path) as recording:
        path.unlink()
        with pytest.raises(NoSimulator) as caught:
            replay(recording.snapshot, path, place, Replay(), [], False, SILENT)
    wanted = f"The simulator at {place} does not find {path}: it reads files on its own machine."
    assert caught.value.message == wanted


def test_a_map_that_the_simulator_does_not_have_is_a_sentence(
    server: SimulatorServer, place: Server, path: Path
) -> None:
    assert (
        refused(place, path, Obstacle("", "load_map", "Town07")) == f"The simulator at {place} refuses: map not found."
    )
    assert server.calls[-1][0] == "load_new_episode"


def test_a_map_that_the_replayer_cannot_load_is_a_sentence(
    server: SimulatorServer, place: Server, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "do_replay_file", lambda *_file: "Replaying File: x\nCould not load mapfile X\n")
    assert refused(place, path) == f"The simulator at {place} refuses: Could not load mapfile X."


def test_an_error_of_the_simulator_is_a_sentence(server: SimulatorServer, place: Server, path: Path) -> None:
    server.refusals["replay_file"] = "internal error\nmore of it"
    assert refused(place, path) == f"The simulator at {place} refuses: internal error."


def test_where_nothing_listens_that_is_told_at_once(carla: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "_SECONDS", 3600)
    with running_simulator() as server:
        port = server.port
    with pytest.raises(NoSimulator) as caught:
        ask(Server("127.0.0.1", port), "look")
    assert caught.value.message == f"No simulator answers at 127.0.0.1:{port}: Connection refused."


def test_a_port_that_cannot_be_is_told(carla: ModuleType) -> None:
    """The system would take 65536 for 0, and so on."""
    with running_simulator() as server:
        port = server.port + 65536
        with pytest.raises(NoSimulator) as caught:
            ask(Server("127.0.0.1", port), "look")
    assert caught.value.message == f"No simulator answers at 127.0.0.1:{port}: ports end at 65535."


def test_a_package_that_cannot_be_loaded_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "carla.py").write_text("raise ImportError('libjpeg.so.8: cannot open shared object file')", "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(NoSimulator) as caught:
        ask(Server("127.0.0.1", 1), "look")
    reason = "the package carla cannot be loaded (libjpeg.so.8: cannot open shared object file)"
    assert caught.value.message == f"No simulator answers at 127.0.0.1:1: {reason}."


def test_a_simulator_that_hangs_is_waited_for_so_long_and_no_longer(
    server: SimulatorServer, place: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "_SECONDS", 0.1)
    server.hangs_at = "version"
    with pytest.raises(NoSimulator, match=r"No simulator answers at .*: time-out of 100ms while waiting"):
        ask(place, "look")


def test_a_question_to_a_simulator_that_hangs_is_cancelled(server: SimulatorServer, place: Server) -> None:
    server.hangs_at = "version"
    with pytest.raises(Cancelled):
        ask(place, "look", Progress(is_cancelled=server.hung.is_set))


# --- elsewhere ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dialect", "more"),
    [
        ("ue4-0.9.10", ""),
        ("ue4-0.9.15", ", replay_sensors=False"),
        ("ue5-0.10.0", ", replay_sensors=False"),
        ("ue4-0.9.16", ", replay_sensors=False, offset=carla.Transform(X)"),
        ("ue4-2026", ", replay_sensors=False, offset=carla.Transform(X), replay_weather=False, map_override=''"),
        ("ue5-2026", ", replay_sensors=False, offset=carla.Transform(X), replay_weather=False, map_override=''"),
    ],
)
def test_the_call_has_what_the_release_of_the_recording_takes(dialect: str, more: str) -> None:
    more = more.replace("(X)", "(carla.Location(x=-10, z=5), carla.Rotation(pitch=-25))")
    call = Replay(1.5, 2.0, 77).call(Path("/a's.log"), DIALECTS[dialect])
    assert call == f'client.replay_file("/a\'s.log", 1.500, 2.000, 77{more})'


def test_the_call_does_what_the_dialog_does(carla: ModuleType, server: SimulatorServer, path: Path) -> None:
    how = Replay(1.5, 2.0, 77, sensors=True, ignore_hero=True, ignore_spectator=True, time_factor=0.5)
    client = carla.Client("127.0.0.1", server.port)
    for line in how.call(path, DIALECTS["ue4-0.9.16"]).splitlines():
        exec(line, {"client": client, "carla": carla})
    assert server.calls == [
        ("set_replayer_ignore_hero", [True]),
        ("set_replayer_ignore_spectator", [True]),
        ("set_replayer_time_factor", [0.5]),
        ("replay_file", [str(path), 1.5, 2.0, 77, True, CAMERA]),
    ]


class Flood(socketserver.ThreadingTCPServer):
    """A server that answers with a name that never ends. Attribute: `sent` (bytes, by connection)."""

    MOST = 500 << 20

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), FloodConnection)
        self.sent: list[int] = []


class FloodConnection(socketserver.BaseRequestHandler):
    """Sends an answer of a call whose result is a text of 4 GiB, up to `Flood.MOST` bytes of it."""

    server: Flood

    def handle(self) -> None:
        piece = bytes(1 << 20)
        sent = 0
        with suppress(OSError):
            if self.request.recv(1 << 12):
                self.request.sendall(bytes.fromhex("94 01 00 c0 db ff ff ff ff"))
                while sent < Flood.MOST:
                    self.request.sendall(piece)
                    sent += len(piece)
        self.server.sent.append(sent)


def test_a_server_that_never_ends_its_answer_gets_no_memory(carla: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "_MEMORY", 150 << 20)
    with Flood() as flood:
        thread = threading.Thread(target=flood.serve_forever)
        thread.start()
        try:
            with pytest.raises(NoSimulator) as caught:
                ask(Server("127.0.0.1", flood.server_address[1]), "look")
        finally:
            flood.shutdown()
            thread.join()
    assert "broke off at its answer, which may be too large" in caught.value.message
    assert max(flood.sent) < 300 << 20


def test_an_answer_that_is_too_large_is_refused(
    server: SimulatorServer, place: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = 150 << 20
    monkeypatch.setattr(questions, "_MEMORY", memory)
    server.map = "T" * (memory // 8)
    with pytest.raises(NoSimulator, match="its answer is too large"):
        ask(place, "look")
