"""The catalogues of translations are sound; that they are whole is asked for a release."""

import ast
import gettext
import importlib.util
import io
import re
from pathlib import Path
from types import ModuleType

import pytest

from recorder_editor import texts
from recorder_editor.format import DIALECTS
from recorder_editor.format.schema import Array

from ..sources import nodes

PROJECT = Path(__file__).resolve().parents[2]
SCRIPT = PROJECT / "packaging" / "translations.py"
RESOURCES = PROJECT / "resources"
LOCALE = RESOURCES / "locale"
CATALOGUES = sorted(LOCALE.glob("*.po"))


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


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.stem)
def test_a_catalogue_is_sound_and_is_what_the_program_reads(translations: ModuleType, path: Path) -> None:
    assert list(translations.wrong(path)) == []


@pytest.mark.parametrize(
    ("text", "translation", "fault"),
    [
        ("Save", "保存", ""),
        ("{count:,} frames", "帧", "other places for values"),
        ("<b>{name}</b>", "{name}", "other marks of rich text"),
        ("{day:%Y-%m-%d}", "{day:%Y} 年 {day:%m} 月", ""),
        ("{count:,} frames", "{count:,} 帧", ""),
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


@pytest.mark.parametrize(("word", "others"), ONE_WORD.items())
def test_one_thing_has_one_word_in_window_sentences_and_guide(word: str, others: str) -> None:
    files = [PROJECT / "README.zh-CN.md", PROJECT / "packaging" / "reference_zh_CN.po", LOCALE / "zh_CN.po"]
    files += (RESOURCES / "guide" / "zh_CN").glob("*.md")
    contents = {each.relative_to(PROJECT): each.read_text(encoding="utf-8") for each in files}
    # A long translation stands in several lines of a catalogue.
    contents = {name: re.sub(r'"\n"', "", text) for name, text in contents.items()}
    assert len(contents) >= 12
    assert any(word in text for text in contents.values())
    assert [name for name, text in contents.items() if re.search(others, text)] == []


def test_the_texts_of_a_function_are_constants_that_the_catalogues_can_have() -> None:
    """A text within an f-string, or one that is put together, is in no catalogue."""
    wrong = []
    for path, found in nodes().items():
        if path.name == "texts.py":
            continue
        for call in found:
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ("say", "say_count"):
                forms = call.args[: 1 + (call.func.id == "say_count")]
                if any(isinstance(form, ast.JoinedStr | ast.BinOp) for form in forms):
                    wrong.append(f"{path.relative_to(PROJECT)}:{call.lineno} {ast.unparse(call)}")
    assert wrong == []


@pytest.fixture
def checkout(translations: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A catalogue beside the program that shows three texts."""
    shown = {("", "Open"), ("list", "{first} or {last}"), ("", ("{count:,} file", "{count:,} files"))}
    monkeypatch.setattr(translations, "every_text", lambda _project=None: shown)
    path = tmp_path / "zh_CN.po"
    known = {("", "Open"): ("打开",), ("list", "{first} or {last}"): ("{first} 或 {last}",)}
    known["", ("{count:,} file", "{count:,} files")] = ("{count:,} 个文件",)
    catalog = translations.catalog_of("zh_CN", known, shown)
    path.write_bytes(translations.written(catalog))
    path.with_suffix(".mo").write_bytes(translations.compiled(catalog))
    return path


def test_what_a_catalogue_lacks_or_has_too_many_is_told(translations: ModuleType, checkout: Path) -> None:
    assert list(translations.missing(checkout)) == []
    text = checkout.read_text(encoding="utf-8")
    checkout.write_text(text.replace('msgid "Open"', 'msgid "Opened once"'), encoding="utf-8")
    told = list(translations.missing(checkout))
    assert told == ["zh_CN.po does not translate 'Open'.", "zh_CN.po has 'Opened once', which is not shown any more."]
    checkout.write_text(text.replace('msgstr "打开"', 'msgstr ""'), encoding="utf-8")
    assert list(translations.missing(checkout)) == ["zh_CN.po does not translate 'Open'."]
    checkout.write_text(text.replace('msgstr[0] "{count:,} 个文件"', 'msgstr[0] ""'), encoding="utf-8")
    (plural,) = translations.missing(checkout)
    assert "{count:,} files" in plural


def test_a_catalogue_that_was_changed_and_not_compiled_is_told(translations: ModuleType, checkout: Path) -> None:
    assert list(translations.wrong(checkout)) == []
    text = checkout.read_text(encoding="utf-8")
    checkout.write_text(text.replace('msgstr "打开"', 'msgstr "打开 {name}"'), encoding="utf-8")
    fault, binary = translations.wrong(checkout)
    assert "other places for values" in fault
    assert "zh_CN.mo is not that of zh_CN.po" in binary


def test_new_texts_are_taken_in_and_translations_of_old_ones_stay(translations: ModuleType, checkout: Path) -> None:
    text = checkout.read_text(encoding="utf-8").replace('msgid "Open"', 'msgid "Opened once"')
    checkout.write_text(text, encoding="utf-8")
    translations.update(checkout)
    assert list(translations.missing(checkout)) == ["zh_CN.po does not translate 'Open'."]
    assert list(translations.wrong(checkout)) == []
    assert translations.translations_in(translations.read(checkout)).keys() == {
        ("list", "{first} or {last}"),
        ("", ("{count:,} file", "{count:,} files")),
    }


def test_a_language_with_several_forms_of_the_plural_has_them_all(
    translations: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    forms = ("{count} plik", "{count} pliki", "{count} plików")
    key = ("", ("{count} file", "{count} files"))
    compiled = translations.compiled(translations.catalog_of("pl", {key: forms}, [key]))
    polish = gettext.GNUTranslations(io.BytesIO(compiled))
    monkeypatch.setattr(texts, "catalogue", lambda _name: polish)
    with texts.speaking("pl"):
        told = [texts.say_count("{count} file", "{count} files", count=count) for count in (1, 3, 5, 22)]
    assert told == ["1 plik", "3 pliki", "5 plików", "22 pliki"]


def test_meanings_that_the_program_joins_are_translated_of_their_parts() -> None:
    chinese = texts.catalogue("zh_CN")
    for name in ("ue4-0.9.12", "ue5-2026"):
        for kind in DIALECTS[name].kinds():
            for part in (*kind.record.fields.values(), *kind.record.arrays.values()):
                meanings = [part.meaning, *([part.count_field.meaning] if isinstance(part, Array) else [])]
                assert all(chinese.gettext(each) != each for each in meanings if each), part.path
