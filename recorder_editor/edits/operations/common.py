"""Arguments of several operations, and reasons why actors cannot be edited."""

from collections.abc import Callable
from dataclasses import replace

from ...recording.lives import Life
from .kinds import ACTOR, ACTORS, ANGLE, AT, MOMENT, PAIR, SECONDS, SPACE, WHOLE
from .schema import Argument, Sentence, Situation

MANY = Argument("actors", ACTORS, help="the actors")
ONE = Argument("actors", ACTOR, help="the actor (exactly one)")
TWO = Argument("actors", PAIR, help="the two", label="With")

START = Argument("from", MOMENT, needed=False, detail="--from", help="first frame: seconds (12.5) or a frame (#250)")
STOP = Argument("to", MOMENT, needed=False, detail="--to", help="end (exclusive)")
RANGE = (START, STOP)

_EASED = "So many seconds in which the change grows from nothing or goes back to nothing: nothing jumps"
_EASE_IN = Argument(
    "ease_in",
    SECONDS,
    False,
    detail="--ease-in",
    help="seconds in which the change begins",
    label="Ease in",
    default=0.0,
    low=0,
    step=0.5,
    tip=_EASED,
)
EASE = (
    _EASE_IN,
    replace(_EASE_IN, name="ease_out", detail="--ease-out", help="seconds in which the change ends", label="Ease out"),
)

WHEN = Argument("at", AT, detail="--at", help="the time: seconds or a frame")

OFFSET = Argument(
    "offset",
    SPACE,
    False,
    help="the shift",
    label=("Shift x", "Shift y", "Shift z"),
    default=(0.0, 0.0, 0.0),
    tip="Along the axes of the world, as locations are recorded",
)
TURN = Argument("turn", ANGLE, False, "DYAW", help="the rotation, from x towards y", label="Turn", default=0.0)
NEW_ID = Argument(
    "new_id",
    WHOLE,
    False,
    detail="--as",
    help="id of the copy",
    label="Id",
    low=1,
    high=0xFFFFFFFE,
    hint="next free",
    tip="Empty: one above the highest id",
)


def reason(situation: Situation, applies: Callable[[Life], bool], words: str) -> Sentence | None:
    """The words about the first of the lives that it applies to, with its blueprint and id; None if there is none."""
    life = next(filter(applies, situation.lives), None)
    return None if life is None else Sentence(words, (life.blueprint, str(life.actor)))


def of_the_map(situation: Situation) -> Sentence | None:
    """The reason if one of the lives belongs to the map."""
    words = "%1 %2 belongs to the map: the simulator creates none."
    return reason(situation, lambda life: life.is_traffic or life.blueprint == "spectator", words)


def found_by_place(situation: Situation) -> Sentence | None:
    """The reason if one of the lives is found by its place."""
    words = "%1 %2 cannot be moved: the simulator finds traffic actors by their place."
    return reason(situation, lambda life: life.is_traffic, words)
