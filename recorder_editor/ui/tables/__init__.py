"""Actors, problems and notes as tables."""

from typing import TYPE_CHECKING

from ..docks import Placement
from ..panes import PaneSpec, plain

if TYPE_CHECKING:
    from .actors import ActorsTable
    from .items import NotesPane
    from .problems import ProblemsTable


_ACTORS = Placement("left", {"inspect": ("tabs", 1), "repair": ("tabs", 2)})
_PROBLEMS = Placement("left", {"inspect": ("tabs", 2), "repair": ("tabs", 0)})

_NOTES = Placement("left", joins="behind")

_actors, _problems = plain(".tables.actors", "ActorsTable"), plain(".tables.problems", "ProblemsTable")

ACTORS: "PaneSpec[ActorsTable]" = PaneSpec("actors", "Actors", _actors, _ACTORS, guide="editing.md#Actors")
PROBLEMS: "PaneSpec[ProblemsTable]" = PaneSpec("problems", "Problems", _problems, _PROBLEMS, guide="checks.md")
NOTES: "PaneSpec[NotesPane]" = PaneSpec(
    "notes", "Notes", plain(".tables.items", "NotesPane"), _NOTES, guide="editing.md#Notes"
)
