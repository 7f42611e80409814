"""Go: playback."""

from ....texts import N_
from ..action import SEVERAL_FRAMES, Action, Switch
from ..panes import Services


def skip(services: Services, on: bool) -> None:
    """Leave out what is in segments that are off, or play it."""
    services.session.segments.skips = on


ACTIONS = (
    Action(
        "play.toggle",
        lambda services: services.player.toggle(),
        needs=SEVERAL_FRAMES,
        text=N_("Play or pause"),
        key="Space",
        icon="play",
        menu="Go/Playback",
        yields_to_panes=True,
        tooltip=N_("Play the recording, or pause"),
    ),
    Action(
        "play.backward",
        lambda services: services.player.shuttle(-1),
        needs=SEVERAL_FRAMES,
        text=N_("Play backward"),
        key="J",
        menu="Go/Playback",
        yields_to_panes=True,
        tooltip=N_("Play backward; press again for faster"),
    ),
    Action(
        "play.stop",
        lambda services: services.player.shuttle(0),
        needs=SEVERAL_FRAMES,
        text=N_("Stop"),
        key="K",
        menu="Go/Playback",
        yields_to_panes=True,
        tooltip=N_("Stop at this frame and reset the speed"),
    ),
    Action(
        "play.forward",
        lambda services: services.player.shuttle(1),
        needs=SEVERAL_FRAMES,
        text=N_("Play forward"),
        key="L",
        menu="Go/Playback",
        yields_to_panes=True,
        tooltip=N_("Play forward; press again for faster"),
    ),
    Action(
        "play.slower",
        lambda services: services.player.slower(),
        needs=SEVERAL_FRAMES,
        text=N_("Slower"),
        key="[",
        menu="Go/Playback",
        section="speed",
        yields_to_panes=True,
        tooltip=N_("Play slower"),
    ),
    Action(
        "play.faster",
        lambda services: services.player.faster(),
        needs=SEVERAL_FRAMES,
        text=N_("Faster"),
        key="]",
        menu="Go/Playback",
        section="speed",
        yields_to_panes=True,
        tooltip=N_("Play faster"),
    ),
    Switch(
        "play.loop",
        lambda services, on: services.player.set_looping(on),
        checked=lambda services: services.player.is_looping,
        needs=SEVERAL_FRAMES,
        text=N_("Loop range"),
        icon="loop",
        menu="Go/Playback",
        section="speed",
        tooltip=N_("Start again at the end of the range"),
    ),
    Switch(
        "play.skip",
        skip,
        checked=lambda services: services.session.segments.skips,
        needs=SEVERAL_FRAMES,
        text=N_("Skip segments that are off"),
        menu="Go/Playback",
        section="speed",
        tooltip=N_("Leave out what is in a segment that is off, and in none that is on"),
    ),
)
