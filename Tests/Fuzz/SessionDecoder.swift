import Conversation
import IntentEvents
import IntentModel
import RecordLog

/// Lets a session receive the records of an input. Each record is read as a request, or else as an outcome. No event
/// may trap, and after each decision the session can be written to the journal and read again.
///
/// No mutation guesses an id that a session has made. Unless the record has the header `own`, references to a prompt, a
/// handoff or a step are therefore replaced by the last one. The header `wait` lets this number of seconds pass. A
/// record without a value is a timer. A record with the header `memory` is a change to the memory of the session's
/// owner, which is applied after the session's own changes.
func decodeSession(_ input: [UInt8]) {
    var conversation = FuzzedConversation()
    for record in FuzzedRecords(input, topic: topics.requests) { conversation.receive(record) }
}

private struct FuzzedConversation {
    private var session = Session(id: "s", updated: start)
    private var now = start
    private var randomness = Randomness(seed: 1)
    private var unacknowledged: [EncodedResult] = []
    private var work: WorkItem?
    private var prompt: Identifier = ""
    private var handoff: Identifier = ""
    /// The memory of the owner of the session.
    private var remembered = RememberedPerson()
    private let policy = SessionPolicy()

    mutating func receive(_ record: ConsumedRecord) {
        var record = record
        record.key = Bytes("s".utf8)
        let seconds = record.header("wait").flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 1
        now = now.advanced(by: .seconds(min(max(seconds, 0), 100_000)))
        if record.value == nil { return decide(.timer) }
        if record.headers.contains(where: { $0.name == "memory" }) { return decide(news(record)) }
        let isOwn = record.headers.contains { $0.name == "own" }
        let request: EventError
        do {
            let request = try RequestEvent(record)
            return decide(isOwn ? request.event : filled(request.event), from: request.principal)
        } catch { request = error }
        do {
            let outcome = try OutcomeEvent(record).outcome
            decide(.outcome(isOwn ? outcome : filled(outcome)))
        } catch {
            if error.rejection.field == "type" {
                decide(.refused(request.rejection))
            } else {
                decide(.unreadableOutcome(error.rejection, isOwn ? OutcomeEvent.ticket(record) : work?.ticket))
            }
        }
    }

    /// Applies the change in a record, and returns the event that the change and the session's own changes are done.
    private mutating func news(_ record: ConsumedRecord) -> SessionEvent {
        var record = record
        record.key = MemoryChangeRecord.key(of: Principal(.appUser, "ann"))
        if let change = try? MemoryChangeRecord(record).change {
            remembered.take(change, at: MemoryPosition(offset: remembered.position.offset + 1))
        }
        return .memoryChanged(
            MemoryNews(done: remembered.done(session.person.stream), forgettings: remembered.forgettings))
    }

    private func filled(_ event: SessionEvent) -> SessionEvent {
        switch event {
        case .answered(var answer):
            answer.prompt = prompt
            return .answered(answer)
        case .optionsRequested(var request):
            request.prompt = prompt
            return .optionsRequested(request)
        case .handoffClaimed(_, let claimant): return .handoffClaimed(handoff: handoff, claimant: claimant)
        case .handoffReturned(_, let claimant): return .handoffReturned(handoff: handoff, claimant: claimant)
        case .handoffCompleted(_, let claimant, let response):
            return .handoffCompleted(handoff: handoff, claimant: claimant, response: response)
        case .updatesStarted(let id): return .updatesStarted(request: work?.request ?? id)
        case .updatesStopped(let id): return .updatesStopped(request: work?.request ?? id)
        case .undoRequested(var undo):
            undo.request = session.undoable.last?.request.id
            return .undoRequested(undo)
        case .requested(var request):
            request.remembered = session.person.adding(to: remembered.values, remembered)
            request.memoryDone = remembered.done(session.person.stream)
            request.memorySince = remembered.forgettings.last?.position
            return .requested(request)
        default: return event
        }
    }

    private func filled(_ outcome: Outcome) -> Outcome {
        guard let work else { return outcome }
        var outcome = outcome
        (outcome.request, outcome.step, outcome.ticket) = (work.request, work.step, work.ticket)
        return outcome
    }

    private mutating func decide(_ event: SessionEvent, from principal: Principal? = nil) {
        let before = session
        let decision = session.receive(event, from: principal, at: now, policy: policy, randomness: &randomness)
        if decision.isIgnored { require(session == before, "what is ignored changes nothing") }
        if decision == .forgotten {
            session = Session(id: "s", updated: now)
            (work, unacknowledged) = (nil, [])
        }
        for effect in decision.effects { apply(effect) }
        require(session.nextTimer(policy) < Instant(milliseconds: .max), "there is a next timer")
        checkJournal()
    }

    private mutating func apply(_ effect: Effect) {
        var encoder = EventEncoder(source: "/fuzz")
        switch effect {
        case .work(let work):
            if let item = work.item { self.work = item }
            let written = encoder.record(work, session: session.id, topics: topics, partition: 0, at: now)
            requireSame(reread(written, WorkEvent.init)?.work, work.asWritten)
        case .memory(let change, of: let person):
            let memory = MemoryChangeRecord(of: person, change)
            requireSame(try? MemoryChangeRecord(ConsumedRecord(memory.record(topics: topics, at: now))), memory)
            remembered.take(change, at: MemoryPosition(offset: remembered.position.offset + 1))
        case .result(let result):
            switch result.body {
            case .prompted(let prompt): self.prompt = prompt.id
            case .handoffOffered(let handoff): self.handoff = handoff.id
            default: break
            }
            let encoded = EncodedResult(result, session: session.id, event: "event", at: now)
            checkShown(encoder.record(encoded, session: session.id, topics: topics, partition: 0))
            if unacknowledged.count == 2 { unacknowledged.removeFirst() }
            unacknowledged.append(encoded)
        }
    }

    private func checkJournal() {
        let journaled = JournaledSession(session, unacknowledged: unacknowledged)
        let stamp = JournalStamp(epoch: 1, owner: "fuzz", number: 1, requests: 1, outcomes: 0, settled: 0, results: 0)
        let record = JournalRecord(stamp: stamp, content: .session(id: session.id, journaled)).record(
            topic: topics.sessions, partition: 0, at: now)
        requireSame(reread(record, JournalRecord.init)?.content, .session(id: session.id, journaled))
    }
}

extension Work {
    /// The work as its record shows it. The record does not mark parameters that the intent lacks, because the worker
    /// knows them, and has the provenance of a value only if the value is doubtful.
    var asWritten: Work {
        switch self {
        case .item(let item): .item(Self.written(item))
        case .update(let item): .update(Self.written(item))
        case .cancel, .permit: self
        }
    }

    private static func written(_ item: WorkItem) -> WorkItem {
        var item = item
        for index in item.parameters.indices {
            item.parameters[index].isUnknown = false
            if item.parameters[index].provenance?.confidence == nil { item.parameters[index].provenance = nil }
        }
        return item
    }
}
