"""Go: to frames, moments, packets, problems and differences."""

from ....texts import N_
from ..action import FRAMES, RECORDING, Action, Condition, on_pane
from ..pane_list import DIFFERENCES, EVENTS, PACKETS, PROBLEMS, SCENE, TIMELINE
from ..panes import Services


def go_to_first(services: Services) -> None:
    """Go to the first frame."""
    services.session.selection.go_to_frame(0)


def go_to_last(services: Services) -> None:
    """Go to the last frame."""
    services.session.selection.go_to_frame(services.session.frames - 1)


def _has_findings(services: Services) -> bool:
    return bool(services.session.background.findings)


def _has_differences(services: Services) -> bool:
    comparison = services.session.comparison.result
    return comparison is not None and bool(comparison.header or len(comparison))


EARLIER = Condition(lambda services: services.session.selection.can_go_back(), N_("There is no earlier selection."))
LATER = Condition(lambda services: services.session.selection.can_go_forward(), N_("There is no later selection."))
TRAFFIC_EVENTS = Condition(
    lambda services: services.session.events.found is not None and len(services.session.events.found) > 0,
    N_("No traffic events were found."),
)
FINDINGS = Condition(_has_findings, N_("The checks found no problems."))
SHOWN_DIFFERENCES = Condition(_has_differences, N_("No differences from another recording are shown."))

ACTIONS = (
    Action(
        "palette.open",
        lambda services: services.open_search(),
        text=N_("Go to or find..."),
        key="Ctrl+K",
        icon="search",
        menu="Go",
        tooltip=N_("Find actions, places and actors"),
    ),
    Action(
        "go.to",
        lambda services: services.open_search(),
        needs=RECORDING,
        text=N_("Go to..."),
        key="Ctrl+G",
        icon="target",
        menu="Go",
        tooltip=N_("Go to a frame, time, offset or actor"),
    ),
    Action(
        "go.back",
        lambda services: services.session.selection.back(),
        needs=EARLIER,
        text=N_("Back"),
        key="Alt+Left",
        icon="chevron-left",
        menu="Go",
        section="trail",
        tooltip=N_("Go to the previous selection"),
    ),
    Action(
        "go.forward",
        lambda services: services.session.selection.forward(),
        needs=LATER,
        text=N_("Forward"),
        key="Alt+Right",
        icon="chevron-right",
        menu="Go",
        section="trail",
        tooltip=N_("Go to the next selection"),
    ),
    Action(
        "go.previous",
        lambda services: services.session.selection.step(-1),
        needs=FRAMES,
        text=N_("Previous frame"),
        key=",",
        icon="previous",
        menu="Go",
        section="frame",
        tooltip=N_("The frame before this one"),
    ),
    Action(
        "go.next",
        lambda services: services.session.selection.step(1),
        needs=FRAMES,
        text=N_("Next frame"),
        key=".",
        icon="next",
        menu="Go",
        section="frame",
        tooltip=N_("The frame after this one"),
    ),
    Action(
        "go.first",
        go_to_first,
        needs=FRAMES,
        text=N_("First frame"),
        key="Home",
        icon="first",
        menu="Go",
        section="frame",
        where=(SCENE, TIMELINE),
        tooltip=N_("The first frame of the recording"),
    ),
    Action(
        "go.last",
        go_to_last,
        needs=FRAMES,
        text=N_("Last frame"),
        key="End",
        icon="last",
        menu="Go",
        section="frame",
        where=(SCENE, TIMELINE),
        tooltip=N_("The last frame of the recording"),
    ),
    Action(
        "go.second_back",
        lambda services: services.session.selection.step_seconds(-1.0),
        needs=FRAMES,
        text=N_("One second back"),
        key="Shift+Left",
        menu="Go",
        section="time",
        where=(SCENE, TIMELINE),
        tooltip=N_("Go back one second"),
    ),
    Action(
        "go.second_on",
        lambda services: services.session.selection.step_seconds(1.0),
        needs=FRAMES,
        text=N_("One second forward"),
        key="Shift+Right",
        menu="Go",
        section="time",
        where=(SCENE, TIMELINE),
        tooltip=N_("Go forward one second"),
    ),
    Action(
        "go.previous_event",
        lambda services: services.session.selection.step_event(-1),
        needs=FRAMES,
        text=N_("Previous event"),
        key="Ctrl+Left",
        menu="Go",
        section="time",
        where=(SCENE, TIMELINE),
        tooltip=N_("The previous frame in which an actor appears, disappears or collides"),
        keywords=N_("collision birth spawn"),
    ),
    Action(
        "go.next_event",
        lambda services: services.session.selection.step_event(1),
        needs=FRAMES,
        text=N_("Next event"),
        key="Ctrl+Right",
        menu="Go",
        section="time",
        where=(SCENE, TIMELINE),
        tooltip=N_("The next frame in which an actor appears, disappears or collides"),
        keywords=N_("collision birth spawn"),
    ),
    Action(
        "go.previous_packet",
        on_pane(PACKETS, lambda pane: pane.go_to_packet(-1)),
        needs=FRAMES,
        text=N_("Previous packet"),
        key="PgUp",
        menu="Go",
        section="packet",
        where=(PACKETS,),
        tooltip=N_("The packet before the selected one"),
    ),
    Action(
        "go.next_packet",
        on_pane(PACKETS, lambda pane: pane.go_to_packet(1)),
        needs=FRAMES,
        text=N_("Next packet"),
        key="PgDown",
        menu="Go",
        section="packet",
        where=(PACKETS,),
        tooltip=N_("The packet after the selected one"),
    ),
    Action(
        "go.previous_kind",
        on_pane(PACKETS, lambda pane: pane.go_to_kind(-1)),
        needs=FRAMES,
        text=N_("Previous packet of this type"),
        menu="Go",
        section="packet",
        tooltip=N_("The packet of the same name in an earlier frame"),
    ),
    Action(
        "go.next_kind",
        on_pane(PACKETS, lambda pane: pane.go_to_kind(1)),
        needs=FRAMES,
        text=N_("Next packet of this type"),
        menu="Go",
        section="packet",
        tooltip=N_("The packet of the same name in a later frame"),
    ),
    Action(
        "go.next_problem",
        on_pane(PROBLEMS, lambda pane: pane.step(1), opens=True),
        needs=FINDINGS,
        text=N_("Next problem"),
        key="F8",
        menu="Go",
        section="problem",
        tooltip=N_("The next finding of the checks"),
    ),
    Action(
        "go.previous_problem",
        on_pane(PROBLEMS, lambda pane: pane.step(-1), opens=True),
        needs=FINDINGS,
        text=N_("Previous problem"),
        key="Shift+F8",
        menu="Go",
        section="problem",
        tooltip=N_("The previous finding of the checks"),
    ),
    Action(
        "go.next_traffic_event",
        on_pane(EVENTS, lambda pane: pane.step(1), opens=True),
        needs=TRAFFIC_EVENTS,
        text=N_("Next traffic event"),
        key="F9",
        menu="Go",
        section="event",
        tooltip=N_("The next traffic event in the order of its table, at first the worst one"),
        keywords=N_("near miss collision cut-in braking"),
    ),
    Action(
        "go.previous_traffic_event",
        on_pane(EVENTS, lambda pane: pane.step(-1), opens=True),
        needs=TRAFFIC_EVENTS,
        text=N_("Previous traffic event"),
        key="Shift+F9",
        menu="Go",
        section="event",
        tooltip=N_("The previous traffic event in the order of its table"),
        keywords=N_("near miss collision cut-in braking"),
    ),
    Action(
        "go.next_difference",
        on_pane(DIFFERENCES, lambda pane: pane.step(1), opens=True),
        needs=SHOWN_DIFFERENCES,
        text=N_("Next difference"),
        key="F7",
        menu="Go",
        section="difference",
        tooltip=N_("The next difference between the two recordings"),
        keywords=N_("compare"),
    ),
    Action(
        "go.previous_difference",
        on_pane(DIFFERENCES, lambda pane: pane.step(-1), opens=True),
        needs=SHOWN_DIFFERENCES,
        text=N_("Previous difference"),
        key="Shift+F7",
        menu="Go",
        section="difference",
        tooltip=N_("The previous difference between the two recordings"),
        keywords=N_("compare"),
    ),
)
