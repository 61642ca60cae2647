/// The `ce_type` of every event on the wire, version 1.
public enum EventType: String, Sendable, Hashable, CaseIterable {
    // On intents.answers and intents.requests.
    case requested = "intent.requested.v1"
    case promptAnswered = "prompt.answered.v1"
    case optionsRequested = "options.requested.v1"
    case parameterCorrected = "parameter.corrected.v1"
    case cancelled = "intent.cancelled.v1"
    case forgotten = "session.forgotten.v1"
    case sessionEnded = "session.ended.v1"
    // There from the app; that it was claimed is told on intents.results as well.
    case handoffClaimed = "handoff.claimed.v1"
    case handoffCompleted = "handoff.completed.v1"
    case handoffReturned = "handoff.returned.v1"
    case updatesStarted = "updates.started.v1"
    case updatesStopped = "updates.stopped.v1"
    case undoRequested = "undo.requested.v1"
    // On intents.results.
    case promptIssued = "prompt.issued.v1"
    case promptReminded = "prompt.reminded.v1"
    case optionsListed = "options.listed.v1"
    case answerRead = "answer.read.v1"
    case progressed = "intent.progressed.v1"
    case handoffOffered = "handoff.offered.v1"
    case completed = "intent.completed.v1"
    case answeredLate = "intent.answeredLate.v1"
    case memoryForgotten = "memory.forgotten.v1"
    case rejected = "request.rejected.v1"
    // On the work topics.
    case resolve = "intent.resolve.v1"
    case confirm = "intent.confirm.v1"
    case handle = "intent.handle.v1"
    case cancel = "intent.cancel.v1"
    case permit = "intent.permit.v1"
    case update = "intent.update.v1"
    // On intents.outcomes.
    case resolved = "intent.resolved.v1"
    case confirmed = "intent.confirmed.v1"
    case handled = "intent.handled.v1"
    case starting = "intent.starting.v1"
    // On intents.catalog.
    case served = "intent.served.v1"
    case serving = "worker.serving.v1"
    // On intents.outcomes from a handler, and on intents.results from the coordinator.
    case updated = "intent.updated.v1"
    case updatesEnded = "updates.ended.v1"

    /// Types that earlier versions took, and how to do without them.
    static let removed = [
        "intent.donated.v1":
            "donations are not taken any more: the next request of the person can bring the values along"
    ]

    /// The type of this name in UTF-8.
    init?(utf8 name: [UInt8]) {
        guard Self.byLength.indices.contains(name.count),
            let found = Self.byLength[name.count].first(where: { $0.name == name })
        else {
            return nil
        }
        self = found.type
    }

    /// The types and their names, by the length of the name.
    private static let byLength: [[(type: EventType, name: [UInt8])]] = {
        let all = allCases.map { (type: $0, name: Array($0.rawValue.utf8)) }
        return (0...(all.map(\.name.count).max() ?? 0)).map { length in all.filter { $0.name.count == length } }
    }()

    /// Whether it is told on `intents.results`.
    var isResult: Bool {
        switch self {
        case .promptIssued, .promptReminded, .optionsListed, .answerRead, .progressed, .handoffOffered,
            .handoffClaimed, .handoffCompleted, .completed, .answeredLate, .updated, .updatesEnded, .memoryForgotten,
            .rejected:
            true
        default: false
        }
    }

    /// The name without its version.
    private var stem: Substring { rawValue.dropLast(3) }

    /// Whether a type that is not ours is one of ours in another version.
    static func isOtherVersion(_ type: String) -> Bool {
        guard EventType(rawValue: type) == nil, let dot = type.lastIndex(of: ".") else { return false }
        let stem = type[..<dot]
        let version = type[type.index(after: dot)...]
        guard version.first == "v", version.count > 1, version.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber })
        else { return false }
        return allCases.contains { $0.stem == stem }
    }
}
