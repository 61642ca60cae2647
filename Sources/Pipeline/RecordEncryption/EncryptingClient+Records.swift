import DequeModule
import IntentEvents
import IntentModel
public import RecordLog

// One record is encrypted, or decrypted.
extension EncryptingClient {
    /// The record as it is written.
    ///
    /// - Throws: ``LogError/Code/queueFull`` if a new session has to wait for a key.
    func sealed(_ record: Record) throws(LogError) -> Record {
        guard sealedTopics.contains(record.topic) else { return record }
        // Fences and positions are of the partition and not of a session.
        if record.topic == topics.sessions, record.key?.first == UInt8(ascii: "$") { return record }
        let session = record.key.map { Identifier(String(decoding: $0, as: UTF8.self)) } ?? ""
        guard let value = record.value else {
            forget(session, record)
            return record
        }
        // A dead letter of what could not be decrypted is encrypted already.
        if record.headers.contains(where: { $0.name == EncryptedValue.header }) { return record }
        if record.topic == topics.sessions, JournaledSession.isForgotten(value) {
            // It has nothing but the ids of requests, and must be readable when the session's key is destroyed.
            forget(session, record)
            return record
        }
        // What is remembered about a person is of no session.
        let isOfSession = record.topic != topics.memory && record.topic != topics.memoryChanges
        if isOfSession, let number = record.partition,
            let key = try key(of: session, number, isJournal: record.topic == topics.sessions)
        {
            return try record.sealed(with: key, .shared(id: key.id))
        }
        let own = DataKey(id: RecordSeal.ownID)
        return try record.sealed(with: own, .own(wrapped: try keys.wrap(own)))
    }

    private func forget(_ session: Identifier, _ record: Record) {
        if record.topic == topics.sessions, let number = record.partition {
            partitions[number]?.forget(session: session)
        }
    }

    /// - Parameter isJournal: Whether the session gets a key if it has none.
    private func key(of session: Identifier, _ number: Int32, isJournal: Bool) throws(LogError) -> DataKey? {
        if let key = partitions[number]?.key(ofSession: session, keys) { return key }
        guard isJournal, makesKeys else { return nil }
        guard let key = newKey(session, number) else {
            try stock(number)
            throw LogError(.queueFull, "a new session waits until a key for it is in \(topics.keys)")
        }
        return key
    }

    private func newKey(_ session: Identifier, _ number: Int32) -> DataKey? {
        let own = keys(of: number)
        guard let key = own.spare.popFirst() else { return nil }
        own.assign(key.id, to: session, isBounded: false)
        return key
    }

    public func sessionKeys(of partition: Int32) -> SessionKeyStock {
        guard makesKeys else { return .ready }
        let own = keys(of: partition)
        if !own.spare.isEmpty {
            own.lacksSince = nil
            return .ready
        }
        if own.lacksSince == nil {
            // More of them next time. What can't be stocked now is when the client is polled next.
            if own.underWay > 0 { own.spareTarget = min(own.spareTarget * 2, 1_024) }
            try? stock(partition)
        }
        let now = now()
        let since = min(own.lacksSince ?? now, now)
        own.lacksSince = since
        return now - since < Self.patience ? .pending : .missing
    }

    public func reserveKey(for key: Bytes, in partition: Int32) {
        let session = Identifier(String(decoding: key, as: UTF8.self))
        guard makesKeys, partitions[partition]?.key(ofSession: session, keys) == nil else { return }
        // Without one, the session's first record waits for a key.
        _ = newKey(session, partition)
    }

    /// Writes keys for sessions to come, if there are few.
    func stock(_ number: Int32) throws(LogError) {
        let own = keys(of: number)
        guard own.spare.count + own.underWay < own.spareTarget / 2, now() >= own.refusedUntil else { return }
        while own.spare.count + own.underWay < own.spareTarget, try write(DataKey(), isNew: true, number) {}
    }

    /// Writes a key, wrapped with the newest key of the file.
    ///
    /// - Parameter isNew: Whether it is for a session to come, once the log has it.
    /// - Returns: Whether the client has room for it.
    func write(_ key: DataKey, isNew: Bool, _ number: Int32) throws(LogError) -> Bool {
        let (wrapped, now) = (try keys.wrap(key), now())
        do throws(LogError) {
            try inner.send(
                KeyRecord.record(key.id, wrapped: wrapped, topic: topics.keys, partition: number, at: now),
                token: lastToken + 1)
        } catch {
            if error.code == .queueFull { return false }
            throw error
        }
        lastToken += 1
        underWay[lastToken] = isNew && Rule.keysComeFirst.holds ? .some(key) : .some(nil)
        if isNew, !Rule.keysComeFirst.holds { keys(of: number).spare.append(key) }
        keys(of: number).underWay += 1
        keys(of: number).publish(key, at: now)
        return true
    }

    /// The record as it was before it was encrypted, or as it is if that can't be.
    ///
    /// - Returns: `nil` if its key is not known here, and may be later.
    func open(_ record: ConsumedRecord) -> ConsumedRecord? {
        guard sealedTopics.contains(record.topic) else { return record }
        guard let seal = RecordSeal(record) else {
            // A session that is forgotten, or not encrypted.
            if record.topic == topics.sessions, let key = record.key {
                partitions[record.partition]?.forget(session: Identifier(String(decoding: key, as: UTF8.self)))
            }
            return record
        }
        switch seal {
        case .own(let wrapped):
            return keys.unwrap(wrapped, id: RecordSeal.ownID).flatMap { record.opened(with: $0) } ?? record
        case .shared(let id):
            guard let key = partitions[record.partition]?.key(id, keys) else { return nil }
            guard let opened = record.opened(with: key) else { return record }
            if isAboutSession(record), let session = record.key {
                partitions[record.partition]?.assign(
                    id, to: Identifier(String(decoding: session, as: UTF8.self)), isBounded: !makesKeys)
            }
            return opened
        }
    }

    /// Whether its key is the one that the session has: coordinators learn it from the journal, workers from their work.
    private func isAboutSession(_ record: ConsumedRecord) -> Bool {
        makesKeys
            ? record.topic == topics.sessions
            : ![topics.sessions, topics.outcomes, topics.results, topics.deadLetters].contains(record.topic)
    }
}
