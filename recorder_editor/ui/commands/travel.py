"""Go: to frames, moments, packets, problems; playback."""

from functools import partial

from ..actions import ActionSpec
from ..differences import DIFFERENCES
from ..packet_tree import PACKETS
from ..panes import Services
from ..tables import PROBLEMS
from .rows import actions_by_row


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
        *actions_by_row(
            services,
            time_action,
            session.selection.step_seconds,
            (-1.0, "go.second_back", "One second back", "Shift+Left", "Go back one second"),
            (1.0, "go.second_on", "One second on", "Shift+Right", "Go forward one second"),
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
        *actions_by_row(
            services,
            partial(packet_action, context="pane", where=tr("Packets")),
            lambda by: panes.get(PACKETS).go_to_packet(by),
            (-1, "go.previous_packet", "Previous packet", "PgUp", "The packet before the selected one"),
            (1, "go.next_packet", "Next packet", "PgDown", "The packet after the selected one"),
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
        *actions_by_row(
            services,
            problem_action,
            step_problem,
            (1, "go.next_problem", "Next problem", "F8", "The next finding of the checks"),
            (-1, "go.previous_problem", "Previous problem", "Shift+F8", "The previous finding of the checks"),
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
        *actions_by_row(
            services,
            play_action,
            player.shuttle,
            (-1, "play.backward", "Play backward", "J", "Play backward; press again for faster"),
            (0, "play.stop", "Stop", "K", "Stop at this frame and reset the speed"),
            (1, "play.forward", "Play forward", "L", "Play forward; press again for faster"),
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
