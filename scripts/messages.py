"""The texts for people in the code; with a language, adds those that its catalogue lacks, or begins a new catalogue.

python scripts/messages.py fr
"""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CATALOGUES = ROOT / "hook" / "language" / "catalogues"
SAYING = {"say", "_say", "message", "messages", "Phrase", "ImpossibleError"}  # what a text is passed to
HEADER = """msgid ""
msgstr ""
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
"""


def messages() -> dict[str, str]:
    """Each text that is said, and its plural; the plural is empty for a text without a count."""
    found: dict[str, str] = {}
    for package in ("dedupe_core", "hook"):
        for file in sorted((ROOT / package).rglob("*.py")):
            if file.name == "courier.py":
                continue  # it has a `say` of its own
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


def entry(text: str, plural: str) -> str:
    lines = [f"msgid {json.dumps(text, ensure_ascii=False)}"]
    if plural:
        lines += [f"msgid_plural {json.dumps(plural, ensure_ascii=False)}", 'msgstr[0] ""', 'msgstr[1] ""']
    return "\n".join(["", *lines, *([] if plural else ['msgstr ""']), ""])


def main() -> None:
    from hook.language.translate import read_catalogue

    language = sys.argv[1]
    path = CATALOGUES / f"{language}.po"
    if not path.exists():
        path.write_text(HEADER.format(language=language), encoding="utf-8")
    known, _ = read_catalogue(path.read_text(encoding="utf-8"))
    missing = {text: plural for text, plural in messages().items() if text not in known}
    with path.open("a", encoding="utf-8") as file:
        file.writelines(entry(text, plural) for text, plural in missing.items())
    print(f"{path}: {len(missing)} texts added")


if __name__ == "__main__":
    main()
