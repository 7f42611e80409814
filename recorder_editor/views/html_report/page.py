"""The words and tables of a report, section by section, as its templates take them."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, get_args

from ...progress import SILENT, Progress
from ...reading import Life
from ...reading.event_index import CLASS_COUNTS
from ...reading.lives import short_blueprint
from ...reading.trajectories import SIDE, thumbnail_paths
from ...texts import Measure, language, listed, say, say_count
from ..health import Health, Tone
from ..palette import ColorName
from .chart import Chart, charts_of
from .drawing import Ground, View, color_of, ground_of, polyline
from .map_picture import ClassPath, MapPicture, class_paths, map_pictures
from .moments import MOST_CONTACTS, MOST_RISKS, ContactPictures, Moment, contact_pictures, risk_pictures
from .naming import map_name
from .speeds import speeds_of_mover
from .subject import RISKY, VERY_RISKY, Contact, Subject
from .summary import Heading, headings_of, no_risks_text, summary_of
from .tables import (
    ClassRow,
    ContactRow,
    FindingRow,
    NoteRow,
    PacketRow,
    Quantity,
    class_rows,
    contact_rows,
    finding_rows,
    note_rows,
    packet_rows,
    tone_text,
)

_SHORT_DIGEST = (8, 10)  # digits at the beginning and the end
_SIGNS: dict[Tone, str] = {"error": "error", "warning": "warning", "fine": "check"}


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
        headings={heading.name: heading for heading in headings_of(subject, speeds)},
        summary=listed(summary_of(subject), "sentences"),
        ground=ground_of(subject.roads, subject.streets, near_views),
        far_ground=far_ground,
        paths=paths,
        maps=maps,
        no_map=say("No road user has a position."),
        classes=class_rows(subject),
        packets=packet_rows(subject),
        charts=charts,
        no_chart=say("No road user moves."),
        contacts=contacts,
        more_contacts=contact_rows(subject, pictured),
        no_contacts=say("No collision is recorded."),
        risks=risks,
        no_risks=no_risks_text(subject),
        findings=finding_rows(subject.findings),
        no_findings=say("Nothing was found."),
        edits=list(subject.source.edits),
        no_edits=say("None. The bytes are those of the file that was opened."),
        notes=note_rows(subject),
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
    frames = say_count("1 frame", "{count:,} frames", count=overview.frames)
    if overview.steps.fixed and overview.steps.median is not None:
        frames = say("{frames} of {step:.3f} s", frames=frames, step=Measure(overview.steps.median))
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
        sign_text=tone_text(health.tone),
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


def _path_color(kind: str) -> str:
    """Return the name of the colour of a path in a thumbnail: that of its class, if it has one."""
    color = kind.replace("-", "_")
    if color in get_args(ColorName):
        return color
    return "muted"


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
        lines.append((_path_color(path.kind), polyline(points)))
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
