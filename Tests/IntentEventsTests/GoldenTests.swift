import Conversation
import IntentEvents
import IntentModel
import RecordLog
import Testing

@Suite("The wire contract in files")
struct GoldenTests {
    @Test("the encoder writes exactly the golden files")
    func encodes() throws {
        for golden in try Examples.records() {
            if Golden.isWriting { try golden.write() }
            #expect(golden.value == golden.value?.view.compact, "\(golden.name) is written with spaces")
            #expect(Golden.storedText(golden.name) == golden.text, "\(golden.name).json: see README.md beside it")
        }
    }

    @Test("there is a file for every event type, and every file is written or read")
    func complete() throws {
        let written = try Examples.records().map(\.name)
        #expect(try Golden.stored == (written + Self.foreign.map(\.name) + Self.olderWork.map(\.name)).sorted())
        let types = try Set(
            Golden.stored.map { try Golden(named: $0) }.flatMap(\.headers).filter { $0.name == "ce_type" }.map(\.value))
        for type in EventType.allCases { #expect(types.contains(type.rawValue), "no file for \(type.rawValue)") }
    }

    @Test("the decoder reads the requests back")
    func requests() throws {
        for (name, event) in Examples.requests {
            let read = try RequestEvent(Golden(named: name).consumed)
            #expect(
                read.session == Examples.session
                    && read.id == (name.hasPrefix("intent.requested") ? "ride-1" : "event-5"))
            #expect(read.event == event, "\(name)")
        }
    }

    @Test("the decoder reads the work back")
    func work() throws {
        for (name, work) in Examples.work {
            let read = try WorkEvent(Golden(named: name).consumed)
            #expect(read.session == Examples.session && read.work == work, "\(name)")
        }
    }

    @Test("work carries how long it may take, counted from the record's timestamp")
    func timeLimits() throws {
        let work = try WorkEvent(Golden(named: "intent.handle.v1.inProgress").consumed)
        #expect(work.timeLimit == .seconds(60) && work.requestTimeLimit == .seconds(300))
        #expect(try WorkEvent(Golden(named: "intent.cancel.v1.reason").consumed).timeLimit == .seconds(10))
    }

    /// Work of earlier versions, which has only deadlines, and its time limits in milliseconds.
    private static let olderWork: [(name: String, limit: Int, ofRequest: Int?)] = [
        ("accepted.work", 60_250, 300_250), ("accepted.cancel", 10_250, nil),
    ]

    @Test(
        "work of earlier versions may take the time from the record's timestamp to its deadline",
        arguments: olderWork.map(\.name))
    func earlierWork(_ name: String) throws {
        let example = try #require(Self.olderWork.first { $0.name == name })
        let read = try WorkEvent(Golden(named: name).consumed)
        #expect(read.timeLimit == .milliseconds(example.limit))
        #expect(read.requestTimeLimit == example.ofRequest.map { .milliseconds($0) })
    }

    @Test("the decoder reads the catalogue back")
    func catalogue() throws {
        for (name, intent) in Examples.publishedIntents {
            #expect(try CatalogueRecord(Golden(named: name).consumed) == .intent(intent), "\(name)")
        }
        for (name, lease) in Examples.leases {
            let golden = try Golden(named: name).consumed
            #expect(
                try CatalogueRecord(golden) == .lease(lease, renewed: Instant(milliseconds: golden.timestamp)),
                "\(name)")
        }
    }

    @Test("the decoder reads the outcomes back")
    func outcomes() throws {
        for (name, (phase, content)) in Examples.outcomes {
            let read = try OutcomeEvent(Golden(named: name).consumed)
            #expect(read.session == Examples.session)
            var outcome = Outcome(request: "ride-1", step: 9, phase: phase, content: content, ticket: Examples.ticket)
            if name.hasSuffix("policy") { outcome.policy = Examples.policy }
            #expect(read.outcome == outcome, "\(name)")
        }
    }

    @Test("the reader reads the results")
    func results() throws {
        for (number, (name, body)) in Examples.results.enumerated() {
            let result = try ReceivedResult(Golden(named: name).consumed)
            #expect(result.session == Examples.session && result.sequence == number + 1)
            #expect(result.request == (name == "request.rejected.v1" ? nil : "ride-1"))
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
    }

    @Test("a dead letter keeps key, value and headers, and adds headers that say what was wrong")
    func deadLetter() throws {
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

    static let ride = IntentRequest(
        id: "ride-1", intent: "RequestRide", parameters: [ParameterState(name: "dropOff", value: .string("Airport"))],
        trace: Examples.trace
    )

    /// Files written by hand, and the events that they are read as.
    static let foreign: [(name: String, id: Identifier, event: SessionEvent)] = [
        ("accepted.structured", "ride-1", .requested(ride)),
        (
            "accepted.structured.claim", "event-5",
            .handoffClaimed(handoff: "ride-1.9.handoff.9b1deb4d3b7d4bad", claimant: "phone")
        ),
        (
            "accepted.bare", "intents.requests-3-42",
            .requested(
                IntentRequest(
                    id: "intents.requests-3-42", intent: "RequestRide",
                    parameters: [ParameterState(name: "dropOff", value: .string("Airport"))]))
        ),
        (
            "accepted.bare.typed", "event-5",
            .answered(Answer(prompt: "ride-1.2.9b1deb4d3b7d4bad", action: .accept, value: .string("Airport")))
        ),
        ("accepted.unknownFields", "ride-1", .requested(ride)),
        ("accepted.phases", "ride-1", .requested(ride)),
    ]

    @Test("structured events, bare JSON and unknown fields are read", arguments: foreign.map(\.name))
    func accepted(_ name: String) throws {
        let example = try #require(Self.foreign.first { $0.name == name })
        let read = try RequestEvent(Golden(named: name).consumed)
        #expect(read.session == "kitchen" && read.id == example.id && read.event == example.event)
    }
}
