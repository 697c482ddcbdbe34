"""Whatever a title or a text contains, it is shown and never run."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook.review_page.render.html import Html, escaped, joined, tag

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</title></textarea><svg/onload=alert(1)>",
    "<!--", "]]>", "&lt;b&gt;", "javascript:alert(1)",
]  # fmt: skip


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, attrs))

    def handle_data(self, data: str) -> None:
        self.text += data


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    return reader


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text: str) -> None:
    seen = read(tag("p", text, title=text))
    assert [name for name, _ in seen.seen] == ["p"]
    assert seen.seen[0][1] == [("title", text)]
    assert seen.text == text


@given(st.text())
def test_any_text_makes_exactly_one_element(text: str) -> None:
    seen = read(tag("p", text, title=text))
    assert [(name, [key for key, _ in attributes]) for name, attributes in seen.seen] == [("p", ["title"])]


def test_direction_marks_and_control_characters_are_removed() -> None:
    """They can make a title look like another one."""
    assert escaped("a\u202eb\u200bc\x00d\x1b[1m") == "abc d [1m"
    assert escaped("line\nbreak") == "line\nbreak"


def test_only_html_is_passed_on_as_it_is() -> None:
    assert joined(Html("<b>"), "<b>", None, 3, ["<", Html(">")]) == "<b>&lt;b&gt;3&lt;>"


def test_attributes() -> None:
    made = tag("input", class_="a", data_key="1", hidden=True, checked=False, value=None)
    assert made == '<input class="a" data-key="1" hidden>'
