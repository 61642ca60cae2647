/// One partition: its records by offset, oldest first. Offsets only grow. Compaction leaves gaps, and truncation moves
/// the start.
struct PartitionModel: Sendable {
    private(set) var records: [ConsumedRecord] = []
    /// The oldest offset that may be read. There may be no record at it.
    private(set) var start: Int64 = 0
    /// The offset of the next record.
    private(set) var next: Int64 = 0
    /// The ends of the closed segments, in order. The records after the last end are in the active segment.
    private(set) var segmentEnds: [Int64] = []
    /// The number of offsets in a segment, after which the next record starts a new segment; `nil` for no limit.
    var segmentSize: Int?
    /// `true` while the partition has no leader: it can be neither written nor read.
    var isLeaderAway = false
    /// The offsets of unreadable batches, in order, each with the reason.
    private(set) var unreadable: [(offsets: Range<Int64>, cause: String)] = []
    /// The first offset of another producer's open transaction; `nil` without one.
    private var openTransaction: Int64?

    /// The last stable offset: the beginning of an open transaction, or the end. Readers stop there.
    var stableEnd: Int64 { openTransaction ?? next }

    /// Writes a record at the end and returns its offset.
    mutating func append(_ record: Record, partition: Int32, timestamp: Int64) -> Int64 {
        if let segmentSize, next - activeStart >= Int64(segmentSize) { rollSegment() }
        let offset = next
        records.append(
            ConsumedRecord(
                topic: record.topic, partition: partition, offset: offset, timestamp: record.timestamp ?? timestamp,
                key: record.key,
                value: record.value, headers: record.headers))
        next += 1
        return offset
    }

    /// Appends an unreadable batch of `count` records.
    mutating func appendUnreadable(_ count: Int, cause: String) {
        unreadable.append((next..<next + Int64(max(1, count)), cause))
        next += Int64(max(1, count))
    }

    /// The first unreadable batch that ends after this offset.
    func unreadable(from offset: Int64) -> (offsets: Range<Int64>, cause: String)? {
        unreadable.first { $0.offsets.upperBound > offset && $0.offsets.upperBound <= stableEnd }
    }

    /// Up to `count` records from this offset on.
    func records(from offset: Int64, atMost count: Int) -> ArraySlice<ConsumedRecord> {
        records[firstIndex(from: offset)...].prefix(count)
    }

    /// Keeps the newest record of each key, and all records without a key. Offsets do not change.
    ///
    /// - Parameters:
    ///   - end: The end of the compacted offsets. Later records are too young: they stay, and so do the records that
    ///     they overwrite.
    ///   - stop: The offset at which the cleaner is interrupted. Later records stay too, but the records that they
    ///     overwrite do not.
    ///   - droppingTombstones: `true` removes tombstones too, as Kafka does after `delete.retention.ms`.
    mutating func compact(before end: Int64, stoppingAt stop: Int64 = .max, droppingTombstones: Bool) {
        var newest: [Bytes: Int64] = [:]
        for record in records where record.offset < end {
            if let key = record.key { newest[key] = record.offset }
        }
        records.removeAll { record in
            guard record.offset < min(end, stop), let key = record.key else { return false }
            return newest[key] != record.offset || (droppingTombstones && record.value == nil)
        }
    }

    /// Removes the records before this offset.
    mutating func truncate(before offset: Int64) {
        start = max(start, min(offset, next))
        records.removeFirst(firstIndex(from: start))
        unreadable.removeAll { $0.offsets.upperBound <= start }
        segmentEnds.removeAll { $0 <= start }
    }

    /// Removes the newest `count` records, or all if there are fewer. The next record gets the offset of the first
    /// removed record.
    mutating func cutTail(_ count: Int) {
        guard let first = records.suffix(max(0, count)).first else { return }
        records.removeLast(min(count, records.count))
        next = first.offset
        unreadable.removeAll { $0.offsets.lowerBound >= next }
        openTransaction = openTransaction.map { min($0, next) }
        segmentEnds.removeAll { $0 > next }
    }

    // MARK: Transactions

    /// Opens a transaction of another producer, which withholds the records from here on.
    mutating func beginTransaction() { openTransaction = openTransaction ?? next }

    /// Ends the transaction. Its marker occupies an offset that no reader gets.
    mutating func endTransaction() {
        guard openTransaction != nil else { return }
        openTransaction = nil
        next += 1
    }

    // MARK: Segments

    /// The first offset of the active segment.
    private var activeStart: Int64 { segmentEnds.last ?? start }

    /// Closes the active segment, if it has any offsets.
    mutating func rollSegment() {
        if next > activeStart { segmentEnds.append(next) }
    }

    /// The end of the last closed segment that ends at or before this offset; the start of the partition if there is
    /// none.
    func segmentEnd(upTo offset: Int64) -> Int64 { segmentEnds.last { $0 <= offset } ?? start }

    /// The index of the first record at or after this offset.
    private func firstIndex(from offset: Int64) -> Int {
        var (low, high) = (0, records.count)
        while low < high {
            let middle = (low + high) / 2
            if records[middle].offset < offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// A reader's position in one partition.
struct ReaderModel: Sendable {
    var position: Int64
    /// The last reported end.
    private var reportedEnd: Int64?

    init(position: Int64) {
        self.position = position
    }

    init(_ start: StartOffset, in partition: PartitionModel) {
        switch start {
        case .beginning: position = partition.start
        case .end: position = partition.stableEnd
        case .offset(let offset): position = offset
        }
    }

    /// `true` if a poll has something to do: the reader is not at the end of the partition, or its end was not reported
    /// yet. Assigned partitions report no end.
    func hasNews(in partition: PartitionModel, isAssigned: Bool) -> Bool {
        position != partition.stableEnd || !isAssigned && reportedEnd != position
    }

    /// Moves to the beginning if the position is out of the partition's range, and returns the position that was out of
    /// range.
    mutating func recover(in partition: PartitionModel) -> Int64? {
        guard position < partition.start || position > partition.next else { return nil }
        defer { position = partition.start }
        return position
    }

    /// Returns the next records, up to `count`, and moves past them. If no record precedes the next unreadable batch,
    /// moves past the batch and returns it.
    mutating func advance(
        in partition: PartitionModel, atMost count: Int
    ) -> (records: ArraySlice<ConsumedRecord>, unreadable: (offsets: Range<Int64>, cause: String)?) {
        let unreadable = partition.unreadable.isEmpty ? nil : partition.unreadable(from: position)
        let end = min(partition.stableEnd, unreadable?.offsets.lowerBound ?? .max)
        let found = partition.records(from: position, atMost: count).prefix { $0.offset < end }
        if let last = found.last {
            position = last.offset + 1
        } else if count > 0 {
            position = max(position, unreadable?.offsets.upperBound ?? partition.stableEnd)
            return (found, unreadable)
        }
        return (found, nil)
    }

    /// Returns the end of the partition, if the reader is at the end and did not report it yet.
    mutating func newEnd(in partition: PartitionModel) -> Int64? {
        if partition.records(from: position, atMost: 1).isEmpty, partition.unreadable(from: position) == nil {
            position = max(position, partition.stableEnd)
        }
        guard position == partition.stableEnd && reportedEnd != position else { return nil }
        reportedEnd = position
        return position
    }
}
