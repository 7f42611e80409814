"""The Repair pane: what is proposed, step by step, what it keeps and what it costs, and the button that does it.

What a repair would make of the recording is the business of `preview`; here it is asked for, shown, and taken.
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
from ...widgets.pane import Pane
from ...widgets.pane_parts import PageStack, PaneFooter
from .summary import RepairSummary

_MS_BEFORE_A_JOB_SHOWS = 400


_ROOMY = 376
_WIDE = 340
_NARROW = 204


class RepairFooter(PaneFooter):
    """Attributes: `report`, `go`, `save` (in the place of `go` once it is done)."""

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
        """Offer to save what was repaired, or to repair."""
        self._is_done = done
        self.go.setVisible(not done)
        self.save.setVisible(done)
        self._fit()

    def show_command(self, command: str) -> None:
        """Offer to copy a command, or say why there is none."""
        self.copy.setEnabled(bool(command))
        without = say("There is no command for this: a command runs all steps, on the saved file")
        words = say("Copy the command that does the same")
        self.copy.setToolTip(f"{words}\n{command}" if command else without)

    def _fit(self) -> None:
        """Shorter words where room is short, and only what is needed next."""
        is_wide = self.width() >= self.theme.px(_WIDE)
        self.copy.setVisible(not self._is_done or self.width() >= self.theme.px(_ROOMY))
        self.save.setText(say("Save repaired copy...") if is_wide else say("Save copy..."))
        is_narrow = self.width() < 60 + self.theme.px(_NARROW)
        self.report.setText(say("Report...") if is_narrow else say("Save report..."))


class RepairPane(Pane):
    """Signal: `save_asked(Path)` (a copy so named).

    Attributes: `preview` (what was looked at last; None before), `errors` (of what a repair would leave; None while
    nobody has looked).
    """

    save_asked = Signal(object)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(session, theme, parent)
        self.preview: RepairPreview | None = None
        self.errors: tuple[Finding, ...] | None = None
        self._asked: RepairRequest | None = None
        self._is_applying = False
        self._forget()
        self.setAccessibleName(say("Repair"))
        self._make_parts()
        self._looking = LatestJob(self, session.jobs, self._look)
        self._slow = Debounce(self, lambda: self.strip.setVisible(self._looking.is_running), _MS_BEFORE_A_JOB_SHOWS)
        session.opened.connect(self._open)
        session.editing.changed.connect(self.refresh)
        session.selection.changed.connect(self._follow)

    def _forget(self) -> None:
        """What was wanted of another recording."""
        self._passed_over: frozenset[str] = frozenset()
        self._last_good: int | None = None
        self._map_name: str | None = None
        self._donor: Path | None = None
        self._looked_at = (0, 0)
        self._command = ""
        self._done: tuple[RepairPreview, int] | None = None

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
        self.again = push_button(say("Check again"), self.look_again)
        self.empty.add_button(self.again)
        self.strip = ProgressStrip(theme)
        self.strip.cancelled.connect(self.cancel)
        self.strip.hide()
        self._stack = PageStack(self.summary, self.empty)
        whole = fill(QVBoxLayout(self), self.strip, (self._stack, 1), spacing=0)
        self.footer = footer = RepairFooter(self.session, self.theme, self.command_line)
        self.job_panel = footer.job_panel
        self.copy = footer.copy
        self.report = footer.report
        self.go = footer.go
        self.save = footer.save
        self.job_panel.ended.connect(self._enable)
        self.report.clicked.connect(self.ask_report)
        self.go.clicked.connect(self.apply)
        self.save.clicked.connect(self.ask_save)
        whole.addWidget(footer)

    # --- what is wanted ---------------------------------------------------------------------------------

    def wanted(self) -> RepairRequest | None:
        """What is asked for; None while nothing can be edited."""
        session = self.session
        if session.snapshot is None or not session.is_complete:
            return None
        last = self._last_good
        if last is not None and last >= session.frames - 1:
            last = None
        return RepairRequest(session.snapshot, self._passed_over, last, self._map_name, self._donor)

    @property
    def is_done(self) -> bool:
        """What is shown is what the repair made."""
        recording = self.session.recording
        if self._done is None or recording is None:
            return False
        history = recording.history
        return history.position > 0 and history.steps[history.position - 1].number == self._done[1]

    def command_line(self) -> str:
        """The command that does the same to the file; empty where none does."""
        wanted = self.wanted()
        recording = self.session.recording
        if self.is_done:
            return self._command
        if wanted is None or recording is None or not wanted.is_whole or recording.is_modified:
            return ""
        return wanted.command_line(recording.path.name, self.suggested().name)

    def suggested(self) -> Path:
        """The name for a repaired copy, beside the damaged file."""
        path = self.session.path
        return path.with_name(f"{path.stem.removesuffix('-repaired')}-repaired{path.suffix}")

    def set_last_good(self, frame_index: int) -> None:
        """Whatever stands behind this frame is to be left out; the last frame of all: nothing is."""
        frames = self.session.frames
        if not frames or self.is_done:
            return
        if frame_index >= frames - 1:
            self._last_good = None
        else:
            self._last_good = max(0, frame_index)
        self.session.selection.go_to_frame(min(frame_index, frames - 1))
        self.options.show_frames(frames, self._last_good)
        self._show_lost()
        self.refresh()

    def set_map(self, name: str) -> None:
        """The map's name for the header; an empty one leaves it to what the file tells."""
        self._map_name = name or None
        self.refresh()

    def set_donor(self, path: Path | None) -> None:
        """The file of another copy of this recording, or none."""
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
        self.job_panel.tell("")
        self._let_go()
        self._forget()
        self.summary.forget()
        self.preview = self.errors = None
        self.options.refusal.say("")
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._let_go()
        self.session.lost.set(())

    def refresh(self) -> None:
        """Show what is known of what is wanted, or look at it when that has come to rest."""
        if not self.isVisible() or self._is_applying:
            return
        wanted = self.wanted()
        if wanted is None or self.is_done:
            self._let_go()
            if wanted is None or self._done is None:
                self._say(say("The file is still being read") if self.session.snapshot is not None else "")
            else:
                self._show(self._done[0])
            self._enable()
            return
        if self.preview is not None and wanted.is_same(self.preview.wanted):
            self._let_go()
            self._show(self.preview)
            if self.errors is None and not self.is_done:
                self._check(self.preview)
        elif not wanted.is_same(self._asked):
            self._let_go()
            is_new = self.preview is None or self.preview.wanted.snapshot is not wanted.snapshot
            if is_new:
                self.preview = self.errors = None
                self.summary.forget()
                self._say(say("Looking for recoverable data..."))
            self._asked = wanted
            self._looking.begin(at_once=is_new)
        self._enable()

    def look_again(self) -> None:
        """Look once more at what was not looked at to the end."""
        self._asked = None
        self.refresh()

    def cancel(self) -> None:
        """Stop looking."""
        self._let_go()
        self.preview = None
        self._say(say("Not checked"), say("Cancelled."), again=True)
        self._enable()

    def _let_go(self) -> None:
        self._looking.cancel()
        self._slow.stop()
        self._asked = None
        self.strip.hide()

    def _say(
        self, text: str, detail: str = "", icon: str = "", color: ColorName = "muted", *, again: bool = False
    ) -> None:
        """Nothing but words."""
        self.empty.set_text(text, detail)
        self.empty.set_icon(icon, color)
        self.again.setVisible(again)
        self._stack.show_page(False)
        self.session.lost.set(())

    # --- looking ----------------------------------------------------------------------------------------

    def _look(self) -> None:
        wanted = self._asked
        if wanted is None:
            return
        self._begin(say("Looking for recoverable data"), partial(preview_repair, wanted), self._looked, wanted)

    def _begin(self, title: str, work: Work[Result], done: Done[Result], wanted: RepairRequest) -> None:
        job = self._looking.run(title, work, done, partial(self._refuse, wanted))
        self.strip.follow(job)
        self._slow.start()

    def _looked(self, found: RepairPreview) -> None:
        self._let_go()
        if found.wanted.snapshot is self.session.snapshot:  # else it was edited, or is another one, meanwhile
            self.preview = found
            self.errors = None
        self.refresh()

    def _check(self, found: RepairPreview) -> None:
        """Whether what a repair leaves has errors, as a job of its own: the steps need not wait for it."""
        proposal = found.proposal
        if proposal.problem is not None or proposal.is_copy:
            return

        def done(errors: list[Finding]) -> None:
            self._let_go()
            self.errors = tuple(errors)
            self.summary.show_verdict(found, self.errors, is_done=self.is_done)

        self._asked = found.wanted
        self._begin(say("Checking the result"), partial(find_errors, proposal.after), done, found.wanted)

    def _refuse(self, wanted: RepairRequest, error: Exception) -> None:
        self._let_go()
        if not isinstance(error, (RecorderError, OSError)):
            self._say(say("Not checked"), again=True)
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
            self._say(say("This recording could not be read"), message, "error", "error", again=True)

    # --- what was found ---------------------------------------------------------------------------------

    def _show(self, found: RepairPreview) -> None:
        proposal = found.proposal
        if proposal.problem is not None and not self._passed_over and self._donor is None:
            self._say(say("Nothing can be recovered"), proposal.problem, "error", "error")
            return
        if proposal.is_sound and self._donor is None and self._map_name is None:
            words = say_count("The only frame is whole.", "All {count:,} frames are whole.", count=found.now.frames)
            self._say(say("There is nothing to repair"), words, "checks", "fine")
            return
        self._stack.show_page(True)
        self.summary.show_preview(found, self._passed_over, is_done=self.is_done)
        self.summary.show_verdict(found, self.errors, is_done=self.is_done)
        self.summary.show_bytes(found, self._looked_at)
        self._show_lost()

    def _show_lost(self) -> None:
        """Bands on the timeline and in the bytes: what is behind the last good frame at once, the rest when known."""
        wanted = self.wanted()
        found = self.preview
        lost: tuple[range, ...] = ()
        if wanted is not None and not self.is_done:
            if found is not None and wanted.is_same(found.wanted):
                lost = found.frames_lost
            elif wanted.last_good_frame is not None:
                lost = (range(wanted.last_good_frame + 1, self.session.frames),)
        self.session.lost.set(lost)

    # --- one damage -------------------------------------------------------------------------------------

    def _choose_step(self, number: int) -> None:
        """Select what a step is about; the next place when it is chosen again."""
        lines = self.steps.lines
        found = self.preview
        step = None
        if found is not None and 0 <= number < len(lines):
            step = found.step(lines[number].code)
        if step is None or self.is_done:
            return
        places = []
        for finding in step.findings:
            if finding.offset is not None:
                places.append(finding)
        start = self.session.selection.span[0]
        later = []
        for finding in places:
            if (finding.offset or 0) > start:
                later.append(finding)
        if places:
            self.session.selection.select_finding((later or places)[0] if self.steps.current == number else places[0])
        self.steps.set_current(number)

    def _follow(self, _selection: object) -> None:
        if self.isVisible() and self._stack.shows_page and not self.is_done and self.preview is not None:
            self._looked_at = self.session.selection.span
            self.summary.show_bytes(self.preview, self._looked_at)

    # --- doing ------------------------------------------------------------------------------------------

    def can_apply(self) -> bool:
        """There is something to repair, or nobody has looked."""
        wanted = self.wanted()
        found = self.preview
        if wanted is None or self.job_panel.is_busy or self.is_done:
            return False
        if found is None or not wanted.is_same(found.wanted):
            return True
        return found.proposal.problem is None and not found.proposal.is_copy

    def can_report(self) -> bool:
        """There is something to report on."""
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
        """Repair: one step that can be undone; at once where it was looked at, else as a job."""
        wanted = self.wanted()
        if wanted is None or self.job_panel.is_busy or self.is_done:
            return
        if self.preview is not None and wanted.is_same(self.preview.wanted):
            self._take(self.preview)
            return
        self._let_go()
        self.job_panel.run(say("Repairing"), partial(preview_repair, wanted), self._take)
        self._enable()

    def _take(self, found: RepairPreview) -> None:
        if found.proposal.is_sound:
            self.job_panel.tell(say("There is nothing to repair."), "fine")
            return
        self._is_applying = True
        command = self.command_line()
        try:
            self.session.editing.apply(found.proposal.edit())
            recording = self.session.recording
            assert recording is not None
            self._done = found, recording.history.steps[recording.history.position - 1].number
            self.preview = found
            self._command = command
            template = N_("Repaired: {frames:,} frames, nothing lost. Undo takes it back.")
            if found.proposal.report.lost:
                template = N_("Repaired: {frames:,} frames are kept. Undo takes it back.")
            self.job_panel.tell(say(template, frames=found.after.frames), "fine")
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
        place = self.suggested().with_suffix(".txt")
        ask_save(self, say("Save report"), place, self.write_report, REPORTS)

    def write_report(self, target: Path) -> None:
        """Write what is kept and what is lost as a text."""
        found = self._done[0] if self.is_done and self._done is not None else self.preview
        recording = self.session.recording
        if found is None or recording is None:
            return
        text = "\n".join([*report_lines(recording.path, found.proposal, self.errors), ""])
        try:
            write_file(target, text.encode(), overwrite=True)
        except (RecorderError, OSError) as error:
            self.job_panel.refuse(error)
            return
        self.job_panel.tell(say("Wrote {name}", name=target.name), "fine")
