import ArgumentParser
import Dispatch
import Foundation
import Logging

/// Ends this process in time even if its handlers block all threads of Swift's pool.
///
/// The service group needs that pool to notice a signal, and to count its time. So signals are noticed here as well, on a thread that no handler runs on: the process
/// is not ready from then on. If the group does nothing, the loops are told to end from here. They leave their consumer groups, so that others do the work, and the
/// process ends.
final class ForcedEnding: Sendable {
    /// How long the process may take from the signal.
    static let limit: Duration = .seconds(30)

    /// How long the service group may take until it tells the loops to end.
    private static let patience: Duration = .seconds(5)
    /// How long it may take to end once the loops are closed, so that the last spans are sent.
    private static let farewell: Duration = .seconds(5)

    private let health: Health
    private let logger: Logger
    private let end: @Sendable (ExitCode) -> Void
    /// By how much the times are shorter, for tests.
    private let pace: Double
    private let queue = DispatchQueue(label: "intents.ending")

    /// - Parameter end: ends the process.
    init(health: Health, logger: Logger, pace: Double = 1, end: @escaping @Sendable (ExitCode) -> Void = { endProcess($0) }) {
        (self.health, self.logger, self.pace, self.end) = (health, logger, pace, end)
    }

    /// - Returns: What watches the signals until it is cancelled.
    func watch(_ signals: [Int32]) -> [any DispatchSourceSignal] {
        signals.map { signal in
            let source = DispatchSource.makeSignalSource(signal: signal, queue: queue)
            source.setEventHandler { [self] in begin(at: .now) }
            source.resume()
            return source
        }
    }

    /// A signal to end has come.
    func begin(at start: ContinuousClock.Instant) {
        health.noteSignal()
        later(Self.patience * pace) { [self] in
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
        later(.milliseconds(100) * pace) { [self] in wait(since: start, closed: closed) }
    }

    private func later(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(delay / .milliseconds(1))), execute: body)
    }
}
