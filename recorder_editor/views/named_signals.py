"""Signals by the names that a command line has for them. No widget."""

from collections.abc import Sequence

from ..formats.picture import split_texts
from ..reading import Actors, SelectorError
from ..reading.pair_signals import pair_signal
from ..reading.selectors import find_actors
from ..recording import Snapshot
from ..texts import listed, say
from .signal_catalog import MOTIONS, field_of
from .signal_key import Key


def chosen_actors(snapshot: Snapshot, selectors: Sequence[str]) -> tuple[int, ...]:
    """Return the ids of the actors that selectors, with commas between them, match; without any those of the heroes.

    Raises:
        SelectorError: A selector matches none.
    """
    parts = split_texts(selectors)
    if parts:
        return tuple(dict.fromkeys(span.actor for span in find_actors(snapshot, parts)))
    return tuple(dict.fromkeys(life.actor for life in Actors.of(snapshot) if life.is_hero))


def keys_of(texts: Sequence[str], snapshot: Snapshot, actors: Sequence[int]) -> list[Key]:
    """Return the signals that texts mean, with semicolons between several in one text.

    Args:
        texts: Names as `speed`, fields as `AnimVehicle: throttle`, expressions, measures as `ttc2d(25, 31)`.
        snapshot: The state of the recording.
        actors: Those of signals of an actor.

    Raises:
        SelectorError: A text means none, or there is no actor.
    """
    keys: list[Key] = []
    for text in texts:
        for part in text.split(";"):
            keys += _keys_of(part.strip(), snapshot, actors)
    return list(dict.fromkeys(keys))


def _keys_of(text: str, snapshot: Snapshot, actors: Sequence[int]) -> list[Key]:
    """Return the signals that a text means: of two actors, of frames, or of each of the actors.

    Raises:
        SelectorError: It means none.
    """
    if not text:
        return []
    pair = pair_signal(text)
    if pair is not None:
        return [Key("pair", pair.measure.name, actor=pair.actor, other=pair.other)]
    if text in MOTIONS and text != "distance":
        return [Key("motion", text, actor=actor) for actor in _some(actors, text)]
    name, _, path = text.rpartition("=") if "==" not in text else ("", "", text)
    packet, colon, field = path.partition(":")
    if not colon:
        known = listed([name for name in MOTIONS if name != "distance"])
        raise SelectorError(
            say(
                "There is no signal {signal}; there are {known}, and expressions as 'Packet: field'.",
                signal=text,
                known=known,
            )
        )
    kind = snapshot.dialect.by_name(packet.strip())
    if kind is None:
        raise SelectorError(say("This recording has no packet {packet}.", packet=packet.strip()))
    key = Key("field", kind.name, field.strip())
    if name or field_of(key, snapshot.dialect) is None:
        key = Key("expression", name.strip(), path.strip())
    if kind.actor_field is None:
        return [key]
    return [key._replace(actor=actor) for actor in _some(actors, text)]


def _some(actors: Sequence[int], text: str) -> Sequence[int]:
    """Return the actors.

    Raises:
        SelectorError: There is none.
    """
    if not actors:
        raise SelectorError(say("{signal} is of an actor, and no actor has the role hero; choose some.", signal=text))
    return actors
