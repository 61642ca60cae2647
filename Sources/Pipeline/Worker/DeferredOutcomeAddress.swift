public import Conversation
import IntentModel

/// The call of a handler that a deferred outcome is for: what `replyTo` of the invocation's context says.
public struct DeferredOutcomeAddress: Sendable, Hashable, LosslessStringConvertible {
    public var session: String
    public var request: String
    /// The step that the outcome is for.
    public var step: Int
    /// The ticket of the work; `nil` if an earlier version dispatched it.
    public var ticket: Ticket?
    /// The partition of the work. The outcome goes to the same partition of `intents.outcomes`.
    public var partition: Int32

    init(_ job: Job) {
        session = job.session
        request = job.item.request
        step = job.item.step
        ticket = job.item.ticket
        partition = job.partition
    }

    /// As JSON, with the ticket at the end: `["me","r1",4,2,"2f0c…"]`.
    public var description: String {
        let call: [JSON] = [.string(session), .string(request), .number(step), .number(Int(partition))]
        return JSON.array(call + (ticket.map { [.string($0.description)] } ?? [])).description
    }

    /// An outcome of the call.
    public func outcome(_ content: Outcome.Content) -> Outcome {
        Outcome(request: request, step: step, phase: .handle, content: content, ticket: ticket)
    }

    /// `nil` if it is not one.
    public init?(_ description: String) {
        guard let view = try? JSON(parsing: Array(description.utf8)).view, 4...5 ~= view.elements.count,
            let session = view.elements[0].string,
            let request = view.elements[1].string, let step = view.elements[2].int, step >= 0,
            let partition = view.elements[3].int.flatMap({ Int32(exactly: $0) }), partition >= 0
        else { return nil }
        self.session = session
        self.request = request
        self.step = step
        self.partition = partition
        ticket = view.elements.count == 5 ? view.elements[4].string.flatMap(Ticket.init) : nil
    }
}
