"""Every text of the window and of the tables is translated, and the program reads what was translated."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

PROJECT = Path(__file__).resolve().parents[2]
SCRIPT = PROJECT / "packaging" / "translations.py"


@pytest.fixture(scope="module")
def translations() -> ModuleType:
    spec = importlib.util.spec_from_file_location("translations", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_text_is_translated() -> None:
    run = subprocess.run([sys.executable, str(SCRIPT), "--check"], capture_output=True, encoding="utf-8", check=False)
    assert run.returncode == 0, f"{run.stdout}\nrun packaging/translations.py"


@pytest.mark.parametrize(
    ("text", "translation", "fault"),
    [
        ("Save", "保存", ""),
        ("Save", "", "is not translated"),
        ("%1 frames", "帧", "other places for values"),
        ("<b>%1</b>", "%1", "other places for values"),
        ("%1 frames", "%1 帧", ""),
        ("Frame id", "帧ID", "no space"),
        ("Frame id, time", "帧 ID, 时间", "half width"),
        ("Frame id, time", "帧 ID，时间", ""),
        ("Reading", "正在读取.", "half width"),
        ("Open...", "打开", "no dots"),
        ("Reading...", "正在读取……", ""),
    ],
)
def test_a_translation_has_its_places_its_gaps_and_its_punctuation(
    translations: ModuleType, text: str, translation: str, fault: str
) -> None:
    found = list(translations.faults(text, translation))
    assert not found if not fault else fault in " ".join(found)


def test_what_is_missing_old_or_not_finished_is_found(translations: ModuleType, tmp_path: Path) -> None:
    folder = PROJECT / "resources" / "translations"
    ts = tmp_path / "recorder_editor_zh_CN.ts"
    for name in (ts.name, "zh_CN.json", "recorder_editor_zh_CN.qm"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    assert list(translations.problems(ts)) == []
    text = ts.read_text(encoding="utf-8")
    ts.write_text(text.replace("<source>Open</source>", "<source>Opened once</source>"), encoding="utf-8")
    assert any("has not the texts of the window" in each for each in translations.problems(ts))
    ts.write_text(text.replace("<translation>打开</translation>", '<translation type="unfinished"></translation>', 1))
    assert any("'Open' is not translated" in each for each in translations.problems(ts))
    ts.write_text(text.replace("<translation>打开</translation>", "<translation>开启</translation>"), encoding="utf-8")
    told = list(translations.problems(ts))
    assert any("qm has not '开启'" in each for each in told)
    ts.write_text(text, encoding="utf-8")
    table = tmp_path / "zh_CN.json"
    table.write_text(table.read_text(encoding="utf-8").replace('"Undo memory"', '"Undone"'), encoding="utf-8")
    told = list(translations.problems(ts))
    assert any("lacks 'Undo memory'" in each for each in told)
    assert any("'Undone', which is not shown" in each for each in told)
