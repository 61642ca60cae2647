import Conversation
import DequeModule
import IntentEvents
import IntentModel

/// Counts the events that a gateway follows.
package struct Figures: Sendable {
    /// The counts of one second.
    private struct Second: Sendable {
        var requests = 0
        var prompts = 0
        var completions = 0
        var results = 0
    }

    /// The number of seconds over which rates are averaged, those of topics too.
    package static let window = 10

    private var seconds: Deque<(second: Int64, counts: Second)> = []
    private(set) var completions: [String: Int] = [:]
    /// The durations of the last requests without the time of the person, in milliseconds.
    private var durations: Deque<Int64> = []
    private(set) var gaps = 0
    private(set) var copies = 0

    mutating func gap() { gaps += 1 }
    mutating func copy() { copies += 1 }

    /// - Parameters:
    ///   - now: The time at which the event was read. An event counts when it is read, not when it was written.
    ///   - isPast: `true` for an event from before the gateway started. It counts in no rate.
    mutating func count(_ event: TimelineEvent, ended: FollowedRequest?, at now: Instant, isPast: Bool) {
        if event.type == .completed { completions[event.data["status"]?.string ?? "", default: 0] += 1 }
        if let duration = ended?.duration {
            durations.append(duration)
            if durations.count > 100 { durations.removeFirst() }
        }
        if isPast { return }
        let second = now.milliseconds / 1_000
        if seconds.last?.second != second { seconds.append((second, Second())) }
        while let first = seconds.first, first.second <= second - Int64(Self.window) { seconds.removeFirst() }
        let last = seconds.count - 1
        if event.origin == .results { seconds[last].counts.results += 1 }
        switch event.type {
        case .requested: seconds[last].counts.requests += 1
        case .promptIssued: seconds[last].counts.prompts += 1
        case .completed: seconds[last].counts.completions += 1
        default: break
        }
    }

    func rates(at now: Instant) -> Rates {
        let first = now.milliseconds / 1_000 - Int64(Self.window)
        let counted = seconds.filter { $0.second >= first }.map(\.counts)
        func rate(_ count: (Second) -> Int) -> Double {
            Double(counted.reduce(0) { $0 + count($1) }) / Double(Self.window)
        }
        return Rates(
            requests: rate(\.requests), prompts: rate(\.prompts), completions: rate(\.completions),
            results: rate(\.results))
    }

    /// The median duration of the last hundred requests without the time of the person, in seconds.
    var medianDuration: Double? {
        durations.isEmpty ? nil : Double(durations.sorted()[durations.count / 2]) / 1_000
    }
}
