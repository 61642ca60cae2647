import IntentKit
import IntentModel
import PersonGateway
import PipelineTestKit
import Testing

@testable import MCPServer

@Suite("What no client should send")
struct HostileInputTests {
    @Test(
        "a message that can't be read gets an error of the protocol",
        arguments: [
            ("{", -32700), ("\u{0}", -32700), ("[]", -32600), ("1", -32600),
            (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
            (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
            (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600),
            (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600),
            (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32600),
            (#"{"jsonrpc":"2.0","id":1}"#, -32600), (String(repeating: "[", count: 100), -32600),
        ])
    func unreadable(_ text: String, _ code: Int) {
        #expect(throws: RPCError.self) { try RPCMessage(parsing: Array(text.utf8)) }
        do throws(RPCError) { _ = try RPCMessage(parsing: Array(text.utf8)) } catch {
            #expect(error.code.rawValue == code, "\(error)")
        }
    }

    @Test("what is refused because of the caller is an error of its parameters, and what is busy is not")
    func problems() {
        for reason in [RejectionReason.invalid, .unparseable, .complex, .unexpected] {
            #expect(RPCError(GatewayProblem(reason, "x")).code == .invalidParams, "\(reason)")
        }
        for reason in [RejectionReason.busy, .unauthorized] {
            #expect(RPCError(GatewayProblem(reason, "x")).code == .internalError, "\(reason)")
        }
    }

    @Test("every request gets exactly one reply, whatever is in it")
    func random() async throws {
        let host = try await AgentHost { $0.maximumCalls = 1_000 }
        try await host.initialize(elicitation: nil)
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededRandom(seed: seed)
        let methods = [
            "tools/list", "tools/call", "ping", "tasks/get", "tasks/update", "server/discover", "resources/list",
            "initialize", "\u{1B}",
        ]
        for number in 0..<400 {
            let method = methods.randomElement(using: &random) ?? ""
            let params = JSON.make { writer in
                writer.beginObject()
                for name in ["name", "arguments", "cursor", "requestState", "inputResponses", "taskId", "_meta"]
                where Bool.random(using: &random) {
                    writer.member(
                        named: name,
                        name == "name" && Bool.random(using: &random)
                            ? .string("intent_reply") : value(&random, depth: 3))
                }
                writer.endObject()
            }
            let reply = try await host.ask(method, params)
            #expect((reply["error"] != nil) != (reply["result"] != nil), "seed \(seed), request \(number)")
        }
    }

    private func value(_ random: inout SeededRandom, depth: Int) -> JSON {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2: return .number(Int.random(in: -5...5, using: &random))
        case 3: return .number(Double.random(in: -1e300...1e300, using: &random))
        case 4:
            return .string(
                ["", "x", "intent_status", "\u{202E}", "@more", String(repeating: "a", count: 5_000)].randomElement(
                    using: &random) ?? "")
        case 5: return .string("handle")
        case 6: return .array((0..<3).map { _ in value(&random, depth: depth - 1) })
        default:
            let names = [
                "handle", "action", "values", "search", "dropOff", "io.modelcontextprotocol/clientCapabilities",
                "progressToken",
                "traceparent",
            ]
            return .make { writer in
                writer.beginObject()
                for name in names where Bool.random(using: &random) {
                    writer.member(named: name, value(&random, depth: depth - 1))
                }
                writer.endObject()
            }
        }
    }
}
