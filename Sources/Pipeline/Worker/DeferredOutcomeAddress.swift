import Conversation
import IntentModel

/// Which call of a handler somebody answers later in its place, after `inProgress`: ``InvocationContext/replyTo``, read back.
public struct DeferredOutcomeAddress: Sendable, Hashable, LosslessStringConvertible {
    public var session: String
    public var request: String
    /// The step of the request that the answer is to.
    public var step: Int
    /// Where the work was found: its answer goes to the same partition of `intents.outcomes`.
    public var partition: Int32

    init(_ job: Job) {
        session = job.session
        request = job.item.request
        step = job.item.step
        partition = job.partition
    }

    /// As JSON: `["me","r1",4,2]`.
    public var description: String {
        JSON.array([.string(session), .string(request), .number(step), .number(Int(partition))]).description
    }

    /// `nil` if it is not one.
    public init?(_ description: String) {
        guard let view = try? JSON(parsing: Array(description.utf8)).view, view.elements.count == 4, let session = view.elements[0].string,
            let request = view.elements[1].string, let step = view.elements[2].int, step >= 0,
            let partition = view.elements[3].int.flatMap({ Int32(exactly: $0) }), partition >= 0
        else { return nil }
        self.session = session
        self.request = request
        self.step = step
        self.partition = partition
    }
}
