import IntentKit
import IntentRuntime
import PipelineTestKit
import Testing

@Suite("What people may say for an intent is in its description")
struct PhrasesTests {
    private struct Steep: AppIntent {
        static let title: LocalizedText = "Steep"
        @Parameter(
            title: "Blend",
            .vocabulary([
                "Sunday blend",
                VocabularyItem(
                    "Lapsang", synonyms: [LocalizedText("smoked tea", translations: ["nl": "rookthee"])], pronunciation: "lap sang"),
            ]))
        var blend: String
        @Parameter(title: "Leaf") var leaf: Leaf?
        static let parameters = Parameters<Self>(\.$blend, \.$leaf)
        static let phrases: [AppShortcutPhrase<Self>] = [
            "Tea, please",
            AppShortcutPhrase("Steep some \(\.$blend)", translations: ["nl": "Zet \(\.$blend)"]),
        ]
        func perform() async throws -> some IntentResult { .result() }
    }

    private struct Crowded: AppIntent {
        static let title: LocalizedText = "Crowded"
        static let phrases = (1...101).map { AppShortcutPhrase<Self>(stringLiteral: "Phrase \($0)") }
        func perform() async throws -> some IntentResult { .result() }
    }

    private struct Wordy: AppIntent {
        static let title: LocalizedText = "Wordy"
        @Parameter(title: "Word", .vocabulary((1...501).map { VocabularyItem(stringLiteral: "Word \($0)") })) var word: String
        static let parameters = Parameters<Self>(\.$word)
        func perform() async throws -> some IntentResult { .result() }
    }

    private struct Forgetful: AppIntent {
        static let title: LocalizedText = "Forgetful"
        @Parameter(title: "Word", default: .remembered, .memory(.person(as: String(repeating: "k", count: 257)))) var word: String
        static let parameters = Parameters<Self>(\.$word)
        func perform() async throws -> some IntentResult { .result() }
    }

    @Test("a phrase has a placeholder for each parameter in it, in each language")
    func phrases() throws {
        let extended = SelfPerformingExtension(
            Steep.self, localizations: [try LocalizedTable(["Tea, please": ["nl": "Thee, graag"]])])
        let registry = try extended.registry()
        #expect(registry.describe("Steep")?.phrases == ["Tea, please", "Steep some ${blend}"])
        #expect(registry.describe("Steep", in: "nl-NL")?.phrases == ["Thee, graag", "Zet ${blend}"])
        #expect(registry.published("Steep")["phrases"] == .array([.string("Tea, please"), .string("Steep some ${blend}")]))
        #expect(registry.published("Steep")["languages"]?.view["nl"]?["phrases"]?.elements.first?.string == "Thee, graag")
    }

    @Test("a parameter's terms are listed with their synonyms and how they sound, and the cases of an enumeration with their synonyms")
    func vocabulary() throws {
        let entry = try SelfPerformingExtension(Steep.self).registry().describe("Steep", in: "nl")
        let blend = try #require(entry?.parameters.first)
        #expect(
            blend.vocabulary == [
                .init(phrase: "Sunday blend", synonyms: [], pronunciation: nil),
                .init(phrase: "Lapsang", synonyms: ["rookthee"], pronunciation: "lap sang"),
            ])
        let json = try #require(entry?.json.view["parameters"]?.elements.first?["vocabulary"])
        #expect(
            json.json
                == .array([
                    .object(["phrase": .string("Sunday blend")]),
                    .object(["phrase": .string("Lapsang"), "synonyms": .array([.string("rookthee")]), "pronunciation": .string("lap sang")]
                    ),
                ]))
    }

    @Test("a reader of the catalogue gets both as they were published")
    func readBack() throws {
        let registry = try SelfPerformingExtension(Steep.self).registry()
        let read = IntentCatalogEntry(name: "Steep", title: "Steep", published: registry.published("Steep"))
        let described = try #require(registry.describe("Steep"))
        #expect(read.phrases == described.phrases && read.parameters.map(\.vocabulary) == described.parameters.map(\.vocabulary))
        #expect(read.parameters.map(\.options) == described.parameters.map(\.options))
        #expect(read.text.contains("  phrases:\n    Tea, please\n") && read.text.contains("vocabulary: Sunday blend, Lapsang = smoked tea"))
    }

    @Test("what is not in the vocabulary can be said, too")
    func open() async throws {
        let registry = try SelfPerformingExtension(Steep.self).registry()
        #expect(try await registry.resolve("blend", of: "Steep", [.said("blend", "Ceylon")]).resolution == .success(.string("Ceylon")))
    }

    @Test("too many phrases are a mistake that is found at the start")
    func tooMany() {
        #expect { try SelfPerformingExtension(Crowded.self).registry() } throws: { "\($0)" == "Crowded has 101 phrases; 100 are allowed" }
        #expect {
            try SelfPerformingExtension(Wordy.self).registry()
        } throws: {
            "\($0)" == "parameter 'word' of Wordy has 501 terms in its vocabulary; 500 are allowed"
        }
    }

    @Test("a memory key that is too long is a mistake that is found at the start")
    func memoryKey() {
        #expect {
            try SelfPerformingExtension(Forgetful.self).registry()
        } throws: {
            "\($0)" == "parameter 'word' of Forgetful is remembered by a key of 257 bytes; it has to have 1 to 256"
        }
    }
}
