import Conversation
import IntentModel

// What workers and coordinators write to intents.catalog.
extension Contract {
    static let catalogue: [ContractEvent] = [
        ContractEvent(
            .served, "What an intent is. Its tombstone withdraws it.", on: [.catalog], by: ContractParty.workers,
            [
                service, version, .required("intent", .name(EventBounds.intent), "Its name in events."),
                .required("title", .text, "Its name for people."), .optional("description", .text, "What it is for."),
                .optional("phases", .list(of: .cases(Phase.self)), "Which phases it has."),
                .optional(
                    "confirmation", .words(["always", "never", "depends"]),
                    "Whether the person is asked before it is handled."),
                .optional(
                    "authentication", .text,
                    "requiresAuthentication or requiresLocalDeviceAuthentication; left out if anyone may ask."),
                .optional("effect", .cases(IntentEffect.self), "How often the handler may be called for a request."),
                .optional("summary", .any, "A sentence with parameters as ${name}, or an object with cases."),
                .optional("parameters", .list(of: .shape(.publishedParameter)), "Its parameters, in their order."),
                .optional(
                    "schemas",
                    .object([
                        .optional("request", .values, "As they may be asked for."),
                        .optional("resolved", .values, "As handlers get them."),
                    ]), "JSON Schemas of the parameters."),
                .optional(
                    "languages", .map(of: .values),
                    "By BCP 47 tag, those members that are other texts in that language."),
            ]),
        ContractEvent(
            .serving,
            "A lease: what one process serves, until it is over or withdrawn by its tombstone. That of a coordinator names no intents.",
            on: [.catalog], by: [.coordinator] + ContractParty.workers,
            [
                service, .required("instance", .name(EventBounds.text), "The process."), version,
                .required(
                    "intents", .list(of: .text(EventBounds.intent)),
                    "The intents whose work it takes from the extension's topics."),
                .optional(
                    "inApp", .list(of: .text(EventBounds.intent)),
                    "The intents whose work it takes from the app's topics."),
                .required(
                    "phases", .texts,
                    "The phases that it works on, by the names of their topics; 'coordinate' for a coordinator."),
                .required(
                    "validFor", .integer(1...WorkerLease.maximumDuration),
                    "Milliseconds after which it counts no more if it is not renewed."),
                .optional(
                    "started", .time,
                    "When the process started: another time under the same instance is another process."),
                .optional(
                    "renewal", .integer(1...WorkerLease.maximumDuration),
                    "Milliseconds after which it is renewed; 60,000 if left out. A process that has missed two renewals is late."
                ),
                .optional(
                    "partitions", .list(of: .integer(0...Int(Int32.max)), 0...WorkerLease.Ownership.maximumPartitions),
                    "The partitions that a coordinator serves or is taking over."),
                .optional(
                    "stalls",
                    .list(
                        of: .object([
                            .required("partition", .integer(0...Int(Int32.max)), "The partition."),
                            .required("since", .time, "When it made progress last, by the coordinator's clock."),
                            .required("problem", .text(1...WorkerLease.Stall.maximumLength), "What it waits for."),
                        ]), 0...WorkerLease.Ownership.maximumStalls), "Those of them that make no progress."),
            ]),
    ]

    private static let service = ContractMember.optional(
        "service", .text(matching: ServiceName.pattern), "The service; the default service if it is left out.")
    private static let version = ContractMember.optional(
        "version", .name(EventBounds.text), "The version of the service.")
}
