extension PhraseBook {
    /// Phrases of English, German, French, Spanish and Dutch.
    ///
    /// Courtesies such as "please" and "danke" are no phrases: some people mean a polite no.
    public static let builtIn = PhraseBook([
        "en": english, "de": german, "fr": french, "es": spanish, "nl": dutch,
    ])

    private static let english = Language(
        [
            .yes: [
                "yes", "y", "yes please", "yes thanks", "yes thank you", "yes sure", "yes of course", "yes okay",
                "yes ok",
                "yes I do", "yes I would", "yes it is", "yes indeed", "yes yes", "yes absolutely", "yes definitely",
                "yes do it", "yes do that", "yes go ahead", "yes please do", "yeah", "yeah sure", "yep", "yup", "sure",
                "sure thing", "ok", "okay", "ok do it", "okay do it", "ok go ahead", "okay go ahead", "alright",
                "all right", "go ahead", "please go ahead", "go for it", "do it", "do that", "please do",
                "please do it", "please do that", "do it please", "do so", "of course", "absolutely", "definitely",
                "certainly", "by all means", "you bet", "sounds good", "that sounds good", "agreed", "I agree",
                "confirm", "confirmed", "I confirm", "proceed", "please proceed", "affirmative",
            ]
                + approvals(
                    [
                        "that works", "that works for me", "works for me", "that will work", "that will work for me",
                        "that would work", "sounds good", "sounds good to me", "that sounds good", "sounds great",
                        "that sounds great", "sounds perfect", "that sounds perfect", "sounds fine", "that sounds fine",
                        "that sounds right", "perfect", "that's perfect", "that is perfect", "that's fine",
                        "that is fine",
                        "that's fine with me", "that is fine with me", "fine by me", "fine with me", "that's good",
                        "that is good", "that's great", "that is great", "that would be great", "that would be good",
                        "that would be fine", "that would be perfect", "looks good", "that looks good", "you got it",
                        "that's what I want", "that is what I want", "that suits me", "go", "let's go", "I'd like that",
                        "go for it",
                        "please do", "please do that", "go ahead", "do it", "do that",
                    ], after: ["yes", "yeah", "yep", "yup", "ok", "okay", "sure"],
                    before: ["thanks", "thank you", "please"]),
            .no: [
                "no", "n", "nope", "nah", "no no", "no thanks", "no thank you", "no please", "no don't", "no do not",
                "no please don't", "no don't do it", "no don't do that", "don't", "do not", "don't do it",
                "don't do that", "do not do it", "do not do that", "please don't", "please do not", "rather not",
                "I'd rather not", "I would rather not", "better not", "no way", "not now", "no not now", "not really",
                "absolutely not", "definitely not", "certainly not", "of course not", "no I don't", "no it isn't",
                "no it's not", "I don't want to", "I don't want it", "I don't want that", "I don't think so", "never",
                "negative",
            ],
            .right: [
                "that's right", "that is right", "yes that's right", "it's right", "correct", "that's correct",
                "that is correct", "yes correct", "yes that's correct", "exactly", "exactly right", "yes exactly",
                "that's it", "yes that's it", "that is it", "precisely", "indeed", "that's true", "that's the one",
                "spot on", "quite right",
            ]
                + approvals(
                    [
                        "that's right", "that is right", "that's correct", "that is correct", "it's correct",
                        "it is correct", "that's all correct", "that is all correct", "that's all right", "that's it",
                        "that is it", "correct", "exactly", "that's exactly right", "you got that right",
                        "everything is correct", "everything is right",
                    ], after: ["yes", "yeah", "yep", "yup"], before: ["thanks", "thank you"]),
            .wrong: [
                "wrong", "that's wrong", "that is wrong", "it's wrong", "no that's wrong", "incorrect",
                "that's incorrect", "that is incorrect", "not right", "that's not right", "that is not right",
                "that isn't right", "it's not right", "no that's not right", "not correct", "that's not correct",
                "that isn't correct", "that's not it", "that isn't it", "no that's not it", "not true",
                "that's not true", "that's not what I said", "that's not what I meant", "that's a mistake",
            ],
            .maybe: [
                "maybe", "perhaps", "I guess", "I guess so", "I think so", "I suppose", "I suppose so", "probably",
                "possibly", "not sure", "I'm not sure", "I don't know",
            ],
            .cancel: [
                "cancel", "cancel it", "cancel that", "cancel this", "cancel please", "please cancel",
                "cancel it please", "please cancel it", "cancel the request", "cancel my request", "cancel everything",
                "no cancel", "no cancel it", "no cancel that", "stop", "stop it", "stop that", "stop this",
                "stop please", "please stop", "no stop", "never mind", "nevermind", "no never mind", "forget it",
                "forget that", "forget about it", "no forget it", "abort", "quit", "exit", "call it off", "scrap that",
                "scrap it", "I want to cancel", "I want to stop", "I'd like to cancel", "let's stop",
            ],
            .repeat: [
                "repeat", "repeat that", "repeat it", "repeat please", "please repeat", "repeat that please",
                "please repeat that", "repeat the question", "can you repeat that", "could you repeat that",
                "can you repeat that please", "could you repeat that please", "again", "again please", "once again",
                "once more", "one more time", "say again", "say that again", "say it again", "please say that again",
                "say that again please", "can you say that again", "could you say that again", "say the question again",
                "what was the question", "pardon", "pardon me", "I beg your pardon", "sorry", "excuse me", "what",
                "what was that", "what did you say", "what did you ask", "come again", "huh", "I didn't hear that",
                "I didn't hear you", "I didn't catch that", "I didn't get that",
            ],
            .help: [
                "help", "help me", "help please", "please help", "please help me", "I need help", "can you help me",
                "what can I say", "what can I answer", "what should I say", "what should I answer", "what do I say",
                "what do I answer", "what am I supposed to say", "what may I say", "I don't understand",
                "I don't understand that", "I don't understand the question", "I don't get it", "what do you mean",
                "what does that mean", "what are you asking", "how does this work", "I'm confused", "explain",
                "explain that",
            ],
            .skip: [
                "skip", "skip it", "skip that", "skip this", "skip this one", "skip please", "please skip",
                "skip the question", "skip this question", "let's skip it", "no preference", "I have no preference",
                "I don't have a preference", "doesn't matter", "it doesn't matter", "that doesn't matter",
                "does not matter", "it does not matter", "I don't care", "don't care", "I don't mind", "don't mind",
                "it's all the same to me", "leave it out", "leave that out", "leave it blank", "leave it empty",
                "leave it open", "without", "without it", "without that", "no need", "not needed", "not necessary",
                "pass",
            ],
            .noneOfThese: [
                "none", "none of these", "none of those", "none of them", "none of the above", "not any of these",
                "not any of them", "no none of them", "no none of these", "neither", "neither of these",
                "neither of them", "neither one", "nothing", "something else", "something different", "a different one",
                "none please",
            ],
            .list: [
                "list", "the list", "back to the list", "go back to the list", "show the list", "show me the list",
                "show the list again", "show me the list again", "read the list", "read the list again", "options",
                "the options", "what are the options", "what are my options", "what options are there",
                "which options are there", "what options do I have", "which options do I have", "which ones are there",
                "which ones", "which are there", "show the options", "show me the options", "show the options again",
                "show me the options again", "read the options again", "choices", "the choices", "what are the choices",
                "what are my choices", "what can I choose", "what can I choose from", "what do you have",
            ],
        ],
        places: places(
            [
                "first/1st", "second/2nd", "third/3rd", "fourth/4th", "fifth/5th", "sixth/6th", "seventh/7th",
                "eighth/8th", "ninth/9th", "tenth/10th",
            ], last: "last"),
        numbers: numbered([
            "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
            "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
        ]),
        placeNouns: ["number", "nr", "num", "option", "choice", "item"],
        fillers: [
            "the", "a", "an", "one", "that", "it", "its", "that's", "please", "thanks", "thank", "you", "ok", "okay",
            "then", "so", "well", "uh", "um", "er", "erm", "hmm", "I", "I'd", "I'll", "I'm", "let's", "we", "me", "my",
            "want", "would", "like", "prefer", "will", "can", "could", "have", "take", "taking", "give", "get", "pick",
            "choose", "select", "use", "go", "do", "make", "with",
        ], comparatives: .english)

    private static let german = Language(
        [
            .yes: [
                "ja", "ja bitte", "bitte ja", "ja gern", "ja gerne", "ja danke", "ja klar", "ja natürlich", "ja sicher",
                "ja okay", "ja ok", "jawohl", "jap", "jep", "jo", "ja doch", "doch", "klar", "na klar", "aber klar",
                "natürlich", "aber natürlich", "selbstverständlich", "sicher", "aber sicher", "ok", "okay", "geht klar",
                "in Ordnung", "einverstanden", "ich bin einverstanden", "abgemacht", "gern", "gerne", "sehr gern",
                "sehr gerne", "mach das", "mach es", "mach mal", "mach das bitte", "mach es bitte", "bitte mach das",
                "machen Sie das", "machen Sie es", "machen Sie das bitte", "bitte machen Sie das", "ja mach das",
                "ja mach es", "ja mach mal", "ja machen Sie das", "ja machen Sie es", "tu das", "tun Sie das", "tu es",
                "tun Sie es", "ja tu das", "ja tun Sie das", "nur zu", "leg los", "legen Sie los", "los geht's",
                "auf jeden Fall", "ja auf jeden Fall", "unbedingt", "absolut", "definitiv", "freilich", "bestätigen",
                "bestätigt", "ich bestätige", "das machen wir", "so machen wir das", "so machen wir es",
            ]
                + approvals(
                    [
                        "passt", "das passt", "passt so", "das passt so", "klingt gut", "das klingt gut",
                        "klingt perfekt",
                        "perfekt", "das ist perfekt", "das ist gut so", "so ist es gut", "das geht", "das geht so",
                        "das ist in Ordnung", "das wäre gut", "das wäre toll", "das will ich", "das möchte ich",
                    ], after: ["ja", "ok", "okay", "klar"], before: ["danke", "bitte"]),
            .no: [
                "nein", "nein danke", "danke nein", "nee", "nö", "nein nein", "nein bitte nicht", "bitte nicht",
                "nicht", "lieber nicht", "nein lieber nicht", "besser nicht", "auf keinen Fall", "auf gar keinen Fall",
                "nein auf keinen Fall", "keinesfalls", "mach das nicht", "mach es nicht", "bitte mach das nicht",
                "machen Sie das nicht", "machen Sie es nicht", "bitte machen Sie das nicht", "nein mach das nicht",
                "nein machen Sie das nicht", "tu das nicht", "tun Sie das nicht", "tu es nicht", "tun Sie es nicht",
                "jetzt nicht", "nicht jetzt", "nein jetzt nicht", "natürlich nicht", "sicher nicht",
                "ganz sicher nicht", "bestimmt nicht", "doch nicht", "nein doch nicht", "lieber doch nicht",
                "das will ich nicht", "das möchte ich nicht", "ich will das nicht", "ich möchte das nicht",
                "ich will nicht", "ich möchte nicht", "nein nicht nötig", "ich glaube nicht", "niemals", "nie",
            ],
            .right: [
                "richtig", "das ist richtig", "ja richtig", "ja das ist richtig", "ganz richtig", "korrekt",
                "das ist korrekt", "ja das ist korrekt", "stimmt", "das stimmt", "ja stimmt", "ja das stimmt",
                "stimmt genau", "genau", "ganz genau", "genau so", "genau das", "ja genau", "exakt", "so ist es",
                "ja so ist es", "das ist es", "passt", "das passt", "passt so", "ja das passt",
            ],
            .wrong: [
                "falsch", "das ist falsch", "nein falsch", "nein das ist falsch", "inkorrekt", "unrichtig",
                "stimmt nicht", "das stimmt nicht", "nein das stimmt nicht", "stimmt so nicht", "nicht richtig",
                "das ist nicht richtig", "nein das ist nicht richtig", "nicht korrekt", "das ist nicht korrekt",
                "das ist es nicht", "das passt nicht", "das war falsch", "das habe ich nicht gesagt",
                "das habe ich nicht gemeint", "das meine ich nicht", "das meinte ich nicht", "das ist ein Fehler",
            ],
            .maybe: [
                "vielleicht", "ich glaube", "ich glaube schon", "ich denke schon", "wahrscheinlich", "weiß nicht",
                "ich weiß nicht", "keine Ahnung", "mal sehen", "eventuell",
            ],
            .cancel: [
                "abbrechen", "abbruch", "abbrechen bitte", "bitte abbrechen", "brich ab", "brich das ab", "brich es ab",
                "bitte brich ab", "brechen Sie ab", "brechen Sie das ab", "brechen Sie es ab", "bitte brechen Sie ab",
                "alles abbrechen", "nein abbrechen", "stopp", "stop", "nein stopp", "nein stop", "bitte stopp", "halt",
                "halt stopp", "halt stop", "aufhören", "hör auf", "hören Sie auf", "vergiss es", "vergiss das",
                "vergessen Sie es", "vergessen Sie das", "nein vergiss es", "nein vergessen Sie es", "lass es",
                "lass das", "lass gut sein", "lass mal", "lass es sein", "lass es bleiben", "lassen Sie es",
                "lassen Sie das", "lassen Sie es gut sein", "lassen Sie es sein", "lassen Sie es bleiben",
                "nein lass es", "nein lassen Sie es", "nein lass mal", "schon gut", "nein schon gut", "beenden",
                "ich will abbrechen", "ich möchte abbrechen",
            ],
            .repeat: [
                "wiederholen", "wiederholen bitte", "bitte wiederholen", "wiederhole", "wiederhole das",
                "wiederhole das bitte", "bitte wiederhole das", "wiederholen Sie", "wiederholen Sie das",
                "wiederholen Sie das bitte", "wiederholen Sie bitte", "bitte wiederholen Sie das",
                "wiederhole die Frage", "wiederholen Sie die Frage", "kannst du das wiederholen",
                "kannst du das bitte wiederholen", "können Sie das wiederholen", "können Sie das bitte wiederholen",
                "nochmal", "nochmals", "noch mal", "noch einmal", "nochmal bitte", "noch mal bitte",
                "noch einmal bitte", "bitte nochmal", "bitte noch mal", "bitte noch einmal", "sag das nochmal",
                "sag das noch mal", "sag das noch einmal", "sagen Sie das nochmal", "sagen Sie das noch mal",
                "sagen Sie das noch einmal", "wie bitte", "was", "wie", "hä", "was hast du gesagt",
                "was haben Sie gesagt", "was sagst du", "was sagten Sie", "wie war das", "wie war die Frage",
                "was war die Frage", "wie lautet die Frage", "Entschuldigung", "Verzeihung", "pardon",
                "ich habe dich nicht gehört", "ich habe Sie nicht gehört", "ich habe das nicht gehört",
                "das habe ich nicht gehört", "das habe ich nicht verstanden", "ich habe das nicht verstanden",
                "ich habe dich nicht verstanden", "ich habe Sie nicht verstanden",
            ],
            .help: [
                "Hilfe", "Hilfe bitte", "bitte Hilfe", "hilf mir", "bitte hilf mir", "helfen Sie mir",
                "bitte helfen Sie mir", "ich brauche Hilfe", "kannst du mir helfen", "können Sie mir helfen",
                "was kann ich sagen", "was kann ich antworten", "was soll ich sagen", "was soll ich antworten",
                "was muss ich sagen", "was muss ich antworten", "was darf ich sagen", "ich verstehe nicht",
                "ich verstehe das nicht", "das verstehe ich nicht", "ich verstehe die Frage nicht", "was meinst du",
                "was meinen Sie", "was meinst du damit", "was meinen Sie damit", "wie meinst du das",
                "wie meinen Sie das", "was bedeutet das", "was heißt das", "wie geht das", "wie funktioniert das",
            ],
            .skip: [
                "überspringen", "bitte überspringen", "überspringe das", "überspringen Sie das", "überspring das",
                "überspringe die Frage", "überspringen Sie die Frage", "egal", "mir egal", "ist egal", "ist mir egal",
                "das ist egal", "das ist mir egal", "es ist mir egal", "ganz egal", "spielt keine Rolle",
                "das spielt keine Rolle", "keine Präferenz", "keine Vorliebe", "ich habe keine Präferenz",
                "ich habe keine Vorliebe", "keine Angabe", "ohne", "weglassen", "lass es weg", "lass das weg",
                "lassen Sie es weg", "lassen Sie das weg", "lass es leer", "lassen Sie es leer", "leer lassen",
                "nicht nötig", "das ist nicht nötig", "ist nicht nötig", "nicht notwendig", "muss nicht sein",
                "brauche ich nicht", "das brauche ich nicht", "weiter ohne",
            ],
            .noneOfThese: [
                "keine", "keiner", "keines", "keins", "keinen", "keine davon", "keiner davon", "keines davon",
                "keins davon", "keinen davon", "keine von diesen", "keiner von diesen", "keines von diesen",
                "keins von diesen", "keine von denen", "keiner von denen", "keines von denen", "keins von denen",
                "keine von beiden", "keiner von beiden", "keines von beiden", "keins von beiden", "gar keine",
                "gar keiner", "gar keins", "nein keine", "nein keiner", "nein keines", "nein keins", "nein keine davon",
                "nein keins davon", "keine der Optionen", "nichts", "nichts davon", "nichts von alledem",
                "etwas anderes", "was anderes", "eine andere", "ein anderer", "ein anderes", "einen anderen",
                "weder noch",
            ],
            .list: [
                "Liste", "die Liste", "zurück zur Liste", "zur Liste", "zeig die Liste", "zeige die Liste",
                "zeigen Sie die Liste", "zeig mir die Liste", "zeigen Sie mir die Liste",
                "zeig mir die Liste noch einmal", "zeigen Sie mir die Liste noch einmal", "Optionen", "die Optionen",
                "was sind die Optionen", "was sind meine Optionen", "welche Optionen gibt es",
                "welche Optionen habe ich", "welche gibt es", "welche habe ich", "Möglichkeiten", "die Möglichkeiten",
                "welche Möglichkeiten gibt es", "welche Möglichkeiten habe ich", "Auswahl", "was gibt es",
                "was habe ich zur Auswahl", "was steht zur Auswahl", "welche stehen zur Auswahl", "was kann ich wählen",
                "woraus kann ich wählen", "zeig die Optionen", "zeig mir die Optionen", "zeigen Sie die Optionen",
                "zeigen Sie mir die Optionen", "zeig mir die Optionen noch einmal",
                "zeigen Sie mir die Optionen noch einmal", "zeig mir die Optionen nochmal",
            ],
        ],
        places: places(
            [
                "erst", "zweit", "dritt", "viert", "fünft/fuenft", "sechst", "siebt", "acht", "neunt", "zehnt",
            ], last: "letzt", endings: ["e", "er", "es", "en", "em"]),
        numbers: numbered([
            "eins", "zwei/zwo", "drei", "vier", "fünf/fuenf", "sechs", "sieben", "acht", "neun", "zehn", "elf",
            "zwölf/zwoelf", "dreizehn", "vierzehn", "fünfzehn/fuenfzehn", "sechzehn", "siebzehn", "achtzehn",
            "neunzehn", "zwanzig",
        ]),
        placeNouns: ["Nummer", "Nr", "Option", "Möglichkeit", "Variante", "Punkt"],
        fillers: [
            "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "eines", "bitte",
            "danke", "ok", "okay", "dann", "also", "mal", "gern", "gerne", "lieber", "äh", "ähm", "hm", "ich", "wir",
            "mir", "uns", "sie", "will", "möchte", "moechte", "würde", "wuerde", "hätte", "haette", "nehme", "nehm",
            "nimm", "nehmen", "wähle", "wählen", "gib", "geben", "haben", "mit", "es", "ist", "wäre",
        ], comparatives: .german)

    private static let french = Language(
        [
            .yes: [
                "oui", "oui oui", "oui s'il te plaît", "oui s'il vous plaît", "oui merci", "oui bien sûr",
                "oui d'accord", "oui volontiers", "ouais", "ouaip", "mais oui", "si", "mais si", "bien sûr",
                "mais bien sûr", "bien sûr que oui", "bien entendu", "évidemment", "certainement", "naturellement",
                "ok", "okay", "d'accord", "je suis d'accord", "c'est d'accord", "entendu", "ça marche", "ça roule",
                "ça me va", "volontiers", "avec plaisir", "je veux bien", "oui je veux bien", "vas-y", "allez-y",
                "oui vas-y", "oui allez-y", "fais-le", "faites-le", "oui fais-le", "oui faites-le", "fais ça",
                "faites ça", "fais donc", "faites donc", "absolument", "oui absolument", "carrément", "sans hésiter",
                "je confirme", "oui je confirme", "confirmer", "confirme", "confirmez", "affirmatif",
            ]
                + approvals(
                    [
                        "ça me va", "ça me convient", "c'est parfait", "parfait", "c'est bon pour moi",
                        "c'est très bien", "ça me paraît bien", "ce serait parfait", "c'est ce que je veux",
                        "ça marche",
                    ], after: ["oui", "ouais", "ok", "d'accord"], before: ["merci", "s'il vous plaît", "s'il te plaît"]),
            .no: [
                "non", "non non", "non merci", "merci non", "nan", "mais non", "ah non", "oh non", "pas du tout",
                "non pas du tout", "surtout pas", "bien sûr que non", "certainement pas", "absolument pas", "jamais",
                "jamais de la vie", "ne le fais pas", "ne le faites pas", "non ne le fais pas", "non ne le faites pas",
                "ne fais pas ça", "ne faites pas ça", "fais pas ça", "ne fais rien", "ne faites rien", "plutôt pas",
                "plutôt non", "je préfère pas", "je préfère ne pas", "je préfère que non", "je ne préfère pas",
                "je préférerais ne pas", "j'aime mieux pas", "j'aimerais mieux pas", "vaut mieux pas",
                "il vaut mieux pas", "mieux vaut pas", "pas maintenant", "non pas maintenant", "pas question",
                "hors de question", "je ne veux pas", "je veux pas", "non je ne veux pas", "je n'en veux pas",
                "je ne crois pas", "je ne pense pas", "sans façon", "non sans façon", "non pas besoin",
                "non pas la peine", "négatif",
            ],
            .right: [
                "c'est ça", "oui c'est ça", "c'est bien ça", "oui c'est bien ça", "c'est cela", "c'est bien cela",
                "exact", "c'est exact", "oui c'est exact", "exactement", "oui exactement", "correct", "c'est correct",
                "oui c'est correct", "c'est juste", "c'est vrai", "tout à fait", "oui tout à fait", "oui voilà",
                "précisément", "en effet", "effectivement",
            ],
            .wrong: [
                "faux", "c'est faux", "non c'est faux", "incorrect", "c'est incorrect", "inexact", "c'est inexact",
                "ce n'est pas ça", "c'est pas ça", "non ce n'est pas ça", "non c'est pas ça", "pas ça",
                "ce n'est pas cela", "ce n'est pas exact", "c'est pas exact", "ce n'est pas correct",
                "c'est pas correct", "pas correct", "ce n'est pas juste", "c'est pas juste", "ce n'est pas vrai",
                "c'est pas vrai", "ce n'est pas bon", "c'est pas bon", "erreur", "c'est une erreur",
                "ce n'est pas ce que j'ai dit", "c'est pas ce que j'ai dit", "ce n'est pas ce que je voulais dire",
            ],
            .maybe: [
                "peut-être", "je crois", "je pense", "je crois que oui", "je pense que oui", "probablement",
                "je ne sais pas", "je sais pas", "on verra",
            ],
            .cancel: [
                "annuler", "annule", "annulez", "annule ça", "annulez ça", "annule tout", "annulez tout",
                "annuler tout", "annule la demande", "annulez la demande", "annuler la demande", "annule s'il te plaît",
                "annulez s'il vous plaît", "non annule", "non annulez", "non annuler", "stop", "non stop", "arrête",
                "arrêtez", "arrêter", "arrête ça", "arrêtez ça", "arrête tout", "arrêtez tout", "arrête s'il te plaît",
                "arrêtez s'il vous plaît", "non arrête", "non arrêtez", "laisse tomber", "laissez tomber",
                "non laisse tomber", "non laissez tomber", "oublie", "oubliez", "oublie ça", "oubliez ça",
                "oublie tout", "oubliez tout", "non oublie", "non oubliez", "abandonner", "abandonne", "abandonnez",
                "quitter", "je veux annuler", "je voudrais annuler", "je veux arrêter", "je voudrais arrêter",
            ],
            .repeat: [
                "répète", "répétez", "répéter", "répète ça", "répétez ça", "répète s'il te plaît",
                "répétez s'il vous plaît", "répète la question", "répétez la question", "répéter la question",
                "peux-tu répéter", "peux-tu répéter s'il te plaît", "pouvez-vous répéter",
                "pouvez-vous répéter s'il vous plaît", "tu peux répéter", "tu peux répéter s'il te plaît",
                "vous pouvez répéter", "vous pouvez répéter s'il vous plaît", "encore", "encore une fois",
                "encore une fois s'il te plaît", "encore une fois s'il vous plaît", "redis", "redites", "redis-le",
                "redites-le", "redis ça", "redites ça", "dis-le encore une fois", "dites-le encore une fois", "pardon",
                "comment", "quoi", "hein", "qu'as-tu dit", "qu'avez-vous dit", "qu'est-ce que tu as dit",
                "qu'est-ce que vous avez dit", "tu as dit quoi", "vous avez dit quoi", "tu disais", "vous disiez",
                "quelle était la question", "quelle est la question", "je n'ai pas entendu", "j'ai pas entendu",
                "je n'ai pas compris", "j'ai pas compris", "excuse-moi", "excusez-moi", "désolé", "désolée",
            ],
            .help: [
                "aide", "à l'aide", "de l'aide", "aide-moi", "aidez-moi", "aide-moi s'il te plaît",
                "aidez-moi s'il vous plaît", "j'ai besoin d'aide", "peux-tu m'aider", "pouvez-vous m'aider",
                "tu peux m'aider", "vous pouvez m'aider", "que puis-je dire", "qu'est-ce que je peux dire",
                "je peux dire quoi", "que puis-je répondre", "qu'est-ce que je peux répondre", "je peux répondre quoi",
                "que dois-je dire", "qu'est-ce que je dois dire", "je dois dire quoi", "que dois-je répondre",
                "qu'est-ce que je dois répondre", "je ne comprends pas", "je comprends pas",
                "je ne comprends pas la question", "que veux-tu dire", "que voulez-vous dire",
                "qu'est-ce que tu veux dire", "qu'est-ce que vous voulez dire", "qu'est-ce que ça veut dire",
                "ça veut dire quoi", "comment ça marche",
            ],
            .skip: [
                "passer", "passe", "passez", "passe ça", "passez ça", "passe la question", "passez la question",
                "passe cette question", "passez cette question", "sauter", "saute", "sautez", "ignorer", "ignore",
                "ignorez", "peu importe", "peu m'importe", "n'importe", "ça m'est égal", "cela m'est égal",
                "c'est égal", "ça n'a pas d'importance", "ça n'a aucune importance", "pas d'importance",
                "aucune importance", "je m'en fiche", "je m'en moque", "pas de préférence", "aucune préférence",
                "sans préférence", "je n'ai pas de préférence", "j'ai pas de préférence", "je n'ai aucune préférence",
                "sans", "laisse vide", "laissez vide", "pas besoin", "pas la peine", "ce n'est pas la peine",
                "c'est pas la peine", "pas nécessaire", "ce n'est pas nécessaire", "c'est pas nécessaire",
            ],
            .noneOfThese: [
                "aucun", "aucune", "non aucun", "non aucune", "aucun d'entre eux", "aucune d'entre elles",
                "aucun d'eux", "aucune d'elles", "aucun de ceux-là", "aucune de celles-là", "aucun de ceux-ci",
                "aucune de celles-ci", "aucun des deux", "aucune des deux", "aucun de ces choix",
                "aucune de ces options", "aucune des options", "ni l'un ni l'autre", "ni l'une ni l'autre", "rien",
                "rien du tout", "rien de tout ça", "rien de tout cela", "rien de cela", "autre chose",
                "quelque chose d'autre", "un autre", "une autre",
            ],
            .list: [
                "liste", "la liste", "retour à la liste", "retourne à la liste", "retournez à la liste",
                "revenir à la liste", "reviens à la liste", "revenez à la liste", "montre la liste", "montrez la liste",
                "montre-moi la liste", "montrez-moi la liste", "affiche la liste", "affichez la liste", "options",
                "les options", "quelles options", "quelles sont les options", "quelles sont mes options", "les choix",
                "quels choix", "quels sont les choix", "quels sont mes choix", "lesquels", "lesquelles",
                "qu'est-ce qu'il y a", "il y a quoi", "montre les options", "montrez les options",
                "montre-moi les options", "montrez-moi les options", "montre-moi encore les options",
                "montrez-moi encore les options", "remontre-moi les options", "remontrez-moi les options",
                "que puis-je choisir", "qu'est-ce que je peux choisir", "je peux choisir quoi",
                "parmi quoi puis-je choisir",
            ],
        ],
        places: places(
            [
                "premier/première/1er/1re/1ère", "deuxième/second/seconde/2e/2ème/2nd/2nde/2d/2de", "troisième/3e/3ème",
                "quatrième/4e/4ème", "cinquième/5e/5ème", "sixième/6e/6ème", "septième/7e/7ème", "huitième/8e/8ème",
                "neuvième/9e/9ème", "dixième/10e/10ème",
            ], last: "dernier/dernière"),
        numbers: numbered([
            "un/une", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze",
            "treize", "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf", "vingt",
        ]),
        placeNouns: ["numéro", "num", "n°", "nº", "option", "l'option", "choix"],
        fillers: [
            "le", "la", "les", "celui", "celle", "ce", "cette", "ça", "c'est", "ci", "s'il", "te", "vous", "plaît",
            "merci", "ok", "okay", "alors", "donc", "bien", "euh", "ben", "bon", "je", "j'aimerais", "on", "nous",
            "moi", "me", "veux", "voudrais", "vais", "va", "prends", "prendre", "prendrai", "prendrais", "prenons",
            "prenez", "choisis", "choisir", "préfère", "préférerais", "donne", "donnez", "mets", "mettez", "plutôt",
            "avec", "volontiers",
        ], comparatives: .french)

    private static let spanish = Language(
        [
            .yes: [
                "sí", "sí sí", "sí por favor", "sí gracias", "sí claro", "sí vale", "sí de acuerdo", "sí por supuesto",
                "sí señor", "sip", "claro", "claro que sí", "pues claro", "pues sí", "por supuesto",
                "por supuesto que sí", "desde luego", "desde luego que sí", "vale", "de acuerdo", "estoy de acuerdo",
                "ok", "okay", "dale", "sí dale", "adelante", "sí adelante", "hazlo", "hágalo", "sí hazlo", "sí hágalo",
                "hazlo por favor", "hágalo por favor", "sí hazlo por favor", "sí hágalo por favor", "confirmo",
                "sí confirmo", "confirmado", "confirmar", "confirma", "confirme", "absolutamente", "definitivamente",
                "sin duda", "naturalmente", "cómo no", "con gusto", "con mucho gusto", "afirmativo", "trato hecho",
            ]
                + approvals(
                    [
                        "perfecto", "está perfecto", "está bien", "me parece bien", "me parece perfecto", "suena bien",
                        "eso suena bien", "me viene bien", "me va bien", "así está bien", "eso es lo que quiero",
                    ], after: ["sí", "ok", "vale"], before: ["gracias", "por favor"]),
            .no: [
                "no", "no no", "no gracias", "gracias no", "no por favor", "nop", "qué va", "para nada", "en absoluto",
                "claro que no", "por supuesto que no", "desde luego que no", "pues no", "no lo hagas", "no lo haga",
                "no no lo hagas", "no no lo haga", "no lo hagas por favor", "no lo haga por favor", "no hagas eso",
                "no haga eso", "no hagas nada", "no haga nada", "mejor no", "no mejor no", "prefiero no",
                "prefiero que no", "preferiría no", "preferiría que no", "creo que no", "de ninguna manera",
                "de ningún modo", "ni hablar", "no quiero", "no lo quiero", "no la quiero", "no quiero eso", "ahora no",
                "no ahora no", "por ahora no", "nunca", "jamás", "no no hace falta", "negativo",
            ],
            .right: [
                "correcto", "es correcto", "eso es correcto", "sí correcto", "sí es correcto", "sí eso es correcto",
                "exacto", "sí exacto", "exactamente", "sí exactamente", "eso es", "sí eso es", "así es", "sí así es",
                "eso mismo", "justo", "justamente", "precisamente", "efectivamente", "en efecto", "cierto", "es cierto",
                "eso es cierto", "es verdad", "tal cual",
            ],
            .wrong: [
                "incorrecto", "es incorrecto", "eso es incorrecto", "está mal", "eso está mal", "no es correcto",
                "eso no es correcto", "no eso no es correcto", "no es así", "no no es así", "no es eso", "no no es eso",
                "eso no es", "no eso no es", "eso no", "no eso no", "así no", "falso", "es falso", "eso es falso",
                "equivocado", "está equivocado", "te equivocas", "se equivoca", "erróneo", "no está bien",
                "eso no está bien", "no es cierto", "eso no es cierto", "no es verdad", "no es lo que he dicho",
                "no es lo que dije", "eso no es lo que he dicho", "eso no es lo que dije", "no quería decir eso",
                "es un error",
            ],
            .maybe: [
                "quizás", "quizá", "tal vez", "creo que sí", "supongo", "supongo que sí", "probablemente", "no sé",
                "no lo sé", "no estoy seguro", "no estoy segura",
            ],
            .cancel: [
                "cancelar", "cancela", "cancele", "cancelar por favor", "cancela por favor", "cancele por favor",
                "cancélalo", "cancélelo", "cancélala", "cancélela", "cancela eso", "cancele eso", "cancela esto",
                "cancele esto", "cancela todo", "cancele todo", "cancelar todo", "cancela la solicitud",
                "cancele la solicitud", "cancelar la solicitud", "anular", "anula", "anule", "anúlalo", "anúlelo",
                "para", "pare", "para ya", "pare ya", "para por favor", "pare por favor", "detente", "deténgase",
                "basta", "basta ya", "stop", "déjalo", "déjelo", "déjalo estar", "déjelo estar", "no déjalo",
                "no déjelo", "olvídalo", "olvídelo", "no olvídalo", "no olvídelo", "olvida eso", "olvide eso",
                "olvídate", "olvídese", "abortar", "aborta", "aborte", "quiero cancelar", "quisiera cancelar",
                "quiero parar",
            ],
            .repeat: [
                "repite", "repita", "repetir", "repítelo", "repítalo", "repítemelo", "repítamelo", "repite eso",
                "repita eso", "repite por favor", "repita por favor", "repítelo por favor", "repítalo por favor",
                "repite la pregunta", "repita la pregunta", "puedes repetir", "puede repetir",
                "puedes repetir por favor", "puede repetir por favor", "puedes repetirlo", "puede repetirlo",
                "puedes repetir eso", "puede repetir eso", "me lo repites", "me lo repite", "otra vez",
                "otra vez por favor", "de nuevo", "de nuevo por favor", "una vez más", "dilo otra vez",
                "dígalo otra vez", "dilo de nuevo", "dígalo de nuevo", "cómo", "qué", "eh", "perdón", "perdona",
                "perdone", "disculpa", "disculpe", "mande", "qué has dicho", "qué ha dicho", "qué dijiste", "qué dijo",
                "cómo dices", "cómo dice", "cómo has dicho", "cómo ha dicho", "cuál era la pregunta",
                "cuál es la pregunta", "no te he oído", "no le he oído", "no lo he oído", "no te oí", "no le oí",
                "no lo oí", "no he oído", "no he entendido", "no entendí",
            ],
            .help: [
                "ayuda", "ayuda por favor", "ayúdame", "ayúdeme", "ayúdame por favor", "ayúdeme por favor",
                "necesito ayuda", "puedes ayudarme", "puede ayudarme", "me puedes ayudar", "me puede ayudar",
                "qué puedo decir", "qué puedo responder", "qué puedo contestar", "qué debo decir", "qué debo responder",
                "qué tengo que decir", "qué tengo que responder", "qué digo", "qué respondo", "no entiendo",
                "no lo entiendo", "no entiendo la pregunta", "no comprendo", "no lo comprendo", "qué quieres decir",
                "qué quiere decir", "qué quiere decir eso", "qué significa", "qué significa eso", "cómo funciona",
                "cómo funciona esto",
            ],
            .skip: [
                "omitir", "omite", "omita", "omítelo", "omítalo", "omite eso", "omita eso", "omitir por favor",
                "saltar", "salta", "sáltalo", "sáltelo", "sáltatelo", "sáltate la pregunta", "sáltese la pregunta",
                "salta la pregunta", "salte la pregunta", "paso", "da igual", "me da igual", "da lo mismo",
                "me da lo mismo", "no importa", "no me importa", "eso no importa", "es igual", "me es igual",
                "es indiferente", "me es indiferente", "sin preferencia", "sin preferencias", "ninguna preferencia",
                "no tengo preferencia", "no tengo preferencias", "no tengo ninguna preferencia", "sin", "sin eso",
                "déjalo en blanco", "déjelo en blanco", "déjalo vacío", "déjelo vacío", "no hace falta",
                "no es necesario", "no es preciso",
            ],
            .noneOfThese: [
                "ninguno", "ninguna", "no ninguno", "no ninguna", "ninguno de estos", "ninguna de estas",
                "ninguno de esos", "ninguna de esas", "ninguno de ellos", "ninguna de ellas", "ninguno de los dos",
                "ninguna de las dos", "ninguno de los anteriores", "ninguna de las anteriores",
                "ninguna de las opciones", "ninguna opción", "ni uno ni otro", "ni una ni otra", "ni el uno ni el otro",
                "ni la una ni la otra", "nada", "nada de eso", "nada de esto", "otra cosa", "algo diferente",
                "algo distinto", "otro", "otra", "otro diferente", "otra diferente",
            ],
            .list: [
                "lista", "la lista", "a la lista", "volver a la lista", "vuelve a la lista", "vuelva a la lista",
                "muestra la lista", "muestre la lista", "mostrar la lista", "muéstrame la lista", "muéstreme la lista",
                "enséñame la lista", "enséñeme la lista", "opciones", "las opciones", "cuáles son las opciones",
                "cuáles son mis opciones", "qué opciones hay", "qué opciones tengo", "cuáles hay", "cuáles son",
                "cuáles", "qué hay", "qué tienes", "qué tiene", "muestra las opciones", "muestre las opciones",
                "mostrar las opciones", "muéstrame las opciones", "muéstreme las opciones",
                "muéstrame las opciones otra vez", "muéstreme las opciones otra vez", "muéstrame las opciones de nuevo",
                "muéstreme las opciones de nuevo", "enséñame las opciones", "enséñeme las opciones", "qué puedo elegir",
                "entre qué puedo elegir",
            ],
        ],
        places: places(
            [
                "primero/primera/primer/1º/1ª/1o/1a/1er", "segundo/segunda/2º/2ª/2o/2a",
                "tercero/tercera/tercer/3º/3ª/3o/3a/3er", "cuarto/cuarta/4º/4ª/4o/4a", "quinto/quinta/5º/5ª/5o/5a",
                "sexto/sexta/6º/6ª/6o/6a", "séptimo/séptima/7º/7ª/7o/7a", "octavo/octava/8º/8ª/8o/8a",
                "noveno/novena/9º/9ª/9o/9a", "décimo/décima/10º/10ª/10o/10a",
            ], last: "último/última"),
        numbers: numbered([
            "uno/una", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce",
            "trece", "catorce", "quince", "dieciséis", "diecisiete", "dieciocho", "diecinueve", "veinte",
        ]),
        placeNouns: ["número", "núm", "n°", "nº", "opción", "alternativa"],
        fillers: [
            "el", "la", "los", "las", "lo", "un", "ese", "esa", "eso", "es", "por", "favor", "gracias", "ok", "okay",
            "vale", "pues", "entonces", "eh", "yo", "me", "quiero", "quisiera", "querría", "quería", "gustaría",
            "prefiero", "preferiría", "dame", "deme", "ponme", "póngame", "elijo", "escojo", "tomo", "cojo", "quedo",
            "pon", "ponga", "vamos", "que", "sea", "sería", "con", "mejor",
        ], comparatives: .spanish)

    private static let dutch = Language(
        [
            .yes: [
                "ja", "ja graag", "graag", "heel graag", "ja heel graag", "ja hoor", "ja alsjeblieft", "ja alstublieft",
                "ja bedankt", "ja dank je", "ja dank u", "ja zeker", "jazeker", "zeker", "zeker weten", "jawel", "jep",
                "yep", "ja natuurlijk", "natuurlijk", "tuurlijk", "ja tuurlijk", "uiteraard", "vanzelfsprekend", "ok",
                "oké", "okay", "ja oké", "goed", "ja goed", "ja is goed", "is goed", "dat is goed", "ja dat is goed",
                "in orde", "akkoord", "ik ga akkoord", "ja akkoord", "mee eens", "afgesproken", "doe maar",
                "doe dat maar", "doe het maar", "doe dat", "doe het", "doet u maar", "doet u dat maar",
                "doet u het maar", "ja doe maar", "ja doe dat maar", "ja doe het maar", "ja doe dat", "ja doe het",
                "ja doet u maar", "ja doet u dat maar", "ja doet u het maar", "ga je gang", "gaat uw gang",
                "ja ga je gang", "ja gaat uw gang", "ga ervoor", "absoluut", "ja absoluut", "beslist", "bevestig",
                "bevestigen", "bevestigd", "ik bevestig", "ik bevestig het",
            ]
                + approvals(
                    [
                        "perfect", "dat is perfect", "klinkt goed", "dat klinkt goed", "prima", "dat is prima",
                        "prima zo",
                        "dat is prima zo", "dat werkt", "dat werkt voor mij", "dat past", "dat zou mooi zijn",
                        "dat is wat ik wil", "dat wil ik",
                    ], after: ["ja", "ok", "oké", "jazeker"],
                    before: ["graag", "bedankt", "dank je", "dank u", "alsjeblieft", "alstublieft"]),
            .no: [
                "nee", "neen", "nee nee", "nee hoor", "nee bedankt", "nee dank je", "nee dank u", "nee dank je wel",
                "nee dank u wel", "nope", "niet", "niet doen", "nee niet doen", "doe het niet", "doe dat niet",
                "doe maar niet", "doe het maar niet", "doe dat maar niet", "doet u maar niet", "doet u dat niet",
                "doet u het niet", "nee doe maar niet", "nee doe dat niet", "nee doe het niet", "nee doet u maar niet",
                "liever niet", "nee liever niet", "beter niet", "beter van niet", "liever van niet", "zeker niet",
                "absoluut niet", "beslist niet", "natuurlijk niet", "echt niet", "in geen geval", "geen sprake van",
                "nu niet", "niet nu", "nee nu niet", "nee niet nu", "nooit", "alsjeblieft niet", "alstublieft niet",
                "nee alsjeblieft niet", "nee alstublieft niet", "dat wil ik niet", "ik wil dat niet", "ik wil het niet",
                "ik wil niet", "toch niet", "toch maar niet", "nee toch maar niet", "ik denk van niet",
                "ik dacht het niet", "nee hoeft niet", "nee dat hoeft niet", "nee hoeft niet hoor", "nee niet nodig",
            ],
            .right: [
                "juist", "dat is juist", "ja juist", "ja dat is juist", "klopt", "dat klopt", "het klopt", "ja klopt",
                "ja dat klopt", "klopt helemaal", "correct", "dat is correct", "ja correct", "precies", "ja precies",
                "inderdaad", "ja inderdaad", "exact", "dat is het", "ja dat is het", "zo is het", "dat is waar",
                "helemaal goed", "helemaal juist",
            ],
            .wrong: [
                "fout", "dat is fout", "nee fout", "nee dat is fout", "verkeerd", "dat is verkeerd",
                "nee dat is verkeerd", "onjuist", "dat is onjuist", "incorrect", "dat is incorrect", "klopt niet",
                "dat klopt niet", "het klopt niet", "nee dat klopt niet", "nee klopt niet", "niet juist",
                "dat is niet juist", "niet correct", "dat is niet correct", "niet goed", "dat is niet goed",
                "nee dat is niet goed", "dat is het niet", "nee dat is het niet", "dat is niet waar",
                "dat bedoel ik niet", "dat bedoelde ik niet", "dat heb ik niet gezegd", "dat zei ik niet",
                "dat is een fout",
            ],
            .maybe: [
                "misschien", "ik denk het", "ik denk het wel", "ik geloof het wel", "waarschijnlijk", "weet ik niet",
                "ik weet het niet", "geen idee", "we zien wel",
            ],
            .cancel: [
                "annuleer", "annuleren", "annuleer dat", "annuleer het", "annuleer dit", "annuleer alles",
                "annuleer maar", "annuleer het maar", "annuleer alsjeblieft", "annuleer alstublieft",
                "annuleert u maar", "annuleer de aanvraag", "nee annuleer", "nee annuleren", "cancel", "cancelen",
                "stop", "stop maar", "stop ermee", "stop alsjeblieft", "stop alstublieft", "stoppen", "stopt u maar",
                "nee stop", "hou op", "houd op", "hou maar op", "houdt u op", "ophouden", "laat maar", "laat u maar",
                "laat het maar", "laat maar zitten", "laat zitten", "nee laat maar", "nee laat maar zitten",
                "vergeet het", "vergeet het maar", "vergeet dat", "vergeet dat maar", "vergeet maar",
                "vergeet u het maar", "nee vergeet het", "nee vergeet het maar", "breek af", "breek het af",
                "breekt u het af", "afbreken", "ik wil annuleren", "ik wil stoppen",
            ],
            .repeat: [
                "herhaal", "herhaal dat", "herhaal het", "herhaal alsjeblieft", "herhaal alstublieft",
                "herhaal dat alsjeblieft", "herhaal dat alstublieft", "herhalen", "herhaal de vraag",
                "kun je dat herhalen", "kan je dat herhalen", "kunt u dat herhalen", "kun je het herhalen",
                "kunt u het herhalen", "wil je dat herhalen", "wilt u dat herhalen", "nog een keer", "nog eens",
                "nog een keer alsjeblieft", "nog een keer alstublieft", "nogmaals", "opnieuw", "zeg dat nog eens",
                "zeg het nog eens", "zeg dat nog een keer", "zeg het nog een keer", "zegt u dat nog eens",
                "zegt u dat nog een keer", "wat", "hè", "pardon", "sorry", "excuseer", "wat zeg je", "wat zegt u",
                "wat zei je", "wat zei u", "wat was de vraag", "wat is de vraag", "ik heb je niet verstaan",
                "ik heb u niet verstaan", "ik heb het niet verstaan", "dat heb ik niet verstaan", "ik versta je niet",
                "ik versta u niet", "ik heb het niet gehoord", "ik heb dat niet gehoord", "dat heb ik niet gehoord",
                "ik hoorde je niet", "ik hoorde u niet",
            ],
            .help: [
                "help", "help me", "help mij", "hulp", "help alsjeblieft", "help alstublieft", "ik heb hulp nodig",
                "kun je me helpen", "kun je mij helpen", "kunt u me helpen", "kunt u mij helpen", "wat kan ik zeggen",
                "wat kan ik antwoorden", "wat moet ik zeggen", "wat moet ik antwoorden", "wat mag ik zeggen",
                "wat kan ik hier zeggen", "ik begrijp het niet", "ik begrijp je niet", "ik begrijp u niet",
                "ik begrijp dat niet", "ik begrijp de vraag niet", "dat begrijp ik niet", "ik snap het niet",
                "ik snap je niet", "ik snap u niet", "dat snap ik niet", "wat bedoel je", "wat bedoelt u",
                "hoe bedoel je", "hoe bedoelt u", "wat betekent dat", "hoe werkt dit", "hoe werkt dat",
            ],
            .skip: [
                "sla over", "sla maar over", "sla het over", "sla dat over", "sla het maar over", "sla deze over",
                "sla deze vraag over", "slaat u maar over", "slaat u het maar over", "overslaan", "hoeft niet",
                "hoeft niet hoor", "dat hoeft niet", "het hoeft niet", "niet nodig", "is niet nodig",
                "dat is niet nodig", "maakt niet uit", "dat maakt niet uit", "het maakt niet uit", "maakt me niet uit",
                "maakt mij niet uit", "dat maakt me niet uit", "het maakt me niet uit", "het maakt mij niet uit",
                "maakt niks uit", "geen voorkeur", "ik heb geen voorkeur", "om het even", "kan me niet schelen",
                "het kan me niet schelen", "dat kan me niet schelen", "zonder", "weglaten", "laat weg", "laat maar weg",
                "laat het weg", "laat dat weg", "laat het maar weg", "laat leeg", "laat maar leeg", "laat het leeg",
            ],
            .noneOfThese: [
                "geen", "geen van deze", "geen van die", "geen van alle", "geen van allen", "geen van beide",
                "geen van beiden", "geen van de opties", "geen van de bovenstaande", "geen enkele", "geen één",
                "geen daarvan", "nee geen van deze", "nee geen van die", "niets", "niks", "niets daarvan",
                "niets van dat alles", "iets anders", "wat anders", "een andere", "een ander",
            ],
            .list: [
                "lijst", "de lijst", "terug naar de lijst", "ga terug naar de lijst", "naar de lijst", "toon de lijst",
                "toon de lijst opnieuw", "laat de lijst zien", "laat me de lijst zien", "laat mij de lijst zien",
                "opties", "de opties", "wat zijn de opties", "wat zijn mijn opties", "welke opties zijn er",
                "welke opties heb ik", "welke zijn er", "welke heb je", "welke heeft u", "mogelijkheden",
                "de mogelijkheden", "wat zijn de mogelijkheden", "wat zijn mijn mogelijkheden",
                "welke mogelijkheden zijn er", "keuzes", "de keuzes", "welke keuzes zijn er", "welke keuzes heb ik",
                "wat kan ik kiezen", "waaruit kan ik kiezen", "waar kan ik uit kiezen", "toon de opties",
                "laat de opties zien", "laat me de opties zien", "laat mij de opties zien",
                "laat de opties nog eens zien", "laat de opties nog een keer zien", "laat me de opties nog eens zien",
                "laat me de opties nog een keer zien",
            ],
        ],
        places: places(
            [
                "eerste/1e/1ste", "tweede/2e/2de", "derde/3e/3de", "vierde/4e/4de", "vijfde/5e/5de", "zesde/6e/6de",
                "zevende/7e/7de", "achtste/8e/8ste", "negende/9e/9de", "tiende/10e/10de",
            ], last: "laatste"),
        numbers: numbered([
            "één", "twee", "drie", "vier", "vijf", "zes", "zeven", "acht", "negen", "tien", "elf", "twaalf", "dertien",
            "veertien", "vijftien", "zestien", "zeventien", "achttien", "negentien", "twintig",
        ]),
        placeNouns: ["nummer", "nr", "optie", "keuze", "keus"],
        fillers: [
            "de", "het", "die", "dat", "'t", "alsjeblieft", "alstublieft", "a.u.b.", "bedankt", "dank", "je", "u",
            "wel", "ok", "oké", "okay", "dan", "graag", "liever", "eh", "uh", "uhm", "hm", "ik", "we", "me", "mij",
            "wil", "willen", "zou", "neem", "nemen", "kies", "kiezen", "geef", "pak", "doe", "doet", "heb", "hebben",
            "is", "ga", "gaan", "laten", "met", "maar",
        ], comparatives: .dutch)

    /// Phrases of agreement: alone, after a yes, and before a courtesy, as in "yes, that works, thanks".
    private static func approvals(_ phrases: [String], after agreements: [String], before courtesies: [String])
        -> [String]
    {
        let approvals = phrases + agreements.flatMap { yes in phrases.map { "\(yes) \($0)" } }
        return approvals + courtesies.flatMap { courtesy in approvals.map { "\($0) \(courtesy)" } }
    }

    /// Places from 1, and the last one. A slash separates the forms of a word; each has all of the endings.
    private static func places(_ words: [String], last: String, endings: [String] = [""]) -> [String: Int] {
        var places = numbered(words, endings: endings)
        for word in numbered([last], endings: endings).keys { places[word] = -1 }
        return places
    }

    /// Numbers from 1 by their words. A slash separates the forms of a word; each has all of the endings.
    private static func numbered(_ words: [String], endings: [String] = [""]) -> [String: Int] {
        var numbers: [String: Int] = [:]
        for (index, forms) in words.enumerated() {
            for form in forms.split(separator: "/") {
                for ending in endings { numbers[String(form) + ending] = index + 1 }
            }
        }
        return numbers
    }
}
