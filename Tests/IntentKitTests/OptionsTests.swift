import IntentKit
import IntentModel
import Testing

@Suite("An options provider determines a parameter's values")
struct OptionsTests {
    private let cups = Teahouse().cups
    private func said(_ words: String) async throws -> ParameterResolution? {
        try await Teahouse().resolve("cup", [.given("cup", words)])
    }

    @Test("an identifier or a title selects an option, which is returned whole")
    func match() async throws {
        #expect(try await said("c2") == .success(JSON(cups[1])))
        #expect(try await said("GLÁSS") == .success(JSON(cups[0])))
        let stale = ParameterState.given("cup", json: #"{"id":"c3","title":"an old name"}"#, .chosen)
        #expect(try await Teahouse().resolve("cup", [stale]) == .success(JSON(cups[2])))
    }

    @Test("a title of several options leads to a choice of those")
    func severalMatches() async throws {
        guard case .disambiguation(let options, _) = try await said("bowl") else {
            Issue.record("no choice")
            return
        }
        #expect(options.map(\.id) == ["c2", "c3"])
        #expect(options.map(\.subtitle) == ["Hagi", "Raku"])
    }

    @Test("a value that is none of a few options leads to a choice of all")
    func noMatchOfFew() async throws {
        guard case .disambiguation(let options, let dialog) = try await said("bucket") else {
            Issue.record("no choice")
            return
        }
        #expect(options.count == 3)
        #expect(dialog == "Cup can't be 'bucket'. Which cup?")
    }

    @Test("a value that is none of many options is unsupported")
    func noMatchOfMany() async throws {
        let many = Teahouse(cups: (1...6).map { Cup(id: "\($0)", title: "Cup \($0)") })
        #expect(
            try await many.resolve("cup", [.given("cup", "bucket")])
                == .unsupported(reason: "noMatch", dialog: "Cup can't be 'bucket'."))
    }

    @Test("without a value the only option is used, and a few are offered")
    func noValue() async throws {
        #expect(try await Teahouse(cups: [cups[0]]).resolve("cup", []) == .success(JSON(cups[0])))
        guard case .disambiguation(let options, "Which cup?") = try await Teahouse().resolve("cup", []) else {
            Issue.record("no choice")
            return
        }
        #expect(options.count == 3)
    }
}
