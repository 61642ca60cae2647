import Conversation
import IntentEvents
import IntentKit
import IntentRuntime
import PipelineTestKit
import RecordLog

/// A whole conversation: the pipeline in one process, and a person who answers its prompts.
final class Dialogue {
    let pipeline: TestPipeline
    /// The session of the person.
    var session: Identifier
    /// The person's principal; `nil` if the person is not authenticated.
    var person: Principal?
    private var sent = 0

    /// Starts a coordinator and a worker of each kind, which serve the extension and its app and publish their intents.
    init(
        _ server: any IntentExtension, session: Identifier = "s", policy: SessionPolicy = SessionPolicy(),
        gates: [Gate] = []
    ) async throws {
        self.session = session
        let registry = try IntentRegistry([server], dependencies: AppDependencyManager())
        pipeline = try await TestPipeline(policy: policy, gates: gates) { invocation, report in
            await registry.perform(invocation, report: report)
        }
        pipeline.followsCatalogue = true
        pipeline.followsMemory = true
        try pipeline.startAll()
        for phase in [Phase.resolve, .confirm] { try pipeline.startWorker("app-\(phase)", phase, isInApp: true) }
        try pipeline.startPublisher("catalog", of: registry)
        try await pipeline.settle()
    }

    // MARK: Events from the person

    func request(
        _ intent: any Intent.Type, _ parameters: KeyValuePairs<String, String> = [:], id: Identifier = "r",
        locale: String? = nil,
        attributes: [String: JSON] = [:], whenBusy: IntentRequest.WhenBusy = .queue
    ) async throws {
        let states = parameters.map { ParameterState(name: $0, value: .string($1)) }
        let request = IntentRequest(
            id: id, intent: Identifier(intent.name), parameters: states, whenBusy: whenBusy, locale: locale,
            attributes: attributes,
            principal: person)
        try await send(.requested(request), id: id)
    }

    func say(_ words: String) async throws { try await answer { $0.value = .string(words) } }
    func choose(_ option: String) async throws { try await answer { $0.option = option } }
    func yes() async throws { try await answer { _ in } }
    func no() async throws { try await answer { $0.action = .decline } }

    private func answer(_ fill: (inout Answer) -> Void) async throws {
        var answer = Answer(prompt: try prompt()?.prompt ?? "none", action: .accept)
        fill(&answer)
        try await send(.answered(answer))
    }

    func send(_ event: SessionEvent, id: Identifier? = nil) async throws {
        sent += 1
        try pipeline.send(event, session: session, id: id ?? "event-\(sent)", from: person)
        try await pipeline.settle()
    }

    // MARK: Results for the person

    /// The results as lines, such as `prompt choice payee`.
    func lines() throws -> [String] { try pipeline.results(session: session).map(\.said) }
    func last() throws -> ReceivedResult? { try pipeline.results(session: session).last }
    func prompt() throws -> ReceivedResult? { try pipeline.results(session: session).last { $0.prompt != nil } }
    func completions() throws -> [ReceivedResult] { try pipeline.results(session: session).filter { $0.status != nil } }

    /// The work of a phase, in the order of dispatch.
    func work(_ phase: Phase, inApp: Bool = false) throws -> [Work] {
        try pipeline.log.records(in: pipeline.topics.work(phase, inApp: inApp)).map { record throws(EventError) in
            try WorkEvent(record).work
        }
    }
}

extension ReceivedResult {
    var said: String {
        switch type {
        case .promptIssued: "prompt \(data["kind"]?.string ?? "") \(data["parameter"]?.string ?? "-")"
        case .progressed: "progress"
        case .handoffOffered: "offer \(data["mode"]?.string ?? "")"
        case .handoffClaimed: "claimed \(data["claimant"]?.string ?? "")"
        case .completed: "completed \(data["status"]?.string ?? "") \(data["code"]?.string ?? "")"
        case .updated: "update \(data["phase"]?.string ?? "")"
        case .updatesEnded: "no more updates: \(data["reason"]?.string ?? "")"
        case .rejected: "rejected \(data["reason"]?.string ?? "")"
        default: type.rawValue
        }
    }
    var dialog: String? { data["dialog"]?.string }
    var options: [String] { data["options"]?.elements.compactMap { $0["id"]?.string } ?? [] }
}
