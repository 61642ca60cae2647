package import Conversation
import DequeModule
package import IntentEvents
import IntentModel
package import Logging
package import RecordLog
import Synchronization
package import Tracing

/// The person's side of the pipeline for many callers. A gateway follows all results and the catalogue, and writes the
/// events of persons, agents and operators.
///
/// A gateway stores nothing: state that a caller needs for its next call is in the log, or sealed in the caller's handle,
/// so that any gateway behind a balancer can answer the next call.
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
        var board: SessionBoard
        var figures = Figures()
        var filter = SequenceFilter()
        var catalogue = Catalogue()
        var entries: [Catalogue.Entry] = []
        var catalogueChanges = 0
        var storableParameters: [Identifier: Set<String>] = [:]
        var letters = DeadLetterBook()
        var workers: [String: SeenWorker] = [:]
        var readers = Readers()
        var readersCut = 0
        var outbox = Outbox()
        /// The offset after the last result that was read, by partition.
        var next: [Int32: Int64] = [:]
        /// The partitions that were not yet read to the end that they had at the start.
        var behind: Set<TopicPartition> = []
        /// The partitions with a batch that could not be read.
        var unreadable: Set<TopicPartition> = []
        var isOpen = false
        var isClosed = false
        var lastPulse: Instant
        /// The sessions that have changed since the last overviews.
        var changed: Set<Identifier> = []
    }

    /// The records to write.
    struct Outbox {
        var waiting: Deque<Letter> = []
        /// The sent records without an acknowledgement, by their tokens.
        var underway: [UInt64: Letter] = [:]
        var token: UInt64 = 0

        var count: Int { waiting.count + underway.count }
    }

    /// A record to write, and the caller that waits for its acknowledgement.
    struct Letter: Sendable {
        var record: Record
        var deadline: Instant
        var done: CheckedContinuation<LogPosition, any Error>
    }

    package let topics: Topics
    package let partitions: Int32
    private let client: any LogClient
    private let sources: Sources
    let clock: @Sendable () -> Instant
    let tracing: SendTracing?
    private let logger: Logger
    let state: Mutex<State>

    /// The time in which Kafka must acknowledge a record.
    static let patience: Duration = .seconds(10)
    /// The interval at which some of the readers get a sign of life. Each reader gets one every 15 s.
    static let pulse: Duration = .seconds(1)
    static let maximumOutbox = 10_000

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
        state = Mutex(State(board: board, lastPulse: clock()))
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
            case .read(let record): apply(record, at: now, &batch)
            case .readEnd(let place, _): _ = state.withLock { $0.behind.remove(place) }
            case .delivered(let delivery): delivered(delivery)
            case .failed(let error): logger.log(level: error.disposition == .retry ? .debug : .warning, "\(error)")
            case .outOfRange(let place): logger.warning("\(place)")
            case .unreadable(let batch):
                if state.withLock({ $0.unreadable.insert(batch.partition).inserted }) {
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
        let (readers, unsent, underway) = state.withLock { state in
            state.isClosed = true
            let readers = state.readers.all
            let (unsent, underway) = (state.outbox.waiting, state.outbox.underway.values)
            (state.readers, state.outbox.waiting, state.outbox.underway) = (Readers(), [], [:])
            return (readers, unsent, underway)
        }
        for reader in readers { reader.end(.closed) }
        for letter in unsent {
            letter.done.resume(throwing: GatewayProblem(.busy, "the gateway ends: try again elsewhere"))
        }
        for letter in underway {
            letter.done.resume(
                throwing: GatewayProblem(
                    .busy, "the gateway ends: try again elsewhere with the same id", isUndecided: true))
        }
        try client.close(timeout: timeout)
    }

    /// Ends the wait of a running ``step(timeout:)``.
    package func wake() { client.wake() }

    /// `true` if the gateway has read to the end that each partition had at the start.
    package var isReady: Bool { state.withLock { $0.isOpen && $0.behind.isEmpty } }

    private func open() throws(LogError) {
        if state.withLock(\.isOpen) { return }
        for number in 0..<partitions {
            var wanted = [topics.results]
            if sources.sentEvents { wanted += [topics.requests, topics.answers] }
            if sources.deadLetters { wanted.append(topics.deadLetters) }
            for topic in wanted {
                let place = TopicPartition(topic, number)
                let range = try client.range(of: place)
                let start = max(range.lowerBound, range.upperBound - sources.backlog)
                try client.read(place, from: .offset(start))
                if topic == topics.results { state.withLock { $0.next[number] = start } }
                if start < range.upperBound { state.withLock { _ = $0.behind.insert(place) } }
            }
            try client.read(TopicPartition(topics.catalog, number), from: .beginning)
            state.withLock { _ = $0.behind.insert(TopicPartition(topics.catalog, number)) }
        }
        state.withLock { $0.isOpen = true }
    }

    private func sendOutbox() throws(LogError) -> Bool {
        var hasSent = false
        while let (letter, token) = state.withLock({ state -> (Letter, UInt64)? in
            guard let letter = state.outbox.waiting.popFirst() else { return nil }
            state.outbox.token += 1
            state.outbox.underway[state.outbox.token] = letter
            return (letter, state.outbox.token)
        }) {
            do { try client.send(letter.record, token: token) } catch {
                guard error.code == .queueFull else { throw error }
                state.withLock { state in
                    state.outbox.underway[token] = nil
                    state.outbox.waiting.prepend(letter)
                }
                break
            }
            hasSent = true
        }
        return hasSent
    }

    private func delivered(_ delivery: Delivery) {
        guard let letter = state.withLock({ $0.outbox.underway.removeValue(forKey: delivery.token) }) else { return }
        if let error = delivery.error {
            let reason: RejectionReason = error.code == .unauthorized ? .unauthorized : .busy
            letter.done.resume(throwing: GatewayProblem(reason, "Kafka has not taken it: \(error.message)"))
        } else {
            letter.done.resume(returning: LogPosition(partition: delivery.partition, offset: delivery.offset ?? 0))
        }
    }

    /// Fails records whose deadline has passed, and sends signs of life to readers.
    private func expire(at now: Instant) {
        let (unsent, late, readers) = state.withLock { state in
            var (unsent, late): ([Letter], [Letter]) = ([], [])
            if state.outbox.underway.contains(where: { $0.value.deadline <= now }) {
                for (token, letter) in state.outbox.underway where letter.deadline <= now {
                    state.outbox.underway[token] = nil
                    late.append(letter)
                }
            }
            while let first = state.outbox.waiting.first, first.deadline <= now {
                unsent.append(state.outbox.waiting.removeFirst())
            }
            var readers: [Subscription] = []
            if state.lastPulse.duration(to: now) >= Self.pulse {
                state.lastPulse = now
                readers = state.readers.advancePulse()
                _ = state.catalogue.expire(at: now)
                state.updateWorkers(at: now)
            }
            return (unsent, late, readers)
        }
        for letter in unsent {
            letter.done.resume(throwing: GatewayProblem(.busy, "Kafka takes nothing more at present: try again later"))
        }
        for letter in late {
            letter.done.resume(
                throwing: GatewayProblem(
                    .busy, "Kafka has not acknowledged it in time; it may still arrive. Repeat it with the same id",
                    isUndecided: true))
        }
        for reader in readers { reader.pulse() }
    }

    // MARK: Records

    private func apply(_ record: ConsumedRecord, at now: Instant, _ batch: inout [TimelineEvent]) {
        switch record.topic {
        case topics.results:
            guard let result = try? ReceivedResult(record) else { return }
            let event = TimelineEvent(result, source: record.headers.first { $0.name == "ce_source" }?.text)
            let isNew = state.withLock { state in
                state.next[record.partition] = record.offset + 1
                switch state.filter.judge(result) {
                case .new: break
                case .copy:
                    state.figures.copy()
                    return false
                case .gap: state.figures.gap()
                }
                let (_, ended) = state.board.apply(event)
                state.figures.count(event, ended: ended, at: now)
                if let session = event.session { state.changed.insert(session) }
                return true
            }
            if isNew { batch.append(event) }
        case topics.requests, topics.answers:
            guard let (event, data) = try? RequestEvent.read(record) else { return }
            let origin: TimelineEvent.Origin = record.topic == topics.requests ? .requests : .answers
            recordSent(
                event, data, origin, LogPosition(partition: record.partition, offset: record.offset), record.timestamp,
                &batch)
        case topics.catalog:
            let complaint: String? = state.withLock { state in
                let isPast = state.behind.contains(record.topicPartition)
                if (try? state.catalogue.take(record, at: now, isPast: isPast)) == true {
                    state.entries = state.catalogue.entries
                    state.catalogueChanges += 1
                    state.storableParameters = Dictionary(
                        state.entries.map { ($0.intent, $0.storableParameters) },
                        uniquingKeysWith: { first, _ in first })
                    state.updateWorkers(at: now)
                }
                return state.catalogue.complaint(at: now)
            }
            if let complaint { logger.warning("\(complaint)") }
        case topics.deadLetters: state.withLock { $0.letters.apply(record) }
        default: break
        }
    }

    func recordSent(
        _ event: RequestEvent, _ data: JSON, _ origin: TimelineEvent.Origin, _ place: LogPosition, _ timestamp: Int64,
        _ batch: inout [TimelineEvent]
    ) {
        let new: TimelineEvent? = state.withLock { state in
            let storable = state.storableParameters
            let filter = SecretFilter { storable[$0] ?? [] }
            let session = state.board[event.session]
            let now = clock()
            // Producers set the timestamps of records, and may set any.
            let time = min(Instant(milliseconds: max(0, timestamp)), now)
            var timeline = TimelineEvent(
                origin: origin, position: place, type: event.type, id: event.id, time: time,
                session: event.session, request: event.type == .requested ? event.id : data["request"]?.identifier,
                data: filter.filter(event, data: data, in: session))
            timeline.principal = event.principal
            let (isNew, _) = state.board.apply(timeline)
            guard isNew else { return nil }
            state.figures.count(timeline, ended: nil, at: now)
            state.changed.insert(event.session)
            return timeline
        }
        if let new { batch.append(new) }
    }

    func publish(_ events: [TimelineEvent]) {
        if events.isEmpty { return }
        for (readers, events) in state.withLock({ $0.readers.recipients(of: events) }) {
            let events = readers.count > 1 ? events.map(\.forReaders) : events
            let cut = readers.count { $0.offer(events) }
            if cut > 0 { state.withLock { $0.readersCut += cut } }
        }
    }

    // MARK: Subscriptions

    /// Follows the events of a session until ``cancel(_:of:)``.
    ///
    /// - Parameter after: The place of the last result that the reader has. Later results come first if they are stored
    ///   here. `nil` for new events only.
    /// - Returns: The subscription, and the offsets of results that should have come first but are not stored here.
    func follow(_ session: Identifier, after: LogPosition? = nil) -> (events: Subscription, missing: Range<Int64>?) {
        state.withLock { state in
            var before: [TimelineEvent] = []
            var missing: Range<Int64>?
            if let after {
                let known = state.board[session]
                let next = state.next[after.partition] ?? 0
                let isKept =
                    known.map { $0.partition == after.partition && $0.hasAllResults(after: after.offset) } ?? false
                if isKept {
                    before = known?.events.filter { $0.origin == .results && $0.position.offset > after.offset } ?? []
                } else if next > after.offset + 1 {
                    missing = after.offset + 1..<next
                }
            }
            let subscription = state.readers.add(before, of: session)
            if state.isClosed { subscription.end(.closed) }
            return (subscription, missing)
        }
    }

    /// Follows the events of all sessions from now on.
    ///
    /// - Returns: The subscription, and the offset of the first result to come, by partition.
    func followAll() -> (events: Subscription, from: [Int32: Int64]) {
        state.withLock { state in
            let subscription = state.readers.add(of: nil)
            if state.isClosed { subscription.end(.closed) }
            return (subscription, state.next)
        }
    }

    /// Ends a subscription and removes it.
    func cancel(_ subscription: Subscription, of session: Identifier? = nil) {
        subscription.end(.cancelled)
        state.withLock { $0.readers.remove(subscription, of: session) }
    }

    /// Returns the session with the events that are stored here.
    func session(_ id: Identifier) -> FollowedSession? { state.withLock { $0.board[id] } }

    /// The intents that workers serve, by name.
    var catalogue: [Catalogue.Entry] { state.withLock(\.entries) }

    /// The services that serve intents at present; `nil` stands for the default service.
    package var servicesServed: Set<String?> { Set(catalogue.flatMap(\.services).map(\.service)) }

    /// The number of changes of the catalogue. While the number stays the same, so does ``catalogue``.
    var catalogueChanges: Int { state.withLock(\.catalogueChanges) }

    /// The present load of the gateway.
    package var load: GatewayLoad {
        state.withLock { state in
            GatewayLoad(
                readers: state.readers.count, readersCut: state.readersCut,
                waiting: state.outbox.count,
                sessions: state.board.count, gaps: state.figures.gaps, descriptionsLeftOut: state.catalogue.leftOut)
        }
    }
}
