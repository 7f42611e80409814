"""The operations on all frames: times, trim, cut, convert."""

import math

from ...recording.snapshot import Snapshot
from ..convert import convert
from ..interpolation import median_step
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
    help="close the gap in wall clock and visual time, too",
    default=False,
)


def _span(snapshot: Snapshot) -> float:
    elapsed = snapshot.elapsed
    return float(elapsed[-1] - elapsed[0]) if len(elapsed) else 0.0


def _first(snapshot: Snapshot) -> float:
    return float(snapshot.elapsed[0]) if len(snapshot) else 0.0


def _usual_step(situation: Situation) -> float:
    step = median_step(situation.snapshot.elapsed)
    return round(step, 6) if math.isfinite(step) else 0.05


def _resample(call: Call) -> OperationResult:
    edit = resample(call.snapshot, call.number("step"), progress=call.progress)
    last, end = (f"{each.elapsed[-1]:.3f}" for each in (call.snapshot.after(edit), call.snapshot))
    return OperationResult(
        edit, () if last == end else (f"The last frame is at {last} s; the recording ends at {end} s.",)
    )


def _convert(call: Call) -> OperationResult:
    made = convert(call.snapshot, call["dialect"], progress=call.progress)
    return OperationResult(made.edit, made.remarks, made.is_lossy)


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
        "Make the recording longer or shorter by a factor",
        (
            Argument(
                "factor",
                NUMBER,
                help="the factor",
                label="Factor",
                default=2.0,
                low=0,
                step=0.1,
                unit="×",
                tip="2 is half the speed",
            ),
        ),
        (Option("--retime", "scale all times by a factor", ("factor",)),),
        menu=_menu("time.retime", "time speed factor slow fast", "clock"),
        form=Form(
            "Retime",
            "Retime",
            "All durations are multiplied by the factor. Recorded velocities do not change.",
            describe=_describe_retime,
        ),
    ),
    Operation(
        resample,
        "Resample",
        "Give all frames the same duration, with interpolated positions",
        (Argument("step", SECONDS, help="duration of a frame", label="Step", default=_usual_step, low=0, step=0.01),),
        (Option("--fixed-step", "resample to frames of this duration", ("step",)),),
        menu=_menu("time.resample", "time fixed step delta"),
        form=Form(
            "Resample to a fixed step",
            "Resample",
            "Positions are interpolated as in the simulator. Events go into the first new frame at or after them.",
            describe=_describe_resample,
        ),
        run=_resample,
    ),
    Operation(
        shift,
        "Shift time",
        "Shift all times",
        (
            Argument(
                "seconds",
                SECONDS,
                help="the shift",
                label="Later by",
                step=0.1,
                default=lambda here: -_first(here.snapshot) or 0.0,
            ),
        ),
        (Option("--shift", "shift all times by seconds", ("seconds",)),),
        menu=_menu("time.shift", "time elapsed offset begin"),
        form=Form(
            "Shift all times",
            "Shift",
            "Adds to the elapsed time of every frame; nothing else changes.",
            describe=_describe_shift,
        ),
    ),
    Operation(
        order_times,
        "Put in order",
        "Number the frames from 1 and restart the time at 0",
        (),
        (Option("--order-times", "renumber frame ids and times"),),
        menu=_menu("time.order", "time repair elapsed duration frame ids"),
        form=Form(
            "Put frame ids and times in order",
            "Put in order",
            "Frame ids count from 1, time begins at 0, each duration is the step to the next frame, the last one is "
            "-1. If the step is unknown, the most frequent duration is used.",
            describe=_describe_order,
        ),
    ),
    Operation(
        trim,
        "Trim",
        "Keep a range of frames; its first frame creates the world as it was then",
        (*RANGE, _CLOCKS),
        (Option("--trim", "keep a range (--from, --to), as the verb does"),),
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
        "Convert to the format of another release",
        (Argument("dialect", DIALECT, help="the release"),),
        (Option("--convert", "convert to the format of another release, as the verb does", ("dialect",)),),
        run=_convert,
    ),
)
"""The operations on all frames."""
