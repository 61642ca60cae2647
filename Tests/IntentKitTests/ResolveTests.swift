import IntentKit
import IntentModel
import IntentRuntime
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
        arguments: [
            (.success(kim), .success(JSON(kim))), (.notRequired(), .notRequired),
            (.needsValue(), .needsValue(dialog: "Who is it for?")), (.needsValue("Who?"), .needsValue(dialog: "Who?")),
            (.confirmationRequired(kim, dialog: "Kim?"), .confirmationRequired(JSON(kim), dialog: "Kim?")),
            (.unsupported(reason: "notAGuest", dialog: "No."), .unsupported(reason: "notAGuest", dialog: "No.")),
            (.disambiguation([kim]), .confirmationRequired(JSON(kim), dialog: "Guest: Kim?")),
            (.disambiguation([]), .unsupported(reason: "noMatch", dialog: nil)),
        ] as [(ResolutionResult<Person>, ParameterResolution)])
    func `each result is kept`(_ result: ResolutionResult<Person>, _ resolution: ParameterResolution) async throws {
        #expect(try await resolve(result) == resolution)
    }

    @Test func `disambiguation offers enriched values with unique identifiers`() async throws {
        let options = [kim, other].map { ParameterOption(id: $0.customIdentifier ?? "", title: "Kim", value: JSON($0)) }
        let found = try await resolve(.disambiguation([kim, other], dialog: "Which Kim?"))
        #expect(found == .disambiguation(options, dialog: "Which Kim?"))
        #expect(try await resolve(.disambiguation([kim, kim])).options.map(\.id) == ["p1", "p1#2"])
    }

    @Test(arguments: [ParameterState.Origin.chosen, .confirmed, .resolved])
    func `a Resolve that always asks is asked once for a value`(_ origin: ParameterState.Origin) async throws {
        let same = ParameterResolution.success(JSON(kim))
        #expect(try await resolve(.confirmationRequired(kim), said: JSON(kim), origin) == same)
        #expect(try await resolve(.disambiguation([other, kim]), said: JSON(kim), origin) == same)
        let another = try await resolve(.confirmationRequired(other), said: JSON(kim), origin)
        #expect(another == .confirmationRequired(JSON(other), dialog: "Guest: Kim?"))
    }

    @Test func `a Resolve sees the known values of the other parameters`() async throws {
        let handler = OrderTeaHandler(guest: { _, order in
            #expect(order.pots == 2 && order.leaf == .assam && order.$note.value == "hot" && order.$cup.value == nil)
            return .notRequired()
        })
        let all = try await Teahouse(order: handler, cups: []).resolve(
            .given(["pots": "2", "leaf": "black tea", "note": "hot"]))
        #expect(all["guest"] == .notRequired)
    }

    private enum GuestUnsupportedReason: String, UnsupportedReason {
        case notInvited
        var dialog: LocalizedText? { LocalizedText("Not invited.", translations: ["nl": "Niet uitgenodigd."]) }
    }

    @Test(arguments: [("nl", "Niet uitgenodigd."), ("en", "Not invited.")])
    func `a typed reason has a dialog in the language of the request`(_ locale: String, _ dialog: String) async throws {
        let handler = OrderTeaHandler(guest: { _, _ in .unsupported(reason: GuestUnsupportedReason.notInvited) })
        let found = try await Teahouse(order: handler).resolve("guest", said: "Kim", locale: locale)
        #expect(found == .unsupported(reason: "notInvited", dialog: dialog))
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
    @Test(
        arguments: [
            ("note", nil, .notRequired), ("note", .null, .notRequired), ("pots", nil, .success(1)),
            ("pots", "3", .success(3)), ("pots", "three", .success(3)), ("pots", 2.0, .success(2)),
            ("leaf", "Black Tea", .success("assam")),
            ("pots", "5", .unsupported(reason: "aboveMaximum", dialog: "Pots can be 1 to 4, not 5.")),
            ("pots", 0, .unsupported(reason: "belowMinimum", dialog: "Pots can be 1 to 4, not 0.")),
        ] as [(String, JSON?, ParameterResolution)])
    func `defaults and ranges apply`(_ name: String, _ said: JSON?, _ resolution: ParameterResolution) async throws {
        #expect(try await Teahouse().resolve(name, said: said) == resolution)
    }

    @Test(arguments: ["a few", 2.5, JSON(unchecked: "1e99")] as [JSON])
    func `unconvertible text is unsupported`(_ said: JSON) async throws {
        let resolution = try await Teahouse().resolve("pots", said: said)
        #expect(resolution.reason == "invalidValue" && resolution.dialog?.contains("a whole number") == true)
    }

    @Test(arguments: [(nil, "Which leaf?"), ("coffee", "Leaf can't be 'coffee'. Which leaf?")] as [(JSON?, String)])
    func `an enumeration's cases are offered without a fitting value`(_ said: JSON?, _ dialog: String) async throws {
        let leaf = try await Teahouse().resolve("leaf", said.map { [.given("leaf", $0)] } ?? [])
        let options = said == nil ? leaf.resolution.options : leaf.options
        #expect(options.map(\.id) == ["sencha", "assam", "pouchong"] && leaf.resolution.dialog == dialog)
        #expect(options.map(\.value) == ["sencha", "assam", "pouchong"])
        #expect(options.map(\.subtitle) == [nil, "Strong", nil])
        #expect(leaf.resolution.reason == said.map { _ in "noMatch" })
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

    @Test func `a title of several options leads to a choice among them, other words to all options`() async throws {
        let several = try await Teahouse().resolve("cup", said: "bowl")
        #expect(several.options.map(\.id) == ["c2", "c3"] && several.options.map(\.subtitle) == ["Hagi", "Raku"])
        for house in [Teahouse(), Teahouse(cups: manyCups(1...30))] {
            let none = try await house.resolve("cup", [.given("cup", "bucket")])
            #expect(none.options.map(\.id) == house.cups.map(\.id))
            #expect(none.resolution.dialog == "Cup can't be 'bucket'. Which cup?")
        }
    }

    @Test func `a missing value gets the only option, and all of many options are offered`() async throws {
        #expect(try await Teahouse(cups: [cups[0]]).resolve("cup", said: nil) == .success(JSON(cups[0])))
        for house in [Teahouse(), Teahouse(cups: manyCups(1...200))] {
            let offered = try await house.resolve("cup", said: nil)
            #expect(offered.options.map(\.id) == house.cups.map(\.id) && offered.dialog == "Which cup?")
        }
    }

    @Test func `options that exceed a parameter's share of an outcome are omitted, which is reported`() async throws {
        func cup(_ cups: [Cup]) async throws -> ResolvedParameter {
            try await Teahouse(cups: cups).resolve("cup", [.given("cup", "bucket")])
        }
        let long = try await cup(manyCups(1...1_200, " " + String(repeating: "x", count: 300)))
        #expect(long.omitsOptions && 50...1_000 ~= long.options.count)
        let bytes = long.options.reduce(0) { $0 + $1.title.utf8.count + $1.value.bytes.count }
        #expect(bytes < JSONLimits.outcome.maximumBytes / 2)
        let short = try await cup((1...1_200).map { Cup(id: "\($0)", title: "\($0)") })
        #expect(short.omitsOptions && short.options.count == 1_000)
        // With thirteen names each, 1,000 options are more than an outcome may have.
        let compared = try await cup(
            (1...1_000).map { number in
                var cup = Cup(id: "\(number)", title: "\(number)", origin: "Hagi")
                cup.comparison = OptionComparison(price: 1, time: 1, distance: 1, duration: 1, size: Double(number))
                return cup
            })
        #expect(compared.omitsOptions && 400...JSONLimits.outcome.maximumKeys / 13 ~= compared.options.count)
    }
}

@Suite("What a resolution says for the prompt") struct PromptDeclarationTests {
    private func resolved(
        _ said: KeyValuePairs<String, JSON>
    ) async throws -> (summary: String?, parameters: [String: ResolvedParameter]) {
        let outcome = try await Teahouse().perform(.resolve, .given(said))
        guard case .resolved(let all, nil, let summary, _) = outcome else {
            throw UnexpectedOutcome(outcome, of: .resolve, "OrderTea")
        }
        return (summary, Dictionary(all.map { ($0.name, $0) }) { first, _ in first })
    }

    @Test func `an open parameter declares its schema, its range, and whether it is required`() async throws {
        let parameters = try await resolved(["leaf": "assam", "pots": 9]).parameters
        let pots = try #require(parameters["pots"]?.declaration?.view)
        #expect(pots["type"]?["name"]?.string == "Int" && pots["type"]?["description"]?.string == "a whole number")
        #expect(pots["type"]?["schema"]?["type"]?.string == "integer")
        #expect(pots["range"]?["maximum"]?.int != nil && pots["required"]?.bool != nil)
        #expect(pots["sensitivity"]?.string == "private")
        #expect(parameters["leaf"]?.declaration == nil, "nothing is asked about it")
    }

    @Test func `while a parameter is open, the other parameters and the intent are described in words`() async throws {
        let (summary, parameters) = try await resolved(["leaf": "assam", "pots": 9])
        #expect(parameters["leaf"]?.text == "Assam" && parameters["pots"]?.text == nil)
        #expect(summary?.contains("Assam") == true)
        let (none, all) = try await resolved(["leaf": "assam", "cup": "c1", "pots": 1])
        #expect(none == nil && all.values.allSatisfy { $0.text == nil && $0.declaration == nil })
    }

    @Test func `a declaration omits many known values, which are the options`() async throws {
        var board = IntentDeclaration("Board", title: "Board")
        let stops = (1...200).map { JSON.string("Stop \($0)") }
        board.parameters = [ParameterDeclaration("stop", .string, title: "Stop", options: stops)]
        let many = try await DeclarationFixture(board).registry.resolve("stop", of: "Board")
        #expect(many.declaration?.view["type"]?["schema"]?.json == ["type": "string"])
        #expect(many.declaration?.view["type"]?["description"] == nil && many.resolution.options.count == 200)
        let few = try await resolved([:]).parameters["leaf"]
        #expect(few?.declaration?.view["type"]?["schema"]?["oneOf"]?.elements.count == 3)
    }

    @Test func `a confirmation says what its answers are called, in the language of the request`() async throws {
        var board = IntentDeclaration("Board", title: "Board")
        board.confirmation = .always
        board.confirmationActionName = .book
        func action(_ locale: String?) async throws -> ConfirmationAction? {
            try await DeclarationFixture(board).registry.perform(.confirm, "Board", locale: locale).confirmation?.action
        }
        #expect(try await action(nil) == ConfirmationAction(name: "book", acceptLabel: "Book", denyLabel: "Cancel"))
        let german = ConfirmationAction(name: "book", acceptLabel: "Buchen", denyLabel: "Abbrechen")
        #expect(try await action("de-AT") == german)
        board.confirmationActionName = .custom(acceptLabel: "Release", denyLabel: "Keep", destructive: true)
        let custom = ConfirmationAction(name: "custom", acceptLabel: "Release", denyLabel: "Keep", isDestructive: true)
        #expect(try await action("nl") == custom)
    }

    @Test func `each action has a label in every built-in language`() {
        for name in ConfirmationActionName.all {
            let english = name.action(in: nil)
            #expect(!english.acceptLabel.isEmpty && name.name != "custom")
            for locale in ["nl", "de", "fr", "es"] {
                #expect(name.action(in: locale).denyLabel != english.denyLabel, "\(locale)")
            }
        }
        #expect(Set(ConfirmationActionName.all.map(\.name)).count == 32)
    }
}

@Suite("Values proposed by confirm, and items to choose from") struct ProposalTests {
    struct BookTable: Intent {
        @Parameter(title: "Time") var time: String
        @Parameter(title: "Seats", .inclusiveRange(1...6)) var seats: Int = 2
        static let title: LocalizedText = "Book a table"
        static let parameters = Parameters<Self>(\.$time, \.$seats)
        static var parameterSummary: some ParameterSummary { Summary("Table for \(\.$seats) at \(\.$time)") }
    }

    struct Other: Intent {
        @Parameter(title: "Hour") var hour: Int
        static let title: LocalizedText = "Other"
        static let parameters = Parameters<Self>(\.$hour)
    }

    struct Handler: IntentHandling {
        let confirmation: ConfirmResponse

        func confirm(_ intent: BookTable, context: Context) async throws -> ConfirmResponse { confirmation }

        func handle(_ intent: BookTable, context: Context) async throws -> HandleResponse {
            .success(items: ["Window", "Terrace"]).askingWhichItem(remembers: ["table": "name"]).remembering(
                intent.seats, as: "seats")
        }
    }

    private func perform(
        _ phase: Phase = .confirm, _ confirmation: ConfirmResponse = .ready(dialog: "That late?")
    ) async throws -> PhaseOutcome {
        try await SingleHandlerExtension(handler: Handler(confirmation: confirmation)).perform(
            phase, .resolved(["time": "18:45"]))
    }

    @Test func `a proposed value is part of the summary and is confirmed even without a policy`() async throws {
        let outcome = try await perform(.confirm, .ready(dialog: "That late?").proposing(\BookTable.$time, "18:30"))
        #expect(outcome.response?.proposed == ["time": "18:30"])
        #expect(outcome.confirmation?.summary == "Table for 2 at 18:30" && outcome.confirmation?.dialog == "That late?")
        #expect(try await perform().response != nil)
        #expect(try await perform().confirmation == nil, "without a proposal the person is not asked")
    }

    @Test func `a proposal for a parameter of another intent fails with a message that says so`() async throws {
        let failure = try await perform(.confirm, .ready.proposing(\Other.$hour, 7)).failure
        let message = "a response of BookTable proposes a value for something that is not one of its parameters"
        #expect(failure?.message == message)
    }

    @Test(arguments: [
        ("hour", "confirm of BookTable proposes 'hour', which is not one of its parameters"),
        ("seats", "confirm of BookTable proposes a value that 'seats' can't have"),
    ])
    func `a wrong proposal fails with the parameter's name`(_ parameter: String, _ message: String) async throws {
        var response = IntentResponse(.ready)
        response.proposed = [parameter: "many"]
        #expect(try await perform(.confirm, ConfirmResponse(response)).failure?.message == message)
    }

    @Test func `handle returns items to choose from and values to remember`() async throws {
        let response = try await perform(.handle).response
        #expect(response?.items.map(\.title) == ["Window", "Terrace"])
        #expect(response?.choice == ItemChoice(remembers: ["table": "name"]) && response?.remembered == ["seats": 2])
    }
}

/// A part of a bicycle. Parts with one identifier are equal.
private struct Part: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Part"
    static let defaultQuery = PartQuery()
    let id: String
    var price = 0
    static func == (a: Part, b: Part) -> Bool { a.id == b.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

private struct PartQuery: EntityQuery {
    func entities(for identifiers: [String]) async throws -> [Part] { identifiers.map { Part(id: $0) } }
}

private struct Repair: Intent {
    static let title: LocalizedText = "Repair"
    @Parameter(title: "Where") var place: String
    @Parameter(title: "Part") var part: Part?
    @Parameter(title: "Price") var price: Int?
    static let parameters = Parameters<Self>(\.$place, \.$part, \.$price)
    init() { place = "the workshop" }
}

@Suite("A Resolve and the values of the intent") struct ResolveValueTests {
    private let server = serving(
        Repair.self,
        resolution: {
            Resolve(\.$place) { place, _ in place.map { .success($0.uppercased()) } ?? .needsValue() }
            Resolve(\.$part) { part, _ in part.map { .success(Part(id: $0.id, price: 9)) } ?? .notRequired() }
            Resolve(\.$price, after: \.$part) { _, repair in .success(repair.$part.value?.price ?? -1) }
        })

    @Test func `a Resolve gets the value that the intent's initializer sets`() async throws {
        #expect(try await server.resolve("place", said: nil) == .success("THE WORKSHOP"))
    }

    @Test func `a later Resolve sees an entity as the earlier one returned it, even if the two are equal`() async throws
    {
        let all = try await server.resolve(.given(["part": "chain"]))
        #expect(all["price"] == .success(9))
    }
}
