"""The corpus: labelled documents, the same each time.

Every text is our own. A wrong verdict becomes a paper here first, then a fix. `group` is one physical paper,
`family` its template; a pair of one group is a duplicate, of one family a sibling unless RELATED says more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random
from typing import Any

from tests.corpus.noise import scanned
from tests.corpus.papers import BACKGROUND, PAPERS

# Groups that are more than siblings; contained: the first is part of the second.
RELATED = {
    ("insurance-2023", "insurance-2024"): "version",
    ("lease-1", "lease-2"): "version",
    ("lease-2", "lease-bundle"): "version",  # of a part of it
    ("annex", "lease-bundle"): "contained",
    ("lease-1", "lease-bundle"): "contained",
    ("mail", "mail-reply"): "contained",
    ("course-de", "course-en"): "translated",
    ("course-de", "course-pl"): "translated",
    ("course-de", "course-pt"): "translated",
    ("course-en", "course-pl"): "translated",
    ("course-en", "course-pt"): "translated",
    ("course-pl", "course-pt"): "translated",
}
UNLABELLED = {("annex", "lease-1"), ("annex", "lease-2")}
NOISES = ("digital", "light", "medium", "heavy")


@dataclass(frozen=True, slots=True)
class Paper:
    name: str
    content: str
    lang: str
    group: str
    family: str
    kind: str = "letter"
    noise: str = "digital"


def scan_of(paper: Paper, level: str) -> Paper:
    content = scanned(paper.content, level, seed=len(paper.name))
    return replace(paper, name=f"{paper.name}-{level}", content=content, noise=level)


def copy_of(paper: Paper) -> Paper:
    return replace(paper, name=f"{paper.name}-copy", content=paper.content.replace("\n", "\r\n "))


def series(
    family: str, lang: str, template: str, rows: list[dict[str, str]], kind: str = "letter"
) -> list[Paper]:
    """The instances of a form; a row's `name` tells them apart here, the rest fills the blanks."""
    names = [f"{family}-{row['name']}" for row in rows]
    return [
        Paper(name, template.format(**row), lang, name, family, kind)
        for name, row in zip(names, rows, strict=True)
    ]


def fields(names: str, *rows: str) -> list[dict[str, str]]:
    """One row a line, its values between bars."""
    return [dict(zip(names.split(), (v.strip() for v in row.split("|")), strict=True)) for row in rows]


def _bills() -> Iterator[Paper]:
    electricity = series("electricity", "de", PAPERS["electricity"], fields(
        "name month date number read stand kwh work tax total due",
        "01|Januar 2024|02.02.2024|RE-2024-004417|31.01.2024|18.204|231|81,13|17,87|111,90|16.02.2024",
        "02|Februar 2024|04.03.2024|RE-2024-009120|29.02.2024|18.412|208|73,05|16,33|102,28|18.03.2024",
        "03|März 2024|03.04.2024|RE-2024-013876|31.03.2024|18.609|197|69,19|15,60|97,69|17.04.2024",
        "04|April 2024|03.05.2024|RE-2024-018255|30.04.2024|18.778|169|59,35|13,73|85,98|17.05.2024",
    ))  # fmt: skip
    yield from [*electricity, scan_of(electricity[0], "light"), scan_of(electricity[2], "medium")]
    telephone = series("telephone", "en", PAPERS["telephone"], fields(
        "name number date month landline calls mobile mobiles tax total due",
        "jan|HT-558012|1 February 2024|January 2024|184|9.20|61|7.32|11.80|70.82|15 February 2024",
        "feb|HT-561947|1 March 2024|February 2024|202|10.10|48|5.76|11.67|70.03|15 March 2024",
        "mar|HT-566301|2 April 2024|March 2024|177|8.85|70|8.40|11.95|71.70|16 April 2024",
    ))  # fmt: skip
    yield from [*telephone, scan_of(telephone[1], "medium"), scan_of(telephone[2], "heavy")]
    rent = series("rent", "fr", PAPERS["rent-receipt"], fields(
        "name number total first last charges paid",
        "01|2024-0117|825,00|01/01/2024|31/01/2024|85,00|05/01/2024",
        "02|2024-0246|825,00|01/02/2024|29/02/2024|85,00|06/02/2024",
        "03|2024-0391|831,50|01/03/2024|31/03/2024|91,50|05/03/2024",
    ))  # fmt: skip
    yield from [*rent, scan_of(rent[0], "light"), scan_of(rent[2], "medium")]


def _receipts() -> Iterator[Paper]:
    supermarket = series("supermarket", "en", PAPERS["supermarket"], fields(
        "name date time till number items total auth count",
        "a|14/03/2024|17:42|03|0031 8841|Oat milk 1.85\nBread rolls 1.20\nTomatoes 2.45\nWashing powder 7.99|13.49|044187|4",
        "b|16/03/2024|09:18|01|0031 9207|Oat milk 1.85\nBananas 0.96\nCheddar 3.75|6.56|051930|3",
        "c|21/03/2024|18:05|03|0032 0416|Bread rolls 1.20\nOat milk 1.85\nLight bulbs 5.50\nTomatoes 2.45|11.00|062271|4",
        "d|28/03/2024|17:55|02|0032 1188|Easter eggs 4.00\nLamb 12.60\nMint 0.85\nPotatoes 2.10|19.55|070846|4",
    ), "receipt")  # fmt: skip
    yield from [*supermarket, scan_of(supermarket[0], "light"), scan_of(supermarket[3], "medium")]
    bakery = series("bakery", "de", PAPERS["bakery"], fields(
        "name date time number items total given back tax clerk",
        "a|09.03.2024|07:58|10442|4 Brötchen 1,80\n1 Roggenbrot 4,20|6,00|10,00|4,00|0,39|Yilmaz",
        "b|16.03.2024|08:11|10877|6 Brötchen 2,70\n1 Streuselkuchen 3,10|5,80|6,00|0,20|0,38|Krause",
    ), "receipt")  # fmt: skip
    yield from [*bakery, scan_of(bakery[1], "light")]
    parking = series("parking", "de", PAPERS["parking"], fields(
        "name date time place price number",
        "a|12.02.2024|10:31|114|3,50|558812", "b|19.02.2024|10:12|087|3,50|561190", "c|26.02.2024|15:47|114|2,00|563377",
    ), "short")  # fmt: skip
    yield from [*parking, copy_of(parking[1])]
    bus = series("bus", "fr", PAPERS["bus"], fields(
        "name date time price number", "a|08/04/2024|08:02|2,00|771930", "b|09/04/2024|08:04|2,00|774418",
    ), "short")  # fmt: skip
    yield from [*bus, copy_of(bus[0])]


def _letters() -> Iterator[Paper]:
    tax = series("tax", "de", PAPERS["tax-notice"], fields(
        "name date year income solidarity withheld refund wage costs taxable",
        "2022|14.06.2023|2022|5.218,00|0,00|5.904,36|686,36|38.420,00|1.230,00|33.871,00",
        "2023|27.05.2024|2023|5.467,00|0,00|6.020,76|553,76|39.750,00|1.411,00|34.906,00",
    ))  # fmt: skip
    yield from [*tax, scan_of(tax[1], "medium")]
    choir = series("choir", "en", PAPERS["choir-letter"], fields(
        "name seat folder", "Peter|second tenor, row three|58-114", "Agnes|alto, row one|58-207",
        "Donald|bass, row four|58-231",
    ))  # fmt: skip
    yield from [*choir, scan_of(choir[0], "light")]
    for name, text, lang in (("dentist", PAPERS["dentist"], "de"), ("school", PAPERS["school"], "fr")):
        paper = Paper(name, text, lang, name, name)
        yield from [paper, scan_of(paper, "light"), scan_of(paper, "heavy")]


def _edited() -> Iterator[Paper]:
    """Versions, and parts of larger documents."""
    old = PAPERS["insurance"].format(
        date="14.02.2023", clause=PAPERS["deductible"], bicycle="962,00", premium="118,40"
    )
    new = PAPERS["insurance"].format(
        date="12.02.2024", clause=PAPERS["deductible-edited"], bicycle="1.500,00", premium="121,90"
    )
    insured = Paper("insurance-2023", old, "de", "insurance-2023", "insurance")
    yield from [
        insured,
        scan_of(insured, "medium"),
        Paper("insurance-2024", new, "de", "insurance-2024", "insurance"),
    ]
    annex, first = PAPERS["annex"], PAPERS["lease"].format(rent="£52.00", bonfires="in November only")
    second = PAPERS["lease"].format(rent="£58.00", bonfires="after dusk, and never without a bucket of water")
    for name, text in (
        ("lease-1", first), ("lease-2", second), ("annex", annex), ("lease-bundle", f"{first}\f{annex}"),
    ):  # fmt: skip
        yield Paper(name, text, "en", name, "lease", "contract")
    mail = BACKGROUND["itinerary"]
    reply = "Thanks, Ann! I have packed the tent and the good kettle. See you on the platform.\nPeter\n\n> "
    yield Paper("mail", mail, "en", "mail", "mail", "mail")
    yield Paper("mail-reply", reply + mail.replace("\n", "\n> "), "en", "mail-reply", "mail", "mail")


def _translated() -> Iterator[Paper]:
    """One letter in four languages, and a letter to somebody else in two of them."""
    names = "name iso number day time fee phone"
    for lang, template, row in (
        ("de", PAPERS["course-de"], "Miriam Falk|12.03.2024|KR-20417|8.|18:30|84,50|0341 552 7781"),
        ("en", PAPERS["course-en"], "Miriam Falk|12 March 2024|KR-20417|8|18:30|84.50|0341 552 7781"),
        ("pl", PAPERS["course-pl"], "Miriam Falk|12 marca 2024|KR-20417|8|18:30|84,50|0341 552 7781"),
        ("pt", PAPERS["course-pt"], "Miriam Falk|12 de março de 2024|KR-20417|8|18:30|84,50|0341 552 7781"),
    ):
        yield Paper(
            f"course-{lang}", template.format(**fields(names, row)[0]), lang, f"course-{lang}", "course"
        )
    for lang, template, row in (
        ("de", PAPERS["course-de"], "Anton Reis|19.03.2024|KR-20981|15.|17:00|61,00|0341 552 7781"),
        ("en", PAPERS["course-en"], "Ivo Lang|12 March 2024|KR-20733|22|17:00|84.50|0341 552 7781"),
    ):
        group = f"course-other-{lang}"
        yield Paper(group, template.format(**fields(names, row)[0]), lang, group, "course")


def _alone() -> Iterator[Paper]:
    """Background, and pages that OCR could not read: no two of them are alike, whatever they hold."""
    for name, text in BACKGROUND.items():
        if name != "itinerary":
            yield Paper(name, text, "xx", name, name, "background")
    for number, text in enumerate(["", " \n\f\n ", ". , ~ | '", ". , ~ | '"]):
        yield Paper(f"unread-{number}", text, "xx", f"unread-{number}", f"unread-{number}", "unread")


def corpus() -> list[Paper]:
    """All papers in the order in which they come in: a copy may come before what it is a copy of."""
    found = [*_bills(), *_receipts(), *_letters(), *_edited(), *_alone()]
    Random(2024).shuffle(found)
    return [*found, *_translated()]


def documents(found: list[Paper]) -> list[dict[str, Any]]:
    return [
        {"id": number, "content": one.content, "title": one.name, "lang": one.lang, "kind": one.kind,
         "source": "own", "group": one.group, "family": one.family, "noise": one.noise}
        for number, one in enumerate(found, 1)
    ]  # fmt: skip


def pairs(found: list[Paper]) -> list[dict[str, Any]]:
    rows = []
    for (i, one), (j, other) in combinations(enumerate(found, 1), 2):
        if one.family != other.family or {(one.group, other.group), (other.group, one.group)} & UNLABELLED:
            continue
        a, b = (j, i) if (other.group, one.group) in RELATED else (i, j)
        noise = max(one.noise, other.noise, key=NOISES.index)
        rows.append({"a": a, "b": b, "label": label(one, other), "sub": sub(one, other), "noise": noise})
    return rows


def label(one: Paper, other: Paper) -> str:
    if one.group == other.group:
        return "duplicate"
    related = RELATED.get((one.group, other.group)) or RELATED.get((other.group, one.group))
    return related or "template_sibling"


def sub(one: Paper, other: Paper) -> str:
    if one.group != other.group:
        return ""
    return "exact_text" if one.content.split() == other.content.split() else "rescan"
