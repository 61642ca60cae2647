import Conversation
import IntentEvents
import IntentModel
import PipelineTestKit
import RecordLog

// Forged outcomes. A program that may write outcomes answers for workers: without a ticket, with the ticket of an
// earlier step, or for another phase than that of the work that the program got.
extension SimulationWorld {
    func forge(_ random: inout SimulationRandom) {
        let topics = [topics.resolve, topics.confirm, topics.handle, topics.handleInApp]
        let recent = topics.flatMap { log.records(in: $0).suffix(6) }.map(books.inPlain).compactMap {
            record -> (WorkEvent, WorkItem, Int32)? in
            guard let event = try? WorkEvent(record), let item = event.work.item else { return nil }
            return (event, item, record.partition)
        }
        guard !recent.isEmpty else { return }
        let (event, item, partition) = random.pick(recent)
        if random.once(in: 5) { return garble(event, item, partition, &random) }
        let phase = random.once(in: 2) ? item.phase : random.pick([.resolve, .confirm, .handle])
        let ticket: Ticket? =
            switch random.below(4) {
            case 0: nil
            case 1: recent.lazy.map(\.1).first { $0.request == item.request && $0.step != item.step }?.ticket
            // The program's own work, and an outcome of another phase.
            case 2 where phase != item.phase: item.ticket
            default: Ticket(using: &random)
            }
        var encoder = EventEncoder(source: SimulationForgery.source)
        let outcome = Outcome(
            request: item.request, step: item.step, phase: phase, content: SimulationForgery.content(phase, &random),
            ticket: ticket)
        _ = try? log.append(
            encoder.record(outcome, session: event.session, topics: self.topics, partition: partition, at: clock.now))
    }

    /// Writes an unreadable outcome from the worker that got the work.
    private func garble(_ event: WorkEvent, _ item: WorkItem, _ partition: Int32, _ random: inout SimulationRandom) {
        let type = random.pick(["intent.handled.v9", "intent.resolved.v1"])
        let ticket = item.ticket?.description ?? ""
        let value =
            "{\"type\":\"\(type)\",\"request\":\"\(item.request)\",\"step\":\(item.step),\"ticket\":\"\(ticket)\",\"resolutions\":7}"
        _ = try? log.append(
            Record(
                topic: topics.outcomes, partition: partition, key: Bytes(event.session.utf8), value: Bytes(value.utf8)))
    }
}

/// The content of forged outcomes. A record of the pipeline that contains the word shows that a forgery had an effect.
enum SimulationForgery {
    static let source = "/forger"
    static let word = "forged"

    static func content(_ phase: Phase, _ random: inout SimulationRandom) -> Outcome.Content {
        let item = ParameterOption(id: word, title: word, value: .string(word))
        var response = IntentResponse(phase == .handle ? .success : .ready, dialog: word)
        response.items = [item]
        switch random.below(6) {
        case 0: return .finished(.failed(IntentFailure(.reject, reason: .invalid, message: word)))
        case 1 where phase == .handle: return .starting(claim: word)
        case 2 where phase == .handle: return .progressed(fraction: 0.99, dialog: word)
        case 3 where phase == .handle: return .updated(IntentUpdate(phase: "ongoing", dialog: word))
        case 4: return .cancelled
        default: break
        }
        if phase == .resolve {
            return .finished(.resolved([ResolvedParameter(name: "dropOff", resolution: .success(.string(word)))]))
        }
        return .finished(.responded(response, confirmation: nil))
    }
}

extension SimulationBooks.Ledger {
    /// Checks that no result and no work contains a forged word.
    mutating func checkForged(_ record: ConsumedRecord) {
        guard hasForgeries, let value = record.value, value.contains(SimulationForgery.word) else { return }
        violated(.forgedOutcome, "what is forged has led to \(record.topicPartition) \(record.offset)")
    }
}

extension ConsumedRecord {
    /// `true` if the record is from a sender that did not get the work.
    var isForged: Bool { header("ce_source").map { $0.elementsEqual(SimulationForgery.source.utf8) } == true }
}

extension Bytes {
    fileprivate func contains(_ word: String) -> Bool {
        let word = Array(word.utf8)
        guard count >= word.count else { return false }
        return (0...count - word.count).contains { start in
            self[start] == word[0] && self[start..<start + word.count].elementsEqual(word)
        }
    }
}
