import Conversation
import IntentEvents
import IntentModel
import Pipeline
import RecordLog

/// The journal of a partition, which several owners write and read.
final class ScriptedLog {
    static let now = Instant(milliseconds: 1_000_000)

    var records: [ConsumedRecord] = []
    var next: Int64 { Int64(records.count) }
    var stamps: [JournalStamp] { get throws { try records.map { try JournalOutline($0).stamp } } }

    init(_ records: [ConsumedRecord] = []) { self.records = records }

    func append(_ record: Record) {
        records.append(
            ConsumedRecord(
                topic: record.topic, partition: 0, offset: (records.last?.offset ?? -1) + 1,
                timestamp: record.timestamp ?? 0, key: record.key, value: record.value, headers: record.headers))
    }

    func append(_ stamp: JournalStamp, _ subject: JournalOutline.Subject, _ value: Bytes? = nil) {
        let outline = JournalOutline(stamp: stamp, subject: subject)
        append(outline.record(value: value, topic: "intents.sessions", partition: 0, at: Self.now))
    }

    /// Appends a record that no coordinator wrote.
    func appendForeign(key: String = "s", timestamp: Int64 = 0) {
        append(
            Record(
                topic: "intents.sessions", partition: 0, key: Array(key.utf8), value: Array("garbage".utf8),
                timestamp: timestamp))
    }

    func damage(_ index: Int, _ value: String) { records[index].value = Array(value.utf8) }

    func setFormat(_ format: Int, at index: Int) {
        guard var stamp = try? JournalOutline(records[index]).stamp else { return }
        stamp.format = format
        setStamp(stamp, at: index)
    }

    func setStamp(_ stamp: JournalStamp, at index: Int) {
        records[index].headers = [RecordHeader("intents-journal", stamp.description)]
    }

    /// The newest record of a session.
    func newest(_ session: String) -> ConsumedRecord? { records.last { $0.key == Array(session.utf8) } }

    /// - Parameter isCompacted: `true` if compaction has removed all records except the newest of each key.
    func replay(isCompacted: Bool = false) -> JournalReplay {
        let newest = Dictionary(records.map { ($0.key, $0.offset) }) { $1 }
        var replay = JournalReplay()
        for record in records where !isCompacted || newest[record.key] == record.offset && record.value != nil {
            replay.apply(record)
        }
        return replay
    }
}

/// A ``PartitionJournal`` whose records, acknowledgements and reads come when the test says so.
struct ScriptedJournal {
    private(set) var journal: PartitionJournal
    let log: ScriptedLog
    var now = ScriptedLog.now
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
    /// The moves of the journal from one state to another.
    private(set) var moves: Set<[PartitionJournal.StateName]> = []

    init(owner: Identifier = "me", partitions: Int32? = nil, log: ScriptedLog = ScriptedLog()) {
        self.log = log
        journal = PartitionJournal(
            partition: 0,
            settings: .init(topics: Topics(), owner: owner, partitions: partitions, positionsInterval: 500))
    }

    /// The owner of an empty partition.
    static func owning(partitions: Int32? = nil) -> ScriptedJournal {
        ScriptedJournal(log: ScriptedLog()).successor("me", partitions: partitions)
    }

    /// Another owner, which has taken the partition over.
    func successor(
        _ owner: Identifier = "you", partitions: Int32? = nil, results: [ConsumedRecord] = []
    ) -> ScriptedJournal {
        var successor = ScriptedJournal(owner: owner, partitions: partitions, log: log)
        successor.takeOver(results: results)
        return successor
    }

    /// Applies an event to the journal, and performs the actions that follow.
    mutating func apply(_ event: (inout PartitionJournal) -> Void) {
        let before = journal.state.name
        event(&journal)
        if journal.state.name != before { moves.insert([before, journal.state.name]) }
        for action in journal.actions {
            switch action {
            case .append(let outline, let value):
                unsent.append(outline.record(value: value, topic: "intents.sessions", partition: 0, at: now))
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

    /// Takes the partition over, with these results before the takeover.
    ///
    /// - Parameter acknowledgesFence: `true` if the fence is acknowledged at once.
    mutating func takeOver(results: [ConsumedRecord] = [], acknowledgesFence: Bool = true) {
        apply { $0.takeOver() }
        readAgain(results: results, acknowledgesFence: acknowledgesFence)
    }

    /// Reads the journal from its beginning, fences it, and reads these results.
    mutating func readAgain(results: [ConsumedRecord] = [], acknowledgesFence: Bool = true) {
        read()
        reachEnd()
        guard problem == nil else { return }
        let before = log.records.count
        land()
        read(from: before)
        if acknowledgesFence { acknowledge(before) }
        let now = now
        for result in results { apply { $0.read(result, from: .results, at: now) } }
        apply { $0.reachedEnd(of: .results, next: Int64(results.count)) }
    }

    /// Appends the unsent records to the log.
    ///
    /// - Parameter losing: The indices of the records that the log loses.
    mutating func land(losing: Set<Int> = []) {
        for (place, record) in unsent.enumerated() where !losing.contains(place) { log.append(record) }
        unsent = []
    }

    mutating func read(from index: Int = 0) {
        let now = now
        for record in log.records[index...] { apply { $0.read(record, from: .journal, at: now) } }
    }

    mutating func reachEnd(_ next: Int64? = nil) {
        let end = next ?? log.next
        apply { $0.reachedEnd(of: .journal, next: end) }
    }

    /// Begins to check the idle journal.
    mutating func verify() {
        let now = now
        for _ in 1...2 { apply { $0.check(at: now) } }
    }

    /// Decides for a session, with this number as its next result. The record is not in the log.
    mutating func decide(_ session: Identifier, result sequence: Int) { decide(session, results: [sequence]) }

    /// Decides for a session. The last of these results is new, and the earlier ones are not acknowledged either.
    mutating func decide(_ session: Identifier, results sequences: [Int]) {
        let results = sequences.map { Self.result($0, of: session, at: now) }
        let journaled = JournaledSession(Session(id: session, updated: now), unacknowledged: results)
        apply {
            $0.append(
                session: session, value: JournalRecord.value(journaled),
                effects: results.suffix(1).map(JournalEffect.result))
        }
    }

    /// Decides for a session, and writes the record to the log.
    mutating func write(_ session: Identifier, result sequence: Int) {
        decide(session, result: sequence)
        land()
    }

    mutating func acknowledge(_ offset: Int) { apply { $0.acknowledged(at: Int64(offset)) } }

    /// Acknowledges the oldest effect that is not acknowledged.
    mutating func acknowledgeResult(at offset: Int64) {
        let place = places.removeFirst()
        apply { $0.acknowledgedResult(at: place, offset: offset) }
    }

    /// Advances the position of an input past records with these offsets. Their timestamps are 100 and the offset.
    mutating func consume(_ offsets: Range<Int64>, of input: JournalInput = .requests) {
        for offset in offsets { apply { $0[input].take(Self.request(at: offset, timestamp: 100 + offset)) } }
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

    static func result(_ sequence: Int, of session: Identifier, at time: Instant = ScriptedLog.now) -> EncodedResult {
        EncodedResult(
            sequence: sequence, type: .completed, request: "r", time: time,
            data: .object(["session": .string(session), "sequence": .number(Double(sequence))]))
    }

    /// A result of session "s" as a record of `intents.results`.
    static func resultRecord(_ sequence: Int, at time: Instant = ScriptedLog.now) -> ConsumedRecord {
        var encoder = EventEncoder(source: "/test")
        let log = ScriptedLog()
        log.append(encoder.record(result(sequence, of: "s", at: time), session: "s", topics: Topics(), partition: 0))
        return log.records[0]
    }
}
