import Foundation
package import RecordLog
import ServiceLifecycle
import Synchronization

/// A loop that polls the log on its own thread until graceful shutdown.
package struct PollLoop: Service {
    /// The request to end the loop.
    package final class Stop: Sendable {
        private let flag = Atomic<Bool>(false)
        package var isRequested: Bool { flag.load(ordering: .acquiring) }
        func request() { flag.store(true, ordering: .releasing) }
    }

    let name: String
    let client: any LogClient
    /// Runs until `stop` is requested, then closes the client.
    let body: @Sendable (_ stop: Stop) throws -> Void

    package init(name: String, client: any LogClient, body: @escaping @Sendable (_ stop: Stop) throws -> Void) {
        self.name = name
        self.client = client
        self.body = body
    }

    package func run() async throws {
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

/// Prints the partitions that this process owns to standard output as a JSON line. Called at each change; `intents dev` reads it.
package func announce(_ role: String, partitions: [Int32]) {
    let line = "{\"role\":\"\(role)\",\"partitions\":\(partitions)}\n"
    FileHandle.standardOutput.write(Data(line.utf8))
}
