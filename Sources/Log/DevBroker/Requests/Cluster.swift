import Foundation

/// The broker's state, and its responses to requests. One thread at a time uses it.
final class Cluster {
    /// The partition count of a topic that a metadata request creates.
    private static let defaultPartitions: Int32 = 4
    private static let node: Int32 = 1

    /// The address that clients are told.
    let host: String
    let port: Int32
    /// The time of the current turn.
    var now = ContinuousClock.now
    var topics: [String: [PartitionLog]] = [:]
    var groups: [String: Group] = [:]
    var parked: [ParkedFetch] = []
    var nextProducer: Int64 = 1
    /// The minimum number of retained bytes in each partition.
    let retainedBytes = 5 * 1024 * 1024

    // Injected faults.
    var faults: [Int16: [DevelopmentBroker.Fault]] = [:]
    var topicFaults: [String: DevelopmentBroker.Fault] = [:]
    var isDown = false
    var roundTrip = Duration.zero
    /// The difference of the broker's clock from this machine's clock.
    var clockAhead = Duration.zero

    /// The number of received requests, by API key.
    var counts: [Int16: Int] = [:]

    init(host: String, port: Int32) {
        (self.host, self.port) = (host, port)
    }

    // MARK: Time

    /// The time of the broker's clock, in milliseconds since 1970.
    var time: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) + Int64(clockAhead / .milliseconds(1)) }

    /// The time at which ``advance()`` has something to do, unless a request arrives earlier.
    var nextDeadline: ContinuousClock.Instant? {
        var deadline = parked.map(\.end).min()
        for group in groups.values {
            guard let next = group.nextDeadline else { continue }
            deadline = min(deadline ?? next, next)
        }
        return deadline
    }

    /// Answers the fetches whose wait has ended, and lets groups remove their silent members.
    func advance() {
        answerFetches()
        for group in groups.values { group.advance(to: now) }
    }

    func dropRequests(of connection: Connection) {
        parked.removeAll { fetch in
            guard fetch.reply.connection === connection else { return false }
            fetch.unpark()
            return true
        }
        for group in groups.values { for member in group.members { member.dropReplies(to: connection, at: now) } }
    }

    // MARK: Requests

    func serve(_ bytes: UnsafeRawBufferPointer, of connection: Connection) {
        do {
            var reader = RequestReader(bytes)
            let key = try reader.integer(Int16.self)
            let version = try reader.integer(Int16.self)
            let reply = Reply(
                connection: connection, correlation: try reader.integer(), version: version,
                delayedFrom: roundTrip > .zero ? now : nil)
            counts[key, default: 0] += 1
            guard let api = SupportedRequest.all.first(where: { $0.key == key }) else { return connection.close() }
            if !api.versions.contains(version) {
                // The protocol requires the response to an unknown version of this request in the oldest version.
                return key == SupportedRequest.versionsKey
                    ? versions(reply, fault: .unsupportedVersion) : connection.close()
            }
            let fault = nextFault(of: key)
            if fault == .disconnect { return connection.close() }
            let clientID = try reader.nullableString() ?? ""
            try api.answer(self)(Request(reader: reader, reply: reply, clientID: clientID, fault: fault))
        } catch {
            connection.close()
        }
    }

    private func nextFault(of key: Int16) -> DevelopmentBroker.Fault? {
        guard let next = faults[key]?.first else { return nil }
        faults[key]?.removeFirst()
        return next
    }

    // MARK: Topics

    func createTopic(
        _ name: String, partitions: Int32, stampsRecords: Bool = false, inflationLimit: Int? = nil
    ) -> DevelopmentBroker.Fault? {
        let isValid = (1...249).contains(name.utf8.count) && name.utf8.allSatisfy(Self.isAllowed)
        guard isValid else { return .invalidTopic }
        guard (1...10_000).contains(partitions) else { return .invalidPartitions }
        if topics[name] == nil {
            topics[name] = (0..<partitions).map {
                PartitionLog(
                    $0, retainedBytes: retainedBytes, stampsRecords: stampsRecords, inflationLimit: inflationLimit)
            }
        }
        return nil
    }

    private static func isAllowed(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: [UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-")].contains(character)
        }
    }

    func partition(_ topic: String, _ number: Int32) -> PartitionLog? {
        guard let partitions = topics[topic], partitions.indices.contains(Int(number)) else { return nil }
        return partitions[Int(number)]
    }

    func metadata(_ request: consuming Request) throws(MalformedRequest) {
        let version = request.reply.version
        var names = try request.reader.nullableArray { reader throws(MalformedRequest) in try reader.string() }
        // An empty list in version 0 asks for all topics.
        if version == 0, names?.isEmpty == true { names = nil }
        let creates = version < 4 ? true : try request.reader.integer(Int8.self) != 0
        for name in names ?? [] where creates && topics[name] == nil && topicFaults[name] == nil {
            _ = createTopic(name, partitions: Self.defaultPartitions)
        }
        request.reply.send { response in
            if version >= 3 { response.write(Int32(0)) }
            response.write(CollectionOfOne(0)) { response, _ in
                writeNode(&response)
                if version >= 1 { response.write(nil as String?) }
            }
            if version >= 2 { response.write("development") }
            // There is no controller, because admin requests are not supported.
            if version >= 1 { response.write(Int32(-1)) }
            response.write(names ?? topics.keys.sorted()) { response, name in writeTopic(name, version, &response) }
        }
    }

    private func writeTopic(_ name: String, _ version: Int16, _ response: inout ResponseBuffer) {
        response.write(topicFaults[name] ?? (topics[name] == nil ? .unknownTopicOrPartition : nil))
        response.write(name)
        if version >= 1 { response.write(Int8(0)) }
        response.write(topicFaults[name] == nil ? topics[name] ?? [] : []) { response, partition in
            response.write(partition.isLeaderAway ? DevelopmentBroker.Fault.leaderNotAvailable : nil)
            response.write(partition.number)
            response.write(partition.isLeaderAway ? -1 : Self.node)
            // The replicas, and the in-sync replicas.
            for _ in 0..<2 { response.write(CollectionOfOne(Self.node)) { $0.write($1) } }
        }
    }

    func writeNode(_ response: inout ResponseBuffer) {
        response.write(Self.node)
        response.write(host)
        response.write(port)
    }
}
