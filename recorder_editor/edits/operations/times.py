"""The operations on all frames: times, trim, cut, convert."""

import math
from collections.abc import Mapping

from ...reading.motion import median_step
from ...recording import Snapshot
from ...texts import N_, Measure, say
from ..convert import convert
from ..resample import resample, steps_in
from ..times import order_times, retime, shift
from ..trim import cut, trim
from . import kinds
from .common import FROM, TO
from .schema import Argument, Form, Menu, Operation, OperationCall, OperationResult, Option, Situation


def _span(snapshot: Snapshot) -> float:
    elapsed = snapshot.elapsed
    if len(elapsed):
        return float(elapsed[-1] - elapsed[0])
    return 0.0


def _first(snapshot: Snapshot) -> float:
    if len(snapshot):
        return float(snapshot.elapsed[0])
    return 0.0


# --- times ----------------------------------------------------------------------------------------------


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


RETIME = Operation(
    edit=retime,
    title=N_("Retime"),
    summary=N_("Make the recording longer or shorter by a factor"),
    parameters=(
        Argument(
            "factor",
            kinds.NUMBER,
            help=N_("the factor"),
            label=N_("Factor"),
            default=2.0,
            low=0,
            step=0.1,
            unit="×",
            tip=N_("Factor 2 is half the speed"),
        ),
    ),
    options=(Option("--retime", help=N_("scale all times by a factor"), values=("factor",)),),
    menu=Menu(action="time.retime", path="Recording/Time", icon="clock", keywords=N_("time speed factor slow fast")),
    form=Form(
        heading=N_("Retime"),
        verb=N_("Retime"),
        note=N_("All durations are multiplied by the factor. Recorded velocities do not change."),
        describe=_describe_retime,
    ),
)


def _resample(call: OperationCall) -> OperationResult:
    edit = resample(call.snapshot, call.number("step"), progress=call.progress)
    last = f"{Measure(call.snapshot.after(edit).elapsed[-1]):.3f}"
    end = f"{Measure(call.snapshot.elapsed[-1]):.3f}"
    if last == end:
        return OperationResult(edit)
    remark = say("The last frame is at {last} s; the recording ends at {end} s.", last=last, end=end)
    return OperationResult(edit, (remark,))


def _usual_step(situation: Situation) -> float:
    step = median_step(situation.snapshot.elapsed)
    if math.isfinite(step):
        return round(step, 6)
    return 0.05


def _describe_resample(call: OperationCall) -> tuple[str, ...]:
    snapshot = call.snapshot
    step = call.number("step")
    number = steps_in(snapshot, step)
    first = _first(snapshot)
    return (
        say(
            "{before:,} frames become {after:,}, the last at {last:.3f} s of {end:.3f} s; what happens later adds one.",
            before=len(snapshot),
            after=number + 1,
            last=first + number * step,
            end=first + _span(snapshot),
        ),
    )


RESAMPLE = Operation(
    edit=resample,
    run=_resample,
    title=N_("Resample"),
    summary=N_("Give all frames the same duration, with interpolated positions"),
    parameters=(
        Argument(
            "step",
            kinds.SECONDS,
            help=N_("duration of a frame"),
            label=N_("Step"),
            default=_usual_step,
            low=0,
            step=0.01,
        ),
    ),
    options=(Option("--fixed-step", help=N_("resample to frames of this duration"), values=("step",)),),
    menu=Menu(action="time.resample", path="Recording/Time", keywords=N_("time fixed step delta")),
    form=Form(
        heading=N_("Resample"),
        verb=N_("Resample"),
        note=N_("Positions are interpolated as in the simulator. Events go into the first new frame at or after them."),
        describe=_describe_resample,
    ),
)


def _to_zero(here: Situation) -> float:
    """Return the shift with which the first frame is at 0 s."""
    return -_first(here.snapshot) or 0.0


def _describe_shift(call: OperationCall) -> tuple[str, ...]:
    first = _first(call.snapshot) + call.number("seconds")
    then = say("The first frame is at {seconds:.3f} s then.", seconds=first)
    if abs(first) < 1e-9:
        return (then,)
    return then, say("The simulator wants it at 0.")


SHIFT = Operation(
    edit=shift,
    title=N_("Shift time"),
    summary=N_("Shift all times"),
    parameters=(
        Argument("seconds", kinds.SECONDS, help=N_("the shift"), label=N_("Later by"), default=_to_zero, step=0.1),
    ),
    options=(Option("--shift", help=N_("shift all times by seconds"), values=("seconds",)),),
    menu=Menu(action="time.shift", path="Recording/Time", keywords=N_("time elapsed offset begin")),
    form=Form(
        heading=N_("Shift time"),
        verb=N_("Shift time"),
        note=N_("Adds to the elapsed time of every frame; nothing else changes."),
        describe=_describe_shift,
    ),
)


def _describe_order(call: OperationCall) -> tuple[str, ...]:
    order_times(call.snapshot)  # raises if nothing is out of order
    return ()


ORDER_TIMES = Operation(
    edit=order_times,
    title=N_("Put times in order"),
    summary=N_("Number the frames from 1 and restart the time at 0"),
    options=(Option("--order-times", help=N_("renumber frame ids and times")),),
    menu=Menu(action="time.order", path="Recording/Time", keywords=N_("time repair elapsed duration frame ids")),
    form=Form(
        heading=N_("Put frame ids and times in order"),
        verb=N_("Put in order"),
        note=N_(
            "Frame ids count from 1, time begins at 0, each duration is the step to the next frame, the last one is "
            "-1. If the step is unknown, the most frequent duration is used."
        ),
        describe=_describe_order,
    ),
)


# --- trim and cut ---------------------------------------------------------------------------------------

REBASE_CLOCKS = Argument(
    "rebase_clocks",
    kinds.FLAG,
    needed=False,
    detail="--rebase-clocks",
    help=N_("close the gap in wall clock and visual time, too"),
    default=False,
)

TRIM = Operation(
    edit=trim,
    title=N_("Trim"),
    summary=N_("Keep a range of frames; its first frame creates the world as it was then"),
    frame_range="exclusive",
    parameters=(FROM, TO, REBASE_CLOCKS),
    options=(Option("--trim", help=N_("keep a range (--from, --to), as the verb does")),),
)

CUT = Operation(
    edit=cut,
    title=N_("Cut out"),
    summary=N_("Remove a range of frames and close the gap"),
    frame_range="exclusive",
    parameters=(FROM, TO, REBASE_CLOCKS),
    options=(Option("--cut", help=N_("remove a range (--from, --to), as the verb does")),),
)


# --- convert --------------------------------------------------------------------------------------------


def _convert(call: OperationCall) -> OperationResult:
    substitutes = call["substitutes"]
    assert substitutes is None or isinstance(substitutes, Mapping)
    conversion = convert(
        call.snapshot,
        call.text("dialect"),
        progress=call.progress,
        keep_blueprints=call.flag("keep_blueprints", default=False),
        substitutes=substitutes,
    )
    return OperationResult(conversion.edit, conversion.remarks, conversion.is_lossy)


CONVERT = Operation(
    edit=convert,
    run=_convert,
    title=N_("Convert"),
    summary=N_("Convert to the format of another release"),
    parameters=(
        Argument("dialect", kinds.DIALECT, help=N_("the release")),
        Argument(
            "keep_blueprints",
            kinds.FLAG,
            needed=False,
            detail="--keep-blueprints",
            help=N_("leave blueprints and their uids as they are"),
            default=False,
        ),
        Argument(
            "substitutes",
            kinds.SUBSTITUTES,
            needed=False,
            detail="--substitute",
            help=N_(
                "what stands in for blueprints that the release does not have; *=nearest: the nearest of its class for "
                "every one"
            ),
        ),
    ),
    options=(
        Option("--convert", help=N_("convert to the format of another release, as the verb does"), values=("dialect",)),
    ),
)

OPERATIONS = (RETIME, RESAMPLE, SHIFT, ORDER_TIMES, TRIM, CUT, CONVERT)
"""The operations on all frames."""
