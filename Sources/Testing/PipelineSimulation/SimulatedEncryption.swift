import Conversation
import IntentEvents
import IntentModel
import PipelineTestKit
import RecordEncryption
import RecordLog
import Synchronization

/// The encryption of a history: the key file, which is replaced while processes run, and the decrypted records.
final class SimulatedEncryption: Sendable {
    private struct State: Sendable {
        var stage = 0
        /// The session keys in `intents.keys`, by partition and id.
        var keys: [Int32: [String: DataKey]] = [:]
        /// The next offset to read in each partition of `intents.keys`.
        var next: [Int32: Int64] = [:]
        /// Records that were decrypted before, in both forms, by partition and offset.
        var opened: [TopicPartition: [Int64: (sealed: Bytes?, plain: ConsumedRecord)]] = [:]
    }

    private let log: InMemoryLog
    private let topics: Topics
    /// Every key that the file can ever have, each in a file of its own.
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

    /// The stage of the key file that a process gets if it starts now.
    var stage: Int { state.withLock(\.stage) }

    /// Replaces the key file. The new file has a new key behind the wrapping key, or moves that new key to the front.
    ///
    /// - Returns: `false` if there are no more keys.
    func replaceFile() -> Bool {
        state.withLock { state in
            guard state.stage < Self.lastStage else { return false }
            state.stage += 1
            return true
        }
    }

    /// Returns the key file of a stage: the wrapping key, then the next key in odd stages, then the earlier keys.
    func keys(at stage: Int) -> EncryptionKeys {
        let first = stage / 2
        let numbers = [first] + (stage.isMultiple(of: 2) ? [] : [first + 1]) + (0..<first).reversed()
        return (try? Self.file(numbers)) ?? all[first]
    }

    /// Decrypts a record. Returns `nil` if the log has no key for the record.
    func open(_ record: ConsumedRecord) -> ConsumedRecord? {
        guard let seal = RecordSeal(record) else { return record }
        return state.withLock { state in
            if let known = state.opened[record.topicPartition]?[record.offset], known.sealed == record.value {
                return known.plain
            }
            guard let key = key(of: seal, record.partition, &state), let plain = record.opened(with: key) else {
                return nil
            }
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

    /// Returns whether an encrypting process must not write a record because it is in plaintext.
    static func isExposed(_ record: Record, _ topics: Topics) -> Bool {
        guard let value = record.value, !record.headers.contains(where: { $0.name == EncryptedValue.header }) else {
            return false
        }
        switch record.topic {
        case topics.requests, topics.answers, topics.catalog, topics.keys: return false
        // Fences and positions belong to no session. The record of a forgotten session must be readable after its key
        // is destroyed.
        case topics.sessions: return record.key?.first != UInt8(ascii: "$") && !JournaledSession.isForgotten(value)
        default: return true
        }
    }
}

extension SimulationWorld {
    /// A predicate for records that must not be written in plaintext; `nil` if every record may be.
    var exposed: (@Sendable (Record) -> Bool)? {
        if encryption == nil { return nil }
        return { [topics] in SimulatedEncryption.isExposed($0, topics) }
    }

    /// Wraps a client of the process in an encrypting client, in histories with encryption.
    func encrypting(_ client: SimulatedClient, of process: SimulatedProcess, makesKeys: Bool = false) -> any LogClient {
        guard let encryption else { return client }
        let clock = process.clock
        let encrypting = EncryptingClient(
            client, topics: topics, keys: encryption.keys(at: process.keyFile), makesKeys: makesKeys
        ) {
            clock.now.milliseconds
        }
        process.encrypting.append(encrypting)
        return encrypting
    }
}
