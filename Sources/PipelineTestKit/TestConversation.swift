import Conversation
public import IntentEvents
public import IntentKit
public import IntentRuntime
import RecordLog

/// A person who talks with a ``TestPipeline``, so that a test reads like a script:
///
/// ```swift
/// var talk = try await TestConversation(with: [PaymentExtension()])
/// try await talk.request("SendPayment", ["payee": "Mia", "currencyAmount": "20 CAD"])
/// try await talk.say("20 EUR")
/// try await talk.say("yes")
/// #expect(try talk.lines == ["asks currencyAmount: …", "confirms: …", "success success: …"])
/// ```
public struct TestConversation {
    public let pipeline: TestPipeline
    public let session: String
    private var requests = 0
    private var answers = 0

    /// - Parameter pipeline: With everything started.
    public init(_ pipeline: TestPipeline, session: String = "s") {
        self.pipeline = pipeline
        self.session = session
    }

    /// Talks with a pipeline of its own, in which everything is started, and whose workers serve these extensions.
    ///
    /// - Parameter dependencies: What the extensions provide and is in here already is not replaced: give what the test looks at.
    /// - Throws: ``IntentRegistryError`` for what is wrong with the declarations.
    public init(
        with extensions: [any IntentExtension], dependencies: DependencyManager = DependencyManager(), session: String = "s"
    ) async throws {
        let registry = try IntentRegistry(extensions, dependencies: dependencies)
        let pipeline = try await TestPipeline { await registry.perform($0, report: $1) }
        pipeline.policies = { registry.policy(of: $0) }
        try pipeline.startAll()
        self.init(pipeline, session: session)
    }

    /// Asks for an intent, and lets everything happen until the person's turn comes, or the request has ended.
    public mutating func request(
        _ intent: String, _ parameters: KeyValuePairs<String, String> = [:], attributes: [String: JSON] = [:]
    ) async throws {
        requests += 1
        let states = parameters.map { ParameterState(name: $0.key, value: .string($0.value)) }
        let request = IntentRequest(id: "r\(requests)", intent: intent, parameters: states, attributes: attributes)
        try pipeline.send(.requested(request), session: session, id: request.id)
        try await pipeline.settle()
    }

    /// Answers the last prompt: "yes" and "no" where it is about agreeing, else a value, or an option by its id or title.
    ///
    /// - Throws: If the last result is no prompt.
    public mutating func say(_ answer: String) async throws {
        let last = try pipeline.results(session: session).last
        guard let last, let prompt = last.prompt, let kind = last.promptKind else {
            throw ScriptError(description: "nothing is asked that '\(answer)' could answer; the last result is '\(last?.script ?? "")'")
        }
        answers += 1
        var given = Answer(prompt: prompt, action: .accept)
        switch (kind, answer) {
        case (.confirmIntent, "no"), (.confirmValue, "no"): given.action = .decline
        case (.confirmIntent, "yes"), (.confirmValue, "yes"): break
        default: given.value = .string(answer)
        }
        try pipeline.send(.answered(given), session: session, id: "a\(answers)")
        try await pipeline.settle()
    }

    /// What the person was told, one line for each result.
    public var lines: [String] {
        get throws { try pipeline.results(session: session).map(\.script) }
    }

    /// The parameters' values that the workers of a phase were given, in order; for handle those of the extension's workers.
    public func work(_ phase: Phase) throws -> [[String: JSON]] {
        let topic =
            switch phase {
            case .resolve: pipeline.topics.resolve
            case .confirm: pipeline.topics.confirm
            case .handle: pipeline.topics.handle
            }
        return try pipeline.log.records(in: topic).map { record throws(EventError) in
            let parameters = try WorkEvent(record).work.item?.parameters ?? []
            return Dictionary(parameters.compactMap { state in state.value.map { (state.name, $0) } }, uniquingKeysWith: { $1 })
        }
    }
}

/// A script that does not fit what happened.
private struct ScriptError: Error, CustomStringConvertible { let description: String }

extension ReceivedResult {
    /// The result as a line of a script: `asks recipients: Who should get it?`, `offers recipients: John Adler | John Brandt`,
    /// `checks recipients: …`, `confirms: …`, `success success: …`; anything else by its type.
    public var script: String {
        func text(_ member: String) -> String { data[member]?.string ?? "" }
        switch promptKind {
        case .value: return "asks \(text("parameter")): \(text("dialog"))"
        case .choice:
            let titles = data["options"]?.elements.compactMap { $0["title"]?.string } ?? []
            return "offers \(data["items"] == nil ? text("parameter") : "items"): \(titles.joined(separator: " | "))"
        case .confirmValue: return "checks \(text("parameter")): \(text("dialog"))"
        case .confirmIntent: return "confirms: \(text("dialog"))"
        case nil: return type == .completed ? "\(text("status")) \(text("code")): \(text("dialog"))" : type.rawValue
        }
    }
}
