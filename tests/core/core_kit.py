"""What the tests of the core share: short ways from texts to fingerprints, views, evidence and verdicts."""

from __future__ import annotations

from hypothesis import strategies as st

from dedupe_core.compare.evidence import Evidence, compare
from dedupe_core.compare.view import Neighbourhood, View, view
from dedupe_core.fingerprint.fingerprint import fingerprint
from dedupe_core.judge.judge import classify
from dedupe_core.model import Document, Fingerprint, Verdict
from dedupe_core.policy import DEFAULT as POLICY
from dedupe_core.policy import Policy
from dedupe_core.recipe import DEFAULT as RECIPE
from tests.corpus.noise import scanned

LETTER = """Wasserwerk Auental · Mühlgasse 4 · 99084 Auental

Herrn Jakob Brandt                                   Datum: 03.02.2023
Kundennummer: 7710982                    Rechnung Nr. RE-2023-45588

Sehr geehrter Herr Brandt, für Ihren Verbrauch von 41 Kubikmetern berechnen wir Ihnen
Wasser                                               88,15 €
Abwasser                                            101,27 €
Gesamtbetrag                                        189,42 €
Bitte überweisen Sie den Betrag bis zum 17. Februar 2023 auf unser Konto."""
NEXT_LETTER = (
    LETTER.replace("03.02.2023", "06.03.2023").replace("RE-2023-45588", "RE-2023-51207").replace("41 Kubik", "38 Kubik")
    .replace("88,15", "81,70").replace("101,27", "93,86").replace("189,42", "175,56").replace("17. Februar", "20. März")
)  # fmt: skip


def print_of(content: str, document_id: int = 1, checksum: str = "") -> Fingerprint:
    return fingerprint(Document(document_id, content, checksum=checksum), RECIPE)


def view_of(content: str, document_id: int = 1, checksum: str = "") -> View:
    return view(print_of(content, document_id, checksum))


def evidence_on(one: str, other: str, *neighbours: str) -> Evidence:
    a, b = view_of(one, 1), view_of(other, 2)
    return compare(a, b, around(b, *neighbours))


def verdict_on(one: str, other: str, *neighbours: str, policy: Policy = POLICY) -> Verdict:
    a, b = view_of(one, 1), view_of(other, 2)
    return classify(a, b, around(b, *neighbours), policy)


def around(other: View, *neighbours: str) -> Neighbourhood:
    return Neighbourhood([other, *(view_of(text, 100 + number) for number, text in enumerate(neighbours))])


# Words, numbers and facts as they stand on papers, so that generated documents share some of them.
_TOKENS = st.one_of(
    st.sampled_from(LETTER.split()),
    st.sampled_from(["rechnung", "total", "invoice", "märz", "甲乙", "שלום", "\f", "---", "\ud800"]),
    st.dates().map(lambda date: date.strftime("%d.%m.%Y")),
    st.integers(0, 10**9).map(str),
    st.integers(0, 10**6).map(lambda cents: f"{cents // 100},{cents % 100:02} \u20ac"),
    st.integers(0, 99999).map("RE-2024-{:05}".format),
    st.text(max_size=8),
)
TEXTS = st.lists(_TOKENS, max_size=40).map(" ".join)
# Documents are compared when they resemble each other: the other one is a scan, a part or an edited copy.
PAIRS = st.tuples(TEXTS, TEXTS, st.sampled_from(["other", "light", "medium", "heavy", "part", "edited"])).map(
    lambda drawn: (drawn[0], _related(*drawn))
)


def _related(text: str, other: str, how: str) -> str:
    if how == "other":
        return other
    if how == "part":
        return f"{other} {text}"
    if how == "edited":
        return text.replace("20", "21").replace("e", "a", 3) + other[:20]
    return scanned(text, how, seed=len(other))
