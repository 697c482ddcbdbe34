"""Languages are told by function words: eight of them, whatever names are in the text, and not where nothing says so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dedupe_core.text.language import language_of
from dedupe_core.text.normalise import normalise

LETTERS = {
    "English": "Dear tenant, the lift will be out of order from 4 to 6 May because the motor has to be replaced. "
    "Please use the stairs; if you need help, call the caretaker.",
    "German": "Liebe Mieter, der Aufzug steht vom 4. bis zum 6. Mai still, weil der Motor ersetzt werden muss. "
    "Bitte nehmen Sie die Treppe; wenn Sie Hilfe brauchen, rufen Sie den Hausmeister an.",
    "French": "Chers locataires, l'ascenseur sera hors service du 4 au 6 mai car le moteur doit être remplacé. "
    "Veuillez prendre l'escalier ; si vous avez besoin d'aide, appelez le gardien.",
    "Spanish": "Estimados inquilinos: el ascensor no funcionará del 4 al 6 de mayo porque hay que cambiar el motor. "
    "Usen la escalera; si necesitan ayuda, llamen al conserje de la finca.",
    "Italian": "Gentili inquilini, l'ascensore sarà fermo dal 4 al 6 maggio perché il motore deve essere sostituito. "
    "Usate le scale; se avete bisogno di aiuto, chiamate il portiere della casa.",
    "Dutch": "Beste huurders, de lift is van 4 tot 6 mei buiten gebruik omdat de motor moet worden vervangen. "
    "Neem de trap; als u hulp nodig hebt, belt u met de huismeester.",
    "Polish": "Szanowni Państwo, od 4 do 6 maja winda nie będzie działać, ponieważ trzeba wymienić silnik. "
    "Prosimy korzystać ze schodów; jeśli potrzebna jest pomoc, można zadzwonić do dozorcy.",
    "Portuguese": "Caros inquilinos, o elevador não funcionará de 4 a 6 de maio porque é preciso trocar o motor. "
    "Usem as escadas; se precisarem de ajuda, falem com o porteiro do prédio.",
    "Swedish": "Kära hyresgäster, hissen är avstängd från den 4 till den 6 maj eftersom motorn ska bytas. "
    "Använd trappan; om ni behöver hjälp kan ni ringa till fastighetsskötaren.",
    "Czech": "Vážení nájemníci, od 4. do 6. května nebude výtah v provozu, protože je nutné vyměnit motor. "
    "Používejte prosím schody; pokud budete potřebovat pomoc, zavolejte na číslo domovníka.",
}


ACCENTS = str.maketrans("äöüßéèêáíóúàìùãõñąćęłńśźżçåčďěňřšťůýž", "aousaeeaiouaiuaonacelnszzcacdenrstuyz")


@pytest.mark.parametrize("language", LETTERS)
def test_a_short_letter_is_enough(language: str) -> None:
    """Thirty words of a letter, in each of the languages; also without accents, as OCR with the wrong language reads it,
    and in the letter of a foreign firm."""
    letter = LETTERS[language]
    foreign = f"Société de la Rue des Lilas, Paris\n{letter}\nLes Amis de la Musique"
    for text in (letter, letter.translate(ACCENTS), foreign):
        found = language_of(normalise(text))
        assert found is not None and found.name == language


ADDRESSES = "www.example.com/no/se info@a.com https://b.com/por/os b.com c.com d.com e.com a-no b-os"


@pytest.mark.parametrize(
    "text", ["", "4711 0815 2024-05-06", "Müller Schmidt Meier Berlin", "x y z q", ADDRESSES]
)
def test_what_says_nothing_has_no_language(text: str) -> None:
    """Numbers, names, scraps, addresses (whose "com" is no Portuguese word): no language rather than a guess."""
    assert language_of(normalise(text)) is None


def test_two_languages_in_one_text_are_neither() -> None:
    """A bilingual letter does not differ from a letter in either of them, but from one in a third."""
    both, english, german, french = (
        language_of(normalise(text))
        for text in (
            f"{LETTERS['English']}\n{LETTERS['German']}",
            *map(LETTERS.get, ("English", "German", "French")),
        )
        if text
    )
    assert both and english and german and french
    assert not both.differs(english)
    assert not german.differs(both)
    assert both.differs(french)


def test_what_is_hardly_told_from_a_neighbour_is_clearly_not_another() -> None:
    """A Czech scrap may be Polish; it is not German."""
    scrap = language_of(
        normalise("dopis ze dne 4. maja se posílá na adresu, která je v Praze, a to do konce roku z úřadu")
    )
    german = language_of(normalise(LETTERS["German"]))
    assert scrap and german
    assert scrap.differs(german)
    assert german.differs(scrap)


@given(st.text(max_size=400))
def test_any_text_has_a_language_or_none(text: str) -> None:
    found = language_of(normalise(text))
    assert found is None or 0 < found.share <= 1
