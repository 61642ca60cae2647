/// The hash that Kafka's Java clients use to choose a key's partition.
public enum Murmur2 {
    /// Hashes these bytes, as `org.apache.kafka.common.utils.Utils.murmur2` does.
    public static func hash(_ bytes: Bytes) -> Int32 {
        let mix: UInt32 = 0x5bd1_e995
        var hash = 0x9747_b28c ^ UInt32(truncatingIfNeeded: bytes.count)
        var index = 0
        while index + 4 <= bytes.count {
            var word =
                UInt32(bytes[index]) | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]) << 16 | UInt32(
                    bytes[index + 3]) << 24
            word &*= mix
            word ^= word >> 24
            word &*= mix
            hash &*= mix
            hash ^= word
            index += 4
        }
        if index < bytes.count {
            for (place, byte) in bytes[index...].enumerated() { hash ^= UInt32(byte) << (8 * UInt32(place)) }
            hash &*= mix
        }
        hash ^= hash >> 13
        hash &*= mix
        hash ^= hash >> 15
        return Int32(bitPattern: hash)
    }

    /// Returns the partition of records with this key in a topic with `count` partitions (at least 1).
    public static func partition(of key: Bytes, count: Int32) -> Int32 {
        (hash(key) & 0x7fff_ffff) % max(1, count)
    }
}
