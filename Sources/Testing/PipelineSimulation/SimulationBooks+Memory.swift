import Conversation
import IntentEvents
import IntentModel
import Pipeline
import RecordLog

/// What is remembered about a person, as their changes say it, one after the other.
struct MemoryBook: Sendable {
    private struct Forgotten: Sendable {
        var keys: [String]?
        var stream: Identifier
        var offset: Int64
    }

    private(set) var values: [String: RememberedValue] = [:]
    /// What was forgotten. It must not come back.
    private(set) var gone: Set<RememberedValue> = []
    private var forgotten: [Forgotten] = []
    private var taken: Set<String> = []
    /// Where each event that forgets has its change.
    private(set) var events: [Identifier: Int64] = [:]
    /// The values after each change that was not taken before, by its offset.
    private(set) var after: [Int64: [String: RememberedValue]] = [:]
    /// The last change that a record of `intents.memory` has.
    var written: Int64 = -1

    /// - Returns: whether it was not taken before.
    mutating func take(_ change: MemoryChange, at offset: Int64) -> Bool {
        if let event = change.event, events[event] == nil { events[event] = offset }
        guard taken.insert("\(change.stream) \(change.number)").inserted else { return false }
        defer { after[offset] = values }
        switch change.kind {
        case .remember(let value):
            let isLate = forgotten.contains { forgotten in
                forgotten.stream != change.stream && forgotten.keys?.contains(value.key) ?? true
                    && forgotten.offset > change.since?.offset ?? -1
            }
            if isLate { gone.insert(value) } else { values[value.key] = value }
        case .forget(let keys):
            for (key, value) in values where keys?.contains(key) ?? true {
                gone.insert(value)
                values[key] = nil
            }
            forgotten.append(Forgotten(keys: keys, stream: change.stream, offset: offset))
        }
        return true
    }
}

// What is remembered about people.
extension SimulationBooks.Ledger {
    mutating func takeMemoryChange(_ record: ConsumedRecord) {
        do {
            let change = try MemoryChangeRecord(record)
            if let value = record.value, Self.hasSecret(value) {
                violated(.secretTold, "a secret of \(change.principal.id) is remembered")
            }
            let isNew = memories[change.principal, default: MemoryBook()].take(change.change, at: record.offset)
            if !isNew, survey != nil { report.coverage.note(.met, "a change of the memory that is written again") }
        } catch {
            violated(.memoryLost, "a change of the memory can't be read: \(error.rejection.message)")
        }
    }

    mutating func takeMemory(_ record: ConsumedRecord) {
        do {
            let memory = try MemoryRecord(record)
            guard let person = memory.person else { return }
            let values = Dictionary(person.values.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
            let number = person.position.offset
            if values != memories[memory.principal]?.after[number] {
                violated(
                    .memoryLost,
                    "\(memory.principal.id): the values after change \(number) are not what the changes make, or it was taken before")
            }
            let written = memories[memory.principal]?.written ?? -1
            memories[memory.principal, default: MemoryBook()].written = max(written, person.position.offset)
        } catch {
            violated(.memoryLost, "a record of the memory can't be read: \(error.rejection.message)")
        }
    }

    /// It must be in the log that something is forgotten before anyone is told.
    mutating func checkForgotten(_ result: ReceivedResult) {
        guard result.type == .memoryForgotten, let event = result.data["event"]?.identifier else { return }
        let isWritten = memories.values.contains { book in book.events[event].map { $0 <= book.written } ?? false }
        if !isWritten { violated(.forgottenCameBack, "'\(event)' is told to be done, and is not in the log") }
    }

    /// Checks that a session uses nothing that its owner has had forgotten.
    ///
    /// - Parameter isFollowing: whether it has had the time to follow what was forgotten, and to confirm it.
    mutating func checkMemory(of session: Session, isFollowing: Bool) {
        guard let person = session.rememberedPerson else {
            if !session.person.isEmpty { violated(.memoryLost, "\(session.id): something is remembered for no one") }
            return
        }
        if !isFollowing { return }
        let gone = memories[person]?.gone ?? []
        for request in [session.active?.request].compactMap({ $0 }) + session.suspended.map(\.request) + session.queued {
            for value in request.remembered where gone.contains(value) && session.active?.isWaiting(for: request) != false {
                violated(.forgottenCameBack, "\(session.id)/\(request.id): '\(value.key)' was forgotten, and is remembered for the request")
            }
        }
        if session.person.forgettings > 0 { violated(.restless, "\(session.id): a forgetting is not confirmed") }
    }

    /// Checks what the log says of each person, whatever compaction has left of it.
    ///
    /// - Parameters:
    ///   - records: those of `intents.memory`.
    ///   - isCompacted: whether these are all that compaction leaves.
    mutating func checkMemories(_ records: [ConsumedRecord], isCompacted: Bool) {
        var newest: [Principal: RememberedPerson] = [:]
        for record in records {
            guard let memory = try? MemoryRecord(record), let person = memory.person else { continue }
            if isCompacted, let value = person.values.first(where: { memories[memory.principal]?.gone.contains($0) == true }) {
                violated(
                    .forgottenCameBack, "\(memory.principal.id): '\(value.key)' was forgotten, and is in a record that compaction leaves")
            }
            if newest[memory.principal].map({ $0.position < person.position }) ?? true { newest[memory.principal] = person }
        }
        for (person, book) in memories.sorted(by: { $0.key.id < $1.key.id }) {
            let values = Dictionary((newest[person]?.values ?? []).map { ($0.key, $0) }, uniquingKeysWith: { $1 })
            for (key, value) in values.sorted(by: { $0.key < $1.key }) where book.values[key] != value {
                violated(
                    book.gone.contains(value) ? .forgottenCameBack : .memoryLost, "\(person.id): '\(key)' is remembered as \(value.value)")
            }
            for key in book.values.keys.sorted() where values[key] == nil {
                violated(.memoryLost, "\(person.id): '\(key)' was not written")
            }
        }
    }
}

extension ActiveRequest {
    /// `false` if this request is being handled with what it has.
    fileprivate func isWaiting(for request: IntentRequest) -> Bool { self.request.id != request.id || phase != .handle }
}
