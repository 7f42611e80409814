"""The rows of the statistics of signals. Knows no widget."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from ....arrays import FloatArray
from ....reading.events import Thresholds
from ....reading.statistics import Summary, correlation, summarize
from ....texts import say
from ....views.time_axis import Axis
from ...widgets.copied import heading
from .axis_choice import Pair
from .chosen_frames import ChosenFrames
from .series import Trace, number_text
from .signal_limits import limits_of

Kind = Literal["value", "count", "ratio", "moment"]
"""A value of a signal, with its unit; a number of frames; a number without a unit; a frame, as its moment."""


class StatisticRow(NamedTuple):
    """A row of the statistics; without a label it is the line between two groups.

    Attributes:
        label: What the numbers are.
        kind: Which kind of numbers they are.
        values: The number of each signal; NaN for none.
        frames: The frame that each number is of; None where it is of none.
        is_present: Whether it is of the current frame, which changes often.
    """

    label: str
    kind: Kind = "value"
    values: tuple[float, ...] = ()
    frames: tuple[int | None, ...] = ()
    is_present: bool = False

    @property
    def is_line(self) -> bool:
        """Whether it is the line between two groups."""
        return not self.label

    def text(self, index: int, axis: Axis) -> str:
        """Write the number of a signal."""
        value = self.values[index]
        if self.kind == "moment":
            frame = self.frames[index]
            if frame is None:
                return number_text(math.nan)
            return axis.label_of(frame)
        if self.kind == "count" and math.isfinite(value):
            return f"{value:,.0f}"
        return number_text(value)


LINE = StatisticRow("")


def rows_of(
    traces: Sequence[Trace],
    pairs: Sequence[Pair],
    chosen: ChosenFrames,
    thresholds: Thresholds,
    cursors: Mapping[str, int],
    present: int,
) -> list[StatisticRow]:
    """Return the statistics of signals over the chosen frames.

    Args:
        traces: The signals.
        pairs: Those that are plotted against each other, of which the correlation is computed.
        chosen: The chosen frames.
        thresholds: What traffic events are found with.
        cursors: Frames of the cursors, by name.
        present: The current frame.
    """
    values = []
    summaries = []
    for trace in traces:
        column = trace.meant(chosen.all_frames)[chosen.frames]
        values.append(column)
        summaries.append(summarize(column, chosen.frames))
    rows = _spread_rows(summaries)
    rows.append(LINE)
    rows += _end_rows(summaries, chosen)
    rows.append(present_row(traces, chosen.axis, present))
    rows += _cursor_rows(traces, chosen.axis, cursors)
    rows.append(LINE)
    rows.append(_row(say("frames with a value"), "count", summaries, lambda summary: summary.count))
    rows += _limit_rows(traces, values, thresholds)
    if pairs:
        rows.append(_correlation_row(traces, values, pairs))
    rows.append(LINE)
    rows.append(_moments(say("time of the least"), [summary.least_frame for summary in summaries]))
    rows.append(_moments(say("time of the greatest"), [summary.greatest_frame for summary in summaries]))
    return rows


def _row(label: str, kind: Kind, summaries: Sequence[Summary], value: Callable[[Summary], float]) -> StatisticRow:
    values = tuple(value(summary) for summary in summaries)
    return StatisticRow(label, kind, values, (None,) * len(values))


def _spread_rows(summaries: Sequence[Summary]) -> list[StatisticRow]:
    """Return least, greatest, mean, median and deviation; the first two are of a frame."""
    least = _row(say("least"), "value", summaries, lambda summary: summary.least)
    greatest = _row(say("greatest"), "value", summaries, lambda summary: summary.greatest)
    return [
        least._replace(frames=tuple(summary.least_frame for summary in summaries)),
        greatest._replace(frames=tuple(summary.greatest_frame for summary in summaries)),
        _row(say("mean"), "value", summaries, lambda summary: summary.mean),
        _row(say("median"), "value", summaries, lambda summary: summary.median),
        _row(say("standard deviation"), "value", summaries, lambda summary: summary.deviation),
    ]


def _end_rows(summaries: Sequence[Summary], chosen: ChosenFrames) -> list[StatisticRow]:
    """Return the values in the first and in the last frame, and their difference."""
    if not len(chosen.frames):
        return []
    first = int(chosen.frames[0])
    last = int(chosen.frames[-1])
    label = say("first frame, {moment}", moment=chosen.axis.label_of(first))
    first_row = _row(label, "value", summaries, lambda summary: summary.first)
    label = say("last frame, {moment}", moment=chosen.axis.label_of(last))
    last_row = _row(label, "value", summaries, lambda summary: summary.last)
    return [
        first_row._replace(frames=(first,) * len(summaries)),
        last_row._replace(frames=(last,) * len(summaries)),
        _row(say("difference"), "value", summaries, lambda summary: summary.difference),
    ]


def present_row(traces: Sequence[Trace], axis: Axis, frame: int) -> StatisticRow:
    """Return the row of the current frame."""
    label = say("current frame, {moment}", moment=axis.label_of(frame))
    return _row_of_frame(label, traces, frame)._replace(is_present=True)


def _row_of_frame(label: str, traces: Sequence[Trace], frame: int) -> StatisticRow:
    values = tuple(trace.at(frame) for trace in traces)
    return StatisticRow(label, "value", values, (frame,) * len(values))


def _cursor_rows(traces: Sequence[Trace], axis: Axis, cursors: Mapping[str, int]) -> list[StatisticRow]:
    """Return the values at both cursors and their difference; none while the cursors are hidden."""
    rows = []
    for name, frame in sorted(cursors.items()):
        label = say("cursor {name}, {moment}", name=name, moment=axis.label_of(frame))
        rows.append(_row_of_frame(label, traces, frame))
    if len(rows) == 2:
        with np.errstate(invalid="ignore", over="ignore"):  # of infinite values
            differences = np.subtract(rows[1].values, rows[0].values).tolist()
        rows.append(StatisticRow("B − A", "value", tuple(differences), (None,) * len(differences)))
    return rows


def _limit_rows(traces: Sequence[Trace], values: Sequence[FloatArray], thresholds: Thresholds) -> list[StatisticRow]:
    """Return for each threshold how many frames are below it; NaN for signals that have it not."""
    counts: dict[tuple[float, str], list[float]] = {}
    for index, trace in enumerate(traces):
        for limit in limits_of(trace, thresholds):
            row = counts.setdefault((limit.value, trace.unit), [math.nan] * len(traces))
            row[index] = float(np.count_nonzero(values[index] < limit.value))
    rows = []
    for (value, unit), numbers in sorted(counts.items(), reverse=True):
        label = say("below {value:.3g} {unit}", value=value, unit=unit)
        rows.append(StatisticRow(label, "count", tuple(numbers), (None,) * len(numbers)))
    return rows


def _correlation_row(traces: Sequence[Trace], values: Sequence[FloatArray], pairs: Sequence[Pair]) -> StatisticRow:
    """Return the correlation of each pair, in the column of its signal along X."""
    columns = dict(zip(traces, values, strict=True))
    numbers = [math.nan] * len(traces)
    for pair in pairs:
        if pair.x in columns and pair.y in columns and pair.x is not pair.y:
            place = pair.x
            if math.isfinite(numbers[traces.index(place)]):
                place = pair.y  # one signal along X against several
            numbers[traces.index(place)] = correlation(columns[pair.x], columns[pair.y])
    return StatisticRow(say("correlation of X and Y"), "ratio", tuple(numbers), (None,) * len(numbers))


def _moments(label: str, frames: Sequence[int | None]) -> StatisticRow:
    return StatisticRow(label, "moment", (math.nan,) * len(frames), tuple(frames))


def cells_of(
    rows: Sequence[StatisticRow], titles: Sequence[str], units: Sequence[str], axis: Axis
) -> tuple[list[str], list[list[str]]]:
    """Return headings and cells with all digits, to be pasted into a table.

    Args:
        rows: The rows.
        titles: The title of each signal.
        units: Their units.
        axis: The time axis.
    """
    heads = [""]
    for title, unit in zip(titles, units, strict=True):
        heads.append(heading(title, unit))
    lines = []
    for row in rows:
        if row.is_line:
            continue
        cells = [row.label]
        for index in range(len(titles)):
            cells.append(_cell(row, index, axis))
        lines.append(cells)
    return heads, lines


def _cell(row: StatisticRow, index: int, axis: Axis) -> str:
    """Return the number of a signal with all digits; empty for none."""
    value = row.values[index]
    if row.kind == "moment":
        return row.text(index, axis) if row.frames[index] is not None else ""
    if math.isnan(value):
        return ""
    if row.kind == "count":
        return f"{value:.0f}"
    return repr(float(value))
