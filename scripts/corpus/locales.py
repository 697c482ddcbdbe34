"""Names, places and formats of the countries that papers come from: data to draw from, all invented or common."""

from __future__ import annotations

from dataclasses import dataclass


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


def _split(words: str) -> tuple[str, ...]:
    return tuple(words.split(", "))


EN = Locale(
    "en", "GB",
    _split("Alice, Amara, Benjamin, Bridget, Caroline, Conor, Daniel, Deirdre, Edward, Eleanor, Farah, Frances, George, Gillian, Hamish, Helen, Imogen, Jack, Jasmine, Joseph, Kieran, Laura, Lewis, Margaret, Martin, Nadia, Neil, Olivia, Patrick, Philippa, Rachel, Rosie, Samuel, Sheila, Theo, Thomas, Ursula, Victor, Winifred, Zoe"),
    _split("Aldridge, Barlow, Beckett, Brady, Carmichael, Chaudhry, Cotterill, Dunstan, Eastwood, Fairbairn, Fletcher, Gallagher, Goddard, Harker, Hollis, Ingram, Jephson, Kendrick, Lockwood, MacRae, Mehta, Newbury, O'Leary, Oyelaran, Parfitt, Prescott, Quigley, Redfern, Sandford, Stainton, Thackeray, Underhill, Varley, Walsh, Whitlock, Yardley"),
    _split("Alder Close, Beech Grove, Bell Lane, Canal Street, Chapel Row, Church Hill, Cobden Road, Drovers Way, Elm Terrace, Ferry Road, Granary Lane, Heron Court, Infirmary Street, Jubilee Avenue, Kiln Lane, Limetree Walk, Market Square, Northgate, Old Mill Road, Priory Gardens, Quarry Street, Station Approach, Tanners Yard, Victoria Place, Weir Road"),
    "{number} {street}",
    _split("Ashbourne, Banbury, Beverley, Bideford, Carlisle, Chippenham, Dorchester, Evesham, Frome, Grantham, Hexham, Ilkley, Kendal, Leominster, Malvern, Northwich, Oakham, Penrith, Ripon, Selby, Thirsk, Ulverston, Wantage, Yeovil"),
    "{city} @@## #@@",
    _split("January, February, March, April, May, June, July, August, September, October, November, December"),
    ("d month yyyy", "dd/mm/yyyy", "dd.mm.yy", "month d, yyyy", "d month yyyy"), ",", ".", "01### ######",
    _split("Amberley, Brightwater, Calder, Copperfield, Dovetail, Eastmoor, Fenwick, Greenhalgh, Harbourne, Ironbridge, Kestrel, Larchwood, Millbrook, Northstar, Oakwell, Pennine, Ridgeway, Saltmarsh, Tidewell, Wharfedale"),
    _split("Ltd, plc, & Sons, LLP, Services Ltd, Group"), ("Mr", "Ms"), "co.uk",
    _split("paid, ok, rang them, file under house, for tax, copy to accounts, ask Helen, done, see letter, keep, urgent?, phone back Tuesday"),
    _split("RECEIVED, RECEIVED {date}, Entered {date} Initials, PAID {date}, Post room {date}, SCANNED"),
    _split("COPY, Duplicate, CERTIFIED COPY, Copy for your records"), ("From", "To", "Sent", "Subject"), "Page {n} of {of}",
    "On {date} at {time}, {who} wrote:",
)  # fmt: skip
DE = Locale(
    "de", "DE",
    _split("Achim, Anneliese, Birgit, Carsten, Cornelia, Detlef, Elke, Emre, Franziska, Gerlinde, Gunnar, Hannelore, Heiko, Ilse, Jakob, Jutta, Karin, Konrad, Leonie, Ludwig, Maren, Matthias, Nadine, Norbert, Olga, Otto, Paula, Ralf, Rosemarie, Sebastian, Silke, Sven, Tanja, Thorsten, Ulrike, Volker, Wiebke, Wolfgang"),
    _split("Ahrens, Albers, Bachmann, Behrendt, Brückner, Claußen, Drescher, Eichhorn, Falkenberg, Gärtner, Grünewald, Haberland, Hölscher, Jäger, Kaiser, Köster, Kühn, Lindemann, Löffler, Meißner, Neumann, Özdemir, Petersen, Quandt, Reinhardt, Rößler, Sauer, Schäfer, Schönfeld, Steinbach, Thießen, Ullrich, Vogel, Weidner, Wörner, Zimmermann"),
    _split("Ackerstraße, Am Bahndamm, Amselweg, Bergstraße, Brunnengasse, Dorfplatz, Eichenallee, Feldweg, Gartenstraße, Goethestraße, Hafenstraße, Im Winkel, Jahnstraße, Kastanienweg, Lessingstraße, Marktstraße, Mühlenweg, Neue Straße, Poststraße, Quellenweg, Rosenweg, Schulstraße, Südring, Talstraße, Uferweg, Wiesenstraße"),
    "{street} {number}",
    _split("Ansbach, Bielefeld, Celle, Dessau, Emden, Freiberg, Gera, Hameln, Itzehoe, Jena, Kleve, Lüneburg, Marburg, Nordhausen, Oldenburg, Pirna, Quedlinburg, Ravensburg, Schwerin, Tübingen, Uelzen, Verden, Wismar, Zittau"),
    "##### {city}",
    _split("Januar, Februar, März, April, Mai, Juni, Juli, August, September, Oktober, November, Dezember"),
    ("dd.mm.yyyy", "d. month yyyy", "dd.mm.yy", "dd.mm.yyyy"), ".", ",", "0#### ######",
    _split("Alpenblick, Bördeland, Cronstein, Dünenhof, Elbtal, Fichtner, Grönwald, Havelland, Immergrün, Kranich, Lindenau, Morgenroth, Nordsee, Oberland, Pfalzwerk, Rheinaue, Saalfeld, Taunus, Unterweser, Wetterau"),
    _split("GmbH, AG, GmbH & Co. KG, e.K., eG, Service GmbH"), ("Herr", "Frau"), "de",
    _split("bezahlt, erledigt, Steuer, abheften, Rückfrage, ok, an Jutta, Kopie an Büro, prüfen!, angerufen, Ordner Haus, überwiesen am {short}"),
    _split("EINGEGANGEN, Eingang {date}, EINGEGANGEN {date}, Poststelle {date}, Gebucht, Bezahlt {date}"),
    _split("KOPIE, Zweitschrift, Duplikat, ABSCHRIFT"), ("Von", "An", "Gesendet", "Betreff"), "Seite {n} von {of}",
    "Am {date} um {time} schrieb {who}:",
)  # fmt: skip
FR = Locale(
    "fr", "FR",
    _split("Adèle, Alain, Aurélie, Baptiste, Béatrice, Camille, Cédric, Delphine, Élise, Étienne, Fanny, François, Gaëlle, Hélène, Hugo, Inès, Jérôme, Josiane, Léa, Loïc, Madeleine, Mathieu, Nathalie, Noël, Odile, Pauline, Quentin, Raphaël, Sabine, Sylvain, Thérèse, Valérie, Xavier, Yann"),
    _split("Aubert, Bardin, Besnard, Bouchard, Chevallier, Courtois, Delaunay, Desmarais, Dubreuil, Fabre, Garnier, Gauthier, Hébert, Jacquet, Lacombe, Lambert, Leclerc, Marchal, Meunier, Noiret, Pasquier, Perrault, Queneau, Renard, Rousselot, Sabatier, Tessier, Vasseur, Verdier"),
    _split("rue des Acacias, avenue de la Gare, rue du Moulin, place de l'Église, boulevard Victor Hugo, chemin des Vignes, rue Pasteur, impasse du Lavoir, allée des Peupliers, rue de la République, quai des Pêcheurs, rue Saint-Martin, route de Lyon, cours Gambetta"),
    "{number} {street}",
    _split("Annecy, Bayonne, Chartres, Dijon, Évreux, Foix, Gap, Honfleur, Issoire, Laval, Mâcon, Niort, Orange, Périgueux, Quimper, Rodez, Saumur, Troyes, Uzès, Vichy"),
    "##### {city}",
    _split("janvier, février, mars, avril, mai, juin, juillet, août, septembre, octobre, novembre, décembre"),
    ("dd/mm/yyyy", "d month yyyy", "dd/mm/yy"), " ", ",", "0# ## ## ## ##",
    _split("Aubépine, Belvédère, Clairière, Dauphiné, Escale, Fontaine, Garrigue, Horizon, Jonquille, Lavandier, Méridien, Nacelle, Orée, Pierrefonds, Rivage, Sologne, Tilleul, Vallon"),
    _split("SARL, SA, SAS, et Fils, Services, EURL"), ("M.", "Mme"), "fr",
    _split("payé, réglé le {short}, à classer, impôts, vu, rappeler, copie pour Hélène, fait, ok, urgent"),
    _split("REÇU LE {date}, REÇU, Courrier arrivé {date}, PAYÉ, Service courrier {date}"),
    _split("COPIE, DUPLICATA, Copie conforme"), ("De", "À", "Envoyé", "Objet"), "Page {n} sur {of}", "Le {date} à {time}, {who} a écrit :",
)  # fmt: skip
ES = Locale(
    "es", "ES",
    _split("Adela, Álvaro, Amparo, Beatriz, Begoña, Carlos, Celia, Daniela, Eduardo, Elvira, Fermín, Gonzalo, Gracia, Héctor, Inés, Iván, Jimena, Joaquín, Leonor, Lucía, Mateo, Mercedes, Nicolás, Nuria, Óscar, Pilar, Ramón, Rocío, Sofía, Teresa, Tomás, Vicente"),
    _split("Aguirre, Alonso, Barrios, Benítez, Cabrera, Cano, Domínguez, Escudero, Fuentes, Gallardo, Herrero, Ibáñez, Jiménez, Lozano, Márquez, Molina, Navarro, Núñez, Ochoa, Pardo, Quintana, Reyes, Salazar, Soler, Trujillo, Valverde, Zamora"),
    _split("calle Mayor, calle del Carmen, avenida de la Constitución, plaza de España, calle Real, paseo Marítimo, calle de la Fuente, camino Viejo, ronda Norte, calle San Juan, avenida del Puerto, calle Olivo"),
    "{street}, {number}",
    _split("Albacete, Burgos, Cáceres, Denia, Elche, Figueras, Gijón, Huesca, Jaén, León, Mérida, Ourense, Plasencia, Reus, Segovia, Teruel, Úbeda, Zafra"),
    "##### {city}",
    _split("enero, febrero, marzo, abril, mayo, junio, julio, agosto, septiembre, octubre, noviembre, diciembre"),
    ("dd/mm/yyyy", "d de month de yyyy", "dd-mm-yyyy"), ".", ",", "9## ### ###",
    _split("Almendro, Brisamar, Castañar, Doñana, Encinar, Faro, Girasol, Hispalia, Levante, Montealto, Olivares, Peñafiel, Ribera, Sabina, Torrealta, Vega"),
    _split("S.L., S.A., e Hijos, S.L.U., Servicios S.L."), ("D.", "Dña."), "es",
    _split("pagado, archivar, revisar, ok, llamar, copia gestoría, hecho, urgente, hacienda"),
    _split("RECIBIDO, RECIBIDO {date}, ENTRADA {date}, PAGADO, Registro de entrada {date}"),
    _split("COPIA, DUPLICADO, Copia para el cliente"), ("De", "Para", "Enviado", "Asunto"), "Página {n} de {of}", "El {date} a las {time}, {who} escribió:",
)  # fmt: skip
IT = Locale(
    "it", "IT",
    _split("Adriana, Alberto, Beatrice, Bruno, Caterina, Claudio, Davide, Donatella, Elena, Enzo, Federica, Fabio, Gaia, Giacomo, Ilaria, Ivano, Lidia, Lorenzo, Marco, Michela, Nicola, Nives, Paolo, Patrizia, Renata, Riccardo, Silvia, Stefano, Tiziana, Ugo, Valeria, Vittorio"),
    _split("Amato, Barbieri, Benedetti, Caruso, Colombo, D'Angelo, De Luca, Esposito, Fabbri, Ferraro, Giordano, Grassi, Innocenti, Lombardi, Mancini, Marchetti, Negri, Orlandi, Pagani, Pellegrini, Quaranta, Rinaldi, Sartori, Testa, Valentini, Zanetti"),
    _split("via Roma, via Garibaldi, corso Italia, piazza San Marco, via dei Mille, viale della Stazione, via Verdi, vicolo Stretto, via del Mulino, via Mazzini, largo Donatori, via Dante"),
    "{street} {number}",
    _split("Ancona, Bergamo, Cuneo, Domodossola, Empoli, Faenza, Gorizia, Imola, Lodi, Mantova, Novara, Orvieto, Pistoia, Rovigo, Sondrio, Treviso, Urbino, Viterbo"),
    "##### {city}",
    _split("gennaio, febbraio, marzo, aprile, maggio, giugno, luglio, agosto, settembre, ottobre, novembre, dicembre"),
    ("dd/mm/yyyy", "d month yyyy", "dd.mm.yyyy"), ".", ",", "0### ######",
    _split("Abetaia, Belforte, Cipresso, Darsena, Edera, Fiordaliso, Ginestra, Lagoverde, Montebello, Olmo, Pineta, Querceto, Roccaforte, Sirena, Torchio, Valsole"),
    _split("S.r.l., S.p.A., e Figli, S.n.c., Servizi S.r.l."), ("Sig.", "Sig.ra"), "it",
    _split("pagato, archiviare, visto, ok, richiamare, copia commercialista, fatto, urgente, tasse"),
    _split("RICEVUTO, RICEVUTO IL {date}, PROTOCOLLO {date}, PAGATO, Arrivo {date}"),
    _split("COPIA, DUPLICATO, Copia conforme"), ("Da", "A", "Inviato", "Oggetto"), "Pagina {n} di {of}", "Il giorno {date} alle {time} {who} ha scritto:",
)  # fmt: skip
NL = Locale(
    "nl", "NL",
    _split("Anouk, Arjan, Bart, Carlijn, Cees, Daan, Dorien, Eefje, Evert, Femke, Frits, Gerda, Gijs, Hanneke, Hugo, Ineke, Jeroen, Joke, Karel, Lotte, Marijke, Mees, Nienke, Onno, Petra, Pim, Roos, Sander, Saskia, Teun, Vera, Wouter"),
    _split("Bakker, Beekman, van den Bosch, Brouwer, Cornelissen, van Dam, Dekker, Evers, de Graaf, Groeneveld, Hendriks, Hofstra, Jacobs, Kuipers, van Leeuwen, Martens, Nijhuis, Oosterhuis, Peeters, de Ruiter, Scholten, Smeets, Timmerman, Veenstra, Verhoeven, Visser, de Wit, Zijlstra"),
    _split("Beukenlaan, Dorpsstraat, Eikenweg, Grote Markt, Havenkade, Julianalaan, Kanaalweg, Lindelaan, Meidoornstraat, Nieuwstraat, Oranjestraat, Parallelweg, Schoolstraat, Stationsplein, Vijverlaan, Wilhelminastraat"),
    "{street} {number}",
    _split("Alkmaar, Breda, Delft, Emmen, Franeker, Gouda, Hoorn, Kampen, Leiden, Meppel, Nijkerk, Oss, Purmerend, Roermond, Sneek, Tiel, Veere, Zutphen"),
    "#### @@ {city}",
    _split("januari, februari, maart, april, mei, juni, juli, augustus, september, oktober, november, december"),
    ("dd-mm-yyyy", "d month yyyy", "dd-mm-yy"), ".", ",", "0## ### ## ##",
    _split("Boomgaard, Duinzicht, Eemland, Fluithoek, Grachten, Heideveld, IJsselstein, Klaver, Lentehof, Merwede, Noorderlicht, Oostpolder, Rietland, Singel, Terp, Waterland"),
    _split("B.V., N.V., & Zonen, V.O.F., Diensten B.V."), ("Dhr.", "Mevr."), "nl",
    _split("betaald, gedaan, bewaren, belasting, bellen, kopie naar Joke, ok, nakijken, spoed"),
    _split("ONTVANGEN, ONTVANGEN {date}, INGEKOMEN {date}, BETAALD, Postkamer {date}"),
    _split("KOPIE, Duplicaat, Afschrift"), ("Van", "Aan", "Verzonden", "Onderwerp"), "Pagina {n} van {of}", "Op {date} om {time} schreef {who}:",
)  # fmt: skip
PL = Locale(
    "pl", "PL",
    _split("Agnieszka, Bartosz, Czesława, Dariusz, Elżbieta, Grzegorz, Halina, Jarosław, Kinga, Łukasz, Małgorzata, Michał, Norbert, Olga, Przemysław, Renata, Stanisław, Urszula, Wojciech, Zuzanna"),
    _split("Adamczyk, Borkowski, Cieślak, Dąbrowski, Górska, Jabłoński, Kaczmarek, Lewandowska, Majewski, Nowicka, Olszewski, Pawlak, Rutkowska, Sikora, Szczepański, Wójcik, Zając, Żak"),
    _split("ul. Lipowa, ul. Polna, ul. Mickiewicza, al. Niepodległości, ul. Kościelna, ul. Ogrodowa, ul. Szkolna, pl. Wolności, ul. Słoneczna"),
    "{street} {number}", _split("Augustów, Bochnia, Chełm, Ełk, Gniezno, Kłodzko, Łomża, Nysa, Olsztyn, Piła, Radom, Słupsk, Tczew, Zamość"), "##-### {city}",
    _split("stycznia, lutego, marca, kwietnia, maja, czerwca, lipca, sierpnia, września, października, listopada, grudnia"),
    ("dd.mm.yyyy", "d month yyyy"), " ", ",", "## ### ## ##",
    _split("Bielik, Cisowa, Dębina, Jantar, Klon, Marzanna, Orlik, Rusałka, Świt, Tęcza, Wisła, Żuraw"), _split("Sp. z o.o., S.A., i Synowie, Usługi"), ("Pan", "Pani"), "pl",
    _split("zapłacono, archiwum, ok, sprawdzić, zadzwonić, pilne"), _split("WPŁYNĘŁO, WPŁYNĘŁO {date}, ZAPŁACONO, Kancelaria {date}"), _split("KOPIA, DUPLIKAT, ODPIS"),
    ("Od", "Do", "Wysłano", "Temat"), "Strona {n} z {of}", "Dnia {date} o {time} {who} napisał(a):",
)  # fmt: skip
PT = Locale(
    "pt", "PT",
    _split("Afonso, Amélia, Bernardo, Clara, Duarte, Ermelinda, Fátima, Gonçalo, Graça, Hélder, Isaura, Jorge, Leonor, Luís, Madalena, Nuno, Otília, Rui, Susana, Tiago, Vasco, Zulmira"),
    _split("Almeida, Barbosa, Cardoso, Coelho, Esteves, Fonseca, Guimarães, Leitão, Magalhães, Moreira, Nogueira, Pacheco, Queirós, Ramalho, Simões, Tavares, Vilela"),
    _split("Rua da Fonte, Avenida da Liberdade, Rua do Comércio, Travessa do Forno, Largo da Igreja, Rua Nova, Praça da República, Rua das Flores"),
    "{street}, {number}", _split("Aveiro, Beja, Chaves, Évora, Guarda, Lagos, Leiria, Mafra, Ovar, Setúbal, Tomar, Viseu"), "####-### {city}",
    _split("janeiro, fevereiro, março, abril, maio, junho, julho, agosto, setembro, outubro, novembro, dezembro"),
    ("dd/mm/yyyy", "d de month de yyyy", "dd-mm-yyyy"), ".", ",", "2## ### ###",
    _split("Andorinha, Boavista, Cegonha, Esperança, Farol, Maresia, Oliveira, Pinhal, Ribeirinha, Sobreiro, Vindima"), _split("Lda., S.A., & Filhos, Unipessoal Lda."), ("Sr.", "Sra."), "pt",
    _split("pago, arquivar, ok, ligar, urgente, contabilista"), _split("RECEBIDO, RECEBIDO EM {date}, ENTRADA {date}, PAGO"), _split("CÓPIA, SEGUNDA VIA, DUPLICADO"),
    ("De", "Para", "Enviado", "Assunto"), "Página {n} de {of}", "Em {date} às {time}, {who} escreveu:",
)  # fmt: skip
SV = Locale(
    "sv", "SE",
    _split("Agneta, Anders, Birgitta, Björn, Cecilia, Elin, Erik, Gunilla, Göran, Hanna, Håkan, Ingrid, Jonas, Kerstin, Lars, Linnéa, Mats, Märta, Nils, Pernilla, Rolf, Sigrid, Sören, Ulla, Åke, Östen"),
    _split("Andersson, Berglund, Björk, Dahlgren, Ekström, Forsberg, Grönlund, Hedström, Håkansson, Jönsson, Lindqvist, Lundgren, Månsson, Nyström, Persson, Sandberg, Söderberg, Wallin, Åberg, Öberg"),
    _split("Björkvägen, Drottninggatan, Fabriksgatan, Hamngatan, Kyrkogatan, Ljungvägen, Parkgatan, Ringvägen, Skolgatan, Storgatan, Ängsvägen, Östra gatan"),
    "{street} {number}", _split("Arvika, Borås, Falun, Gävle, Hudiksvall, Karlstad, Lidköping, Mora, Nyköping, Piteå, Sala, Umeå, Visby, Ystad, Örebro"), "### ## {city}",
    _split("januari, februari, mars, april, maj, juni, juli, augusti, september, oktober, november, december"),
    ("yyyy-mm-dd", "d month yyyy", "yyyy-mm-dd"), " ", ",", "0##-### ## ##",
    _split("Bergslagen, Dalvik, Ekhaga, Fyrtorn, Granit, Havsbris, Kustvind, Lövsta, Mälaren, Norrsken, Skärgård, Tallbacken, Älvkraft"), _split("AB, HB, & Söner, Service AB, ek. för."), ("Herr", "Fru"), "se",
    _split("betald, klar, spara, ring, ok, kopia till Ulla, skatt, brådskar"), _split("INKOM, INKOM {date}, ANKOM {date}, BETALD, Diariet {date}"), _split("KOPIA, Avskrift, Dubblett"),
    ("Från", "Till", "Skickat", "Ämne"), "Sida {n} av {of}", "Den {date} kl. {time} skrev {who}:",
)  # fmt: skip
CS = Locale(
    "cs", "CZ",
    _split("Alena, Bohumil, Božena, Ctibor, Dagmar, Eliška, František, Hana, Ivana, Jiří, Kateřina, Ladislav, Lenka, Miloš, Naděžda, Ondřej, Růžena, Šárka, Tomáš, Václav, Věra, Zdeněk"),
    _split("Bartoš, Beneš, Čermák, Doležal, Fiala, Hájek, Horák, Jelínek, Kovář, Kučera, Mareš, Němec, Pokorný, Růžička, Říha, Sedláček, Šimek, Urban, Veselý, Zeman"),
    _split("Dlouhá, Hlavní, Husova, Jiráskova, Květinová, Lesní, Mlýnská, Na Kopci, Nádražní, Polní, Školní, Tyršova, U Potoka, Zahradní"),
    "{street} {number}", _split("Benešov, Cheb, Děčín, Hodonín, Jihlava, Klatovy, Litoměřice, Mělník, Náchod, Písek, Rokycany, Šumperk, Tábor, Třebíč, Znojmo"), "### ## {city}",
    _split("ledna, února, března, dubna, května, června, července, srpna, září, října, listopadu, prosince"),
    ("d. month yyyy", "dd.mm.yyyy", "dd. mm. yyyy"), " ", ",", "### ### ###",
    _split("Bystřina, Hvězda, Javor, Koruna, Lípa, Morava, Pramen, Sázava, Svornost, Úsvit, Vltava, Zátiší"), _split("s.r.o., a.s., a synové, Služby s.r.o."), ("Pan", "Paní"), "cz",
    _split("zaplaceno, vyřízeno, založit, zavolat, ok, kopie účetní, daně, spěchá"), _split("DOŠLO, DOŠLO {date}, PODATELNA {date}, ZAPLACENO"), _split("KOPIE, OPIS, DUPLIKÁT"),
    ("Od", "Komu", "Odesláno", "Předmět"), "Strana {n} z {of}", "Dne {date} v {time} {who} napsal(a):",
)  # fmt: skip
LOCALES = {locale.lang: locale for locale in (EN, DE, FR, ES, IT, NL, PL, PT, SV, CS)}
