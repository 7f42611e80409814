"""What can be asked about time: faster and slower, a fixed step, earlier and later, in order.

Descriptions of forms; the edits are `edits.times` and `edits.resample`.
"""

import numpy as np
from PySide6.QtCore import QCoreApplication

from ... import edits
from ...edits.resample import steps_in
from ...recording.history import Edit
from ...recording.snapshot import Snapshot
from ..jobs import Cancel, Progress
from ..session import Session
from .form import Ask, Task, Values


def tr(text: str) -> str:
    """The words of the forms for time."""
    return QCoreApplication.translate("TimeForms", text)


def _typed(number: float) -> str:
    """A number as a person would type it."""
    return f"{number:.12g}"


def _span(snapshot: Snapshot) -> float:
    elapsed = snapshot.elapsed
    return float(elapsed[-1] - elapsed[0]) if len(elapsed) else 0.0


def _usual_step(snapshot: Snapshot) -> float:
    steps = np.diff(snapshot.elapsed)
    steps = steps[np.isfinite(steps) & (steps > 0)]
    return round(float(np.median(steps)), 6) if len(steps) else 0.05


def retime(session: Session) -> Task:
    """Asks how much longer everything is to last."""
    snapshot = session.snapshot_or_refuse()

    def make(snapshot: Snapshot, values: Values, _progress: Progress, _cancel: Cancel) -> Edit:
        return edits.retime(snapshot, values["factor"])

    def tell(values: Values) -> str:
        span = _span(snapshot)
        words = tr("%1 s become %2 s; the frames stay the same %3.")
        words = words.replace("%1", f"{span:.3f}").replace("%2", f"{span * values['factor']:.3f}")
        return words.replace("%3", f"{len(snapshot):,}")

    asks = (Ask("factor", tr("Factor"), "number", 2.0, "×", low=0, step=0.1, tip=tr("2 is half the speed")),)
    return Task(
        tr("Retime"), tr("Make time longer or shorter"), tr("Retime"), asks, make,
        tr("Every frame lasts so many times as long. Recorded velocities stay as they are."), tell,
        lambda values: ["edit", "--retime", _typed(values["factor"])],
    )  # fmt: skip


def resample(session: Session) -> Task:
    """Asks for a step between frames."""
    snapshot = session.snapshot_or_refuse()

    def make(snapshot: Snapshot, values: Values, progress: Progress, cancel: Cancel) -> Edit:
        return edits.resample(snapshot, values["step"], progress=progress, cancel=cancel)

    def tell(values: Values) -> str:
        number, first = steps_in(snapshot, values["step"]), float(snapshot.elapsed[0])
        last = first + number * values["step"]
        words = tr("%1 frames become %2, the last at %3 s of %4 s; what happens later adds one.")
        words = words.replace("%1", f"{len(snapshot):,}").replace("%2", f"{number + 1:,}")
        return words.replace("%3", f"{last:.3f}").replace("%4", f"{first + _span(snapshot):.3f}")

    asks = (Ask("step", tr("Step"), "number", _usual_step(snapshot), "s", low=0, step=0.01),)
    return Task(
        tr("Resample"), tr("A frame at a fixed step"), tr("Resample"), asks, make,
        tr("Places are interpolated as the simulator does; events stay on their side."), tell,
        lambda values: ["edit", "--fixed-step", _typed(values["step"])],
    )  # fmt: skip


def shift(session: Session) -> Task:
    """Asks how much later everything is to be."""
    snapshot = session.snapshot_or_refuse()
    first = float(snapshot.elapsed[0]) if len(snapshot) else 0.0

    def make(snapshot: Snapshot, values: Values, _progress: Progress, _cancel: Cancel) -> Edit:
        return edits.shift(snapshot, values["seconds"])

    def tell(values: Values) -> str:
        words = tr("The first frame is at %1 s then.").replace("%1", f"{first + values['seconds']:.3f}")
        return words if abs(first + values["seconds"]) < 1e-9 else words + " " + tr("The simulator wants it at 0.")

    asks = (Ask("seconds", tr("Later by"), "number", -first if first else 0.0, "s", step=0.1),)
    return Task(
        tr("Shift"), tr("Let everything be later or earlier"), tr("Shift"), asks, make,
        tr("The elapsed time of every frame; nothing else changes."), tell,
        lambda values: ["edit", f"--shift={_typed(values['seconds'])}"],
    )  # fmt: skip


def order(session: Session) -> Task:
    """Asks for nothing: frame ids from 1, elapsed from 0, durations as long as the steps."""
    snapshot = session.snapshot_or_refuse()

    def make(snapshot: Snapshot, _values: Values, _progress: Progress, _cancel: Cancel) -> Edit:
        return edits.order_times(snapshot)

    def tell(_values: Values) -> str:
        edits.order_times(snapshot)  # refuses where nothing is out of order
        return ""

    return Task(
        tr("Put in order"), tr("Put frame ids and times in order"), tr("Put in order"), (), make,
        tr("Frame ids count from 1, time begins at 0, each frame lasts as long as its step, the last one -1. Where no "
           "step is told, frames last as long as most others."), tell,
        lambda _values: ["edit", "--order-times"],
    )  # fmt: skip
