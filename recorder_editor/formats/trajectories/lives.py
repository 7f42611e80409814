"""Rows to lives: which rows of a road user belong together, and which blueprint each life has.

A road user without rows for long, or that jumps where that was asked for, is another actor from then on, with another
id, since the simulator never destroys and creates an actor of one id in the same frame.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np

from ...arrays import AnyArray, BoolArray, FloatArray, IntArray, StructuredArray, row_type
from ...edits.new_actors.frame_writer import ACTOR
from ...format import Dialect
from ...reading.motion import steps
from ...texts import N_, listed, say
from .choosing import Choice, Chooser
from .trajectories import Trajectories, TrajectoryError, small_numbers

FIRST_ID = 100_000
"""Added to ids that are numbers, since the replayer reuses an actor that already has the same id and blueprint."""

_LARGEST_NUMBER = 1 << 31

LIFE: Final = row_type(
    "user:i4 id:u4 is_walker:? is_two_wheeler:? gears:i8 wheelbase radius half_length half_width half_height distance "
    "yaw z",
    align=True,
)
"""A life: sizes in m, m it has driven, and its last heading (radians) and height (m), NaN where there is none yet."""

_NAMED = 8  # road users in a sentence
_SHOWN = 20  # remarks on single rows


class Remarks:
    """Sentences on single rows, as many as a person reads; the others are counted."""

    def __init__(self) -> None:
        self._sentences: list[str] = []
        self._more = 0

    def add(self, make: Callable[[], str]) -> None:
        """Add a sentence, which is made if it is shown."""
        if len(self._sentences) < _SHOWN:
            self._sentences.append(make())
        else:
            self._more += 1

    def sentences(self) -> tuple[str, ...]:
        """Return the sentences, and a last one on those that are not among them."""
        if not self._more:
            return tuple(self._sentences)
        return (*self._sentences, say("There are {count:,} more such remarks.", count=self._more))


class Lives:
    """The lives of road users, in the order in which they begin.

    Attributes:
        table: The lives, dtype `LIFE`; valid up to `count`.
        count: How many there are.
        choices: Blueprints of lives that were not born yet, by index.
        remarks: What is odd about rows.
    """

    def __init__(
        self, trajectories: Trajectories, dialect: Dialect, *, hero: str, gap: float | None, split_jumps: bool
    ) -> None:
        self._users = trajectories.users
        self._chooser = Chooser(dialect)
        self._hero = _user_named(trajectories, hero)
        self._ids = _actor_ids([user.name for user in trajectories.users])
        self._next_id = int(self._ids.max(initial=FIRST_ID)) + 1
        self._gap = gap
        self._split_jumps = split_jumps
        self._life_of = np.full(len(self._users), -1, np.int64)
        self._has_begun = np.zeros(len(self._users), np.bool_)
        self._last = np.zeros(len(self._users), row_type("time x y"))
        self.table: StructuredArray = np.zeros(64, LIFE)
        self.count = 0
        self.choices: dict[int, Choice] = {}
        self.remarks = Remarks()

    @property
    def gap(self) -> float:
        """Seconds without rows after which a road user is gone."""
        return self._gap or 0.0

    def columns_of(self, lives: IntArray) -> dict[str, AnyArray]:
        """Return what is known of lives (int64[n]) from their beginning on, by columns of `table` of shape (n,)."""
        return {name: self.table[name].take(lives) for name in (*ACTOR, "half_height")}

    def assign(self, rows: Mapping[str, AnyArray]) -> IntArray:
        """Return the life of each row, int64[n]; rows come in order of time, over all calls.

        Args:
            rows: Columns of `ROW`.

        Raises:
            TrajectoryError: A road user has two rows at one time.
        """
        order = np.argsort(small_numbers(rows["user"]), kind="stable")
        user = rows["user"][order]
        is_first = np.ones(len(user), np.bool_)
        is_first[1:] = user[1:] != user[:-1]
        first = np.flatnonzero(is_first)
        last = np.append(first[1:], len(user)) - 1
        known = self._life_of[user[first]] >= 0
        moved = {}
        for name in ("time", "x", "y"):
            column = rows[name][order]
            difference = np.empty(len(column))
            difference[1:] = column[1:] - column[:-1]
            difference[first] = np.where(known, column[first] - self._last[name][user[first]], np.inf)
            self._last[name][user[last]] = column[last]
            moved[name] = difference
        seconds = moved["time"]
        self._refuse_duplicates(rows, order, seconds == 0)
        if self._gap is None:
            usual = seconds[np.isfinite(seconds)]
            self._gap = 1.0
            if len(usual):
                self._gap = max(1.0, 5 * float(np.median(usual)))
        begins = seconds > self._gap
        _, _, jumps = steps(100 * moved["x"], 100 * moved["y"], seconds)
        jumps &= ~begins
        self._tell_jumps(rows, order, np.flatnonzero(jumps), np.hypot(moved["x"], moved["y"]), seconds)
        if self._split_jumps:
            begins |= jumps
        life = self._numbers(user, is_first, begins)
        self._life_of[user[last]] = life[last]
        result = np.empty(len(life), np.int64)
        result[order] = life
        return result

    def _numbers(self, user: AnyArray, is_first: BoolArray, begins: BoolArray) -> IntArray:
        """The lives of rows that are ordered by user, with new ones where they begin."""
        life = np.where(is_first & ~begins, self._life_of[user], -1)
        new = np.flatnonzero(begins)
        life[new] = self.count + np.arange(len(new))
        told = np.maximum.accumulate(np.where(life >= 0, np.arange(len(life)), 0))
        for index in new.tolist():
            self._add(int(user[index]))
        return life[told]

    def _add(self, user: int) -> None:
        choice = self._chooser.choose(self._users[user], is_hero=user == self._hero)
        if self.count == len(self.table):
            self.table = np.concatenate((self.table, np.zeros_like(self.table)))
        actor = int(self._ids[user])
        if self._has_begun[user]:
            actor = self._next_id
            self._next_id += 1
        self._has_begun[user] = True
        model = choice.model
        radius, _, gears = model.drive
        self.table[self.count] = (
            user,
            actor,
            model.kind == "walker",
            model.is_two_wheeler,
            gears,
            model.wheelbase,
            radius,
            *choice.box,
            0.0,
            np.nan,
            np.nan,
        )
        self.choices[self.count] = choice
        self.count += 1

    def _refuse_duplicates(self, rows: Mapping[str, AnyArray], order: AnyArray, is_duplicate: BoolArray) -> None:
        """Refuse two rows of a road user at one time."""
        if is_duplicate.any():
            row = order[int(is_duplicate.argmax())]
            raise TrajectoryError(
                say(
                    "Row {line:,}: road user {name} has another row at the same time, {time:.3f} s.",
                    line=int(rows["line"][row]),
                    name=self._users[int(rows["user"][row])].name,
                    time=float(rows["time"][row]),
                )
            )

    def _tell_jumps(
        self, rows: Mapping[str, AnyArray], order: AnyArray, jumps: IntArray, metres: FloatArray, seconds: FloatArray
    ) -> None:
        """Remark on jumps, by their indices in the order."""
        for index in jumps.tolist():
            row = order[index]
            template = N_("Row {line:,}: road user {name} jumps {metres:.1f} m in {seconds:.3f} s. It is kept as one.")
            if self._split_jumps:
                template = N_("Row {line:,}: road user {name} jumps {metres:.1f} m in {seconds:.3f} s. It becomes two.")
            self.remarks.add(
                partial(
                    say,
                    template,
                    line=int(rows["line"][row]),
                    name=self._users[int(rows["user"][row])].name,
                    metres=float(metres[index]),
                    seconds=float(seconds[index]),
                )
            )


def _user_named(trajectories: Trajectories, name: str) -> int:
    """The index of the road user of a name, -1 for an empty one. Raises TrajectoryError: There is none."""
    if not name:
        return -1
    names = [user.name for user in trajectories.users]
    if name in names:
        return names.index(name)
    shown = listed(names[:_NAMED])
    if len(names) > _NAMED:
        shown = f"{shown}, ..."
    raise TrajectoryError(
        say(
            "{source} has no road user {name} to be the hero; there are {names}.",
            source=trajectories.source,
            name=name,
            names=shown,
        )
    )


def _actor_ids(names: Sequence[str]) -> AnyArray:
    """Ids of actors: names that are numbers stay recognisable, else road users are counted."""
    numbers = []
    for name in names:
        if re.fullmatch("[0-9]{1,10}", name) is None:
            break
        numbers.append(int(name))
    is_numbered = len(numbers) == len(names) and len(set(numbers)) == len(names)
    if is_numbered and max(numbers, default=0) < _LARGEST_NUMBER:
        return FIRST_ID + np.array(numbers, np.int64)
    return FIRST_ID + 1 + np.arange(len(names))
