"""The operations on all frames: times, trim, cut, convert."""

import math
from functools import partial

from ...recording import Snapshot
from ...texts import Measure, say
from ..convert import convert
from ..interpolation import median_step
from ..resample import resample, steps_in
from ..times import order_times, retime, shift
from ..trim import cut, trim
from .schema import Argument, Form, OperationCall, OperationResult, Situation, operation


def _span(snapshot: Snapshot) -> float:
    elapsed = snapshot.elapsed
    return float(elapsed[-1] - elapsed[0]) if len(elapsed) else 0.0


def _first(snapshot: Snapshot) -> float:
    return float(snapshot.elapsed[0]) if len(snapshot) else 0.0


def _usual_step(situation: Situation) -> float:
    step = median_step(situation.snapshot.elapsed)
    return round(step, 6) if math.isfinite(step) else 0.05


def _resample(call: OperationCall) -> OperationResult:
    edit = resample(call.snapshot, call.number("step"), progress=call.progress)
    last, end = (f"{Measure(each.elapsed[-1]):.3f}" for each in (call.snapshot.after(edit), call.snapshot))
    return OperationResult(
        edit,
        ()
        if last == end
        else (say("The last frame is at {last} s; the recording ends at {end} s.", last=last, end=end),),
    )


def _convert(call: OperationCall) -> OperationResult:
    made = convert(
        call.snapshot,
        call["dialect"],
        progress=call.progress,
        keep_blueprints=call.flag("keep_blueprints", default=False),
        substitutes=call["substitutes"],
    )
    return OperationResult(made.edit, made.remarks, made.is_lossy)


def _describe_retime(call: OperationCall) -> tuple[str, ...]:
    span = _span(call.snapshot)
    return (
        say(
            "{before:.3f} s become {after:.3f} s; the frames stay the same {frames:,}.",
            before=span,
            after=span * call.number("factor"),
            frames=len(call.snapshot),
        ),
    )


def _describe_resample(call: OperationCall) -> tuple[str, ...]:
    snapshot, step = call.snapshot, call.number("step")
    number, first = steps_in(snapshot, step), _first(snapshot)
    last, end = first + number * step, first + _span(snapshot)
    return (
        say(
            "{before:,} frames become {after:,}, the last at {last:.3f} s of {end:.3f} s; what happens later adds one.",
            before=len(snapshot),
            after=number + 1,
            last=last,
            end=end,
        ),
    )


def _describe_shift(call: OperationCall) -> tuple[str, ...]:
    first = _first(call.snapshot) + call.number("seconds")
    then = say("The first frame is at {seconds:.3f} s then.", seconds=first)
    return (then,) if abs(first) < 1e-9 else (then, say("The simulator wants it at 0."))


def _describe_order(call: OperationCall) -> tuple[str, ...]:
    order_times(call.snapshot)  # raises if nothing is out of order
    return ()


OPERATIONS = (
    operation(retime, form=partial(Form, describe=_describe_retime)),
    operation(
        resample,
        run=_resample,
        parameters={"step": partial(Argument, default=_usual_step)},
        form=partial(Form, describe=_describe_resample),
    ),
    operation(
        shift,
        parameters={"seconds": partial(Argument, default=lambda here: -_first(here.snapshot) or 0.0)},
        form=partial(Form, describe=_describe_shift),
    ),
    operation(order_times, form=partial(Form, describe=_describe_order)),
    operation(trim),
    operation(cut),
    operation(convert, run=_convert),
)
"""The operations on all frames."""
