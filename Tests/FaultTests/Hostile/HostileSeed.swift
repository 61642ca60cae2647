import Foundation
import IntentModel
import RecordLog

/// A valid event of some type, from the golden files that every version must read.
struct HostileSeed: Sendable {
    var name: String
    /// The topics, without their prefix, on which the event is valid.
    var topics: Set<String>
    var headers: [(name: String, value: String)]
    var tree: HostileTree
    var isTombstone = false

    /// `true` if the event requests an intent.
    var isRequest: Bool { name.hasPrefix("intent.requested") || name.hasPrefix("accepted") }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("IntentEventsTests/Golden")

    static func all() throws -> [HostileSeed] {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let events = try files.filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }.map(Self.init)
        return events + [journal]
    }

    private init(_ file: URL) throws {
        name = file.deletingPathExtension().lastPathComponent
        // No date has passed, so that workers begin an event that looks like work.
        let text = try String(contentsOf: file, encoding: .utf8).replacing("\"2026-", with: "\"2099-")
        let view = try JSONView(parsing: Bytes(text.utf8), limits: .journal)
        let topic = String((view["topic"]?.string ?? "").dropFirst("intents.".count))
        topics =
            switch topic {
            case "requests", "answers": ["requests", "answers"]
            case "handle", "handle-in-app": ["handle", "handle-in-app"]
            default: [topic]
            }
        headers = (view["headers"]?.members ?? []).map { ($0.name, $0.value.string ?? "") }
        tree = view["value"].map { HostileTree($0) } ?? .object([])
    }

    private init(name: String, topics: Set<String>, headers: [(name: String, value: String)], tree: HostileTree) {
        self.name = name
        self.topics = topics
        self.headers = headers
        self.tree = tree
    }

    /// A session in the journal, as an owner before the first one may have written it. A record of a later epoch would
    /// take the partition over, as only a coordinator may. Therefore, only coordinators may write to the journal.
    private static let journal: HostileSeed = {
        let text =
            #"{"sequence":3,"updated":1793341200250,"remembered":["r1"],"once":{"r2":1793425800250},"active":{"stage":"resolving","step":1}}"#
        let tree = (try? JSONView(parsing: Bytes(text.utf8))).map { HostileTree($0) } ?? .object([])
        let stamp = "epoch=0 owner=hostile number=1 requests=0 outcomes=0 settled=0 results=0"
        return HostileSeed(name: "a session", topics: ["sessions"], headers: [("intents-journal", stamp)], tree: tree)
    }()
}
