import Foundation
import RecordLog
import ServiceLifecycle
import Synchronization

/// A loop that polls the log, on a thread of its own, until the process is asked to end.
struct PollLoop: Service {
    /// Asks the loop to end.
    final class Stop: Sendable {
        private let flag = Atomic<Bool>(false)
        var isRequested: Bool { flag.load(ordering: .acquiring) }
        func request() { flag.store(true, ordering: .releasing) }
    }

    let name: String
    let client: any LogClient
    /// Runs until `stop` is requested; then it closes the client.
    let body: @Sendable (_ stop: Stop) throws -> Void

    func run() async throws {
        let stop = Stop()
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let thread = Thread {
                    continuation.resume(with: Result { try body(stop) })
                }
                thread.name = name
                thread.start()
            }
        } onCancelOrGracefulShutdown: {
            stop.request()
            client.wake()
        }
    }
}

/// Tells the parent process, or whoever reads standard output, what this process has: a JSON line at each change.
func announce(_ role: String, partitions: [Int32]) {
    let line = "{\"role\":\"\(role)\",\"partitions\":\(partitions)}\n"
    FileHandle.standardOutput.write(Data(line.utf8))
}
