"""The operations on all frames: times, trim, cut, convert."""

import numpy as np

from ...recording.snapshot import Snapshot
from ..convert import convert
from ..resample import resample, steps_in
from ..times import order_times, retime, shift
from ..trim import cut, trim
from .common import RANGE
from .kinds import DIALECT, FLAG, NUMBER, SECONDS
from .schema import Argument, Call, Form, Menu, Operation, OperationResult, Option, Sentence, Situation

_CLOCKS = Argument(
    "rebase_clocks",
    FLAG,
    False,
    detail="--rebase-clocks",
    help="wall clock and visual time go on without a gap",
    default=False,
)


def _span(snapshot: Snapshot) -> float:
    elapsed = snapshot.elapsed
    return float(elapsed[-1] - elapsed[0]) if len(elapsed) else 0.0


def _first(snapshot: Snapshot) -> float:
    return float(snapshot.elapsed[0]) if len(snapshot) else 0.0


def _usual_step(situation: Situation) -> float:
    steps = np.diff(situation.snapshot.elapsed)
    steps = steps[np.isfinite(steps) & (steps > 0)]
    return round(float(np.median(steps)), 6) if len(steps) else 0.05


def _resample(call: Call) -> OperationResult:
    edit = resample(call.snapshot, call.number("step"), progress=call.progress)
    last, end = (f"{each.elapsed[-1]:.3f}" for each in (call.snapshot.after(edit), call.snapshot))
    return OperationResult(
        edit, () if last == end else (f"The last frame is at {last} s; the recording ends at {end} s.",)
    )


def _convert(call: Call) -> OperationResult:
    made = convert(call.snapshot, call["dialect"], progress=call.progress)
    remarks = [made.warning] if made.warning else []
    for loss in made.losses:
        first = f" First in frame {loss.frame_index + 1}." if loss.frame_index is not None else ""
        remarks.append(f"{loss.message}{first}")
    return OperationResult(made.edit, tuple(remarks), made.is_lossy)


def _describe_retime(call: Call) -> tuple[Sentence, ...]:
    span, frames = _span(call.snapshot), f"{len(call.snapshot):,}"
    after = f"{span * call.number('factor'):.3f}"
    return (Sentence("%1 s become %2 s; the frames stay the same %3.", (f"{span:.3f}", after, frames)),)


def _describe_resample(call: Call) -> tuple[Sentence, ...]:
    snapshot, step = call.snapshot, call.number("step")
    number, first = steps_in(snapshot, step), _first(snapshot)
    values = (f"{len(snapshot):,}", f"{number + 1:,}", f"{first + number * step:.3f}", f"{first + _span(snapshot):.3f}")
    return (Sentence("%1 frames become %2, the last at %3 s of %4 s; what happens later adds one.", values),)


def _describe_shift(call: Call) -> tuple[Sentence, ...]:
    first = _first(call.snapshot) + call.number("seconds")
    then = Sentence("The first frame is at %1 s then.", (f"{first:.3f}",))
    return (then,) if abs(first) < 1e-9 else (then, Sentence("The simulator wants it at 0."))


def _describe_order(call: Call) -> tuple[Sentence, ...]:
    order_times(call.snapshot)  # raises if nothing is out of order
    return ()


def _menu(action: str, keywords: str, icon: str = "") -> Menu:
    return Menu(action, "Recording/Time", keywords=keywords, icon=icon)


OPERATIONS = (
    Operation(
        retime,
        "Retime",
        "Make everything last longer or shorter",
        (
            Argument(
                "factor",
                NUMBER,
                help="so many times as long",
                label="Factor",
                default=2.0,
                low=0,
                step=0.1,
                unit="×",
                tip="2 is half the speed",
            ),
        ),
        (Option("--retime", "let everything last so many times as long", ("factor",)),),
        menu=_menu("time.retime", "time speed factor slow fast", "clock"),
        form=Form(
            "Make time longer or shorter",
            "Retime",
            "Every frame lasts so many times as long. Recorded velocities stay as they are.",
            describe=_describe_retime,
        ),
    ),
    Operation(
        resample,
        "Resample",
        "Frames of one length, with places interpolated",
        (
            Argument(
                "step", SECONDS, help="from one frame to the next", label="Step", default=_usual_step, low=0, step=0.01
            ),
        ),
        (Option("--fixed-step", "a frame every so many seconds", ("step",)),),
        menu=_menu("time.resample", "time fixed step delta"),
        form=Form(
            "A frame at a fixed step",
            "Resample",
            "Places are interpolated as the simulator does; events stay on their side.",
            describe=_describe_resample,
        ),
        run=_resample,
    ),
    Operation(
        shift,
        "Shift",
        "Let everything be later or earlier",
        (
            Argument(
                "seconds",
                SECONDS,
                help="so much later",
                label="Later by",
                step=0.1,
                default=lambda here: -_first(here.snapshot) or 0.0,
            ),
        ),
        (Option("--shift", "let everything be later", ("seconds",)),),
        menu=_menu("time.shift", "time elapsed offset begin"),
        form=Form(
            "Let everything be later or earlier",
            "Shift",
            "The elapsed time of every frame; nothing else changes.",
            describe=_describe_shift,
        ),
    ),
    Operation(
        order_times,
        "Put in order",
        "Number the frames from 1 and let time go on from 0",
        (),
        (Option("--order-times", "put frame ids and times in order"),),
        menu=_menu("time.order", "time repair elapsed duration frame ids"),
        form=Form(
            "Put frame ids and times in order",
            "Put in order",
            "Frame ids count from 1, time begins at 0, each frame lasts as long as its step, the last one -1. Where no "
            "step is told, frames last as long as most others.",
            describe=_describe_order,
        ),
    ),
    Operation(
        trim,
        "Trim",
        "Keep a range of frames only; the first of them creates the world as it was then",
        (*RANGE, _CLOCKS),
        (Option("--trim", "keep a range only (--from, --to), as the verb does"),),
        over="before",
    ),
    Operation(
        cut,
        "Cut out",
        "Remove a range of frames and close the gap",
        (*RANGE, _CLOCKS),
        (Option("--cut", "remove a range (--from, --to), as the verb does"),),
        over="before",
    ),
    Operation(
        convert,
        "Convert",
        "Make it a recording of another release",
        (Argument("dialect", DIALECT, help="the release"),),
        (Option("--convert", "make it a recording of another release, as the verb does", ("dialect",)),),
        run=_convert,
    ),
)
"""The operations on all frames."""
