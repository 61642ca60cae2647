import Conversation
public import IntentEvents
public import IntentKit
import IntentRuntime
import RecordLog
import SpokenValues

/// A person's conversation with a ``TestPipeline``, so that a test reads like a script:
///
/// ```swift
/// var talk = try await TestConversation(with: [PaymentExtension()])
/// try await talk.request("SendPayment", ["payee": "Mia", "currencyAmount": "20 CAD"])
/// try await talk.answer("20 EUR")
/// try await talk.answer("yes")
/// #expect(try talk.lines == ["asks currencyAmount: …", "confirms: …", "success success: …"])
/// ```
public struct TestConversation {
    public let pipeline: TestPipeline
    public let session: Identifier
    /// The authenticated person; `nil` if the person is not authenticated.
    public var principal: Principal?
    private var requests = 0
    private var answers = 0

    /// - Parameter pipeline: A pipeline whose processes are started.
    public init(_ pipeline: TestPipeline, session: Identifier = "s") {
        self.pipeline = pipeline
        self.session = session
    }

    /// Starts a pipeline whose workers serve these extensions, and a conversation with the pipeline. The workers read
    /// spoken values with `SpokenValueReader()`.
    ///
    /// - Parameter dependencies: The dependencies of the extensions. Pass dependencies that the test inspects: the
    ///   extensions do not replace them.
    /// - Throws: ``IntentRegistryError`` if a declaration is invalid.
    public init(
        with extensions: [any IntentExtension], dependencies: AppDependencyManager = AppDependencyManager(),
        session: Identifier = "s"
    ) async throws {
        let registry = try IntentRegistry(extensions, dependencies: dependencies, spokenValues: SpokenValueReader())
        let pipeline = try await TestPipeline { await registry.perform($0, report: $1) }
        pipeline.policies = { registry.policy(of: $0) }
        try pipeline.startAll()
        self.init(pipeline, session: session)
    }

    /// Requests an intent, and runs the pipeline until the person has to answer or the request has ended.
    public mutating func request(
        _ intent: String, _ parameters: KeyValuePairs<String, String> = [:], attributes: [String: JSON] = [:]
    ) async throws {
        requests += 1
        let states = parameters.map { ParameterState(name: $0.key, value: .string($0.value)) }
        let request = IntentRequest(
            id: "r\(requests)", intent: Identifier(intent), parameters: states, attributes: attributes)
        try pipeline.send(.requested(request), session: session, id: request.id, from: principal)
        try await pipeline.settle()
    }

    /// Answers the last prompt: "yes" or "no" for a confirmation, else a value, or an option by its id or title.
    ///
    /// - Throws: An error if the last result is not a prompt.
    public mutating func answer(_ answer: String) async throws {
        let last = try pipeline.results(session: session).last
        guard let last, let prompt = last.prompt, let kind = last.promptKind else {
            throw ScriptError(
                description: "there is no prompt to answer with '\(answer)'; the last result is '\(last?.script ?? "")'"
            )
        }
        answers += 1
        var given = Answer(prompt: prompt, action: .accept)
        switch (kind, answer) {
        case (.confirmIntent, "no"), (.confirmValue, "no"), (.signIn, "no"): given.action = .decline
        case (.confirmIntent, "yes"), (.confirmValue, "yes"), (.signIn, "yes"): break
        default: given.value = .string(answer)
        }
        try pipeline.send(.answered(given), session: session, id: "a\(answers)", from: principal)
        try await pipeline.settle()
    }

    /// Asks to undo a request. Without an id, the last request that can be undone is undone.
    public mutating func undo(_ request: Identifier? = nil) async throws {
        requests += 1
        let id = "r\(requests)"
        try pipeline.send(
            .undoRequested(UndoRequest(id: Identifier(id), request: request)), session: session, id: Identifier(id),
            from: principal)
        try await pipeline.settle()
    }

    /// The results of the session, one line each.
    public var lines: [String] {
        get throws { try pipeline.results(session: session).map(\.script) }
    }

    /// Returns the values of the parameters that the workers of a phase got, in order. For handle, only the work of the
    /// extension's workers counts.
    public func work(_ phase: Phase) throws -> [[String: JSON]] {
        let topic =
            switch phase {
            case .resolve: pipeline.topics.resolve
            case .confirm: pipeline.topics.confirm
            case .handle: pipeline.topics.handle
            }
        return try pipeline.log.records(in: topic).map { record throws(EventError) in
            let parameters = try WorkEvent(record).work.item?.parameters ?? []
            return Dictionary(
                parameters.compactMap { state in state.value.map { (state.name, $0) } }, uniquingKeysWith: { $1 })
        }
    }
}

/// The error that a line of the script does not fit the conversation.
private struct ScriptError: Error, CustomStringConvertible { let description: String }

extension ReceivedResult {
    /// The result as a line of a script: `asks recipients: Who should get it?`, `offers recipients: John Adler | John
    /// Brandt`, `checks recipients: …`, `confirms: …`, `success success: …`. Any other result is shown by its type.
    public var script: String {
        func text(_ member: String) -> String { data[member]?.string ?? "" }
        switch promptKind {
        case .value: return "asks \(text("parameter")): \(text("dialog"))"
        case .choice:
            let titles = data["options"]?.elements.compactMap { $0["title"]?.string } ?? []
            return "offers \(data["items"] == nil ? text("parameter") : "items"): \(titles.joined(separator: " | "))"
        case .confirmValue: return "checks \(text("parameter")): \(text("dialog"))"
        case .confirmIntent: return "confirms: \(text("dialog"))"
        case .signIn: return "signs in: \(text("dialog"))"
        case nil: return type == .completed ? "\(text("status")) \(text("code")): \(text("dialog"))" : type.rawValue
        }
    }
}
