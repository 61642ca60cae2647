import Conversation
import IntentEvents
import IntentModel
import PipelineTestKit
import RecordLog

/// An event of each type, from the conversation about one ride.
enum Examples {
    typealias Named<Value> = KeyValuePairs<String, Value>
    typealias Provenance = ParameterState.Provenance

    static let topics = Topics()
    static let session: Identifier = "kitchen"
    static let time = Instant(rfc3339: "2026-03-01T12:00:00.250Z")!
    static let trace = TraceContext(
        parent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", state: "vendor=1")
    static let principal = Principal(.appUser, "ann@example.com")
    static let ann = Principal(.appUser, "ann")
    /// The secret of the app that claims a handoff.
    static let claimSecret = "7c1d4f0e9a5b4c1f8d2e6a3b"
    static let ticket = Ticket("000102030405060708090a0b0c0d0e0f")
    static let token = "b5c1f0a3b5c1f0a3b5c1f0a3b5c1f0a3b5c1f0a3b5c1f0a3b5c1f0a3b5c1f0a3"
    static let handoffID: Identifier = "ride-1.9.handoff.9b1deb4d3b7d4bad"

    /// Returns the time after this number of seconds.
    static func after(_ seconds: Int) -> Instant { time.advanced(by: .seconds(seconds)) }

    static func promptID(_ step: Int) -> Identifier { Identifier("ride-1.\(step).9b1deb4d3b7d4bad") }

    // MARK: intents.requests and intents.answers

    private static let request = IntentRequest(id: "ride-1", intent: "RequestRide")

    private static let full = IntentRequest(
        id: "ride-1", intent: "RequestRide",
        parameters: [
            ParameterState(name: "dropOff", value: .string("Airport")),
            ParameterState(name: "partySize", value: .number(2)),
            ParameterState(name: "pickup", value: JSON(unchecked: #"{"latitude":51.5,"longitude":-0.125}"#)),
        ], whenBusy: .interrupt, deadline: Instant(rfc3339: "2026-03-01T12:05:00Z"), locale: "en-GB",
        attributes: ["channel": .string("voice"), "homeCity": .string("London")], trace: trace)

    private static let recognised = IntentRequest(id: "ride-1", intent: "")
        .with(
            \.candidates,
            [
                IntentCandidate(
                    intent: "RequestRide", confidence: 0.62, title: "Book a ride",
                    parameters: [ParameterState(name: "dropOff", value: .string("Airport"))]),
                IntentCandidate(intent: "GetRideStatus", confidence: 0.55, title: "Ask where the ride is"),
            ]
        ).with(\.fallback, "Search")

    static let spokenTime = ParameterState(name: "scheduledTime", value: .string("morgen om half zeven"))

    private static let abroad = IntentRequest(
        id: "ride-1", intent: "RequestRide", parameters: [spokenTime], locale: "nl"
    ).with(\.clock, PersonClock(timeZone: "Europe/Amsterdam", ahead: -86_400_000, said: time))

    private static let doubtful = request.with(
        \.parameters,
        [
            ParameterState(name: "dropOff", value: .string("the airport"))
                .with(\.provenance, Provenance(confidence: 0.4))
        ])

    static let requests: Named<SessionEvent> = [
        "intent.requested.v1": .requested(full),
        "intent.requested.v1.smallest": .requested(request),
        "intent.requested.v1.principal": .requested(request.with(\.principal, principal)),
        "intent.requested.v1.clock": .requested(abroad),
        "intent.requested.v1.candidates": .requested(recognised),
        "intent.requested.v1.confidence": .requested(doubtful),
        "prompt.answered.v1.value": .answered(Answer(prompt: promptID(2), action: .accept, value: .string("Airport"))),
        "prompt.answered.v1.option": .answered(Answer(prompt: promptID(4), action: .accept, option: "south")),
        "prompt.answered.v1.changed": .answered(
            Answer(
                prompt: promptID(8), action: .decline,
                parameters: [ParameterState(name: "partySize", value: .number(3))])),
        "prompt.answered.v1.utterance": .answered(
            Answer(prompt: promptID(4), utterance: Utterance("the second one", language: "en-GB"))),
        "prompt.answered.v1.cancel": .answered(Answer(prompt: promptID(8), action: .cancel)),
        "prompt.answered.v1.signIn": .answered(
            Answer(prompt: promptID(3), action: .accept, value: .string("localDevice"))),
        "parameter.corrected.v1": .corrected(
            Correction(request: "ride-1", parameter: "dropOff", value: .string("Leeds"))),
        "options.requested.v1": .optionsRequested(OptionsRequest(prompt: promptID(4), start: 25)),
        "options.requested.v1.search": .optionsRequested(
            OptionsRequest(prompt: promptID(4), search: "station north", limit: 5)),
        "intent.cancelled.v1": .cancelled(request: "ride-1"),
        "intent.cancelled.v1.active": .cancelled(request: nil),
        "session.forgotten.v1": .forgotten(Forgetting(keys: ["home", "payment"])),
        "session.forgotten.v1.all": .forgotten(Forgetting(keys: nil)),
        "session.forgotten.v1.person": .forgotten(Forgetting(keys: ["home"], scope: .person)),
        "session.ended.v1": .ended(reason: "the account was closed"),
        "session.ended.v1.smallest": .ended(reason: nil),
        "requests.handoff.claimed.v1": .handoffClaimed(handoff: handoffID, claimant: "phone"),
        "updates.started.v1": .updatesStarted(request: "ride-1"),
        "updates.stopped.v1": .updatesStopped(request: "ride-1"),
        "handoff.returned.v1": .handoffReturned(handoff: handoffID, claimant: "phone"),
        "requests.handoff.completed.v1": .handoffCompleted(
            handoff: handoffID, claimant: "phone",
            response: IntentResponse(.success, dialog: "Your ride is booked.", values: ["ride": .string("R-7")])),
        "undo.requested.v1": .undoRequested(UndoRequest(id: "event-5", request: "ride-1")),
        "undo.requested.v1.smallest": .undoRequested(UndoRequest(id: "event-5")),
        "prompt.answered.v1.delegate": .answered(
            Answer(prompt: promptID(8), action: .delegate).with(\.delegate, Principal(.appUser, "cem"))),
    ]

    // MARK: An approval

    /// An approval with every member.
    static let approval = Approval(
        by: [.principal(Principal(.appUser, "bob")), .role("finance")], count: 2, includesRequester: true,
        timeout: .seconds(864_000), reminders: [.seconds(259_200)],
        escalation: .init(after: .seconds(604_800), to: [.role("board")]))
    static let consents = [
        Consent(Principal(.appUser, "ann"), isRequester: true, at: time),
        Consent(Principal(.appUser, "bob"), at: after(60)),
    ]

    // MARK: Values that several events show

    static let parameters = [
        ParameterState(
            name: "dropOff", value: JSON(unchecked: #"{"title":"Station South","id":"station-south"}"#), origin: .chosen
        ), ParameterState(name: "partySize", value: .number(2), origin: .resolved),
        ParameterState(name: "pickup", value: nil, origin: .notRequired),
    ]
    /// A value that was read from words, and a default.
    static let understood = [
        ParameterState(name: "scheduledTime", value: .string("2026-11-25T17:30:00Z"), origin: .confirmed)
            .with(\.provenance, Provenance(original: .string("tomorrow at half past six"), confidence: 0.6)),
        ParameterState(name: "ride", value: .string("comfort"), origin: .resolved)
            .with(\.provenance, Provenance(source: .remembered)),
    ]
    static let options = [
        ParameterOption(id: "north", title: "Station North", value: .string("station-north")),
        ParameterOption(id: "south", title: "Station South", subtitle: "2 km", value: .string("station-south")),
    ]
    static let activity = UserActivity(
        activityType: "com.example.rides.book", title: "Book a ride", userInfo: ["draft": .string("D-1")],
        webpageURL: "https://rides.example.com/D-1")
    static let action = ConfirmationAction(
        name: "custom", acceptLabel: "Book it", acceptAlternatives: ["go ahead"], denyLabel: "Not now",
        isDestructive: true)
    static let fullAction = ConfirmationAction(
        name: "book", acceptLabel: "Book it", acceptAlternatives: ["go ahead"], denyLabel: "Not now",
        denyAlternatives: ["later"])
    static let confirmedRide = PromptParameter(name: "dropOff", title: "Drop-off", text: "Station South")
    static let integer = JSON(
        unchecked: #"{"type":{"name":"Int","description":"a whole number","schema":{"type":"integer"}},"#
            + #""required":true,"sensitivity":"private"}"#)
    /// A declaration of a parameter with every member.
    static let fullDeclaration = JSON(
        unchecked: #"{"type":{"name":"Int","description":"a whole number","schema":{"type":"integer"}},"#
            + #""required":false,"description":"How many bags there are.","#
            + #""range":{"minimum":0,"maximum":20,"text":"0 to 20"},"size":{"minimum":1,"maximum":4},"#
            + #""sensitivity":"public","input":{"keyboardType":"numberPad","capitalizationType":"none","#
            + #""multiline":false,"autocorrect":false,"smartQuotes":false,"smartDashes":false}}"#)
    static let card = Snippet(
        plain: "Mia", subtitle: "Black estate", image: .systemName("car"),
        lines: [Snippet.Line(plain: "Arrives", "in 4 minutes"), Snippet.Line(plain: "Fare", "£12")])
    static let signIn = SignIn(
        url: "https://rides.example.com/link", code: "WDJB-MJHT", title: "Example Rides", validFor: .seconds(900))
    static let parts = [
        ElementResult(id: "c-1", title: "Mia"), ElementResult(id: "c-2", title: "John"),
        ElementResult(id: "c-3", title: "Noa", code: "failureInboxFull", dialog: "The inbox is full."),
    ]
    static let update = IntentUpdate(
        phase: "completed", completionStatus: "canceledByService", dialog: "The driver has cancelled.",
        values: ["ride": .string("R-7")])

    static var deadLetter: Record {
        DeadLetter.record(
            requestRecord(#"{"intent":"RequestRide"}"#, type: "intent.requested.v9", id: "ride-1"),
            Rejection(
                .deprecated, "'intent.requested.v9' is another version than the 1 that is understood here",
                field: "type"),
            stage: "coordinator", topics: topics)
    }
}

// MARK: Records

extension Examples {
    /// Every record with the name of its file, as the current encoder writes it.
    static func records() throws -> [Golden] {
        try requestRecords() + resultRecords() + workRecords() + outcomeRecords() + catalogueRecords()
            + [Golden("dead-letter", deadLetter)]
    }

    private static func requestRecords() throws -> [Golden] {
        var person = EventEncoder(source: "/example/person")
        func golden(_ name: String, _ event: SessionEvent, to topic: String?, token: String? = nil) throws -> Golden? {
            try person.record(
                event, session: session, id: name.hasPrefix("intent.requested") ? "ride-1" : "event-5", topics: topics,
                to: topic, token: token, secret: claimSecret, at: time
            ).map { try Golden(name, $0) }
        }
        let claim = SessionEvent.handoffClaimed(handoff: handoffID, claimant: "phone")
        return try requests.compactMap { name, event in
            let isFromProducer = name.hasPrefix("intent.requested") && !name.hasSuffix("principal")
            return try golden(name, event, to: isFromProducer ? nil : topics.answers)
        } + [golden("requests.handoff.claimed.v1.token", claim, to: topics.answers, token: token)].compactMap(\.self)
    }

    private static func resultRecords() throws -> [Golden] {
        var all: [Golden] = []
        var coordinator = EventEncoder(source: "/intents/coordinator")
        func add(_ name: String, _ result: SessionResult, owner: Principal? = nil, token: String? = nil) throws {
            let event = EncodedResult(result, session: session, owner: owner, event: "event-5", token: token, at: time)
            all.append(try Golden(name, coordinator.record(event, session: session, topics: topics, partition: 3)))
        }
        for (number, (name, body)) in results.enumerated() {
            let isAbout = isAboutRequest(name)
            let result = SessionResult(
                sequence: number + 1, request: isAbout ? "ride-1" : nil, body: body, trace: isAbout ? trace : nil)
            try add(name, result, token: name.hasSuffix(".full") ? token : nil)
            // One result of each type is also written for a session that a principal has opened.
            let owned = [".v1", ".v1.foreground", ".v1.confirmValue", ".v1.success"]
            if owned.contains(where: name.hasSuffix) { try add("\(name).owned", result, owner: ann) }
        }
        let late = Rejection(.unexpected, "the prompt '\(promptID(2))' is not open", field: "prompt")
        try add(
            "request.rejected.v1.request",
            SessionResult(sequence: 44, request: "ride-1", body: .rejected(late), trace: trace))
        let none = coordinator.record(
            Rejection(.invalid, "the record has no key: the session's id is the key", field: "key"),
            event: "intents.requests-3-42", topics: topics, partition: 3, at: time)
        let other = coordinator.record(
            Rejection(.busy, "there are too many open sessions"), event: "event-5", session: session, of: ann,
            topics: topics, partition: 3, at: time)
        return try all + [
            Golden("request.rejected.v1.noSession", none), Golden("request.rejected.v1.principal", other),
        ]
    }

    /// `true` if a result is about the request; `false` if it is about an event of the session.
    static func isAboutRequest(_ name: String) -> Bool {
        !name.hasPrefix("request.rejected.v1") && !name.hasPrefix("memory.forgotten.v1")
    }

    private static func workRecords() throws -> [Golden] {
        var coordinator = EventEncoder(source: "/intents/coordinator")
        return try work.map { name, work in
            try Golden(name, coordinator.record(work, session: session, topics: topics, partition: 3, at: time))
        }
    }

    private static func outcomeRecords() throws -> [Golden] {
        var worker = EventEncoder(source: "/intents/worker")
        return try outcomes.map { name, content in
            let record = worker.record(
                outcome(name, content), session: session, topics: topics, partition: 3,
                part: name.hasSuffix("progress") ? 1 : 0, trace: trace, at: time)
            return try Golden(name, record)
        }
    }

    private static func catalogueRecords() throws -> [Golden] {
        var publisher = EventEncoder(source: "/intents/catalog/kitchen-17")
        return try publishedIntents.map { try Golden($0, publisher.record($1, topics: topics, at: time)) }
            + leases.map { try Golden($0, publisher.record($1, topics: topics, at: time)) }
    }
}

/// A value whose initializer doesn't set all members.
protocol Settable {}

extension Settable {
    /// Returns the value with another value of a member.
    func with<Member>(_ member: WritableKeyPath<Self, Member>, _ value: Member) -> Self {
        var copy = self
        copy[keyPath: member] = value
        return copy
    }
}

extension Answer: Settable {}
extension Completion: Settable {}
extension Handoff: Settable {}
extension Prompt.Waiting: Settable {}
extension IntentFailure: Settable {}
extension IntentPolicy: Settable {}
extension IntentRequest: Settable {}
extension IntentResponse: Settable {}
extension JournalStamp: Settable {}
extension ParameterState: Settable {}
extension PhaseQuestion: Settable {}
extension Prompt: Settable {}
extension PromptParameter: Settable {}
extension ResolvedParameter: Settable {}
extension WorkItem: Settable {}
