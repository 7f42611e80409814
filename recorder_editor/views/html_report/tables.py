"""The tables of a report: actors by class, packets, contacts without pictures, findings and notes."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from ...checks import rule
from ...recording import Finding
from ...reports.overview import ClassTotals
from ...reports.statistics import packet_counts
from ...texts import N_, Measure, listed, say, say_count
from .naming import actor_text, seconds_text, span_text
from .speeds import top_speed_of
from .subject import Contact, Subject

MOST_FINDINGS = 40
"""Findings of one rule that have a row each; more of them are one row."""

_MOST_PACKETS = 5
_MOST_ROWS = 200  # of contacts without pictures
_FINDING_SIGNS = {"error": "error", "warning": "warning", "info": "info"}
_SEVERITIES = ("error", "warning", "info")
_CLASS_TITLES = {
    "vehicle": N_("Vehicles"),
    "two-wheeler": N_("Two-wheelers"),
    "walker": N_("Walkers"),
    "traffic light": N_("Traffic lights"),
    "traffic sign": N_("Traffic signs"),
    "sensor": N_("Sensors"),
    "prop": N_("Props"),
    "spectator": N_("Spectator"),
    "other": N_("Others"),
}


class Quantity(NamedTuple):
    """A number and its unit, which is empty where there is none."""

    value: str
    unit: str = ""


class ClassRow(NamedTuple):
    """A class of actors: the name of its colour, its title, how many in all and at once, metres, and m/s."""

    color: str
    title: str
    number: str
    at_once: str
    distance: Quantity
    speed: Quantity


class PacketRow(NamedTuple):
    """A type of packet: its name, records, bytes, and its share of those of the largest, in percent."""

    name: str
    records: str
    size: str
    share: int


class ContactRow(NamedTuple):
    """A contact without pictures: seconds and frames, who, records."""

    span: str
    who: str
    records: str


class FindingRow(NamedTuple):
    """A finding: its sign and what that says, the sentence, the offset, the frame."""

    sign: str
    sign_text: str
    message: str
    offset: str
    frame: str


class NoteRow(NamedTuple):
    """A note: its time, the lines of its text, the tags that these lack."""

    time: str
    lines: Sequence[str]
    tags: Sequence[str]


def tone_text(tone: str) -> str:
    """Return what a sign says to who does not see it."""
    match tone:
        case "error":
            return say("Error")
        case "warning":
            return say("Warning")
        case "info":
            return say("Remark")
    return say("In order")


def class_rows(subject: Subject) -> list[ClassRow]:
    """Return the actors by class, road users first."""
    overview = subject.overview
    nothing = Quantity("-")
    rows = []
    for totals in overview.road_users:
        speed = nothing
        if math.isfinite(totals.top_speed):
            speed = Quantity(f"{Measure(_top_speed(subject, totals)):,.1f}", "m/s")
        distance = Quantity(f"{Measure(totals.distance):,.{0 if totals.distance >= 100 else 1}f}", "m")
        rows.append(
            ClassRow(
                color=totals.class_.replace("-", "_"),
                title=say(_CLASS_TITLES[totals.class_]),
                number=f"{totals.count:,}",
                at_once=f"{totals.at_once:,}",
                distance=distance,
                speed=speed,
            )
        )
    for class_, count in overview.others.items():
        at_once = f"{overview.others_at_once[class_]:,}"
        rows.append(ClassRow("hatch", say(_CLASS_TITLES[class_]), f"{count:,}", at_once, nothing, nothing))
    return rows


def _top_speed(subject: Subject, totals: ClassTotals) -> float:
    """Return the speed of the fastest of a class, m/s, without frames in which one was put elsewhere."""
    fastest = 0.0
    for mover in subject.trajectories.trajectories:
        if mover.life is not None and mover.life.class_ == totals.class_ and mover.top_speed > fastest:
            fastest = max(fastest, top_speed_of(subject.snapshot, mover))
    return fastest


def packet_rows(subject: Subject) -> list[PacketRow]:
    """Return the largest packets; the rest with all headers is the last row, so that the column adds up to the size."""
    snapshot = subject.snapshot
    counts = []
    for packet, totals in packet_counts(snapshot).items():
        counts.append((totals.bytes, snapshot.dialect.packet(packet).name, totals.records))
    counts.sort(key=lambda row: (-row[0], row[1]))
    shown = [row for row in counts[:_MOST_PACKETS] if row[0]]
    others = len(counts) - len(shown)
    rest = subject.overview.size - sum(size for size, _, _ in shown)
    largest = max(1, rest, *(size for size, _, _ in shown))
    rows = [PacketRow(name, f"{records:,}", f"{size:,}", _percent(size, largest)) for size, name, records in shown]
    rest_name = say("Headers")
    if others:
        rest_name = say_count("1 other", "{count:,} others", count=others)
    rows.append(PacketRow(rest_name, "", f"{rest:,}", _percent(rest, largest)))
    return rows


def _percent(part: int, whole: int) -> int:
    return round(100 * part / whole)


def contact_rows(subject: Subject, pictured: Sequence[Contact]) -> list[ContactRow]:
    """Return the contacts that have no pictures."""
    rows = []
    others = [contact for contact in subject.contacts if contact not in pictured]
    for contact in others[:_MOST_ROWS]:
        names = [actor_text(actor, life) for actor, life in zip(contact.actors, contact.lives, strict=True)]
        rows.append(ContactRow(span_text(subject, contact), listed(names, "and"), f"{contact.records:,}"))
    if len(others) > _MOST_ROWS:
        left = len(others) - _MOST_ROWS
        rows.append(ContactRow(say("later"), say_count("1 more contact", "{count:,} more contacts", count=left), ""))
    return rows


def finding_rows(findings: Sequence[Finding]) -> list[FindingRow]:
    """Return the findings, the worst first; many of one rule are one row."""
    counts = Counter(finding.code for finding in findings)
    told: set[str] = set()
    rows = []
    for finding in sorted(findings, key=lambda finding: _SEVERITIES.index(finding.severity)):
        message = finding.message
        offset = ""
        frame = ""
        if counts[finding.code] > MOST_FINDINGS:
            if finding.code in told:
                continue
            told.add(finding.code)
            title = rule(finding.code).shown_title()
            message = say_count(
                "{title} (1 finding)", "{title} ({count:,} findings)", count=counts[finding.code], title=title
            )
        if finding.offset is not None:
            offset = f"0x{finding.offset:06x}"
        if finding.frame_index is not None:
            frame = f"{finding.frame_index + 1:,}"
        sign = _FINDING_SIGNS[finding.severity]
        rows.append(FindingRow(sign, tone_text(finding.severity), message, offset, frame))
    return rows


def note_rows(subject: Subject) -> list[NoteRow]:
    """Return the notes in the order of their frames."""
    rows = []
    for note in subject.notes:
        time = say("no longer in the recording")
        if note.frames and note.start < len(subject.snapshot):
            time = seconds_text(subject, note.start)
        text = note.text
        if note.actor is not None:
            text = say("{actor}: {text}", actor=note.actor, text=note.text)
        lacked = note._replace(tags=()).with_tags(note.every_tag)
        rows.append(NoteRow(time, str(text).splitlines() or [""], [f"#{tag}" for tag in lacked]))
    return rows
