import Conversation
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
            #expect(
                read.session == Examples.session
                    && read.id == (name.hasPrefix("intent.requested") ? "ride-1" : "event-5"))
            #expect(read.event == event, "\(name)")
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

    @Test("work carries how long it may take, counted from the record's timestamp", arguments: limits + olderWork)
    func timeLimits(_ name: String, _ limit: Int, _ ofRequest: Int?) throws {
        let read = try WorkEvent(Golden(named: name).consumed)
        #expect(read.timeLimit == .milliseconds(limit))
        #expect(read.requestTimeLimit == ofRequest.map { .milliseconds($0) })
    }

    @Test func `the decoder reads the catalogue back`() throws {
        for (name, intent) in Examples.publishedIntents {
            #expect(try CatalogueRecord(Golden(named: name).consumed) == .intent(intent), "\(name)")
        }
        for (name, lease) in Examples.leases {
            let golden = try Golden(named: name).consumed
            let renewed = Instant(milliseconds: golden.timestamp)
            #expect(try CatalogueRecord(golden) == .lease(lease, renewed: renewed), "\(name)")
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
            case .optionsListed(let listed):
                #expect(result.data["prompt"]?.identifier == listed.prompt && result.prompt == nil)
            case .progressed, .handoffClaimed, .lateOutcome, .updated, .updatesEnded, .memoryForgotten, .rejected: break
            }
        }
        let stray = try ReceivedResult(Golden(named: "request.rejected.v1.noSession").consumed)
        #expect(stray.session == nil && stray.sequence == nil && stray.type == .rejected)
        let progress = try ReceivedResult(Golden(named: "intent.progressed.v1").consumed)
        #expect(progress.partition == 3 && progress.offset == 42 && progress.timestamp == 1_772_366_400_000)
        #expect(progress.id == "kitchen/ride-1.5" && progress.data["fraction"]?.double == 0.5)
        #expect(
            progress.prompt == nil && progress.promptKind == nil && progress.offeredHandoff == nil
                && progress.status == nil)
    }

    @Test
    func `a dead letter has key, value and headers of its original, and headers that say what was wrong`() throws {
        let letter = Examples.deadLetter
        #expect(letter.topic == "intents.dead-letters" && letter.partition == 3 && letter.key == Array("kitchen".utf8))
        #expect(letter.value == Array(#"{"intent":"RequestRide"}"#.utf8))
        #expect(letter.headers.prefix(2).map(\.name) == ["ce_id", "ce_type"])
        #expect(
            letter.headers.dropFirst(2).map { "\($0.name)=\($0.text ?? "")" } == [
                "intents-error-topic=intents.requests", "intents-error-partition=3", "intents-error-offset=42",
                "intents-error-stage=coordinator", "intents-error-reason=deprecated",
                "intents-error-message='intent.requested.v9' is another version than the 1 that is understood here",
                "intents-error-attempt=1",
            ])
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

    @Test("structured events, bare JSON and unknown fields are read", arguments: foreign)
    func accepted(_ name: String, _ id: Identifier, _ event: SessionEvent) throws {
        let read = try RequestEvent(Golden(named: name).consumed)
        #expect(read.session == "kitchen" && read.id == id && read.event == event)
    }
}
