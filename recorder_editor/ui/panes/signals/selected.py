"""The signals that the selection stands for."""

from ....views.signal_catalog import keys_at
from ....views.signal_key import Key
from ...session import Session


def selected_keys(session: Session) -> tuple[Key, ...]:
    """Return the signals that the selection stands for, each once."""
    snapshot = session.snapshot
    selection = session.selection.value
    if snapshot is None or selection.place.record is None:
        return ()
    keys = list(keys_at(snapshot, selection.place))
    for place in selection.more:
        keys += keys_at(snapshot, place._replace(field=selection.place.field))
    return tuple(dict.fromkeys(keys))
