"""Pictures of all panes and dialogs, to compare two versions of the program.

    python -m tests.pictures write FOLDER [--package ROOT] [--language NAME]
    python -m tests.pictures compare BEFORE AFTER

`write` opens the sample and a damaged real recording off screen, in light and dark, at 1280x800 and 1920x1080, and
saves the window in each layout, each pane, and each dialog that an action opens, with the package in ROOT (default:
this checkout). `compare` names the pictures that differ, and by how many pixels. What shows the time of day, or a path,
may differ between two runs of the same version: run it twice to know.
"""

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
RECORDINGS = PROJECT.parent / "shared" / "recordings"
SAMPLE = PROJECT / "resources" / "sample" / "town.log"
SIZES = ((1280, 800), (1920, 1080))
LAYOUTS = ("inspect", "scene", "trim", "repair")
DIALOGS = (
    *("file.import_highd", "file.export", "file.properties", "file.preferences", "edit.replace", "signals.expression"),
    *("signals.add", "recording.split", "recording.convert", "recording.simulator", "dialect.why", "tools.reports"),
    *("help.keys", "help.about"),
)
"""Actions that open a dialog; those that need an actor are found by the window."""


def write(folder: Path, language: str) -> None:
    """Save all pictures into a folder."""
    from PySide6.QtWidgets import QApplication

    folder.mkdir(parents=True, exist_ok=True)
    inputs = Path(tempfile.mkdtemp(prefix="pictures-"))
    for source in (SAMPLE, *sorted(RECORDINGS.glob("*.log"))[:1]):
        path = inputs / source.name
        shutil.copy(source, path)
        if source != SAMPLE:
            data = path.read_bytes()
            path.write_bytes(data[: len(data) * 2 // 3])  # as a crash leaves it
        for mode in ("light", "dark"):
            for size in SIZES:
                _write_window(folder / f"{source.stem[:12]}-{mode}-{size[1]}", path, mode, size, language)
    QApplication.quit()
    shutil.rmtree(inputs)


def _write_window(start: Path, path: Path, mode: str, size: tuple[int, int], language: str) -> None:
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication, QDialog

    from recorder_editor.ui import app  # of whatever version: what it imports is in other places in older ones

    def wait() -> None:
        for _ in range(3):
            app.settle()
            app.wait_for_jobs(window)
            QTest.qWait(100)  # what waits for a pause, as a preview

    def save(name: str, widget: object) -> None:
        getattr(widget, "grab")().save(f"{start}-{name}.png")  # noqa: B009 - of whatever version

    theme = app.theme_of(app.application())
    theme.set_mode(mode)
    settings = app.Settings(path.parent / "settings.ini")
    if language:
        settings[app.LANGUAGE] = language
    window = app.create_window(path, size=size, theme=theme, settings=settings)
    wait()
    for layout in LAYOUTS:
        window.panes.set_preset(layout)
        wait()
        save(layout, window)
    window.panes.set_preset("inspect")
    for name in window.panes.docks:
        window.panes.show(name)
        wait()
        save(f"pane-{name}", window.panes.docks[name])
    for action in DIALOGS:
        if window.registry.reason(action):
            continue
        window.registry.run(action)
        wait()
        for dialog in window.findChildren(QDialog):
            if dialog.isVisible():
                save(f"dialog-{action}", dialog)
                dialog.close()
        wait()
    window.close()
    QApplication.processEvents()


def compare(before: Path, after: Path) -> int:
    """Print which pictures differ; returns 1 where one does."""
    import numpy as np
    from PySide6.QtGui import QImage

    names = sorted({path.name for folder in (before, after) for path in folder.glob("*.png")})
    differing = 0
    for name in names:
        pictures = [
            QImage(str(folder / name)).convertToFormat(QImage.Format.Format_RGB32) for folder in (before, after)
        ]
        if pictures[0] == pictures[1] and not pictures[0].isNull():
            continue
        differing += 1
        if any(picture.isNull() for picture in pictures) or pictures[0].size() != pictures[1].size():
            sizes = [f"{picture.width()}x{picture.height()}" for picture in pictures]
            sys.stdout.write(f"{name}: {sizes[0]} before, {sizes[1]} after\n")
            continue
        one, other = (np.frombuffer(picture.constBits(), np.uint32) for picture in pictures)
        sys.stdout.write(f"{name}: {int((one != other).sum()):,} of {one.size:,} pixels differ\n")
    sys.stdout.write(f"{len(names) - differing} of {len(names)} pictures are the same.\n")
    return int(differing > 0)


def main() -> int:
    """Write or compare pictures."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.pictures", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    verbs = parser.add_subparsers(dest="verb", required=True)
    writing = verbs.add_parser("write")
    writing.add_argument("folder", type=Path, metavar="FOLDER")
    writing.add_argument("--package", type=Path, metavar="ROOT", default=PROJECT)
    writing.add_argument("--language", default="")
    comparing = verbs.add_parser("compare")
    comparing.add_argument("before", type=Path, metavar="BEFORE")
    comparing.add_argument("after", type=Path, metavar="AFTER")
    arguments = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if arguments.verb == "compare":
        return compare(arguments.before, arguments.after)
    sys.path.insert(0, str(arguments.package.resolve()))
    write(arguments.folder.resolve(), arguments.language)
    return 0


if __name__ == "__main__":
    sys.exit(main())
