import IntentKit
import IntentRuntime
import PipelineTestKit
import Synchronization

/// Plays the coordinator for one phase of an intent that asks: stores answers, recorded results and parameter values,
/// and runs the phase again.
struct Asking {
    let registry: IntentRegistry
    let intent: String
    var phase = Phase.handle
    var parameters: [ParameterState]
    /// The values that the last run read from the answers.
    private(set) var taken: [String: JSON] = [:]
    var context = InvocationContext(session: "s", request: "r", idempotencyKey: "k")

    init(_ server: any IntentExtension, _ intent: String, _ parameters: [ParameterState] = []) throws {
        registry = try IntentRegistry([server], dependencies: AppDependencyManager())
        self.intent = intent
        self.parameters = parameters
    }

    /// Runs the phase once.
    mutating func run() async -> PhaseOutcome {
        let outcome = await registry.perform(
            IntentInvocation(phase: phase, intent: intent, parameters: parameters, context: context))
        if let question = outcome.question { context.recorded = question.recorded }
        if let failure = outcome.failure { context.recorded = failure.recorded }
        guard case .responded(var response, let confirmation) = outcome else { return outcome }
        taken = response.appliedAnswers
        response.appliedAnswers = [:]
        return .responded(response, confirmation: confirmation)
    }

    /// Answers a question, and runs the phase again.
    mutating func answer(_ question: PhaseQuestion?, _ value: JSON? = nil, isAccepted: Bool = true) async
        -> PhaseOutcome
    {
        guard let question else {
            return .failed(IntentFailure(.reject, reason: .unexpected, message: "no question was asked"))
        }
        context.answers.removeAll { $0.question == question.id }
        context.answers.append(PhaseAnswer(question: question.id, isAccepted: isAccepted, value: value))
        var said = value
        if case .confirmValue(let confirmed) = question.kind { said = confirmed }
        if isAccepted, let name = question.parameter, let said {
            parameters.removeAll { $0.name == name }
            parameters.append(ParameterState(name: name, value: said))
        }
        return await run()
    }
}

/// An intent whose `perform()` is a test's closure.
struct Improvised: AppIntent {
    typealias Script = @Sendable (Improvised) async throws -> IntentResultContainer<Never, LocalizedText, Never, Never>
    @TaskLocal static var script: Script = { _ in .result(dialog: "Nothing") }

    static let title: LocalizedText = "Improvise"
    static let supportedModes: IntentModes = [.background, .foreground(.dynamic)]

    @Parameter(title: "Leaf", requestValueDialog: "Which leaf?") var leaf: Leaf?
    @Parameter(title: "Pots", requestValueDialog: "How many pots?", .inclusiveRange(1...4)) var pots: Int?
    @Parameter(title: "Guest") var guest: Person?
    @Parameter(title: "Table") var table: Int
    static let parameters = Parameters<Self>(\.$leaf, \.$pots, \.$guest, \.$table)
    static var parameterSummary: some ParameterSummary { Summary("Improvise at \(\.$table)") }

    func perform() async throws -> some IntentResult & ProvidesDialog { try await Self.script(self) }
}

/// Calls `body` with the intent whose `perform()` is the script.
func improvising(
    _ script: @escaping Improvised.Script, _ body: (inout Asking) async throws -> Void
) async throws {
    var asking = try Asking(SelfPerformingExtension(Improvised.self), "Improvised", [.given("table", json: "7")])
    try await Improvised.$script.withValue(script) { try await body(&asking) }
}

/// A counter for any thread.
final class Tally: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }
    @discardableResult func next() -> Int {
        value.withLock { value in
            value += 1
            return value
        }
    }
}
