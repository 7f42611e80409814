"""Writes the reference pages of the guide, and the grammars of the format, from the program's own tables.

python packaging/reference.py            writes packets.md (of the tables), checks.md (of the rules), operations.md
                                         (of the operations), formats.md (of the formats) and actions.md in English and
                                         in each language that has a file `reference_NAME.po` here, the table of
                                         thresholds in events.md, and the grammars
python packaging/reference.py --check    exit code 1 where one of them is not what would be written

Both end with 1 if a text has no translation.
"""

import copy
import gettext
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from babel.messages.pofile import read_po

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT))

from recorder_editor import texts  # noqa: E402 - the project is found a line above
from recorder_editor.checks import RULES  # noqa: E402 - the project is found a line above
from recorder_editor.checks.rule import Rule  # noqa: E402 - as above
from recorder_editor.edits.operations import EVERY, Operation  # noqa: E402 - as above
from recorder_editor.edits.operations.command import details, metavar  # noqa: E402 - as above
from recorder_editor.format.dialects import DIALECTS, NEWEST, Dialect  # noqa: E402 - the project is found a line above
from recorder_editor.format.packets import TABLE  # noqa: E402 - as above
from recorder_editor.format.schema import Array, Field, PacketType, Struct  # noqa: E402 - as above
from recorder_editor.formats import grammars  # noqa: E402 - as above
from recorder_editor.formats.export import FORMATS as EXPORT_FORMATS  # noqa: E402 - as above
from recorder_editor.formats.highd import Highd  # noqa: E402 - as above
from recorder_editor.option_specs import options_of  # noqa: E402 - as above
from recorder_editor.reading.thresholds import Thresholds  # noqa: E402 - as above

GUIDE = PROJECT / "resources" / "guide"
FORMATS = PROJECT / "resources" / "formats"
IMPORT_FORMATS = (Highd(),)
TEXTS = "reference_{}.po"
"""The sentences of this module in a language, by English; also the full stop and the comma of a list."""

MADE = "thresholds"
"""The name in the comments before and behind a table that stands in a page that people write."""

GAP = re.compile("(?<=[⺀-鿿]) (?=[⺀-鿿])")
"""A blank between Chinese signs, where none stands."""


class Absent(gettext.NullTranslations):
    """Says nothing, of texts that a catalogue lacks."""

    def gettext(self, message: str) -> str:
        del message
        return ""


class Say:
    """Puts a text, with its `%1`, `%2` filled in, into the language of a page; what is not translated stays English.

    Attributes: `language`, `missing` (texts that are not translated).
    """

    def __init__(self, own: dict[str, str] | None = None, language: str = texts.ENGLISH) -> None:
        self.own = own or {}
        self.catalogue = copy.copy(texts.catalogue(language))
        self.catalogue.add_fallback(Absent())
        self.language = language
        self.missing: set[str] = set()

    def __call__(self, text: str, *values: str) -> str:
        said = self._translated(text) or self._filled(text) or self._joined(text)
        if text and not said and self.language != texts.ENGLISH:
            self.missing.add(text)
        said = said or text
        for number, value in enumerate(values, 1):
            said = said.replace(f"%{number}", value)
        return said

    def _translated(self, text: str) -> str:
        """Of the sentences of this module, or of the texts of the program; those of menus end with dots."""
        found = self.own.get(text, "")
        for key in (text, f"{text}...") if text else ():
            found = found or self.catalogue.gettext(key).removesuffix("...")
        return found

    def _filled(self, text: str) -> str:
        """A text of the program with values in it, as the pane that it names, which are texts themselves."""
        if not isinstance(text, texts.Text) or not isinstance(text.template, str):
            return ""
        values = {name: self(value) if isinstance(value, str) else value for name, value in text.values.items()}
        return GAP.sub("", self._translated(text.template).format_map(values))

    def _joined(self, text: str) -> str:
        """A meaning and its axis, of which each has a translation."""
        ends = [axis for axes in TABLE["axes"].values() for axis in axes.values() if text.endswith(axis)]
        return "".join(self._translated(part) for axis in ends for part in (text.removesuffix(axis), axis))

    def sentence(self, text: str) -> str:
        """A text of a table that has no full stop, with one."""
        return self(text) + self.own.get(".", ".")

    def listed(self, parts: Iterable[str]) -> str:
        """Parts with commas between them."""
        return self.own.get(", ", ", ").join(parts)


def packets(say: Say) -> Iterator[str]:
    """The page of the packets, line by line."""
    yield "# " + say("Packets and their fields")
    yield ""
    yield say("Every packet that CARLA has written, by release family. Made from the program's own tables.")
    yield say("`real` is a 32-bit float up to CARLA 0.9 (Unreal 4) and a 64-bit float in CARLA 0.10 (Unreal 5).")
    yield ""
    yield "## " + say("Packet ids by release")
    yield ""
    yield from table(say, "---:", "id", "packet", "written by")
    for number in sorted({number for dialect in DIALECTS.values() for number in dialect.packets}):
        kinds = [dialect.packets.get(number) for dialect in DIALECTS.values()]
        names = [kind.name if kind is not None else "" for kind in kinds]
        for name in dict.fromkeys(filter(None, names)):
            yield f"| {number} | {name} | {releases(say, [each == name for each in names])} |"
    newest = NEWEST[4]
    for number in sorted(newest.packets):
        kind = newest.packets[number]
        yield from packet_lines(say, kind)
        if kind.by_engine:
            other = NEWEST[5].by_name(kind.name)
            assert other is not None
            yield from ("", say("In CARLA 0.10 (Unreal 5) the records are others:"), "")
            yield from table(say, "---", "field", "type", "unit", "meaning")
            yield from member_lines(say, other.record, "", kind.name)


def table(say: Say, first: str, *columns: str) -> Iterator[str]:
    """The head of a table; `first` aligns its first column."""
    yield f"| {' | '.join(say(each) for each in columns)} |"
    yield "|" + "|".join([first] + ["---"] * (len(columns) - 1)) + "|"


def releases(say: Say, writes: list[bool]) -> str:
    """Which of the dialects write a packet, neighbours of the table from the first to the last one."""
    if all(writes):
        return say("all")
    runs = []
    for is_written, group in groupby(zip(DIALECTS, writes, strict=True), key=itemgetter(1)):
        names = [f"`{name}`" for name, _ in group]
        if is_written:
            runs.append(say("%1 to %2", names[0], names[-1]) if len(names) > 1 else names[0])
    return say.listed(runs)


def packet_lines(say: Say, kind: PacketType) -> Iterator[str]:
    """The section of a packet."""
    bodies = {"list": "count (u16) and records", "single": "one record", "opaque": "bytes", "empty": "no body"}
    yield ""
    yield f"## {kind.name} ({kind.id})"
    yield ""
    sentences = [say("%1. Body: %2.", say(kind.meaning), say(bodies[kind.body]))]
    if kind.body == "opaque" and kind.lifetime == "lasting":
        sentences.append(say("The last one that is not empty holds until the next one."))
    if kind.actors:
        sentences.append(say("Classes of actors: %1.", say.listed(map(say, kind.actors))))
    if kind.wrong_class == "crash":
        sentences.append(say("The simulator crashes on others."))
    empty = [f"`{name}`" for name, dialect in DIALECTS.items() if is_always_empty(dialect, kind.name)]
    if empty:
        sentences.append(say("%1 writes it without records.", say.listed(empty)))
    yield say.own.get(" ", " ").join(sentences)
    if kind.record.members:
        yield ""
        yield from table(say, "---", "field", "type", "unit", "meaning")
        yield from member_lines(say, kind.record, "", kind.name)


def is_always_empty(dialect: Dialect, name: str) -> bool:
    """Whether recorders of a dialect write a packet without records."""
    kind = dialect.by_name(name)
    return kind is not None and kind.always_empty


def member_lines(say: Say, record: Struct, prefix: str, packet: str) -> Iterator[str]:
    """The rows of a record's fields, those of arrays indented by their path."""
    for member in record.members:
        name = f"`{prefix}{member.path}`"
        if isinstance(member, Array):
            yield f"| {name} | {say('%1 count', member.count)} | | {say(member.meaning)} |"
            yield from member_lines(say, member.element, f"{prefix}{member.path}[].", packet)
        else:
            yield f"| {name} | {type_of(member, packet)} | {member.unit} | {meaning_of(say, member)} |"


def type_of(field: Field, packet: str) -> str:
    """The type of a field on the page."""
    vectors = ("location", "rotation", "origin", "extent", "linear_velocity", "angular_velocity")
    return "real" if field.type == "f32" and field.group in vectors and packet != "PhysicsControl" else field.type


def meaning_of(say: Say, field: Field) -> str:
    """The meaning, with the names of an enumeration or of flags."""
    names = field.choices or field.flags or {}
    listed = say.listed(f"{number:#x} {name}" if field.flags else f"{number} {name}" for number, name in names.items())
    return say("%1: %2", say(field.meaning), listed) if listed else say(field.meaning)


def checks(say: Say) -> Iterator[str]:
    """The page of the rules, by subject."""
    subjects = {
        "structure": "Structure: frames, packets and bytes",
        "references": "References: actors that do not exist",
        "time": "Time",
        "physics": "Physics: impossible motion and values",
        "roads": "Roads: vehicles off their lanes (with a road map: `check --xodr`)",
        "replay": "Replay: what simulators fail on",
    }
    yield "# " + say("What the checks look for")
    yield ""
    yield say(
        "Errors are what a simulator fails on or reads as something else; warnings are what hardly any\n"
        "recorder means. Both are listed in the Problems pane and by `check`, at most 1,000 of one code. Made\n"
        "from the program's own rules. In the pane, Fix corrects one finding and Fix all every one of its kind,\n"
        "each in one undo step; `check FILE --fix OUT` writes a copy in which every error is fixed that has\n"
        "a fix (with `--strict` every warning, too). In long recordings, overlapping vehicles are looked for\n"
        "in every second frame, or third, and so on: about a million positions in all. What collides by the\n"
        "recording's own word is no overlap. In a crowd a vehicle is compared with the next 64 along x in a frame;\n"
        "pairs beyond the first 1,000 are counted, exactly up to 4,194,304."
    )
    for subject, title in subjects.items():
        yield from ("", f"## {say(title)}", "")
        yield from table(say, "---", "code", "severity", "what is wrong", "why it matters", "fix")
        yield from (rule_line(say, rule) for rule in RULES if rule.subject == subject)


def rule_line(say: Say, rule: Rule) -> str:
    """The row of a rule."""
    title = say(rule.title).format_map(rule.numbers)
    why = say(rule.why).format_map(rule.numbers)
    fix = say(rule.fix.title) if rule.fix else ""
    return f"| `{rule.code}` | {say(rule.severity)} | {title} | {why} | {fix} |"


def operations(say: Say) -> Iterator[str]:
    """The page of the operations, in the order of their table."""
    yield "# " + say("Operations")
    yield ""
    yield say(
        "What `edit`, edit scripts and the window's forms can do to a recording. Made from the program's own table.\n"
        "ACTORS, X and the units are explained in [editing.md](editing.md); lengths are metres, angles degrees,\n"
        "times seconds. What is optional may be missing, or null in a script."
    )
    for operation in EVERY.values():
        yield from operation_lines(say, operation)


def operation_lines(say: Say, operation: Operation) -> Iterator[str]:
    """The section of an operation."""
    yield from ("", f"## {say(operation.title)}", "", say.sentence(operation.summary), "")
    if operation.menu is not None:
        place = " > ".join(say(each) for each in (*operation.menu.path.split("/"), operation.title))
        yield say("- Window: *%1*", place)
    behind: dict[str, str] = {}
    for option in operation.options:
        yield say("- %1: %2", code(option.name, metavar(operation, option)), say(option.help))
        for name, detail in details(operation, option).items():
            typed = code(name, detail.typed)
            behind[name] = typed if detail.name in ("from", "to") else say("%1 (%2)", typed, say(detail.help))
    if behind:
        yield say("- Options after it: %1", say.listed(behind.values()))
    if operation.in_scripts:
        script = "- Script: %1" if operation.arguments else "- Script: %1, without arguments"
        yield say(script, f"`{operation.name}`")
        yield from script_lines(say, operation)


def formats(say: Say) -> Iterator[str]:
    """The page of the export formats, in the order of the dialog, and of the import formats."""
    yield "# " + say("Formats and their options")
    yield ""
    yield say(
        "What `export` and *File > Export* write, by the ending of the file, and what recordings are made of. Made\n"
        "from the program's own declarations; [export.md](export.md) tells what the files hold."
    )
    for format in EXPORT_FORMATS:
        yield from ("", f"## {format.title}", "")
        yield say("- Endings: %1", say.listed(f"`{suffix}`" for suffix in format.suffixes))
        for own in format.tables:
            yield say("- %1: %2", code("--table", own.name), say(own.meaning))
        if not format.tables:
            yield say("- Contents: %1", say(format.contents or "One table of the recording"))
            yield from option_lines(say, format.options)
    for importer in IMPORT_FORMATS:
        yield from ("", "## " + say("From %1", importer.title), "")
        yield from option_lines(say, importer.options)


def option_lines(say: Say, options: type[object]) -> Iterator[str]:
    """A line for each option of a dataclass."""
    for _, _, spec in options_of(options):
        value = spec.metavar or "|".join(spec.choices)
        help = say(spec.help).format_map(spec.help_values)
        yield say("- %1: %2", code(spec.flag, value), help)


def thresholds(say: Say) -> Iterator[str]:
    """The table of the thresholds of traffic events."""
    yield from table(say, "---", "option", "meaning", "range", "source")
    for _, _, spec in options_of(Thresholds):
        values = say("%1 to %2", f"{spec.low:g}", f"{spec.high:g}")
        yield f"| `{spec.flag}` | {say(spec.help)} | {values} | {say(spec.source)} |"


def with_thresholds(path: Path, say: Say) -> Iterator[str]:
    """A page that people write, with the table of thresholds between its two comments."""
    before, begin, rest = path.read_text(encoding="utf-8").partition(f"<!-- {MADE}: begin -->\n")
    _, end, after = rest.partition(f"<!-- {MADE}: end -->\n")
    if not end:
        raise ValueError(f"{path} has no comments around {MADE}")
    yield from before.splitlines()
    yield from (begin.rstrip(), "", *thresholds(say), "", end.rstrip())
    yield from after.splitlines()


def code(name: str, value: str) -> str:
    """An option and what stands for its value, as the page writes them."""
    return f"`{name} {value}`" if value else f"`{name}`"


def script_lines(say: Say, operation: Operation) -> Iterator[str]:
    """The arguments that a step of a script takes."""
    if operation.arguments:
        yield ""
        yield from table(say, "---", "argument", "takes", "meaning")
    end = "the first frame after the range" if operation.frame_range == "exclusive" else "the last frame"
    span = {"from": "the first frame", "to": end}
    for each in operation.arguments.values():
        texts.set_language(say.language)
        takes = say("a list of actors") if each.name == "actors" else each.kind.takes
        texts.set_language(texts.ENGLISH)
        name = f"`{each.name}`" if each.needed else say("%1, optional", f"`{each.name}`")
        unit = f" ({each.unit or each.kind.unit})" if each.unit or each.kind.unit else ""
        meaning = span.get(each.name, each.script_help or each.help)
        said = say(meaning) + ("" if meaning.endswith(unit) else unit)
        yield f"| {name} | {takes} | {said.replace('） ', '）')} |"


def actions(say: Say) -> Iterator[str]:
    """The page of all actions, read from the registry of a hidden window."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with tempfile.TemporaryDirectory(prefix="recorder-editor-", ignore_cleanup_errors=True) as folder:
        os.environ["RECORDER_EDITOR_STATE_DIR"] = folder
        from recorder_editor.ui import create_window
        from recorder_editor.ui.session.preferences import LANGUAGE
        from recorder_editor.ui.session.settings import Settings
        from recorder_editor.ui.style.language import native_name

        languages = {native_name(name) for name in texts.LANGUAGES}  # the same on every page
        settings = Settings(Path(folder) / "settings.ini")
        settings[LANGUAGE] = texts.ENGLISH
        window = create_window(settings=settings)
        specs = list(window.registry)
        gestures = [gesture for gesture in window.registry.gestures if gesture.action]
        panes = {spec.name: spec.title for spec in window.panes.specs.values()}
        titles = [action.text().replace("&", "") for action in window.menuBar().actions()]
        window.close()
    yield "# " + say("Actions of the window")
    yield ""
    yield say("Ctrl+K finds each of these by its name. Made from the program's own list.")
    yield say("A key acts everywhere, or in the panes that are named with it, and never while text is typed.")
    for title in titles:
        yield from ("", f"## {say(title)}", "")
        yield from table(say, "---", "action", "key", "does")
        for spec in specs:
            menu, _, inner = spec.menu.partition("/")
            if menu == title:
                keys = say(" or ").join(f"`{key.toString()}`" for key in spec.keys)
                where = say.listed(say(panes[each]) for each in spec.where).lower()
                keys = say("%1 (%2)", keys, where) if keys and where else keys
                name = spec.plain_text
                if name not in languages:
                    name = say(name)
                name = say("%1: %2", say(inner), name) if inner else name
                yield f"| {name} | {keys} | {say(spec.tooltip or spec.plain_text)} |"
    yield from ("", "## " + say("Keys of the panes"), "")
    yield from table(say, "---", "key", "action", "where")
    for each in gestures:
        yield f"| {say(each.keys)} | {say(each.action)} | {say(each.where).lower()} |"


def speaker(name: str) -> Say:
    """Says everything in a language: the sentences of this module, and the texts of the program."""
    if not (PROJECT / "resources" / "locale" / f"{name}.mo").exists():
        raise FileNotFoundError(f"resources/locale/{name}.mo")
    path = PROJECT / "packaging" / TEXTS.format(name)
    with path.open("rb") as file:
        messages = {str(message.id): str(message.string) for message in read_po(file, locale=name) if message.id}
    return Say(messages, name)


REFERENCE = {
    "packets.md": packets,
    "checks.md": checks,
    "operations.md": operations,
    "formats.md": formats,
    "actions.md": actions,
}
SPEAKERS = [speaker(path.stem.partition("_")[2]) for path in sorted((PROJECT / "packaging").glob(TEXTS.format("*")))]
EVENTS = {GUIDE / "events.md": Say(), **{GUIDE / say.language / "events.md": say for say in SPEAKERS}}
PAGES: dict[Path, Callable[[], Iterator[str]]] = {
    **{GUIDE / name: partial(lines, Say()) for name, lines in REFERENCE.items()},
    **{GUIDE / say.language / name: partial(lines, say) for say in SPEAKERS for name, lines in REFERENCE.items()},
    **{path: partial(with_thresholds, path, say) for path, say in EVENTS.items()},
    **{FORMATS / f"carla-recorder{suffix}": partial(grammars.grammar_lines, suffix) for suffix in grammars.GRAMMARS},
}


if __name__ == "__main__":
    for path, lines in PAGES.items():
        text = "\n".join(lines()) + "\n"
        if "--check" not in sys.argv[1:]:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path.name} is not what would be written")
    missing = [f"{say.language}: {text}" for say in SPEAKERS for text in sorted(say.missing)]
    if missing:
        print("Not translated, so that the pages have them in English:", *missing, sep="\n")
        sys.exit(1)
