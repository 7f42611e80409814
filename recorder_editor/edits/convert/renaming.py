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

    Attributes:
        lives: The actors.
        blueprint: Their blueprint, as recorded.
        uid: Their uid, as recorded.
        name: The blueprint in the target.
        number: The uid in the target.
        is_missing: The target has no such blueprint.
        has_known_uid: The uid is that of the target, or none is needed.
        alternatives: Where it is missing what can stand in for it, the nearest first.
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
    """Return the class of a blueprint, as its name begins: `vehicle`, `walker`, `static`, `sensor`."""
    return blueprint.partition(".")[0]


def is_of_map(life: Life) -> bool:
    """Whether an actor is the spectator, a traffic light or a sign."""
    return life.is_traffic or life.is_spectator or group_of(life.blueprint) == "traffic"


def _with_one_uid_each(changes: Sequence[Change]) -> list[Change]:
    """The changes, with one uid for actors that get one name from several, if it is not known: that of most of them."""
    counts: dict[str, Counter[int]] = {}
    for change in changes:
        if not change.has_known_uid:
            counts.setdefault(change.name, Counter())[change.number] += len(change.lives)
    renamed = {change.name for change in changes if change.is_renamed}
    result = []
    for change in changes:
        if not change.has_known_uid and change.name in renamed:
            by_number = sorted(counts[change.name].items())
            most = max(count for _, count in by_number)
            number = next(number for number, count in by_number if count == most)
            change = replace(change, number=number)
        result.append(change)
    return result


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
        self._differs = any(release != self._target for release in Release.all_of(snapshot.dialect))
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
            attributes = {attribute.id: attribute.value for attribute in lives[0].attributes}
            alternatives = self._target.alternatives(blueprint, self._source, attributes)
        substitute = self._substitute(blueprint, is_missing, alternatives)
        name = substitute or name
        number = uid
        is_known = True
        stays_missing = is_missing and not substitute
        if uid and not stays_missing and (self._differs or name != blueprint):
            number, is_known = self._uid(name, uid)
        return Change(
            lives=lives,
            blueprint=blueprint,
            uid=uid,
            name=name,
            number=number,
            is_missing=is_missing,
            has_known_uid=is_known,
            alternatives=tuple(alternatives),
        )

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
            self._refuse_unfit(chosen, blueprint)
        return chosen

    def _refuse_unfit(self, substitute: str, blueprint: str) -> None:
        """Raise EditError if a blueprint cannot stand in for another one."""
        if group_of(substitute) != group_of(blueprint):
            raise EditError(
                say(
                    "{substitute} cannot stand in for {blueprint}: it is of another class of actors.",
                    substitute=substitute,
                    blueprint=blueprint,
                )
            )
        if self._target.has(substitute) is False:
            raise EditError(
                say(
                    "{substitute} cannot stand in for {blueprint}: {target} has no such blueprint either.",
                    substitute=substitute,
                    blueprint=blueprint,
                    target=self._dialect.name,
                )
            )

    def _uid(self, name: str, uid: int) -> tuple[int, bool]:
        """The uid of a blueprint in the target, and whether it is known; the recorded one if it is not."""
        target_uid = self._target.uid(name)
        if target_uid is not None:
            return target_uid, True
        vehicles = self._target.vehicle_uids
        is_stock = group_of(name) == "vehicle" and self._target.has(name)
        if self._dialect.makes_actors_by == "name" and is_stock and vehicles:
            # That of any vehicle will do.
            if uid in vehicles:
                return uid, True
            return self._target.uid_of(HERO_MODEL) or uid, True
        return uid, False

    # --- what changes -----------------------------------------------------------------------------------

    @property
    def is_needed(self) -> bool:
        """Whether a replay in the target would make other actors than were recorded, as far as that is known.

        Sensors are not replayed unless they are asked for, and where the name makes actors the uid matters less.
        """
        is_by_uid = self._dialect.makes_actors_by == "uid"
        for change in self.changes:
            if change.is_missing or change.is_renamed:
                return True
            is_known_there = change.number in (change.uid, self._source.uid(change.blueprint))
            is_sensor = group_of(change.blueprint) == "sensor"
            if is_by_uid and not is_known_there and not is_sensor:
                return True
        return False

    @cached_property
    def missing(self) -> dict[str, Change]:
        """The blueprints that the target lacks, by name."""
        return {change.blueprint: change for change in self.changes if change.is_missing}

    def losses(self) -> list[Loss]:
        """Return a loss for each blueprint that the target lacks, then changes of names and of uids."""
        by_name: dict[tuple[bool, str, str], list[Change]] = {}
        numbers = []
        unknown = []
        for change in self.changes:
            if change.is_missing or change.is_renamed:
                key = (not change.is_missing, change.blueprint, change.name)
                by_name.setdefault(key, []).append(change)
            if not change.is_renamed and change.number != change.uid:
                numbers.append(change)
            if not change.has_known_uid:
                unknown.append(change)
        losses = [self._loss_of_name(changes) for _, changes in sorted(by_name.items())]
        if numbers:
            losses.append(self._loss_of_uid("uid", numbers))
        if unknown:
            losses.append(self._loss_of_uid("uid-kept", unknown))
        return losses

    def _loss_of_name(self, changes: Sequence[Change]) -> Loss:
        """The loss of the blueprint that these changes are of."""
        first = changes[0]
        kind: Kind = "blueprint"
        if not first.is_missing:
            kind = "renamed"
            template = LOSSES[kind]
        elif first.is_renamed:
            template = N_count(
                "1 actor of {blueprints} becomes {name}: {target} has no such blueprint.",
                "{count:,} actors of {blueprints} become {name}: {target} has no such blueprint.",
            )
        elif first.alternatives:
            template = N_count(
                "1 actor of {blueprints} stays: {target} has no such blueprint. The nearest is {nearest}.",
                "{count:,} actors of {blueprints} stay: {target} has no such blueprint. The nearest is {nearest}.",
            )
        else:
            template = N_count(
                "1 actor of {blueprints} stays: {target} has no such blueprint.",
                "{count:,} actors of {blueprints} stay: {target} has no such blueprint.",
            )
        becomes = ""
        if first.is_renamed:
            becomes = first.name
        loss = self._loss(kind, template, changes, [first.blueprint])
        return replace(loss, blueprint=first.blueprint, becomes=becomes)

    def _loss_of_uid(self, kind: Kind, changes: Sequence[Change]) -> Loss:
        """The change of uids."""
        names = sorted({change.name for change in changes})
        loss = self._loss(kind, LOSSES[kind], changes, names)
        return replace(loss, fields=tuple(names))

    def _loss(self, kind: Kind, template: Plural, changes: Sequence[Change], names: Sequence[str]) -> Loss:
        """A loss with its sentence, which names these blueprints."""
        lives: list[Life] = []
        for change in changes:
            lives.extend(change.lives)
        frame_index = None
        if len(self._snapshot):
            first = min(life.born for life in lives)
            frame_index = min(first, len(self._snapshot) - 1)
        shown = listed(names)
        if len(names) > _NAMED:
            some = listed(names[:_NAMED], "clauses")
            shown = say("{names} and {more:,} more", names=some, more=len(names) - _NAMED)
        message = say(
            template,
            count=len(lives),
            blueprints=shown,
            name=changes[0].name,
            nearest="".join(changes[0].alternatives[:1]),
            target=self._dialect.name,
        )
        packet = self._snapshot.dialect.event_add.name
        return Loss(kind, packet, len(lives), frame_index, message)

    # --- bytes ------------------------------------------------------------------------------------------

    def edit(self, label: str) -> Edit | None:
        """Return the edit that writes the names and uids; None if they stay.

        Args:
            label: The label of the edit.

        Returns:
            An edit in the dialect of the recording.
        """
        written: dict[int, tuple[str | None, int]] = {}
        for change in self.changes:
            if not change.is_renamed and change.number == change.uid:
                continue
            name = None
            if change.is_renamed:
                name = change.name
            for life in change.lives:
                written[life.index] = (name, change.number)
        if written:
            return with_blueprints(self._snapshot, written, label)
        return None


def with_blueprints(snapshot: Snapshot, written: Mapping[int, tuple[str | None, int]], label: str) -> Edit:
    """Return the edit that writes other blueprints and uids into EventAdds; all other bytes stay.

    Args:
        snapshot: The state that the edit is made for.
        written: Names (None: the same) and uids by index of the life.
        label: The label of the edit.
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
            name, uid = records[record]
            raw = _with_blueprint(packet, raw, name, uid)
        parts.append(raw)
    parts.append(packet.body[decoded.tail[0] :])
    return b"".join(parts)


def _with_blueprint(packet: Packet, raw: bytes, name: str | None, uid: int) -> bytes:
    """A record of EventAdd with another blueprint (None: the same) and uid."""
    uid_field, offset = packet.type.record.places["uid"]
    after_uid = offset + WIDTHS[uid_field.type]
    raw = raw[:offset] + pack_value(uid_field, uid) + raw[after_uid:]
    if name is None:
        return raw
    # The blueprint follows the fields of fixed width.
    last_field, offset = packet.type.record.head[-1]
    start = offset + WIDTHS[last_field.type]
    length = int.from_bytes(raw[start : start + 2], "little")
    end = start + 2 + length
    text = name.encode("utf-8", "surrogatepass")
    return raw[:start] + len(text).to_bytes(2, "little") + text + raw[end:]
