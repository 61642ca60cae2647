import Conversation
import IntentEvents
package import Logging
import Pipeline
package import RecordLog
import ServiceLifecycle
import Synchronization

/// A fault of the clock of a process.
package enum ClockFault: Sendable, Hashable, CustomStringConvertible {
    /// The machine's clock was set by this difference while the process ran; negative if it was set back.
    case jumped(Duration)
    /// The machine's clock is ahead of the broker's clock by this difference; negative if it is behind.
    case apart(Duration)

    package var description: String {
        switch self {
        case .jumped(let ahead): "the clock of this machine has jumped \(Self.text(ahead, "ahead", "back"))"
        case .apart(let ahead): "the clock of this machine is \(Self.text(ahead, "ahead of", "behind")) the broker's"
        }
    }

    private static func text(_ ahead: Duration, _ isAhead: String, _ isBehind: String) -> String {
        "\(abs(ahead.components.seconds)) s \(ahead < .zero ? isBehind : isAhead)"
    }

    /// `true` if both faults are of one kind, whatever the difference.
    fileprivate func isLike(_ other: ClockFault?) -> Bool {
        switch (self, other) {
        case (.jumped, .jumped), (.apart, .apart): true
        default: false
        }
    }
}

/// Monitors the clock of a process. A machine's clock that jumps by more than a minute, or is more than ten seconds
/// apart from the broker's, makes the process unready. If the fault persists, the process ends.
///
/// A loop of the process calls ``check(_:)`` about once a second. Times and deadlines of a process with such a clock
/// can't be trusted. A supervisor can restart the process on another machine.
package final class ClockWatch: Sendable {
    private struct State {
        /// The machine clock's lead over the broker's clock, and the time of the comparison; `nil` before the first
        /// comparison.
        var comparison: (ahead: Duration, at: Duration)?
        /// The last reported fault.
        var fault: ClockFault?
        var since: Duration?
    }

    /// The time after which a process with a wrong clock ends.
    package static let patience: Duration = .seconds(60)
    /// The time that a starting process waits for the first comparison.
    private static let firstComparison: Duration = .seconds(10)

    package let clock: SteadyClock
    private let health: Health
    private let elapsed: @Sendable () -> Duration
    private let state = Mutex(State())

    /// - Parameter elapsed: Returns the time of a clock that is never set.
    package init(_ clock: SteadyClock, health: Health, elapsed: @escaping @Sendable () -> Duration) {
        (self.clock, self.health, self.elapsed) = (clock, health, elapsed)
    }

    /// Monitors this machine's clock.
    package convenience init(health: Health) {
        let start = ContinuousClock.now
        self.init(SteadyClock(), health: health) { start.duration(to: .now) }
    }

    /// The machine clock's lead over the broker's clock; negative if it is behind, `nil` before the first comparison.
    package var aheadOfBroker: Duration? { state.withLock { $0.comparison?.ahead } }

    /// Records a comparison of the process's clock with the broker's.
    package func recordComparison(ahead: Duration) { state.withLock { $0.comparison = (ahead, elapsed()) } }

    /// Waits until the clock has been compared with the broker's and is right, so that a process with a wrong clock is
    /// assigned no partitions. Without a comparison, the wait ends after ten seconds, because a pipeline without
    /// comparisons is better than none.
    ///
    /// - Returns: `false` if the process is about to end.
    package func waitUntilRight(_ logger: Logger) async -> Bool {
        let end = elapsed() + Self.firstComparison
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            switch aheadOfBroker {
            case nil where elapsed() >= end:
                logger.warning(
                    "the clock of this machine could not be compared with the broker's within 10 s: going on")
                return true
            case let ahead? where !Catalogue.Process.isApart(ahead) && clock.jump == nil: return true
            default: try? await ContinuousClock().sleep(for: .milliseconds(20))
            }
        }
        return false
    }

    /// Reports a new or ended fault of the clock, and keeps the process unready while the fault persists.
    ///
    /// - Throws: ``RecordLog/LogError``, fatal, if a fault has persisted for ``patience``. A difference from the
    ///   broker's clock persists only if a later comparison confirms it, and there are no comparisons without a broker.
    package func check(_ logger: Logger) throws(LogError) {
        let jump = clock.jump
        let now = elapsed()
        let (fault, before, lasted) = state.withLock { state in
            let apart = state.comparison.flatMap {
                Catalogue.Process.isApart($0.ahead) ? ClockFault.apart($0.ahead) : nil
            }
            let fault = jump.map { ClockFault.jumped($0) } ?? apart
            let seen = jump == nil ? state.comparison?.at ?? now : now
            let before = state.fault
            state.since = fault == nil ? nil : state.since ?? seen
            state.fault = fault
            return (fault, before, state.since.map { seen - $0 } ?? .zero)
        }
        health.suspend(because: fault.map { "\($0)" })
        guard let fault else {
            if before != nil { logger.notice("the clock of this machine is right again") }
            return
        }
        if lasted >= Self.patience {
            throw LogError(
                .other,
                "the process ends because of its clock: \(fault), and has been wrong for \(lasted.components.seconds) s. Let NTP set the clock of this machine, then start the process again",
                disposition: .fatal)
        }
        if !fault.isLike(before) {
            logger.error(
                "\(fault): the process is not ready, and ends if the clock stays wrong for \(Self.patience.components.seconds) s; let NTP set it"
            )
        }
    }
}
