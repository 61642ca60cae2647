/// A partition's batches, as producers have sent them, with their offsets.
final class PartitionLog {
    let number: Int32
    private let retainedBytes: Int
    private var segments: [LogSegment] = []
    private var size = 0
    /// The offset of the oldest batch.
    private(set) var start: Int64 = 0
    /// The offset of the next record.
    private(set) var end: Int64 = 0
    private var producers: [Int64: ProducerState] = [:]
    /// `true` while no broker leads the partition: it takes and gives no records.
    var isLeaderAway = false
    /// The fetches that wait for a record of this partition.
    var waiting: [ParkedFetch] = []

    /// `true` if records get the broker's time instead of the producer's time.
    let stampsRecords: Bool
    /// The time of the last batch; -1 if records have the producer's times.
    private(set) var appendTime: Int64 = -1

    /// The maximum size of a batch in bytes if batches are stored uncompressed; `nil` if they are stored unchanged.
    private let inflationLimit: Int?

    init(_ number: Int32, retainedBytes: Int, stampsRecords: Bool = false, inflationLimit: Int? = nil) {
        self.stampsRecords = stampsRecords
        self.inflationLimit = inflationLimit
        self.number = number
        self.retainedBytes = retainedBytes
    }

    // MARK: Writing

    /// Writes a record batch.
    ///
    /// - Parameter now: The broker's time, in milliseconds since 1970.
    /// - Returns: The offset of the batch's first record, or the reason of the rejection. A duplicate of a written
    ///   batch has that batch's offset.
    func append(_ records: UnsafeRawBufferPointer, at now: Int64) -> Result<Int64, DevelopmentBroker.Fault> {
        guard let batch = RecordBatch(records) else { return .failure(.corruptRecord) }
        guard batch.isAcceptable else { return .failure(.invalidRecord) }
        guard let inflationLimit, batch.codec != 0 else { return append(batch, at: now) }
        do throws(Inflation.Failure) {
            return try batch.inflated(limit: inflationLimit).withUnsafeBytes { bytes in
                RecordBatch(bytes).map { append($0, at: now) } ?? .failure(.corruptRecord)
            }
        } catch {
            let fault: DevelopmentBroker.Fault =
                switch error {
                case .tooLarge: .recordTooLarge
                case .corrupt: .invalidRecord
                case .unsupported: .unsupportedCompression
                }
            return .failure(fault)
        }
    }

    /// Writes a batch that no client can decompress, whatever the topic's settings.
    func appendUnreadable(_ count: Int, at now: Int64) {
        RecordBatch.unreadable(count, at: now).withUnsafeBytes { bytes in
            if let batch = RecordBatch(bytes) { _ = append(batch, at: now) }
        }
    }

    private func append(_ batch: RecordBatch, at now: Int64) -> Result<Int64, DevelopmentBroker.Fault> {
        switch sequence(batch) {
        case .refused(let fault): return .failure(fault)
        case .copy(let offset): return .success(offset)
        case .next:
            let offset = end
            if stampsRecords { appendTime = now }
            write(batch)
            removeOldest()
            return .success(offset)
        }
    }

    private func write(_ batch: RecordBatch) {
        if segments.last.map({ $0.room < batch.bytes.count }) ?? true {
            segments.append(LogSegment(capacity: max(batch.bytes.count, min(retainedBytes, 512 * 1024))))
        }
        let timestamp = stampsRecords ? appendTime : batch.maximumTimestamp
        segments[segments.count - 1].append(batch.bytes, offset: end, timestamp: timestamp, isStamped: stampsRecords)
        if batch.producer >= 0 { producers[batch.producer, default: ProducerState()].wrote(batch, at: end) }
        size += batch.bytes.count
        end += Int64(batch.count)
    }

    private func sequence(_ batch: RecordBatch) -> ProducerState.Verdict {
        guard batch.producer >= 0, let state = producers[batch.producer] else { return .next }
        return state.verdict(on: batch)
    }

    /// Removes old segments while at least the newest ``retainedBytes`` remain.
    private func removeOldest() {
        while segments.count > 1, size - segments[0].count >= retainedBytes {
            size -= segments.removeFirst().count
            start = segments[0].firstOffset
        }
    }

    // MARK: Reading

    /// Appends whole batches to the response, starting with the batch of `offset`, of at most `limit` bytes. With
    /// `orOne`, the first batch may be larger.
    ///
    /// - Returns: The number of bytes.
    func read(from offset: Int64, limit: Int, orOne: Bool, into response: inout ResponseBuffer) -> Int {
        guard offset < end, var index = segments.lastIndex(where: { $0.firstOffset <= offset }) else { return 0 }
        var bytes = 0
        while index < segments.count {
            let segment = segments[index]
            let part = segment.batches(from: offset, limit: limit - bytes, orOne: orOne && bytes == 0)
            response.append(part)
            bytes += part.count
            if bytes >= limit || part.count < segment.count(from: offset) { break }
            index += 1
        }
        return bytes
    }

    /// Returns the first offset of the first batch with a record at or after this time, in milliseconds since 1970;
    /// `nil` if there is none.
    func offset(ofTime time: Int64) -> (offset: Int64, timestamp: Int64)? {
        for segment in segments { if let found = segment.offset(ofTime: time) { return found } }
        return nil
    }
}
