import Conversation
import IntentEvents
import IntentModel
import Pipeline
import RecordLog

// The coverage of a history. A survey reads every record a second time, so only some histories are surveyed.
extension SimulationBooks.Ledger {
    /// - Parameter verdict: An owner's verdict on a journal record; `nil` if no coordinator wrote the record.
    mutating func survey(_ record: ConsumedRecord, _ verdict: JournalContinuity.Verdict?, _ topics: Topics) {
        guard survey != nil else { return }
        switch record.topic {
        case topics.sessions:
            surveyVerdict(verdict, record)
            surveyJournal(record)
        case topics.requests, topics.answers: surveyRequest(record)
        case topics.resolve, topics.confirm, topics.handle, topics.handleInApp: surveyWork(record)
        case topics.outcomes: surveyOutcome(record)
        case topics.results: surveyResult(record)
        case topics.memory: report.coverage.count(.memory, record.value == nil ? "tombstone" : "person")
        case topics.memoryChanges: report.coverage.count(.memory, "change")
        case topics.deadLetters:
            if record.header("intents-error-bytes") != nil {
                report.coverage.count(.fault, "a dead letter that is an excerpt")
            }
            if let range = ReadDeadLetter(record)?.range, range.records > 3 {
                report.coverage.count(.fault, "a dead letter that names many records")
            }
        default: break
        }
    }

    /// Compares the stages of a session's requests with the stages in the session's previous record.
    private mutating func surveyJournal(_ record: ConsumedRecord) {
        guard let journaled = try? JournalRecord(record) else { return }
        let epoch = journaled.stamp.epoch
        // The records of a replaced owner don't count.
        guard epoch >= survey?.epochs[record.partition] ?? 0 else { return }
        survey?.epochs[record.partition] = epoch
        guard case .session(let id, let session?) = journaled.content else { return }
        let after = session.session.stages
        for (request, from) in survey?.stages[id.text] ?? [:] {
            let to = after[request] ?? .ended
            if from.exits.contains(to) { report.coverage.count(.stage, SimulationCoverage.move(from, to)) }
        }
        // A new request at a later stage only shows that its first record does not count.
        for (request, to) in after where survey?.stages[id.text]?[request] == nil && (to == .resolving || to == .ended)
        {
            report.coverage.count(.stage, SimulationCoverage.move(.queued, to))
        }
        survey?.stages[id.text] = after
        if let policy = session.session.active?.policy?.effect { report.coverage.count(.policy, policy.rawValue) }
        if session.session.active != nil, session.session.active?.policy?.effect == nil {
            report.coverage.count(.policy, IntentEffect.atLeastOnce.rawValue)
        }
        if session.session.active?.asking.misses.values.contains(where: \.wasOffered) == true {
            report.coverage.count(.prompt, "options after escalation")
        }
    }

    private mutating func surveyVerdict(_ verdict: JournalContinuity.Verdict?, _ record: ConsumedRecord) {
        guard let verdict else { return report.coverage.count(.journal, "foreign") }
        if record.isOfFirstVersion { report.coverage.count(.journal, "of 0.1.0") }
        switch verdict {
        case .valid: report.coverage.count(.journal, "valid")
        case .void: report.coverage.count(.journal, "void")
        case .afterGap: report.coverage.count(.journal, "after a gap")
        }
    }

    private mutating func surveyRequest(_ record: ConsumedRecord) {
        guard let event = try? RequestEvent(record), let type = record.type else { return }
        report.coverage.count(.request, type)
        switch event.event {
        case .requested(let request): report.coverage.count(.whenBusy, request.whenBusy.rawValue)
        case .answered(let answer): report.coverage.count(.answer, answer.action.rawValue)
        default: break
        }
    }

    private mutating func surveyWork(_ record: ConsumedRecord) {
        guard let event = try? WorkEvent(record), let type = record.type else { return }
        report.coverage.count(.work, type)
        if let reason = event.work.cancel?.reason { report.coverage.count(.cancel, reason.rawValue) }
    }

    private mutating func surveyOutcome(_ record: ConsumedRecord) {
        guard let event = try? OutcomeEvent(record), let type = record.type else { return }
        report.coverage.count(.outcome, type)
        switch event.outcome.content {
        case .finished(.resolved(let parameters, _, _, _)):
            for parameter in parameters { report.coverage.count(.resolution, parameter.resolution.name) }
        case .finished(.asked): report.coverage.count(.outcome, "asked")
        case .finished(.failed(let failure)):
            switch failure.disposition {
            case .retry: report.coverage.count(.outcome, "retry")
            case .failure: report.coverage.count(.outcome, "failure")
            case .reject: report.coverage.count(.outcome, "reject")
            }
        case .finished(.responded(let response, _)):
            if !response.proposed.isEmpty { report.coverage.count(.outcome, "proposed") }
            if response.choice != nil { report.coverage.count(.outcome, "choice") }
            if response.opensIntent != nil { report.coverage.count(.outcome, "opens") }
            if !response.remembered.isEmpty { report.coverage.count(.outcome, "remembered") }
            if !response.appliedAnswers.isEmpty { report.coverage.count(.outcome, "taken") }
        case .progressed: report.coverage.count(.outcome, "progressed")
        case .cancelled: report.coverage.count(.outcome, "cancelled")
        case .starting, .updated, .updatesEnded: break
        }
    }

    private mutating func surveyResult(_ record: ConsumedRecord) {
        guard let result = try? ReceivedResult(record) else { return }
        report.coverage.count(.result, result.type.rawValue)
        func has(_ name: String) -> Bool { result.data[name] != nil }
        switch result.type {
        case .promptIssued:
            report.coverage.count(.prompt, result.promptKind?.rawValue ?? "")
            for name in ["element", "secret", "items", "proposed"] where has(name) {
                report.coverage.count(.prompt, name)
            }
        case .completed:
            report.coverage.count(.status, result.status?.rawValue ?? "")
            for name in ["chosen", "opens", "items", "updates", "activity"] where has(name) {
                report.coverage.count(.status, name)
            }
            if let reason = result.data["error"]?["reason"]?.string { report.coverage.count(.error, reason) }
        case .handoffOffered:
            report.coverage.count(.handoff, result.data["mode"]?.string ?? "")
            if let id = result.offeredHandoff, survey?.offers.insert("\(result.session ?? "")/\(id)").inserted == false
            {
                report.coverage.count(.handoff, "offered again")
            }
        case .updatesEnded: report.coverage.count(.updatesEnd, result.data["reason"]?.string ?? "")
        case .rejected: report.coverage.count(.rejected, result.data["reason"]?.string ?? "")
        default: break
        }
    }
}

/// The state of a survey of a history.
struct SimulationSurvey: Sendable {
    /// The highest epoch of each partition.
    var epochs: [Int32: Int] = [:]
    /// The stages of the open requests of each session.
    var stages: [String: [String: StageName]] = [:]
    /// The handoffs that were offered.
    var offers: Set<String> = []
}

extension Session {
    /// The stage of each request that has not ended.
    fileprivate var stages: [String: StageName] {
        var stages: [String: StageName] = [:]
        for request in queued { stages[request.id.text] = .queued }
        for request in suspended + (active.map { [$0] } ?? []) { stages[request.request.id.text] = request.stage.name }
        return stages
    }
}

extension ParameterResolution {
    fileprivate var name: String {
        switch self {
        case .success: "success"
        case .notRequired: "notRequired"
        case .needsValue: "needsValue"
        case .disambiguation: "disambiguation"
        case .confirmationRequired: "confirmationRequired"
        case .unsupported: "unsupported"
        }
    }
}

extension ConsumedRecord {
    fileprivate var type: String? { headers.first { $0.name == "ce_type" }?.text }

    /// `true` if version 0.1.0 wrote the record to the journal: later versions name the format.
    var isOfFirstVersion: Bool {
        guard let stamp = header("intents-journal") else { return false }
        return !stamp.indices.contains { stamp[$0...].starts(with: " format=".utf8) }
    }
}
