import Foundation
import IntentModel
import Testing

@Suite(
    "Recorded conversations", .serialized, .timeLimit(.minutes(5)),
    .enabled(if: Recorded.isThere, "there is no ../shared/sgd/dev.jsonl.gz beside the repository"))
struct RecordedDialogueProcessTests {
    @Test("are played through the topics; every call is as recorded, without a needless prompt")
    func replayed() async throws {
        let report = try Programs.temporaryFile()
        defer { try? FileManager.default.removeItem(at: report) }
        let ending = try await Programs.run(
            "sgd-replay",
            [
                "--schema", Recorded.file("dev.schema.json"), "--dialogues", Recorded.file("dev.jsonl.gz"), "--limit",
                "60",
                "--show", "60", "--report", report.path,
            ], timeout: 270)
        let told = "\(ending.output)\(ending.errors)"
        try #require(ending.status == 0, "\(told)")
        let counts = try JSONView(parsing: Array(try Data(contentsOf: report)))
        let calls = try #require(counts["calls"]?.int)
        #expect(counts["dialogues"]?.int == 60)
        #expect(calls > 0)
        #expect(counts["identical"]?.int == calls, "\(told)")
        #expect(counts["needless"]?.int == 0, "\(told)")
        #expect(counts["gaps"]?.int == 0)
    }
}

/// The recorded dialogues, which are not part of the repository.
private enum Recorded {
    static func file(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "shared/sgd/\(name)").path
    }

    static let isThere = ["dev.jsonl.gz", "dev.schema.json"].allSatisfy {
        FileManager.default.isReadableFile(atPath: file($0))
    }
}
