import IntentKit
import PipelineTestKit
import TestTrails
import Testing

private struct Invite: Intent {
    static let title: LocalizedText = "Invite"
    @Parameter(title: "Guests", size: .between(1...3), requestValueDialog: "Who comes?") var guests: [Person]
    @Parameter(title: "Numbers", default: .attribute("numbers"), size: 2, .inclusiveRange(1...9)) var numbers: [Int]?
    @Parameter(title: "Leaves", requestValueDialog: "Which leaves?") var leaves: Set<Leaf>?
    @Parameter(title: "Trails") var trails: [TrailEntity]?
    @Parameter(title: "Words") var words: [String]?
    @Parameter(title: "Cakes", requestValueDialog: "Which cakes?") var cakes: [String]?
    static let parameters = Parameters<Self>(\.$guests, \.$numbers, \.$leaves, \.$trails, \.$words, \.$cakes)
}

/// A handler that knows some people and counts its searches.
private struct InviteHandler: IntentHandling {
    var tally = Recorder<String>()
    var whole: @Sendable ([String]?) -> ResolutionResult<[String]> = { $0.map { .success($0) } ?? .notRequired() }

    static let people = [
        Person(displayName: "Kim", customIdentifier: "k"), Person(displayName: "Sam", customIdentifier: "s1"),
        Person(displayName: "Sam", customIdentifier: "s2"), Person(displayName: "Lee", customIdentifier: "l"),
    ]

    var resolution: some Resolution<Invite> {
        Resolve(each: \.$guests) { person, _ in
            if person.customIdentifier != nil { return .success(person) }
            tally.record("search \(person.displayName)")
            if person.displayName == "me" { return .notRequired() }
            if person.displayName == "boss" { return .confirmationRequired(Self.people[3]) }
            let found = Self.people.filter { $0.displayName == person.displayName }
            return found.count == 1 ? .success(found[0]) : .disambiguation(found)
        }
        Resolve(\.$words) { words, _ in whole(words) }
        Resolve(each: \.$cakes, after: \.$words) { cake, _ in
            cake == "none" ? .notRequired() : .success(cake)
        }.whole { cakes, invite in
            if let cakes { return .success(cakes) }
            return invite.$words.value == ["cake"] ? .needsValue() : .notRequired()
        }
    }
    func handle(_ invite: Invite, context: Context) async throws -> HandleResponse {
        .success(dialog: LocalizedText(invite.guests.map(\.displayName).joined(separator: " ")))
    }
}

@Suite("A list is resolved value by value, and the results are merged in order")
struct ListResolutionTests {
    private let kim = JSON(InviteHandler.people[0])
    private let sam = JSON(InviteHandler.people[2])
    private let lee = JSON(InviteHandler.people[3])

    private func guests(_ json: String, _ handler: InviteHandler = InviteHandler()) async throws -> ResolvedParameter {
        try await server(handler).resolve("guests", [.given("guests", json: json)])
    }
    private func server(_ handler: InviteHandler = InviteHandler()) -> SingleHandlerExtension<InviteHandler> {
        SingleHandlerExtension(handler: handler) { $0.add(TrailDataManager()) }
    }

    @Test("the values that succeed become the list")
    func allSucceed() async throws {
        #expect(try await guests(#"["Lee","Kim"]"#).resolution == .success(.array([lee, kim])))
    }

    @Test("spoken lists are split into their values")
    func split() async throws {
        for said in [#""Kim and Lee""#, #""Kim, Lee""#, #"" Kim,and Lee ""#, #""Kim & Lee""#] {
            #expect(try await guests(said).resolution == .success(.array([kim, lee])))
        }
        #expect(try await guests(#"{"name":"Kim"}"#).resolution == .success(.array([kim])))
    }

    @Test("text is split into values, and an element of an array never is")
    func splitText() async throws {
        func words(_ json: String) async throws -> ParameterResolution {
            try await server().resolve("words", [.given("words", json: json)]).resolution
        }
        #expect(try await words(#""Marks and Spencer""#) == .success(.array([.string("Marks"), .string("Spencer")])))
        #expect(try await words(#"["Marks and Spencer"]"#) == .success(.array([.string("Marks and Spencer")])))
    }

    @Test("one unresolved value is asked about alone")
    func oneBadValue() async throws {
        let asked = try await guests(#"["Kim","Sam","Lee"]"#)
        #expect(asked.resolution.options.map(\.id) == ["s1", "s2"])
        #expect(
            asked.element
                == ListElement(index: 1, list: [kim, .string("Sam"), lee], origins: [.resolved, .given, .resolved]))
    }

    @Test("of several questions the first is asked")
    func firstQuestion() async throws {
        let asked = try await guests(#"["boss","Sam","nobody"]"#)
        #expect(asked.resolution == .confirmationRequired(lee, dialog: nil))
        #expect(asked.element?.index == 0 && asked.element?.origins == [.given, .given, .given])
    }

    @Test("a value that is not found or out of range is asked for at its index")
    func refusedValue() async throws {
        let asked = try await guests(#"["Kim","nobody"]"#)
        #expect(asked.resolution.reason == "noMatch")
        #expect(asked.element == ListElement(index: 1, list: [kim, .string("nobody")], origins: [.resolved, .given]))
        let number = try await server().resolve("numbers", [.given("numbers", json: "[3,12]")])
        #expect(number.resolution == .unsupported(reason: "aboveMaximum", dialog: "Numbers can be 1 to 9, not 12."))
        #expect(
            number.element == ListElement(index: 1, list: [.number(3), .number(12)], origins: [.resolved, .given]))
    }

    @Test("notRequired drops a value, and the indices follow")
    func dropped() async throws {
        #expect(try await guests(#"["me","Kim"]"#).resolution == .success(.array([kim])))
        let asked = try await guests(#"["me","Kim","Sam"]"#)
        #expect(asked.element == ListElement(index: 1, list: [kim, .string("Sam")], origins: [.resolved, .given]))
    }

    @Test("a required list without remaining values is asked for, and an optional one is not")
    func allDropped() async throws {
        #expect(try await guests(#"["me"]"#).resolution == .needsValue(dialog: "Who comes?"))
        #expect(try await guests("[]").resolution == .needsValue(dialog: "Who comes?"))
        #expect(try await server().resolve("leaves", [.given("leaves", json: "[]")]).resolution == .success(.array([])))
        #expect(try await server().resolve("leaves", []).resolution == .notRequired)
    }

    @Test("another parameter can make an empty list required")
    func neededByAnother() async throws {
        func cakes(_ cakes: String?, words: String) async throws -> ParameterResolution {
            let given = cakes.map { [ParameterState.given("cakes", json: $0)] } ?? []
            return try await server(InviteHandler { .success($0 ?? []) }).resolve(
                "cakes", given + [.given("words", words)]
            ).resolution
        }
        for none in [nil, "[]", #"["none"]"#] {
            #expect(try await cakes(none, words: "cake") == .needsValue(dialog: "Which cakes?"))
            #expect(try await cakes(none, words: "tea") == .notRequired)
        }
        #expect(try await cakes(#"["none","scone"]"#, words: "cake") == .success(.array([.string("scone")])))
    }

    @Test("chosen and confirmed values are not asked about again")
    func answered() async throws {
        let handler = InviteHandler()
        var state = ParameterState(name: "guests", value: .array([lee, .string("Kim"), sam]))
        state.elements = [.confirmed, .given, .chosen]
        let found = try await server(handler).resolve("guests", [state])
        #expect(found.resolution == .success(.array([lee, kim, sam])))
        #expect(handler.tally.all == ["search Kim"])
    }

    @Test("a second round does not search again for values that were found")
    func secondRound() async throws {
        let handler = InviteHandler()
        let asked = try await server(handler).resolve("guests", [.given("guests", json: #"["Kim","Sam","Lee"]"#)])
        #expect(handler.tally.all == ["search Kim", "search Sam", "search Lee"])
        let element = try #require(asked.element)
        var list = element.list
        var origins = element.origins
        (list[element.index], origins[element.index]) = (sam, .chosen)
        var state = ParameterState(name: "guests", value: .array(list))
        state.elements = origins
        #expect(try await server(handler).resolve("guests", [state]).resolution == .success(.array([kim, sam, lee])))
        #expect(handler.tally.all.count == 3)
    }

    @Test("the declared size of a list is enforced")
    func size() async throws {
        let many = try await guests(#"["Kim","Lee","Kim","Lee"]"#)
        #expect(many.resolution == .unsupported(reason: "tooManyValues", dialog: "Guests: at most 3, please."))
        #expect(many.element == nil)
        let few = try await server().resolve("numbers", [.given("numbers", json: "[3]")])
        #expect(few.resolution == .needsValue(dialog: "Numbers: at least 2, please."))
        let exact = try await server().resolve("numbers", [.given("numbers", json: "[3,\"four\"]")])
        #expect(exact.resolution == .success(.array([.number(3), .number(4)])))
    }

    @Test("a default can be a list")
    func defaultList() async throws {
        func numbers(_ json: String) async throws -> ParameterResolution {
            try await server().resolve("numbers", [], attributes: ["numbers": JSON(unchecked: json)]).resolution
        }
        #expect(try await numbers("[3,4]") == .success(.array([.number(3), .number(4)])))
        #expect(try await numbers(#""3 and 4""#) == .success(.array([.number(3), .number(4)])))
        #expect(try await numbers("[3,44]") == .notRequired)
    }

    @Test("a set contains each value once")
    func set() async throws {
        let found = try await server().resolve("leaves", [.given("leaves", "green tea, sencha and oolong")])
        #expect(found.resolution == .success(.array([.string("sencha"), .string("pouchong")])))
        let asked = try await server().resolve("leaves", [.given("leaves", json: #"["assam","coffee"]"#)])
        #expect(asked.resolution.options.map(\.id) == ["sencha", "assam", "pouchong"] && asked.element?.index == 1)
    }

    @Test("the entities of a list are searched for one by one")
    func entities() async throws {
        let found = try await server().resolve("trails", [.given("trails", "mount bell and lake loop")])
        #expect(found.resolution.options.map(\.id) == ["4", "5"])
        #expect(
            found.element
                == ListElement(
                    index: 1, list: [JSON(TrailEntity.samples[0]), .string("lake loop")], origins: [.resolved, .given]))
    }

    @Test("a Resolve of the whole list gets all of its values")
    func whole() async throws {
        let server = server(
            InviteHandler { words in words.map { .success($0.reversed()) } ?? .needsValue("Say some.") })
        #expect(
            try await server.resolve("words", [.given("words", "a, b")]).resolution
                == .success(.array([.string("b"), .string("a")])))
        #expect(try await server.resolve("words", []).resolution == .needsValue(dialog: "Say some."))
    }

    @Test("the handler gets the whole list")
    func handler() async throws {
        let outcome = try await server().perform(
            .handle, [ParameterState(name: "guests", value: .array([kim, sam]), origin: .resolved)])
        #expect(outcome == .responded(.success(dialog: "Kim Sam")))
    }

    @Test("unreadable values never reach the handler")
    func unreadable() async throws {
        let guests = ParameterState(name: "guests", value: .array([kim]), origin: .resolved)
        let bad = try await server().failure(.handle, [guests, .given("numbers", json: "[1,\"lots\"]")])
        #expect(bad.disposition == .reject && bad.field == "parameters.numbers")
        let wrong = try await server().failure(.resolve, [.given("numbers", json: "[1,{}]")])
        #expect(wrong.reason == .invalid && wrong.field == "parameters.numbers[1]")
    }

    @Test("a list with too few, too many or other values than its declaration allows never reaches the handler")
    func outsideOfDeclaration() async throws {
        func failure(_ guests: Int, _ numbers: [Int]) async throws -> IntentFailure {
            let states = [
                ParameterState(name: "guests", value: .array(Array(repeating: kim, count: guests)), origin: .resolved),
                ParameterState(name: "numbers", value: .array(numbers.map { .number($0) }), origin: .resolved),
            ]
            return try await server().failure(.handle, states)
        }
        #expect(try await failure(4, [1, 2]).message.contains("parameters.guests has 4 values and may have 3:"))
        #expect(try await failure(0, [1, 2]).message.contains("parameters.guests has 0 values and needs 1:"))
        #expect(
            try await failure(1, [1, 12]).message.contains(
                "parameters.numbers has a value outside of its range (aboveMaximum):"))
        #expect(try await failure(1, [1]).field == "parameters.numbers")
    }
}
