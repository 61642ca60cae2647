public import Conversation
public import IntentModel

/// The call of a handler that a deferred outcome is for: what `replyTo` of the invocation's context says.
public struct DeferredOutcomeAddress: Sendable, Hashable, LosslessStringConvertible {
    public var session: Identifier
    public var request: Identifier
    /// The step that the outcome is for.
    public var step: Int
    /// The ticket of the work; `nil` if an earlier version dispatched it.
    public var ticket: Ticket?
    /// The intent that was handled, and how: what an outcome is checked against.
    public var intent: Identifier
    public var isInApp: Bool
    /// A BCP 47 tag such as `en-GB`.
    public var locale: String?
    /// The partition of the work. The outcome goes to the same partition of `intents.outcomes`.
    public var partition: Int32

    init(_ job: Job, isInApp: Bool) {
        session = job.session
        request = job.item.address.request
        step = job.item.address.step
        ticket = job.item.ticket
        intent = job.item.address.intent
        self.isInApp = isInApp
        locale = job.item.locale
        partition = job.partition
    }

    /// As JSON: `["me","r1",4,2,"2f0c…","BookTable",false,"en-GB"]`.
    public var description: String {
        JSON.make { writer in
            writer.beginArray()
            writer.string(session.text)
            writer.string(request.text)
            writer.number(step)
            writer.number(Int(partition))
            if let ticket { writer.string(ticket.description) } else { writer.null() }
            writer.string(intent.text)
            writer.bool(isInApp)
            if let locale { writer.string(locale) } else { writer.null() }
            writer.endArray()
        }.description
    }

    /// An outcome of the call.
    public func outcome(_ content: Outcome.Content) -> Outcome {
        Outcome(request: request, step: step, phase: .handle, content: content, ticket: ticket)
    }

    /// `nil` if it is not one.
    public init?(_ description: String) {
        guard let parts = try? JSON(parsing: Array(description.utf8)).view.elements, parts.count == 8,
            let session = parts[0].identifier, let request = parts[1].identifier, let step = parts[2].int, step >= 0,
            let partition = parts[3].int.flatMap({ Int32(exactly: $0) }), partition >= 0,
            let intent = parts[5].identifier,
            let isInApp = parts[6].bool
        else { return nil }
        self.session = session
        self.request = request
        self.step = step
        self.partition = partition
        ticket = parts[4].string.flatMap(Ticket.init)
        self.intent = intent
        self.isInApp = isInApp
        locale = parts[7].string
    }
}
