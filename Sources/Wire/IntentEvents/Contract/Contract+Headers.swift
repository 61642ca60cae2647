import IntentModel

// The headers of records: CloudEvents 1.0 in Kafka's binary mode, and W3C's trace context.
extension Contract {
    /// Those of all records that the pipeline writes, and that others may write.
    public static let headers: [ContractMember] = [
        .required("ce_specversion", .constant("1.0"), "The version of CloudEvents."),
        .required("ce_id", .text(EventBounds.id), "The id of the event: the same id again is the same event."),
        .required("ce_source", .someText, "Who wrote it."),
        .required("ce_type", .cases(EventType.self), "The type of the event."),
        .required("ce_time", .time, "When it was written."),
        .optional("ce_subject", .someText, "The request that it is about."),
        .optional(
            "ce_authtype", .text, "The type of the principal who has caused it, as its channel has authenticated them."),
        .optional("ce_authid", .text, "Who that is."),
        .optional(
            "ce_authclaims", .text,
            "The claims of that principal, a JSON object. An answer to an approval needs its roles, a list of names."),
        .required(
            "content-type", .text,
            "application/json. With application/cloudevents+json, the value is the whole CloudEvent."),
        .optional("traceparent", .text, "The trace that it belongs to (W3C Trace Context)."),
        .optional("tracestate", .text, "What that trace carries."),
        .optional(
            "intents-speaker", .constant("agent"),
            """
            Sent by an agent. Whatever --trust is, such an answer only fills in a value or says no, and nothing of such a request is remembered \
            before the person agrees.
            """),
    ]

    /// Requests need none: without a type, a record is a request, and without an id, its place is its id.
    static func headerSchema(areRequired: Bool) -> ContractSchema {
        .object(
            headers.map { header in
                var header = header
                header.isRequired = header.isRequired && areRequired
                return header
            })
    }
}
