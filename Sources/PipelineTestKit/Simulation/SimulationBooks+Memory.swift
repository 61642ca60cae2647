import Conversation
import IntentEvents
import IntentModel
import Pipeline
import RecordLog

// What is remembered about people.
extension SimulationBooks.Ledger {
    mutating func takeMemory(_ record: ConsumedRecord) {
        let memory: MemoryRecord
        do { memory = try MemoryRecord(record) } catch {
            return violated(.memoryLost, "a record of the memory can't be read: \(error.rejection.message)")
        }
        if let value = record.value, Self.hasSecret(value) {
            violated(.secretTold, "a secret of \(memory.principal.id) is remembered")
        }
        memories.take(memory, at: Instant(milliseconds: record.timestamp))
    }

    /// Checks that the memory has all that a session has changed in it.
    mutating func checkMemory(of session: Session) {
        guard let person = session.rememberedPerson else {
            if !session.person.isEmpty { violated(.memoryLost, "\(session.id): something is remembered for no one") }
            return
        }
        for value in session.person.values {
            let known = memories.value(value.key, of: person)
            if known.map({ $0.time < value.time }) ?? true { violated(.memoryLost, "\(session.id): '\(value.key)' was not written") }
        }
    }
}
