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

private let people = [
    Person(displayName: "Kim", customIdentifier: "k"), Person(displayName: "Sam", customIdentifier: "s1"),
    Person(displayName: "Sam", customIdentifier: "s2"), Person(displayName: "Lee", customIdentifier: "l"),
]

/// An extension that knows some people, and records its searches.
private func server(
    _ tally: Recorder<String> = Recorder(),
    whole: @escaping @Sendable ([String]?) -> ResolutionResult<[String]> = { $0.map { .success($0) } ?? .notRequired() }
) -> some IntentExtension {
    serving(
        Invite.self, provide: TrailDataManager.provide,
        handle: { .success(dialog: LocalizedText($0.guests.map(\.displayName).joined(separator: " "))) },
        resolution: {
            Resolve(each: \.$guests) { person, _ in
                if person.customIdentifier != nil { return .success(person) }
                tally.record("search \(person.displayName)")
                if person.displayName == "me" { return .notRequired() }
                if person.displayName == "boss" { return .confirmationRequired(people[3]) }
                let found = people.filter { $0.displayName == person.displayName }
                return found.count == 1 ? .success(found[0]) : .disambiguation(found)
            }
            Resolve(\.$words) { words, _ in whole(words) }
            Resolve(each: \.$cakes, after: \.$words) { cake, _ in cake == "none" ? .notRequired() : .success(cake) }
                .whole { cakes, invite in
                    if let cakes { return .success(cakes) }
                    return invite.$words.value == ["cake"] ? .needsValue() : .notRequired()
                }
        })
}

private let kim = JSON(people[0])
private let sam = JSON(people[2])
private let lee = JSON(people[3])

@Suite("A list is resolved value by value, and the results are merged in order") struct ListResolutionTests {
    private func resolve(_ name: String, _ said: JSON) async throws -> ResolvedParameter {
        try await server().resolve(name, [.given(name, said)])
    }

    @Test(
        arguments: [
            ("guests", ["Lee", "Kim"], [lee, kim]), ("guests", "Kim and Lee", [kim, lee]),
            ("guests", "Kim, Lee", [kim, lee]), ("guests", " Kim,and Lee ", [kim, lee]),
            ("guests", "Kim & Lee", [kim, lee]), ("guests", ["name": "Kim"], [kim]), ("guests", ["me", "Kim"], [kim]),
            ("words", "Marks and Spencer", ["Marks", "Spencer"]),
            ("words", ["Marks and Spencer"], ["Marks and Spencer"]), ("numbers", [3, "four"], [3, 4]),
            ("leaves", "green tea, sencha and oolong", ["sencha", "pouchong"]),
        ] as [(String, JSON, JSON)])
    func `successful values become the list`(_ name: String, _ said: JSON, _ list: JSON) async throws {
        #expect(try await resolve(name, said).resolution == .success(list))
    }

    @Test func `one unresolved value is asked about alone, at its index`() async throws {
        let asked = try await resolve("guests", ["Kim", "Sam", "Lee"])
        #expect(asked.resolution.options.map(\.id) == ["s1", "s2"])
        let element = ListElement(index: 1, list: [kim, "Sam", lee], origins: [.resolved, .given, .resolved])
        #expect(asked.element == element)
        let dropped = try await resolve("guests", ["me", "Kim", "Sam"])
        #expect(dropped.element == ListElement(index: 1, list: [kim, "Sam"], origins: [.resolved, .given]))
        let leaves = try await resolve("leaves", ["assam", "coffee"])
        #expect(leaves.options.map(\.id) == ["sencha", "assam", "pouchong"] && leaves.element?.index == 1)
    }

    @Test func `the first of several questions is asked`() async throws {
        let asked = try await resolve("guests", ["boss", "Sam", "nobody"])
        #expect(asked.resolution == .confirmationRequired(lee, dialog: "Guests: Lee?"))
        #expect(asked.element?.index == 0 && asked.element?.origins == [.given, .given, .given])
    }

    @Test func `a value that is not found or out of range is asked for at its index`() async throws {
        let asked = try await resolve("guests", ["Kim", "nobody"])
        #expect(asked.resolution.reason == "noMatch")
        #expect(asked.element == ListElement(index: 1, list: [kim, "nobody"], origins: [.resolved, .given]))
        let number = try await resolve("numbers", [3, 12])
        #expect(number.resolution == .unsupported(reason: "aboveMaximum", dialog: "Numbers can be 1 to 9, not 12."))
        #expect(number.element == ListElement(index: 1, list: [3, 12], origins: [.resolved, .given]))
    }

    @Test(
        arguments: [
            ("guests", ["me"], .needsValue(dialog: "Who comes?")), ("guests", [], .needsValue(dialog: "Who comes?")),
            ("leaves", [], .success([])), ("leaves", nil, .notRequired),
        ] as [(String, JSON?, ParameterResolution)])
    func `a required list without remaining values is asked for, and an optional list is not`(
        _ name: String, _ said: JSON?, _ resolution: ParameterResolution
    ) async throws { #expect(try await server().resolve(name, said: said) == resolution) }

    @Test(arguments: [nil, [], ["none"]] as [JSON?])
    func `another parameter can make an empty list required`(_ none: JSON?) async throws {
        func cakes(_ cakes: JSON?, words: JSON) async throws -> ParameterResolution {
            try await server(whole: { .success($0 ?? []) }).resolve(
                "cakes", (cakes.map { [ParameterState.given("cakes", $0)] } ?? []) + [.given("words", words)]
            ).resolution
        }
        #expect(try await cakes(none, words: "cake") == .needsValue(dialog: "Which cakes?"))
        #expect(try await cakes(none, words: "tea") == .notRequired)
        #expect(try await cakes(["none", "scone"], words: "cake") == .success(["scone"]))
    }

    @Test func `chosen and confirmed values are not asked about again`() async throws {
        let tally = Recorder<String>()
        var state = ParameterState(name: "guests", value: [lee, "Kim", sam])
        state.elements = [.confirmed, .given, .chosen]
        #expect(try await server(tally).resolve("guests", [state]).resolution == .success([lee, kim, sam]))
        #expect(tally.all == ["search Kim"])
    }

    @Test func `a second round does not search again for values that were found`() async throws {
        let tally = Recorder<String>()
        let asked = try await server(tally).resolve("guests", [.given("guests", ["Kim", "Sam", "Lee"])])
        #expect(tally.all == ["search Kim", "search Sam", "search Lee"])
        var element = try #require(asked.element)
        (element.list[element.index], element.origins[element.index]) = (sam, .chosen)
        var state = ParameterState(name: "guests", value: .array(element.list))
        state.elements = element.origins
        #expect(try await server(tally).resolve("guests", [state]).resolution == .success([kim, sam, lee]))
        #expect(tally.all.count == 3)
    }

    @Test func `the declared size of a list is enforced`() async throws {
        let many = try await resolve("guests", ["Kim", "Lee", "Kim", "Lee"])
        #expect(many.resolution == .unsupported(reason: "tooManyValues", dialog: "Guests: at most 3, please."))
        #expect(many.element == nil)
        let few = try await resolve("numbers", [3])
        #expect(few.resolution == .needsValue(dialog: "Numbers: at least 2, please."))
    }

    @Test(
        arguments: [([3, 4], .success([3, 4])), ("3 and 4", .success([3, 4])), ([3, 44], .notRequired)]
            as [(JSON, ParameterResolution)])
    func `a suitable list can be a default`(_ numbers: JSON, _ resolution: ParameterResolution) async throws {
        let found = try await server().resolve("numbers", said: nil, attributes: ["numbers": numbers])
        #expect(found == resolution)
    }

    @Test func `the entities of a list are searched for one by one`() async throws {
        let found = try await resolve("trails", "mount bell and lake loop")
        #expect(found.resolution.options.map(\.id) == ["4", "5"])
        let list = [JSON(TrailEntity.samples[0]), "lake loop"]
        #expect(found.element == ListElement(index: 1, list: list, origins: [.resolved, .given]))
    }

    @Test func `a Resolve of the whole list gets all of its values`() async throws {
        let server = server(whole: { $0.map { .success($0.reversed()) } ?? .needsValue("Say some.") })
        #expect(try await server.resolve("words", said: "a, b") == .success(["b", "a"]))
        #expect(try await server.resolve("words", said: nil) == .needsValue(dialog: "Say some."))
    }

    @Test func `the handler gets the whole list`() async throws {
        #expect(try await server().respond(.handle, [.given("guests", [kim, sam], .resolved)]).dialog == "Kim Sam")
    }

    @Test func `unreadable values never reach the handler`() async throws {
        let guests = ParameterState.given("guests", [kim], .resolved)
        let bad = try await server().failure(.handle, [guests, .given("numbers", [1, "lots"])])
        #expect(bad.disposition == .reject && bad.field == "parameters.numbers")
        let wrong = try await server().failure(.resolve, [.given("numbers", [1, [:]])])
        #expect(wrong.reason == .invalid && wrong.field == "parameters.numbers[1]")
    }

    @Test(
        arguments: [
            ([kim, kim, kim, kim], [1, 2], "parameters.guests has 4 values and may have 3:"),
            ([], [1, 2], "parameters.guests has 0 values and needs 1:"),
            ([kim], [1, 12], "parameters.numbers has a value outside of its range (aboveMaximum):"),
            ([kim], [1], "parameters.numbers has 1 values and needs 2:"),
        ] as [(JSON, JSON, String)])
    func `an invalid list never reaches the handler`(_ guests: JSON, _ numbers: JSON, _ message: String) async throws {
        let states: [ParameterState] = [.given("guests", guests, .resolved), .given("numbers", numbers, .resolved)]
        #expect(try await server().failure(.handle, states).message.contains(message))
    }
}

private struct Pack: Intent {
    static let title: LocalizedText = "Pack"
    @Parameter(title: "Things", requestValueDialog: "What?") var things: [String]?
    @Parameter(title: "Bags") var bags: Int = 1
    @Parameter(title: "Label") var label: String?
    static let parameters = Parameters<Self>(\.$things, \.$bags, \.$label)
}

@Suite("A list is checked as a whole, and values that are not required are dropped") struct WholeListTests {
    private let server = serving(
        Pack.self, handle: { .success(dialog: "\($0.things?.count ?? 0) in \($0.bags), \($0.label ?? "no label")") },
        resolution: {
            Resolve(each: \.$things) { thing, _ in
                switch thing {
                case "air": .notRequired()
                case "piano": .unsupported(reason: "tooLarge")
                default: .success(thing.uppercased())
                }
            }.whole { things, _ in
                guard let things else { return .needsValue("What shall I pack?") }
                return things.count > 2 ? .unsupported(reason: "tooMuch") : .success(things)
            }
            Resolve(\.$bags) { _, _ in .notRequired() }
            Resolve(\.$label, after: \.$bags) { _, pack in
                .success("\(pack.$bags.value ?? 0) of \(pack.$things.value?.count ?? 0)")
            }
        })

    @Test func `the list is checked as a whole once each of its values is resolved`() async throws {
        #expect(try await server.resolve("things", said: ["cup", "tea"]) == .success(["CUP", "TEA"]))
        let tooMuch = try await server.resolve("things", [.given("things", ["cup", "tea", "pot"])])
        #expect(tooMuch.resolution.reason == "tooMuch" && tooMuch.element == nil)
        let tooLarge = try await server.resolve("things", [.given("things", ["cup", "tea", "piano"])])
        #expect(tooLarge.resolution.reason == "tooLarge" && tooLarge.element?.index == 2)
    }

    @Test(arguments: [nil, [], ["air"]] as [JSON?])
    func `a missing, empty or emptied list is passed as nil`(_ said: JSON?) async throws {
        #expect(try await server.resolve("things", said: said) == .needsValue(dialog: "What shall I pack?"))
    }

    @Test func `other parameters see the default of a parameter that is not required, not its value`() async throws {
        let all = try await server.resolve(.given(["things": ["cup"], "bags": 3]))
        #expect(all["bags"] == .notRequired && all["label"] == .success("1 of 1"))
    }

    @Test func `confirm and handle don't see the value of a parameter that is not required`() async throws {
        let states: [ParameterState] = [
            .given("things", ["cup"], .notRequired), .given("bags", 3, .notRequired),
            .given("label", "red", .notRequired),
        ]
        #expect(try await server.respond(.handle, states).dialog == "0 in 1, no label")
    }
}

/// An intent whose price depends on the ride, which depends on the place. Only a van takes luggage.
private struct Quote: Intent {
    static let title: LocalizedText = "Quote"
    @Parameter(title: "Price", requestValueDialog: "What would you pay?") var price: Int?
    @Parameter(title: "Ride", requestValueDialog: "Which ride?") var ride: String
    @Parameter(title: "Place", requestValueDialog: "Where to?") var place: String
    @Parameter(title: "Luggage", requestValueDialog: "How many pieces?") var luggage: Int?
    static let parameters = Parameters<Self>(\.$price, \.$ride, \.$place, \.$luggage)
}

@Suite("Parameters that depend on others are resolved after them") struct ResolutionOrderTests {
    private let tally = Recorder<String>()
    private let square = ParameterState.given("place", "Square", .resolved)
    private let van = ParameterState.given("ride", "van")
    private let oldVan = ParameterState.given("ride", "van", .resolved)

    private func resolve(_ states: ParameterState...) async throws -> [ResolvedParameter] {
        let server = serving(
            Quote.self,
            resolution: {
                Resolve(\.$price, after: \.$ride) { price, quote in
                    tally.record("price for \(quote.$ride.value ?? "nothing")")
                    let fare = quote.$ride.value == "van" ? 30 : 12
                    guard let price else { return .confirmationRequired(fare) }
                    if price < fare { return .unsupported(reason: "belowFare") }
                    return price == fare ? .confirmationRequired(fare) : .success(price)
                }
                Resolve(\.$ride, after: \.$place) { ride, quote in
                    tally.record("ride to \(quote.$place.value ?? "nothing")")
                    guard let ride else { return .needsValue() }
                    let fits = ride != "van" || quote.$place.value != "Alley"
                    return fits ? .success(ride) : .unsupported(reason: "tooNarrow")
                }
                Resolve(\.$luggage, after: \.$ride, \.$place) { pieces, quote in
                    if quote.$ride.value != "van" { return .notRequired() }
                    return pieces.map { .success($0) } ?? .needsValue()
                }
            })
        return try await server.resolve(states)
    }

    @Test func `dependants are resolved after their dependencies`() async throws {
        let all = try await resolve(.given("price", "40"), van, .given("place", "Square"), .given("luggage", "2"))
        #expect(all.map(\.name) == ["place", "ride", "price", "luggage"])
        #expect(tally.all == ["ride to Square", "price for van"])
    }

    @Test func `a missing dependency is asked for first`() async throws {
        let all = try await resolve(.given("price", "40"), .given("place", "Square"))
        #expect(all["ride"] == .needsValue(dialog: "Which ride?"))
        let names = all.map(\.name)
        #expect(try #require(names.firstIndex(of: "ride")) < #require(names.firstIndex(of: "price")))
        #expect(tally.all == ["ride to Square"])
    }

    @Test func `a changed dependency invalidates its dependants before confirm`() async throws {
        // The ride was a car for 12, and the person has corrected it to a van.
        #expect(try await resolve(.given("price", 12, .resolved), van, square)["price"]?.reason == "belowFare")
        // The place was a square, and the person has corrected it to an alley, which a van doesn't fit.
        #expect(try await resolve(oldVan, .given("place", "Alley"))["ride"]?.reason == "tooNarrow")
    }

    @Test func `a resolved value is kept while its dependencies are unchanged, a confirmed one always`() async throws {
        let price = ParameterState.given("price", 30, .resolved)
        #expect(try await resolve(price, oldVan, square)["price"] == .success(30))
        #expect(try await resolve(price, van, square)["price"] == .confirmationRequired(30, dialog: "Price: 30?"))
        #expect(try await resolve(.given("price", 30, .confirmed), van, square)["price"] == .success(30))
    }

    @Test func `a parameter that its dependency excludes is not asked for`() async throws {
        let asked = ParameterResolution.needsValue(dialog: "How many pieces?")
        let car = ParameterState.given("ride", "car")
        #expect(try await resolve(car, square)["luggage"] == .notRequired)
        #expect(try await resolve(car, .given("luggage", "2"), square)["luggage"] == .notRequired)
        #expect(try await resolve(van, square)["luggage"] == asked)
        // The luggage was excluded with the car. The person has then corrected the ride to a van.
        let excluded = ParameterState(name: "luggage", value: nil, origin: .notRequired)
        #expect(try await resolve(van, excluded, square)["luggage"] == asked)
        #expect(try await resolve(oldVan, excluded, square)["luggage"] == .notRequired)
    }
}
