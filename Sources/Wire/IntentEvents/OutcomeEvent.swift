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
        guard let type = event.type, let phase = type.outcomePhase else {
            throw .unknownType(event.typeName, "no outcome")
        }
        var members = OutcomeMembers()
        try event.data.readEvent { reader throws(OutcomeError) in try members.members(&reader, of: type) }
        do { return try members.outcome(of: type, phase) } catch { throw EventError(error) }
    }

    /// The ticket of an outcome that can't be read for another reason; `nil` if it has none.
    public static func ticket(_ record: ConsumedRecord) -> Ticket? {
        (try? CloudEvent(record, limits: .journal))?.data["ticket"]?.string.flatMap(Ticket.init)
    }
}

extension EventType {
    /// The phase that an outcome of this type is about; `nil` if it is no outcome.
    fileprivate var outcomePhase: Phase? {
        switch self {
        case .resolved: .resolve
        case .confirmed: .confirm
        case .handled, .starting, .updated, .updatesEnded: .handle
        default: nil
        }
    }
}

extension EventEncoder {
    /// The record of what a worker reports for a step.
    ///
    /// - Parameters:
    ///   - part: 0 for the outcome itself; progress counts from 1, so that each has an id of its own.
    ///   - isDeferred: handle: it follows `inProgress`, and comes from elsewhere than the handler that was called.
    ///   - trace: the trace context of the work.
    public mutating func record(
        _ outcome: Outcome, session: Identifier, topics: Topics, partition: Int32, part: Int = 0,
        isDeferred: Bool = false,
        trace: TraceContext? = nil, at now: Instant
    ) -> Record {
        var type: EventType
        switch outcome.phase {
        case .resolve: type = .resolved
        case .confirm: type = .confirmed
        case .handle: type = .handled
        }
        var suffix = part == 0 ? "" : ".\(part)"
        if isDeferred { suffix = ".later\(suffix)" }
        switch outcome.content {
        case .starting(let claim): (type, suffix) = (.starting, ".\(claim)")
        case .updated: type = .updated
        case .updatesEnded: type = .updatesEnded
        default: break
        }
        var writer = JSONWriter(reserving: 512)
        writer.beginObject()
        var members = OutcomeMembers(outcome)
        members.members(&writer, of: type)
        writer.endObject()
        return Record(
            topic: topics.outcomes, partition: partition, key: Bytes(session.utf8), value: writer.bytes,
            headers: headers(
                type, id: EventID.bytes(session: session, request: outcome.request, outcome.step, "outcome" + suffix),
                subject: outcome.request, at: now, trace: trace),
            timestamp: now.milliseconds)
    }
}

/// The members of an outcome.
struct OutcomeMembers: ~Copyable {
    private var request: Optional<Identifier>
    private var step: Optional<Int>
    private var ticket: Optional<Ticket>
    private var claim: Optional<String>
    private var resolutions: Optional<Resolutions>
    private var summary: Optional<String>
    private var code: Optional<ResponseCode>
    private var fraction: Optional<Double>
    private var response: IntentResponse
    private var confirmation: Optional<ConfirmationRequest>
    // Read only if the outcome is one.
    private var ask: Optional<JSON>
    private var failure: Optional<JSON>
    private var recorded: [String: JSON]
    private var isCancelled: Bool
    private var policy: Optional<IntentPolicy>
    private var update: IntentUpdate
    private var end: Optional<UpdatesEnd>

    /// No members.
    init() {
        (request, step, ticket, policy, claim, resolutions, summary) = (nil, nil, nil, nil, nil, nil, nil)
        (code, fraction, response, confirmation) = (nil, nil, IntentResponse(.unspecified), nil)
        (ask, failure, recorded, isCancelled) = (nil, nil, [:], false)
        (update, end) = (IntentUpdate(phase: ""), nil)
    }

    fileprivate init(_ outcome: borrowing Outcome) {
        let claim = outcome.claim
        switch outcome.content {
        case .cancelled: self.init(of: outcome, claim: claim, isCancelled: true)
        case .starting(let claim): self.init(of: outcome, claim: claim)
        case .updated(let update): self.init(of: outcome, claim: claim, update: update)
        case .updatesEnded(let end): self.init(of: outcome, claim: claim, end: end)
        case .progressed(let fraction, let dialog):
            self.init(
                of: outcome, claim: claim, code: .inProgress, fraction: fraction,
                response: IntentResponse(.inProgress, dialog: dialog))
        case .finished(.resolved(let parameters, let confirmation, let summary, let recorded)):
            self.init(
                of: outcome, claim: claim, resolutions: Resolutions(parameters: parameters), summary: summary,
                confirmation: confirmation, recorded: recorded)
        case .finished(.responded(let response, let confirmation)):
            self.init(of: outcome, claim: claim, code: response.code, response: response, confirmation: confirmation)
        case .finished(.asked(var question)):
            self.init(
                of: outcome, claim: claim, ask: .make { question.encode(to: &$0) }, recorded: question.recorded)
        case .finished(.failed(var failure)):
            self.init(
                of: outcome, claim: claim, failure: .make { failure.encode(to: &$0) }, recorded: failure.recorded)
        }
    }

    private init(
        of outcome: borrowing Outcome, claim: String?, resolutions: Resolutions? = nil, summary: String? = nil,
        code: ResponseCode? = nil, fraction: Double? = nil, response: IntentResponse = IntentResponse(.unspecified),
        confirmation: ConfirmationRequest? = nil, ask: JSON? = nil, failure: JSON? = nil,
        recorded: [String: JSON] = [:], isCancelled: Bool = false, update: IntentUpdate = IntentUpdate(phase: ""),
        end: UpdatesEnd? = nil
    ) {
        (request, step, ticket, policy) = (outcome.request, outcome.step, outcome.ticket, outcome.policy)
        (self.claim, self.resolutions, self.summary, self.code) = (claim, resolutions, summary, code)
        (self.fraction, self.response, self.confirmation) = (fraction, response, confirmation)
        (self.ask, self.failure, self.recorded, self.isCancelled) = (ask, failure, recorded, isCancelled)
        (self.update, self.end) = (update, end)
    }

    fileprivate consuming func outcome(of type: EventType, _ phase: Phase) throws(OutcomeError) -> Outcome {
        guard let request, let step else {
            switch type {
            case .starting: throw Self.unclaimed
            case .updated, .updatesEnded: throw OutcomeError("an update needs 'request' and 'step'", "request")
            default: throw OutcomeError("an outcome needs 'request' and 'step'", "request")
            }
        }
        let (ticket, claim, policy) = (ticket, type == .starting ? nil : claim, phase == .resolve ? policy : nil)
        return Outcome(
            request: request, step: step, phase: phase, content: try content(of: type, phase), ticket: ticket,
            claim: claim, policy: policy)
    }

    private consuming func content(of type: EventType, _ phase: Phase) throws(OutcomeError) -> Outcome.Content {
        switch type {
        case .starting:
            guard let claim, !claim.isEmpty else { throw Self.unclaimed }
            return .starting(claim: claim)
        case .updated: return .updated(update)
        case .updatesEnded: return .updatesEnded(end ?? .completed)
        default: break
        }
        if isCancelled { return .cancelled }
        if let json = failure, var failure = try IntentFailure.read(json) {
            failure.recorded = recorded
            return .finished(.failed(failure))
        }
        if let json = ask, var ask = try PhaseQuestion.read(json) {
            ask.recorded = recorded
            return .finished(.asked(ask))
        }
        // Anything else would read as "nothing to resolve", and the phase be passed over.
        if let resolutions {
            if let problem = resolutions.problem { throw problem }
            try Self.checkEntries(resolutions.parameters)
            return .finished(
                .resolved(resolutions.parameters, confirmation: confirmation, summary: summary, recorded: recorded))
        }
        guard let code else {
            throw OutcomeError("an outcome has 'resolutions', a 'code', an 'ask', a 'failure' or 'cancelled'", "code")
        }
        try response.check()
        if phase == .handle, code == .inProgress {
            return .progressed(fraction: IntentProgress(fraction: fraction).fraction, dialog: response.dialog)
        }
        var response = response
        response.code = code
        return .finished(.responded(response, confirmation: confirmation))
    }

    private static var unclaimed: OutcomeError {
        OutcomeError("a claim needs 'request', 'step' and 'claim'", "claim")
    }

    /// One entry for each parameter; or several that are each about another element of its list.
    private static func checkEntries(_ parameters: [ResolvedParameter]) throws(OutcomeError) {
        if !parameters.hasRepeatedNames { return }
        let entries = Dictionary(grouping: parameters, by: \.name)
        let isClear = entries.values.allSatisfy {
            $0.count == 1 || Set($0.compactMap(\.element?.index)).count == $0.count
        }
        guard isClear else {
            throw OutcomeError(
                "'resolutions' has one entry for each parameter, or one for each open element of its list",
                "resolutions")
        }
    }

    /// - Parameter isDescribed: `true` for the members of this type alone. Readers and writers go over the members of the
    ///   outcomes of all phases.
    fileprivate mutating func members<Coder: MemberCoder & ~Copyable>(
        _ coder: inout Coder, of type: EventType, isDescribed: Bool = false
    ) throws(Coder.Failure) {
        try coder.required("request", &request, as: .text, "The request, as in the work.")
        try coder.required("step", &step, as: .integer(from: 0), "The step, as in the work.")
        try coder.required("ticket", &ticket, as: Ticket.schema, "The ticket of the work.")
        switch type {
        case .starting:
            return try coder.required("claim", &claim, as: .someText, "Names this call, and no other.")
        case .updated: return try update.members(&coder)
        case .updatesEnded: return try coder.required("reason", &end, as: UpdatesEnd.schema, "Why.")
        default: break
        }
        if !isDescribed || type == .resolved {
            try coder.optional("resolutions", &resolutions, "The result for each parameter.")
            try coder.optional("summary", &summary, "The intent in a sentence, while parameters are open.")
        }
        if !isDescribed || type != .resolved {
            try coder.optional("code", &code, "The response code: one of SiriKit's, or one of the intent's own.")
            if !isDescribed || type == .handled {
                try coder.optional(
                    "fraction", &fraction, as: .number(0...1), "With inProgress: how much of it is done.")
            }
            try response.members(&coder, of: isDescribed ? (type == .confirmed ? .confirm : .handle) : nil)
        }
        try coder.optional("confirmation", &confirmation, "The person is asked before it is handled.")
        try coder.optional("ask", &ask, as: PhaseQuestion.schema, "A question to the person.")
        try coder.optional("failure", &failure, as: IntentFailure.schema, "What went wrong.")
        try coder.optional(
            "recorded", &recorded, unless: [:],
            "With ask, failure or resolutions: what the next call of the phase gets back, by name.")
        try coder.optional("cancelled", &isCancelled, unless: false, "The work was cancelled.")
        if !isDescribed || type == .handled {
            try coder.optional("claim", &claim, "The claim of the worker, if it has made one.")
        }
        if !isDescribed || type == .resolved {
            try coder.optional("policy", &policy, "The timeouts, retries and limits of the intent.")
        }
    }
}

/// The resolutions of an outcome.
private struct Resolutions: MemberValue {
    var parameters: [ResolvedParameter]
    /// Why they can't be read. It matters only if the outcome has nothing that goes before them.
    var problem: OutcomeError? = nil

    static var schema: ContractSchema { [ResolvedParameter].schema }
    func encode(to writer: inout JSONWriter) {
        var parameters = parameters
        parameters.encode(to: &writer)
    }

    static func read(_ cursor: inout JSONCursor) -> Resolutions? {
        var place = cursor
        do throws(OutcomeError) {
            guard let parameters = try [ResolvedParameter].read(&place) else {
                throw OutcomeError("'resolutions' is a list with an entry for each parameter", "resolutions")
            }
            cursor = place
            return Resolutions(parameters: parameters)
        } catch { return Resolutions(parameters: [], problem: error) }
    }
}

extension [ResolvedParameter] {
    /// Whether a parameter has several entries. For as few as most intents have, comparing all is quicker than a set of them.
    fileprivate var hasRepeatedNames: Bool {
        if count > 16 { return Set(map(\.name)).count < count }
        for index in indices { for before in 0..<index where self[before].name == self[index].name { return true } }
        return false
    }
}

// MARK: Contract

extension Contract {
    static let outcomes: [ContractEvent] = [
        event(.resolved, "The outcome of resolve.", by: [.resolver, .appResolver], needs: "resolutions"),
        event(.confirmed, "The outcome of confirm.", by: [.confirmer, .appConfirmer], needs: "code"),
        event(
            .handled, "The outcome of handle, or with the code inProgress a report of progress.",
            by: handlers + [.callback], needs: "code"),
        event(.starting, "A worker is about to call a once-only handler, and waits for the permit.", by: handlers),
        event(.updated, side: "outcomes", "An update of a request that has succeeded.", by: handlers),
        event(.updatesEnded, side: "outcomes", "The handler has nothing more to report.", by: handlers),
    ]

    private static let handlers: [ContractParty] = [.handler, .appHandler]

    /// - Parameter name: the member that the outcome needs, unless it has another of those that every phase may have.
    private static func event(
        _ type: EventType, side: String? = nil, _ about: String, by writers: [ContractParty], needs name: String? = nil
    ) -> ContractEvent {
        ContractEvent(
            type, about, side: side, on: [.outcomes], by: writers,
            ContractMember.list { describer in
                var outcome = OutcomeMembers()
                outcome.members(&describer, of: type, isDescribed: true)
            },
            rules: { schema in
                guard let name else { return schema }
                return schema.withAny(of: [
                    .having(name), .having("ask"), .having("failure"), .having("cancelled", .flag),
                ])
            })
    }
}
