"""Papers inside others: several letters scanned in one go, and mails quoted in the reply to them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from scripts.corpus import additions, layout
from scripts.corpus.layout import PAGE, Layout
from scripts.corpus.papers import Paper, Scan, label, worse
from scripts.corpus.sender import Sender, scanned
from scripts.corpus.template import Place

SHARE = 30  # senders a bundle


def bundles(
    senders: list[tuple[Sender, list[Scan]]], rng: random.Random
) -> Iterator[tuple[Scan, list[int], list[int]]]:
    """A document of several papers, the positions of the scans of its parts, and those of their siblings."""
    fit = [at for at, (_, scans) in enumerate(senders) if _usable(scans)]
    rng.shuffle(fit)
    first = [0]
    for _, scans in senders:
        first.append(first[-1] + len(scans))
    number = 0
    while len(fit) > 3 and number < len(senders) // SHARE * 3:
        number += 1
        how = ("bundle", "months", "quote")[number % 3]
        taken = [fit.pop() for _ in range(rng.choice((2, 3)) if how == "bundle" else 1)]
        chosen: list[Paper] = []
        for at in taken:
            chosen += _papers(senders[at][1], 3 if how == "months" else 1, rng)
        if how == "months" and len(chosen) < 2:
            continue  # one paper alone is no bundle but the paper itself
        everything = [first[at] + i for at in taken for i in range(len(senders[at][1]))]
        where = dict(zip(everything, (scan for at in taken for scan in senders[at][1]), strict=True))
        identities = {(paper.template.name, paper.identity) for paper in chosen}
        parts = [
            i for i in everything if (where[i].paper.template.name, where[i].paper.identity) in identities
        ]
        yield _joined(chosen, number, how, rng), parts, [i for i in everything if i not in parts]


def _usable(scans: list[Scan]) -> bool:
    """Papers without versions and parts, which a bundle would be a version or a part of in turn."""
    papers = [scan.paper for scan in scans]
    if not papers or papers[0].template.kind in ("no_facts", "translated"):
        return False
    return not any(paper.version or paper.part != "whole" for paper in papers)


def _papers(scans: list[Scan], count: int, rng: random.Random) -> list[Paper]:
    found = list({scan.paper.identity: scan.paper for scan in scans if not scan.paper.empty}.values())
    return rng.sample(found, min(count, len(found)))


def _joined(papers: list[Paper], number: int, how: str, rng: random.Random) -> Scan:
    text = f"\n{PAGE}\n".join(paper.text for paper in papers)
    look = Layout.draw(rng)
    whole = Paper(papers[0].template, Place(0, number), how, text=text, bundle=number)
    if how != "quote":
        return scanned(whole, rng.choice(("digital", "scan", "scan")), look, rng)
    answers = papers[0].template.locale.answers
    body = layout.digital(layout.printed(text, look), look)
    lines = additions.quoted(body, whole.locale, rng, rng.sample(answers, rng.randint(1, 2)))
    return Scan(
        whole,
        "digital",
        "digital",
        tuple(additions.mailed(lines, whole.locale, rng) if rng.random() < 0.5 else lines),
    )


def bundle_labels(
    position: int, bundle: Scan, parts: list[int], siblings: list[int], scans: list[Scan]
) -> Iterator[dict[str, Any]]:
    for part in parts:
        yield label(part, position, "contained", "", worse(scans[part], bundle))
    for sibling in siblings:
        yield label(sibling, position, "template_sibling", "other", worse(scans[sibling], bundle))
