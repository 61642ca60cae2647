import RecordLog

/// A client that a test drives, with all events that the client has received.
///
/// By default, the probe answers rebalances itself. The probe waits only by polling until a condition holds.
@dynamicMemberLookup
final class LogProbe {
    let client: any LogClient
    private let configuration: ClientConfiguration
    private let patience: Duration

    private var events: [LogEvent] = []
    /// The partitions that the group has assigned to this member; `nil` before an assignment.
    private(set) var owned: [TopicPartition]?
    /// Partitions that the group has revoked and the probe has not yet released; `nil` if there are none.
    private(set) var revoked: [TopicPartition]?
    private(set) var losses = 0

    /// `true` to start no assigned partition until the test does.
    var startsLater = false
    /// `true` to answer ``LogEvent/assigned(_:)`` at once.
    var answersAssigned = true
    /// `true` to answer ``LogEvent/revoked(_:lost:)`` at once.
    var answersRevoked = true
    private var tokens: UInt64 = 0

    init(_ client: any LogClient, _ configuration: ClientConfiguration, patience: Duration) {
        self.client = client
        self.configuration = configuration
        self.patience = patience
    }

    /// The id of this member's group.
    var group: String { configuration.group?.id ?? "" }

    /// Connects another member of this member's group.
    func another(_ name: String = "b", in scene: ConformanceScene) throws -> LogProbe {
        try scene.member(name, of: configuration.group?.topics ?? [], in: group)
    }

    // MARK: Polling

    /// The events of one kind that the client has received, in order.
    subscript<Value>(dynamicMember kind: KeyPath<[LogEvent], Value>) -> Value { events[keyPath: kind] }

    /// Polls once.
    func step(maximum: Int = 500, timeout: Duration = .milliseconds(10)) throws {
        for event in try client.poll(maximum: maximum, timeout: timeout) {
            events.append(event)
            if case .assigned(let partitions) = event {
                owned = partitions
                if answersAssigned { try answerAssigned() }
            } else if case .revoked(let partitions, let lost) = event {
                revoked = partitions
                if lost { losses += 1 }
                if answersRevoked { try answerRevoked() }
            }
        }
    }

    /// Polls several times, to show that something does not happen.
    func linger() throws { for _ in 0..<10 { try step(timeout: .milliseconds(30)) } }

    /// Polls this probe and the others in turn until the condition holds.
    func eventually(_ what: String, with others: [LogProbe] = [], until condition: () throws -> Bool) async throws {
        let deadline = ContinuousClock.now + patience
        while !(try condition()) {
            guard ContinuousClock.now < deadline else {
                let reported = self.failures.isEmpty ? "" : ", failures: \(self.failures)"
                throw Missing("\(what) for \(configuration.clientID) within \(patience)\(reported)")
            }
            for probe in [self] + others { try probe.step() }
            await Task.yield()
        }
    }

    /// Removes the events received so far.
    func forget() { events = [] }

    // MARK: Writing and reading

    /// Sends a record, and polls while the queue is full.
    @discardableResult
    func send(_ record: Record) async throws -> UInt64 {
        tokens += 1
        let deadline = ContinuousClock.now + patience
        while true {
            do throws(LogError) {
                try client.send(record, token: tokens)
                return tokens
            } catch { guard error.code == .queueFull && ContinuousClock.now < deadline else { throw error } }
            try step()
            await Task.yield()
        }
    }

    /// Sends a record, and waits for its delivery, which may have failed.
    func deliver(_ record: Record) async throws -> Delivery {
        let token = try await send(record)
        try await eventually("the delivery") { self.deliveries.contains { $0.token == token } }
        return self.deliveries.last { $0.token == token }!
    }

    /// Writes records and waits until all are acknowledged. Returns the acknowledgements, in the order of the records.
    @discardableResult
    func write(_ records: [Record]) async throws -> [Delivery] {
        var sent: Set<UInt64> = []
        let before = self.deliveries.count
        for record in records { sent.insert(try await send(record)) }
        try await eventually("\(records.count) acknowledgements") { self.deliveries.count >= before + records.count }
        let answers = self.deliveries[before...].filter { sent.contains($0.token) }.sorted { $0.token < $1.token }
        if let refused = answers.compactMap(\.error).first { throw refused }
        return answers
    }

    /// Reads a partition until its end is reported at this offset.
    func read(_ partition: TopicPartition, from start: StartOffset = .beginning, to end: Int64) async throws {
        try client.read(partition, from: start)
        try await reach(end, of: partition)
    }

    /// Waits until the end of a partition is reported at this offset.
    func reach(_ end: Int64, of partition: TopicPartition) async throws {
        try await eventually("the end \(end) of \(partition)") { self.ends(of: partition).last == end }
    }

    /// All records of a partition, from the beginning to its end at the time of the call.
    func readAll(_ partition: TopicPartition) async throws -> [ConsumedRecord] {
        let before = (ends: self.ends(of: partition).count, reads: self.reads.count)
        try client.read(partition, from: .beginning)
        try await eventually("the end of \(partition)") { self.ends(of: partition).count > before.ends }
        try client.stopReading(partition)
        return self.reads.dropFirst(before.reads).filter { $0.topicPartition == partition }
    }

    /// The reported ends of a partition that was opened for reading.
    func ends(of partition: TopicPartition) -> [Int64] {
        events.compactMap { if case .readEnd(partition, let next) = $0 { next } else { nil } }
    }

    // MARK: The group

    func answerAssigned() throws { try client.assign([:], later: startsLater ? Set(owned ?? []) : []) }

    func answerRevoked() throws {
        owned = nil
        revoked = nil
        try client.release()
    }

    /// Waits until this member has received this many records of its assigned partitions, or more.
    func receive(_ count: Int, with others: [LogProbe] = []) async throws {
        try await eventually("\(count) records", with: others) { self.records.count >= count }
    }

    /// The offsets of the records received from an assigned partition, in order.
    func offsets(of partition: TopicPartition) -> [Int64] {
        self.records.filter { $0.topicPartition == partition }.map(\.offset)
    }

    /// The offsets of the records received from each partition of a topic, in order.
    func offsets(of topic: String) -> [[Int64]] { partitions(topic).map { offsets(of: $0) } }

    /// Commits offsets of a topic, by the number of the partition, and waits for the answer.
    func commit(_ offsets: [Int32: Int64], of topic: String, with others: [LogProbe] = []) async throws {
        let before = self.commits.count
        let places = offsets.map { (TopicPartition(topic, $0.key), CommittedOffset(offset: $0.value)) }
        try client.commit(Dictionary(uniqueKeysWithValues: places))
        try await eventually("the commit", with: others) { self.commits.count > before }
        if let refusal = self.commits[before] { throw refusal }
    }

    /// The group's committed offsets of a topic.
    func committed(_ topic: String) async throws -> [TopicPartition: CommittedOffset] {
        let before = self.committedOffsets.count
        try client.lookUpCommitted(partitions(topic))
        try await eventually("the committed offsets") { self.committedOffsets.count > before }
        return try self.committedOffsets[before].get()
    }
}
