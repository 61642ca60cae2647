import Foundation
import IntentEvents
import IntentModel
import IntentRuntime
import PipelineTestKit
import SampleDomains
import Testing

@Suite("The catalogue of rides") struct RideCatalogTests {
    private let registry: IntentRegistry

    init() throws { registry = try Rides().registry() }

    @Test(arguments: ["RequestRide", "ListRideOptions", "GetRideStatus", "CancelRide", "SendRideFeedback"])
    func `matches the golden files`(_ intent: String) throws {
        let english = try #require(registry.describe(intent))
        let dutch = try #require(registry.describe(intent, in: "nl"))
        try compare("\(intent).txt", english.text)
        try compare("\(intent).nl.txt", dutch.text)
        try compare("\(intent).json", english.json.indented + "\n")
        for use in IntentCatalogEntry.SchemaUse.allCases {
            try compare("\(intent).\(use.rawValue).schema.json", english.parametersSchema(for: use).indented + "\n")
        }
    }

    @Test(arguments: [nil, "nl", "nl-BE"] as [String?])
    func `a published intent can be read back in each language`(_ locale: String?) throws {
        for intent in registry.intents {
            let published = PublishedIntent(intent: Identifier(intent), title: "", details: registry.published(intent))
            let read = IntentCatalogEntry(name: intent, title: "", published: published.details(in: locale))
            let described = try #require(registry.describe(intent, in: locale))
            #expect(read.json == described.json)
            #expect(read.parametersSchema(for: .resolved) == described.parametersSchema(for: .resolved))
            #expect(
                locale != nil
                    || published.details["schemas"]?.view["request"]?.json == described.parametersSchema(for: .request))
        }
    }

    @Test func `details that a worker of another language omits have defaults`() throws {
        let entry = IntentCatalogEntry(name: "OrderTea", title: "Order tea", published: [:])
        let text = """
            OrderTea: Order tea
              phases: resolve, confirm, handle
              confirmation: depends
              summary:
                Order tea
              parameters: none

            """
        #expect(entry.text == text)
        let parameters = JSON.array([.object(["name": "kind", "required": .bool(true)])])
        let tea = IntentCatalogEntry(name: "OrderTea", title: "Order tea", published: ["parameters": parameters])
        #expect(tea.parameters.map(\.title) == ["kind"] && tea.text.contains("kind: kind (JSON, required)"))
    }

    @Test func `phrases and vocabulary of earlier versions are ignored`() {
        func tea(_ parameter: JSON, _ others: [String: JSON] = [:]) -> IntentCatalogEntry {
            let published = others.merging(["parameters": .array([parameter])]) { $1 }
            return IntentCatalogEntry(name: "OrderTea", title: "Order tea", published: published)
        }
        let terms = JSON.array([.object(["phrase": "oolong", "synonyms": .array(["wulong"])])])
        let earlier = tea(["name": "kind", "vocabulary": terms], ["phrases": ["Make me ${cups} of tea"]])
        #expect(earlier == tea(["name": "kind"]))
    }

    @Test func `says what an intent asks of a gateway`() {
        let ride = registry.published("RequestRide")
        #expect(ride["confirmation"] == .string("always") && ride["authentication"] == nil)
        #expect(registry.served(inApp: false) == registry.intents && registry.intentsOfTheApp.isEmpty)
    }

    @Test func `has no golden file of a removed intent`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(files.map { $0.prefix { $0 != "." } }) == Set(registry.intents.map { $0[...] }))
    }

    @Test func `every title, summary and prompt is in Dutch`() throws {
        for intent in registry.intents {
            let english = try #require(registry.describe(intent))
            let dutch = try #require(registry.describe(intent, in: "nl-BE"))
            #expect(dutch.title != english.title && dutch.summary != english.summary, "\(intent)")
            for (a, b) in zip(english.parameters, dutch.parameters) {
                #expect(a.title != b.title && a.prompts != b.prompts, "\(intent) \(a.name)")
            }
        }
    }

    private func compare(_ name: String, _ text: String) throws {
        let url = Self.folder.appending(path: name)
        // GOLDEN=write rewrites the files: review the difference.
        if ProcessInfo.processInfo.environment["GOLDEN"] == "write" { try Data(text.utf8).write(to: url) }
        #expect(try String(contentsOf: url, encoding: .utf8) == text, "\(name)")
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")
}
