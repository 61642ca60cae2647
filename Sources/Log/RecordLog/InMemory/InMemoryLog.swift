import Synchronization

/// A deterministic model of Kafka's log, for tests.
///
/// The model has offsets, acknowledgements, groups with generations and the eager protocol, commits, segments,
/// compaction and truncation. It injects faults of records, clients, leaders and topics on request. It has no threads,
/// clock or randomness of its own: all effects happen in the calls and in their order, so the same calls give the same
/// events. No call waits, not even ``InMemoryClient/poll(maximum:timeout:)``.
///
/// Where Kafka allows several behaviours, the model uses the one that tests more: sent records are written as late as
/// possible, commits as early as possible. Records stay until they are compacted or truncated.
public final class InMemoryLog: LogCluster {
    /// Returns the current time in milliseconds since 1970.
    let clock: @Sendable () -> Int64
    private let state: Mutex<LogModel>

    /// - Parameters:
    ///   - queueLimit: The maximum number of unacknowledged records of one client. Beyond it,
    ///     ``LogClient/send(_:token:)`` throws ``LogError/Code/queueFull``.
    ///   - recordLimit: The maximum size of a record in bytes: key, value and headers. A larger record fails with
    ///     ``LogError/Code/recordTooLarge``.
    ///   - clock: Returns the current time in milliseconds since 1970, for records without a timestamp, and for all
    ///     records of topics with `message.timestamp.type=LogAppendTime`. Must not call this log.
    public init(queueLimit: Int = 100_000, recordLimit: Int = 1 << 20, clock: @escaping @Sendable () -> Int64) {
        self.clock = clock
        state = Mutex(LogModel(queueLimit: queueLimit, recordLimit: recordLimit))
    }

    func locked<R: Sendable>(_ body: (inout LogModel) throws(LogError) -> R) throws(LogError) -> R {
        try state.withLock { (model) throws(LogError) in try body(&model) }
    }

    func locked<R: Sendable>(_ body: (inout LogModel) -> R) -> R {
        state.withLock { body(&$0) }
    }

    // MARK: The protocol

    public func connect(_ configuration: ClientConfiguration) throws(LogError) -> any LogClient {
        client(configuration)
    }

    public func createTopics(_ topics: [TopicSpecification]) async throws(LogError) {
        try locked { (model) throws(LogError) in try model.createTopics(topics) }
    }

    public func topics() async throws(LogError) -> [TopicDescription] {
        locked { $0.descriptions }
    }

    /// The settings of these topics. A setting that a topic does not set has Kafka's default value. Only the settings
    /// that matter to the pipeline are complete.
    public func configurations(of topics: [String]) async throws(LogError) -> [String: [String: String]] {
        locked { model in
            let defaults = [
                "cleanup.policy": "delete", "max.message.bytes": "\(model.recordLimit)", "min.compaction.lag.ms": "0",
                "message.timestamp.type": "CreateTime", "min.insync.replicas": "1",
                "unclean.leader.election.enable": "false",
            ]
            return model.topics.filter { topics.contains($0.key) }.mapValues {
                defaults.merging($0.specification.configuration) { $1 }
            }
        }
    }

    public func committed(by group: String, _ partitions: [TopicPartition]) async throws(LogError) -> [TopicPartition:
        CommittedOffset]
    {
        locked { model in (model.groups[group]?.committed ?? [:]).filter { partitions.contains($0.key) } }
    }

    public func members(of group: String) async throws(LogError) -> [GroupMember] {
        locked { model in
            (model.groups[group]?.members ?? []).map {
                GroupMember(clientID: $0.clientID, partitions: $0.partitions.sorted())
            }
        }
    }

    // MARK: Clients

    /// Connects like ``connect(_:)``, and returns the client with its controls.
    public func client(_ configuration: ClientConfiguration) -> InMemoryClient {
        InMemoryClient(configuration, number: locked { $0.connect(configuration) }, of: self)
    }

    /// The client that connected last with this client id, whether it is alive or not.
    public func client(named clientID: String) -> InMemoryClient? {
        locked { model in
            model.clients.lastIndex { $0.configuration.clientID == clientID }.map {
                ($0, model.clients[$0].configuration)
            }
        }.map { InMemoryClient($0.1, number: $0.0, of: self) }
    }
}
