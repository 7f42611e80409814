"""Go: to frames, moments, packets, problems; playback."""

from functools import partial

from ..actions import ActionSpec
from ..differences import DIFFERENCES
from ..packet_tree import PACKETS
from ..panes import Services
from ..tables import PROBLEMS


def travel_actions(services: Services) -> list[ActionSpec]:
    """The actions of Go."""
    return [*_trail(services), *_frames(services), *_packets(services), *_play(services)]


def _trail(services: Services) -> list[ActionSpec]:
    session, tr = services.session, services.tr

    def go_to() -> None:
        from ..dialogs.go_to import GoTo

        GoTo(session, services.theme, services.window).open_()

    go_action = partial(ActionSpec, menu="Go")
    trail_action = partial(ActionSpec, menu="Go", section="trail")
    return [
        go_action(
            "palette.open",
            tr("Go to or find..."),
            services.open_search,
            "Ctrl+K",
            "search",
            tr("Find actions, places and actors"),
        ),
        go_action(
            "go.to",
            tr("Go to..."),
            go_to,
            "Ctrl+G",
            "target",
            tr("Go to a frame, time, offset or actor"),
            enabled=services.is_open,
        ),
        trail_action(
            "go.back",
            tr("Back"),
            session.selection.back,
            "Alt+Left",
            "chevron-left",
            tr("Go to the previous selection"),
            enabled=session.selection.can_go_back,
            needs=tr("There is no earlier selection."),
        ),
        trail_action(
            "go.forward",
            tr("Forward"),
            session.selection.forward,
            "Alt+Right",
            "chevron-right",
            tr("Go to the next selection"),
            enabled=session.selection.can_go_forward,
            needs=tr("There is no later selection."),
        ),
    ]


def _frames(services: Services) -> list[ActionSpec]:
    session, tr = services.session, services.tr

    def last() -> None:
        session.selection.go_to_frame(session.frames - 1)

    go_action = partial(ActionSpec, menu="Go", enabled=services.has_frames, needs=services.no_frames)
    frame_action = partial(go_action, section="frame")
    time_action = partial(go_action, context="pane", section="time", where=tr("Scene, timeline"))
    return [
        frame_action(
            "go.previous",
            tr("Previous frame"),
            partial(session.selection.step, -1),
            ",",
            "previous",
            tr("The frame before this one"),
        ),
        frame_action(
            "go.next", tr("Next frame"), partial(session.selection.step, 1), ".", "next", tr("The frame after this one")
        ),
        frame_action(
            "go.first",
            tr("First frame"),
            partial(session.selection.go_to_frame, 0),
            "Home",
            "first",
            tr("The first frame of the recording"),
            context="pane",
            where=tr("Scene, timeline"),
        ),
        frame_action(
            "go.last",
            tr("Last frame"),
            last,
            "End",
            "last",
            tr("The last frame of the recording"),
            context="pane",
            where=tr("Scene, timeline"),
        ),
        time_action(
            "go.second_back",
            tr("One second back"),
            partial(session.selection.step_seconds, -1.0),
            "Shift+Left",
            tooltip=tr("Go back one second"),
        ),
        time_action(
            "go.second_on",
            tr("One second on"),
            partial(session.selection.step_seconds, 1.0),
            "Shift+Right",
            tooltip=tr("Go forward one second"),
        ),
        time_action(
            "go.previous_event",
            tr("Previous event"),
            partial(session.selection.step_event, -1),
            "Ctrl+Left",
            tooltip=tr("The previous frame in which an actor appears, disappears or collides"),
            keywords=tr("collision birth spawn"),
        ),
        time_action(
            "go.next_event",
            tr("Next event"),
            partial(session.selection.step_event, 1),
            "Ctrl+Right",
            tooltip=tr("The next frame in which an actor appears, disappears or collides"),
            keywords=tr("collision birth spawn"),
        ),
    ]


def _packets(services: Services) -> list[ActionSpec]:
    session, panes, tr = services.session, services.panes, services.tr

    def found() -> bool:
        return bool(session.background.findings)

    def differs() -> bool:
        comparison = session.comparison.found
        return comparison is not None and comparison.differ

    def step_difference(by: int) -> None:
        panes.show(DIFFERENCES.name)
        panes.get(DIFFERENCES).step(by)

    def step_problem(by: int) -> None:
        panes.show(PROBLEMS.name)
        panes.get(PROBLEMS).step(by)

    go_action = partial(ActionSpec, menu="Go")
    packet_action = partial(go_action, enabled=services.has_frames, section="packet", needs=services.no_frames)
    problem_action = partial(go_action, enabled=found, section="problem", needs=tr("The checks found no problems."))
    difference_action = partial(
        go_action,
        enabled=differs,
        section="difference",
        keywords=tr("compare"),
        needs=tr("No differences from another recording are shown."),
    )
    return [
        packet_action(
            "go.previous_packet",
            tr("Previous packet"),
            lambda: panes.get(PACKETS).go_to_packet(-1),
            "PgUp",
            tooltip=tr("The packet before the selected one"),
            context="pane",
            where=tr("Packets"),
        ),
        packet_action(
            "go.next_packet",
            tr("Next packet"),
            lambda: panes.get(PACKETS).go_to_packet(1),
            "PgDown",
            tooltip=tr("The packet after the selected one"),
            context="pane",
            where=tr("Packets"),
        ),
        packet_action(
            "go.previous_kind",
            tr("Previous packet of this kind"),
            lambda: panes.get(PACKETS).go_to_kind(-1),
            tooltip=tr("The packet of the same name in an earlier frame"),
        ),
        packet_action(
            "go.next_kind",
            tr("Next packet of this kind"),
            lambda: panes.get(PACKETS).go_to_kind(1),
            tooltip=tr("The packet of the same name in a later frame"),
        ),
        problem_action(
            "go.next_problem",
            tr("Next problem"),
            partial(step_problem, 1),
            "F8",
            tooltip=tr("The next finding of the checks"),
        ),
        problem_action(
            "go.previous_problem",
            tr("Previous problem"),
            partial(step_problem, -1),
            "Shift+F8",
            tooltip=tr("The previous finding of the checks"),
        ),
        difference_action(
            "go.next_difference",
            tr("Next difference"),
            partial(step_difference, 1),
            "F7",
            tooltip=tr("The next difference between the two recordings"),
        ),
        difference_action(
            "go.previous_difference",
            tr("Previous difference"),
            partial(step_difference, -1),
            "Shift+F7",
            tooltip=tr("The previous difference between the two recordings"),
        ),
    ]


def _play(services: Services) -> list[ActionSpec]:
    player, tr = services.player, services.tr

    def shown() -> bool:
        return services.session.frames > 1

    def is_looping() -> bool:
        return player.is_looping

    too_short = tr("A recording of one frame cannot be played.")
    play_action = partial(ActionSpec, menu="Go/Playback", enabled=shown, context="pane", needs=too_short)
    speed_action = partial(play_action, section="speed")
    return [
        play_action(
            "play.toggle", tr("Play or pause"), player.toggle, "Space", "play", tr("Play the recording, or pause")
        ),
        play_action(
            "play.backward",
            tr("Play backward"),
            partial(player.shuttle, -1),
            "J",
            tooltip=tr("Play backward; press again for faster"),
        ),
        play_action(
            "play.stop",
            tr("Stop"),
            partial(player.shuttle, 0),
            "K",
            tooltip=tr("Stop at this frame and reset the speed"),
        ),
        play_action(
            "play.forward",
            tr("Play forward"),
            partial(player.shuttle, 1),
            "L",
            tooltip=tr("Play forward; press again for faster"),
        ),
        speed_action("play.slower", tr("Slower"), player.slower, "[", tooltip=tr("Play slower")),
        speed_action("play.faster", tr("Faster"), player.faster, "]", tooltip=tr("Play faster")),
        ActionSpec(
            "play.loop",
            tr("Loop the range"),
            player.set_looping,
            icon="loop",
            tooltip=tr("Start again at the end of the range"),
            menu="Go/Playback",
            enabled=shown,
            needs=too_short,
            checked=is_looping,
            section="speed",
        ),
    ]
