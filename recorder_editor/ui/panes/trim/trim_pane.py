"""The Trim pane: the range as what stays or as what goes, in numbers before, and the buttons that make it so.

It sets no frame itself: in and out are the timeline's handles. What an edit would do is the business of `trim_preview`.
"""

import shlex
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QSize
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QSizePolicy, QToolBar, QVBoxLayout, QWidget

from ....edits.segments import joined
from ....edits.trim import losses_before
from ....errors import RecorderError
from ....progress import Progress
from ....recording import LostPackets, Snapshot
from ....recording.findings import DAMAGE
from ....recording.history import loss_text
from ....recording.save import save_copy
from ....texts import N_, listed, say, say_count
from ....views.trim_preview import Foreseen, Glances, foresee
from ....views.units import size_text
from ...session import Session
from ...session.jobs import LatestJob
from ...style.boxes import Stretch, fill, push_button
from ...style.theme import Theme
from ...widgets import ElidedLabel, EmptyState, Label, Segmented
from ...widgets.figures import NAME, NUMBER, Column, Figure, Figures
from ...widgets.file_dialogs import ask_save
from ...widgets.job_panel import Text
from ...widgets.pane import Pane
from ...widgets.pane_parts import Hairline, PageStack, PaneFooter
from .segment_table import SegmentTable

KEEP = 0
CUT = 1
_MOST_FINDINGS = 4
_GAP = 14


class Choice(NamedTuple):
    """What is chosen: the state, the frames, whether they go, whether the clocks go along."""

    snapshot: Snapshot
    frames: range
    cuts: bool
    rebases: bool


class TrimPane(Pane):
    """Attribute: `foreseen` (what was looked at closely; None while it is not)."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.foreseen: Foreseen | None = None
        self._glances: Glances | None = None
        self.setObjectName("trimPane")
        self.setAccessibleName(say("Trim"))
        self.means = Segmented(theme, (say("Keep"), say("Cut out")), name=say("The range"))
        self.means.segment(KEEP).setToolTip(say("Keep the range, remove the rest"))
        self.means.segment(CUT).setToolTip(say("Remove the range, keep the rest"))
        self.means.changed.connect(self._mean)
        self.switches = (self.means,)
        self._make_parts()
        self._looking = LatestJob(self, session.jobs, self._look)
        session.opened.connect(self.job_panel.release)
        session.opened.connect(self._open)
        session.editing.changed.connect(self._open)
        session.range.changed.connect(self.refresh)
        session.background.findings_changed.connect(self._say_damage)
        theme.changed.connect(self._retell)

    # --- parts ------------------------------------------------------------------------------------------

    def _make_parts(self) -> None:
        theme = self.theme
        self.heading = Label(theme, "", "bold", wraps=True)
        self.where = ElidedLabel(theme, "", "small", "muted")
        self.damaged = Text(theme)
        self.lost = Text(theme)
        self.figures = Figures(theme, say("Result"))
        self.told = Label(theme, "", "small", "muted", wraps=True)
        gap = Column(grows=0, least=_GAP)
        columns = (NAME, NUMBER, gap, NAME, NUMBER)
        self.tally = Figures(theme, say("Records that are written"), columns)
        self.verdict = Text(theme)
        self.findings = [Text(theme) for _ in range(_MOST_FINDINGS)]
        self.rebase = QCheckBox()
        self.rebase.toggled.connect(lambda _on: self.refresh())
        self._line = Hairline(theme)
        inner = QWidget()
        result = (self.heading, self.where, 4, self.damaged, 4, self.lost, 4, self.figures, 4, self.verdict, 4)
        written = (self._line, 4, self.told, self.tally, 4)
        fill(QVBoxLayout(inner), *result, *written, *self.findings, self.rebase, Stretch(), spacing=4, margins=12)
        self.empty = EmptyState(theme, "")
        self._stack = PageStack(inner, self.empty)
        fill(QVBoxLayout(self), (self._stack, 1), self._listed(), self._foot(), spacing=0)

    def _listed(self) -> QWidget:
        """The segments below their name and `tools`, to which whoever knows the actions adds them."""
        listed_ = QWidget()
        self.tools = QToolBar(say("Segments"))
        self.tools.setIconSize(QSize(16, 16))
        self.segments = SegmentTable(self.session, self.theme)
        line = fill(QHBoxLayout(), Label(self.theme, say("Segments"), "bold"), Stretch(), self.tools)
        fill(QVBoxLayout(listed_), line, self.segments, spacing=4, margins=(12, 4, 8, 6))
        listed_.setMinimumHeight(1)  # what stands below it is whole
        return listed_

    def _foot(self) -> QWidget:
        foot = PaneFooter(self.session, self.theme, self.command_line)
        foot.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.job_panel = foot.job_panel
        self.copy = foot.copy
        self.job_panel.ended.connect(self._enable)
        tip = say("Write the range to a new file; this recording is not changed")
        self.export = push_button(say("Save range as..."), self.ask_export, tip)
        self.go = push_button(say("Trim"), self.apply, primary=True)
        foot.add_buttons(self.export, self.go)
        return foot

    # --- what is chosen ---------------------------------------------------------------------------------

    def choice(self) -> Choice | None:
        """What is chosen; None while there is no range, or nothing that can be edited."""
        session = self.session
        if not session.range.is_set or session.snapshot is None or not session.is_complete:
            return None
        return Choice(session.snapshot, session.range.frames, self.means.current == CUT, self.rebase.isChecked())

    def command_line(self) -> str:
        """The command that does the same to the file."""
        choice = self.choice()
        recording = self.session.recording
        if choice is None or recording is None:
            return ""
        frames = choice.frames
        name = recording.path.name
        words = ["recorder-editor", "cut" if choice.cuts else "trim", name, self._suggested(choice.cuts)]
        if frames.start:
            words += ["--from", f"#{frames.start + 1}"]
        if frames.stop < self.session.frames:
            words += ["--to", f"#{frames.stop + 1}"]
        if choice.rebases:
            words += ["--rebase-clocks"]
        if self._damage():
            words += ["--damaged"]
        return shlex.join(words)

    def _damage(self) -> int:
        """In how many places bytes are no sound frames: what the verbs refuse."""
        return sum(finding.code in DAMAGE for finding in self.session.background.findings)

    def _suggested(self, cuts: bool) -> str:
        path = self.session.path
        frames = self.session.range.frames
        without = "-without" if cuts else ""
        return f"{path.stem}{without}-{frames.start + 1}-{frames.stop}{path.suffix}"

    def _mean(self, means: int) -> None:
        # The timeline shows it as well, and tells everybody.
        self.session.range.set_cuts(means == CUT)
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        self.session.range.set_cuts(self.means.current == CUT)
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._let_go()
        # Elsewhere the range is what an edit or the player is meant for.
        self.session.range.set_cuts(False)

    def _open(self) -> None:
        self._glances = None
        self.refresh()

    # --- showing ----------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show at once what is known of the choice, and look closely when it has come to rest."""
        if not self.isVisible():
            return
        choice = self.choice()
        self._let_go()
        words = say("Copy the command that does the same")
        self.copy.setToolTip(f"{words}\n{self.command_line()}".strip())
        self._enable()
        if choice is None:
            self._show_empty()
            return
        if not self.job_panel.is_busy:
            self.job_panel.tell("")  # what came of the last one
        self._stack.show_page(True)
        if self._glances is None or self._glances.snapshot is not choice.snapshot:
            actors = self.session.actors
            if actors is None:
                self._show_empty()
                return
            self._glances = Glances(choice.snapshot, actors)
        self._show_words(choice)
        self._show_figures(choice, self._glances)
        self.verdict.say(say("Checking what is kept..."), "info")
        for line in self.findings:
            line.say("")
        self._looking.begin()

    def _show_empty(self) -> None:
        text: str = say("Choose what to keep") if self.means.current == KEEP else say("Choose what to remove")
        keys = []
        for name in ("range.in", "range.out"):
            keys.append(self.keys.get(name, ""))
        detail: str = say("Drag the handles at the ends of the timeline")
        if all(keys):
            pressed = say("or press {first} and {last} at the first and last frame", first=keys[0], last=keys[1])
            detail = listed((detail, pressed), "clauses")
        if not self.session.is_complete:
            text = say("The file is still being read")
            detail = ""
        elif not self.session.frames:
            text = say("No frame can be read")
            detail = say("Repair shows what can be recovered from this file")
        self.empty.set_text(text, say("{detail}.", detail=detail) if detail else "")
        self._stack.show_page(False)

    def show_keys(self, keys: Mapping[str, str]) -> None:
        super().show_keys(keys)
        self.refresh()

    def _show_words(self, choice: Choice) -> None:
        snapshot = choice.snapshot
        frames = choice.frames
        elapsed = snapshot.elapsed
        start, stop = float(elapsed[frames.start]), float(elapsed[min(frames.stop, len(elapsed) - 1)])
        if choice.cuts:
            template = N_("Cut out {start} to {stop}")
        else:
            template = N_("Keep {start} to {stop}")
        label = partial(self.theme.units.time_label, end=float(elapsed[-1]))
        self.heading.setText(say(template, start=label(start), stop=label(stop)))
        self.where.setText(say("Frames {first:,} to {last:,}", first=frames.start + 1, last=frames.stop))
        self._say_damage()
        self.go.setText(say("Cut out") if choice.cuts else say("Trim"))
        if choice.cuts:
            words = say("Close the gap in the clocks, too")
        else:
            words = say("Restart the clocks at 0, too")
        self.rebase.setText(words)
        self.rebase.setToolTip(say("PlatformTime and VisualTime; otherwise they stay as recorded"))

    def _say_damage(self) -> None:
        if not self.isVisible() or self.choice() is None:
            self._show_empty()
            return
        number = self._damage()
        self.damaged.say(
            say_count(
                "Damaged in one place. The damage stays in what is kept; repair it first, or continue.",
                "Damaged in {count:,} places. The damage stays in what is kept; repair it first, or continue.",
                count=number,
            )
            if number
            else "",
            "warning",
        )

    def _show_figures(self, choice: Choice, glances: Glances) -> None:
        known = glances.of(choice.frames, cuts=choice.cuts)
        whole = glances.whole()
        units = self.theme.units
        end = float(choice.snapshot.elapsed[-1])

        def of(amount: str) -> str:
            return say("of {amount}", amount=amount)

        size = known.size
        plays = known.plays
        sign = "≈ "
        if self.foreseen is not None:
            size = self.foreseen.outcome.size
            plays = self.foreseen.outcome.seconds
            sign = ""
        number, unit = _in_unit_of(size, whole.size)
        if known.vehicles:
            beside = say_count("1 vehicle", "{count:,} vehicles", count=known.vehicles)
        else:
            beside = ""
        actors = say("actors")
        gone = Figure(say("destroyed"), f"{known.ended:,}", actors, say("at the gap"))
        lines = [
            Figure(say("frames"), f"{known.frames:,}", "", of(f"{whole.frames:,}")),
            Figure(say("length"), *units.time_parts(known.length, end), of(units.time_label(whole.length, end))),
            Figure(say("playable"), *units.time_parts(plays, end), say("to the last frame")),
            Figure(say("created"), f"{known.carried:,}", actors, beside),
            *([gone] if known.ended else []),
            Figure(say("created later"), f"{known.born:,}", actors),
            Figure(say("collisions"), f"{known.collisions:,}", "", of(f"{whole.collisions:,}")),
            Figure(say("size"), f"{sign}{number}", unit, of(" ".join(_in_unit_of(whole.size, whole.size)))),
        ]
        self.figures.show_rows(lines)

    def _retell(self) -> None:
        """In other units."""
        choice = self.choice()
        if self.isVisible() and choice is not None and self._glances is not None:
            self._show_words(choice)
            self._show_figures(choice, self._glances)

    # --- looking closely --------------------------------------------------------------------------------

    def _let_go(self) -> None:
        """What was looked at holds for that choice only."""
        self._looking.cancel()
        self.foreseen = None
        self.lost.say("")
        for part_ in (self._line, self.told, self.tally):
            part_.hide()

    def _look(self) -> None:
        choice = self.choice()
        if choice is not None:
            shown = partial(self._show, choice)
            self._looking.run(say("Computing the result"), partial(foresee, *choice), shown, self._refuse)

    def _show(self, choice: Choice, found: Foreseen) -> None:
        self.foreseen = found
        self.lost.say(loss_text(found.edit.losses), "warning")
        if self._glances is not None:
            self._show_figures(choice, self._glances)
        frame = choice.frames.stop if choice.cuts and choice.frames.stop < len(choice.snapshot) else choice.frames.start
        template = N_("Written into frame {frame:,}, so that it starts with the complete world")
        if choice.cuts:
            template = N_("Written into frame {frame:,}, so that it continues from the frame before")
        self.told.setText(say(template, frame=frame + 1))
        self._show_written(found.written)
        for part_ in (self._line, self.told, self.tally):
            part_.setVisible(bool(found.written))
        self._show_findings(found)

    def _show_written(self, written: Mapping[str, int]) -> None:
        """In two columns where the names have room for it."""
        counts = []
        for name, count in written.items():
            counts.append((say(name), f"{count:,}"))
        wide = self.theme.metrics(self.theme.font).horizontalAdvance
        needed = max((wide(f"{name}   {number}") for name, number in counts), default=0) * 2 + self.theme.px(_GAP)
        rows = [(name, "", "", "", number) for name, number in counts]
        if needed < self.figures.width():
            pairs = zip_longest(counts[::2], counts[1::2], fillvalue=("", ""))
            rows = [(*left, "", *right) for left, right in pairs]
        self.tally.show_rows(rows)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.foreseen is not None:
            self._show_written(self.foreseen.written)

    def _show_findings(self, found: Foreseen) -> None:
        known = {finding.code for finding in self.session.background.findings}
        before = sum(finding.severity != "info" for finding in self.session.background.findings)
        # What the recording has not yet comes first: that is what the edit would bring.
        serious = [finding for finding in found.findings if finding.severity != "info"]
        serious.sort(key=lambda finding: (finding.severity != "error", finding.code in known))
        if not serious:
            self.verdict.say(
                say_count(
                    "No problems in what is kept, 1 frame",
                    "No problems in what is kept, {count:,} frames",
                    count=found.outcome.frames,
                ),
                "fine",
            )
        else:
            now = say("{before:,} in the whole recording now", before=before)
            self.verdict.say(
                listed(
                    (
                        say_count(
                            "1 problem in what is kept", "{count:,} problems in what is kept", count=len(serious)
                        ),
                        now,
                    ),
                    "clauses",
                ),
                "info",
            )
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
        self.lead_to(self.go if ready else None)
        for button in (self.go, self.export, self.copy):
            button.setEnabled(ready)
        self.means.setEnabled(not self.job_panel.is_busy)

    def apply(self) -> None:
        """Trim or cut: one step that can be undone; at once where it was looked at, else as a job."""
        choice = self.choice()
        if choice is None or self.job_panel.is_busy:
            return
        if self.foreseen is not None:
            self._take(self.foreseen)
            return
        self._let_go()
        if choice.cuts:
            title = say("Cutting out frames")
        else:
            title = say("Trimming")
        self.job_panel.run(title, partial(foresee, *choice), self._take)
        self._enable()

    def _take(self, found: Foreseen) -> None:
        try:
            self.session.editing.apply(found.edit, clears_range=True)
        except RecorderError as error:
            self.job_panel.refuse(error)
            return
        words = say("{label}. Undo takes it back.", label=found.edit.label)
        self.job_panel.tell_done(words, found.edit.losses)

    def ask_export(self) -> None:
        """Let a person choose a name, and write the range there."""
        recording = self.session.recording
        if recording is None or self.choice() is None:
            return
        place = recording.path.with_name(self._suggested(False))
        ask_save(self, say("Save range as"), place, self.write)

    def write(self, target: Path) -> None:
        """Write the range as a recording of its own, as a job; the document stays as it is."""
        choice = self.choice()
        if choice is not None:
            self._write(target, [choice.frames])

    def ask_join(self) -> None:
        """Let a person choose a name, and write the segments that are on there, one after another."""
        recording = self.session.recording
        if recording is not None:
            place = recording.path.with_name(f"{recording.path.stem}-joined{recording.path.suffix}")
            write = partial(self._write, ranges=self.session.segments.chosen)
            ask_save(self, say("Join into one"), place, write)

    def _write(self, target: Path, ranges: Sequence[range]) -> None:
        snapshot = self.session.snapshot_or_refuse()

        def work(progress: Progress) -> tuple[int, tuple[LostPackets, ...]]:
            made = joined(snapshot, ranges, progress.part(0, (len(ranges) - 1) / len(ranges)))
            losses = losses_before(snapshot, ranges, progress.quiet())
            save_copy(made, target, progress.part((len(ranges) - 1) / len(ranges), 1), overwrite=True)
            return made.size, losses

        def done(written: tuple[int, tuple[LostPackets, ...]]) -> None:
            size, losses = written
            words = say_count(
                "Wrote {name}: 1 frame, {size}",
                "Wrote {name}: {count:,} frames, {size}",
                name=target.name,
                count=sum(map(len, ranges)),
                size=size_text(size),
            )
            self.job_panel.tell_done(words, losses)

        self.job_panel.run(say("Writing {name}", name=target.name), work, done)
        self._enable()


def _in_unit_of(size: int, whole: int) -> tuple[str, str]:
    """A size as number and unit, in the unit that says the whole well."""
    units = (("kB", 1e3, 0), ("MB", 1e6, 1), ("GB", 1e9, 2))
    unit, one, decimals = next((each for each in units if whole < each[1] * 9_950), units[-1])
    return f"{size / one:,.{decimals}f}", unit
