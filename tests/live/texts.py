"""Letters for the scenarios: new ones for each run, since a real Paperless remembers those of the last."""

from __future__ import annotations

import random
import re

_MONTHS = ("January", "February", "March", "April", "May", "June")
_CONFUSED = {"o": "0", "l": "1", "i": "1", "s": "5", "b": "8"}
_WORD = re.compile(r"[A-Za-z]{4,}")
_SENDERS = (
    "Water and Sewage Board",
    "Association of Allotment Gardeners",
    "Municipal Music School",
    "Savings Bank at the Bridge",
    "Veterinary Practice Marsh Road",
    "Chimney Sweep District Nine",
    "Adult Education Centre",
    "Registry of the Lower Court",
)
_SENTENCES = (
    "The calibration of the meter in your cellar runs out this summer, and our fitter will replace it.",
    "Please make sure that the valve can be reached and that nothing stands in front of it.",
    "The general meeting has decided to repair the fence along the railway before the winter.",
    "Whoever helps with the harvest on Saturday gets a basket of apples and a bowl of soup.",
    "The violin lessons move to the hall on the first floor, because the roof is being mended.",
    "Rented instruments should be brought back clean and with all their strings.",
    "Your fixed deposit becomes due, and we propose to renew it at the rate of the day.",
    "The safe is open to you during business hours; bring the key and your identity card.",
    "The second vaccination of your dog is due, as is the treatment against worms.",
    "On the day before, the animal should have nothing to eat after six in the evening.",
    "The flue was measured and found in order; the next visit takes place in two years.",
    "Keep a distance of forty centimetres between the stove and anything that can burn.",
    "The course in bookkeeping takes place with nine participants or more.",
    "You get your certificate on the last evening, together with a list of further courses.",
    "The other party has asked for more time, which the court has granted until the end of the month.",
    "You may see the files at the registry after you have made an appointment by telephone.",
    "If the day does not suit you, tell us in good time, so that we can find another.",
    "The costs are shared among the owners according to the size of their plots.",
    "We thank you for your donation, which went into the new boiler.",
    "Parking is possible in the yard behind the building, but not in front of the gate.",
)


class Texts:
    """All texts of one run; `run` is a number that no other run on that server had."""

    def __init__(self, run: int) -> None:
        self._chance = random.Random(run)
        self._run = run
        self._name = "".join(self._chance.choices("bdfgklmnprst", k=3)).title() + "ervik"

    def letter(self) -> str:
        """A letter that is like no other of this run."""
        chance = self._chance
        day, month = chance.randint(1, 28), chance.choice(_MONTHS)
        body = "\n".join(chance.sample(_SENTENCES, 8))
        return (
            f"{chance.choice(_SENDERS)} of {self._name}\n\nMr Tobias {self._name}sen\nMill Road 5\n\n"
            f"Our reference WS-{self._run}-{chance.randint(100_000, 999_999)}\n{day} {month} 2025\n\n"
            f"Dear Mr {self._name}sen,\n\n{body}\n\n"
            f"For this we charge you {chance.randint(12, 900)}.{chance.randint(10, 99)} EUR.\n\n"
            "Yours sincerely\n"
        )

    def invoice(self, month: int) -> str:
        """One of a series: the same form, another month."""
        minutes = 100 + 37 * month
        net = 3490 + 3 * minutes
        total = net * 119 // 100
        return (
            f"Telephone company {self._name}\nInvoice no. TC-{self._run}-{71_003 + 4517 * month}\n"
            f"Customer no. 55-{self._run}\nDate {3 + month:02}.{month + 1:02}.2025\n\n"
            f"Your bill for {_MONTHS[month - 1]} 2025\n\n"
            "Basic charge for fibre with one hundred megabits          34.90\n"
            f"Telephone calls, {minutes} minutes          {3 * minutes / 100:.2f}\n"
            f"Net amount          {net / 100:.2f}\nTo be paid          {total / 100:.2f} EUR\n\n"
            "The amount is collected from your account within ten days. An itemised list of your calls\n"
            "is in the customer centre. Please quote your customer number whenever you write to us.\n"
        )

    def scanned_again(self, text: str, *, errors: float = 0.02) -> str:
        """The same paper through another scanner: a few letters are misread, beyond doubt, and digits stay."""
        return _WORD.sub(lambda word: self._misread(word[0], 3 * errors), text)

    def _misread(self, word: str, rate: float) -> str:
        """At most one letter of a word: with more it could be another word."""
        for place, letter in enumerate(word):
            if letter in _CONFUSED and self._chance.random() < rate:
                return word[:place] + _CONFUSED[letter] + word[place + 1 :]
        return word
