import Conversation
import Logging
import PipelineService
import PipelineTestKit
import RecordLog
import Synchronization
import Testing

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

    @Test("is unready and says so when its clock jumps, and ends with its reason if that stays so for a minute")
    func jump() throws {
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

    @Test(
        "is unready when its clock is more than ten seconds from the broker's, and ends if that stays so",
        arguments: [-11, 11])
    func apart(seconds: Int) throws {
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

    @Test(
        "follows a machine whose clock is set by up to a minute, by at most a tenth, and never goes back",
        arguments: [-60, 60])
    func follows(seconds: Int) {
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

    @Test(
        "does not follow a jump, in which two minutes take two minutes, and tells it until the machine's clock is back",
        arguments: [-3_600, 61])
    func jumps(seconds: Int) {
        let before = clock.now
        machine.set(seconds)
        #expect(clock.jump == .seconds(seconds))
        machine.pass(120)
        #expect(before.duration(to: clock.now) == .seconds(120) && clock.jump == .seconds(seconds))
        machine.set(-seconds)
        #expect(before.duration(to: clock.now) == .seconds(120) && clock.jump == nil)
    }
}
