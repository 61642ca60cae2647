/// An error of a log operation, with a disposition that says what the caller should do.
public struct LogError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: String, Sendable, Hashable {
        /// The client's own queue of unsent records is full: poll, then send again.
        case queueFull
        /// The broker can't be reached, or the connection broke.
        case disconnected
        /// A response did not come in time.
        case timedOut
        /// The topic or partition does not exist.
        case unknownTopicOrPartition
        /// The log no longer has the requested offset, or does not have it yet.
        case offsetOutOfRange
        /// A record is larger than the log accepts.
        case recordTooLarge
        /// The member is no longer in the group, or a commit is of an older generation.
        case illegalGeneration
        /// A rebalance is in progress.
        case rebalanceInProgress
        /// The credentials are wrong or do not permit this.
        case unauthorized
        /// A setting is unknown, has an invalid value, or may only be set by the pipeline.
        case invalidConfiguration
        /// This library or broker is known not to work, or does not support the operation.
        case unsupported
        /// The topic exists already.
        case topicAlreadyExists
        /// The client was closed or has crashed.
        case closed
        /// Any other error.
        case other
    }

    /// The action that the caller should take.
    public enum Disposition: String, Sendable, Hashable {
        /// Retry, or just continue: the client recovers without help.
        case retry
        /// Abandon the operation; the client still works.
        case abort
        /// The client can't continue: restart the process.
        case fatal
    }

    public var code: Code
    public var message: String
    public var disposition: Disposition

    public init(_ code: Code, _ message: String, disposition: Disposition = .abort) {
        self.code = code
        self.message = message
        self.disposition = disposition
    }

    public var description: String { "\(code.rawValue): \(message)" }
}

extension LogError {
    /// The error of sending with a client whose ``ClientConfiguration/isReadOnly`` is set.
    package static let readOnly = LogError(.unsupported, "this client only reads, because its configuration says so")

    /// The error of every record that a client drops, or that is in flight, after this record of one of its
    /// ``ClientConfiguration/gaplessTopics`` has failed.
    package static func stopped(after failed: Delivery) -> LogError {
        // A record that the client itself rejects may have no partition yet.
        let place = failed.partition < 0 ? failed.topic : "\(TopicPartition(failed.topic, failed.partition))"
        let error = failed.error.map { "\($0)" } ?? "unknown error"
        return LogError(
            .closed, "nothing more may be written after a record of \(place) has failed: \(error)", disposition: .fatal)
    }
}
