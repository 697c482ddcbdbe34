"""The static report: the cards of the page in one file that needs nothing else, with bounded pictures and texts."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Final

from hook.batching import batched
from hook.errors import PaperlessError
from hook.examination.archive import Archive
from hook.language.translate import Translate, translator
from hook.paperless.client import Paperless
from hook.review_page.overview import Records, cards_of, waiting_for
from hook.review_page.person import Person, thumbnail
from hook.review_page.render.cards import LABELS, Look, card_html
from hook.review_page.render.html import Html, joined, tag
from hook.review_page.waiting import counts, groups_of
from hook.settings.types import RELATIONS

if TYPE_CHECKING:
    from hook.ink.inspector import Inspector

CARDS: Final = 500
IMAGES_BYTES: Final = 8_000_000  # of all pictures; a third more in the file
IMAGE_BYTES: Final = 100_000  # of one: a larger one is left out
CROPS_BYTES: Final = 8_000_000  # of all crops, as they are in the file
CROPPED_PAIRS: Final = 60  # each takes a second
PIECES: Final = 60  # of a text difference: 500 of them have about 2 MB
_TOGETHER: Final = 20  # cards that are made and written at once: memory stays bounded
_THREADS: Final = 4


@dataclass(frozen=True, slots=True)
class Summary:
    cards: int
    left_out: int
    images: int
    images_left_out: int


class Pictures:
    """Pictures of documents as data addresses, until there is no room for more; the surest cards come first."""

    def __init__(self, client: Paperless) -> None:
        self._client, self._room_bytes = client, IMAGES_BYTES
        self.embedded = self.left_out = 0
        self._known: dict[int, str | None] = {}

    def fetch(self, documents: Iterable[int]) -> None:
        """Those of the next cards; the ones before are dropped."""
        wanted = list(dict.fromkeys(documents))
        with ThreadPoolExecutor(_THREADS) as pool:
            images = list(pool.map(self._picture, wanted)) if self._room_bytes > 0 else [None] * len(wanted)
        self._known = {number: self._address(image) for number, image in zip(wanted, images, strict=True)}

    def __call__(self, document: int) -> str | None:
        return self._known.get(document)

    def _picture(self, document: int) -> tuple[bytes, str] | None:
        try:
            return thumbnail(self._client, document)
        except PaperlessError:  # a report without a picture is better than none
            return None

    def _address(self, image: tuple[bytes, str] | None) -> str | None:
        if image is None or len(image[0]) > min(IMAGE_BYTES, self._room_bytes):
            self.left_out += 1
            return None
        self._room_bytes -= len(image[0])
        self.embedded += 1
        return f"data:{image[1]};base64,{base64.b64encode(image[0]).decode('ascii')}"


class Crops:
    """The places where two texts differ, as crops of both pages, until there is no room for more; the surest cards come first."""

    def __init__(self, archive: Archive, client: Paperless, inspector: Inspector, say: Translate) -> None:
        self._archive, self._client, self._inspector, self._say = archive, client, inspector, say
        self._room_bytes, self._pairs = CROPS_BYTES, CROPPED_PAIRS

    def __call__(self, left: int, right: int) -> Html | None:
        one, other = map(self._archive.fingerprint_of, (left, right))
        if self._pairs <= 0 or one is None or other is None:
            return None
        from hook.review_page.places import places_html

        self._pairs -= 1
        try:
            shown = places_html(self._inspector, self._client, one, other, self._say, is_live=False)
        except PaperlessError:
            return None
        self._room_bytes -= len(shown)
        return shown if self._room_bytes > 0 else None


def write_report(
    archive: Archive,
    person: Person,
    records: Records,
    write: Callable[[str], object],
    *,
    limit: int = CARDS,
    dry_run: bool = False,
    inspector: Inspector | None = None,
) -> Summary:
    """`write` gets the file piece by piece."""
    say = translator(person.settings.language)
    waiting = waiting_for(archive, person.shown, records)
    groups = groups_of(waiting)
    pictures, names, shown, made = Pictures(person.client), person.names(), groups[:limit], 0
    by_relation = counts(waiting)
    figures = ", ".join(
        f"{n} {say(LABELS[relation])}" for relation in RELATIONS if (n := by_relation[relation])
    )
    cut = say("{n} of {total} cards are shown, the surest first.", n=len(shown), total=len(groups))
    write(_head(person.settings.language, figures, cut if len(shown) < len(groups) else "", dry_run=dry_run))
    crops = None if inspector is None else Crops(archive, person.client, inspector, say)
    look = Look(say, person.settings, names, pictures, is_live=False, places=crops)
    for some in batched(shown, _TOGETHER):
        cards = cards_of(archive, person, some, most_pieces=PIECES)
        pictures.fetch(paper.id for card in cards for paper in card.papers)
        for card in cards:
            write(f"{card_html(card, look)}\n")
        made += len(cards)
    write("</main></body></html>\n")
    return Summary(made, len(groups) - made, pictures.embedded, pictures.left_out)


def _head(language: str, figures: str, cut: str, *, dry_run: bool) -> Html:
    """Only this style sheet and the embedded pictures are allowed, whatever a document contains."""
    say = translator(language)
    style = (resources.files("hook.review_page") / "assets" / "review.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii")
    policy = f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'"
    written = (
        say(
            "Nothing was written to Paperless. The command backfill writes these findings; it does not examine again."
        )
        if dry_run
        else say("These findings are tagged in Paperless and wait for a decision.")
    )
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", say("Suspected duplicates")),
        tag("style", Html(style)),
    )
    return joined(
        *(Html(f'<!doctype html><html lang="{language}">'), head, Html('<body class="report"><main>')),
        *(tag("h1", say("Suspected duplicates")), tag("p", written)),
        tag("p", tag("strong", figures or say("Nothing was found."))),
        tag("p.note", cut) if cut else None,
        Html("\n"),
    )
