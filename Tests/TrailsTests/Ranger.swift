import Conversation
import IntentEvents
public import IntentKit
public import IntentRuntime
import PipelineTestKit
import SampleData
import Testing

@testable import Trails

/// A service with trails of the tests' own keeping: each test has its own.
func registry(_ store: SampleStore = SampleStore(), _ trails: TrailDataManager = TrailDataManager()) throws -> IntentRegistry {
    let dependencies = DependencyManager()
    dependencies.add(TrailDiary(store: store))
    dependencies.add(trails)
    return try IntentRegistry([TrailExtension()], dependencies: dependencies)
}

extension IntentRegistry {
    /// One phase of an intent whose parameters a person has said, or that are resolved already.
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

/// A person who talks with the whole pipeline, each phase in a worker of its own.
struct Walker {
    let pipeline: TestPipeline
    let session: String

    init(_ registry: IntentRegistry, session: String = "s") async throws {
        pipeline = try await TestPipeline(perform: { await registry.perform($0, report: $1) })
        self.session = session
        try pipeline.startAll()
        try await pipeline.settle()
    }

    /// Asks for an intent, and answers each prompt with the next of these words.
    ///
    /// - Returns: What was said to the person, the last completion included.
    func ask(for intent: String, _ parameters: KeyValuePairs<String, String>, id: String = "r", answering answers: [String] = [])
        async throws
        -> [ReceivedResult]
    {
        let before = try pipeline.results(session: session).count
        let states = parameters.map { ParameterState(name: $0, value: .string($1)) }
        try pipeline.send(.requested(IntentRequest(id: id, intent: intent, parameters: states)), session: session, id: id)
        try await pipeline.settle()
        for words in answers {
            let prompt = try #require(try pipeline.results(session: session).last?.prompt, "nobody asks for '\(words)'")
            let answer =
                words == "no" ? Answer(prompt: prompt, action: .decline) : Answer(prompt: prompt, action: .accept, value: .string(words))
            try pipeline.send(.answered(answer), session: session, id: "answer-\(prompt)")
            try await pipeline.settle()
        }
        return Array(try pipeline.results(session: session).dropFirst(before))
    }
}

extension ReceivedResult {
    /// What the person hears.
    var words: String { data["dialog"]?.string ?? data["status"]?.string ?? "" }
    /// What the person can choose from, or look through.
    var offered: [String] { (data["options"] ?? data["items"])?.elements.compactMap { $0["title"]?.string } ?? [] }
}

// So that a table of what people say stays legible.
extension JSON: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
}
