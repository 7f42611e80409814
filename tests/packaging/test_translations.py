"""Every text of the window and of the tables is translated, and the program reads what was translated."""

import ast
import importlib.util
import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtCore import QLibraryInfo, QTranslator

from recorder_editor.format import DIALECTS
from recorder_editor.format.schema import Array

PROJECT = Path(__file__).resolve().parents[2]
SCRIPT = PROJECT / "packaging" / "translations.py"
RESOURCES = PROJECT / "resources"


ONE_WORD = {
    "仿真器": "模拟器",
    "参与者": "演员|角色扮演",
    "记录文件": "录像|录制文件",
    "重放": "回放",
    "重新载入": "重新加载",
    "剪除": "剪切出",
    "撤销": "撤消",
    "旁观者": "观察者|观众",
    "存在期间": "生命期|生命周期|存在区间|寿命",
    "朝向": "航向",
    "舍弃": "舍去|省去|略去",
    "放弃": "丢弃",
    "输入": "键入",
    "地图名称": "地图名(?!称)",
    "过滤条件": "(?<!滤波)过滤器",
    "退出码": "退出代码",
    "跟驰": "跟车",
    "碰撞时间": "碰撞前时间|撞击时间",
    "车头时距": "时间间距",
    "前车": "领车|领先车",
    "刹车": "煞车",
    "档位": "挡位|齿轮",
    "蓝图": "模板",
    "首帧": "(?<!后的)第一帧",
    "末帧": "最后一帧",
    "丢失": "损失",
}
"""One word for one thing, and others that Chinese has for it."""


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
        ("Shift", "平移", "name of a key"),
    ],
)
def test_a_translation_has_its_places_its_gaps_and_its_punctuation(
    translations: ModuleType, text: str, translation: str, fault: str
) -> None:
    found = list(translations.faults(text, translation))
    assert not found if not fault else fault in " ".join(found)


@pytest.mark.parametrize(("word", "others"), ONE_WORD.items())
def test_one_thing_has_one_word_in_window_sentences_and_guide(word: str, others: str) -> None:
    files = [PROJECT / "README.zh-CN.md", PROJECT / "packaging" / "reference_zh_CN.json"]
    files += [each for name in ("*zh_CN.ts", "*/zh_CN.json", "*/zh_CN/*.md") for each in RESOURCES.rglob(name)]
    texts = {each.relative_to(PROJECT): each.read_text(encoding="utf-8") for each in files}
    assert len(texts) >= 15
    assert any(word in each for each in texts.values())
    assert [name for name, each in texts.items() if re.search(others, each)] == []


def test_no_text_stands_where_lupdate_does_not_see_it() -> None:
    """That is within an f-string."""
    package = PROJECT / "recorder_editor"
    for path in (*(package / "ui").rglob("*.py"), *(package / "views").rglob("*.py")):
        for text in (each for each in ast.walk(ast.parse(path.read_bytes())) if isinstance(each, ast.JoinedStr)):
            for call in (each for each in ast.walk(text) if isinstance(each, ast.Call)):
                is_tr = getattr(call.func, "attr", getattr(call.func, "id", "")) == "tr"
                assert not is_tr or not isinstance(call.args[0], ast.Constant), (path, text.lineno)


def test_what_is_missing_old_or_not_finished_is_found(translations: ModuleType, tmp_path: Path) -> None:
    folder = RESOURCES / "translations"
    ts = tmp_path / "recorder_editor_zh_CN.ts"
    for name in (ts.name, "zh_CN.json", "recorder_editor_zh_CN.qm"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    assert list(translations.problems(ts)) == []
    text = ts.read_text(encoding="utf-8")
    ts.write_text(text.replace("<source>Open</source>", "<source>Opened once</source>"), encoding="utf-8")
    told = list(translations.problems(ts))
    assert any("has not the texts of the window" in each for each in told)
    assert any("cannot have 'Open'" in each for each in told)
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


def test_a_language_with_several_forms_of_the_plural_has_them_all(translations: ModuleType, tmp_path: Path) -> None:
    ts = tmp_path / "recorder_editor_de.ts"
    forms = "<numerusform>%n Teil</numerusform><numerusform>%n Teile</numerusform>"
    ts.write_text(
        f"""<TS version="2.1" language="de"><context><name>A</name>
        <message numerus="yes"><source>%n part(s)</source><translation>{forms}</translation></message>
        <message><source>Open</source><translation>Öffnen</translation></message></context></TS>""",
        encoding="utf-8",
    )
    translations.compile_qm(ts)
    program = QTranslator()
    program.load(str(ts.with_suffix(".qm")))
    said = [program.translate("Anybody", "%n part(s)", "", number) for number in (1, 2)]
    assert said == ["%n Teil", "%n Teile"]
    assert program.translate("Anybody", "Open") == "Öffnen"


def test_keys_have_the_names_on_the_keyboard_as_in_the_guide(translations: ModuleType) -> None:
    of_qt, program = QTranslator(), QTranslator()
    assert of_qt.load("qtbase_zh_CN", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    program.load(str(PROJECT / "resources" / "translations" / "recorder_editor_zh_CN.qm"))
    guide = (RESOURCES / "guide" / "zh_CN" / "actions.md").read_text(encoding="utf-8")
    assert all(f"`{key}`" in guide for key in ("Space", "Shift+Backspace", "Alt+Left"))
    assert of_qt.translate("QShortcut", "Left") != "Left"
    assert {key: program.translate("QShortcut", key) for key in translations.KEY_NAMES} == {
        key: key for key in translations.KEY_NAMES
    }


def test_meanings_that_the_program_joins_are_translated_of_their_parts() -> None:
    program = QTranslator()
    program.load(str(PROJECT / "resources" / "translations" / "recorder_editor_zh_CN.qm"))
    for name in ("ue4-0.9.12", "ue5-2026"):
        for kind in DIALECTS[name].kinds():
            for part in (*kind.record.fields.values(), *kind.record.arrays.values()):
                meanings = [part.meaning, *([part.count_field.meaning] if isinstance(part, Array) else [])]
                assert all(map(partial(program.translate, "Anybody"), filter(None, meanings))), part.path
