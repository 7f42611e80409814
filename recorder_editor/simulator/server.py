"""Questions to a running simulator."""

import sys
from contextlib import suppress
from importlib.util import find_spec
from typing import Any, NamedTuple

from .. import resources
from ..errors import RecorderError
from ..extras import remedy
from ..format.json_text import json_of, read_json
from ..progress import SILENT, Progress
from ..texts import N_, say

_SECONDS = 10
_MEMORY = 1 << 30
"""Bytes that a process that asks may take: a town's map takes a tenth of it. A hostile server would let it grow."""


class NoSimulator(RecorderError):
    """A simulator cannot be asked, or does not do what it is asked for."""


class Server(NamedTuple):
    """Where a simulator answers."""

    host: str = "localhost"
    port: int = 2000

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


def ask(server: Server, what: str, progress: Progress = SILENT, **more: object) -> dict[str, Any]:
    """Return the answer of a simulator, as `resources/ask_simulator.py` has it.

    Args:
        server: Where the simulator answers.
        what: What it is asked for: `look`, `map` or `replay`.
        progress: Of the question.
        more: What the question needs.

    Raises:
        NoSimulator: The package carla is not installed, no simulator answers, or it refuses.
        Cancelled: The user cancelled it.
    """
    if find_spec("carla") is None:
        raise NoSimulator(say("This needs carla, which is not installed. {remedy}", remedy=remedy("carla")))
    question: dict[str, object] = {
        "host": server.host,
        "port": server.port,
        "seconds": _SECONDS,
        "memory": _MEMORY,
        "do": what,
    }
    question |= more
    import subprocess  # it takes time that the first picture does without

    # In a process of its own: while carla waits for an answer no other thread of Python runs.
    command = [sys.executable, "-P", str(resources.path("ask_simulator.py")), json_of(question)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            output = None
            while output is None:
                progress.check()
                with suppress(subprocess.TimeoutExpired):
                    output = process.communicate(timeout=0.1)[0]
        except BaseException:
            process.kill()
            raise
    answer: dict[str, Any] = read_json(output or '{"error": ""}')
    if "error" in answer:
        reason = answer["error"].strip().partition("\n")[0].rstrip(".")
        if not reason and process.returncode < 0:
            reason = say("the package carla broke off at its answer, which may be too large")
        elif not reason:
            reason = say("it gave no answer")
        template = N_("No simulator answers at {place}: {reason}.")
        if what == "replay":
            template = N_("The simulator at {place} refuses: {reason}.")
        raise NoSimulator(say(template, place=server, reason=reason))
    return answer
