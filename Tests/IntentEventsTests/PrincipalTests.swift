import Conversation
import IntentEvents
import IntentModel
import RecordLog
import Testing

@Suite("The principal of an event: CloudEvents' authtype and authid") struct PrincipalTests {
    /// Headers in the order of their record.
    typealias Headers = KeyValuePairs<String, String>

    private func record(_ headers: Headers) -> ConsumedRecord {
        requestRecord(#"{"intent":"A"}"#, headers: headers.map { RecordHeader($0.key, $0.value) })
    }

    @Test(arguments: Principal.Kind.allCases)
    func `a principal is in two headers, or in two members of a structured event`(_ kind: Principal.Kind) throws {
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
            at: Examples.time)
        #expect(try RequestEvent(#require(written).consumed()).principal == principal)
    }

    private static let anonymous: [(Headers, Principal?)] = [
        ([:], nil), (["ce_authtype": "unauthenticated", "ce_authid": "ann"], nil),
        (["ce_authtype": "unknown", "ce_authid": "ann"], nil), (["ce_authtype": "system"], Principal(.system, "")),
    ]

    @Test(arguments: anonymous)
    func `a sender may be anonymous, and the platform has no id`(_ headers: Headers, _ expected: Principal?) throws {
        #expect(try RequestEvent(record(headers)).principal == expected)
    }

    @Test(
        arguments: [
            (["ce_authid": "ann"], "authtype"), (["ce_authtype": "admin", "ce_authid": "ann"], "authtype"),
            (["ce_authtype": ""], "authtype"), (["ce_authtype": "app_user"], "authid"),
            (["ce_authtype": "app_user", "ce_authid": ""], "authid"),
            (["ce_authtype": "app_user", "ce_authid": "a\nb"], "authid"),
            (["ce_authtype": "app_user", "ce_authid": String(repeating: "a", count: 257)], "authid"),
        ] as [(Headers, String)])
    func `an incomplete or unknown principal is refused by name`(_ headers: Headers, _ field: String) {
        #expect(problem(record(headers)).hasPrefix("invalid \(field)"))
    }
}

@Suite("The roles of a principal: CloudEvents' authclaims") struct RolesTests {
    private static let type = "prompt.answered.v1"

    private func record(_ claims: String?, principal: String? = "bob") -> ConsumedRecord {
        var headers: [RecordHeader] = [RecordHeader("ce_type", Self.type)]
        if let principal {
            headers += [RecordHeader("ce_authtype", "app_user"), RecordHeader("ce_authid", principal)]
        }
        if let claims { headers.append(RecordHeader("ce_authclaims", claims)) }
        return requestRecord(#"{"prompt":"p","action":"accept"}"#, headers: headers)
    }

    private func roles(_ record: ConsumedRecord) throws -> [Identifier] {
        guard case .answered(let answer) = try RequestEvent(record).event else { return ["no answer"] }
        return answer.roles
    }

    @Test(
        arguments: [
            (nil, []), ("{}", []), (#"{"roles":null}"#, []),
            (#"{"sub":"bob","roles":["finance","a b"],"n":{}}"#, ["finance", "a b"]),
            (#"{"roles":"finance board"}"#, ["finance", "board"]), (#"{"roles":[1,"","x\n","finance"]}"#, ["finance"]),
            (#"{"roles":["\#(String(repeating: "x", count: 129))"]}"#, []),
        ] as [(String?, [Identifier])])
    func `an answer has the roles among the claims`(_ claims: String?, _ expected: [Identifier]) throws {
        #expect(try roles(record(claims)) == expected)
    }

    @Test func `a structured event and the encoder have them too`() throws {
        let claims = #""authclaims":"{\"roles\":[\"finance\"]}""#
        let text = """
            {"specversion":"1.0","id":"e","source":"/x","type":"prompt.answered.v1","authtype":"user","authid":"bob",
            \(claims),"data":{"prompt":"p","action":"accept"}}
            """
        #expect(try roles(requestRecord(text, headers: structured)) == ["finance"])
        var encoder = EventEncoder(source: "/app")
        var answer = Answer(prompt: "p", action: .accept)
        answer.roles = ["finance", "board"]
        let written = encoder.record(
            .answered(answer), session: "s", id: "e", topics: Topics(), from: Examples.ann, at: Examples.time)
        #expect(try roles(#require(written).consumed()) == answer.roles)
    }

    @Test(arguments: [
        "", "finance", "[]", #"{"roles":[\#(Array(repeating: #""a""#, count: 257).joined(separator: ","))]}"#,
        #"{"roles":[],"x":"\#(String(repeating: "x", count: 12_288))"}"#,
    ])
    func `claims that can't be read are refused by name`(_ claims: String) {
        #expect(problem(record(claims)).hasPrefix("invalid authclaims"))
    }

    @Test func `claims without a principal say nothing`() throws {
        #expect(try roles(record(#"{"roles":["finance"]}"#, principal: nil)).isEmpty)
        #expect(try roles(record("finance", principal: nil)).isEmpty)
    }

    @Test(arguments: [
        (#""action":"delegate","delegate":{"type":"app_user","id":""}"#, "delegate"),
        (#""action":"accept","delegate":{"type":"app_user","id":"cem"}"#, "delegate"),
        (#""action":"accept","delegate":"cem""#, "delegate"), (#""action":"delegate""#, "delegate"),
        (#""action":"delegate","value":1,"delegate":{"type":"app_user","id":"cem"}"#, "delegate"),
        (#""utterance":"yes","delegate":{"type":"x"}"#, "utterance"),
    ])
    func `a delegate that is none is refused by name`(_ members: String, _ field: String) {
        #expect(problem(requestRecord(#"{"prompt":"p",\#(members)}"#, type: Self.type)) == "invalid \(field)")
    }
}

@Suite("An approval on the wire is read strictly") struct ApprovalWireTests {
    private func approval(_ text: String) throws -> Approval? {
        let value = #"{"request":"r","step":1,"code":"ready","approval":\#(text)}"#
        let outcome = try OutcomeEvent(outcomeRecord(value, type: "intent.confirmed.v1")).outcome
        guard case .finished(.responded(let response, _)) = outcome.content else { return nil }
        return response.approval
    }

    @Test(
        arguments: [
            (#"{"approvers":[{"role":"a"}]}"#, Approval(by: [.role("a")])),
            (
                #"{"approvers":[{"id":"bob","type":"user"}],"new":1}"#,
                Approval(by: [.principal(Principal(.user, "bob"))])
            ),
            (#"{"approvers":[{"role":"a","label":"A","type":null}],"escalation":null}"#, Approval(by: [.role("a")])),
            (
                #"{"approvers":[{"role":"a"}],"count":2,"timeout":"10d","reminders":["3d",60000]}"#,
                Approval(
                    by: [.role("a")], count: 2, timeout: .seconds(864_000),
                    reminders: [.seconds(259_200), .seconds(60)])
            ), ("null", nil),
        ] as [(String, Approval?)])
    func `members come in any order, and durations as numbers or text`(_ text: String, _ expected: Approval?) throws {
        #expect(try approval(text) == expected)
    }

    @Test(arguments: [
        "[]", "7", "{}", #"{"approvers":"role:a"}"#, #"{"approvers":[{"role":"a"}],"count":"2"}"#,
        #"{"approvers":[{"role":"a"}],"count":2.5}"#, #"{"approvers":[{"role":"a"}],"includesRequester":1}"#,
        #"{"approvers":[{"role":"a"}],"timeout":"soon"}"#, #"{"approvers":[{"role":"a"}],"reminders":3}"#,
        #"{"approvers":[{"role":"a"}],"reminders":["x"]}"#, #"{"approvers":[{"role":"a","id":"b","type":"user"}]}"#,
        #"{"approvers":[{"type":"admin","id":"b"}]}"#, #"{"approvers":[{"role":"a"},{}]}"#,
        #"{"approvers":[{"role":"a"}],"escalation":{"after":1}}"#, #"{"approvers":[{"role":"a"}],"escalation":7}"#,
    ])
    func `one that can't be read whole is refused, and not loosened`(_ text: String) {
        let value = #"{"request":"r","step":1,"code":"ready","approval":\#(text)}"#
        let record = outcomeRecord(value, type: "intent.confirmed.v1")
        #expect(problem(record, OutcomeEvent.init).hasPrefix("invalid approval"))
        let confirmation = #"{"request":"r","step":1,"resolutions":[],"confirmation":{"approval":\#(text)}}"#
        #expect(problem(outcomeRecord(confirmation, type: "intent.resolved.v1"), OutcomeEvent.init) != "fine")
    }
}

@Suite("How values came about, on the wire") struct ProvenanceWireTests {
    @Test(arguments: [
        #"{"intent":"A","parameters":{"to":"the airport","from":"home"},"confidence":{"to":0.4}}"#,
        #"{"confidence":{"to":0.4},"intent":"A","parameters":{"to":"the airport","from":"home"}}"#,
    ])
    func `a request may have a confidence of each parameter, before or after them`(_ data: String) throws {
        let request = try #require(RequestEvent(requestRecord(data)).request)
        #expect(request.parameters.map(\.provenance) == [ParameterState.Provenance(confidence: 0.4), nil])
    }

    @Test(arguments: [#"{"to":1.5}"#, #"{"to":"high"}"#, "0.4", #"{"from":0.4}"#])
    func `an invalid confidence is refused by name`(_ confidence: String) {
        let data = #"{"intent":"A","parameters":{"to":"x"},"confidence":\#(confidence)}"#
        #expect(problem(requestRecord(data)) == "invalid confidence")
    }

    @Test func `unknown members of provenance and words that are too long are ignored`() throws {
        let long = String(repeating: "x", count: ParameterState.Provenance.maximumBytes)
        let known = #"{"source":"horoscope","original":"\#(long)","interpreted":{"a":1},"confidence":7,"mood":"good"}"#
        let to = #"{"value":1,"state":"given","provenance":\#(known)}"#
        let value = #"{"request":"r","step":1,"intent":"A","parameters":{"to":\#(to)}}"#
        let work = try WorkEvent(outcomeRecord(value, type: "intent.resolve.v1"))
        let expected = ParameterState.Provenance(interpreted: .object(["a": .number(1)]), confidence: 1)
        #expect(work.work.item?.parameters.first?.provenance == expected)
    }

    @Test func `the provenance of a secret in an outcome is dropped`() throws {
        let pin = #"{"parameter":"pin","secret":true,"provenance":{"original":"one two"},"success":{"value":"12"}}"#
        let record = outcomeRecord(#"{"request":"r","step":1,"resolutions":[\#(pin)]}"#, type: "intent.resolved.v1")
        let parameter = ResolvedParameter(name: "pin", resolution: .success(.string("12")), isSecret: true)
        #expect(try OutcomeEvent(record).outcome.content == .finished(.resolved([parameter])))
    }

    @Test func `a completion has no provenance of secrets and of values that are not required`() throws {
        let pin = ParameterState(name: "pin", value: .string("12"), origin: .resolved)
            .with(\.isSecret, true).with(\.provenance, ParameterState.Provenance(source: .default))
        let note = ParameterState(name: "note", value: .string("none"), origin: .notRequired)
            .with(\.provenance, ParameterState.Provenance(original: .string("none at all")))
        let completion = Completion(intent: "A", status: .success, code: .success, parameters: [pin, note], turns: 0)
        let result = SessionResult(sequence: 1, request: "r", body: .completed(completion), trace: nil)
        let data = EncodedResult(result, session: "s", event: nil, token: nil, at: Examples.time).data.view
        #expect(data["provenance"] == nil && data["parameters"]?.members.isEmpty == true)
    }
}
