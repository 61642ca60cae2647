import CRDKafka
import Dispatch
import RecordLog
import Synchronization

/// Requests to the broker for which librdkafka has only blocking calls. They run on threads beside the polling thread.
///
/// Answers to one kind of request have the order of the requests. Handles are destroyed after all requests are answered
/// or have timed out.
final class Questions: Sendable {
    enum Answer: Sendable {
        case committed(Result<[TopicPartition: CommittedOffset], LogError>)
        /// The range of a partition in which an offset is missing; `nil` if the range is unknown.
        case range(TopicPartition, missing: Int64, Range<Int64>?)
    }

    private let answers = Mutex<[Answer]>([])
    private let committed = DispatchQueue(label: "rdkafka.committed")
    private let ranges = DispatchQueue(label: "rdkafka.ranges")
    private let asked: DispatchGroup

    init(_ destroyer: HandleDestroyer) { asked = destroyer.questions }

    /// Asks the group's coordinator, which the member knows, for committed offsets. librdkafka's
    /// ListConsumerGroupOffsets is unsuitable, because it looks up the coordinator separately: after rejected requests
    /// and a broker outage, it got no answer any more, however often it was asked (2.16.0).
    func askCommitted(
        _ member: OpaquePointer, _ partitions: [TopicPartition], timeout: Duration,
        onAnswer: @escaping @Sendable () -> Void
    ) {
        nonisolated(unsafe) let member = member
        ask(committed, onAnswer) {
            let list = TopicPartitionList(partitions)
            let error = rd_kafka_committed(member, list.pointer, timeout.milliseconds)
            let what = "reading the group's committed offsets"
            guard error == RD_KAFKA_RESP_ERR_NO_ERROR else {
                return .committed(.failure(LogError(error, "\(what): \(String(cString: rd_kafka_err2str(error)))")))
            }
            return .committed(Result { () throws(LogError) in try list.elements.committedOffsets(what) })
        }
    }

    func askRange(
        _ producer: OpaquePointer, _ place: TopicPartition, missing offset: Int64, timeout: Duration,
        onAnswer: @escaping @Sendable () -> Void
    ) {
        nonisolated(unsafe) let producer = producer
        ask(ranges, onAnswer) {
            .range(place, missing: offset, try? KafkaClient.range(of: place, producer, timeout: timeout))
        }
    }

    private func ask(
        _ queue: DispatchQueue, _ onAnswer: @escaping @Sendable () -> Void, _ question: @escaping @Sendable () -> Answer
    ) {
        queue.async(group: asked) { [self] in
            let answer = question()
            answers.withLock { $0.append(answer) }
            onAnswer()
        }
    }

    /// Removes and returns the oldest answer.
    func next() -> Answer? { answers.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}
