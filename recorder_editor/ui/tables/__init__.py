"""Actors, problems and notes as tables."""

from typing import TYPE_CHECKING

from ..docks import Placement
from ..panes import PaneSpec, Services

if TYPE_CHECKING:
    from .actors import ActorsTable
    from .items import NotesPane
    from .problems import ProblemsTable


def _make_actors(services: Services) -> "ActorsTable":
    from .actors import ActorsTable

    return ActorsTable(services.session, services.theme)


def _make_problems(services: Services) -> "ProblemsTable":
    from .problems import ProblemsTable

    return ProblemsTable(services.session, services.theme)


def _make_notes(services: Services) -> "NotesPane":
    from .items import NotesPane

    return NotesPane(services.session, services.theme)


_ACTORS = Placement("left", {"inspect": ("tabs", 1), "repair": ("tabs", 2)})
_PROBLEMS = Placement("left", {"inspect": ("tabs", 2), "repair": ("tabs", 0)})

ACTORS = PaneSpec("actors", "Actors", _make_actors, _ACTORS, guide="editing.md#Actors")
PROBLEMS = PaneSpec("problems", "Problems", _make_problems, _PROBLEMS, guide="checks.md")
NOTES = PaneSpec("notes", "Notes", _make_notes, Placement("left", joins="behind"), guide="editing.md#Notes")
