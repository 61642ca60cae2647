import ArgumentParser
import Foundation
import Logging
import Synchronization
import Testing

@testable import PipelineService

@Suite("Ending while handlers hold all threads", .timeLimit(.minutes(1)))
struct ForcedEndingTests {
    /// A recorder in place of the end of a process.
    private final class Ending: Sendable {
        let status = Mutex<ExitCode?>(nil)
        let ended = DispatchSemaphore(value: 0)

        func begin(_ health: Health) {
            let forced = ForcedEnding(
                health: health, logger: .init(label: "test") { _ in SwiftLogNoOpLogHandler() }, pace: 0.01
            ) {
                status in
                self.status.withLock { $0 = status }
                self.ended.signal()
            }
            forced.begin(at: .now)
        }
    }

    @Test("a signal makes a process unready at once, and closes its loops and ends it if nothing else does")
    func forces() {
        let (health, ending) = (Health(), Ending())
        health.expect(members: 1)
        let loop = Mutex<Heartbeat?>(nil)
        let begun = health.begin("handler", isMember: true) { loop.withLock { if let loop = $0 { health.end(loop) } } }
        loop.withLock { $0 = begun }
        _ = health.begin("tasks", isMember: false)
        begun.beat(isReady: true)
        #expect(health.isReady)
        ending.begin(health)
        #expect(!health.isReady && !health.isDraining)
        #expect(ending.ended.wait(timeout: .now() + 10) == .success)
        #expect(ending.status.withLock { $0 } == .success && health.isDraining && health.areLoopsClosed)
    }

    @Test("a loop that does not close does not keep a process from ending, with a failure")
    func hangs() {
        let (health, ending) = (Health(), Ending())
        let stops = Atomic(0)
        _ = health.begin("handler", isMember: true) { stops.add(1, ordering: .relaxed) }
        ending.begin(health)
        #expect(ending.ended.wait(timeout: .now() + 10) == .success)
        #expect(ending.status.withLock { $0 } == .failed && stops.load(ordering: .relaxed) == 1)
    }

    @Test("a process that ends by itself is left alone")
    func orderly() {
        let (health, ending) = (Health(), Ending())
        let stops = Atomic(0)
        _ = health.begin("handler", isMember: true) { stops.add(1, ordering: .relaxed) }
        health.drain()
        ending.begin(health)
        // Another ending, which has to be forced, ends later than this one would have begun.
        let other = Ending()
        other.begin(Health())
        #expect(other.ended.wait(timeout: .now() + 10) == .success)
        #expect(stops.load(ordering: .relaxed) == 0 && ending.status.withLock { $0 } == nil)
    }
}
