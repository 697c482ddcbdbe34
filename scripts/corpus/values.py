"""What fills a blank of a template: people, places, dates, amounts and numbers, drawn for one scope and kept there."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import cycle

from scripts.corpus.locales import Locale

FIRST_DAY = date(2017, 1, 2)


@dataclass(frozen=True, slots=True)
class Value:
    """What is printed, its parts by name, and the number behind it for sums and later dates."""

    text: str
    parts: dict[str, str] = field(default_factory=dict)
    cents: int = 0
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """One blank: its generator, what the template says to it, and where in a series the paper stands."""

    rng: random.Random
    locale: Locale  # of names and places
    printed: Locale  # of dates and amounts
    spec: str
    style: random.Random  # the same for all papers of a sender
    steps: int  # months since the first paper of the series
    base: random.Random  # the same for all papers of the series
    known: Callable[[str], Value]


def filled(mask: str, rng: random.Random) -> str:
    """A mask with # for a digit and @ for a letter."""
    digits = (
        str(rng.randint(0, 9)) if one == "#" else rng.choice("ABCDEFGHJKLMNPRSTUVWXZ") if one == "@" else one
        for one in mask
    )
    return "".join(digits)


def money(cents: int, locale: Locale) -> str:
    whole, rest = divmod(abs(cents), 100)
    return (
        ("-" if cents < 0 else "")
        + f"{whole:,}".replace(",", locale.thousands)
        + f"{locale.decimal}{rest:02}"
    )


def person(asked: Asked) -> Value:
    woman = asked.rng.random() < 0.5
    first, last = asked.rng.choice(asked.locale.first), asked.rng.choice(asked.locale.last)
    title = asked.locale.titles[woman]
    return Value(
        f"{first} {last}", {"first": first, "last": last, "title": title, "upper": f"{last}/{first}".upper()}
    )


def firm(asked: Asked) -> Value:
    name, form = asked.rng.choice(asked.locale.firms), asked.rng.choice(asked.locale.forms)
    trade = asked.spec.split(";") if asked.spec else [""]
    words = f"{name} {asked.rng.choice(trade)} {form}".split()
    plain = "".join(one for one in name.lower() if one.isascii() and one.isalpha())
    return Value(
        " ".join(words),
        {
            "name": name,
            "site": f"www.{plain}.{asked.locale.domain}",
            "upper": " ".join(words).upper(),
            "mail": f"info@{plain}.{asked.locale.domain}",
        },
    )


def street(asked: Asked) -> Value:
    return Value(
        asked.locale.street.format(
            number=asked.rng.randint(1, 148), street=asked.rng.choice(asked.locale.streets)
        )
    )


def city(asked: Asked) -> Value:
    name = asked.rng.choice(asked.locale.cities)
    mask = asked.locale.city.replace("{city}", "\0")
    return Value(filled(mask, asked.rng).replace("\0", name), {"name": name})


def mail(asked: Asked) -> Value:
    who = "".join(
        one for one in asked.rng.choice(asked.locale.last).lower() if one.isascii() and one.isalpha()
    )
    return Value(
        f"{who}{asked.rng.randint(1, 99)}@{asked.rng.choice(('post', 'mailbox', 'inbox'))}.{asked.locale.domain}"
    )


# Behind the check digits: bank and account, as each country has them.
_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}(?: [A-Z0-9]{1,4}){3,7}")
_BANK_AND_ACCOUNT = {
    "DE": 18 * "#", "ES": 20 * "#", "FR": 23 * "#", "GB": "@@@@" + 14 * "#", "IT": "@" + 22 * "#", "NL": "@@@@" + 10 * "#",
    "PL": 24 * "#", "PT": 21 * "#", "SE": 20 * "#", "CZ": 20 * "#",
}  # fmt: skip


_DRAWN = (
    20 * "#"
)  # as many for every country, so that one with a longer account changes nothing else of a corpus


def iban(asked: Asked) -> Value:
    country = asked.locale.country
    drawn = cycle(filled(_DRAWN, asked.rng))
    account = (
        next(drawn) if one == "#" else "ABDEFHKNRT"[int(next(drawn))] for one in _BANK_AND_ACCOUNT[country]
    )
    return Value(with_check_digits(country, "".join(account)))


def with_check_digits(country: str, account: str) -> str:
    """An IBAN as it is printed, in fours: a bank takes no other check digits than these."""
    number = int("".join(str(int(one, 36)) for one in f"{account}{country}00"))
    whole = f"{country}{98 - number % 97:02}{account}"
    return " ".join(whole[at : at + 4] for at in range(0, len(whole), 4))


def written(day: date, style: str, locale: Locale) -> str:
    found = (
        style.replace("yyyy", f"{day.year}")
        .replace("yy", f"{day.year % 100:02}")
        .replace("dd", f"{day.day:02}")
        .replace("mm", f"{day.month:02}")
    )
    if "month" in found:
        days = {"d": f"{day.day}", "d.": f"{day.day}.", "d,": f"{day.day},"}
        found = " ".join(days.get(one, one) for one in found.split(" "))
        found = found.replace("month", locale.months[day.month - 1])
    return found


def dated(day: date, asked: Asked) -> Value:
    style = asked.style.choice(asked.printed.dates)
    parts = {
        "short": written(day, asked.printed.dates[0] if "month" not in asked.printed.dates[0] else "dd/mm/yy", asked.printed),
        "long": written(day, next(one for one in asked.printed.dates if "month" in one), asked.printed),
        "month": f"{asked.printed.months[day.month - 1]} {day.year}", "year": str(day.year), "next": str(day.year + 1),
    }  # fmt: skip
    return Value(written(day, style, asked.printed), parts, day=day)


def months_later(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, 28))


def day(asked: Asked) -> Value:
    """`date`: advances with the series; `date/p_date+14`: that many days later; `date/old`: long ago."""
    if "+" in asked.spec or "-" in asked.spec:
        sign = 1 if "+" in asked.spec else -1
        other, _, offset = asked.spec.replace("-", "+").partition("+")
        found = asked.known(other).day
        assert found is not None, f"{other} is not a date"
        return dated(found + sign * timedelta(days=int(offset)), asked)
    if asked.spec == "old":
        return dated(date(1938, 1, 1) + timedelta(days=asked.rng.randint(0, 24000)), asked)
    start = FIRST_DAY + timedelta(days=asked.base.randint(0, 2600))
    later = months_later(start, asked.steps) + timedelta(days=asked.rng.randint(0, 3) if asked.steps else 0)
    return dated(later, asked)


def amount(asked: Asked) -> Value:
    """`amount/20-300`: in that range; `amount/p_net*0.19`: a share of another; `amount/p_a+p_b-p_c`: a sum."""
    spec = asked.spec or "10-900"
    if "*" in spec:
        other, _, share = spec.partition("*")
        cents = round(asked.known(other).cents * float(share))
    elif spec[0].isalpha():
        cents = sum(
            (-1 if one.startswith("-") else 1) * asked.known(one.lstrip("-")).cents
            for one in spec.replace("-", "+-").split("+")
            if one
        )
    else:
        low, _, high = spec.partition("-")
        cents = asked.rng.randint(int(low) * 100, int(high) * 100)
        if asked.rng.random() < 0.3:
            cents = cents // 50 * 50
    return Value(money(cents, asked.printed), {"whole": str(cents // 100)}, cents)


def integer(asked: Asked) -> Value:
    low, _, high = (asked.spec or "1-99").partition("-")
    return Value(str(asked.rng.randint(int(low), int(high))))


def identifier(asked: Asked) -> Value:
    """A mask; where the sender numbers its papers one after the other, the number of the paper before and a little more."""
    mask = asked.spec or "######"
    if asked.steps and asked.style.random() < 0.5 and mask.count("#") >= 4:
        text = filled(mask, asked.base)
        digits = [at for at, one in enumerate(mask) if one == "#"]
        number = (
            int("".join(text[at] for at in digits)) + asked.steps * asked.style.randint(1, 40)
        ) % 10 ** len(digits)
        found = list(text)
        for at, one in zip(digits, f"{number:0{len(digits)}}", strict=True):
            found[at] = one
        return Value("".join(found))
    return Value(filled(mask, asked.rng))


def one_digit_off(value: Value, rng: random.Random) -> Value:
    """An amount or a number with one digit changed: the edit that is hardest to tell from a misread one.

    Another account has other check digits, too.
    """
    text = value.text
    if _IBAN.fullmatch(text):
        account = text.replace(" ", "")[4:]
        changed = account[:-1] + rng.choice([one for one in "0123456789" if one != account[-1]])
        return Value(with_check_digits(text[:2], changed))
    at = rng.choice([at for at, one in enumerate(text) if one.isdigit()])
    digit = rng.choice([one for one in "123456789" if one != text[at]])
    changed = f"{text[:at]}{digit}{text[at + 1 :]}"
    return Value(changed, cents=int("".join(one for one in changed if one.isdigit())))


def near(asked: Asked) -> Value:
    """`near/p_sum`: what another blank holds with one digit changed."""
    return one_digit_off(asked.known(asked.spec), asked.rng)


def items(asked: Asked) -> Value:
    """`items/3-6`: rows of things bought with prices; `.total` is their sum."""
    low, _, high = (asked.spec or "3-7").partition("-")
    names = asked.rng.sample(asked.locale.items, asked.rng.randint(int(low), int(high or low)))
    rows, total = [], 0
    form = asked.style.randint(0, 2)
    for name in names:
        count, price = asked.rng.choice((1, 1, 1, 2, 3)), asked.rng.randint(59, 2400)
        total += count * price
        each, whole = money(price, asked.printed), money(count * price, asked.printed)
        rows.append(
            (
                f"{name} || {count} x {each} || {whole}",
                f"{count} {name} || {whole}",
                f"{name}\n  {count} x {each} || {whole}",
            )[form]
        )
    return Value("\n".join(rows), {"total": money(total, asked.printed), "count": str(len(names))}, total)


KINDS: dict[str, Callable[[Asked], Value]] = {
    "person": person, "firm": firm, "street": street, "city": city, "mail": mail, "iban": iban, "date": day,
    "amount": amount, "int": integer, "id": identifier, "near": near, "items": items,
    "first": lambda asked: Value(asked.rng.choice(asked.locale.first)),
    "last": lambda asked: Value(asked.rng.choice(asked.locale.last)),
    "phone": lambda asked: Value(filled(asked.locale.phone, asked.rng)),
    "time": lambda asked: Value(f"{asked.rng.randint(6, 21)}:{asked.rng.randint(0, 59):02}"),
    "choice": lambda asked: Value(asked.rng.choice(asked.spec.split(";")).strip()),
}  # fmt: skip
