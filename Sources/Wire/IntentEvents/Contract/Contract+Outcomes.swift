import Conversation
import IntentModel

// What workers write to intents.outcomes.
extension Contract {
    static let outcomes: [ContractEvent] = [
        event(
            .resolved, "The outcome of resolve.", by: resolvers,
            address + [
                .optional("resolutions", .list(of: .shape(.resolution)), "The result for each parameter."),
                .optional("summary", .text, "The intent in a sentence, while parameters are open."), confirmation,
                .optional("policy", .shape(.policy), "The timeouts, retries and limits of the intent."),
            ] + others, rules: { $0.withAny(of: content(.having("resolutions"))) }),
        event(
            .confirmed, "The outcome of confirm.", by: confirmers,
            address + response + [
                confirmation, .optional("validFor", .milliseconds, "For how many milliseconds the response is valid."),
            ] + others, rules: { $0.withAny(of: content(.having("code"))) }),
        event(
            .handled, "The outcome of handle, or with the code inProgress a report of progress.",
            by: handlers + [.callback],
            address + [claim] + response + [
                confirmation, .optional("fraction", .number(0...1), "With inProgress: how much of it is done."),
                .optional(
                    "choice",
                    .object([
                        .optional("dialog", .text, "What the person is asked."),
                        .optional(
                            "remembers", .map(of: .text),
                            "What is remembered of the chosen item: its members by memory key."),
                    ]), "The person is asked which of the items they mean."),
                .optional("remembered", .values, "What the session remembers from now on, by key."),
                .optional("rememberedForPerson", .values, "What is remembered for the person from now on, by key."),
                .optional("opens", .shape(.openedIntent), "The intent that follows."),
                .optional("updates", .flag, "The handler can report updates after success."),
                .optional(
                    "results", .list(of: .shape(.elementResult), 0...ElementResult.maximumCount),
                    "With partialSuccess: what came of each element."),
                .optional("undo", .shape(.undoOffer), "What takes it back."),
            ] + others, rules: { $0.withAny(of: content(.having("code"))) }),
        event(
            .starting, "A worker is about to call a once-only handler, and waits for the permit.", by: handlers,
            address + [.required("claim", .someText, "Names this call, and no other.")]),
        event(
            .updated, side: "outcomes", "An update of a request that has succeeded.", by: handlers,
            address + updateMembers),
        event(
            .updatesEnded, side: "outcomes", "The handler has nothing more to report.", by: handlers,
            address + [.required("reason", .cases(UpdatesEnd.self), "Why.")]),
    ]

    private static let resolvers: [ContractParty] = [.resolver, .appResolver]
    private static let confirmers: [ContractParty] = [.confirmer, .appConfirmer]
    private static let handlers: [ContractParty] = [.handler, .appHandler]

    private static func event(
        _ type: EventType, side: String? = nil, _ about: String, by writers: [ContractParty],
        _ members: [ContractMember],
        rules: @escaping @Sendable (ContractSchema) -> ContractSchema = { $0 }
    ) -> ContractEvent {
        ContractEvent(type, about, side: side, on: [.outcomes], by: writers, members, rules: rules)
    }

    private static let address: [ContractMember] = [
        .required("request", .text, "The request, as in the work."),
        .required("step", .integer(from: 0), "The step, as in the work."),
        .required("ticket", ticketSchema, "The ticket of the work."),
    ]
    private static let claim = ContractMember.optional("claim", .text, "The claim of the worker, if it has made one.")
    private static let confirmation = ContractMember.optional(
        "confirmation", .shape(.confirmation), "The person is asked before it is handled.")

    private static let response: [ContractMember] = [
        .optional("code", .text, "The response code: one of SiriKit's, or one of the intent's own."),
        .optional("dialog", .text, "What the person is told."),
        .optional("supporting", .text, "What to show where the dialog is said aloud."),
        .optional("snippet", .shape(.snippet), "A card to show beside the words."),
        .optional("response", .values, "What the phase resulted in, by name."),
        .optional("items", .list(of: .shape(.item)), "What was found."),
        .optional("activity", .shape(.activity), "What an app needs to go on."),
        .optional("proposed", .values, "Other values with which it can be done, by parameter."),
        .optional("taken", .values, "The values that the person's answers were resolved to, by parameter."),
    ]

    private static let others: [ContractMember] = [
        .optional("ask", .shape(.question), "A question to the person."),
        .optional("failure", .shape(.failure), "What went wrong."),
        .optional(
            "recorded", .values, "With ask, failure or resolutions: what the next call of the phase gets back, by name."
        ),
        .optional("cancelled", .boolean, "The work was cancelled."),
    ]

    private static func content(_ own: ContractSchema) -> [ContractSchema] {
        [own, .having("ask"), .having("failure"), .having("cancelled", .flag)]
    }
}
