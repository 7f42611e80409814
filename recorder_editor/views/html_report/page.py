"""The words and tables of a report, section by section, as its templates take them."""

import math
import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ...checks import rule
from ...checks.checking import all_rules
from ...progress import SILENT, Progress
from ...reading import Life
from ...reading.event_index import CLASS_COUNTS
from ...reading.lives import short_blueprint
from ...reading.trajectories import SIDE, thumbnail_paths
from ...recording import Finding
from ...reports.statistics import packet_counts
from ...texts import N_, Measure, language, listed, say, say_count
from ..health import Health, Tone
from .chart import Chart, charts_of, contacts_of_mover
from .drawing import Ground, View, color_of, ground_of, polyline
from .pictures import (
    MOST_CONTACTS,
    MOST_RISKS,
    ClassPath,
    ContactPictures,
    MapPicture,
    Moment,
    actor_text,
    class_paths,
    contact_pictures,
    map_name,
    map_pictures,
    risk_pictures,
    seconds_text,
    span_text,
)
from .speeds import SpeedSeries, speeds_of_mover
from .subject import RISKY, VERY_RISKY, Contact, Subject

MOST_FINDINGS = 40
"""Findings of one rule that have a row each; more of them are one row."""

_MOST_PACKETS = 5
_MOST_ROWS = 200  # of contacts without pictures
_SHORT_DIGEST = (8, 10)  # digits at the beginning and the end
_SIGNS: dict[Tone, str] = {"error": "error", "warning": "warning", "fine": "check"}
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


class Fact(NamedTuple):
    """A fact at the top of a page."""

    title: str
    value: str
    is_mono: bool = False


class HealthLine(NamedTuple):
    """The state of a recording.

    Attributes:
        tone: How bad it is.
        sign: The name of its sign.
        sign_text: What the sign says to who does not see it.
        state: The state in a sentence.
        rest: What to know besides.
        has_link: There are findings to be read about.
    """

    tone: Tone
    sign: str
    sign_text: str
    state: str
    rest: str
    has_link: bool


class Quantity(NamedTuple):
    """A number and its unit, which is empty where there is none."""

    value: str
    unit: str = ""


class ClassRow(NamedTuple):
    """A class of actors: the name of its colour, its title, how many in all and at once, metres, and m/s."""

    color: str
    title: str
    count: str
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


class Heading(NamedTuple):
    """The heading of a section: the end of its id, its title, its caption."""

    name: str
    title: str
    caption: str = ""


@dataclass(frozen=True, eq=False)
class Page:
    """What a report says of one recording.

    Attributes:
        key: Begins the ids of its sections.
        name: The name of the file.
        subtitle: What it is, who made it and when; empty below the table of several.
        facts: The facts at its top.
        health: Its state.
        is_damaged: The state stands before all else.
        headings: The sections by name, in their order.
        summary: The section In short.
        ground: What lies under the pictures.
        far_ground: What lies under a map that shows much of a town; None where that is the same.
        paths: Recorded paths on the map.
        maps: The wide and the narrow map; none without a place.
        no_map: Why there is none.
        classes: The table of actors.
        packets: The table of packets.
        charts: The wide chart and that for print; none without values.
        no_chart: Why there is none.
        contacts: The contacts with pictures.
        more_contacts: Those without.
        no_contacts: A sentence that there is none.
        risks: The risks.
        no_risks: A sentence that there is none, or why they are not known.
        findings: The findings.
        no_findings: A sentence that there is none.
        edits: The names of the edits.
        no_edits: A sentence that there is none.
        notes: The notes.
        no_notes: A sentence that there is none.
        definitions: How the numbers are defined.
        row: The row of the recording in the table of several.
    """

    key: str
    name: str
    subtitle: str
    facts: Sequence[Fact]
    health: HealthLine
    is_damaged: bool
    headings: dict[str, Heading]
    summary: str
    ground: Ground
    far_ground: Ground | None
    paths: Sequence[ClassPath]
    maps: Sequence[MapPicture]
    no_map: str
    classes: Sequence[ClassRow]
    packets: Sequence[PacketRow]
    charts: Sequence[Chart]
    no_chart: str
    contacts: Sequence[ContactPictures]
    more_contacts: Sequence[ContactRow]
    no_contacts: str
    risks: Sequence[Moment]
    no_risks: str
    findings: Sequence[FindingRow]
    no_findings: str
    edits: Sequence[str]
    no_edits: str
    notes: Sequence[NoteRow]
    no_notes: str
    definitions: Sequence[str]
    row: "OverviewRow"


class OverviewRow(NamedTuple):
    """A recording in the table of several.

    Attributes:
        key: Begins the ids of its page.
        health: Its state.
        word: The state in few words.
        name: The name of the file.
        map: Its town.
        length: Seconds.
        users: Road users.
        contacts: Collisions.
        risks: Stretches at risk.
        ttc: The least TTC.
        lines: The longest paths: the name of a colour, and a path on a square of 40 pixels.
    """

    key: str
    health: HealthLine
    word: str
    name: str
    map: str
    length: Quantity
    users: str
    contacts: str
    risks: str
    ttc: Quantity
    lines: Sequence[tuple[str, str]]


def page_of(subject: Subject, key: str, subtitle: str, progress: Progress = SILENT) -> Page:
    """Return what a report says of a recording.

    Args:
        subject: What is known of it.
        key: Begins the ids of its sections.
        subtitle: What stands below its name.
        progress: Counts pictures.

    Raises:
        OSError: The file cannot be read, as by `Store.read`.
    """
    speeds = None
    charts: list[Chart] = []
    if subject.mover is not None and subject.mover.life is not None:
        speeds = speeds_of_mover(subject.snapshot, subject.mover)
        charts = charts_of(subject, speeds, _mover_color(subject.mover.life))
    pictured = _pictured(subject)
    maps = map_pictures(subject, speeds)
    contacts = contact_pictures(subject, pictured, progress.part(0.0, 0.5))
    risks = risk_pictures(subject, subject.risks[:MOST_RISKS], progress.part(0.5, 1.0))
    near_views = [moment.view for contact in contacts for moment in contact.moments]
    near_views.extend(moment.view for moment in risks)
    map_views = [picture.view for picture in maps]
    far_ground = None
    if any(picture.is_far for picture in maps):
        far_ground = ground_of(subject.roads, subject.streets, map_views, is_far=True)
    else:
        near_views.extend(map_views)
    paths: list[ClassPath] = []
    if maps:
        paths = class_paths(subject, _widest(map_views))
    health = _health_line(subject.health)
    return Page(
        key=key,
        name=subject.source.path.name,
        subtitle=subtitle,
        facts=_facts(subject),
        health=health,
        is_damaged=bool(subject.health.damage),
        headings={heading.name: heading for heading in _headings(subject, speeds)},
        summary=listed(_summary(subject), "sentences"),
        ground=ground_of(subject.roads, subject.streets, near_views),
        far_ground=far_ground,
        paths=paths,
        maps=maps,
        no_map=say("No road user has a position."),
        classes=_class_rows(subject),
        packets=_packet_rows(subject),
        charts=charts,
        no_chart=say("No road user moves."),
        contacts=contacts,
        more_contacts=_contact_rows(subject, pictured),
        no_contacts=say("No collision is recorded."),
        risks=risks,
        no_risks=_no_risks(subject),
        findings=_finding_rows(subject.findings),
        no_findings=say("Nothing was found."),
        edits=list(subject.source.edits),
        no_edits=say("None. The bytes are those of the file that was opened."),
        notes=_note_rows(subject),
        no_notes=say("None."),
        definitions=_definitions(subject),
        row=_overview_row(subject, key, health),
    )


def _widest(views: Sequence[View]) -> View:
    return max(views, key=lambda view: view.width)


def _mover_color(life: Life) -> str:
    if life.is_hero:
        return "hero"
    return color_of(life)


def _pictured(subject: Subject) -> list[Contact]:
    """Return the contacts that have pictures, in order of time: those of heroes come first where there are many."""
    ranked = sorted(subject.contacts, key=lambda contact: not any(life.is_hero for life in contact.known))
    return sorted(ranked[:MOST_CONTACTS], key=lambda contact: (contact.first, contact.actors))


# --- the head ---------------------------------------------------------------------------------------------


def _facts(subject: Subject) -> list[Fact]:
    overview = subject.overview
    date = say("unknown")
    if overview.header is not None and overview.header.when is not None:
        date = f"{overview.header.when:%Y-%m-%d %H:%M:%S} UTC"
    users = [say(CLASS_COUNTS[totals.class_], count=totals.count) for totals in overview.road_users]
    first, last = _SHORT_DIGEST
    return [
        Fact(say("Map"), map_name(subject) or say("none")),
        Fact(say("Recorded"), date),
        Fact(say("Length"), _length_text(subject)),
        Fact(say("Written by"), subject.snapshot.dialect.releases),
        Fact(say("Hero"), _hero_text(subject)),
        Fact(say("Road users"), listed(users) or say("none")),
        Fact(say("Size"), say_count("1 byte", "{count:,} bytes", count=overview.size)),
        Fact("SHA-256", f"{subject.digest[:first]} … {subject.digest[-last:]}", is_mono=True),
    ]


def _length_text(subject: Subject) -> str:
    overview = subject.overview
    if not overview.frames:
        return say("no frames")
    seconds = say("{seconds:,.3f} s", seconds=Measure(overview.duration))
    if overview.steps.fixed and overview.steps.median is not None:
        frames = say_count(
            "1 frame", "{count:,} frames of {step:.3f} s", count=overview.frames, step=Measure(overview.steps.median)
        )
    else:
        frames = say_count("1 frame", "{count:,} frames", count=overview.frames)
    return listed((seconds, frames))


def _hero_text(subject: Subject) -> str:
    heroes = subject.overview.heroes
    if not heroes:
        return say("none")
    life = heroes[0].life
    blueprint = short_blueprint(life.blueprint) if life is not None else ""
    more = ""
    if len(heroes) > 1:
        more = say_count("1 more hero", "{count:,} more heroes", count=len(heroes) - 1)
    return listed((str(heroes[0].actor), blueprint, more))


def _health_line(health: Health) -> HealthLine:
    kinds = ""
    if health.damage:
        state = _as_sentence(health.damage)
    elif health.errors:
        state = say_count("1 error: {kinds}.", "{count:,} errors: {kinds}.", count=health.errors, kinds=health.kinds)
    elif health.replays:
        state = say("Readable to the last byte, and a simulator can replay it.")
    else:
        state = say("Readable to the last byte.")
    if health.warnings and health.errors:
        kinds = say_count("1 warning besides.", "{count:,} warnings besides.", count=health.warnings)
    elif health.warnings:
        kinds = say_count(
            "1 warning: {kinds}.", "{count:,} warnings: {kinds}.", count=health.warnings, kinds=health.kinds
        )
    return HealthLine(
        tone=health.tone,
        sign=_SIGNS[health.tone],
        sign_text=_tone_text(health.tone),
        state=state,
        rest=kinds,
        has_link=health.tone != "fine",
    )


def _as_sentence(text: str) -> str:
    """Return a text with a large letter at its beginning and a full stop at its end."""
    sentence = text[:1].upper() + text[1:]
    if sentence.endswith((".", "。")):
        return sentence
    return say("{text}.", text=sentence)


def _tone_text(tone: str) -> str:
    match tone:
        case "error":
            return say("Error")
        case "warning":
            return say("Warning")
        case "info":
            return say("Remark")
    return say("In order")


def _headings(subject: Subject, speeds: SpeedSeries | None) -> list[Heading]:
    return [
        Heading("short", say("In short")),
        Heading("map", say("Map"), _map_caption(subject, speeds)),
        Heading("speed", say("Speed and risk"), _mover_caption(subject)),
        Heading("collisions", say("Collisions"), _contacts_caption(subject)),
        Heading("risks", say("Risks"), _risks_caption(subject)),
        Heading("checks", say("Checks"), _checks_caption(subject)),
        Heading("edits", say("Edits"), _count_caption(len(subject.source.edits))),
        Heading("notes", say("Notes"), _count_caption(len(subject.notes))),
    ]


def _count_caption(count: int) -> str:
    if not count:
        return ""
    return f"{count:,}"


def _map_caption(subject: Subject, speeds: SpeedSeries | None) -> str:
    town = map_name(subject)
    if subject.roads is None:
        where = say("paths of all road users, without a road map")
    elif town:
        where = say("paths of all road users on {map}", map=town)
    else:
        where = say("paths of all road users")
    if speeds is None or subject.mover is None:
        return where
    if subject.has_hero:
        return listed((where, say("the hero's by its speed")))
    return listed((where, say("that of {actor} by its speed", actor=subject.mover.actor)))


def _mover_caption(subject: Subject) -> str:
    if subject.mover is None:
        return ""
    if subject.has_hero:
        return say("of the hero, {actor}", actor=subject.mover.actor)
    return say("of {actor}, which drives farthest: there is no hero", actor=subject.mover.actor)


def _contacts_caption(subject: Subject) -> str:
    if not subject.contacts:
        return ""
    contacts = say_count("1 contact", "{count:,} contacts", count=len(subject.contacts))
    number = sum(contact.records for contact in subject.contacts)
    records = say_count("1 record", "{count:,} records", count=number)
    parts = [contacts, records]
    if len(subject.contacts) > MOST_CONTACTS:
        parts.append(say("{count} with pictures", count=MOST_CONTACTS))
    return listed(parts)


def _risks_caption(subject: Subject) -> str:
    if not subject.risks:
        return ""
    pairs = len(subject.risks)
    if pairs > MOST_RISKS:
        text = say(
            "least time to collision of a pair; {shown} of {count:,} pairs, the worst first",
            shown=MOST_RISKS,
            count=pairs,
        )
    else:
        text = say_count(
            "least time to collision of a pair",
            "least time to collision of {count:,} pairs, the worst first",
            count=pairs,
        )
    if subject.contacts:
        return listed((text, say("those with a contact left out")))
    return text


def _checks_caption(subject: Subject) -> str:
    counts = Counter(finding.severity for finding in subject.findings)
    parts = [
        say_count("1 error", "{count:,} errors", count=counts["error"]) if counts["error"] else say("no errors"),
        say_count("1 warning", "{count:,} warnings", count=counts["warning"]) if counts["warning"] else "",
        say_count("1 remark", "{count:,} remarks", count=counts["info"]) if counts["info"] else "",
    ]
    return say("{count} rules: {findings}", count=len(all_rules()), findings=listed(parts))


# --- in short ---------------------------------------------------------------------------------------------


def _summary(subject: Subject) -> list[str]:
    if not subject.overview.frames:
        return [say("The recording has no frames.")]
    sentences = [_mover_sentence(subject), _contact_sentence(subject), _ttc_sentence(subject), _risk_sentence(subject)]
    return [sentence for sentence in sentences if sentence]


def _mover_sentence(subject: Subject) -> str:
    mover = subject.mover
    if mover is None or mover.life is None:
        if not subject.overview.road_users:
            return say("The recording has no road user.")
        return say("No road user moves.")
    metres = Measure(mover.distance)
    seconds = Measure(subject.overview.duration)
    if subject.has_hero:
        text = say(
            "The hero {actor} drives {metres:,.1f} m in {seconds:,.1f} s",
            actor=mover.actor,
            metres=metres,
            seconds=seconds,
        )
    else:
        text = say(
            "There is no hero; {actor} drives farthest, {metres:,.1f} m in {seconds:,.1f} s",
            actor=actor_text(mover.actor, mover.life),
            metres=metres,
            seconds=seconds,
        )
    if math.isfinite(mover.top_speed):
        return say("{text}, at most {speed:,.1f} m/s.", text=text, speed=Measure(mover.top_speed))
    return say("{text}.", text=text)


def _contact_sentence(subject: Subject) -> str:
    if not subject.contacts:
        return say("No collision is recorded.")
    own = contacts_of_mover(subject)
    contact = own[0] if own else subject.contacts[0]
    first, second = (actor_text(actor, life) for actor, life in zip(contact.actors, contact.lives, strict=True))
    time = seconds_text(subject, contact.first)
    text = say("At {time} {first} and {second} collide", time=time, first=first, second=second)
    records = say_count("1 record", "{count:,} records", count=contact.records)
    if contact.last > contact.first:
        end = seconds_text(subject, contact.last)
        text = say("{text}; they touch until {end} ({records}).", text=text, end=end, records=records)
    else:
        text = say("{text} ({records}).", text=text, records=records)
    others = len(subject.contacts) - 1
    if not others:
        return text
    more = say_count("There is 1 more contact.", "There are {count:,} more contacts.", count=others)
    return listed((text, more), "sentences")


def _ttc_sentence(subject: Subject) -> str:
    """Say how near the mover comes to the one ahead, before its first contact."""
    mover = subject.mover
    if subject.analysis is None or mover is None or mover.life is None:
        return ""
    own = contacts_of_mover(subject)
    partners = {life.index for contact in own for life in contact.known}
    best: tuple[float, int, int] | None = None
    for risk in subject.every_risk:
        if risk["life"] != mover.life.index or int(risk["leader"]) in partners:
            continue
        if own and risk["worst"] >= own[0].first:
            continue
        candidate = (float(risk["ttc"]), int(risk["worst"]), int(risk["leader"]))
        if best is None or candidate < best:
            best = candidate
    if best is None:
        return ""
    seconds, frame, leader = best
    template = N_("Its least time to collision is {seconds:.2f} s, behind {leader} at {time}.")
    if own:
        template = N_("Before that, its least time to collision is {seconds:.2f} s, behind {leader} at {time}.")
    return say(
        template,
        seconds=Measure(seconds),
        leader=subject.trajectories.actors.lives[leader].actor,
        time=seconds_text(subject, frame),
    )


def _risk_sentence(subject: Subject) -> str:
    if subject.analysis is None:
        return ""
    risks = subject.every_risk
    if not len(risks):
        return say("No time to collision falls below {seconds:g} s.", seconds=RISKY)
    template = N_("The whole recording has {risks}, {high:,} of them below {seconds:g} s.")
    high = int((risks["level"] == 2).sum())
    if not high:
        template = N_("The whole recording has {risks}, none of them below {seconds:g} s.")
    text = say_count("1 risk", "{count:,} risks", count=len(risks))
    return say(template, risks=text, high=high, seconds=VERY_RISKY)


def _no_risks(subject: Subject) -> str:
    if subject.no_analysis:
        return subject.no_analysis
    if len(subject.every_risk):
        return say("Only those that collide come near each other.")
    return say("No time to collision falls below {seconds:g} s.", seconds=RISKY)


# --- tables -----------------------------------------------------------------------------------------------


def _class_rows(subject: Subject) -> list[ClassRow]:
    overview = subject.overview
    nothing = Quantity("-")
    rows = []
    for totals in overview.road_users:
        speed = nothing
        if math.isfinite(totals.top_speed):
            speed = Quantity(f"{Measure(totals.top_speed):,.1f}", "m/s")
        distance = Quantity(f"{Measure(totals.distance):,.{0 if totals.distance >= 100 else 1}f}", "m")
        rows.append(
            ClassRow(
                color=totals.class_.replace("-", "_"),
                title=say(_CLASS_TITLES[totals.class_]),
                count=f"{totals.count:,}",
                at_once=f"{totals.at_once:,}",
                distance=distance,
                speed=speed,
            )
        )
    for class_, count in overview.others.items():
        at_once = f"{overview.others_at_once[class_]:,}"
        rows.append(ClassRow("hatch", say(_CLASS_TITLES[class_]), f"{count:,}", at_once, nothing, nothing))
    return rows


def _packet_rows(subject: Subject) -> list[PacketRow]:
    """Return the largest packets; the rest with all headers is the last row, so that the column adds up to the size."""
    snapshot = subject.snapshot
    counts = []
    for packet, totals in packet_counts(snapshot).items():
        counts.append((totals.bytes, snapshot.dialect.packet(packet).name, totals.records))
    counts.sort(key=lambda row: (-row[0], row[1]))
    shown = counts[:_MOST_PACKETS]
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


def _contact_rows(subject: Subject, pictured: Sequence[Contact]) -> list[ContactRow]:
    rows = []
    others = [contact for contact in subject.contacts if contact not in pictured]
    for contact in others[:_MOST_ROWS]:
        names = [actor_text(actor, life) for actor, life in zip(contact.actors, contact.lives, strict=True)]
        rows.append(ContactRow(span_text(subject, contact), listed(names, "and"), f"{contact.records:,}"))
    if len(others) > _MOST_ROWS:
        left = len(others) - _MOST_ROWS
        rows.append(ContactRow(say("later"), say_count("1 more contact", "{count:,} more contacts", count=left), ""))
    return rows


def _finding_rows(findings: Sequence[Finding]) -> list[FindingRow]:
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
        rows.append(FindingRow(sign, _tone_text(finding.severity), message, offset, frame))
    return rows


def _note_rows(subject: Subject) -> list[NoteRow]:
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


def _definitions(subject: Subject) -> list[str]:
    detection = subject.snapshot.detection
    return [
        say(
            "Time to collision (TTC): the gap to the road user ahead on the same way, divided by the speed at which it "
            "closes. A risk is a TTC below {risky:g} s, a high one below {high:g} s.",
            risky=RISKY,
            high=VERY_RISKY,
        ),
        say(
            "Speeds are those recorded, or else those by positions; for the TTC they are smoothed. A contact is "
            "what the recording has of two actors in frames that follow one another. "
            "x is to the east, y to the south, and north is up."
        ),
        say(
            "Read as {release}: {reasons}",
            release=subject.snapshot.dialect.releases,
            reasons=listed(detection.reasons, "sentences"),
        ),
        say("SHA-256: {digest}", digest=subject.digest),
    ]


def commands_of(subjects: Sequence[Subject], target: str) -> list[str]:
    """Return the commands that make the report again, and that write the numbers of its charts.

    Args:
        subjects: The recordings.
        target: The name of the report.
    """
    names = [subject.source.path.name for subject in subjects]
    words = ["recorder-editor", "report", *map(_as_argument, names), target]
    road_files = {subject.snapshot.context.road_file for subject in subjects if subject.roads is not None}
    if len(road_files) == 1:
        (road_file,) = road_files
        if road_file is not None:
            words.extend(("--xodr", road_file.name))
    if language() != "en":
        words.extend(("--lang", language()))
    commands = [shlex.join(words)]
    for name in names:
        numbers = ["recorder-editor", "export", _as_argument(name), f"{name}.csv", "--table", "l1"]
        commands.append(shlex.join(numbers))
    return commands


def _as_argument(name: str) -> str:
    """Return a name so that it is no option."""
    if name.startswith("-"):
        return f"./{name}"
    return name


def _overview_row(subject: Subject, key: str, health: HealthLine) -> OverviewRow:
    overview = subject.overview
    length = Quantity("-")
    if overview.frames:
        length = Quantity(f"{Measure(overview.duration):,.1f}", "s")
    ttc = Quantity("-")
    risks = "-"
    if subject.analysis is not None:
        risks = f"{len(subject.every_risk):,}"
        if len(subject.every_risk):
            ttc = Quantity(f"{float(subject.every_risk['ttc'].min()):.2f}", "s")
    lines = []
    for path in thumbnail_paths(subject.trajectories):
        points = [(40 * x / SIDE, 40 * y / SIDE) for x, y in path.points]
        lines.append((path.kind.replace("-", "_") or "muted", polyline(points)))
    return OverviewRow(
        key=key,
        health=health,
        word=subject.health.word,
        name=subject.source.path.name,
        map=map_name(subject) or say("none"),
        length=length,
        users=f"{sum(totals.count for totals in overview.road_users):,}",
        contacts=f"{len(subject.contacts):,}",
        risks=risks,
        ttc=ttc,
        lines=lines,
    )
