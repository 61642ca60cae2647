import IntentModel
import Testing

@testable import sgd_replay

@Suite("The services of all dialogues")
struct RecordedServicesTests {
    private let all = RecordedServices()
    private let dialogue = Dialogue(.system(call: .find(["harbour": "Veere"]), results: []))

    private func post(_ phase: String, session: String = "me", key: String = "1") -> String? {
        let body = """
            {"phase":"\(phase)","intent":"Boats.FindBoat","session":"\(session)","idempotencyKey":"\(key)","parameters":{"harbour":"Veere"}}
            """
        return all.answer(Array(body.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("reply to a call in the session of its dialogue, until that is removed")
    func sessions() {
        all.add(dialogue, session: "me", Boats.services)
        all.add(dialogue, session: "you", Boats.services)
        #expect(post("confirm") == #"{"code":"ready"}"#)
        #expect(post("handle") == #"{"code":"success"}"#)
        #expect(post("handle") == #"{"code":"success"}"#)
        #expect(all.calls("me") == [.find(["harbour": "Veere"])])
        #expect(all.calls("you").isEmpty)
        all.remove("me")
        #expect(post("handle") == nil)
        #expect(all.calls("me").isEmpty)
    }

    @Test("do not reply to a malformed body, another phase or an unknown session")
    func nothing() {
        all.add(dialogue, session: "me", Boats.services)
        #expect(post("resolve") == nil)
        #expect(post("sink") == nil)
        #expect(post("handle", session: "they") == nil)
        #expect(all.answer(Array("ahoy".utf8)) == nil)
        #expect(all.answer([]) == nil)
        #expect(all.calls("me").isEmpty)
    }
}
