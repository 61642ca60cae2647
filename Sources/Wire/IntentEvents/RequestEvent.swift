public import Conversation
public import IntentModel
public import RecordLog

/// An event on `intents.requests` or `intents.answers`.
public struct RequestEvent: Sendable {
    public var session: Identifier
    /// The event's id; derived from topic, partition and offset where the sender gave none.
    public var id: Identifier
    public var event: SessionEvent
    public var type: EventType
    /// Who has sent it, as its channel has authenticated them.
    public var principal: Principal?
    /// With a claim: the token of the offer. Sessions never see it.
    public var token: String?
    /// With a claim: the secret of the app, which completing and returning need. Sessions see only its digest, in ``Claimant/proof``.
    public var secret: String?

    /// How many bytes the secret of a claim has.
    public static let secretLength = 16...256

    /// - Throws: ``EventError``, with the session if that could be read.
    public init(_ record: ConsumedRecord) throws(EventError) {
        let session = try SessionKey.read(record)
        try self.init(record, session, try CloudEvent(record))
    }

    /// Reads an event together with the object that it was read from, for programs that show what was said.
    ///
    /// - Throws: ``EventError``, as ``init(_:)``.
    package static func read(_ record: ConsumedRecord) throws(EventError) -> (event: RequestEvent, data: JSON) {
        let session = try SessionKey.read(record)
        let event = try CloudEvent(record)
        return (try RequestEvent(record, session, event), event.data.json)
    }

    private init(_ record: ConsumedRecord, _ session: Identifier, _ event: CloudEvent) throws(EventError) {
        self.session = session
        let id = Identifier(event.id ?? SessionKey.derivedID(record))
        self.id = id
        guard Self.isID(id.text) else {
            throw .invalid("an event id has 1 to \(EventBounds.id.upperBound) bytes, and no control characters", "id")
        }
        guard let type = event.hasType ? event.type : .requested else {
            throw .unknownType(event.typeName, "no event type")
        }
        self.type = type
        principal = event.principal
        switch type {
        case .requested:
            self.event = .requested(try Self.request(event, id: id, sent: Instant(milliseconds: record.timestamp)))
        case .promptAnswered:
            var answer = try Self.answer(event.data)
            answer.isFromAgent = event.isFromAgent
            self.event = .answered(answer)
        case .optionsRequested: self.event = .optionsRequested(try Self.optionsRequest(event.data))
        case .parameterCorrected: self.event = .corrected(try Self.correction(event.data))
        case .cancelled: self.event = .cancelled(request: try event.data.optionalIdentifier("request"))
        case .forgotten: self.event = .forgotten(try Self.forgetting(event.data))
        case .sessionEnded: self.event = .ended(reason: try event.data.optionalText("reason"))
        case .handoffClaimed:
            self.event = .handoffClaimed(
                handoff: try event.data.identifier("handoff"), claimant: try Self.claimant(event.data))
            token = try event.data.optionalText("token")
            secret = try event.data.optionalText("secret")
            guard let secret, Self.secretLength ~= secret.utf8.count else {
                throw .invalid(
                    "a claim needs a 'secret' of \(Self.secretLength.lowerBound) to \(Self.secretLength.upperBound) bytes, made for it by the app: completing and returning the handoff repeat it",
                    "secret")
            }
        case .handoffReturned:
            self.event = .handoffReturned(
                handoff: try event.data.identifier("handoff"), claimant: try Self.claimant(event.data))
            secret = try event.data.optionalText("secret")
        case .updatesStarted: self.event = .updatesStarted(request: try event.data.identifier("request"))
        case .updatesStopped: self.event = .updatesStopped(request: try event.data.identifier("request"))
        case .undoRequested:
            self.event = .undoRequested(
                UndoRequest(id: id, request: try event.data.optionalIdentifier("request"), trace: event.trace))
        case .handoffCompleted:
            self.event = try Self.handoffCompleted(event.data)
            secret = try event.data.optionalText("secret")
        default:
            throw EventError(
                .unexpected, "'\(type.rawValue)' does not belong on this topic", field: "type", isDeadLetter: true)
        }
    }

    /// Whether a text can be the id of an event.
    public static func isID(_ text: String) -> Bool { EventBounds.id ~= text.utf8.count && !text.hasControlCharacters }

    private static func request(_ event: CloudEvent, id: Identifier, sent: Instant) throws(EventError) -> IntentRequest
    {
        var intent: Identifier?
        var unknown: [String] = []
        var timeZone: String?
        var personTime: Instant?
        var confidence: JSONView?
        var request = IntentRequest(id: id, intent: "", trace: event.trace, principal: event.principal)
        request.isUnagreed = event.isFromAgent
        for (name, value) in event.data.fields where !value.isNull {
            switch name {
            case "intent":
                guard let name = value.identifier, isIntent(name) else {
                    throw .invalid("'intent' must name an intent", "intent")
                }
                intent = name
            case "parameters": request.parameters = try parameters(value)
            case "confidence": confidence = value
            case "whenBusy":
                guard let whenBusy = value.string.flatMap(IntentRequest.WhenBusy.init) else {
                    throw .invalid(
                        "'whenBusy' is one of \(IntentRequest.WhenBusy.allCases.map(\.rawValue).joined(separator: ", "))",
                        "whenBusy")
                }
                request.whenBusy = whenBusy
            case "deadline":
                guard let deadline = value.string.flatMap(Instant.init(rfc3339:)) else {
                    throw .invalid("'deadline' is a time such as 2026-03-01T12:00:00Z", "deadline")
                }
                request.deadline = deadline
            case "locale":
                guard let locale = value.string, EventBounds.locale ~= locale.utf8.count, !locale.hasControlCharacters
                else {
                    throw .invalid("'locale' is a language tag such as en-GB", "locale")
                }
                request.locale = locale
            case "timeZone":
                guard let zone = value.string, isTimeZone(zone) else {
                    throw .invalid("'timeZone' is the IANA name of a time zone, such as Europe/Amsterdam", "timeZone")
                }
                timeZone = zone
            case "now":
                guard let time = value.string.flatMap(Instant.init(rfc3339:)), time.milliseconds > 0 else {
                    throw .invalid("'now' is a time since 1970, such as 2026-03-01T12:00:00Z", "now")
                }
                personTime = time
            case "candidates": request.candidates = try candidates(value)
            case "fallback":
                guard let fallback = value.identifier, isIntent(fallback) else {
                    throw .invalid("'fallback' must name an intent", "fallback")
                }
                request.fallback = fallback
            case "attributes":
                guard value.kind == .object else { throw .invalid("'attributes' is an object", "attributes") }
                request.attributes = value.values
            case "phases":
                // Phases can't be skipped: that is what makes a confirmation worth something.
                let phases = value.elements.compactMap { $0.string.flatMap(Phase.init) }
                guard phases == Phase.allCases else {
                    throw EventError(
                        .unauthorized, "every intent here is resolved, confirmed and handled: leave 'phases' out",
                        field: "phases",
                        isDeadLetter: false)
                }
            default: unknown.append(name.string)
            }
        }
        if !unknown.isEmpty { try refuseMisspelt(unknown, in: event.data, Contract.requestMembers(of: .requested)) }
        guard let name = intent ?? request.candidates.first?.intent else {
            throw .invalid("'intent' must name an intent", "intent")
        }
        if intent != nil, !request.candidates.isEmpty {
            throw .invalid("a request has an 'intent', or 'candidates' to choose it from", "candidates")
        }
        if request.candidates.isEmpty { request.fallback = nil }
        if let confidence { try note(confidence, in: &request.parameters) }
        if timeZone != nil || personTime != nil {
            let ahead = personTime?.milliseconds(since: sent) ?? 0
            request.clock = PersonClock(timeZone: timeZone, ahead: ahead, said: sent)
        }
        request.intent = name
        return request
    }

    /// Whether it looks like one. Only workers have the table of time zones.
    private static func isTimeZone(_ name: String) -> Bool {
        EventBounds.timeZone ~= name.utf8.count
            && name.utf8.allSatisfy {
                0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || "_+-/".utf8.contains($0)
            }
    }

    private static func isIntent(_ name: Identifier) -> Bool {
        EventBounds.intent ~= name.utf8.count && !name.text.hasControlCharacters
    }

    /// How sure the sender is of its parameters, by their names.
    private static func note(_ confidence: JSONView, in parameters: inout [ParameterState]) throws(EventError) {
        guard confidence.kind == .object else {
            throw .invalid("'confidence' is an object of numbers from 0 to 1, by parameter", "confidence")
        }
        for (name, value) in confidence.members {
            guard let number = value.double, EventBounds.confidence ~= number else {
                throw .invalid("the confidence of '\(name.prefix(64))' is not a number from 0 to 1", "confidence")
            }
            guard let index = parameters.firstIndex(where: { $0.name == name }) else {
                throw .invalid(
                    "there is a confidence of '\(name.prefix(64))', and no such parameter in the request", "confidence")
            }
            parameters[index].provenance = ParameterState.Provenance(confidence: number)
        }
    }

    private static func candidates(_ view: JSONView) throws(EventError) -> [IntentCandidate] {
        let elements = view.elements
        guard view.kind == .array, 1...IntentCandidate.maximumCount ~= elements.count else {
            throw .invalid("'candidates' is a list of 1 to \(IntentCandidate.maximumCount) intents", "candidates")
        }
        var candidates: [IntentCandidate] = []
        for element in elements {
            guard let intent = element["intent"]?.identifier, isIntent(intent),
                let confidence = element["confidence"]?.double,
                EventBounds.confidence ~= confidence,
                !candidates.contains(where: { $0.intent == intent })
            else {
                throw .invalid(
                    "a candidate has an 'intent', each another one, and a 'confidence' from 0 to 1", "candidates")
            }
            var candidate = IntentCandidate(intent: intent, confidence: confidence)
            if let title = try element.optionalText("title"), !title.isEmpty { candidate.title = title }
            if let view = element["parameters"], !view.isNull { candidate.parameters = try parameters(view) }
            candidates.append(candidate)
        }
        return candidates
    }

    private static func answer(_ data: JSONView) throws(EventError) -> Answer {
        guard let action = data["action"]?.string.flatMap(Answer.Action.init) else {
            throw .invalid(
                "'action' is one of \(Answer.Action.allCases.map(\.rawValue).joined(separator: ", "))", "action")
        }
        var answer = Answer(prompt: try data.identifier("prompt"), action: action)
        var unknown: [String] = []
        for (name, value) in data.members {
            switch name {
            case "value": answer.value = value.json
            case "option" where !value.isNull:
                guard let option = value.string else {
                    throw .invalid("'option' is the id of an option, which is a text", "option")
                }
                answer.option = option
            case "parameters" where !value.isNull: answer.parameters = try parameters(value)
            // Some send the prompt's own members back.
            case "prompt", "action", "option", "parameters", "parameter", "options": break
            default: unknown.append(name)
            }
        }
        if !unknown.isEmpty { try refuseMisspelt(unknown, in: data, Contract.requestMembers(of: .promptAnswered)) }
        return answer
    }

    /// A member that is not known is passed over: it may be of a later version. One that is a typing error away from a member that is missing would be lost
    /// without a word.
    private static func refuseMisspelt(_ unknown: [String], in data: JSONView, _ known: [String]) throws(EventError) {
        let present = Set(data.fields.map(\.name.string))
        // Too many words are a letter away from one of three.
        let missing = known.filter { $0.utf8.count >= 4 && !present.contains($0) }
        for name in unknown where name.utf8.count >= 4 && !known.contains(name) {
            guard let meant = missing.first(where: { name.isSlip(of: $0) }) else { continue }
            throw .invalid("'\(name.prefix(64))' is not known: did you mean '\(meant)'?", String(name.prefix(64)))
        }
    }

    private static func optionsRequest(_ data: JSONView) throws(EventError) -> OptionsRequest {
        var request = OptionsRequest(prompt: try data.identifier("prompt"), search: try data.optionalText("search"))
        if let start = try data.optionalText("start") {
            guard let number = Int(start), number >= 0 else {
                throw .invalid("'start' is what 'optionsNext' said, such as \"25\"", "start")
            }
            request.start = number
        }
        if let view = data["limit"], !view.isNull {
            guard let limit = view.int, OptionsRequest.limits.contains(limit) else {
                throw .invalid(
                    "'limit' is a number from \(OptionsRequest.limits.lowerBound) to \(OptionsRequest.limits.upperBound)",
                    "limit")
            }
            request.limit = limit
        }
        return request
    }

    private static func correction(_ data: JSONView) throws(EventError) -> Correction {
        guard let value = data["value"] else { throw .invalid("'value' is missing", "value") }
        return Correction(
            request: try data.optionalIdentifier("request"), parameter: try data.text("parameter"), value: value.json)
    }

    private static func claimant(_ data: JSONView) throws(EventError) -> Claimant {
        Claimant(try data.identifier("claimant"))
    }

    private static func handoffCompleted(_ data: JSONView) throws(EventError) -> SessionEvent {
        var response = IntentResponse(ResponseCode(rawValue: try data.text("code")))
        if let values = data["response"], !values.isNull {
            guard values.kind == .object else {
                throw .invalid("'response' is an object of values by name", "response")
            }
            for (name, value) in values.members { response.values[name] = value.json }
        }
        if let dialog = data["dialog"], !dialog.isNull {
            guard let text = dialog.string else { throw .invalid("'dialog' is not a text", "dialog") }
            response.dialog = text
        }
        return .handoffCompleted(
            handoff: try data.identifier("handoff"), claimant: try claimant(data), response: response)
    }

    private static func forgetting(_ data: JSONView) throws(EventError) -> Forgetting {
        var forgetting = Forgetting(keys: try keys(data))
        if let view = data["scope"], !view.isNull {
            guard let scope = view.string.flatMap(Forgetting.Scope.init) else {
                throw .invalid(
                    "'scope' is one of \(Forgetting.Scope.allCases.map(\.rawValue).joined(separator: ", "))", "scope")
            }
            forgetting.scope = scope
        }
        if forgetting.scope == .person, let keys = forgetting.keys {
            guard keys.count <= Forgetting.maximumKeys else {
                throw .invalid("'keys' has at most \(Forgetting.maximumKeys) keys", "keys")
            }
            guard keys.allSatisfy(RememberedValue.isKey) else {
                throw .invalid("a key has 1 to \(RememberedValue.maximumKeyBytes) bytes", "keys")
            }
        }
        return forgetting
    }

    private static func keys(_ data: JSONView) throws(EventError) -> [String]? {
        guard let view = data["keys"], !view.isNull else { return nil }
        let keys = view.elements.compactMap(\.string)
        // A list that is read only in part would not forget all that the sender wants forgotten; one that isn't read at all would forget everything.
        guard view.kind == .array, keys.count == view.elements.count else {
            throw .invalid("'keys' is a list of texts", "keys")
        }
        return keys
    }

    private static func parameters(_ view: JSONView) throws(EventError) -> [ParameterState] {
        guard view.kind == .object else { throw .invalid("'parameters' is an object of values by name", "parameters") }
        var parameters: [ParameterState] = []
        parameters.reserveCapacity(8)
        for (field, value) in view.fields {
            let name = field.string
            guard EventBounds.parameter ~= name.utf8.count, !name.hasControlCharacters else {
                throw .invalid(
                    "the name of a parameter has at most \(EventBounds.parameter.upperBound) bytes, and no control characters",
                    "parameters"
                )
            }
            parameters.append(ParameterState(name: name, value: value.json))
        }
        return parameters
    }
}

extension String {
    /// Whether it is the other word with one letter too many, too few or wrong, two letters exchanged, or other capitals.
    fileprivate func isSlip(of word: String) -> Bool {
        guard abs(utf8.count - word.utf8.count) <= 1 else { return false }
        let (a, b) = (Array(lowercased().utf8), Array(word.lowercased().utf8))
        let start = zip(a, b).prefix { $0 == $1 }.count
        let end = zip(a.reversed(), b.reversed()).prefix { $0 == $1 }.count
        let (left, right) = (a.count - min(start + end, a.count), b.count - min(start + end, b.count))
        if left <= 1, right <= 1 { return true }
        return a.count == b.count && left == 2 && a[start] == b[start + 1] && a[start + 1] == b[start]
    }
}

extension JSONView {
    /// A member that has to be a name: a text with something in it.
    func text(_ name: String) throws(EventError) -> String {
        guard let text = self[name]?.string, !text.isEmpty else {
            throw .invalid("'\(name)' is missing or not a text", name)
        }
        return try Self.checked(text, name)
    }

    /// A member that may be absent, or `null`, but is a text if it is there.
    func optionalText(_ name: String) throws(EventError) -> String? {
        guard let view = self[name], !view.isNull else { return nil }
        guard let text = view.string else { throw .invalid("'\(name)' is not a text", name) }
        return try Self.checked(text, name)
    }

    /// A member that is a name: of a principal, a session, a request, an intent or a prompt.
    func identifier(_ name: String) throws(EventError) -> Identifier { Identifier(try text(name)) }

    /// A member that may be absent, or `null`, but names something if it is there.
    func optionalIdentifier(_ name: String) throws(EventError) -> Identifier? {
        try optionalText(name).map { Identifier($0) }
    }

    private static func checked(_ text: String, _ name: String) throws(EventError) -> String {
        if text.utf8.count > EventBounds.text.upperBound {
            throw .invalid("'\(name)' has more than \(EventBounds.text.upperBound) bytes", name)
        }
        if text.hasControlCharacters { throw .invalid("'\(name)' has control characters", name) }
        return text
    }
}
