#!/usr/bin/env python3
"""Keep the translations of the window whole: find its texts, and compile what was translated.

    packaging/translations.py            takes in the texts of the source and of the tables, and compiles
    packaging/translations.py --check    says what is missing, old or wrong, and changes nothing

`resources/translations/` has three files of each language. `recorder_editor_zh_CN.ts` holds the texts in
`recorder_editor/ui` and `views`, as Qt's lupdate finds them; Qt Linguist edits it. `zh_CN.json` holds the texts of the
tables in `resources/` and of constants, Chinese by English; the names of values of packets stand there as `= red`, so
that a lamp may be called otherwise than a packet of its name. `recorder_editor_zh_CN.qm` is compiled of both for the
program: it knows no contexts, so that one text has one translation everywhere. `resources/sentences/zh_CN.json` holds
the sentences of the layers below the window, by code.
"""

import ast
import html
import json
import re
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import PySide6
from PySide6.QtCore import QTranslator

ROOT = Path(__file__).resolve().parent.parent
FOLDER, SENTENCES = Path("resources/translations"), Path("resources/sentences")
PREFIX = "recorder_editor_"
TOOLS = Path(PySide6.__path__[0])
SHOWN = {
    "catalogue": {"title"},
    "actions": {"text", "tooltip", "keywords", "needs", "where"},
    "operations": {
        *("title", "summary", "help", "script_help", "label", "tip", "hint", "absent", "choices", "heading", "verb"),
        *("note", "keywords", "progress_text"),
    },
    "preferences": {"title", "sentence", "keywords", "choices"},
    "repair": {"title", "short", "one", "many"},
    "rules": {"title", "why", "fix"},
    "verbs": {"help", "label", "unset"},
    "tour": {"title", "text"},
}
"""The members of each table whose values are texts."""

CONSTANTS = {
    "ui/shell/commands/__init__.py": {"MENUS"},
    "ui/dialogs/replace.py": {"_COLUMNS"},
    "ui/dialogs/operation.py": {"_FROZEN"},
    "ui/dialogs/error.py": {"_DENIED", "_HELD", "_GONE", "_FAILING", "_KEPT", "_NOT_KEPT", "_WORDS"},
    "ui/widgets/file_dialogs.py": {"LISTS", "RECORDINGS", "REPORTS", "SCRIPTS"},
    "ui/panes/packets/packets_model.py": {"COLUMNS"},
    "views/repair_texts.py": {"*"},
    "ui/panes/scene/coloring.py": {"COLORINGS"},
    "ui/panes/scene/path_handles.py": {"HINTS"},
    "ui/session/editing.py": {"SCOPES"},
    "ui/panes/actors/actors_pane.py": {"COLUMNS", "LANE_COLUMNS"},
    "ui/panes/timeline/timeline_lanes.py": {"*"},
    "ui/panes/timeline/pointing.py": {"_OF_FRAMES"},
}
"""Modules of the window with constants that are translated where they are shown."""

OF_QT = {"&Look in:", "&Undo", "Files of &type:"}
"""Texts of Qt's own that it says in English, or with another word than the program."""

TR = {"tr", "_tr"}
"""Functions and methods that translate their first argument."""

KEY_NAMES = {
    *("Alt", "Ctrl", "Meta", "Shift", "Backspace", "Del", "End", "Enter", "Esc", "Home", "Ins", "Return", "Space"),
    *("Tab", "Down", "Left", "Right", "Up"),
}
"""Texts by which Qt asks for the name of a key: in shortcuts, too, it is the one on the keyboard."""

SYSTEM = (
    *("No such file or directory", "Permission denied", "Operation not permitted", "Is a directory", "Not a directory"),
    *("No space left on device", "Read-only file system", "Input/output error", "File exists", "File name too long"),
)
"""What Linux says of files."""

SAME = {"a", "b", "g", "id", "r", "uid"}
"""Names of fields that are the same in every language, as those of axes are."""

INITIALS = ROOT / FOLDER / "pinyin.json"
OTHER_SOUNDS = {"重": "c", "行": "x", "长": "c", "调": "t", "为": "w", "率": "l", "角": "j", "还": "h", "曲": "q"}
"""Signs with several sounds, of which this one is meant in most texts."""

PLACES = re.compile(r"%n|%\d|\{[\w.]*(?::[^}]*)?\}|</?\w+>")
"""Where values go, and marks of rich text."""


NUMBER_OF = "Number of %1 that follow"
"""The meaning of the count of an array, by its path."""

MAGIC = bytes.fromhex("3cb86418caef9c95cd211cbf60a1bddd")
HASHES, MESSAGES, CONTEXT, END = 0x42, 0x69, 0x07, 0x01
"""Tags of sections of a `.qm`, and of parts of its messages."""


def texts_of(value: Any) -> Iterator[str]:
    """All texts in a value of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from texts_of(each)


def members(table: Any, names: set[str]) -> Iterator[str]:
    """The texts of the members of these names, at any depth."""
    if isinstance(table, list):
        for each in table:
            yield from members(each, names)
    elif isinstance(table, Mapping):
        for name, value in table.items():
            yield from texts_of(value) if name in names else members(value, names)


def members_of(packet: Mapping[str, Any]) -> list[Any]:
    """The members of a packet or of an array, those of Unreal 5 among them."""
    return [*packet.get("members", ()), *packet.get("unreal_5_members", ())]


def packet_texts(fields: Iterable[Any]) -> Iterator[str]:
    """The meanings of packets and of their members, and the parts of their names."""
    for field in fields:
        if isinstance(field, Mapping):
            yield from (field.get(name, "") for name in ("name", "record", "meaning"))
            yield field.get("path", "")
            yield from packet_texts(members_of(field))
        else:
            yield from (field[2], *(part for part in field[0].split(".") if part not in SAME))


def joined(fields: Iterable[Any], axes: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Meanings of fields that the program joins, each with its parts: that of a vector and an axis, and counts."""
    for field in fields:
        if isinstance(field, Mapping):
            yield from joined(members_of(field), axes)
            if "path" in field:
                yield NUMBER_OF.replace("%1", field["path"]), (NUMBER_OF, field["path"])
        else:
            yield from ((field[2] + axis, (field[2], axis)) for axis in axes.get(field[1], {}).values())


def with_joined(every: Mapping[str, list[str]], project: Path = ROOT) -> dict[str, list[str]]:
    """Translations, and those of the texts that are joined of them."""
    table, said = json.loads((project / "resources" / "packets.json").read_text(encoding="utf-8")), dict(every)
    for text, parts in joined(table["packets"], table["axes"]):
        first, last = (every.get(part, [part])[0] for part in parts)
        said.setdefault(text, [first.replace("%1", last) if "%1" in first else first + last])
    return said


def table_texts(project: Path = ROOT) -> set[str]:
    """The texts of the tables in `resources`."""
    tables = {
        each.stem: json.loads(each.read_text(encoding="utf-8")) for each in (project / "resources").glob("*.json")
    }
    found = {text for name, names in SHOWN.items() for text in members(tables[name], names)}
    found |= {part for menu in tables["actions"] for part in menu.split("/")} | set(tables["preferences"])
    found |= set(packet_texts(tables["packets"]["packets"])) | set(texts_of(tables["packets"]["axes"]))
    columns = [*tables["tables"].values(), tables["l1"]["columns"], tables["l1"]["extra"]]
    found |= {column[2] for each in columns for column in each}
    found |= {text for row in tables["keys"] for text in row} | OF_QT | KEY_NAMES | {NUMBER_OF}
    found |= {f"= {word.lower()}" for part in ("choices", "flags") for word in texts_of(tables["packets"][part])}
    dialects = tables["packets"]["dialects"]
    found |= {sign["meaning"] for each in dialects for sign in each.get("signs", ())}
    return found | {name for name in (each.get("last", each["first"]) for each in dialects) if re.search("[a-z]", name)}


def constant_texts(project: Path = ROOT) -> Iterator[str]:
    """The titles of panes, patterns of operations, and other constants of the source that are shown."""
    yield from SYSTEM
    package = project / "recorder_editor"
    for name, names in CONSTANTS.items():
        missing = names - {"*"}
        for statement in parsed(package / name).body:
            targets = [*getattr(statement, "targets", ()), getattr(statement, "target", None)]
            here = {getattr(each, "id", "") for each in targets} & names
            missing -= here
            if here or "*" in names:
                yield from strings(statement)
        assert not missing, f"{name} has no {missing}: change CONSTANTS."
    for call in calls(package / "ui" / "shell" / "pane_list.py", "PaneSpec"):
        yield from (strings_of for each in call.keywords if each.arg == "title" for strings_of in strings(each.value))
    for name in json.loads((project / "resources" / "verbs.json").read_text(encoding="utf-8")).keys() - {"shared"}:
        module = package / "cli" / f"{name.replace('-', '_')}.py"
        yield from (ast.get_docstring(parsed(module), clean=False) or "").strip().split("\n\n")
    for call in calls(package / "format" / "header.py", "Field"):
        yield from (ast.literal_eval(call.args[at]) for at in (0, 2))
    for statement in parsed(package / "reading" / "event_index.py").body:
        if [getattr(each, "id", "") for each in getattr(statement, "targets", ())] == ["ActorClass"]:
            yield from (str(each.value) for each in ast.walk(statement) if isinstance(each, ast.Constant))
    for name in ("header", "codec"):
        for call in calls(package / "format" / f"{name}.py", "Field"):
            yield from strings(call.args[2])
    for path in (package / "edits" / "operations").glob("*.py"):
        yield from strings(parsed(path))


@cache
def parsed(path: Path) -> ast.Module:
    """A module of the program."""
    return ast.parse(path.read_text(encoding="utf-8"))


def calls(path: Path, name: str) -> Iterator[ast.Call]:
    """The calls of a function or class in a module."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
            yield node


def strings(tree: ast.AST) -> Iterator[str]:
    """Texts for people among the string constants of a piece of source: not docstrings, names and f-strings."""
    left_out: set[int] = set()
    for node in ast.walk(tree):
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if is_docstring or isinstance(node, ast.JoinedStr | ast.Raise):
            left_out |= {id(each) for each in ast.walk(node)}
    for node in ast.walk(tree):
        text = getattr(node, "value", None) if id(node) not in left_out else None
        if isinstance(text, str) and re.search(r"[A-Z][a-z]|[A-Za-z] [a-z%]", text):
            yield text


def modules_of_the_window(package: Path) -> list[Path]:
    """Those of the window, and of what its panes compute."""
    return sorted(path for folder in ("ui", "views") for path in (package / folder).rglob("*.py"))


def window_texts(path: Path, project: Path = ROOT) -> str:
    """A translation file as lupdate leaves it: with all texts of the window, and no others."""
    with tempfile.TemporaryDirectory() as folder:
        updated = Path(folder) / path.name
        if path.exists():
            updated.write_bytes(path.read_bytes())
        sources = [each.relative_to(project) for each in modules_of_the_window(project / "recorder_editor")]
        options = ["-silent", "-no-obsolete", "-locations", "none", "-tr-function-alias", "tr+=_tr"]
        options += ["-target-language", path.stem.removeprefix(PREFIX)]
        subprocess.run([TOOLS / "lupdate", *options, *sources, "-ts", updated], cwd=project, check=True)
        return updated.read_text(encoding="utf-8")


def asked_texts(package: Path) -> Iterator[str]:
    """The texts that the window asks for: lupdate does not see those within an f-string."""
    for path in modules_of_the_window(package):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in TR:
                texts = [each.value for each in node.args if isinstance(each, ast.Constant)]
                yield from (each for each in texts if isinstance(each, str) and each)


def messages(ts: str) -> Iterator[tuple[str, list[str]]]:
    """The texts of a translation file with their translations: of texts with `%n` one for each form of the plural that
    the language has, and none where one is not finished.
    """
    for message in ElementTree.fromstring(ts).iter("message"):
        said = message.find("translation")
        assert said is not None
        forms = [each.text or "" for each in said.findall("numerusform") or [said]]
        yield message.findtext("source", ""), [] if said.get("type") else forms


def filled(ts: str, known: Mapping[str, list[str]]) -> str:
    """A translation file in which texts that have a translation elsewhere have the same one."""

    def fill(match: re.Match[str]) -> str:
        said = known.get(unescape(match["source"]))
        if not said:
            return match[0]
        forms = "".join(f"\n            <numerusform>{escape(each)}</numerusform>" for each in said)
        body = f"{forms}\n        " if match["forms"] else escape(said[0])
        return f"<source>{match['source']}</source>{match['between']}<translation>{body}</translation>"

    pattern = (
        r"<source>(?P<source>[^<]*)</source>(?P<between>\s*)"
        r'<translation type="unfinished">(?:[^<]*|(?P<forms>\s*(?:<numerusform>[^<]*</numerusform>\s*)+))</translation>'
    )
    return re.sub(pattern, fill, ts)


def escape(text: str) -> str:
    """A text as lupdate writes it."""
    return html.escape(text).replace("&#x27;", "&apos;")


def map_of(path: Path) -> dict[str, list[str]]:
    """The texts of tables and constants, translated."""
    beside = path.with_name(f"{path.stem.removeprefix(PREFIX)}.json")
    table = json.loads(beside.read_text(encoding="utf-8")) if beside.exists() else {}
    return {text: [said] for text, said in table.items()}


def problems(path: Path, project: Path = ROOT) -> Iterator[str]:
    """What is wrong with the files of a language."""
    ts, said = path.read_text(encoding="utf-8"), map_of(path)
    name, every = path.stem.removeprefix(PREFIX), dict(said)
    if window_texts(path, project) != ts:
        yield f"{path.name} has not the texts of the window: run packaging/translations.py."
    wanted = table_texts(project) | set(constant_texts(project)) - {""}
    yield from (f"{name}.json lacks {text!r}." for text in sorted(wanted - {""} - said.keys()))
    yield from (f"{name}.json has {text!r}, which is not shown any more." for text in sorted(said.keys() - wanted))
    if list(said) != sorted(said):
        yield f"{name}.json is not sorted."
    for text, forms in messages(ts):
        if not forms:
            yield f"{path.name}: {text!r} is not translated."
        elif every.setdefault(text, forms) != forms:
            yield f"{text!r} has two translations: {every[text]!r} and {forms!r}."
    for text in {*asked_texts(project / "recorder_editor")} - {text for text, _ in messages(ts)} - said.keys():
        yield f"{path.name} cannot have {text!r}: lupdate does not see it within an f-string."
    sentences = catalogue(project / SENTENCES / f"{name}.json")
    for code in catalogue(project / SENTENCES / "en.json"):
        if not sentences.get(code):
            yield f"{SENTENCES.name}/{name}.json: {code} is not translated."
    program = QTranslator()
    program.load(str(path.with_suffix(".qm")))
    for text, forms in every.items():
        yield from (f"{text!r} as {each!r}: {fault}." for each in forms for fault in faults(text, each))
        if program.translate("Anybody", text) != forms[0]:
            yield f"{path.stem}.qm has not {forms[0]!r} for {text!r}: run packaging/translations.py."


def faults(text: str, translation: str) -> Iterator[str]:
    """What is wrong with a translation; what is asked of spaces and punctuation is for Chinese signs."""
    if not translation:
        yield "is not translated"
    if Counter(PLACES.findall(text)) != Counter(PLACES.findall(translation)):
        yield "other places for values"
    plain = PLACES.sub("\0", translation)
    if re.search(r"[㐀-鿿][A-Za-z0-9]|[A-Za-z0-9%][㐀-鿿]", plain):
        yield "no space between Chinese and Latin"
    if re.search(r"[㐀-鿿]\s*[,;:!?]|[㐀-鿿]\.(?!\.\.)|[,;:!?]\s*[㐀-鿿]", plain):
        yield "punctuation of half width"
    if text.endswith("...") and translation[-3:] != "..." and translation[-2:] != "……":
        yield "no dots at the end"
    if text in KEY_NAMES and translation != text:
        yield "is the name of a key, too"


def compile_qm(path: Path) -> None:
    """Write what the program reads: all texts in one context, of which only the translations are kept."""
    every = map_of(path) | {text: said for text, said in messages(path.read_text(encoding="utf-8")) if said}
    with tempfile.TemporaryDirectory() as folder:
        merged = Path(folder) / "merged.ts"
        lines = [f'<TS version="2.1" language="{path.stem.removeprefix(PREFIX)}"><context><name></name>']
        for text, said in sorted((text, said) for text, said in with_joined(every).items() if any(said)):
            forms, body = "", escape(said[0])
            if "%n" in text:
                forms = ' numerus="yes"'
                body = "".join(f"<numerusform>{escape(each)}</numerusform>" for each in said)
            lines.append(f"<message{forms}><source>{escape(text)}</source><translation>{body}</translation></message>")
        merged.write_text("\n".join([*lines, "</context></TS>"]), encoding="utf-8")
        compiled = Path(folder) / "compiled.qm"
        subprocess.run([TOOLS / "lrelease", "-silent", merged, "-qm", compiled], check=True)
        path.with_suffix(".qm").write_bytes(without_contexts(compiled.read_bytes()))


def without_contexts(compiled: bytes) -> bytes:
    """A `.qm` whose messages have no context, so that Qt finds a text whoever asks for it.

    The file is a magic number of 16 bytes, then sections: a tag of one byte, a length of four, and the content. The
    section of hashes has the place of each message in that of messages, where parts with tags stand up to an end.
    """
    sections, at = {}, len(MAGIC)
    while at < len(compiled):
        tag, length = struct.unpack_from(">BI", compiled, at)
        at += 5 + length
        sections[tag] = compiled[at - length : at]
    messages, kept, hashes = sections[MESSAGES], bytearray(), bytearray()
    for number, at in struct.iter_unpack(">II", sections[HASHES]):
        hashes += struct.pack(">II", number, len(kept))
        while messages[at] != END:
            after = at + 5 + int.from_bytes(messages[at + 1 : at + 5])
            kept += b"" if messages[at] == CONTEXT else messages[at:after]
            at = after
        kept.append(END)
    sections |= {HASHES: bytes(hashes), MESSAGES: bytes(kept)}
    return MAGIC + b"".join(struct.pack(">BI", tag, len(each)) + each for tag, each in sections.items())


def update_sentences(path: Path) -> None:
    """Take the codes of the English sentences in, with no words for new ones, and drop old ones."""
    english, own = (catalogue(each) for each in (path.with_name("en.json"), path))
    write_table(path, {code: own.get(code, "") for code in english})


def catalogue(path: Path) -> dict[str, Any]:
    """The sentences of a language."""
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


def write_table(path: Path, table: Mapping[str, Any]) -> None:
    """Write a table, sorted."""
    text = json.dumps(dict(sorted(table.items())), ensure_ascii=False, indent=1)
    path.write_text(f"{text}\n", encoding="utf-8")


def update(path: Path) -> None:
    """Take in new texts, drop old ones, and compile."""
    ts, said = window_texts(path), map_of(path)
    known = {text: forms for text, forms in [*said.items(), *messages(ts)] if any(forms)}
    path.write_text(filled(ts, known), encoding="utf-8")
    texts, name = (table_texts() | set(constant_texts())) - {""}, f"{path.stem.removeprefix(PREFIX)}.json"
    write_table(path.with_name(name), {text: known.get(text, [""])[0] for text in texts})
    update_sentences(ROOT / SENTENCES / name)
    compile_qm(path)


def signs() -> set[str]:
    """The Chinese signs of all translations."""
    paths = (each for suffix in ("ts", "json") for each in (ROOT / FOLDER).glob(f"*.{suffix}") if each != INITIALS)
    return set(re.findall("[㐀-鿿]", "".join(path.read_text(encoding="utf-8") for path in paths)))


def known_signs() -> set[str]:
    """Those whose sound is known."""
    return set("".join(json.loads(INITIALS.read_text(encoding="utf-8")).values())) if INITIALS.exists() else set()


def update_initials() -> None:
    """Write the first letter of the sound of each Chinese sign; where the table lacks some, this needs pypinyin."""
    if signs() == known_signs():
        return
    from pypinyin import Style, lazy_pinyin

    table: dict[str, str] = {}
    for sign in sorted(signs()):
        letter = OTHER_SOUNDS.get(sign) or lazy_pinyin(sign, style=Style.NORMAL)[0][0]
        table[letter] = table.get(letter, "") + sign
    write_table(INITIALS, table)


def main(arguments: list[str]) -> int:
    """Update or check every language; returns the exit code."""
    found = sorted((ROOT / FOLDER).glob(f"{PREFIX}*.ts"))
    if arguments != ["--check"]:
        for path in found:
            update(path)
        update_initials()
    said = [problem for path in found for problem in problems(path)]
    if signs() != known_signs():
        said.append("pinyin.json has not the Chinese signs of the translations: run packaging/translations.py.")
    print("\n".join(said) or "Every text is translated.")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
