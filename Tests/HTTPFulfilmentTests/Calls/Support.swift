import IntentModel
import IntentRuntime
import PipelineTestKit
import Synchronization
import Testing

@testable import HTTPFulfilment

/// A call of a phase of `BookTable`.
func call(
    _ phase: Phase, parameters: [String: JSON] = ["people": .number(2)], deadline: Int64? = nil, replyTo: String = ""
) -> FulfilmentCall {
    var context = InvocationContext(
        session: "me", request: "r1", attempt: 1, deadline: deadline, idempotencyKey: "me/r1", locale: "en-GB",
        attributes: ["tier": .string("gold")])
    (context.memory, context.principal) = (["city": .string("Delft")], Principal(.appUser, "ann"))
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

/// The end of a call, with its traces at the service, on the clock and in the operator's log.
struct Exchange: Sendable {
    /// The beginning of the service's URLs.
    var url = ""
    var response: IntentResponse?
    var resolution: ParameterResolution?
    var failure: IntentFailure?
    var requests: [LoopbackServer.Request] = []
    var waits: [Duration] = []
    var log: [String] = []

    var isFinal: Bool { failure?.disposition == .failure(.failure) }
    /// The words for the person; empty if the call succeeds.
    var message: String { failure?.message ?? "" }
    var request: LoopbackServer.Request { get throws { try #require(requests.first) } }
}

/// Calls a service that sends the test's replies. The last reply is repeated.
func callService(
    _ replies: LoopbackServer.Reply..., for work: FulfilmentCall = call(.handle), host: String = "127.0.0.1",
    path: String = "/intents", settings: HTTPFulfilmentClientConfiguration = HTTPFulfilmentClientConfiguration(),
    isSecure: Bool = false, _ configure: (inout HTTPFulfilmentConfiguration) -> Void = { _ in }
) async throws -> Exchange {
    try await callService(for: work, host: host, path: path, settings: settings, isSecure: isSecure, configure) {
        replies[min($1, replies.count) - 1]
    }
}

/// Calls a service.
///
/// - Parameter reply: Returns the reply to a request. The second argument is the request's number, from 1.
func callService(
    for work: FulfilmentCall = call(.handle), host: String = "127.0.0.1", path: String = "/intents",
    settings: HTTPFulfilmentClientConfiguration = HTTPFulfilmentClientConfiguration(), isSecure: Bool = false,
    _ configure: (inout HTTPFulfilmentConfiguration) -> Void,
    reply: @escaping @Sendable (LoopbackServer.Request, Int) -> LoopbackServer.Reply
) async throws -> Exchange {
    let (clock, log) = (StandingClock(), Recorder<String>())
    var settings = settings
    settings.onFailure = { _, problem in log.record(problem) }
    return try await LoopbackServer.run(isSecure: isSecure, reply) { [settings] server in
        let url = "\(isSecure ? "https" : "http")://\(host):\(server.port)"
        var exchange = Exchange(url: url)
        try await fulfilling(url + path, settings: settings, clock: clock.clock, configure) { fulfilment in
            do {
                switch work.phase {
                case .resolve: exchange.resolution = try await fulfilment.resolve("people", of: work)
                case .confirm: exchange.response = try await fulfilment.confirm(work)
                case .handle: exchange.response = try await fulfilment.handle(work)
                }
            } catch let failure as IntentFailure { exchange.failure = failure }
        }
        (exchange.requests, exchange.waits, exchange.log) = (server.requests, clock.waits, log.all)
        return exchange
    }
}

/// Calls `body` with a fulfilment by the service at a URL.
func fulfilling(
    _ url: String, settings: HTTPFulfilmentClientConfiguration = HTTPFulfilmentClientConfiguration(),
    clock: FulfilmentClock = FulfilmentClock(), _ configure: (inout HTTPFulfilmentConfiguration) -> Void = { _ in },
    _ body: (HTTPIntentFulfilment) async throws -> Void
) async throws {
    try await HTTPFulfilmentClient.withClient(settings) { client in
        var configuration = HTTPFulfilmentConfiguration(url: url)
        configuration.phases = [.confirm, .handle]
        // Only tests with a silent server wait for the timeout.
        configuration.timeout = .seconds(60)
        configure(&configuration)
        var fulfilment = try HTTPIntentFulfilment(configuration, client: client)
        fulfilment.clock = clock
        try await body(fulfilment)
    }
}
