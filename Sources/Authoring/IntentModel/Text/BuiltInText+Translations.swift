extension BuiltInText {
    static let translations: [String: [String: String]] = [
        "%@ can't be '%@'.": [
            "nl": "%@ kan niet '%@' zijn.", "de": "%@ kann nicht „%@“ sein.", "fr": "%@ ne peut pas être « %@ ».",
            "es": "%@ no puede ser «%@».",
        ],
        "%@ can be %@ to %@, not %@.": [
            "nl": "%@ kan %@ tot en met %@ zijn, niet %@.", "de": "%@ kann %@ bis %@ sein, nicht %@.",
            "fr": "%@ peut aller de %@ à %@, pas %@.", "es": "%@ puede ser de %@ a %@, no %@.",
        ],
        "'%@' is not %@.": [
            "nl": "'%@' is niet te begrijpen als %@.", "de": "„%@“ ist nicht zu verstehen als %@.",
            "fr": "« %@ » ne se comprend pas comme %@.", "es": "«%@» no se entiende como %@.",
        ],
        "%@ can't be that.": [
            "nl": "Dat kan %@ niet zijn.", "de": "%@ kann das nicht sein.", "fr": "%@ ne peut pas être cela.",
            "es": "%@ no puede ser eso.",
        ],
        "%@ can be %@ to %@.": [
            "nl": "%@ kan %@ tot en met %@ zijn.", "de": "%@ kann %@ bis %@ sein.", "fr": "%@ peut aller de %@ à %@.",
            "es": "%@ puede ser de %@ a %@.",
        ],
        "%@ has to be %@.": [
            "nl": "%@ moet te begrijpen zijn als %@.", "de": "%@ muss zu verstehen sein als %@.",
            "fr": "%@ doit se comprendre comme %@.", "es": "%@ debe entenderse como %@.",
        ],
        "%@: '%@' is no longer there.": [
            "nl": "%@: '%@' is er niet meer.", "de": "%@: „%@“ gibt es nicht mehr.", "fr": "%@ : « %@ » n'existe plus.",
            "es": "%@: «%@» ya no existe.",
        ],
        "%@: that is no longer there.": [
            "nl": "%@: dat is er niet meer.", "de": "%@: Das gibt es nicht mehr.", "fr": "%@ : cela n'existe plus.",
            "es": "%@: eso ya no existe.",
        ],
        "%@: at least %@, please.": [
            "nl": "%@: ten minste %@, graag.", "de": "%@: bitte mindestens %@.",
            "fr": "%@ : au moins %@, s'il vous plaît.",
            "es": "%@: al menos %@, por favor.",
        ],
        "%@: at most %@, please.": [
            "nl": "%@: hooguit %@, graag.", "de": "%@: bitte höchstens %@.", "fr": "%@ : au plus %@, s'il vous plaît.",
            "es": "%@: como máximo %@, por favor.",
        ],
        "Which one would you like?": [
            "nl": "Welke wilt u?", "de": "Was davon möchten Sie?", "fr": "Lequel souhaitez-vous ?",
            "es": "¿Cuál desea?",
        ],
        "%@?": ["nl": "%@?", "de": "%@?", "fr": "%@ ?", "es": "¿%@?"],
        "%@: which one?": ["nl": "%@: welke?", "de": "%@: was davon?", "fr": "%@ : lequel ?", "es": "%@: ¿cuál?"],
        "%@: %@?": ["nl": "%@: %@?", "de": "%@: %@?", "fr": "%@ : %@ ?", "es": "%@: ¿%@?"],
        "%@: that can't be used. What else?": [
            "nl": "%@: dat kan niet. Wat dan wel?", "de": "%@: Das geht nicht. Was sonst?",
            "fr": "%@ : ce n'est pas possible. Quoi d'autre ?", "es": "%@: eso no es posible. ¿Qué otra cosa?",
        ],
        "%@: what else?": [
            "nl": "%@: wat dan wel?", "de": "%@: Was sonst?", "fr": "%@ : quoi d'autre ?", "es": "%@: ¿qué otra cosa?",
        ],
        "%@: is it the one that is known?": [
            "nl": "%@: is het de bekende?", "de": "%@: Ist es das bekannte?", "fr": "%@ : est-ce celui qui est connu ?",
            "es": "%@: ¿es el que se conoce?",
        ],
        "%@: which of these?": [
            "nl": "%@: welke van deze?", "de": "%@: was von diesen?", "fr": "%@ : lequel de ceux-ci ?",
            "es": "%@: ¿cuál de estos?",
        ],
        "What is it?": ["nl": "Wat is het?", "de": "Was ist es?", "fr": "Qu'est-ce que c'est ?", "es": "¿Qué es?"],
        "Sign in to %@.": [
            "nl": "Meld u aan bij %@.", "de": "Melden Sie sich bei %@ an.", "fr": "Connectez-vous à %@.",
            "es": "Inicie sesión en %@.",
        ],
        "Sign in to go on.": [
            "nl": "Meld u aan om verder te gaan.", "de": "Melden Sie sich an, um fortzufahren.",
            "fr": "Connectez-vous pour continuer.",
            "es": "Inicie sesión para continuar.",
        ],
        "Which of these do you mean?": [
            "nl": "Welke van deze bedoelt u?", "de": "Was davon meinen Sie?", "fr": "Lequel voulez-vous dire ?",
            "es": "¿Cuál de estos quiere decir?",
        ],
        "Say it in your own words. You can also say repeat or cancel.": [
            "nl": "Zeg het in uw eigen woorden. U kunt ook herhaal of annuleer zeggen.",
            "de": "Sagen Sie es mit Ihren Worten. Sie können auch wiederholen oder abbrechen sagen.",
            "fr": "Dites-le avec vos mots. Vous pouvez aussi dire répète ou annule.",
            "es": "Dígalo con sus palabras. También puede decir repite o cancela.",
        ],
        "Say a name or a number from the list. You can also say none of these, repeat or cancel.": [
            "nl": "Zeg een naam of een nummer uit de lijst. U kunt ook geen van deze, herhaal of annuleer zeggen.",
            "de": "Sagen Sie Name oder Nummer. Sie können auch keins davon, wiederholen oder abbrechen sagen.",
            "fr": "Dites un nom ou un numéro de la liste. Vous pouvez aussi dire aucun, répète ou annule.",
            "es": "Diga un nombre o un número de la lista. También puede decir ninguno, repite o cancela.",
        ],
        "Say yes or no. You can also say repeat or cancel.": [
            "nl": "Zeg ja of nee. U kunt ook herhaal of annuleer zeggen.",
            "de": "Sagen Sie ja oder nein. Sie können auch wiederholen oder abbrechen sagen.",
            "fr": "Dites oui ou non. Vous pouvez aussi dire répète ou annule.",
            "es": "Diga sí o no. También puede decir repite o cancela.",
        ],
        "Say yes when you have signed in. You can also say repeat or cancel.": [
            "nl": "Zeg ja als u bent aangemeld. U kunt ook herhaal of annuleer zeggen.",
            "de": "Sagen Sie ja, wenn Sie angemeldet sind. Sie können auch wiederholen oder abbrechen sagen.",
            "fr": "Dites oui une fois connecté. Vous pouvez aussi dire répète ou annule.",
            "es": "Diga sí cuando haya iniciado sesión. También puede decir repite o cancela.",
        ],
        "Say correct or wrong. You can also say repeat or cancel.": [
            "nl": "Zeg juist of fout. U kunt ook herhaal of annuleer zeggen.",
            "de": "Sagen Sie richtig oder falsch. Sie können auch wiederholen oder abbrechen sagen.",
            "fr": "Dites correct ou faux. Vous pouvez aussi dire répète ou annule.",
            "es": "Diga correcto o incorrecto. También puede decir repite o cancela.",
        ],
        "Sign in on your device. You can also say repeat or cancel.": [
            "nl": "Meld u aan op uw apparaat. U kunt ook herhaal of annuleer zeggen.",
            "de": "Melden Sie sich auf Ihrem Gerät an. Sie können auch wiederholen oder abbrechen sagen.",
            "fr": "Connectez-vous sur votre appareil. Vous pouvez aussi dire répète ou annule.",
            "es": "Inicie sesión en su dispositivo. También puede decir repite o cancela.",
        ],
        "Agreed: %@ of %@.": [
            "nl": "Akkoord: %@ van %@.", "de": "Zugestimmt: %@ von %@.", "fr": "Accords : %@ sur %@.",
            "es": "De acuerdo: %@ de %@.",
        ],
        "It was not approved.": [
            "nl": "Het is niet goedgekeurd.", "de": "Es wurde nicht genehmigt.", "fr": "Cela n'a pas été approuvé.",
            "es": "No se ha aprobado.",
        ],
        "This is the last try.": [
            "nl": "Dit is de laatste poging.", "de": "Das ist der letzte Versuch.", "fr": "C'est le dernier essai.",
            "es": "Este es el último intento.",
        ],
        "%@ and %@": ["nl": "%@ en %@", "de": "%@ und %@", "fr": "%@ et %@", "es": "%@ y %@"],
        "%@ to %@": ["nl": "%@ tot %@", "de": "%@ bis %@", "fr": "entre %@ et %@", "es": "entre %@ y %@"],
        "from %@": ["nl": "vanaf %@", "de": "ab %@", "fr": "à partir de %@", "es": "a partir de %@"],
        "until %@": ["nl": "tot %@", "de": "bis %@", "fr": "jusqu'à %@", "es": "hasta %@"],
        "every minute": [
            "nl": "elke minuut", "de": "jede Minute", "fr": "chaque minute", "es": "cada minuto",
        ],
        "every hour": ["nl": "elk uur", "de": "jede Stunde", "fr": "chaque heure", "es": "cada hora"],
        "every day": ["nl": "elke dag", "de": "jeden Tag", "fr": "chaque jour", "es": "cada día"],
        "every week": ["nl": "elke week", "de": "jede Woche", "fr": "chaque semaine", "es": "cada semana"],
        "every month": ["nl": "elke maand", "de": "jeden Monat", "fr": "chaque mois", "es": "cada mes"],
        "every year": ["nl": "elk jaar", "de": "jedes Jahr", "fr": "chaque année", "es": "cada año"],
        "every %@ minutes": [
            "nl": "elke %@ minuten", "de": "alle %@ Minuten", "fr": "toutes les %@ minutes", "es": "cada %@ minutos",
        ],
        "every %@ hours": [
            "nl": "elke %@ uur", "de": "alle %@ Stunden", "fr": "toutes les %@ heures", "es": "cada %@ horas",
        ],
        "every %@ days": [
            "nl": "elke %@ dagen", "de": "alle %@ Tage", "fr": "tous les %@ jours", "es": "cada %@ días",
        ],
        "every %@ weeks": [
            "nl": "elke %@ weken", "de": "alle %@ Wochen", "fr": "toutes les %@ semaines", "es": "cada %@ semanas",
        ],
        "every %@ months": [
            "nl": "elke %@ maanden", "de": "alle %@ Monate", "fr": "tous les %@ mois", "es": "cada %@ meses",
        ],
        "every %@ years": [
            "nl": "elke %@ jaar", "de": "alle %@ Jahre", "fr": "tous les %@ ans", "es": "cada %@ años",
        ],
        "%@ on %@": ["nl": "%@ op %@", "de": "%@ am %@", "fr": "%@ le %@", "es": "%@ el %@"],
        "%@, once": ["nl": "%@, één keer", "de": "%@, einmal", "fr": "%@, une fois", "es": "%@, una vez"],
        "%@, %@ times": ["nl": "%@, %@ keer", "de": "%@, %@-mal", "fr": "%@, %@ fois", "es": "%@, %@ veces"],
        "Monday": ["nl": "maandag", "de": "Montag", "fr": "lundi", "es": "lunes"],
        "Tuesday": ["nl": "dinsdag", "de": "Dienstag", "fr": "mardi", "es": "martes"],
        "Wednesday": ["nl": "woensdag", "de": "Mittwoch", "fr": "mercredi", "es": "miércoles"],
        "Thursday": ["nl": "donderdag", "de": "Donnerstag", "fr": "jeudi", "es": "jueves"],
        "Friday": ["nl": "vrijdag", "de": "Freitag", "fr": "vendredi", "es": "viernes"],
        "Saturday": ["nl": "zaterdag", "de": "Samstag", "fr": "samedi", "es": "sábado"],
        "Sunday": ["nl": "zondag", "de": "Sonntag", "fr": "dimanche", "es": "domingo"],
        "yes": ["nl": "ja", "de": "ja", "fr": "oui", "es": "sí"],
        "no": ["nl": "nee", "de": "nein", "fr": "non", "es": "no"],
        "I did not understand that.": [
            "nl": "Dat begreep ik niet.", "de": "Das habe ich nicht verstanden.", "fr": "Je n’ai pas compris.",
            "es": "No lo he entendido.",
        ],
        "There are no others.": [
            "nl": "Er zijn geen andere.", "de": "Andere gibt es nicht.", "fr": "Il n'y en a pas d'autres.",
            "es": "No hay otros.",
        ],
        "You can also say another one in your own words.": [
            "nl": "U kunt ook in uw eigen woorden een andere zeggen.",
            "de": "Sie können auch mit Ihren Worten etwas anderes sagen.",
            "fr": "Vous pouvez aussi en dire un autre avec vos mots.",
            "es": "También puede decir otro con sus palabras.",
        ],
        "There was no answer in time.": [
            "nl": "Er kwam niet op tijd antwoord.", "de": "Es kam nicht rechtzeitig eine Antwort.",
            "fr": "La réponse n'est pas arrivée à temps.", "es": "La respuesta no llegó a tiempo.",
        ],
        "It is cancelled.": [
            "nl": "Het is geannuleerd.", "de": "Es ist abgebrochen.", "fr": "C'est annulé.", "es": "Está cancelado.",
        ],
        "There was no answer that can be used.": [
            "nl": "Er kwam geen bruikbaar antwoord.", "de": "Es kam keine brauchbare Antwort.",
            "fr": "Aucune réponse n'était utilisable.", "es": "Ninguna respuesta se pudo usar.",
        ],
        "%@: this is needed.": [
            "nl": "%@: dit is nodig.", "de": "%@: Das wird gebraucht.", "fr": "%@ : c'est nécessaire.",
            "es": "%@: es necesario.",
        ],
        "It took too long.": [
            "nl": "Het duurde te lang.", "de": "Es hat zu lange gedauert.", "fr": "Cela a pris trop de temps.",
            "es": "Tardó demasiado.",
        ],
        "That is none of these. Say a name or a number from the list.": [
            "nl": "Dat is geen van deze. Zeg een naam of een nummer uit de lijst.",
            "de": "Das ist keins davon. Sagen Sie einen Namen oder eine Nummer aus der Liste.",
            "fr": "Ce n'est aucun de ceux-ci. Dites un nom ou un numéro de la liste.",
            "es": "No es ninguno de estos. Diga un nombre o un número de la lista.",
        ],
        "%@ of these fit. Say more of the name.": [
            "nl": "%@ hiervan passen. Zeg meer van de naam.", "de": "%@ davon passen. Sagen Sie mehr vom Namen.",
            "fr": "%@ de ceux-ci correspondent. Dites-en plus du nom.",
            "es": "%@ de estos coinciden. Diga más del nombre.",
        ],
        "Which one do you mean: %@?": [
            "nl": "Welke bedoelt u: %@?", "de": "Was davon meinen Sie: %@?", "fr": "Lequel voulez-vous dire : %@ ?",
            "es": "¿Cuál quiere decir: %@?",
        ],
        "as before": ["nl": "zoals eerder", "de": "wie zuvor", "fr": "comme avant", "es": "como antes"],
        "as last time": [
            "nl": "zoals de vorige keer", "de": "wie beim letzten Mal", "fr": "comme la dernière fois",
            "es": "como la última vez",
        ],
        "It was too late.": [
            "nl": "Het was te laat.", "de": "Es war zu spät.", "fr": "C'était trop tard.", "es": "Era demasiado tarde.",
        ],
    ]

    /// Translations of the `typeDescription` of IntentKit's built-in types; a test compares the keys with the types.
    static let typeDescriptions: [String: [String: String]] = [
        "yes or no": ["nl": "ja of nee", "de": "ja oder nein", "fr": "oui ou non", "es": "sí o no"],
        "a whole number": [
            "nl": "een heel getal", "de": "eine ganze Zahl", "fr": "un nombre entier", "es": "un número entero",
        ],
        "a number": ["nl": "een getal", "de": "eine Zahl", "fr": "un nombre", "es": "un número"],
        "text": ["nl": "tekst", "de": "Text", "fr": "du texte", "es": "texto"],
        "a length of time such as PT30M or '30 minutes'": [
            "nl": "een tijdsduur zoals PT30M of '30 minutes'", "de": "eine Dauer wie PT30M oder „30 minutes“",
            "fr": "une durée comme PT30M ou « 30 minutes »", "es": "una duración como PT30M o «30 minutes»",
        ],
        "a date and time such as 2026-03-02T18:30:00Z": [
            "nl": "een datum en tijd zoals 2026-03-02T18:30:00Z", "de": "ein Zeitpunkt wie 2026-03-02T18:30:00Z",
            "fr": "une date et une heure comme 2026-03-02T18:30:00Z",
            "es": "una fecha y hora como 2026-03-02T18:30:00Z",
        ],
        "a place: its name, or an object with 'name' and, if known, 'latitude' and 'longitude'": [
            "nl": "een plaats", "de": "ein Ort", "fr": "un lieu", "es": "un lugar",
        ],
        "a person: a name, or an object with 'name' and, if known, 'handle' and 'identifier'": [
            "nl": "een persoon", "de": "eine Person", "fr": "une personne", "es": "una persona",
        ],
        "an amount of money, as '14.50 EUR' or an object with 'amount' and 'currencyCode'": [
            "nl": "een bedrag, zoals '14.50 EUR'", "de": "ein Betrag wie „14.50 EUR“",
            "fr": "une somme comme « 14.50 EUR »",
            "es": "un importe como «14.50 EUR»",
        ],
    ]
}
