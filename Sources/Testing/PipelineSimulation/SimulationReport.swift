public import Conversation

/// The totals of one history, or of many.
public struct SimulationReport: Sendable, Hashable {
    /// A number that a history counts. The raw value is its name for people.
    public enum Total: String, Sendable, CaseIterable {
        case histories
        /// Histories with hundreds of requests.
        case dense = "dense histories"
        case moves
        /// Records written to any topic.
        case records
        case requests
        case prompts
        case results
        case rejections
        /// Requests in a partition other than that of their key.
        case misplaced = "requests misplaced"
        /// Calls of handlers in any phase.
        case calls = "handler calls"
        case effects
        case permits = "permits to call once"
        /// Prompts from code.
        case questions = "prompts from code"
        /// Requests that other requests have opened.
        case opened = "opened requests"
        /// Items that persons have chosen.
        case choices = "items chosen"
        case lateAnswers = "late outcomes"
        /// Updates that handlers reported.
        case updates
        case deadLetters = "dead letters"
        case takeovers
        /// Processes that crashed, by plan or because the log refused a record.
        case deaths = "crashed processes"
        /// The number of times that a coordinator found another writer in the journal.
        case gaps = "foreign records found in the journal"
        /// Results that a replaced coordinator wrote again.
        case copies = "copies of results"
    }

    private var totals: [Total: Int] = [:]
    public var completions: [Completion.Status: Int] = [:]
    public var faults: [String: Int] = [:]
    /// The coverage, if ``Simulation/isSurveyed``.
    public var coverage = SimulationCoverage()

    public init() {}

    public subscript(total: Total) -> Int {
        get { totals[total, default: 0] }
        set { totals[total] = newValue }
    }

    public static func += (sum: inout SimulationReport, one: SimulationReport) {
        sum.totals.merge(one.totals, uniquingKeysWith: +)
        sum.completions.merge(one.completions, uniquingKeysWith: +)
        sum.faults.merge(one.faults, uniquingKeysWith: +)
        sum.coverage += one.coverage
    }
}

/// The outcome of one history.
public struct SimulationOutcome: Sendable {
    public var script: SimulationScript
    /// A hash of all records: equal for two runs that wrote the same bytes at the same offsets.
    public var trace: UInt64
    public var report: SimulationReport
    /// The violations in the order in which they were found.
    public var violations: [SimulationViolation]
    /// Every move, record, call and crash, if ``Simulation/isTranscribed``.
    public var transcript: [String]
}
