"""Dates as printed in ten languages -> ISO dates, and billing months ("January 2024") as `2024-01`."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from dedupe_core.text.folding import Span, any_of

# English, German, French, Spanish, Italian, Dutch, Polish, Portuguese, Swedish, Czech and their usual abbreviations; the
# text arrives in lower case and without diacritics.
_MONTHS = (
    "january januar janner jaenner janvier enero gennaio januari jan jaen janv ene genn gen styczen stycznia janeiro leden ledna",
    "february februar feber fevrier febrero febbraio februari feb febr fevr fev febb luty lutego fevereiro unor unora",
    "march marz maerz mars marzo maart mar mrz maer mrt marzec marca marco brezen brezna",
    "april avril abril aprile apr avr abr kwiecien kwietnia duben dubna",
    "may mai mayo maggio mei magg maj maja maio kveten kvetna",
    "june juni juin junio giugno jun giu czerwiec czerwca junho cerven cervna",
    "july juli juillet julio luglio jul juil lug lipiec lipca julho cervenec cervence",
    "august aout agosto augustus aug ago agos sierpien sierpnia augusti srpen srpna",
    "september septembre septiembre setiembre settembre sep sept set sett wrzesien wrzesnia setembro zari",
    "october oktober octobre octubre ottobre oct okt ott pazdziernik pazdziernika outubro rijen rijna",
    "november novembre noviembre nov listopad listopada novembro listopadu",
    "december dezember decembre diciembre dicembre dec dez dic grudzien grudnia dezembro prosinec prosince",
)
_MONTH_OF = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_ALSO_WORDS = {
    "ago",
    "set",
    "gen",
    "marco",
}  # "two years ago 2019", "Marco 2020": no month without a day beside it
_LONGEST_ABBREVIATION = 4

# OCR reads O for 0 and l or I for 1 in the middle of numbers; o, i, l in lower case.
_READ_AS_DIGIT = str.maketrans("oil", "011")
_D = "[0-9oil]"
_DD = f"({_D}{{1,2}})"
_YEAR = f"([12il][09o]{_D}{_D})"
_Y = "(?:19|20)[0-9][0-9]"
_NAME = f"({any_of(' '.join(_MONTHS))})(?![a-z])"
_ORDINAL = "(?:[.oaeº°]|st|nd|rd|th|er)?"
_OF = r"(?:(?:of|del?|di)\s)?"

# Every repeat is bounded and no match is longer than 48 characters, so a scan is linear in the text.
# A form's inner groups are the parts that `_read` takes in this order.
_DATE = re.compile(
    rf"""(?<![a-z0-9])(?:
    (?=[0-9oil]{{1,2}}[^0-9]|[0-9oil]{{4}}) (?:
        (?P<year_first>  {_YEAR} [ ]?(?P<s1>[-/.])[ ]? {_DD} [ ]?(?P=s1)[ ]? {_DD} (?![0-9]|(?P=s1)[0-9]) )
      | (?P<year_last>   {_DD} [ ]?(?P<s2>[-/.])[ ]? {_DD} [ ]?(?P=s2)[ ]? {_YEAR} (?![0-9]|(?P=s2)[0-9]) )
      | (?P<short_year>  {_DD} (?P<s3>[-/.]) {_DD} (?P=s3) ({_D}{{2}}) (?![0-9]|(?P=s3)[0-9]) )
      | (?P<torn>        ([0-3][0-9]) [.,:] ([01][0-9]) [.,:] ({_Y}) (?![0-9]) )
      | (?P<day_name>    {_DD} {_ORDINAL} [\s.\-/]{{0,2}} {_OF} {_NAME} [\s.,\-/']{{0,3}} {_OF}
                         (?: {_YEAR} | ([0-9]{{2}})(?![:.][0-9]) ) (?![0-9]) )
      | (?P<month_year>  (0[1-9]|1[0-2]) ([/.]) ((?:19[5-9]|20[0-4])[0-9]) (?![0-9]|[/.,][0-9]) )
      | (?P<glued>       ({_Y}) ([01][0-9]) ([0-3][0-9]) (?![a-z0-9]|[-/.,][0-9]) )
      | (?P<half_glued>  ([0-3][0-9]) [-/.]? ([01][0-9]) [-/.\ ]? ({_Y}) (?![a-z0-9]|[-/.,][0-9]) ) )
  | (?=[abcdefgjklmnoprsuwz])
        (?P<name_first>  {_NAME} [\s.\-]{{0,3}} (?:([0-3]?[0-9]) {_ORDINAL} [\s,\-]{{1,3}})? {_OF} {_YEAR}
                         (?![0-9]) )
    )""",
    re.VERBOSE,
)
# Where the parts of each form lie among all groups.
_FORMS = [form for form in _DATE.groupindex if form not in ("s1", "s2", "s3")]
_PARTS = {
    form: slice(_DATE.groupindex[form], _DATE.groupindex[after] - 1 if after else None)
    for form, after in zip(_FORMS, [*_FORMS[1:], None], strict=True)
}
_DATE_WORD_BEFORE = re.compile(r"(?:date|datum|dated|fecha|data|vom|du|del)[\s:.\-]{0,4}$")


class _Order(Enum):
    """What a date says about how `03/04/2024` is meant in the same document."""

    SILENT = 0
    DAY_FIRST = 1  # 15/01/2024
    MONTH_FIRST = 2  # 01/15/2024
    SPELLED_MONTH_FIRST = 3  # "January 15, 2024": how month-first writers spell it out


@dataclass(frozen=True, slots=True)
class _Date:
    """A date the calendar has. Day 0: only the month is printed. Swappable: maybe the other way round."""

    year: int
    month: int
    day: int
    order: _Order = _Order.SILENT
    swappable: bool = False


def find_dates(text: str) -> tuple[list[str], list[Span]]:
    """Read the dates of a folded, lower-case text: their canonical forms and their positions, in order."""
    found = list(_dates(text))
    month_first = _is_month_first(text, [date for date, _ in found])
    return [_canonical(date, month_first) for date, _ in found], [span for _, span in found]


def _dates(text: str) -> Iterator[tuple[_Date, Span]]:
    position = 0
    while match := _DATE.search(text, position):
        date = _read(match)
        if date is not None:
            yield date, match.span()
        # A misreading may hide a date that starts inside it: "3 mar 20.01.2024".
        position = match.end() if date is not None else match.start() + 1


def _read(found: re.Match[str]) -> _Date | None:
    form = found.lastgroup or ""
    match form, [part for part in found.groups()[_PARTS[form]] if part is not None]:
        case "year_first", [year, separator, month, day]:
            is_number = _is_one_number(found, separator, year + month + day)
            return _dated(year, _number(month), day) if is_number else None
        case "year_last" | "short_year", [first, separator, second, year]:
            is_number = _is_one_number(found, separator, first + second + year)
            return _year_last(separator, first, second, year) if is_number else None
        case "torn", [day, month, year]:
            return _dated(year, int(month), day) if _is_one_number(found, ".", year) else None
        case "day_name", [day, name, year]:
            is_year = len(year) > 2 or len(name) <= _LONGEST_ABBREVIATION  # not "on 15 August 20 people"
            return _dated(year, _MONTH_OF[name], day) if is_year else None
        case "name_first", [name, day, year]:
            return _dated(year, _MONTH_OF[name], day, _Order.SPELLED_MONTH_FIRST)
        case "name_first", [name, year]:
            return _month(year, _MONTH_OF[name]) if name not in _ALSO_WORDS else None
        case "month_year", [month, separator, year]:
            return _month(year, int(month)) if _is_one_number(found, separator, year) else None
        case ("glued", [year, month, day]) | ("half_glued", [day, month, year]):
            return _dated(year, int(month), day) if _is_announced(found) else None
    return None


def _is_announced(found: re.Match[str]) -> bool:
    """`20240115` may number anything and `2604/2017` lost a stroke: dates if "date" is before it."""
    return bool(_DATE_WORD_BEFORE.search(found.string, max(0, found.start() - 12), found.start()))


def _is_one_number(found: re.Match[str], separator: str, parts: str) -> bool:
    """Not the tail of `RE-2024-01-15` or `10.12.01.2024`; at most a third of it letters read as digits."""
    letters = 0 if parts.isdigit() else sum(map(str.isalpha, parts))
    before = found.string[max(0, found.start() - 2) : found.start()]
    if before[-1:] in (".", ","):
        continues = before[:-1].isdigit()
    else:
        continues = before[-1:] == separator and before[:-1].isalnum()
    return letters * 3 <= len(parts) and not continues


def _year_last(separator: str, first: str, second: str, year: str) -> _Date | None:
    a, b = _number(first), _number(second)
    if separator == ".":
        return _dated(year, b, first)
    if a <= 12 < b:
        return _dated(year, a, second, _Order.MONTH_FIRST)
    order = _Order.DAY_FIRST if a > 12 else _Order.SILENT
    return _dated(year, b, first, order, swappable=a <= 12)


def _dated(
    year: str, month: int, day: str, order: _Order = _Order.SILENT, *, swappable: bool = False
) -> _Date | None:
    """The date, if the calendar has it; a day has a digit: "il luglio 2024" is not the 11th of July."""
    full_year, day_number = _full_year(year), _number(day)
    if day.isalpha() or not _is_possible(full_year, month, day_number):
        return None
    return _Date(full_year, month, day_number, order, swappable)


def _month(year: str, month: int) -> _Date | None:
    full_year = _full_year(year)
    return _Date(full_year, month, 0) if _is_possible(full_year, month, 1) else None


def _is_possible(year: int, month: int, day: int) -> bool:
    return 1900 <= year <= 2099 and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]


def _number(digits: str) -> int:
    return int(digits.translate(_READ_AS_DIGIT))


def _full_year(digits: str) -> int:
    year = _number(digits)
    if len(digits) == 4:
        return year
    return 2000 + year if year < 70 else 1900 + year


def _is_month_first(text: str, dates: Iterable[_Date]) -> bool:
    """Whether `03/04/2024` is the 4th of March here: only if something else in the document says so."""
    orders = [date.order for date in dates]
    month_first, day_first = orders.count(_Order.MONTH_FIRST), orders.count(_Order.DAY_FIRST)
    if month_first or day_first:
        return month_first > day_first
    return "mm/dd" in text or _Order.SPELLED_MONTH_FIRST in orders


def _canonical(date: _Date, month_first: bool) -> str:
    if date.day == 0:
        return f"{date.year:04}-{date.month:02}"
    month, day = (date.day, date.month) if date.swappable and month_first else (date.month, date.day)
    return f"{date.year:04}-{month:02}-{day:02}"
