/// One partition: records by offset, oldest first. Offsets only grow. Compaction leaves gaps, and truncation moves the start.
struct PartitionModel: Sendable {
    private(set) var records: [ConsumedRecord] = []
    /// The oldest offset that may be read. There may be no record at it.
    private(set) var start: Int64 = 0
    /// The offset of the next record.
    private(set) var next: Int64 = 0
    /// The ends of its closed segments, in order. The records after the last one are in the active segment.
    private(set) var segmentEnds: [Int64] = []
    /// How many offsets a segment has, after which the next record starts another one; `nil` for no limit.
    var segmentSize: Int?
    /// Whether the partition has no leader now: nothing can be written or read.
    var isLeaderAway = false
    /// The offsets of batches that can't be read, in order, each with the reason.
    private(set) var unreadable: [(offsets: Range<Int64>, cause: String)] = []
    /// The first offset of another producer's open transaction; `nil` if none is open.
    private var openTransaction: Int64?

    /// The offset that readers get no further than: the end, or the beginning of an open transaction (Kafka: the last stable offset).
    var stableEnd: Int64 { openTransaction ?? next }

    /// Writes a record at the end and returns its offset.
    mutating func append(_ record: Record, partition: Int32, timestamp: Int64) -> Int64 {
        if let segmentSize, next - activeStart >= Int64(segmentSize) { rollSegment() }
        let offset = next
        records.append(
            ConsumedRecord(
                topic: record.topic, partition: partition, offset: offset, timestamp: record.timestamp ?? timestamp, key: record.key,
                value: record.value, headers: record.headers))
        next += 1
        return offset
    }

    /// Appends a batch of `count` records that can't be read.
    mutating func appendUnreadable(_ count: Int, cause: String) {
        unreadable.append((next..<next + Int64(max(1, count)), cause))
        next += Int64(max(1, count))
    }

    /// The first batch that can't be read and ends after this offset.
    func unreadable(from offset: Int64) -> (offsets: Range<Int64>, cause: String)? {
        unreadable.first { $0.offsets.upperBound > offset && $0.offsets.upperBound <= stableEnd }
    }

    /// Up to `count` records from this offset on.
    func records(from offset: Int64, atMost count: Int) -> ArraySlice<ConsumedRecord> {
        records[firstIndex(from: offset)...].prefix(count)
    }

    /// Keeps the newest record of each key, and those without a key; offsets stay.
    ///
    /// - Parameters:
    ///   - end: Records from this offset on are too young: they stay, and so do the records that they overwrite.
    ///   - stop: Records from this offset on stay too, but those that they overwrite do not.
    ///   - droppingTombstones: Whether to drop tombstones too, as Kafka does after `delete.retention.ms`.
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

    /// Drops the records before this offset.
    mutating func truncate(before offset: Int64) {
        start = max(start, min(offset, next))
        records.removeFirst(firstIndex(from: start))
        unreadable.removeAll { $0.offsets.upperBound <= start }
        segmentEnds.removeAll { $0 <= start }
    }

    /// Removes the newest `count` records, or all if there are fewer. The next record gets the offset of the first one that was removed.
    mutating func cutTail(_ count: Int) {
        guard let first = records.suffix(max(0, count)).first else { return }
        records.removeLast(min(count, records.count))
        next = first.offset
        unreadable.removeAll { $0.offsets.lowerBound >= next }
        openTransaction = openTransaction.map { min($0, next) }
        segmentEnds.removeAll { $0 > next }
    }

    // MARK: Transactions

    /// Withholds the records from here on, as an open transaction of another producer does.
    mutating func beginTransaction() { openTransaction = openTransaction ?? next }

    /// Ends the transaction. Its marker takes an offset that no reader gets.
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

    /// The end of the last closed segment that ends at this offset or before it; the beginning if there is none.
    func segmentEnd(upTo offset: Int64) -> Int64 { segmentEnds.last { $0 <= offset } ?? start }

    /// The index of the first record with this offset or a later one.
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
    /// The end that was reported last.
    private var toldEnd: Int64?

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

    /// Whether a poll has something to do: the reader is not at the end of the partition, or its end was not reported to one that wants to know.
    func hasNews(in partition: PartitionModel, isAssigned: Bool) -> Bool {
        position != partition.stableEnd || !isAssigned && toldEnd != position
    }

    /// Moves to the beginning if the partition does not have the position, and returns the position that it does not have.
    mutating func recover(in partition: PartitionModel) -> Int64? {
        guard position < partition.start || position > partition.next else { return nil }
        defer { position = partition.start }
        return position
    }

    /// Returns the next records, up to `count`, and moves past them. If there is none before the next batch that can't be read, moves past that batch and
    /// returns it.
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

    /// The end of the partition, if the reader is at it and it was not reported yet.
    mutating func newEnd(in partition: PartitionModel) -> Int64? {
        if partition.records(from: position, atMost: 1).isEmpty, partition.unreadable(from: position) == nil {
            position = max(position, partition.stableEnd)
        }
        guard position == partition.stableEnd && toldEnd != position else { return nil }
        toldEnd = position
        return position
    }
}
