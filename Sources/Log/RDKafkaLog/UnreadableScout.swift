import CRDKafka
import RecordLog

/// A consumer, separate from the client's other consumers, that searches the ends of unreadable batches
/// (``UnreadableSearch``).
///
/// The client's own consumers don't move during a search, so their positions are still valid if the search is
/// abandoned, and a wrong suspicion moves nothing. The scout is created on demand. Its events have their own queue, because librdkafka does not say which
/// consumer an error is from.
final class UnreadableScout {
    /// The subject of a search.
    struct Target {
        /// The stream whose partition is searched.
        let stream: TopicStream
        /// The position of the stream during the search.
        var position: Int64
        var search: UnreadableSearch
        /// The time after which the fetch in progress counts as finding nothing. A fetch at the end of a partition gets
        /// no answer while a transaction withholds that end.
        var deadline: ContinuousClock.Instant
        /// Other streams that have the partition open: librdkafka does not say which of the streams can't read the
        /// batch.
        var others: [TopicStream]
    }

    /// The time limit of a fetch.
    static let patience = Duration.seconds(5)

    private var handle: RDKafkaHandle?
    private var queue: RDKafkaQueue?
    private var topics: [String: RDKafkaTopic] = [:]
    var targets: [TopicPartition: Target] = [:]

    /// - Parameter waiting: The queue whose waiting polls end when the scout has events.
    init(
        _ configuration: KafkaConfiguration, clientID: String, _ destroyer: HandleDestroyer,
        wakes waiting: OpaquePointer?
    )
        throws(LogError)
    {
        let handle = try RDKafkaConfiguration(configuration, scope: .scout, clientID: "\(clientID)-scout").makeHandle(
            destroyer)
        let queue = try RDKafkaQueue(rd_kafka_queue_new(handle.pointer))
        let main = try RDKafkaQueue(rd_kafka_queue_get_main(handle.pointer))
        rd_kafka_queue_forward(main.pointer, queue.pointer)
        rd_kafka_set_log_queue(handle.pointer, queue.pointer)
        if let waiting { queue.enableWakeup(of: waiting) }
        self.handle = consume handle
        self.queue = consume queue
    }

    func poll() -> RDKafkaEvent? { queue?.poll(0) }

    func begin(_ target: Target, in place: TopicPartition) {
        targets[place] = target
        fetch(place, at: target.search.probe)
    }

    /// Fetches at an offset, after stopping the previous fetch of the partition.
    func fetch(_ place: TopicPartition, at offset: Int64?) {
        targets[place]?.deadline = .now + Self.patience
        do throws(LogError) {
            guard let handle = handle?.pointer, let queue = queue?.pointer else { return }
            if topics[place.topic] == nil { topics[place.topic] = try RDKafkaTopic(place.topic, of: handle) }
            guard let topic = topics[place.topic] else { return }
            rd_kafka_consume_stop(topic.pointer, place.partition)
            guard
                rd_kafka_consume_start_queue(
                    topic.pointer, place.partition, offset ?? StartOffset.beginning.number, queue) == 0
            else { throw LogError(rd_kafka_last_error()) }
        } catch {
            // Without an answer, the fetch ends at its deadline.
        }
    }

    func end(_ place: TopicPartition) -> Target? {
        if let topic = topics[place.topic] { rd_kafka_consume_stop(topic.pointer, place.partition) }
        return targets.removeValue(forKey: place)
    }

    /// The end of a partition as of the newest fetch.
    func knownEnd(of place: TopicPartition) -> Int64? {
        guard let handle = handle?.pointer else { return nil }
        var (low, high): (Int64, Int64) = (0, 0)
        let error = rd_kafka_get_watermark_offsets(handle, place.topic, place.partition, &low, &high)
        return error == RD_KAFKA_RESP_ERR_NO_ERROR && high >= 0 ? high : nil
    }

    /// Ends all searches. Afterwards, the handle and the queue that the scout wakes may be destroyed.
    func close() {
        queue?.disableWakeup()
        for place in targets.keys { _ = end(place) }
        topics = [:]
        queue = nil
        handle = nil
    }
}

extension KafkaClient {
    /// Begins the search for the end of a batch that a consumer could not read, unless a search of the partition is
    /// running already.
    ///
    /// - Returns: `false` if the partition is not open.
    func beginSearch(in place: TopicPartition, at base: Int64) -> Bool {
        let open = [streams.ofMember[place.topic], streams.ofReader[place.topic]].compactMap { $0 }.filter {
            $0[place.partition].isOpen
        }
        if open.isEmpty { return false }
        // A paused partition reports the batch again when it is resumed.
        if scout?.targets[place] == nil { search(open.filter { !$0[place.partition].isPaused }, place, at: base) }
        return true
    }

    /// Searches from the position of the first of these streams, whose fetching stops during the search.
    private func search(_ streams: [TopicStream], _ place: TopicPartition, at base: Int64) {
        guard let stream = streams.first else { return }
        if scout == nil {
            do throws(LogError) {
                scout = try UnreadableScout(configuration, clientID: client.clientID, destroyer, wakes: queue?.pointer)
            } catch {
                return overflow.insert(.failed(error), at: 0)
            }
        }
        let partition = stream[place.partition]
        stream[place.partition].isSearched = true
        if stream.isReader {
            stopFetching(place, of: stream)
        } else {
            let list = TopicPartitionList(CollectionOfOne(place))
            rd_kafka_pause_partitions(member?.pointer, list.pointer)
        }
        let start: Int64? = partition.position >= 0 ? partition.position : partition.start == .beginning ? nil : base
        scout?.begin(
            UnreadableScout.Target(
                stream: stream, position: partition.position, search: UnreadableSearch(from: start), deadline: .now,
                others: Array(streams.dropFirst())),
            in: place)
    }

    /// Processes the scout's events and the deadlines of its fetches.
    func serveSearches(into events: inout [LogEvent], _ maximum: Int) {
        guard let scout else { return }
        while let event = scout.poll() { handle(event, of: scout, into: &events, maximum) }
        if scout.targets.isEmpty { return }
        let now = ContinuousClock.now
        for (place, target) in scout.targets {
            if isOutdated(target, place) {
                _ = scout.end(place)
            } else if target.deadline < now {
                proceed(place, scout, into: &events, maximum) { $0.succeeded(end: nil) }
            }
        }
    }

    private func handle(
        _ event: borrowing RDKafkaEvent, of scout: UnreadableScout, into events: inout [LogEvent], _ maximum: Int
    ) {
        switch event.type {
        case RD_KAFKA_EVENT_FETCH:
            guard let message = rd_kafka_event_message_next(event.pointer),
                message.pointee.err == RD_KAFKA_RESP_ERR_NO_ERROR,
                let topic = message.pointee.rkt
            else { return }
            let place = TopicPartition(String(cString: rd_kafka_topic_name(topic)), message.pointee.partition)
            proceed(place, scout, into: &events, maximum) { $0.succeeded(end: scout.knownEnd(of: place)) }
        case RD_KAFKA_EVENT_ERROR:
            guard let (place, base) = event.place else { return }
            switch event.error {
            case RD_KAFKA_RESP_ERR__BAD_COMPRESSION, RD_KAFKA_RESP_ERR__BAD_MSG, RD_KAFKA_RESP_ERR__NOT_IMPLEMENTED:
                let cause = event.errorText
                proceed(place, scout, into: &events, maximum) {
                    $0.failed(at: base, cause: cause, end: scout.knownEnd(of: place))
                }
            case RD_KAFKA_RESP_ERR__PARTITION_EOF, RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET:
                proceed(place, scout, into: &events, maximum) { $0.succeeded(end: nil) }
            // The client's own consumers report connection errors.
            default: break
            }
        case RD_KAFKA_EVENT_LOG: report(event)
        default: break
        }
    }

    private func proceed(
        _ place: TopicPartition, _ scout: UnreadableScout, into events: inout [LogEvent], _ maximum: Int,
        _ answer: (inout UnreadableSearch) -> UnreadableSearch.Step
    ) {
        guard var target = scout.targets[place] else { return }
        if isOutdated(target, place) { return _ = scout.end(place) }
        let step = answer(&target.search)
        scout.targets[place] = target
        switch step {
        case .probe(let offset): scout.fetch(place, at: offset)
        case .nothing:
            resume(place, at: target.position, scout)
            search(target.others.filter { $0[place.partition].isOpen }, place, at: target.position)
        case .found(let offsets, let cause, let next):
            let found = LogEvent.unreadable(
                UnreadableRange(place, offsets, cause: cause, isAssigned: !target.stream.isReader))
            if events.count < maximum { events.append(found) } else { overflow.insert(found, at: 0) }
            target.stream[place.partition].position = offsets.upperBound
            guard let next else { return resume(place, at: offsets.upperBound, scout) }
            scout.targets[place]?.position = offsets.upperBound
            scout.fetch(place, at: next)
        }
    }

    /// `true` if the partition was closed, reopened or moved during the search. The batch is then reported again.
    private func isOutdated(_ target: UnreadableScout.Target, _ place: TopicPartition) -> Bool {
        let partition = target.stream[place.partition]
        return !partition.isSearched || partition.position != target.position
    }

    /// Resumes fetching a partition after the search.
    private func resume(_ place: TopicPartition, at position: Int64, _ scout: UnreadableScout) {
        guard let stream = scout.end(place)?.stream else { return }
        stream[place.partition].isSearched = false
        if stream.isReader { return restartReader(place) }
        // A seek does not interrupt the fetching of other partitions. Its timeout of 0 does not wait for the answer.
        guard position >= 0 else { return assignment.isBroken = true }
        rd_kafka_seek(stream.pointer, place.partition, position, 0)
        if stream[place.partition].isPaused { return }
        let list = TopicPartitionList(CollectionOfOne(place))
        rd_kafka_resume_partitions(member?.pointer, list.pointer)
    }
}
