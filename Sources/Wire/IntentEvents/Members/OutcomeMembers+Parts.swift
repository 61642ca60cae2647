import Conversation
import IntentModel

// The parts of an outcome that have members of their own.

extension PhaseQuestion: MemberValue {
    static var schema: ContractSchema { .shape(.question) }

    /// The schema with its members.
    static var shapeSchema: ContractSchema {
        func having(_ kind: Prompt.Kind) -> KeyValuePairs<String, JSON> {
            ["allOf": .array([ContractSchema.having("kind", .constant(kind.rawValue)).json])]
        }
        return ContractSchema.object(
            ContractMember.list { describer in
                var (question, kind) = (blank, Parts())
                question.members(&describer, &kind)
            }
        ).withAny(of: [
            .having("options", ParameterOption.choices).with(having(.choice)),
            .having("value").with(having(.confirmValue)), .having("signIn").with(having(.signIn)),
            .having("kind", .words([Prompt.Kind.value, .confirmIntent].map(\.rawValue))),
        ])
    }

    private static var blank: PhaseQuestion { PhaseQuestion(id: "", kind: .value) }

    mutating func encode(to writer: inout JSONWriter) {
        var kind = Parts(kind)
        writer.beginObject()
        members(&writer, &kind)
        writer.endObject()
    }

    static func read(_ cursor: inout JSONCursor) throws(OutcomeError) -> PhaseQuestion? {
        var question = blank
        var kind = Parts()
        try cursor.readMembers { reader throws(OutcomeError) in try question.members(&reader, &kind) }
        guard EventBounds.id ~= question.id.utf8.count else {
            throw OutcomeError("'ask.id' names the question in 1 to 256 bytes", "ask.id")
        }
        question.kind = try kind.checked()
        if let declaration = question.declaration, declaration.view.kind != .object {
            throw OutcomeError("a 'declaration' is an object", "declaration")
        }
        return question
    }

    /// The kind of a question, with its parts.
    private struct Parts {
        var kind: Prompt.Kind?
        var options: JSON?
        var value: JSON?
        var signIn: JSON?

        init() {}

        init(_ question: PhaseQuestion.Kind) {
            switch question {
            case .value: kind = .value
            case .choice(let options): (kind, self.options) = (.choice, ParameterOption.json(options))
            case .confirmValue(let value): (kind, self.value) = (.confirmValue, value)
            case .confirmIntent: kind = .confirmIntent
            case .signIn(let signIn):
                var signIn = signIn
                (kind, self.signIn) = (.signIn, .make { signIn.encode(to: &$0) })
            }
        }

        func checked() throws(OutcomeError) -> PhaseQuestion.Kind {
            switch kind {
            case .value: return .value
            case .choice: return .choice(try (options ?? .null).view.choices("ask.options"))
            case .confirmValue:
                guard let value else {
                    throw OutcomeError("a question of kind confirmValue needs a 'value'", "ask.value")
                }
                return .confirmValue(value)
            case .confirmIntent: return .confirmIntent
            case .signIn:
                guard let signIn = signIn.flatMap({ SignIn($0.view) }) else {
                    throw OutcomeError(
                        "'ask.signIn' has an absolute 'url', a 'code' of at most 64 bytes, a 'title', 'validFor', or what it 'requires'",
                        "ask.signIn")
                }
                return .signIn(signIn)
            case nil:
                throw OutcomeError(
                    "'ask.kind' is one of \(Prompt.Kind.allCases.map(\.rawValue).joined(separator: ", "))", "ask.kind")
            }
        }
    }

    private mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder, _ parts: inout Parts)
        throws(Coder.Failure)
    {
        try coder.required(
            "id", &id, as: .text(EventBounds.id),
            "Names the question for the answer, which the next call of the phase gets.")
        try coder.required("kind", &parts.kind, as: Prompt.Kind.schema, "What is asked.")
        try coder.optional("options", &parts.options, as: ParameterOption.choices, "choice: the options.")
        try coder.optional("value", &parts.value, "confirmValue: the value.")
        try coder.optional("signIn", &parts.signIn, as: SignIn.schema, "signIn: to what, and where.")
        try coder.optional("parameter", &parameter, "The parameter that it is about.")
        try coder.optional("title", &title, "Its name for people.")
        try coder.optional("dialog", &dialog, "What the person is asked.")
        try coder.optional("supporting", &supportingDialog, "What is shown where the dialog is said aloud.")
        var card = snippet.map { ReadableCard(snippet: $0) }
        try coder.optional("snippet", &card, "A card to show beside the words.")
        if Coder.isReading { snippet = card?.snippet }
        var unsupported = unsupportedReason.map { Unsupported(reason: $0) }
        try coder.optional("unsupported", &unsupported, "Why the last value was not accepted.")
        if Coder.isReading { unsupportedReason = unsupported.map { $0.reason ?? "unsupported" } }
        try coder.optional("summary", &summary, "The intent in a sentence.")
        try coder.optional(
            "declaration", &declaration, as: .shape(.declaration), "What values the parameter may have.")
        try coder.optional("parameters", &parameters, unless: [], "The parameters in words.")
        try coder.optional("action", &action, "What the answers are called.")
    }

    /// A card. One that can't be read is left out, and the question is asked without it.
    private struct ReadableCard: MemberValue {
        var snippet: Snippet

        static var schema: ContractSchema { Snippet.schema }
        mutating func encode(to writer: inout JSONWriter) { snippet.encode(to: &writer) }

        static func read(_ cursor: inout JSONCursor) -> ReadableCard? {
            var place = cursor
            return (try? Snippet.read(&place))?.map { ReadableCard(snippet: $0) }
        }
    }

    private struct Unsupported: MemberObject {
        var reason: String?

        static var blank: Unsupported { Unsupported() }
        static var takesAnyValue: Bool { true }

        mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
            try coder.optional("reason", &reason, "The reason.")
        }
    }
}

extension Prompt.Kind: MemberValue {}
extension UpdatesEnd: MemberValue {}

extension IntentFailure: MemberValue {
    static var schema: ContractSchema { .shape(.failure) }

    /// The schema with its members.
    static var shapeSchema: ContractSchema {
        .object(
            ContractMember.list { describer in
                var (failure, disposition) = (blank, DispositionParts())
                failure.members(&describer, &disposition)
            })
    }

    private static var blank: IntentFailure { IntentFailure(.reject, reason: .internal, message: "") }

    mutating func encode(to writer: inout JSONWriter) {
        var disposition = DispositionParts(disposition, reason)
        writer.beginObject()
        members(&writer, &disposition)
        writer.endObject()
    }

    static func read(_ cursor: inout JSONCursor) throws(OutcomeError) -> IntentFailure? {
        var failure = blank
        var parts = DispositionParts()
        try cursor.readMembers { reader throws(OutcomeError) in try failure.members(&reader, &parts) }
        guard let reason = parts.reason else {
            throw OutcomeError(
                "'failure.reason' is one of \(RejectionReason.allCases.map(\.rawValue).joined(separator: ", "))",
                "failure.reason")
        }
        (failure.reason, failure.disposition) = (reason, try parts.disposition())
        if let violation = failure.activity?.violation {
            throw OutcomeError(violation.reason, violation.message, violation.field)
        }
        let said = failure.message.withoutControlCharacters
        // The person's side is always told something.
        failure.message = said.isEmpty ? "the worker failed without a message" : said
        return failure
    }

    /// The disposition of a request, with its parts and the reason.
    private struct DispositionParts {
        var reason: RejectionReason?
        var name: String?
        var after: Int?
        var code: ResponseCode?

        init() {}

        init(_ disposition: IntentFailure.Disposition, _ reason: RejectionReason) {
            self.reason = reason
            switch disposition {
            case .retry(let delay): (name, after) = ("retry", delay.milliseconds)
            case .failure(let code): (name, self.code) = ("failure", code)
            case .reject: name = "reject"
            }
        }

        func disposition() throws(OutcomeError) -> IntentFailure.Disposition {
            switch name {
            case "retry": return .retry(after: .milliseconds(after ?? 0))
            case "failure": return .failure(code ?? .failure)
            case "reject": return .reject
            default:
                throw OutcomeError("'failure.disposition' is one of retry, failure, reject", "failure.disposition")
            }
        }
    }

    private mutating func members<Coder: MemberCoder & ~Copyable>(
        _ coder: inout Coder, _ parts: inout DispositionParts
    ) throws(Coder.Failure) {
        try coder.required(
            "disposition", &parts.name, as: .words(["retry", "failure", "reject"]),
            "What becomes of the request. retry: the phase is tried again. failure: it fails with the code. reject: it can't be worked on."
        )
        try coder.optional(
            "after", &parts.after, as: .integer(from: .min),
            "retry: after how many milliseconds; a negative number is never.")
        try coder.optional("code", &parts.code, "failure: the code of the completion.")
        try coder.required("reason", &parts.reason, as: RejectionReason.schema, "Why.")
        try coder.written("message", &message, "What went wrong.")
        try coder.optional("field", &field, "The field that it is about.")
        try coder.optional("activity", &activity, "What an app needs to go on.")
    }
}

extension ConfirmationRequest: MemberObject {
    static var blank: ConfirmationRequest { ConfirmationRequest() }
    static var shape: ContractShape? { .confirmation }
    // A confirmation that can't be read is still one: the person is asked.
    static var takesAnyValue: Bool { true }

    mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.optional("dialog", &dialog, "What the person is asked.")
        try coder.optional("summary", &summary, "The intent in a sentence.")
        try coder.optional("parameters", &parameters, unless: [], "The parameters in words.")
        try coder.optional("action", &action, "What the answers are called.")
        try coder.optional("approval", &approval, "Who has to agree, if others than the person have to.")
    }
}

extension IntentUpdate {
    mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.required(
            "phase", &phase, "What is going on, in the intent's own words; completed is the last.")
        try coder.optional("completionStatus", &completionStatus, "With completed: how it ended.")
        try coder.optional("dialog", &dialog, "What the person is told.")
        try coder.optional("values", &values, unless: [:], "The status by name.")
    }
}
