"""A package of the simulator's name that answers as a simulator would, in the place of the real one."""

from pathlib import Path

import pytest

CARLA = """
from types import SimpleNamespace as Named

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
