"""Go: to frames, moments, packets, problems; playback."""

from functools import partial

from ..actions import ActionSpec
from ..dialogs.go_to import GoTo
from ..differences import DIFFERENCES
from ..packet_tree import PACKETS
from ..panes import Services
from ..tables import PROBLEMS


def travel_actions(services: Services) -> list[ActionSpec]:
    """The actions of Go."""
    return [*_trail(services), *_frames(services), *_packets(services), *_play(services)]


def _trail(services: Services) -> list[ActionSpec]:
    session, tr = services.session, services.tr

    def shown() -> bool:
        return session.snapshot is not None

    def go_to() -> None:
        GoTo(session, services.theme, services.window).open_()

    def can_go_back() -> bool:
        return session.can_go_back

    def can_go_forward() -> bool:
        return session.can_go_forward

    return [
        ActionSpec(
            "palette.open",
            tr("Go to or find..."),
            services.open_search,
            "Ctrl+K",
            "search",
            tr("Find every action, place and actor"),
            "Go",
        ),
        ActionSpec(
            "go.to",
            tr("Go to..."),
            go_to,
            "Ctrl+G",
            "target",
            tr("A frame, a moment, an offset or an actor"),
            "Go",
            shown,
        ),
        ActionSpec(
            "go.back",
            tr("Back"),
            session.back,
            "Alt+Left",
            "chevron-left",
            tr("The selection before"),
            "Go",
            can_go_back,
            section="trail",
        ),
        ActionSpec(
            "go.forward",
            tr("Forward"),
            session.forward,
            "Alt+Right",
            "chevron-right",
            tr("The selection that was left"),
            "Go",
            can_go_forward,
            section="trail",
        ),
    ]


def _frames(services: Services) -> list[ActionSpec]:
    session, tr = services.session, services.tr

    def shown() -> bool:
        return session.frames > 0

    def first() -> None:
        session.go_to_frame(0)

    def last() -> None:
        session.go_to_frame(session.frames - 1)

    return [
        ActionSpec(
            "go.previous",
            tr("Previous frame"),
            partial(session.step, -1),
            ",",
            "previous",
            menu="Go",
            enabled=shown,
            section="frame",
            tooltip=tr("The frame before this one"),
        ),
        ActionSpec(
            "go.next",
            tr("Next frame"),
            partial(session.step, 1),
            ".",
            "next",
            menu="Go",
            enabled=shown,
            section="frame",
            tooltip=tr("The frame behind this one"),
        ),
        ActionSpec(
            "go.first",
            tr("First frame"),
            first,
            "Home",
            "first",
            menu="Go",
            enabled=shown,
            context="pane",
            section="frame",
            where=tr("Scene, timeline"),
            tooltip=tr("Where the recording begins"),
        ),
        ActionSpec(
            "go.last",
            tr("Last frame"),
            last,
            "End",
            "last",
            menu="Go",
            enabled=shown,
            context="pane",
            section="frame",
            where=tr("Scene, timeline"),
            tooltip=tr("Where the recording ends"),
        ),
        ActionSpec(
            "go.second_back",
            tr("One second back"),
            partial(session.step_seconds, -1.0),
            "Shift+Left",
            menu="Go",
            enabled=shown,
            context="pane",
            section="time",
            where=tr("Scene, timeline"),
            tooltip=tr("The frame of a second before"),
        ),
        ActionSpec(
            "go.second_on",
            tr("One second on"),
            partial(session.step_seconds, 1.0),
            "Shift+Right",
            menu="Go",
            enabled=shown,
            context="pane",
            section="time",
            where=tr("Scene, timeline"),
            tooltip=tr("The frame of a second later"),
        ),
        ActionSpec(
            "go.previous_event",
            tr("Previous event"),
            partial(session.step_event, -1),
            "Ctrl+Left",
            menu="Go",
            enabled=shown,
            context="pane",
            section="time",
            words=tr("collision birth spawn"),
            where=tr("Scene, timeline"),
            tooltip=tr("The frame before in which somebody is born, goes or collides"),
        ),
        ActionSpec(
            "go.next_event",
            tr("Next event"),
            partial(session.step_event, 1),
            "Ctrl+Right",
            menu="Go",
            enabled=shown,
            context="pane",
            section="time",
            words=tr("collision birth spawn"),
            where=tr("Scene, timeline"),
            tooltip=tr("The next frame in which somebody is born, goes or collides"),
        ),
    ]


def _packets(services: Services) -> list[ActionSpec]:
    session, panes, tr = services.session, services.panes, services.tr

    def shown() -> bool:
        return session.frames > 0

    def found() -> bool:
        return bool(session.findings)

    def differs() -> bool:
        comparison = session.comparing.found
        return comparison is not None and comparison.differ

    def step_difference(by: int) -> None:
        panes.show(DIFFERENCES.name)
        panes.get(DIFFERENCES).step(by)

    def step_problem(by: int) -> None:
        panes.show(PROBLEMS.name)
        panes.get(PROBLEMS).step(by)

    def go_to_packet(by: int) -> None:
        panes.get(PACKETS).go_to_packet(by)

    def go_to_kind(by: int) -> None:
        panes.get(PACKETS).go_to_kind(by)

    return [
        ActionSpec(
            "go.previous_packet",
            tr("Previous packet"),
            partial(go_to_packet, -1),
            "PgUp",
            menu="Go",
            enabled=shown,
            context="pane",
            section="packet",
            where=tr("Packets"),
            tooltip=tr("The packet before the selected one"),
        ),
        ActionSpec(
            "go.next_packet",
            tr("Next packet"),
            partial(go_to_packet, 1),
            "PgDown",
            menu="Go",
            enabled=shown,
            context="pane",
            section="packet",
            where=tr("Packets"),
            tooltip=tr("The packet behind the selected one"),
        ),
        ActionSpec(
            "go.previous_kind",
            tr("Previous packet of this kind"),
            partial(go_to_kind, -1),
            menu="Go",
            enabled=shown,
            section="packet",
            tooltip=tr("The packet of the same name in an earlier frame"),
        ),
        ActionSpec(
            "go.next_kind",
            tr("Next packet of this kind"),
            partial(go_to_kind, 1),
            menu="Go",
            enabled=shown,
            section="packet",
            tooltip=tr("The packet of the same name in a later frame"),
        ),
        ActionSpec(
            "go.next_problem",
            tr("Next problem"),
            partial(step_problem, 1),
            "F8",
            menu="Go",
            enabled=found,
            section="problem",
            tooltip=tr("What the checks found next"),
        ),
        ActionSpec(
            "go.previous_problem",
            tr("Previous problem"),
            partial(step_problem, -1),
            "Shift+F8",
            menu="Go",
            enabled=found,
            section="problem",
            tooltip=tr("What the checks found before"),
        ),
        ActionSpec(
            "go.next_difference",
            tr("Next difference"),
            partial(step_difference, 1),
            "F7",
            menu="Go",
            enabled=differs,
            section="difference",
            words=tr("compare"),
            tooltip=tr("What differs next between the two recordings"),
        ),
        ActionSpec(
            "go.previous_difference",
            tr("Previous difference"),
            partial(step_difference, -1),
            "Shift+F7",
            menu="Go",
            enabled=differs,
            section="difference",
            words=tr("compare"),
            tooltip=tr("What differs before it between the two recordings"),
        ),
    ]


def _play(services: Services) -> list[ActionSpec]:
    player, tr = services.player, services.tr

    def shown() -> bool:
        return services.session.frames > 1

    def is_looping() -> bool:
        return player.is_looping

    keys = (
        ("toggle", tr("Play or pause"), player.toggle, "Space", "play", tr("Run through the frames, or stop"), ""),
        ("backward", tr("Play backward"), partial(player.shuttle, -1), "J", "", tr("Backward; again: faster"), ""),
        ("stop", tr("Stop"), partial(player.shuttle, 0), "K", "", tr("Stay at this frame, at normal speed"), ""),
        ("forward", tr("Play forward"), partial(player.shuttle, 1), "L", "", tr("Forward; again: faster"), ""),
        ("slower", tr("Slower"), player.slower, "[", "", tr("Play slower"), "speed"),
        ("faster", tr("Faster"), player.faster, "]", "", tr("Play faster"), "speed"),
    )
    return [
        *(
            ActionSpec(
                f"play.{name}", text, does, key, icon, tip, "Go/Playback", shown, context="pane", section=section
            )
            for name, text, does, key, icon, tip, section in keys
        ),
        ActionSpec(
            "play.loop",
            tr("Loop the range"),
            player.set_looping,
            "",
            "loop",
            tr("Begin again at its end"),
            "Go/Playback",
            shown,
            checked=is_looping,
            section="speed",
        ),
    ]
