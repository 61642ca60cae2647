import Foundation
import RDKafkaLog
import RecordLog
import Testing

@testable import DevBroker

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Tests of behaviour that a client on librdkafka does not show.
@Suite("The development broker") struct DevelopmentBrokerTests {
    // MARK: A partition

    private let log = PartitionLog(0, retainedBytes: 1 << 20)

    @Test func `batches of an idempotent producer are written once and in order`() throws {
        func append(_ sequence: Int32, epoch: Int16 = 0, producer: Int64 = 7) -> Appended {
            log.append(batch(count: 2, producer: producer, epoch: epoch, sequence: sequence))
        }
        #expect(append(0) == .success(0))
        #expect(append(2) == .success(2))
        #expect(append(0) == .success(0), "a copy")
        #expect(append(6) == .failure(.outOfOrderSequence))
        #expect(append(4, producer: 8) == .success(4), "a producer that is not known here")
        #expect(append(5, epoch: 1) == .failure(.outOfOrderSequence))
        #expect(append(0, epoch: 1) == .success(6))
        #expect(append(4) == .failure(.invalidProducerEpoch))
        #expect(append(-1, producer: -1) == .success(8), "a producer without sequences")
        for number in Int32(1)...5 { #expect(append(number * 2, epoch: 1) == .success(Int64(8 + number * 2))) }
        #expect(append(0, epoch: 1) == .failure(.outOfOrderSequence), "a copy of one that is older than five batches")
        #expect(log.end == 20)
    }

    @Test func `after the largest sequence comes 0`() {
        #expect(log.append(batch(count: 2, producer: 7, epoch: 0, sequence: .max)) == .success(0))
        #expect(log.append(batch(count: 1, producer: 7, epoch: 0, sequence: 1)) == .success(2))
    }

    @Test func `control records are refused, as are batches that are not whole or have another number of records`() {
        let good = batch(count: 1)
        for bytes in [[], Array(good.dropLast()), good + [0], good + good, Array(good.prefix(30))] {
            #expect(log.append(bytes) == .failure(.corruptRecord), "\(bytes.count) bytes")
        }
        var (old, control, counted) = (good, good, batch(count: 2))
        old[16] = 1
        control[22] |= 0x20
        counted[60] = 3
        #expect(log.append(old) == .failure(.corruptRecord))
        for bytes in [control, counted] { #expect(log.append(bytes) == .failure(.invalidRecord)) }
        #expect(log.end == 0)
    }

    @Test func `whole batches are read, from the one with the offset on, and one at least`() {
        let size = batch(count: 3).count
        for _ in 0..<10 { _ = log.append(batch(count: 3)) }
        func read(_ offset: Int64, _ limit: Int, orOne: Bool = true) -> [Int64] {
            var response = ResponseBuffer()
            let count = log.read(from: offset, limit: limit, orOne: orOne, into: &response)
            return response.withUnsent { bytes in
                stride(from: 0, to: count, by: size).map {
                    Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self))
                }
            }
        }
        #expect(read(0, .max) == stride(from: 0, to: 30, by: 3).map { Int64($0) })
        #expect(read(4, size * 2) == [3, 6])
        #expect(read(29, 1) == [27] && read(29, 1, orOne: false) == [] && read(30, .max) == [])
    }

    @Test func `the oldest batches make room for new ones`() {
        let retained = 64 * 1024
        let log = PartitionLog(0, retainedBytes: retained)
        let large = batch(count: 1, payload: 10_000)
        for _ in 0..<100 { _ = log.append(large) }
        #expect(log.end == 100 && log.start > 50)
        #expect(Int(log.end - log.start) * large.count >= retained)
        var response = ResponseBuffer()
        let size = log.read(from: log.start, limit: .max, orOne: true, into: &response)
        #expect(size == Int(log.end - log.start) * large.count)
    }

    /// A batch whose records are not parsed.
    private func batch(
        count: Int32, producer: Int64 = -1, epoch: Int16 = -1, sequence: Int32 = -1, payload: Int = 20
    ) -> [UInt8] {
        let fields: [any FixedWidthInteger] = [
            Int64(0), Int32(49 + payload), Int32(0), Int8(2), UInt32(0), Int16(0), count - 1, Int64(0), Int64(0),
            producer, epoch, sequence, count,
        ]
        func bytes(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
        return fields.flatMap { bytes($0) } + Array(repeating: 0, count: payload)
    }

    // MARK: Connections

    private let broker: DevelopmentBroker

    init() throws { broker = try KafkaScene().broker }

    @Test func `small responses are not held back until earlier ones are acknowledged`() throws {
        let listener = try Listener(host: "127.0.0.1", port: 0)
        let client = try RawConnection(port: listener.port)
        defer { withExtendedLifetime(client) {} }
        var accepted: Connection?
        // `accept()` does not wait for a connection.
        while accepted == nil { accepted = listener.accept() }
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        #expect(getsockopt(try #require(accepted).socket, Int32(IPPROTO_TCP), TCP_NODELAY, &value, &size) == 0)
        #expect(value != 0)
    }

    @Test(
        arguments: [
            [0, 0, 0, 3, 1, 2, 3], [255, 255, 255, 255], [127, 255, 255, 255], [0, 0, 0, 8, 0, 1, 0, 4, 0, 0, 0, 1],
            [0, 0, 0, 8, 0, 99, 0, 0, 0, 0, 0, 1], [0, 0, 0, 14, 0, 3, 0, 4, 0, 0, 0, 1, 255, 255, 127, 255, 255, 255],
        ] as [[UInt8]])
    func `a malformed request ends its connection, and nothing else`(_ request: [UInt8]) throws {
        let other = try RawConnection(broker)
        let connection = try RawConnection(broker)
        connection.send(request)
        #expect(connection.receive(1) == [])
        // ApiVersions, version 0.
        other.send([0, 0, 0, 10, 0, 18, 0, 0, 0, 0, 0, 5, 255, 255])
        #expect(Array(other.receive(10).dropFirst(4)) == [0, 0, 0, 5, 0, 0])
    }

    @Test func `a request for the versions in a newer version is answered in the oldest version`() throws {
        let connection = try RawConnection(broker)
        connection.send([0, 0, 0, 10, 0, 18, 0, 3, 0, 0, 0, 5, 255, 255])
        let head = connection.receive(14)
        #expect(Array(head[4..<14]) == [0, 0, 0, 5, 0, 35, 0, 0, 0, UInt8(SupportedRequest.all.count)])
    }

    @Test func `a request that comes in pieces, and requests that come together, are answered in order`() throws {
        let connection = try RawConnection(broker)
        let requests = (1...3).flatMap { [0, 0, 0, 10, 0, 18, 0, 0, 0, 0, 0, UInt8($0), 255, 255] as [UInt8] }
        for byte in requests.prefix(14) { connection.send([byte]) }
        connection.send(Array(requests.dropFirst(14)))
        for number in 1...3 {
            let size = connection.receive(4).reduce(0) { $0 << 8 | Int($1) }
            #expect(connection.receive(size).prefix(4) == [0, 0, 0, UInt8(number)])
        }
    }
}

private typealias Appended = Result<Int64, DevelopmentBroker.Fault>

extension PartitionLog {
    fileprivate func append(_ batch: [UInt8]) -> Appended { batch.withUnsafeBytes { append($0, at: 0) } }
}

/// A connection of a client that does not follow the protocol.
private final class RawConnection {
    private let socket: Int32

    convenience init(_ broker: DevelopmentBroker) throws {
        try self.init(port: try #require(UInt16(broker.bootstrapServers.split(separator: ":").last ?? "")))
    }

    init(port: UInt16) throws {
        #if canImport(Darwin)
            socket = Darwin.socket(AF_INET, SOCK_STREAM, 0)
        #else
            socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        address.sin_port = port.bigEndian
        let descriptor = socket
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0)
    }

    func send(_ bytes: [UInt8]) { _ = systemSend(socket, bytes, bytes.count) }

    /// Receives this many bytes, or fewer at the end of the connection.
    func receive(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var part = [UInt8](repeating: 0, count: count - bytes.count)
            let received = recv(socket, &part, part.count, 0)
            if received <= 0 { break }
            bytes += part.prefix(received)
        }
        return bytes
    }

    deinit { _ = systemClose(socket) }
}

/// Topics with `message.timestamp.type=LogAppendTime` or `compression.type=uncompressed`, as on the development broker.
@Suite("Batches that the development broker changes", .tags(.broker)) struct DevBrokerTopicTests {
    private static let codecs = ["gzip", "snappy", "lz4", "zstd"]
    private let kafka: KafkaScene

    init() throws {
        kafka = try KafkaScene(topics: ["plain": 1])
        try kafka.broker.createTopic("stamped", partitions: 1, stampsRecords: true)
        try kafka.broker.createTopic("t", partitions: 1, inflationLimit: 1_048_588)
    }

    private func connect(_ codec: String) throws -> any LogClient {
        try kafka.connect(codec, ["compression.type": codec, "message.max.bytes": "12000000", "check.crcs": "true"])
    }

    @Test(arguments: ["none", "lz4"])
    func `records of topics with LogAppendTime get the broker's time, also compressed`(codec: String) async throws {
        func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1_000) + 3_600_000 }
        try kafka.broker.setClock(ahead: .seconds(3_600))
        let client = try connect(codec)
        let before = now()
        let value = Array(repeating: UInt8(7), count: 2_000)
        let places = ["stamped", "plain", "stamped"].map { TopicPartition($0, 0) }
        try await client.write(places.map { $0.record(key: [1], value, timestamp: 1_000) })
        for place in Set(places) { try client.read(place, from: .beginning) }
        let reads = try await client.poll("all records") { $0.reads.count >= 3 }.reads
        let after = now()
        for record in reads {
            #expect(record.topic == "plain" ? record.timestamp == 1_000 : before...after ~= record.timestamp)
            #expect(record.value == value)
        }
    }

    @Test func `a batch's checksum is that of RFC 3720`() {
        #expect(text("123456789").withUnsafeBytes { CRC32C.checksum($0) } == 0xe306_9283)
    }

    @Test(arguments: codecs)
    func `compressed batches are stored uncompressed and unchanged`(codec: String) async throws {
        let client = try connect(codec)
        let values = (0..<50).map { number -> Bytes in
            // The value mixes repeated and varying bytes.
            (0..<2_000).map { UInt8(truncatingIfNeeded: $0 % 7 == 0 ? number &* 31 &+ $0 &* $0 : number) }
        }
        let given = [RecordHeader("h", "v")]
        let sent = try await client.write(values.map { t0.record(key: [1, 2], $0, headers: given, timestamp: 5_000) })
        #expect(sent.allSatisfy { $0.error == nil })
        try client.read(t0, from: .beginning)
        let reads = try await client.poll("all records") { $0.reads.count >= 50 }.reads
        #expect(reads.map(\.value) == values && reads.map(\.offset) == Array(0..<50))
        #expect(reads.allSatisfy { $0.key == [1, 2] && $0.headers == given && $0.timestamp == 5_000 })
    }

    @Test(arguments: codecs)
    func `only batches that inflate beyond max.message.bytes are refused`(codec: String) async throws {
        let client = try connect(codec)
        let bomb = try await client.write([t0.record(Bytes(repeating: 0, count: 10_000_000))])
        #expect(bomb.map(\.error?.code) == [.recordTooLarge])
        let small = try await client.write([t0.record(Bytes(repeating: 0, count: 1_000_000))])
        #expect(small.map(\.offset) == [0])
    }

    @Test(arguments: 1...5 as ClosedRange<UInt16>)
    func `compressed batches are refused if they can't be decompressed`(codec: UInt16) {
        let garbage = Array("no codec writes this, whatever its number".utf8)
        for count in 0...garbage.count {
            #expect(throws: Inflation.Failure.self) {
                try garbage.prefix(count).withUnsafeBytes { try Inflation.inflate($0, codec: codec, limit: 1_000_000) }
            }
        }
    }
}
