import Conversation
import IntentEvents
import IntentModel
import RecordLog
import Synchronization

// Writing the events of callers.
extension Gateway {
    /// Writes an event, and waits until Kafka has acknowledged it.
    ///
    /// - Throws: ``GatewayProblem`` if a coordinator would reject the event without looking at the session, or if Kafka
    ///   has not acknowledged it.
    package func send(_ said: SaidEvent) async throws -> LogPosition {
        guard let tracing else { return try await writeEvent(said) }
        var said = said
        let span = tracing.begin(&said, to: said.channel == .person ? topics.answers : topics.requests)
        do {
            let place = try await writeEvent(said)
            SendTracing.end(span, place)
            return place
        } catch {
            SendTracing.end(span, nil)
            throw error
        }
    }

    private func writeEvent(_ said: SaidEvent) async throws -> LogPosition {
        let (record, event): (Record, RequestEvent)
        do { (record, event) = try said.record(topics, at: clock()) } catch {
            throw GatewayProblem(error.rejection.reason, error.rejection.message, field: error.rejection.field)
        }
        var toSend = record
        if event.type == .handoffClaimed, said.data["token"] == nil, let token = token(of: event) {
            toSend.value = said.data.with("token", .string(token)).bytes
        }
        let position = try await write(toSend)
        // A gateway that may not read the topics gets the event for its timeline only here. Otherwise, one of the two
        // is recognized as a copy.
        let origin: TimelineEvent.Origin = said.channel == .person ? .answers : .requests
        if let new = recordSent(event, said.data, origin, position, clock().milliseconds) { publish([new]) }
        return position
    }

    private func token(of claim: RequestEvent) -> String? {
        guard case .handoffClaimed(let handoff, _) = claim.event else { return nil }
        return state.withLock { state in
            let open = state.timeline.board[claim.session]?.handoff
            return open?.id == handoff ? open?.token : nil
        }
    }

    /// Writes a record, and waits until Kafka has acknowledged it.
    func write(_ record: Record) async throws -> LogPosition {
        let deadline = clock().advanced(by: Outbox.patience)
        return try await withCheckedThrowingContinuation { continuation in
            let letter = Outbox.Letter(record: record, deadline: deadline) { continuation.resume(with: $0) }
            guard let problem = state.withLock({ $0.outbox.append(letter) }) else { return wake() }
            continuation.resume(throwing: problem)
        }
    }
}
