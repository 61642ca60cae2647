import IntentKit
import IntentModel
import PipelineTestKit
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

    @Test("a value that is none of many options leads to a choice of all, too")
    func noMatchOfMany() async throws {
        let many = Teahouse(cups: (1...30).map { Cup(id: "\($0)", title: "Cup \($0)") })
        let found = try await many.resolve("cup", [.given("cup", "bucket")])
        #expect(found.options.count == 30 && found.dialog == "Cup can't be 'bucket'. Which cup?")
    }

    @Test("options that don't fit into an outcome are left out, and that is said; each parameter gets its share")
    func room() async throws {
        let cups = (1...1_200).map { Cup(id: "\($0)", title: "Cup \($0) " + String(repeating: "x", count: 300)) }
        let outcome = try await Teahouse(cups: cups).registry().resolve("OrderTea", [.given("cup", "bucket")])
        let cup = try #require(outcome.first { $0.name == "cup" })
        #expect(cup.omitsOptions && 50...1_000 ~= cup.resolution.options.count)
        let bytes = cup.resolution.options.reduce(0) { $0 + $1.title.utf8.count + $1.value.bytes.count }
        #expect(bytes < JSONLimits.outcome.maximumBytes / 2)
        let short = (1...1_200).map { Cup(id: "\($0)", title: "\($0)") }
        let few = try await Teahouse(cups: short).registry().resolve("OrderTea", [.given("cup", "bucket")]).first {
            $0.name == "cup"
        }
        #expect(few?.omitsOptions == true && few?.resolution.options.count == 1_000)
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
