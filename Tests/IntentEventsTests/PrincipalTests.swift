import Conversation
import IntentEvents
import IntentModel
import RecordLog
import Testing

@Suite("The principal of an event: CloudEvents' authtype and authid")
struct PrincipalTests {
    private typealias Headers = [String: String]

    private func record(_ headers: Headers, _ value: String = #"{"intent":"A"}"#) -> ConsumedRecord {
        requestRecord(value, headers: headers.map { RecordHeader($0.key, $0.value) })
    }

    @Test("is in two headers, or in two members of a structured event", arguments: Principal.Kind.allCases)
    func read(_ kind: Principal.Kind) throws {
        let principal = Principal(kind, "ann")
        let binary = try RequestEvent(
            record(["ce_type": "intent.requested.v1", "ce_authtype": kind.rawValue, "ce_authid": "ann"]))
        #expect(binary.principal == principal)
        #expect(binary.request == IntentRequest(id: binary.id, intent: "A", principal: principal))
        let text = """
            {"specversion":"1.0","id":"e","source":"/x","type":"intent.requested.v1","authtype":"\(kind.rawValue)",
            "authid":"ann","data":{"intent":"A"}}
            """
        #expect(try RequestEvent(requestRecord(text, headers: structured)).principal == principal)
        var encoder = EventEncoder(source: "/app")
        let written = encoder.record(
            .cancelled(request: nil), session: "s", id: "e", topics: Topics(), to: "intents.answers", from: principal,
            at: Instant(milliseconds: 0))
        #expect(try RequestEvent(#require(written).consumed()).principal == principal)
    }

    @Test(
        "is nobody without the attributes, and if the sender says so; the platform itself needs no id",
        arguments: [
            ([:], nil), (["ce_authtype": "unauthenticated", "ce_authid": "ann"], nil),
            (["ce_authtype": "unknown", "ce_authid": "ann"], nil), (["ce_authtype": "system"], Principal(.system, "")),
        ] as [(Headers, Principal?)])
    private func nobody(_ headers: Headers, _ expected: Principal?) throws {
        #expect(try RequestEvent(record(headers)).principal == expected)
    }

    @Test(
        "is refused by name if it is only half a one",
        arguments: [
            (["ce_authid": "ann"], "authtype"), (["ce_authtype": "admin", "ce_authid": "ann"], "authtype"),
            (["ce_authtype": ""], "authtype"), (["ce_authtype": "app_user"], "authid"),
            (["ce_authtype": "app_user", "ce_authid": ""], "authid"),
            (["ce_authtype": "app_user", "ce_authid": "a\nb"], "authid"),
            (["ce_authtype": "app_user", "ce_authid": String(repeating: "a", count: 257)], "authid"),
        ] as [(Headers, String)])
    private func half(_ headers: Headers, _ field: String) {
        #expect(problem(record(headers)).hasPrefix("invalid \(field)"))
    }
}
