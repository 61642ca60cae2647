import IntentModel
import IntentRuntime
import Testing

@testable import HTTPFulfilment

@Suite("Transient errors are retried")
struct RetryTests {
    private static let success = LoopbackServer.Reply.ok(#"{"code":"success"}"#)

    @Test("a 5xx is retried with growing delays and the same idempotency key")
    func serverErrors() async throws {
        let clock = StandingClock()
        try await fulfilling(
            clock: clock, reply: { _, number in number < 3 ? .answer(500, [:], "oh") : Self.success }
        ) { fulfilment, server in
            let answer = try await fulfilment.handle(call(.handle)).code
            #expect(answer == .success)
            #expect(server.requests.map { $0.header("idempotency-key") } == ["me/r1", "me/r1", "me/r1"])
            #expect(Set(server.requests.map(\.text)).count == 1)
            #expect(clock.waits == [.milliseconds(200), .milliseconds(400)])
        }
    }

    @Test("each attempt is signed with its own time")
    func signedAnew() async throws {
        try await fulfilling(
            {
                $0.secret = "s"; $0.retries.firstDelay = .seconds(2)
            }, reply: { _, number in number == 1 ? .answer(502, [:], "") : Self.success }
        ) { fulfilment, server in
            _ = try await fulfilment.handle(call(.handle))
            let times = server.requests.map { $0.signatureTime("s") }
            #expect(times == [1_700_000_000, 1_700_000_002])
        }
    }

    @Test("after the last attempt the coordinator retries, with the status and the number of attempts in the message")
    func lastTry() async throws {
        try await fulfilling(reply: { _, _ in .answer(500, [:], "secret text") }) { fulfilment, server in
            let failure = try await failure { try await fulfilment.handle(call(.handle)) }
            #expect(failure?.disposition == .retry(after: .milliseconds(800)))
            #expect(
                failure?.message
                    == "handle of BookTable: the service answered 500: see the log of the service (tried 3 times)"
            )
            #expect(server.requests.count == 3)
        }
    }

    @Test("in the coordinator's later tries the service is called once, so that tries don't multiply")
    func laterTry() async throws {
        try await fulfilling(reply: { _, _ in .answer(500, [:], "") }) { fulfilment, server in
            var second = call(.handle)
            second.context.attempt = 2
            let failure = try await failure { [second] in try await fulfilment.handle(second) }
            #expect(failure?.message == "handle of BookTable: the service answered 500: see the log of the service")
            #expect(server.requests.count == 1)
        }
    }

    @Test("a short Retry-After is waited for by the worker", arguments: [429, 503])
    func retryAfter(_ status: Int) async throws {
        let clock = StandingClock()
        try await fulfilling(
            clock: clock, reply: { _, number in number == 1 ? .answer(status, ["Retry-After": "3"], "") : Self.success }
        ) { fulfilment, _ in
            let answer = try await fulfilment.handle(call(.handle)).code
            #expect(answer == .success)
            #expect(clock.waits == [.seconds(3)])
        }
    }

    @Test("a long Retry-After, in seconds or as a date, is left to the coordinator")
    func longRetryAfter() async throws {
        for value in ["100", "Tue, 14 Nov 2023 22:15:00 GMT"] {
            try await fulfilling(reply: { _, _ in .answer(429, ["Retry-After": value], "") }) { fulfilment, server in
                let failure = try await failure { try await fulfilment.handle(call(.handle)) }
                #expect(failure?.disposition == .retry(after: .seconds(100)))
                #expect(failure?.reason == .busy && server.requests.count == 1)
            }
        }
    }

    @Test("Retry-After is never negative, at most a day, and ignored if it is unreadable")
    func retryAfterBounds() {
        #expect(RetryAfter.duration("Sun, 06 Nov 1994 08:49:37 GMT", now: 1_700_000_000_000) == .zero)
        #expect(RetryAfter.duration("99999999999999", now: 0) == .seconds(86_400))
        for text in ["-1", "soon", "", "Sun, 06 Foo 1994 08:49:37 GMT", "6 6 6 6 6 GMT"] {
            #expect(RetryAfter.duration(text, now: 0) == nil)
        }
    }

    @Test("a service that does not reply in time is tried again")
    func timeout() async throws {
        try await fulfilling(
            {
                $0.timeout = .milliseconds(200); $0.retries.maximumAttempts = 20
            }, reply: { _, number in number == 1 ? .silence : Self.success }
        ) { fulfilment, server in
            // On a slow machine, some attempts end before their request arrives.
            _ = try? await fulfilment.confirm(call(.confirm))
            #expect(server.requests.count >= 2)
        }
    }

    @Test("no attempt is made for which the deadline leaves no time")
    func deadline() async throws {
        let clock = StandingClock()
        try await fulfilling(
            { $0.retries.firstDelay = .seconds(2) }, clock: clock, reply: { _, _ in .answer(500, [:], "") }
        ) { fulfilment, server in
            let failure = try await failure { try await fulfilment.handle(call(.handle, deadline: 1_700_000_002_000)) }
            #expect(failure?.disposition == .retry(after: .seconds(2)))
            #expect(server.requests.count == 1 && clock.waits.isEmpty)
            let late = try await HTTPFulfilmentTests.failure {
                try await fulfilment.handle(call(.handle, deadline: 1_700_000_000_000))
            }
            #expect(late?.message.contains("no time is left") == true)
            #expect(server.requests.count == 1)
        }
    }

    @Test("a service that can't be reached is tried again")
    func unreachable() async throws {
        let port = try await LoopbackServer.run({ _, _ in .close }) { $0.port }
        let clock = StandingClock()
        try await HTTPFulfilmentClient.withClient { client in
            var fulfilment = try HTTPIntentFulfilment(
                HTTPFulfilmentConfiguration(url: "http://127.0.0.1:\(port)"), client: client)
            fulfilment.clock = clock.clock
            let failure = try await failure { try await fulfilment.handle(call(.handle)) }
            #expect(clock.waits.count == 2)
            #expect(
                failure?.message
                    == "handle of BookTable: the service can't be reached (connection refused) (tried 3 times)")
        }
    }

    @Test("a connection that breaks is tried again")
    func broken() async throws {
        try await fulfilling(reply: { _, number in number == 1 ? .close : Self.success }) { fulfilment, server in
            let answer = try await fulfilment.handle(call(.handle)).code
            #expect(answer == .success)
            #expect(server.requests.count == 2)
        }
    }

    @Test("cancelling the task ends the request and closes its connection")
    func cancel() async throws {
        try await fulfilling(reply: { _, _ in .silence }) { fulfilment, server in
            let task = Task { try await fulfilment.handle(call(.handle)) }
            await server.until { requests, _ in requests == 1 }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            await server.until { _, closed in closed == 1 }
            #expect(server.requests.count == 1)
        }
    }
}
