public import Conversation

/// The totals of one history, or of many.
public struct SimulationReport: Sendable, Hashable {
    public var histories = 0
    /// Histories with hundreds of requests.
    public var dense = 0
    public var moves = 0
    /// Records written to any topic.
    public var records = 0
    public var requests = 0
    public var prompts = 0
    public var results = 0
    public var rejections = 0
    /// Requests in a partition other than that of their key.
    public var misplaced = 0
    public var completions: [Completion.Status: Int] = [:]
    /// Calls of handlers in any phase.
    public var calls = 0
    /// Effects of handlers.
    public var effects = 0
    /// Permits for handlers of once-only intents.
    public var permits = 0
    /// Late outcomes.
    public var lateAnswers = 0
    /// Prompts from code.
    public var questions = 0
    /// Requests that other requests have opened.
    public var opened = 0
    /// Items that persons have chosen.
    public var choices = 0
    /// Calls of handlers for updates.
    public var updateCalls = 0
    /// Updates that handlers reported.
    public var updates = 0
    /// Results that a replaced coordinator wrote again.
    public var copies = 0
    public var deadLetters = 0
    public var takeovers = 0
    /// Processes that crashed, by plan or because the log refused a record.
    public var deaths = 0
    /// The number of times that a coordinator found another writer in the journal.
    public var gaps = 0
    public var faults: [String: Int] = [:]
    /// The coverage, if ``Simulation/isSurveyed``.
    public var coverage = SimulationCoverage()

    public init() {}

    public static func += (sum: inout SimulationReport, one: SimulationReport) {
        sum.histories += one.histories
        sum.dense += one.dense
        sum.moves += one.moves
        sum.records += one.records
        sum.requests += one.requests
        sum.prompts += one.prompts
        sum.results += one.results
        sum.rejections += one.rejections
        sum.misplaced += one.misplaced
        sum.completions.merge(one.completions, uniquingKeysWith: +)
        sum.calls += one.calls
        sum.effects += one.effects
        sum.permits += one.permits
        sum.lateAnswers += one.lateAnswers
        sum.questions += one.questions
        sum.opened += one.opened
        sum.choices += one.choices
        sum.updateCalls += one.updateCalls
        sum.updates += one.updates
        sum.copies += one.copies
        sum.deadLetters += one.deadLetters
        sum.takeovers += one.takeovers
        sum.deaths += one.deaths
        sum.gaps += one.gaps
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
