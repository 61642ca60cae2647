public import Conversation
public import IntentEvents
public import Logging
public import RecordLog

/// Moves events between the log and the sessions of the partitions it owns, by the six rules of the journal (ARCHITECTURE.md, "The journal").
///
/// One thread drives it with ``step(timeout:)``. It holds no decision: those are the sessions'.
public final class Coordinator {
    let client: any LogClient
    let configuration: CoordinatorConfiguration
    let clock: @Sendable () -> Instant
    let logger: Logger
    let observers: Observers
    let followers: Followers
    let intake: Intake
    var outbound: Outbound
    var encoder = EventEncoder(source: "/intents/coordinator")
    var randomness: Randomness
    var partitions: [Int32: OwnedPartition] = [:] {
        didSet {
            inOrder = partitions.values.sorted { $0.number < $1.number }
            byOwnership = Dictionary(uniqueKeysWithValues: inOrder.map { ($0.ownership, $0) })
        }
    }
    /// What is written goes out in the order of the partitions, so that the same input makes the same log.
    private(set) var inOrder: [OwnedPartition] = []
    private(set) var byOwnership: [UInt32: OwnedPartition] = [:]
    /// How many partitions were taken over by this process.
    var ownerships: UInt32 = 0
    var membership: Membership
    /// The time of this step.
    var now: Instant
    /// How often the log was asked what it has to tell.
    var steps = 0
    var nextHousekeeping: Instant
    /// When it is looked next whether partitions take what is sent to them.
    var nextLookForStuck: Instant
    /// What happened so far.
    public internal(set) var counters = CoordinatorCounters()
    var notices = OperatorNotices()

    /// Metrics and traces; each `nil` without a backend.
    struct Observers {
        let metrics: CoordinatorMetrics?
        let tracing: RunTracing?
    }

    /// Readers of other topics, which someone else drives.
    struct Followers {
        /// Knows partitions of others; `nil` if none are followed.
        let standby: Standby?
        /// Knows where the work of each intent goes; `nil` if all of it goes to the default service.
        let catalogue: CatalogueFollower?
        /// Knows what is remembered about people; `nil` if only sessions remember anything.
        let memory: MemoryKeeper?
    }

    /// The coordinator's place in its group.
    struct Membership {
        var hasAssignment = false
        /// The time of the last revocation.
        var revoked: Instant
        /// `true` if this process did not run for as long as compaction waits, since its partitions were assigned. Others may have owned them meanwhile.
        var hasSlept = false
        /// By when the group is answered that takes our partitions back; `nil` if it does not.
        var releaseBy: Instant?
        /// The number of look-ups of the group's committed offsets that are not answered.
        var lookUps = 0
        /// The number of commits that are not answered.
        var commits = 0
        /// `true` if a once-only handler was permitted since the last commit.
        var hasPermitted = false
    }

    /// Troubles that the operator was told of, so that none is repeated with each record.
    struct OperatorNotices {
        /// The times of the last notices that the log refuses records, at most one a minute for each cause.
        var refusals: [RefusedRecord: Instant] = [:]
        /// The partitions of which the operator was told that a batch can't be read.
        var unreadable: Set<TopicPartition> = []
        /// The time at which a dead letter has to name unreadable records that were only counted; `nil` if there are none.
        var namesCountedAt: Instant?
    }

    var topics: Topics { configuration.topics }
    var isObserved: Bool { observers.metrics != nil || observers.tracing != nil }

    /// Records a second that go out one by one: those of 1,000 intents, which have eight each.
    private static let immediateRate = 8_000.0

    /// - Parameters:
    ///   - client: a member of the group of coordinators, in the group of ``group(_:)``.
    ///   - standby: follows partitions that this process does not own. Someone else drives it.
    ///   - catalogue: says which workers serve an intent. Someone else drives it.
    ///   - memory: says what is remembered about people, with a catalogue. Someone else drives it.
    ///   - clock: the time of decisions.
    ///   - metrics: records how long things take. Defaults to none.
    ///   - spans: records the spans of requests. Defaults to none.
    public init(
        client: any LogClient, configuration: CoordinatorConfiguration, standby: Standby? = nil,
        catalogue: CatalogueFollower? = nil,
        memory: MemoryKeeper? = nil, clock: @escaping @Sendable () -> Instant, logger: Logger,
        metrics: CoordinatorMetrics? = nil, spans: (any SpanRecorder)? = nil
    ) {
        self.client = client
        self.configuration = configuration
        self.clock = clock
        self.logger = logger
        observers = Observers(metrics: metrics, tracing: spans.map { RunTracing($0, configuration.topics) })
        followers = Followers(standby: standby, catalogue: catalogue, memory: memory)
        intake = Intake(configuration: configuration, catalogue: catalogue, memory: memory)
        memory?.onForgotten { client.wake() }
        outbound = Outbound(
            client, rate: Self.immediateRate, maximumRecords: configuration.limits.maximumUnacknowledgedRecords,
            clock: clock)
        randomness = configuration.randomness
        now = clock()
        membership = Membership(revoked: now)
        nextHousekeeping = now.advanced(by: configuration.housekeepingInterval)
        nextLookForStuck = now
    }

    /// The group and topics that a coordinator's client has to join.
    public static func group(_ topics: Topics) -> (id: String, topics: [String]) {
        ("\(topics.prefix).coordinator", JournalInput.allCases.map { $0.topic(topics) })
    }

    /// The client that a coordinator needs. The positions in a journal record cover the input of all earlier ones, and results are numbered: neither may have
    /// a gap.
    public static func client(_ id: String, _ topics: Topics) -> ClientConfiguration {
        ClientConfiguration(clientID: id, group: group(topics), gaplessTopics: [topics.sessions, topics.results])
    }

    /// Whether the group has given this process its share (which may be nothing), and it takes input from all of it.
    public var isSteady: Bool {
        membership.hasAssignment && membership.releaseBy == nil
            && partitions.values.allSatisfy { $0.isActive || $0.journal.isFollowed }
    }

    /// `true` if the group has assigned this process its share, and each partition of it is served, or stopped until an operator acts.
    package var hasTakenOver: Bool {
        membership.hasAssignment && membership.releaseBy == nil
            && partitions.values.allSatisfy { $0.isActive || $0.journal.isFollowed || $0.journal.isStopped }
    }

    /// The partitions that are owned now, in order.
    public var ownedPartitions: [Int32] { inOrder.filter { !$0.journal.isCached }.map(\.number) }

    /// Those of them that are not served until an operator has acted, in order.
    package var stoppedPartitions: [Int32] { inOrder.filter(\.journal.isStopped).map(\.number) }

    /// Open sessions of the partitions that are owned now.
    public var openSessions: Int {
        partitions.values.reduce(0) { $0 + ($1.journal.isCached ? 0 : $1.sessions.openCount) }
    }

    /// Those of them, and of the forgotten ones, of which only the record is in memory: they were taken over and not needed since.
    public var unreadSessions: Int { partitions.values.reduce(0) { $0 + $1.sessions.unread.count } }

    /// Bytes of the records of decisions in flight, of all partitions.
    public var inFlightBytes: Int { partitions.values.reduce(0) { $0 + $1.journal.inFlightBytes } }

    /// Forgotten sessions whose requests are still known, of the partitions that are owned now.
    public var forgottenSessions: Int {
        partitions.values.reduce(0) { $0 + ($1.journal.isCached ? 0 : $1.sessions.forgottenCount) }
    }

    /// The next record of each input of the partitions that are served.
    var positions: [TopicPartition: Int64] {
        var positions: [TopicPartition: Int64] = [:]
        for partition in inOrder where partition.isActive {
            for input in JournalInput.allCases {
                positions[TopicPartition(input.topic(topics), partition.number)] = partition.journal[input].next
            }
        }
        return positions
    }

    /// Everything that was begun is written, sent and acknowledged.
    public var isSettled: Bool {
        outbound.backlog == 0 && membership.releaseBy == nil
            && partitions.values.allSatisfy {
                $0.journal.isSettled && $0.input.waiting.isEmpty && $0.input.open.isEmpty && $0.changes.isEmpty
            }
    }

    /// When something is due without any event.
    public var nextTimer: Instant {
        partitions.values.reduce(min(nextHousekeeping, notices.namesCountedAt ?? nextHousekeeping)) { next, partition in
            // What it waits for is an event.
            if partition.input.holdsTimers || !partition.isActive { return next }
            if !partition.sessions.unread.isEmpty { return now }
            return min(next, partition.sessions.nextTimer ?? next)
        }
    }

    /// Takes what the log has to tell, decides, writes and sends.
    ///
    /// - Parameter timeout: how long to wait if there is nothing to do.
    /// - Returns: whether there was something to do.
    /// - Throws: errors after which this coordinator must not go on.
    @discardableResult
    public func step(timeout: Duration) throws(LogError) -> Bool {
        let before = clock()
        var wait = min(timeout, max(.zero, before.duration(to: nextTimer)))
        if let delay = outbound.delay(at: before) { wait = min(wait, delay) }
        if membership.releaseBy != nil { wait = min(wait, .milliseconds(50)) }
        if inOrder.contains(where: { $0.journal.isUnread || $0.input.lacksKey }) {
            wait = min(wait, .milliseconds(500))
        }
        steps += 1
        let events = try client.poll(maximum: 500, timeout: wait)
        let last = now
        now = clock()
        if last.duration(to: now) > .milliseconds(Topics.compactionLag) { membership.hasSlept = true }
        for event in events {
            switch event {
            case .record(let record):
                if let partition = partitions[record.partition] { try input(record, partition) }
            case .read(let record):
                guard let partition = partitions[record.partition] else { continue }
                // The group's reading has it too, and compares it.
                if let input = JournalInput(record.topic, topics) {
                    try stopLooking(at: input, partition)
                    continue
                }
                let (source, now) = (source(record.topic), now)
                guard partition.readingSince[source] != steps else { continue }
                partition.lastRead = now
                try tell(partition) { $0.read(record, from: source, at: now) }
            case .readEnd(let end, let next):
                guard let partition = partitions[end.partition] else { continue }
                if let input = JournalInput(end.topic, topics) {
                    try stopLooking(at: input, partition)
                    found(stable: next, of: end, input, partition)
                    try tell(partition) { $0.ends(input, at: next) }
                    continue
                }
                let source = source(end.topic)
                guard partition.readingSince[source] != steps else { continue }
                try tell(partition) { $0.reachedEnd(of: source, next: next) }
            case .delivered(let delivery):
                try acknowledged(delivery)
            case .assigned(let assigned):
                counters.rebalances.assigned += 1
                try takeOver(assigned)
            case .revoked(_, let lost):
                counters.rebalances.countRevoked(isLost: lost)
                try release(lost: lost)
            case .committed(let error):
                membership.commits = max(0, membership.commits - 1)
                if let error {
                    for partition in inOrder { partition.committed = nil }
                    logger.debug("positions were not committed", metadata: ["error": "\(error)"])
                }
            case .committedOffsets(let answer): try found(committed: answer)
            case .outOfRange(let position):
                let partition = partitions[position.partition.partition]
                if partition?.journal.isDecided(before: position) != true { note(position.error) }
                if let partition { try tell(partition) { $0.isMissing(position) } }
            case .unreadable(let batch): try unreadable(batch)
            case .failed(let error):
                note(error)
            }
        }
        try readWaiting()
        try startTakenOver()
        try giveUpStuck()
        try tellOfForgotten()
        let fired = try fireTimers()
        if let due = notices.namesCountedAt, due <= now { nameCountedRecords() }
        for partition in inOrder where partition.input.isPaused { try resumeIfPossible(partition) }
        // A step without events is not followed by more to send.
        let hasSent = try outbound.flush(isUrgent: events.isEmpty)
        let isBusy = !events.isEmpty || fired || hasSent
        let hasRead = try readOn(isBusy: isBusy)
        try housekeep()
        if membership.hasPermitted, membership.commits == 0 { try commitPositions() }
        try releaseIfDrained()
        return isBusy || hasRead
    }

    private func note(_ error: LogError) {
        if error.code == .offsetOutOfRange {
            counters.inputLost += 1
            logger.error("input was gone from the log before it was read", metadata: ["error": "\(error)"])
        } else {
            // Without a right, nothing goes on until someone grants it.
            logger.log(level: error.code == .unauthorized ? .error : .info, "\(error)")
        }
    }

    /// Commits positions for lag metrics, and looks whether anyone else wrote to a quiet journal.
    private func housekeep() throws(LogError) {
        guard now >= nextHousekeeping else { return }
        nextHousekeeping = now.advanced(by: configuration.housekeepingInterval)
        try commitPositions()
        let now = now
        for partition in inOrder {
            try tell(partition) { $0.check(at: now) }
            if membership.releaseBy == nil { try lookAtInputs(of: partition) }
        }
        if membership.lookUps == 0 { try lookUpCommitted() }
    }

    private func source(_ topic: String) -> JournalSource { topic == topics.sessions ? .journal : .results }

    /// Commits what the journal is known to have, for lag metrics and as a second witness of the journal's positions (``GroupPositions``).
    func commitPositions() throws(LogError) {
        membership.hasPermitted = false
        var offsets: [TopicPartition: CommittedOffset] = [:]
        for partition in partitions.values
        where partition.journal.isOwned && partition.committed != partition.journal.acknowledged {
            offsets.merge(GroupPositions.commits(of: partition.journal)) { $1 }
            partition.committed = partition.journal.acknowledged
        }
        if offsets.isEmpty { return }
        membership.commits += 1
        try client.commit(offsets)
    }
}
