import Conversation
import IntentModel
import PipelineTestKit
import Testing

private let utterances: Dialogues = [
    "a yes to a confirmation handles the intent, and a no cancels it": [
        .at(.awaitingConfirmation): "…", .say("Yes, please!"): ["read yes", "handle"],
        .or(.say("oui\u{202F}!", in: "fr")): ["read yes", "handle"],
        .or(.say("ja", in: "de-AT")): ["read yes", "handle"],
        .or(.say("no thanks")): ["read no", "completed r: cancelled"],
    ],
    "words that only sound like a yes to a confirmation agree to nothing: a resolver may read a change in them": [
        .at(.awaitingConfirmation): "…",
        .either(.say("yes, but cheaper"), .say("bitte", in: "de"), .say("ja"), .say("no, later")):
            ["read change", "resolve"],
        .resolver(): "confirm", .confirmer(): "prompt confirmIntent",
        .the(\.sentPrompt?.dialog): "I did not understand that. Book?",
        .say("yes"): ["read yes", "handle"],
    ],
    "a doubtful yes to a confirmation is no answer, and the prompt stays as it is": [
        .at(.awaitingConfirmation): "…",
        .either(
            .say("I guess so"), .say("Sure?"), .say("OK 🙅"), .say("y\u{336}e\u{336}s\u{336}"), .say("¬yes")):
            "read unclear",
        .the(\.reply): "Say yes or no. You can also say repeat or cancel. Book?",
        .the(\.stage): "awaitingConfirmation", .say("yes"): ["read yes", "handle"],
    ],
    "words that change what is asked about are asked about again, even if no confirmer asks": [
        .at(.awaitingConfirmation, knowing: ["dropOff": "Leeds"]): "…", .say("to York"): ["read change", "resolve"],
        .the(\.said): "to York", .resolver(["dropOff": .success("York")]): "confirm",
        .confirmer(): "prompt confirmIntent", .the(\.prompt?.dialog): "Book?", .known("dropOff"): "resolved York",
        .say("sure"): ["read yes", "handle"],
    ],
    "words that change what is asked about, and can't be used, are asked about with what is wrong": [
        .at(.awaitingConfirmation, knowing: ["dropOff": "Leeds"]): "…", .say("to Yrok"): "…",
        .reads("Yrok", as: .unsupported(reason: "noMatch", dialog: nil)): "prompt value dropOff",
        .the(\.prompt?.asked.rejectedValue?.view.string): "Yrok", .known("dropOff"): "given -",
    ],
    "words that change what is asked about, and fit several values, replace the one that the person chose": [
        .choice: "…", .say("the second one"): "…", .resolver(["dropOff": .success("station-south")]): "…",
        .confirmer(asking: .plain): "…", .say("no, Mia's"): ["read change", "resolve"],
        .reads("Mia's", as: .which): "prompt choice dropOff", .known("dropOff"): "given Mia's",
        .say("the first one"): ["read option n", "resolve"], .the(\.said): "",
    ],
    "words that change a value to one that another answer has named are read once, and leave no value behind": [
        .choice: "…", .say("no, to York"): ["read value", "resolve"], .known("dropOff"): "given no, to York",
        .resolver(["dropOff": .which, "stop": .success("York")]): "prompt choice dropOff", .known("dropOff"): "given -",
        .known("stop"): "resolved York", .correct("stop", "Leeds"): "resolve", .the(\.said): "",
    ],
    "twenty answers to a confirmation may be read by no resolver, and the next one is no answer": [
        .at(.awaitingConfirmation): "…", .murmurs(20): "prompt confirmIntent", .say("hmm"): "read unclear",
        .say("yes"): ["read yes", "handle"],
    ],
    "a yes that comes too late for its confirmation does not end what has to be agreed to": [
        .steps(.request(), .resolver(), .confirmer(asking: .plain) { $0.validFor = .seconds(10) }): "…",
        .say("to York"): "…", .resolver(["dropOff": .success("York")]): "…",
        .confirmer { $0.validFor = .seconds(10) }: "prompt confirmIntent", .passes(20): "…",
        .say("yes"): ["read yes", "confirm"], .confirmer(): "prompt confirmIntent",
    ],
    "a confirmation that proposes other values is not answered with a change": [
        .steps(.request(), .resolver(), .confirmer { $0.proposed = ["dropOff": "York"] }): "prompt confirmIntent",
        .say("to Leeds"): "read unclear", .say("yes"): ["read yes", "handle"],
    ],
    "a resolver's rejection of words at a confirmation rejects the words alone": [
        .at(.awaitingConfirmation): "…", .say("to York"): ["read change", "resolve"],
        .rejects("parameters.dropOff"): "resolve", .resolver(): "confirm",
        .confirmer(asking: .plain): "prompt confirmIntent",
        .the(\.sentPrompt?.dialog): "I did not understand that. Book?",
    ],
    "a no to a value that words have changed brings the old value back": [
        .at(.awaitingConfirmation, knowing: ["dropOff": "Leeds"]): "…", .say("to York"): "…",
        .reads("York", as: .isItNorth): "prompt confirmValue dropOff", .known("dropOff"): "given York",
        .say("no"): ["read no", "resolve"], .known("dropOff"): "resolved Leeds",
    ],
    "words for a value go to the resolver with what was offered, until it has read them": [
        .choice: "prompt choice dropOff", .say("half past six"): ["read value", "resolve"],
        .the(\.said): "dropOff: half past six (station-north, station-south)",
        .resolver(["dropOff": .which]): "prompt choice dropOff", .say("the first one"): "…", .the(\.said): "",
    ],
    "the words of a secret go to the resolver without their question": [
        .secret(.missing): "…", .say("4711"): ["read value", "resolve"], .the(\.said): "",
    ],
    "an agent's words are about the value that it was asked for alone": [
        .choice: "…", .say("York", byAgent: true): ["read value", "resolve"],
        .the(\.said): "dropOff: York (station-north, station-south) alone",
    ],
    "an option is chosen by its name, a part of it, or its place": [
        .choice: "prompt choice dropOff",
        .either(.say("south"), .say("Station South"), .say("the second one"), .say("number two"), .say("the last")):
            ["read option s", "resolve"],
        .known("dropOff"): "chosen station-south",
    ],
    "words that fit several options are asked about, with what tells the options apart": [
        .offer(mias): "prompt choice dropOff", .say("Mia Ekman"): "read unclear",
        .the(\.reply): "Which one do you mean: 1. Mia Ekman (mobile); 2. Mia Ekman (home)?",
        .say("home"): ["read option 2", "resolve"],
    ],
    "many options that fit are counted": [
        .offer(bays): "prompt choice dropOff", .say("bay"): "read unclear",
        .the(\.reply): "7 of these fit. Say more of the name. dropOff: which one?",
    ],
    "a bare number is not the place of an option where it may be a value": [
        .offer(numbers): "prompt choice dropOff", .say("2"): ["read option two", "resolve"],
        .or(.say("two")): ["read option two", "resolve"], .or(.say("I want four")): ["read option four", "resolve"],
        .or(.say("number 2")): ["read option four", "resolve"],
    ],
    "words that name one option by a text and another one by its place are asked about": [
        .offer(titled("Second class", "First class")): "prompt choice dropOff",
        .either(.say("first"), .say("the second one, please")): "read unclear",
        .say("first class"): ["read option First class", "resolve"],
    ],
    "a second of time is no place, and neither is both of two": [
        .choice: "prompt choice dropOff",
        .either(.say("give me a second"), .say("the two"), .say("that one"), .say("un segundo", in: "es")):
            ["read value", "resolve"],
    ],
    "signs and numbers with a point are not what remains without them": [
        .offer(titled("5 euros", "150 euros", "C++")): "prompt choice dropOff",
        .either(.say("1.50 euros"), .say("$1.50"), .say("-5 euros"), .say("C#")): ["read value", "resolve"],
        .or(.say("150 euros.")): ["read option 150 euros", "resolve"],
        .or(.say("c++")): ["read option C++", "resolve"],
    ],
    "only the options that the prompt was shown with have a place": [
        .offer(many): "prompt choice dropOff",
        .either(.say("the last one"), .say("number 26")): ["read value", "resolve"],
        .or(.say("number 25")): ["read option 25", "resolve"],
    ],
    "a time is a part of an option only in one piece": [
        .offer(titled("Thursday 26 November, 18:30", "18 November, 06:30")): "prompt choice dropOff",
        .say("18:30"): ["read option Thursday 26 November, 18:30", "resolve"],
        .or(.say("30 18")): ["read value", "resolve"],
    ],
    "what is secret is in no reading": [
        .secret(.missing): "…", .say("4711"): ["read value", "resolve"],
    ],
    "the options of a secret are in no reading": [
        .secret(.disambiguation(titled("Code red", "Code blue"), dialog: nil)): "prompt choice pin",
        .say("code"): "read unclear", .the(\.reply): "2 of these fit. Say more of the name. pin: which one?",
        .say("code red"): ["read option", "resolve"],
    ],
    "a parameter that the intent can do without is skipped": [
        .declared(isRequired: false, .missing): "prompt value dropOff", .say("skip it"): ["read skip", "resolve"],
        .known("dropOff"): "notRequired -",
    ],
    "a choice that the intent can do without is skipped": [
        .declared(isRequired: false, .which): "…", .say("no preference"): ["read skip", "resolve"],
        .known("dropOff"): "notRequired -", .or(.say("none of these")): ["read noneOfThese", "resolve"],
        .known("dropOff"): "given -",
    ],
    "a parameter that the intent needs is not skipped": [
        .declared(isRequired: true, .which): "…", .say("skip"): "read skip",
        .the(\.reply): "dropOff: this is needed. dropOff: which one?",
    ],
    "a code from signing in is one word with a digit, and other words do not sign in": [
        .asksToSignIn(SignIn()): "prompt signIn",
        .either(.say("not yet"), .say("I have no account"), .say("later")): "read unclear",
        .say("AB-12"): ["read value", "confirm"], .or(.say("yes")): ["read yes", "confirm"],
        .or(.say("no")): ["read no", "confirm"],
    ],
    "no words sign in on the device": [
        .asksToSignIn(SignIn(requires: .localDevice)): "prompt signIn", .say("yes"): "read unclear",
        .the(\.reply): "Sign in on your device. You can also say repeat or cancel. Sign in to go on.",
    ],
    "twenty answers in words may be none, and the next one is rejected": [
        .at(.awaitingConfirmation): "…", .perhaps(20): "read unclear", .say("perhaps"): "rejected complex utterance",
        .say("yes"): ["read yes", "handle"],
    ],
    "words to a question of a phase are answers like others": [
        .asksPhase(.confirmValue("Leeds")): "…", .say("I guess so"): "read unclear",
        .say("yes, but later"): "read unclear",
        .say("no, York"): ["read value", "confirm"], .the(\.answers): "q declined York",
    ],
    "the id of an option is not said": [
        .offer([
            ParameterOption(id: "7", title: "Red", value: "red"),
            ParameterOption(id: "9", title: "Blue", value: "blue"),
        ]):
            "prompt choice dropOff", .say("7"): ["read value", "resolve"], .known("dropOff"): "given 7",
    ],
    "a part of an option's name is a value for the resolver where there are more values than options": [
        .offer(mias, omitsOptions: true): "prompt choice dropOff", .say("Ekman mobile"): ["read value", "resolve"],
        .known("dropOff"): "given Ekman mobile",
    ],
    "an option is chosen by what sets it apart from the others, if each of them has a number for that": [
        .offer(rides): "prompt choice dropOff",
        .either(.say("cheapest"), .say("I'd like the cheapest one, please"), .say("am billigsten", in: "de")):
            ["read option bus", "resolve"],
        .or(.say("the most expensive one")): ["read option taxi", "resolve"],
    ],
    "a comparison by what the options have no number for is a value for the resolver, and so is a part of a comparison":
        [
            .offer(rides): "prompt choice dropOff",
            .either(
                .say("the earliest"), .say("the cheapest of them"), .say("more"), .say("expensive"),
                .say("not cheaper"), .say("cheaper"), .say("weiter", in: "de"), .say("verder", in: "nl")
            ):
                ["read value", "resolve"],
        ],
    "a comparison that fits several options is asked about": [
        .offer(rides): "prompt choice dropOff", .say("the cheaper one"): "read unclear",
        .the(\.reply): "Which one do you mean: 1. Bus; 2. Tram?",
        .say("the nearest"): "read unclear", .the(\.reply): "Which one do you mean: 2. Tram; 3. Taxi?",
        .say("the tram"): ["read option tram", "resolve"],
    ],
    "options that are all alike are not told apart by a comparison": [
        .offer(
            [rides[1], rides[1], rides[1]].enumerated().map { index, ride in
                ParameterOption(id: "\(index)", title: ride.title, value: ride.value, comparison: ride.comparison)
            }): "prompt choice dropOff",
        .either(.say("the cheapest"), .say("the cheaper one")): ["read value", "resolve"],
    ],
    "a comparison is a value for the resolver where there are more values than options": [
        .offer(rides, omitsOptions: true): "prompt choice dropOff", .say("the cheapest"): ["read value", "resolve"],
    ],
    "a name, and a place in the list, count beside a comparison": [
        .offer([
            ParameterOption(id: "9", title: "Latest news", value: "n", comparison: OptionComparison(time: 9)),
            ParameterOption(id: "21", title: "Het laatste", value: "l", comparison: OptionComparison(time: 21)),
            ParameterOption(id: "12", title: "Lunch", value: "m", comparison: OptionComparison(time: 12)),
        ]): "prompt choice dropOff", .say("the latest"): "read unclear",
        .or(.say("de laatste", in: "nl")): "read unclear", .or(.say("the earliest")): ["read option 9", "resolve"],
    ],
    "other words are a value for the resolver": [
        .either(.at(.awaitingAnswer), .choice): "…", .say("half past six"): ["read value", "resolve"],
        .known("dropOff"): "given half past six",
    ],
    "yes and no are values where no agreement is asked for": [
        .at(.awaitingAnswer): "…", .either(.say("yes"), .say("no")): ["read value", "resolve"],
    ],
    "other words than a yes or a no replace a value that is asked about": [
        .isItNorth: "prompt confirmValue dropOff", .say("that's right"): ["read yes", "resolve"],
        .known("dropOff"): "confirmed station-north", .or(.say("wrong")): ["read no", "resolve"],
        .known("dropOff"): "given -", .or(.say("South")): ["read value", "resolve"], .known("dropOff"): "given South",
    ],
    "whether a no is right is answered with right or wrong: yes and no could mean either": [
        .isIt(.bool(false)): "prompt confirmValue dropOff", .either(.say("yes"), .say("no")): "read unclear",
        .the(\.reply): "Say correct or wrong. You can also say repeat or cancel. dropOff: false?",
        .say("that's right"): ["read yes", "resolve"], .known("dropOff"): "confirmed false",
    ],
    "none of the options forgets the value": [
        .choice: "prompt choice dropOff", .say("none of these"): ["read noneOfThese", "resolve"],
        .known("dropOff"): "given -",
    ],
    "any prompt can be repeated, explained and cancelled": [
        .either(.at(.awaitingAnswer), .at(.awaitingConfirmation), .choice, .isItNorth): "…",
        .say("what did you say?"): "read repeat", .the(\.isReplyThePrompt): "true",
        .say("what can I say?"): "read help",
        .the(\.isReplyThePrompt): "false", .say("Never mind."): ["read cancel", "completed r: cancelled"],
    ],
    "the title of an option comes before a phrase, but for those that cancel": [
        .offer(titled("Repeat", "Stop")): "prompt choice dropOff", .say("repeat"): ["read option Repeat", "resolve"],
        .or(.say("stop")): ["read cancel", "completed r: cancelled"],
    ],
    "the title of an option comes before the phrases that cancel, but for the plainest of them": [
        .offer(titled("Nevermind", "Exit")): "…", .say("Nevermind"): ["read option Nevermind", "resolve"],
    ],
    "saying a prompt again takes no turn and no time of it": [
        .at(.awaitingConfirmation): "…", .passes(60): "…", .say("repeat"): "read repeat", .the(\.promptLasts): "60.0",
        .the(\.session.active?.asking.turns): "1", .say("repeat"): "read repeat",
        .wait(60): "completed r: timedOut",
    ],
    "words to a prompt that is not open are rejected": [
        .at(.awaitingConfirmation): "…", .say("yes"): "…", .say("yes", prompt: 1): "rejected unexpected prompt",
    ],
    "an agent fills in values in words, and agrees to nothing": [
        .at(.awaitingAnswer): "…", .say("Airport", byAgent: true): ["read value", "resolve"],
        .or(.say("repeat", byAgent: true)): "read repeat", .cancel(): "…",
        .at(.awaitingConfirmation, id: "s"): "…",
        .say("yes", byAgent: true): "rejected unauthorized prompt", .the(\.stage): "awaitingConfirmation",
    ],
    "the language of the words is that of the request, if they name none": [
        .at(.awaitingConfirmation, in: "nl-BE"): "…", .say("jazeker"): ["read yes", "handle"],
        .or(.say("wat kan ik zeggen?")): "read help",
        .the(\.reply): "Zeg ja of nee. U kunt ook herhaal of annuleer zeggen. Book?",
    ],
    "phrases can be added": [
        .at(.awaitingConfirmation): "…", .say("make it so"): ["read change", "resolve"], .resolver(): "…",
        .confirmer(asking: .plain): "…",
        .policy { try! $0.phrases.add(["Make it so!"], meaning: .yes, language: "en") }: "…",
        .say("make it so"): ["read yes", "handle"],
    ],
]

private let mias = zip(1..., ["mobile", "home"]).map { number, place in
    ParameterOption(id: "\(number)", title: "Mia Ekman", subtitle: place, value: .string(place))
}
private let rides = [("bus", 3.0, 9.0), ("tram", 3.5, 4), ("taxi", 20, 4)].map { name, price, distance in
    ParameterOption(
        id: name, title: name.prefix(1).uppercased() + name.dropFirst(), value: .string(name),
        comparison: OptionComparison(price: price, distance: distance))
}
private let bays = (1...7).map { ParameterOption(id: "\($0)", title: "Bay \($0)", value: .string("bay-\($0)")) }
private let many = (1...30).map { ParameterOption(id: "\($0)", title: "Pier", value: .string("pier-\($0)")) }
private let numbers = [
    ParameterOption(id: "two", title: "2 people", value: .number(2)),
    ParameterOption(id: "four", title: "4 people", value: .number(4)),
]
private func titled(_ titles: String...) -> [ParameterOption] {
    titles.map { ParameterOption(id: $0, title: $0, value: .string($0)) }
}

@Suite("A person answers in words")
struct UtteranceTests {
    @Test(arguments: utterances.cases) func `words are read in the context of the prompt`(_ dialogue: Dialogue) {
        Talk().play(dialogue)
    }

    @Test(arguments: ["en", "de", "fr", "es", "nl"])
    func `the table of utterances is read as it says`(language: String) throws {
        let rows = UtteranceRow.all.filter { $0.language == language }
        #expect(rows.count >= 60)
        for row in rows {
            let talk = Talk()
            let options = try #require(UtteranceRow.options[language]).enumerated().map { index, option in
                ParameterOption(
                    id: "\(index)", title: option.title, subtitle: option.subtitle, value: .string(option.title),
                    synonyms: option.synonyms)
            }
            switch row.asked {
            case .confirm: talk.play(.at(.awaitingConfirmation))
            case .value: talk.play(.at(.awaitingAnswer))
            case .choice: talk.play(.offer(options))
            case .items: talk.play(.at(.handling), .found(options))
            }
            let read = talk.play(.say(row.said, in: language)).first
            #expect(read == "read \(row.reading.line)", "\(row.testDescription)")
        }
    }

    @Test(arguments: comparisons) func `options are compared in five languages`(
        _ language: String, _ quality: OptionComparison.Quality, _ least: String, _ greatest: String
    ) {
        for (said, meant) in [(least, "less"), (greatest, "more")] {
            for words in said.split(separator: ", ").map(String.init) {
                let talk = Talk()
                talk.play(
                    .offer(
                        [("less", 2), ("more", 5)].map { id, number in
                            var comparison = OptionComparison(price: 1, time: 1, distance: 1, duration: 1, size: 1)
                            comparison.set(quality, number)
                            return ParameterOption(id: id, title: id, value: .string(id), comparison: comparison)
                        }))
                #expect(talk.play(.say(words, in: language)).first == "read option \(meant)", "\(language): \(words)")
            }
        }
    }

    @Test func `no phrase has two meanings, and a phrase can't be given another one`() {
        var book = PhraseBook.builtIn
        for (language, yes, no) in [
            ("en", "yes", "no"), ("de", "ja", "nein"), ("fr", "oui", "non"), ("es", "sí", "no"), ("nl", "ja", "nee"),
        ] {
            #expect(throws: PhraseBook.Problem.self) { try book.add([yes], meaning: .no, language: language) }
            #expect(throws: PhraseBook.Problem.self) { try book.add([no], meaning: .yes, language: language) }
            #expect(throws: Never.self) { try book.add([yes.uppercased()], meaning: .yes, language: language) }
        }
        #expect(throws: PhraseBook.Problem.self) { try book.add(["?!"], meaning: .yes, language: "en") }
        let long = String(repeating: "yes ", count: Utterance.maximumBytes)
        #expect(throws: PhraseBook.Problem.self) { try book.add([long], meaning: .yes, language: "en") }
    }

    @Test func `a file of phrases is read whole, and what is wrong with it is named`() throws {
        func add(_ text: String) throws -> PhraseBook {
            var book = PhraseBook.builtIn
            try book.add(JSONView(parsing: Array(text.utf8)))
            return book
        }
        #expect(try add(#"{"de":{"yes":["jawoll, ja"],"skip":["wurscht"]},"it":{"yes":["sì"]}}"#) != .builtIn)
        for (text, problem) in [
            ("[]", "an object of languages"), (#"{"de":1}"#, "'de' is an object of meanings"),
            (#"{"de":{"si":["x"]}}"#, "'si' is no meaning"), (#"{"de":{"yes":"x"}}"#, "'de.yes' is a list of texts"),
            (#"{"de":{"yes":["nein"]}}"#, "'nein' means 'no'"),
            (#"{"de-AT":{"yes":["eh"]}}"#, "'de-AT' is not the first"),
        ] {
            let error = #expect(throws: PhraseBook.Problem.self) { _ = try add(text) }
            #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
        }
    }

    @Test func `any text has a reading, whatever it has`() {
        var random = SeededRandom(seed: 7)
        let pieces = [
            "yes", "no", "the", "second", "2", "Station", "North", "é", "\u{202E}", "ﬁ", "ß", "👍🏽", "\u{301}", " ", ",",
            "١",
        ]
        for _ in 0..<5_000 {
            let count = Int.random(in: 1...12, using: &random)
            let text = (0..<count).map { _ in random.pick(pieces) }.joined(separator: random.once(in: 2) ? " " : "")
            let talk = Talk()
            talk.play(.choice)
            #expect(talk.play(.say(text)).first?.hasPrefix("read ") == true, "\(text)")
        }
    }
}

private let comparisons: [(String, OptionComparison.Quality, String, String)] = [
    (
        "en", .price, "the cheaper one, the cheapest, the less expensive",
        "the more expensive one, the priciest, dearest"
    ),
    ("en", .time, "the earlier one, the sooner one please, the earliest", "the later one, the latest"),
    ("en", .distance, "the nearer one, the closest", "the one farther away, the furthest"),
    ("en", .duration, "the faster one, the quickest, the shorter", "the longer one, the slowest"),
    ("en", .size, "the smaller one, the smallest", "the bigger one, the largest"),
    ("de", .price, "den günstigeren, das billigste, den guenstigeren", "die teurere, den teuersten bitte"),
    ("de", .time, "den früheren, am frühesten, die frühere", "den späteren bitte, das späteste"),
    ("de", .distance, "das nähere, das nächstgelegene", "die weiter entfernte, das am weitesten entfernte"),
    ("de", .duration, "die schnellere, den kürzesten", "die langsamere, am längsten"),
    ("de", .size, "das kleinere, der kleinste", "das größere, den größten"),
    ("fr", .price, "le moins cher, la moins chère", "la plus chère, le plus cher s'il vous plaît"),
    ("fr", .time, "le plus tôt, la plus tôt", "le plus tard, le plus tardif"),
    ("fr", .distance, "le plus proche, la plus proche", "le plus loin, la plus éloignée"),
    ("fr", .duration, "le plus rapide, la plus courte", "la plus longue, le plus lent"),
    ("fr", .size, "le plus petit, la plus petite", "le plus grand, la plus grande"),
    ("es", .price, "el más barato, la más económica", "el más caro, la más cara por favor"),
    ("es", .time, "el más temprano, la más pronto", "la más tarde, el más tardío"),
    ("es", .distance, "el más cercano, la más cercana", "el más lejano, el más lejos"),
    ("es", .duration, "el más rápido, la más corta", "el más largo, la más lenta"),
    ("es", .size, "el más pequeño, la más pequeña", "el más grande, la más grande"),
    ("nl", .price, "de goedkopere, de goedkoopste graag", "de duurdere, het duurst"),
    ("nl", .time, "de vroegere, de eerdere, de vroegste", "de latere, de laatste"),
    ("nl", .distance, "de nabijere, de dichtstbijzijnde", "de verdere, de verste"),
    ("nl", .duration, "de snellere, de kortste", "de langere, de langzaamste"),
    ("nl", .size, "de kleinere, het kleinst", "de grotere, de grootste"),
]

extension OptionComparison {
    fileprivate mutating func set(_ quality: Quality, _ number: Double) {
        switch quality {
        case .price: price = number
        case .time: time = number
        case .distance: distance = number
        case .duration: duration = number
        case .size: size = number
        }
    }
}

extension UtteranceRow.Reading {
    fileprivate var line: String {
        switch self {
        case .none: "noneOfThese"
        case .option(let index): "option \(index)"
        default: "\(self)"
        }
    }
}

extension Step {
    fileprivate static let choice = Step.steps(.request(), .resolver(["dropOff": .which]))
    fileprivate static let isItNorth = Step.steps(.request(), .resolver(["dropOff": .isItNorth]))

    fileprivate static func isIt(_ value: JSON) -> Step {
        .steps(.request(), .resolver(["dropOff": .confirmationRequired(value, dialog: nil)]))
    }

    fileprivate static func offer(_ options: [ParameterOption], omitsOptions: Bool = false) -> Step {
        var parameter = ResolvedParameter(name: "dropOff", resolution: .disambiguation(options, dialog: nil))
        parameter.omitsOptions = omitsOptions
        return .steps(.request(), .resolved(parameter))
    }

    /// Asks for a secret.
    fileprivate static func secret(_ resolution: ParameterResolution) -> Step {
        var parameter = ResolvedParameter(name: "pin", resolution: resolution)
        parameter.isSecret = true
        return .steps(.request(), .resolved(parameter))
    }

    fileprivate static func declared(isRequired: Bool, _ resolution: ParameterResolution) -> Step {
        var parameter = ResolvedParameter(name: "dropOff", resolution: resolution)
        parameter.declaration = ["required": .bool(isRequired)]
        return .steps(.request(), .resolved(parameter))
    }

    fileprivate static func asksToSignIn(_ signIn: SignIn) -> Step { asksPhase(.signIn(signIn)) }

    fileprivate static func asksPhase(_ kind: PhaseQuestion.Kind) -> Step {
        .steps(.request(), .resolver(), .asks("q", kind))
    }

    /// Reads words that were said about something else as those of the parameter.
    fileprivate static func reads(_ words: String, as resolution: ParameterResolution) -> Step {
        var parameter = ResolvedParameter(name: "dropOff", resolution: resolution)
        parameter.provenance = ParameterState.Provenance(original: .string(words))
        return .resolved(parameter)
    }

    /// Answers confirmations with words that no resolver can read.
    fileprivate static func murmurs(_ count: Int) -> Step {
        Step(#_sourceLocation) { talk in
            (0..<count).reduce([]) { _, _ in
                talk.play(.say("hmm"), .resolver(), .confirmer(asking: .plain))
            }
        }
    }

    fileprivate static func rejects(_ field: String) -> Step {
        .worker(.finished(.failed(IntentFailure(.reject, reason: .invalid, message: "wrong", field: field))))
    }

    fileprivate static func perhaps(_ count: Int) -> Step {
        Step(#_sourceLocation) { talk in
            (0..<count).reduce([]) { _, _ in Step.say("perhaps").play(on: talk) }
        }
    }

    fileprivate static func found(_ items: [ParameterOption]) -> Step {
        .handler {
            $0.items = items
            $0.choice = ItemChoice()
        }
    }

    fileprivate static func at(_ stage: StageName, in locale: String) -> Step {
        .steps(
            .request { $0.locale = locale }, .resolver(), .confirmer(asking: ConfirmationRequest(summary: "Book")))
    }

    /// Answers the open prompt, or an earlier one of the session, in words.
    fileprivate static func say(
        _ words: String, in language: String? = nil, prompt: Int? = nil, byAgent isFromAgent: Bool = false,
        at line: Line = #_sourceLocation
    ) -> Step {
        Step(line) { talk in
            let prompt = prompt.map { talk.ledger.prompts[$0 - 1] } ?? talk.prompt?.id ?? "no prompt is open"
            var answer = Answer(prompt: prompt, utterance: Utterance(words, language: language))
            answer.isFromAgent = isFromAgent
            return talk.receive(.answered(answer), at: line)
        }
    }
}

extension Talk {
    /// The reply to words that were no answer.
    fileprivate var reply: String? {
        results.lazy.compactMap { if case .answerRead(let read) = $0.body { read.dialog } else { nil } }.first
    }

    /// The words that the resolver is to read.
    fileprivate var said: String {
        let said = item?.said ?? []
        return said.map { answer in
            let offered = answer.offered.map { $0.view.string ?? $0.description }.joined(separator: ", ")
            return (answer.parameter.map { "\($0): " } ?? "") + answer.words + (offered.isEmpty ? "" : " (\(offered))")
                + (answer.isForParameterAlone ? " alone" : "")
        }.joined(separator: "; ")
    }

    fileprivate var isReplyThePrompt: Bool { reply == prompt?.dialog }
}
