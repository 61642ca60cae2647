import Conversation
import IntentEvents
import IntentModel
import RDKafkaLog
import RecordLog

/// Writes hostile records into one partition at a steady rate. Each kind is written once, and then all kinds again.
final class HostileWriter {
    /// A record in the log.
    struct Written: Sendable {
        var kind: String
        var fate: HostileFate
        /// The topic, partition and offset of the record.
        var place: String
    }

    private let scene: FaultScene
    private let kinds: [HostileKind]
    private let partition: Int32
    private let rate: Double
    /// A client that does not compress, and a client that compresses one record of eight.
    private let clients: [any LogClient]
    private var waiting: [UInt64: (kind: HostileKind, record: Record)] = [:]
    private(set) var written: [Written] = []
    /// The records that the broker refused, by the name of the kind.
    private(set) var refused: [String] = []
    private(set) var count = 0

    init(_ scene: FaultScene, _ kinds: [HostileKind], partition: Int32, rate: Double) throws {
        self.scene = scene
        self.kinds = kinds
        self.partition = partition
        self.rate = rate
        clients = try ["none", "gzip"].map { codec in
            try scene.broker.log(["compression.type": codec]).connect(ClientConfiguration(clientID: "hostile-\(codec)"))
        }
    }

    /// Writes until every kind was written and `isDone` returns `true`.
    ///
    /// - Parameters:
    ///   - limit: The maximum duration.
    ///   - live: Returns a session with an open request, and the request.
    func write(
        within limit: Duration = .seconds(900), live: () -> (session: Identifier, request: Identifier)?,
        until isDone: () -> Bool
    ) async throws {
        let started = ContinuousClock.now
        try await eventually("all hostile records are written", within: limit) {
            if let failure = scene.person.failure { throw Broken(failure) }
            let isEnough = count >= kinds.count && isDone()
            let due = isEnough ? 0 : Int(started.duration(to: .now) / .seconds(1) * rate) - count
            // After a pause, the records that are due are written in parts.
            for _ in 0..<max(0, min(due, 100)) { try send(live()) }
            try poll()
            return isEnough && waiting.isEmpty
        }
        for client in clients { try client.close(timeout: .seconds(5)) }
    }

    private func send(_ live: (session: Identifier, request: Identifier)?) throws {
        let kind = kinds[count % kinds.count]
        let record = kind.record(
            HostileKind.Place(
                topics: scene.topics, partition: partition, partitions: FaultScene.partitions, number: count, live: live
            ))
        waiting[UInt64(count)] = (kind, record)
        try clients[count % 8 == 0 ? 1 : 0].send(record, token: UInt64(count))
        count += 1
    }

    private func poll() throws {
        for client in clients {
            for case .delivered(let delivery) in try client.poll(maximum: 1_000, timeout: .milliseconds(2)) {
                guard let (kind, record) = waiting.removeValue(forKey: delivery.token) else { continue }
                guard let offset = delivery.offset else {
                    refused.append("\(kind.name) (\(delivery.error.map { "\($0)" } ?? "no offset"))")
                    continue
                }
                note(kind, record, delivery.partition, offset)
            }
        }
    }

    private func note(_ kind: HostileKind, _ record: Record, _ partition: Int32, _ offset: Int64) {
        let consumed = ConsumedRecord(
            topic: record.topic, partition: partition, offset: offset, timestamp: 0, key: record.key,
            value: record.value,
            headers: record.headers)
        var fate = HostileFate(consumed, scene.topics, partitions: FaultScene.partitions)
        switch (kind.flaw, fate) {
        case (.live, _): fate = .either
        // A readable key names the same session each time, in which the request waits for its turn.
        case (.key, .answered): fate = .either
        default: break
        }
        written.append(Written(kind: kind.name, fate: fate, place: "\(record.topic) \(partition) \(offset)"))
    }
}
