"""What the program remembers between runs: preferences, recent files, layouts. One file, written here alone."""

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from PySide6.QtCore import QByteArray, QObject, QSettings, QStandardPaths, Signal

from ..format import Dialect, JsonError, read_json
from ..recording import Recording, Trajectories
from ..recording.trajectories import lines_of
from .preferences import ANGLE, KEYS, LENGTH, MAP_FOLDERS, SPEED, TIME, Preference
from .units import Units

MOST_RECENT = 10
MOST_TEXTS = 50

T = TypeVar("T", bound=str | int)
V = TypeVar("V")
Pairs = Sequence[tuple[str, str]]


class Recent(NamedTuple):
    """A file that was open.

    Attributes: `path`, `map`, `seconds`, `date` (ISO, empty where there is none), `release`, `frames`, `size` (bytes),
    `lines` (the paths driven, points `(x, y)` of a square of `SIDE`).
    """

    path: str
    map: str = ""
    seconds: float = 0.0
    date: str = ""
    release: str = ""
    frames: int = 0
    size: int = 0
    lines: tuple[tuple[tuple[int, int], ...], ...] = ()


class _Texts(Generic[V]):
    """What is kept under a key as pairs of texts, which `made` makes it of and `pairs` makes of it."""

    def __init__(self, key: str, made: Callable[[Pairs], V], pairs: Callable[[V], Pairs]) -> None:
        self._key, self._made, self._pairs = key, made, pairs

    def __get__(self, settings: "Settings", owner: type) -> V:
        try:
            stored = read_json(str(settings.store.value(self._key, "[]")))
            return self._made([(str(name), str(text)) for name, text in stored][:MOST_TEXTS])
        except (JsonError, ValueError, TypeError):
            return self._made(())

    def __set__(self, settings: "Settings", value: V) -> None:
        settings.store.setValue(self._key, json.dumps([list(each) for each in self._pairs(value)][:MOST_TEXTS]))


class Settings(QObject):
    """Everything that is remembered; a missing or spoilt file is an empty one.

    `settings[THEME]` reads a preference and `settings[THEME] = "dark"` chooses it. Signal: `changed(Preference)`.

    Attributes: `filters` (those that are kept: (name, text)), `color_rules` (of the scene, a line each), `road_maps`
    (those that were chosen, by town; an empty path for none), `segments` (of files, as JSON, by path), `workspaces`
    (JSON by name), `workspace_of` (its name, by the path of a file), `library` (the folder that it shows, or an empty
    text), `lanes` (of the timeline: shown or hidden, by name).
    """

    changed = Signal(object)

    filters = _Texts[Pairs]("filters", tuple, tuple)
    color_rules = _Texts[Sequence[str]](
        "color_rules",
        lambda found: tuple("\n".join(lines for lines, _ in found).splitlines()),
        lambda lines: [("\n".join(lines), "")],  # in one text: there may be more of them than texts are kept
    )
    road_maps = _Texts[Mapping[str, str]]("roads/chosen", dict, lambda chosen: tuple(chosen.items()))
    segments = _Texts[Pairs]("segments", tuple, tuple)
    workspaces = _Texts[Pairs]("workspaces", tuple, tuple)
    workspace_of = _Texts[Pairs]("workspace_of", tuple, tuple)
    library = _Texts[str]("library", lambda found: "".join(dict(found)), lambda folder: [(folder, "")])
    lanes = _Texts[dict[str, bool]](
        "timeline/lanes",
        lambda found: {name: shown == "yes" for name, shown in found},
        lambda lanes: [(name, "yes" if shown else "no") for name, shown in lanes.items()],
    )

    def __init__(self, path: Path | None = None) -> None:
        super().__init__()
        self.path = path if path is not None else settings_path()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.store = QSettings(str(self.path), QSettings.Format.IniFormat)

    # --- recent files -----------------------------------------------------------------------------------

    @property
    def recents(self) -> tuple[Recent, ...]:
        """The files opened last, the last one first, as far as they are still there."""
        try:
            stored = read_json(str(self.store.value("recent", "[]")))
            every = tuple(_recent(one) for one in stored)
        except (JsonError, ValueError, TypeError, KeyError, OverflowError):
            return ()
        return tuple(one for one in every if os.path.isfile(one.path))

    def remember(self, recent: Recent) -> None:
        """Put a file on top of the list; what was known of its paths stays."""
        before = next((one for one in self.recents if one.path == recent.path), None)
        if before is not None and not recent.lines:
            recent = recent._replace(lines=before.lines)
        rest = [one for one in self.recents if one.path != recent.path]
        self._write([recent, *rest][:MOST_RECENT])

    def forget_recents(self) -> None:
        """Empty the list."""
        self._write([])

    def _write(self, recents: Iterable[Recent]) -> None:
        self.store.setValue("recent", json.dumps([one._asdict() for one in recents]))
        self.store.sync()

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
        return {str(name): str(keys) for name, keys in stored.items()} if isinstance(stored, dict) else {}

    @keys.setter
    def keys(self, keys: Mapping[str, str]) -> None:
        self[KEYS] = json.dumps(dict(sorted(keys.items())))

    @property
    def units(self) -> Units:
        """The units in which quantities are shown."""
        return Units(self[LENGTH], self[SPEED], self[ANGLE], self[TIME])

    def segments_of(self, path: str) -> str:
        """The segments that are remembered of a file, as JSON."""
        return dict(self.segments).get(path, "")

    def keep_segments(self, path: str, listed: str) -> None:
        """Remember the segments of a file, or with an empty text none."""
        others = [pair for pair in self.segments if pair[0] != path]
        self.segments = [(path, listed), *others] if listed else others

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
        return stored if isinstance(stored, QByteArray) and not stored.isEmpty() else None


def settings_path() -> Path:
    """Where the settings are: `RECORDER_EDITOR_STATE_DIR`, else the user's folder of configurations."""
    chosen = os.environ.get("RECORDER_EDITOR_STATE_DIR")
    if chosen:
        return Path(chosen) / "settings.ini"
    place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation)
    return Path(place) / "recorder-editor" / "settings.ini"


def _recent(stored: Any) -> Recent:
    if not isinstance(stored, dict):
        raise TypeError("A recent file is an object.")
    lines = tuple(tuple((int(x), int(y)) for x, y in line) for line in stored.get("lines", ()))
    plain = {name: type(default) for name, default in Recent._field_defaults.items() if name != "lines"}
    return Recent(str(stored["path"]), **{name: made(stored[name]) for name, made in plain.items()}, lines=lines)


def recent_of(recording: Recording, survey: Trajectories | None) -> Recent:
    """What is remembered of a recording."""
    snapshot = recording.snapshot
    header, when = snapshot.header, snapshot.header.when if snapshot.header is not None else None
    name = header.map_name if header is not None else ""
    elapsed = snapshot.elapsed[np.isfinite(snapshot.elapsed)]
    return Recent(
        str(recording.path.absolute()),
        short_map(name) if isinstance(name, str) else "",
        float(elapsed[-1] - elapsed[0]) if len(elapsed) else 0.0,
        f"{when:%Y-%m-%d}" if when is not None else "",
        # Without a frame nothing tells the release.
        _release(snapshot.dialect) if len(snapshot) else "",
        len(snapshot),
        snapshot.size,
        lines_of(survey) if survey is not None else (),
    )


def _release(dialect: Dialect) -> str:
    """What a dialect is called in a narrow column, in any language: `CARLA 0.9.6`, or `0.9.12–0.9.13`."""
    return dialect.releases if dialect.first == dialect.last else f"{dialect.first}–{dialect.last}"


def short_map(name: str) -> str:
    """A map without the folders of the simulator's assets: `Carla/Maps/Town05` is `Town05`."""
    return name.rpartition("/")[2] or name
