"""What the program remembers between runs: preferences, recent files, layouts. One file, written here alone.

Several windows and programs may write it. Qt writes each key for itself, and a list under a key is read, changed and
written under one lock: what a window did to the list that it knew is done to the list that is there.
"""

import json
import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Generic, NamedTuple, Self, TypeVar, overload

import numpy as np
from PySide6.QtCore import QByteArray, QObject, QSettings, QStandardPaths, Signal

from ...errors import SaveRefused
from ...format import Dialect, JsonError, read_json
from ...format.json_text import json_of
from ...reading import Trajectories
from ...reading.trajectories import lines_of
from ...recording import Recording
from ...recording.atomic_file import reserve
from ...texts import say
from ...views.units import Units
from .debounce import Debounce
from .preferences import ANGLE, KEYS, LENGTH, MAP_FOLDERS, SPEED, TIME, Preference

MOST_RECENT = 10
MOST_TEXTS = 50
_PATIENCE = 0.5  # seconds that the window stands still while another program writes the settings

T = TypeVar("T", bound=str | int)
V = TypeVar("V")
Pairs = Sequence[tuple[str, str]]


class Recent(NamedTuple):
    """A file that was open, as it stood on the disk when it was opened or saved.

    Attributes: `path`, `map`, `seconds`, `date` (ISO, empty where there is none), `release`, `frames`, `size` (bytes),
    `modified` (nanoseconds since 1970; 0 where that was not noted), `is_known` (False: another program has written the
    file since, and only `path`, `size` and `modified` are certain), `lines` (the paths driven, points `(x, y)` of a
    square of `SIDE`).
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


class _Texts(Generic[V]):
    """What is kept under a key as pairs of texts, which `made` makes it of and `pairs` makes of it.

    Attributes: `key`, `merges` (its entries are kept by their names: what another window added to them stays).
    """

    def __init__(
        self, key: str, made: Callable[[Pairs], V], pairs: Callable[[V], Pairs], *, merges: bool = True
    ) -> None:
        self.key = key
        self.merges = merges
        self._made = made
        self._pairs = pairs

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
        """The value of a stored text; an empty one for a text that is spoilt."""
        try:
            return self._made([(str(name), str(text)) for name, text in read_json(stored)][:MOST_TEXTS])
        except (JsonError, ValueError, TypeError):
            return self._made(())

    def entries(self, value: V) -> Pairs:
        """The entries of a value, each with its name."""
        return self._pairs(value)

    def stored(self, entries: Pairs) -> str:
        """The text that is stored for entries."""
        return json.dumps([list(each) for each in entries][:MOST_TEXTS])


class _Lines(_Texts[Sequence[str]]):
    """Lines, which are stored as one text: there may be more of them than texts are kept."""

    def __init__(self, key: str) -> None:
        super().__init__(
            key,
            lambda found: tuple("\n".join(lines for lines, _ in found).splitlines()),
            lambda lines: [(line, "") for line in lines],
        )

    def stored(self, entries: Pairs) -> str:
        return super().stored([("\n".join(line for line, _ in entries), "")])


def merged(before: Pairs, after: Pairs, there: Pairs) -> list[tuple[str, str]]:
    """What was done to entries `before`, so that they are those `after`, done to those that are `there` by now.

    Entries are told apart by their names. What others added stays, what they removed is gone unless it was changed
    here, and what was removed here stays where they changed it.
    """
    known = dict(before)
    theirs = dict(there)
    done = []
    for name, text in after:
        if known.get(name) != text:
            done.append((name, text))
        elif name in theirs:
            done.append((name, theirs[name]))
    names = {name for name, _ in after}
    done += [(name, text) for name, text in there if name not in names and known.get(name) != text]
    return done


class Settings(QObject):
    """Everything that is remembered; a missing or spoilt file is an empty one.

    `settings[THEME]` reads a preference and `settings[THEME] = "dark"` chooses it.

    Attribute: `is_written` (False: the file could not be written, and holds less).

    Signals: `changed(Preference)`, `refused(str)` (a sentence that they are not written, and why).

    Attributes: `filters` (those that are kept: (name, text)), `color_rules` (of the scene, a line each), `road_maps`
    (those that were chosen, by town; an empty path for none), `segments` (of files, as JSON, by path), `workspaces`
    (JSON by name), `workspace_of` (its name, by the path of a file), `library` (the folder that it shows, or an empty
    text), `timeline_lanes` (of the timeline: shown or hidden, by name).
    """

    changed = Signal(object)
    refused = Signal(str)

    filters = _Texts[Pairs]("filters", tuple, tuple)
    color_rules = _Lines("color_rules")
    road_maps = _Texts[Mapping[str, str]]("roads/chosen", dict, lambda chosen: tuple(chosen.items()))
    segments = _Texts[Pairs]("segments", tuple, tuple)
    workspaces = _Texts[Pairs]("workspaces", tuple, tuple)
    workspace_of = _Texts[Pairs]("workspace_of", tuple, tuple)
    library = _Texts[str]("library", lambda found: "".join(dict(found)), lambda folder: [(folder, "")], merges=False)
    timeline_lanes = _Texts[dict[str, bool]](
        "timeline/lanes",
        lambda found: {name: shown == "yes" for name, shown in found},
        lambda lanes: [(name, "yes" if shown else "no") for name, shown in lanes.items()],
    )

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
        """Keep a value under its key; only what it changes of the value `before`, where others wrote meanwhile."""

        def change(stored: str) -> str:
            entries = texts.entries(value)
            if texts.merges:
                entries = merged(texts.entries(before), entries, texts.entries(texts.read(stored)))
            return texts.stored(entries)

        self._change(texts.key, change)

    def write(self) -> bool:
        """Write what is not written yet; False where that cannot be, which is told once and tried again later."""
        self._again.stop()
        if not self.is_written:
            # Its status keeps the first error; what it holds is that of the file, and shared with the new one.
            self.store = QSettings(str(self.path), QSettings.Format.IniFormat)
        self.store.sync()
        was_written = self.is_written
        self.is_written = self.store.status() != QSettings.Status.AccessError
        if not self.is_written:
            self._again.begin(again=True)
            if was_written:
                self.refused.emit(
                    say(
                        "What the program remembers (segments, workspaces, filters, recent files) "
                        "cannot be written to {path}, and is tried again.",
                        path=self.path,
                    )
                )
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
        """Keep others from changing the file meanwhile, as far as that can be: Qt never tears it."""
        with ExitStack() as stack:
            with suppress(SaveRefused, OSError):
                stack.enter_context(reserve(self.path, overwrite=True, patience=_PATIENCE))
            yield

    # --- recent files -----------------------------------------------------------------------------------

    @property
    def recents(self) -> tuple[Recent, ...]:
        """The files opened last, the last one first, as far as they are still there."""
        return _recents(str(self.store.value("recent", "[]")))

    def remember(self, recent: Recent) -> None:
        """Put a file on top of the list; what was known of its paths stays."""

        def change(stored: str) -> str:
            known = _recents(stored)
            before = next((one for one in known if one.path == recent.path), None)
            top = recent
            if before is not None and not recent.lines:
                top = recent._replace(lines=before.lines)
            rest = [one for one in known if one.path != recent.path]
            return json.dumps([one._asdict() for one in [top, *rest][:MOST_RECENT]])

        self._change("recent", change)

    def forget_recents(self) -> None:
        """Empty the list."""
        self._change("recent", lambda _: "[]")

    # --- the window -------------------------------------------------------------------------------------

    def __getitem__(self, preference: Preference[T]) -> T:
        """What was chosen, or the default."""
        return preference.read(str(self.store.value(preference.name, preference.stored(preference.default))))

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
            entries = merged([*before.items()], [*keys.items()], [*self.keys.items()])
            self[KEYS] = json.dumps(dict(sorted(entries)))
            self.write()

    @property
    def units(self) -> Units:
        """The units in which quantities are shown."""
        return Units(self[LENGTH], self[SPEED], self[ANGLE], self[TIME])

    def segments_of(self, path: str) -> str:
        """The segments that are remembered of a file, as JSON."""
        return dict(self.segments).get(path, "")

    def keep_segments(self, path: str, listed: str, before: str = "") -> None:
        """Remember the segments of a file, or with an empty text none.

        `before`: those that the window knew. What another one did to the list meanwhile stays.
        """
        texts = Settings.segments

        def change(stored: str) -> str:
            pairs = texts.read(stored)
            there = dict(pairs).get(path, "")
            entries = merged(_segments(before), _segments(listed), _segments(there))
            others = [pair for pair in pairs if pair[0] != path]
            if entries:
                others.insert(0, (path, json_of([read_json(segment) for segment, _ in entries])))
            return texts.stored(others)

        self._change(texts.key, change)

    @property
    def map_folders(self) -> tuple[Path, ...]:
        """Further folders with road maps."""
        return tuple(Path(each.strip()) for each in self[MAP_FOLDERS].split(os.pathsep) if each.strip())

    def layout(self, name: str) -> QByteArray | None:
        """The state of the docks that was kept under a name."""
        return self._bytes(f"layout/{name}")

    def keep_layout(self, name: str, state: QByteArray | None) -> None:
        """Keep the state of the docks; None: they are as they were designed."""
        if state is None:
            self.store.remove(f"layout/{name}")
        else:
            self.store.setValue(f"layout/{name}", state)

    def forget_layouts(self) -> None:
        """The docks as they were designed."""
        self.store.remove("layout")

    @property
    def geometry(self) -> QByteArray | None:
        """Place and size of the window."""
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
    """Where the settings are: `RECORDER_EDITOR_STATE_DIR`, else the user's folder of configurations."""
    chosen = os.environ.get("RECORDER_EDITOR_STATE_DIR")
    if chosen:
        return Path(chosen) / "settings.ini"
    place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation)
    return Path(place) / "recorder-editor" / "settings.ini"


def _recents(stored: str) -> tuple[Recent, ...]:
    """The files of a stored list that are still there, with what is certain of each."""
    try:
        every = [_recent(one) for one in read_json(stored)]
    except (JsonError, ValueError, TypeError, KeyError, OverflowError):
        return ()
    found = (_on_disk(one) for one in every)
    return tuple(one for one in found if one is not None)


def _on_disk(recent: Recent) -> Recent | None:
    """What is certain of a file that was open; None where it is gone."""
    try:
        status = os.stat(recent.path)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    is_same = status.st_size == recent.size and recent.modified in (0, status.st_mtime_ns)
    if is_same:
        return recent
    return Recent(recent.path, size=status.st_size, modified=status.st_mtime_ns, is_known=False)


def _segments(listed: str) -> list[tuple[str, str]]:
    """The segments of a list as JSON, each as an entry; none of a text that is spoilt."""
    try:
        return [(json_of(each), "") for each in read_json(listed or "[]")]
    except (JsonError, TypeError, ValueError):
        return []


def _recent(stored: object) -> Recent:
    if not isinstance(stored, dict):
        raise TypeError("A recent file is an object.")
    lines = tuple(tuple((int(x), int(y)) for x, y in line) for line in stored.get("lines", ()))
    plain = {}
    for name, default in Recent._field_defaults.items():
        if name != "lines":
            plain[name] = type(default)
    known = {}
    for name, made in plain.items():
        if name in stored:
            known[name] = made(stored[name])
    return Recent(str(stored["path"]), **known, lines=lines)


def recent_of(recording: Recording, survey: Trajectories | None) -> Recent:
    """What is remembered of the file of a recording: its saved state, of which `survey` is, not that with edits."""
    saved = recording.saved
    header = saved.header
    when = saved.header.when if saved.header is not None else None
    name = header.map_name if header is not None else ""
    elapsed = saved.elapsed[np.isfinite(saved.elapsed)]
    file = recording.store.identity(recording.store.file)
    return Recent(
        path=str(recording.path.absolute()),
        map=short_map(name) if isinstance(name, str) else "",
        seconds=float(elapsed[-1] - elapsed[0]) if len(elapsed) else 0.0,
        date=f"{when:%Y-%m-%d}" if when is not None else "",
        # Without a frame nothing tells the release.
        release=_release(saved.dialect) if len(saved) else "",
        frames=len(saved),
        size=file.size,
        modified=file.modified,
        lines=lines_of(survey) if survey is not None else (),
    )


def _release(dialect: Dialect) -> str:
    """What a dialect is called in a narrow column, in any language: `CARLA 0.9.6`, or `0.9.12–0.9.13`."""
    if dialect.first == dialect.last:
        return dialect.releases
    return f"{dialect.first}–{dialect.last}"


def short_map(name: str) -> str:
    """A map without the folders of the simulator's assets: `Carla/Maps/Town05` is `Town05`."""
    return name.rpartition("/")[2] or name
