/// The batches of a partition, as producers have sent them, with their offsets.
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
    /// The fetches that wait for a record here.
    var waiting: [ParkedFetch] = []

    init(_ number: Int32, retainedBytes: Int) {
        self.number = number
        self.retainedBytes = retainedBytes
    }

    // MARK: Writing

    /// Writes a record batch.
    ///
    /// - Returns: The offset of its first record, or why it was refused. A copy of a batch that is there already has the offset of that.
    func append(_ records: UnsafeRawBufferPointer) -> Result<Int64, DevelopmentBroker.Fault> {
        guard let batch = RecordBatch(records) else { return .failure(.corruptRecord) }
        switch sequence(batch) {
        case .refused(let fault): return .failure(fault)
        case .copy(let offset): return .success(offset)
        case .next:
            let offset = end
            write(batch)
            removeOldest()
            return .success(offset)
        }
    }

    private func write(_ batch: RecordBatch) {
        if segments.last.map({ $0.room < batch.bytes.count }) ?? true {
            segments.append(LogSegment(capacity: max(batch.bytes.count, min(retainedBytes, 512 * 1024))))
        }
        segments[segments.count - 1].append(batch.bytes, offset: end, timestamp: batch.maximumTimestamp)
        if batch.producer >= 0 { producers[batch.producer, default: ProducerState()].wrote(batch, at: end) }
        size += batch.bytes.count
        end += Int64(batch.count)
    }

    private func sequence(_ batch: RecordBatch) -> ProducerState.Verdict {
        guard batch.producer >= 0, let state = producers[batch.producer] else { return .next }
        return state.verdict(on: batch)
    }

    /// Keeps at least the newest ``retainedBytes``.
    private func removeOldest() {
        while segments.count > 1, size - segments[0].count >= retainedBytes {
            size -= segments.removeFirst().count
            start = segments[0].firstOffset
        }
    }

    // MARK: Reading

    /// Appends whole batches from the one with `offset` on, of at most `limit` bytes. With `orOne`, the first one may be larger.
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

    /// The offset of the first batch with a record of that time or later, in milliseconds since 1970; `nil` if there is none.
    func offset(ofTime time: Int64) -> (offset: Int64, timestamp: Int64)? {
        for segment in segments { if let found = segment.offset(ofTime: time) { return found } }
        return nil
    }
}
