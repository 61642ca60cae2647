import CRDKafka
import RecordLog

extension ConsumedRecord {
    /// Copies a message out of librdkafka's buffer, so that the buffer can be freed. A message keeps the buffer of its
    /// whole fetch alive.
    @inline(__always)
    init(_ message: UnsafePointer<rd_kafka_message_t>, topic: String, names: inout HeaderNames) {
        let fields = message.pointee
        var type = RD_KAFKA_TIMESTAMP_NOT_AVAILABLE
        let timestamp = rd_kafka_message_timestamp(message, &type)
        self.init(
            topic: topic, partition: fields.partition, offset: fields.offset,
            timestamp: type == RD_KAFKA_TIMESTAMP_NOT_AVAILABLE ? -1 : timestamp,
            key: Bytes(copying: fields.key, fields.key_len), value: Bytes(copying: fields.payload, fields.len),
            headers: Self.headers(of: message, &names))
    }

    @inline(__always)
    private static func headers(of message: UnsafePointer<rd_kafka_message_t>, _ names: inout HeaderNames)
        -> [RecordHeader]
    {
        var list: OpaquePointer?
        guard rd_kafka_message_headers(message, &list) == RD_KAFKA_RESP_ERR_NO_ERROR, let list else { return [] }
        let count = rd_kafka_header_cnt(list)
        return [RecordHeader](unsafeUninitializedCapacity: count) { buffer, initialized in
            var name: UnsafePointer<CChar>?
            var value: UnsafeRawPointer?
            var size = 0
            for index in 0..<count {
                guard rd_kafka_header_get_all(list, index, &name, &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR, let name
                else { break }
                buffer.initializeElement(
                    at: index, to: RecordHeader(names.name(name, at: index), Bytes(copying: value, size)))
                initialized = index + 1
            }
        }
    }
}

extension Bytes {
    /// Copies the bytes at an address; `nil` if the address is `nil`, which differs from empty.
    @inline(__always)
    init?(copying address: UnsafeRawPointer?, _ count: Int) {
        guard let address else { return nil }
        self.init(UnsafeRawBufferPointer(start: address, count: count))
    }
}
