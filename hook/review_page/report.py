"""The static report: the cards of the page in one file that needs nothing else, with bounded pictures and texts."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Final

from hook.batching import batched
from hook.errors import PaperlessError
from hook.language.translate import Translate, translator
from hook.review_page.overview import Records, cards_of, waiting_for
from hook.review_page.person import Person, thumbnail
from hook.review_page.render.cards import LABELS, Look, card_html
from hook.review_page.render.html import Html, joined, tag
from hook.review_page.waiting import counts, groups_of
from hook.settings.types import RELATIONS

if TYPE_CHECKING:
    from hook.examination.archive import Archive
    from hook.ink.inspector import Inspector
    from hook.paperless.client import Paperless

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

    def __init__(self, client: Paperless, room_bytes: int = IMAGES_BYTES) -> None:
        self._client, self._room_bytes = client, room_bytes
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

    def __init__(
        self, archive: Archive, client: Paperless, inspector: Inspector | None, say: Translate
    ) -> None:
        self._archive, self._client, self._inspector, self._say = archive, client, inspector, say
        self._room_bytes, self._pairs = CROPS_BYTES, CROPPED_PAIRS

    def __call__(self, left: int, right: int) -> Html | None:
        both = self._archive.fingerprint_of(left), self._archive.fingerprint_of(right)
        if self._inspector is None or self._pairs <= 0 or both[0] is None or both[1] is None:
            return None
        from hook.review_page.places import places_html, places_of

        self._pairs -= 1
        try:
            places = places_of(self._inspector, self._client, both[0], both[1])
        except PaperlessError:
            return None
        shown = places_html(places, left, right, self._say, is_live=False) if places.shown else None
        self._room_bytes -= len(shown or "")
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
    advance: Callable[[int], None] = lambda count: None,
) -> Summary:
    """`write` gets the file piece by piece."""
    say = translator(person.settings.language)
    waiting = waiting_for(archive, person.shown, records)
    groups = groups_of(waiting)
    pictures, names = Pictures(person.client), person.names()
    shown = groups[:limit]
    by_relation = {LABELS[relation]: counts(waiting).get(relation, 0) for relation in RELATIONS}
    write(_head(person, by_relation, len(groups), len(shown), say, dry_run=dry_run))
    made = 0
    crops = Crops(archive, person.client, inspector, say)
    look = Look(say, person.settings, names, pictures, is_live=False, places=crops)
    for some in batched(shown, _TOGETHER):
        cards = cards_of(archive, person, some, names, most_pieces=PIECES)
        pictures.fetch(paper.id for card in cards for paper in card.papers)
        for card in cards:
            write(card_html(card, look))
            write("\n")
        made += len(cards)
        advance(len(some))
    write("</main></body></html>\n")
    return Summary(made, len(groups) - made, pictures.embedded, pictures.left_out)


def _head(
    person: Person,
    figures_by_relation: Mapping[str, int],
    total: int,
    shown: int,
    say: Translate,
    *,
    dry_run: bool,
) -> Html:
    written = (
        say(
            "Nothing was written to Paperless. The command backfill writes these findings; it does not examine again."
        )
        if dry_run
        else say("These findings are tagged in Paperless and wait for a decision.")
    )
    figures = ", ".join(f"{count} {say(name)}" for name, count in figures_by_relation.items() if count)
    cut = say("{n} of {total} cards are shown, the surest first.", n=shown, total=total)
    return joined(
        Html(f'<!doctype html><html lang="{person.settings.language}">'),
        _meta(say("Suspected duplicates")),
        Html('<body class="report"><main>'),
        tag("h1", say("Suspected duplicates")),
        tag("p", written),
        tag("p", tag("strong", figures or say("Nothing was found."))),
        tag("p.note", cut) if shown < total else None,
        Html("\n"),
    )


def _meta(title: str) -> Html:
    """Only this style sheet and the embedded pictures are allowed, whatever a document contains."""
    style = (resources.files("hook.review_page") / "assets" / "review.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii")
    policy = f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'"
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        tag("style", Html(style)),
    )
