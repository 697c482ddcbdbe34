"""What paper gains on its way: stamps, handwriting, fax lines, and the frame of a printed mail or web page."""

from __future__ import annotations

import random
from datetime import date, timedelta

from scripts.corpus.locales import Locale
from scripts.corpus.noise import misread
from scripts.corpus.values import FIRST_DAY, filled, written


def some_day(rng: random.Random, locale: Locale, style: str | None = None) -> str:
    day: date = FIRST_DAY + timedelta(days=rng.randint(0, 3300))
    return written(day, style or rng.choice(locale.dates), locale)


def some_time(rng: random.Random) -> str:
    return f"{rng.randint(6, 21)}:{rng.randint(0, 59):02}"


def stamped(lines: list[str], locale: Locale, rng: random.Random) -> list[str]:
    """One or two of: a received stamp, a copy mark, a note by hand, a fax line, the holes and folds that are read."""
    out = list(lines)
    for mark in rng.sample((_stamp, _stamp, _copy, _note, _note, _fax, _scrawl), rng.choice((1, 1, 2))):
        out = mark(out, locale, rng)
    return out


def _put(lines: list[str], line: str, rng: random.Random, *, edge: bool) -> list[str]:
    at = rng.choice((0, 1, len(lines))) if edge else rng.randint(0, len(lines))
    if not edge and lines and rng.random() < 0.35:  # beside a printed line, so it is read as part of it
        at = min(at, len(lines) - 1)
        return [*lines[:at], f"{lines[at]} {line}", *lines[at + 1 :]]
    return [*lines[:at], line, *lines[at:]]


def _stamp(lines: list[str], locale: Locale, rng: random.Random) -> list[str]:
    text = rng.choice(locale.stamps).format(date=some_day(rng, locale))
    return _put(lines, misread(text, rng.choice((0.0, 0.02, 0.1)), rng), rng, edge=rng.random() < 0.6)


def _copy(lines: list[str], locale: Locale, rng: random.Random) -> list[str]:
    return _put(lines, rng.choice(locale.copies), rng, edge=rng.random() < 0.7)


def _note(lines: list[str], locale: Locale, rng: random.Random) -> list[str]:
    text = rng.choice(locale.notes).format(short=f"{rng.randint(1, 28)}.{rng.randint(1, 12)}.")
    return _put(lines, misread(text, rng.choice((0.02, 0.1, 0.3)), rng), rng, edge=rng.random() < 0.3)


def _scrawl(lines: list[str], locale: Locale, rng: random.Random) -> list[str]:
    """Handwriting that no OCR reads."""
    words = (
        "".join(rng.choice("aeinruvwlLMJb/~,.") for _ in range(rng.randint(2, 6)))
        for _ in range(rng.randint(1, 4))
    )
    return _put(lines, " ".join(words), rng, edge=rng.random() < 0.3)


def _fax(lines: list[str], locale: Locale, rng: random.Random) -> list[str]:
    number = filled(locale.phone, rng)
    text = rng.choice(
        (
            "{day} {time} FAX {number} {name} S. 01/01",
            "{time} {day} {number} P.1",
            "FROM: {name} TEL: {number} {day} {time} #1",
        )
    )
    head = text.format(
        day=some_day(rng, locale, locale.dates[0]),
        time=some_time(rng),
        number=number,
        name=rng.choice(locale.firms).upper(),
    )
    return [head, *lines]


def mailed(lines: list[str], locale: Locale, rng: random.Random) -> list[str]:
    """Printed from a mail program: another head each time, sometimes a foot."""
    sender, to, sent, subject = locale.mail
    who = f"{rng.choice(locale.first)} {rng.choice(locale.last)}"
    address = f"{filled('@@@##', rng).lower()}@{rng.choice(('post', 'inbox', 'webmail'))}.{locale.domain}"
    head = [
        f"{sender}: {rng.choice(('office', 'service', 'noreply', 'contact'))}@{rng.choice(locale.firms).lower()}.{locale.domain}",
        f"{to}: {who} <{address}>",
        f"{sent}: {some_day(rng, locale)} {some_time(rng)}",
        f"{subject}: {rng.choice(('Fwd: ', 'AW: ', 'Re: ', ''))}{lines[0].strip() if lines else ''}",
    ]
    foot = [locale.page.format(n=1, of=rng.randint(1, 3))] if rng.random() < 0.5 else []
    return [*head[: rng.randint(3, 4)], *([""] if rng.random() < 0.5 else []), *lines, *foot]


def browsed(lines: list[str], locale: Locale, rng: random.Random) -> list[str]:
    """Printed from a browser: date and title above, address and page below."""
    url = f"https://www.{rng.choice(locale.firms).lower()}.{locale.domain}/{filled('@@@@', rng).lower()}?id={rng.randint(1000, 99999)}"
    pages = rng.randint(1, 3)
    head = f"{some_day(rng, locale, locale.dates[0])}, {some_time(rng)} {lines[0].strip() if lines else ''}"
    middle = rng.randint(1, len(lines)) if pages > 1 and lines else len(lines)
    foot = f"{url} {1}/{pages}"
    if middle < len(lines):
        return [head, *lines[:middle], foot, head, *lines[middle:], f"{url} 2/{pages}"]
    return [head, *lines, foot]


def portal(lines: list[str], locale: Locale, rng: random.Random) -> list[str]:
    """Printed from a sender's portal: always in the same frame, only the print time is another one each time."""
    frame = random.Random(lines[0] if lines else "")
    url = (
        f"https://portal.{frame.choice(locale.firms).lower()}.{locale.domain}/{filled('@@@@', frame).lower()}"
    )
    mark = locale.printed.format(day=some_day(rng, locale, locale.dates[0]), time=some_time(rng))
    head = [mark] if frame.random() < 0.5 else [f"{url} {mark}"]
    foot = [locale.page.format(n=1, of=1), url]
    return [*head, *lines, *foot] if frame.random() < 0.6 else [*lines, *head, *foot]


def quoted(lines: list[str], locale: Locale, rng: random.Random, answer: list[str]) -> list[str]:
    """A mail in the reply to it."""
    who = f"{rng.choice(locale.first)} {rng.choice(locale.last)}"
    said = locale.wrote.format(date=some_day(rng, locale), time=some_time(rng), who=who)
    mark = rng.choice(("> ", "> ", "", "| "))
    return [*answer, "", said, *(mark + line for line in lines)]
