import Logging
import PipelineService
import PipelineTestKit
import RecordLog
import Testing

@Suite("A process whose clock is wrong")
struct ClockWatchTests {
    /// A log handler that collects the lines.
    private struct Collector: LogHandler {
        let lines: Recorder<String>
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: Logging.LogEvent) { lines.record("\(event.level) \(event.message)") }
    }

    private let machine = Machine()
    private let health = Health()
    private let lines = Recorder<String>()
    private let watch: ClockWatch
    private let logger: Logger

    init() {
        watch = ClockWatch(machine.clock, health: health, elapsed: machine.elapsed)
        logger = Logger(label: "test") { [lines] _ in Collector(lines: lines) }
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
        #expect(
            lines.all == [
                "error the clock of this machine has jumped 3600 s ahead: the process is not ready, and ends if the clock stays wrong for 60 s; let NTP set it"
            ])
        let error = #expect(throws: LogError.self) { try watch.check(logger) }
        #expect(error?.disposition == .fatal)
        #expect(
            error?.message.hasPrefix(
                "the process ends because of its clock: the clock of this machine has jumped 3600 s ahead") == true)
    }

    @Test("is ready again when the clock is set back in time")
    func back() throws {
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
        #expect(
            !health.isReady
                && health.cause
                    == "the clock of this machine is 11 s \(seconds < 0 ? "behind" : "ahead of") the broker's"
        )
        machine.pass(60)
        #expect(throws: Never.self, "one comparison decides nothing, however long ago") { try watch.check(logger) }
        watch.recordComparison(ahead: .seconds(seconds))
        #expect(throws: LogError.self) { try watch.check(logger) }
    }

    @Test("is ready again when a comparison shows that its clock is right")
    func agrees() throws {
        watch.recordComparison(ahead: .seconds(11))
        try watch.check(logger)
        #expect(!health.isReady)
        watch.recordComparison(ahead: .zero)
        try watch.check(logger)
        #expect(health.isReady && lines.all.last == "notice the clock of this machine is right again")
    }

    @Test("takes no partitions before its clock is compared and right")
    func waits() async {
        let isRight = Recorder<Bool>()
        let waiting = Task { [watch, logger] in isRight.record(await watch.waitUntilRight(logger)) }
        watch.recordComparison(ahead: .seconds(11))
        for _ in 0..<100 { await Task.yield() }
        #expect(isRight.all == [])
        watch.recordComparison(ahead: .seconds(10))
        await waiting.value
        #expect(isRight.all == [true])
    }

    @Test("takes partitions after ten seconds if there is no comparison, and says so")
    func noComparison() async {
        let waiting = Task { [watch, logger] in await watch.waitUntilRight(logger) }
        while lines.all.isEmpty {
            machine.pass(1)
            await Task.yield()
        }
        #expect(await waiting.value)
        #expect(
            lines.all == [
                "warning the clock of this machine could not be compared with the broker's within 10 s: going on"
            ])
    }
}
