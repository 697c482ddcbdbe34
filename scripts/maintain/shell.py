"""Writes the completions of the shells and the manual page into docs/deploy/shell, from the parsers of the commands.

python -m scripts.maintain shell --write
python -m scripts.maintain shell --check     exit code 1 if one is out of date
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from hook.cli import COMMANDS, PROGRAM, help_of, parser_of, top_parser
from scripts.subcommands import is_writing

ROOT: Final = Path(__file__).resolve().parents[2]


SETTINGS: Final = "https://paperless-dedupe.github.io/paperless-dedupe/settings.html"
TARGET: Final = ROOT / "docs" / "deploy" / "shell"
FILES: Final = ("FILE", "DIR", "DOCS.jsonl", "FROM", "TO")  # the values that are paths


@cache
def parsers() -> dict[str, argparse.ArgumentParser]:
    return {name: parser_of(name) for name in COMMANDS}


def actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Without --help. argparse has no public list of them."""
    return [action for action in parser._actions if action.dest != "help"]


def options(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return [action for action in actions(parser) if action.option_strings]


def verbs(parser: argparse.ArgumentParser) -> list[str]:
    choices = [action.choices for action in actions(parser) if not action.option_strings and action.choices]
    return [str(choice) for some in choices for choice in some or ()]


def takes_value(action: argparse.Action) -> bool:
    return action.nargs != 0


def is_path(action: argparse.Action) -> bool:
    return action.metavar in FILES


def has_paths(parser: argparse.ArgumentParser) -> bool:
    """As arguments, without the name of an option."""
    return any(is_path(action) for action in actions(parser) if not action.option_strings)


# Shells


def bash() -> str:
    words = {name: [*verbs(parser), *_flags(parser)] for name, parser in parsers().items()}
    cases = "\n".join(f'    {name}) words="{" ".join(some)}" ;;' for name, some in words.items())
    return f"""# bash completion for {PROGRAM}, written by `python -m scripts.maintain shell`
_paperless_dedupe() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} words
  if [ "$COMP_CWORD" -eq 1 ] || {{ [ "$COMP_CWORD" -eq 2 ] && [ "${{COMP_WORDS[1]}}" = help ]; }}; then
    COMPREPLY=($(compgen -W "help {" ".join(COMMANDS)} --help --version" -- "$current"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _paperless_dedupe {PROGRAM}
"""


def _flags(parser: argparse.ArgumentParser) -> list[str]:
    return [flag for action in options(parser) for flag in action.option_strings]


def zsh() -> str:
    commands = "\n".join(f"    {_quoted(f'{name}:{purpose}')}" for name, purpose in COMMANDS.items())
    cases = "\n".join(
        f"    {name}) _arguments -s {' '.join(_zsh_options(parser))} ;;" for name, parser in parsers().items()
    )
    return f"""#compdef {PROGRAM}
# zsh completion, written by `python -m scripts.maintain shell`
_paperless_dedupe() {{
  local -a commands=(
    'help:show the options of a command'
{commands}
  )
  if (( CURRENT == 2 )) || [[ $CURRENT -eq 3 && $words[2] == help ]]; then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{cases}
  esac
}}
_paperless_dedupe "$@"
"""


def _zsh_options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in options(parser):
        value = f":{action.metavar or action.dest}:{'_files' if is_path(action) else ' '}"
        for flag in action.option_strings:
            text = re.sub(r"([\[\]:])", r"\\\1", action.help or "")
            yield _quoted(f"{flag}[{text}]{value if takes_value(action) else ''}")
    if verbs(parser):
        yield _quoted(f"1:verb:({' '.join(verbs(parser))})")
    if has_paths(parser) or verbs(parser):
        yield "'*:file:_files'"


def fish() -> str:
    lines = [
        f"# fish completion for {PROGRAM}, written by `python -m scripts.maintain shell`",
        f"complete -c {PROGRAM} -f",
    ]
    lines.append(f"complete -c {PROGRAM} -n __fish_use_subcommand -s V -l version -d 'show the version'")
    for name, purpose in {"help": "show the options of a command", **COMMANDS}.items():
        lines.append(f"complete -c {PROGRAM} -n __fish_use_subcommand -a {name} -d {_quoted(purpose)}")
    lines.append(
        f"complete -c {PROGRAM} -n '__fish_seen_subcommand_from help' -a {_quoted(' '.join(COMMANDS))}"
    )
    for name, parser in parsers().items():
        start = f"complete -c {PROGRAM} -n '__fish_seen_subcommand_from {name}'"
        for action in options(parser):
            flags = " ".join(
                f"-l {f[2:]}" if f.startswith("--") else f"-s {f[1:]}" for f in action.option_strings
            )
            value = (" -r -F" if is_path(action) else " -x") if takes_value(action) else ""
            lines.append(f"{start} {flags}{value} -d {_quoted(action.help or '')}")
        lines += [f"{start} -a {_quoted(' '.join(verbs(parser)))}"] if verbs(parser) else []
        lines += [f"{start} -F"] if has_paths(parser) or verbs(parser) else []
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", r"'\''") + "'"


# The manual page


def man() -> str:
    lines = [
        f'.TH {PROGRAM.upper()} 1 "" "{PROGRAM}" "User Commands"',
        *(".SH NAME", f"{_roff(PROGRAM)} \\- {_roff(top_parser().description or '')}"),
        *(".SH SYNOPSIS", f".B {_roff(PROGRAM)}", r"\fICOMMAND\fR [\fIOPTIONS\fR]"),
        *(".SH DESCRIPTION", _roff(f"Settings are environment variables: {SETTINGS}")),
        ".SH COMMANDS",
    ]
    for name, parser in parsers().items():
        lines += [f".SS {name}", *_paragraphs(help_of(name))]
        for action in actions(parser):
            lines += [".TP", _term(action), _roff(action.help or "")]
    lines += [
        ".SH EXIT STATUS",
        *_paragraphs((sys.modules["hook.cli"].__doc__ or "").partition("codes: ")[2]),
    ]
    return "\n".join(lines) + "\n"


def _term(action: argparse.Action) -> str:
    value = rf" \fI{_roff(str(action.metavar or action.dest.upper()))}\fR" if takes_value(action) else ""
    return ", ".join(rf"\fB{_roff(flag)}\fR" for flag in action.option_strings) + value


def _paragraphs(text: str) -> Iterator[str]:
    for part in text.strip().split("\n\n"):
        first, *rows = re.split(r"\n(?= {2}\S)", part)
        yield ".PP"
        yield _roff(first)
        for row in rows:
            term, _, words = row.strip().partition("  ")
            yield from (".TP", _roff(term), _roff(words))


def _roff(text: str) -> str:
    words = " ".join(text.split()).replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{words}" if words.startswith((".", "'")) else words


MADE: Final = {f"{PROGRAM}.bash": bash, f"_{PROGRAM}": zsh, f"{PROGRAM}.fish": fish, f"{PROGRAM}.1": man}


def stale() -> list[Path]:
    paths = {TARGET / name: make() for name, make in MADE.items()}
    return [path for path, text in paths.items() if not path.exists() or path.read_text("utf-8") != text]


def main() -> int:
    write = is_writing(__doc__)
    old = stale()
    for path in old:
        if write:
            path.write_text(MADE[path.name](), encoding="utf-8")
        print(f"{path.name}: {'written' if write else 'out of date, see --write'}")
    return 1 if old and not write else 0
