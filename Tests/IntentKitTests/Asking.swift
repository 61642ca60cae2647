import IntentKit
import IntentRuntime
import PipelineTestKit
import Synchronization

/// Plays the coordinator for one phase of an intent that asks: stores answers, recorded results and parameter values,
/// and runs the phase again.
struct Asking {
    let registry: IntentRegistry
    let intent: String
    var phase: Phase
    var parameters: [ParameterState]
    /// The values that the last run read from the answers.
    private(set) var taken: [String: JSON] = [:]
    var context = InvocationContext(session: "s", request: "r", idempotencyKey: "k")

    /// - Parameter server: An extension, whose first intent is performed.
    init(_ server: any IntentExtension, _ phase: Phase = .handle, _ parameters: [ParameterState] = []) throws {
        registry = try server.registry()
        intent = server.intents[0].name
        self.phase = phase
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
    mutating func answer(_ question: PhaseQuestion?, _ reply: Reply) async -> PhaseOutcome {
        guard let question else { return .failed(IntentFailure(.reject, reason: .unexpected, message: "no question")) }
        context.answers.removeAll { $0.question == question.id }
        context.answers.append(PhaseAnswer(question: question.id, isAccepted: reply.isAccepted, value: reply.value))
        var said = reply.value
        if case .confirmValue(let confirmed) = question.kind { said = confirmed }
        if reply.isAccepted, let name = question.parameter, let said {
            parameters.removeAll { $0.name == name }
            parameters.append(ParameterState(name: name, value: said))
        }
        return await run()
    }

    /// Runs the phase, gives these replies to its questions one after the other, and returns a line for each outcome.
    mutating func lines(_ replies: [Reply]) async -> [String] {
        var outcome = await run()
        var lines = [outcome.line]
        for reply in replies {
            outcome = await answer(outcome.question, reply)
            lines.append(outcome.line)
        }
        return lines
    }
}

/// A person's reply to a question.
struct Reply {
    var value: JSON?
    var isAccepted = true

    static let accept = Reply()
    static let decline = Reply(isAccepted: false)
    static func say(_ value: JSON?) -> Reply { Reply(value: value) }
}

extension PhaseOutcome {
    /// The outcome as a line: `choice:guest#1 [p1, p2] Which Kim?`, `success 3 pots`, `cancelled the person said no`.
    var line: String {
        switch self {
        case .asked(let question): question.line
        case .responded(let response, nil)
        where response
            == IntentResponse(response.code, userActivity: response.userActivity, dialog: response.dialog):
            [response.code.rawValue, response.dialog, response.userActivity?.line].compactMap(\.self)
                .joined(separator: " ")
        case .failed(let failure): "\(failure.kind): \(failure.message)"
        default: "\(self)"
        }
    }
}

extension UserActivity {
    /// The activity's type and values: `[Improvised table=7]`.
    fileprivate var line: String {
        guard self == UserActivity(activityType: activityType, userInfo: userInfo) else { return "\(self)" }
        return "[\(([activityType] + userInfo.map { "\($0)=\($1)" }.sorted()).joined(separator: " "))]"
    }
}

extension PhaseQuestion {
    /// The options of a choice; empty for every other question.
    var options: [ParameterOption] { if case .choice(let options) = kind { options } else { [] } }

    /// The question's identifier, without the digest of a value to confirm, with its options or the value, its dialog,
    /// and the reason why an answer is not supported.
    var line: String {
        let subject: String? =
            switch kind {
            case .choice(let options): "[\(options.map(\.id).joined(separator: ", "))]"
            case .confirmValue(let value): "\(value)"
            case .confirmIntent: id.hasPrefix("confirmIntent") ? nil : "intent"
            case .value: id.hasPrefix("value") ? nil : "value"
            case .signIn: "sign in"
            }
        let plainID = id.replacing(/=[0-9a-z]*/, with: "")
        return [plainID, subject, dialog, unsupportedReason.map { "(\($0))" }].compactMap(\.self).joined(separator: " ")
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
func improvising(_ script: @escaping Improvised.Script, _ body: (inout Asking) async throws -> Void) async throws {
    var asking = try Asking(SelfPerformingExtension(Improvised.self), .handle, [.given("table", 7)])
    try await Improvised.$script.withValue(script) { try await body(&asking) }
}

/// Performs the intent whose `perform()` is the script with these replies, and returns a line for each outcome.
func improvise(_ replies: Reply..., script: @escaping Improvised.Script) async throws -> [String] {
    var lines: [String] = []
    try await improvising(script) { lines = await $0.lines(replies) }
    return lines
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
