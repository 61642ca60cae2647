import Conversation
import IntentEvents
import IntentKit
import IntentRuntime
import PipelineTestKit
import Testing

/// A person who uses the whole pipeline, with a worker for each phase.
struct Walker {
    let pipeline: TestPipeline
    let session: Identifier

    init(_ registry: IntentRegistry, session: Identifier = "s") async throws {
        pipeline = try await TestPipeline(perform: { await registry.perform($0, report: $1) })
        self.session = session
        try pipeline.startAll()
        try await pipeline.settle()
    }

    /// Requests an intent, and answers each prompt with the next of these words.
    ///
    /// - Returns: The results with dialogs for the person, including the last completion.
    func ask(
        for intent: Identifier, _ parameters: KeyValuePairs<String, String>, id: Identifier = "r",
        answering answers: [String] = []
    )
        async throws
        -> [ReceivedResult]
    {
        let before = try pipeline.results(session: session).count
        let states = parameters.map { ParameterState(name: $0, value: .string($1)) }
        try pipeline.send(
            .requested(IntentRequest(id: id, intent: intent, parameters: states)), session: session, id: id)
        try await pipeline.settle()
        for words in answers {
            let prompt = try #require(
                try pipeline.results(session: session).last?.prompt, "there is no prompt for '\(words)'")
            let value = words == "yes" || words == "no" ? nil : JSON.string(words)
            let answer = Answer(prompt: prompt, action: words == "no" ? .decline : .accept, value: value)
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
