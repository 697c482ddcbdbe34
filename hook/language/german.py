"""The German texts of the review page, the report and the notes, by their English ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TEXTS: Final[Mapping[str, str]] = {
    # Relations, and which document to keep
    "identical": "identisch",
    "rescan": "neuer Scan",
    "revision": "überarbeitet",
    "contained": "enthalten",
    "translated": "übersetzt",
    "you marked it to be kept": "von dir zum Behalten markiert",
    "contains the other": "enthält das andere",
    "has an ASN": "hat eine ASN",
    "more metadata": "mehr Metadaten",
    "born digital": "digital entstanden",
    "better readable text": "besser lesbarer Text",
    "more pages": "mehr Seiten",
    "added first": "zuerst hinzugefügt",
    "and {n} more": "und {n} weitere",
    "Suggestion: keep #{n} ({why})": "Vorschlag: #{n} behalten ({why})",
    # Crops of both pages
    "Look at the pages": "Seiten ansehen",
    "Looking at both pages \N{HORIZONTAL ELLIPSIS}": "Beide Seiten werden angesehen \N{HORIZONTAL ELLIPSIS}",
    "same print": "gleicher Druck",
    "different print": "anderer Druck",
    "not clear: look for yourself": "nicht eindeutig: sieh selbst hin",
    "not read here": "hier nicht gelesen",
    "not found on the page": "auf der Seite nicht gefunden",
    "#{n}, page {page}: {words}": "#{n}, Seite {page}: {words}",
    "There is no place to look at.": "Es gibt keine Stelle anzusehen.",
    "The pages cannot be compared: {why}.": "Die Seiten lassen sich nicht vergleichen: {why}.",
    "damaged": "die Datei ist beschädigt",
    "encrypted": "die Datei ist verschlüsselt",
    "too large": "die Datei ist zu groß",
    "takes too long": "es dauert zu lange",
    "no pages": "die Datei hat keine Seiten",
    "no text layer": "die Datei hat keine Textebene",
    "neither a PDF nor an image": "weder PDF noch Bild",
    "the file could not be fetched": "die Datei konnte nicht geholt werden",
    # Buttons, and what they do
    "Same": "Dasselbe",
    "Not the same": "Nicht dasselbe",
    "Later": "Später",
    "Skip": "Ignorieren",
    "Undo": "Rückgängig",
    "Flip": "Wenden",
    "Zoom": "Vergrößern",
    "Filter": "Filtern",
    "Decide one by one": "Einzeln entscheiden",
    "#{n} is ignored from now on": "#{n} wird ab jetzt ignoriert",
    "decides nothing: moves the card to the end of the list": "entscheidet nichts: legt die Karte ans Ende der Liste",
    "makes the newer of #{n} and #{m} a file version of the other": "macht das neuere von #{n} und #{m} zu einer "
    "Dateiversion des anderen",
    "moves #{n} to the trash, #{m} is kept": "legt #{n} in den Papierkorb, #{m} bleibt",
    "moves the worse copy to the trash": "legt die schlechtere Kopie in den Papierkorb",
    "moves one of two documents to the trash": "legt eines von zwei Dokumenten in den Papierkorb",
    "keeps all documents, marks the finding as confirmed": "behält alle Dokumente, der Fund gilt als bestätigt",
    "never reports #{n} with these {count} documents again": "meldet #{n} mit diesen {count} Dokumenten nie wieder",
    "never reports #{n} and #{m} again": "meldet #{n} und #{m} nie wieder",
    # Messages
    "{names}: same": "{names}: dasselbe",
    "{names}: not the same": "{names}: nicht dasselbe",
    "{names}: ignored from now on": "{names}: ab jetzt ignoriert",
    " and {n} more": " und {n} weitere",
    "Moved to the end of the list.": "Ans Ende der Liste gelegt.",
    "Undone: {words}": "Rückgängig gemacht: {words}",
    "There is nothing to undo.": "Es gibt nichts rückgängig zu machen.",
    "You may not change these documents.": "Du darfst diese Dokumente nicht ändern.",
    "This finding has changed or was decided in the meantime. Nothing was written: look at it again.": "Dieser Fund hat "
    "sich geändert oder wurde inzwischen entschieden. Nichts wurde geschrieben: sieh ihn dir noch einmal an.",
    "That is not a decision.": "Das ist keine Entscheidung.",
    "Report only: nothing is written to Paperless.": "Nur Bericht: nichts wird nach Paperless geschrieben.",
    "This form is too old: load the page again.": "Dieses Formular ist zu alt: lade die Seite neu.",
    "Paperless does not allow you to do that.": "Paperless erlaubt dir das nicht.",
    "No document was examined yet. Come back when the first sync has ended.": "Noch wurde kein Dokument untersucht. Komm "
    "wieder, wenn der erste Abgleich beendet ist.",
    "The index is busy or cannot be read: try again.": "Der Index ist beschäftigt oder nicht lesbar: versuche es noch einmal.",
    "Paperless does not answer: {why}": "Paperless ist nicht erreichbar: {why}",
    "Error": "Fehler",
    "That did not work": "Das hat nicht geklappt",
    "Back to the list": "Zurück zur Liste",
    # Log-in
    "Log in": "Anmelden",
    "Log out": "Abmelden",
    "Use your Paperless user. You see the documents that you see in Paperless.": "Mit deinem Paperless-Benutzer. Du siehst, was "
    "Paperless dir zeigt.",
    "User name": "Benutzername",
    "Password": "Passwort",
    "Second factor, or a token instead of a password": "Zweiter Faktor, oder ein Token statt eines Passworts",
    "Code of the second factor": "Code des zweiten Faktors",
    "API token (from My Profile in Paperless)": "API-Token (aus Mein Profil in Paperless)",
    "This is too long.": "Das ist zu lang.",
    "Too many attempts: try again in {n} seconds.": "Zu viele Versuche: versuche es in {n} Sekunden noch einmal.",
    "Too many requests to Paperless: try again in a minute.": "Paperless bittet um Geduld: versuche es in einer Minute noch einmal.",
    "Too many requests are waiting: try again in a few seconds.": "Zu viele Anfragen warten: versuche es in einigen Sekunden noch einmal.",
    "Paperless asks for the code of your second factor.": "Paperless verlangt den Code deines zweiten Faktors.",
    "Your user may not see documents.": "Dein Benutzer darf keine Dokumente sehen.",
    "User name, password or token is wrong.": "Benutzername, Passwort oder Token ist falsch.",
    "User name or password is missing.": "Benutzername oder Passwort fehlt.",
    # Pages
    "Skip to the content": "Zum Inhalt",
    "Pages": "Seiten",
    "Review": "Prüfen",
    "Tuning": "Schwellwert",
    "Suspected duplicates": "Mögliche Duplikate",
    "State": "Stand",
    "Nothing waits for a decision.": "Nichts wartet auf eine Entscheidung.",
    "Keys: J next, K previous, Y same, N not the same, L later, S skip, U undo": "Tasten: J weiter, K zurück, Y dasselbe, N nicht "
    "dasselbe, L später, S ignorieren, U rückgängig",
    "Report only: nothing is written to Paperless, and nothing can be decided here.": "Nur Bericht: nichts wird nach "
    "Paperless geschrieben, und hier kann nichts entschieden werden.",
    "The service cannot examine documents at the moment: {why}": "Der Dienst kann zurzeit nicht arbeiten: {why}",
    "waiting": "offen",
    "confirmed": "bestätigt",
    "dismissed": "abgelehnt",
    "freed by trashing (estimate)": "würde der Papierkorb frei machen (geschätzt)",
    "nothing": "nichts",
    "Examined documents": "Untersuchte Dokumente",
    "{n} of {total} documents examined": "{n} von {total} Dokumenten untersucht",
    "{n} in the queue": "{n} in der Warteschlange",
    "{n} given up: see the command queue": "{n} aufgegeben: siehe den Befehl queue",
    "last sync {when}": "letzter Abgleich {when}",
    "all relations": "alle Beziehungen",
    "any confidence": "jede Sicherheit",
    "at least {sure}": "mindestens {sure}",
    "all correspondents": "alle Korrespondenten",
    "Relation": "Beziehung",
    "Correspondent": "Korrespondent",
    "Confidence": "Sicherheit",
    "Confirm all {n} identical ones": "Alle {n} identischen bestätigen",
    "Confirm all {n} identical ones?": "Alle {n} identischen bestätigen?",
    "Confirm all identical ones": "Alle identischen bestätigen",
    "Confirm all": "Alle bestätigen",
    "Cancel": "Abbrechen",
    "previous page": "vorige Seite",
    "next page": "nächste Seite",
    "page {n} of {total}": "Seite {n} von {total}",
    "Pages of cards": "Seiten mit Karten",
    # Cards
    "{relation}, {sure} sure": "{relation}, {sure} sicher",
    "{sure} sure": "{sure} sicher",
    "no image": "kein Bild",
    "First page of #{n}": "Erste Seite von #{n}",
    "Date": "Datum",
    "Added": "Hinzugefügt",
    "Tags": "Tags",
    "Size": "Größe",
    "Suggestion: keep this one": "Vorschlag: dieses behalten",
    "latest": "neueste",
    "The texts cannot be shown side by side.": "Die Texte können nicht nebeneinander gezeigt werden.",
    "The texts are equal, word for word.": "Die Texte sind gleich, Wort für Wort.",
    "Text: {changes} changed, {slips} OCR differences": "Text: {changes} geändert, {slips} OCR-Abweichungen",
    "only in #{n}": "nur in #{n}",
    "Amount": "Betrag",
    "Reference": "Kennzeichen",
    "Two languages: {same} facts agree, {other} are only in one": "Zwei Sprachen: {same} Angaben stimmen überein, {other} stehen nur "
    "in einem",
    "The texts are in two languages, and have no dates, amounts or references.": "Die Texte sind in zwei Sprachen und enthalten "
    "weder Daten noch Beträge noch Kennzeichen.",
    "faint: an OCR difference": "blass: eine OCR-Abweichung",
    "The rest of the text is not shown here.": "Der Rest des Textes wird hier nicht gezeigt.",
    "\N{HORIZONTAL ELLIPSIS} {n} equal words \N{HORIZONTAL ELLIPSIS}": "\N{HORIZONTAL ELLIPSIS} {n} gleiche Wörter "
    "\N{HORIZONTAL ELLIPSIS}",
    # Tuning
    "Tuning by eye": "Schwellwert mit Augenmaß",
    "Every pair that was reported, by confidence. Pairs below the threshold are not stored.": "Jedes gemeldete Paar nach "
    "seiner Sicherheit. Paare unter dem Schwellwert werden nicht gespeichert.",
    "Histogram of confidences": "Histogramm der Sicherheiten",
    "Threshold": "Schwellwert",
    "at {sure}: {n} instead of {now}": "bei {sure}: {n} statt {now}",
    "Pairs that are reported": "Gemeldete Paare",
    "Pairs": "Paare",
    "Stated and actual": "Behauptet und tatsächlich",
    "No decisions yet.": "Noch keine Entscheidungen.",
    "The command tune proposes a threshold from your decisions.": "Der Befehl tune schlägt aus deinen Entscheidungen einen "
    "Schwellwert vor.",
    "Of the decided pairs: how sure we said we were, and how many were confirmed": "Von den entschiedenen Paaren: wie "
    "sicher die Meldung war, und wie viele bestätigt wurden",
    "stated": "behauptet",
    # Report
    "Nothing was written to Paperless. The command backfill writes these findings; it does not examine again.": "Nichts "
    "wurde nach Paperless geschrieben. Der Befehl backfill schreibt diese Funde; er untersucht nicht noch einmal.",
    "These findings are tagged in Paperless and wait for a decision.": "Diese Funde sind in Paperless markiert und warten "
    "auf eine Entscheidung.",
    "Nothing was found.": "Nichts wurde gefunden.",
    "{n} of {total} cards are shown, the surest first.": "{n} von {total} Karten werden gezeigt, die sichersten zuerst.",
    # Notes on documents of the other user, and what became of a decision
    "Looks like a document that not everybody who sees this one may see - {relation}, {confidence} sure. "
    "`paperless-dedupe pending` names it": "Ähnelt einem Dokument, das nicht alle sehen dürfen, die dieses sehen - {relation}, "
    "{confidence} sicher. `paperless-dedupe pending` nennt es",
    "Not done: {goal}. Reason: {reason}.": "Nicht ausgeführt: {goal}. Grund: {reason}.",
    "Not done: {goal}.": "Nicht ausgeführt: {goal}.",
    "Not done.": "Nicht ausgeführt.",
    "Not done: this document has two decision tags. Remove one of them.": "Nicht ausgeführt: dieses Dokument hat zwei "
    "Entscheidungs-Tags. Entferne eines davon.",
    "The reason names a document that not everybody who sees this one may see: the log of paperless-dedupe has it.": "Der Grund "
    "nennt ein Dokument, das nicht alle sehen dürfen, die dieses sehen: er steht im Protokoll von paperless-dedupe.",
    "#{n} and #{m}": "#{n} und #{m}",
    "your decision": "deine Entscheidung",
    "keep #{kept} and move #{loser} to the trash": "#{kept} behalten und #{loser} in den Papierkorb legen",
    "make #{loser} a version of #{kept}": "#{loser} zu einer Version von #{kept} machen",
    "move one of them to the trash": "eines davon in den Papierkorb legen",
    "make one a version of the other": "eines zu einer Version des anderen machen",
    "this index has no finding on #{n}: its marks were written by another index. Run `paperless-dedupe backfill`, then remove the tag "
    "and set it again": "dieser Index hat keinen Fund zu #{n}: ein anderer hat ihn geschrieben. Führe `paperless-dedupe backfill` "
    "aus, entferne dann den Tag und setze ihn wieder",
    "there is no finding to decide on. Remove the tag from #{n}": "es gibt keinen Fund, über den zu entscheiden wäre. Entferne "
    "den Tag von #{n}",
    "one of them was deleted": "eines davon wurde gelöscht",
    "one of the two was deleted in the meantime": "eines der beiden wurde inzwischen gelöscht",
    "the text of #{n} has changed since": "der Text von #{n} hat sich seither geändert",
    "the text of #{n} has changed since: it is examined again": "der Text von #{n} hat sich seither geändert: es wird noch "
    "einmal untersucht",
    "the decision was withdrawn: #{n} no longer has {tag}": "die Entscheidung wurde zurückgenommen: #{n} hat {tag} nicht mehr",
    "the decision was withdrawn: #{n} has {tag} now": "die Entscheidung wurde zurückgenommen: #{n} hat jetzt {tag}",
    "#{n} has {tag}, which contradicts it: remove one of the two tags": "#{n} hat {tag}, was dem widerspricht: entferne einen der "
    "beiden Tags",
    "the texts differ and are too long to be compared word by word: set {tag} on the one to keep": "die Texte unterscheiden sich und "
    "sind zu lang, um sie Wort für Wort zu vergleichen: setze {tag} auf das, das bleiben soll",
    "#{kept} was deleted in the same moment, so #{loser} was restored": "#{kept} wurde im selben Moment gelöscht, deshalb wurde "
    "#{loser} wiederhergestellt",
    "#{n} does not have the same file any more": "#{n} hat nicht mehr dieselbe Datei",
    "it is not known who may see #{kept} and #{loser}": "wer #{kept} und #{loser} sehen darf, ist nicht bekannt",
    "both have {tag}: remove it from one of them": "beide haben {tag}: entferne es von einem",
    "#{loser} is shared with somebody who may not see #{kept}: share that one too, or keep #{loser}": "#{loser} ist für jemanden "
    "freigegeben, der #{kept} nicht sehen darf: gib auch dieses frei, oder behalte #{loser}",
    "#{kept} is shared with somebody who may not see #{loser} and would see its metadata: set the tag on #{loser} if "
    "you want that": "#{kept} ist für jemanden freigegeben, der #{loser} nicht sehen darf, und würde zeigen, was darauf steht: setze "
    "den Tag auf #{loser}, wenn du das willst",
    "#{kept} belongs to a user, and #{loser} does not belong to the same one, so somebody could lose access: change the owner "
    "of one of them, or keep #{loser}": "#{kept} gehört einem Benutzer, und #{loser} gehört nicht demselben, also könnte jemand den "
    "Zugriff verlieren: ändere bei einem den Besitzer, oder behalte #{loser}",
    "#{loser} belongs to a user, and everybody would see its metadata on #{kept}: set the tag on #{loser} if you want that": "#{loser} "
    "gehört einem Benutzer, und alle würden auf #{kept} sehen, was darauf steht: setze den Tag auf #{loser}, wenn du das willst",
    "the texts differ in their content: {listed}. Set {tag} on the one to keep if it is to replace the other": "die Texte "
    "unterscheiden sich im Inhalt: {listed}. Setze {tag} auf das, das bleiben soll, wenn es das andere ersetzen soll",
    '"{here}" in #{kept}, "{there}" in #{loser}': '"{here}" in #{kept}, "{there}" in #{loser}',
    '"{words}" only in #{n}': '"{words}" nur in #{n}',
    "#{loser} is born digital, and #{kept} looks like a scan: set {tag} on the one to keep": "#{loser} ist digital entstanden, und "
    "#{kept} sieht aus wie ein Scan: setze {tag} auf das, das bleiben soll",
    "this Paperless has no file versions (they came with 3.0)": "dieses Paperless hat keine Dateiversionen (die gibt es seit 3.0)",
    "both have the same file, so a version would add nothing": "beide haben dieselbe Datei, eine Version wäre nichts Neues",
    "Paperless has lost the task that attaches the file: set the tag again": "Paperless hat die Aufgabe verloren, die die Datei "
    "anhängt: setze den Tag noch einmal",
    "Paperless did not attach the file: {reason}": "Paperless hat die Datei nicht angehängt: {reason}",
    # What could not be undone; stored in English
    "#{a} was deleted": "#{a} wurde gelöscht",
    "the version that was attached is in the trash of Paperless, as #{a}": "die angehängte Version liegt als #{a} im Papierkorb von "
    "Paperless",
    "ASN {a} could not be returned to #{b}": "die ASN {a} konnte #{b} nicht zurückgegeben werden",
    "#{a} no longer has the ASN {b}": "#{a} hat inzwischen eine andere ASN als {b}",
    "the link of #{a} to #{b} could not be restored": "die Verknüpfung von #{a} mit #{b} konnte nicht wiederhergestellt werden",
    # The summary of a merge
    'Kept this document. #{other} "{title}" was moved to the trash.': 'Dieses Dokument wurde behalten. #{other} "{title}" liegt im '
    "Papierkorb.",
    'Kept this document. #{other} "{title}" has the same file and was moved to the trash.': "Dieses Dokument wurde behalten. "
    '#{other} "{title}" hat dieselbe Datei und liegt im Papierkorb.',
    'The file of #{other} "{title}" is a version of this document now. #{other} was moved to the trash.': "Die Datei von #{other} "
    '"{title}" ist jetzt eine Version dieses Dokuments. #{other} liegt im Papierkorb.',
    "Taken over from it: {taken}.": "Davon übernommen: {taken}.",
    "Not taken over, because the value here is different: {left}.": "Nicht übernommen, weil hier ein anderer Wert steht: {left}.",
    "To undo this: `paperless-dedupe undo {n}`.": "Rückgängig machen: `paperless-dedupe undo {n}`.",
    "{what} {there} (here {here})": "{what} {there} (hier {here})",
    "Note on #{n}": "Notiz zu #{n}",
    "tag": "Tag",
    "tags": "Tags",
    "correspondent": "Korrespondent",
    "type": "Typ",
    "storage path": "Speicherpfad",
    "field {name}": "Feld {name}",
    "its note": "seine Notiz",
    "its {n} notes": "seine {n} Notizen",
    "no. {n}": "Nr. {n}",
    "from #{n}": "aus #{n}",
}
