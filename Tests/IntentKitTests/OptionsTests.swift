import IntentKit
import IntentModel
import Testing

@Suite("An options provider says what a parameter may be")
struct OptionsTests {
    private let cups = Teahouse().cups
    private func said(_ words: String) async throws -> ParameterResolution? {
        try await Teahouse().resolve("cup", [.given("cup", words)])
    }

    @Test func anIdentifierOrATitleNamesOneAndItComesBackWhole() async throws {
        #expect(try await said("c2") == .success(JSON(cups[1])))
        #expect(try await said("GLÁSS") == .success(JSON(cups[0])))
        let stale = ParameterState.given("cup", json: #"{"id":"c3","title":"an old name"}"#, .chosen)
        #expect(try await Teahouse().resolve("cup", [stale]) == .success(JSON(cups[2])))
    }

    @Test func aTitleOfSeveralIsAChoiceOfThose() async throws {
        guard case .disambiguation(let options, _) = try await said("bowl") else {
            Issue.record("no choice")
            return
        }
        #expect(options.map(\.id) == ["c2", "c3"])
        #expect(options.map(\.subtitle) == ["Hagi", "Raku"])
    }

    @Test func whatIsNoneOfFewIsAChoiceOfAll() async throws {
        guard case .disambiguation(let options, let dialog) = try await said("bucket") else {
            Issue.record("no choice")
            return
        }
        #expect(options.count == 3)
        #expect(dialog == "Cup can't be 'bucket'. Which cup?")
    }

    @Test func whatIsNoneOfManyIsUnsupported() async throws {
        let many = Teahouse(cups: (1...6).map { Cup(id: "\($0)", title: "Cup \($0)") })
        #expect(
            try await many.resolve("cup", [.given("cup", "bucket")])
                == .unsupported(reason: "noMatch", dialog: "Cup can't be 'bucket'."))
    }

    @Test func nothingSaidTakesTheOnlyOneOrOffersFew() async throws {
        #expect(try await Teahouse(cups: [cups[0]]).resolve("cup", []) == .success(JSON(cups[0])))
        guard case .disambiguation(let options, "Which cup?") = try await Teahouse().resolve("cup", []) else {
            Issue.record("no choice")
            return
        }
        #expect(options.count == 3)
    }
}
