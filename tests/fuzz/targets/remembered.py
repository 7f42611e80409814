"""What the program reads that others may have written: its settings, the clipboard, bytes that are pasted."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from PySide6.QtCore import QByteArray, QMimeData, QSettings
from PySide6.QtGui import QGuiApplication

from recorder_editor.ui.app import application
from recorder_editor.ui.panes.bytes.copied_bytes import as_text, from_text
from recorder_editor.ui.session.clipboard import KIND, CopiedActor, copied_actor
from recorder_editor.ui.session.preferences import PREFERENCES, TEXT_SIZE_PIXELS
from recorder_editor.ui.session.settings import Recent, Settings

from ..texts import WORDS, as_json, mangled, odd_value, some, worse
from ..watch import Broken, Watch
from .target import Target

RECENT = {
    "path": "in.log",
    "map": "Town01",
    "seconds": 12.5,
    "date": "2026-01-31",
    "release": "0.9.13",
    "frames": 250,
    "size": 100_000,
    "lines": [[[1, 2], [3, 4]], [[500, 500], [0, 1000]]],
}
ACTOR = {"file": "in.log", "map": "Town01", "actor": 174, "born": 3, "blueprint": "vehicle.tesla.model3"}
PASTED = ('b"\\x00abc"', "00 ff 10", "ab", "plain text", "b'%s'", "{", "b''")


@dataclass(frozen=True)
class Case:
    """Values of the settings by name, the whole file in place of them where `raw` is not empty, and two clipboards."""

    values: tuple[tuple[str, str], ...]
    raw: str
    actor: str
    pasted: str


class Remembered(Target):
    of_a_round = 10_000

    def __init__(self, keep: Path) -> None:
        super().__init__(keep)
        self.application = application()
        settings = Settings(keep / "settings.ini")
        settings.remember(Recent(**{**RECENT, "lines": (((1, 2), (3, 4)),)}))  # type: ignore[arg-type] # of mixed values
        settings[TEXT_SIZE_PIXELS] = 15
        settings.keep_layout("inspect", QByteArray(b"\x00\xff state"))
        settings.geometry = QByteArray(b"\x01\xd9\xd0\xcb")
        self.file = (keep / "settings.ini").read_text("utf-8")

    def make(self, random: Random) -> Case:
        recents: Any = [RECENT] * random.randrange(1, 4)
        for _ in range(some(random)):
            recents = worse(recents, random)
        values = [("recent", as_json(recents, random))]
        names = [
            name
            for name in (*(each.name for each in PREFERENCES), "layout/inspect", "geometry")
            if random.random() < 0.4
        ]
        values += [(name, random.choice(WORDS)) for name in names]
        raw = mangled(self.file, random) if random.random() < 0.3 else ""
        actor: Any = worse(ACTOR, random) if random.random() < 0.8 else odd_value(random)
        actor = as_json(actor, random)
        pasted = random.choice(PASTED)
        for _ in range(some(random)):
            pasted = mangled(pasted, random)
        return Case(tuple(values), raw, mangled(actor, random) if random.random() < 0.3 else actor, pasted)

    def run(self, case: Case, watch: Watch) -> Iterable[str]:
        path = Path("settings.ini")
        Path("in.log").write_bytes(b"")
        if case.raw:
            path.write_bytes(case.raw.encode("utf-8", "surrogatepass"))
        else:
            stored = QSettings(str(path), QSettings.Format.IniFormat)
            for name, value in case.values:
                stored.setValue(name, value.encode("utf-8", "replace").decode())
            stored.sync()
            del stored
        settings = Settings(path)
        recents = settings.recents
        for each in recents:
            hash(each)
            if not isinstance(each.path, str):
                raise Broken("a recent file that is none", each)
        for each in PREFERENCES:
            settings[each]
        settings.geometry  # noqa: B018 - it is read, that is all
        settings.layout("inspect")
        settings.remember(Recent("in.log"))
        if not settings.recents or settings.recents[0].path != "in.log":
            raise Broken("what is remembered is forgotten", settings.recents)
        return ("settings", *self._paste(case))

    def _paste(self, case: Case) -> Iterable[str]:
        data = QMimeData()
        data.setData(KIND, case.actor.encode("utf-8", "surrogatepass"))
        clipboard = QGuiApplication.clipboard()
        clipboard.setMimeData(data)
        actor = copied_actor()
        clipboard.clear()
        if actor is not None and not isinstance(actor, CopiedActor):
            raise Broken("an actor that is none", actor)
        pasted = from_text(case.pasted)
        for form in ("hex", "text", "python"):
            if form != "text" and pasted and from_text(as_text(pasted, form)) != pasted:
                raise Broken(f"bytes copied as {form} are pasted as others", pasted)
        return ("actor pasted",) if actor is not None else ("no actor pasted",)
