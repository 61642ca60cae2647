import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog

// Reports of handlers after their call has returned: live updates and deferred outcomes.
extension SimulatedHandlers {
    /// Reports updates until the last one.
    func update(
        _ invocation: IntentInvocation, _ process: String, _ random: inout SimulationRandom,
        _ report: @Sendable (IntentProgress) -> Void
    ) async throws -> PhaseOutcome {
        func reportUpdate(_ update: IntentUpdate) {
            var progress = IntentProgress()
            progress.update = update
            report(progress)
        }
        let later = PhaseOutcome.failed(IntentFailure(.retry(after: .seconds(20)), reason: .busy, message: "later"))
        var fate = SimulationRandom(seed: limits.seed, "updates", invocation.key)
        switch fate.below(8) {
        // Hangs without an update, in every call.
        case 0: try await waitForFinish(process, isEndless: true)
        // Reports the same update until it is stopped or its time is over.
        case 1:
            reportUpdate(IntentUpdate(phase: "ongoing"))
            return later
        default: break
        }
        for phase in ["ongoing", "arriving"] {
            reportUpdate(IntentUpdate(phase: phase))
            if random.once(in: 4) { reportUpdate(IntentUpdate(phase: phase)) }
            if random.once(in: 8) {
                reportUpdate(IntentUpdate(phase: phase, values: ["dropOff": .string("elsewhere")]))
            }
            if random.once(in: 2) { try await waitForFinish(process) }
        }
        switch random.below(6) {
        case 0: return .failed(IntentFailure(.failure(.failure), reason: .internal, message: "lost sight of it"))
        case 1: reportUpdate(IntentUpdate(phase: "unknown"))
        case 2: break
        default: reportUpdate(IntentUpdate(phase: IntentUpdate.completed, completionStatus: "completed"))
        }
        return .responded(IntentResponse(.success))
    }

    /// Creates the record with which a service reports a deferred outcome.
    ///
    /// - Returns: `nil` if no service has an outcome to report.
    func deferredOutcome(_ random: inout SimulationRandom, at now: Instant) -> Record? {
        let waiting = books.withLedger { ledger in
            ledger.handlers.deferred.values.flatMap { $0 }.filter { Self.reports($0, limits.seed) }
        }
        guard !waiting.isEmpty else { return nil }
        let sorted = waiting.sorted { $0.context.replyTo < $1.context.replyTo }
        let invocation = random.pick(sorted)
        guard let address = DeferredOutcomeAddress(invocation.context.replyTo) else { return nil }
        books.withLedger { ledger in
            guard let index = ledger.handlers.deferred[invocation.key]?.firstIndex(of: invocation) else { return }
            ledger.handlers.deferred[invocation.key]?.remove(at: index)
        }
        let content: Outcome.Content
        if random.once(in: 5) {
            content = .finished(.responded(IntentResponse(.failure)))
        } else {
            books.withLedger { $0.effect(invocation, limits) }
            content = .finished(.responded(success(invocation, &random)))
        }
        var encoder = EventEncoder(source: "/service")
        return encoder.record(
            address.outcome(content), session: address.session, topics: topics, partition: address.partition,
            isDeferred: true, at: now)
    }

    /// Returns whether the service reports an outcome at all. Without an outcome, the request times out.
    static func reports(_ invocation: IntentInvocation, _ seed: UInt64) -> Bool {
        var random = SimulationRandom(seed: seed, "reports", invocation.context.idempotencyKey.text)
        return !random.once(in: 4)
    }
}
