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
from ..recording import RAW, Edit, Finding, Snapshot, Splice
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
    """What is said of a step of a repair.

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

    Attributes: `code` (a key of `TITLES`, one of the `parts` of `propose`), `title`, `findings`, `frames` (indices in
    the damaged recording), `lost` (what it loses), `is_taken`.
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

    Attributes: `before` and `after` (states), `steps`, `report`, `findings` (of all steps, in file order), `problem` (a
    sentence: why nothing can be recovered; None otherwise), `needs_map` (the map name is lost and cannot be guessed).
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
        """The repair as one edit. Raises `EditError` if there is nothing to do."""
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
    """The repair of a recording.

    `donor` is another copy of the same recording, from which undamaged frames are taken; everything after frame
    `last_good_frame` (index from 0) is removed; `map_name` is set in the header; `parts` are the codes of the steps to
    take (None: all). Raises `EditError` for a donor that is no copy, `Cancelled`, and errors of reading.
    """
    return _Repair(snapshot, progress, donor, parts).run(last_good_frame, map_name)


class _Repair:
    """Runs the steps, each on the state that the one before made."""

    def __init__(
        self, snapshot: Snapshot, progress: Progress, donor: Snapshot | None, parts: Collection[str] | None
    ) -> None:
        self._before = self._now = snapshot
        self._progress = progress
        self._donor = donor
        self._parts = parts
        self._steps: list[RepairStep] = []
        self._done = RepairChange()
        self._actors: tuple[int, ...] = ()
        self._beginning_is_lost = False
        self._needs_map = False
        self._known = self._repaired = np.empty(0, np.int64)

    def run(self, last_good_frame: int | None, map_name: str | None) -> Proposal:
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
        findings = sorted((finding for step in self._steps for finding in step.findings), key=in_file_order)
        kept = tally(self._now)
        done = self._done
        kept.bytes = self._before.size - done.lost.bytes - done.doubled
        report = LossReport(kept, done.lost, done.doubled, done.added, self._actors)
        steps = tuple(self._steps)
        splices = tuple(done.splices)
        needs_map = self._needs_map
        return Proposal(self._before, self._now, steps, report, tuple(findings), splices, needs_map=needs_map)

    def _failed(self, problem: str) -> Proposal:
        lost = tally(self._before)
        lost.bytes = self._before.size
        finding = Finding("no-recording", "error", problem, 0, None, None, self._before.size)
        report = LossReport(Tally(), lost)
        return Proposal(self._before, self._before, (), report, (finding,), (), problem)

    # --- the parts --------------------------------------------------------------------------------------

    def _is_taken(self, code: str) -> bool:
        return self._parts is None or code in self._parts

    def _is_damaged(self) -> bool:
        return self._now.header is None or bool((self._now.table.column("kind") != 0).any())

    def _add_step(self, code: str, change: RepairChange, after: Snapshot | None = None) -> None:
        """Add a step, and make its change if it is taken."""
        places = []
        for finding in change.findings:
            if finding.frame_index is not None:
                places.append(finding.frame_index)
        if places:
            frames = range(min(places), max(places) + 1)
        else:
            frames = range(0)
        taken = self._is_taken(code)
        self._steps.append(RepairStep(code, TITLES[code], tuple(change.findings), frames, change.lost, taken))
        if taken:
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
        now = self._now
        if not 0 <= last < len(now) - 1 and not (last == len(now) - 1 and self._is_damaged()):
            return
        row = now.table.row_of_frame(last) + 1
        if row == now.rows:
            return
        text = say("Everything after frame {last:,} is left out, as requested.", last=last + 1)
        finding = Finding("last-good-frame", "info", text, now.position(row), last, row, now.size - now.position(row))
        lost = tally(now.following(now.table.slice(row, now.rows)))
        self._add_step(
            "last-good-frame", RepairChange([Splice(row, now.rows - row, now.table.slice(0, 0))], [finding], lost)
        )

    def _undo_text_mode(self) -> None:
        now = self._now
        if not self._is_damaged() or not file_header.is_text_mode(now):
            return
        after, removed = file_header.without_text_mode(now, self._progress.part(0.0, 0.1))
        if file_header.damaged_bytes(after) >= file_header.damaged_bytes(now):
            return
        text = say("The file was written in text mode: {removed:,} bytes 0D were put before each 0A.", removed=removed)
        finding = Finding("text-mode", "error", text, 0, None, 0, now.size)
        self._add_step("text-mode", RepairChange([Splice(0, now.rows, after.table)], [finding], doubled=removed), after)

    def _rebuild_header(self, map_name: str | None) -> bool:
        """Rebuild the header; returns False if no frame is found."""
        if not self._now.rows or not self._is_taken("no-header"):
            return False
        found = file_header.rebuild_header(self._now, map_name, self._donor, self._progress.part(0.1, 0.2))
        if found is None:
            return False
        after, change = found
        self._add_step("no-header", change, after)
        return True

    def _set_map_name(self, map_name: str | None) -> None:
        now = self._now
        header = now.header
        if header is None:
            return
        name = header.map_name
        text = name if isinstance(name, str) else ""
        if map_name is not None and map_name != name:
            message = say("The map was named '{name}'; it is '{map_name}' now.", name=text, map_name=map_name)
        elif text and not ("/" in text and not text.startswith("/Game")):
            return
        else:
            message = say("The simulator cannot load a map of the name '{name}'.", name=text)
            donated = self._donor.header if self._donor is not None else None
            map_name = map_name or (guess_map(now) if donated is None else str(donated.map_name))
            if not map_name:
                self._needs_map = True
                return
        made = replace(header, map_name=map_name)
        finding = Finding("map-name", "error", message, 28, None, None, len(now.header_bytes) - 28)
        added = len(made.encode()) - len(now.header_bytes)
        after = now.after(Edit("", now.version, (), made))
        self._add_step("map-name", RepairChange(findings=[finding], added=added), after)

    def _split_recordings(self) -> None:
        """Repair two recordings in one file separately, and join them."""
        now = self._now
        found = file_header.second_header(now)
        if found is None:
            return
        row, place, header, size = found
        offset = now.position(row) + place
        frame = now.table.frame_of_row(row)
        text = say("After frame {frame:,} another recording begins in the same file.", frame=frame)
        finding = Finding("second-recording", "error", text, offset, max(frame - 1, 0), row, size)
        change = RepairChange(findings=[finding], doubled=size)
        if not self._is_taken("second-recording"):
            self._add_step("second-recording", change)
            return
        first, second = file_header.split_at(now, row, place, header, size)
        one = propose(first, progress=self._progress.part(0.2, 0.3))
        other = propose(second, progress=self._progress.part(0.3, 0.4))
        if other.problem is not None:
            change.lost.bytes += second.size - size
            after = one.after
        elif one.problem is not None:
            change.lost.bytes += first.size - len(now.header_bytes)
            after = replace(other.after, header=now.header, header_bytes=now.header_bytes)
        else:
            after = self._joined(one, other, header, change)
        change.splices = [Splice(0, now.rows, after.table)]
        for each in (one, other):
            change.findings += each.findings
            if each.problem is None:
                change.add(RepairChange(lost=each.report.lost, doubled=each.report.doubled, added=each.report.added))
        self._add_step("second-recording", change, after)

    def _joined(self, one: Proposal, other: Proposal, header: FileHeader, change: RepairChange) -> Snapshot:
        """The first recording with the second one appended; used as a donor instead if it is a copy."""
        first = one.after
        second = other.after
        if header == self._now.header and _same_start(first, second):
            made = propose(first, donor=second, progress=self._progress.part(0.4, 0.5))
            change.doubled += other.report.kept.bytes - len(second.header_bytes)
            return made.after
        try:
            edit = join(first, [second], progress=self._progress.part(0.4, 0.5))
        except EditError as refused:
            change.lost.add(tally(second))
            text = say("The second recording is left out. {reason}", reason=refused.message)
            findings = (Finding("second-recording", "warning", text, 0),)
            title = say("Leave the second recording out")
            self._steps.append(RepairStep("second-recording", title, findings, range(0), Tally()))
            return first
        return first.after(edit)

    def _remove_duplicate_blocks(self) -> None:
        change = RepairChange()
        state = self._now
        while len(change.findings) < _MAX_DUPLICATES and (found := find_duplicate_block(state)) is not None:
            change.add(found)
            state = state.after(Edit("", state.version, tuple(found.splices)))
        if change.findings:
            self._add_step("doubled-block", change)

    # --- frames -----------------------------------------------------------------------------------------

    def _repair_structure(self) -> None:
        now = self._now
        donor = None
        if self._donor is not None:
            donor = Donor(self._donor, now)
        found = regions(now, donor, self._progress.part(0.5, 0.8))
        found = [region for region in found if region.findings or region.frames or region.stop > region.first]
        chosen: list[Region] = []
        by_code: dict[str, RepairChange] = {}
        for region in found:
            if region.findings:
                code = region.findings[0].code
            else:
                code = "junk"
            by_code.setdefault(code, RepairChange()).add(region)
            if self._is_taken(code):
                chosen.append(region)
                self._beginning_is_lost |= region.first == 0
        for code in sorted(by_code, key=list(TITLES).index):
            self._add_step(code, by_code[code])
        # Keys of rows: at those repaired, missing frames are reported already.
        self._known = now.table.column("key")
        known = [self._known[region.first : region.stop + 1] for region in found]
        self._repaired = np.concatenate([self._known[:0], *known])
        if chosen:
            self._make(RepairChange([region.splice(now) for region in reversed(chosen)]))

    def _report_missing_frames(self) -> None:
        """Report frames that are missing between two undamaged ones."""
        rows = self._now.table.rows()
        before, after = rows[:-1], rows[1:]
        with np.errstate(all="ignore"):
            gaps = np.abs(before["elapsed"] + before["duration"] - after["elapsed"]) > _MISFIT
        # Times that were put in order are no evidence.
        gaps |= (before["stored"] == 0) | (after["stored"] == 0)
        gaps &= (before["kind"] == 0) & (after["kind"] == 0) & (after["frame_id"] > before["frame_id"] + np.uint64(1))
        gaps &= after["frame_id"] < before["frame_id"] + np.uint64(_MAX_MISSING)
        gaps &= np.isin(after["key"], self._known) & ~np.isin(after["key"], self._repaired)
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
        findings: list[Finding] = []
        # Corrected times may show that ids are wrong.
        for _ in range(_MAX_ORDERINGS):
            found = restore_order(self._now, beginning_is_lost=self._beginning_is_lost)
            if not found.splices:
                break
            findings += [self._in_file(finding) for finding in found.findings]
            if not self._is_taken("order"):
                break
            self._make(found)
        if findings:
            self._add_step("order", RepairChange(findings=findings))

    def _remove_unknown_actors(self) -> None:
        found = remove_unknown_actors(self._now, self._progress.part(0.8, 1.0))
        if found.splices:
            found.findings = list(map(self._in_file, found.findings))
            self._actors = found.actors if self._is_taken("actors") else ()
            self._add_step("actors", found)

    def _in_file(self, finding: Finding) -> Finding:
        """A finding of the present state with its place in the damaged file, if the row exists there."""
        if finding.row is None or finding.row >= self._now.rows:
            return finding
        key = self._now.table.row(finding.row)["key"]
        (rows,) = np.nonzero(self._before.table.column("key") == key)
        if not len(rows):
            return replace(finding, offset=None, row=None, frame_index=None)
        row = int(rows[0])
        within = (finding.offset or 0) - self._now.position(finding.row)
        offset = min(self._before.position(row) + within, self._before.size)
        is_raw = int(self._before.table.row(row)["kind"]) == RAW
        frame = self._before.table.frame_of_row(row) - is_raw
        return replace(finding, offset=offset, row=row, frame_index=max(frame, 0))


def _same_start(one: Snapshot, other: Snapshot) -> bool:
    """Whether both have frames of the same ids and sizes, up to the end of the shorter, and the same first row."""
    count = min(one.rows, other.rows)
    columns = ("frame_id", "size")
    is_same = all(
        np.array_equal(one.table.column(each, 0, count), other.table.column(each, 0, count)) for each in columns
    )
    return is_same and count > 0 and row_bytes(one, 0) == row_bytes(other, 0)


def _no_frames(snapshot: Snapshot) -> str:
    if snapshot.header is None:
        message = diagnosis(snapshot)
    else:
        message = say("The file ends after its header: it holds no frame.")
    return say("{message} Nothing can be recovered from it.", message=message)
