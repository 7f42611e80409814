"""Go: to frames, moments, packets, problems; playback."""

from functools import partial

from ...widgets.actions import ActionSpec
from ..pane_list import DIFFERENCES, PACKETS, PROBLEMS
from ..panes import Services


def travel_actions(services: Services) -> list[ActionSpec]:
    """The actions of Go."""
    return [*_frames(services), *_packets(services), *_play(services)]


def _frames(services: Services) -> list[ActionSpec]:
    session, action = services.session, services.action
    return [
        action("palette.open", services.open_search),
        action("go.to", services.open_search),
        action("go.back", session.selection.back, enabled=session.selection.can_go_back),
        action("go.forward", session.selection.forward, enabled=session.selection.can_go_forward),
        action("go.previous", partial(session.selection.step, -1)),
        action("go.next", partial(session.selection.step, 1)),
        action("go.first", partial(session.selection.go_to_frame, 0)),
        action("go.last", lambda: session.selection.go_to_frame(session.frames - 1)),
        action("go.second_back", partial(session.selection.step_seconds, -1.0)),
        action("go.second_on", partial(session.selection.step_seconds, 1.0)),
        action("go.previous_event", partial(session.selection.step_event, -1)),
        action("go.next_event", partial(session.selection.step_event, 1)),
    ]


def _packets(services: Services) -> list[ActionSpec]:
    session = services.session

    def found() -> bool:
        return bool(session.background.findings)

    def differs() -> bool:
        comparison = session.comparison.found
        return comparison is not None and comparison.differ

    of_pane = services.action_of
    return [
        of_pane(PACKETS, "go.previous_packet", lambda pane: pane.go_to_packet(-1)),
        of_pane(PACKETS, "go.next_packet", lambda pane: pane.go_to_packet(1)),
        of_pane(PACKETS, "go.previous_kind", lambda pane: pane.go_to_kind(-1)),
        of_pane(PACKETS, "go.next_kind", lambda pane: pane.go_to_kind(1)),
        of_pane(PROBLEMS, "go.next_problem", lambda pane: pane.step(1), when=found, opens=True),
        of_pane(PROBLEMS, "go.previous_problem", lambda pane: pane.step(-1), when=found, opens=True),
        of_pane(DIFFERENCES, "go.next_difference", lambda pane: pane.step(1), when=differs, opens=True),
        of_pane(DIFFERENCES, "go.previous_difference", lambda pane: pane.step(-1), when=differs, opens=True),
    ]


def _play(services: Services) -> list[ActionSpec]:
    player, action, segments = services.player, services.action, services.session.segments

    def skip(on: bool) -> None:
        segments.skips = on

    return [
        action("play.toggle", player.toggle),
        action("play.backward", partial(player.shuttle, -1)),
        action("play.stop", partial(player.shuttle, 0)),
        action("play.forward", partial(player.shuttle, 1)),
        action("play.slower", player.slower),
        action("play.faster", player.faster),
        action("play.loop", player.set_looping, checked=lambda: player.is_looping),
        action("play.skip", skip, checked=lambda: segments.skips),
    ]
