"""What the scene shows of the recording that this one is compared with."""

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF

from ....reading import Actors
from ....recording import Frame
from ....texts import say
from ....views.frame_actors import FrameContents, LifeTraits, frame_contents, life_traits
from ....views.units import Units
from ...session import Session
from ...style.colors import Palette
from .coloring import own_colors
from .state import Compared, SceneState, Wipe, actor_at

if TYPE_CHECKING:
    from ....reports.diff import Thing


class ComparedView:
    """The other recording in the scene.

    Attributes:
        share: Where the line between both recordings is, as a share of the width.
        is_swapped: This recording is at the right of it.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._traits: LifeTraits | None = None
        self._frame: Frame | None = None
        self._contents: FrameContents | None = None
        self.share = 0.5
        self.is_swapped = False

    def contents(self, frame_index: int) -> FrameContents | None:
        """Return what the other recording holds in the same moment; None where it has no such frame."""
        comparison = self._session.comparison
        frame = comparison.frame_of_other(frame_index)
        if comparison.other is None or frame is None:
            self._frame = None
            self._contents = None
            return None
        snapshot = comparison.other.snapshot
        actors = Actors.of(snapshot)
        is_same = self._traits is not None and self._traits.actors is actors
        if not is_same:
            self._traits = life_traits(actors)
        if not is_same or frame is not self._frame:
            assert self._traits is not None
            self._frame = frame
            self._contents = frame_contents(snapshot, frame, self._traits)
        return self._contents

    def thing(self, units: Units) -> Compared | None:
        """Return the chosen thing, if it is an actor, with what stands beside it."""
        thing = self._session.comparison.chosen
        if thing is None or thing.kind != "actor":
            return None
        actor = thing.ids[0]
        if thing.only == "a":
            text = say("{actor} only here", actor=actor)
        elif thing.only == "b":
            text = say("{actor} only there", actor=actor)
        elif thing.moved:
            text = say("{actor} moved {distance}", actor=actor, distance=units.text(thing.moved / 100, "m", 1))
        else:
            text = say("{actor} differs", actor=actor)
        return Compared(thing.ids, text)

    def wiped(self, here: SceneState, other: FrameContents, palette: Palette) -> SceneState:
        """Return a state with the line, and what the other recording shows behind it.

        Actors of the other one have their own colour where those of this one do, else that of their class.
        """
        coloring = None
        if here.coloring is not None and here.coloring.is_own and self._traits is not None:
            coloring = own_colors(self._traits.actors, other, palette)
        there = replace(
            here,
            contents=other,
            other=here.actors,
            is_there=True,
            editable=False,
            coloring=coloring,
            trails=(),
            leaders=(),
            conflict=None,
            colliding=frozenset(),
            pointed=(),
            ghosts=(),
            path=None,
        )
        return replace(here, wipe=Wipe(there, here.camera.width * self.share, self.is_swapped))

    def place(self, state: SceneState) -> tuple[float, float] | None:
        """Return where the chosen thing is in this frame, there or else here, m; None where it is nowhere."""
        if state.compared is None:
            return None
        for actor in state.compared.ids:
            for actors in (state.other, state.actors):
                if actors is None:
                    continue
                index = actors.index_of(actor)
                if index is not None and math.isfinite(float(actors.x[index] + actors.y[index])):
                    return float(actors.x[index]), float(actors.y[index])
        return None

    def only_there_at(self, state: SceneState, point: QPointF) -> "Thing | None":
        """Return the actor under a point that only the other recording has; None for others."""
        comparison = self._session.comparison.result
        if comparison is None or self._contents is None or state.other is None:
            return None
        actor = actor_at(replace(state, contents=self._contents, wipe=None), point)
        if actor is None or state.actors.index_of(actor) is not None:
            return None
        for thing in comparison.things:
            if thing.only == "b" and thing.ids == (actor,):
                return thing
        return None
