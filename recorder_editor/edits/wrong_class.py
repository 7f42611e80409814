"""The refusal of edits after which a record names an actor of the wrong class, on which the simulator crashes.

`actors.class_change` removes such records with what the actor was. Bytes that are typed are not looked at, since a
check finds what they became.
"""

from collections.abc import Iterable, Sequence

from ..errors import EditError
from ..format import PacketType
from ..reading.wrong_class import WrongRecords, crashing_kinds, crashing_records
from ..recording import Edit, Snapshot
from ..texts import say


def refuse_crash(
    snapshot: Snapshot, edit: Edit, kinds: Iterable[PacketType] | None = None, appended: Sequence[Snapshot] = ()
) -> Edit:
    """Return an edit, if it leaves no more records on which the simulator crashes than there were.

    Args:
        snapshot: The state that the edit is made for.
        edit: The edit.
        kinds: The packets that it changes, None if they are not known.
        appended: Recordings that it adds.

    Returns:
        The same edit.

    Raises:
        EditError: The simulator would crash on a record.
    """
    if not crashing_kinds(snapshot.dialect):
        return edit
    if kinds is not None and not any(map(_decides, kinds)):
        return edit
    left = list(crashing_records(snapshot.after(edit)))
    if not left:
        return edit
    before = list(crashing_records(snapshot))
    for other in appended:
        before += crashing_records(other)
    if _number(left) > _number(before):
        raise _refusal(left, before)
    return edit


def _decides(kind: PacketType) -> bool:
    """Return whether the simulator crashes on records of a packet, or they begin and end lives."""
    return kind.wrong_class == "crash" or (kind.lifetime == "event" and kind.keyed == "actor")


def _number(groups: Sequence[WrongRecords]) -> int:
    """Return the number of records."""
    return sum(records.number for records in groups)


def _refusal(left: Sequence[WrongRecords], before: Sequence[WrongRecords]) -> EditError:
    """Return the error that names a record which was not there before."""
    earlier = {_key(records) for records in before}
    new = [records for records in left if _key(records) not in earlier]
    kind, life, frame, _ = (new or left)[0]
    message = say(
        "{packet} in frame {frame:,} would name {actor}, which is of another class "
        "than the actors of this packet: the simulator crashes on that. Set the "
        "blueprint with Set blueprint (set_blueprint), which removes such records, or "
        "delete them first.",
        packet=kind.name,
        frame=frame + 1,
        actor=f"{life.blueprint} {life.actor}",
    )
    return EditError(message, frame=frame + 1)


def _key(records: WrongRecords) -> tuple[str, int, str, int]:
    """Return what makes records of two states the same."""
    return (records.kind.name, records.life.actor, records.life.blueprint, records.number)
