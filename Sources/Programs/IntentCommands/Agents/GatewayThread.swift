import ArgumentParser
import Foundation
import PersonGateway
import PipelineService
import Synchronization

/// The thread that drives a gateway.
final class GatewayThread: Sendable {
    private let gateway: Gateway
    private let isStopping = Atomic<Bool>(false)
    private let ended = Mutex<(isEnded: Bool, waiting: CheckedContinuation<Void, Never>?)>((false, nil))

    init(_ gateway: Gateway) { self.gateway = gateway }

    func start() {
        let thread = Thread { [self] in
            do {
                while !isStopping.load(ordering: .acquiring) { try gateway.step(timeout: .milliseconds(500)) }
                try gateway.close(timeout: .seconds(3))
            } catch {
                complain("\(error)")
                // Without Kafka, no request can be served. The host restarts the program.
                if !isStopping.load(ordering: .acquiring) { endProcess(.failed) }
            }
            ended.withLock { ended in
                ended.isEnded = true
                ended.waiting?.resume()
            }
        }
        thread.name = "gateway"
        thread.start()
    }

    /// Stops the loop, and waits for its end.
    func stop() async throws {
        isStopping.store(true, ordering: .releasing)
        gateway.wake()
        await withCheckedContinuation { continuation in
            ended.withLock { ended in if ended.isEnded { continuation.resume() } else { ended.waiting = continuation } }
        }
    }
}
