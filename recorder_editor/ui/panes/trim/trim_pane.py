"""The Trim pane: the result of keeping or removing the range, in numbers, and the buttons that do it.

It sets no frame itself: in and out are the timeline's handles. `trim_preview` computes what an edit would do.
"""

import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QSize
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QSizePolicy, QVBoxLayout, QWidget

from ....edits.segments import join_segments
from ....edits.trim import losses_before
from ....errors import RecorderError
from ....progress import Progress
from ....recording import LostPackets, Snapshot
from ....recording.findings import DAMAGE, Finding
from ....recording.history import loss_text
from ....recording.save import save_copy
from ....texts import N_, listed, say, say_count
from ....views.command_words import schema_words
from ....views.trim_estimate import TrimEstimate, TrimEstimator
from ....views.trim_preview import TrimPreview, preview_trim
from ....views.units import size_parts, size_text
from ...session import Session
from ...session.jobs import LatestJob
from ...style.boxes import Stretch, fill, push_button
from ...style.theme import Theme
from ...widgets import ElidedLabel, EmptyState, Label, Segmented
from ...widgets.copied import table_of_view
from ...widgets.figures import NAME, NUMBER, Column, Figure, Figures
from ...widgets.file_dialogs import ask_save
from ...widgets.job_panel import Sentence
from ...widgets.page_text import copied_page
from ...widgets.pane import Pane
from ...widgets.pane_parts import Hairline, PageStack, PaneFooter
from .segment_table import SegmentTable
from .segment_tools import SegmentTools

KEEP = 0
CUT = 1
_MOST_FINDINGS = 4
_GAP = 14
_SIDES = 20  # beside the segments, px
_HINT = 150  # the hint where no range is set, with the title of the segments


class Choice(NamedTuple):
    """The input of the edit.

    Attributes:
        snapshot: State of the recording.
        frames: Frames of the range.
        cuts: Whether these frames are removed; else all others are.
        rebases: Whether the clocks in packets close the gap of a cut, or begin at 0, too.
    """

    snapshot: Snapshot
    frames: range
    cuts: bool
    rebases: bool


class TrimPane(Pane):
    """The Trim pane.

    Attributes:
        preview: The exact result; None while it is not computed.
    """

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.preview: TrimPreview | None = None
        self._estimator: TrimEstimator | None = None
        self.setObjectName("trimPane")
        self.setAccessibleName(say("Trim"))
        self.means = Segmented(theme, (say("Keep"), say("Cut out")), name=say("The range"))
        self.means.segment(KEEP).setToolTip(say("Keep the range, remove the rest"))
        self.means.segment(CUT).setToolTip(say("Remove the range, keep the rest"))
        self.means.changed.connect(self._set_cuts)
        self.switches = (self.means,)
        self._make_parts()
        self._preview_job = LatestJob(self, session.jobs, self._compute_preview)
        session.opened.connect(self.job_panel.release)
        session.opened.connect(self._open)
        session.editing.changed.connect(self._open)
        session.range.changed.connect(self.refresh)
        session.background.findings_changed.connect(self._show_damage)
        theme.changed.connect(self._show_units)

    # --- parts ------------------------------------------------------------------------------------------

    def _make_parts(self) -> None:
        theme = self.theme
        self.heading = Label(theme, "", "bold", wraps=True)
        self.where = ElidedLabel(theme, "", "small", "muted")
        self.damaged = Sentence(theme)
        self.lost = Sentence(theme)
        self.figures = Figures(theme, say("Result"))
        self.written_heading = Label(theme, "", "small", "muted", wraps=True)
        gap = Column(grows=0, least=_GAP)
        columns = (NAME, NUMBER, gap, NAME, NUMBER)
        self.tally = Figures(theme, say("Records that are written"), columns)
        self.verdict = Sentence(theme)
        self.findings = [Sentence(theme) for _ in range(_MOST_FINDINGS)]
        self.rebase = QCheckBox()
        self.rebase.toggled.connect(lambda _on: self.refresh())
        self._line = Hairline(theme)
        page = QWidget()
        column = fill(QVBoxLayout(page), self.heading, self.where, spacing=4, margins=12)
        for text in (self.damaged, self.lost, self.figures, self.verdict, self._line):
            fill(column, 4, text, margins=None)
        fill(column, 4, self.written_heading, self.tally, 4, margins=None)
        for finding in self.findings:
            column.addWidget(finding)
        fill(column, self.rebase, Stretch(), margins=None)
        self.empty = EmptyState(theme, "")
        self._stack = PageStack(page, self.empty)
        fill(QVBoxLayout(self), (self._stack, 1), self._make_segments(), self._make_footer(), spacing=0)
        self.give(self._stack, partial(copied_page, page))
        self.give(self.segments, partial(table_of_view, self.segments))
        self.offer_copies(self.segments, self.segments)

    def _make_segments(self) -> QWidget:
        """Make the segments below `tools`, their title with buttons, to which the window adds actions."""
        box = QWidget()
        self.tools = SegmentTools(self.theme)
        self.segments = SegmentTable(self.session, self.theme)
        fill(QVBoxLayout(box), self.tools, self.segments, spacing=4, margins=(12, 4, 8, 6))
        box.setMinimumHeight(1)  # the footer below it is not squeezed
        return box

    def _fit_tools(self) -> None:
        """Show words at the tools of segments where nothing but a hint stands above them."""
        height = 0
        if not self._stack.shows_page:
            height = self.height() - self._footer.sizeHint().height() - self.theme.px(_HINT)
            if not self.segments.isHidden():
                height -= self.segments.height()
        self.tools.fit(QSize(self.width() - _SIDES, height))

    def _make_footer(self) -> QWidget:
        self._footer = footer = PaneFooter(self.session, self.theme, self.command_line)
        footer.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.job_panel = footer.job_panel
        self.copy = footer.copy
        self.job_panel.ended.connect(self._enable)
        tip = say("Write the range to a new file; this recording is not changed")
        self.export = push_button(say("Save range as..."), self.ask_export, tip)
        self.go = push_button(say("Trim"), self.apply, primary=True)
        footer.add_buttons(self.export, self.go)
        return footer

    # --- the choice -------------------------------------------------------------------------------------

    def choice(self) -> Choice | None:
        """Return the input of the edit; None while there is no range, or nothing that can be edited."""
        session = self.session
        if not session.range.is_set or session.snapshot is None or not session.is_complete:
            return None
        return Choice(
            snapshot=session.snapshot,
            frames=session.range.frames,
            cuts=self.means.current == CUT,
            rebases=self.rebase.isChecked(),
        )

    def command_line(self) -> str:
        """Return the command that does the same to the file; empty while nothing can be done."""
        choice = self.choice()
        recording = self.session.recording
        if choice is None or recording is None:
            return ""
        frames = choice.frames
        verb = "cut" if choice.cuts else "trim"
        arguments = ["recorder-editor", verb, recording.path.name, self._suggested_name(choice.cuts)]
        if frames.start:
            arguments += ["--from", f"f{frames.start + 1}"]
        if frames.stop < self.session.frames:
            arguments += ["--to", f"f{frames.stop + 1}"]
        if choice.rebases:
            arguments.append("--rebase-clocks")
        if self._damaged_places():
            arguments.append("--damaged")
        arguments += schema_words(recording.path, recording.snapshot)
        return shlex.join(arguments)

    def _damaged_places(self) -> int:
        """Return in how many places bytes are no sound frames, which the verbs refuse."""
        return sum(1 for finding in self.session.background.findings if finding.code in DAMAGE)

    def _suggested_name(self, cuts: bool) -> str:
        path = self.session.path
        frames = self.session.range.frames
        without = "-without" if cuts else ""
        return f"{path.stem}{without}-{frames.start + 1}-{frames.stop}{path.suffix}"

    def _set_cuts(self, means: int) -> None:
        # The timeline shows it as well, and so does whatever else follows the range.
        self.session.range.set_cuts(means == CUT)
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        self.session.range.set_cuts(self.means.current == CUT)
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._forget_preview()
        # While this pane is hidden, the range is used by other edits and the player.
        self.session.range.set_cuts(False)

    def _open(self) -> None:
        self._estimator = None
        self.refresh()

    # --- showing ----------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the estimate of the choice at once, and compute the exact result when the choice has come to rest."""
        if not self.isVisible():
            return
        choice = self.choice()
        self._forget_preview()
        tip = say("Copy the command that does the same")
        self.copy.setToolTip(f"{tip}\n{self.command_line()}".strip())
        self._enable()
        if choice is None:
            self._show_empty()
            return
        if not self.job_panel.is_busy:
            self.job_panel.show_sentence("")  # the result of the last one
        self._stack.show_page(True)
        self._fit_tools()
        if self._estimator is None or self._estimator.snapshot is not choice.snapshot:
            actors = self.session.actors
            if actors is None:
                self._show_empty()
                return
            self._estimator = TrimEstimator(choice.snapshot, actors)
        self._show_texts(choice)
        self._show_figures(choice, self._estimator)
        self.verdict.say(say("Checking what is kept..."), "info")
        for line in self.findings:
            line.say("")
        self._preview_job.begin()

    def _show_empty(self) -> None:
        if not self.session.is_complete:
            self.empty.set_text(say("The file is still being read"), "")
        elif not self.session.frames:
            detail = say("Repair shows what can be recovered from this file")
            self.empty.set_text(say("No frame can be read"), say("{detail}.", detail=detail))
        else:
            text = say("Choose what to remove")
            if self.means.current == KEEP:
                text = say("Choose what to keep")
            self.empty.set_text(text, say("{detail}.", detail=self._how_to_choose()))
        self._stack.show_page(False)
        self._fit_tools()

    def _how_to_choose(self) -> str:
        drag = say("Drag the handles at the ends of the timeline")
        first = self.keys.get("range.in", "")
        last = self.keys.get("range.out", "")
        ways = [drag]
        if first and last:
            ways.append(say("or press {first} and {last} at the first and last frame", first=first, last=last))
        ways.append(say("or take ± 5 s round the cursor or an event"))
        return listed(ways, "clauses")

    def show_keys(self, keys: Mapping[str, str]) -> None:
        super().show_keys(keys)
        self.refresh()

    def _show_texts(self, choice: Choice) -> None:
        frames = choice.frames
        elapsed = choice.snapshot.elapsed
        end = float(elapsed[-1])
        start = self.theme.units.time_label(float(elapsed[frames.start]), end)
        stop = self.theme.units.time_label(float(elapsed[min(frames.stop, len(elapsed) - 1)]), end)
        self._show_damage()
        if choice.cuts:
            self.heading.setText(say("Cut out {start} to {stop}", start=start, stop=stop))
            self.go.setText(say("Cut out"))
            self.rebase.setText(say("Close the gap in the clocks, too"))
        else:
            self.heading.setText(say("Keep {start} to {stop}", start=start, stop=stop))
            self.go.setText(say("Trim"))
            self.rebase.setText(say("Restart the clocks at 0, too"))
        self.where.setText(say("Frames {first:,} to {last:,}", first=frames.start + 1, last=frames.stop))
        self.rebase.setToolTip(say("PlatformTime and VisualTime; otherwise they stay as recorded"))

    def _show_damage(self) -> None:
        if not self.isVisible() or self.choice() is None:
            self._show_empty()
            return
        text = ""
        number = self._damaged_places()
        if number:
            text = say_count(
                "Damaged in one place. The damage stays in what is kept; repair it first, or continue.",
                "Damaged in {count:,} places. The damage stays in what is kept; repair it first, or continue.",
                count=number,
            )
        self.damaged.say(text, "warning")

    def _show_figures(self, choice: Choice, estimator: TrimEstimator) -> None:
        estimate = estimator.of(choice.frames, cuts=choice.cuts)
        whole = estimator.whole()
        rows = [
            Figure(say("frames"), f"{estimate.frames:,}", note=_of(f"{whole.frames:,}")),
            *self._time_rows(choice, estimate, whole),
            Figure(say("created"), f"{estimate.carried:,}", say("actors"), _vehicles(estimate.vehicles)),
        ]
        if estimate.ended:
            rows.append(Figure(say("destroyed"), f"{estimate.ended:,}", say("actors"), say("at the gap")))
        rows += [
            Figure(say("created later"), f"{estimate.born:,}", say("actors")),
            Figure(say("collisions"), f"{estimate.collisions:,}", note=_of(f"{whole.collisions:,}")),
            self._size_row(estimate, whole),
        ]
        self.figures.show_rows(rows)

    def _time_rows(self, choice: Choice, estimate: TrimEstimate, whole: TrimEstimate) -> tuple[Figure, Figure]:
        units = self.theme.units
        end = float(choice.snapshot.elapsed[-1])
        plays = estimate.plays
        if self.preview is not None:
            plays = self.preview.outcome.seconds
        length_text, length_unit = units.time_parts(estimate.length, end)
        plays_text, plays_unit = units.time_parts(plays, end)
        return (
            Figure(say("length"), length_text, length_unit, _of(units.time_label(whole.length, end))),
            Figure(say("playable"), plays_text, plays_unit, say("to the last frame")),
        )

    def _size_row(self, estimate: TrimEstimate, whole: TrimEstimate) -> Figure:
        whole_number, unit = size_parts(whole.size, whole.size)
        if self.preview is not None:
            number, _ = size_parts(self.preview.outcome.size, whole.size)
        else:
            number, _ = size_parts(estimate.size, whole.size)
            number = f"≈ {number}"
        return Figure(say("size"), number, unit, _of(f"{whole_number} {unit}"))

    def _show_units(self) -> None:
        """Show the same in other units."""
        choice = self.choice()
        if self.isVisible() and choice is not None and self._estimator is not None:
            self._show_texts(choice)
            self._show_figures(choice, self._estimator)

    # --- the exact result -------------------------------------------------------------------------------

    def _forget_preview(self) -> None:
        """Forget the exact result, which holds for one choice only."""
        self._preview_job.cancel()
        self.preview = None
        self.lost.say("")
        for widget in (self._line, self.written_heading, self.tally):
            widget.hide()

    def _compute_preview(self) -> None:
        choice = self.choice()
        if choice is not None:
            show = partial(self._show_preview, choice)
            self._preview_job.run(say("Computing the result"), _preview_of(choice), show, self._refuse)

    def _show_preview(self, choice: Choice, preview: TrimPreview) -> None:
        self.preview = preview
        self.lost.say(loss_text(preview.edit.losses), "warning")
        if self._estimator is not None:
            self._show_figures(choice, self._estimator)
        frame = choice.frames.start
        if choice.cuts and choice.frames.stop < len(choice.snapshot):
            frame = choice.frames.stop
        template = N_("Written into frame {frame:,}, so that it starts with the complete world")
        if choice.cuts:
            template = N_("Written into frame {frame:,}, so that it continues from the frame before")
        self.written_heading.setText(say(template, frame=frame + 1))
        self._show_written(preview.written)
        for widget in (self._line, self.written_heading, self.tally):
            widget.setVisible(bool(preview.written))
        self._show_findings(preview)

    def _show_written(self, written: Mapping[str, int]) -> None:
        """Show the records that are written, in two columns where the names have room for it."""
        counts = [(say(name), f"{count:,}") for name, count in written.items()]
        metrics = self.theme.metrics(self.theme.font)
        widths = [metrics.horizontalAdvance(f"{name}   {count}") for name, count in counts]
        needed = 2 * max(widths, default=0) + self.theme.px(_GAP)
        rows = []
        if needed < self.figures.width():
            for left, right in zip_longest(counts[::2], counts[1::2], fillvalue=("", "")):
                rows.append((*left, "", *right))
        else:
            for name, count in counts:
                rows.append((name, "", "", "", count))
        self.tally.show_rows(rows)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_tools()
        if self.preview is not None:
            self._show_written(self.preview.written)

    def _show_findings(self, preview: TrimPreview) -> None:
        present = self.session.background.findings
        present_codes = {finding.code for finding in present}
        # What the recording has not yet comes first: that is what the edit would bring.
        serious = [finding for finding in preview.findings if finding.severity != "info"]
        serious.sort(key=lambda finding: (finding.severity != "error", finding.code in present_codes))
        if not serious:
            text = say_count(
                "No problems in what is kept, 1 frame",
                "No problems in what is kept, {count:,} frames",
                count=preview.outcome.frames,
            )
            self.verdict.say(text, "fine")
        else:
            was_serious = [finding for finding in present if finding.severity != "info"]
            text = _problems_text(was_serious, serious, cuts=self.means.current == CUT)
            self.verdict.say(text, "info")
        for line in self.findings[len(serious) :]:
            line.say("")
        for line, finding in zip(self.findings, serious, strict=False):
            line.say(finding.message, finding.severity)

    def _refuse(self, error: Exception) -> None:
        if isinstance(error, RecorderError):
            self.verdict.say(error.message, "error")
        else:
            self.verdict.say("")
            self.session.jobs.failed.emit(error)

    # --- doing ------------------------------------------------------------------------------------------

    def _enable(self) -> None:
        ready = self.choice() is not None and not self.job_panel.is_busy
        # The keyboard that rests on the pane, as after a range was saved, stays there: Space plays, and never trims.
        rests_here = QApplication.focusWidget() is self
        self.lead_to(self.go if ready and not rests_here else None)
        for button in (self.go, self.export, self.copy):
            button.setEnabled(ready)
        self.means.setEnabled(not self.job_panel.is_busy)

    def apply(self) -> None:
        """Trim or cut in one step of undo; at once where the result is computed, else as a job."""
        choice = self.choice()
        if choice is None or self.job_panel.is_busy:
            return
        if self.preview is not None:
            self._apply_preview(self.preview)
            return
        self._forget_preview()
        if choice.cuts:
            title = say("Cutting out frames")
        else:
            title = say("Trimming")
        self.job_panel.run(title, _preview_of(choice), self._apply_preview)
        self._enable()

    def _apply_preview(self, preview: TrimPreview) -> None:
        try:
            self.session.editing.apply(preview.edit, clears_range=True)
        except RecorderError as error:
            self.job_panel.refuse(error)
            return
        text = say("{label}. Undo takes it back.", label=preview.edit.label)
        self.job_panel.show_result(text, preview.edit.losses)

    def ask_export(self) -> None:
        """Let a person choose a name, and write the range there."""
        recording = self.session.recording
        if recording is None or self.choice() is None:
            return
        path = recording.path.with_name(self._suggested_name(cuts=False))
        ask_save(self, say("Save range as"), path, self.write)

    def write(self, target: Path) -> None:
        """Write the range as a recording of its own, as a job; the document stays as it is."""
        choice = self.choice()
        if choice is not None:
            self._write(target, [choice.frames])

    def ask_join(self) -> None:
        """Let a person choose a name, and write the segments that are on there, one after another."""
        recording = self.session.recording
        if recording is not None:
            path = recording.path.with_name(f"{recording.path.stem}-joined{recording.path.suffix}")
            write = partial(self._write, ranges=self.session.segments.chosen)
            ask_save(self, say("Join into one"), path, write)

    def _write(self, target: Path, ranges: Sequence[range]) -> None:
        snapshot = self.session.snapshot_or_refuse()

        def work(progress: Progress) -> tuple[int, tuple[LostPackets, ...]]:
            share = (len(ranges) - 1) / len(ranges)
            recording = join_segments(snapshot, ranges, progress.part(0, share))
            losses = losses_before(snapshot, ranges, progress.quiet())
            save_copy(recording, target, progress.part(share, 1), overwrite=True)
            return recording.size, losses

        def done(written: tuple[int, tuple[LostPackets, ...]]) -> None:
            size, losses = written
            text = say_count(
                "Wrote {name}: 1 frame, {size}",
                "Wrote {name}: {count:,} frames, {size}",
                name=target.name,
                count=sum(len(frames) for frames in ranges),
                size=size_text(size),
            )
            self.job_panel.show_result(text, losses)

        self.job_panel.run(say("Writing {name}", name=target.name), work, done)
        self._enable()


def _preview_of(choice: Choice) -> Callable[[Progress], TrimPreview]:
    """Return the work of a job that computes the exact result of a choice."""
    return partial(preview_trim, choice.snapshot, choice.frames, cuts=choice.cuts, rebase_clocks=choice.rebases)


def _problems_text(before: Sequence[Finding], after: Sequence[Finding], *, cuts: bool) -> str:
    """Return which problems an edit brings and which stay, by rule.

    Args:
        before: The problems of the recording.
        after: Those of what is kept, at least one.
        cuts: Whether the range is removed; else all other frames are.
    """
    numbers = Counter(finding.code for finding in before)
    brought = (Counter(finding.code for finding in after) - numbers).total()
    staying = len(after) - brought
    if brought:
        new = say_count("Trimming brings 1 problem", "Trimming brings {count:,} problems", count=brought)
        if cuts:
            new = say_count("Cutting out brings 1 problem", "Cutting out brings {count:,} problems", count=brought)
        if not before:
            return new
        return listed((new, say("{staying:,} of {before:,} stay", staying=staying, before=len(before))), "clauses")
    if staying == len(before):
        text = N_("Trimming removes no problem ({staying:,} of {before:,} stay)")
        if cuts:
            text = N_("Cutting out removes no problem ({staying:,} of {before:,} stay)")
    else:
        text = N_("Trimming removes problems ({staying:,} of {before:,} stay)")
        if cuts:
            text = N_("Cutting out removes problems ({staying:,} of {before:,} stay)")
    return say(text, staying=staying, before=len(before))


def _of(amount: str) -> str:
    return say("of {amount}", amount=amount)


def _vehicles(number: int) -> str:
    if not number:
        return ""
    return say_count("1 vehicle", "{count:,} vehicles", count=number)
