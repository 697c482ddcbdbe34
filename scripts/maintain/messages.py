"""The texts for people in the code; with a language, adds those that its catalogue lacks, or begins a new catalogue.

python -m scripts.maintain messages fr
"""

from __future__ import annotations

import ast
import json
import sys
from functools import cache
from pathlib import Path

from hook.language.translate import CATALOGUES, entries

ROOT = Path(__file__).resolve().parents[2]
SAYING = {"say", "_say", "message", "messages", "Phrase", "ImpossibleError"}  # what a text is passed to
HEADER = """msgid ""
msgstr ""
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
"""


@cache
def messages() -> dict[str, str]:
    """Each text that is said, and its plural; the plural is empty for a text without a count."""
    found: dict[str, str] = {}
    for package in ("dedupe_core", "hook"):
        for file in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and node.args and _name(node.func) in SAYING:
                    if isinstance(node.args[0], ast.JoinedStr):
                        raise ValueError(f"{file}:{node.lineno}: an f-string cannot be translated")
                    text, plural, *_ = [getattr(one, "value", None) for one in node.args] + [None, None]
                    if isinstance(text, str):
                        found[text] = plural if isinstance(plural, str) else found.get(text, "")
    return found


def _name(node: ast.expr) -> str:
    return str(getattr(node, "id", getattr(node, "attr", "")))


def add_missing(path: Path) -> int:
    """Writes the texts that the catalogue lacks to its end, without a translation; returns how many."""
    if not path.exists():
        path.write_text(HEADER.format(language=path.stem), encoding="utf-8")
    known = {entry["msgid"] for entry in entries(path.read_text(encoding="utf-8"))}
    missing = [_entry(text, plural) for text, plural in messages().items() if text not in known]
    with path.open("a", encoding="utf-8") as file:
        file.writelines(missing)
    return len(missing)


def _entry(text: str, plural: str) -> str:
    lines = {"msgid": text, "msgid_plural": plural, "msgstr[0]": "", "msgstr[1]": ""}
    if not plural:
        lines = {"msgid": text, "msgstr": ""}
    return "\n" + "".join(
        f"{name} {json.dumps(words, ensure_ascii=False)}\n" for name, words in lines.items()
    )


def main() -> int:
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    print(f"{add_missing(CATALOGUES / f'{sys.argv[1]}.po')} texts added")
    return 0
