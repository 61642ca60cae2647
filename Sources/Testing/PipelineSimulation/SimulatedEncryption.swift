import Conversation
import IntentEvents
import IntentModel
import PipelineTestKit
import RecordEncryption
import RecordLog
import Synchronization

/// The encryption of a history: the key file, which is replaced while processes run, and the records in plain.
final class SimulatedEncryption: Sendable {
    private struct State: Sendable {
        var stage = 0
        /// The keys of sessions that are in `intents.keys`, by partition and id, and how far each partition was read.
        var keys: [Int32: [String: DataKey]] = [:]
        var next: [Int32: Int64] = [:]
        /// Records that were decrypted before, in both forms, by their place.
        var opened: [TopicPartition: [Int64: (sealed: Bytes?, plain: ConsumedRecord)]] = [:]
    }

    private let log: InMemoryLog
    private let topics: Topics
    /// Every key of the file that there will ever be, each alone.
    private let all: [EncryptionKeys]
    private let state = Mutex(State())

    private static let lastStage = 2 * (keyCount - 1)
    private static let keyCount = 4

    init(_ log: InMemoryLog, _ topics: Topics) throws(EncryptionKeyError) {
        (self.log, self.topics) = (log, topics)
        var all: [EncryptionKeys] = []
        for number in 0..<Self.keyCount { all.append(try Self.file([number])) }
        self.all = all
    }

    private static func file(_ numbers: [Int]) throws(EncryptionKeyError) -> EncryptionKeys {
        let lines = numbers.map { String(repeating: String($0, radix: 16), count: 64) }
        return try EncryptionKeys(parsing: lines.joined(separator: "\n"))
    }

    /// Which file a process gets that starts now.
    var stage: Int { state.withLock(\.stage) }

    /// The file changes: it gets a new key behind the one that wraps, or that new key becomes the first.
    ///
    /// - Returns: `false` if there are no more keys.
    func replaceFile() -> Bool {
        state.withLock { state in
            guard state.stage < Self.lastStage else { return false }
            state.stage += 1
            return true
        }
    }

    /// The file of a stage: the key that wraps first, then the next one in odd stages, then those before.
    func keys(at stage: Int) -> EncryptionKeys {
        let first = stage / 2
        let numbers = [first] + (stage.isMultiple(of: 2) ? [] : [first + 1]) + (0..<first).reversed()
        return (try? Self.file(numbers)) ?? all[first]
    }

    /// The record in plain; `nil` if the log has no key for it.
    func open(_ record: ConsumedRecord) -> ConsumedRecord? {
        guard let seal = RecordSeal(record) else { return record }
        return state.withLock { state in
            if let known = state.opened[record.topicPartition]?[record.offset], known.sealed == record.value { return known.plain }
            guard let key = key(of: seal, record.partition, &state), let plain = record.opened(with: key) else { return nil }
            state.opened[record.topicPartition, default: [:]][record.offset] = (record.value, plain)
            return plain
        }
    }

    private func unwrap(_ wrapped: String, id: String) -> DataKey? {
        for keys in all { if let key = keys.unwrap(wrapped, id: id) { return key } }
        return nil
    }

    private func key(of seal: RecordSeal, _ partition: Int32, _ state: inout State) -> DataKey? {
        switch seal {
        case .own(let wrapped): return unwrap(wrapped, id: RecordSeal.ownID)
        case .shared(let id):
            if let key = state.keys[partition]?[id] { return key }
            let from = state.next[partition] ?? 0
            for record in log.records(in: TopicPartition(topics.keys, partition)) where record.offset >= from {
                state.next[partition] = record.offset + 1
                guard let key = record.key, let wrapped = KeyRecord.wrapped(in: record) else { continue }
                let id = String(decoding: key, as: UTF8.self)
                state.keys[partition, default: [:]][id] = unwrap(wrapped, id: id)
            }
            return state.keys[partition]?[id]
        }
    }

    /// Whether a process that encrypts writes this in plain, and must not.
    static func isExposed(_ record: Record, _ topics: Topics) -> Bool {
        guard let value = record.value, !record.headers.contains(where: { $0.name == EncryptedValue.header }) else { return false }
        switch record.topic {
        case topics.requests, topics.answers, topics.catalog, topics.keys: return false
        // Fences and positions are of no session, and a forgotten one must be readable when its key is destroyed.
        case topics.sessions: return record.key?.first != UInt8(ascii: "$") && !JournaledSession.isForgotten(value)
        default: return true
        }
    }
}

extension SimulationWorld {
    /// `true` for a record that must not be written in plain; `nil` if every record may be.
    var exposed: (@Sendable (Record) -> Bool)? {
        if encryption == nil { return nil }
        return { [topics] in SimulatedEncryption.isExposed($0, topics) }
    }

    /// A client of the process that encrypts, in histories with encryption.
    func encrypting(_ client: SimulatedClient, of process: SimulatedProcess, makesKeys: Bool = false) -> any LogClient {
        guard let encryption else { return client }
        let clock = process.clock
        let encrypting = EncryptingClient(client, topics: topics, keys: encryption.keys(at: process.keyFile), makesKeys: makesKeys) {
            clock.now.milliseconds
        }
        process.encrypting.append(encrypting)
        return encrypting
    }
}
