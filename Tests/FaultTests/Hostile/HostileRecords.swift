import Conversation
import Foundation
import IntentEvents
import IntentModel
import PipelineService
import PipelineTestKit
import RDKafkaLog
import RecordLog
import Synchronization

/// The required effect of a record that no process of the pipeline has written.
enum HostileFate: Sendable {
    /// The record is copied to the dead letters.
    case deadLetter
    /// The sender gets a rejection, under the event's id and the session, if the session can be read.
    case rejected(Identifier)
    /// The sender gets a prompt, a completion or a rejection.
    case answered(Identifier)
    /// The record has no effect.
    case passedOver
    /// The record is about a session that has an open request, or that other records are about too. The effect depends
    /// on when the record is read.
    case either

    /// The name of the case, for counts.
    var name: String { String("\(self)".prefix { $0 != "(" }) }

    var mayBeLetter: Bool { ["deadLetter", "either"].contains(name) }

    /// Creates the fate of a record in a new session, by the rules of coordinators with separate trust and of workers,
    /// and with the readers of their topics.
    init(_ record: ConsumedRecord, _ topics: Topics, partitions: Int32) {
        switch record.topic {
        case topics.requests, topics.answers: self = Self.input(record, topics, partitions)
        case topics.outcomes: self = (try? OutcomeEvent(record)) == nil ? .deadLetter : .passedOver
        case topics.resolve, topics.confirm, topics.handle, topics.handleInApp:
            self = (try? WorkEvent(record)) == nil ? .deadLetter : .passedOver
        default: self = .passedOver
        }
    }

    private static func input(_ record: ConsumedRecord, _ topics: Topics, _ partitions: Int32) -> HostileFate {
        let event: RequestEvent
        do { event = try RequestEvent(record) } catch {
            if error.isDeadLetter { return .deadLetter }
            let id = record.headers.first { $0.name == "ce_id" }?.text.flatMap { RequestEvent.isID($0) ? $0 : nil }
            return .rejected(key(try? SessionKey.read(record), Identifier(id ?? SessionKey.derivedID(record))))
        }
        let rejected = HostileFate.rejected(key(event.session, event.id))
        guard let bytes = record.key, Murmur2.partition(of: bytes, count: partitions) == record.partition else {
            return rejected
        }
        let isRequest = if case .requested = event.event { true } else { false }
        if record.topic == topics.requests, !isRequest { return rejected }
        if isRequest { return .answered(key(event.session, event.id)) }
        var session = Session(id: event.session, updated: .now)
        var randomness = Randomness(seed: 1)
        let decision = session.receive(
            event.event, from: event.principal, at: .now, policy: SessionPolicy(), randomness: &randomness)
        if case .changed(let effects) = decision, case .result(let result)? = effects.first,
            case .rejected = result.body
        {
            return rejected
        }
        return .passedOver
    }

    /// Returns the key by which a sender recognises results about an event.
    static func key(_ session: Identifier?, _ event: Identifier) -> Identifier { "\(session ?? "") \(event)" }
}

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
    private var clients: [any LogClient]
    private var waiting: [UInt64: (kind: HostileKind, record: Record)] = [:]
    private(set) var written: [Written] = []
    /// The number of records that the broker refused.
    private(set) var refusals = 0
    /// The number of records of which it is not known whether the broker has taken them.
    private(set) var unknown = 0
    private(set) var count = 0

    init(_ scene: FaultScene, _ kinds: [HostileKind], partition: Int32, rate: Double) throws {
        (self.scene, self.kinds, self.partition, self.rate) = (scene, kinds, partition, rate)
        clients = try Self.codecs.map { try Self.client(scene, $0) }
    }

    private static let codecs = ["none", "gzip"]

    private static func client(_ scene: FaultScene, _ codec: String) throws -> any LogClient {
        try scene.broker.log(["compression.type": codec]).connect(ClientConfiguration(clientID: "hostile-\(codec)"))
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
        for index in clients.indices {
            let events: [LogEvent]
            do { events = try clients[index].poll(maximum: 1_000, timeout: .milliseconds(2)) } catch {
                // A record that Kafka refuses for its timestamp costs an idempotent producer of librdkafka 2.0.2 its
                // sequence. Another producer goes on. The fate of the records on their way is unknown.
                guard error.message.contains("OUT_OF_ORDER_SEQUENCE_NUMBER") else { throw error }
                try? clients[index].close(timeout: .zero)
                clients[index] = try Self.client(scene, Self.codecs[index])
                let lost = waiting.keys.filter { ($0 % 8 == 0) == (index == 1) }
                for token in lost { waiting.removeValue(forKey: token) }
                unknown += lost.count
                continue
            }
            for case .delivered(let delivery) in events {
                guard let (kind, record) = waiting.removeValue(forKey: delivery.token) else { continue }
                if let offset = delivery.offset {
                    append(kind, record, delivery.partition, offset)
                } else {
                    refusals += 1
                }
            }
        }
    }

    private func append(_ kind: HostileKind, _ record: Record, _ partition: Int32, _ offset: Int64) {
        let consumed = ConsumedRecord(
            topic: record.topic, partition: partition, offset: offset, timestamp: 0, key: record.key,
            value: record.value, headers: record.headers)
        var fate = HostileFate(consumed, scene.topics, partitions: FaultScene.partitions)
        if kind.isLive { fate = .either }
        // A readable key names the same session each time, in which the request waits for its turn.
        if case (.edit(let edit), .answered) = (kind.flaw, fate), edit.part == .key { fate = .either }
        written.append(Written(kind: kind.name, fate: fate, place: "\(record.topic) \(partition) \(offset)"))
    }
}

/// Reads the effects of hostile records while the records are written, because a development broker retains little.
final class HostileReader: @unchecked Sendable {
    private struct State {
        var letters: Set<String> = []
        var told: Set<Identifier> = []
        var rejected: Set<Identifier> = []
    }

    private let state = Mutex(State())
    private let client: any LogClient
    private let topics: Topics
    private var loop: LoopThread?

    init(_ scene: FaultScene) throws {
        topics = scene.topics
        client = try scene.broker.log().connect(ClientConfiguration(clientID: "hostile-reader"))
        for partition in 0..<FaultScene.partitions {
            for topic in [topics.deadLetters, topics.results] {
                try client.read(TopicPartition(topic, partition), from: .beginning)
            }
        }
        loop = LoopThread("hostile reader", client) { [self] in
            for case .read(let record) in try client.poll(maximum: 1_000, timeout: .milliseconds(50)) { apply(record) }
        }
    }

    /// The error that stopped the reader.
    var failure: String? { loop?.failure }

    /// Returns whether the record at a place has a dead letter.
    func hasLetter(of place: String) -> Bool { state.withLock { $0.letters.contains(place) } }

    /// Returns whether a record has met its fate.
    func shows(_ fate: HostileFate, at place: String) -> Bool {
        state.withLock { state in
            switch fate {
            case .deadLetter: state.letters.contains(place)
            case .rejected(let key): state.rejected.contains(key)
            case .answered(let key): state.told.contains(key)
            case .passedOver, .either: true
            }
        }
    }

    func end() { loop?.end() }

    private func apply(_ record: ConsumedRecord) {
        if record.topic == topics.deadLetters {
            guard let letter = ReadDeadLetter(record) else { return }
            let original = letter.original
            state.withLock { _ = $0.letters.insert("\(original.topic) \(original.partition) \(original.offset)") }
            return
        }
        // Results for the load don't matter here.
        guard record.key.map({ !$0.starts(with: Bytes("day-".utf8)) }) ?? true, let result = try? ReceivedResult(record)
        else { return }
        let event = result.data["event"]?.identifier
        state.withLock { state in
            for id in [event, result.request].compactMap(\.self) {
                state.told.insert(HostileFate.key(result.session, id))
            }
            if let event, result.type == .rejected { state.rejected.insert(HostileFate.key(result.session, event)) }
        }
    }
}
