import IntentKit
import IntentModel
import Synchronization
import Testing

@testable import HTTPFulfilment

@Suite("An intent fulfilled over HTTP")
struct FulfilmentTests {
    @Test("confirm and handle are posted to url/intent/phase, with everything that the contract names")
    func request() async throws {
        try await fulfilling(reply: { _, _ in .ok(#"{"code":"ready"}"#) }) { fulfilment, server in
            _ = try await fulfilment.confirm(call(.confirm, deadline: 1_700_000_060_000))
            let request = try #require(server.requests.first)
            #expect(request.method == "POST" && request.uri == "/intents/BookTable/confirm")
            #expect(
                request.text == """
                    {"phase":"confirm","intent":"BookTable","session":"me","request":"r1","attempt":1,"idempotencyKey":"me/r1","locale":"en-GB",\
                    "timeZone":"Europe/Amsterdam","now":"2023-11-14T22:13:20.000Z","attributes":{"tier":"gold"},\
                    "principal":{"type":"app_user","id":"ann"},"memory":{"city":"Delft"},\
                    "deadline":"2023-11-14T22:14:20.000Z","parameters":{"people":2},"summary":"A table for 2"}
                    """)
            #expect(request.header("content-type") == "application/json")
            #expect(request.header("traceparent") == "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
            #expect(request.header(RequestSignature.header) == nil)
        }
    }

    @Test("placeholders in the url are filled in, and nothing is appended")
    func placeholders() async throws {
        try await fulfilling(path: "/x?do={phase}&what={intent}", reply: { _, _ in .ok(#"{"code":"success"}"#) }) {
            fulfilment, server in
            _ = try await fulfilment.handle(call(.handle))
            #expect(server.requests.first?.uri == "/x?do=handle&what=BookTable")
        }
    }

    @Test("a query stays behind the path that is appended")
    func query() async throws {
        try await fulfilling(path: "/x?key=1", reply: { _, _ in .ok(#"{"code":"success"}"#) }) { fulfilment, server in
            _ = try await fulfilment.handle(call(.handle))
            #expect(server.requests.first?.uri == "/x/BookTable/handle?key=1")
        }
    }

    @Test("a reply can contain everything that a handler's response in Swift can")
    func answer() async throws {
        let body = """
            {"code":"success","dialog":"Booked","response":{"number":7},"items":[{"id":"a","title":"A","subtitle":"s","value":{"n":1}}],
             "choice":{"dialog":"Which?","remembers":{"table":"n"}},"proposed":{"time":"18:30"},"remembered":{"city":"Delft"},"validFor":"5m",
             "activity":{"activityType":"book"},"opens":{"intent":"Pay","parameters":{"amount":3}},"supporting":"At seven",
             "snippet":{"title":"Table 7"},"undo":{"intent":"Unbook","validFor":"5m"},"results":[{"title":"A","code":"success"}],"new":true,"locale":null}
            """
        let response = try await fulfilling(reply: { _, _ in .ok(body) }) { fulfilment, _ in
            try await fulfilment.handle(call(.handle))
        }
        #expect(response.code == .success && response.dialog == "Booked" && response.values == ["number": .number(7)])
        #expect(
            response.items == [ParameterOption(id: "a", title: "A", subtitle: "s", value: .object(["n": .number(1)]))])
        #expect(response.choice == ItemChoice(dialog: "Which?", remembers: ["table": "n"]))
        #expect(response.proposed == ["time": .string("18:30")] && response.remembered == ["city": .string("Delft")])
        #expect(response.validFor == .seconds(300) && response.userActivity?.activityType == "book")
        #expect(response.opensIntent == OpenedIntent(intent: "Pay", parameters: ["amount": .number(3)]))
        #expect(response.supportingDialog == "At seven" && response.snippet == Snippet(plain: "Table 7"))
        #expect(response.undo == UndoOffer(OpenedIntent(intent: "Unbook"), validFor: .seconds(300)))
        #expect(response.results == [ElementResult(title: "A")])
    }

    @Test("any phase may reply that the person has to sign in first", arguments: Phase.allCases)
    func signIn(_ phase: Phase) async throws {
        let reply =
            #"{"signIn":{"url":"https://tables.example/link","code":"WDJB-MJHT","title":"Tables","validFor":"15m"}}"#
        try await fulfilling(reply: { _, _ in .ok(reply) }) { fulfilment, _ in
            let error = await #expect(throws: SignInRequiredError.self) {
                switch phase {
                case .resolve: _ = try await fulfilment.resolve("people", of: call(.resolve))
                case .confirm: _ = try await fulfilment.confirm(call(.confirm))
                case .handle: _ = try await fulfilment.handle(call(.handle))
                }
            }
            let signIn = SignIn(
                url: "https://tables.example/link", code: "WDJB-MJHT", title: "Tables", validFor: .seconds(900))
            #expect(error?.signIn == signIn)
        }
    }

    @Test(
        "a sign-in that breaks a rule is an invalid reply",
        arguments: [#""here""#, #"{"url":"/link"}"#, #"{"requires":"person"}"#])
    func wrongSignIn(_ signIn: String) async throws {
        try await fulfilling(reply: { _, _ in .ok(#"{"signIn":\#(signIn)}"#) }) { fulfilment, _ in
            let error = await #expect(throws: IntentFailure.self) { _ = try await fulfilment.confirm(call(.confirm)) }
            #expect(error?.reason == .invalid && error?.message.contains("signIn") == true)
        }
    }

    @Test(
        "resolve returns one of the six results",
        arguments: [
            (#"{"success":{"value":4}}"#, ParameterResolution.success(.number(4))),
            (#"{"notRequired":{}}"#, .notRequired),
            (#"{"needsValue":{"dialog":"How many?"}}"#, .needsValue(dialog: "How many?")),
            (#"{"confirmationRequired":{"value":4}}"#, .confirmationRequired(.number(4), dialog: nil)),
            (#"{"unsupported":{"reason":"tooMany"}}"#, .unsupported(reason: "tooMany", dialog: nil)),
            (
                #"{"disambiguation":{"options":[{"id":"1","title":"I","value":1},{"id":"2","title":"II","value":2}]}}"#,
                .disambiguation(
                    [
                        ParameterOption(id: "1", title: "I", value: .number(1)),
                        ParameterOption(id: "2", title: "II", value: .number(2)),
                    ],
                    dialog: nil)
            ),
        ])
    func resolve(_ body: String, _ expected: ParameterResolution) async throws {
        try await fulfilling(reply: { _, _ in .ok(body) }) { fulfilment, server in
            let answer = try await fulfilment.resolve("people", of: call(.resolve))
            #expect(answer == expected)
            #expect(server.requests.first?.uri == "/intents/BookTable/resolve")
            #expect(server.requests.first?.text.contains(#""parameter":"people""#) == true)
        }
    }

    @Test("a confirm phase that is not called is ready")
    func phases() async throws {
        try await fulfilling({ $0.phases = [.handle] }, reply: { _, _ in .close }) { fulfilment, server in
            let answer = try await fulfilment.confirm(call(.confirm)).code
            #expect(answer == .ready)
            #expect(server.requests.isEmpty)
        }
    }

    @Test("headers of the definition are added")
    func headers() async throws {
        try await fulfilling({ $0.headers = ["X-Tenant": "demo"] }, reply: { _, _ in .ok(#"{"code":"success"}"#) }) {
            fulfilment, server in
            _ = try await fulfilment.handle(call(.handle))
            #expect(server.requests.first?.header("x-tenant") == "demo")
        }
    }

    @Test(
        "the idempotency key of handle is the request's; confirm and resolve have other keys, the same for equal calls")
    func idempotencyKeys() {
        let handle = call(.handle).idempotencyHeader(parameter: nil)
        let confirm = call(.confirm).idempotencyHeader(parameter: nil)
        #expect(handle == "me/r1")
        #expect(confirm != handle && confirm == call(.confirm).idempotencyHeader(parameter: nil))
        #expect(call(.confirm, parameters: ["people": .number(3)]).idempotencyHeader(parameter: nil) != confirm)
        #expect(call(.resolve).idempotencyHeader(parameter: "a") != call(.resolve).idempotencyHeader(parameter: "b"))
    }
}
