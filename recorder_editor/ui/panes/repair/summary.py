"""What a repair does, keeps and costs, on one page: steps, options, numbers before and after, losses, bytes.

It shows a preview; what a person chooses is told by the signals of its parts.
"""

from collections.abc import Sequence

from PySide6.QtWidgets import QVBoxLayout, QWidget

from ....errors import RecorderError
from ....recording import Finding
from ....repair import TITLES
from ....texts import N_count, listed, say
from ....views.repair_preview import RepairPreview
from ....views.repair_texts import balance_text, bytes_text, cost_of, tip_of, title_of
from ....views.units import time_text
from ...style.boxes import Stretch, fill
from ...style.theme import Theme
from ...widgets import Label
from ...widgets.figures import NAME, Column, Figures
from ...widgets.job_panel import Text
from ...widgets.pane_parts import Hairline
from .excerpt import Excerpt
from .options import Options
from .steps import StepLine, Steps

_MOST_ERRORS = 3
_MOST_IDS = 12


class RepairSummary(QWidget):
    """Attributes: `steps`, `options`, `figures`, `verdict`, `left` (errors of the result), `losses`, `people`,
    `excerpt`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._found: RepairPreview | None = None
        self._offered: dict[str, StepLine] = {}
        self.heading = Label(theme, "", "bold")
        self.heading.setContentsMargins(12, 0, 12, 2)
        self.steps = Steps(theme)
        self.options = Options(theme)
        kept = Column(say("after"), "text", "checks", "fine")
        lost = Column(say("lost"), "error", "cross", "error")
        columns = (NAME, Column(say("now"), "muted"), kept, lost)
        self.figures = Figures(theme, say("Before and after the repair"), columns, say("After the repair"))
        self._explain_heads()
        self.verdict = Text(theme)
        self.left = [Text(theme) for _ in range(_MOST_ERRORS)]
        types = (NAME._replace(grows=3), Column(say("packets"), "error"), Column(say("records"), "error"))
        self.losses = Figures(theme, say("Lost, by type of packet"), types, say("Lost, by type"))
        self.people = Label(theme, "", "small", "muted", wraps=True)
        self.excerpt = Excerpt(theme)
        self._lines = [Hairline(theme) for _ in range(3)]
        first, second, third = self._lines
        result = (self.options, first, self.figures, self.verdict, *self.left)
        below = (second, self.losses, self.people, third, self.excerpt)
        rest = fill(QVBoxLayout(), *result, *below, spacing=6, margins=(12, 8, 12, 0))
        fill(QVBoxLayout(self), self.heading, self.steps, rest, Stretch(), spacing=0, margins=(0, 10, 0, 12))
        theme.changed.connect(self._retell)

    def _explain_heads(self) -> None:
        """Tell what each column counts: what cannot be read is in none but the last."""
        tips = (
            say("What can be read of the damaged recording"),
            say("What can be read of the repaired recording"),
            say("What no repair brings back, also where it cannot be read before the repair"),
        )
        for head, tip in zip(self.figures.heads[1:], tips, strict=True):
            head.setToolTip(tip)

    def forget(self) -> None:
        """Another recording, or another state of it: steps that were offered before mean nothing."""
        self._offered = {}
        self.steps.set_current(-1)
        self.excerpt.show_place(None)

    def show_preview(self, found: RepairPreview, passed_over: frozenset[str], *, is_done: bool) -> None:
        """Show what would be, or what was done."""
        self.heading.setText(say("What was done") if is_done else say("Proposed steps"))
        self.steps.show_lines(self._lines_of(found, passed_over))
        # Not whole rows: their words are to be read.
        for part in (self.options, *(row.box for row in self.steps.rows)):
            part.setEnabled(not is_done)
        self.options.setVisible(not is_done)
        if is_done:
            first = say("before")
        else:
            first = say("now")
        self.figures.heads[1].setText(first)
        self.excerpt.titles[0].setText(first)
        self._show_options(found)
        self._show_figures(found)
        self._show_losses(found)

    def _lines_of(self, found: RepairPreview, passed_over: frozenset[str]) -> list[StepLine]:
        """The steps, and those that are passed over and would not even be met without the others."""
        proposal = found.proposal
        lines = []
        for step in proposal.steps:
            lines.append(
                StepLine(
                    step.code, title_of(step, proposal), cost_of(step, proposal), tip_of(step, proposal), step.is_taken
                )
            )
        for line in lines:
            if line.is_taken or line.code not in self._offered:
                self._offered[line.code] = line
        shown = {line.code for line in lines}
        hidden = []
        for code in passed_over - shown:
            if code in self._offered:
                hidden.append(self._offered[code])
        lines += [line._replace(cost=say("stays as it is"), is_taken=False) for line in hidden]
        order = list(TITLES)
        return sorted(lines, key=lambda line: order.index(line.code))

    def _show_options(self, found: RepairPreview) -> None:
        proposal = found.proposal
        wanted = found.wanted
        self.options.show_frames(len(proposal.before), wanted.last_good_frame)
        self.options.show_donor(wanted.donor)
        named = any(step.code in ("no-header", "map-name") for step in proposal.steps)
        name: str | None = None
        if proposal.needs_map or named or wanted.map_name is not None:
            header = proposal.after.header
            kept = header.map_name if header is not None else ""
            name = wanted.map_name or (kept if isinstance(kept, str) else "")
        self.options.show_map(name, missing=proposal.needs_map)

    def _retell(self) -> None:
        if self._found is not None:
            self._show_figures(self._found)

    def _show_figures(self, found: RepairPreview) -> None:
        self._found = found
        now = found.now
        after = found.after
        report = found.proposal.report
        lost = report.lost
        rows = (
            (say("frames"), now.frames, after.frames, lost.frames),
            (say("packets"), now.packets, after.packets, lost.packets),
            (say("records"), now.records, after.records, lost.records),
            (say("actors"), now.actors, after.actors, len(report.actors)),
            (say("bytes"), now.size, after.size, lost.bytes),
        )
        shown = []
        for label, *numbers in rows:
            shown.append((label, *(f"{number:,}" for number in numbers)))
        tips = [balance_text(*numbers) for _, *numbers in rows[:-1]]
        tips.append(bytes_text(now.size, after.size, report))
        seconds = (now.seconds, after.seconds, found.seconds_lost)
        end = max(now.seconds, after.seconds)
        clock = self.theme.units.has_clock(end)
        times = tuple(time_text(number, clock=True) if clock else f"{number:,.3f}" for number in seconds)
        shown.insert(1, (say("time") if clock else say("seconds"), *times))
        tips.insert(1, say("Before and after: without the time of frames that are missing"))
        self.figures.show_rows(shown, tips)

    def _show_losses(self, found: RepairPreview) -> None:
        report = found.proposal.report
        packets = report.lost.packets_by_type
        records = report.lost.records_by_type
        rows = []
        for name in sorted(packets | records):
            rows.append((say(name), f"{packets[name]:,}", f"{records[name]:,}"))
        self.losses.show_rows(rows)
        ids = listed(map(str, report.actors[:_MOST_IDS]))
        more = len(report.actors) - _MOST_IDS
        if more > 0:
            ids = say("{ids} and {more:,} more", ids=ids, more=more)
        self.people.setText(say("Ids of actors whose creation is lost: {ids}", ids=ids) if ids else "")
        self.people.setVisible(bool(ids))
        for part in (self._lines[1], self.losses):
            part.setVisible(bool(rows))

    def show_verdict(self, found: RepairPreview, errors: Sequence[Finding] | None, *, is_done: bool) -> None:
        """Whether what is left has errors; None while nobody has looked."""
        proposal = found.proposal
        told: Sequence[Finding] = ()
        if proposal.problem is not None:
            self.verdict.say(proposal.problem, "error")
        elif proposal.steps and not any(step.is_taken for step in proposal.steps):
            self.verdict.say(say("No step is selected."), "info")
        elif proposal.is_copy:
            self.verdict.say(say("Only another copy of this recording could help."), "info")
        elif errors is None:
            self.verdict.say("" if is_done else say("Checking the result..."), "info")
        elif errors:
            if is_done:
                template = N_count("1 error is left", "{count:,} errors are left")
            else:
                template = N_count("1 error would be left", "{count:,} errors would be left")
            self.verdict.say(say(template, count=len(errors)), "error")
            told = errors[:_MOST_ERRORS]
        elif is_done:
            self.verdict.say(say("No error is left"), "fine")
        elif proposal.report.lossless:
            self.verdict.say(say("Nothing is lost, and no error would be left"), "fine")
        else:
            self.verdict.say(say("No error would be left"), "fine")
        for line, finding in zip(self.left, (*told, *[None] * _MOST_ERRORS), strict=False):
            line.say(finding.message if finding is not None else "", "error")

    def show_bytes(self, found: RepairPreview, span: tuple[int, int]) -> None:
        """The damage that holds the selected bytes, else the nearest one."""
        near = _nearest(found, *span)
        for part in (self._lines[2], self.excerpt):
            part.setVisible(near is not None)
        if near is None:
            return
        states = (found.proposal.before, found.proposal.after)
        try:
            self.excerpt.show_place(states, near.offset or 0, near.size)
        except (RecorderError, OSError):
            # Rewritten beneath by another program, which the window tells.
            self.excerpt.show_place(None)


def _nearest(found: RepairPreview, start: int, stop: int) -> Finding | None:
    """The damage nearest to these bytes; of several that hold them the smallest. None without a place of any."""

    def away(finding: Finding) -> tuple[int, int]:
        low = finding.offset or 0
        size = max(1, finding.size)
        return max(0, start - low - size + 1, low - stop + 1), size

    return min((finding for finding in found.proposal.findings if finding.offset is not None), key=away, default=None)
