"""Help: the samples. Each shows one use of the program."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QTimer

from .... import resources
from ....texts import N_, say
from ...session.range import within
from ...style.icons import IconName
from ..action import Action
from ..panes import Services
from .workspace import Layout


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """What is shown of a recording that comes with the program.

    Attributes:
        file: Its name in `resources/sample`.
        preset: The layout of the panes.
        frame: Index of the frame, from 0.
        span: The range from in to out, as indices of frames.
        actor: Id of the actor that is selected; None for no actor.
    """

    file: str
    preset: Layout
    frame: int
    span: tuple[int, int]
    actor: int | None = None


LOOK = Sample(file="town.log", preset="inspect", frame=254, span=(0, 421), actor=25)
CUT = Sample(file="town.log", preset="trim", frame=267, span=(180, 360))
REPAIR = Sample(file="town-damaged.log", preset="repair", frame=50, span=(0, 102))


def open_sample(services: Services, sample: Sample, then: Callable[[], object] | None = None) -> None:
    """Open a sample where it is worth a look.

    Args:
        services: Those of the window.
        sample: The sample.
        then: Called when it is shown.
    """
    session = services.session

    def show() -> None:
        session.range.put(within(sample.span, session.frames))
        session.selection.go_to_frame(sample.frame)
        services.panes.set_preset(sample.preset)
        QTimer.singleShot(0, services.window, zoom)  # the docks have their lengths by then

    def zoom() -> None:
        if sample.actor is not None:
            session.selection.select_actor(sample.actor)
            services.actions.run("scene.zoom")
        if then is not None:
            then()

    try:
        path = resources.path(f"sample/{sample.file}")
    except FileNotFoundError as error:
        services.documents.tell(say("The sample is missing"), error)
        return
    services.documents.open(path, show)


def _sample(name: str, sample: Sample, *, text: str, icon: IconName, tooltip: str) -> Action:
    return Action(
        f"sample.{name}",
        partial(open_sample, sample=sample),
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
        LOOK,
        text=N_("Look into a drive"),
        icon="search",
        tooltip=N_("Open twenty seconds of a generated town, a moment before its collision"),
    ),
    _sample(
        "cut",
        CUT,
        text=N_("Cut out the accident"),
        icon="trim",
        tooltip=N_("Trim the same drive to the nine seconds around the collision"),
    ),
    _sample(
        "repair",
        REPAIR,
        text=N_("Repair a damaged copy"),
        icon="repair",
        tooltip=N_("Open a copy with a hole and without its end, and save what is left of it"),
    ),
)
