import Foundation
import Synchronization
import Testing

@testable import PipelineService

struct StoppingTests {
    @Test("a process whose standard input is open goes on after a signal, and ends with its input")
    func waitsThroughSignals() throws {
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
