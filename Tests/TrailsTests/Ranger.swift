import Conversation
import IntentEvents
public import IntentKit
import IntentRuntime
import PipelineTestKit
import SampleData
import Testing

@testable import Trails

/// A service with its own trails for each test.
func registry(_ store: SampleStore = SampleStore(), _ trails: TrailDataManager = TrailDataManager()) throws -> IntentRegistry {
    let dependencies = DependencyManager()
    dependencies.add(TrailDiary(store: store))
    dependencies.add(trails)
    return try IntentRegistry([TrailExtension()], dependencies: dependencies)
}

extension IntentRegistry {
    /// Performs one phase of an intent whose parameters are given or already resolved.
    func run(_ phase: Phase, _ intent: String, _ parameters: KeyValuePairs<String, JSON>, locale: String? = nil) async -> PhaseOutcome {
        let origin: ParameterState.Origin = phase == .resolve ? .given : .resolved
        let states = parameters.map { ParameterState(name: $0.key, value: $0.value, origin: origin) }
        let context = InvocationContext(session: "s", request: "r", idempotencyKey: "k", locale: locale)
        return await perform(IntentInvocation(phase: phase, intent: intent, parameters: states, context: context))
    }

    func resolve(_ name: String, of intent: String, _ parameters: KeyValuePairs<String, JSON>) async throws -> ParameterResolution {
        guard case .resolved(let all) = await run(.resolve, intent, parameters) else { throw Unexpected() }
        return try #require(all.first { $0.name == name }).resolution
    }

    func respond(_ intent: String, _ parameters: KeyValuePairs<String, JSON>) async throws -> IntentResponse {
        guard case .responded(let response, _) = await run(.handle, intent, parameters) else { throw Unexpected() }
        return response
    }
}

struct Unexpected: Error {}

/// A person who uses the whole pipeline, with a worker for each phase.
struct Walker {
    let pipeline: TestPipeline
    let session: String

    init(_ registry: IntentRegistry, session: String = "s") async throws {
        pipeline = try await TestPipeline(perform: { await registry.perform($0, report: $1) })
        self.session = session
        try pipeline.startAll()
        try await pipeline.settle()
    }

    /// Requests an intent, and answers each prompt with the next of these words.
    ///
    /// - Returns: The dialogs for the person, including the last completion.
    func ask(for intent: String, _ parameters: KeyValuePairs<String, String>, id: String = "r", answering answers: [String] = [])
        async throws
        -> [ReceivedResult]
    {
        let before = try pipeline.results(session: session).count
        let states = parameters.map { ParameterState(name: $0, value: .string($1)) }
        try pipeline.send(.requested(IntentRequest(id: id, intent: intent, parameters: states)), session: session, id: id)
        try await pipeline.settle()
        for words in answers {
            let prompt = try #require(try pipeline.results(session: session).last?.prompt, "there is no prompt for '\(words)'")
            let answer =
                words == "no" ? Answer(prompt: prompt, action: .decline) : Answer(prompt: prompt, action: .accept, value: .string(words))
            try pipeline.send(.answered(answer), session: session, id: "answer-\(prompt)")
            try await pipeline.settle()
        }
        return Array(try pipeline.results(session: session).dropFirst(before))
    }
}

extension ReceivedResult {
    /// The result's dialog.
    var words: String { data["dialog"]?.string ?? data["status"]?.string ?? "" }
    /// The titles of the options or items.
    var offered: [String] { (data["options"] ?? data["items"])?.elements.compactMap { $0["title"]?.string } ?? [] }
}

// Keeps tables of spoken values short.
extension JSON: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
}
