import Conversation
import IntentModel

// The events that producers write to intents.requests, and the person's side, apps and operators to intents.answers.
extension Contract {
    static let requests: [ContractEvent] = [
        event(.requested, "Makes a request. Its id is the event's id.") {
            $0.withOneValue(of: ["intent", "candidates"])
        },
        event(.undoRequested, "Takes back a request that has succeeded and whose completion has offered undo."),
        event(.promptAnswered, "Answers a prompt.") { $0.withOneValue(of: ["action", "utterance"]) },
        event(.optionsRequested, "Asks for more options of the open prompt, or searches them."),
        event(.parameterCorrected, "Changes a parameter of a request before it is handled."),
        event(.cancelled, "Cancels a request."),
        event(.updatesStarted, "Asks for updates of a request that has succeeded."),
        event(.updatesStopped, "Ends these updates."),
        event(.handoffClaimed, side: "requests", "An app takes a handoff."),
        event(.handoffCompleted, side: "requests", "The claimant reports how the handoff ended."),
        event(.handoffReturned, "The claimant returns the handoff; it is offered again."),
        event(.forgotten, "Has something forgotten that is remembered.") { schema in
            let keys = ContractSchema.list(of: .text(1...RememberedValue.maximumKeyBytes), 0...Forgetting.maximumKeys)
            return schema.with(
                ["keys": keys.orNull], ifHaving: "scope",
                .any.with(["const": .string(Forgetting.Scope.person.rawValue)]))
        },
        event(.sessionEnded, "An operator ends the session."),
    ]

    private static func event(
        _ type: EventType, side: String? = nil, _ about: String,
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
            ContractMember.list { describer in
                var members = RequestMembers()
                members.members(&describer, of: type, isDescribed: true)
            }.map(\.acceptingNull),
            rules: rules)
    }
}
