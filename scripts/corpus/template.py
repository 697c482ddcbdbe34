"""A template of papers: its text with blanks, alternatives and possible edits, and the blanks filled for one paper.

    {s_firm:firm}              a blank: scope, name, kind. Said once, then {s_firm} or a part of it, {s_firm.name}
    {p_due:date/p_date+14}     a kind that is told more, see values.py
    [[one|another|]]           a sender's own wording: one of these for all its papers
    <<not:may=>may not>>       an edit of the kind `not` that a later version of the paper may contain
    left || right              cells of a row
    === invoice                another paper of the same deal
    --- page                   the next page

The first letter of a blank is its scope: `s` the sender, `h` the household (or customer), `p` the paper (this month's,
this order's), `m` one of the copies of a mail merge. What a blank holds is drawn from its scope and name alone, so two
papers that share a scope share its values.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from scripts.corpus.locales import LOCALES, Locale
from scripts.corpus.values import KINDS, Asked, Value, one_digit_off

BLANK = re.compile(r"\{([shpm]_\w+)(?:\.(\w+))?(?::(\w+)(?:/([^{}]*))?)?\}")
EDIT = re.compile(r"<<(\w+):((?:(?!=>|<<).)*)=>((?:(?!<<).)*?)>>", re.DOTALL)
WORDINGS = re.compile(r"\[\[((?:(?!\[\[).)*?)\]\]", re.DOTALL)
SECTION = re.compile(r"^=== (\w+)\n", re.MULTILINE)
SEVERAL = re.compile(r"^##### (\w+)\n", re.MULTILINE)
SPACES = re.compile(r"(?<=\S)  +")
UNFILLED = "__________________"


@dataclass(frozen=True, slots=True)
class Template:
    name: str
    lang: str
    kind: str
    step: int  # months from one paper of a series to the next
    forms: bool  # exists as a blank form too
    sections: dict[str, str]
    blanks: dict[str, tuple[str, str]]  # name to kind and what that is told
    options: dict[str, str] = field(default_factory=dict)

    @property
    def scopes(self) -> set[str]:
        return {name[0] for name in self.blanks}

    @property
    def text(self) -> str:
        return "\n".join(self.sections.values())

    @property
    def locale(self) -> Locale:
        return LOCALES[self.lang]

    @property
    def translations(self) -> bool:
        """Its sections are one paper in several languages, each named by its language."""
        return self.kind == "translated"

    @property
    def editions(self) -> bool:
        """Its papers replace each other: the price list of another year, the statutes after an amendment."""
        return self.options.get("series") == "editions"

    @property
    def portal(self) -> bool:
        """Its papers are printed from a portal, each time with another time on them."""
        return self.options.get("portal") == "yes"


@dataclass(frozen=True, slots=True)
class Place:
    """Which paper: of which sender, household, paper in the series, copy of a mail merge."""

    seed: int
    sender: int
    household: int = 0
    paper: int = 0
    copy: int = 0

    def key(self, scope: str) -> str:
        parts = {
            "s": (),
            "h": (self.household,),
            "p": (self.household, self.paper),
            "m": (self.household, self.paper, self.copy),
        }
        return "/".join(map(str, (self.seed, self.sender, *parts[scope])))


def parse(name: str, source: str) -> Template:
    """A template file: lines `option: value`, an empty line, the text."""
    head, _, body = source.partition("\n\n")
    options = dict(line.split(": ", 1) for line in head.splitlines())
    parts = SECTION.split("=== paper\n" + body if not body.startswith("=== ") else body)[1:]
    sections = {title: text.strip("\n") for title, text in zip(parts[::2], parts[1::2], strict=True)}
    blanks = {found[0]: (found[2], found[3]) for found in BLANK.findall(body) if found[2]}
    unknown = {found[0] for found in BLANK.findall(body)} - set(blanks)
    if unknown:
        raise ValueError(f"{name}: blanks without a kind: {', '.join(sorted(unknown))}")
    return Template(
        name,
        name.rpartition("_")[2],
        options["kind"],
        int(options.get("step", "1")),
        options.get("form") == "yes",
        sections,
        blanks,
        options,
    )


def load(directory: Path) -> list[Template]:
    """The templates of all languages: LANGUAGE/NAME.txt, or several in one file, each under a line `##### NAME`."""
    found = []
    for path in sorted(directory.glob("*/*.txt")):
        parts = SEVERAL.split(path.read_text(encoding="utf-8"))
        named = zip(parts[1::2], parts[2::2], strict=True) if len(parts) > 1 else [(path.stem, parts[0])]
        found += [parse(f"{name}_{path.parent.name}", text) for name, text in named]
    return found


def with_small_print(template: Template, lines: Sequence[str]) -> Template:
    """The template with these lines at the foot of each of its papers."""
    foot = "\n".join(lines)
    blanks = {found[0]: (found[2], found[3]) for found in BLANK.findall(foot) if found[2]}
    sections = {name: f"{text}\n\n{foot}" for name, text in template.sections.items()}
    return replace(template, sections=sections, blanks=template.blanks | blanks)


class Filler:
    """Fills the blanks of a template for one paper."""

    def __init__(
        self,
        template: Template,
        place: Place,
        *,
        empty: bool = False,
        printed: Locale | None = None,
        redrawn: str = "",
    ) -> None:
        self._template = template
        self._place = place
        self._empty = empty
        self._redrawn = redrawn  # the blank that a correction filled anew
        # A translation has its own dates and amounts, and the same names.
        self._printed = printed or template.locale

    def _rng(self, scope: str, name: str) -> random.Random:
        return random.Random(f"{self._template.name}/{self._place.key(scope)}/{name}")

    def value(self, name: str) -> Value:
        kind, spec = self._template.blanks[name]
        scope = name[0]
        steps = self._place.paper * self._template.step if scope in "pm" else 0
        asked = Asked(
            self._rng(scope, name), self._template.locale, self._printed, spec, self._rng("s", kind), steps,
            self._rng("h", f"{name}/{self._place.copy}" if scope == "m" else name), self.value,
        )  # fmt: skip
        found = KINDS[kind](asked)
        correction = random.Random(f"{self._place}/{name}/correction")
        if name != self._redrawn:
            return found
        if correction.random() < 0.5:
            return one_digit_off(found, correction)
        return KINDS[kind](replace(asked, rng=correction))

    def _blank(self, found: re.Match[str]) -> str:
        if self._empty and found[1][0] in "hpm":
            return UNFILLED
        value = self.value(found[1])
        return value.parts[found[2]] if found[2] else value.text

    def wording(self, text: str) -> str:
        """The alternatives that this sender uses."""
        rng = random.Random(f"{self._template.name}/{self._place.seed}/{self._place.sender}/wording")
        pick = partial(_picked, rng)
        while WORDINGS.search(text):
            text = WORDINGS.sub(pick, text)
        return SPACES.sub(" ", text).replace(" ,", ",")

    def fill(self, text: str) -> str:
        return BLANK.sub(self._blank, text)


def _picked(rng: random.Random, found: re.Match[str]) -> str:
    return rng.choice(str(found[1]).split("|"))


def edits_of(text: str) -> list[str]:
    """The kind of each possible edit, in their order."""
    return [found[0] for found in EDIT.findall(text)]


def edited(text: str, chosen: frozenset[int] = frozenset()) -> str:
    """The text with these edits made and the others not; lines that become empty go."""
    numbers: Iterator[int] = iter(range(len(text)))

    def one(found: re.Match[str]) -> str:
        return str(found[3] if next(numbers) in chosen else found[2]) or "\0"

    lines = (
        line.replace(" \0", "").replace("\0 ", "").replace("\0", "") if line != "\0" else None
        for line in EDIT.sub(one, text).split("\n")
    )
    return "\n".join(line for line in lines if line is not None)
