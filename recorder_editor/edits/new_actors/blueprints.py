"""The blueprints that actors can be added of to a recording: those that it has, and those of CARLA."""

from collections import Counter
from collections.abc import Mapping
from operator import itemgetter

from ...errors import EditError
from ...reading import Actors
from ...reading.event_index import class_of
from ...recording import Snapshot
from ...texts import say
from ..actors.describing import uid_of
from ..blueprints import DRIVERS, KINDS, Blueprint, Release, typical_model


def catalogue(snapshot: Snapshot) -> Mapping[str, Blueprint]:
    """Return the blueprints that actors can be added of by name: those met in a recording first, then CARLA's.

    Sizes, uids and attributes are those of the recording's own actors where it has them.
    """
    of_release = {blueprint.name: blueprint for blueprint in Release.of(snapshot.dialect).blueprints()}
    recorded = _recorded(snapshot, of_release)
    result = dict(sorted(recorded.items(), key=itemgetter(0)))
    for name in sorted(of_release):
        if name not in result:
            result[name] = of_release[name]
    return result


def _recorded(snapshot: Snapshot, of_release: Mapping[str, Blueprint]) -> dict[str, Blueprint]:
    """The blueprints of a recording by name, each as its first actor with a box has it."""
    actors = Actors.of(snapshot)
    sizes = {}
    for index, box in actors.boxes.items():
        if all(1.0 < half < 2000.0 for half in box.extent):
            sizes[index] = box.extent
    with_boxes_first = sorted(actors, key=lambda life: life.index not in sizes)
    recorded: dict[str, Blueprint] = {}
    for life in with_boxes_first:
        name = life.blueprint
        if life.class_ not in KINDS or name in recorded:
            continue
        if name in of_release:
            model = of_release[name].model
        else:
            model = _unknown(life.class_, name, life.attribute("base_type")).model
        if life.index in sizes:
            length, width, height = sizes[life.index]
            model = model._replace(half_length=length, half_width=width, half_height=height)
        recorded[name] = Blueprint(name, uid_of(snapshot, name), life.attributes, model, life)
    return recorded


def _unknown(class_: str, name: str, kind: str | None = None) -> Blueprint:
    """A blueprint of which only its class is known, and perhaps its kind."""
    if kind not in DRIVERS:
        kind = KINDS[class_]
    return Blueprint(name, None, (), typical_model(kind=kind))


def blueprint_of(snapshot: Snapshot, name: str, uid: int | None = None) -> Blueprint:
    """Return a blueprint to add an actor of, with a uid.

    Args:
        snapshot: The recording.
        name: The name of the blueprint.
        uid: The uid to take; None: the one that is known.

    Raises:
        EditError: There is no such blueprint, or its uid is not known.
    """
    blueprint = catalogue(snapshot).get(name)
    if blueprint is None:
        class_ = class_of(name, 0, {}, {})
        if uid is None or class_ not in KINDS:
            raise EditError(
                say(
                    "{blueprint} is no vehicle, walker or prop that is known. Give its number "
                    "(uid) if the simulator has it.",
                    blueprint=name,
                )
            )
        blueprint = _unknown(class_, name)
    if not uid and blueprint.life is not None:
        uid = blueprint.uid
    # The uid of the catalogue comes last: it is a number of other builds.
    chosen = uid or uid_of_kind(snapshot, name) or blueprint.uid
    if not chosen:
        raise EditError(
            say(
                "The number (uid) of {blueprint} is not known: no actor of this recording has "
                "that blueprint. Up to CARLA 0.9.15 the number alone decides what appears, and "
                "later ones need that of an actor of its kind; give it if you know it.",
                blueprint=name,
            )
        )
    return blueprint._replace(uid=chosen)


def uid_of_kind(snapshot: Snapshot, name: str) -> int | None:
    """Return a uid in the recording of an actor of the same kind (`vehicle`, `walker`, `static`), if that is enough.

    Newer releases find the class by its name, and take the uid for what makes an actor of that kind (format reference
    6.4). None for others, and if the recording has no such actor.
    """
    if snapshot.dialect.makes_actors_by == "uid":
        return None
    kind = name.partition(".")[0]
    uids: Counter[int] = Counter()
    for life in Actors.of(snapshot):
        if life.uid and life.blueprint.partition(".")[0] == kind:
            uids[life.uid] += 1
    if uids:
        return uids.most_common(1)[0][0]
    return None
