"""What the window loads before its first picture: nothing that is asked for later."""

import json
import os
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
FIRST_PICTURE = """
import json, os, sys
from recorder_editor.ui import create_window
from recorder_editor.ui.session import debounce
# What begins after the picture must not begin before a slow one.
debounce.MS_OF_REST = debounce.MS_OF_OPENING = 1_000_000
window = create_window(sys.argv[1])
from recorder_editor.ui.session.preferences import preference_table
read = ["preferences.json"] * preference_table.cache_info().currsize
print(json.dumps([*read, *sorted(sys.modules)]), flush=True)
os._exit(0)
"""
LATER = (
    "preferences.json",  # what is said of them
    "pyqtgraph",
    "numpy.ma",  # by np.median, np.percentile and np.unique without further results
    "polars",
    "pyarrow",
    "scipy",
    "recorder_editor.analysis",
    "recorder_editor.checks",
    "recorder_editor.cli",
    "recorder_editor.edits",
    "recorder_editor.demo",
    "recorder_editor.formats.export",
    "recorder_editor.formats.openscenario",
    "recorder_editor.reports",
    "recorder_editor.repair",
    "recorder_editor.ui.dialogs.base",
    "recorder_editor.ui.dialogs.fields",
    "recorder_editor.ui.shell.start_page",
    "recorder_editor.ui.panes.differences.differences_pane",
    "recorder_editor.ui.panes.repair.repair_pane",
    "recorder_editor.ui.panes.signals.signals_pane",
    "recorder_editor.ui.panes.actors.actors_pane",
    "recorder_editor.ui.panes.problems.problems_pane",
    "recorder_editor.ui.panes.trim.trim_pane",
)


def test_nothing_is_loaded_before_the_first_picture_that_a_person_has_to_ask_for(path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", FIRST_PICTURE, str(path)],
        cwd=PROJECT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    loaded = set(json.loads(run.stdout))
    assert "recorder_editor.ui.panes.scene.scene_pane" in loaded
    assert not loaded.intersection(LATER)
