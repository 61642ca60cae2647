import IntentKit
import IntentModel
import PersonGateway
import PipelineTestKit
import Testing

@testable import MCPServer

@Suite("What no client should send") struct HostileInputTests {
    @Test(arguments: [
        ("{", -32700), ("\u{0}", -32700), ("[]", -32600), ("1", -32600),
        (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600), (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32600), (#"{"jsonrpc":"2.0","id":1}"#, -32600),
        (String(repeating: "[", count: 100), -32600),
    ])
    func `a message that can't be read gets an error of the protocol`(_ text: String, _ code: Int) {
        #expect(throws: RPCError.self) { try RPCMessage(parsing: Array(text.utf8)) }
        do throws(RPCError) { _ = try RPCMessage(parsing: Array(text.utf8)) } catch {
            #expect(error.code.rawValue == code, "\(error)")
        }
    }

    @Test func `what is refused because of the caller is an error of its parameters, and what is busy is not`() {
        for reason in [RejectionReason.invalid, .unparseable, .complex, .unexpected] {
            #expect(RPCError(GatewayProblem(reason, "x")).code == .invalidParams, "\(reason)")
        }
        for reason in [RejectionReason.busy, .unauthorized] {
            #expect(RPCError(GatewayProblem(reason, "x")).code == .internalError, "\(reason)")
        }
    }

    @Test func `every request gets exactly one reply, whatever is in it`() async throws {
        let host = try await AgentHost { $0.maximumCalls = 1_000 }
        try await host.initialize(elicitation: nil)
        var input = HostileInput()
        let methods = [
            "tools/list", "tools/call", "ping", "tasks/get", "tasks/update", "server/discover", "resources/list",
            "initialize", "\u{1B}",
        ]
        for number in 0..<400 {
            let params = input.object(Self.words, upTo: 12)
            let reply = try await host.ask(input.pick(methods), params)
            #expect((reply["error"] != nil) != (reply["result"] != nil), "seed \(input.seed), request \(number)")
        }
    }

    private static let words = HostileInput.Vocabulary(
        names: [
            "name", "name", "arguments", "arguments", "cursor", "requestState", "inputResponses", "taskId", "_meta",
            "handle", "action", "values", "search", "dropOff", "io.modelcontextprotocol/clientCapabilities",
            "progressToken", "traceparent",
        ],
        texts: [
            "name": ["intent_reply"],
            "": ["", "x", "handle", "intent_status", "\u{202E}", "@more", String(repeating: "a", count: 5_000)],
        ])
}
