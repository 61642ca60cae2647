import Conversation
import PipelineService
import Synchronization
import Testing

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

@Suite("The clock of a process")
struct SteadyClockTests {
    @Test("tells the machine's time")
    func plain() {
        let machine = Machine()
        let clock = machine.clock
        machine.pass(60)
        #expect(clock.now == Instant(milliseconds: 1_060_000) && clock.jump == nil)
    }

    @Test(
        "follows a machine whose clock is set by up to a minute, by at most a tenth, and never goes back",
        arguments: [-60, 60])
    func follows(seconds: Int) {
        let machine = Machine()
        let clock = machine.clock
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
        let machine = Machine()
        let clock = machine.clock
        let before = clock.now
        machine.set(seconds)
        #expect(clock.jump == .seconds(seconds))
        machine.pass(120)
        #expect(before.duration(to: clock.now) == .seconds(120) && clock.jump == .seconds(seconds))
        machine.set(-seconds)
        #expect(before.duration(to: clock.now) == .seconds(120) && clock.jump == nil)
    }
}
