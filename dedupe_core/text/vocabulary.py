"""Small words that change what a sentence says: negations, numbers and days written out."""

from __future__ import annotations

from collections.abc import Collection

from dedupe_core.text.words import word_key

_NEGATIONS = """
    not no nor never cannot without
    nicht kein keine keinen keiner keinem keines nie niemals ohne
    ne pas non aucun aucune jamais sans
    niet geen nooit zonder
    no nunca jamas ningun ninguna sin
    non mai nessun nessuna senza
    nie nigdy bez zaden
    nao nunca nenhum sem
    """
# One entry for each language: a misread Spanish "siete" must not be taken for the Portuguese "sete".
_NUMBERS = (
    """one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty seventy eighty
    ninety hundred thousand half double once twice thrice first second third""",
    """ein eine einen zwei drei vier funf sechs sieben acht neun zehn elf zwolf funfzehn zwanzig dreissig vierzig funfzig
    sechzig hundert tausend halb doppelt einmal zweimal dreimal viermal erste zweite dritte""",
    """un une deux trois quatre cinq six sept huit neuf dix onze douze quinze vingt trente quarante cinquante soixante cent
    mille premier deuxieme troisieme demi""",
    """un uno una dos tres cuatro cinco seis siete ocho nueve diez once doce quince veinte treinta cuarenta cincuenta cien
    mil""",
    """un uno una due tre quattro cinque sei sette otto nove dieci undici dodici quindici venti trenta quaranta cinquanta
    cento mille""",
    """een twee drie vier vijf zes zeven acht negen tien elf twaalf vijftien twintig dertig veertig vijftig honderd duizend
    eenmaal tweemaal driemaal viermaal""",
    "jeden dwa trzy cztery piec szesc siedem osiem dziewiec dziesiec dwanascie pietnascie dwadziescia sto tysiac",
    "um uma dois duas tres quatro cinco seis sete oito nove dez doze quinze vinte trinta cem mil",
)
_CALENDAR = (
    """monday tuesday wednesday thursday friday saturday sunday
    january february march april may june july august september october november december""",
    """montag dienstag mittwoch donnerstag freitag samstag sonntag
    januar februar marz april mai juni juli august september oktober november dezember""",
    "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "lunes martes miercoles jueves viernes sabado domingo",
)
_NEGATION_KEYS = frozenset(map(word_key, _NEGATIONS.split()))
_KEYS_OF_ONE_KIND = [frozenset(map(word_key, words.split())) for words in _NUMBERS + _CALENDAR]
_NUMBER_KEYS = frozenset[str]().union(*_KEYS_OF_ONE_KIND)


def is_negation(key: str) -> bool:
    """Of a `word_key`."""
    return key in _NEGATION_KEYS


def is_number_word(key: str) -> bool:
    """Also a day of the week or a month."""
    return key in _NUMBER_KEYS


def are_number_words(keys: Collection[str], others: Collection[str]) -> bool:
    """Both have a number, or both a day or month, of one language."""
    return any(not words.isdisjoint(keys) and not words.isdisjoint(others) for words in _KEYS_OF_ONE_KIND)
