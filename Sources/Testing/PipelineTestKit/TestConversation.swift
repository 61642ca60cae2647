package import Conversation
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
    public package(set) var session: Identifier
    /// The authenticated person; `nil` if the person is not authenticated.
    public var principal: Principal?
    /// The language of the requests: a BCP 47 tag such as `en-GB`.
    public var locale: String?
    private var requests = 0
    private var events = 0
    /// The prompts and offers that a scripted person has replied to.
    private var repliedTo: Set<Identifier> = []

    /// - Parameter pipeline: A pipeline whose processes are started.
    public init(_ pipeline: TestPipeline, session: Identifier = "s") {
        self.pipeline = pipeline
        self.session = session
    }

    /// Starts a pipeline whose workers serve these extensions and their apps, and a conversation with the pipeline. The
    /// workers read spoken values with `SpokenValueReader()`.
    ///
    /// - Parameter dependencies: The dependencies of the extensions. Pass dependencies that the test inspects: the
    ///   extensions do not replace them.
    /// - Throws: ``IntentRegistryError`` if a declaration is invalid.
    public init(
        with extensions: [any IntentExtension], dependencies: AppDependencyManager = AppDependencyManager(),
        session: Identifier = "s"
    ) async throws {
        try await self.init(with: extensions, dependencies: dependencies, session: session, gates: [])
    }

    /// - Parameter gates: The gates at which handlers may wait.
    package init(
        with extensions: [any IntentExtension], dependencies: AppDependencyManager = AppDependencyManager(),
        session: Identifier = "s", gates: [Gate]
    ) async throws {
        let registry = try IntentRegistry(extensions, dependencies: dependencies, spokenValues: SpokenValueReader())
        let pipeline = try await TestPipeline(gates: gates) { await registry.perform($0, report: $1) }
        pipeline.policies = { registry.policy(of: $0) }
        pipeline.follows.catalogue = true
        pipeline.follows.memory = true
        try pipeline.startAll()
        for phase in [Phase.resolve, .confirm] { try pipeline.startWorker("app-\(phase)", phase, isInApp: true) }
        try pipeline.startPublisher("catalogue", of: registry)
        try await pipeline.settle()
        self.init(pipeline, session: session)
    }

    // MARK: The person's events

    /// Requests an intent, and runs the pipeline until the person has to answer or the request has ended.
    public mutating func request(
        _ intent: String, _ parameters: KeyValuePairs<String, String> = [:], attributes: [String: JSON] = [:]
    ) async throws {
        let states = parameters.map { ParameterState(name: $0.key, value: .string($0.value)) }
        try await request(
            IntentRequest(
                id: nextRequest(), intent: Identifier(intent), parameters: states, locale: locale,
                attributes: attributes))
    }

    /// Requests an intent by its type.
    package mutating func request(
        _ intent: any Intent.Type, _ parameters: KeyValuePairs<String, String> = [:], attributes: [String: JSON] = [:]
    ) async throws {
        try await request(intent.name, parameters, attributes: attributes)
    }

    /// Makes a request with its own id.
    package mutating func request(_ request: IntentRequest) async throws {
        try await send(.requested(request), id: request.id)
    }

    /// Answers the open prompt: "yes" or "no" for a confirmation, else a value, or an option by its id or title.
    ///
    /// - Parameters:
    ///   - principal: Another principal than the person: one who has to agree.
    ///   - roles: The roles of that principal.
    /// - Throws: An error if no prompt is open.
    public mutating func answer(_ words: String, as principal: Principal? = nil, roles: [Identifier] = []) async throws
    {
        let prompt = try openPrompt(for: words)
        var answer = Answer(
            to: prompt.prompt ?? "", prompt.promptKind ?? .value, saying: .string(words), options: prompt.options)
        answer.roles = roles
        try await send(.answered(answer), from: principal)
    }

    /// Answers the open prompt in the person's own words, such as "the second one".
    ///
    /// - Throws: An error if no prompt is open.
    public mutating func say(_ words: String) async throws {
        let answer = Answer(prompt: try openPrompt(for: words).prompt ?? "", utterance: Utterance(words))
        try await send(.answered(answer))
    }

    /// Declines to answer the open prompt.
    ///
    /// - Throws: An error if no prompt is open.
    public mutating func decline() async throws {
        try await send(.answered(Answer(prompt: openPrompt(for: "no").prompt ?? "", action: .decline)))
    }

    /// Asks to undo a request. Without an id, the last request that can be undone is undone.
    public mutating func undo(_ request: Identifier? = nil) async throws {
        let id = nextRequest()
        try await send(.undoRequested(UndoRequest(id: id, request: request)), id: id)
    }

    /// Sends an event of the person, and runs the pipeline until nothing more happens.
    package mutating func send(
        _ event: SessionEvent, id: Identifier? = nil, from sender: Principal? = nil
    ) async throws {
        events += 1
        try pipeline.send(event, session: session, id: id ?? "event-\(events)", from: sender ?? principal)
        try await pipeline.settle()
    }

    /// Lets an app claim the handoff that was offered last, and complete it.
    package mutating func completeHandoff(by claimant: Claimant = "phone") async throws {
        guard let handoff = try results.compactMap(\.offeredHandoff).last else {
            throw ScriptError(description: "no handoff was offered")
        }
        try await send(.handoffClaimed(handoff: handoff, claimant: claimant))
        try await send(.handoffCompleted(handoff: handoff, claimant: claimant, response: .success))
    }

    /// Plays a person who replies to prompts and offers, until no reply is left. The person replies once to a result
    /// that is delivered several times.
    ///
    /// - Parameter settle: Runs the pipeline before each reply. By default, runs it until nothing more happens.
    package mutating func play(_ person: inout ScriptedPerson, settling settle: (() async throws -> Void)? = nil)
        async throws
    {
        while true {
            if let settle { try await settle() } else { try await pipeline.settle() }
            guard let last = try results.last(where: { $0.type != .promptReminded }),
                let asked = last.prompt ?? last.offeredHandoff, !repliedTo.contains(asked)
            else { return }
            repliedTo.insert(asked)
            for (number, reply) in person.reply(to: last).enumerated() {
                try pipeline.send(reply, session: session, id: "reply-\(number)-to-\(asked)", from: principal)
            }
        }
    }

    /// Plays a person who gives these answers, each one once, and accepts everything else.
    package mutating func play(
        _ answers: KeyValuePairs<String, String>, settling settle: (() async throws -> Void)? = nil
    ) async throws {
        let answers = Dictionary(grouping: answers, by: \.key).mapValues { JSON.array($0.map { .string($0.value) }) }
        var person = ScriptedPerson(answers, otherwise: .accept)
        try await play(&person, settling: settle)
    }

    private mutating func nextRequest() -> Identifier {
        requests += 1
        return "r\(requests)"
    }

    /// Returns the last result if it is a prompt. Rejections, readings and lists of options leave a prompt open.
    private func openPrompt(for answer: String) throws -> ReceivedResult {
        let results = try results
        guard
            let prompt = results.last(where: {
                ![.rejected, .answerRead, .optionsListed, .promptReminded].contains($0.type)
            }),
            prompt.prompt != nil
        else {
            throw ScriptError(
                description:
                    "there is no prompt to answer with '\(answer)'; the last result is '\(results.last?.script ?? "")'")
        }
        return prompt
    }

    // MARK: The results

    /// The results of the session, one line each.
    public var lines: [String] {
        get throws { try results.map(\.script) }
    }

    /// The results of the session in brief, without dialogs.
    package var steps: [String] {
        get throws { try results.map(\.line) }
    }

    package var results: [ReceivedResult] {
        get throws { try pipeline.results(session: session) }
    }

    package var last: ReceivedResult? {
        get throws {
            let key = Array(session.text.utf8)
            return try pipeline.log.records(in: pipeline.topics.results).last { $0.key == key }.map {
                record throws(EventError) in try ReceivedResult(record)
            }
        }
    }

    /// The last prompt, which may have been answered.
    package var prompt: ReceivedResult? {
        get throws { try results.last { $0.prompt != nil } }
    }

    package var completions: [ReceivedResult] {
        get throws { try results.filter { $0.status != nil } }
    }

    /// Returns the values of the parameters that the workers of a phase got, in order. For handle, only the work of the
    /// extension's workers counts.
    public func work(_ phase: Phase) throws -> [[String: JSON]] {
        try dispatched(phase).map { work in
            let parameters = work.item?.parameters ?? []
            return Dictionary(
                parameters.compactMap { state in state.value.map { (state.name, $0) } }, uniquingKeysWith: { $1 })
        }
    }

    /// Returns the work of a phase, in the order of dispatch.
    package func dispatched(_ phase: Phase, inApp: Bool = false) throws -> [Work] {
        try pipeline.log.records(in: pipeline.topics.work(phase, inApp: inApp)).map { record throws(EventError) in
            try WorkEvent(record).work
        }
    }
}

extension TestPipeline {
    /// Plays a person who gives these answers in a session, each one once, and accepts everything else.
    ///
    /// - Parameter settle: Runs the pipeline before each reply. By default, runs it until nothing more happens.
    package func play(
        _ answers: KeyValuePairs<String, String>, session: Identifier, settling settle: (() async throws -> Void)? = nil
    ) async throws {
        var talk = TestConversation(self, session: session)
        try await talk.play(answers, settling: settle)
    }
}

/// The error that a line of the script does not fit the conversation.
private struct ScriptError: Error, CustomStringConvertible { let description: String }

/// Results as lines, so that a test can compare a whole conversation.
extension ReceivedResult {
    /// The result as a line of a script: `asks recipients: Who should get it?`, `offers recipients: John Adler | John
    /// Brandt`, `checks recipients: …`, `confirms: …`, `success success: …`. Any other result is shown without words:
    /// `offer foreground`, `rejected unexpected`.
    public var script: String {
        let words = dialog.map { ": \($0)" } ?? ""
        switch promptKind {
        case .value: return "asks \(text("parameter"))\(words)"
        case .choice:
            return "offers \(data["items"] == nil ? text("parameter") : "items"): \(titles.joined(separator: " | "))"
        case .confirmValue: return "checks \(text("parameter"))\(words)"
        case .confirmIntent: return "confirms\(words)"
        case .signIn: return "signs in\(words)"
        case nil: return type == .completed ? "\(text("status")) \(text("code"))\(words)" : line
        }
    }

    /// The result without words, such as `prompt choice payee` or `completed success success`.
    package var line: String {
        switch type {
        case .promptIssued: "prompt \(text("kind")) \(data["parameter"]?.string ?? "-")"
        case .promptReminded: "reminded \(text("reason"))"
        case .progressed: data["fraction"]?.double.map { "progress \($0)" } ?? "progress"
        case .handoffOffered: "offer \(text("mode"))"
        case .handoffClaimed: "claimed \(text("claimant"))"
        case .handoffCompleted: "handoff \(text("code"))"
        case .completed: "completed \(text("status")) \(text("code"))"
        case .updated: "update \(text("phase"))"
        case .updatesEnded: "no more updates: \(text("reason"))"
        case .rejected: "rejected \(text("reason"))"
        default: type.rawValue
        }
    }

    package var dialog: String? { data["dialog"]?.string }

    /// The ids of the options of a choice.
    package var options: [String] { data["options"]?.elements.compactMap { $0["id"]?.string } ?? [] }

    /// The titles of the options of a choice, or of the items of a completion.
    package var titles: [String] {
        (data["options"] ?? data["items"])?.elements.compactMap { $0["title"]?.string } ?? []
    }

    private func text(_ member: String) -> String { data[member]?.string ?? "" }
}
