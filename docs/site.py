"""Hooks of MkDocs: the README is the first page, and a link to a file of the repository leads there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
_OPTION = re.compile(r"(?<![\w-])(--?[a-z][a-z-]*)")


def on_files(files: Files, config: Any) -> Files:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    without_badges = re.sub(r"^\[!\[.+\n", "", readme, flags=re.MULTILINE)  # pictures from other servers
    in_docs = re.sub(r'(\]\(|src=")docs/', r"\1", without_badges)
    files.append(
        File.generated(config, "index.md", content=_to_repository(in_docs, r"(?=[A-Z_]+(\.md)?[)#])", config))
    )
    return files


def on_page_markdown(markdown: str, *, config: Any, **_: Any) -> str:
    return _to_repository(markdown, r"\.\./", config)


def on_page_content(html: str, **_: Any) -> str:
    """Long names of settings may be broken after an underscore, which a phone needs; options are not broken after their dashes."""
    html = re.sub(r"(?<=<code>)[A-Z]+_[A-Z_]+(?=</code>)", lambda name: name[0].replace("_", "_<wbr>"), html)
    return re.sub(
        r"(?<=<code>)[^<]+(?=</code>)",
        lambda code: _OPTION.sub(r'<span class="option">\1</span>', code[0]),
        html,
    )


def _to_repository(markdown: str, prefix: str, config: Any) -> str:
    return re.sub(rf"\]\({prefix}", f"]({config['repo_url']}/blob/main/", markdown)
