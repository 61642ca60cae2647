import IntentKit
import IntentModel
import Testing

@testable import HTTPFulfilment

@Suite("An intent fulfilled over HTTP") struct FulfilmentTests {
    @Test
    func `confirm and handle are posted to url/intent/phase, with everything that the contract names`() async throws {
        let request = try await callService(.ready, for: call(.confirm, deadline: 1_700_000_060_000)).request
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

    @Test(
        "placeholders in the url are filled in, and nothing is appended; else a query stays behind the appended path",
        arguments: [
            ("/x?do={phase}&what={intent}", "/x?do=handle&what=BookTable"), ("/x?key=1", "/x/BookTable/handle?key=1"),
        ])
    func paths(_ path: String, _ uri: String) async throws {
        #expect(try await callService(.success, path: path).request.uri == uri)
    }

    @Test func `a reply can contain everything that a handler's response in Swift can`() async throws {
        let body = """
            {"code":"success","dialog":"Booked","response":{"number":7},"items":[{"id":"a","title":"A","subtitle":"s","value":{"n":1}}],
             "choice":{"dialog":"Which?","remembers":{"table":"n"}},"proposed":{"time":"18:30"},"remembered":{"city":"Delft"},"validFor":"5m",
             "activity":{"activityType":"book"},"opens":{"intent":"Pay","parameters":{"amount":3}},"supporting":"At seven",
             "snippet":{"title":"Table 7"},"undo":{"intent":"Unbook","validFor":"5m"},"results":[{"title":"A","code":"success"}],"new":true,"locale":null}
            """
        let response = try #require(try await callService(.ok(body)).response)
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

    @Test(arguments: Phase.allCases)
    func `any phase may reply that the person has to sign in first`(_ phase: Phase) async throws {
        let reply =
            #"{"signIn":{"url":"https://tables.example/link","code":"WDJB-MJHT","title":"Tables","validFor":"15m"}}"#
        let error = await #expect(throws: SignInRequiredError.self) {
            try await callService(.ok(reply), for: call(phase))
        }
        let signIn = SignIn(
            url: "https://tables.example/link", code: "WDJB-MJHT", title: "Tables", validFor: .seconds(900))
        #expect(error?.signIn == signIn)
    }

    @Test(arguments: [#""here""#, #"{"url":"/link"}"#, #"{"requires":"person"}"#])
    func `a sign-in that breaks a rule is an invalid reply`(_ signIn: String) async throws {
        let exchange = try await callService(.ok(#"{"signIn":\#(signIn)}"#), for: call(.confirm))
        #expect(exchange.failure?.reason == .invalid && exchange.message.contains("signIn"))
    }

    private static let options = [
        ParameterOption(id: "1", title: "I", value: .number(1)),
        ParameterOption(id: "2", title: "II", value: .number(2)),
    ]

    @Test(arguments: [
        (#"{"success":{"value":4}}"#, ParameterResolution.success(.number(4))),
        (#"{"notRequired":{}}"#, .notRequired),
        (#"{"needsValue":{"dialog":"How many?"}}"#, .needsValue(dialog: "How many?")),
        (#"{"confirmationRequired":{"value":4}}"#, .confirmationRequired(.number(4), dialog: nil)),
        (#"{"unsupported":{"reason":"tooMany"}}"#, .unsupported(reason: "tooMany", dialog: nil)),
        (
            #"{"disambiguation":{"options":[{"id":"1","title":"I","value":1},{"id":"2","title":"II","value":2}]}}"#,
            .disambiguation(options, dialog: nil)
        ),
    ])
    func `resolve returns one of the six results`(_ body: String, _ expected: ParameterResolution) async throws {
        let exchange = try await callService(.ok(body), for: call(.resolve))
        #expect(try exchange.resolution == expected && exchange.request.uri == "/intents/BookTable/resolve")
        #expect(try exchange.request.text.contains(#""parameter":"people""#))
    }

    @Test func `a confirm phase that is not called is ready`() async throws {
        let exchange = try await callService(.close, for: call(.confirm)) { $0.phases = [.handle] }
        #expect(exchange.response?.code == .ready && exchange.requests.isEmpty)
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

@Suite("An intent with a deferred outcome") struct LaterTests {
    private static let settings: HTTPFulfilmentClientConfiguration = {
        var settings = HTTPFulfilmentClientConfiguration()
        settings.callbackURL = { "https://intents.example.com/v1/answers/\($0)" }
        return settings
    }()

    @Test(
        "is in progress: status 202 with or without a reply, or the code inProgress",
        arguments: [
            (LoopbackServer.Reply.answer(202), String?.none),
            (.answer(202, [:], #"{"code":"inProgress","dialog":"Asking"}"#), "Asking"),
            (.ok(#"{"code":"inProgress","dialog":"Asking"}"#), "Asking"),
        ])
    func inProgress(_ reply: LoopbackServer.Reply, _ dialog: String?) async throws {
        let exchange = try await callService(reply, for: call(.handle, replyTo: "token"), settings: Self.settings)
        #expect(exchange.response == IntentResponse(.inProgress, dialog: dialog))
        let callback = #""callback":{"url":"https://intents.example.com/v1/answers/token"}"#
        #expect(try exchange.request.text.contains(callback))
    }

    @Test func `gets no callback at confirm, which can't be in progress`() async throws {
        let exchange = try await callService(
            .answer(202), for: call(.confirm, replyTo: "token"), settings: Self.settings)
        #expect(exchange.isFinal && exchange.message.contains("only handle"))
        #expect(try !exchange.request.text.contains("callback"))
    }

    @Test func `fails without a callback, and explains how to set one up`() async throws {
        let exchange = try await callService(.answer(202), for: call(.handle, replyTo: "token"))
        #expect(exchange.message.contains("--callback-url"))
    }
}

@Suite("An intent with an at-most-once effect") struct OnceTests {
    @Test(
        "is not retried once the request may have arrived, because its outcome is unknown",
        arguments: [LoopbackServer.Reply.close, .answer(500), .answer(503), .ok("<html>"), .ready])
    func unknown(_ reply: LoopbackServer.Reply) async throws {
        let exchange = try await callService(reply) { $0.isAtMostOnce = true }
        #expect(exchange.isFinal && exchange.failure?.reason == .outcomeUnknown, "\(exchange.message)")
        #expect(exchange.requests.count == 1)
    }

    @Test func `is not retried after a timeout`() async throws {
        let exchange = try await callService(.silence) { ($0.isAtMostOnce, $0.timeout) = (true, .milliseconds(500)) }
        #expect(exchange.failure?.reason == .outcomeUnknown || exchange.requests.isEmpty)
        #expect(exchange.requests.count <= 1)
    }

    @Test(arguments: [429, 503])
    func `is retried by the coordinator if the service reports that it has not acted`(_ status: Int) async throws {
        let exchange = try await callService(.answer(status, ["Retry-After": "1"])) { $0.isAtMostOnce = true }
        #expect(exchange.failure?.disposition == .retry(after: .seconds(1)) && exchange.requests.count == 1)
    }

    @Test func `is retried at confirm`() async throws {
        let exchange = try await callService(.answer(500), .ready, for: call(.confirm)) { $0.isAtMostOnce = true }
        #expect(exchange.response?.code == .ready)
    }

    @Test(arguments: [400, 404])
    func `fails like any other if the service refuses it`(_ status: Int) async throws {
        let exchange = try await callService(.answer(status)) { $0.isAtMostOnce = true }
        #expect(exchange.isFinal && exchange.failure?.reason != .outcomeUnknown)
    }
}
