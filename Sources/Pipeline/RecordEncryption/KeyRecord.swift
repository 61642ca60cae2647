import IntentModel
public import RecordLog

/// A record of `intents.keys`: the wrapped key of one session, under the key's id. A tombstone destroys the key.
public enum KeyRecord {
    /// - Returns: `nil` for a tombstone, and for a value that no coordinator has written.
    package static func wrapped(in record: ConsumedRecord) -> String? {
        guard let value = record.value, let view = try? JSONView(parsing: value, limits: .event), view.kind == .object
        else { return nil }
        return view["wrapped"]?.string
    }

    static func record(_ id: String, wrapped: String, topic: String, partition: Int32, at now: Int64) -> Record {
        Record(
            topic: topic, partition: partition, key: Bytes(id.utf8),
            value: JSON.object(["wrapped": .string(wrapped)]).bytes, timestamp: now
        )
    }

    /// Returns the record that destroys a key: at once in processes that read it, and in the log once it is compacted.
    public static func tombstone(_ id: String, topic: String, partition: Int32) -> Record {
        Record(topic: topic, partition: partition, key: Bytes(id.utf8), value: nil)
    }

    /// Returns the id of the key that a record is encrypted with; `nil` if the record is not encrypted, or has a key of
    /// its own.
    public static func id(of record: ConsumedRecord) -> String? {
        guard case .shared(let id)? = RecordSeal(record) else { return nil }
        return id
    }
}
