package import Conversation
package import IntentEvents
import IntentModel
package import Logging
package import RecordLog
import Synchronization
package import Tracing

/// The person's side of the pipeline for many callers. A gateway follows all results and the catalogue, and writes the
/// events of persons, agents and operators.
///
/// A gateway stores nothing: state that a caller needs for its next call is in the log, or sealed in the caller's
/// handle, so that any gateway behind a balancer can answer the next call.
///
/// One thread drives a gateway with ``step(timeout:)``. All other functions may be called from any thread.
package final class Gateway: Sendable {
    /// The topics that a gateway may read in addition to the results and the catalogue.
    package struct Sources: Sendable {
        /// `true` to read the events from the person's side: `intents.requests` and `intents.answers`.
        package var sentEvents = true
        package var deadLetters = true
        /// The number of existing records to read from each partition.
        package var backlog: Int64 = 10_000

        package init(sentEvents: Bool = true, deadLetters: Bool = true, backlog: Int64 = 10_000) {
            self.sentEvents = sentEvents
            self.deadLetters = deadLetters
            self.backlog = backlog
        }
    }

    struct State {
        var followed = FollowedTopics()
        var timeline: Timeline
        var catalogue: FollowedCatalogue
        var letters = DeadLetterBook()
        /// The faults that keep requests from making progress.
        var faults: [PipelineFault] = []
        var readers: Readers
        var outbox = Outbox()
    }

    package let topics: Topics
    package let partitions: Int32
    private let client: any LogClient
    private let sources: Sources
    let clock: @Sendable () -> Instant
    let tracing: SendTracing?
    private let logger: Logger
    let state: Mutex<State>

    /// - Parameters:
    ///   - client: A client without a consumer group.
    ///   - partitions: The number of partitions of each topic.
    ///   - tracer: The tracer for the spans of written events; `nil` to trace nothing.
    package init(
        client: any LogClient, topics: Topics, partitions: Int32, sources: Sources = Sources(),
        board: SessionBoard = SessionBoard(), clock: @escaping @Sendable () -> Instant, tracer: (any Tracer)? = nil,
        logger: Logger
    ) {
        (self.client, self.topics, self.partitions, self.sources) = (client, topics, partitions, sources)
        (self.clock, self.logger) = (clock, logger)
        tracing = tracer.map(SendTracing.init)
        let now = clock()
        state = Mutex(
            State(
                timeline: Timeline(board: board), catalogue: FollowedCatalogue(at: now), readers: Readers(at: now)))
    }

    // MARK: The loop

    /// Polls the log, and sends the records that callers have written.
    ///
    /// - Returns: `true` if there was anything to do.
    @discardableResult
    package func step(timeout: Duration) throws(LogError) -> Bool {
        try open()
        let hasSent = try sendOutbox()
        let events = try client.poll(maximum: 1_000, timeout: hasSent ? .zero : timeout)
        let now = clock()
        var batch: [TimelineEvent] = []
        for event in events {
            switch event {
            case .read(let record): if let event = apply(record, at: now) { batch.append(event) }
            case .readEnd(let place, _): _ = state.withLock { $0.followed.behind.remove(place) }
            case .delivered(let delivery): state.withLock { $0.outbox.acknowledge(delivery) }?.deliver()
            case .failed(let error): logger.log(level: error.disposition == .retry ? .debug : .warning, "\(error)")
            case .outOfRange(let place): logger.warning("\(place)")
            case .unreadable(let batch):
                if state.withLock({ $0.followed.unreadable.insert(batch.partition).inserted }) {
                    logger.error(
                        "a batch of records is passed over, and later ones of this partition without a word: \(batch)")
                }
            case .record, .assigned, .revoked, .committed, .committedOffsets: break
            }
        }
        publish(batch)
        expire(at: now)
        return hasSent || !events.isEmpty
    }

    /// Ends all subscriptions, fails the records that wait, and closes the client.
    package func close(timeout: Duration) throws(LogError) {
        let (readers, answers) = state.withLock { ($0.readers.removeAll(), $0.outbox.close()) }
        for reader in readers { reader.end(.closed) }
        for answer in answers { answer.deliver() }
        try client.close(timeout: timeout)
    }

    /// Ends the wait of a running ``step(timeout:)``.
    package func wake() { client.wake() }

    /// `true` if the gateway has read to the end that each partition had at the start.
    package var isReady: Bool { state.withLock { $0.followed.isReady } }

    private func open() throws(LogError) {
        if state.withLock(\.followed.isOpen) { return }
        for number in 0..<partitions {
            var wanted = [topics.results]
            if sources.sentEvents { wanted += [topics.requests, topics.answers] }
            if sources.deadLetters { wanted.append(topics.deadLetters) }
            for topic in wanted {
                let place = TopicPartition(topic, number)
                let range = try client.range(of: place)
                let start = max(range.lowerBound, range.upperBound - sources.backlog)
                try client.read(place, from: .offset(start))
                if topic == topics.results { state.withLock { $0.followed.nextResults[number] = start } }
                if start < range.upperBound { state.withLock { _ = $0.followed.behind.insert(place) } }
            }
            try client.read(TopicPartition(topics.catalog, number), from: .beginning)
            state.withLock { _ = $0.followed.behind.insert(TopicPartition(topics.catalog, number)) }
        }
        state.withLock { $0.followed.isOpen = true }
    }

    private func sendOutbox() throws(LogError) -> Bool {
        var hasSent = false
        while let (record, token) = state.withLock({ $0.outbox.popNext() }) {
            do throws(LogError) { try client.send(record, token: token) } catch  where error.code == .queueFull {
                state.withLock { $0.outbox.putBack(token) }
                break
            }
            hasSent = true
        }
        return hasSent
    }

    /// Fails records whose deadline has passed, and sends signs of life to readers.
    private func expire(at now: Instant) {
        let (answers, readers) = state.withLock { state in
            let readers = state.readers.advancePulse(at: now)
            if readers != nil { state.catalogue.expire(at: now) }
            return (state.outbox.expire(at: now), readers ?? [])
        }
        for answer in answers { answer.deliver() }
        for reader in readers { reader.pulse() }
    }

    // MARK: Records

    /// Applies a record. Returns its event if the event is new.
    private func apply(_ record: ConsumedRecord, at now: Instant) -> TimelineEvent? {
        switch record.topic {
        case topics.results:
            guard let result = try? ReceivedResult(record) else { return nil }
            let event = TimelineEvent(result, source: record.headers.first { $0.name == "ce_source" }?.text)
            return state.withLock { state in
                state.followed.nextResults[record.partition] = record.offset + 1
                let isPast = state.followed.behind.contains(record.topicPartition)
                return state.timeline.apply(event, of: result, at: now, isPast: isPast) ? event : nil
            }
        case topics.requests, topics.answers:
            guard let (event, data) = try? RequestEvent.read(record) else { return nil }
            return recordSent(
                event, data, record.topic == topics.requests ? .requests : .answers,
                LogPosition(partition: record.partition, offset: record.offset), record.timestamp)
        case topics.catalog:
            let complaint = state.withLock { state in
                let isPast = state.followed.behind.contains(record.topicPartition)
                return state.catalogue.apply(record, at: now, isPast: isPast)
            }
            if let complaint { logger.warning("\(complaint)") }
        case topics.deadLetters: state.withLock { $0.letters.apply(record) }
        default: break
        }
        return nil
    }

    /// Applies an event from the person's side, without its secrets. Returns the event if it is new.
    func recordSent(
        _ event: RequestEvent, _ data: JSON, _ origin: TimelineEvent.Origin, _ place: LogPosition, _ timestamp: Int64
    ) -> TimelineEvent? {
        state.withLock { state in
            let storable = state.catalogue.storableParameters
            let filter = SecretFilter { storable[$0] ?? [] }
            let now = clock()
            // Producers set the timestamps of records, and may set any.
            let time = min(Instant(milliseconds: max(0, timestamp)), now)
            var new = TimelineEvent(
                origin: origin, position: place, type: event.type, id: event.id, time: time,
                session: event.session, request: event.type == .requested ? event.id : data["request"]?.identifier,
                data: filter.filter(event, data: data, in: state.timeline.board[event.session]))
            new.principal = event.principal
            if case .answered(let answer) = event.event { new.roles = answer.roles }
            let topic = origin == .requests ? topics.requests : topics.answers
            let isPast = state.followed.behind.contains(TopicPartition(topic, place.partition))
            return state.timeline.apply(new, at: now, isPast: isPast) ? new : nil
        }
    }

    // MARK: The present state

    /// Returns the session with the events that are stored here.
    func session(_ id: Identifier) -> FollowedSession? { state.withLock { $0.timeline.board[id] } }

    /// The services that serve intents at present; `nil` stands for the default service.
    package var servicesServed: Set<String?> {
        Set(state.withLock(\.catalogue.entries).flatMap(\.services).map(\.service))
    }

    /// The present load of the gateway.
    package var load: GatewayLoad {
        state.withLock { state in
            GatewayLoad(
                readers: state.readers.count, readersCut: state.readers.cut, waiting: state.outbox.count,
                sessions: state.timeline.board.count, gaps: state.timeline.figures.gaps,
                descriptionsLeftOut: state.catalogue.leftOut)
        }
    }
}
