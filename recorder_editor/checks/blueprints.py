"""Blueprints that the release of a recording does not have, and uids that are none of their blueprints.

Only what is certain is a finding: names and uids of stock vehicles, and what a recording says itself, in which each
blueprint has one uid. Other blueprints may be those of a build of one's own.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, TypeVar

from ..edits.blueprints import MODELS, Release
from ..edits.convert.renaming import group_of, is_of_map, with_blueprints
from ..edits.new_actors.blueprints import uid_of_kind
from ..errors import EditError
from ..progress import SILENT, Progress
from ..reading import Actors, Life
from ..recording import Edit, Finding, Snapshot
from ..texts import N_, N_count, Plural, say, say_count
from .fixes import life_of
from .rule import Fix, Rule, new_finding

K = TypeVar("K")
T = TypeVar("T")

_OTHER_GROUPS = ("walker", "sensor", "static", "controller")
"""Groups of which no blueprint is a vehicle."""


class _Pair(NamedTuple):
    """A blueprint and a uid, as actors have them."""

    blueprint: str
    uid: int


class Blueprints:
    """The blueprints of a recording, and what is wrong with them."""

    def __init__(self, snapshot: Snapshot, progress: Progress = SILENT) -> None:
        self._snapshot = snapshot
        self._dialect = snapshot.dialect
        self._releases = Release.all_of(snapshot.dialect)
        self._lives: dict[_Pair, list[Life]] = defaultdict(list)
        for life in Actors.of(snapshot, progress):
            if not is_of_map(life):
                self._lives[_Pair(life.blueprint, life.uid)].append(life)

    # --- names ------------------------------------------------------------------------------------------

    def unknown(self) -> dict[str, list[Life]]:
        """Return the lives of blueprints that the release does not have, by name."""
        unknown: dict[str, list[Life]] = defaultdict(list)
        for pair, lives in self._lives.items():
            if all(release.has(pair.blueprint) is False for release in self._releases):
                unknown[pair.blueprint].extend(lives)
        return unknown

    def known_name(self, life: Life) -> str:
        """Return the blueprint of the release that a life can have instead; empty if there is none."""
        release = self._releases[-1]
        renamed = release.name_for(life.blueprint, release)
        if renamed:
            return renamed
        attributes = {attribute.id: attribute.value for attribute in life.attributes}
        alternatives = release.alternatives(life.blueprint, release, attributes)
        if alternatives:
            return alternatives[0]
        return ""

    # --- uids -------------------------------------------------------------------------------------------

    @cached_property
    def _recorded(self) -> dict[str, int]:
        """The uids that stock vehicles have for sure, by name; empty in a build that has others."""
        names: set[str] = set()
        for model in MODELS:
            names.update((model.name, model.old_name, model.new_name))
        certain: dict[str, int] = {}
        for name in names:
            uids = {release.recorded_uid(name) for release in self._releases}
            uid = uids.pop()
            if uid is not None and not uids:
                certain[name] = uid
        return certain

    @cached_property
    def _vehicle_uids(self) -> range:
        return min((release.vehicle_uids for release in self._releases), key=len)

    @cached_property
    def _is_stock(self) -> bool:
        """Whether the uids of the recording agree with those of the release, but for single ones."""
        agreeing: set[str] = set()
        others: set[str] = set()
        for pair in self._lives:
            if pair.uid and self._recorded.get(pair.blueprint) == pair.uid:
                agreeing.add(pair.blueprint)
            elif pair.uid and self._contradicts(pair):
                others.add(pair.blueprint)
        others -= agreeing
        return len(others) < 2 or len(others) < len(agreeing)

    def _contradicts(self, pair: _Pair) -> bool:
        """Whether a uid is for sure none of its blueprint in a stock build."""
        uid = self._recorded.get(pair.blueprint)
        if group_of(pair.blueprint) in _OTHER_GROUPS:
            return pair.uid in self._vehicle_uids
        if self._dialect.makes_actors_by == "uid":
            return uid is not None and uid != pair.uid
        # The uid of any vehicle makes the vehicle that the name says.
        if uid in (None, pair.uid) or pair.uid in self._vehicle_uids:
            return False
        return not self._is_of_other_vehicle(pair)

    def _is_of_other_vehicle(self, pair: _Pair) -> bool:
        """Whether a vehicle of another blueprint has a uid, too."""
        for other in self._lives:
            if other.uid != pair.uid or other.blueprint == pair.blueprint:
                continue
            if group_of(other.blueprint) == "vehicle":
                return True
        return False

    @cached_property
    def _known_lives(self) -> dict[_Pair, list[Life]]:
        """The lives that tell to which blueprint a uid belongs: with a uid that the blueprint may have."""
        unknown = self.unknown()
        result = {}
        for pair, lives in self._lives.items():
            if not pair.uid or pair.blueprint in unknown:
                continue
            if not (self._is_stock and self._contradicts(pair)):
                result[pair] = lives
        return result

    @cached_property
    def _own_uids(self) -> dict[str, int]:
        """The uid that most actors of a blueprint have, by name."""
        counts: dict[str, Counter[int]] = defaultdict(Counter)
        for pair, lives in self._known_lives.items():
            counts[pair.blueprint][pair.uid] += len(lives)
        return _most_counted(counts)

    @cached_property
    def _owners(self) -> dict[int, str]:
        """The blueprint that most actors of a uid have; where the name makes actors, its group."""
        counts: dict[int, Counter[str]] = defaultdict(Counter)
        for pair, lives in self._known_lives.items():
            counts[pair.uid][self._maker(pair.blueprint)] += len(lives)
        return _most_counted(counts)

    def _maker(self, blueprint: str) -> str:
        """Return what has to have a uid: the blueprint, or its group where the name makes actors."""
        if self._dialect.makes_actors_by == "uid":
            return blueprint
        return group_of(blueprint)

    def wrong_uids(self) -> dict[_Pair, list[Life]]:
        """Return the lives with a uid that is none of their blueprint."""
        return {pair: lives for pair, lives in self._lives.items() if pair.uid and self._is_wrong(pair)}

    def _is_wrong(self, pair: _Pair) -> bool:
        if self._is_stock:
            if self._contradicts(pair):
                return True
            if self._recorded.get(pair.blueprint) == pair.uid:
                return False
        is_by_uid = self._dialect.makes_actors_by == "uid"
        if is_by_uid and self._own_uids.get(pair.blueprint, pair.uid) != pair.uid:
            return True
        maker = self._maker(pair.blueprint)
        return self._owners.get(pair.uid, maker) != maker

    def right_uid(self, blueprint: str) -> int | None:
        """Return the uid of a blueprint: that of stock vehicles, of most actors here, or of the catalogue."""
        own = []
        for pair, lives in self._lives.items():
            if pair.blueprint == blueprint:
                own.append((-len(lives), pair.uid))
        choices: list[int | None] = []
        if self._is_stock:
            choices.append(self._recorded.get(blueprint))
        choices.extend(uid for _, uid in sorted(own))
        choices.append(self._releases[-1].uid(blueprint))
        if self._dialect.makes_actors_by == "name":
            choices.append(uid_of_kind(self._snapshot, blueprint))
        for uid in choices:
            if uid and not self._is_wrong(_Pair(blueprint, uid)):
                return uid
        return None


def _most_counted(counts: Mapping[K, Counter[T]]) -> dict[K, T]:
    """Return what is counted most often for each key; a key is left out if several are."""
    result = {}
    for key, counter in counts.items():
        first, *others = counter.most_common(2)
        if not others or others[0][1] != first[1]:
            result[key] = first[0]
    return result


def find(snapshot: Snapshot, progress: Progress = SILENT) -> Iterator[Finding]:
    """Yield a finding for each blueprint that the release does not have, and each uid that is none of its blueprint.

    Raises:
        Cancelled: The user stopped it.
    """
    blueprints = Blueprints(snapshot, progress)
    unknown = blueprints.unknown()
    for name, lives in unknown.items():
        yield _finding(
            snapshot,
            REPLAY_BLUEPRINT,
            N_count(
                "From frame {frame:,} on, 1 actor is created as {blueprint}, which is no blueprint of {title}.",
                "From frame {frame:,} on, {count:,} actors are created as {blueprint}, which "
                "is no blueprint of {title}.",
            ),
            lives,
            blueprint=name,
            title=snapshot.dialect.releases,
        )
    for pair, lives in blueprints.wrong_uids().items():
        if pair.blueprint not in unknown:
            yield _finding(
                snapshot,
                REPLAY_UID,
                N_count(
                    "From frame {frame:,} on, 1 actor is created as {blueprint} with the blueprint "
                    "uid {uid}, which is not that of {blueprint}.",
                    "From frame {frame:,} on, {count:,} actors are created as {blueprint} with the "
                    "blueprint uid {uid}, which is not that of {blueprint}.",
                ),
                lives,
                blueprint=pair.blueprint,
                uid=pair.uid,
            )


def _finding(snapshot: Snapshot, rule: Rule, sentence: Plural, lives: Sequence[Life], **values: str | int) -> Finding:
    first = lives[0]
    place = first.added
    offset, size = snapshot.row(place.row).packets[place.packet].record_span(place.record)
    frame = min(first.born, len(snapshot) - 1)
    message = say(sentence, count=len(lives), frame=frame + 1, **values)
    return new_finding(rule, message, offset=offset, frame=frame, row=place.row, size=size)


# --- fixes ----------------------------------------------------------------------------------------------


def has_known_blueprint(snapshot: Snapshot, finding: Finding) -> bool:
    """Whether the release has a blueprint that can stand in, and its uid is known."""
    return _replacement(Blueprints(snapshot), life_of(snapshot, finding)) is not None


def _replacement(blueprints: Blueprints, life: Life) -> tuple[str, int] | None:
    name = blueprints.known_name(life)
    if not name:
        return None
    uid = blueprints.right_uid(name)
    if uid is None:
        return None
    return (name, uid)


def take_known_blueprints(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that gives actors blueprints of the release: of the same model, else the nearest of the class."""
    blueprints = Blueprints(snapshot)
    unknown = blueprints.unknown()
    written: dict[int, tuple[str | None, int]] = {}
    for finding in findings:
        life = life_of(snapshot, finding)
        replacement = _replacement(blueprints, life)
        if replacement is None:
            raise EditError(say("The data of this finding no longer exists."), offset=finding.offset)
        for same in unknown.get(life.blueprint, [life]):
            written[same.index] = replacement
    return with_blueprints(
        snapshot,
        written,
        say_count("Change the blueprint of 1 actor", "Change the blueprints of {count:,} actors", count=len(written)),
    )


def has_right_uid(snapshot: Snapshot, finding: Finding) -> bool:
    """Whether the uid of the blueprint is known."""
    return Blueprints(snapshot).right_uid(life_of(snapshot, finding).blueprint) is not None


def set_right_uids(snapshot: Snapshot, findings: Sequence[Finding]) -> Edit:
    """Return the edit that gives actors the uids of their blueprints."""
    blueprints = Blueprints(snapshot)
    wrong = blueprints.wrong_uids()
    written: dict[int, tuple[str | None, int]] = {}
    for finding in findings:
        life = life_of(snapshot, finding)
        uid = blueprints.right_uid(life.blueprint)
        if uid is None:
            raise EditError(say("The data of this finding no longer exists."), offset=finding.offset)
        for same in wrong.get(_Pair(life.blueprint, life.uid), [life]):
            written[same.index] = (None, uid)
    return with_blueprints(
        snapshot,
        written,
        say_count("Set the blueprint uid of 1 actor", "Set the blueprint uid of {count:,} actors", count=len(written)),
    )


REPLAY_BLUEPRINT = Rule(
    "replay-blueprint",
    subject="replay",
    severity="warning",
    title=N_("A blueprint is none of the release of the recording."),
    why=N_(
        "Releases that find the class of an actor by its name, as 0.9.16, create none; those that find it by its uid, "
        "as 0.9.15 and before, create whatever has that uid. Looked at are vehicles of CARLA; of others nothing is "
        "known."
    ),
    fix=Fix(
        N_("Take the blueprint of the release, or the nearest of its class"),
        take_known_blueprints,
        applies=has_known_blueprint,
    ),
)

REPLAY_UID = Rule(
    "replay-uid",
    subject="replay",
    severity="warning",
    title=N_("A uid is not that of its blueprint."),
    why=N_(
        "Up to 0.9.15, and in 0.10.0, the uid decides what is created: another actor. Later releases find the class by "
        "the name, and make the actor as one of that uid is made: a uid of another class of actors fails, or makes "
        "something else. Looked at are vehicles of CARLA, and uids that the recording itself gives to another "
        "blueprint."
    ),
    fix=Fix(N_("Take the uid of the blueprint"), set_right_uids, applies=has_right_uid),
)

RULES = (REPLAY_BLUEPRINT, REPLAY_UID)
"""The rules of this module, in the order in which their findings are fixed."""
