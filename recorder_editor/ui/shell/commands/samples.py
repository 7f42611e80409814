"""Help: the samples. Each shows one use of the program; `resources/tour.json` says which frames of which file."""

from collections.abc import Callable
from functools import partial
from typing import Literal

from PySide6.QtCore import QTimer

from .... import resources
from ....texts import N_, say
from ...session.range import within
from ...style.icons import IconName
from ..action import Action
from ..panes import Services
from ..tour import tour_table

Sample = Literal["look", "cut", "repair"]


def open_sample(services: Services, name: Sample, then: Callable[[], object] | None = None) -> None:
    """Open a sample where it is worth a look.

    Args:
        services: Those of the window.
        name: The sample.
        then: Called when it is shown.
    """
    sample = tour_table()["samples"][name]
    session = services.session

    def show() -> None:
        start, stop = sample["range"]
        session.range.put(within((start, stop), session.frames))
        session.selection.go_to_frame(sample["frame"])
        services.panes.set_preset(sample["preset"])
        QTimer.singleShot(0, services.window, zoom)  # the docks have their lengths by then

    def zoom() -> None:
        if "actor" in sample:
            session.selection.select_actor(sample["actor"])
            services.actions.run("scene.zoom")
        if then is not None:
            then()

    try:
        path = resources.path(f"sample/{sample['file']}")
    except FileNotFoundError as error:
        services.documents.tell(say("The sample is missing"), error)
        return
    services.documents.open(path, show)


def _sample(name: Sample, *, text: str, icon: IconName, tooltip: str) -> Action:
    return Action(
        f"sample.{name}",
        partial(open_sample, name=name),
        text=text,
        icon=icon,
        menu="Help",
        section="sample",
        tooltip=tooltip,
        keywords=N_("sample example"),
    )


ACTIONS = (
    _sample(
        "look",
        text=N_("Look into a drive"),
        icon="search",
        tooltip=N_("Open twenty seconds of a generated town, a moment before its collision"),
    ),
    _sample(
        "cut",
        text=N_("Cut out the accident"),
        icon="trim",
        tooltip=N_("Trim the same drive to the nine seconds around the collision"),
    ),
    _sample(
        "repair",
        text=N_("Repair a damaged copy"),
        icon="repair",
        tooltip=N_("Open a copy with a hole and without its end, and save what is left of it"),
    ),
)
