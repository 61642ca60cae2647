import ArgumentParser
import Conversation
import Foundation
import Logging
import PipelineTestKit
import RecordLog
import Synchronization
import Testing

@testable import PipelineService

@Suite("Ending while handlers hold all threads", .timeLimit(.minutes(10))) struct ForcedEndingTests {
    /// A recorder in place of the end of a process.
    private final class Ending: Sendable {
        private let status = Mutex<ExitCode?>(nil)
        private let ended = DispatchSemaphore(value: 0)

        init(_ health: Health) {
            ForcedEnding(health: health, logger: quiet, pace: 0.01) { status in
                self.status.withLock { $0 = status }
                self.ended.signal()
            }.begin(at: .now)
        }

        var isPending: Bool { status.withLock { $0 } == nil }

        /// Waits for the end of the process, and returns its status.
        func wait() -> ExitCode? { ended.wait(timeout: .now() + 120) == .success ? status.withLock { $0 } : nil }
    }

    private let health = Health()

    @Test func `a signal makes a process unready at once, and closes its loops and ends it if nothing else does`() {
        health.expect(members: 1)
        let loop = Mutex<Heartbeat?>(nil)
        let begun = health.begin("handler", isMember: true) { loop.withLock { if let loop = $0 { health.end(loop) } } }
        loop.withLock { $0 = begun }
        _ = health.begin("tasks", isMember: false)
        begun.beat(isReady: true)
        #expect(health.isReady)
        let ending = Ending(health)
        #expect(!health.isReady && !health.isDraining)
        #expect(ending.wait() == .success && health.isDraining && health.areLoopsClosed)
    }

    @Test func `a loop that does not close does not keep a process from ending, with a failure`() {
        let stops = Atomic(0)
        _ = health.begin("handler", isMember: true) { stops.add(1, ordering: .relaxed) }
        #expect(Ending(health).wait() == .failed && stops.load(ordering: .relaxed) == 1)
    }

    @Test func `a process that ends by itself is left alone`() {
        let stops = Atomic(0)
        _ = health.begin("handler", isMember: true) { stops.add(1, ordering: .relaxed) }
        health.drain()
        let ending = Ending(health)
        // Another ending, which has to be forced, ends later than this one would have begun.
        #expect(Ending(Health()).wait() != nil && stops.load(ordering: .relaxed) == 0 && ending.isPending)
    }

    @Test func `a process whose standard input is open goes on after a signal, and ends with its input`() throws {
        // Without SA_RESTART, a signal interrupts the thread that waits for input.
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in }
        sigaction(SIGUSR2, &action, nil)
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let input = ends[0]
        let thread = Mutex<pthread_t?>(nil)
        let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            thread.withLock { $0 = pthread_self() }
            begun.signal()
            waitForEnd(of: input)
            ended.signal()
        }
        try #require(begun.wait(timeout: .now() + 120) == .success)
        let reader = try #require(thread.withLock { $0 })
        for _ in 0..<100 {
            pthread_kill(reader, SIGUSR2)
            sched_yield()
        }
        #expect(ended.wait(timeout: .now()) == .timedOut)
        close(ends[1])
        #expect(ended.wait(timeout: .now() + 120) == .success)
    }
}

@Suite("A process whose clock is wrong") struct ClockWatchTests {
    private let machine = Machine()
    private let health = Health()
    private let lines = Recorder<String>()
    private let watch: ClockWatch
    private let logger: Logger

    init() {
        watch = ClockWatch(machine.clock, health: health, elapsed: machine.elapsed)
        logger = Logger(label: "test") { [lines] _ in LineHandler(lines) }
        health.expect(members: 0)
    }

    @Test func `a clock jump makes the process unready, and ends it with the reason after a minute`() throws {
        try watch.check(logger)
        #expect(health.isReady && lines.all == [])
        machine.set(3_600)
        for _ in 0..<60 {
            try watch.check(logger)
            #expect(!health.isReady && health.cause == "the clock of this machine has jumped 3600 s ahead")
            machine.pass(1)
        }
        let message =
            "error the clock of this machine has jumped 3600 s ahead: the process is not ready, and ends if the clock stays wrong for 60 s; let NTP set it"
        #expect(lines.all == [message])
        let error = try #require(throws: LogError.self) { try watch.check(logger) }
        #expect(error.disposition == .fatal)
        let reason = "the process ends because of its clock: the clock of this machine has jumped 3600 s ahead"
        #expect(error.message.hasPrefix(reason))
    }

    @Test func `is ready again when the clock is set back in time`() throws {
        machine.set(-61)
        try watch.check(logger)
        #expect(!health.isReady)
        machine.pass(59)
        machine.set(61)
        try watch.check(logger)
        machine.pass(600)
        try watch.check(logger)
        #expect(health.isReady && lines.all.last == "notice the clock of this machine is right again")
    }

    @Test(arguments: [-11, 11])
    func `a clock over ten seconds from the broker's makes the process unready, and then ends it`(seconds: Int) throws {
        watch.recordComparison(ahead: .seconds(seconds < 0 ? -10 : 10))
        try watch.check(logger)
        #expect(health.isReady)
        watch.recordComparison(ahead: .seconds(seconds))
        try watch.check(logger)
        let side = seconds < 0 ? "behind" : "ahead of"
        #expect(!health.isReady && health.cause == "the clock of this machine is 11 s \(side) the broker's")
        machine.pass(60)
        #expect(throws: Never.self, "one comparison decides nothing, however long ago") { try watch.check(logger) }
        watch.recordComparison(ahead: .seconds(seconds))
        #expect(throws: LogError.self) { try watch.check(logger) }
    }

    @Test func `is ready again when a comparison shows that its clock is right`() throws {
        watch.recordComparison(ahead: .seconds(11))
        try watch.check(logger)
        #expect(!health.isReady)
        watch.recordComparison(ahead: .zero)
        try watch.check(logger)
        #expect(health.isReady && lines.all.last == "notice the clock of this machine is right again")
    }

    @Test func `takes no partitions before its clock is compared and right`() async {
        let isRight = Recorder<Bool>()
        let waiting = Task { [watch, logger] in isRight.record(await watch.waitUntilRight(logger)) }
        watch.recordComparison(ahead: .seconds(11))
        for _ in 0..<100 { await Task.yield() }
        #expect(isRight.all == [])
        watch.recordComparison(ahead: .seconds(10))
        await waiting.value
        #expect(isRight.all == [true])
    }

    @Test func `takes partitions after ten seconds if there is no comparison, and says so`() async {
        let waiting = Task { [watch, logger] in await watch.waitUntilRight(logger) }
        while lines.all.isEmpty {
            machine.pass(1)
            await Task.yield()
        }
        #expect(await waiting.value)
        let message = "warning the clock of this machine could not be compared with the broker's within 10 s: going on"
        #expect(lines.all == [message])
    }
}

/// A machine whose clock is set by hand.
final class Machine: Sendable {
    private let wall = Mutex(1_000_000.0)
    private let passed = Mutex(Duration.zero)

    func pass(_ seconds: Int) {
        wall.withLock { $0 += Double(seconds) * 1_000 }
        passed.withLock { $0 += .seconds(seconds) }
    }

    /// Sets the clock ahead, or back with a negative number.
    func set(_ seconds: Int) { wall.withLock { $0 += Double(seconds) * 1_000 } }

    var elapsed: @Sendable () -> Duration { { self.passed.withLock { $0 } } }
    var clock: SteadyClock { SteadyClock(wall: { self.wall.withLock { $0 } }, elapsed: elapsed) }
}

@Suite("The clock of a process") struct SteadyClockTests {
    private let machine = Machine()
    private let clock: SteadyClock

    init() { clock = machine.clock }

    @Test func `tells the machine's time`() {
        machine.pass(60)
        #expect(clock.now == Instant(milliseconds: 1_060_000) && clock.jump == nil)
    }

    @Test(arguments: [-60, 60])
    func `the clock follows a setting of up to a minute by at most a tenth, and never goes back`(seconds: Int) {
        machine.set(seconds)
        var last = clock.now
        for _ in 0..<600 {
            machine.pass(1)
            let step = last.duration(to: clock.now)
            #expect(step >= .milliseconds(900) && step <= .milliseconds(1_100) && clock.jump == nil)
            last = clock.now
        }
        #expect(last == Instant(milliseconds: 1_000_000 + 600_000 + Int64(seconds) * 1_000))
    }

    @Test(arguments: [-3_600, 61])
    func `the clock does not follow a jump, and reports the jump until the machine's clock is back`(seconds: Int) {
        let before = clock.now
        machine.set(seconds)
        #expect(clock.jump == .seconds(seconds))
        machine.pass(120)
        #expect(before.duration(to: clock.now) == .seconds(120) && clock.jump == .seconds(seconds))
        machine.set(-seconds)
        #expect(before.duration(to: clock.now) == .seconds(120) && clock.jump == nil)
    }
}

@Suite("The terminal of a process") struct TerminalTests {
    @Test func `is closed once it is no longer there`() {
        var (terminal, program): (Int32, Int32) = (-1, -1)
        #expect(openpty(&terminal, &program, nil, nil, nil) == 0)
        defer { close(program) }
        let null = open("/dev/null", O_RDONLY)
        defer { close(null) }
        let own = Terminal([null, program])
        #expect(!own.isClosed)
        close(terminal)
        #expect(own.isClosed && !Terminal([null, program]).isClosed, "the second never had a terminal")
    }
}
