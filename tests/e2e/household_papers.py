"""Pairs of papers that a household gets: what makes them one paper, two papers, or an edited one."""

from __future__ import annotations

VOTING = """City of Northfield - Electoral Office
Notice of poll for the council election

{name}
17 Orchard Row
Northfield NF3 8QT

You are registered to vote at the council election on Thursday, 6 May 2027.
Your polling station is the Methodist Hall, Chapel Street. It is open from 7 am to 10 pm.
Electoral number: {number}

Bring this card with you; it helps the clerks to find your name quickly. You do not
need it to vote. If you cannot come, apply for a postal vote by 20 April 2027.
"""

SCHOOL = """Grundschule am Stadtpark, Lindenau

An die Eltern von {name}, Klasse {form}                         Lindenau, 14.09.2026

Liebe Eltern,

am 2. Oktober 2026 besuchen wir den Tierpark. Treffpunkt ist um 8.15 Uhr am Schultor,
die Rückkehr ist gegen 14 Uhr. Bitte geben Sie Ihrem Kind ein Frühstück, etwas zu
trinken und wetterfeste Kleidung mit. Der Eintritt von 6,50 € wird vorher eingesammelt.

Bitte teilen Sie uns mit, ob Ihr Kind Allergien hat oder Medikamente nehmen muss.

Mit freundlichen Grüßen
M. Hollerbach, Schulleitung
"""

PAYSLIP = """Brandt Maschinenbau GmbH, Werkstraße 4, 58089 Hagen
Entgeltabrechnung für März 2026

{name}
Personalnummer {number}                  Steuerklasse {tax}
Eintritt {since}

Grundgehalt                             {gross} EUR
Lohnsteuer                                {wage} EUR
Krankenversicherung                       {health} EUR
Rentenversicherung                        {pension} EUR
Auszahlungsbetrag                       {net} EUR

Die Auszahlung erfolgt am 31.03.2026 auf das angegebene Konto. Bitte heben Sie diese
Abrechnung auf; sie gilt als Nachweis gegenüber Behörden.
"""

INSURANCE = """Mutua Solar, aseguradora de salud
Tarjeta de asegurado

Titular: {name}
Número de asegurado: {number}
Válida hasta: 12/2029
Póliza familiar 88-4410-217

Presente esta tarjeta en el centro médico. En caso de urgencia llame al 900 414 220,
disponible todos los días del año. Si pierde la tarjeta, comuníquelo de inmediato.
"""

LEASE = """Lease between Harriet Blackwood (landlord) and Simon Ferris (tenant)
for the flat at 9 Tanner's Yard, Whitby, first floor left

1. The lease begins on 1 April 2025 and has no fixed term.
2. The rent is £{rent} a month, payable in advance by the third working day.
3. Heating and water are billed once a year according to consumption.
4. {clause}
5. The tenant may keep one small animal if the neighbours do not object.
6. Either side may end the lease with three months' notice in writing.
7. A deposit of £1,760.00 is held by the landlord until the flat is returned.
8. The tenant looks after the chimney and has it swept once a year.

Whitby, 12 March 2025                 H. Blackwood          S. Ferris
"""

CORRECTED = """Garten- und Landschaftsbau Weidlich, Am Bach 12, 34117 Kassel

Herrn Bernd Osterloh
Eichenallee 3
34119 Kassel

{head} Nr. 2026-0417                                  Kassel, 08.06.2026

Pflasterarbeiten an der Einfahrt, 42 Quadratmeter          {work} EUR
Lieferung von Splitt und Randsteinen                         612,40 EUR
Abfuhr des Erdaushubs                                        185,00 EUR
Summe netto                                                {sum} EUR
Umsatzsteuer 19 %                                            {tax} EUR
Gesamtbetrag                                               {total} EUR

{note}Bitte überweisen Sie den Betrag innerhalb von 14 Tagen auf unser Konto bei der Sparkasse.
Wir danken für Ihren Auftrag.
"""

DEAL = """Menuiserie Perrin, 8 rue des Tonneliers, 21200 Beaune

Monsieur Alain Delorme
14 chemin des Vignes
21190 Meursault

{kind} n° {number}                                 Beaune, le {date}
{about}

Fourniture et pose d'une porte d'entrée en chêne            2 480,00 EUR
Dépose de l'ancienne porte                                    160,00 EUR
Serrure à trois points                                        215,00 EUR
Total TTC                                                   2 855,00 EUR

{end}
"""

STAMPED = """Wasserverband Obere Aller, Deichweg 20, 31535 Neustadt

Frau Ilse Harmening
Am Mühlenteich 6
31535 Neustadt

Beitragsbescheid 2026                                   Neustadt, 04.02.2026
Mitgliedsnummer 20-11873                                Aktenzeichen WV-26/0448

Sehr geehrte Frau Harmening,

für das Flurstück 117/4 der Flur 9 wird für das Jahr 2026 ein Beitrag von 96,30 EUR
festgesetzt. Er ist am 15. März 2026 fällig. Gegen diesen Bescheid können Sie innerhalb
eines Monats Widerspruch einlegen.

Mit freundlichen Grüßen
Der Verbandsvorsteher
"""

REPAIRS = "Small repairs up to £80 in a single case are paid by the tenant."
OTHER_REPAIRS = "The landlord pays for all repairs, and the tenant reports damage without delay."

# name, first paper, second paper, what a person would call the second one beside the first ("" is another document)
PAIRS: tuple[tuple[str, str, str, str], ...] = (
    ("voting cards of a couple", VOTING.format(name="Mrs Eleanor Whitcombe", number="NF-4-2217"),
     VOTING.format(name="Mr Rupert Whitcombe", number="NF-4-2218"), ""),
    ("school letters for two children", SCHOOL.format(name="Jonas Petersen", form="3b"),
     SCHOOL.format(name="Mathilda Petersen", form="1a"), ""),
    ("payslips of two employees",
     PAYSLIP.format(name="Katrin Wessel", number="00417", tax="IV", since="01.08.2019", gross="3.412,00", wage="498,16",
                    health="276,37", pension="317,32", net="2.320,15"),
     PAYSLIP.format(name="Oliver Brandes", number="00593", tax="III", since="15.02.2022", gross="3.958,00", wage="402,83",
                    health="320,60", pension="368,09", net="2.866,48"), ""),
    ("insurance cards", INSURANCE.format(name="Lucía Ortega Molina", number="4410217-01"),
     INSURANCE.format(name="Mateo Ortega Molina", number="4410217-03"), ""),
    ("lease and amendment", LEASE.format(rent="880.00", clause=REPAIRS), LEASE.format(rent="980.00", clause=OTHER_REPAIRS),
     "revision"),
    ("invoice and correction",
     CORRECTED.format(head="Rechnung", work="3.276,00", sum="4.073,40", tax="773,95", total="4.847,35", note=""),
     CORRECTED.format(head="Korrigierte Rechnung", work="2.886,00", sum="3.683,40", tax="699,85", total="4.383,25",
                      note="Diese Rechnung ersetzt die Rechnung gleicher Nummer; die Fläche war falsch berechnet. "),
     "revision"),
    ("quote and invoice of an order",
     DEAL.format(kind="Devis", number="D-2026-088", date="11 mai 2026", about="Validité du devis : 30 jours",
                 end="Nous restons à votre disposition pour tout renseignement. Merci de nous retourner le devis signé."),
     DEAL.format(kind="Facture", number="F-2026-141", date="2 juillet 2026", about="Votre commande du 19 mai 2026",
                 end="Payable à réception par virement. Tout retard entraîne des pénalités au taux légal."), ""),
    ("a stamped letter", STAMPED, "EINGEGANGEN\n09. Feb. 2026\nErl. ______\n\n" + STAMPED, "rescan"),
)  # fmt: skip
