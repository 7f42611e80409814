"""Values that are no numbers, or beyond what they can mean, and the edits that put others in their place."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..edits.block_patch import sweep
from ..errors import EditError
from ..format.schema import PacketType
from ..progress import SILENT, Progress
from ..recording.actors import Actors
from ..recording.blocks import Block, Mask
from ..recording.findings import Finding
from ..recording.history import Edit
from ..recording.lives import Life
from ..recording.snapshot import Snapshot
from ..recording.tracks import COLUMNS, Tracks
from .lives import Seen, life_told, of_life
from .rule import Rule

WALKING = 1250.0
"""cm/s: faster than a sprinter."""

_TRACKS = ("positions", "kinematics", "controls", "walkers")
_SLACK = 1e-3
_LIMITS: Mapping[str, Mapping[str, tuple[float, float]]] = {
    "controls": {"steering": (-1.0, 1.0), "throttle": (0.0, 1.0), "brake": (0.0, 1.0)}
}

Reals = npt.NDArray[np.floating[npt.NBitBase]]


class _Chosen(NamedTuple):
    kind: PacketType
    life: Life


def finite(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """The edit that gives values that are no numbers another one.

    Places stay what they were before (in the beginning: where the EventAdd puts the actor); everything else becomes 0.
    """
    label = "Replace values that are no numbers"
    return _changed(snapshot, findings, label, _Finite)


def within(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """The edit that brings steering, throttle and brake back to their bounds."""
    return _changed(snapshot, findings, "Bring controls back to their bounds", _Within)


NOT_A_NUMBER = Rule(
    "not-a-number",
    "warning",
    "A value of an actor is not a number, or infinite.",
    "The simulator hands it on to its engine as it is: a place that is no number makes an actor vanish or its parts "
    "fly apart, and everything calculated with it is lost.",
    "physics",
    finite,
    "Keep the place before it; otherwise set 0",
)
CONTROL = Rule(
    "control-range",
    "warning",
    "A control lies beyond its bounds.",
    "Steering goes from -1 to 1, throttle and brake from 0 to 1. What lies beyond turns wheels further than they go.",
    "physics",
    within,
    "Bring it back to its bounds",
)
WALKER = Rule(
    "walker-speed",
    "warning",
    "A walker is told to go faster than anybody runs.",
    "The simulator plays the walking animation at that speed. Recordings hold cm/s; a value in other units looks like "
    "this.",
    "physics",
)

RULES = (NOT_A_NUMBER, CONTROL, WALKER)


def found(snapshot: Snapshot, progress: Progress = SILENT) -> Iterator[Finding]:
    """What is wrong with the values of actors. Raises `Cancelled`."""
    actors, tracks = Actors.of(snapshot, progress.quiet()), Tracks(snapshot)
    for number, track in enumerate(_TRACKS):
        part = progress.part(number / len(_TRACKS), (number + 1) / len(_TRACKS))
        seen: dict[tuple[Rule, str], Seen] = {}
        for block in tracks.blocks(track, progress=part):
            for rule, column, wrong in _wrong(track, block):
                rows = np.flatnonzero(wrong)
                lives = actors.indices_of(block["id"][rows], block["frame"][rows])
                of_column = seen.setdefault((rule, column), Seen(len(actors)))
                with np.errstate(invalid="ignore"):  # a NaN that signals
                    sizes = np.abs(block[column][rows].astype(np.float64))
                of_column.add(lives, block["frame"][rows], sizes)
        for (rule, column), of_column in seen.items():
            yield from _told(snapshot, actors, track, rule, column, of_column)


def _wrong(track: str, block: npt.NDArray[np.void]) -> Iterator[tuple[Rule, str, Mask]]:
    for column in COLUMNS[track][1].values():
        values = block[column]
        if values.dtype.kind != "f":
            continue
        sound = np.isfinite(values)
        if not sound.all():
            yield NOT_A_NUMBER, column, ~sound
        low, high = _LIMITS.get(track, {}).get(column, (0.0, 0.0))
        with np.errstate(invalid="ignore"):
            beyond = sound & ((values < low - _SLACK) | (values > high + _SLACK)) if low < high else ~sound & sound
            fast = sound & (np.abs(values) > WALKING) if track == "walkers" else beyond
        if low < high and beyond.any():
            yield CONTROL, column, beyond
        if track == "walkers" and fast.any():
            yield WALKER, column, fast


def _told(snapshot: Snapshot, actors: Actors, track: str, rule: Rule, column: str, seen: Seen) -> Iterator[Finding]:
    packet, columns = COLUMNS[track]
    path = next(path for path, name in columns.items() if name == column)
    field = path.replace(".", " ")
    for life, frame, number, worst in seen.lives(actors):
        where = f"in frame {frame + 1:,}" + (f" and {number - 1:,} more" if number > 1 else "")
        name = f"{field} of {life.blueprint} {life.actor}"
        if rule is NOT_A_NUMBER:
            message = f"The {name} ({packet}) is no number {where}."
        elif rule is WALKER:
            message = f"The {name} ({packet}) is up to {worst / 100:,.1f} m/s {where}."
        else:
            message = f"The {name} ({packet}) is as far as {worst:g} from 0 {where}."
        yield of_life(snapshot, rule, life, packet, frame, message)


# --- mending --------------------------------------------------------------------------------------------


def _changed(
    snapshot: Snapshot,
    findings: Sequence[Finding],
    label: str,
    make: Callable[[Snapshot, _Chosen], "_Finite | _Within"],
) -> Edit:
    chosen: dict[tuple[int, int], _Finite | _Within] = {}
    first, stop = len(snapshot), 0
    for finding in findings:
        kind, life = life_told(snapshot, finding)
        chosen.setdefault((kind.id, life.index), make(snapshot, _Chosen(kind, life)))
        first = min(first, life.born)
        stop = max(stop, len(snapshot) if life.gone is None else life.gone)
    splices = sweep(snapshot, range(first, stop), partial(_visit, snapshot, tuple(chosen.values())))
    if not splices:
        raise EditError("What was found is not there any more.")
    return Edit(label, snapshot.version, splices)


def _visit(snapshot: Snapshot, changes: "Sequence[_Finite | _Within]", block: Block) -> Mask:
    touched = np.zeros(len(block), np.bool_)
    frames = snapshot.table.frame_of_row(block.first) + np.arange(len(block))
    for change in changes:
        kind, life = change.chosen
        record = kind.record.dtype
        assert record is not None
        alive = (frames >= life.born) & (frames < (len(snapshot) if life.gone is None else life.gone))
        for records in block.records(kind):
            rows, columns = np.nonzero((records.ids == life.actor) & records.valid & alive[:, None])
            values = np.ascontiguousarray(records.bytes[rows, columns]).view(record)[:, 0]
            changed = change.apply(values)
            records.bytes[rows, columns] = values.view(np.uint8).reshape(-1, record.itemsize)
            touched[rows[changed]] = True
    return touched


class _Finite:
    """Numbers where there are none, frame by frame: carries the last place on from block to block."""

    def __init__(self, snapshot: Snapshot, chosen: _Chosen) -> None:
        self.chosen = chosen
        self._last = dict(zip(_PLACE, chosen.life.transform, strict=True)) if chosen.kind.name == "Position" else {}

    def apply(self, values: npt.NDArray[np.void]) -> Mask:
        """Change records in place; bool[n]: those that are others now."""
        changed = np.zeros(len(values), np.bool_)
        for path, field in self.chosen.kind.record.fields.items():
            if not field.type.startswith("f"):
                continue
            column = values[path]
            sound = np.isfinite(column)
            wrong = ~sound
            if path in self._last:
                last = self._last[path] if np.isfinite(self._last[path]) else 0.0
                at = np.maximum.accumulate(np.where(sound, np.arange(len(column)), -1))
                held = np.where(at >= 0, column[at], last)
                self._last[path] = float(held[-1]) if len(held) else last
            else:
                held = np.zeros(len(column))
            column[wrong] = held[wrong]
            changed |= wrong
        return changed


class _Within:
    """Controls within their bounds."""

    def __init__(self, snapshot: Snapshot, chosen: _Chosen) -> None:
        self.chosen = chosen

    def apply(self, values: npt.NDArray[np.void]) -> Mask:
        """Change records in place; bool[n]: those that are others now."""
        changed = np.zeros(len(values), np.bool_)
        for path, (low, high) in _LIMITS["controls"].items():
            with np.errstate(invalid="ignore"):
                wrong = np.isfinite(values[path]) & ((values[path] < low) | (values[path] > high))
            values[path][wrong] = np.clip(values[path][wrong], low, high)
            changed |= wrong
        return changed


_PLACE = ("location.x", "location.y", "location.z", "rotation.roll", "rotation.pitch", "rotation.yaw")
