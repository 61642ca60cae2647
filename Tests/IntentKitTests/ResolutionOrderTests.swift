import IntentKit
import PipelineTestKit
import Testing

/// An intent whose price depends on the ride, which depends on the place. Only a van takes luggage.
private struct Quote: Intent {
    static let title: LocalizedText = "Quote"
    @Parameter(title: "Price", requestValueDialog: "What would you pay?") var price: Int?
    @Parameter(title: "Ride", requestValueDialog: "Which ride?") var ride: String
    @Parameter(title: "Place", requestValueDialog: "Where to?") var place: String
    @Parameter(title: "Luggage", requestValueDialog: "How many pieces?") var luggage: Int?
    static let parameters = Parameters<Self>(\.$price, \.$ride, \.$place, \.$luggage)
}

private struct QuoteHandler: IntentHandling {
    var tally = Recorder<String>()

    var resolution: some Resolution<Quote> {
        Resolve(\.$price, after: \.$ride) { price, quote in
            tally.record("price for \(quote.$ride.value ?? "nothing")")
            let fare = quote.$ride.value == "van" ? 30 : 12
            guard let price else { return .confirmationRequired(fare) }
            return price < fare
                ? .unsupported(reason: "belowFare") : price == fare ? .confirmationRequired(fare) : .success(price)
        }
        Resolve(\.$ride, after: \.$place) { ride, quote in
            tally.record("ride to \(quote.$place.value ?? "nothing")")
            guard let ride else { return .needsValue() }
            return ride == "van" && quote.$place.value == "Alley" ? .unsupported(reason: "tooNarrow") : .success(ride)
        }
        Resolve(\.$luggage, after: \.$ride, \.$place) { pieces, quote in
            if quote.$ride.value != "van" { return .notRequired() }
            return pieces.map { .success($0) } ?? .needsValue()
        }
    }
    func handle(_ quote: Quote, context: Context) async throws -> HandleResponse { .success }
}

@Suite("Parameters that depend on others are resolved after them")
struct ResolutionOrderTests {
    private func resolve(_ states: [ParameterState], _ tally: Recorder<String> = Recorder<String>()) async throws
        -> [ResolvedParameter]
    {
        try await SingleHandlerExtension(handler: QuoteHandler(tally: tally)).resolve(states)
    }

    private func state(_ name: String, _ json: String, _ origin: ParameterState.Origin) -> ParameterState {
        ParameterState(name: name, value: JSON(unchecked: json), origin: origin)
    }

    @Test("dependants are resolved after their dependencies")
    func order() async throws {
        let tally = Recorder<String>()
        let all = try await resolve(
            [.given("price", "40"), .given("ride", "van"), .given("place", "Square"), .given("luggage", "2")], tally)
        #expect(all.map(\.name) == ["place", "ride", "price", "luggage"])
        #expect(tally.all == ["ride to Square", "price for van"])
    }

    @Test("a missing dependency is asked for first")
    func dependencyFirst() async throws {
        let tally = Recorder<String>()
        let all = try await resolve([.given("price", "40"), .given("place", "Square")], tally)
        #expect(all.first { $0.resolution == .needsValue(dialog: "Which ride?") }?.name == "ride")
        #expect(all.firstIndex { $0.name == "ride" }! < all.firstIndex { $0.name == "price" }!)
        #expect(tally.all == ["ride to Square"])
    }

    @Test("a changed dependency invalidates its dependants before confirm")
    func invalidated() async throws {
        // The ride was a car for 12, and the person has corrected it to a van.
        let all = try await resolve([
            state("price", "12", .resolved), .given("ride", "van"), state("place", "\"Square\"", .resolved),
        ])
        #expect(all.first { $0.name == "price" }?.resolution.reason == "belowFare")
        // The place was a square, and the person has corrected it to an alley, which a van doesn't fit.
        let other = try await resolve([state("ride", "\"van\"", .resolved), .given("place", "Alley")])
        #expect(other.first { $0.name == "ride" }?.resolution.reason == "tooNarrow")
    }

    @Test("a resolved value is only kept while its dependencies are unchanged, and a confirmed one always")
    func resolvedTogether() async throws {
        let price = state("price", "30", .resolved)
        let place = state("place", "\"Square\"", .resolved)
        let same = try await resolve([price, state("ride", "\"van\"", .resolved), place])
        #expect(same.first { $0.name == "price" }?.resolution == .success(.number(30)))
        let changed = try await resolve([price, .given("ride", "van"), place])
        #expect(changed.first { $0.name == "price" }?.resolution == .confirmationRequired(.number(30), dialog: nil))
        let confirmed = try await resolve([state("price", "30", .confirmed), .given("ride", "van"), place])
        #expect(confirmed.first { $0.name == "price" }?.resolution == .success(.number(30)))
    }

    @Test("a parameter that its dependency excludes is not asked for")
    func excluded() async throws {
        let place = state("place", "\"Square\"", .resolved)
        func luggage(_ states: ParameterState...) async throws -> ParameterResolution? {
            try await resolve(states + [place]).first { $0.name == "luggage" }?.resolution
        }
        #expect(try await luggage(.given("ride", "car")) == .notRequired)
        #expect(try await luggage(.given("ride", "car"), .given("luggage", "2")) == .notRequired)
        #expect(try await luggage(.given("ride", "van")) == .needsValue(dialog: "How many pieces?"))
        // The luggage was excluded with the car. The person has then corrected the ride to a van.
        let excluded = ParameterState(name: "luggage", value: nil, origin: .notRequired)
        #expect(try await luggage(.given("ride", "van"), excluded) == .needsValue(dialog: "How many pieces?"))
        #expect(try await luggage(state("ride", "\"van\"", .resolved), excluded) == .notRequired)
    }
}
