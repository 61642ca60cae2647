import Conversation
import IntentEvents
import IntentModel
import RecordLog
import Testing

@testable import Pipeline

@Suite("The intake of a coordinator") struct IntakeTests {
    private let now = Instant(milliseconds: 1_000_000)
    private var configuration = CoordinatorConfiguration(owner: "me")
    private var sessions = PartitionSessions()
    private var routes: Routes?
    private var memory: Known?

    private struct Known: PersonKnowledge {
        var known: RememberedPerson?
        var isReady = true
        func person(_ principal: Principal) -> RememberedPerson? { known }
        func isReady(for principal: Principal) -> Bool { isReady }
    }

    private struct Routes: IntentRouting {
        var routes: [Identifier: IntentRoute]
        func memory(of intent: Identifier) -> IntentMemory? { nil }
        func answer(for intent: Identifier) -> CatalogueRoutes.Answer {
            routes[intent].map { .served($0) } ?? .unserved(Rejection(.unsupported, "no worker"))
        }
    }

    private func event(
        _ event: SessionEvent? = nil, id: Identifier = "r", session: Identifier = "s", from principal: Principal? = nil
    ) throws -> RequestEvent {
        var read = try RequestEvent(
            ConsumedRecord(
                topic: "intents.requests", partition: 0, offset: 0, timestamp: 0, key: Array(session.text.utf8),
                value: Array(#"{"intent":"Ride"}"#.utf8), headers: []))
        read.event = event ?? .requested(IntentRequest(id: id, intent: "Ride", principal: principal))
        read.principal = principal
        return read
    }

    private mutating func judge(_ event: RequestEvent, key: String? = nil, on input: JournalInput = .requests)
        -> Intake.Verdict
    {
        Intake(configuration: configuration, catalogue: routes, memory: memory).judge(
            event, key: key.map { Array($0.utf8) }, on: input, in: 0, &sessions, at: now)
    }

    private mutating func open(_ id: Identifier, of owner: Principal? = nil) {
        var session = Session(id: id, updated: now)
        session.owner = owner
        sessions.insert(SessionEntry(JournaledSession(session)))
    }

    @Test mutating func `a misplaced event spends no token, and one without a token is judged no further`() throws {
        (configuration.partitions, configuration.limits.maximumBurst, configuration.trust) = (2, 1, .separate)
        open("s")
        let stray = try #require(
            (0..<9).map { "k\($0)" }.first { Murmur2.partition(of: Array($0.utf8), count: 2) == 1 })
        let cancel = try event(.cancelled(request: nil))
        let lines = [stray, stray, nil, nil].map { judge(cancel, key: $0).line }
        #expect(lines == ["misplaced", "misplaced", "refused unauthorized", "overloaded 0.01 seconds"])
    }

    @Test(arguments: [InputTrust.open, .separate], [JournalInput.requests, .answers])
    mutating func `a principal is authenticated by a trusted input, and the platform by the person's channel`(
        _ trust: InputTrust, _ input: JournalInput
    ) throws {
        configuration.trust = trust
        let isTrusted = trust == .open || input == .answers
        let request = judge(try event(from: .ann), on: input).admitted
        let (event, sender) = try #require(request)
        #expect(event.request?.principal == (isTrusted ? .ann : nil) && sender.isNamed == !isTrusted)
        #expect(sender.person(in: nil) == (isTrusted ? .ann : nil))
        let end = judge(try self.event(.cancelled(request: nil), from: Principal(.system, "ops")), on: input)
        #expect(end.line == (isTrusted ? "admitted" : "refused unauthorized"))
        if isTrusted { #expect(end.admitted?.sender.isNamed == (input == .requests)) }
    }

    @Test mutating func `a principal has one rate, and a maximum of open sessions`() throws {
        (configuration.limits.maximumBurst, configuration.limits.maximumSessionsOfPrincipal) = (2, 2)
        for id in ["a", "b"] as [Identifier] { open(id, of: .ann) }
        let lines = try (["c", "a", "b", "a"] as [Identifier]).map { judge(try event(session: $0, from: .ann)).line }
        #expect(lines == ["overloaded 1800.0 seconds", "admitted", "admitted", "overloaded 0.01 seconds"])
    }

    @Test mutating func `candidates that no worker serves are left out, and the fallback takes their place`() throws {
        let taxi = IntentRoute(service: "taxi")
        routes = Routes(routes: ["Taxi": taxi, "Ask": IntentRoute()])
        var request = IntentRequest(id: "r", intent: "Ride")
        guard case .unserved? = judge(try event(.requested(request))).admitted?.event else {
            Issue.record("it is served")
            return
        }
        (request.candidates, request.fallback) = (
            ["Ride", "Taxi"].map { IntentCandidate(intent: $0, confidence: 1) }, "Ask"
        )
        let served = judge(try event(.requested(request))).admitted?.event.request
        #expect(served?.candidates.map(\.intent) == ["Taxi"] && served?.candidates.first?.route == taxi)
        request.candidates.removeLast()
        let other = judge(try event(.requested(request))).admitted?.event.request
        #expect(other?.intent == "Ask")
    }

    @Test func `nothing is remembered for a request until all about the person is read`() throws {
        let value = RememberedValue(key: "city", value: .string("Leeds"), time: now)
        for isReady in [true, false] {
            let memory = Known(known: RememberedPerson(values: [value]), isReady: isReady)
            let intake = Intake(configuration: configuration, catalogue: nil, memory: memory)
            let asked = intake.remembering(try event().event, for: .ann, event: "r", nil, at: now)
            #expect(asked.request?.remembered.map(\.key) == (isReady ? ["city"] : []))
        }
    }
}

extension Intake.Verdict {
    fileprivate var line: String {
        switch self {
        case .admitted: "admitted"
        case .refused(let rejection): "refused \(rejection.reason.rawValue)"
        case .misplaced: "misplaced"
        case .overloaded(let rejection): "overloaded \(rejection.retryAfter ?? .zero)"
        }
    }

    fileprivate var admitted: (event: SessionEvent, sender: Sender)? {
        if case .admitted(let event, from: let sender) = self { (event, sender) } else { nil }
    }
}

extension SessionEvent {
    fileprivate var request: IntentRequest? { if case .requested(let request) = self { request } else { nil } }
}

@Suite("The sessions of a partition") struct PartitionSessionsTests {
    private var sessions = PartitionSessions()

    private func entry(_ id: Identifier, of owner: Principal?) -> SessionEntry {
        var session = Session(id: id, updated: Instant(milliseconds: 0))
        session.owner = owner
        return SessionEntry(JournaledSession(session))
    }

    @Test mutating func `each open session counts once, for its present owner`() {
        let (mine, other) = (entry("a", of: .ann), entry("b", of: nil))
        for entry in [mine, mine, other] { sessions.insert(entry) }
        #expect(sessions.openCount == 2 && sessions.openSessions(of: .ann) == 1)
        other.journaled.session.owner = .ann
        sessions.recount(other, from: nil)
        #expect(sessions.openSessions(of: .ann) == 2)
        let remains = sessions.forget(mine, at: Instant(milliseconds: 0), SessionPolicy())
        #expect(remains == nil && sessions["a"] == nil && sessions.openSessions(of: .ann) == 1)
    }

    @Test mutating func `the earliest timer of a session fires once`() {
        let entry = entry("a", of: nil)
        sessions.insert(entry)
        for time: Int64 in [7, 5, 9] { sessions.schedule(entry, at: Instant(milliseconds: time)) }
        #expect(sessions.nextTimer == Instant(milliseconds: 5))
        let fired = ([4, 9, 9] as [Int64]).map { sessions.popDue(at: Instant(milliseconds: $0))?.session.id }
        #expect(fired == [nil, "a", nil] && entry.timer == nil)
    }
}
