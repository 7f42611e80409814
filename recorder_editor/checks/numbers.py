"""Values that are not finite or out of range, and the edits that replace them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from ..arrays import AnyArray, BoolArray, StructuredArray
from ..edits.block_rewrite import patch_blocks
from ..errors import EditError
from ..format import PacketType
from ..reading import Actors, Life
from ..reading.tracks import COLUMNS
from ..recording import Edit, Finding, FrameBlock, Snapshot
from ..texts import N_, say
from .rule import Fix, LifeProblems, Rule, actor_text, finding_of, frames_text, kind_and_life

WALKING = 1250.0
"""cm/s: faster than a sprinter."""

_CONTROLS: Mapping[str, tuple[float, float]] = {"steering": (-1.0, 1.0), "throttle": (0.0, 1.0), "brake": (0.0, 1.0)}
_SLACK = 1e-3
_POSE = ("location.x", "location.y", "location.z", "rotation.roll", "rotation.pitch", "rotation.yaw")

_Change = Callable[[StructuredArray], BoolArray]
"""Changes the records of one actor in place, in the order of the frames; returns bool[n]: those that changed."""


def replace_not_finite(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that replaces values that are not finite.

    Positions take the last finite value (at first: that of the EventAdd); everything else becomes 0.
    """
    return _change_values(snapshot, findings, say("Replace values that are not numbers"), _hold_last)


def clip_controls(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that clips steering, throttle and brake to their range."""

    def make(_kind: PacketType, _life: Life) -> _Change:
        return _clip

    return _change_values(snapshot, findings, say("Clip controls to their range"), make)


NOT_A_NUMBER = Rule(
    "not-a-number",
    subject="physics",
    severity="warning",
    title=N_("A value of an actor is not a number, or infinite."),
    why=N_(
        "The simulator passes it to its engine unchanged: a position that is not a number makes an actor vanish or its "
        "parts fly apart, and everything calculated from it is invalid."
    ),
    fix=Fix(N_("Positions keep the previous value, other values become 0"), replace_not_finite),
)

CONTROL_RANGE = Rule(
    "control-range",
    subject="physics",
    severity="warning",
    title=N_("A control is out of range."),
    why=N_("Steering is -1 to 1, throttle and brake are 0 to 1. Larger values turn wheels further than they can go."),
    fix=Fix(N_("Clip it to its range"), clip_controls),
)

WALKER_SPEED = Rule(
    "walker-speed",
    subject="physics",
    severity="warning",
    title=N_("A walker is faster than any runner."),
    why=N_(
        "The simulator plays the walking animation at that speed. Recordings hold cm/s; a value in other units looks "
        "like this."
    ),
)

RULES = (NOT_A_NUMBER, CONTROL_RANGE, WALKER_SPEED)
"""The rules of this module, in the order in which their findings are fixed."""


_MESSAGES: Mapping[Rule, str] = {
    CONTROL_RANGE: N_("The {field} of {actor} ({packet}) is as far as {worst:g} from 0 in {frames}."),
    NOT_A_NUMBER: N_("The {field} of {actor} ({packet}) is not a number in {frames}."),
    WALKER_SPEED: N_("The {field} of {actor} ({packet}) is up to {worst:,.1f} m/s in {frames}."),
}

_BOUNDS: Mapping[str, tuple[Rule, Mapping[str, tuple[float, float]]]] = {
    "controls": (CONTROL_RANGE, {name: (low - _SLACK, high + _SLACK) for name, (low, high) in _CONTROLS.items()}),
    "walkers": (WALKER_SPEED, {"speed": (-WALKING, WALKING)}),
}
TRACKS = ("positions", "kinematics", *_BOUNDS)


class ValueScan:
    """Checks the values of a track block by block."""

    def __init__(self, snapshot: Snapshot, actors: Actors, track: str) -> None:
        self._snapshot = snapshot
        self._actors = actors
        self._track = track
        self._problems: dict[tuple[Rule, str], LifeProblems] = {}

    def add(self, block: StructuredArray) -> None:
        """Check a block of records."""
        for rule, column, wrong in _wrong(self._track, block):
            rows = np.flatnonzero(wrong)
            if len(rows):
                lives = self._actors.indices_of(block["id"][rows], block["frame"][rows])
                with np.errstate(invalid="ignore"):  # signalling NaNs
                    sizes = np.abs(block[column][rows].astype(np.float64))
                problems = self._problems.setdefault((rule, column), LifeProblems(len(self._actors)))
                problems.add(lives, block["frame"][rows], sizes)

    def findings(self) -> Iterator[Finding]:
        """Yield the findings, by rule and column."""
        packet, columns = COLUMNS[self._track]
        paths = {column: path for path, column in columns.items()}
        for (rule, column), problems in self._problems.items():
            field = paths[column].replace(".", " ")
            for life, frame, number, worst in problems.lives(self._actors):
                if rule is WALKER_SPEED:
                    worst = worst / 100
                actor = actor_text(life)
                frames = frames_text(frame, number)
                message = say(_MESSAGES[rule], field=field, actor=actor, packet=packet, worst=worst, frames=frames)
                yield finding_of(self._snapshot, rule, life, packet=packet, frame=frame, message=message)


def _wrong(track: str, block: StructuredArray) -> Iterator[tuple[Rule, str, BoolArray]]:
    beyond, bounds = _BOUNDS.get(track, (NOT_A_NUMBER, {}))
    for column in COLUMNS[track][1].values():
        if block[column].dtype.kind == "f":
            yield NOT_A_NUMBER, column, ~np.isfinite(block[column])
        if column in bounds:
            low, high = bounds[column]
            yield beyond, column, _is_outside(block[column], low, high)


def _is_outside(values: npt.NDArray[np.floating], low: float, high: float) -> BoolArray:
    with np.errstate(invalid="ignore"):
        is_outside: BoolArray = np.isfinite(values) & ((values < low) | (values > high))
        return is_outside


# --- fixes ----------------------------------------------------------------------------------------------


def _change_values(
    snapshot: Snapshot, findings: Sequence[Finding], label: str, make: Callable[[PacketType, Life], _Change]
) -> Edit:
    chosen: dict[tuple[int, int], tuple[PacketType, Life, _Change]] = {}
    for finding in findings:
        kind, life = kind_and_life(snapshot, finding)
        chosen.setdefault((kind.id, life.index), (kind, life, make(kind, life)))
    spans = [life.within(range(len(snapshot))) for _, life, _ in chosen.values()]
    frames = range(min(span.start for span in spans), max(span.stop for span in spans))
    splices = patch_blocks(snapshot, frames, partial(_visit, snapshot, tuple(chosen.values())))
    if not splices:
        raise EditError(say("The data of this finding no longer exists."))
    return Edit(label, snapshot.version, splices)


def _visit(snapshot: Snapshot, chosen: Sequence[tuple[PacketType, Life, _Change]], block: FrameBlock) -> BoolArray:
    touched = np.zeros(len(block), np.bool_)
    frames = snapshot.table.frame_of_row(block.first) + np.arange(len(block))
    for kind, life, change in chosen:
        span = life.within(range(len(snapshot)))
        alive = (frames >= span.start) & (frames < span.stop)
        for records in block.records(kind):
            rows, columns = np.nonzero((records.ids == life.actor) & records.valid & alive[:, None])
            values = records.values[rows, columns]
            changed = change(values)
            records.values[rows, columns] = values
            touched[rows[changed]] = True
    return touched


def _hold_last(kind: PacketType, life: Life) -> _Change:
    """Return a change that replaces values that are not finite; the last position is kept from block to block."""
    last: dict[str, float] = {}
    if kind.name == "Position":
        last = dict(zip(_POSE, life.transform, strict=True))

    def change(values: StructuredArray) -> BoolArray:
        changed = np.zeros(len(values), np.bool_)
        for path, field in kind.record.fields.items():
            if not field.type.startswith("f"):
                continue
            column = values[path]
            is_finite = np.isfinite(column)
            replacements = np.zeros(len(column))
            if path in last:
                before = last[path] if np.isfinite(last[path]) else 0.0
                replacements = _last_finite(column, is_finite, before)
                last[path] = float(replacements[-1]) if len(replacements) else before
            column[~is_finite] = replacements[~is_finite]
            changed |= ~is_finite
        return changed

    return change


def _last_finite(column: AnyArray, is_finite: BoolArray, before: float) -> AnyArray:
    """Return the last finite value up to each row; `before` where there is none."""
    rows = np.maximum.accumulate(np.where(is_finite, np.arange(len(column)), -1))
    return np.where(rows >= 0, column[rows], before)


def _clip(values: StructuredArray) -> BoolArray:
    """Clip controls to their range."""
    changed = np.zeros(len(values), np.bool_)
    for path, (low, high) in _CONTROLS.items():
        column = values[path]
        wrong = _is_outside(column, low, high)
        column[wrong] = np.clip(column[wrong], low, high)
        changed |= wrong
    return changed
