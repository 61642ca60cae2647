import RecordLog

/// A client that a test drives, with all events that the client has received.
///
/// By default, the probe answers rebalances itself. The probe waits only by polling until a condition holds.
final class LogProbe {
    let client: any LogClient
    let name: String
    let patience: Duration

    private(set) var deliveries: [Delivery] = []
    /// Records of assigned partitions, in the order of arrival.
    private(set) var records: [ConsumedRecord] = []
    /// Records of partitions opened for reading, in the order of arrival.
    private(set) var reads: [ConsumedRecord] = []
    /// The reported ends of each partition that was opened for reading.
    private(set) var ends: [TopicPartition: [Int64]] = [:]
    /// The partitions that the group has assigned to this member; `nil` before an assignment.
    private(set) var owned: [TopicPartition]?
    /// Partitions that the group has revoked and the probe has not yet released; `nil` if there are none.
    private(set) var revoked: [TopicPartition]?
    private(set) var losses = 0
    private(set) var commits: [LogError?] = []
    private(set) var committedOffsets: [Result<[TopicPartition: CommittedOffset], LogError>] = []
    private(set) var failures: [LogError] = []
    /// The positions that the log did not have.
    private(set) var missing: [OutOfRange] = []
    /// The batches that could not be read.
    private(set) var unreadable: [UnreadableRange] = []

    /// The start positions of assigned partitions; absent ones start at the group's committed offset.
    var starts: [TopicPartition: StartOffset] = [:]
    /// `true` to start no assigned partition until the test does.
    var startsLater = false
    /// `true` to answer ``LogEvent/assigned(_:)`` at once.
    var answersAssigned = true
    /// `true` to answer ``LogEvent/revoked(_:lost:)`` at once.
    var answersRevoked = true
    private var tokens: UInt64 = 0

    init(_ client: any LogClient, name: String, patience: Duration) {
        self.client = client
        self.name = name
        self.patience = patience
    }

    /// Polls once.
    func step(maximum: Int = 500, timeout: Duration = .milliseconds(10)) throws {
        for event in try client.poll(maximum: maximum, timeout: timeout) {
            switch event {
            case .record(let record): records.append(record)
            case .read(let record): reads.append(record)
            case .readEnd(let partition, let next): ends[partition, default: []].append(next)
            case .delivered(let delivery): deliveries.append(delivery)
            case .assigned(let partitions):
                owned = partitions
                if answersAssigned { try answerAssigned() }
            case .revoked(let partitions, let lost):
                revoked = partitions
                if lost { losses += 1 }
                if answersRevoked { try answerRevoked() }
            case .committed(let error): commits.append(error)
            case .committedOffsets(let answer): committedOffsets.append(answer)
            case .outOfRange(let position): missing.append(position)
            case .unreadable(let range): unreadable.append(range)
            case .failed(let error): failures.append(error)
            }
        }
    }

    func answerAssigned() throws {
        let mine = Set(owned ?? [])
        try client.assign(starts.filter { mine.contains($0.key) }, later: startsLater ? mine : [])
    }

    func answerRevoked() throws {
        owned = nil
        revoked = nil
        try client.release()
    }

    /// Polls several times, to show that something does not happen.
    func linger(_ steps: Int = 10) throws {
        for _ in 0..<steps { try step(timeout: .milliseconds(30)) }
    }

    /// Removes the records received so far.
    func forget() {
        records = []
        reads = []
    }

    /// Sends a record, and polls while the queue is full.
    @discardableResult
    func send(_ record: Record) async throws -> UInt64 {
        tokens += 1
        let deadline = ContinuousClock.now + patience
        while true {
            do throws(LogError) {
                try client.send(record, token: tokens)
                return tokens
            } catch {
                guard error.code == .queueFull && ContinuousClock.now < deadline else { throw error }
            }
            try step()
            await Task.yield()
        }
    }

    /// Writes records and waits until all are acknowledged. Returns the acknowledgements, in the order of the records.
    @discardableResult
    func write(_ records: [Record]) async throws -> [Delivery] {
        var sent: [UInt64: Int] = [:]
        let before = deliveries.count
        for (index, record) in records.enumerated() { sent[try await send(record)] = index }
        try await eventually("\(records.count) acknowledgements") { deliveries.count >= before + records.count }
        let answers = deliveries[before...].filter { sent[$0.token] != nil }.sorted { $0.token < $1.token }
        if let refused = answers.compactMap(\.error).first { throw refused }
        return answers
    }

    /// All records of a partition, from the beginning to its end at the time of the call.
    func readAll(_ partition: TopicPartition) async throws -> [ConsumedRecord] {
        let before = ends[partition]?.count ?? 0
        reads.removeAll { $0.topicPartition == partition }
        try client.read(partition, from: .beginning)
        try await eventually("the end of \(partition)") { (ends[partition]?.count ?? 0) > before }
        try client.stopReading(partition)
        return reads.filter { $0.topicPartition == partition }
    }

    /// The group's committed offsets of these partitions.
    func committed(_ partitions: [TopicPartition]) async throws -> [TopicPartition: CommittedOffset] {
        let before = committedOffsets.count
        try client.lookUpCommitted(partitions)
        try await eventually("the committed offsets") { committedOffsets.count > before }
        return try committedOffsets[before].get()
    }

    /// Polls this probe and the others in turn until the condition holds.
    func eventually(_ what: String, with others: [LogProbe] = [], until condition: () throws -> Bool) async throws {
        let deadline = ContinuousClock.now + patience
        while !(try condition()) {
            guard ContinuousClock.now < deadline else {
                throw NeverHappened(what: what, client: name, patience: patience, failures: failures)
            }
            for probe in [self] + others { try probe.step() }
            await Task.yield()
        }
    }

    func close() {
        try? client.close(timeout: .seconds(5))
    }
}

/// A condition did not become true in time.
struct NeverHappened: Error, CustomStringConvertible {
    var what: String
    var client: String
    var patience: Duration
    var failures: [LogError]

    var description: String {
        let told = failures.isEmpty ? "" : "; the log told: " + failures.map(\.description).joined(separator: ", ")
        return "\(client) never saw \(what) within \(patience)\(told)"
    }
}
