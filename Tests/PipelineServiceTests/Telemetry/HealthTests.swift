import Conversation
import Logging
import Synchronization
import Testing

@testable import PipelineService

@Suite("Health")
struct HealthTests {
    /// A clock that is moved by hand.
    private final class Clock: Sendable {
        let seconds = Atomic<Int>(0)
        var now: Duration { .seconds(seconds.load(ordering: .relaxed)) }
        func advance(by count: Int) { seconds.wrappingAdd(count, ordering: .relaxed) }
    }

    @Test("a process is ready when all of its members have joined and work, and has started once it was")
    func ready() {
        let health = Health()
        #expect(health.isLive && !health.isReady && !health.hasStarted)
        health.expect(members: 2)
        let first = health.begin("resolver", isMember: true)
        _ = health.begin("catalog", isMember: false)
        first.beat(isReady: true)
        #expect(!health.isReady, "one member is missing")
        let second = health.begin("handler", isMember: true)
        #expect(!health.isReady)
        second.beat(isReady: true)
        #expect(health.isReady && health.hasStarted)
        // The member is not ready during a rebalance.
        second.beat(isReady: false)
        #expect(!health.isReady && health.hasStarted && health.isLive)
        second.beat(isReady: true)
        health.drain()
        #expect(!health.isReady && health.hasStarted && health.isLive)
    }

    @Test(
        "a process has started although a partition that an operator has to repair keeps it unready: a restart would not help"
    )
    func startedButNotReady() {
        let health = Health()
        health.expect(members: 1)
        let loop = health.begin("coordinator", isMember: true)
        loop.beat(isReady: false)
        #expect(!health.isReady && !health.hasStarted)
        loop.beat(isReady: false, hasStarted: true)
        #expect(!health.isReady && health.hasStarted)
    }

    @Test("a process that is kept unready says why, however its loops are")
    func cause() {
        let health = Health()
        health.expect(members: 0)
        let answers = TelemetryAnswers(
            registry: PrometheusRegistry(
                described: [], logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })),
            health: health)
        #expect(answers.answer(to: "/readyz", accept: "").status == 200)
        health.suspend(because: "the clock is wrong")
        let answer = answers.answer(to: "/readyz", accept: "")
        #expect(answer.status == 503 && answer.body.contains(#""cause":"the clock is wrong""#))
        #expect(answers.answer(to: "/livez", accept: "").status == 200)
        health.suspend(because: nil)
        #expect(answers.answer(to: "/readyz", accept: "").status == 200)
    }

    @Test("a loop that has not polled for a minute fails liveness, and names itself; one that has ended does not")
    func live() {
        let clock = Clock()
        let health = Health { clock.now }
        let hanging = health.begin("handler", isMember: true)
        let other = health.begin("catalog", isMember: false)
        clock.advance(by: 60)
        other.beat()
        #expect(health.isLive && hanging.silence == .seconds(60))
        clock.advance(by: 1)
        #expect(!health.isLive && health.silent.map(\.name) == ["handler"])
        health.end(hanging)
        #expect(health.isLive)
    }

    @Test("a process is not ready while a loop hangs, although its members were ready when they polled last")
    func hanging() {
        let clock = Clock()
        let health = Health { clock.now }
        health.expect(members: 1)
        let member = health.begin("handler", isMember: true)
        let tasks = health.begin("tasks", isMember: false)
        member.beat(isReady: true)
        #expect(health.isReady)
        clock.advance(by: 61)
        member.beat(isReady: true)
        #expect(!health.isLive && !health.isReady)
        tasks.beat()
        #expect(health.isLive && health.isReady)
        health.markTerminating()
        #expect(health.isLive && !health.isReady && health.hasStarted)
    }

    @Test("each answer says which loop decides it")
    func answers() throws {
        let clock = Clock()
        let health = Health { clock.now }
        health.expect(members: 1)
        let registry = PrometheusRegistry(described: [], logger: .init(label: "test"))
        let answers = TelemetryAnswers(registry: registry, health: health)
        let loop = health.begin("coordinator", isMember: true)
        clock.advance(by: 3)
        let waiting = answers.answer(to: "/readyz", accept: "")
        #expect(waiting.status == 503)
        #expect(
            waiting.body == #"{"status":"failing","loops":[{"name":"coordinator","ready":false,"secondsSincePoll":3}]}"#
                + "\n")
        #expect(answers.answer(to: "/livez?verbose", accept: "").status == 200)
        #expect(answers.answer(to: "/startupz", accept: "").status == 503)
        loop.beat(isReady: true)
        #expect(
            answers.answer(to: "/readyz", accept: "").status == 200
                && answers.answer(to: "/startupz", accept: "").status == 200)
        #expect(answers.answer(to: "/other", accept: "").status == 404)
    }
}
