"""The Repair pane: the proposed steps, what they keep and cost, and the button that repairs.

`repair_preview` computes what a repair would do; the pane asks for it, shows it, and applies it.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ....errors import RecorderError, error_sentence
from ....recording import Finding, write_file
from ....repair import find_errors
from ....texts import N_, say, say_count
from ....views.command_words import schema_words
from ....views.repair_preview import RepairPreview, RepairRequest, preview_repair
from ....views.repair_texts import report_lines
from ...session import Session
from ...session.debounce import Debounce
from ...session.jobs import Done, LatestJob, Result, Work
from ...style.boxes import fill, push_button
from ...style.colors import ColorName
from ...style.theme import Theme
from ...widgets import EmptyState, ProgressStrip
from ...widgets.file_dialogs import REPORTS, ask_open, ask_save
from ...widgets.page_text import copied_page
from ...widgets.pane import Pane
from ...widgets.pane_parts import PageStack, PaneFooter
from .summary import RepairSummary

_MS_BEFORE_A_JOB_SHOWS = 400


_ROOMY = 376
_WIDE = 340
_NARROW = 204


class RepairFooter(PaneFooter):
    """The footer of the pane.

    Attributes:
        report: The button that saves the loss report.
        go: The button that repairs.
        save: The button that saves a copy, in the place of `go` once the repair is done.
    """

    def __init__(self, session: Session, theme: Theme, command: Callable[[], str]) -> None:
        super().__init__(session, theme, command)
        self._is_done = False
        tip = say("Write what is kept and lost to a text file")
        self.report = push_button(say("Save report..."), tip=tip)
        self.go = push_button(say("Repair"), primary=True)
        tip = say("Save under another name; the damaged file is not changed")
        self.save = push_button(say("Save repaired copy..."), tip=tip, primary=True)
        self.add_buttons(self.report, self.go, self.save)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def show_done(self, *, done: bool) -> None:
        """Show the button that saves the repaired copy, or the one that repairs."""
        self._is_done = done
        self.go.setVisible(not done)
        self.save.setVisible(done)
        self._fit()

    def show_command(self, command: str) -> None:
        """Offer to copy a command, or explain why there is none (empty)."""
        self.copy.setEnabled(bool(command))
        if command:
            tip = say("Copy the command that does the same")
            self.copy.setToolTip(f"{tip}\n{command}")
        else:
            self.copy.setToolTip(say("There is no command for this: a command runs all steps, on the saved file"))

    def _fit(self) -> None:
        """Shorten the texts of buttons where room is short, and hide the one that is not needed next."""
        width = self.width()
        self.copy.setVisible(not self._is_done or width >= self.theme.px(_ROOMY))
        save = say("Save copy...")
        if width >= self.theme.px(_WIDE):
            save = say("Save repaired copy...")
        report = say("Save report...")
        if width < 60 + self.theme.px(_NARROW):
            report = say("Report...")
        self.save.setText(save)
        self.report.setText(report)


class RepairPane(Pane):
    """The Repair pane.

    Attributes:
        preview: The last preview; None before.
        errors: Errors that the repair would leave; None while the result is not checked.
        summary: Shows the preview.
        steps: The steps in it.
        options: The options in it.
        empty: The text that is shown without a preview.
        again: The button below it that checks again.
        strip: The progress of the preview.
        footer: The footer.
        job_panel: Progress and result of the repair.
        copy: The button that copies the command.
        report: The button that saves the loss report.
        go: The button that repairs.
        save: The button that saves the repaired copy.

    Signal: `save_asked(Path)` (a copy so named).
    """

    save_asked = Signal(object)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.preview: RepairPreview | None = None
        self.errors: tuple[Finding, ...] | None = None
        self._requested: RepairRequest | None = None  # what the running job computes
        self._is_applying = False
        self._reset_choices()
        self.setAccessibleName(say("Repair"))
        self._make_parts()
        self._preview_job = LatestJob(self, session.jobs, self._compute_preview)
        self._slow = Debounce(self, self._show_strip, _MS_BEFORE_A_JOB_SHOWS)
        session.opened.connect(self._open)
        session.editing.changed.connect(self.refresh)
        session.selection.changed.connect(self._follow)

    def _reset_choices(self) -> None:
        """Forget what was chosen for another recording."""
        self._passed_over: frozenset[str] = frozenset()
        self._last_good: int | None = None
        self._map_name: str | None = None
        self._donor: Path | None = None
        self._shown_span = (0, 0)  # the bytes next to which a damage is shown
        self._command = ""
        self._done: tuple[RepairPreview, int] | None = None  # what was applied, and the number of its step of undo

    # --- parts ------------------------------------------------------------------------------------------

    def _make_parts(self) -> None:
        theme = self.theme
        self.summary = RepairSummary(theme)
        self.steps = self.summary.steps
        self.options = self.summary.options
        self.steps.taken.connect(self._take_step)
        self.steps.chosen.connect(self._choose_step)
        self.options.frame_chosen.connect(self.set_last_good)
        self.options.map_named.connect(self.set_map)
        self.options.donor_asked.connect(self.ask_donor)
        self.options.donor_dropped.connect(lambda: self.set_donor(None))
        self.empty = EmptyState(theme, "")
        self.again = push_button(say("Check again"), self.check_again)
        self.empty.add_button(self.again)
        self.strip = ProgressStrip(theme)
        self.strip.cancelled.connect(self.cancel)
        self.strip.hide()
        self._stack = PageStack(self.summary, self.empty)
        self.give(self._stack, partial(copied_page, self.summary))
        self.footer = RepairFooter(self.session, self.theme, self.command_line)
        self.job_panel = self.footer.job_panel
        self.copy = self.footer.copy
        self.report = self.footer.report
        self.go = self.footer.go
        self.save = self.footer.save
        self.job_panel.ended.connect(self._enable)
        self.report.clicked.connect(self.ask_report)
        self.go.clicked.connect(self.apply)
        self.save.clicked.connect(self.ask_save)
        fill(QVBoxLayout(self), self.strip, (self._stack, 1), self.footer, spacing=0)

    def _show_strip(self) -> None:
        self.strip.setVisible(self._preview_job.is_running)

    # --- the request ------------------------------------------------------------------------------------

    def request(self) -> RepairRequest | None:
        """Return the request for a preview; None while nothing can be edited."""
        session = self.session
        if session.snapshot is None or not session.is_complete:
            return None
        last = self._last_good
        if last is not None and last >= session.frames - 1:
            last = None
        return RepairRequest(
            snapshot=session.snapshot,
            passed_over=self._passed_over,
            last_good_frame=last,
            map_name=self._map_name,
            donor=self._donor,
        )

    @property
    def is_done(self) -> bool:
        """Whether the repair is done and was not undone."""
        recording = self.session.recording
        if self._done is None or recording is None:
            return False
        _, number = self._done
        history = recording.history
        return history.position > 0 and history.steps[history.position - 1].number == number

    def command_line(self) -> str:
        """Return the command that does the same to the file; empty where none does."""
        wanted = self.request()
        recording = self.session.recording
        if self.is_done:
            return self._command
        if wanted is None or recording is None or not wanted.is_whole or recording.is_modified:
            return ""
        more = schema_words(recording.path, recording.snapshot)
        return wanted.command_line(recording.path.name, self.suggested().name, more)

    def suggested(self) -> Path:
        """Return the path of a repaired copy, beside the damaged file."""
        path = self.session.path
        return path.with_name(f"{path.stem.removesuffix('-repaired')}-repaired{path.suffix}")

    def set_last_good(self, frame_index: int) -> None:
        """Leave out what stands behind a frame.

        Args:
            frame_index: Index of the last good frame; that of the last frame of all leaves out nothing.
        """
        frames = self.session.frames
        if not frames or self.is_done:
            return
        self._last_good = None
        if frame_index < frames - 1:
            self._last_good = max(0, frame_index)
        self.session.selection.go_to_frame(min(frame_index, frames - 1))
        self.options.show_frames(frames, self._last_good)
        self._show_lost()
        self.refresh()

    def set_map(self, name: str) -> None:
        """Set the map's name for the header; an empty one leaves that of the file."""
        self._map_name = name or None
        self.refresh()

    def set_donor(self, path: Path | None) -> None:
        """Set the file of another copy of this recording; None for none."""
        self._donor = path
        self.options.refusal.say("")
        self.options.show_donor(path)
        self.refresh()

    def ask_donor(self) -> None:
        """Let a person choose another copy of this recording."""
        recording = self.session.recording
        if recording is not None:
            ask_open(self, say("Another copy of this recording"), recording.path.parent, self.set_donor)

    def _take_step(self, code: str, taken: bool) -> None:
        if taken:
            self._passed_over = self._passed_over - {code}
        else:
            self._passed_over = self._passed_over | {code}
        self.refresh()

    # --- showing ----------------------------------------------------------------------------------------

    def _open(self) -> None:
        self.job_panel.release()
        self.job_panel.show_sentence("")
        self._cancel_job()
        self._reset_choices()
        self.summary.forget()
        self._forget_preview()
        self.options.refusal.say("")
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._cancel_job()
        self.session.lost.set(())

    def refresh(self) -> None:
        """Show the preview of what is chosen, or compute it when the choice has come to rest."""
        if not self.isVisible() or self._is_applying:
            return
        wanted = self.request()
        if wanted is None:
            self._cancel_job()
            self._show_text(say("The file is still being read") if self.session.snapshot is not None else "")
        elif self.is_done and self._done is not None:
            self._cancel_job()
            preview, _ = self._done
            self._show_preview(preview)
        elif self.preview is not None and wanted.is_same(self.preview.request):
            self._cancel_job()
            self._show_preview(self.preview)
            if self.errors is None:
                self._check_result(self.preview)
        elif not wanted.is_same(self._requested):
            self._request(wanted)
        self._enable()

    def _request(self, wanted: RepairRequest) -> None:
        """Compute a preview: at once for another state, else when the choice has come to rest."""
        self._cancel_job()
        is_new = self.preview is None or self.preview.request.snapshot is not wanted.snapshot
        if is_new:
            self._forget_preview()
            self.summary.forget()
            self._show_text(say("Looking for recoverable data..."))
        self._requested = wanted
        self._preview_job.begin(at_once=is_new)

    def check_again(self) -> None:
        """Compute the preview once more, after it failed or was cancelled."""
        self._requested = None
        self.refresh()

    def cancel(self) -> None:
        """Cancel the preview."""
        self._cancel_job()
        self.preview = None
        self._show_text(say("Not checked"), say("Cancelled."), again=True)
        self._enable()

    def _cancel_job(self) -> None:
        self._preview_job.cancel()
        self._slow.stop()
        self._requested = None
        self.strip.hide()

    def _forget_preview(self) -> None:
        self.preview = None
        self.errors = None

    def _show_text(
        self, text: str, detail: str = "", icon: str = "", color: ColorName = "muted", *, again: bool = False
    ) -> None:
        """Show a text in the place of a preview; `again` shows the button that checks again."""
        self.empty.set_text(text, detail)
        self.empty.set_icon(icon, color)
        self.again.setVisible(again)
        self._stack.show_page(False)
        self.session.lost.set(())

    # --- the jobs ---------------------------------------------------------------------------------------

    def _compute_preview(self) -> None:
        wanted = self._requested
        if wanted is not None:
            work = partial(preview_repair, wanted)
            self._run(say("Looking for recoverable data"), work, self._take_preview, wanted)

    def _run(self, title: str, work: Work[Result], done: Done[Result], wanted: RepairRequest) -> None:
        job = self._preview_job.run(title, work, done, partial(self._refuse, wanted))
        self.strip.follow(job)
        self._slow.start()

    def _take_preview(self, preview: RepairPreview) -> None:
        self._cancel_job()
        if preview.request.snapshot is self.session.snapshot:  # else it was edited, or is another one, meanwhile
            self.preview = preview
            self.errors = None
        self.refresh()

    def _check_result(self, preview: RepairPreview) -> None:
        """Look for errors that the repair would leave, as a job of its own: the steps need not wait for it."""
        proposal = preview.proposal
        if proposal.problem is not None or proposal.is_copy:
            return

        def done(errors: list[Finding]) -> None:
            self._cancel_job()
            self.errors = tuple(errors)
            self.summary.show_verdict(preview, self.errors, is_done=self.is_done)

        self._requested = preview.request
        self._run(say("Checking the result"), partial(find_errors, proposal.after), done, preview.request)

    def _refuse(self, wanted: RepairRequest, error: Exception) -> None:
        self._cancel_job()
        if not isinstance(error, (RecorderError, OSError)):
            self._show_text(say("Not checked"), again=True)
            self.session.jobs.failed.emit(error)
            return
        if isinstance(error, RecorderError):
            message = error.message
        else:
            message = error_sentence(error)
        if wanted.donor is not None and self._donor == wanted.donor:
            self.set_donor(None)
            self.options.refusal.say(say("{file}: {reason}", file=wanted.donor.name, reason=message), "error")
        else:
            self._show_text(say("This recording could not be read"), message, "error", "error", again=True)

    # --- the preview ------------------------------------------------------------------------------------

    def _show_preview(self, preview: RepairPreview) -> None:
        proposal = preview.proposal
        if proposal.problem is not None and not self._passed_over and self._donor is None:
            self._show_text(say("Nothing can be recovered"), proposal.problem, "error", "error")
            return
        if proposal.is_sound and self._donor is None and self._map_name is None:
            text = say_count("The only frame is whole.", "All {count:,} frames are whole.", count=preview.now.frames)
            self._show_text(say("There is nothing to repair"), text, "checks", "fine")
            return
        self._stack.show_page(True)
        self.summary.show_preview(preview, self._passed_over, is_done=self.is_done)
        self.summary.show_verdict(preview, self.errors, is_done=self.is_done)
        self.summary.show_bytes(preview, self._shown_span)
        self._show_lost()

    def _show_lost(self) -> None:
        """Mark what is lost on the timeline and in the bytes; without a preview what is behind the last good frame."""
        wanted = self.request()
        preview = self.preview
        lost: tuple[range, ...] = ()
        if wanted is not None and not self.is_done:
            if preview is not None and wanted.is_same(preview.request):
                lost = preview.frames_lost
            elif wanted.last_good_frame is not None:
                lost = (range(wanted.last_good_frame + 1, self.session.frames),)
        self.session.lost.set(lost)

    # --- one damage -------------------------------------------------------------------------------------

    def _choose_step(self, index: int) -> None:
        """Select the first damage of a step; the next one when the step is chosen again."""
        lines = self.steps.lines
        if self.preview is None or self.is_done or not 0 <= index < len(lines):
            return
        step = self.preview.step(lines[index].code)
        if step is None:
            return
        findings = [finding for finding in step.findings if finding.offset is not None]
        if findings:
            chosen = findings[0]
            if self.steps.current == index:
                chosen = self._finding_after_selection(findings)
            self.session.selection.select_finding(chosen)
        self.steps.set_current(index)

    def _finding_after_selection(self, findings: list[Finding]) -> Finding:
        """Return the first finding behind the start of the selected bytes, or else the first one of all."""
        start, _ = self.session.selection.span
        for finding in findings:
            if (finding.offset or 0) > start:
                return finding
        return findings[0]

    def _follow(self, _selection: object) -> None:
        if self.isVisible() and self._stack.shows_page and not self.is_done and self.preview is not None:
            self._shown_span = self.session.selection.span
            self.summary.show_bytes(self.preview, self._shown_span)

    # --- doing ------------------------------------------------------------------------------------------

    def can_apply(self) -> bool:
        """Return whether there is something to repair, or the preview is not computed."""
        wanted = self.request()
        preview = self.preview
        if wanted is None or self.job_panel.is_busy or self.is_done:
            return False
        if preview is None or not wanted.is_same(preview.request):
            return True
        return preview.proposal.problem is None and not preview.proposal.is_copy

    def can_report(self) -> bool:
        """Return whether there is something to report on."""
        return self.session.is_complete and (self.is_done or self.preview is not None)

    def _enable(self) -> None:
        self.lead_to(self.go if self.can_apply() else None)  # before it is hidden: the keyboard then goes to the pane
        self.footer.show_done(done=self.is_done)
        self.go.setEnabled(self.can_apply())
        self.save.setEnabled(not self.job_panel.is_busy)
        self.report.setEnabled(self.can_report())
        self.footer.show_command(self.command_line())
        self.changed.emit()

    def apply(self) -> None:
        """Repair in one step of undo; at once where the preview is computed, else as a job."""
        wanted = self.request()
        if wanted is None or self.job_panel.is_busy or self.is_done:
            return
        if self.preview is not None and wanted.is_same(self.preview.request):
            self._apply_preview(self.preview)
            return
        self._cancel_job()
        self.job_panel.run(say("Repairing"), partial(preview_repair, wanted), self._apply_preview)
        self._enable()

    def _apply_preview(self, preview: RepairPreview) -> None:
        if preview.proposal.is_sound:
            self.job_panel.show_sentence(say("There is nothing to repair."), "fine")
            return
        self._is_applying = True
        command = self.command_line()
        try:
            self.session.editing.apply(preview.proposal.edit())
            recording = self.session.recording
            assert recording is not None
            step = recording.history.steps[recording.history.position - 1]
            self._done = (preview, step.number)
            self.preview = preview
            self._command = command
            template = N_("Repaired: {frames:,} frames, nothing lost. Undo takes it back.")
            if preview.proposal.report.lost:
                template = N_("Repaired: {frames:,} frames are kept. Undo takes it back.")
            self.job_panel.show_sentence(say(template, frames=preview.after.frames), "fine")
        except RecorderError as error:
            self.job_panel.refuse(error)
        finally:
            self._is_applying = False
            self.refresh()

    def ask_save(self) -> None:
        """Let the window save the repaired recording under another name."""
        if self.session.recording is not None:
            self.save_asked.emit(self.suggested())

    def ask_report(self) -> None:
        """Let a person choose a name, and write the loss report there."""
        path = self.suggested().with_suffix(".txt")
        ask_save(self, say("Save report"), path, self.write_report, REPORTS)

    def write_report(self, target: Path) -> None:
        """Write the loss report as a text; a refusal is shown in the footer."""
        preview = self.preview
        if self.is_done and self._done is not None:
            preview, _ = self._done
        recording = self.session.recording
        if preview is None or recording is None:
            return
        lines = [f"{line}\n" for line in report_lines(recording.path, preview.proposal, self.errors)]
        try:
            write_file(target, "".join(lines).encode(), overwrite=True)
        except (RecorderError, OSError) as error:
            self.job_panel.refuse(error)
            return
        self.job_panel.show_sentence(say("Wrote {name}", name=target.name), "fine")
