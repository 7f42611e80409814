"""What can be recovered from a recording: the steps of a repair, and what they keep and lose.

Each step makes a new state of the one before, so that all together are one edit; steps that are not wanted are skipped.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from ..checks.checking import in_file_order
from ..checks.structure import diagnosis, is_saved_as_text
from ..edits.join import join
from ..errors import EditError
from ..format import FileHeader
from ..progress import SILENT, Progress
from ..recording import FRAME, RAW, Edit, Finding, Snapshot, Splice
from ..texts import N_, N_count, Plural, say, say_count
from . import file_header
from .actor_refs import remove_unknown_actors
from .file_header import guess_map
from .order import find_duplicate_block, restore_order
from .report import LossReport, RepairChange, Tally, tally
from .structure import Donor, Region, regions, row_bytes

_MAX_DUPLICATES = 64
_MISFIT = 1e-3
_MAX_MISSING = 1 << 20
_MAX_ORDERINGS = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class StepTexts:
    """The texts of a step of a repair.

    Attributes:
        title: What the step does: a command, as the command line says it.
        short: The same for the window, where it has fewer words; `frame` is the first frame of the step.
        counted: The same for the window, by the number of findings (`count`).
        many: The same for the window, for several findings (`count`); for one it is the title.
    """

    title: str
    short: str = ""
    counted: Plural | None = None
    many: str = ""


STEPS: Mapping[str, StepTexts] = {
    "last-good-frame": StepTexts(
        title=N_("Leave out everything after the last good frame"),
        short=N_("Leave out everything after frame {frame:,}"),
    ),
    "text-mode": StepTexts(
        title=N_("Undo the text mode the file was written in (0D 0A for 0A)"),
        short=N_("Undo the text mode (0D 0A for 0A)"),
    ),
    "no-header": StepTexts(title=N_("Rebuild the file header"), short=N_("Rebuild the file header")),
    "map-name": StepTexts(title=N_("Set the map name")),
    "second-recording": StepTexts(
        title=N_("Append the second recording in the file to the first one"),
        short=N_("Append the second recording to the first"),
    ),
    "torn-tail": StepTexts(
        title=N_("End the torn last frame after its last whole record"), short=N_("End the torn frame {frame:,}")
    ),
    "zeros-at-end": StepTexts(title=N_("Leave out the zeros at the end")),
    "junk": StepTexts(title=N_("Leave out bytes that are not packets")),
    "unread-packets": StepTexts(
        title=N_("Leave out packets outside of whole frames that are too many or too large to be decoded")
    ),
    "body-size": StepTexts(
        title=N_("Correct sizes and counts of packets"),
        counted=N_count("Correct the size of 1 packet", "Correct the sizes of {count:,} packets"),
    ),
    "odd-frame-start": StepTexts(
        title=N_("Correct the size of a FrameStart"), many=N_("Correct the sizes of {count:,} FrameStarts")
    ),
    "no-frame-end": StepTexts(
        title=N_("Add missing FrameEnds"),
        counted=N_count("End 1 frame that has no end", "End {count:,} frames that have no end"),
    ),
    "no-frame-start": StepTexts(
        title=N_("Add missing FrameStarts"),
        counted=N_count("Begin 1 frame that has no beginning", "Begin {count:,} frames that have no beginning"),
    ),
    "stray-packets": StepTexts(
        title=N_("Move packets outside of frames into the frame before them"),
        counted=N_count("Move stray packets into their frame", "Move stray packets into {count:,} frames"),
    ),
    "doubled-block": StepTexts(title=N_("Leave out what is in the file twice")),
    "missing-frames": StepTexts(
        title=N_("Take missing frames from another copy"),
        counted=N_count(
            "Restore missing frames from the copy", "Restore missing frames from the copy, in {count:,} places"
        ),
    ),
    "order": StepTexts(
        title=N_("Put frame numbers and times in order, and leave out duplicate frames"),
        short=N_("Put frame numbers and times in order"),
    ),
    "actors": StepTexts(title=N_("Leave out records of actors that do not exist")),
}
"""The steps by code, in the order in which they are done."""

TITLES: Mapping[str, str] = {code: texts.title for code, texts in STEPS.items()}
"""The titles of the steps by code, in the order in which they are done."""


@dataclass(frozen=True)
class RepairStep:
    """One step of a repair, which can be chosen or not.

    Attributes:
        code: A key of `TITLES`, one of the `parts` of `propose`.
        title: What the step does.
        findings: The problems that it repairs.
        frames: Their frames, indices in the damaged recording.
        lost: What it loses.
        is_taken: Whether it is part of the repair.
    """

    code: str
    title: str
    findings: tuple[Finding, ...]
    frames: range
    lost: Tally
    is_taken: bool = True


@dataclass(frozen=True)
class Proposal:
    """The result of a repair, before it is applied.

    Attributes:
        before: The state of the damaged recording.
        after: The state of the repaired one.
        steps: The steps, in the order in which they are done.
        report: What is kept and lost.
        findings: The problems of all steps, in file order.
        splices: The rows that are replaced.
        problem: A sentence that says why nothing can be recovered; None otherwise.
        needs_map: Whether the map name is lost and cannot be guessed.
    """

    before: Snapshot
    after: Snapshot
    steps: tuple[RepairStep, ...]
    report: LossReport
    findings: tuple[Finding, ...]
    splices: tuple[Splice, ...] = field(repr=False)
    problem: str | None = None
    needs_map: bool = False

    @property
    def is_sound(self) -> bool:
        """Whether nothing is damaged or missing."""
        return not self.steps and self.problem is None

    @property
    def is_copy(self) -> bool:
        """Whether the result equals the recording, byte for byte."""
        return not self.splices and self.after.header is self.before.header

    def edit(self, label: str = "") -> Edit:
        """Return the repair as one edit.

        Args:
            label: The name of the edit; empty for "Repair".

        Raises:
            EditError: There is nothing to do, or nothing can be recovered.
        """
        if self.problem is not None:
            raise EditError(self.problem)
        if self.is_copy:
            raise EditError(say("There is nothing to repair."))
        header = self.after.header if self.after.header is not self.before.header else None
        detection = self.after.detection if self.after.detection is not self.before.detection else None
        return Edit(label or say("Repair"), self.before.version, self.splices, header, None, detection)


def propose(
    snapshot: Snapshot,
    *,
    progress: Progress = SILENT,
    donor: Snapshot | None = None,
    last_good_frame: int | None = None,
    map_name: str | None = None,
    parts: Collection[str] | None = None,
) -> Proposal:
    """Find the repair of a recording.

    Args:
        snapshot: The state of the damaged recording.
        progress: Counts the work of all steps.
        donor: Another copy of the same recording, from which undamaged frames are taken; None for none.
        last_good_frame: The index of the frame behind which everything is removed; None: nothing is.
        map_name: The map name to set in the header; None: what is there, or a guess.
        parts: The codes of the steps to take; None for all.

    Raises:
        EditError: The donor is no copy.
        OSError: The file cannot be read.
        Cancelled: The user stopped it.
    """
    return _Repair(snapshot, progress, donor, parts).run(last_good_frame, map_name)


class _Repair:
    """Runs the steps, each on the state that the one before made."""

    def __init__(
        self, snapshot: Snapshot, progress: Progress, donor: Snapshot | None, parts: Collection[str] | None
    ) -> None:
        self._before = snapshot
        self._now = snapshot
        self._progress = progress
        self._donor = donor
        self._parts = parts
        self._steps: list[RepairStep] = []
        self._done = RepairChange()
        self._actors: tuple[int, ...] = ()
        self._beginning_is_lost = False
        self._needs_map = False
        # Keys of the rows before the structure is repaired, and of those that are repaired.
        self._keys = np.empty(0, np.int64)
        self._repaired_keys = np.empty(0, np.int64)

    def run(self, last_good_frame: int | None, map_name: str | None) -> Proposal:
        """Run all steps.

        Args:
            last_good_frame: The index of the last frame to keep; None for all.
            map_name: The map name to set; None for none.
        """
        if is_saved_as_text(self._now) and self._is_damaged():
            return self._failed(
                say(
                    "Some program read this recording as text and saved it: every byte that was "
                    "not valid UTF-8 was replaced by EF BF BD. The values are lost for good; only "
                    "an untouched copy of the file can help."
                )
            )
        if last_good_frame is not None:
            self._cut_after(last_good_frame)
        self._undo_text_mode()
        if self._now.header is None and not self._rebuild_header(map_name):
            return self._failed(_no_frames(self._now))
        self._set_map_name(map_name)
        self._split_recordings()
        self._remove_duplicate_blocks()
        self._repair_structure()
        self._restore_order()
        self._report_missing_frames()
        if not len(self._now):
            return self._failed(_no_frames(self._now))
        self._remove_unknown_actors()
        return self._proposal()

    def _proposal(self) -> Proposal:
        """Return what the steps have made."""
        findings: list[Finding] = []
        for step in self._steps:
            findings += step.findings
        findings.sort(key=in_file_order)
        done = self._done
        kept = tally(self._now)
        kept.bytes = self._before.size - done.lost.bytes - done.doubled
        report = LossReport(kept=kept, lost=done.lost, doubled=done.doubled, added=done.added, actors=self._actors)
        return Proposal(
            before=self._before,
            after=self._now,
            steps=tuple(self._steps),
            report=report,
            findings=tuple(findings),
            splices=tuple(done.splices),
            needs_map=self._needs_map,
        )

    def _failed(self, problem: str) -> Proposal:
        """Return the proposal for a recording of which nothing can be recovered."""
        lost = tally(self._before)
        lost.bytes = self._before.size
        finding = Finding("no-recording", "error", problem, 0, None, None, self._before.size)
        return Proposal(
            before=self._before,
            after=self._before,
            steps=(),
            report=LossReport(kept=Tally(), lost=lost),
            findings=(finding,),
            splices=(),
            problem=problem,
        )

    # --- the parts --------------------------------------------------------------------------------------

    def _is_taken(self, code: str) -> bool:
        return self._parts is None or code in self._parts

    def _is_damaged(self) -> bool:
        """Whether the header cannot be read, or some row is no whole frame."""
        return self._now.header is None or bool((self._now.table.column("kind") != FRAME).any())

    def _add_step(self, code: str, change: RepairChange, after: Snapshot | None = None) -> None:
        """Add a step, and make its change if it is taken.

        Args:
            code: A key of `STEPS`.
            change: What the step does.
            after: The new state, if splices alone do not make it.
        """
        indices = [finding.frame_index for finding in change.findings if finding.frame_index is not None]
        frames = range(min(indices), max(indices) + 1) if indices else range(0)
        is_taken = self._is_taken(code)
        step = RepairStep(
            code=code,
            title=TITLES[code],
            findings=tuple(change.findings),
            frames=frames,
            lost=change.lost,
            is_taken=is_taken,
        )
        self._steps.append(step)
        if is_taken:
            self._make(change, after)

    def _make(self, change: RepairChange, after: Snapshot | None = None) -> None:
        """Make a change; `after` is the new state, if splices alone do not make it."""
        version = self._now.version
        if after is not None:
            self._now = replace(after, version=version + 1)
        elif change.splices:
            self._now = self._now.after(Edit("", version, tuple(change.splices)))
        self._done.add(change)

    def _cut_after(self, last: int) -> None:
        """Remove everything after a frame."""
        now = self._now
        is_last = last == len(now) - 1
        if not 0 <= last < len(now) - 1 and not (is_last and self._is_damaged()):
            return
        row = now.table.row_of_frame(last) + 1
        if row == now.rows:
            return
        text = say("Everything after frame {last:,} is left out, as requested.", last=last + 1)
        finding = Finding("last-good-frame", "info", text, now.position(row), last, row, now.size - now.position(row))
        lost = tally(now.following(now.table.slice(row, now.rows)))
        splice = Splice(row, now.rows - row, now.table.slice(0, 0))
        self._add_step("last-good-frame", RepairChange([splice], [finding], lost))

    def _undo_text_mode(self) -> None:
        """Put 0A for every 0D 0A if the file was written in text mode, and less of it is damaged afterwards."""
        now = self._now
        if not self._is_damaged() or not file_header.is_text_mode(now):
            return
        after, removed = file_header.without_text_mode(now, self._progress.part(0.0, 0.1))
        if file_header.damaged_bytes(after) >= file_header.damaged_bytes(now):
            return
        text = say("The file was written in text mode: {removed:,} bytes 0D were put before each 0A.", removed=removed)
        finding = Finding("text-mode", "error", text, 0, None, 0, now.size)
        change = RepairChange([Splice(0, now.rows, after.table)], [finding], doubled=removed)
        self._add_step("text-mode", change, after)

    def _rebuild_header(self, map_name: str | None) -> bool:
        """Rebuild the header; return False if no frame is found."""
        if not self._now.rows or not self._is_taken("no-header"):
            return False
        rebuilt = file_header.rebuild_header(self._now, map_name, self._donor, self._progress.part(0.1, 0.2))
        if rebuilt is None:
            return False
        after, change = rebuilt
        self._add_step("no-header", change, after)
        return True

    def _set_map_name(self, map_name: str | None) -> None:
        """Set the map name that is given, or one for a name that the simulator cannot load."""
        now = self._now
        header = now.header
        if header is None:
            return
        text = header.map_name if isinstance(header.map_name, str) else ""
        if map_name is not None and map_name != header.map_name:
            message = say("The map was named '{name}'; it is '{map_name}' now.", name=text, map_name=map_name)
        elif text and ("/" not in text or text.startswith("/Game")):
            return
        else:
            message = say("The simulator cannot load a map of the name '{name}'.", name=text)
            map_name = map_name or self._other_map_name()
            if not map_name:
                self._needs_map = True
                return
        renamed = replace(header, map_name=map_name)
        finding = Finding("map-name", "error", message, 28, None, None, len(now.header_bytes) - 28)
        added = len(renamed.encode()) - len(now.header_bytes)
        after = now.after(Edit("", now.version, (), renamed))
        self._add_step("map-name", RepairChange(findings=[finding], added=added), after)

    def _other_map_name(self) -> str | None:
        """Return the map name of the donor, or without one a guess; None if there is none."""
        if self._donor is not None and self._donor.header is not None:
            return str(self._donor.header.map_name)
        return guess_map(self._now)

    def _split_recordings(self) -> None:
        """Repair two recordings in one file separately, and join them."""
        now = self._now
        second_header = file_header.find_second_header(now)
        if second_header is None:
            return
        row = second_header.row
        size = second_header.size
        frame = now.table.frame_of_row(row)
        text = say("After frame {frame:,} another recording begins in the same file.", frame=frame)
        finding = Finding(
            "second-recording",
            "error",
            text,
            offset=now.position(row) + second_header.place,
            frame_index=max(frame - 1, 0),
            row=row,
            size=size,
        )
        change = RepairChange(findings=[finding], doubled=size)
        if not self._is_taken("second-recording"):
            self._add_step("second-recording", change)
            return
        first, second = file_header.split_at(now, second_header)
        first_repair = propose(first, progress=self._progress.part(0.2, 0.3))
        second_repair = propose(second, progress=self._progress.part(0.3, 0.4))
        if second_repair.problem is not None:
            change.lost.bytes += second.size - size
            after = first_repair.after
        elif first_repair.problem is not None:
            change.lost.bytes += first.size - len(now.header_bytes)
            after = replace(second_repair.after, header=now.header, header_bytes=now.header_bytes)
        else:
            after = self._joined(first_repair, second_repair, second_header.header, change)
        change.splices = [Splice(0, now.rows, after.table)]
        for repair in (first_repair, second_repair):
            change.findings += repair.findings
            if repair.problem is None:
                report = repair.report
                change.add(RepairChange(lost=report.lost, doubled=report.doubled, added=report.added))
        self._add_step("second-recording", change, after)

    def _joined(
        self, first_repair: Proposal, second_repair: Proposal, header: FileHeader, change: RepairChange
    ) -> Snapshot:
        """Return the first recording with the second one appended; used as a donor instead if it is a copy."""
        first = first_repair.after
        second = second_repair.after
        if header == self._now.header and _same_start(first, second):
            repair = propose(first, donor=second, progress=self._progress.part(0.4, 0.5))
            change.doubled += second_repair.report.kept.bytes - len(second.header_bytes)
            return repair.after
        try:
            edit = join(first, [second], progress=self._progress.part(0.4, 0.5))
        except EditError as refused:
            change.lost.add(tally(second))
            text = say("The second recording is left out. {reason}", reason=refused.message)
            step = RepairStep(
                code="second-recording",
                title=say("Leave the second recording out"),
                findings=(Finding("second-recording", "warning", text, 0),),
                frames=range(0),
                lost=Tally(),
            )
            self._steps.append(step)
            return first
        return first.after(edit)

    def _remove_duplicate_blocks(self) -> None:
        """Remove blocks that are in the file twice, one after another."""
        change = RepairChange()
        state = self._now
        while len(change.findings) < _MAX_DUPLICATES:
            removal = find_duplicate_block(state)
            if removal is None:
                break
            change.add(removal)
            state = state.after(Edit("", state.version, tuple(removal.splices)))
        if change.findings:
            self._add_step("doubled-block", change)

    # --- frames -----------------------------------------------------------------------------------------

    def _repair_structure(self) -> None:
        """Repair damaged rows; regions with the same kind of damage are one step."""
        now = self._now
        donor = Donor(self._donor, now) if self._donor is not None else None
        repaired: list[Region] = []
        chosen: list[Region] = []
        by_code: dict[str, RepairChange] = {}
        for region in regions(now, donor, self._progress.part(0.5, 0.8)):
            if not region.findings and not region.frames and region.stop <= region.first:
                continue
            repaired.append(region)
            code = region.findings[0].code if region.findings else "junk"
            by_code.setdefault(code, RepairChange()).add(region)
            if self._is_taken(code):
                chosen.append(region)
                if region.first == 0:
                    self._beginning_is_lost = True
        for code in sorted(by_code, key=list(TITLES).index):
            self._add_step(code, by_code[code])
        # At rows that are repaired, missing frames are reported already.
        self._keys = now.table.column("key")
        parts = [self._keys[:0]]
        for region in repaired:
            parts.append(self._keys[region.first : region.stop + 1])
        self._repaired_keys = np.concatenate(parts)
        if chosen:
            self._make(RepairChange([region.splice(now) for region in reversed(chosen)]))

    def _report_missing_frames(self) -> None:
        """Report frames that are missing between two undamaged ones."""
        rows = self._now.table.rows()
        before = rows[:-1]
        after = rows[1:]
        began = before["elapsed"]
        lasted = before["duration"]
        begins = after["elapsed"]
        with np.errstate(all="ignore"):
            gaps = np.abs(began + lasted - begins) > _MISFIT
        # Times that were put in order are no evidence.
        gaps |= (before["stored"] == 0) | (after["stored"] == 0)
        gaps &= (before["kind"] == FRAME) & (after["kind"] == FRAME)
        id_before = before["frame_id"]
        id_after = after["frame_id"]
        gaps &= id_after > id_before + np.uint64(1)
        gaps &= id_after < id_before + np.uint64(_MAX_MISSING)
        gaps &= np.isin(after["key"], self._keys) & ~np.isin(after["key"], self._repaired_keys)
        change = RepairChange()
        for row in (np.flatnonzero(gaps) + 1).tolist():
            missing = int(rows["frame_id"][row] - rows["frame_id"][row - 1]) - 1
            frame = self._now.table.frame_of_row(row)
            text = say_count(
                "Between frames {frame:,} and {after:,}, 1 frame is missing.",
                "Between frames {frame:,} and {after:,}, {count:,} frames are missing.",
                frame=frame,
                after=frame + 1,
                count=missing,
            )
            finding = Finding("missing-frames", "warning", text, self._now.position(row), frame, row, 0)
            change.findings.append(self._in_file(finding))
            change.lost.frames += missing
        if change.findings:
            self._add_step("missing-frames", change)

    def _restore_order(self) -> None:
        """Put ids and times in order."""
        findings: list[Finding] = []
        # Corrected times may show that ids are wrong.
        for _ in range(_MAX_ORDERINGS):
            change = restore_order(self._now, beginning_is_lost=self._beginning_is_lost)
            if not change.splices:
                break
            findings += [self._in_file(finding) for finding in change.findings]
            if not self._is_taken("order"):
                break
            self._make(change)
        if findings:
            self._add_step("order", RepairChange(findings=findings))

    def _remove_unknown_actors(self) -> None:
        """Remove records of actors that do not exist."""
        change = remove_unknown_actors(self._now, self._progress.part(0.8, 1.0))
        if not change.splices:
            return
        change.findings = [self._in_file(finding) for finding in change.findings]
        if self._is_taken("actors"):
            self._actors = change.actors
        self._add_step("actors", change)

    def _in_file(self, finding: Finding) -> Finding:
        """Return a finding of the present state with its place in the damaged file, if the row exists there."""
        if finding.row is None or finding.row >= self._now.rows:
            return finding
        key = self._now.table.row(finding.row)["key"]
        (rows,) = np.nonzero(self._before.table.column("key") == key)
        if not len(rows):
            return replace(finding, offset=None, row=None, frame_index=None)
        row = int(rows[0])
        within = (finding.offset or 0) - self._now.position(finding.row)
        offset = min(self._before.position(row) + within, self._before.size)
        frame = self._before.table.frame_of_row(row)
        if int(self._before.table.row(row)["kind"]) == RAW:
            frame -= 1  # raw bytes count for the frame before them
        return replace(finding, offset=offset, row=row, frame_index=max(frame, 0))


def _same_start(first: Snapshot, second: Snapshot) -> bool:
    """Whether both have frames of the same ids and sizes, up to the end of the shorter, and the same first row."""
    count = min(first.rows, second.rows)
    if not count:
        return False
    for name in ("frame_id", "size"):
        if not np.array_equal(first.table.column(name, 0, count), second.table.column(name, 0, count)):
            return False
    return row_bytes(first, 0) == row_bytes(second, 0)


def _no_frames(snapshot: Snapshot) -> str:
    """Return the sentence about a recording without frames."""
    if snapshot.header is None:
        message = diagnosis(snapshot)
    else:
        message = say("The file ends after its header: it holds no frame.")
    return say("{message} Nothing can be recovered from it.", message=message)
