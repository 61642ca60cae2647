import Conversation
import IntentEvents
import IntentModel
import Pipeline
import RecordLog

/// A ``PartitionJournal`` whose records, acknowledgements and reads come when the test says so.
struct ScriptedJournal {
    private(set) var journal: PartitionJournal
    let topics = Topics()
    var now = Instant(milliseconds: 1_000_000)
    /// Journal records that are appended and not yet in the log.
    private(set) var unsent: [Record] = []
    /// Effects in the order in which they were sent, such as `result 1 of s`.
    private(set) var sent: [String] = []
    /// Sessions to be written again.
    private(set) var rewritten: [String] = []
    private(set) var takeover: Takeover?
    /// The position from which the owner reads the results.
    private(set) var resultsFrom: StartOffset?
    private(set) var failure: LogError?
    private(set) var problem: String?
    private var places: [EffectPlace] = []

    init(owner: Identifier = "me", partitions: Int32? = nil) {
        journal = PartitionJournal(
            partition: 0,
            settings: .init(topics: Topics(), owner: owner, partitions: partitions, positionsInterval: 500))
    }

    /// Applies an event to the journal, and performs the actions that follow.
    mutating func tell(_ event: (inout PartitionJournal) -> Void) {
        event(&journal)
        for action in journal.actions {
            switch action {
            case .append(let outline, let value):
                unsent.append(outline.record(value: value, topic: topics.sessions, partition: 0, at: now))
            case .send(let effect, let session, let place):
                places.append(place)
                switch effect {
                case .result(let result): sent.append("result \(result.sequence) of \(session)")
                case .work(let work): sent.append("\(work.kind) of \(session)")
                case .memory(let memory): sent.append("memory \(memory.change.number) of \(session)")
                case .openInput(let number): sent.append("open input \(number)")
                }
            case .begin(let takeover): self.takeover = takeover
            case .rewrite(let session): rewritten.append(session.text)
            case .fail(let error): failure = failure ?? error
            case .stop(let problem): self.problem = problem.description
            case .read(.results, let start): resultsFrom = start
            case .read, .stopReading, .acknowledged, .tell, .lose, .reclaim: break
            }
        }
        journal.actions = []
    }

    /// Takes the partition over, with this journal and these results before the takeover.
    ///
    /// - Parameter acknowledgesFence: `true` if the fence is acknowledged at once.
    mutating func takeOver(
        _ log: inout [ConsumedRecord], results: [ConsumedRecord] = [], acknowledgesFence: Bool = true
    ) {
        tell { $0.takeOver() }
        readAgain(&log, results: results, acknowledgesFence: acknowledgesFence)
    }

    /// Reads the journal from its beginning, fences it, and reads these results.
    mutating func readAgain(
        _ log: inout [ConsumedRecord], results: [ConsumedRecord] = [], acknowledgesFence: Bool = true
    ) {
        read(log[...])
        tell { $0.reachedEnd(of: .journal, next: Int64(log.count)) }
        guard problem == nil else { return }
        let before = log.count
        land(in: &log)
        read(log[before...])
        if acknowledgesFence { tell { $0.acknowledged(at: Int64(before)) } }
        let now = now
        for result in results { tell { $0.read(result, from: .results, at: now) } }
        tell { $0.reachedEnd(of: .results, next: Int64(results.count)) }
    }

    /// Appends the unsent records to the log.
    ///
    /// - Parameter losing: The indices of the records that the log loses.
    mutating func land(in log: inout [ConsumedRecord], losing: Set<Int> = []) {
        for (place, record) in unsent.enumerated() where !losing.contains(place) { log.append(record) }
        unsent = []
    }

    mutating func read(_ records: ArraySlice<ConsumedRecord>) {
        let now = now
        for record in records { tell { $0.read(record, from: .journal, at: now) } }
    }

    /// Decides for a session, with this number as its next result.
    mutating func decide(_ session: Identifier, result sequence: Int) { decide(session, results: [sequence]) }

    /// Decides for a session. The last of these results is new, and the earlier ones are not acknowledged either.
    mutating func decide(_ session: Identifier, results sequences: [Int]) {
        let results = sequences.map { Self.result($0, of: session, at: now) }
        let journaled = JournaledSession(Session(id: session, updated: now), unacknowledged: results)
        tell {
            $0.append(
                session: session, value: JournalRecord.value(journaled),
                effects: results.suffix(1).map(JournalEffect.result))
        }
    }

    /// Acknowledges the oldest effect that is not acknowledged.
    mutating func acknowledgeResult(at offset: Int64) {
        let place = places.removeFirst()
        tell { $0.acknowledgedResult(at: place, offset: offset) }
    }

    /// The owner of an empty partition.
    static func owning(_ log: inout [ConsumedRecord]) -> ScriptedJournal {
        var owner = ScriptedJournal()
        owner.takeOver(&log)
        return owner
    }

    /// An input record.
    static func request(at offset: Int64, timestamp: Int64 = 7) -> ConsumedRecord {
        ConsumedRecord(
            topic: "intents.requests", partition: 0, offset: offset, timestamp: timestamp, key: nil, value: nil,
            headers: [])
    }

    /// The group's committed position of the requests.
    static func committed(requests: Int64) -> GroupPositions {
        let committed = CommittedOffset(offset: requests, metadata: "journalled inputs=0")
        return GroupPositions([TopicPartition(Topics().requests, 0): committed], partition: 0, topics: Topics())
    }

    static func result(_ sequence: Int, of session: Identifier, at time: Instant) -> EncodedResult {
        EncodedResult(
            sequence: sequence, type: .completed, request: "r", time: time,
            data: .object(["session": .string(session), "sequence": .number(Double(sequence))]))
    }

    /// The result as a record of `intents.results`.
    static func record(_ result: EncodedResult, of session: Identifier) -> ConsumedRecord {
        var (log, encoder) = ([ConsumedRecord](), EventEncoder(source: "/test"))
        log.append(encoder.record(result, session: session, topics: Topics(), partition: 0))
        return log[0]
    }
}

extension [ConsumedRecord] {
    /// The stamps of a journal.
    func stamps() throws -> [JournalStamp] { try map { try JournalOutline($0).stamp } }

    /// Appends a record at the end.
    mutating func append(_ record: Record) {
        append(
            ConsumedRecord(
                topic: record.topic, partition: 0, offset: (last?.offset ?? -1) + 1, timestamp: record.timestamp ?? 0,
                key: record.key,
                value: record.value, headers: record.headers))
    }
}
