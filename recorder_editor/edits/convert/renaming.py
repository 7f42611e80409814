"""The blueprints and uids of a recording in another release.

`edits/blueprints.py` says what is known of them. Actors of the map (spectator, traffic lights and signs), which no
simulator makes of a blueprint, stay as they are; so do names and uids of which nothing is known.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ...errors import EditError
from ...format import WIDTHS, Dialect, pack_value
from ...progress import SILENT, Progress
from ...reading import Actors, Life
from ...recording import Edit, Packet, Snapshot
from ...texts import N_count, Plural, listed, say
from ..blueprints import HERO_MODEL, Release
from ..rows import with_bodies
from .packet_map import LOSSES, Kind, Loss

NEAREST = "nearest"
"""As a substitute: the nearest blueprint of the class."""
EVERY = "*"
"""As a blueprint that is substituted: every one that the target lacks and that is not named itself."""
KINDS = ("blueprint", "renamed", "uid", "uid-kept")
"""The kinds of losses that are about blueprints."""
_NAMED = 3

Substitutes = Mapping[str, str]
"""What stands in for blueprints of the recording, by their names or `EVERY`: a blueprint, or `NEAREST`."""


@dataclass(frozen=True)
class Change:
    """What becomes of the actors of one blueprint and uid.

    Attributes: `lives`, `blueprint` and `uid` (as recorded), `name` and `number` (the same in the target), `is_missing`
    (the target has no such blueprint), `has_known_uid` (the uid is that of the target, or none is needed),
    `alternatives` (where it is missing: what can stand in for it, the nearest first).
    """

    lives: tuple[Life, ...]
    blueprint: str
    uid: int
    name: str
    number: int
    is_missing: bool = False
    has_known_uid: bool = True
    alternatives: tuple[str, ...] = ()

    @property
    def is_renamed(self) -> bool:
        """Whether the blueprint gets another name."""
        return self.name != self.blueprint


def group_of(blueprint: str) -> str:
    """The class of a blueprint, as its name begins: `vehicle`, `walker`, `static`, `sensor`."""
    return blueprint.partition(".")[0]


def is_of_map(life: Life) -> bool:
    """Whether an actor is the spectator, a traffic light or a sign."""
    return life.is_traffic or life.is_spectator or group_of(life.blueprint) == "traffic"


def _with_one_uid_each(changes: Sequence[Change]) -> list[Change]:
    """The changes, with one uid for actors that get one name from several, if it is not known: that of most of them."""
    counts: dict[str, Counter[int]] = {}
    for each in changes:
        if not each.has_known_uid:
            counts.setdefault(each.name, Counter())[each.number] += len(each.lives)
    renamed = {each.name for each in changes if each.is_renamed}
    made = []
    for each in changes:
        if not each.has_known_uid and each.name in renamed:
            number = min(counts[each.name], key=lambda uid: (-counts[each.name][uid], uid))
            each = replace(each, number=number)
        made.append(each)
    return made


class Renaming:
    """The changes of blueprints and uids in a conversion.

    Args:
        snapshot: The recording.
        target: The dialect that it is converted to.
        substitutes: What stands in for blueprints that the target lacks.
        progress: Of reading the actors.

    Raises:
        EditError: A substitute is of another class, or the target has no such blueprint.
        Cancelled: The user cancelled it.
    """

    def __init__(
        self, snapshot: Snapshot, target: Dialect, substitutes: Substitutes, progress: Progress = SILENT
    ) -> None:
        self._snapshot = snapshot
        self._dialect = target
        self._substitutes = substitutes
        self._source = Release.of(snapshot.dialect)
        self._target = Release.of(target)
        self._differs = any(each != self._target for each in Release.all_of(snapshot.dialect))
        groups: dict[tuple[str, int], list[Life]] = {}
        for life in Actors.of(snapshot, progress):
            if not is_of_map(life):
                groups.setdefault((life.blueprint, life.uid), []).append(life)
        changes = [self._change(tuple(lives)) for lives in groups.values()]
        self.changes = _with_one_uid_each(changes)

    def _change(self, lives: tuple[Life, ...]) -> Change:
        blueprint = lives[0].blueprint
        uid = lives[0].uid
        name = self._target.name_for(blueprint, self._source) or blueprint
        is_missing = name == blueprint and self._target.has(blueprint) is False
        alternatives: list[str] = []
        if is_missing:
            attributes = {each.id: each.value for each in lives[0].attributes}
            alternatives = self._target.alternatives(blueprint, self._source, attributes)
        substitute = self._substitute(blueprint, is_missing, alternatives)
        name = substitute or name
        number = uid
        is_known = True
        if (not is_missing or substitute) and uid and (self._differs or name != blueprint):
            number, is_known = self._uid(name, uid)
        return Change(lives, blueprint, uid, name, number, is_missing, is_known, tuple(alternatives))

    def _substitute(self, blueprint: str, is_missing: bool, alternatives: Sequence[str]) -> str:
        """What stands in for a blueprint; empty if it stays."""
        chosen = self._substitutes.get(blueprint, "")
        if not chosen and is_missing:
            chosen = self._substitutes.get(EVERY, "")
            if chosen != NEAREST and group_of(chosen) != group_of(blueprint):
                return ""
        if chosen == NEAREST:
            if alternatives:
                return alternatives[0]
            return ""
        if chosen:
            words = {"blueprint": blueprint, "substitute": chosen, "target": self._dialect.name}
            if group_of(chosen) != group_of(blueprint):
                raise EditError(
                    say("{substitute} cannot stand in for {blueprint}: it is of another class of actors.", **words)
                )
            if self._target.has(chosen) is False:
                raise EditError(
                    say("{substitute} cannot stand in for {blueprint}: {target} has no such blueprint either.", **words)
                )
        return chosen

    def _uid(self, name: str, uid: int) -> tuple[int, bool]:
        """The uid of a blueprint in the target, and whether it is known; the recorded one if it is not."""
        known = self._target.uid(name)
        if known is not None:
            return known, True
        vehicles = self._target.vehicle_uids
        is_stock = group_of(name) == "vehicle" and self._target.has(name)
        if self._dialect.makes_actors_by == "name" and is_stock and vehicles:
            # That of any vehicle will do.
            return (uid if uid in vehicles else self._target.uid_of(HERO_MODEL) or uid), True
        return uid, False

    # --- what is told of it -----------------------------------------------------------------------------

    @property
    def is_needed(self) -> bool:
        """Whether a replay in the target would make other actors than were recorded, as far as that is known.

        Sensors are not replayed unless they are asked for, and where the name makes actors the uid matters less.
        """
        is_by_uid = self._dialect.makes_actors_by == "uid"
        for each in self.changes:
            if each.is_missing or each.is_renamed:
                return True
            is_other = each.number not in (each.uid, self._source.uid(each.blueprint))
            if is_by_uid and is_other and group_of(each.blueprint) != "sensor":
                return True
        return False

    @cached_property
    def missing(self) -> dict[str, Change]:
        """The blueprints that the target lacks, by name."""
        return {each.blueprint: each for each in self.changes if each.is_missing}

    def losses(self) -> list[Loss]:
        """A loss for each blueprint that the target lacks, then changes: names, uids, uids that are not known."""
        by_name: dict[tuple[bool, str, str], list[Change]] = {}
        for each in self.changes:
            if each.is_missing or each.is_renamed:
                by_name.setdefault((not each.is_missing, each.blueprint, each.name), []).append(each)
        losses = []
        for _, changes in sorted(by_name.items()):
            losses.append(self._loss_of_name(changes))
        numbers = [each for each in self.changes if not each.is_renamed and each.number != each.uid]
        unknown = [each for each in self.changes if not each.has_known_uid]
        if numbers:
            losses += [self._loss("uid", numbers)]
        if unknown:
            losses += [self._loss("uid-kept", unknown)]
        return losses

    def _loss_of_name(self, changes: Sequence[Change]) -> Loss:
        first = changes[0]
        if not first.is_missing:
            return self._loss("renamed", changes)
        if first.is_renamed:
            return self._loss(
                "blueprint",
                changes,
                N_count(
                    "1 actor of {blueprints} becomes {name}: {target} has no such blueprint.",
                    "{count:,} actors of {blueprints} become {name}: {target} has no such blueprint.",
                ),
            )
        return self._loss(
            "blueprint",
            changes,
            N_count(
                "1 actor of {blueprints} stays: {target} has no such blueprint. The nearest is {nearest}.",
                "{count:,} actors of {blueprints} stay: {target} has no such blueprint. The nearest is {nearest}.",
            )
            if first.alternatives
            else N_count(
                "1 actor of {blueprints} stays: {target} has no such blueprint.",
                "{count:,} actors of {blueprints} stay: {target} has no such blueprint.",
            ),
        )

    def _loss(self, kind: Kind, changes: Sequence[Change], template: Plural | None = None) -> Loss:
        lives: list[Life] = []
        for each in changes:
            lives.extend(each.lives)
        frames = len(self._snapshot)
        first = min(life.born for life in lives)
        names = sorted({each.name if kind.startswith("uid") else each.blueprint for each in changes})
        shown = listed(names)
        if len(names) > _NAMED:
            shown = say("{names} and {more:,} more", names=listed(names[:_NAMED], "clauses"), more=len(names) - _NAMED)
        message = say(
            template or LOSSES[kind],
            count=len(lives),
            blueprints=shown,
            name=changes[0].name,
            nearest="".join(changes[0].alternatives[:1]),
            target=self._dialect.name,
        )
        if kind in ("blueprint", "renamed"):
            becomes = changes[0].name
        else:
            becomes = ""
        if becomes:
            blueprint = changes[0].blueprint
        else:
            blueprint = ""
        return Loss(
            kind,
            self._snapshot.dialect.event_add.name,
            len(lives),
            min(first, frames - 1) if frames else None,
            message,
            tuple(names) if kind.startswith("uid") else (),
            blueprint,
            becomes if becomes != blueprint else "",
        )

    # --- bytes ------------------------------------------------------------------------------------------

    def edit(self, label: str) -> Edit | None:
        """The edit that writes the names and uids, in the dialect of the recording; None if they stay."""
        written = {}
        for each in self.changes:
            if (each.name, each.number) != (each.blueprint, each.uid):
                for life in each.lives:
                    written[life.index] = (each.name if each.is_renamed else None, each.number)
        if written:
            return with_blueprints(self._snapshot, written, label)
        return None


def with_blueprints(snapshot: Snapshot, written: Mapping[int, tuple[str | None, int]], label: str) -> Edit:
    """The edit that writes other blueprints (None: the same) and uids into EventAdds; all other bytes stay.

    Args:
        snapshot: The state that the edit is made for.
        written: Names and uids by index of the life.
        label: Of the edit.
    """
    lives = Actors.of(snapshot).lives
    by_packet: dict[tuple[int, int], dict[int, tuple[str | None, int]]] = {}
    for index, change in written.items():
        place = lives[index].added
        by_packet.setdefault((place.row, place.packet), {})[place.record] = change
    bodies = {}
    for (row, index), records in by_packet.items():
        packet = snapshot.row(row).packets[index]
        bodies[row, index] = _with_records(packet, records)
    return Edit(label, snapshot.version, with_bodies(snapshot, bodies))


def _with_records(packet: Packet, records: Mapping[int, tuple[str | None, int]]) -> bytes:
    """The body of an EventAdd packet with other blueprints and uids in some records."""
    decoded = packet.decoded
    parts = [packet.body[:2]]
    for record in range(len(decoded)):
        raw = decoded.raw(record)
        if record in records:
            raw = _with_blueprint(packet, raw, *records[record])
        parts.append(raw)
    parts.append(packet.body[decoded.tail[0] :])
    return b"".join(parts)


def _with_blueprint(packet: Packet, raw: bytes, name: str | None, uid: int) -> bytes:
    field, at = packet.type.record.places["uid"]
    raw = raw[:at] + pack_value(field, uid) + raw[at + WIDTHS[field.type] :]
    if name is None:
        return raw
    # The blueprint follows the fields of fixed width.
    last, at = packet.type.record.head[-1]
    at += WIDTHS[last.type]
    end = at + 2 + int.from_bytes(raw[at : at + 2], "little")
    text = name.encode("utf-8", "surrogatepass")
    return raw[:at] + len(text).to_bytes(2, "little") + text + raw[end:]
