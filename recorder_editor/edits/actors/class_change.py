"""Removal of the records that an actor cannot have any more, once its blueprint is of another class."""

from collections import Counter
from collections.abc import Sequence
from functools import partial

from ...progress import SILENT, Progress
from ...reading import Actors, Life
from ...recording import Edit, Snapshot
from ...recording.compose import compose
from ...texts import listed, say_count
from .rewrite import Plan, id_span_of, rewrite


def without_impossible_records(
    snapshot: Snapshot, edit: Edit, lives: Sequence[Life], progress: Progress = SILENT
) -> tuple[Edit, str]:
    """Return an edit of descriptions that also removes the records which lives of another class cannot have.

    Args:
        snapshot: The state that the edit is made for.
        edit: An edit that replaces records of EventAdd, each by one.
        lives: The lives that it changes.
        progress: Reports progress of the removal and cancels.

    Returns:
        The edit, and a phrase on the number of removed records and their packets; empty without any.

    Raises:
        Cancelled: The user cancelled.
    """
    described = Actors.of(snapshot.after(edit))
    indices_by_class: dict[str, list[int]] = {}
    for before in lives:
        life = described.lives[before.index]
        if life.class_ != before.class_:
            indices_by_class.setdefault(life.class_, []).append(life.index)
    removed: Counter[str] = Counter()

    def remove(indices: Sequence[int], state: Snapshot) -> Edit:
        plan = _removal(state, indices)
        splices = rewrite(state, plan, progress)
        removed.update(plan.removed)
        return Edit("", state.version, splices)

    steps = [partial(remove, indices) for indices in indices_by_class.values()]
    composed = compose(snapshot, edit.label, [lambda _: edit, *steps])
    names = sorted(name for name, number in removed.items() if number)
    if not names:
        return composed, ""
    remark = say_count(
        "without 1 record that it cannot have: {packets}",
        "without {count:,} records that it cannot have: {packets}",
        count=removed.total(),
        packets=listed(names),
    )
    return composed, remark


def _removal(snapshot: Snapshot, indices: Sequence[int]) -> Plan:
    """Return the plan that removes what lives (indices, all of one class) cannot have."""
    actors = Actors.of(snapshot)
    class_ = actors.lives[indices[0]].class_
    names: list[str] = []
    for kind in snapshot.dialect.packets.values():
        if kind.actor_offsets and not kind.may_name(class_):
            names.append(kind.name)
    plan = Plan()
    plan.leave([id_span_of(snapshot, actors.lives[index]) for index in indices], snapshot.dialect, names)
    return plan
