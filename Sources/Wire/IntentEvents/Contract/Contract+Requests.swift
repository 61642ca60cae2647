import Conversation
import IntentModel

// What producers write to intents.requests, and the person's side, apps and operators to intents.answers.
extension Contract {
    static let requests: [ContractEvent] = asking + answering + handoffs + ofSessions

    private static func event(
        _ type: EventType, side: String? = nil, _ about: String, _ members: [ContractMember],
        rules: @escaping @Sendable (ContractSchema) -> ContractSchema = { $0 }
    ) -> ContractEvent {
        let alone =
            switch type {
            case .requested, .optionsRequested: ""
            case .promptAnswered:
                " On the topic of requests, with --trust separate, only what fills in a value or says no."
            default: " On the topic of requests only without --trust separate."
            }
        return ContractEvent(
            type, about + alone, side: side, on: [.requests, .answers],
            by: [.producer, .agent, .person, .console, .operator],
            members.map(\.acceptingNull),
            rules: rules)
    }

    /// An id or a name that has to be there.
    private static let named = ContractSchema.name(EventBounds.text)
    /// One that may be left out, or empty.
    private static let perhapsNamed = ContractSchema.name(0...EventBounds.text.upperBound)
    private static let oldRequest = ContractMember.optional(
        "request", perhapsNamed, "The request; defaults to the active one.")

    private static let asking: [ContractEvent] = [
        event(
            .requested, "Makes a request. Its id is the event's id.",
            [
                .optional("intent", .name(EventBounds.intent), "The intent's name, unless there are candidates."),
                .optional(
                    "candidates", .list(of: .shape(.candidate), 1...IntentCandidate.maximumCount),
                    "Instead of intent: those that the person may have meant. The best one is taken; others that are within "
                        + "\(IntentCandidate.nearness) of it are asked about, and those below \(IntentCandidate.minimumConfidence) don't count."
                ),
                .optional(
                    "fallback", .name(EventBounds.intent),
                    "With candidates: the intent that it is otherwise. Without one, the request then ends as unsupported."
                ),
                .optional("parameters", .shape(.parameters), "Values by parameter name."),
                .optional(
                    "confidence", .map(of: .number(EventBounds.confidence)),
                    """
                    How sure the sender is of these values, by parameter name. The person is asked about a value below \
                    \(ParameterState.Provenance.sufficientConfidence).
                    """),
                .optional(
                    "whenBusy", .cases(IntentRequest.WhenBusy.self),
                    """
                    What to do if the session has an active request. queue, the default: wait for its end. replace: cancel it. \
                    reject: reject this one. interrupt: go first if it waits for the person.
                    """),
                .optional("deadline", .time, "When the request ends if it has not completed."),
                .optional("locale", .name(EventBounds.locale), "The person's language, a BCP 47 tag."),
                .optional(
                    "timeZone",
                    ContractSchema.text(EventBounds.timeZone).with(["pattern": .string("^[0-9A-Za-z_+/-]*$")]),
                    "The IANA name of the person's time zone; UTC if it is left out."),
                .optional("now", .time, "The person's time, if it is not that of the record."),
                .optional("attributes", .values, "What the person's side knows besides."),
                .optional(
                    "phases", ContractSchema.any.with(["const": .array(Phase.allCases.map { .string($0.rawValue) })]),
                    "No phase can be left out."),
            ], rules: { $0.withOneValue(of: ["intent", "candidates"]) }),
        event(
            .undoRequested, "Takes back a request that has succeeded and whose completion has offered undo.",
            [.optional("request", perhapsNamed, "The request; defaults to the last one that can be taken back.")]),
    ]

    private static let answering: [ContractEvent] = [
        event(
            .promptAnswered, "Answers a prompt.",
            [
                .required("prompt", named, "The prompt's id."),
                .required(
                    "action", .cases(Answer.Action.self),
                    "accept: yes, or here is the value. decline: no. cancel: the whole request."),
                .optional("value", .any, "The value that was asked for. A yes to confirmIntent has none, or true."),
                .optional("option", .text, "The id of the option chosen."),
                .optional("parameters", .shape(.parameters), "Other parameters that the person changes or fills in."),
            ]),
        event(
            .optionsRequested, "Asks for more options of the open prompt, or searches them.",
            [
                .required("prompt", named, "The open prompt."),
                .optional("search", perhapsNamed, "Only options that have each of these words."),
                .optional(
                    "start", .text(matching: "^[0-9]+$"),
                    "Where the page starts: what optionsNext of the page before says."),
                .optional(
                    "limit", .integer(OptionsRequest.limits),
                    "How many options the page may have; \(OptionsRequest.usualLimit) if it is left out."),
            ]),
        event(
            .parameterCorrected, "Changes a parameter of a request before it is handled.",
            [
                oldRequest, .required("parameter", named, "Its name."), .required("value", .any, "Its new value."),
            ]),
        event(.cancelled, "Cancels a request.", [oldRequest]),
        event(
            .updatesStarted, "Asks for updates of a request that has succeeded.",
            [.required("request", named, "The request.")]),
        event(.updatesStopped, "Ends these updates.", [.required("request", named, "The request.")]),
    ]

    private static let claim: [ContractMember] = [
        .required("handoff", named, "The handoff's id."),
        .required("claimant", named, "Who claims it, such as a device."),
        .required(
            "secret", .name(RequestEvent.secretLength),
            "At least \(RequestEvent.secretLength.lowerBound) bytes that the app makes up for its claim; completing and returning repeat them."
        ),
    ]

    private static let handoffs: [ContractEvent] = [
        event(
            .handoffClaimed, side: "requests", "An app takes a handoff.",
            claim + [.optional("token", named, "The token of the offer, if there was one.")]),
        event(
            .handoffCompleted, "The claimant reports how the handoff ended.",
            claim + [
                .required("code", named, "success, or a code that begins with failure."),
                .optional("response", .values, "Values by name, for the completion."),
                .optional("dialog", .text, "What the person is told."),
            ]),
        event(.handoffReturned, "The claimant returns the handoff; it is offered again.", claim),
    ]

    private static let ofSessions: [ContractEvent] = [
        event(
            .forgotten, "Has something forgotten that is remembered.",
            [
                .optional("keys", .texts, "The memory keys; everything if it is left out."),
                .optional(
                    "scope", .cases(Forgetting.Scope.self),
                    "session if it is left out; person: also what is remembered for the person."),
            ],
            rules: {
                let keys = ContractSchema.list(
                    of: .text(1...RememberedValue.maximumKeyBytes), 0...Forgetting.maximumKeys)
                return $0.with(
                    ["keys": keys.orNull], ifHaving: "scope",
                    .any.with(["const": .string(Forgetting.Scope.person.rawValue)]))
            }),
        event(
            .sessionEnded, "An operator ends the session.",
            [.optional("reason", perhapsNamed, "Why; told with the completions.")]),
    ]
}
