"""Papers of an invented household: templates with their blanks, and letters that stand alone."""

from __future__ import annotations

ELECTRICITY = """Stadtwerke Lindenau GmbH · Am Wasserturm 3 · 04177 Lindenau

Frau Erika Sommer
Ahornweg 8
04178 Lindenau

Abschlagsrechnung Strom {month}                      Datum: {date}
Kundennummer: 4410982                    Rechnung Nr. {number}
Zählernummer: 1EMH0012345678

Sehr geehrte Frau Sommer,

für den Monat {month} berechnen wir Ihnen den folgenden Abschlag. Ihr Zählerstand
wurde am {read} mit {stand} kWh abgelesen.

Arbeitspreis {kwh} kWh zu 0,3512 €            {work} €
Grundpreis                                    12,90 €
Umsatzsteuer 19 %                             {tax} €
Gesamtbetrag                                  {total} €

Wir buchen den Betrag zum {due} von Ihrem Konto DE02 1203 0000 0000 2020 51 ab.
Fragen beantworten wir gern unter 0341 5550 120.

Mit freundlichen Grüßen
Ihre Stadtwerke Lindenau
"""

TELEPHONE = """Harbour Telecom Ltd                                   Invoice {number}
12 Quay Street, Port Ellen                             Date: {date}

Mr Peter Winter                                        Account 7730-1182
4 Rose Lane
Port Ellen

Your bill for {month}

Line rental                                            £18.00
Calls to landlines  {landline} min                     £{calls}
Calls to mobiles    {mobile} min                       £{mobiles}
Broadband Basic 80                                     £24.50
VAT at 20%                                             £{tax}
Total due                                              £{total}

We will collect this amount by direct debit on or after {due}.
If you think that something is wrong with this bill, call us free on 0800 555 017
within 28 days of the date above. Thank you for being our customer.
"""

RENT_RECEIPT = """Quittance de loyer

Bailleur : Société Immobilière du Pont-Neuf, 17 quai des Lavandières, 69002 Lyon
Locataire : Madame Claire Delorme, 5 rue des Tilleuls, 69003 Lyon
Quittance n° {number}

Reçu de Madame Delorme la somme de {total} € au titre du paiement du loyer et des
charges pour la période du {first} au {last} concernant le logement situé au
5 rue des Tilleuls, deuxième étage, porte gauche.

Loyer hors charges : 740,00 €
Provision pour charges : {charges} €
Total payé le {paid} : {total} €

Cette quittance annule tous les reçus qui auraient pu être donnés pour acompte versé
sur le présent terme. Elle ne préjuge en rien des loyers précédents impayés.

Fait à Lyon, le {paid}
"""

SUPERMARKET = """GREEN BASKET FOODS
Unit 4, Mill Park, Ashford
VAT No. GB 555 0193 22

{date}  {time}   Till {till}   Receipt {number}

{items}
TOTAL              {total}
CARD               {total}
Card ************4471   Auth {auth}

Items sold: {count}
Returns with this receipt within 30 days.
Thank you for shopping with us
"""

BAKERY = """Backhaus Morgenstern
Marktplatz 2, 37073 Göttingen
St.-Nr. 20/555/01234

{date} {time}  Bon {number}  Kasse 1

{items}
Summe EUR          {total}
gegeben bar        {given}
zurück             {back}
enthaltene MwSt 7% {tax}

Es bediente Sie Frau {clerk}.
Vielen Dank für Ihren Einkauf!
"""

TAX_NOTICE = """Finanzamt Lindenau                                 Steuernummer 231/555/04417
Postfach 10 02, 04170 Lindenau                     Datum: {date}

Bescheid für {year} über Einkommensteuer und Solidaritätszuschlag

Frau Erika Sommer, Ahornweg 8, 04178 Lindenau

Festgesetzt werden:
Einkommensteuer                                    {income} €
Solidaritätszuschlag                               {solidarity} €
Abzug vom Lohn                                     {withheld} €
Zu erstatten sind                                  {refund} €

Der Betrag wird auf das Konto DE02 1203 0000 0000 2020 51 erstattet.
Besteuerungsgrundlagen: Bruttoarbeitslohn {wage} €, Werbungskosten {costs} €,
zu versteuerndes Einkommen {taxable} €.

Rechtsbehelfsbelehrung: Gegen diesen Bescheid kann Einspruch eingelegt werden. Der
Einspruch ist schriftlich oder elektronisch beim oben genannten Finanzamt einzureichen.
Die Frist beträgt einen Monat nach Bekanntgabe dieses Bescheides.
"""

CHOIR_LETTER = """Port Ellen Community Choir
Rehearsals every Thursday, Old Chapel, Quay Street

Dear {name},

the season is over, and what a season it was. We sang in the lighthouse, in the
hospital garden and, for the first time since the storm, in the chapel itself. Your
voice was part of it, and the committee wants to thank you for every rainy Thursday.

Your seat in the autumn programme is {seat}, and your music folder carries the number
{folder}. Please bring it to the first rehearsal on 12 September 2024.

The subscription stays at £45. Cash is welcome, a cheque is better.

With all good wishes,
Margaret Hill, secretary
"""

PARKING = "Parkhaus Markt\n{date} {time}\nPlatz {place}\nbezahlt {price} EUR\nTicket {number}"
BUS = "Lyon bus ticket\n1 zone\nvalid 60 min\n{date} {time}\n{price} EUR no {number}"

INSURANCE = """Nordlicht Versicherung AG
Hausratversicherung Nr. HV-7719-20331

Frau Erika Sommer, Ahornweg 8, 04178 Lindenau
Leipzig, den {date}

Versicherungsschein

Versichert ist der gesamte Hausrat in der Wohnung Ahornweg 8, zweites Obergeschoss,
mit einer Wohnfläche von 74 Quadratmetern. Die Versicherungssumme beträgt 48.100,00 €.
Versichert sind Schäden durch Feuer, Leitungswasser, Sturm, Hagel und Einbruchdiebstahl.

{clause}

Fahrräder sind bis zu einem Wert von {bicycle} € mitversichert, wenn sie in einem
verschlossenen Raum stehen oder mit einem Schloss gesichert sind. Der Jahresbeitrag
beträgt {premium} € und ist am ersten März jedes Jahres fällig.

Die Allgemeinen Bedingungen für die Hausratversicherung gelten in der Fassung von 2021.
Der Vertrag verlängert sich um ein Jahr, wenn er nicht drei Monate vor Ablauf gekündigt wird.

Mit freundlichen Grüßen
Nordlicht Versicherung AG
"""
DEDUCTIBLE = """Eine Selbstbeteiligung ist nicht vereinbart. Schäden sind unverzüglich zu melden, am
besten über das Formular auf unserer Seite oder unter der Rufnummer 0341 5550 77."""
DEDUCTIBLE_EDITED = """Je Schadenfall gilt eine Selbstbeteiligung von 150,00 €. Schäden sind innerhalb einer
Woche zu melden, am besten über das Formular auf unserer Seite oder unter der Rufnummer 0341 5550 77."""

LEASE = """Allotment lease

between the Port Ellen Allotment Society, represented by its chair Agnes Boyd, and
Mr Peter Winter, 4 Rose Lane, Port Ellen, made on 2 March 2023.

1. The Society lets to the tenant plot 27 on the field behind the old dairy. The plot
measures 210 square metres. Its borders are the hawthorn hedge in the north, the water
pipe in the east and the gravel path.

2. The rent is {rent} a year and is due on 1 April. Water is paid by the meter at the
price that the general meeting decides.

3. The tenant keeps the plot tidy, cuts the hedge twice a year and leaves the path free.
Bonfires are allowed {bonfires}. Hens are welcome, cockerels are not.

4. Either side may end this lease with three months' notice to the end of September.
"""
ANNEX = """Annex A: the shed on plot 27

The shed was built in 1987 from larch boards and has a roof of corrugated iron. The key
hangs on the nail behind the water butt. The Society keeps the roof in order, the tenant
keeps the door, the window and the lock. Tools that belong to the Society are two spades,
one wheelbarrow, a ladder of nine rungs and the red hand pump with serial number HP-20417.
The tenant returns them clean at the end of the lease. Paint must be green.
"""

DENTIST = """Zahnarztpraxis Dr. med. dent. Ruth Abel
Kirchgasse 14, 37073 Göttingen

Rechnung 2024-0388 vom 11.04.2024
Patient: Jonas Herbst, geboren am 06.09.1981

28.03.2024  Eingehende Untersuchung, Ziffer 0010           12,94 €
28.03.2024  Zahnsteinentfernung, Ziffer 4050               31,30 €
04.04.2024  Füllung dreiflächig, Zahn 36, Ziffer 2080     102,55 €
04.04.2024  Leitungsanästhesie, Ziffer 0100                 9,05 €
Auslagen für Material nach Beleg                           18,40 €
Rechnungsbetrag                                           174,24 €

Bitte überweisen Sie den Betrag innerhalb von 30 Tagen auf unser Konto bei der Sparkasse
Göttingen, IBAN DE41 2605 0001 0000 0555 08, unter Angabe der Rechnungsnummer.
"""

SCHOOL = """École primaire Jean-Moulin
38 avenue des Platanes, 69003 Lyon                           Lyon, le 3 juin 2024

Chers parents,

la sortie de fin d'année aura lieu le vendredi 21 juin 2024 au parc de la Tête d'Or. Les
enfants partiront à pied à 8 h 45 et seront de retour à l'école vers 16 h 15. Prévoyez un
pique-nique sans verre, une casquette et une gourde. Une participation de 4,50 € est
demandée pour l'entrée du jardin zoologique ; merci de la remettre dans une enveloppe au
nom de l'enfant avant le 14 juin 2024.

Deux parents par classe peuvent accompagner le groupe. Si vous êtes disponible, signalez-le
à la maîtresse de votre enfant ou au secrétariat, au 04 72 55 01 93.

La directrice, Hélène Marchand
"""

BACKGROUND = {
    "plum-cake": """Plum cake from aunt Edith

Stone a kilo of plums. Beat 125 g butter with 120 g sugar, add three eggs, 250 g flour and a
spoon of baking powder. Spread the dough in a tin, press the plums into it, skin down, and
bake for 45 minutes. Dust with cinnamon while it is warm. It keeps for two days, if let.""",
    "minutes": """Protokoll der Eigentümerversammlung vom 23.05.2024

Anwesend sind elf von vierzehn Parteien. Der Verwalter berichtet über die undichte Stelle am
Dach über dem Treppenhaus B. Die Versammlung beschließt mit neun Stimmen, drei Angebote
einzuholen und bis zu 6.500,00 € aus der Rücklage zu nehmen. Der Fahrradkeller wird im August
aufgeräumt; was keinen Namen trägt, kommt zum Sperrmüll. Nächste Sitzung im November.""",
    "warranty": """Garantie. Votre appareil de marque Aurore, modèle CF-300, numéro de série 88-40-1172, est
garanti deux ans contre tout défaut de fabrication à compter de la date d'achat. La garantie
ne couvre ni le tartre ni les chutes. Conservez le ticket de caisse avec ce certificat.""",
    "itinerary": """Night train to the islands

Depart Monday 15 July 2024 at 21:04 from platform 3, coach 22, berths 41 and 42. Breakfast is
served after Kingussie. The ferry leaves the pier at 10:40, so do not linger. Booking reference
QX7K2P, paid in full. Bicycles travel in the van; label them. Sturdy shoes are advised.""",
    "vet": """Tierarztpraxis am Deich

Hund Kalle, Rauhaardackel, geboren 2019, Chip 276098105550193. Am 17.06.2024 gegen Tollwut und
Staupe geimpft, Charge R-5519C. Gewicht 9,8 kg, Ohren sauber, Zahnstein leicht. Kontrolle in
einem Jahr. Bezahlt wurden 83,60 € mit Karte.""",
}

# One letter in four languages; the blanks are what a translation keeps.
COURSE_DE = """Volkshochschule am Ring, Ringstraße 118, 04109 Leipzig
{iso}

Sehr geehrte {name}, Sie haben sich für den Töpferkurs {number} angemeldet. Der erste Abend ist am {day} April 2024
um {time} im Werkraum. Bitte bringen Sie eine Schürze und ein altes Handtuch mit. Die Gebühr von {fee} € wird vor
Beginn eingezogen. Wenn Sie nicht kommen können, rufen Sie uns unter {phone} an.
"""
COURSE_EN = """Volkshochschule am Ring, Ringstraße 118, 04109 Leipzig
{iso}

Dear {name}, you have enrolled for pottery course {number}. The first evening is on {day} April 2024 at {time} in the
workshop. Please bring an apron and an old towel with you. The fee of €{fee} will be collected before the start. If
you cannot come, call us on {phone}.
"""
COURSE_PL = """Volkshochschule am Ring, Ringstraße 118, 04109 Leipzig
{iso} r.

Szanowna Pani {name}, zapisała się Pani na kurs garncarstwa {number}. Pierwsze zajęcia odbędą się {day} kwietnia 2024
o godzinie {time} w pracowni. Prosimy przynieść fartuch i stary ręcznik. Opłata {fee} € zostanie pobrana przed
rozpoczęciem. Jeśli nie może Pani przyjść, prosimy zadzwonić pod numer {phone}.
"""
COURSE_PT = """Volkshochschule am Ring, Ringstraße 118, 04109 Leipzig
{iso}

Cara {name}, inscreveu-se no curso de olaria {number}. A primeira noite é no dia {day} de abril de 2024 às {time} na
oficina. Por favor traga um avental e uma toalha velha. O valor de {fee} € será cobrado antes do início. Se não
puder vir, telefone para o número {phone}.
"""
