import Conversation
import IntentEvents
package import IntentModel
import RecordLog

/// The work that coordinators have dispatched for a request, with the outcomes of the workers.
package struct RequestSteps: Sendable {
    /// A work item, and the first outcome that ends it.
    struct Step: Sendable {
        var address: WorkAddress
        var attempt: Int
        var dispatched: Instant
        var ended: Instant?
        /// The source of the outcome.
        var worker: String?
        /// The response's code, or a word for what the outcome is.
        var code: String?
        /// Why the phase has failed. The message may contain values.
        var failure: IntentFailure?
    }

    let request: Identifier
    private(set) var steps: [Step] = []
    /// `true` if there were too many records to find all steps and outcomes.
    var isCut = false

    init(request: Identifier) { self.request = request }

    /// Applies a record of a work topic, or of `intents.outcomes` after those. Records that can't be read are no steps:
    /// they are among the dead letters.
    mutating func apply(_ record: ConsumedRecord, isOutcome: Bool) {
        let time = Instant(milliseconds: max(0, record.timestamp))
        if !isOutcome {
            // A copy has the same step.
            guard let event = try? WorkEvent(record), case .item(let item) = event.work,
                item.address.request == request, !steps.contains(where: { $0.address.step == item.address.step })
            else { return }
            steps.append(Step(address: item.address, attempt: item.attempt, dispatched: time))
            return
        }
        guard let outcome = try? OutcomeEvent(record).outcome, outcome.request == request,
            let index = steps.firstIndex(where: { $0.address.step == outcome.step && $0.ended == nil })
        else { return }
        switch outcome.content {
        case .finished(.resolved): steps[index].code = "resolved"
        case .finished(.asked): steps[index].code = "asks"
        case .finished(.responded(let response, _)): steps[index].code = response.code.rawValue
        case .finished(.failed(let failure)): steps[index].failure = failure
        case .cancelled: steps[index].code = "cancelled"
        case .progressed, .starting, .updated, .updatesEnded: return
        }
        steps[index].ended = time
        let source = record.headers.last { $0.name == "ce_source" }?.text?.withoutControlCharacters
        steps[index].worker = source.map { $0.hasPrefix("/intents/") ? String($0.dropFirst(9)) : $0 }
    }

    /// Returns the steps, oldest first.
    ///
    /// - Parameter masked: `true` to leave out messages, which may contain values.
    package func json(masked: Bool) -> JSON {
        .make { writer in
            writer.beginObject()
            writer.member("request", request)
            // 00-TRACE-SPAN-FLAGS
            let parent = steps.lazy.compactMap(\.address.trace?.parent).first?.split(separator: "-")
            if let parent, parent.count == 4 { writer.member("trace", String(parent[1])) }
            writer.name("steps")
            writer.beginArray()
            for step in steps.sorted(by: { $0.address.step < $1.address.step }) {
                writer.beginObject()
                writer.member("phase", step.address.phase.rawValue)
                if step.address.isInApp { writer.member("inApp", true) }
                writer.member("service", ifPresent: step.address.service)
                writer.member("attempt", step.attempt)
                writer.member("dispatched", step.dispatched.description)
                if let ended = step.ended {
                    writer.member("duration", Int(max(0, ended.milliseconds(since: step.dispatched))))
                }
                writer.member("worker", ifPresent: step.worker)
                writer.member("code", ifPresent: step.code)
                if let failure = step.failure {
                    writer.member("reason", failure.reason.rawValue)
                    if !masked { writer.member("error", failure.message) }
                }
                writer.endObject()
            }
            writer.endArray()
            if isCut { writer.member("cut", true) }
            writer.endObject()
        }
    }
}

extension GatewayView {
    /// Returns how a request was worked on: its steps with their attempts, workers and durations.
    ///
    /// - Returns: `nil` if the request is unknown here.
    /// - Throws: ``GatewayProblem`` if the viewer does not see all sessions, or the steps can't be read.
    package func steps(
        of request: Identifier, in id: Identifier, for reader: Principal? = nil, _ archive: ResultArchive
    ) async throws -> JSON? {
        guard viewer.scope == .all else {
            throw GatewayProblem(.unauthorized, "how requests were worked on is for observers and operators")
        }
        guard let session = gateway.session(id), let known = session.requests.first(where: { $0.id == request }) else {
            return nil
        }
        let steps = try await archive.steps(of: known, in: session, for: reader, at: gateway.clock())
        return steps.json(masked: viewer.isMasked)
    }
}
