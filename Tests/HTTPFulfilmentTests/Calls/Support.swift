import IntentModel
import IntentRuntime
import Synchronization

@testable import HTTPFulfilment

/// A call of a phase of `BookTable`.
func call(
    _ phase: Phase, parameters: [String: JSON] = ["people": .number(2)], deadline: Int64? = nil, replyTo: String = ""
)
    -> FulfilmentCall
{
    var context = InvocationContext(
        session: "me", request: "r1", attempt: 1, deadline: deadline, idempotencyKey: "me/r1", locale: "en-GB",
        attributes: ["tier": .string("gold")],
        memory: ["city": .string("Delft")], principal: Principal(.appUser, "ann"))
    context.replyTo = replyTo
    (context.timeZone, context.now) = ("Europe/Amsterdam", 1_700_000_000_000)
    context.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    return FulfilmentCall(
        phase: phase, intent: "BookTable", parameters: parameters, summary: "A table for 2", context: context)
}

/// A clock that moves only during the delays between attempts, which take no real time.
final class StandingClock: Sendable {
    private let state = Mutex<(now: Int64, waits: [Duration])>((1_700_000_000_000, []))

    var waits: [Duration] { state.withLock { $0.waits } }

    var clock: FulfilmentClock {
        FulfilmentClock(
            now: { self.state.withLock { $0.now } },
            sleep: { wait in
                self.state.withLock { state in
                    state.now += Int64(wait / .milliseconds(1))
                    state.waits.append(wait)
                }
            })
    }
}

/// Calls `body` with a fulfilment by a server that sends the test's replies.
func fulfilling<Result: Sendable>(
    client settings: HTTPFulfilmentClientConfiguration = HTTPFulfilmentClientConfiguration(), path: String = "/intents",
    isSecure: Bool = false,
    _ configure: (inout HTTPFulfilmentConfiguration) -> Void = { _ in }, clock: StandingClock = StandingClock(),
    reply: @escaping @Sendable (LoopbackServer.Request, Int) -> LoopbackServer.Reply,
    _ body: (HTTPIntentFulfilment, LoopbackServer) async throws -> Result
) async throws -> Result {
    try await LoopbackServer.run(isSecure: isSecure, reply) { server in
        try await HTTPFulfilmentClient.withClient(settings) { client in
            var configuration = HTTPFulfilmentConfiguration(
                url: (isSecure ? "https://localhost:\(server.port)" : server.url) + path)
            configuration.phases = [.confirm, .handle]
            // Only tests with a silent server wait for the timeout.
            configuration.timeout = .seconds(60)
            configure(&configuration)
            var fulfilment = try HTTPIntentFulfilment(configuration, client: client)
            fulfilment.clock = clock.clock
            return try await body(fulfilment, server)
        }
    }
}

/// The failure that a call ends with; `nil` if the call succeeds.
func failure(_ body: () async throws -> some Sendable) async throws -> IntentFailure? {
    do { _ = try await body() } catch let failure as IntentFailure { return failure }
    return nil
}

/// The lines in the log of an operator.
final class FailureLog: Sendable {
    private let state = Mutex<[String]>([])

    var problems: [String] { state.withLock { $0 } }

    /// The settings of a client that writes to this log.
    var settings: HTTPFulfilmentClientConfiguration {
        var settings = HTTPFulfilmentClientConfiguration()
        settings.onFailure = { _, problem in self.state.withLock { $0.append(problem) } }
        return settings
    }
}
