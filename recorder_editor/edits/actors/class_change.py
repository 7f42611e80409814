"""Removal of the records that an actor cannot have any more, once its blueprint is of another class."""

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
    """An edit of descriptions of lives that also removes the records which lives of another class cannot have.

    Args:
        snapshot: The state that the edit is made for.
        edit: An edit that replaces records of EventAdd, each by one.
        lives: The lives that it changes.
        progress: Of the removal.

    Returns:
        The edit, and a phrase on the number of removed records and their packets; empty without any.

    Raises:
        Cancelled: The user cancelled it.
    """
    described = snapshot.after(edit)
    plans: list[Plan] = []
    by_class: dict[str, list[int]] = {}
    for before in lives:
        now = Actors.of(described).lives[before.index]
        if now.class_ != before.class_:
            by_class.setdefault(now.class_, []).append(now.index)

    def remove(indices: Sequence[int], state: Snapshot) -> Edit:
        actors = Actors.of(state)
        dialect = state.dialect
        class_ = actors.lives[indices[0]].class_
        unfit = []
        for kind in dialect.packets.values():
            if kind.actor_offsets and not kind.may_name(class_):
                unfit.append(kind.name)
        plan = Plan()
        plan.leave([id_span_of(state, actors.lives[index]) for index in indices], dialect, unfit)
        plans.append(plan)
        return Edit("", state.version, rewrite(state, plan, progress))

    steps = [partial(remove, indices) for indices in by_class.values()]
    composed = compose(snapshot, edit.label, [lambda _: edit, *steps])
    removed = sum((plan.removed for plan in plans), start=Plan().removed)
    names = listed(sorted(name for name, number in removed.items() if number))
    return composed, say_count(
        "without 1 record that it cannot have: {packets}",
        "without {count:,} records that it cannot have: {packets}",
        count=removed.total(),
        packets=names,
    ) if names else ""
