import DequeModule
import RecordLog

/// The events of one topic's partition, in the order of the log.
struct RecordStream: Hashable {
    var partition: TopicPartition
    /// `true` if the group has assigned the partition, `false` if the client reads it outside of the group.
    var isGroup: Bool

    init(_ partition: TopicPartition, isGroup: Bool) { (self.partition, self.isGroup) = (partition, isGroup) }

    /// The stream of an event; `nil` for an event without a place among the records.
    init?(of event: LogEvent) {
        switch event {
        case .record(let record): self.init(record.topicPartition, isGroup: true)
        case .read(let record): self.init(record.topicPartition, isGroup: false)
        case .readEnd(let partition, _): self.init(partition, isGroup: false)
        case .unreadable(let batch): self.init(batch.partition, isGroup: batch.isAssigned)
        default: return nil
        }
    }
}

/// The streams of one partition that wait for keys, and the reading of `intents.keys`.
///
/// A record may be older here than its key, because two topics are read. The key of a record does not exist if
/// `intents.keys` was read, after the record arrived, up to the end that it then had. `intents.keys` is read
/// continuously, and once more for this end.
struct HeldStreams {
    private struct Held {
        var event: LogEvent
        /// The place in the order of arrival.
        var number: Int
    }

    /// The number of events at which a stream is read no further. A batch may follow.
    static let maximum = 1_000
    /// The minimum time between two readings for an end, in milliseconds.
    static let readingInterval: Int64 = 50

    private var events: [RecordStream: Deque<Held>] = [:]
    /// The streams that are read no further, and the offset at which each continues.
    private var stopped: [RecordStream: Int64] = [:]
    private var arrivals = 0
    /// The running or last reading for an end began after this many arrivals.
    private var asked = 0
    /// The last finished reading for an end began after this many arrivals.
    private var answered = 0
    private var lastReading = Int64.min
    /// The offset of `intents.keys` after the last record that was read.
    private(set) var next: Int64 = 0
    /// `true` if `intents.keys` is being read.
    var isReading = false
    private var hasReachedEnd = false

    var isEmpty: Bool { events.isEmpty }

    /// The streams whose events may be released; empty before `intents.keys` was read to its end once.
    var streams: [RecordStream] {
        guard hasReachedEnd else { return [] }
        return events.keys.sorted { ($0.partition, $0.isGroup ? 1 : 0) < ($1.partition, $1.isGroup ? 1 : 0) }
    }

    func contains(_ stream: RecordStream) -> Bool { events[stream] != nil }

    func isStopped(_ stream: RecordStream) -> Bool { stopped[stream] != nil }

    /// Adds an event to its stream. Returns `true` if the stream is full now and must be read no further.
    mutating func append(_ event: LogEvent, to stream: RecordStream) -> Bool {
        events[stream, default: []].append(Held(event: event, number: arrivals))
        arrivals += 1
        switch event {
        case .record(let record), .read(let record):
            guard isStopped(stream) || events[stream]?.count ?? 0 >= Self.maximum else { return false }
            return stopped.updateValue(record.offset + 1, forKey: stream) == nil
        default: return false
        }
    }

    /// Returns the first event of a stream, and whether a key that is unknown here does not exist.
    func first(of stream: RecordStream) -> (event: LogEvent, isFinal: Bool)? {
        events[stream]?.first.map { ($0.event, $0.number < answered) }
    }

    mutating func removeFirst(of stream: RecordStream) { events[stream]?.removeFirst() }

    /// Ends the wait of a stream without events. Returns the offset at which a stopped stream continues.
    mutating func removeIfEmpty(_ stream: RecordStream) -> Int64? {
        guard events[stream]?.isEmpty == true else { return nil }
        events[stream] = nil
        return stopped.removeValue(forKey: stream)
    }

    /// Removes the streams that are read again.
    mutating func remove(where isGone: (RecordStream) -> Bool) {
        events = events.filter { !isGone($0.key) }
        stopped = stopped.filter { !isGone($0.key) }
    }

    // MARK: The reading of `intents.keys`

    mutating func advance(to offset: Int64) { next = max(next, offset) }

    /// Begins a reading for an end, and returns the offset to read from; `nil` if no held event needs one, or a held
    /// event waits for the running one, which would never end if it began again.
    mutating func beginReading(at now: Int64) -> Int64? {
        let isTime = now < lastReading || now >= lastReading &+ Self.readingInterval
        let numbers = events.values.lazy.joined().lazy.map(\.number)
        guard isTime, numbers.contains(where: { $0 >= asked }),
            !numbers.contains(where: { (answered..<asked).contains($0) })
        else { return nil }
        (lastReading, asked) = (now, arrivals)
        return next
    }

    /// Applies the end of a reading.
    mutating func reachEnd(_ end: Int64) {
        (hasReachedEnd, answered) = (true, asked)
        advance(to: end)
    }

    /// Reads again from the beginning, because the topic has lost records or was created again.
    mutating func restartReading() {
        (hasReachedEnd, lastReading) = (false, .min)
        (next, asked, answered) = (0, 0, 0)
    }
}
