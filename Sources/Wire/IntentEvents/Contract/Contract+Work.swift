import Conversation
import IntentModel

// What the coordinator writes to the work topics.
extension Contract {
    static let work: [ContractEvent] = [
        event(.resolve, "Work: resolve the parameters.", on: [.resolve, .resolveInApp], item + clock + asked),
        event(.confirm, "Work: check whether it can be done.", on: [.confirm, .confirmInApp], item + clock + asked),
        event(
            .handle, "Work: do it.", on: handling,
            item + clock + asked + [
                .optional(
                    "effect", .cases(IntentEffect.self), "atMostOnce: the handler may only be called after a permit."),
                .optional(
                    "inProgressTimeout", .milliseconds,
                    "How long after a report an outcome is still of use, instead of until deadline."),
                .optional(
                    "requestDeadline", .time,
                    "When an outcome is no longer of use, whatever was reported, by the coordinator's clock."),
                .optional(
                    "requestTimeLimit", timeLimit,
                    "The same in milliseconds from the record's timestamp, whose clock may be another one."),
            ]),
        event(.update, "Report updates of a request that has succeeded.", on: handling, item + clock),
        event(
            .cancel, "Cancels work: all steps up to this one. It comes on the topic of that work.",
            on: ContractTopic.work,
            address + [
                phase, .optional("reason", .cases(CancellationReason.self), "Why."),
                .optional("deadline", .time, "How long the handler may clean up, by the coordinator's clock."),
                .optional("timeLimit", timeLimit, "The same in milliseconds from the record's timestamp."),
            ]),
        event(
            .permit, "Permits one worker to call a once-only handler.", on: handling,
            address + [phase, .required("claim", .text, "The claim of intent.starting.v1 that is permitted.")]),
    ]

    private static let handling: [ContractTopic] = [.handle, .handleInApp]

    private static func event(
        _ type: EventType, _ about: String, on topics: [ContractTopic], _ members: [ContractMember]
    ) -> ContractEvent {
        ContractEvent(type, about, on: topics, by: [.coordinator], members)
    }

    private static let address: [ContractMember] = [
        .required("request", .someText, "The request."),
        .required("step", .integer(from: 0), "The step of the request."),
        .required("intent", .someText, "The intent."), .optional("inApp", .flag, "The app's workers get it."),
        .optional(
            "service", .text(matching: ServiceName.pattern),
            "The service whose workers get it; the default service if it is left out."),
    ]
    private static let timeLimit = ContractSchema.integer(from: 0)
    private static let phase = ContractMember.required("phase", .cases(Phase.self), "The phase of the work.")

    static let ticketSchema = ContractSchema.text(matching: "^[0-9a-f]{32}$")

    private static let item: [ContractMember] =
        address + [
            .required("ticket", ticketSchema, "Copy it into each outcome."),
            .required("attempt", .integer(from: 1), "How often the phase has been dispatched."),
            .required("parameters", .map(of: .shape(.parameterState)), "Each parameter by name."),
            .required("deadline", .time, "When an outcome is no longer of use, by the coordinator's clock."),
            .optional(
                "timeLimit", timeLimit,
                "The same in milliseconds from the record's timestamp: what a worker with another clock goes by."),
            .required(
                "idempotencyKey", .text, "The same for every repeat: pass it on to calls that must not happen twice."),
            .optional("locale", .text, "As in the request."), .optional("attributes", .values, "As in the request."),
            .optional("principal", .shape(.principal), "Who has requested it, if they are authenticated."),
            .optional("memory", .values, "What is remembered, by key."),
        ]
    private static let clock: [ContractMember] = [
        .optional("timeZone", .text, "The person's time zone, if it is known."),
        .optional("now", .time, "When the person said what the phase reads, if their clock is another one."),
    ]
    private static let asked: [ContractMember] = [
        .optional(
            "answers", .list(of: .shape(.phaseAnswer)), "What the person has answered to this phase's questions."),
        .optional("recorded", .values, "What the phase has recorded, by name."),
    ]
}
