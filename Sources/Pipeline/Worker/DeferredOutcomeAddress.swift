import Conversation
import IntentModel

/// The call of a handler that a deferred outcome is for: what `replyTo` of the invocation's context says.
public struct DeferredOutcomeAddress: Sendable, Hashable, LosslessStringConvertible {
    public var session: String
    public var request: String
    /// The step that the outcome is for.
    public var step: Int
    /// The partition of the work. The outcome goes to the same partition of `intents.outcomes`.
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
