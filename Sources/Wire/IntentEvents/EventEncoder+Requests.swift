public import Conversation
public import IntentModel
public import RecordLog

// What the person's side writes to `intents.answers`, and producers to `intents.requests`.
extension EventEncoder {
    /// - Parameters:
    ///   - id: the event's id; the same id again is the same event.
    ///   - partition: where the session is known to be; `nil` lets the key decide.
    ///   - topic: `intents.requests` if `nil`, or `intents.answers`: what the person's channel writes.
    ///   - token: with a claim, that of the offer.
    ///   - secret: with a claim and what follows it, that of the app (``RequestEvent/secret``).
    ///   - principal: who has caused the event, if they are authenticated. That of a request goes before it.
    public mutating func record(
        _ event: SessionEvent, session: Identifier, id: Identifier, topics: Topics, to topic: String? = nil,
        partition: Int32? = nil,
        token: String? = nil, secret: String? = nil, from principal: Principal? = nil, at now: Instant
    ) -> Record? {
        guard let (type, value) = Self.requestValue(event, token, secret) else { return nil }
        let principal = if case .requested(let request) = event { request.principal ?? principal } else { principal }
        var record = Record(
            topic: topic ?? topics.requests, partition: partition, key: Bytes(session.utf8), value: value.bytes,
            headers: headers(type, id: Bytes(id.utf8), subject: nil, at: now, trace: event.trace, principal: principal),
            timestamp: now.milliseconds)
        switch event {
        case .answered(let answer) where answer.isFromAgent: record.headers.append(Self.fromAgent)
        case .requested(let request) where request.isUnagreed: record.headers.append(Self.fromAgent)
        default: break
        }
        return record
    }

    /// What marks an event as an agent's, which agrees to nothing.
    public static let fromAgent = RecordHeader(CloudEvent.speaker, CloudEvent.agent)

    /// The record of an event whose value is there already. What it says is not checked: read it as a ``RequestEvent``.
    public mutating func record(
        _ type: EventType, value: JSON, session: Identifier, id: Identifier, to topic: String,
        from principal: Principal?,
        trace: TraceContext?,
        at now: Instant
    ) -> Record {
        Record(
            topic: topic, key: Bytes(session.utf8), value: value.bytes,
            headers: headers(type, id: Bytes(id.utf8), subject: nil, at: now, trace: trace, principal: principal),
            timestamp: now.milliseconds)
    }

    private static func requestValue(_ event: SessionEvent, _ token: String?, _ secret: String?) -> (EventType, JSON)? {
        switch event {
        case .requested(let request), .unserved(let request, _): (.requested, JSON.make { $0.request(request) })
        case .answered(let answer):
            (
                .promptAnswered,
                .make { writer in
                    writer.beginObject()
                    writer.member("prompt", answer.prompt)
                    writer.member("action", answer.action.rawValue)
                    writer.member("value", ifPresent: answer.value)
                    writer.member("option", ifPresent: answer.option)
                    if !answer.parameters.isEmpty { writer.values(answer.parameters) }
                    writer.endObject()
                }
            )
        case .optionsRequested(let request):
            (
                .optionsRequested,
                .make { writer in
                    writer.beginObject()
                    writer.member("prompt", request.prompt)
                    writer.member("search", ifPresent: request.search)
                    if request.start > 0 { writer.member("start", String(request.start)) }
                    if request.limit != OptionsRequest.usualLimit { writer.member("limit", request.limit) }
                    writer.endObject()
                }
            )
        case .corrected(let correction):
            (
                .parameterCorrected,
                .make { writer in
                    writer.beginObject()
                    writer.member("request", ifPresent: correction.request)
                    writer.member("parameter", correction.parameter)
                    writer.member("value", correction.value)
                    writer.endObject()
                }
            )
        case .cancelled(let request):
            (
                .cancelled,
                .make { writer in
                    writer.beginObject()
                    writer.member("request", ifPresent: request)
                    writer.endObject()
                }
            )
        case .forgotten(let forgetting):
            (
                .forgotten,
                .make { writer in
                    writer.beginObject()
                    writer.member("keys", ifPresent: forgetting.keys.map { .array($0.map { .string($0) }) })
                    if forgetting.scope != .session { writer.member("scope", forgetting.scope.rawValue) }
                    writer.endObject()
                }
            )
        case .ended(let reason):
            (
                .sessionEnded,
                .make { writer in
                    writer.beginObject()
                    writer.member("reason", ifPresent: reason)
                    writer.endObject()
                }
            )
        case .handoffClaimed(let handoff, let claimant):
            (
                .handoffClaimed,
                .make { writer in
                    writer.beginObject()
                    writer.claim(of: handoff, claimant, secret)
                    writer.member("token", ifPresent: token)
                    writer.endObject()
                }
            )
        case .handoffReturned(let handoff, let claimant):
            (
                .handoffReturned,
                .make { writer in
                    writer.beginObject()
                    writer.claim(of: handoff, claimant, secret)
                    writer.endObject()
                }
            )
        case .updatesStarted(let request): (.updatesStarted, .object(["request": .string(request)]))
        case .updatesStopped(let request): (.updatesStopped, .object(["request": .string(request)]))
        case .undoRequested(let undo):
            (.undoRequested, undo.request.map { .object(["request": .string($0)]) } ?? .object([:]))
        case .handoffCompleted(let handoff, let claimant, let response):
            (
                .handoffCompleted,
                .make { writer in
                    writer.beginObject()
                    writer.claim(of: handoff, claimant, secret)
                    writer.member("code", response.code.rawValue)
                    if !response.values.isEmpty { writer.object("response", response.values) }
                    writer.member("dialog", ifPresent: response.dialog)
                    writer.endObject()
                }
            )
        case .outcome, .unreadableOutcome, .workRefused, .refused, .memoryChanged, .changeRefused, .timer: nil
        }
    }
}

extension SessionEvent {
    fileprivate var trace: TraceContext? {
        switch self {
        case .requested(let request): request.trace
        case .undoRequested(let undo): undo.trace
        default: nil
        }
    }
}

extension JSONWriter {
    fileprivate mutating func claim(of handoff: Identifier, _ claimant: Claimant, _ secret: String?) {
        member("handoff", handoff)
        member("claimant", claimant.name)
        member("secret", ifPresent: secret)
    }

    mutating func request(_ request: IntentRequest) {
        beginObject()
        if request.candidates.isEmpty { member("intent", request.intent) } else { candidates(request) }
        if !request.parameters.isEmpty { values(request.parameters) }
        confidence(request.parameters)
        if request.whenBusy != .queue { member("whenBusy", request.whenBusy.rawValue) }
        if let deadline = request.deadline { member("deadline", deadline.description) }
        member("locale", ifPresent: request.locale)
        if let clock = request.clock {
            member("timeZone", ifPresent: clock.timeZone)
            if clock.ahead != 0 { member("now", clock.now.description) }
        }
        if !request.attributes.isEmpty { object("attributes", request.attributes) }
        endObject()
    }

    private mutating func confidence(_ parameters: [ParameterState]) {
        let doubtful = parameters.filter { $0.hasProvenance && $0.provenance?.confidence != nil && !$0.isSecret }
        if doubtful.isEmpty { return }
        name("confidence")
        beginObject()
        for parameter in doubtful {
            name(named: parameter.name)
            number(parameter.provenance?.confidence ?? 1)
        }
        endObject()
    }

    /// The intents that the person may have meant, and the one that it is otherwise.
    private mutating func candidates(_ request: IntentRequest) {
        name("candidates")
        beginArray()
        for candidate in request.candidates {
            beginObject()
            member("intent", candidate.intent)
            name("confidence")
            number(candidate.confidence)
            member("title", ifPresent: candidate.title)
            if !candidate.parameters.isEmpty { values(candidate.parameters) }
            endObject()
        }
        endArray()
        member("fallback", ifPresent: request.fallback)
    }

    /// The values there are, by name, but for secrets, and for those that the intent goes without.
    mutating func values(_ parameters: [ParameterState]) {
        name("parameters")
        beginObject()
        for parameter in parameters where !parameter.isSecret && parameter.origin != .notRequired {
            if let value = parameter.value { member(named: parameter.name, value) }
        }
        endObject()
    }

    /// A member that is an object, its members in the order of their names.
    mutating func object(_ name: StaticString, _ members: [String: JSON]) {
        self.name(name)
        beginObject()
        for (name, value) in members.sorted(by: { $0.key < $1.key }) { member(named: name, value) }
        endObject()
    }
}
