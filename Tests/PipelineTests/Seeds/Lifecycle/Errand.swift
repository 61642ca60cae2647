import Conversation
import IntentEvents
import IntentKit
import PipelineTestKit
import RecordLog

/// An intent with every kind of parameter, for whole conversations.
struct Errand: Intent {
    static let title: LocalizedText = "Run an errand"
    @Parameter(title: "Who", requestValueDialog: "Who?") var who: Person
    @Parameter(title: "Others") var others: [Person]?
    @Parameter(title: "Van") var van: Bool?
    @Parameter(title: "Boxes", requestValueDialog: "How many boxes?") var boxes: Int?
    @Parameter(title: "Note") var note: String?
    static let parameters = Parameters<Self>(\.$who, \.$others, \.$van, \.$boxes, \.$note)
}

/// A handler whose parts a test can replace.
struct ErrandHandler: IntentHandling {
    var who: @Sendable (Person?) -> ResolutionResult<Person> = { $0.map { .success($0) } ?? .needsValue() }
    var notebook = Recorder<String>()
    var confirms: @Sendable (Errand, Context) async throws -> ConfirmResponse = { _, _ in .ready }
    var handles: @Sendable (Errand, Context) async throws -> HandleResponse = { _, _ in .success }

    var resolution: some Resolution<Errand> {
        Resolve(\.$who) { person, _ in
            notebook.record("who \(person?.customIdentifier ?? person?.displayName ?? "nothing")")
            return who(person)
        }
        Resolve(each: \.$others) { person, _ in
            notebook.record("other \(person.displayName)")
            return person.displayName == "nobody" ? .unsupported(reason: "noAccount") : .success(person)
        }
        Resolve(\.$boxes, after: \.$van) { boxes, errand in
            if errand.$van.value != true { return .notRequired() }
            return boxes.map { .success($0) } ?? .needsValue()
        }
        Resolve(\.$note) { _, _ in
            notebook.record("note")
            return .notRequired()
        }
    }
    func confirm(_ errand: Errand, context: Context) async throws -> ConfirmResponse {
        try await confirms(errand, context)
    }
    func handle(_ errand: Errand, context: Context) async throws -> HandleResponse {
        try await handles(errand, context)
    }
}

extension Dialogue {
    /// Starts a conversation about an errand, for Kim by default.
    static func errand(_ handler: ErrandHandler, _ parameters: KeyValuePairs<String, String> = ["who": "Kim"])
        async throws -> Dialogue
    {
        let talk = try await Dialogue(SingleHandlerExtension(handler: handler))
        try await talk.request(Errand.self, parameters)
        return talk
    }

    /// Reports an outcome for a work item, as a worker does.
    ///
    /// - Parameter ticket: The ticket of the work item.
    func answer(_ address: WorkAddress, _ outcome: PhaseOutcome, _ ticket: Ticket?) async throws {
        var encoder = EventEncoder(source: "/elsewhere")
        let topic = pipeline.topics.resolve
        let partition = pipeline.log.records(in: topic).last?.partition ?? 0
        try pipeline.send(
            encoder.record(
                Outcome(
                    request: address.request, step: address.step, phase: address.phase, content: .finished(outcome),
                    ticket: ticket),
                session: session,
                topics: pipeline.topics, partition: partition, trace: address.trace, at: pipeline.clock.now))
        try await pipeline.settle()
    }
}
