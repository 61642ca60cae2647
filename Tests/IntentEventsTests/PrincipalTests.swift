import Conversation
import IntentEvents
import IntentModel
import RecordLog
import Testing

@Suite("The principal of an event: CloudEvents' authtype and authid")
struct PrincipalTests {
    private func event(_ headers: KeyValuePairs<String, String>, _ value: String = #"{"intent":"A"}"#)
        throws(EventError) -> RequestEvent
    {
        let all = headers.map { RecordHeader($0.key, $0.value) }
        return try RequestEvent(record(Array(value.utf8), topic: "intents.answers", headers: all))
    }

    @Test("is in two headers, or in two members of a structured event", arguments: Principal.Kind.allCases)
    func read(_ kind: Principal.Kind) throws {
        let principal = Principal(kind, "ann")
        let binary = try event(["ce_type": "intent.requested.v1", "ce_authtype": kind.rawValue, "ce_authid": "ann"])
        #expect(binary.principal == principal && binary.event == .requested(request(binary.id.text, principal)))
        let text =
            #"{"specversion":"1.0","id":"e","source":"/x","type":"intent.requested.v1","authtype":"\#(kind.rawValue)","authid":"ann","data":{"intent":"A"}}"#
        #expect(try event(["content-type": "application/cloudevents+json"], text).principal == principal)
        var encoder = EventEncoder(source: "/app")
        let written = encoder.record(
            .cancelled(request: nil), session: "s", id: "e", topics: Topics(), to: "intents.answers", from: principal,
            at: Instant(milliseconds: 0))
        #expect(try RequestEvent(#require(written).consumed(partition: 0, offset: 0)).principal == principal)
    }

    private func request(_ id: String, _ principal: Principal?) -> IntentRequest {
        IntentRequest(id: Identifier(id), intent: "A", principal: principal)
    }

    @Test(
        "is nobody without the attributes, and if the sender says so", arguments: ["unauthenticated", "unknown", nil])
    func nobody(_ type: String?) throws {
        let headers: KeyValuePairs<String, String> = type.map { ["ce_authtype": $0, "ce_authid": "ann"] } ?? [:]
        #expect(try event(headers).principal == nil)
    }

    @Test("the platform itself needs no id")
    func system() throws {
        #expect(try event(["ce_authtype": "system"]).principal == Principal(.system, ""))
    }

    @Test(
        "is refused by name if it is only half a one",
        arguments: [
            (["ce_authid": "ann"], "authtype"), (["ce_authtype": "admin", "ce_authid": "ann"], "authtype"),
            (["ce_authtype": ""], "authtype"),
            (["ce_authtype": "app_user"], "authid"), (["ce_authtype": "app_user", "ce_authid": ""], "authid"),
            (["ce_authtype": "app_user", "ce_authid": "a\nb"], "authid"),
            (["ce_authtype": "app_user", "ce_authid": String(repeating: "a", count: 257)], "authid"),
        ] as [(KeyValuePairs<String, String>, String)])
    func half(_ headers: KeyValuePairs<String, String>, _ field: String) {
        #expect {
            try event(headers)
        } throws: { error in
            let rejection = (error as? EventError)?.rejection
            return rejection?.reason == .invalid && rejection?.field == field
        }
    }
}
