import Conversation
import IntentEvents
import IntentModel
import RecordLog

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
            let encoded = EncodedResult(
                result, session: session, owner: owner, event: "event-5", token: token, at: time)
            all.append(try Golden(name, coordinator.record(encoded, session: session, topics: topics, partition: 3)))
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
        let stray = coordinator.record(
            Rejection(.invalid, "the record has no key: the session's id is the key", field: "key"),
            event: "intents.requests-3-42", topics: topics, partition: 3, at: time)
        let strangers = coordinator.record(
            Rejection(.busy, "there are too many open sessions"), event: "event-5", session: session, of: ann,
            topics: topics, partition: 3, at: time)
        return try all + [
            Golden("request.rejected.v1.noSession", stray), Golden("request.rejected.v1.principal", strangers),
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
