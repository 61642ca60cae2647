import Conversation
import Foundation
import IntentEvents
import IntentModel
import RecordLog
import Testing

@Suite("The wire contract in files") struct GoldenTests {
    @Test func `the encoder writes exactly the golden files`() throws {
        for golden in try Examples.records() {
            if Golden.isWriting { try golden.write() }
            #expect(golden.value == golden.value?.view.compact, "\(golden.name) is written with spaces")
            #expect(Golden.storedText(golden.name) == golden.text, "\(golden.name).json: see README.md beside it")
        }
    }

    @Test func `there is a file for every event type, and every file is written or read`() throws {
        let written = try Examples.records().map(\.name)
        #expect(try Golden.stored == (written + Self.foreign.map(\.name) + Self.olderWork.map(\.name)).sorted())
        let types = try Set(Golden.stored.compactMap { try Golden(named: $0).type })
        for type in EventType.allCases { #expect(types.contains(type.rawValue), "no file for \(type.rawValue)") }
    }

    /// Files that are read with members that the pipeline adds or leaves out.
    private static let readOtherwise = [
        "intent.requested.v1.clock", "intent.requested.v1.candidates", "intent.handle.v1.provenance",
    ]

    @Test func `the decoder reads the requests back`() throws {
        for (name, event) in Examples.requests where !Self.readOtherwise.contains(name) {
            let read = try RequestEvent(Golden(named: name).consumed)
            #expect(read.id == (name.hasPrefix("intent.requested") ? "ride-1" : "event-5"))
            #expect(read.session == Examples.session && read.event == event, "\(name)")
        }
    }

    @Test func `the decoder reads the work back`() throws {
        for (name, work) in Examples.work where !Self.readOtherwise.contains(name) {
            let read = try WorkEvent(Golden(named: name).consumed)
            #expect(read.session == Examples.session && read.work == work, "\(name)")
        }
    }

    /// The time limits of work and of its request, in milliseconds. Work of earlier versions has only deadlines, which
    /// count from the record's timestamp.
    private static let limits: [(name: String, limit: Int, ofRequest: Int?)] = [
        ("intent.handle.v1.inProgress", 60_000, 300_000), ("intent.cancel.v1.reason", 10_000, nil),
    ]
    private static let olderWork: [(name: String, limit: Int, ofRequest: Int?)] = [
        ("accepted.work", 60_250, 300_250), ("accepted.cancel", 10_250, nil),
    ]

    @Test(arguments: limits + olderWork)
    func `work's time limit counts from its timestamp`(_ name: String, _ limit: Int, _ ofRequest: Int?) throws {
        let read = try WorkEvent(Golden(named: name).consumed)
        #expect(read.timeLimit == .milliseconds(limit) && read.requestTimeLimit == ofRequest.map { .milliseconds($0) })
    }

    @Test func `the decoder reads the catalogue back`() throws {
        for (name, intent) in Examples.publishedIntents {
            #expect(try CatalogueRecord(Golden(named: name).consumed) == .intent(intent), "\(name)")
        }
        for (name, lease) in Examples.leases {
            let read = try CatalogueRecord(Golden(named: name).consumed)
            let time = Instant(milliseconds: 1_772_366_400_000)
            #expect(read == .lease(lease, renewed: time, written: Examples.time), "\(name)")
        }
    }

    @Test func `the decoder reads the outcomes back`() throws {
        for (name, content) in Examples.outcomes {
            let read = try OutcomeEvent(Golden(named: name).consumed)
            #expect(read.session == Examples.session && read.outcome == Examples.outcome(name, content), "\(name)")
        }
    }

    @Test func `the reader reads the results`() throws {
        for (number, (name, body)) in Examples.results.enumerated() {
            let result = try ReceivedResult(Golden(named: name).consumed)
            #expect(result.session == Examples.session && result.sequence == number + 1)
            #expect(result.request == (Examples.isAboutRequest(name) ? "ride-1" : nil))
            switch body {
            case .prompted(let prompt): #expect(result.prompt == prompt.id && result.promptKind == prompt.kind)
            case .handoffOffered(let handoff): #expect(result.offeredHandoff == handoff.id)
            case .completed(let completion): #expect(result.status == completion.status)
            case .answerRead(let answer): #expect(result.data["readAs"]?.string == answer.readAs.rawValue)
            case .reminded(let reminder): #expect(result.data["reason"]?.string == reminder.reason.rawValue)
            case .optionsListed(let listed):
                #expect(result.data["prompt"]?.identifier == listed.prompt && result.prompt == nil)
            case .handoffCompleted(_, let response): #expect(result.data["code"]?.string == response.code.rawValue)
            case .progressed, .handoffClaimed, .lateOutcome, .updated, .updatesEnded, .memoryForgotten, .rejected: break
            }
        }
        let stray = try ReceivedResult(Golden(named: "request.rejected.v1.noSession").consumed)
        #expect(stray.session == nil && stray.sequence == nil && stray.type == .rejected)
        let read = try ReceivedResult(Golden(named: "intent.progressed.v1").consumed)
        #expect(read.partition == 3 && read.offset == 42 && read.timestamp == 1_772_366_400_000)
        #expect(read.id == "kitchen/ride-1.5" && read.data["fraction"]?.double == 0.5)
        #expect(read.prompt == nil && read.promptKind == nil && read.offeredHandoff == nil && read.status == nil)
    }

    // MARK: Forms that only other programs write

    private static func ride(_ id: Identifier, trace: TraceContext? = nil) -> SessionEvent {
        let dropOff = ParameterState(name: "dropOff", value: .string("Airport"))
        return .requested(IntentRequest(id: id, intent: "RequestRide", parameters: [dropOff], trace: trace))
    }

    /// Files written by hand, and the events that they are read as.
    static let foreign: [(name: String, id: Identifier, event: SessionEvent)] = [
        ("accepted.structured", "ride-1", ride("ride-1", trace: Examples.trace)),
        ("accepted.structured.claim", "event-5", .handoffClaimed(handoff: Examples.handoffID, claimant: "phone")),
        ("accepted.bare", "intents.requests-3-42", ride("intents.requests-3-42")),
        (
            "accepted.bare.typed", "event-5",
            .answered(Answer(prompt: Examples.promptID(2), action: .accept, value: .string("Airport")))
        ),
        ("accepted.unknownFields", "ride-1", ride("ride-1", trace: Examples.trace)),
        ("accepted.phases", "ride-1", ride("ride-1", trace: Examples.trace)),
    ]

    @Test(arguments: foreign)
    func `other forms of events are read`(_ name: String, _ id: Identifier, _ event: SessionEvent) throws {
        let read = try RequestEvent(Golden(named: name).consumed)
        #expect(read.session == "kitchen" && read.id == id && read.event == event)
    }
}

/// A record in a readable file, with its topic, key, headers and value.
struct Golden {
    /// The name of the file, without its extension.
    var name: String
    var topic: String
    var key: String?
    var headers: [(name: String, value: String)]
    var value: JSON?

    init(_ name: String, _ record: Record) throws {
        self.name = name
        topic = record.topic
        key = record.key.map { String(decoding: $0, as: UTF8.self) }
        headers = record.headers.map { ($0.name, $0.text ?? "") }
        value = try record.value.map { try JSON(parsing: $0, limits: .journal) }
    }

    /// Reads a file.
    init(named name: String) throws {
        self.name = name
        let view = try JSONView(parsing: Array(Data(contentsOf: Self.file(name))), limits: .journal)
        topic = view["topic"]?.string ?? ""
        key = view["key"]?.string
        headers = (view["headers"]?.members ?? []).map { ($0.name, $0.value.string ?? "") }
        value = view["value"].flatMap { $0.isNull ? nil : $0.compact }
    }

    /// The text of the file.
    var text: String {
        let json = JSON.make { writer in
            writer.beginObject()
            writer.member("topic", topic)
            writer.member("key", key.map { .string($0) } ?? .null)
            writer.name("headers")
            writer.beginObject()
            for header in headers { writer.member(named: header.name, .string(header.value)) }
            writer.endObject()
            writer.member("value", value ?? .null)
            writer.endObject()
        }
        return json.view.readable() + "\n"
    }

    /// The type of the event.
    var type: String? { headers.first { $0.name == "ce_type" }?.value }

    var record: Record {
        Record(
            topic: topic, partition: 3, key: key.map { Array($0.utf8) }, value: value?.bytes,
            headers: headers.map { RecordHeader($0.name, $0.value) }, timestamp: 1_772_366_400_000)
    }

    /// The record as a reader gets it.
    var consumed: ConsumedRecord { record.consumed() }

    func write() throws { try Data(text.utf8).write(to: Self.file(name)) }

    // MARK: Files

    static var stored: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "Golden").path)
                .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
        }
    }

    static func storedText(_ name: String) -> String? { try? String(contentsOf: file(name), encoding: .utf8) }

    private static func file(_ name: String) -> URL { folder.appending(path: "Golden/\(name).json") }

    /// The folder of these tests.
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    /// `true` to write the files again: set `GOLDEN=write`. A changed file changes the contract: review the difference.
    static let isWriting = ProcessInfo.processInfo.environment["GOLDEN"] == "write"

    /// Compares a document with its file, or writes the file.
    ///
    /// - Parameters:
    ///   - path: The file's path in the repository.
    ///   - suite: The suite that writes the file again.
    static func check(_ text: String, _ path: String, writtenBy suite: String) throws {
        let file = folder.appending(path: "../../\(path)")
        if isWriting {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let stored = try? String(contentsOf: file, encoding: .utf8)
        #expect(stored == text, "\(path) is outdated: GOLDEN=write swift test --filter \(suite) writes it again")
    }
}
