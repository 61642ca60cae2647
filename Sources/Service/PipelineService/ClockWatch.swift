import Conversation
package import Logging
import Pipeline
package import RecordLog
import ServiceLifecycle
import Synchronization

/// What is wrong with the clock of a process.
package enum ClockFault: Sendable, Hashable, CustomStringConvertible {
    /// The machine's clock was set by this much while the process ran; negative if it was set back.
    case jumped(Duration)
    /// The machine's clock is this much ahead of the broker's; negative if it is behind.
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

    /// Whether both are of one kind, whatever the difference is.
    fileprivate func isLike(_ other: ClockFault?) -> Bool {
        switch (self, other) {
        case (.jumped, .jumped), (.apart, .apart): true
        default: false
        }
    }
}

/// Judges the clock of a process: a machine's clock that jumps by more than a minute, or is more than ten seconds apart from the broker's, makes the process
/// unready, and ends it if it stays so.
///
/// A loop of the process calls ``look(_:)`` about once a second. Times and deadlines of a process with such a clock can't be trusted, and a supervisor that starts it
/// again on another machine helps.
package final class ClockWatch: Sendable {
    private struct State {
        /// By how much the machine's clock is ahead of the broker's, and when that was compared; `nil` before the first comparison.
        var comparison: (ahead: Duration, at: Duration)?
        /// The fault that was told last, and since when there has been one.
        var fault: ClockFault?
        var since: Duration?
    }

    /// How far a clock may be from the broker's.
    package static let tolerance: Duration = .seconds(10)
    /// For how long a process goes on with a wrong clock.
    package static let patience: Duration = .seconds(60)
    /// For how long a process that starts waits for the first comparison.
    private static let firstComparison: Duration = .seconds(10)

    package let clock: SteadyClock
    private let health: Health
    private let elapsed: @Sendable () -> Duration
    private let state = Mutex(State())

    /// - Parameter elapsed: a time that is never set.
    package init(_ clock: SteadyClock, health: Health, elapsed: @escaping @Sendable () -> Duration) {
        (self.clock, self.health, self.elapsed) = (clock, health, elapsed)
    }

    /// Watches this machine's clock.
    package convenience init(health: Health) {
        let start = ContinuousClock.now
        self.init(SteadyClock(), health: health) { start.duration(to: .now) }
    }

    /// By how much the machine's clock is ahead of the broker's; negative if it is behind, `nil` before the first comparison.
    package var aheadOfBroker: Duration? { state.withLock { $0.comparison?.ahead } }

    /// The process has compared its clock with the broker's.
    package func compared(ahead: Duration) { state.withLock { $0.comparison = (ahead, elapsed()) } }

    /// Waits until the clock has been compared with the broker's and is right, so that a process whose clock is wrong takes no partitions. After ten seconds without a
    /// comparison it waits no longer, because a pipeline without comparisons is better than none.
    ///
    /// - Returns: `false` if the process is about to end.
    package func untilRight(_ logger: Logger) async -> Bool {
        let end = elapsed() + Self.firstComparison
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            switch aheadOfBroker {
            case nil where elapsed() >= end:
                logger.warning("the clock of this machine could not be compared with the broker's within 10 s: going on")
                return true
            case let ahead? where !Self.isApart(ahead) && clock.jump == nil: return true
            default: try? await ContinuousClock().sleep(for: .milliseconds(20))
            }
        }
        return false
    }

    /// Whether a difference from the broker's clock is more than ``tolerance``.
    static func isApart(_ ahead: Duration) -> Bool { ahead > tolerance || ahead < .zero - tolerance }

    /// Reports a fault of the clock that is new or over, and keeps the process unready meanwhile.
    ///
    /// - Throws: ``RecordLog/LogError``, fatal, if there has been a fault for ``patience``. Only a comparison that late says so of the broker's clock: without a broker
    ///   there is none.
    package func look(_ logger: Logger) throws(LogError) {
        let jump = clock.jump
        let now = elapsed()
        let (fault, before, lasted) = state.withLock { state in
            let apart = state.comparison.flatMap { Self.isApart($0.ahead) ? ClockFault.apart($0.ahead) : nil }
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
