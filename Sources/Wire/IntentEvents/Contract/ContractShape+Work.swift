import Conversation
import IntentModel

// The shapes of requests, work and outcomes.
extension ContractShape {
    var workSchema: ContractSchema {
        switch self {
        case .candidate:
            .object([
                .required("intent", .name(EventBounds.intent), "The intent's name. No two candidates have the same."),
                .required("confidence", .number(EventBounds.confidence), "How sure the sender is."),
                .optional(
                    "title", ContractSchema.name(0...EventBounds.text.upperBound).orNull,
                    "The intent in words, if the person is asked. An empty one is none."),
                .optional("parameters", ContractSchema.shape(.parameters).orNull, "The values if it is this one."),
            ])
        case .parameterState:
            .object([
                .optional("value", .any, "Its value."),
                .required(
                    "state", .cases(ParameterState.Origin.self),
                    "How the value came about. given: not resolved yet. chosen: among options. confirmed: accepted by the person."
                ),
                .optional(
                    "elements", .list(of: .cases(ParameterState.Origin.self)), "For a list: the state of each element."),
                .optional("secret", .flag, "Only workers may see the value."),
                .optional("provenance", .shape(.provenance), "What the value was made of, if it is doubtful."),
            ])
        case .phaseAnswer:
            .object([
                .required("question", .text, "The id of the question."),
                .required("accepted", .boolean, "Whether the person said yes."),
                .optional("value", .any, "What they said."),
            ])
        case .principal:
            .object([
                .required("type", .cases(Principal.Kind.self), "As in authtype."),
                .required("id", .text, "As in authid."),
            ])
        case .resolution: Self.resolutionSchema
        case .question: Self.questionSchema
        case .failure: Self.failureSchema
        case .confirmation:
            .object([
                .optional("dialog", .text, "What the person is asked."),
                .optional("summary", .text, "The intent in a sentence."),
                .optional("parameters", .list(of: .shape(.shownParameter)), "The parameters in words."),
                .optional("action", .shape(.action), "What the answers are called."),
            ])
        case .policy:
            .object([
                .optional("effect", .cases(IntentEffect.self), "How often the handler may be called for a request."),
                .optional("resolve", .shape(.phasePolicy), "Of the phase resolve."),
                .optional("confirm", .shape(.phasePolicy), "Of the phase confirm."),
                .optional("handle", .shape(.phasePolicy), "Of the phase handle."),
                .optional("answerTimeout", .milliseconds, "How long a person has to answer."),
                .optional("handoffTimeout", .milliseconds, "How long an app has to complete a handoff."),
                .optional("inProgressTimeout", .milliseconds, "How long a handler may be silent after a report."),
                .optional("cleanupTimeout", .milliseconds, "How long a cancelled handler has to clean up."),
                .optional(
                    "asks", .shape(.askPolicy), "How often the person is asked for a parameter, and what happens then."),
            ])
        case .phasePolicy:
            .object([
                .optional("timeout", .milliseconds, "How long it may take."),
                .optional("announceAfter", .milliseconds, "After how long the person is told that it takes longer."),
                .optional("retry", .shape(.retryPolicy), "How often it is tried again."),
            ])
        case .retryPolicy:
            .object([
                .optional("firstDelay", .milliseconds, "Before the second attempt."),
                .optional(
                    "factor", .number(PolicyBounds.factor), "By how much each delay is longer than the one before."),
                .optional("maximumDelay", .milliseconds, "The longest delay."),
                .optional("maximumAttempts", .integer(PolicyBounds.attempts), "How many attempts there are."),
                .optional("neverRetried", .list(of: .cases(RejectionReason.self)), "Reasons that end it at once."),
            ])
        case .askPolicy:
            .object([
                .optional("maximum", .integer(PolicyBounds.attempts), "How often in all."),
                .optional("noAnswer", .integer(PolicyBounds.asks), "How often after silence."),
                .optional("noMatch", .integer(PolicyBounds.asks), "How often after words that match nothing."),
                .optional("unsupported", .integer(PolicyBounds.asks), "How often after a value that can't be used."),
                .optional("offersOptions", .boolean, "Whether the options are offered in the end."),
                .optional("fail", .text, "The code of the failure then."),
                .optional("handToApp", .flag, "The app goes on then."),
            ])
        case .openedIntent:
            .object([
                .required("intent", .text(EventBounds.intent), "The intent."),
                .optional("parameters", .values, "Its values by name."),
            ])
        case .undoOffer:
            .object([
                .required("intent", .text(EventBounds.intent), "The intent that takes it back."),
                .optional("parameters", .values, "Its values by name."),
                .optional("title", .text, "What it does, for a button."),
                .optional(
                    "validFor",
                    .integer(UndoOffer.times.lowerBound.milliseconds...UndoOffer.times.upperBound.milliseconds),
                    "For how many milliseconds it is offered; \(UndoOffer.usualTime.milliseconds) if it is left out."),
            ])
        default: .any
        }
    }

    /// The six results, by their names.
    private static let results: [ContractMember] = [
        .optional("success", .object([.required("value", .any, "The value to continue with.")]), "It is resolved."),
        .optional("notRequired", .object([]), "The intent continues without a value."),
        .optional("needsValue", .object([said]), "A value is required, and there is none."),
        .optional(
            "disambiguation", .object([.required("options", choices, "The values."), said]), "The person has to choose."
        ),
        .optional(
            "confirmationRequired", .object([.required("value", .any, "The value."), said]),
            "The person is asked whether this is meant."),
        .optional(
            "unsupported", .object([.optional("reason", .text, "Why, in a word for programs."), said]),
            "The value can't be used."),
    ]
    private static let said = ContractMember.optional("dialog", .text, "What the person is told or asked.")
    private static let choices = ContractSchema.list(of: .shape(.item), atLeast: EventBounds.leastChoices)

    private static let resolutionSchema = ContractSchema.object(
        [
            .required("parameter", .text, "Its name."), .optional("title", .text, "Its name for people."),
            .optional(
                "element",
                .object([
                    .required("index", .integer(from: 0), "The index of the element in the list."),
                    .required("list", .list(of: .any), "The whole list."),
                    .required("origins", .list(of: .cases(ParameterState.Origin.self)), "The state of each element."),
                ]), "For one element of a list: which one."),
            .optional("secret", .flag, "Only workers may see the value."),
            .optional("memoryKey", .text, "The key under which the value is remembered."),
            .optional(
                "memoryScope", .cases(MemoryScope.self),
                "Whether the session remembers it, or it is remembered for the person."),
            .optional("none", .flag, "The person said that they want none in particular."),
            .optional("provenance", .shape(.provenance), "How the resolver came to its value."),
        ] + results + [
            .optional("options", choices, "What there is to choose from."),
            .optional("optionsOmitted", .flag, "There are more values than the options."),
            .optional("declaration", .shape(.declaration), "What values it may have, if it is open."),
            .optional("text", .text, "The value in words."),
            .optional("supporting", .text, "What is shown where the dialog is said aloud."),
        ]
    ).withOne(of: results.map(\.name))

    private static let questionSchema = ContractSchema.object([
        .required(
            "id", .text(EventBounds.id), "Names the question for the answer, which the next call of the phase gets."),
        .required("kind", .cases(Prompt.Kind.self), "What is asked."),
        .optional("options", choices, "choice: the options."),
        .optional("value", .any, "confirmValue: the value."),
        .optional("signIn", .shape(.signIn), "signIn: to what, and where."),
        .optional("parameter", .text, "The parameter that it is about."),
        .optional("title", .text, "Its name for people."),
        .optional("dialog", .text, "What the person is asked."),
        .optional("supporting", .text, "What is shown where the dialog is said aloud."),
        .optional("snippet", .shape(.snippet), "A card to show beside the words."),
        .optional(
            "unsupported", .object([.optional("reason", .text, "The reason.")]), "Why the last value was not accepted."),
        .optional("summary", .text, "The intent in a sentence."),
        .optional("declaration", .shape(.declaration), "What values the parameter may have."),
        .optional("parameters", .list(of: .shape(.shownParameter)), "The parameters in words."),
        .optional("action", .shape(.action), "What the answers are called."),
    ]).withAny(of: [
        .having("options", choices).with(having(.choice)), .having("value").with(having(.confirmValue)),
        .having("signIn").with(having(.signIn)),
        .having("kind", .words([Prompt.Kind.value, .confirmIntent].map(\.rawValue))),
    ])

    private static func having(_ kind: Prompt.Kind) -> KeyValuePairs<String, JSON> {
        ["allOf": .array([ContractSchema.having("kind", .constant(kind.rawValue)).json])]
    }

    private static let failureSchema = ContractSchema.object([
        .required(
            "disposition", .words(["retry", "failure", "reject"]),
            "What becomes of the request. retry: the phase is tried again. failure: it fails with the code. reject: it can't be worked on."
        ),
        .optional("after", .integer(from: .min), "retry: after how many milliseconds; a negative number is never."),
        .optional("code", .text, "failure: the code of the completion."),
        .required("reason", .cases(RejectionReason.self), "Why."),
        .optional("message", .text, "What went wrong."), .optional("field", .text, "The field that it is about."),
        .optional("activity", .shape(.activity), "What an app needs to go on."),
    ])
}
