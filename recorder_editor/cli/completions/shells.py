"""Completions of the command line for bash, zsh and fish.

Names of actors and packets are asked of the program, for the first recording that the line names.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from shlex import quote

from .. import PROG
from .commands import Argument, Command, commands

_WINDOW = "open"  # the verb that a command line without one means

_BASH_NAMES = f"""\
_recorder_editor_names() {{
  local word file='' given=''
  for word in "${{COMP_WORDS[@]:2}}"; do
    word=${{word//\\\\/}} word=${{word/#\\~/$HOME}}
    if [ -f "$word" ]; then file=$word; break; fi
  done
  [ -n "$file" ] || return
  case $2 in *,*) given=${{2%,*}}, ;; esac
  {PROG} completion names "$1" "$file" 2>/dev/null | cut -f 1 | sed "s|^|$given|"
}}"""
"""Prints what may stand for a word ($2) that names actors or packets ($1), with what stands before its last comma."""

_ZSH_NAMES = f"""\
_recorder_editor_names() {{
  local word file
  local -a found
  for word in $words; do
    word=${{~${{(Q)word}}}}
    if [[ -f $word ]]; then file=$word; break; fi
  done
  [[ -n $file ]] || return 1
  found=(${{(f)"$({PROG} completion names $1 $file 2>/dev/null)"}})
  found=(${{${{found//:/\\\\:}}/$'\\t'/:}})
  compset -P '*,'
  _describe -t $1 $1 found -q -S ''
}}"""

_FISH_NAMES = f"""\
function __recorder_editor_names
  set -l given (string match -r '^.*,' -- (commandline -ct))
  for word in (commandline -opc)[2..-1]
    if test -f $word
      {PROG} completion names $argv[1] $word 2>/dev/null | string replace -r '^' -- "$given"
      return
    end
  end
end"""


def bash() -> str:
    """Return the completion for bash. Where it offers nothing, bash offers files."""
    return "\n".join(_bash_lines(commands())) + "\n"


def _bash_lines(every: Sequence[Command]) -> Iterator[str]:
    verbs = " ".join(command.name for command in every)
    yield f"# Completion of {PROG} for bash."
    yield from _BASH_NAMES.splitlines()
    yield "_recorder_editor() {"
    yield "  local words='' places='' verb=${COMP_WORDS[1]}"
    yield f"  [ \"$COMP_CWORD\" -gt 1 ] || words='{verbs} --help --version'"
    yield "  case $verb:$3 in"
    for command in _window_last(every):
        for argument in command.arguments():
            if argument.names and argument.typed and not argument.is_path:
                pattern = "|".join(f"{_pattern(command)}:{name}" for name in argument.names)
                yield f"    {pattern}) {_bash_words(argument)}; compopt +o default ;;"
    yield "    *)"
    yield "      case $verb in"
    for command in _window_last(every):
        options: list[str] = []
        choices: list[str] = []
        for argument in command.arguments():
            options.extend(argument.names)
            if not argument.names:
                choices.extend(argument.choices)
        yield f'        {_pattern(command)}) words="$words {" ".join(options)}" places={quote(" ".join(choices))} ;;'
    yield "      esac"
    yield "      [[ $2 == -* || $COMP_CWORD -eq 1 ]] || words=$places"
    yield "      ;;"
    yield "  esac"
    yield '  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$2")'
    yield "}"
    yield f"complete -o default -F _recorder_editor {PROG}"


def _bash_words(argument: Argument) -> str:
    """Return the statement that sets the words which may stand for the value of an option."""
    if argument.names_of is None:
        return f"words={quote(' '.join(argument.choices))}"
    return f'words=$(_recorder_editor_names {argument.names_of} "$2"); compopt -o nospace'


def _window_last(every: Sequence[Command]) -> list[Command]:
    """Sort the verb of the window behind all others, since its pattern is that of all other words."""
    return sorted(every, key=lambda command: command.name == _WINDOW)


def _pattern(command: Command) -> str:
    if command.name == _WINDOW:
        return "*"
    return command.name


def zsh() -> str:
    """Return the completion for zsh, to be sourced or to stand in a folder of `fpath`."""
    return "\n".join(_zsh_lines(commands())) + "\n"


def _zsh_lines(every: Sequence[Command]) -> Iterator[str]:
    yield f"#compdef {PROG}"
    yield f"# Completion of {PROG} for zsh."
    yield from _ZSH_NAMES.splitlines()
    yield "_recorder_editor() {"
    yield "local -a verbs=("
    for command in every:
        yield f"  {quote(f'{command.name}:{_within_a_line(command.summary)}')}"
    yield ")"
    yield "if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then"
    yield "  _describe -t verbs verb verbs"
    yield "  _files"
    yield "  return"
    yield "fi"
    yield "local verb=$words[2]"
    yield "(( $verbs[(I)$verb:*] )) && { shift words; (( CURRENT-- )) }"
    yield "case $verb in"
    for command in _window_last(every):
        yield f"  {_pattern(command)}) _arguments \\"
        for argument in command.arguments():
            for spec in _zsh_specs(argument):
                yield f"    {quote(spec)} \\"
        yield "    ;;"
    yield "esac"
    yield "}"
    yield "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then"
    yield '  _recorder_editor "$@"'
    yield "else"
    yield f"  compdef _recorder_editor {PROG}"
    yield "fi"


def _zsh_specs(argument: Argument) -> Iterator[str]:
    value = f":{_zsh_escaped(argument.typed)}:{_zsh_action(argument)}"
    if not argument.names:
        if argument.is_repeated:
            yield f"*{value}"
        elif argument.is_optional:
            yield f":{value}"
        else:
            yield value
    if not argument.typed:
        value = ""
    for name in argument.names:
        yield f"*{name}[{_zsh_escaped(argument.help)}]{value}"


def _zsh_action(argument: Argument) -> str:
    """Return what zsh offers for a value."""
    if argument.is_path:
        return "_files"
    if argument.names_of is not None:
        return f" _recorder_editor_names {argument.names_of}"  # behind a blank zsh adds no words of its own
    if argument.choices:
        return f"({' '.join(argument.choices)})"
    return " "


def _zsh_escaped(text: str) -> str:
    for character in "\\[]:":
        text = text.replace(character, f"\\{character}")
    return text


def fish() -> str:
    """Return the completion for fish. It offers files by itself."""
    return "\n".join(_fish_lines(commands())) + "\n"


def _fish_lines(every: Sequence[Command]) -> Iterator[str]:
    yield f"# Completion of {PROG} for fish."
    yield from _FISH_NAMES.splitlines()
    for command in every:
        summary = quote(_within_a_line(command.summary))
        yield f"complete -c {PROG} -n __fish_use_subcommand -a {command.name} -d {summary}"
    others = " ".join(command.name for command in every if command.name != _WINDOW)
    for command in every:
        condition = f"__fish_seen_subcommand_from {command.name}"
        if command.name == _WINDOW:
            condition = f"not __fish_seen_subcommand_from {others}"
        for argument in command.arguments():
            if argument.names:
                yield f"complete -c {PROG} -n {quote(condition)} {_fish_option(argument)}"
            elif argument.choices:
                yield f"complete -c {PROG} -n {quote(condition)} -f -a {quote(' '.join(argument.choices))}"


def _fish_option(argument: Argument) -> str:
    words = []
    for name in argument.names:
        if name.startswith("--"):
            words.append(f"-l {name[2:]}")
        else:
            words.append(f"-s {name[1:]}")
    if argument.typed and argument.is_path:
        words.append("-r -F")
    elif argument.typed:
        words.append("-x")
    if argument.names_of is not None:
        words.append(f"-a {quote(f'(__recorder_editor_names {argument.names_of})')}")
    elif argument.choices:
        words.append(f"-a {quote(' '.join(argument.choices))}")
    words.append(f"-d {quote(argument.help)}")
    return " ".join(words)


def _within_a_line(text: str) -> str:
    """Return a sentence as the rest of a line: in small letters, unless it begins with a name."""
    if text[1:2].isupper():
        return text
    return text[:1].lower() + text[1:]


SHELLS: Mapping[str, Callable[[], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
"""What makes the completion for each shell."""
