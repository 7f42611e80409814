"""What the program remembers between runs: preferences, recent files, layouts. One file, written here alone.

Several windows and programs may write it. Qt writes each key for itself, and a list under a key is read, changed and
written under one lock: the changes that a window made to the list it had read are applied to the list in the file.
"""

import errno
import json
import os
import stat
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Generic, NamedTuple, Self, TypeVar, overload

import numpy as np
from PySide6.QtCore import QByteArray, QObject, QSettings, Signal

from ...errors import SaveRefused
from ...format import Dialect, JsonError, read_json
from ...format.json_text import json_of
from ...reading import Trajectories
from ...reading.thresholds import Thresholds
from ...reading.trajectories import SIDE, thumbnail_paths
from ...recording import Recording
from ...recording.atomic_file import reserve
from ...recording.user_folders import config_folder
from ...texts import say
from ...views.units import Units
from .debounce import Debounce
from .preferences import ANGLE, KEYS, LENGTH, MAP_FOLDERS, SPEED, THRESHOLDS, TIME, Preference

MOST_RECENT = 10
MOST_TEXTS = 50
_OF_PATHS = ("lines", "kinds", "vehicles", "two_wheelers", "walkers", "collisions")
"""What is known of a file once its paths were read."""

_MOST_POINTS = 10_000  # of the paths of a file
_LARGEST = 1e30  # of the numbers of a file
_PATIENCE = 0.5  # seconds that the window stands still while another program writes the settings

T = TypeVar("T", bound=str | float)
V = TypeVar("V")
Pairs = Sequence[tuple[str, str]]
"""Entries, each a name and a text."""


class Recent(NamedTuple):
    """A file that was open, as it was on the disk when it was opened or saved.

    Attributes:
        path: The file.
        map: The name of its map, without folders.
        seconds: How long it is.
        date: When it was recorded, ISO; empty where that is not known.
        release: The releases of CARLA that write so.
        frames: How many it has.
        size: Of the file, bytes.
        modified: When the file was written, ns since 1970; 0 where that was not noted.
        is_known: False where another program has written the file since: only path, size and modified are certain.
        lines: The paths driven, points `(x, y)` of a square of `SIDE`.
        kinds: For each path the class of its actor, or `hero`; empty where they were not noted.
        vehicles: How many there are; -1 where that is not known, as with the two next.
        two_wheelers: How many two-wheelers.
        walkers: How many walkers.
        collisions: How many contacts; -1 where that is not known.
        is_found: False where there is no file under the path now.
    """

    path: str
    map: str = ""
    seconds: float = 0.0
    date: str = ""
    release: str = ""
    frames: int = 0
    size: int = 0
    modified: int = 0
    is_known: bool = True
    lines: tuple[tuple[tuple[int, int], ...], ...] = ()
    kinds: tuple[str, ...] = ()
    vehicles: int = -1
    two_wheelers: int = -1
    walkers: int = -1
    collisions: int = -1
    is_found: bool = True


class _Texts(Generic[V]):
    """A value that is stored under a key as pairs of texts.

    Attributes:
        key: The key in the settings file.
        merges: Its entries are kept by their names: those that another window added stay.
    """

    def __init__(
        self, key: str, from_pairs: Callable[[Pairs], V], to_pairs: Callable[[V], Pairs], *, merges: bool = True
    ) -> None:
        self.key = key
        self.merges = merges
        self._from_pairs = from_pairs
        self._to_pairs = to_pairs

    @overload
    def __get__(self, settings: None, owner: type) -> Self: ...

    @overload
    def __get__(self, settings: "Settings", owner: type) -> V: ...

    def __get__(self, settings: "Settings | None", owner: type) -> Self | V:
        if settings is None:
            return self
        return self.read(str(settings.store.value(self.key, "[]")))

    def __set__(self, settings: "Settings", value: V) -> None:
        settings.put(self, value, self.__get__(settings, type(settings)))

    def read(self, stored: str) -> V:
        """Return the value of a stored text; an empty one where the text is spoilt."""
        try:
            pairs = [(str(name), str(text)) for name, text in read_json(stored)]
            return self._from_pairs(pairs[:MOST_TEXTS])
        except (JsonError, ValueError, TypeError):
            return self._from_pairs(())

    def entries(self, value: V) -> Pairs:
        """Return the entries of a value, each with its name."""
        return self._to_pairs(value)

    def stored(self, entries: Pairs) -> str:
        """Return the text that is stored for entries."""
        return json.dumps([list(entry) for entry in entries][:MOST_TEXTS])


class _Lines(_Texts[Sequence[str]]):
    """Lines, which are stored as one text: their number is not limited."""

    def __init__(self, key: str) -> None:
        super().__init__(key, _lines_of, _pairs_of_lines)

    def stored(self, entries: Pairs) -> str:
        return super().stored([("\n".join(line for line, _ in entries), "")])


def _lines_of(pairs: Pairs) -> Sequence[str]:
    return tuple("\n".join(text for text, _ in pairs).splitlines())


def _pairs_of_lines(lines: Sequence[str]) -> Pairs:
    return [(line, "") for line in lines]


def _first_name(pairs: Pairs) -> str:
    """Return the text that was stored as the name of the one entry."""
    return "".join(dict(pairs))


def _switches_of(pairs: Pairs) -> dict[str, bool]:
    return {name: text == "yes" for name, text in pairs}


def _pairs_of_switches(switches: dict[str, bool]) -> Pairs:
    return [(name, "yes" if is_on else "no") for name, is_on in switches.items()]


def merged(before: Pairs, after: Pairs, there: Pairs) -> list[tuple[str, str]]:
    """Apply the changes of one window to entries that others may have changed meanwhile.

    Entries are told apart by their names. What others added stays, what they removed is gone unless it was changed
    here, and what was removed here stays where they changed it.

    Args:
        before: The entries that the window had read.
        after: The entries that it wants.
        there: The entries in the file now.
    """
    texts_before = dict(before)
    texts_there = dict(there)
    result = []
    for name, text in after:
        if texts_before.get(name) != text:
            result.append((name, text))
        elif name in texts_there:
            result.append((name, texts_there[name]))
    wanted_names = {name for name, _ in after}
    for name, text in there:
        if name not in wanted_names and texts_before.get(name) != text:
            result.append((name, text))
    return result


class Settings(QObject):
    """Everything that is remembered; a missing or spoilt file is an empty one.

    `settings[THEME]` reads a preference and `settings[THEME] = "dark"` chooses it.

    Attributes:
        path: The settings file.
        store: The settings as Qt has them.
        is_written: False where the file could not be written, and holds less.
        filters: The filters that are kept, (name, text).
        color_rules: The colour rules, a line each.
        road_maps: The road maps that were chosen, by town; an empty path: none is wanted.
        segments: The segments of files, as JSON, by path.
        workspaces: The workspaces, as JSON, by name.
        workspace_of: The name of the workspace of a file, by path.
        library: The folder that the library shows, or an empty text.
        timeline_lanes: Whether a lane of the timeline is shown, by its name.

    Signals:
        changed(Preference): Another value was chosen.
        refused(str): The file could not be written, a sentence that says why.
    """

    changed = Signal(object)
    refused = Signal(str)

    filters = _Texts[Pairs]("filters", tuple, tuple)
    color_rules = _Lines("color_rules")
    road_maps = _Texts[Mapping[str, str]]("roads/chosen", dict, lambda chosen: tuple(chosen.items()))
    segments = _Texts[Pairs]("segments", tuple, tuple)
    workspaces = _Texts[Pairs]("workspaces", tuple, tuple)
    workspace_of = _Texts[Pairs]("workspace_of", tuple, tuple)
    library = _Texts[str]("library", _first_name, lambda folder: [(folder, "")], merges=False)
    timeline_lanes = _Texts[dict[str, bool]]("timeline/lanes", _switches_of, _pairs_of_switches)

    def __init__(self, path: Path | None = None) -> None:
        super().__init__()
        if path is not None:
            self.path = path
        else:
            self.path = settings_path()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.store = QSettings(str(self.path), QSettings.Format.IniFormat)
        self.is_written = True
        self._again = Debounce(self, self.write)

    # --- the file ---------------------------------------------------------------------------------------

    def put(self, texts: _Texts[V], value: V, before: V) -> None:
        """Store a value under its key.

        Args:
            texts: The descriptor of the key.
            value: The new value.
            before: The value that was read; where others wrote meanwhile, only what differs from it is changed.
        """

        def change(stored: str) -> str:
            entries = texts.entries(value)
            if texts.merges:
                stored_entries = texts.entries(texts.read(stored))
                entries = merged(texts.entries(before), entries, stored_entries)
            return texts.stored(entries)

        self._change(texts.key, change)

    def write(self) -> bool:
        """Write what is not written yet; False where that failed, which is reported once and tried again later."""
        self._again.stop()
        if not self.is_written:
            # An object of Qt keeps its first error. A new one has the same values: Qt shares them by the file.
            self.store = QSettings(str(self.path), QSettings.Format.IniFormat)
        self.store.sync()
        was_written = self.is_written
        self.is_written = self.store.status() != QSettings.Status.AccessError
        if not self.is_written:
            self._again.begin(again=True)
            if was_written:
                sentence = say(
                    "What the program remembers (segments, workspaces, filters, recent files) "
                    "cannot be written to {path}, and is tried again.",
                    path=self.path,
                )
                self.refused.emit(sentence)
        return self.is_written

    def _change(self, key: str, change: Callable[[str], str]) -> None:
        """Change what is stored under a key, as it is in the file now."""
        with self._reserved():
            self.store.sync()
            before = str(self.store.value(key, "[]"))
            after = change(before)
            if after != before:
                self.store.setValue(key, after)
            self.write()

    @contextmanager
    def _reserved(self) -> Iterator[None]:
        """Keep other programs from changing the file, where it can be locked; without that Qt still writes it whole."""
        with ExitStack() as stack:
            with suppress(SaveRefused, OSError):
                stack.enter_context(reserve(self.path, overwrite=True, patience=_PATIENCE))
            yield

    # --- recent files -----------------------------------------------------------------------------------

    @property
    def recents(self) -> tuple[Recent, ...]:
        """The files opened last, the last one first, as far as they still exist."""
        return tuple(recent for recent in self.all_recents if recent.is_found)

    @property
    def all_recents(self) -> tuple[Recent, ...]:
        """The files opened last, the last one first, and those that are gone."""
        return _recents(str(self.store.value("recent", "[]")))

    def remember(self, recent: Recent) -> None:
        """Put a file on top of the list; where it comes without paths, those that were stored stay."""

        def change(stored: str) -> str:
            first = recent
            others = []
            for file in _recents(stored):
                if file.path != recent.path:
                    others.append(file)
                elif not recent.lines:
                    first = recent._replace(**{name: getattr(file, name) for name in _OF_PATHS})
            files = [first]
            files.extend(others)
            return json.dumps([file._asdict() for file in files[:MOST_RECENT]])

        self._change("recent", change)

    def forget_recent(self, path: str) -> None:
        """Take a file off the list."""

        def change(stored: str) -> str:
            files = [file for file in _recents(stored) if file.path != path]
            return json.dumps([file._asdict() for file in files])

        self._change("recent", change)

    def forget_recents(self) -> None:
        """Empty the list."""
        self._change("recent", lambda _: "[]")

    # --- the window -------------------------------------------------------------------------------------

    def __getitem__(self, preference: Preference[T]) -> T:
        """Return the value that was chosen, or the default."""
        default = preference.stored(preference.default)
        return preference.read(str(self.store.value(preference.name, default)))

    def __setitem__(self, preference: Preference[T], value: T) -> None:
        if value != self[preference]:
            self.store.setValue(preference.name, preference.stored(value))
            self.changed.emit(preference)

    @property
    def keys(self) -> dict[str, str]:
        """The keys that were chosen, by the id of their action; an empty text for none."""
        try:
            stored = read_json(self[KEYS])
        except JsonError:
            return {}
        if isinstance(stored, dict):
            return {str(name): str(keys) for name, keys in stored.items()}
        return {}

    @keys.setter
    def keys(self, keys: Mapping[str, str]) -> None:
        before = self.keys
        with self._reserved():
            self.store.sync()
            entries = merged(list(before.items()), list(keys.items()), list(self.keys.items()))
            self[KEYS] = json.dumps(dict(sorted(entries)))
            self.write()

    @property
    def units(self) -> Units:
        """The units in which quantities are shown."""
        return Units(length=self[LENGTH], speed=self[SPEED], angle=self[ANGLE], time=self[TIME])

    @property
    def thresholds(self) -> Thresholds:
        """The limits from which something is a traffic event."""
        values = {preference.name.rpartition("/")[2]: self[preference] for preference in THRESHOLDS}
        return Thresholds(**values)

    def segments_of(self, path: str) -> str:
        """Return the segments that are remembered of a file, as JSON; empty where none are."""
        return dict(self.segments).get(path, "")

    def keep_segments(self, path: str, listed: str, before: str = "") -> None:
        """Remember the segments of a file.

        Args:
            path: The file.
            listed: The segments, as JSON; empty: none.
            before: Those that the window had read; what another one did to the list meanwhile stays.
        """
        texts = Settings.segments

        def change(stored: str) -> str:
            pairs = texts.read(stored)
            stored_list = dict(pairs).get(path, "")
            entries = merged(_segments(before), _segments(listed), _segments(stored_list))
            result = [pair for pair in pairs if pair[0] != path]
            if entries:
                segments = [read_json(segment) for segment, _ in entries]
                result.insert(0, (path, json_of(segments)))
            return texts.stored(result)

        self._change(texts.key, change)

    @property
    def map_folders(self) -> tuple[Path, ...]:
        """Further folders with road maps."""
        texts = (text.strip() for text in self[MAP_FOLDERS].split(os.pathsep))
        return tuple(Path(text) for text in texts if text)

    def layout(self, name: str) -> QByteArray | None:
        """Return the state of the docks that was kept under a name, or None."""
        return self._bytes(f"layout/{name}")

    def keep_layout(self, name: str, state: QByteArray | None) -> None:
        """Keep the state of the docks under a name; None: that of the design."""
        if state is None:
            self.store.remove(f"layout/{name}")
        else:
            self.store.setValue(f"layout/{name}", state)

    def forget_layouts(self) -> None:
        """Forget all states of the docks: they return to the design."""
        self.store.remove("layout")

    @property
    def geometry(self) -> QByteArray | None:
        """Place and size of the window; None where they were not kept."""
        return self._bytes("geometry")

    @geometry.setter
    def geometry(self, state: QByteArray) -> None:
        self.store.setValue("geometry", state)

    def _bytes(self, name: str) -> QByteArray | None:
        stored = self.store.value(name)
        if isinstance(stored, QByteArray) and not stored.isEmpty():
            return stored
        return None


def settings_path() -> Path:
    """Return the settings file, in the folder of the preferences."""
    return config_folder() / "settings.ini"


def _recents(stored: str) -> tuple[Recent, ...]:
    """Return the files of a stored list, with what is certain of each; none where the list is spoilt."""
    try:
        recents = [_recent(entry) for entry in read_json(stored)]
    except (JsonError, ValueError, TypeError, KeyError, OverflowError):
        return ()
    checked = []
    for recent in recents[:MOST_RECENT]:
        with suppress(ValueError):  # no file can have such a name
            checked.append(_on_disk(recent))
    return tuple(checked)


def _on_disk(recent: Recent) -> Recent:
    """Return what is certain of a file that was open; raises ValueError for a path that no file can have."""
    try:
        status = os.stat(recent.path)
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise ValueError from None
        return recent._replace(is_found=False)
    if not stat.S_ISREG(status.st_mode):
        return recent._replace(is_found=False)
    is_same = status.st_size == recent.size and recent.modified in (0, status.st_mtime_ns)
    if is_same:
        return recent._replace(is_found=True)
    return Recent(recent.path, size=status.st_size, modified=status.st_mtime_ns, is_known=False)


def _segments(listed: str) -> list[tuple[str, str]]:
    """Return the segments of a list, each an entry by its JSON; none where the text is spoilt."""
    try:
        return [(json_of(segment), "") for segment in read_json(listed or "[]")]
    except (JsonError, TypeError, ValueError):
        return []


def _recent(stored: object) -> Recent:
    """Return the recent file of a stored object; raises TypeError, ValueError, KeyError and OverflowError."""
    if not isinstance(stored, dict):
        raise TypeError("A recent file is an object.")
    lines = []
    for line in stored.get("lines", ()):
        lines.append(tuple((int(x), int(y)) for x, y in line))
    if not _is_thumbnail(lines):
        lines = []
    kinds = tuple(str(kind) for kind in stored.get("kinds", ()))
    values = {}
    for name, default in Recent._field_defaults.items():
        if name not in ("lines", "kinds") and name in stored:
            convert = type(default)
            values[name] = convert(stored[name])
            if isinstance(values[name], int | float) and not abs(values[name]) <= _LARGEST:
                raise OverflowError(name)
    return Recent(str(stored["path"]), **values, lines=tuple(lines), kinds=kinds)


def _is_thumbnail(lines: list[tuple[tuple[int, int], ...]]) -> bool:
    """Return whether paths can be drawn into a thumbnail: with points in its square, and not too many."""
    points = [point for line in lines for point in line]
    if len(points) > _MOST_POINTS or not all(lines):
        return False
    return all(0 <= x <= SIDE and 0 <= y <= SIDE for x, y in points)


def recent_of(recording: Recording, survey: Trajectories | None) -> Recent:
    """Return what is remembered of the file of a recording: of its saved state, not of that with edits.

    Args:
        recording: The recording.
        survey: The paths of the saved state; None where they are not known.
    """
    saved = recording.saved
    recent = Recent(path=str(recording.path.absolute()), frames=len(saved))
    if saved.header is not None:
        if isinstance(saved.header.map_name, str):
            recent = recent._replace(map=short_map(saved.header.map_name))
        when = saved.header.when
        if when is not None:
            recent = recent._replace(date=f"{when:%Y-%m-%d}")
    elapsed = saved.elapsed[np.isfinite(saved.elapsed)]
    if len(elapsed):
        recent = recent._replace(seconds=float(elapsed[-1] - elapsed[0]))
    if len(saved):  # without a frame nothing shows the release
        recent = recent._replace(release=_release(saved.dialect))
    if survey is not None:
        paths = thumbnail_paths(survey)
        classes = Counter(life.class_ for life in survey.actors)
        recent = recent._replace(
            lines=tuple(path.points for path in paths),
            kinds=tuple(path.kind for path in paths),
            vehicles=classes["vehicle"],
            two_wheelers=classes["two-wheeler"],
            walkers=classes["walker"],
            collisions=len(survey.actors.contacts),
        )
    file = recording.store.identity(recording.store.file)
    return recent._replace(size=file.size, modified=file.modified)


def _release(dialect: Dialect) -> str:
    """Return the name of a dialect for a narrow column, in any language: `CARLA 0.9.6`, or `0.9.12–0.9.13`."""
    if dialect.first == dialect.last:
        return dialect.releases
    return f"{dialect.first}–{dialect.last}"


def short_map(name: str) -> str:
    """Return a map without the folders of the simulator's assets: `Carla/Maps/Town05` is `Town05`."""
    return name.rpartition("/")[2] or name
