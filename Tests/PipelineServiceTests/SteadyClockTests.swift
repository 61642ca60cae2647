import Conversation
import PipelineService
import Synchronization
import Testing

@Suite("The clock of a process")
struct SteadyClockTests {
    private final class Machine: Sendable {
        let wall = Mutex(1_000_000.0)
        let elapsed = Mutex(Duration.zero)

        func pass(_ seconds: Int) {
            wall.withLock { $0 += Double(seconds) * 1_000 }
            elapsed.withLock { $0 += .seconds(seconds) }
        }

        var clock: SteadyClock {
            SteadyClock(wall: { self.wall.withLock { $0 } }, elapsed: { self.elapsed.withLock { $0 } })
        }
    }

    @Test("tells the machine's time")
    func plain() {
        let machine = Machine()
        let clock = machine.clock
        machine.pass(60)
        #expect(clock.now == Instant(milliseconds: 1_060_000))
    }

    @Test("two minutes take two minutes, give or take a tenth, if the machine's clock is set by an hour", arguments: [-3_600, 3_600])
    func set(seconds: Int) {
        let machine = Machine()
        let clock = machine.clock
        let before = clock.now
        machine.wall.withLock { $0 += Double(seconds) * 1_000 }
        for _ in 0..<120 {
            machine.pass(1)
            _ = clock.now
        }
        let passed = before.duration(to: clock.now)
        #expect(passed >= .seconds(108) && passed <= .seconds(132))
    }

    @Test("follows the machine's clock in the end, and never goes back", arguments: [-600, 600])
    func follows(seconds: Int) {
        let machine = Machine()
        let clock = machine.clock
        machine.wall.withLock { $0 += Double(seconds) * 1_000 }
        var last = clock.now
        for _ in 0..<7_000 {
            machine.pass(1)
            let now = clock.now
            #expect(now >= last)
            last = now
        }
        #expect(last == Instant(milliseconds: Int64(machine.wall.withLock { $0 })))
    }
}
