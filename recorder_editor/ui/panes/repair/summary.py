"""The preview of a repair on one page: steps, options, numbers before and after, losses, bytes.

The signals of its parts report what a person chooses.
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
from ...widgets.job_panel import Sentence
from ...widgets.pane_parts import Hairline
from .excerpt import Excerpt
from .options import Options
from .steps import StepLine, Steps

_MOST_ERRORS = 3
_MOST_IDS = 12


class RepairSummary(QWidget):
    """Shows a preview of a repair.

    Attributes:
        theme: The theme.
        heading: The title.
        steps: The steps.
        options: The options.
        figures: Numbers before and after.
        verdict: Whether errors would be left.
        left: The errors that would be left.
        losses: What is lost, by type of packet.
        lost_actors: Ids of actors that are lost.
        excerpt: Bytes at the damage.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._preview: RepairPreview | None = None
        # Steps as they were proposed, by code, for those that are not proposed while others are left out.
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
        self.verdict = Sentence(theme)
        self.left = [Sentence(theme) for _ in range(_MOST_ERRORS)]
        types = (NAME._replace(grows=3), Column(say("packets"), "error"), Column(say("records"), "error"))
        self.losses = Figures(theme, say("Lost, by type of packet"), types, say("Lost, by type"))
        self.lost_actors = Label(theme, "", "small", "muted", wraps=True)
        self.excerpt = Excerpt(theme)
        self._losses_line = Hairline(theme)
        self._excerpt_line = Hairline(theme)
        details = fill(QVBoxLayout(), spacing=6, margins=(12, 8, 12, 0))
        fill(details, self.options, Hairline(theme), self.figures, self.verdict, margins=None)
        for line in self.left:
            details.addWidget(line)
        fill(details, self._losses_line, self.losses, self.lost_actors, margins=None)
        fill(details, self._excerpt_line, self.excerpt, margins=None)
        fill(QVBoxLayout(self), self.heading, self.steps, details, Stretch(), spacing=0, margins=(0, 10, 0, 12))
        theme.changed.connect(self._show_units)

    def _explain_heads(self) -> None:
        """Explain in tooltips what each column counts: what cannot be read is only in the last one."""
        tips = (
            say("What can be read of the damaged recording"),
            say("What can be read of the repaired recording"),
            say("What no repair brings back, also where it cannot be read before the repair"),
        )
        for head, tip in zip(self.figures.heads[1:], tips, strict=True):
            head.setToolTip(tip)

    def forget(self) -> None:
        """Forget the steps that were proposed for another recording or state."""
        self._offered = {}
        self.steps.set_current(-1)
        self.excerpt.show_place(None)

    def show_preview(self, preview: RepairPreview, passed_over: frozenset[str], *, is_done: bool) -> None:
        """Show a preview.

        Args:
            preview: The preview.
            passed_over: Codes of the steps that are left out.
            is_done: Whether the repair is done.
        """
        self.steps.show_lines(self._step_lines(preview, passed_over))
        # Not whole rows: their texts are to be read.
        for row in self.steps.rows:
            row.box.setEnabled(not is_done)
        self.options.setEnabled(not is_done)
        self.options.setVisible(not is_done)
        if is_done:
            self.heading.setText(say("What was done"))
            first = say("before")
        else:
            self.heading.setText(say("Proposed steps"))
            first = say("now")
        self.figures.heads[1].setText(first)
        self.excerpt.titles[0].setText(first)
        self._show_options(preview)
        self._show_figures(preview)
        self._show_losses(preview)

    def _step_lines(self, preview: RepairPreview, passed_over: frozenset[str]) -> list[StepLine]:
        """Return the proposed steps, and those that are left out and are not proposed without the others."""
        proposal = preview.proposal
        lines = []
        for step in proposal.steps:
            line = StepLine(
                code=step.code,
                title=title_of(step, proposal),
                cost=cost_of(step, proposal),
                tip=tip_of(step, proposal),
                is_taken=step.is_taken,
            )
            lines.append(line)
            if step.is_taken:
                self._offered[step.code] = line
            else:
                self._offered.setdefault(step.code, line)
        for code in passed_over - {step.code for step in proposal.steps}:
            if code in self._offered:
                lines.append(self._offered[code]._replace(cost=say("stays as it is"), is_taken=False))
        order = list(TITLES)
        return sorted(lines, key=lambda line: order.index(line.code))

    def _show_options(self, preview: RepairPreview) -> None:
        proposal = preview.proposal
        wanted = preview.request
        self.options.show_frames(len(proposal.before), wanted.last_good_frame)
        self.options.show_donor(wanted.donor)
        is_rewritten = any(step.code in ("no-header", "map-name") for step in proposal.steps)
        name: str | None = None
        if proposal.needs_map or is_rewritten or wanted.map_name is not None:
            name = wanted.map_name or _map_of(preview)
        self.options.show_map(name, missing=proposal.needs_map)

    def _show_units(self) -> None:
        if self._preview is not None:
            self._show_figures(self._preview)

    def _show_figures(self, preview: RepairPreview) -> None:
        self._preview = preview
        now = preview.now
        after = preview.after
        report = preview.proposal.report
        lost = report.lost
        rows = [
            _figure(say("frames"), now.frames, after.frames, lost.frames),
            self._time_figure(preview),
            _figure(say("packets"), now.packets, after.packets, lost.packets),
            _figure(say("records"), now.records, after.records, lost.records),
            _figure(say("actors"), now.actors, after.actors, len(report.actors)),
            _figure(say("bytes"), now.size, after.size, lost.bytes),
        ]
        tips = [
            balance_text(now.frames, after.frames, lost.frames),
            say("Before and after: without the time of frames that are missing"),
            balance_text(now.packets, after.packets, lost.packets),
            balance_text(now.records, after.records, lost.records),
            balance_text(now.actors, after.actors, len(report.actors)),
            bytes_text(now.size, after.size, report),
        ]
        self.figures.show_rows(rows, tips)

    def _time_figure(self, preview: RepairPreview) -> tuple[str, str, str, str]:
        now = preview.now.seconds
        after = preview.after.seconds
        lost = preview.seconds_lost
        if self.theme.units.has_clock(max(now, after)):
            return (say("time"), time_text(now, clock=True), time_text(after, clock=True), time_text(lost, clock=True))
        return say("seconds"), f"{now:,.3f}", f"{after:,.3f}", f"{lost:,.3f}"

    def _show_losses(self, preview: RepairPreview) -> None:
        report = preview.proposal.report
        packets = report.lost.packets_by_type
        records = report.lost.records_by_type
        rows = []
        for name in sorted(packets | records):
            rows.append((say(name), f"{packets[name]:,}", f"{records[name]:,}"))
        self.losses.show_rows(rows)
        self.losses.setVisible(bool(rows))
        self._losses_line.setVisible(bool(rows))
        text = ""
        if report.actors:
            ids = listed(map(str, report.actors[:_MOST_IDS]))
            more = len(report.actors) - _MOST_IDS
            if more > 0:
                ids = say("{ids} and {more:,} more", ids=ids, more=more)
            text = say("Ids of actors whose creation is lost: {ids}", ids=ids)
        self.lost_actors.setText(text)
        self.lost_actors.setVisible(bool(text))

    def show_verdict(self, preview: RepairPreview, errors: Sequence[Finding] | None, *, is_done: bool) -> None:
        """Show whether errors would be left.

        Args:
            preview: The preview.
            errors: The errors of the result; None while it is not checked.
            is_done: Whether the repair is done.
        """
        proposal = preview.proposal
        shown: Sequence[Finding] = ()
        if proposal.problem is not None:
            self.verdict.say(proposal.problem, "error")
        elif proposal.steps and not any(step.is_taken for step in proposal.steps):
            self.verdict.say(say("No step is selected."), "info")
        elif proposal.is_copy:
            self.verdict.say(say("Only another copy of this recording could help."), "info")
        elif errors is None:
            self.verdict.say("" if is_done else say("Checking the result..."), "info")
        elif errors:
            self._show_number(len(errors), is_done=is_done)
            shown = errors[:_MOST_ERRORS]
        elif is_done:
            self.verdict.say(say("No error is left"), "fine")
        elif proposal.report.lossless:
            self.verdict.say(say("Nothing is lost, and no error would be left"), "fine")
        else:
            self.verdict.say(say("No error would be left"), "fine")
        for line, finding in zip(self.left, shown, strict=False):
            line.say(finding.message, "error")
        for line in self.left[len(shown) :]:
            line.say("", "error")

    def _show_number(self, errors: int, *, is_done: bool) -> None:
        template = N_count("1 error would be left", "{count:,} errors would be left")
        if is_done:
            template = N_count("1 error is left", "{count:,} errors are left")
        self.verdict.say(say(template, count=errors), "error")

    def show_bytes(self, preview: RepairPreview, span: tuple[int, int]) -> None:
        """Show the damage that holds the bytes of a span `(start, stop)`, or else the nearest one."""
        start, stop = span
        finding = _nearest_finding(preview, start, stop)
        self._excerpt_line.setVisible(finding is not None)
        self.excerpt.setVisible(finding is not None)
        if finding is None:
            return
        states = (preview.proposal.before, preview.proposal.after)
        try:
            self.excerpt.show_place(states, finding.offset or 0, finding.size)
        except (RecorderError, OSError):
            # The file was rewritten by another program, which the window reports.
            self.excerpt.show_place(None)


def _figure(label: str, now: int, after: int, lost: int) -> tuple[str, str, str, str]:
    return label, f"{now:,}", f"{after:,}", f"{lost:,}"


def _map_of(preview: RepairPreview) -> str:
    """Return the name of the map in the repaired header; empty where it has none that can be read."""
    header = preview.proposal.after.header
    if header is not None and isinstance(header.map_name, str):
        return header.map_name
    return ""


def _nearest_finding(preview: RepairPreview, start: int, stop: int) -> Finding | None:
    """Return the damage nearest to the bytes `[start, stop)`; of several that hold them the smallest; None for none."""

    def distance(finding: Finding) -> tuple[int, int]:
        low = finding.offset or 0
        size = max(1, finding.size)
        return max(0, start - low - size + 1, low - stop + 1), size

    findings = [finding for finding in preview.proposal.findings if finding.offset is not None]
    return min(findings, key=distance, default=None)
