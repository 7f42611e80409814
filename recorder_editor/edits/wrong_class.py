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
    """An edit, if it leaves no more records on which the simulator crashes than there were.

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
    if not crashing_kinds(snapshot.dialect) or not (kinds is None or any(map(_decides, kinds))):
        return edit
    left = list(crashing_records(snapshot.after(edit)))
    if left:
        before = list(crashing_records(snapshot))
    else:
        before = []
    for each in appended if left else ():
        before += crashing_records(each)
    if _number(left) > _number(before):
        raise _refusal(left, before)
    return edit


def _decides(kind: PacketType) -> bool:
    """Whether the simulator crashes on records of a packet, or they begin and end lives."""
    return kind.wrong_class == "crash" or (kind.lifetime == "event" and kind.keyed == "actor")


def _number(found: Sequence[WrongRecords]) -> int:
    return sum(each.number for each in found)


def _refusal(left: Sequence[WrongRecords], before: Sequence[WrongRecords]) -> EditError:
    """The error that names a record which was not there before."""
    known = set()
    for each in before:
        known.add((each.kind.name, each.life.actor, each.life.blueprint, each.number))
    new = []
    for each in left:
        if (each.kind.name, each.life.actor, each.life.blueprint, each.number) not in known:
            new.append(each)
    if new:
        kind, life, frame, _ = new[0]
    else:
        kind, life, frame, _ = left[0]
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
