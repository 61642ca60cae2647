import IntentKit
import IntentModel
import PipelineTestKit
import Testing

private let kim = Person(displayName: "Kim", customIdentifier: "p1")
private let other = Person(displayName: "Kim", customIdentifier: "p2")

@Suite("A Resolve returns one of SiriKit's six results") struct ResolveTests {
    private func resolve(
        _ result: ResolutionResult<Person>, said: JSON = "Kim", _ origin: ParameterState.Origin = .given
    ) async throws -> ParameterResolution {
        try await Teahouse(order: OrderTeaHandler(guest: { _, _ in result })).resolve("guest", said: said, origin)
    }

    @Test(
        "each is passed on with its dialog, or with the declared prompt; a choice of one value is a confirmation",
        arguments: [
            (.success(kim), .success(JSON(kim))), (.notRequired(), .notRequired),
            (.needsValue(), .needsValue(dialog: "Who is it for?")), (.needsValue("Who?"), .needsValue(dialog: "Who?")),
            (.confirmationRequired(kim, dialog: "Kim?"), .confirmationRequired(JSON(kim), dialog: "Kim?")),
            (.unsupported(reason: "notAGuest", dialog: "No."), .unsupported(reason: "notAGuest", dialog: "No.")),
            (.disambiguation([kim]), .confirmationRequired(JSON(kim), dialog: nil)),
            (.disambiguation([]), .unsupported(reason: "noMatch", dialog: nil)),
        ] as [(ResolutionResult<Person>, ParameterResolution)])
    func passedOn(_ result: ResolutionResult<Person>, _ resolution: ParameterResolution) async throws {
        #expect(try await resolve(result) == resolution)
    }

    @Test func `disambiguation offers enriched values with unique identifiers`() async throws {
        let options = [kim, other].map { ParameterOption(id: $0.customIdentifier ?? "", title: "Kim", value: JSON($0)) }
        let found = try await resolve(.disambiguation([kim, other], dialog: "Which Kim?"))
        #expect(found == .disambiguation(options, dialog: "Which Kim?"))
        #expect(try await resolve(.disambiguation([kim, kim])).options.map(\.id) == ["p1", "p1#2"])
    }

    @Test(
        "a Resolve that always asks is asked only once for the same value",
        arguments: [ParameterState.Origin.chosen, .confirmed, .resolved])
    func asksOnce(_ origin: ParameterState.Origin) async throws {
        let same = ParameterResolution.success(JSON(kim))
        #expect(try await resolve(.confirmationRequired(kim), said: JSON(kim), origin) == same)
        #expect(try await resolve(.disambiguation([other, kim]), said: JSON(kim), origin) == same)
        let another = try await resolve(.confirmationRequired(other), said: JSON(kim), origin)
        #expect(another == .confirmationRequired(JSON(other), dialog: nil))
    }

    @Test func `a Resolve sees the known values of the other parameters`() async throws {
        let handler = OrderTeaHandler(guest: { _, order in
            #expect(order.pots == 2 && order.leaf == .assam)
            #expect(order.$note.value == "hot")
            #expect(order.$cup.value == nil)
            return .notRequired()
        })
        let all = try await Teahouse(order: handler, cups: []).resolve(
            .given(["pots": "2", "leaf": "black tea", "note": "hot"]))
        #expect(all["guest"] == .notRequired)
    }

    @Test func `an error that a Resolve throws becomes the outcome`() async throws {
        struct Broken: Error {}
        let named = IntentFailure(.retry(after: .seconds(9)), reason: .busy, message: "full")
        #expect(try await Teahouse(order: OrderTeaHandler(guest: { _, _ in throw named })).failure(.resolve) == named)
        let failure = try await Teahouse(order: OrderTeaHandler(guest: { _, _ in throw Broken() })).failure(.resolve)
        #expect(failure.disposition == .retry(after: .seconds(1)) && failure.reason == .internal)
        #expect(failure.message.contains("Broken"))
    }
}

@Suite("A parameter without a Resolve is resolved by its declaration") struct ResolutionByDeclarationTests {
    @Test func `every parameter gets one entry with its title, in the order of declaration`() async throws {
        let all = try await Teahouse().resolve([.given("note", "no sugar")], locale: "nl-BE")
        #expect(all.map(\.name) == ["leaf", "pots", "cup", "guest", "note"])
        #expect(all.map(\.title) == ["Leaf", "Potten", "Cup", "Guest", "Note"])
        #expect(all["note"] == .success("no sugar"))
    }

    @Test(
        "an optional parameter without a value is not required, others get their default, and words are converted",
        arguments: [
            ("note", nil, .notRequired), ("note", .null, .notRequired), ("pots", nil, .success(1)),
            ("pots", "3", .success(3)), ("pots", "three", .success(3)), ("pots", 2.0, .success(2)),
            ("leaf", "Black Tea", .success("assam")),
            ("pots", "5", .unsupported(reason: "aboveMaximum", dialog: "Pots can be 1 to 4, not 5.")),
            ("pots", 0, .unsupported(reason: "belowMinimum", dialog: "Pots can be 1 to 4, not 0.")),
        ] as [(String, JSON?, ParameterResolution)])
    func declared(_ name: String, _ said: JSON?, _ resolution: ParameterResolution) async throws {
        #expect(try await Teahouse().resolve(name, said: said) == resolution)
    }

    @Test(arguments: ["a few", 2.5, JSON(unchecked: "1e99")] as [JSON])
    func `unconvertible text is unsupported`(_ said: JSON) async throws {
        let resolution = try await Teahouse().resolve("pots", said: said)
        #expect(resolution.reason == "invalidValue" && resolution.dialog?.contains("a whole number") == true)
    }

    @Test(
        "the cases of an enumeration are offered if there is no value, or none that fits",
        arguments: [(nil, "Which leaf?"), ("coffee", "Leaf can't be 'coffee'. Which leaf?")] as [(JSON?, String)])
    func cases(_ said: JSON?, _ dialog: String) async throws {
        let resolution = try await Teahouse().resolve("leaf", said: said)
        #expect(resolution.options.map(\.id) == ["sencha", "assam", "pouchong"] && resolution.dialog == dialog)
        #expect(resolution.options.map(\.value) == ["sencha", "assam", "pouchong"])
        #expect(resolution.options.map(\.subtitle) == [nil, "Strong", nil])
    }

    @Test func `notRequired is kept until a value is given`() async throws {
        let handler = OrderTeaHandler(guest: { person, _ in person.map { .success($0) } ?? .needsValue() })
        let state = ParameterState(name: "guest", value: nil, origin: .notRequired)
        #expect(try await Teahouse(order: handler).resolve("guest", [state]).resolution == .notRequired)
        let named = try await Teahouse(order: handler).resolve("guest", said: "Kim")
        #expect(named == .success(JSON(Person(displayName: "Kim"))))
    }
}

@Suite("An options provider determines a parameter's values") struct OptionsTests {
    private let cups = Teahouse().cups

    private func manyCups(_ range: ClosedRange<Int>, _ more: String = "") -> [Cup] {
        range.map { Cup(id: "\($0)", title: "Cup \($0)\(more)") }
    }

    @Test func `an identifier or a title selects an option, which is returned whole`() async throws {
        #expect(try await Teahouse().resolve("cup", said: "c2") == .success(JSON(cups[1])))
        #expect(try await Teahouse().resolve("cup", said: "GLÁSS") == .success(JSON(cups[0])))
        let stale = JSON(Cup(id: "c3", title: "an old name"))
        #expect(try await Teahouse().resolve("cup", said: stale, .chosen) == .success(JSON(cups[2])))
    }

    @Test("a title of several options leads to a choice of those, and any other value to a choice of all")
    func choices() async throws {
        let several = try await Teahouse().resolve("cup", said: "bowl")
        #expect(several.options.map(\.id) == ["c2", "c3"] && several.options.map(\.subtitle) == ["Hagi", "Raku"])
        for house in [Teahouse(), Teahouse(cups: manyCups(1...30))] {
            let none = try await house.resolve("cup", said: "bucket")
            #expect(none.options.map(\.id) == house.cups.map(\.id))
            #expect(none.dialog == "Cup can't be 'bucket'. Which cup?")
        }
    }

    @Test(
        "without a value the only option is used, and all of many are offered: the person's side limits what it shows")
    func noValue() async throws {
        #expect(try await Teahouse(cups: [cups[0]]).resolve("cup", said: nil) == .success(JSON(cups[0])))
        for house in [Teahouse(), Teahouse(cups: manyCups(1...200))] {
            let offered = try await house.resolve("cup", said: nil)
            #expect(offered.options.map(\.id) == house.cups.map(\.id) && offered.dialog == "Which cup?")
        }
    }

    @Test("options that don't fit into an outcome are left out, and that is said; each parameter gets its share")
    func room() async throws {
        func cup(_ cups: [Cup]) async throws -> ResolvedParameter {
            try await Teahouse(cups: cups).resolve("cup", [.given("cup", "bucket")])
        }
        let long = try await cup(manyCups(1...1_200, " " + String(repeating: "x", count: 300)))
        #expect(long.omitsOptions && 50...1_000 ~= long.resolution.options.count)
        let bytes = long.resolution.options.reduce(0) { $0 + $1.title.utf8.count + $1.value.bytes.count }
        #expect(bytes < JSONLimits.outcome.maximumBytes / 2)
        let short = try await cup((1...1_200).map { Cup(id: "\($0)", title: "\($0)") })
        #expect(short.omitsOptions && short.resolution.options.count == 1_000)
    }
}

// The example of SiriKit's own article on resolving parameters.

private enum CurrencyAmountUnsupportedReason: String, UnsupportedReason {
    case amountAboveMaximum, currencyUnsupported

    var dialog: LocalizedText? {
        self == .currencyUnsupported
            ? LocalizedText("Euros or dollars, please.", translations: ["nl": "Euro's of dollars, graag."]) : nil
    }
}

private struct Pay: Intent {
    static let title: LocalizedText = "Pay"
    @Parameter(title: "Amount", requestValueDialog: "How much?") var amount: CurrencyAmount
    static let parameters = Parameters<Self>(\.$amount)
}

@Suite("The example of SiriKit's article on unsupported values") struct SiriKitResolutionTests {
    private let server = serving(
        Pay.self,
        resolution: {
            Resolve(\.$amount) { amount, _ in
                guard let amount else { return .needsValue() }
                guard ["EUR", "USD"].contains(amount.currencyCode) else {
                    return .unsupported(reason: CurrencyAmountUnsupportedReason.currencyUnsupported)
                }
                if amount.minorUnits <= 100_00 { return .success(amount) }
                return .unsupported(reason: CurrencyAmountUnsupportedReason.amountAboveMaximum, dialog: "At most 100.")
            }
        })

    @Test(
        "Canadian dollars and large amounts are unsupported, with a typed reason, and a missing amount is asked for",
        arguments: [
            ("20 CAD", .unsupported(reason: "currencyUnsupported", dialog: "Euros or dollars, please.")),
            ("200 EUR", .unsupported(reason: "amountAboveMaximum", dialog: "At most 100.")),
            ("20 EUR", .success(JSON(CurrencyAmount(minorUnits: 20_00, currencyCode: "EUR")))),
            (nil, .needsValue(dialog: "How much?")),
        ] as [(JSON?, ParameterResolution)])
    func amounts(_ said: JSON?, _ resolution: ParameterResolution) async throws {
        #expect(try await server.resolve("amount", said: said) == resolution)
    }

    @Test func `a typed reason's dialog is in the language of the request`() async throws {
        let resolution = try await server.resolve("amount", said: "20 CAD", locale: "nl")
        #expect(resolution.dialog == "Euro's of dollars, graag.")
    }
}
