import Conversation
import IntentEvents
import IntentModel
import PipelineTestKit

/// The stages, events and faults that histories have reached, by name, such as `stage: resolving → confirming` or
/// `result: prompt.issued.v1`.
///
/// The counts come from the records in the topics and from the coordinators' counters. They show what the pipeline has
/// done, not what the script asked for.
public struct SimulationCoverage: Sendable, Hashable {
    public private(set) var counts: [String: Int] = [:]

    public init() {}

    mutating func count(_ kind: Kind, _ name: String, times: Int = 1) {
        counts["\(kind.rawValue): \(name)", default: 0] += times
    }

    public static func += (sum: inout SimulationCoverage, one: SimulationCoverage) {
        sum.counts.merge(one.counts, uniquingKeysWith: +)
    }

    /// The kind of a counted name.
    enum Kind: String {
        /// A move between two stages of a request.
        case stage
        case request, whenBusy, answer, work, cancel, outcome, resolution, policy
        case result, prompt, status, handoff, updatesEnd
        /// A record of the memory of people.
        case memory
        /// The reason of a rejection, and of the error in a completion.
        case rejected, error
        /// An event that changed nothing.
        case ignored
        /// A fault that a process has met.
        case fault = "met"
        /// A verdict on a record of the journal.
        case journal
    }

    /// The names that were never reached although a simulation can reach them.
    public var missing: [String] { Self.expected.filter { counts[$0] == nil && Self.unreachable[$0] == nil } }

    /// The names that were reached although they are listed as unreachable.
    public var surprising: [String] { Self.unreachable.keys.filter { counts[$0] != nil }.sorted() }

    /// The names of everything in a conversation, as the code declares it.
    public static var expected: [String] {
        var names: [String] = []
        func add(_ kind: Kind, _ all: [String]) { names += all.map { "\(kind.rawValue): \($0)" } }
        for from in StageName.allCases { add(.stage, from.exits.map { move(from, $0) }.sorted()) }
        for type in EventType.allCases { if let kind = kind(of: type) { add(kind, [type.rawValue]) } }
        // Handlers write these two types, and persons receive them.
        add(.outcome, [EventType.updated, .updatesEnded].map(\.rawValue))
        add(.request, [EventType.handoffClaimed.rawValue])
        add(.whenBusy, IntentRequest.WhenBusy.allCases.map(\.rawValue))
        add(.answer, Answer.Action.allCases.map(\.rawValue))
        add(.cancel, CancellationReason.allCases.map(\.rawValue))
        add(.resolution, resolutions)
        add(.policy, IntentEffect.allCases.map(\.rawValue))
        add(
            .outcome,
            [
                "progressed", "cancelled", "asked", "retry", "failure", "reject", "proposed", "choice", "opens",
                "remembered", "taken",
            ])
        add(
            .prompt,
            Prompt.Kind.allCases.map(\.rawValue) + [
                "element", "secret", "items", "proposed", "options after escalation",
            ])
        add(.status, Completion.Status.allCases.map(\.rawValue) + ["chosen", "opens", "items", "updates", "activity"])
        add(.handoff, [Handoff.Mode.foreground, .background].map(\.rawValue) + ["offered again"])
        add(.memory, ["change", "person", "tombstone"])
        add(.updatesEnd, UpdatesEnd.allCases.map(\.rawValue))
        add(.rejected, RejectionReason.allCases.map(\.rawValue))
        add(.error, RejectionReason.allCases.map(\.rawValue))
        add(.ignored, Ignored.allCases.map(\.rawValue))
        add(.fault, faults)
        add(.journal, ["valid", "void", "after a gap", "foreign", "of 0.1.0"])
        return names
    }

    static let faults = [
        "a failed record: retry", "a failed record: abort", "a failed record: fatal",
        "a record dropped after a failed one",
        "a record too large",
        "a full queue", "records that wait for a leader", "an acknowledgement after the record was read",
        "a result before an earlier one",
        "a dead letter that is an excerpt", "a dead letter that the log refuses for good",
        "a compaction that was interrupted", "a record with a timestamp far from now",
        "a clock behind that of the life before", "a session that can't be read, and is restored",
        "a session that can't be read, and is forgotten",
        "a session that may have been overwritten, and is forgotten", "other requests, and a new position in them",
        "other outcomes, and a new position in them", "a takeover of what a standby has followed",
        "a standby that has to read again",
        "a partition that came back, with what another has written",
        "topics with more partitions than the journal says", "a journal that lost records, and whose input is skipped",
        "a journal that lost records, and decides again", "topics that take no records",
        "records behind an open transaction",
        "a batch that can't be read", "a new session without a key", "a dead letter that names many records",
        "a change of the memory that is written again", "a key file that is replaced",
        "an intent that no worker serves any more",
    ]

    static func move(_ from: StageName, _ to: StageName) -> String { "\(from.rawValue) → \(to.rawValue)" }

    static let resolutions = [
        "success", "notRequired", "needsValue", "disambiguation", "confirmationRequired", "unsupported",
    ]

    /// Returns the kind of an event type; `nil` for the catalogue, whose records belong to no conversation.
    private static func kind(of type: EventType) -> Kind? {
        switch type {
        case .requested, .promptAnswered, .optionsRequested, .parameterCorrected, .cancelled, .forgotten, .sessionEnded,
            .handoffCompleted,
            .handoffReturned,
            .updatesStarted, .updatesStopped, .undoRequested:
            .request
        case .promptIssued, .promptReminded, .optionsListed, .answerRead, .progressed, .handoffOffered, .handoffClaimed,
            .completed,
            .answeredLate, .memoryForgotten, .rejected, .updated, .updatesEnded:
            .result
        case .resolve, .confirm, .handle, .cancel, .permit, .update: .work
        case .resolved, .confirmed, .handled, .starting: .outcome
        case .served, .serving: nil
        }
    }

    /// The names that a simulation can't reach, with the reasons.
    public static let unreachable: [String: String] = [
        "cancel: shutdown": "a worker tells it to its own handlers when it ends; it is never written",
        "rejected: outcomeUnknown": "it is the end of a request, and no refusal of an event",
        "request: undo.requested.v1": "simulated handlers offer no inverse; random conversations and sessions cover it",
        "prompt: signIn": "simulated handlers do not ask to sign in; random conversations and sessions cover it",
        "ignored: earlyTimer": "a coordinator looks whether a timer is due before it lets the session decide",
    ]
}
