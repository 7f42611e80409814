"""What can be chosen of a picture or a video of the scene, as both have it. Knows no Qt."""

from typing import Final, Protocol

from ..option_specs import OptionSpec
from ..texts import N_

FOLLOW: Final = OptionSpec(
    flag="--follow",
    kind="text",
    label=N_("Follow"),
    help=N_("keep this actor in view: ID, hero, role:NAME; without it all road users are"),
    metavar="ACTOR",
    hint=N_("none; or hero, 174, role:NAME"),
)
LABELS: Final = OptionSpec(
    flag="--labels",
    kind="choice",
    label=N_("Ids"),
    help=N_("which road users have their id beside them: those near a hero (default), all, or none"),
    choices={"near": N_("Near the hero"), "all": N_("All"), "none": N_("None")},
)
ROADS: Final = OptionSpec(
    flag="--roads",
    kind="choice",
    label=N_("Roads"),
    help=N_("what lies under the actors: the road map (default; without one recorded paths), paths, or none"),
    choices={"map": N_("Road map"), "paths": N_("Recorded paths"), "none": N_("None")},
)
ACTORS: Final = OptionSpec(
    flag="--actors",
    kind="texts",
    label=N_("Actors"),
    help=N_("these are meant: ID, hero, role:NAME, type:vehicle.*, with commas between them"),
    metavar="ACTORS,...",
    hint=N_("hero, 174, role:NAME"),
)


def follow_mode(text: str, *, keeps: bool) -> OptionSpec:
    """Return what is said of where the followed actor is kept.

    Args:
        text: The help.
        keeps: Whether it can be just kept in view, which one picture alone cannot tell.
    """
    choices = {"middle": N_("In the middle"), "up": N_("In the middle, heading up")}
    if keeps:
        choices["keep"] = N_("Kept in view")
    return OptionSpec(flag="--follow-mode", kind="choice", label=N_("Followed actor"), help=text, choices=choices)


def signals(text: str) -> OptionSpec:
    """Return what is said of signals, with where they are drawn as the help."""
    return OptionSpec(flag="--signals", kind="texts", label=N_("Signals"), help=text, metavar="S")


def color_by(default: str) -> OptionSpec:
    """Return what is said of the colours of actors, of which one is the default."""
    return OptionSpec(
        flag="--color-by",
        kind="choice",
        label=N_("Colour by"),
        help=N_("what actors are filled with (default {value}); acceleration and ttc need the extra analysis"),
        help_values={"value": default},
        choices={
            "own": N_("Own colour"),
            "class": N_("Class"),
            "speed": N_("Speed"),
            "acceleration": N_("Acceleration"),
            "ttc": "TTC",
            "role": N_("Role"),
        },
    )


class SceneOptions(Protocol):
    """The choices that both have."""

    @property
    def labels(self) -> str:
        """A choice of `LABELS`."""

    @property
    def color(self) -> str:
        """A choice of `color_by`."""

    @property
    def roads(self) -> str:
        """A choice of `ROADS`."""
