"""Completions of the command line for bash, zsh and fish, from the arguments of all verbs."""

from collections.abc import Iterator
from shlex import quote

from commands import PROG, Argument, Verb, verbs

WINDOW = "open"  # the verb that a command line without one means


def bash() -> str:
    """The completion for bash. Where it offers nothing, bash offers files."""
    return "\n".join(_bash_lines(verbs())) + "\n"


def _bash_lines(every: tuple[Verb, ...]) -> Iterator[str]:
    yield from (f"# Completion of {PROG} for bash.", "_recorder_editor() {", "  local words='' verb=${COMP_WORDS[1]}")
    yield f"  [ \"$COMP_CWORD\" -gt 1 ] || words='{' '.join(verb.name for verb in every)} --help --version'"
    yield "  case $verb:$3 in"
    for verb in _window_last(every):
        for argument in verb.arguments():
            if argument.names and argument.typed and not argument.is_path:
                pattern = "|".join(f"{_pattern(verb)}:{name}" for name in argument.names)
                yield f"    {pattern}) words={quote(' '.join(argument.choices))}; compopt +o default ;;"
    yield from ("    *)", "      case $verb in")
    for verb in _window_last(every):
        names = " ".join(name for each in verb.arguments() for name in each.names)
        yield f'        {_pattern(verb)}) words="$words {names}" ;;'
    yield from ("      esac", "      [[ $2 == -* || $COMP_CWORD -eq 1 ]] || words=''", "      ;;", "  esac")
    yield from ('  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$2")', "}")
    yield f"complete -o default -F _recorder_editor {PROG}"


def _window_last(every: tuple[Verb, ...]) -> list[Verb]:
    """Its pattern is that of all other words."""
    return sorted(every, key=lambda each: each.name == WINDOW)


def _pattern(verb: Verb) -> str:
    return "*" if verb.name == WINDOW else verb.name


def zsh() -> str:
    """The completion for zsh."""
    return "\n".join(_zsh_lines(verbs())) + "\n"


def _zsh_lines(every: tuple[Verb, ...]) -> Iterator[str]:
    yield from (f"#compdef {PROG}", f"# Completion of {PROG} for zsh.", "local -a verbs=(")
    yield from (f"  {quote(f'{verb.name}:{_lower(verb.summary)}')}" for verb in every)
    yield from (")", "if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then")
    yield from ("  _describe -t verbs verb verbs", "  _files", "  return", "fi")
    yield from ("local verb=$words[2]", "(( $verbs[(I)$verb:*] )) && { shift words; (( CURRENT-- )) }", "case $verb in")
    for verb in _window_last(every):
        yield f"  {_pattern(verb)}) _arguments \\"
        for argument in verb.arguments():
            yield from (f"    {quote(spec)} \\" for spec in _zsh_specs(argument))
        yield "    ;;"
    yield "esac"


def _zsh_specs(argument: Argument) -> Iterator[str]:
    choices = " ".join(argument.choices)
    value = f":{_zsh_escaped(argument.typed)}:" + ("_files" if argument.is_path else f"({choices})" if choices else " ")
    if not argument.names:
        yield f"*{value}" if argument.is_repeated else f":{value}" if argument.is_optional else value
    for name in argument.names:
        yield f"*{name}[{_zsh_escaped(argument.help)}]{value if argument.typed else ''}"


def _zsh_escaped(text: str) -> str:
    for character in "\\[]:":
        text = text.replace(character, f"\\{character}")
    return text


def fish() -> str:
    """The completion for fish. It offers files by itself."""
    return "\n".join(_fish_lines(verbs())) + "\n"


def _fish_lines(every: tuple[Verb, ...]) -> Iterator[str]:
    yield f"# Completion of {PROG} for fish."
    for verb in every:
        yield f"complete -c {PROG} -n __fish_use_subcommand -a {verb.name} -d {quote(_lower(verb.summary))}"
    others = " ".join(verb.name for verb in every if verb.name != WINDOW)
    for verb in every:
        seen = f"__fish_seen_subcommand_from {verb.name}"
        condition = quote(f"not __fish_seen_subcommand_from {others}" if verb.name == WINDOW else seen)
        for argument in verb.arguments():
            if argument.names:
                yield f"complete -c {PROG} -n {condition} {_fish_option(argument)}"


def _fish_option(argument: Argument) -> str:
    names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in argument.names)
    takes = "" if not argument.typed else " -r -F" if argument.is_path else " -x"
    offered = f" -a {quote(' '.join(argument.choices))}" if argument.choices else ""
    return f"{names}{takes}{offered} -d {quote(argument.help)}"


def _lower(text: str) -> str:
    """A sentence as the rest of a line, unless it begins with a name."""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]
