import Conversation
import IntentEvents
import IntentModel
import PipelineService
import RecordLog

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

    /// Creates the fate of a record in a new session, by the rules of coordinators with separate trust and of workers,
    /// and with the readers of their topics.
    init(_ record: ConsumedRecord, _ topics: Topics, partitions: Int32) {
        switch record.topic {
        case topics.requests, topics.answers: self = Self.input(record, topics, partitions)
        case topics.outcomes:
            do {
                _ = try OutcomeEvent(record)
                self = .passedOver
            } catch { self = .deadLetter }
        case topics.resolve, topics.confirm, topics.handle, topics.handleInApp:
            do {
                _ = try WorkEvent(record)
                self = .passedOver
            } catch { self = .deadLetter }
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
