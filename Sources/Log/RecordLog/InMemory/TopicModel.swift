/// One topic of the model.
struct TopicModel: Sendable {
    private(set) var specification: TopicSpecification
    var partitions: [PartitionModel]
    /// `true` if records get the log's time instead of their own: Kafka's `message.timestamp.type=LogAppendTime`.
    let stampsRecords: Bool

    init(_ specification: TopicSpecification) {
        stampsRecords = specification.configuration["message.timestamp.type"] == "LogAppendTime"
        self.specification = specification
        partitions = Array(repeating: PartitionModel(), count: Int(specification.partitions))
    }

    /// Adds partitions until there are `count`, with segments of the same size.
    mutating func grow(to count: Int) {
        var partition = PartitionModel()
        partition.segmentSize = partitions.first?.segmentSize
        partitions += Array(repeating: partition, count: max(0, count - partitions.count))
        specification.partitions = Int32(partitions.count)
    }

    /// The record size limit that was set after the topic was created.
    var changedRecordLimit: Int?

    /// The error for all records of clients; `nil` if the topic accepts records.
    var refusal: LogError?

    /// The topic's own record size limit: Kafka's `max.message.bytes`.
    var recordLimit: Int? { changedRecordLimit ?? specification.configuration["max.message.bytes"].flatMap { Int($0) } }

    /// The partition with this number; `nil` if it does not exist.
    subscript(number: Int32) -> PartitionModel? {
        partitions.indices.contains(Int(number)) ? partitions[Int(number)] : nil
    }
}
