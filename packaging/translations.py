#!/usr/bin/env python3
"""Keep the catalogues of translations whole: find the texts of the program, and compile what was translated.

    packaging/translations.py            takes in the texts of the source and of the tables, and compiles
    packaging/translations.py --check    says what is missing, old or wrong, and changes nothing

`resources/locale/LANGUAGE.po` holds the texts of a language by the English ones; Poedit and Weblate edit it.
`LANGUAGE.mo` is compiled of it for the program. The names of values of packets have the context "value", so that a lamp
may be called otherwise than a packet of its name; those that join lists have contexts, too. `pinyin.json` has the
initials of Chinese signs, by which actions are found. A new language begins as an empty file `LANGUAGE.po`.
"""

import ast
import io
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from babel.messages import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
FOLDER = Path("resources/locale")
KEYWORDS = {"say": 1, "N_": 1, "say_count": 2, "N_count": 2}
"""The functions whose first arguments are texts, and how many."""

SHOWN = {"preferences": {"title", "sentence", "keywords", "choices"}}
"""The members of each table whose values are texts."""

SYSTEM = (
    *("No such file or directory", "Permission denied", "Operation not permitted", "Is a directory", "Not a directory"),
    *("No space left on device", "Read-only file system", "Input/output error", "File exists", "File name too long"),
)
"""What Linux says of files."""

SAME = {"a", "b", "g", "id", "r", "uid", "x", "y", "z"}
"""Names of fields that are the same in every language, as those of axes are."""

INITIALS = ROOT / FOLDER / "pinyin.json"
OTHER_SOUNDS = {"重": "c", "行": "x", "长": "c", "调": "t", "为": "w", "率": "l", "角": "j", "还": "h", "曲": "q"}
"""Signs with several sounds, of which this one is meant in most texts."""

PLACES = re.compile(r"\{(\w*)[^}]*\}")
"""Where values go; a translation may write a value in another form, or twice."""
MARKS = re.compile(r"</?\w+>")
"""Marks of rich text."""

NUMBER_OF = "Number of {path} that follow"
"""The meaning of the count of an array, by its path."""

FIRST_TRANSLATED = datetime(2026, 1, 1, tzinfo=UTC)
"""Stands in the heads of new catalogues, so that they do not differ from day to day."""

Key = tuple[str, str | tuple[str, str]]
"""A text: its context, mostly empty, and the English text or its two forms."""


# --- the texts of the program --------------------------------------------------------------------------------


def every_text(project: Path = ROOT) -> set[Key]:
    """Return all texts that the program shows."""
    texts: set[Key] = {("", text) for text in (*SYSTEM, *table_texts(project), *constant_texts(project))}
    texts |= {("value", name) for name in value_names(project)}
    texts |= set(source_texts(project))
    # gettext finds the text about one thing of a plural where it is asked for alone.
    singular = {(context, text[0]) for context, text in texts if isinstance(text, tuple)}
    return texts - singular - {("", "")}


def source_texts(project: Path) -> Iterator[Key]:
    """Yield the texts that stand in the source as arguments of the functions of `texts`."""
    package = project / "recorder_editor"
    for path in sorted(package.rglob("*.py")):
        for call in ast.walk(parsed(path)):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in KEYWORDS:
                number = KEYWORDS[call.func.id]
                forms = [
                    form.value
                    for form in call.args[:number]
                    if isinstance(form, ast.Constant) and isinstance(form.value, str)
                ]
                if len(forms) == number:
                    yield "", forms[0] if number == 1 else (forms[0], forms[1])
    for statement in parsed(package / "texts.py").body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "_JOINS":
            yield from ast.literal_eval(statement.value).values()


def texts_of(value: Any) -> Iterator[str]:
    """Yield all texts in a value of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from texts_of(each)


def members(table: Any, names: set[str]) -> Iterator[str]:
    """Yield the texts of the members of these names, at any depth."""
    if isinstance(table, list):
        for each in table:
            yield from members(each, names)
    elif isinstance(table, Mapping):
        for name, value in table.items():
            yield from texts_of(value) if name in names else members(value, names)


def members_of(packet: Mapping[str, Any]) -> list[Any]:
    """Return the members of a packet or of an array, those of Unreal 5 among them."""
    return [*packet.get("members", ()), *packet.get("unreal_5_members", ())]


def packet_texts(fields: Iterable[Any]) -> Iterator[str]:
    """Yield the meanings of packets and of their members, and the parts of their names."""
    for field in fields:
        if isinstance(field, Mapping):
            yield from (field.get(name, "") for name in ("name", "record", "meaning"))
            yield field.get("path", "")
            yield from packet_texts(members_of(field))
        else:
            yield from (field[2], *(part for part in field[0].split(".") if part not in SAME))


def axis_texts(axes: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Yield the meanings of the axes of vectors and angles, and the names of those that are not the same everywhere."""
    for meanings in axes.values():
        yield from meanings.values()
        yield from (part for name in meanings for part in name.split(".") if part and part not in SAME)


def joined(fields: Iterable[Any], axes: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield meanings of fields that the program joins, each with its parts: of a vector and an axis, and of counts."""
    for field in fields:
        if isinstance(field, Mapping):
            yield from joined(members_of(field), axes)
            if "path" in field:
                yield NUMBER_OF.format(path=field["path"]), (NUMBER_OF, field["path"])
        else:
            yield from ((field[2] + axis, (field[2], axis)) for axis in axes.get(field[1], {}).values())


def tables(project: Path) -> dict[str, Any]:
    """Return the tables in `resources`, by name."""
    paths = (project / "resources").glob("*.json")
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in paths}


def packet_files(project: Path) -> list[dict[str, Any]]:
    """Return the files that describe packets of forks, which are of the form of the table of packets."""
    paths = sorted((project / "resources" / "packets").glob("*.packets.json"))
    return [json.loads(path.read_text(encoding="utf-8")) for path in paths]


def all_packets(project: Path) -> list[Any]:
    """Return the entries of CARLA's packets and of those of forks."""
    entries = list(tables(project)["packets"]["packets"])
    for file in packet_files(project):
        entries += file["packets"]
    return entries


def table_texts(project: Path) -> set[str]:
    """Return the texts of the tables in `resources`."""
    found_in = tables(project)
    found = {text for name, names in SHOWN.items() for text in members(found_in[name], names)}
    found |= set(found_in["preferences"])
    found |= set(packet_texts(all_packets(project))) | set(axis_texts(found_in["packets"]["axes"]))
    for name, meaning, *_traits in found_in["packets"]["forks"].values():
        found |= {name, meaning}
    columns = [found_in["l1"]["columns"], found_in["l1"]["extra"]]
    found |= {column[2] for each in columns for column in each}
    found |= {NUMBER_OF}
    dialects = found_in["packets"]["dialects"]
    found |= {sign["meaning"] for each in dialects for sign in each.get("signs", ())}
    return found | {name for name in (each.get("last", each["first"]) for each in dialects) if re.search("[a-z]", name)}


def value_names(project: Path) -> set[str]:
    """Return the names of values of packets, in small letters."""
    words: set[str] = set()
    for table in (tables(project)["packets"], *packet_files(project)):
        words.update(texts_of(table.get("choices")), texts_of(table.get("flags")))
    return {word.lower() for word in words}


def constant_texts(project: Path) -> Iterator[str]:
    """Yield the classes of actors, which are a type in the source."""
    package = project / "recorder_editor"
    for statement in parsed(package / "reading" / "event_index.py").body:
        if [getattr(each, "id", "") for each in getattr(statement, "targets", ())] == ["ActorClass"]:
            yield from (str(each.value) for each in ast.walk(statement) if isinstance(each, ast.Constant))


def parsed(path: Path) -> ast.Module:
    """Return a module of the program."""
    return ast.parse(path.read_text(encoding="utf-8"))


# --- catalogues ----------------------------------------------------------------------------------------------


def read(path: Path) -> Catalog:
    """Return the catalogue of a language."""
    with path.open("rb") as file:
        return read_po(file, locale=path.stem)


def _key(message: Message) -> Key:
    return message.context or "", message.id if isinstance(message.id, str) else (message.id[0], message.id[1])


def translations_in(catalog: Catalog) -> dict[Key, tuple[str, ...]]:
    """Return the texts of a catalogue that are translated, with a translation for each form that the language has."""
    found: dict[Key, tuple[str, ...]] = {}
    for message in catalog:
        forms = message.string if isinstance(message.string, tuple | list) else (message.string,)
        if message.id and all(forms) and not message.fuzzy:
            found[_key(message)] = tuple(map(str, forms))
    return found


def catalog_of(language: str, translations: Mapping[Key, tuple[str, ...]], texts: Iterable[Key]) -> Catalog:
    """Return a catalogue that has these texts, those without a translation with an empty one."""
    catalog = Catalog(
        locale=language,
        project="recorder-editor",
        version="",
        copyright_holder="the developers of Recorder Editor",
        creation_date=FIRST_TRANSLATED,
        revision_date=FIRST_TRANSLATED,
        header_comment="# Translations of Recorder Editor. Its packaging/translations.py takes in new texts.",
        fuzzy=False,
    )
    for context, text in sorted(texts, key=lambda key: (key[1] if isinstance(key[1], str) else key[1][0], key[0])):
        forms = translations.get((context, text), ())
        if isinstance(text, tuple):
            catalog.add(text, forms or ("",) * catalog.num_plurals, context=context or None)
        else:
            catalog.add(text, forms[0] if forms else "", context=context or None)
    return catalog


def written(catalog: Catalog) -> bytes:
    """Return the file of a catalogue."""
    file = io.BytesIO()
    write_po(file, catalog, width=110, sort_output=False)
    return file.getvalue()


def compiled(catalog: Catalog, project: Path = ROOT) -> bytes:
    """Return what the program reads: what is translated, and the texts that it joins of translated ones."""
    translations = translations_in(catalog)
    axes = tables(project)["packets"]["axes"]
    for text, (first, last) in joined(all_packets(project), axes):
        one = translations.get(("", first), (first,))[0]
        other = translations.get(("", last), (last,))[0]
        translations.setdefault(("", text), (one.format(path=other) if first == NUMBER_OF else one + other,))
    file = io.BytesIO()
    write_mo(file, catalog_of(str(catalog.locale), translations, translations))
    return file.getvalue()


def update(path: Path) -> None:
    """Take new texts in, drop old ones, and compile."""
    catalog = catalog_of(path.stem, translations_in(read(path)), every_text())
    path.write_bytes(written(catalog))
    path.with_suffix(".mo").write_bytes(compiled(catalog))


def faults(text: str, translation: str) -> Iterator[str]:
    """Yield what is wrong with a translation; what is asked of spaces and punctuation is for Chinese signs."""
    if set(PLACES.findall(text)) != set(PLACES.findall(translation)):
        yield "other places for values"
    if Counter(MARKS.findall(text)) != Counter(MARKS.findall(translation)):
        yield "other marks of rich text"
    plain = MARKS.sub("\0", PLACES.sub("\0", translation))
    if re.search(r"[㐀-鿿][A-Za-z0-9]|[A-Za-z0-9%][㐀-鿿]", plain):
        yield "no space between Chinese and Latin"
    if re.search(r"[㐀-鿿]\s*[,;:!?]|[㐀-鿿]\.(?!\.\.)|(?<!\d)[,;:!?]\s*[㐀-鿿]", plain):
        yield "punctuation of half width"
    if text.endswith("...") and translation[-3:] != "..." and translation[-2:] != "……":
        yield "no dots at the end"


def wrong(path: Path, project: Path = ROOT) -> Iterator[str]:
    """Yield what is wrong with the catalogue of a language, whether it has every text or not."""
    catalog = read(path)
    for (_, text), forms in translations_in(catalog).items():
        english = text if isinstance(text, str) else text[1]
        yield from (f"{english!r} as {form!r}: {fault}." for form in forms for fault in faults(english, form))
    binary = path.with_suffix(".mo")
    if not binary.exists() or binary.read_bytes() != compiled(catalog, project):
        yield f"{binary.name} is not that of {path.name}: run packaging/translations.py."
    if signs() != known_signs():
        yield "pinyin.json has not the Chinese signs of the translations: run packaging/translations.py."


def missing(path: Path, project: Path = ROOT) -> Iterator[str]:
    """Yield the texts that the catalogue of a language lacks, and those that are not shown any more."""
    catalog = read(path)
    known = {_key(message) for message in catalog if message.id}
    texts = every_text(project)
    translated = translations_in(catalog).keys()
    yield from (f"{path.name} does not translate {text!r}." for _, text in sorted(texts - translated, key=str))
    yield from (f"{path.name} has {text!r}, which is not shown any more." for _, text in sorted(known - texts, key=str))


# --- the sounds of Chinese signs -----------------------------------------------------------------------------


def signs() -> set[str]:
    """Return the Chinese signs of all translations."""
    return set(re.findall("[㐀-鿿]", "".join(path.read_text("utf-8") for path in (ROOT / FOLDER).glob("*.po"))))


def known_signs() -> set[str]:
    """Return those whose sound is known."""
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
    text = json.dumps(dict(sorted(table.items())), ensure_ascii=False, indent=1)
    INITIALS.write_text(f"{text}\n", encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Update or check every language; returns the exit code."""
    paths = sorted((ROOT / FOLDER).glob("*.po"))
    if arguments != ["--check"]:
        for path in paths:
            update(path)
        update_initials()
    problems = [problem for path in paths for problem in (*wrong(path), *missing(path))]
    print("\n".join(problems) or "Every text is translated.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
