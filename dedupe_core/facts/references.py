"""Reference numbers (invoice, customer, contract, meter, IBAN, ...) -> upper-case letters and digits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import ascii_letters

from dedupe_core.facts.accounts import IBAN_LENGTH, canonical, is_misread_account
from dedupe_core.text.folding import Span, any_of, blank

# What a number may belong to, in six languages; lower case, no diacritics. Compounds and plurals go on.
_NOUN = any_of(
    """
    rechnung rech rg kunde kd vertrag zahler zaehler akte police versicherung vers bestell auftrag beleg
    steuer mitglied konto liefer angebot vorgang buchung bon ticket mandat glaubiger ust schaden personal
    patient
    invoice inv account acct a/c customer cust order po p.o contract policy receipt rcpt bill doc document
    case meter claim member booking transaction trans trx check chk cheque employee serial payment vat tax gst
    reg registration slip quote quotation shipment tracking delivery license licence statement
    facture client contrat commande dossier compteur recu adherent devis compte
    factura cliente contrato pedido poliza recibo expediente contador cuenta nif cif
    fattura contratto ordine polizza ricevuta pratica contatore conto
    factuur klant polis bestel btw rekening
    """
)
_NUMBER_IN_COMPOUNDS = any_of("nummer nummern nr numero number konto zeichen ident idnr")
_NUMBER_WORD = any_of("nummer nummern nr numero number num nbr no n° nº n. id idnr id-nr id.-nr code # ° º")
_REFERENCE_WORD = any_of(
    """
    aktenzeichen geschaftszeichen kassenzeichen az re-nr referenz mandatsreferenz reference ref referencia
    riferimento rif referentie kenmerk siret siren
    """
)
# "n° client" has its number word before the noun, "Kundennummer", "DocNo" and "invoice no." behind it; a noun
# without one needs a colon ("Order:"), a word such as "Aktenzeichen" needs nothing.
_LABEL = re.compile(
    rf"""(?<![a-z0-9])(?=[a-gik-pr-vz])(?:
    (?P<before> (?:n[°º]|nr|num|numero|no)\.?\s?(?:(?:del?|du|di|van)\s)? )? {_NOUN} (?:
        (?P<behind> [a-z]{{0,8}}?{_NUMBER_IN_COMPOUNDS} | (?:[a-z]{{0,4}}[ .\-/]{{1,2}})?{_NUMBER_WORD} )
      | [a-z]{{0,8}}(?: (?=[ .]{{0,2}}[:;]) | (?(before)|(?!)) ) )
  | {_REFERENCE_WORD} | (?:unser|ihr|mein)\ zeichen
    )(?![a-z])""",
    re.VERBOSE,
)
# Behind a label: "3 C 345/20" of a court, "12 345 678", "DE 123456789", or one token.
_VALUE = re.compile(
    r"""[\s.,:;\#°º=*()\-]{0,6}(?P<value>
    [0-9]{1,3}\ [A-Za-z]{1,4}\ [0-9]{1,6}/[0-9]{2,4}
  | (?:[A-Z]{1,3}\s)?[0-9]{1,4}(?:\ [0-9]{2,4}){2,6}(?![0-9.,])
  | (?:[A-Z]{1,3}\s)?[A-Za-z0-9]{1,30}+(?:[-/_]{1,2}[A-Za-z0-9]{1,20}+|\.[0-9]{1,12}+){0,6}+
    )(?![A-Za-z0-9]|\s?%|[.,][0-9])""",
    re.VERBOSE,
)
_FILLER_WORDS = 2  # "Invoice no. Date Due" over their values: the number may follow two more words

# Without a label: letters and digits joined by - or /, with three digits at least; not a piece of a number,
# an address or a word. Found at its first digit, as digits are rare; the letters before it are added then.
_FROM_FIRST_DIGIT = re.compile(
    r"""[0-9](?<![0-9].)(?<![0-9][.,:'].)(?=(?:[A-Za-z/\-]{0,14}[0-9]){2})
    [A-Za-z0-9]{0,30}+(?:[-/][A-Za-z0-9]{1,20}+){0,6}+(?![\w@]|[-/][A-Za-z0-9]|[.,:'][0-9]|\s?%)""",
    re.VERBOSE,
)
_SHORTEST_MIXED, _SHORTEST_NUMBER, _LONGEST = 5, 6, 40  # "KL445", "447001"; five digits are a postcode
_LETTERS_AND_JOINTS = ascii_letters + "-/"
_NOT_BEFORE = re.compile(r"[\w@$€£]")
_ADDRESS = re.compile(r"[hw](?:ttps?:|ww\.)\S{1,400}")
_WORD = re.compile("[a-z]{4}")
_STANDARD = re.compile("ISO|DIN|EN|IEC|RFC|IEEE|E[UGC]|UTF|SHA")

_COUNTRY = any_of(" ".join(IBAN_LENGTH))
_IBAN = re.compile(rf"[A-Z]{{2}}[0-9]{{2}}(?<!\w....)(?<={_COUNTRY}..)(?: ?[A-Z0-9]){{11,30}}")

_Found = tuple[int, int, str]  # start, end, canonical form


def find_references(text: str) -> list[str]:
    """Read the references of a folded text without dates and amounts, in order of appearance."""
    lower = text.lower()
    if "ttp" in lower or "ww." in lower:
        text = blank(text, [match.span() for match in _ADDRESS.finditer(lower)])
    ibans = list(_ibans(text))
    if ibans:
        text = blank(text, map(_span, ibans))
    labelled = list(_labelled(text))
    text = blank(text, map(_span, labelled))
    return [reference for _, _, reference in sorted([*ibans, *labelled, *_shaped(text)])]


def _span(found: _Found) -> Span:
    return found[0], found[1]


def _ibans(text: str) -> Iterator[_Found]:
    """By country and length. The check digits are not asked: one misread character would lose the account."""
    for match in _IBAN.finditer(text):
        length = IBAN_LENGTH[match.group()[:2]]
        iban = canonical(match.group())[:length]
        if len(iban) == length and _digits(iban) * 2 > length:
            yield match.start(), _end_of(text, match.start(), length), iban


def _end_of(text: str, start: int, characters: int) -> int:
    """Where as many characters end, spaces not counted."""
    end = start
    while characters:
        characters -= text[end] != " "
        end += 1
    return end


def _labelled(text: str) -> Iterator[_Found]:
    position = 0
    for label in _LABEL.finditer(text.lower()):
        if label.start() >= position and (found := _value_behind(text, label)):
            position = found[1]
            yield found


def _value_behind(text: str, label: re.Match[str]) -> _Found | None:
    position = label.end()
    numbered = label["before"] is not None or label["behind"] is not None
    for fillers in range(1 + _FILLER_WORDS if numbered else 1):
        value = _VALUE.match(text, position)
        if value is None:
            return None
        reference = canonical(value["value"])
        if _digits(reference):
            beside = numbered and fillers == 0
            return (*value.span("value"), reference) if _is_value(value["value"], reference, beside) else None
        position = value.end()
    return None


def _is_value(token: str, reference: str, beside_number_word: bool) -> bool:
    """`Invoice no. 500` and `Invoice: 14906` number something; `Payment: 500` and `Reference 2019` do not."""
    if len(reference) < 3 or _WORD.search(token):
        return False
    return beside_number_word or (_digits(reference) >= 4 and not _is_year(reference))


def _shaped(text: str) -> Iterator[_Found]:
    for match in _FROM_FIRST_DIGIT.finditer(text):
        first, end = match.span()
        start = first - _letters_before(text, first)
        shortest = _SHORTEST_NUMBER if start == first else _SHORTEST_MIXED
        if end - start >= shortest and not _NOT_BEFORE.match(text, start - 1, start):
            token = text[start:end]
            if _looks_like_reference(token):
                yield start, end, canonical(token)


def _letters_before(text: str, place: int) -> int:
    """How many letters and joints precede, up to a word's length."""
    before = text[max(0, place - 16) : place]
    return len(before[len(before.rstrip(_LETTERS_AND_JOINTS)) :].lstrip("-/"))


def _looks_like_reference(token: str) -> bool:
    """By its shape alone: `RE-2023-45588`, `KL4455`, `4470012`; not `COVID-19`, `Boeing-747`, `1990er`."""
    reference = canonical(token)
    digits = _digits(reference)
    if not _SHORTEST_MIXED <= len(reference) <= _LONGEST or _WORD.search(token):
        return False
    if digits == len(reference):
        return digits >= _SHORTEST_NUMBER and not _is_quantity_or_time(token)
    if reference[0].isdigit():
        return digits >= _SHORTEST_NUMBER and token.isupper()
    return (token.isupper() or digits >= 5) and not _is_name_with_number(reference)


def _is_quantity_or_time(token: str) -> bool:
    """`100000` people, season `2019/20`, pages `451-457`, act `761/2001`, impossible date `31/02/2024`."""
    groups = re.split("[-/]", token)
    widths = [len(group) for group in groups]
    if len(groups) == 1:
        return token.endswith("000") and len(token) <= 8
    if len(groups) == 3:
        return sorted(widths) in ([2, 2, 2], [1, 1, 4], [1, 2, 4], [2, 2, 4])
    if _is_year(groups[0]) and widths[1] == 2:
        return True
    if len(groups) > 3 or "0" in (token[0], groups[1][0]):
        return False  # what is padded with zeros is a running number
    if any(map(_is_year, groups)):
        return max(widths) <= 4
    return widths[0] == widths[1] and 0 < int(groups[1]) - int(groups[0]) < 100


def _is_name_with_number(reference: str) -> bool:
    """`ISO9001`, `EM2024`: a word and one number that numbers no document."""
    word = reference.rstrip("0123456789")
    return word.isalpha() and bool(_STANDARD.fullmatch(word) or _is_year(reference[len(word) :]))


def _is_year(digits: str) -> bool:
    return len(digits) == 4 and digits[:2] in ("19", "20")


def _digits(reference: str) -> int:
    return sum(map(str.isdigit, reference))


# Letters that OCR puts for a digit. No two digits share a class: another digit is another reference.
_AS_DIGIT = str.maketrans("ODQILZSGB", "000112568")
_ENOUGH_TO_LOSE_ONE = 8  # characters: in shorter references one more or less is another number


def near_reference(a: str, b: str) -> bool:
    """Whether two canonical references are one, read with letters for digits or with one character lost, or two readings of
    one account, of which only one has the right check digits."""
    if is_misread_account(a, b):
        return True
    shorter, longer = sorted((a.translate(_AS_DIGIT), b.translate(_AS_DIGIT)), key=len)
    if shorter == longer:
        return True
    if len(longer) - len(shorter) != 1 or len(shorter) < _ENOUGH_TO_LOSE_ONE:
        return False
    return any(longer[:place] + longer[place + 1 :] == shorter for place in range(len(longer)))
