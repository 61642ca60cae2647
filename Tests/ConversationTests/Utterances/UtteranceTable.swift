import Testing

/// An utterance in answer to a prompt, and how it is read.
struct UtteranceRow: Sendable, CustomTestStringConvertible {
    enum Asked: Sendable {
        /// A confirmation, such as "Shall I book it?".
        case confirm
        /// A choice about a parameter, among the options of the language.
        case choice
        /// A choice among the same options as found items, without a parameter.
        case items
        /// A value, such as "How many people?".
        case value
    }

    enum Reading: Sendable, Equatable {
        case yes, no, none, skip, cancel, `repeat`, help, value, change, unclear
        /// An option by its index, from 0.
        case option(Int)
    }

    let language: String
    let asked: Asked
    let said: String
    let reading: Reading

    var testDescription: String { "\(language), \(asked): \(said)" }
}

extension UtteranceRow {
    /// Options by language.
    static let options: [String: [(title: String, subtitle: String, synonyms: [String])]] = [
        "en": [
            ("Economy", "4 seats, 12 euros", ["cheap", "standard"]),
            ("Comfort", "4 seats, 18 euros", ["business", "premium"]),
            ("XL van", "7 seats, 25 euros", ["big", "minibus"]),
            ("Electric comfort", "4 seats, 20 euros", ["green", "quiet"]),
        ],
        "de": [
            ("Economy", "4 Sitze, 12 Euro", ["günstig", "günstige", "Standard"]),
            ("Komfort", "4 Sitze, 18 Euro", ["Business", "bequem"]),
            ("XL-Van", "7 Sitze, 25 Euro", ["groß", "große", "Kleinbus"]),
            ("Elektro-Komfort", "4 Sitze, 20 Euro", ["grün", "leise"]),
        ],
        "fr": [
            ("Économique", "4 places, 12 euros", ["bon marché", "standard"]),
            ("Confort", "4 places, 18 euros", ["affaires"]),
            ("Van XL", "7 places, 25 euros", ["grand", "minibus"]),
            ("Confort électrique", "4 places, 20 euros", ["vert", "silencieux"]),
        ],
        "es": [
            ("Económico", "4 plazas, 12 euros", ["barato", "estándar"]),
            ("Confort", "4 plazas, 18 euros", ["ejecutivo"]),
            ("Furgoneta XL", "7 plazas, 25 euros", ["grande", "minibús"]),
            ("Confort eléctrico", "4 plazas, 20 euros", ["verde", "silencioso"]),
        ],
        "nl": [
            ("Economy", "4 zitplaatsen, 12 euro", ["goedkoop", "goedkope", "standaard"]),
            ("Comfort", "4 zitplaatsen, 18 euro", ["zakelijk"]),
            ("XL-busje", "7 zitplaatsen, 25 euro", ["groot", "grote"]),
            ("Elektrisch comfort", "4 zitplaatsen, 20 euro", ["groen", "groene", "stil"]),
        ],
    ]

    static let all: [UtteranceRow] =
        rows("en", english) + rows("de", german) + rows("fr", french) + rows("es", spanish) + rows("nl", dutch)

    private static func rows(_ language: String, _ groups: [UtteranceGroup]) -> [UtteranceRow] {
        var rows: [UtteranceRow] = []
        for group in groups {
            for part in group.parts {
                for said in part.said {
                    rows.append(
                        UtteranceRow(language: language, asked: part.asked, said: said, reading: part.reading))
                }
            }
        }
        return rows
    }
}

/// Utterances with the same readings, whichever of some prompts they answer.
private struct UtteranceGroup: Sendable {
    let parts: [(asked: UtteranceRow.Asked, reading: UtteranceRow.Reading, said: [String])]

    init(_ prompts: UtteranceRow.Asked..., said: KeyValuePairs<UtteranceRow.Reading, [String]>) {
        parts = prompts.flatMap { asked in said.map { (asked: asked, reading: $0.key, said: $0.value) } }
    }

    /// Utterances that name no option: words for the resolver of a parameter, if there is one.
    init(noOption said: [String]) {
        parts = [(asked: .choice, reading: .value, said: said), (asked: .items, reading: .unclear, said: said)]
    }
}

private let english: [UtteranceGroup] = [
    UtteranceGroup(
        .confirm,
        said: [
            .yes: [
                "That works for me", "Yes, that sounds good, thanks.", "Perfect!", "Yes, that would be great",
                "OK, sounds good", "Yes that is all correct",
                "Yes", "YES!", "yes, please.", "Yeah", "Yep", "Sure.", "OK", "O.K.", "Okay, go ahead", "Go ahead",
                "Do it", "Of course!", "Absolutely", "Please do", "  yes  ", "That’s right", "that's right", "Correct",
                "Exactly.", "That’s it",
            ],
            .no: [
                "No", "Nope", "No, thanks", "Don't", "Don’t do it.", "No, don't!", "I'd rather not", "Rather not",
                "Not now", "That’s wrong", "Incorrect", "That's not right", "No, that's not it",
            ],
            .cancel: [
                "Cancel", "Cancel it.", "Stop!", "Never mind", "Nevermind", "Forget it", "No, cancel that", "Quit",
            ],
            .repeat: [
                "Sorry?", "What?", "Pardon?", "Say that again, please", "Come again?", "What did you say?",
                "Show me the list",
            ],
            .help: ["Help", "What can I say?", "I don’t understand"],
            .change: [
                "Yes, but make it cheaper", "Sure thing, tomorrow", "No, yes", "Yes, no", "Yes and no", "Not yes",
                "Please", "Thanks", "Great", "Fine, thanks", "Yes, if it is cheap", "Yes, tomorrow",
                "Yes, the second one", "Okay, but not now", "Don't cancel", "Yes, cancel it", "Absolutely maybe",
                "Say yes", "Yesterday", "Why not", "Correct it", "Not exactly", "Right now", "Can I say yes?",
                "No rush", "Don't stop", "The first one", "Comfort", "2", "Yes no yes", "Whatever you think",
                "I hope so", "Do it later",
            ],
            .unclear: [
                "I guess so", "I guess", "Maybe", "Not sure", "I'm not sure", "I think so", "Skip", "None of these",
                "I don't know",
            ],
        ]),
    UtteranceGroup(
        .choice, .items,
        said: [
            .option(0): [
                "Economy", "economy!", "The economy, please", "Cheap", "The cheap one", "The first one", "First", "1st",
                "1", "Number one", "12 euros", "Cheap standard", "I'd like the first, please",
            ],
            .option(1): [
                "Comfort", "COMFORT", "Comfort, please", "I'll take the comfort", "The second one", "the second", "2nd",
                "Two", "2", "#2", "2.", "Number two", "Number 2, please", "Nr. 2", "Option 2", "Choice two",
                "I'd like the second one, thanks", "The 2nd one", "18 euros", "18", "Premium", "4 seats, 18 euros",
                "Business comfort",
            ],
            .option(2): [
                "XL van", "xl-van", "Van", "The van", "The XL", "The big one", "The big van",
                "I want the one with 7 seats", "7 seats", "7", "The third one, please", "Option 3",
                "Let’s go with the third", "Minibus",
            ],
            .option(3): [
                "Electric comfort", "Electric", "The electric one", "Comfort electric", "I'd like the green one",
                "Green", "The last one", "Last", "The fourth", "4th", "Number four", "Option 4",
                "Give me the last one, please", "Electric, 20 euros",
            ],
            .none: ["No", "None of these", "None", "Neither", "No, thanks", "Something else", "Nothing"],
            .repeat: [
                "Repeat that", "Back to the list", "What are the options?", "Which ones are there?", "Options",
                "Again, please",
            ],
            .help: ["Help!", "What can I answer?"],
            .cancel: ["Cancel", "Never mind", "Stop, please"],
            .unclear: ["Seats", "4 seats", "4", "The one with 4 seats", "Euros"],
        ]),
    UtteranceGroup(noOption: [
        "Yes", "That's right", "That's wrong", "The second or the third", "Not the first", "Not electric",
        "The fifth one", "Number five", "5", "The last but one", "Second to last", "The first two",
        "Anything but the van", "Cheaper", "The cheap van", "Electric van", "Without the van", "No, the second one",
        "Comfort but cheaper", "Economy and comfort", "The vans", "Electr", "Tomorrow", "All of them except the first",
        "I don't want the second one", "Number", "The economy with 4 seats", "I would like that", "To the airport",
    ]),
    UtteranceGroup(
        .choice,
        said: [
            .skip: ["Skip", "No preference", "It doesn't matter", "I don’t care"]
        ]),
    UtteranceGroup(
        .items,
        said: [
            .skip: ["Skip it", "Skip"]
        ]),
    UtteranceGroup(
        .value,
        said: [
            .value: [
                "Two", "4", "Four people", "Yes", "No", "None", "The second one", "Economy", "Half past six",
                "Not now", "That’s right", "Cancel my subscription", "Stop at the station", "Help my mother move",
                "Repeat after me",
            ],
            .repeat: ["What?", "Say it again", "Repeat the question", "What are my options?"],
            .help: ["Help", "What can I say?"],
            .cancel: ["Cancel", "Forget it", "NEVER MIND"],
        ]),
]

private let german: [UtteranceGroup] = [
    UtteranceGroup(
        .confirm,
        said: [
            .yes: [
                "Passt so", "Ja, das klingt gut!", "Perfekt, danke", "Ja, das passt so",
                "Ja", "JA!", "Ja, bitte.", "Ja, gerne", "Jawohl", "Klar!", "Na klar", "Natürlich", "naturlich", "Okay",
                "In Ordnung", "Einverstanden", "Mach das", "Machen Sie das, bitte", "Doch", "Ja, doch!",
                "Auf jeden Fall", "Los geht’s", "Das stimmt", "Genau.", "Richtig", "Ja, das ist richtig",
            ],
            .no: [
                "Nein", "Nein, danke", "Nee", "Nö", "Lieber nicht", "Bitte nicht!", "Auf keinen Fall", "Mach das nicht",
                "Machen Sie das nicht", "Nein, nicht nötig", "Das ist falsch", "Stimmt nicht", "Das stimmt nicht",
            ],
            .cancel: [
                "Abbrechen", "Bitte abbrechen", "Brechen Sie ab", "Brich das ab", "Stopp!", "Halt", "Vergiss es",
                "Vergessen Sie es", "Hör auf", "Nein, abbrechen",
            ],
            .repeat: [
                "Wie bitte?", "Was?", "Noch einmal, bitte", "Können Sie das wiederholen?", "Sag das nochmal", "Hä?",
            ],
            .help: ["Hilfe", "Was kann ich sagen?", "Das verstehe ich nicht"],
            .change: [
                "Bitte", "Danke", "Ja, aber billiger", "Ja, nein", "Ja nee", "Nein, ja", "Jein", "Ja, morgen",
                "Nicht ja", "Warum nicht", "Von mir aus", "Ja, wenn es günstig ist", "Nicht abbrechen",
                "Ja, brich es ab", "Ja, die zweite", "Super", "Die erste", "Wenn Sie meinen", "Genauer", "Weiter",
                "Ja, aber nicht jetzt", "Na ja", "Ja ja", "Natürlich vielleicht", "Bitte, bitte", "Komfort", "2",
            ],
            .unclear: [
                "Vielleicht", "Ich glaube schon", "Eventuell", "Egal", "Keine davon", "Ich weiß nicht",
            ],
        ]),
    UtteranceGroup(
        .choice, .items,
        said: [
            .option(0): [
                "Economy", "Das günstige, bitte", "gunstig", "Die erste", "Das erste", "Der Erste", "1.", "1",
                "Nummer eins", "Ich nehme die erste", "12 Euro", "Günstige Economy",
            ],
            .option(1): [
                "Komfort", "KOMFORT!", "Ich hätte gern Komfort", "Ich moechte die zweite", "Die zweite, bitte",
                "Den zweiten", "Das zweite", "Zwei", "2", "2.", "Nummer zwei", "Nummer 2", "Nr. 2", "Option 2",
                "Ich nehme das zweite, danke", "18 Euro", "Bequem", "Nummer zwo",
            ],
            .option(2): [
                "XL-Van", "XL Van", "Van", "Den Van, bitte", "Groß", "GROSS", "Die große", "7 Sitze", "7", "Die dritte",
                "Nehmen Sie das dritte", "Option drei", "Den mit 7, bitte", "Kleinbus",
            ],
            .option(3): [
                "Elektro-Komfort", "Elektro Komfort", "elektro", "Komfort Elektro", "Grün", "Die letzte",
                "Das letzte, bitte", "Der vierte", "Nummer vier", "Nummer 4", "Gib mir die letzte", "Elektro, 20 Euro",
            ],
            .none: [
                "Nein", "Keine", "Keine davon", "Keins davon", "Etwas anderes", "Nein, danke", "Weder noch",
                "Nichts davon",
            ],
            .repeat: ["Wiederholen", "Zurück zur Liste", "Was sind die Optionen?", "Welche gibt es?", "Die Optionen"],
            .help: ["Hilfe!", "Was kann ich antworten?"],
            .cancel: ["Abbrechen", "Lass es", "Vergiss es!"],
            .unclear: ["Sitze", "4 Sitze", "4", "Euro"],
        ]),
    UtteranceGroup(noOption: [
        "Ja", "Das stimmt", "Falsch", "Die zweite oder die dritte", "Nicht die erste", "Kein Van", "Die fünfte",
        "Nummer fünf", "Nummer fuenf", "5", "Die vorletzte", "Die ersten zwei", "Alles außer dem Van", "Billiger",
        "Der günstige Van", "Ohne Van", "Nein, die zweite", "Komfort, aber günstig", "Economy und Komfort",
        "Elektrisch", "Morgen", "Ich will nicht die zweite", "Nummer", "Das, bitte", "Bitte",
    ]),
    UtteranceGroup(
        .choice,
        said: [
            .skip: ["Egal", "Ist mir egal", "Überspringen", "Keine Präferenz"]
        ]),
    UtteranceGroup(
        .items,
        said: [
            .skip: ["Egal", "Überspringen"]
        ]),
    UtteranceGroup(
        .value,
        said: [
            .value: [
                "Zwei", "4", "Vier Personen", "Ja", "Nein", "Keine", "Die zweite", "Morgen um halb sieben",
                "Halt am Bahnhof", "Stimmt", "Hilfe für Oma", "Was mit Käse",
            ],
            .repeat: ["Wie bitte?", "Nochmal", "Wiederholen Sie die Frage"],
            .help: ["Hilfe", "Was soll ich sagen?"],
            .cancel: ["Abbrechen", "Vergiss es", "Schon gut"],
        ]),
]

private let french: [UtteranceGroup] = [
    UtteranceGroup(
        .confirm,
        said: [
            .yes: [
                "Oui, parfait", "Ça me va, merci", "Oui, ça me convient",
                "Oui", "OUI !", "Oui, s'il vous plaît", "Oui, s’il te plaît", "oui s'il te plait", "Ouais", "Bien sûr",
                "bien sur", "D'accord", "D’accord !", "Ça marche", "ca marche", "Volontiers", "Vas-y", "Allez-y !",
                "Faites-le", "Fais-le", "Je veux bien", "Mais si !", "C'est ça", "C’est exact", "Exactement",
                "Tout à fait",
            ],
            .no: [
                "Non", "Non, merci", "Non merci !", "Pas du tout", "Surtout pas", "Ne le faites pas", "Ne le fais pas",
                "Plutôt pas", "Pas maintenant", "Sans façon", "C’est faux", "Ce n'est pas ça", "C’est pas ça",
                "Incorrect",
            ],
            .cancel: [
                "Annuler", "Annule", "Annulez", "annulé", "Arrête !", "Arrêtez", "Stop", "Laisse tomber",
                "Laissez tomber", "Oubliez ça", "Non, annulez",
            ],
            .repeat: [
                "Pardon ?", "Comment ?", "Quoi ?", "Répétez, s'il vous plaît", "Encore une fois",
                "Qu’est-ce que vous avez dit ?", "Tu peux répéter ?",
            ],
            .help: ["Aide", "Aidez-moi !", "Qu'est-ce que je peux dire ?", "Je ne comprends pas"],
            .change: [
                "Merci", "S'il vous plaît", "Super", "Oui, mais moins cher", "Je suppose que oui", "Oui, non",
                "Non, oui", "Oui et non", "Oui, demain", "Pas oui", "Pourquoi pas", "Si tu veux", "N'annulez pas",
                "Oui, annulez", "Oui, le deuxième", "D'accord, mais pas maintenant", "Bof", "Le premier",
                "Oui, si c'est bon marché", "Ouïe", "Exactement le contraire", "Confort", "2", "C'est bon",
            ],
            .unclear: [
                "Peut-être", "Je crois", "Je ne sais pas", "Aucun", "Peu importe", "On verra",
            ],
        ]),
    UtteranceGroup(
        .choice, .items,
        said: [
            .option(0): [
                "Économique", "economique", "Le premier", "La première, s'il vous plaît", "Premier", "1er", "1re", "1",
                "Numéro un", "12 euros", "Bon marché", "Je prends le premier",
            ],
            .option(1): [
                "Confort", "confort !", "Le confort, s’il vous plaît", "Je voudrais le confort", "Le deuxième",
                "La deuxième", "Le second", "La seconde", "2e", "2ème", "Deux", "2", "Numéro deux",
                "Numéro 2", "N° 2", "L’option 2", "Option deux", "Je prends le deuxième, merci", "18 euros", "Affaires",
            ],
            .option(2): [
                "Van XL", "Le van", "XL", "XL van", "Grand", "Le grand", "7 places", "7", "Celui avec 7 places",
                "Le troisième", "La troisième", "Option 3", "Minibus",
            ],
            .option(3): [
                "Confort électrique", "électrique", "ELECTRIQUE", "Électrique confort", "Vert", "Le dernier",
                "La dernière, s'il te plaît", "Le quatrième", "4e", "Numéro quatre", "Numéro 4",
                "Donnez-moi le dernier", "Je vais prendre le dernier",
            ],
            .none: [
                "Non", "Aucun", "Aucune", "Aucun des deux", "Ni l'un ni l'autre", "Rien", "Autre chose", "Non merci",
                "Rien de tout ça",
            ],
            .repeat: ["Répète", "Retour à la liste", "Quelles sont les options ?", "Les options", "Lesquels ?"],
            .help: ["À l’aide !", "Que puis-je répondre ?"],
            .cancel: ["Annule", "Laisse tomber", "Stop !"],
            .unclear: ["Places", "4 places", "4", "Celui avec 4 places", "Euros"],
        ]),
    UtteranceGroup(noOption: [
        "Oui", "C'est ça", "C’est faux", "Le deuxième ou le troisième", "Pas le premier", "Pas électrique",
        "Le cinquième", "Numéro cinq", "5", "L'avant-dernier", "Les deux premiers", "Tout sauf le van", "Moins cher",
        "Le van vert", "Sans le van", "Non, le deuxième", "Confort mais bon marché", "Économique et confort",
        "Électriques", "Demain", "Je ne veux pas le deuxième", "Numéro", "Celui-là", "S'il vous plaît",
    ]),
    UtteranceGroup(
        .choice,
        said: [
            .skip: ["Peu importe", "Ça m'est égal", "Passer", "Pas de préférence"]
        ]),
    UtteranceGroup(
        .items,
        said: [
            .skip: ["Passe", "Passer"]
        ]),
    UtteranceGroup(
        .value,
        said: [
            .value: [
                "Deux", "4", "Quatre personnes", "Oui", "Non", "Rien", "Le deuxième",
                "Demain à six heures et demie", "Arrête-toi à la gare", "D’accord", "Comment dire bonjour",
                "Aide ma mère",
            ],
            .repeat: ["Pardon ?", "Répétez la question", "Encore"],
            .help: ["Aide", "Que dois-je dire ?"],
            .cancel: ["Annuler", "Oublie ça", "Laissez tomber !"],
        ]),
]

private let spanish: [UtteranceGroup] = [
    UtteranceGroup(
        .confirm,
        said: [
            .yes: [
                "Sí, me parece bien", "Perfecto, gracias", "Vale, suena bien",
                "Sí", "si", "¡SÍ!", "Si\u{301}", "Sí, por favor", "Sí, claro", "Claro", "Claro que sí",
                "¡Por supuesto!", "Desde luego", "Vale", "Sí, vale", "De acuerdo", "Hazlo", "Hágalo", "Adelante",
                "Dale", "Cómo no", "Correcto", "Eso es", "Exacto.", "Así es",
            ],
            .no: [
                "No", "No, gracias", "¡Qué va!", "Para nada", "Claro que no", "No lo hagas", "No lo haga", "Mejor no",
                "Prefiero que no", "Ahora no", "Ni hablar", "Eso es incorrecto", "Está mal", "No es eso",
            ],
            .cancel: [
                "Cancelar", "Cancela", "Cancele", "Cancélalo", "Para", "Pare", "¡Basta!", "Déjalo", "Olvídalo",
                "olvidalo", "Olvídelo", "Deténgase", "Stop",
            ],
            .repeat: [
                "¿Cómo?", "¿Qué?", "¿Perdón?", "¿Mande?", "Otra vez, por favor", "Repítelo", "Repita, por favor",
                "¿Qué has dicho?",
            ],
            .help: ["Ayuda", "Ayúdeme", "¿Qué puedo decir?", "No entiendo"],
            .change: [
                "Gracias", "Por favor", "Genial", "Sí, pero más barato", "Sí, no", "No, sí", "Sí y no", "No sí",
                "Sí, mañana", "Si quieres", "Por qué no", "No cancelar", "Sí, cancélalo", "Sí, la segunda",
                "Vale, pero ahora no", "Bueno", "El primero", "Siempre", "Correctamente", "Claro oscuro",
                "Sí, si es barato", "Confort", "2", "A lo mejor",
            ],
            .unclear: [
                "Quizás", "Tal vez", "Supongo", "Creo que sí", "No sé", "Nada", "Da igual",
            ],
        ]),
    UtteranceGroup(
        .choice, .items,
        said: [
            .option(0): [
                "Económico", "economico", "El primero", "La primera", "Primera", "1ª", "1.º", "1", "Número uno",
                "Opción 1", "12 euros", "El barato, por favor", "Barato", "Me quedo con el primero",
            ],
            .option(1): [
                "Confort", "¡Confort!", "El confort, por favor", "Quiero el confort", "El segundo", "La segunda", "2º",
                "2.ª", "Dos", "2", "Número dos", "Número 2", "Opción dos", "La opción 2", "Nº 2",
                "Quisiera la segunda, gracias", "18 euros", "Ejecutivo", "Me gustaría el segundo",
            ],
            .option(2): [
                "Furgoneta XL", "La furgoneta", "XL", "XL furgoneta", "Grande", "El grande", "7 plazas", "7",
                "El tercero", "El tercer", "La tercera", "Opción tres", "minibus",
            ],
            .option(3): [
                "Confort eléctrico", "eléctrico", "ELECTRICO", "Ele\u{301}ctrico", "Eléctrico confort", "El verde",
                "El último", "La última, por favor", "Ultima", "El cuarto", "Número cuatro", "Opción 4",
                "Dame el último",
            ],
            .none: [
                "No", "Ninguno", "Ninguna de estas", "Ninguno de los dos", "Nada", "Otra cosa", "No, gracias",
                "Ni uno ni otro",
            ],
            .repeat: [
                "Repite", "Volver a la lista", "¿Cuáles son las opciones?", "¿Qué opciones hay?", "Las opciones",
            ],
            .help: ["¡Ayuda!", "¿Qué puedo responder?"],
            .cancel: ["Cancela", "Olvídalo", "Déjelo"],
            .unclear: ["Plazas", "4 plazas", "4", "Euros"],
        ]),
    UtteranceGroup(noOption: [
        "Sí", "Eso es", "Eso es incorrecto", "El segundo o el tercero", "No el primero", "No eléctrico", "El quinto",
        "Número cinco", "5", "El penúltimo", "Los dos primeros", "Todo menos la furgoneta", "Más barato",
        "La furgoneta verde", "Sin la furgoneta", "No, la segunda", "Confort pero barato", "Económico y confort",
        "Eléctricos", "Mañana", "No quiero el segundo", "Número", "Ese, por favor", "Por favor",
    ]),
    UtteranceGroup(
        .choice,
        said: [
            .skip: ["Da igual", "No importa", "Omitir", "Sin preferencia"]
        ]),
    UtteranceGroup(
        .items,
        said: [
            .skip: ["Paso", "Omitir"]
        ]),
    UtteranceGroup(
        .value,
        said: [
            .value: [
                "Dos", "4", "Cuatro personas", "Sí", "No", "Nada", "El segundo",
                "Mañana a las seis y media", "Para mi madre", "Vale", "Ayuda a mi madre", "Qué bonito",
            ],
            .repeat: ["¿Qué?", "Repite la pregunta", "Otra vez"],
            .help: ["Ayuda", "¿Qué debo decir?"],
            .cancel: ["Cancelar", "Olvídalo", "¡Para!"],
        ]),
]

private let dutch: [UtteranceGroup] = [
    UtteranceGroup(
        .confirm,
        said: [
            .yes: [
                "Dat klinkt goed", "Ja, prima zo", "Ja, perfect, dank u",
                "Ja", "JA!", "Ja, graag", "Graag", "Ja hoor", "Jazeker", "Zeker weten", "Natuurlijk", "Tuurlijk!",
                "Oké", "oke", "OK", "Goed", "Is goed", "Dat is goed", "Akkoord", "Doe maar", "Ja, doe maar",
                "Doet u maar", "Ga je gang", "Gaat uw gang", "Klopt", "Dat klopt", "Precies.", "Inderdaad",
            ],
            .no: [
                "Nee", "Nee, dank je", "Nee, dank u wel", "Nee hoor", "Neen", "Liever niet", "Niet doen!",
                "Doe maar niet", "Doe dat niet", "Beter van niet", "Nu niet", "Nee, hoeft niet", "Fout",
                "Dat klopt niet", "Dat is niet goed",
            ],
            .cancel: [
                "Annuleer", "Annuleren", "Stop!", "Hou op", "Laat maar", "Nee, laat maar", "Laat maar zitten",
                "Vergeet het", "Vergeet het maar", "Breek af",
            ],
            .repeat: [
                "Wat?", "Hè?", "Sorry?", "Pardon?", "Nog een keer", "Nog één keer", "Wat zei u?",
                "Kunt u dat herhalen?", "Zeg dat nog eens",
            ],
            .help: ["Help", "Wat kan ik zeggen?", "Ik begrijp het niet"],
            .change: [
                "Bedankt", "Alsjeblieft", "Dank je wel", "Ja, maar goedkoper", "Ik denk van wel", "Ja nee", "Nee, ja",
                "Ja en nee", "Niet ja", "Ja, morgen", "Waarom niet", "Ja, als het goedkoop is", "Niet annuleren",
                "Ja, annuleer het", "Ja, de tweede", "Goed, maar niet nu", "De eerste", "Mwah", "Goed zo",
                "Goedemorgen", "Vast wel", "Ach ja", "Doe maar morgen", "Comfort", "2", "Ja ja ja nee",
            ],
            .unclear: [
                "Misschien", "Ik denk het", "Ik weet het niet", "Hoeft niet", "Maakt niet uit", "Geen van deze",
            ],
        ]),
    UtteranceGroup(
        .choice, .items,
        said: [
            .option(0): [
                "Economy", "De economy, alsjeblieft", "Goedkoop", "De goedkope", "De eerste", "Eerste", "1e", "1ste",
                "1", "Nummer een", "Nummer één", "Optie 1", "12 euro", "Ik neem de eerste",
            ],
            .option(1): [
                "Comfort", "COMFORT", "De comfort, graag", "Ik wil comfort", "De tweede", "De 2e", "2de", "Twee", "2",
                "2.", "Nummer twee", "Nummer 2", "Nr. 2", "Optie twee", "Optie 2",
                "Ik wil graag de tweede, dank je wel", "Ik zou graag de tweede willen", "18 euro", "Zakelijk",
            ],
            .option(2): [
                "XL-busje", "XL busje", "Busje", "Het busje", "Het XL busje, a.u.b.", "Groot", "De grote",
                "7 zitplaatsen", "Die met 7 zitplaatsen", "7", "De derde", "Optie 3",
            ],
            .option(3): [
                "Elektrisch comfort", "Elektrisch", "Comfort elektrisch", "De groene", "Stil", "De laatste",
                "De laatste, alstublieft", "De vierde", "Nummer vier", "Nummer 4", "Geef me de laatste",
                "Doe de laatste",
            ],
            .none: ["Nee", "Geen", "Geen van deze", "Geen van beide", "Iets anders", "Niets", "Niks", "Nee, dank u"],
            .repeat: ["Herhaal dat", "Terug naar de lijst", "Wat zijn de opties?", "Welke zijn er?", "De opties"],
            .help: ["Help!", "Wat kan ik antwoorden?"],
            .cancel: ["Annuleer", "Laat maar", "Stop maar"],
            .unclear: ["Zitplaatsen", "4 zitplaatsen", "4", "Die met 4 zitplaatsen", "Euro"],
        ]),
    UtteranceGroup(noOption: [
        "Ja", "Dat klopt", "Fout", "De tweede of de derde", "Niet de eerste", "Niet elektrisch", "De vijfde",
        "Nummer vijf", "5", "De voorlaatste", "De eerste twee", "Alles behalve het busje", "Goedkoper",
        "Het groene busje", "Zonder busje", "Nee, de tweede", "Comfort maar goedkoop", "Economy en comfort",
        "Elektrische", "Morgen", "Ik wil niet de tweede", "Nummer", "Die, graag", "Alsjeblieft",
    ]),
    UtteranceGroup(
        .choice,
        said: [
            .skip: ["Hoeft niet", "Maakt niet uit", "Sla over", "Geen voorkeur"]
        ]),
    UtteranceGroup(
        .items,
        said: [
            .skip: ["Hoeft niet", "Sla maar over"]
        ]),
    UtteranceGroup(
        .value,
        said: [
            .value: [
                "Twee", "4", "Vier personen", "Ja", "Nee", "Geen", "De tweede", "Morgen om half zeven",
                "Stop bij het station", "Goed", "Niets", "Help mijn moeder", "Wat bloemen",
            ],
            .repeat: ["Wat?", "Herhaal de vraag", "Nog eens"],
            .help: ["Help", "Wat moet ik zeggen?"],
            .cancel: ["Annuleer", "Laat maar", "Vergeet het!"],
        ]),
]
