import IntentEvents
import IntentModel
public import RecordLog

// Encrypting and decrypting one record, and writing keys.
extension EncryptingClient {
    /// Returns the record as it is written.
    ///
    /// - Throws: ``LogError/Code/queueFull`` if a new session has to wait for a key.
    func seal(_ record: Record) throws(LogError) -> Record {
        guard sealedTopics.contains(record.topic) else { return record }
        let isJournal = record.topic == topics.sessions
        // Fences and positions belong to the partition and not to a session.
        if isJournal, record.key?.first == UInt8(ascii: "$") { return record }
        let session = record.key.map(identifier) ?? ""
        // The record of an ended session has only the ids of requests, and must be readable when the key is destroyed.
        guard let value = record.value, !isJournal || !JournaledSession.isForgotten(value) else {
            if isJournal, let number = record.partition { partitions[number]?.sessions.forget(session) }
            return record
        }
        // The record in a dead letter may be encrypted already, because it could not be decrypted.
        if record.headers.contains(where: { $0.name == EncryptedValue.header }) { return record }
        // Memory belongs to a person and not to a session.
        let isOfSession = record.topic != topics.memory && record.topic != topics.memoryChanges
        if isOfSession, let number = record.partition,
            let key = try key(of: session, in: number, isJournal: isJournal)
        {
            return try record.sealed(with: key, .shared(id: key.id))
        }
        let own = DataKey(id: RecordSeal.ownID)
        return try record.sealed(with: own, .own(wrapped: try keys.wrap(own)))
    }

    private func identifier(_ key: Bytes) -> Identifier { Identifier(String(decoding: key, as: UTF8.self)) }

    /// - Parameter isJournal: `true` to assign a key to a session that has none.
    private func key(of session: Identifier, in number: Int32, isJournal: Bool) throws(LogError) -> DataKey? {
        if let key = partitions[number]?.sessions.key(of: session, keys) { return key }
        guard isJournal, makesKeys else { return nil }
        if let key = partitions[number, default: PartitionKeys()].assignKey(to: session) { return key }
        try restock(number)
        throw LogError(.queueFull, "a new session waits until a key for it is in \(topics.keys)")
    }

    public func sessionKeys(of partition: Int32) -> SessionKeyStock {
        guard makesKeys else { return .ready }
        let availability = partitions[partition, default: PartitionKeys()].stock.checkAvailability(at: now())
        // The next poll writes the keys that can't be written now.
        if availability != .ready { try? restock(partition) }
        return availability
    }

    public func reserveKey(for key: Bytes, in partition: Int32) {
        let session = identifier(key)
        guard makesKeys, partitions[partition]?.sessions.key(of: session, keys) == nil else { return }
        // If the stock is empty, the session's first record waits for a key.
        _ = partitions[partition]?.assignKey(to: session)
    }

    /// Writes the keys that the stock of a partition lacks.
    func restock(_ number: Int32) throws(LogError) {
        for _ in 0..<partitions[number, default: PartitionKeys()].stock.shortage(at: now()) {
            guard try write(DataKey(), isNew: true, to: number) else { return }
        }
    }

    /// Writes a key, wrapped with the first key of the key file.
    ///
    /// - Parameter isNew: `true` for a key that enters the stock once the log has acknowledged it.
    /// - Returns: `false` if the client's queue is full.
    func write(_ key: DataKey, isNew: Bool, to number: Int32) throws(LogError) -> Bool {
        let (wrapped, now) = (try keys.wrap(key), now())
        do throws(LogError) {
            try inner.send(
                KeyRecord.record(key.id, wrapped: wrapped, topic: topics.keys, partition: number, at: now),
                token: lastToken + 1)
        } catch  where error.code == .queueFull {
            return false
        }
        lastToken += 1
        unacknowledged[lastToken] = isNew ? .some(key) : .some(nil)  // rule: keysComeFirst
        partitions[number]?.stock.unacknowledged += 1
        partitions[number]?.sessions.publish(key, at: now)
        return true
    }

    /// Returns the event with its record decrypted, or the same event if that is not needed or not possible; `nil` if
    /// the record's key is unknown and may still arrive.
    func open(_ event: LogEvent) -> LogEvent? {
        switch event {
        case .record(let record): open(record).map { .record($0) }
        case .read(let record): open(record).map { .read($0) }
        default: event
        }
    }

    private func open(_ record: ConsumedRecord) -> ConsumedRecord? {
        guard sealedTopics.contains(record.topic) else { return record }
        guard let seal = RecordSeal(record) else {
            // The session has ended, or is not encrypted.
            if record.topic == topics.sessions, let key = record.key {
                partitions[record.partition]?.sessions.forget(identifier(key))
            }
            return record
        }
        switch seal {
        case .own(let wrapped):
            return keys.unwrap(wrapped, id: RecordSeal.ownID).flatMap { record.opened(with: $0) } ?? record
        case .shared(let id):
            guard let key = partitions[record.partition]?.sessions.key(id, keys) else { return nil }
            guard let opened = record.opened(with: key) else { return record }
            if namesSessionKey(record), let key = record.key {
                partitions[record.partition]?.sessions.assign(id, to: identifier(key), isBounded: !makesKeys)
            }
            return opened
        }
    }

    /// `true` if the record has its session's present key. Coordinators learn the key from the journal, workers from
    /// work.
    private func namesSessionKey(_ record: ConsumedRecord) -> Bool {
        makesKeys
            ? record.topic == topics.sessions
            : ![topics.sessions, topics.outcomes, topics.results, topics.deadLetters].contains(record.topic)
    }
}
