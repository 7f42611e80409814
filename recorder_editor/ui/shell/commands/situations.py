"""What the start page offers to do with a recording that was just opened: cut it, or repair it."""

from ....reading.events.moments import frames_around
from ...session.range import within
from ..panes import Services


def begin_cut(services: Services) -> None:
    """Show what trims a recording, with the range around its first collision; without one, all of it."""
    session = services.session
    services.panes.set_preset("trim")
    if session.actors is None or not len(session.actors.contacts):
        return
    frame_index = int(session.actors.contacts["first"][0])
    frames = frames_around(session.snapshot_or_refuse(), frame_index, session.events.seconds)
    session.range.put(within((frames.start, frames.stop), session.frames))
    session.selection.go_to_frame(frame_index)


def begin_repair(services: Services) -> None:
    """Show what repairs a recording."""
    services.panes.set_preset("repair")
