import IntentModel
import Testing

@testable import HTTPFulfilment

@Suite("An intent with an at-most-once effect")
struct OnceTests {
    @Test("is not retried once the request may have arrived, because its outcome is unknown")
    func unknown() async throws {
        for reply in [
            LoopbackServer.Reply.close, .answer(500, [:], ""), .answer(503, [:], ""), .ok("<html>"),
            .ok(#"{"code":"ready"}"#),
        ] {
            try await fulfilling({ $0.isAtMostOnce = true }, reply: { _, _ in reply }) { fulfilment, server in
                let failure = try await failure { try await fulfilment.handle(call(.handle)) }
                #expect(
                    failure?.disposition == .failure(.failure) && failure?.reason == .outcomeUnknown,
                    "\(failure?.message ?? "")")
                #expect(server.requests.count == 1)
            }
        }
    }

    @Test("is not retried after a timeout")
    func silence() async throws {
        try await fulfilling(
            {
                $0.isAtMostOnce = true; $0.timeout = .milliseconds(500)
            }, reply: { _, _ in .silence }
        ) { fulfilment, server in
            async let failing = failure { try await fulfilment.handle(call(.handle)) }
            let failure = try await failing
            #expect(failure?.reason == .outcomeUnknown || server.requests.isEmpty)
            #expect(server.requests.count <= 1)
        }
    }

    @Test("is retried by the coordinator if the service reports that it has not acted", arguments: [429, 503])
    func refused(_ status: Int) async throws {
        try await fulfilling({ $0.isAtMostOnce = true }, reply: { _, _ in .answer(status, ["Retry-After": "1"], "") }) {
            fulfilment, server in
            let failure = try await failure { try await fulfilment.handle(call(.handle)) }
            #expect(failure?.disposition == .retry(after: .seconds(1)) && server.requests.count == 1)
        }
    }

    @Test("is retried by the worker while the service can't be reached")
    func unreachable() async throws {
        let port = try await LoopbackServer.run({ _, _ in .close }) { $0.port }
        let clock = StandingClock()
        try await HTTPFulfilmentClient.withClient { client in
            var configuration = HTTPFulfilmentConfiguration(url: "http://127.0.0.1:\(port)")
            configuration.isAtMostOnce = true
            var fulfilment = try HTTPIntentFulfilment(configuration, client: client)
            fulfilment.clock = clock.clock
            let failure = try await failure { try await fulfilment.handle(call(.handle)) }
            #expect(clock.waits.count == 2 && failure?.disposition == .retry(after: .milliseconds(800)))
        }
    }

    @Test("is retried at confirm")
    func confirm() async throws {
        try await fulfilling(
            { $0.isAtMostOnce = true },
            reply: { _, number in number == 1 ? .answer(500, [:], "") : .ok(#"{"code":"ready"}"#) }
        ) { fulfilment, _ in
            let answer = try await fulfilment.confirm(call(.confirm)).code
            #expect(answer == .ready)
        }
    }

    @Test("fails like any other if the service refuses it", arguments: [400, 404])
    func clientErrors(_ status: Int) async throws {
        try await fulfilling({ $0.isAtMostOnce = true }, reply: { _, _ in .answer(status, [:], "") }) { fulfilment, _ in
            let failure = try await failure { try await fulfilment.handle(call(.handle)) }
            #expect(failure?.disposition == .failure(.failure) && failure?.reason != .outcomeUnknown)
        }
    }
}
