"""Recording: the header of the file, how it is read, converted and replayed."""

from PySide6.QtGui import QGuiApplication

from ....format.dialects import can_describe
from ....recording import Place
from ....texts import N_
from ....views.selection import HEADER
from ..action import COMPLETE, RECORDING, Action, Condition
from ..pane_list import SCENE
from ..panes import Services


def select_header(services: Services) -> None:
    """Select the header of the file."""
    services.session.selection.select(Place(HEADER))


def ask_replay(services: Services) -> None:
    """Ask how a simulator that runs replays the recording."""
    from ...dialogs.replay import ReplayDialog

    followed = services.panes.get(SCENE).view.followed
    ReplayDialog(services.session, services.theme, followed, services.window).open_()


def copy_replay_call(services: Services) -> None:
    """Copy the call of the simulator's library that replays the recording."""
    from ...dialogs.replay import replay_of

    session = services.session
    assert session.recording is not None
    replay = replay_of(session, services.panes.get(SCENE).view.followed)
    QGuiApplication.clipboard().setText(replay.call(session.recording.path, session.recording.dialect))


def convert(services: Services) -> None:
    """Ask for the release that the recording is converted to."""
    from ...dialogs.convert import ConvertDialog

    ConvertDialog(services.session, services.theme, services.window).open_()


def show_dialect(services: Services) -> None:
    """Show the dialect of the file, and offer others."""
    from ...dialogs.dialect import DialectDialog

    DialectDialog(services.session, services.theme, services.window).open_()


def describe_packet(services: Services) -> None:
    """Describe the members of the selected packet."""
    from ...dialogs.describe_packet import DescribePacketDialog

    packet = services.session.selection.target.packet
    assert packet is not None
    DescribePacketDialog(services.session, services.theme, packet.id, services.window).open_()


def _has_own_packet(services: Services) -> bool:
    packet = services.session.selection.target.packet
    return services.session.is_complete and packet is not None and can_describe(packet.id)


OWN_PACKET = Condition(_has_own_packet, N_("Select a packet with an id that CARLA does not use first."))

ACTIONS = (
    Action(
        "recording.header",
        select_header,
        needs=RECORDING,
        text=N_("File header"),
        icon="header",
        menu="Recording",
        section="header",
        tooltip=N_("Version, date and map"),
    ),
    Action(
        "recording.simulator",
        ask_replay,
        needs=COMPLETE,
        text=N_("Replay in the simulator..."),
        menu="Recording",
        section="header",
        tooltip=N_(
            "Replay this recording, with its unsaved edits, in a simulator that runs; "
            "or save a program that collects what sensors see"
        ),
        keywords=N_("carla server play collect sensors script"),
    ),
    Action(
        "recording.replay",
        copy_replay_call,
        needs=COMPLETE,
        text=N_("Copy replay call"),
        icon="copy",
        menu="Recording",
        section="header",
        tooltip=N_("Copy the client.replay_file(...) line for this file, time and actor"),
        keywords=N_("carla simulator python"),
    ),
    Action(
        "recording.convert",
        convert,
        needs=COMPLETE,
        text=N_("Convert to..."),
        menu="Recording",
        section="header",
        tooltip=N_("Convert to the format of another release; losses are listed first"),
        keywords=N_("dialect release version"),
    ),
    Action(
        "dialect.why",
        show_dialect,
        needs=RECORDING,
        text=N_("Decode as..."),
        menu="Recording",
        section="header",
        tooltip=N_("The dialect of the file and how it was recognised, or another one"),
        keywords=N_("dialect release version about detected"),
    ),
    Action(
        "recording.describe_packet",
        describe_packet,
        needs=OWN_PACKET,
        text=N_("Describe this packet..."),
        icon="packet",
        menu="Recording",
        section="header",
        tooltip=N_("Name the members of a packet that CARLA does not know"),
        keywords=N_("unknown opaque fork schema members"),
    ),
)
