import ArgumentParser
import Dispatch
import Foundation
import Logging

/// Ends this process in time even if handlers block all threads of Swift's pool.
///
/// The service group needs the pool to notice a signal and to measure its time limits. This type therefore handles
/// signals too, on a thread that runs no handlers: the process is not ready from then on. If the service group does not
/// react, this type stops the loops. The loops leave their consumer groups, so that other processes do the work, and
/// the process ends.
final class ForcedEnding: Sendable {
    /// The time limit of the process from the signal to its end.
    static let limit: Duration = .seconds(30)

    /// The time limit of the service group for stopping the loops.
    private static let patience: Duration = .seconds(5)
    /// The time between the closing of the loops and the end of the process, in which the last spans are sent.
    private static let farewell: Duration = .seconds(5)

    private let health: Health
    private let logger: Logger
    private let end: @Sendable (ExitCode) -> Void
    /// The factor of all times; less than 1 in tests.
    private let pace: Double
    private let queue = DispatchQueue(label: "intents.ending")

    /// - Parameter end: Ends the process.
    init(
        health: Health, logger: Logger, pace: Double = 1,
        end: @escaping @Sendable (ExitCode) -> Void = { endProcess($0) }
    ) {
        (self.health, self.logger, self.pace, self.end) = (health, logger, pace, end)
    }

    /// Handles these signals until the returned sources are cancelled.
    func watch(_ signals: [Int32]) -> [any DispatchSourceSignal] {
        signals.map { signal in
            let source = DispatchSource.makeSignalSource(signal: signal, queue: queue)
            source.setEventHandler { [self] in begin(at: .now) }
            source.resume()
            return source
        }
    }

    /// Handles a signal to end.
    func begin(at start: ContinuousClock.Instant) {
        health.markTerminating()
        schedule(after: Self.patience * pace) { [self] in
            guard !health.isDraining else { return }
            logger.error(
                "the process does not react to the signal, as when handlers block all threads: it leaves its groups, and others do its work"
            )
            health.stopLoops()
            wait(since: start, closed: nil)
        }
    }

    private func wait(since start: ContinuousClock.Instant, closed: ContinuousClock.Instant?) {
        let now = ContinuousClock.now
        let closed = closed ?? (health.areLoopsClosed ? now : nil)
        if let closed, closed.duration(to: now) >= Self.farewell * pace { return end(.success) }
        if start.duration(to: now) >= Self.limit * pace {
            logger.critical("the process ends without having closed everything")
            return end(closed == nil ? .failed : .success)
        }
        schedule(after: .milliseconds(100) * pace) { [self] in wait(since: start, closed: closed) }
    }

    private func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(delay / .milliseconds(1))), execute: body)
    }
}
