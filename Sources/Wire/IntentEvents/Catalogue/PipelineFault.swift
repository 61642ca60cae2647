/// Something that keeps requests from making progress.
public struct PipelineFault: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Partitions have no coordinator: their sessions wait.
        case partitionsWithoutOwner
        /// A coordinator owns a partition and makes no progress in it although it should.
        case partitionStalled
        /// No live worker takes a phase of intents that are served.
        case phaseWithoutWorker
        /// A process does not renew its lease.
        case processLate
        /// The clock of a process differs from the broker's.
        case clockApart
        /// No broker leads a partition of a topic.
        case partitionWithoutLeader
        /// The process that looks can't reach Kafka. It knows nothing of the others then.
        case brokerUnreachable
    }

    public var kind: Kind
    /// The fault in one sentence, without its full stop.
    public var message: String
    /// The next action.
    public var advice: String

    public init(_ kind: Kind, _ message: String, advice: String) {
        self.kind = kind
        self.message = message
        self.advice = advice
    }
}
