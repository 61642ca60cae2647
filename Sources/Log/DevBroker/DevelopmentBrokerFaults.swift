extension DevelopmentBroker {
    /// A kind of request, by Kafka's API key.
    public struct Request: Sendable, Hashable {
        public var key: Int16

        public init(key: Int16) {
            self.key = key
        }

        public static let produce = Request(key: 0)
        public static let fetch = Request(key: 1)
        public static let listOffsets = Request(key: 2)
        public static let metadata = Request(key: 3)
        public static let offsetCommit = Request(key: 8)
        public static let offsetFetch = Request(key: 9)
        public static let findCoordinator = Request(key: 10)
        public static let joinGroup = Request(key: 11)
        public static let heartbeat = Request(key: 12)
        public static let leaveGroup = Request(key: 13)
        public static let syncGroup = Request(key: 14)
        public static let initProducerID = Request(key: 22)
    }

    /// An error of a response, by Kafka's code.
    public struct Fault: Error, Hashable, CustomStringConvertible {
        public var code: Int32

        public init(code: Int32) {
            self.code = code
        }

        public var description: String { "Kafka's error \(code)" }

        public static let offsetOutOfRange = Fault(code: 1)
        public static let corruptRecord = Fault(code: 2)
        public static let unknownTopicOrPartition = Fault(code: 3)
        public static let leaderNotAvailable = Fault(code: 5)
        public static let notLeader = Fault(code: 6)
        public static let requestTimedOut = Fault(code: 7)
        public static let recordTooLarge = Fault(code: 10)
        public static let coordinatorNotAvailable = Fault(code: 15)
        public static let notCoordinator = Fault(code: 16)
        public static let invalidTopic = Fault(code: 17)
        public static let notEnoughReplicas = Fault(code: 19)
        public static let illegalGeneration = Fault(code: 22)
        public static let inconsistentGroupProtocol = Fault(code: 23)
        public static let unknownMember = Fault(code: 25)
        public static let rebalanceInProgress = Fault(code: 27)
        public static let topicAuthorizationFailed = Fault(code: 29)
        public static let groupAuthorizationFailed = Fault(code: 30)
        public static let unsupportedVersion = Fault(code: 35)
        public static let invalidPartitions = Fault(code: 37)
        public static let outOfOrderSequence = Fault(code: 45)
        public static let invalidProducerEpoch = Fault(code: 47)
        public static let storageError = Fault(code: 56)
        public static let memberIDRequired = Fault(code: 79)
        public static let unsupportedCompression = Fault(code: 76)
        public static let invalidRecord = Fault(code: 87)
        public static let fencedInstance = Fault(code: 82)
        /// No response: the connection is closed instead.
        public static let disconnect = Fault(code: -195)
    }
}

/// An error of an operation of the broker, with its reason.
public struct DevelopmentBrokerError: Error, CustomStringConvertible, Sendable {
    public var description: String

    init(_ description: String) {
        self.description = description
    }
}
