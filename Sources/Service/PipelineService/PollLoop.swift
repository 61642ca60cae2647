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
    let health: Health
    let isMember: Bool
    /// Polls until `stop` is requested, then closes the client. Beats after each poll.
    let body: @Sendable (_ stop: Stop, _ heartbeat: Heartbeat) throws -> Void

    /// - Parameter isMember: `true` if the client is a member of a consumer group. The process is ready when all
    ///   members are ready.
    package init(
        name: String, client: any LogClient, health: Health, isMember: Bool = false,
        body: @escaping @Sendable (_ stop: Stop, _ heartbeat: Heartbeat) throws -> Void
    ) {
        self.name = name
        self.client = client
        self.health = health
        self.isMember = isMember
        self.body = body
    }

    package func run() async throws {
        let stop = Stop()
        let heartbeat = health.begin(name, isMember: isMember) { [client] in
            stop.request()
            client.wake()
        }
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let thread = Thread {
                    let ending = Result { try body(stop, heartbeat) }
                    // The end is reported here and not after the continuation, because the continuation needs a thread
                    // of the pool, and handlers may block all of them.
                    health.end(heartbeat)
                    continuation.resume(with: ending)
                }
                thread.name = name
                thread.start()
            }
        } onCancelOrGracefulShutdown: {
            health.drain()
            stop.request()
            client.wake()
        }
    }
}

/// Prints the partitions that this process owns to standard output, as a JSON line. Called at each change; `intents
/// dev` reads the line.
package func announce(_ role: String, partitions: [Int32]) {
    let line = "{\"role\":\"\(role)\",\"partitions\":\(partitions)}\n"
    FileHandle.standardOutput.write(Data(line.utf8))
}

/// Prints the address of metrics and health to standard output, as a JSON line.
func announce(telemetry address: TelemetryServer.Address) {
    FileHandle.standardOutput.write(Data("{\"telemetry\":\"\(address)\"}\n".utf8))
}

/// Limits an action to once a second. One thread uses it.
package struct EverySecond {
    private var last: ContinuousClock.Instant?

    package init() {}

    package mutating func fireIfDue() -> Bool {
        let now = ContinuousClock.now
        if let last, last.duration(to: now) < .seconds(1) { return false }
        last = now
        return true
    }
}
