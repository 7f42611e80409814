"""What answers as a simulator would: a package of its name in the place of the real one, and a server for the real one.

The server speaks the simulator's remote procedure calls, MessagePack over TCP: requests are `[0, number, name,
arguments]`, of which the first argument is `[is nobody waiting]`; answers are `[1, number, error, result]`, where a
result is `[[1, value]]`, `[[0, [reason]]]`, or without a value `[[false]]`.
"""

import socketserver
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgpack
import pytest

CARLA = """
import socket
from types import SimpleNamespace as Named

socket.create_connection = lambda *_where: Named(close=lambda: None)

class Client:
    def __init__(self, host, port):
        self.address = host, port

    def set_timeout(self, seconds):
        assert seconds > 0

    def get_world(self):
        {answer}

"""


def answer_with(answer: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let whoever asks the simulator for its world get what these lines of Python do."""
    (folder / "carla.py").write_text(CARLA.format(answer=answer), "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.syspath_prepend(folder)


def answer_with_map(name: str, xodr: bytes, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let it show this map."""
    there = f"Named(name={name!r}, to_opendrive={xodr!r}.decode)"
    answer_with(f"return Named(get_map=lambda: {there})", folder, monkeypatch)


# --- a server for the real package --------------------------------------------------------------------------


class Refused(Exception):
    """What the server answers in the place of a value."""


class SimulatorServer(socketserver.ThreadingTCPServer):
    """A simulator on this machine, as far as replays go, in synchronous mode.

    Attributes: `release`, `map` (its name, without its folder), `maps` (those it has), `calls` (name and arguments of
    each, but for questions), `refusals` (why a function fails, by its name), `hangs_at` (the name of a function that is
    not answered), `hung` (it was called).
    """

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Connection)
        self.release, self.map, self.maps = "0.9.16", "Town05", ["Town01", "Town05"]
        self.calls: list[tuple[str, list[Any]]] = []
        self.refusals: dict[str, str] = {}
        self.hangs_at = ""
        self.hung = threading.Event()
        self.episode = 7
        self.frame = 100

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.server_address[1])

    def answer(self, name: str, arguments: list[Any]) -> Any:
        """The result of a call."""
        if name in self.refusals:
            return [[0, [self.refusals[name]]]]
        function: Callable[..., Any] | None = getattr(self, f"do_{name}", None)
        if function is None:
            self.calls.append((name, arguments))
            return [[False]]
        try:
            return [[1, value]] if (value := function(*arguments)) is not None else [[False]]
        except Refused as error:
            return [[0, [str(error)]]]

    @property
    def _token(self) -> list[bytes]:
        """Where the package listens for news: here, where nothing is told."""
        return [struct.pack("<IHBB16x", 1, self.port, 1, 0)]

    def do_version(self) -> str:
        return self.release

    def do_get_episode_info(self) -> Any:
        return [self.episode, self._token]

    def do_get_sensor_token(self, _stream: int) -> Any:
        return self._token

    def do_get_episode_settings(self) -> Any:
        return [True, False, [True, 0.05], False, 0.01, 10, 0.0, True, 3000.0, 2000.0, True]

    def do_query_lights_state(self, _client: str) -> Any:
        return []

    def do_get_map_info(self) -> Any:
        return [f"Carla/Maps/{self.map}", []]

    def do_get_required_files(self, _folder: str) -> Any:
        return []

    def do_get_map_data(self) -> str:
        return "<OpenDRIVE/>"

    def do_tick_cue(self) -> int:
        self.frame += 1
        return self.frame

    def do_load_new_episode(self, name: str, *_more: Any) -> None:
        self.calls.append(("load_new_episode", [name]))
        if name not in self.maps:
            raise Refused("map not found")
        self.map = name
        self.episode += 1

    def finds(self, name: str) -> bool:
        """Whether there is a file on its machine."""
        return Path(name).is_file()

    def do_replay_file(self, name: str, *more: Any) -> str:
        self.calls.append(("replay_file", [name, *more]))
        lines = [f"Replaying File: {name}"]
        if not self.finds(name):
            lines.append(f"File {name} not found on server")
        else:
            lines += ["Total time recorded: 27.7", "Replaying from 0 s - 27.7 s (27.7 s) at 1.0x"]
        return "".join(f"{line}\n" for line in lines)


class _Connection(socketserver.BaseRequestHandler):
    """One client, to its end."""

    server: SimulatorServer

    def handle(self) -> None:
        unpacker = msgpack.Unpacker(raw=False, unicode_errors="surrogateescape")
        try:
            while data := self.request.recv(1 << 16):
                unpacker.feed(data)
                for message in unpacker:
                    self._take(message)
        except ConnectionError:
            return  # it was ended

    def _take(self, message: Any) -> None:
        # What is no list is the number of a stream that the package listens to.
        if isinstance(message, list) and message[0] == 0:
            _, number, name, (_nobody_waits, *arguments) = message
            if name == self.server.hangs_at:
                self.server.hung.set()
                return
            answer = [1, number, None, self.server.answer(name, arguments)]
            self.request.sendall(msgpack.packb(answer, unicode_errors="surrogateescape"))


@contextmanager
def running_simulator() -> Iterator[SimulatorServer]:
    """A simulator that answers as long as it is wanted."""
    with SimulatorServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
