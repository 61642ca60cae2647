public import Conversation
public import IntentModel
public import RecordLog

/// An event on `intents.outcomes`: a worker's answer.
public struct OutcomeEvent: Sendable {
    public var session: Identifier
    public var outcome: Outcome

    /// - Throws: ``EventError``.
    public init(_ record: ConsumedRecord) throws(EventError) {
        self.init(session: try SessionKey.read(record), outcome: try Self.outcome(record))
    }

    private init(session: Identifier, outcome: Outcome) { (self.session, self.outcome) = (session, outcome) }

    private static func outcome(_ record: ConsumedRecord) throws(EventError) -> Outcome {
        let event: CloudEvent
        do { event = try CloudEvent(record, limits: .outcome) } catch {
            // No sender of an outcome reads results: only the operator can be told.
            throw EventError(
                error.rejection.reason, error.rejection.message, field: error.rejection.field, isDeadLetter: true)
        }
        guard let type = event.type, let phase = phase(type) else {
            throw .unknownType(event.typeName, "no outcome")
        }
        switch type {
        case .starting: return try starting(event.data)
        case .updated, .updatesEnded: return try update(event.data, isEnd: type == .updatesEnded)
        default: return try outcome(event.data, phase)
        }
    }

    /// The ticket of an outcome that can't be read for another reason; `nil` if it has none.
    public static func ticket(_ record: ConsumedRecord) -> Ticket? {
        (try? CloudEvent(record, limits: .journal))?.data["ticket"]?.ticket
    }

    private static func phase(_ type: EventType) -> Phase? {
        switch type {
        case .resolved: .resolve
        case .confirmed: .confirm
        case .handled, .starting, .updated, .updatesEnded: .handle
        default: nil
        }
    }

    private static func starting(_ data: JSONView) throws(EventError) -> Outcome {
        guard let request = data["request"]?.identifier, let step = data["step"]?.int,
            let claim = data["claim"]?.string, !claim.isEmpty
        else {
            throw .unreadable("a claim needs 'request', 'step' and 'claim'", "claim")
        }
        return Outcome(
            request: request, step: step, phase: .handle, content: .starting(claim: claim),
            ticket: data["ticket"]?.ticket)
    }

    private static func outcome(_ data: JSONView, _ phase: Phase) throws(EventError) -> Outcome {
        var request: Identifier?
        var step: Int?
        var ticket: Ticket?
        var claim: String?
        var resolutions: Range<Int>?
        var failure: JSONView?
        var ask: JSONView?
        var recorded: [String: JSON] = [:]
        var code: String?
        var fraction: Double?
        var isCancelled = false
        var response = IntentResponse(.unspecified)
        var confirmation: ConfirmationRequest?
        var summary: String?
        var policy: IntentPolicy?
        try data.withCursor { cursor throws(EventError) in
            try cursor.object { name, value throws(EventError) in
                switch name {
                case "request": request = value.string().map { Identifier($0) }
                case "step": step = value.int()
                case "ticket": ticket = value.word().flatMap(Ticket.init)
                case "claim": claim = value.string()
                case "resolutions": resolutions = value.range()
                case "failure": failure = data.part(value.range())
                case "ask": ask = data.part(value.range())
                case "recorded": recorded = data.part(value.range()).values
                case "code": code = value.string()
                case "fraction": fraction = IntentProgress(fraction: data.part(value.range()).double).fraction
                case "policy" where phase == .resolve: policy = data.part(value.range()).intentPolicy
                case "cancelled": isCancelled = value.bool() ?? false
                case "updates": response.offersUpdates = value.bool() ?? false
                case "taken": response.appliedAnswers = data.part(value.range()).values
                case "confirmation":
                    let view = data.part(value.range())
                    confirmation = ConfirmationRequest(
                        dialog: view["dialog"]?.string, summary: view["summary"]?.string,
                        parameters: shownParameters(view),
                        action: view["action"].flatMap(ConfirmationAction.init))
                case "summary": summary = value.string()
                default:
                    let (name, view) = (data.name(name), data.part(value.range()))
                    _ = try reading { () throws(OutcomeError) in try response.readMember(name, view) }
                }
            }
        }
        guard let request, let step else { throw .unreadable("an outcome needs 'request' and 'step'", "request") }
        let content: Outcome.Content
        if isCancelled {
            content = .cancelled
        } else if let failure {
            content = .finished(.failed(try Self.failure(failure, recorded)))
        } else if let ask {
            content = .finished(.asked(try question(ask, recorded)))
        } else if let resolutions {
            // Anything else would read as "nothing to resolve", and the phase be passed over.
            let parameters = try resolvedParameters(data.part(resolutions))
            content = .finished(.resolved(parameters, confirmation: confirmation, summary: summary, recorded: recorded))
        } else if let code {
            response.code = ResponseCode(rawValue: code)
            try reading(response.check)
            if phase == .handle, response.code == .inProgress {
                content = .progressed(fraction: fraction, dialog: response.dialog)
            } else {
                content = .finished(.responded(response, confirmation: confirmation))
            }
        } else {
            throw .unreadable("an outcome has 'resolutions', a 'code', an 'ask', a 'failure' or 'cancelled'", "code")
        }
        return Outcome(
            request: request, step: step, phase: phase, content: content, ticket: ticket, claim: claim, policy: policy)
    }

    private static func failure(_ view: JSONView, _ recorded: [String: JSON]) throws(EventError) -> IntentFailure {
        guard let reason = view["reason"]?.string.flatMap(RejectionReason.init) else {
            throw .unreadable(
                "'failure.reason' is one of \(RejectionReason.allCases.map(\.rawValue).joined(separator: ", "))",
                "failure.reason")
        }
        let disposition: IntentFailure.Disposition
        switch view["disposition"]?.string {
        case "retry": disposition = .retry(after: .milliseconds(view["after"]?.int ?? 0))
        case "failure": disposition = .failure(ResponseCode(rawValue: view["code"]?.string ?? "failure"))
        case "reject": disposition = .reject
        default: throw .unreadable("'failure.disposition' is one of retry, failure, reject", "failure.disposition")
        }
        // The person's side is always told something.
        let said = view["message"]?.string?.withoutControlCharacters ?? ""
        let message = said.isEmpty ? "the worker failed without a message" : said
        var failure = IntentFailure(disposition, reason: reason, message: message, field: view["field"]?.string)
        if let given = view["activity"] { failure.activity = try reading(given.checkedActivity) }
        failure.recorded = recorded
        return failure
    }
}

extension EventError {
    /// A worker wrote something unreadable.
    static func unreadable(_ message: String, _ field: String) -> EventError {
        EventError(.unparseable, message, field: field, isDeadLetter: true)
    }
}

extension JSONView {
    /// `nil` if it is no ticket.
    var ticket: Ticket? { string.flatMap(Ticket.init) }
}

extension Ticket {
    init?(_ word: JSONWord) { if word.isEscaped { self.init(word.string) } else { self.init(utf8: word.bytes) } }
}
