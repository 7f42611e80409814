"""The manual page, in the language of troff, from the help of all verbs."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from commands import LANGUAGES, PROG, Argument, Command, __version__, commands

EXIT_CODES = (
    ("0", "Nothing wrong; also a reading verb on a damaged file, whose damage is reported on standard error."),
    ("1", "Failed, or check found errors (with --strict: warnings), or diff found differences."),
    ("2", "Wrong usage, or a file that is missing or unreadable."),
    ("3", "Done, with loss."),
    ("129, 143", "Ended by SIGHUP or SIGTERM; nothing is left behind."),
)
LANGUAGE = (
    f"The language of every help and of what check and repair print: {' or '.join(LANGUAGES)}. Without it that of the "
    "locale ($LC_ALL, $LC_MESSAGES, $LANG)."
)
FILES = (
    ("~/.config/recorder-editor/settings.ini", "The preferences ($XDG_CONFIG_HOME)."),
    (
        "~/.local/state/recorder-editor",
        "Edits that were not saved, to be restored after a crash, and road maps of simulators ($XDG_STATE_HOME).",
    ),
)


def manual(day: datetime) -> str:
    """The whole page, dated."""
    return "\n".join(_lines(commands(), day)) + "\n"


def _lines(every: tuple[Command, ...], day: datetime) -> Iterator[str]:
    version = f"Recorder Editor {__version__}"
    yield f'.TH {quoted(PROG.upper())} 1 {quoted(f"{day:%Y-%m-%d}")} {quoted(version)} "User Commands"'
    yield from (".SH NAME", f"{escaped(PROG)} \\- look into, edit and check recordings of the CARLA simulator")
    yield ".SH SYNOPSIS"
    yield from (f".B {escaped(PROG)}", r"[\fIFILE\fR] [\fB\-\-frame\fR \fIN\fR | \fB\-\-time\fR \fIS\fR]", ".br")
    yield from (f".B {escaped(PROG)}", r"\fIVERB\fR ...")
    yield ".SH DESCRIPTION"
    yield "The driving simulator CARLA writes recordings, files that end in .log or .rec."
    yield f".B {escaped(PROG)}"
    yield "shows what is in them down to the byte, changes it, and saves the result so that the simulator replays it."
    yield "Without a verb it opens a window."
    yield from (
        ".PP",
        "Data goes to standard output, everything else to standard error. No verb writes onto its input,",
    )
    yield "and an output appears under its name only when it is whole."
    yield from listed((("-h, --help", "The list of all verbs, or after a verb its options."),))
    yield from listed((("--lang LANG", LANGUAGE),))
    versions = "The versions of the program and of its libraries; with --verbose Qt and the screen, too."
    yield from listed((("-V, --version [--verbose]", versions),))
    yield ".SH VERBS"
    for verb in every:
        yield from _verb_lines(verb)
    yield ".SH EXIT STATUS"
    yield from listed(EXIT_CODES)
    yield ".SH FILES"
    yield from listed(FILES)
    yield ".SH SEE ALSO"
    yield "The guide has more on each verb: Help > Guide in the window."


def _verb_lines(verb: Command) -> Iterator[str]:
    yield from (f".SS {quoted(verb.name)}", escaped(f"{verb.summary}."))
    yield from (".PP", ".nh", escaped(verb.usage), ".hy")
    for paragraph in verb.text:
        text, example, command = paragraph.partition("Example: ")
        if text:
            yield from (".PP", escaped(text.strip()))
        if example:
            yield from (".PP", "Example:", ".PP", ".in +4n", ".nh", escaped(command), ".hy", ".in")
    for title, arguments in verb.groups:
        if title not in ("options", "positional arguments"):
            yield from (".PP", f"{title[:1].upper()}{title[1:]}:")
        yield from listed((_spelled(each), each.help) for each in arguments if "--help" not in each.names)


def _spelled(argument: Argument) -> str:
    """How an argument is typed."""
    return ", ".join(f"{name} {argument.typed}".rstrip() for name in argument.names) or argument.typed


def listed(entries: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Terms in bold, each with its text indented below."""
    for term, text in entries:
        yield from (".TP", f".B {quoted(term)}", escaped(f"{text[:1].upper()}{text[1:].rstrip('.')}."))


def quoted(text: str) -> str:
    """One argument of a macro."""
    return f'"{escaped(text)}"'


def escaped(text: str) -> str:
    """A text that troff prints as it is: hyphens may be copied as such, and nothing is taken for a command."""
    for plain, special in (("\\", "\\e"), ("-", "\\-"), ('"', "\\(dq"), ("~", "\\(ti"), ("^", "\\(ha"), ("`", "\\(ga")):
        text = text.replace(plain, special)
    return f"\\&{text}" if text[:1] in (".", "'") else text
