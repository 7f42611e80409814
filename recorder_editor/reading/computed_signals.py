"""Signals of an actor that installed packages compute, beside those of this program.

A package names a subclass of `ComputedSignal` in the group `recorder_editor.signals` of its entry points; the pane
Signals offers it for each actor with positions, and `export --signals NAME` writes it.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cache
from typing import ClassVar

import numpy as np

from ..arrays import FloatArray, IntArray
from ..errors import Cancelled, RecorderError
from ..extensions import NotTaken, offer_extensions, reason_of_exception, require_texts
from ..progress import Progress
from ..recording import Snapshot
from ..texts import say


class SignalError(RecorderError):
    """A computed signal is not there, or cannot be computed."""


class ComputedSignal(ABC):
    """A number over time that is computed of one actor.

    Attributes:
        name: Its name in files and on the command line: an identifier.
        title: Its name in the window, without the actor, in small letters.
        unit: Its unit.
        meaning: What it tells, a line.
        is_stepped: Whether it keeps its value until the next one.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    unit: ClassVar[str] = ""
    meaning: ClassVar[str] = ""
    is_stepped: ClassVar[bool] = False

    @abstractmethod
    def compute(self, snapshot: Snapshot, actor: int, progress: Progress) -> tuple[IntArray, FloatArray]:
        """Compute the values of an actor.

        Args:
            snapshot: The state of the recording; `reading.Tracks` reads its records as columns.
            actor: The id of the actor.
            progress: Counts frames; raises `Cancelled` when the user stops it.

        Returns:
            Frames (indices, int64[n], rising) and values (float64[n]).
        """


@cache
def computed_signals() -> Mapping[str, ComputedSignal]:
    """Return the signals of installed packages by name."""
    signals: dict[str, ComputedSignal] = {}

    def take(value: object) -> None:
        if not isinstance(value, ComputedSignal):
            raise NotTaken(say("It is no {kind}.", kind="ComputedSignal"))
        require_texts(value, "name", "title", "unit", "meaning")
        if not value.name.isidentifier():
            raise NotTaken(say("The name “{name}” is no identifier.", name=value.name))
        if value.name in signals:
            raise NotTaken(say("There is a signal of the name “{name}” already.", name=value.name))
        signals[value.name] = value

    offer_extensions("recorder_editor.signals", take)
    return signals


def compute_signal(name: str, snapshot: Snapshot, actor: int, progress: Progress) -> tuple[IntArray, FloatArray]:
    """Compute a signal of an installed package.

    Args:
        name: Its name.
        snapshot: The state of the recording.
        actor: The id of the actor.
        progress: Counts frames.

    Returns:
        Frames (indices, int64[n], rising) and values (float64[n]).

    Raises:
        SignalError: No package has it, or its code raises, or returns something else.
        Cancelled: The user stopped it.
    """
    signal = computed_signals().get(name)
    if signal is None:
        raise SignalError(say("No installed package computes the signal {name}.", name=name))
    try:
        frames, values = signal.compute(snapshot, actor, progress)
        frames = np.asarray(frames, np.int64)
        values = np.asarray(values, np.float64)
    except (Cancelled, RecorderError, OSError):
        raise
    except Exception as error:
        raise SignalError(
            say("The signal {name} cannot be computed: {reason}", name=name, reason=reason_of_exception(error))
        ) from error
    is_sound = frames.ndim == 1 and frames.shape == values.shape and bool((frames[1:] > frames[:-1]).all())
    if not is_sound or (len(frames) and not 0 <= frames[0] <= frames[-1] < len(snapshot)):
        raise SignalError(say("The signal {name} has no rising frames of this recording with a value each.", name=name))
    return frames, values
