import Foundation
import IntentKit
import IntentRuntime
import Testing

@testable import HTTPFulfilment

@Suite("The OpenAPI document")
struct OpenAPITests {
    private static let file = Python.root.appending(path: "deploy/openapi.yaml").path
    private static let validator = Python.with(["yaml", "openapi_spec_validator"])
    private static let schemas = Python.with(["yaml", "jsonschema"])

    private static let answers = [
        ("ConfirmAnswer", #"{"code":"ready","dialog":"?","proposed":{"time":"18:30"},"validFor":"5m"}"#),
        (
            "HandleAnswer",
            #"{"code":"success","response":{"n":1},"items":[{"id":"a","title":"A","value":1}],"choice":{"remembers":{"k":"v"}},"opens":{"intent":"Pay"}}"#
        ),
        (
            "HandleAnswer",
            #"{"code":"partialSuccess","results":[{"title":"A","code":"success"}],"undo":{"intent":"Unbook"},"snippet":{"title":"T"},"supporting":"T"}"#
        ),
        ("HandleAnswer", #"{"code":"failureFull","activity":{"activityType":"book"}}"#),
        ("Resolution", #"{"needsValue":{}}"#),
        ("Resolution", #"{"success":{"value":4}}"#), ("Progress", #"{"code":"inProgress","fraction":0.5}"#),
    ]

    @Test(
        "is valid OpenAPI 3.1",
        .enabled(if: OpenAPITests.validator != nil, "there is no python3 with openapi-spec-validator and pyyaml"))
    func valid() throws {
        let script =
            "import sys, yaml; from openapi_spec_validator import validate; validate(yaml.safe_load(open(sys.argv[1])))"
        let ending = try Python.run(Self.validator ?? "", ["-c", script, Self.file])
        #expect(ending.status == 0, "\(ending.output)")
    }

    @Test(
        "the client's requests and accepted replies match it",
        .enabled(if: OpenAPITests.schemas != nil, "there is no python3 with jsonschema and pyyaml"))
    func recorded() async throws {
        let call = try await Self.fullCall()
        var pairs = [("Call", call)] + Self.answers
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
        let ending = try Python.run(Self.schemas ?? "", ["-c", script, Self.file] + pairs.flatMap { [$0.0, $0.1] })
        #expect(ending.status == 0, "\(ending.output)")
        pairs = [("Call", "{}")]
        #expect(
            try Python.run(Self.schemas ?? "", ["-c", script, Self.file] + pairs.flatMap { [$0.0, $0.1] }).status != 0)
    }

    @Test("names every member of a call, and the required ones are always present")
    func members() async throws {
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
        return try await fulfilling(client: settings, reply: { _, _ in .ok(#"{"code":"success"}"#) }) {
            fulfilment, server in
            _ = try await fulfilment.handle(call(.handle, deadline: 1_700_000_060_000, replyTo: "token"))
            return server.requests.first?.text ?? ""
        }
    }
}
