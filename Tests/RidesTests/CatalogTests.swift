import Foundation
import IntentModel
import IntentRuntime
import Rides
import Testing

@Suite("The catalogue of rides")
struct CatalogTests {
    private let registry: IntentRegistry

    init() throws { registry = try rides() }

    @Test("matches the golden files", arguments: ["RequestRide", "ListRideOptions", "GetRideStatus", "CancelRide", "SendRideFeedback"])
    func golden(_ intent: String) throws {
        let english = try #require(registry.describe(intent))
        let dutch = try #require(registry.describe(intent, in: "nl"))
        try compare("\(intent).txt", english.text)
        try compare("\(intent).nl.txt", dutch.text)
        try compare("\(intent).json", english.json.indented + "\n")
        for use in IntentCatalogEntry.SchemaUse.allCases {
            try compare("\(intent).\(use.rawValue).schema.json", english.parametersSchema(for: use).indented + "\n")
        }
    }

    @Test("has no golden file of a removed intent")
    func none() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(files.map { $0.prefix { $0 != "." } }) == Set(registry.intents.map { $0[...] }))
    }

    @Test("is completely in Dutch")
    func dutch() throws {
        for intent in registry.intents {
            let (english, dutch) = (try #require(registry.describe(intent)), try #require(registry.describe(intent, in: "nl-BE")))
            #expect(dutch.title != english.title && dutch.summary != english.summary)
            for (a, b) in zip(english.parameters, dutch.parameters) { #expect(a.title != b.title && a.prompts != b.prompts) }
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
