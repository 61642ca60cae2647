import ArgumentParser
import Foundation
import Logging
import Synchronization
import Testing

@testable import PipelineService

@Suite("Ending while handlers hold all threads", .timeLimit(.minutes(1))) struct ForcedEndingTests {
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
        func wait() -> ExitCode? { ended.wait(timeout: .now() + 10) == .success ? status.withLock { $0 } : nil }
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
        #expect(Ending(Health()).wait() != nil)
        #expect(stops.load(ordering: .relaxed) == 0 && ending.isPending)
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
        try #require(begun.wait(timeout: .now() + 10) == .success)
        let reader = try #require(thread.withLock { $0 })
        for _ in 0..<100 {
            pthread_kill(reader, SIGUSR2)
            sched_yield()
        }
        #expect(ended.wait(timeout: .now()) == .timedOut)
        close(ends[1])
        #expect(ended.wait(timeout: .now() + 10) == .success)
    }
}
