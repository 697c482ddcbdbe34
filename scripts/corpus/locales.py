"""Names, places, formats and phrases of the countries that papers come from, as locales.toml has them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Locale:
    lang: str
    country: str
    first: tuple[str, ...]
    last: tuple[str, ...]
    streets: tuple[str, ...]
    street: str  # how a street and its number are written
    cities: tuple[str, ...]
    city: str  # how a postcode and a city are written; # is a digit, @ a letter
    months: tuple[str, ...]
    dates: tuple[str, ...]  # d day, dd two digits, mm month in digits, month in words, yy, yyyy
    thousands: str
    decimal: str
    phone: str
    firms: tuple[str, ...]
    forms: tuple[str, ...]  # legal forms
    titles: tuple[str, str]
    domain: str
    notes: tuple[str, ...]  # what people write by hand on a letter
    stamps: tuple[str, ...]  # what an office stamps on a letter
    copies: tuple[str, ...]
    mail: tuple[str, str, str, str]  # From, To, Sent, Subject
    page: str
    wrote: str  # before a quoted mail
    items: tuple[str, ...]  # what a shop sells
    answers: tuple[str, ...]  # to a mail
    negation: str
    tesseract: str  # its name there
    printed: str = ""  # what a portal prints on each page; not every one does


def _loaded(lang: str, row: dict[str, Any]) -> Locale:
    fields: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in row.items()}
    return Locale(lang, **fields)


ROWS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
LOCALES = {lang: _loaded(lang, row) for lang, row in ROWS.items()}
