"""Tables of trajectories: what their rows tell, in s, m and radians, as rows that are sorted on disk."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, closing, suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...arrays import AnyArray, BoolArray, FloatArray, IntArray
from ...format.ind import is_of_family
from ...progress import SILENT, Progress
from ...reading.lanes import LanePlaces
from ...texts import N_, listed, say, say_count
from ..prefetch import prefetched
from .choosing import is_road_user, kind_of
from .columns import TEXTS, Column, find_columns, refuse_missing, unused_remark
from .delimited import Block, DelimitedFile
from .family import Tracks, read_tracks, refuse_highd, tracks_in
from .headings import Steps, heading_in_axes, heading_remark
from .lives import Remarks
from .parquet import ParquetFile
from .samples import in_simulator_axes
from .sorted_rows import SortedRows
from .table_options import TableOptions
from .trajectories import LARGEST, LATEST, LONGEST, ROW, Axes, RoadUser, Trajectories, TrajectoryError, ZAt

_SAMPLE = 20_000  # rows by which units and axes are found
_SURELY = 2 * np.pi + 0.1  # radians; larger headings are degrees
_FIRST_OF_1970 = 1e8  # s; larger times count from 1970
_OWN_COLUMNS = ("frame_id", "time_s", "blueprint", "x_m", "y_m", "z_m", "heading_deg")
"""Columns by which a table is known that this program exported as `positions`: in the axes of the simulator."""

_Z_AT: Mapping[str, ZAt] = {"centre": "centre", "ground": "ground", "origin": "origin"}
_LARGE_TIMES = ((1e17, "ns"), (1e14, "us"), (1e11, "ms"))
_LARGE_STEPS = ((1e7, "ns"), (1e4, "us"), (10.0, "ms"))

TableFile = DelimitedFile | ParquetFile


class Table(NamedTuple):
    """A table as it is understood, before all of it is read.

    Attributes:
        file: The file.
        columns: The columns that are used, by meaning.
        axes: The axes of the places.
        heading: How headings are counted: counter-clockwise, clockwise or compass.
        z_at: What heights are of.
        rate: Frames a second, where frames stand for times; 0: a column tells times.
        tracks: What the files beside it tell; None: there are none.
        shares: Shares of places that lie in a driving lane, with y to the north and to the south; None: no road map.
        remarks: What was assumed.
    """

    file: TableFile
    columns: Mapping[str, Column]
    axes: Axes
    heading: str
    z_at: ZAt
    rate: float
    tracks: Tracks | None
    shares: tuple[float, float] | None
    remarks: tuple[str, ...]


def open_table(source: Path, options: TableOptions) -> Table:
    """Find out what the columns of a table mean, by its first rows.

    Args:
        source: A CSV or Parquet file, or a folder with one recording of inD, rounD, exiD or uniD.
        options: What was chosen.

    Raises:
        TrajectoryError: It is no table, or what is needed is missing.
        OSError: It cannot be read.
    """
    source, file, tracks, rate, columns = _understand(source, options)
    refuse_missing(columns, file.names, source.name, has_rate=bool(rate))
    if rate and "frame" in columns:
        columns.pop("time", None)
    else:
        rate = 0.0
        columns.pop("frame", None)
    remarks: tuple[str, ...] = ()
    if tracks is None:
        remarks = unused_remark(columns, file.names)
    table = Table(file, columns, "opendrive", "counter-clockwise", "centre", rate, tracks, None, remarks)
    first = next(iter(file.blocks(*_wanted(columns))), None)
    if first is None:
        raise TrajectoryError(say("{source} holds no rows.", source=source.name))
    return _with_axes(_with_units(table, first), first, options)


class TableSample(NamedTuple):
    """The first rows of a table, for a person to see.

    Attributes:
        file: The file.
        columns: The columns that are used, by meaning.
    """

    file: TableFile
    columns: Mapping[str, Column]


def sample_table(source: Path, options: TableOptions) -> TableSample:
    """Find out what the columns of a table mean, as far as they tell.

    Args:
        source: A CSV or Parquet file, or a folder with one recording of inD, rounD, exiD or uniD.
        options: What was chosen.

    Raises:
        TrajectoryError: It is no table, or there is no such column, meaning or unit.
        OSError: It cannot be read.
    """
    understood = _understand(source, options)
    columns: Mapping[str, Column] = understood.columns
    with suppress(TrajectoryError):  # what is missing is said when the rows are read
        columns = open_table(source, options).columns  # with the units that numbers tell
    return TableSample(understood.file, columns)


class _Understood(NamedTuple):
    """What names of columns tell: attributes as of `Table`, `columns` with times and frames."""

    source: Path
    file: TableFile
    tracks: Tracks | None
    rate: float
    columns: dict[str, Column]


def _understand(source: Path, options: TableOptions) -> _Understood:
    """Open a table, and find its columns by names and options. Errors as of `sample_table`."""
    if source.is_dir():
        source = tracks_in(source)
    file = open_file(source, options)
    refuse_highd(source, file.names)
    chosen = options.chosen_columns()
    units = options.chosen_units()
    tracks = None
    rate = options.frame_rate or 0.0
    if is_of_family(file.names):
        tracks = read_tracks(source)
        rate = rate or tracks.rate
        chosen = {"time": "", "frame": "frame", "x": "xCenter", "y": "yCenter"} | chosen
        units = {"yaw": "deg"} | units
    columns = find_columns(file.names, chosen, units, file.told_units)
    return _Understood(source, file, tracks, rate, columns)


def open_file(source: Path, options: TableOptions) -> TableFile:
    """Open a file by its ending.

    Raises:
        TrajectoryError: It is no table.
        OSError: It cannot be read.
    """
    if source.suffix.lower() in (".parquet", ".pq"):
        return ParquetFile(source)
    if options.decimal not in (None, ".", ","):
        raise TrajectoryError(say("The decimal sign is . or ,; not {sign}.", sign=options.decimal))
    if options.delimiter and (options.delimiter == options.decimal or options.delimiter in '"\r\n'):
        raise TrajectoryError(say("{sign} cannot separate columns.", sign=repr(options.delimiter)))
    return DelimitedFile(source, options.delimiter or "", options.decimal or "")


def read_table(source: Path, options: TableOptions, progress: Progress = SILENT) -> Trajectories:
    """Read a table.

    Args:
        source: A CSV or Parquet file, or a folder with one recording of inD, rounD, exiD or uniD.
        options: What was chosen.
        progress: Counts bytes of text, or rows.

    Raises:
        TrajectoryError: It is no table, what is needed is missing, or a value is impossible.
        Cancelled: The user stopped it.
        OSError: It cannot be read, or its rows cannot be written to a temporary file.
    """
    table = open_table(source, options)
    with closing(prefetched(table.file.blocks(*_wanted(table.columns)))) as blocks:
        return read_rows(table, blocks, options, progress)


def first_trajectories(table: Table, options: TableOptions, blocks: int = 1) -> Trajectories:
    """Read the first blocks of a table only, for a preview. Errors as of `read_table`."""
    return read_rows(table, islice(table.file.blocks(*_wanted(table.columns)), blocks), options, SILENT)


def read_rows(table: Table, blocks: Iterable[Block], options: TableOptions, progress: Progress) -> Trajectories:
    """Read the rows of a table from its blocks. Errors as of `read_table`."""
    source = table.file.path.name
    reader = _Reader(table, options.chosen_classes())
    with ExitStack() as held:
        held.callback(reader.rows.close)
        for block in blocks:
            reader.add(block)
            progress.update(block.done, max(table.file.size, block.done))
        if not len(reader.rows):
            raise TrajectoryError(say("{source} holds no row with a time, an id and a place.", source=source))
        trajectories = Trajectories(
            source=source,
            users=reader.users(),
            rows=reader.rows,
            axes=table.axes,
            z_at=table.z_at,
            date=reader.date,
            remarks=(*table.remarks, *reader.remarks()),
        )
        held.pop_all()  # the rows go on with the trajectories
    return trajectories


def _row_type(columns: Mapping[str, Column]) -> np.dtype[np.void]:
    """The columns of `ROW` that a table tells something of."""
    names = {"time", "user", "line", *columns}
    if names & {"vx", "vy"} or {"yaw", "speed"} <= names:
        names |= {"vx", "vy"}
    return np.dtype([(name, ROW[name]) for name in ROW.names or () if name in names], align=True)


def _wanted(columns: Mapping[str, Column]) -> tuple[list[int], list[int]]:
    """The indices of columns of numbers and of texts."""
    numbers = []
    texts = []
    for meaning, column in columns.items():
        if meaning in TEXTS:
            texts.append(column.place)
        else:
            numbers.append(column.place)
    return numbers, texts


def _with_units(table: Table, first: Block) -> Table:
    """The table with units that its numbers tell where neither names nor options do."""
    columns = dict(table.columns)
    remarks = list(table.remarks)
    found = {"yaw": _angle_unit(table, first), "time": _time_unit(table, first)}
    for meaning, unit in found.items():
        column = columns.get(meaning)
        if column is None or column.is_unit_told or unit == column.unit:
            continue
        columns[meaning] = column._replace(unit=unit)
        remarks.append(
            say(
                "Nothing tells the unit of {column}: by its numbers it is taken for {unit}.",
                column=column.name,
                unit=unit,
            )
        )
    return table._replace(columns=columns, remarks=tuple(remarks))


def _angle_unit(table: Table, first: Block) -> str:
    column = table.columns.get("yaw")
    if column is None:
        return ""
    values = first.numbers[column.place][:_SAMPLE]
    if np.abs(values).max(initial=0.0, where=~np.isnan(values)) > _SURELY:
        return "deg"
    return "rad"


def _time_unit(table: Table, first: Block) -> str:
    column = table.columns.get("time")
    if column is None:
        return ""
    values = first.numbers[column.place][:_SAMPLE]
    values = np.unique(values[~np.isnan(values)])
    if not len(values):
        return "s"
    for least, unit in _LARGE_TIMES:
        if values[-1] >= least:
            return unit
    if len(values) > 1 and bool((values == np.floor(values)).all()):
        step = float(np.median(np.diff(values)))
        for least, unit in _LARGE_STEPS:
            if step >= least:
                return unit
    return "s"


def _with_axes(table: Table, first: Block, options: TableOptions) -> Table:
    """The table with its axes: those that were chosen, else those that put more places on the road map."""
    axes: Axes = "opendrive"
    is_own = all(name in table.file.names for name in _OWN_COLUMNS)
    if options.axes == "simulator" or (options.axes is None and is_own):
        axes = "simulator"
    shares = None
    remarks = list(table.remarks)
    if options.roads is not None:
        north = _driving_share(table, first, options, "opendrive")
        south = _driving_share(table, first, options, "simulator")
        shares = (north, south)
        if options.axes is None and not is_own and south > north:
            axes = "simulator"
        template = N_(
            "{share:.0%} of the vehicles' places lie in a driving lane of {map}; with y to the south it would be "
            "{other:.0%}."
        )
        if axes == "simulator":
            shares_in_order = (south, north)
            template = N_(
                "{share:.0%} of the vehicles' places lie in a driving lane of {map}; with y to the north it would be "
                "{other:.0%}."
            )
        else:
            shares_in_order = shares
        share, other = shares_in_order
        remarks.append(say(template, share=share, other=other, map=options.roads.name or say("the road map")))
    heading = options.heading
    if heading is None:
        heading = "counter-clockwise" if axes == "opendrive" else "clockwise"
    remark = _heading_remark(table, first, heading, axes)
    if remark:
        remarks.append(remark)
    z_at = _Z_AT.get(options.z_at or "", "origin" if is_own else "centre")
    return table._replace(axes=axes, heading=heading, z_at=z_at, shares=shares, remarks=tuple(remarks))


def _heading_remark(table: Table, first: Block, heading: str, axes: Axes) -> str:
    """What is odd about the headings of the first rows; empty where nothing is."""
    if "yaw" not in table.columns:
        return ""
    numbers = {}
    for meaning in ("frame" if table.rate else "time", "x", "y", "yaw"):
        column = table.columns[meaning]
        numbers[meaning] = first.numbers[column.place][:_SAMPLE] * column.factor
    steps = Steps(
        user=first.texts[table.columns["id"].place].codes[:_SAMPLE].astype(np.int64),
        time=numbers["frame" if table.rate else "time"],
        x=numbers["x"],
        y=numbers["y"],
        yaw=numbers["yaw"],
    )
    return heading_remark(steps, heading, axes)


def _driving_share(table: Table, first: Block, options: TableOptions, axes: Axes) -> float:
    """The share of the places of vehicles among the first rows that lie in a driving lane with such axes; 0 of none."""
    roads = options.roads
    if roads is None:
        return 0.0
    rows = {}
    for meaning in "xy":
        column = table.columns[meaning]
        rows[meaning] = first.numbers[column.place][:_SAMPLE] * column.factor
    walks = np.zeros(len(rows["x"]), np.bool_)
    if "class" in table.columns:
        words = first.texts[table.columns["class"].place]
        is_walker = np.array([kind_of(word) in ("walker", "child", "bicycle") for word in words.values], np.bool_)
        walks = is_walker[words.codes[:_SAMPLE]]
    is_driving = ~walks & np.isfinite(rows["x"]) & np.isfinite(rows["y"])
    if not is_driving.any():
        return 0.0
    rows = {name: column[is_driving] for name, column in rows.items()}
    in_simulator_axes(rows, is_mirrored=axes == "opendrive", origin=options.origin)
    zeros = np.zeros(len(rows["x"]))
    places = LanePlaces.at(roads, x=100 * rows["x"], y=100 * rows["y"], z=zeros, yaw=zeros)
    return float(places.on_driving.mean())


class _Reader:
    """Turns blocks of a table into rows, and adds up what they tell of each road user.

    Attributes:
        rows: The rows.
        date: When the first row was recorded, s since 1970; 0: not told.
    """

    def __init__(self, table: Table, classes: Mapping[str, str]) -> None:
        self._table = table
        self._source = table.file.path.name
        self._columns = table.columns
        self._classes = classes
        self._index: dict[str, int] = {}
        self._words: dict[str, list[str]] = {meaning: [] for meaning in TEXTS if meaning != "id"}
        self._sums: dict[str, AnyArray] = {}
        self._numbers: dict[str, AnyArray] = {}
        self._is_road_user = np.zeros(1, np.bool_)  # by index; the last one is for rows without an id
        self._notes = Remarks()
        self._row_type = _row_type(table.columns)
        self.rows = SortedRows(self._row_type)
        self.date = 0

    def add(self, block: Block) -> None:
        """Add the rows of a block. Raises TrajectoryError: A value is impossible."""
        values: dict[str, FloatArray] = {}
        for meaning, column in self._columns.items():
            if meaning not in TEXTS:
                values[meaning] = block.numbers[column.place]
                if column.factor != 1.0:
                    values[meaning] = values[meaning] * column.factor
        if self._table.rate:
            values["time"] = values.pop("frame") / self._table.rate
        user = self._users_of(block)
        is_used = user >= 0
        self._tell_missing(block, ~is_used, "id", user)
        is_used &= self._is_road_user[user]
        for meaning in ("time", "x", "y"):
            missing = is_used & np.isnan(values[meaning])
            self._tell_missing(block, missing, meaning, user)
            is_used &= ~missing
        self._refuse_large(block, values)
        if not is_used.all():
            values = {meaning: column[is_used] for meaning, column in values.items()}
            user = user[is_used]
        if not len(user):
            return
        self._add_up(values, user)
        if not self.date and values["time"][0] > _FIRST_OF_1970:
            self.date = min(int(values["time"][0]), (1 << 31) - 1)
        if "yaw" in values:
            values["yaw"] = self._heading(values["yaw"]).astype(np.float32)
            if "speed" in values and "vx" not in values:
                values["vx"] = values["speed"] * np.cos(values["yaw"])
                values["vy"] = values["speed"] * np.sin(values["yaw"])
        columns: dict[str, AnyArray] = {"user": user, "line": block.lines[is_used], **values}
        rows = np.empty(len(user), self._row_type)
        for name in self._row_type.names or ():
            rows[name] = columns.get(name, np.nan)
        self.rows.add(rows)

    def _heading(self, yaw: FloatArray) -> FloatArray:
        """Headings as the axes of the places count them; NaN where they are too large to tell one."""
        yaw = np.where(np.abs(yaw) <= LARGEST, yaw, np.nan)
        return heading_in_axes(yaw, self._table.heading, self._table.axes)

    # --- road users -------------------------------------------------------------------------------------

    def _users_of(self, block: Block) -> IntArray:
        """The index of the road user of each row, int64[n]; -1 where there is no id."""
        names = block.texts[self._columns["id"].place]
        known = np.empty(len(names.values), np.int64)
        before = len(self._index)
        for code, name in enumerate(names.values):
            plain = name.removesuffix(".0")  # as programs write whole numbers in a column with gaps
            if plain.lower() in ("", "nan", "null", "none"):
                known[code] = -1
            else:
                known[code] = self._index.setdefault(plain, len(self._index))
        user: IntArray = known[names.codes]
        if len(self._index) > before:
            self._take_words(block, user, before)
        return user

    def _take_words(self, block: Block, user: IntArray, before: int) -> None:
        """Keep the words of the first rows of new road users."""
        count = len(self._index)
        first = np.full(count + 1, -1, np.int64)
        first[user[::-1]] = np.arange(len(user))[::-1]
        rows = first[before:count]
        for meaning, words in self._words.items():
            column = self._columns.get(meaning)
            if column is None:
                words.extend([""] * len(rows))
                continue
            texts = block.texts[column.place]
            words.extend(texts.values[code] for code in texts.codes[rows].tolist())
        known = np.zeros(count + 1, np.bool_)
        known[:before] = self._is_road_user[:before]
        names = self._words["blueprint"][before:]
        known[before:count] = [not name or is_road_user(name) for name in names]
        self._is_road_user = known
        for sums in (self._sums, self._numbers):
            for meaning in ("length", "width", "height"):
                grown = np.zeros(count)
                old = sums.get(meaning, np.zeros(0))
                grown[: len(old)] = old
                sums[meaning] = grown

    def _add_up(self, values: Mapping[str, FloatArray], user: IntArray) -> None:
        """Add up sizes; what is not above 0 tells none, as of pedestrians in inD."""
        count = len(self._index)
        for meaning in ("length", "width", "height"):
            if meaning not in values:
                continue
            size = values[meaning]
            is_size = (size > 0) & (size <= LONGEST)
            self._sums[meaning] += np.bincount(user, np.where(is_size, size, 0.0), count)
            self._numbers[meaning] += np.bincount(user, is_size, count)

    def users(self) -> list[RoadUser]:
        """Return the road users, with the mean of the sizes that rows tell."""
        sizes = {}
        for meaning in ("length", "width", "height"):
            with np.errstate(invalid="ignore", divide="ignore"):
                sizes[meaning] = (self._sums[meaning] / self._numbers[meaning]).tolist()
        users = []
        for index, name in enumerate(self._index):
            users.append(
                RoadUser(
                    name=name,
                    kind=self._kind(name, index) or "",
                    length=sizes["length"][index],
                    width=sizes["width"][index],
                    height=sizes["height"][index],
                    blueprint=self._words["blueprint"][index],
                    role=self._words["role"][index],
                )
            )
        return users

    def _word(self, name: str, index: int) -> str:
        """The word for the class of a road user."""
        if self._table.tracks is not None:
            return self._table.tracks.classes.get(name, "")
        return self._words["class"][index]

    def _kind(self, name: str, index: int) -> str | None:
        """The kind of a road user; None where its class means none."""
        word = self._word(name, index)
        finer = self._words["subclass"][index]
        for text in (finer, word):
            if text in self._classes:
                return self._classes[text]
        return kind_of(finer) or kind_of(word)

    # --- what is wrong ----------------------------------------------------------------------------------

    def remarks(self) -> tuple[str, ...]:
        """Return what is odd about rows, and words for classes that mean nothing known."""
        unknown: dict[str, int] = {}
        for index, name in enumerate(self._index):
            if self._is_road_user[index] and self._kind(name, index) is None:
                word = self._word(name, index)
                unknown[word] = unknown.get(word, 0) + 1
        sentences = list(self._notes.sentences())
        others = len(self._index) - int(self._is_road_user.sum())
        if others:
            sentences.append(
                say_count(
                    "{count} actor is no road user by its blueprint, and is left out.",
                    "{count:,} actors are no road users by their blueprints, and are left out.",
                    count=others,
                )
            )
        if unknown:
            words = list(unknown)
            sentences.append(
                say_count(
                    "The class {names} means no kind of road user: sizes tell what the {users:,} with it are. "
                    "Say what it means: --class {first}=car.",
                    "The classes {names} mean no kind of road user: sizes tell what the {users:,} with them are. "
                    "Say what they mean: --class {first}=car.",
                    names=listed([f"“{word[:40]}”" for word in words[:8]]),
                    first=words[0][:40],
                    users=sum(unknown.values()),
                    count=len(unknown),
                )
            )
        return tuple(sentences)

    def _tell_missing(self, block: Block, missing: BoolArray, meaning: str, user: IntArray) -> None:
        """Remark on rows without a value that is needed."""
        if not missing.any():
            return
        name = self._columns["frame" if meaning == "time" and self._table.rate else meaning].name
        names = list(self._index)
        for row in np.flatnonzero(missing).tolist():
            line = int(block.lines[row])
            make: Callable[[], str] = partial(
                say,
                N_("Row {line:,}, column {column}: there is no value. The row is left out."),
                line=line,
                column=name,
            )
            if meaning in ("x", "y"):
                make = partial(
                    say,
                    N_(
                        "Row {line:,}, column {column}: there is no number. Road user {name} gets a place between its "
                        "rows before and after."
                    ),
                    line=line,
                    column=name,
                    name=names[int(user[row])],
                )
            self._notes.add(make)

    def _refuse_large(self, block: Block, values: dict[str, FloatArray]) -> None:
        """Refuse numbers so large that what is computed from them would not be finite; others are no numbers then."""
        for meaning, most in (("x", LARGEST), ("y", LARGEST), ("z", LARGEST), ("time", LATEST)):
            if meaning not in values:
                continue
            with np.errstate(invalid="ignore"):
                is_large = np.abs(values[meaning]) > most
            if is_large.any():
                row = int(is_large.argmax())
                column = self._columns["frame" if meaning == "time" and self._table.rate else meaning]
                raise TrajectoryError(
                    say(
                        "Row {line:,}, column {column}: {value:g} is too large; no number there may be larger than "
                        "{most:,.0f}.",
                        line=int(block.lines[row]),
                        column=column.name,
                        value=float(values[meaning][row]),
                        most=most,
                    )
                )
        for meaning in ("roll", "pitch", "vx", "vy", "vz", "speed"):
            if meaning in values:
                with np.errstate(invalid="ignore"):
                    values[meaning] = np.where(np.abs(values[meaning]) > LARGEST, np.nan, values[meaning])
