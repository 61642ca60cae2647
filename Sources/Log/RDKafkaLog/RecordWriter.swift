import CRDKafka
import RecordLog

/// Passes records to the producer, and maps the topics of delivery reports to their names.
struct RecordWriter: ~Copyable {
    /// The positions of the arguments of `rd_kafka_produceva`.
    private enum At {
        static let topic = 0, partition = 1, flags = 2, key = 3, value = 4, timestamp = 5, opaque = 6, headers = 7
        static let count = 8
    }

    private let producer: OpaquePointer
    private let arguments: UnsafeMutablePointer<rd_kafka_vu_t>
    /// An address for empty bytes. A null address would mean no bytes.
    private let emptiness: UnsafeMutableRawPointer
    private var topics: [String: RDKafkaTopic] = [:]
    private var names: [OpaquePointer: String] = [:]
    private var lastTopic: RDKafkaTopic?

    init(_ handle: borrowing RDKafkaHandle) {
        producer = handle.pointer
        arguments = .allocate(capacity: At.count)
        arguments.initialize(repeating: rd_kafka_vu_t(), count: At.count)
        emptiness = .allocate(byteCount: 8, alignment: 8)
        arguments[At.topic].vtype = RD_KAFKA_VTYPE_RKT
        arguments[At.partition].vtype = RD_KAFKA_VTYPE_PARTITION
        arguments[At.flags].vtype = RD_KAFKA_VTYPE_MSGFLAGS
        arguments[At.flags].u.i = RD_KAFKA_MSG_F_COPY
        arguments[At.key].vtype = RD_KAFKA_VTYPE_KEY
        arguments[At.value].vtype = RD_KAFKA_VTYPE_VALUE
        arguments[At.timestamp].vtype = RD_KAFKA_VTYPE_TIMESTAMP
        arguments[At.opaque].vtype = RD_KAFKA_VTYPE_OPAQUE
        arguments[At.headers].vtype = RD_KAFKA_VTYPE_HEADERS
    }

    deinit {
        arguments.deallocate()
        emptiness.deallocate()
    }

    /// Queues a copy of the record. The record's delivery report has this token.
    mutating func send(_ record: Record, token: UInt64) throws(LogError) {
        arguments[At.topic].u.rkt = try topic(record.topic).pointer
        arguments[At.partition].u.i32 = record.partition ?? -1
        arguments[At.timestamp].u.i64 = record.timestamp ?? 0
        arguments[At.opaque].u.ptr = UnsafeMutableRawPointer(bitPattern: UInt(token))
        let headers = record.headers.isEmpty ? nil : makeHeaders(record.headers)
        arguments[At.headers].u.headers = headers
        let error = withAddress(of: record.key) { key, keySize in
            withAddress(of: record.value) { value, valueSize in
                arguments[At.key].u.mem.ptr = key
                arguments[At.key].u.mem.size = keySize
                arguments[At.value].u.mem.ptr = value
                arguments[At.value].u.mem.size = valueSize
                // Without headers, the last argument is omitted.
                return rd_kafka_produceva(producer, arguments, At.count - (headers == nil ? 1 : 0))
            }
        }
        guard let error = LogError(consuming: error) else { return }
        // librdkafka owns the headers only if it accepted the record.
        if let headers { rd_kafka_headers_destroy(headers) }
        throw error
    }

    /// Returns the name of a delivery report's topic.
    @inline(__always)
    mutating func name(of topic: OpaquePointer) -> String {
        if let lastTopic, lastTopic.pointer == topic { return lastTopic.name }
        return names[topic] ?? String(cString: rd_kafka_topic_name(topic))
    }

    @inline(__always)
    private mutating func topic(_ name: String) throws(LogError) -> RDKafkaTopic {
        if let lastTopic, lastTopic.name == name { return lastTopic }
        if let known = topics[name] {
            lastTopic = known
            return known
        }
        let topic = try RDKafkaTopic(name, of: producer)
        topics[name] = topic
        names[topic.pointer] = name
        lastTopic = topic
        return topic
    }

    @inline(__always)
    private func makeHeaders(_ headers: [RecordHeader]) -> OpaquePointer? {
        let list = rd_kafka_headers_new(headers.count)
        let nothing = UnsafePointer(emptiness.assumingMemoryBound(to: CChar.self))
        for header in headers {
            withAddress(of: header.value) { value, size in
                let added: Void? = header.name.utf8.withContiguousStorageIfAvailable { name in
                    name.withMemoryRebound(to: CChar.self) { name in
                        _ = rd_kafka_header_add(list, name.baseAddress ?? nothing, name.count, value, size)
                    }
                }
                // A bridged string may have no contiguous bytes.
                if added == nil { _ = rd_kafka_header_add(list, header.name, header.name.utf8.count, value, size) }
            }
        }
        return list
    }

    @inline(__always)
    private func withAddress<Result>(of bytes: Bytes?, _ body: (UnsafeMutableRawPointer?, Int) -> Result) -> Result {
        guard let bytes else { return body(nil, 0) }
        if bytes.isEmpty { return body(emptiness, 0) }
        return bytes.withUnsafeBytes { body(UnsafeMutableRawPointer(mutating: $0.baseAddress), $0.count) }
    }
}
