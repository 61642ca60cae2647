import Conversation
import IntentEvents
import IntentKit
import PipelineTestKit
import RecordLog

/// An intent for whole conversations.
struct Errand: Intent {
    static let title: LocalizedText = "Run an errand"
    @Parameter(title: "Who", requestValueDialog: "Who?") var who: Person
    static let parameters = Parameters<Self>(\.$who)
}

/// A handler whose parts a test can replace.
struct ErrandHandler: IntentHandling {
    var confirms: @Sendable (Errand, Context) async throws -> ConfirmResponse = { _, _ in .ready }
    var handles: @Sendable (Errand, Context) async throws -> HandleResponse = { _, _ in .success }

    func confirm(_ errand: Errand, context: Context) async throws -> ConfirmResponse {
        try await confirms(errand, context)
    }
    func handle(_ errand: Errand, context: Context) async throws -> HandleResponse {
        try await handles(errand, context)
    }
}

extension TestConversation {
    /// Starts a conversation about an errand, for Kim by default.
    static func errand(
        _ handler: ErrandHandler = ErrandHandler(), _ said: KeyValuePairs<String, String> = ["who": "Kim"],
        gates: [Gate] = []
    ) async throws -> TestConversation {
        try await TestConversation(about: handler, said, gates: gates)
    }

    /// Starts a conversation about an errand for Kim, of which only this part is not as usual.
    static func errand(
        handles: @escaping @Sendable (Errand, Context) async throws -> HandleResponse, gates: [Gate] = []
    ) async throws -> TestConversation {
        try await errand(ErrandHandler(handles: handles), gates: gates)
    }

    /// Reports an outcome of dispatched work, as a worker does.
    ///
    /// - Parameter change: Changes the address of the work.
    func report(_ outcome: PhaseOutcome, of work: Work, _ change: (inout WorkAddress) -> Void = { _ in }) async throws {
        var encoder = EventEncoder(source: "/elsewhere")
        let partition = pipeline.log.records(in: pipeline.topics.resolve).last?.partition ?? 0
        var address = work.address
        change(&address)
        try pipeline.send(
            encoder.record(
                Outcome(
                    request: address.request, step: address.step, phase: address.phase, content: .finished(outcome),
                    ticket: work.item?.ticket),
                session: session, topics: pipeline.topics, partition: partition, trace: address.trace,
                at: pipeline.clock.now))
        try await pipeline.settle()
    }
}
