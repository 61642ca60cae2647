import Conversation
import IntentModel

// What the coordinator writes to intents.results.
extension Contract {
    static let results: [ContractEvent] = prompts + progress + endings

    private static func event(_ type: EventType, side: String? = nil, _ about: String, _ members: [ContractMember])
        -> ContractEvent
    {
        ContractEvent(type, about, side: side, on: [.results], by: [.coordinator], members)
    }

    private static let sequenced: [ContractMember] = [
        .required("session", .name(EventBounds.session), "Whose result it is."),
        .required(
            "sequence", .integer(from: 1),
            """
            Counts up by one in each session. A number that you have seen is a copy: skip it. A missing number was lost or comes later. \
            1 with another event id: the session was forgotten and has started again.
            """),
    ]
    private static let ofRequest = sequenced + [.required("request", .text, "The request that it is about."), owner]
    private static let owner = ContractMember.optional(
        "principal", .shape(.principal),
        "Whose session it is, if a principal has opened it; in a rejection outside of any session, who has sent the event."
    )
    private static let intent = ContractMember.required("intent", .text, "The intent.")
    private static let display: [ContractMember] = [
        .optional("supporting", .text, "What to show where the dialog is said aloud."),
        .optional("snippet", .shape(.snippet), "A card to show beside the words."),
    ]
    private static let page: [ContractMember] = [
        .optional("optionsTotal", .integer(from: 1), "How many options there are in all, if these are not all."),
        .optional("optionsNext", .text(matching: "^[0-9]+$"), "The start of the next page, if there is one."),
        .optional("optionsOmitted", .flag, "There are more values than the options: say one."),
    ]

    private static let prompts: [ContractEvent] = [
        event(
            .promptIssued, "Asks the person something.",
            ofRequest + [
                .required("prompt", .text, "The prompt's id, which an answer names. It can't be guessed."), intent,
                .required(
                    "kind", .cases(Prompt.Kind.self),
                    """
                    What is asked. value: a value. choice: one of the options. confirmValue: whether value is meant. \
                    confirmIntent: whether to do it. signIn: to sign in.
                    """),
                .optional("parameter", .text, "The parameter that it is about."),
                .optional("title", .text, "Its name for people."),
                .optional("declaration", .shape(.declaration), "What values it may have."),
                .optional("element", .integer(from: 0), "For a list: the index of the element."),
                .optional("secret", .flag, "The answer is secret."),
                .required("dialog", .text, "What the person is asked. It says everything aloud."),
            ] + display + [
                .optional("signIn", .shape(.signIn), "signIn: to what, and where."),
                .optional("value", .any, "confirmValue: the value."),
                .optional("provenance", .shape(.provenance), "What the value was made of."),
                .optional("items", .flag, "The options are found items; the request has been handled."),
                .optional("intents", .flag, "The options are intents: which one is meant?"),
                .optional("options", .list(of: .shape(.option)), "choice: the first options. Items have a value."),
            ] + page + [
                .optional(
                    "unsupported",
                    .object([
                        .required("reason", .text, "The reason."),
                        .optional("value", .any, "The value, unless it is secret."),
                    ]),
                    "Why the last value was not accepted."),
                .optional("summary", .text, "The intent in a sentence."),
                .optional(
                    "parameters", .list(of: .shape(.promptParameter)), "The intent's parameters, in their order."),
                .optional("action", .shape(.action), "confirmIntent: what the answers are called."),
                .optional("proposed", .values, "confirmIntent: the values that are proposed instead of the person's."),
                .required("expires", .time, "When the prompt times out."),
            ]),
        event(
            .optionsListed, "More options of the open prompt.",
            ofRequest + [
                .required("prompt", .text, "The prompt."),
                .optional("search", .text, "The words that were searched for."),
                .required("options", .list(of: .shape(.option)), "The options of this page."),
            ] + page),
    ]

    private static let handoff =
        ofRequest + [
            .required("handoff", .text, "The handoff's id, which can't be guessed."),
            .required(
                "mode", .cases(Handoff.Mode.self), "Whether the person goes to the app, or it works where they are."),
            .required("activity", .shape(.activity), "What the app needs."),
        ]
    private static let handoffExpires = ContractMember.required("expires", .time, "When the handoff times out.")

    private static let progress: [ContractEvent] = [
        event(
            .progressed, "Reports how far a request is.",
            ofRequest + [
                .required("phase", .cases(Phase.self), "The phase."), .optional("code", .text, "inProgress or queued."),
                .optional("fraction", .number(0...1), "How much of it is done, if known."),
                .optional("dialog", .text, "What the person is told."),
            ]),
        event(
            .handoffOffered, "Offers an intent to an app.",
            handoff + [handoffExpires, .optional("token", .text, "What the claim has to show.")]),
        event(
            .handoffClaimed, side: "results", "An app has claimed a handoff.",
            handoff + [.required("claimant", .text, "Who claimed it."), handoffExpires]),
        event(
            .updated, side: "results", "An update of a request that has succeeded.",
            ofRequest + [intent] + updateMembers),
        event(
            .updatesEnded, side: "results", "No more updates of that request.",
            ofRequest + [
                intent,
                .required(
                    "reason", .cases(UpdatesEnd.self),
                    """
                    Why. stopped: from outside. completed: by the handler. invalid: the handler broke a rule or failed. \
                    silent: no worker went on. expired: the longest time is over.
                    """),
                .optional("error", .shape(.error), "With invalid: what was wrong."),
            ]),
    ]

    static let updateMembers: [ContractMember] = [
        .required("phase", .text, "What is going on, in the intent's own words; completed is the last."),
        .optional("completionStatus", .text, "With completed: how it ended."),
        .optional("dialog", .text, "What the person is told."),
        .optional("values", .values, "The status by name."),
    ]

    private static let endings: [ContractEvent] = [
        event(
            .completed, "The end of a request. Every request gets exactly one.",
            ofRequest + [
                intent, .required("status", .cases(Completion.Status.self), "How it ended."),
                .required("code", .text, "The handler's response code, or the coordinator's."),
                .required("parameters", .shape(.parameters), "The resolved values, without secrets."),
                .optional("provenance", .map(of: .shape(.provenance)), "How values came about, by parameter."),
                .optional("response", .values, "What the intent resulted in, by name."),
                .optional("dialog", .text, "What the person is told."),
            ] + display + [
                .optional(
                    "results", .list(of: .shape(.elementResult)), "With partialSuccess: what came of each element."),
                .optional("activity", .shape(.activity), "For a code that brings an app to the foreground."),
                .optional("error", .shape(.error), "What went wrong that the code does not say."),
                .required("turns", .integer(from: 0), "How many prompts it took."),
                .optional("items", .list(of: .shape(.item)), "What was found."),
                .optional("chosen", .text, "The id of the item that the person chose."),
                .optional(
                    "opens",
                    .object([.required("request", .text, "The request."), .required("intent", .text, "Its intent.")]),
                    "The request that follows."),
                .optional("updates", .flag, "updates.started.v1 can ask for updates."),
                .optional(
                    "undo",
                    .object([
                        .required("intent", .text, "The intent that takes it back."),
                        .optional("title", .text, "What it does, for a button."),
                        .required("expires", .time, "Until when it can be asked for."),
                    ]), "undo.requested.v1 can take it back."),
            ]),
        event(
            .answeredLate, "A handler succeeded after its request had timed out. It is no second completion.",
            ofRequest + [
                intent, .required("phase", .constant(Phase.handle.rawValue), "Always handle."),
                .required("code", .text, "The handler's response code."),
                .optional("response", .values, "What it resulted in, by name."),
                .optional("dialog", .text, "What the person is told."),
            ]),
        event(
            .memoryForgotten, "What session.forgotten.v1 has asked for with the scope person is done, and stays so.",
            sequenced + [
                owner, .required("event", .text, "The id of that event."),
                .optional("keys", .texts, "The memory keys; all if it is left out."),
                .optional("count", .integer(from: 0), "How many values were forgotten, if that is known."),
            ]),
        event(
            .rejected, "An event was not accepted. Without a sequence, its session has not changed.",
            sequenced.map(\.ifKnown) + [
                .optional("request", .text, "The request that the event is about, if there is one."), owner,
            ]
                + ContractShape.errorMembers + [
                    .optional("event", .text, "The id of the event."),
                    .optional(
                        "retryAfter", .milliseconds,
                        "With busy, if it is known: in how many milliseconds it may be sent again."),
                ]),
    ]
}

extension ContractMember {
    fileprivate var ifKnown: ContractMember { .optional(name, schema, about) }
}
