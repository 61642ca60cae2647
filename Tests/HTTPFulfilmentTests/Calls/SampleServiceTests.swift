import AsyncHTTPClient
import Foundation
import IntentKit
import IntentModel
import IntentRuntime
import NIOCore
import NIOHTTP1
import PipelineTestKit
import Testing

@testable import HTTPFulfilment

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
            let resolved = try await tables.resolve("time", of: table(.resolve, " 19:30"))
            #expect(resolved == .success(.string("19:30")))

            let proposal = try await tables.confirm(table(.confirm, "19:40"))
            #expect(proposal.code == .ready && proposal.proposed == ["time": .string("19:30")])
            let ready = try await tables.confirm(table(.confirm, "19:30"))
            #expect(
                ready.proposed.isEmpty && ready.dialog == "A table for 8 at 19:30, 40 EUR deposit. Shall I book it?")

            let booked = try await tables.handle(table(.handle, "19:30"))
            let again = try await tables.handle(table(.handle, "19:30"))
            #expect(booked.code == .success && booked == again)
            let late = try await tables.handle(table(.handle, "19:30", request: "r2"))
            #expect(late.code == "failureFull")
            let next = try await tables.confirm(table(.confirm, "19:30"))
            #expect(next.proposed == ["time": .string("19:00")])
        }
    }

    @Test func `refuses requests that are signed with another secret`() async throws {
        try await serving(secret: "another") { tables in
            let failure = await #expect(throws: IntentFailure.self) { try await tables.handle(table(.handle, "19:30")) }
            #expect(failure?.reason == .unauthorized)
        }
    }

    @Test
    func `refuses a copy of a signed request under another idempotency key, path, method, time or body`() async throws {
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
                let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
                return response.status.code
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
        let required = try #require(lines.first { $0.hasPrefix("      required: [") }).dropFirst(17).dropLast().split(
            separator: ",")
        let names = Set(
            lines.filter { $0.hasPrefix("        ") && !$0.hasPrefix("         ") }.map {
                $0.trimmingCharacters(in: .whitespaces).prefix { $0 != ":" }
            })
        let full = try JSONView(parsing: Array(try await Self.fullCall().utf8))
        #expect(
            Set(full.members.map { Substring($0.name) }).subtracting(["parameter"]) == names.subtracting(["parameter"]))
        let bare = FulfilmentCall(
            phase: .handle, intent: "A", parameters: [:], context: InvocationContext(session: "s", request: "r"))
        let view = try JSONView(parsing: bare.body(parameter: nil, callback: nil))
        #expect(Set(view.members.map(\.name)) == Set(required.map { $0.trimmingCharacters(in: .whitespaces) }))
    }

    /// The body of a real request with all members.
    private static func fullCall() async throws -> String {
        var settings = HTTPFulfilmentClientConfiguration()
        settings.callbackURL = { "https://intents.example.com/v1/answers/\($0)" }
        let work = call(.handle, deadline: 1_700_000_060_000, replyTo: "token")
        return try await callService(.success, for: work, settings: settings).request.text
    }
}
