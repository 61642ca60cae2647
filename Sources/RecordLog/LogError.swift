/// Why the log could not do something, and what to do now.
public struct LogError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What happened.
    public enum Code: String, Sendable, Hashable {
        /// The client's own queue of unsent records is full: poll, then send again.
        case queueFull
        /// The broker can't be reached, or the connection broke.
        case disconnected
        /// An answer did not come in time.
        case timedOut
        /// The topic or partition does not exist.
        case unknownTopicOrPartition
        /// The log no longer has (or does not have yet) the offset asked for.
        case offsetOutOfRange
        /// A record is larger than the log takes.
        case recordTooLarge
        /// The member is no longer what the group thinks it is; a commit of an older generation.
        case illegalGeneration
        /// A rebalance is under way.
        case rebalanceInProgress
        /// The credentials are wrong or may not do this.
        case unauthorized
        /// A setting is unknown, has a bad value, or belongs to the pipeline.
        case invalidConfiguration
        /// This library or broker is known not to work, or can't do what was asked.
        case unsupported
        /// The topic exists already.
        case topicAlreadyExists
        /// The client was closed, or died.
        case closed
        /// Anything else.
        case other
    }

    /// What the caller should do.
    public enum Disposition: String, Sendable, Hashable {
        /// Try again, or just go on: the client heals it.
        case retry
        /// Give up what was being done; the client still works.
        case abort
        /// The client can't go on: end the process, start anew.
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
