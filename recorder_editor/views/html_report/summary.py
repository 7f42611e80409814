"""The sentences of a report: In short, and the captions of its sections."""

import math
from collections import Counter
from typing import NamedTuple

from ...checks.checking import all_rules
from ...texts import N_, Measure, listed, say, say_count
from .chart import contacts_of_mover
from .moments import MOST_CONTACTS, MOST_RISKS
from .naming import actor_text, map_name, seconds_text
from .speeds import SpeedSeries, top_speed_of
from .subject import RISKY, VERY_RISKY, Subject


class Heading(NamedTuple):
    """The heading of a section: the end of its id, its title, its caption."""

    name: str
    title: str
    caption: str = ""


def headings_of(subject: Subject, speeds: SpeedSeries | None) -> list[Heading]:
    """Return the headings of the sections in their order."""
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


def summary_of(subject: Subject) -> list[str]:
    """Return the sentences of In short."""
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
        speed = Measure(top_speed_of(subject.snapshot, mover))
        return say("{text}, at most {speed:,.1f} m/s.", text=text, speed=speed)
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


def no_risks_text(subject: Subject) -> str:
    """Return a sentence that there are no risks, or why they are not known."""
    if subject.no_analysis:
        return subject.no_analysis
    if len(subject.every_risk):
        return say("Only those that collide come near each other.")
    return say("No time to collision falls below {seconds:g} s.", seconds=RISKY)
