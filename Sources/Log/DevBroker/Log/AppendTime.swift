/// Stamps batches with the broker's time, which replaces the producers' times in topics with
/// `message.timestamp.type=LogAppendTime`.
enum AppendTime {
    private enum At {
        static let checksum = 17, attributes = 21, maximumTimestamp = 35
    }

    /// The bit of a batch's attributes that is set for timestamps by the broker's clock.
    private static let isLogAppendTime: UInt16 = 1 << 3

    /// Stamps a record batch of version 2 in place, as Kafka does: readers use the batch's maximum timestamp for each
    /// of its records.
    static func stamp(_ batch: UnsafeMutableRawBufferPointer, _ milliseconds: Int64) {
        let attributes = UInt16(bigEndian: batch.loadUnaligned(fromByteOffset: At.attributes, as: UInt16.self))
        batch.storeBytes(of: (attributes | isLogAppendTime).bigEndian, toByteOffset: At.attributes, as: UInt16.self)
        batch.storeBytes(of: milliseconds.bigEndian, toByteOffset: At.maximumTimestamp, as: Int64.self)
        let checksum = CRC32C.checksum(UnsafeRawBufferPointer(rebasing: batch[At.attributes...]))
        batch.storeBytes(of: checksum.bigEndian, toByteOffset: At.checksum, as: UInt32.self)
    }
}

/// The checksum of record batches (Castagnoli's polynomial).
enum CRC32C {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0x82f6_3b78 : value >> 1 }
    }

    static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        ~bytes.reduce(~0) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
    }
}
