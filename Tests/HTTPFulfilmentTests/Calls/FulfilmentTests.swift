import AsyncHTTPClient
import Foundation
import IntentEvents
import IntentKit
import IntentModel
import IntentRuntime
import NIOCore
import NIOHTTP1
import PipelineTestKit
import Testing

@testable import HTTPFulfilment

@Suite("An intent fulfilled over HTTP") struct FulfilmentTests {
    @Test func `confirm and handle post all members of the contract to url/intent/phase`() async throws {
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

    @Test(arguments: [("/x?a={phase}&b={intent}", "/x?a=handle&b=BookTable"), ("/x?k=1", "/x/BookTable/handle?k=1")])
    func `a path is filled into its placeholders, or put before the query`(_ path: String, _ uri: String) async throws {
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
        let reply = #"{"signIn":{"url":"https://a.example/link","code":"WDJB-MJHT","title":"A","validFor":"15m"}}"#
        let error = await #expect(throws: SignInRequiredError.self) {
            try await callService(.ok(reply), for: call(phase))
        }
        let signIn = SignIn(url: "https://a.example/link", code: "WDJB-MJHT", title: "A", validFor: .seconds(900))
        #expect(error?.signIn == signIn)
    }

    @Test(arguments: [#""here""#, #"{"url":"/link"}"#, #"{"requires":"person"}"#])
    func `a sign-in that breaks a rule is an invalid reply`(_ signIn: String) async throws {
        let exchange = try await callService(.ok(#"{"signIn":\#(signIn)}"#), for: call(.confirm))
        #expect(exchange.failure?.reason == .invalid && exchange.message.contains("signIn"))
    }

    private static let options = [(1, "I"), (2, "II")].map {
        ParameterOption(id: "\($0)", title: $1, value: .number($0))
    }

    @Test(arguments: [
        (#"{"success":{"value":4}}"#, ParameterResolution.success(.number(4))), (#"{"notRequired":{}}"#, .notRequired),
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

    @Test func `handle has the request's idempotency key, and other phases have one for equal calls`() {
        let handle = call(.handle).idempotencyHeader(parameter: nil)
        let confirm = call(.confirm).idempotencyHeader(parameter: nil)
        #expect(handle == "me/r1" && confirm != handle && confirm == call(.confirm).idempotencyHeader(parameter: nil))
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

    @Test(arguments: [
        (LoopbackServer.Reply.answer(202), String?.none),
        (.answer(202, [:], #"{"code":"inProgress","dialog":"Asking"}"#), "Asking"),
        (.ok(#"{"code":"inProgress","dialog":"Asking"}"#), "Asking"),
    ])
    func `the status 202 or the code means inProgress`(_ reply: LoopbackServer.Reply, _ dialog: String?) async throws {
        let exchange = try await callService(reply, for: call(.handle, replyTo: "token"), settings: Self.settings)
        #expect(exchange.response == IntentResponse(.inProgress, dialog: dialog))
        let callback = #""callback":{"url":"https://intents.example.com/v1/answers/token"}"#
        #expect(try exchange.request.text.contains(callback))
    }

    @Test func `gets no callback at confirm, which can't be in progress`() async throws {
        let exchange = try await callService(.answer(202), for: call(.confirm, replyTo: "t"), settings: Self.settings)
        #expect(exchange.isFinal && exchange.message.contains("only handle"))
        #expect(try !exchange.request.text.contains("callback"))
    }

    @Test func `fails without a callback, and explains how to set one up`() async throws {
        let exchange = try await callService(.answer(202), for: call(.handle, replyTo: "token"))
        #expect(exchange.message.contains("--callback-url"))
    }
}

@Suite("An intent with an at-most-once effect") struct OnceTests {
    @Test(arguments: [LoopbackServer.Reply.close, .answer(500), .answer(503), .ok("<html>"), .ready])
    func `is not retried if it may have arrived: the outcome is unknown`(_ reply: LoopbackServer.Reply) async throws {
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

@Suite("The sample service in Python", .enabled(if: Command.python(with: "http.server") != nil, "there is no python3"))
struct SampleServiceTests {
    /// Starts the service, and calls `body` with a fulfilment that uses it.
    private func serving(secret: String = "s3cret", _ body: (HTTPIntentFulfilment) async throws -> Void) async throws {
        try await running { url in try await fulfilling(url, { $0.secret = secret }, body) }
    }

    /// Starts the service, and calls `body` with its URL.
    private func running(_ body: (_ url: String) async throws -> Void) async throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", Command.root.appending(path: "deploy/samples/table_service.py").path, "0"]
        process.environment = ProcessInfo.processInfo.environment.merging(["TABLES_SECRET": "s3cret"]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer {
            // SIGKILL, because the thread that started the service may have blocked the other signals.
            kill(process.processIdentifier, SIGKILL)
        }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let url = try #require(line.split(whereSeparator: \.isWhitespace).last)
        try await body(String(url))
    }

    private func table(_ phase: Phase, _ time: String?, people: Int = 8, request: String = "r1") -> FulfilmentCall {
        var parameters: [String: JSON] = ["people": .number(people)]
        parameters["time"] = time.map { .string($0) }
        let context = InvocationContext(session: "me", request: Identifier(request), idempotencyKey: "me/\(request)")
        return FulfilmentCall(phase: phase, intent: "BookTable", parameters: parameters, context: context)
    }

    @Test func `resolves, confirms, proposes another time, and books once`() async throws {
        try await serving { tables in
            let soon = try await tables.resolve("time", of: table(.resolve, "soon"))
            #expect(soon.reason == "closed", "\(soon)")
            #expect(try await tables.resolve("time", of: table(.resolve, " 19:30")) == .success(.string("19:30")))

            let proposal = try await tables.confirm(table(.confirm, "19:40"))
            #expect(proposal.code == .ready && proposal.proposed == ["time": .string("19:30")])
            let ready = try await tables.confirm(table(.confirm, "19:30"))
            #expect(ready.proposed.isEmpty)
            #expect(ready.dialog == "A table for 8 at 19:30, 40 EUR deposit. Shall I book it?")

            let booked = try await tables.handle(table(.handle, "19:30"))
            #expect(try await tables.handle(table(.handle, "19:30")) == booked && booked.code == .success)
            #expect(try await tables.handle(table(.handle, "19:30", request: "r2")).code == "failureFull")
            #expect(try await tables.confirm(table(.confirm, "19:30")).proposed == ["time": .string("19:00")])
        }
    }

    @Test func `refuses requests that are signed with another secret`() async throws {
        try await serving(secret: "another") { tables in
            let failure = await #expect(throws: IntentFailure.self) { try await tables.handle(table(.handle, "19:30")) }
            #expect(failure?.reason == .unauthorized)
        }
    }

    @Test func `refuses a signed request with a changed key, path, method, time or body`() async throws {
        try await running { url in
            let seconds = Int64(Date().timeIntervalSince1970)
            let body = #"{"phase":"handle","intent":"BookTable","parameters":{"people":12,"time":"20:00"}}"#
            let path = "/intents/BookTable/handle"
            let signature = RequestSignature(target: path, idempotencyKey: "me/r1", body: Array(body.utf8))
            let value = signature.value(secret: "s3cret", seconds: seconds)
            func status(
                _ method: HTTPMethod = .POST, _ path: String = path, key: String? = "me/r1", body: String = body,
                value: String = value
            ) async throws -> UInt {
                var request = HTTPClientRequest(url: url.replacing("/intents", with: "") + path)
                request.method = method
                request.headers.add(name: RequestSignature.header, value: value)
                if let key { request.headers.add(name: "Idempotency-Key", value: key) }
                request.body = .bytes(ByteBuffer(string: body))
                return try await HTTPClient.shared.execute(request, timeout: .seconds(60)).status.code
            }
            let later = value.replacing("t=\(seconds)", with: "t=\(seconds + 1)")
            let old = signature.value(secret: "s3cret", seconds: seconds - 3_600)
            let statuses = [
                try await status(key: "me/r2"), try await status(key: nil),
                try await status(.POST, "/intents/BookTable/confirm"), try await status(.POST, path + "?again=1"),
                try await status(body: body.replacing("20:00", with: "20:30")), try await status(value: later),
                try await status(value: old), try await status(value: ""), try await status(value: "t=ü,v2=ü"),
            ]
            #expect(statuses == Array(repeating: 401, count: 9))
            // The service serves POST only. The signed text includes the method for services that serve other methods
            // too.
            #expect(try await status(.PUT) == 501)
            // The refused requests have booked nothing, so there is still room for twelve. The repeated request books
            // no second time.
            for _ in 1...2 { #expect(try await status() == 200) }
        }
    }
}

@Suite("The OpenAPI document") struct OpenAPITests {
    private static let file = Command.root.appending(path: "deploy/openapi.yaml").path
    private static let validator = Command.python(with: "yaml, openapi_spec_validator")
    private static let schemas = Command.python(with: "yaml, jsonschema")

    private static let answers = [
        ("ConfirmAnswer", #"{"code":"ready","dialog":"?","proposed":{"time":"18:30"},"validFor":"5m"}"#),
        (
            "HandleAnswer",
            #"{"code":"success","response":{"n":1},"items":[{"id":"a","title":"A","value":1}],"choice":{"remembers":{"k":"v"}},"opens":{"intent":"Pay"}}"#
        ),
        (
            "HandleAnswer",
            #"{"code":"partialSuccess","results":[{"title":"A","code":"success"}],"undo":{"intent":"Unbook"},"snippet":{"title":"T"},"supporting":"T"}"#
        ), ("HandleAnswer", #"{"code":"failureFull","activity":{"activityType":"book"}}"#),
        ("Resolution", #"{"needsValue":{}}"#), ("Resolution", #"{"success":{"value":4}}"#),
        ("Progress", #"{"code":"inProgress","fraction":0.5}"#),
    ]

    @Test(.enabled(if: OpenAPITests.validator != nil, "there is no python3 with openapi-spec-validator and pyyaml"))
    func `is valid OpenAPI 3.1`() throws {
        let script =
            "import sys, yaml; from openapi_spec_validator import validate; validate(yaml.safe_load(open(sys.argv[1])))"
        let ending = try Command.run([Self.validator ?? "", "-c", script, Self.file])
        #expect(ending.status == 0, "\(ending.output)")
    }

    @Test(.enabled(if: OpenAPITests.schemas != nil, "there is no python3 with jsonschema and pyyaml"))
    func `the client's requests and accepted replies match it`() async throws {
        for (name, answer) in Self.answers where name != "Progress" && name != "Resolution" {
            _ = try FulfilmentReply.response(
                try FulfilmentReply.object(Array(answer.utf8)), phase: name == "ConfirmAnswer" ? .confirm : .handle)
        }
        let script = """
            import json, sys, yaml
            from jsonschema import Draft202012Validator
            document = yaml.safe_load(open(sys.argv[1]))
            for name, text in zip(sys.argv[2::2], sys.argv[3::2]):
                schema = {"$ref": "#/components/schemas/" + name, "components": document["components"]}
                Draft202012Validator(schema).validate(json.loads(text))
            """
        func validate(_ pairs: [(String, String)]) throws -> (status: Int32, output: String) {
            try Command.run([Self.schemas ?? "", "-c", script, Self.file] + pairs.flatMap { [$0.0, $0.1] })
        }
        let ending = try validate([("Call", try await Self.fullCall())] + Self.answers)
        #expect(ending.status == 0, "\(ending.output)")
        #expect(try validate([("Call", "{}")]).status != 0)
    }

    @Test func `names every member of a call, and the required ones are always present`() async throws {
        let text = try String(contentsOfFile: Self.file, encoding: .utf8)
        let start = try #require(text.range(of: "\n    Call:\n", options: .backwards))
        let end = try #require(text.range(of: "\n    Resolution:\n"))
        let lines = text[start.upperBound..<end.lowerBound].split(separator: "\n")
        let list = try #require(lines.first { $0.hasPrefix("      required: [") }).dropFirst(17).dropLast()
        let members = lines.filter { $0.hasPrefix("        ") && !$0.hasPrefix("         ") }
        let names = Set(members.map { $0.trimmingCharacters(in: .whitespaces).prefix { $0 != ":" } })
        let full = try JSONView(parsing: Array(try await Self.fullCall().utf8))
        #expect(Set(full.members.map { Substring($0.name) }).union(["parameter"]) == names.union(["parameter"]))
        let bare = FulfilmentCall(
            phase: .handle, intent: "A", parameters: [:], context: InvocationContext(session: "s", request: "r"))
        let view = try JSONView(parsing: bare.body(parameter: nil, callback: nil))
        let required = list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(Set(view.members.map(\.name)) == Set(required))
    }

    /// The body of a real request with all members.
    private static func fullCall() async throws -> String {
        var settings = HTTPFulfilmentClientConfiguration()
        settings.callbackURL = { "https://intents.example.com/v1/answers/\($0)" }
        let work = call(.handle, deadline: 1_700_000_060_000, replyTo: "token")
        return try await callService(.success, for: work, settings: settings).request.text
    }
}
