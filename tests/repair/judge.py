"""Whether a repair kept what it must keep, said what it lost, and left nothing wrong: a list of complaints."""

import struct
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import recorder_editor
from recorder_editor.recording.snapshot import Snapshot
from recorder_editor.repair import Proposal, find_errors, propose
from tests.repair.damage import Damaged, Source
from tests.repair.plain import Census, Frame, counted, frames_of, header_size


def judged(source: Source, damaged: Damaged, path: Path, map_name: str = "Town01") -> list[str]:
    """Repair the damaged bytes and say what is wrong with what comes of them; nothing is."""
    path.write_bytes(damaged.data)
    with recorder_editor.open(path) as recording:
        proposal = propose(recording.snapshot)
        if proposal.needs_map:
            proposal = propose(recording.snapshot, map_name=map_name)
        if proposal.problem is not None:
            enough = len(source.frames) - len(damaged.touched) - damaged.hidden > 2
            return [f"nothing saved: {proposal.problem}"] if enough else []
        if not proposal.is_copy:
            recording.apply(proposal.edit())
        result = recording.snapshot.read(0, recording.snapshot.size)
        complaints = [f"error left: {each.code} {each.message}" for each in find_errors(recording.snapshot)[:3]]
        complaints += _opened_again(path, result)
    try:
        frames = frames_of(result)
    except (AssertionError, struct.error) as wrong:
        return [*complaints, f"not sound: {wrong!r}"]
    long_wheels = proposal.after.dialect.name != "ue4-0.9.10"
    complaints += _kept(source, damaged, result, frames, long_wheels)
    complaints += _report(source, damaged, proposal, result, frames)
    return complaints


def _opened_again(path: Path, result: bytes) -> list[str]:
    path.write_bytes(result)
    with recorder_editor.open(path) as recording:
        return [f"opens with damage: {finding.message}" for finding in recording.findings]


# --- frames ---------------------------------------------------------------------------------------------------


def _kept(source: Source, damaged: Damaged, result: bytes, frames: list[Frame], long_wheels: bool) -> list[str]:
    """Frames that neither the damage nor its consequences touched are there byte for byte."""
    whole = {index for index in range(len(source.frames)) if index not in damaged.touched}
    by_number = {source.frames[index].number: source.frames[index] for index in whole}
    complaints = []
    census = Census()
    seen: set[int] = set()
    for position, frame in enumerate(frames):
        original = by_number.get(frame.number)
        if original is None or original.number in seen:
            census.without_strangers(frame, result, long_wheels)
            continue
        seen.add(original.number)
        there = result[frame.start : frame.stop]
        expected = census.without_strangers(original, source.data, long_wheels)
        if position == len(frames) - 1:
            there, expected = there[:13] + there[21:], expected[:13] + expected[21:]
        if there != expected:
            complaints.append(f"frame {frame.number} is not what it was ({len(there)} bytes, not {len(expected)})")
    missing = by_number.keys() - seen
    if missing:
        complaints.append(f"{len(missing)} untouched frames are missing: {sorted(missing)[:5]}")
    if any(not a.elapsed < b.elapsed for a, b in pairwise(frames)):
        complaints.append("time does not go on")
    if frames and (frames[-1].duration != -1 or any(not each.duration > 0 for each in frames[:-1])):
        complaints.append("a duration is wrong")
    return complaints[:4]


# --- the report -----------------------------------------------------------------------------------------------


def _report(source: Source, damaged: Damaged, proposal: Proposal, result: bytes, frames: list[Frame]) -> list[str]:
    report = proposal.report
    complaints = []
    packets, records = counted(frames)
    names = _names(proposal.after)
    kept = {names(number): count for number, count in packets.items()}
    if {**report.kept.packets_by_type} != kept or report.kept.frames != len(frames):
        complaints.append("what is kept is counted wrong")
    if +report.kept.records_by_type != +Counter({names(number): count for number, count in records.items()}):
        complaints.append("records that are kept are counted wrong")
    if report.kept.bytes + report.lost.bytes + report.doubled != len(damaged.data):
        complaints.append("bytes of the file are counted wrong")
    if report.kept.bytes + report.added != len(result):
        complaints.append(f"bytes of the result are counted wrong: {len(result) - report.kept.bytes - report.added:+}")
    if damaged.lossless is not None and report.lossless != damaged.lossless:
        complaints.append(f"said to be {'lossless' if report.lossless else 'with loss'}: {report.lost.as_json()}")
    gone = {each.number for each in source.frames} - {each.number for each in frames}
    if not len(gone) - damaged.hidden <= report.lost.frames <= len(gone):
        complaints.append(
            f"{len(gone)} frames are gone, {damaged.hidden} of them unseen; {report.lost.frames} are said"
        )
    complaints += _lost_records(source, damaged, proposal, frames)
    return complaints


def _lost_records(source: Source, damaged: Damaged, proposal: Proposal, frames: list[Frame]) -> list[str]:
    """No fewer records are said to be lost than went out of frames that the damage did not touch."""
    names = _names(proposal.after)
    mine = {each.number: each for index, each in enumerate(source.frames) if index not in damaged.touched}
    there = [each for each in frames if each.number in mine]
    _, now = counted(there)
    _, before = counted([mine[each.number] for each in there])
    said = proposal.report.lost.records_by_type
    return [
        f"{before[number] - now[number]} records of {names(number)} went, {said[names(number)]} are said"
        for number in before
        if before[number] - now[number] > said[names(number)]
    ]


def _names(snapshot: Snapshot) -> Callable[[int], str]:
    return lambda number: snapshot.dialect.packet(number).name


def sources(data: bytes) -> Source:
    """A sound recording, ready to be damaged."""
    assert header_size(data) < len(data)
    return Source(data, frames_of(data))
