/// A record batch of version 2, the format since Kafka 0.11.
struct RecordBatch {
    private enum At {
        static let length = 8, magic = 16, checksum = 17, attributes = 21, lastOffsetDelta = 23, firstTimestamp = 27,
            maximumTimestamp = 35,
            producer = 43, epoch = 51, sequence = 53, records = 57
        static let headerSize = 61
    }

    let bytes: UnsafeRawBufferPointer

    /// The number of the batch's offsets.
    var count: Int { Int(load(At.lastOffsetDelta, Int32.self)) + 1 }
    var maximumTimestamp: Int64 { load(At.maximumTimestamp, Int64.self) }
    /// The id of an idempotent producer; negative for other producers.
    var producer: Int64 { load(At.producer, Int64.self) }
    var epoch: Int16 { load(At.epoch, Int16.self) }
    var sequence: Int32 { load(At.sequence, Int32.self) }
    /// The sequence of the following batch. The sequence after the largest one is 0.
    var nextSequence: Int32 { Int32((Int64(sequence) + Int64(count)) % (Int64(Int32.max) + 1)) }

    private func load<Integer: FixedWidthInteger>(_ position: Int, _: Integer.Type) -> Integer {
        Integer(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: Integer.self))
    }

    /// Kafka's number for the codec of the records; 0 if they are not compressed.
    var codec: UInt16 { load(At.attributes, UInt16.self) & Self.codecMask }

    private static let codecMask: UInt16 = 7
    private static let isControl: UInt16 = 0x20

    /// `true` if a producer may write the batch. Like Kafka, the broker rejects control batches, which end
    /// transactions, and batches whose numbers of records and offsets differ.
    var isAcceptable: Bool {
        load(At.attributes, UInt16.self) & Self.isControl == 0 && Int(load(At.records, Int32.self)) == count
    }

    /// Returns the batch with its records decompressed.
    ///
    /// - Parameter limit: The maximum number of bytes of the whole batch.
    func inflated(limit: Int) throws(Inflation.Failure) -> [UInt8] {
        let records = UnsafeRawBufferPointer(rebasing: bytes[At.headerSize...])
        var batch = Array(bytes.prefix(At.headerSize))
        batch += try Inflation.inflate(records, codec: codec, limit: limit - At.headerSize)
        let attributes = load(At.attributes, UInt16.self) & ~Self.codecMask
        batch.withUnsafeMutableBytes { Self.seal($0, attributes: attributes) }
        return batch
    }

    /// Writes length, attributes and checksum.
    private static func seal(_ batch: UnsafeMutableRawBufferPointer, attributes: UInt16) {
        batch.storeBytes(of: Int32(batch.count - At.length - 4).bigEndian, toByteOffset: At.length, as: Int32.self)
        batch.storeBytes(of: attributes.bigEndian, toByteOffset: At.attributes, as: UInt16.self)
        let checksum = CRC32C.checksum(UnsafeRawBufferPointer(rebasing: batch[At.attributes...]))
        batch.storeBytes(of: checksum.bigEndian, toByteOffset: At.checksum, as: UInt32.self)
    }

    /// Returns a batch whose attributes say gzip, but whose records are not compressed with gzip.
    ///
    /// - Parameter count: The number of records; at least 1.
    static func unreadable(_ count: Int, at time: Int64) -> [UInt8] {
        var batch = [UInt8](repeating: 0, count: At.headerSize) + Array("no client can decompress this".utf8)
        batch.withUnsafeMutableBytes { bytes in
            bytes[At.magic] = 2
            bytes.storeBytes(of: Int32(count - 1).bigEndian, toByteOffset: At.lastOffsetDelta, as: Int32.self)
            for place in [At.firstTimestamp, At.maximumTimestamp] {
                bytes.storeBytes(of: time.bigEndian, toByteOffset: place, as: Int64.self)
            }
            // -1 means that the producer is not idempotent.
            bytes.storeBytes(of: Int64(-1).bigEndian, toByteOffset: At.producer, as: Int64.self)
            bytes.storeBytes(of: Int16(-1).bigEndian, toByteOffset: At.epoch, as: Int16.self)
            bytes.storeBytes(of: Int32(-1).bigEndian, toByteOffset: At.sequence, as: Int32.self)
            bytes.storeBytes(of: Int32(count).bigEndian, toByteOffset: At.records, as: Int32.self)
            seal(bytes, attributes: 1)
        }
        return batch
    }

    /// Interprets these bytes as a batch; `nil` if they are not exactly one batch of this version, as Kafka requires of
    /// a produce request.
    init?(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        guard bytes.count >= At.headerSize, bytes[At.magic] == 2 else { return nil }
        // The length counts the bytes after the length field.
        guard Int(load(At.length, Int32.self)) == bytes.count - At.length - 4, count >= 1 else { return nil }
    }
}

/// The broker's state of an idempotent producer in a partition: as in Kafka, its last five batches.
struct ProducerState {
    enum Verdict {
        case next
        /// The batch was written already, at this offset.
        case copy(offset: Int64)
        case refused(DevelopmentBroker.Fault)
    }

    private struct Written {
        var sequence: Int32
        var count: Int
        var offset: Int64
    }

    private var epoch: Int16 = -1
    private var next: Int32 = 0
    private var last: [Written] = []

    func verdict(on batch: RecordBatch) -> Verdict {
        if batch.epoch < epoch { return .refused(.invalidProducerEpoch) }
        if batch.epoch > epoch { return batch.sequence == 0 ? .next : .refused(.outOfOrderSequence) }
        if batch.sequence == next { return .next }
        if let written = last.first(where: { $0.sequence == batch.sequence && $0.count == batch.count }) {
            return .copy(offset: written.offset)
        }
        return .refused(.outOfOrderSequence)
    }

    mutating func wrote(_ batch: RecordBatch, at offset: Int64) {
        if batch.epoch != epoch { last = [] }
        epoch = batch.epoch
        next = batch.nextSequence
        if last.count == 5 { last.removeFirst() }
        last.append(Written(sequence: batch.sequence, count: batch.count, offset: offset))
    }
}
