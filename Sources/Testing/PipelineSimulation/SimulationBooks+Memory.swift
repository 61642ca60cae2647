import Conversation
import IntentEvents
import IntentModel
import Pipeline
import RecordLog

/// The memory of one person, as the changes make it in log order.
struct MemoryBook: Sendable {
    private struct Forgotten: Sendable {
        var keys: [String]?
        var stream: Identifier
        var offset: Int64
    }

    private(set) var values: [String: RememberedValue] = [:]
    /// Forgotten values. A forgotten value must not be remembered again.
    private(set) var forgottenValues: Set<RememberedValue> = []
    private var forgotten: [Forgotten] = []
    private var appliedChanges: Set<String> = []
    /// The offset of the change that each forgetting event has made.
    private(set) var events: [Identifier: Int64] = [:]
    /// The values after each new change, by the change's offset.
    private(set) var valuesAfterChange: [Int64: [String: RememberedValue]] = [:]
    /// The offset of the last change that a record of `intents.memory` contains.
    var written: Int64 = -1

    /// Applies a change in log order.
    ///
    /// - Returns: `true` if the change is new.
    mutating func apply(_ change: MemoryChange, at offset: Int64) -> Bool {
        if let event = change.event, events[event] == nil { events[event] = offset }
        guard appliedChanges.insert("\(change.stream) \(change.number)").inserted else { return false }
        defer { valuesAfterChange[offset] = values }
        switch change.kind {
        case .remember(let value):
            let isLate = forgotten.contains { forgotten in
                forgotten.stream != change.stream && forgotten.keys?.contains(value.key) ?? true
                    && forgotten.offset > change.since?.offset ?? -1
            }
            if isLate { forgottenValues.insert(value) } else { values[value.key] = value }
        case .forget(let keys):
            for (key, value) in values where keys?.contains(key) ?? true {
                forgottenValues.insert(value)
                values[key] = nil
            }
            forgotten.append(Forgotten(keys: keys, stream: change.stream, offset: offset))
        }
        return true
    }
}

// Checks of the memory of people.
extension SimulationBooks.Ledger {
    mutating func recordMemoryChange(_ record: ConsumedRecord) {
        do {
            let change = try MemoryChangeRecord(record)
            if let value = record.value, Self.hasSecret(value) {
                violated(.secretDisclosed, "a secret of \(change.principal.id) is remembered")
            }
            let isNew = memories[change.principal, default: MemoryBook()].apply(change.change, at: record.offset)
            if !isNew, survey != nil { report.coverage.count(.fault, "a change of the memory that is written again") }
        } catch {
            violated(.memoryLost, "a change of the memory can't be read: \(error.rejection.message)")
        }
    }

    mutating func recordMemory(_ record: ConsumedRecord) {
        do {
            let memory = try MemoryRecord(record)
            guard let person = memory.person else { return }
            let values = Dictionary(person.values.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
            let number = person.position.offset
            if values != memories[memory.principal]?.valuesAfterChange[number] {
                violated(
                    .memoryLost,
                    "\(memory.principal.id): the values after change \(number) are not what the changes make, or it was taken before"
                )
            }
            let written = memories[memory.principal]?.written ?? -1
            memories[memory.principal, default: MemoryBook()].written = max(written, person.position.offset)
        } catch {
            violated(.memoryLost, "a record of the memory can't be read: \(error.rejection.message)")
        }
    }

    /// Checks that a forgetting is in the log before its confirmation is sent.
    mutating func checkForgotten(_ result: ReceivedResult) {
        guard result.type == .memoryForgotten, let event = result.data["event"]?.identifier else { return }
        let isWritten = memories.values.contains { book in book.events[event].map { $0 <= book.written } ?? false }
        if !isWritten { violated(.forgottenValueReturned, "'\(event)' is told to be done, and is not in the log") }
    }

    /// Checks that a session uses no value that its owner has asked to forget.
    ///
    /// - Parameter isFollowing: `true` if the session has had the time to follow the forgetting and to confirm it.
    mutating func checkMemory(of session: Session, isFollowing: Bool) {
        guard let person = session.rememberedPerson else {
            if !session.person.isEmpty { violated(.memoryLost, "\(session.id): something is remembered for no one") }
            return
        }
        if !isFollowing { return }
        let forgottenValues = memories[person]?.forgottenValues ?? []
        for request in [session.active?.request].compactMap({ $0 }) + session.suspended.map(\.request) + session.queued
        {
            for value in request.remembered
            where forgottenValues.contains(value) && session.active?.isWaiting(for: request) != false {
                violated(
                    .forgottenValueReturned,
                    "\(session.id)/\(request.id): '\(value.key)' was forgotten, and is remembered for the request")
            }
        }
        if session.person.forgettings > 0 { violated(.restless, "\(session.id): a forgetting is not confirmed") }
    }

    /// Checks each person's memory in the log, in a compacted form of the log.
    ///
    /// - Parameters:
    ///   - records: The records of `intents.memory`.
    ///   - isCompacted: `true` if the records are those that compaction leaves.
    mutating func checkMemories(_ records: [ConsumedRecord], isCompacted: Bool) {
        var newest: [Principal: RememberedPerson] = [:]
        for record in records {
            guard let memory = try? MemoryRecord(record), let person = memory.person else { continue }
            if isCompacted,
                let value = person.values.first(where: {
                    memories[memory.principal]?.forgottenValues.contains($0) == true
                })
            {
                violated(
                    .forgottenValueReturned,
                    "\(memory.principal.id): '\(value.key)' was forgotten, and is in a record that compaction leaves")
            }
            if newest[memory.principal].map({ $0.position < person.position }) ?? true {
                newest[memory.principal] = person
            }
        }
        for (person, book) in memories.sorted(by: { $0.key.id < $1.key.id }) {
            let values = Dictionary((newest[person]?.values ?? []).map { ($0.key, $0) }, uniquingKeysWith: { $1 })
            for (key, value) in values.sorted(by: { $0.key < $1.key }) where book.values[key] != value {
                violated(
                    book.forgottenValues.contains(value) ? .forgottenValueReturned : .memoryLost,
                    "\(person.id): '\(key)' is remembered as \(value.value)")
            }
            for key in book.values.keys.sorted() where values[key] == nil {
                violated(.memoryLost, "\(person.id): '\(key)' was not written")
            }
        }
    }
}

extension ActiveRequest {
    /// Returns whether a request may still change: `false` if it is this request and is being handled.
    fileprivate func isWaiting(for request: IntentRequest) -> Bool { self.request.id != request.id || phase != .handle }
}
