import IntentEvents
import IntentModel
import Testing

/// The table of the wire contract, and the golden files beside it.
@Suite("The wire contract, field by field")
struct ContractTests {
    struct Row: Sendable {
        var type: String
        var topics: Set<String>
        var required: Set<String>
        var optional: Set<String> = []
        /// What the pipeline writes beyond the contract. Readers may ignore it.
        var extra: Set<String> = []
    }

    private static let sequenced: Set<String> = ["session", "sequence"]
    private static let work: Set<String> = ["request", "step", "intent", "attempt", "parameters", "deadline", "idempotencyKey", "ticket"]
    private static let workExtra: Set<String> = ["locale", "attributes", "principal", "answers", "recorded", "memory"]
    private static let outcome: Set<String> = ["request", "step", "ticket"]

    static let rows = [
        Row(
            type: "intent.requested.v1", topics: ["intents.requests", "intents.answers"], required: [],
            optional: [
                "intent", "candidates", "fallback", "timeZone", "now", "parameters", "whenBusy", "deadline", "locale", "attributes",
                "phases", "confidence",
            ]),
        Row(
            type: "prompt.answered.v1", topics: ["intents.answers"], required: ["prompt", "action"],
            optional: ["value", "option", "parameters"]),
        Row(type: "options.requested.v1", topics: ["intents.answers"], required: ["prompt"], optional: ["search", "start", "limit"]),
        Row(
            type: "options.listed.v1", topics: ["intents.results"], required: sequenced.union(["request", "prompt", "options"]),
            optional: ["search", "optionsTotal", "optionsNext", "optionsOmitted"]),
        Row(type: "parameter.corrected.v1", topics: ["intents.answers"], required: ["parameter", "value"], optional: ["request"]),
        Row(type: "intent.cancelled.v1", topics: ["intents.answers"], required: [], optional: ["request"]),
        Row(type: "session.forgotten.v1", topics: ["intents.answers"], required: [], optional: ["keys", "scope"]),
        Row(type: "intent.donated.v1", topics: ["intents.answers"], required: ["intent"], optional: ["parameters", "time"]),
        Row(type: "value.remembered.v1", topics: ["intents.memory"], required: ["value", "time"], optional: ["intent", "source"]),
        Row(type: "session.ended.v1", topics: ["intents.answers"], required: [], optional: ["reason"]),
        Row(
            type: "handoff.completed.v1", topics: ["intents.answers"], required: ["handoff", "claimant", "secret", "code"],
            optional: ["response"], extra: ["dialog"]),
        Row(type: "updates.started.v1", topics: ["intents.answers"], required: ["request"]),
        Row(type: "updates.stopped.v1", topics: ["intents.answers"], required: ["request"]),
        Row(type: "undo.requested.v1", topics: ["intents.answers"], required: [], optional: ["request"]),
        Row(
            type: "intent.updated.v1", topics: ["intents.outcomes", "intents.results"], required: ["request", "phase"],
            optional: ["session", "sequence", "step", "ticket", "intent", "completionStatus", "dialog", "values"]),
        Row(
            type: "updates.ended.v1", topics: ["intents.outcomes", "intents.results"], required: ["request", "reason"],
            optional: ["session", "sequence", "step", "ticket", "intent", "error"]),
        Row(type: "intent.update.v1", topics: ["intents.handle"], required: work, extra: ["locale", "attributes", "memory"]),
        Row(type: "handoff.returned.v1", topics: ["intents.answers"], required: ["handoff", "claimant", "secret"]),
        Row(
            type: "intent.answeredLate.v1", topics: ["intents.results"],
            required: sequenced.union(["request", "intent", "phase", "code"]), optional: ["response", "dialog"]),
        Row(
            type: "prompt.issued.v1", topics: ["intents.results"],
            required: sequenced.union(["prompt", "request", "intent", "kind", "dialog", "expires"]),
            optional: [
                "parameter", "value", "options", "optionsTotal", "optionsNext", "optionsOmitted", "unsupported", "summary",
                "title", "declaration", "parameters", "action",
                "supporting", "snippet", "signIn", "provenance",
            ], extra: ["element", "secret", "items", "intents", "proposed"]),
        Row(
            type: "intent.progressed.v1", topics: ["intents.results"], required: sequenced.union(["request", "phase"]),
            optional: ["code", "fraction", "dialog"]),
        Row(
            type: "handoff.offered.v1", topics: ["intents.results"],
            required: sequenced.union(["handoff", "request", "mode", "activity", "expires"]), optional: ["token"]),
        Row(
            type: "intent.completed.v1", topics: ["intents.results"],
            required: sequenced.union(["request", "intent", "status", "code", "parameters", "turns"]),
            optional: ["response", "dialog", "activity", "updates", "supporting", "snippet", "results", "undo", "provenance"],
            extra: ["error", "items", "opens", "chosen"]),
        Row(
            type: "request.rejected.v1", topics: ["intents.results"], required: ["reason", "message"], optional: ["field"],
            extra: ["event", "session", "sequence"]),
        Row(
            type: "intent.resolve.v1", topics: ["intents.resolve", "intents.resolve-in-app"], required: work,
            optional: ["service", "timeZone", "now"],
            extra: workExtra.union(["inApp"])),
        Row(
            type: "intent.confirm.v1", topics: ["intents.confirm", "intents.confirm-in-app"], required: work, optional: ["service"],
            extra: workExtra.union(["inApp"])),
        Row(
            type: "intent.served.v1", topics: ["intents.catalog"], required: ["intent", "title"],
            optional: [
                "service", "version", "description", "phases", "confirmation", "authentication", "effect", "summary", "parameters",
                "schemas", "languages",
            ]),
        Row(
            type: "worker.serving.v1", topics: ["intents.catalog"], required: ["instance", "intents", "phases", "validFor"],
            optional: ["service", "version", "inApp"]),
        Row(
            type: "intent.handle.v1", topics: ["intents.handle", "intents.handle-in-app"], required: work,
            optional: ["effect", "inProgressTimeout", "requestDeadline"], extra: workExtra.union(["inApp"])),
        Row(
            type: "intent.cancel.v1", topics: ["intents.handle"], required: ["request", "step", "intent"],
            optional: ["reason", "deadline"],
            extra: ["phase"]),
        Row(type: "intent.permit.v1", topics: ["intents.handle"], required: ["request", "step", "intent", "claim"], extra: ["phase"]),
        Row(
            type: "intent.resolved.v1", topics: ["intents.outcomes"], required: outcome,
            optional: ["resolutions", "failure", "policy", "confirmation", "summary", "ask", "recorded"]),
        Row(type: "intent.starting.v1", topics: ["intents.outcomes"], required: outcome.union(["claim"])),
        Row(
            type: "intent.confirmed.v1", topics: ["intents.outcomes"], required: outcome,
            optional: ["code", "dialog", "response", "activity", "confirmation"],
            extra: ["ask", "recorded", "items", "validFor", "proposed", "taken"]),
        Row(
            type: "intent.handled.v1", topics: ["intents.outcomes"], required: outcome,
            optional: [
                "cancelled", "code", "fraction", "dialog", "response", "failure", "updates", "supporting", "snippet", "results", "undo",
            ],
            extra: ["ask", "recorded", "items", "opens", "choice", "remembered", "proposed", "confirmation", "taken"]),
    ]

    private func goldens(_ type: String) throws -> [Golden] {
        try Golden.stored.map { try Golden(named: $0) }.filter { golden in
            golden.topic != "intents.dead-letters" && golden.headers.contains { $0.name == "ce_type" && $0.value == type }
        }
    }

    @Test("every event has the members that its row requires, may have those it allows, and no others", arguments: rows)
    func row(_ row: Row) throws {
        var seen: Set<String> = []
        for golden in try goldens(row.type) {
            let names = Set(golden.value?.view.members.map(\.name) ?? [])
            #expect(row.topics.contains(golden.topic), "\(golden.name)")
            #expect(row.required.subtracting(names).isEmpty, "\(golden.name) lacks something")
            if !golden.name.hasPrefix("accepted.") {
                let beyond = names.subtracting(row.required).subtracting(row.optional).subtracting(row.extra)
                #expect(beyond.isEmpty, "\(golden.name) has more than the contract says")
            }
            seen.formUnion(names)
        }
        let missing = row.required.union(row.optional).union(row.extra).subtracting(seen)
        #expect(missing.isEmpty, "\(row.type): no golden file shows these")
    }

    @Test("an app claims with three fields and the token of the offer, and the result has the whole handoff and no secret")
    func claims() throws {
        for golden in try goldens("handoff.claimed.v1") {
            let names = Set(golden.value?.view.members.map(\.name) ?? [])
            if golden.topic == "intents.answers" {
                #expect(names.subtracting(["token"]) == ["handoff", "claimant", "secret"])
            } else {
                #expect(names == Self.sequenced.union(["handoff", "request", "mode", "activity", "expires", "claimant"]))
            }
        }
    }

    @Test("every type has a row")
    func complete() {
        #expect(Set(Self.rows.map(\.type)).union(["handoff.claimed.v1"]) == Set(EventType.allCases.map(\.rawValue)))
    }

    @Test("the pipeline writes CloudEvents 1.0 in binary mode")
    func headers() throws {
        for golden in try Examples.records() where golden.name != "dead-letter" {
            let headers = Dictionary(golden.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { _, _ in "twice" })
            #expect(headers["ce_specversion"] == "1.0" && headers["content-type"] == "application/json", "\(golden.name)")
            #expect(headers["ce_time"] == "2026-03-01T12:00:00.250Z", "\(golden.name)")
            for name in ["ce_id", "ce_source", "ce_type"] { #expect(headers[name]?.isEmpty == false, "\(golden.name): \(name)") }
            if golden.topic != "intents.requests", golden.topic != "intents.answers" {
                #expect(headers["ce_subject"] == golden.value?.view["request"]?.string, "\(golden.name)")
            }
            let known = [
                "ce_specversion", "ce_id", "ce_source", "ce_type", "ce_time", "ce_subject", "ce_authtype", "ce_authid", "content-type",
                "traceparent", "tracestate",
            ]
            #expect(Set(headers.keys).isSubset(of: known), "\(golden.name)")
        }
    }
}
