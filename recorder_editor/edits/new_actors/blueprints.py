"""The blueprints that actors can be added of to a recording: those that it has, and those of CARLA."""

from collections import Counter
from collections.abc import Mapping

from ...errors import EditError
from ...reading import Actors
from ...reading.event_index import class_of
from ...recording import Snapshot
from ...texts import say
from ..actors.describing import uid_of
from ..blueprints import DRIVERS, KINDS, Blueprint, Release, typical_model


def catalogue(snapshot: Snapshot) -> Mapping[str, Blueprint]:
    """The blueprints that actors can be added of by name: those met in a recording first, then CARLA's.

    Sizes, uids and attributes are those of the recording's own actors where it has them.
    """
    actors = Actors.of(snapshot)
    known = {}
    for each in Release.of(snapshot.dialect).blueprints():
        known[each.name] = each
    boxes = {}
    for at, box in actors.boxes.items():
        if all(1.0 < half < 2000.0 for half in box.extent):
            boxes[at] = box.extent
    met: dict[str, Blueprint] = {}
    for life in sorted(actors, key=lambda life: life.index not in boxes):
        name = life.blueprint
        if life.class_ in KINDS and name not in met:
            one = known.get(name) or _unknown(life.class_, name, life.attribute("base_type"))
            model = one.model
            if life.index in boxes:
                length, width, height = boxes[life.index]
                model = model._replace(half_length=length, half_width=width, half_height=height)
            met[name] = Blueprint(name, uid_of(snapshot, name), life.attributes, model, life)
    return {name: met[name] for name in sorted(met)} | {name: known[name] for name in sorted(known.keys() - met.keys())}


def _unknown(class_: str, name: str, kind: str | None = None) -> Blueprint:
    return Blueprint(name, None, (), typical_model(kind=kind if kind in DRIVERS else KINDS[class_]))


def blueprint_of(snapshot: Snapshot, name: str, uid: int | None = None) -> Blueprint:
    """A blueprint to add an actor of, with a uid. Raises `EditError` where there is none."""
    found = catalogue(snapshot).get(name)
    class_ = class_of(name, 0, {}, {})
    if found is None and (uid is None or class_ not in KINDS):
        raise EditError(
            say(
                "{blueprint} is no vehicle, walker or prop that is known. Give its number "
                "(uid) if the simulator has it.",
                blueprint=name,
            )
        )
    found = found or _unknown(class_, name)
    if not uid and found.life is not None:
        uid = found.uid
    # The uid of the catalogue comes last: it is a number of other builds.
    chosen = uid or uid_of_kind(snapshot, name) or found.uid
    if not chosen:
        raise EditError(
            say(
                "The number (uid) of {blueprint} is not known: no actor of this recording has "
                "that blueprint. Up to CARLA 0.9.15 the number alone decides what appears, and "
                "later ones need that of an actor of its kind; give it if you know it.",
                blueprint=name,
            )
        )
    return found._replace(uid=chosen)


def uid_of_kind(snapshot: Snapshot, name: str) -> int | None:
    """A uid in the recording of an actor of the same kind (`vehicle`, `walker`, `static`), if that is enough.

    Newer releases find the class by its name, and take the uid for what makes an actor of that kind (format reference
    6.4). None for others, and if the recording has no such actor.
    """
    if snapshot.dialect.makes_actors_by == "uid":
        return None
    kind = name.partition(".")[0]
    uids = Counter(life.uid for life in Actors.of(snapshot) if life.uid and life.blueprint.partition(".")[0] == kind)
    if uids:
        return uids.most_common(1)[0][0]
    return None
