"""Normalised text in, the language it is written in out: told by its function words, for ten languages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import filterfalse
from typing import Final

from dedupe_core.text.folding import fold

# A dense page from the beginning and half of one from the end, where a second language may follow: 0.2 ms.
_HEAD_CHARS, _TAIL_CHARS = 4000, 2000
# Not a piece of an address or a compound: "com" and "no" are words only where they stand alone.
_WORD = re.compile(r"(?<![\w./@:-])[^\W\d_]++(?![\w/@-]|\.\w)")

# Articles, prepositions, pronouns, conjunctions and auxiliaries: every third word of a running text, and hardly a name
# among them. Behind them what an invoice has instead of sentences. Lower case, without diacritics: OCR loses these first.
_FUNCTION_WORDS: Final = {
    "English": """
        the of and to in is for on with that this by be are as at your you we our from it not or have has will an if was
        were been which their they any all may can shall should would could must please no do does into out up about between
        before after during until than then there these those other its his her him us them when what who how only also
        under within without per such more most each if so but i am a
        invoice order customer number date amount total price quantity page street dear sincerely due account january
        february march may june july october december""",
    "German": """
        der die das und in den von zu mit ist im fur auf des dem nicht ein eine einen einem einer eines sie ihr ihre ihren
        ihrem ihrer wir uns unser unsere unseren bei bis zum zur nach aus oder wird werden wurde wurden hat haben sind sich als
        auch an am um es wenn dass nur noch durch uber unter vom ab bitte kann konnen mussen muss soll diese dieser dieses
        diesem diesen vor zwischen sowie gegen ohne alle aber ich war waren sein bleibt wie so wer er man damit dafur ihnen
        konnten sollen
        rechnung auftrag kunde kundennummer nummer datum betrag gesamt preis menge seite liebe sehr geehrte grussen
        januar februar marz mai juni juli oktober dezember""",
    "French": """
        le la les de des du et en un une est pour dans que qui sur au aux par avec ne pas vous votre vos nous notre nos ce cette
        ces il elle ils se sont ou plus etre ete sera seront avez avons ont doit peut si sans sous entre avant apres jusqu
        d l s n qu c j afin ainsi dont leur leurs son sa ses mais tout tous toute toutes je y a lors chez merci comme fait
        facture commande numero montant prix quantite rue madame monsieur janvier fevrier mars avril juin juillet aout
        septembre octobre novembre decembre""",
    "Spanish": """
        el la los las de del y en un una es para que por con no se su sus al lo como mas le les o ha han ser sera este esta
        estos estas entre hasta desde sin sobre nuestro nuestra nuestros nuestras usted ustedes debe puede si cuando donde
        segun ante todo todos toda todas pero tambien muy son fue hay cada cual quien porque ya me mi nos os a esto otro otra
        antes durante e u
        factura pedido fecha importe precio cantidad pagina calle estimado estimada cuenta enero febrero junio julio
        septiembre octubre noviembre diciembre""",
    "Italian": """
        il lo la i gli le di del della dei delle dello degli e in un una uno per che con non si da dal dalla dai dalle al alla
        ai alle allo nel nella nei nelle sul sulla sui a sono essere stato stata suo sua suoi sue nostro nostra vostro vostra
        come piu o ma se questo questa questi queste ci vi ha hanno deve dopo prima entro fino presso tra fra ogni anche
        sara saranno loro cui chi quando l d dell all nell sull un c
        fattura ordine importo totale prezzo quantita pagina gentile gentili conto gennaio febbraio aprile maggio
        giugno luglio settembre ottobre dicembre""",
    "Dutch": """
        de het een en van in op te dat is voor met zijn niet aan er om ook als bij door naar uit dit die deze uw u wij we ons
        onze heeft hebben wordt worden werd tot of over onder tussen na nog kan kunt kunnen moet moeten zal zullen geen maar
        wel dan waar wat wie hoe al alle meer zonder tegen vanaf binnen tijdens graag indien ik je jouw hij zij was ben bent
        hun haar s
        factuur bestelling klant nummer bedrag totaal prijs aantal bladzijde straat geachte beste rekening januari
        februari maart mei juni juli augustus oktober december""",
    "Polish": """
        i w z na do nie sie jest to ze od po za przez dla przy oraz lub albo jak co ktory ktora ktore ktorych sa byl byla bylo
        bedzie beda zostal zostala zostanie moze mozna prosimy prosze panstwa panstwo pan pani nasz nasza nasze naszej naszego
        ich jego jej ten ta te tego tej tym tych o u a ale czy jezeli jesli gdy tak tylko juz pod nad przed bez miedzy ze wraz
        we ku az rowniez kazdy wszystkie nam nas
        faktura zamowienie klient klienta numer kwota razem cena ilosc strona ulica szanowni szanowny szanowna konto
        stycznia lutego marca kwietnia maja czerwca lipca sierpnia wrzesnia pazdziernika listopada grudnia""",
    "Portuguese": """
        o a os as de do da dos das e em um uma para que por com nao se seu sua seus suas no na nos nas ao aos pelo pela pelos
        pelas ou mais como foi ser sera esta este esse essa estes estas isto entre ate sem sobre nosso nossa nossos voce
        deve pode quando onde segundo todos todas tambem muito sao tem ha cada qual quem ja me lhe num numa depois antes
        durante apos nosso caso
        fatura encomenda valor preco quantidade rua caro cara conta prezado janeiro fevereiro marco abril maio junho
        julho setembro outubro novembro dezembro""",
    "Swedish": """
        och att det som en ett av for med till den har de inte om i ar du din ditt dina kan ska vi var vara hos oss er eller nar
        vid efter fran sig sin sitt sina men detta denna dessa ocksa alla mycket skall maste bli blir ni man genom under samt
        mellan innan sedan utan upp pa an nagon mot hur vad vilken far hade inom dag dagar tack
        faktura bestallning kund kundnummer nummer belopp summa pris antal sida gata konto hej januari februari mars april
        maj augusti oktober""",
    "Czech": """
        a v ve na se je z ze do s k ke pro po od za si to ktery ktera ktere kterou jsou jsme jste byl byla bylo bude budou podle pri
        nebo jako nam vam vas vase vasi nas nasi nase tento tato toto teto tohoto tim pokud aby ale tak take jen jeho jejich mezi
        pred bez pod nad dne rok roku muze mohou musi prosim dekujeme vazeni vazeny vazena u i o az kdy proti
        faktura objednavka zakaznik cislo datum castka celkem cena mnozstvi strana ulice ucet ledna unora brezna dubna
        kvetna cervna cervence srpna zari rijna listopadu prosince""",
}  # fmt: skip


def _weights() -> dict[str, dict[str, float]]:
    """What a word says about each language that has it: a word of three languages says a third of it for each."""
    sets = {language: set(words.split()) for language, words in _FUNCTION_WORDS.items()}
    held = Counter(word for words in sets.values() for word in words)
    weights: dict[str, dict[str, float]] = {}
    for language, words in sets.items():
        for word in words:
            weights.setdefault(word, {})[language] = 1 / held[word]
    return weights


_WEIGHTS: Final = _weights()
# A letter of 50 words has 15 function words or more; a table, a list of names or a smudge has few.
_FEWEST, _LOWEST_SHARE = 3.5, 0.06
_CLEARLY = 1.5  # times what the next language has: Spanish and Portuguese share half of their small words


@dataclass(frozen=True, slots=True)
class Language:
    """`share` of the words are function words of this language, each counted by how much it says; `shares`: of all of them."""

    name: str
    share: float
    shares: Mapping[str, float]

    def differs(self, other: Language) -> bool:
        """Neither may be the other's: a Czech text that is hardly told from Polish is clearly not German."""
        return self._is_clear_of(other.name) and other._is_clear_of(self.name)

    def _is_clear_of(self, name: str) -> bool:
        return name != self.name and self.share >= _CLEARLY * self.shares.get(name, 0.0)


def language_of(text: str) -> Language | None:
    """The likeliest language of a normalised text; None if it has too few function words to say."""
    if len(text) > _HEAD_CHARS + _TAIL_CHARS:
        text = f"{text[:_HEAD_CHARS]} {text[-_TAIL_CHARS:]}"
    words = _words(fold(text))
    scores: dict[str, float] = {}
    for word, count in Counter(filter(_WEIGHTS.__contains__, words)).items():
        for language, weight in _WEIGHTS[word].items():
            scores[language] = scores.get(language, 0.0) + weight * count
    name = min(scores, key=lambda language: (-scores[language], language), default="")
    if not name or scores[name] < max(_FEWEST, _LOWEST_SHARE * len(words)):
        return None
    shares = {language: round(score / len(words), 3) for language, score in scores.items()}
    return Language(name, shares[name], shares)


def _words(text: str) -> list[str]:
    """Most tokens are plain words: only the others need the regular expression."""
    tokens = text.split()
    plain = list(filter(str.isalpha, tokens))
    return plain + _WORD.findall(" ".join(filterfalse(str.isalpha, tokens)))
