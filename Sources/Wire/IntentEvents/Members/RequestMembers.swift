import Conversation
import IntentModel

/// The members of what producers write to `intents.requests`, and the person's side, apps and operators to
/// `intents.answers`. Each type of event has some of them.
struct RequestMembers {
    // A request.
    private var intent, fallback: String?
    private var candidates: RequestCandidates?
    private var parameters: RequestParameters?
    private var confidence: RequestConfidences?
    private var whenBusy: IntentRequest.WhenBusy?
    private var deadline, now: Instant?
    private var locale, timeZone: String?
    private var attributes: [String: JSON]?
    private var phases: JSON?
    // Said in a session.
    private var prompt, request, parameter, option, search, start, reason, utterance, language: String?
    private var action: Answer.Action?
    private var delegate: JSON?
    private var value: JSON?
    private var limit: Int?
    private var keys: MemoryKeys?
    private var scope: Forgetting.Scope?
    // Said by an app.
    private var handoff, claimant, code, dialog: String?
    private var response: [String: JSON]?
    private(set) var secret, token: String?

    init() {}

    // MARK: Members

    /// - Parameter isDescribed: `true` for the contract, which asks apps for the secret of each event. Earlier versions wrote
    ///   none with some.
    mutating func members<Coder: MemberCoder & ~Copyable>(
        _ coder: inout Coder, of type: EventType, isDescribed: Bool = false
    ) throws(Coder.Failure) {
        switch type {
        case .requested: try requestMembers(&coder)
        case .undoRequested:
            try coder.checked(
                "request", &request, .optional, .perhapsName,
                "The request; defaults to the last one that can be taken back.")
        case .promptAnswered:
            try coder.checked("prompt", &prompt, .required, .name, "The prompt's id.")
            try coder.checked(
                "action", &action, .optional, .word,
                """
                accept: yes, or here is the value. decline: no. cancel: the whole request. delegate: another principal \
                may agree instead of the sender.
                """)
            try coder.optional("delegate", &delegate, as: .shape(.principal), "With delegate: who that is.")
            try coder.checked(
                "utterance", &utterance, .optional, .utterance,
                "Instead of action, value, option and parameters: the person's words. answer.read.v1 tells how they were read."
            )
            try coder.checked(
                "language", &language, .optional, .locale,
                "The words' language, a BCP 47 tag; that of the request by default.")
            try coder.optional(
                "value", &value, "The value that was asked for. A yes to confirmIntent has none, or true.")
            try coder.checked("option", &option, .optional, .optionID, "The id of the option chosen.")
            try coder.optional(
                "parameters", &parameters, "Other parameters that the person changes or fills in.")
        case .optionsRequested:
            try coder.checked("prompt", &prompt, .required, .name, "The open prompt.")
            try coder.checked(
                "search", &search, .optional, .perhapsName, "Only options that have each of these words.")
            try coder.checked(
                "start", &start, .optional, .optionsStart,
                "Where the page starts: what optionsNext of the page before says.")
            try coder.checked(
                "limit", &limit, .optional, .optionsLimit,
                "How many options the page may have; \(OptionsRequest.usualLimit) if it is left out.")
        case .parameterCorrected:
            try coder.checked("request", &request, .optional, .perhapsName, "The request; defaults to the active one.")
            try coder.checked("parameter", &parameter, .required, .name, "Its name.")
            try coder.required("value", &value, "Its new value.")
        case .cancelled:
            try coder.checked("request", &request, .optional, .perhapsName, "The request; defaults to the active one.")
        case .updatesStarted, .updatesStopped:
            try coder.checked("request", &request, .required, .name, "The request.")
        case .handoffClaimed, .handoffCompleted, .handoffReturned:
            try coder.checked("handoff", &handoff, .required, .name, "The handoff's id.")
            try coder.checked("claimant", &claimant, .required, .name, "Who claims it, such as a device.")
            try coder.checked(
                "secret", &secret, isDescribed || type == .handoffClaimed ? .required : .optional,
                isDescribed || type == .handoffClaimed ? .secret : .perhapsName,
                "At least \(RequestEvent.secretLength.lowerBound) bytes that the app makes up for its claim; completing and returning repeat them."
            )
            if type == .handoffClaimed {
                try coder.checked("token", &token, .optional, .perhapsName, "The token of the offer, if there was one.")
            }
            guard type == .handoffCompleted else { return }
            try coder.checked("code", &code, .required, .name, "success, or a code that begins with failure.")
            try coder.checked("response", &response, .optional, .values, "Values by name, for the completion.")
            try coder.checked("dialog", &dialog, .optional, .text, "What the person is told.")
        case .forgotten:
            try coder.optional("keys", &keys, "The memory keys; everything if it is left out.")
            try coder.checked(
                "scope", &scope, .optional, .word,
                "session if it is left out; person: also what is remembered for the person.")
        case .sessionEnded:
            try coder.checked("reason", &reason, .optional, .perhapsName, "Why; told with the completions.")
        default: break
        }
    }

    private mutating func requestMembers<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.checked(
            "intent", &intent, .optional, .intent, "The intent's name, unless there are candidates.")
        try coder.optional(
            "candidates", &candidates,
            "Instead of intent: those that the person may have meant. The best one is taken; others that are within "
                + "\(IntentCandidate.nearness) of it are asked about, and those below \(IntentCandidate.minimumConfidence) don't count."
        )
        try coder.checked(
            "fallback", &fallback, .optional, .intent,
            "With candidates: the intent that it is otherwise. Without one, the request then ends as unsupported.")
        try coder.optional("parameters", &parameters, "Values by parameter name.")
        try coder.optional(
            "confidence", &confidence,
            """
            How sure the sender is of these values, by parameter name. The person is asked about a value below \
            \(ParameterState.Provenance.sufficientConfidence).
            """)
        try coder.checked(
            "whenBusy", &whenBusy, .optional, .word,
            """
            What to do if the session has an active request. queue, the default: wait for its end. replace: cancel it. \
            reject: reject this one. interrupt: go first if it waits for the person.
            """)
        try coder.checked("deadline", &deadline, .optional, .time, "When the request ends if it has not completed.")
        try coder.checked("locale", &locale, .optional, .locale, "The person's language, a BCP 47 tag.")
        try coder.checked(
            "timeZone", &timeZone, .optional, .timeZone,
            "The IANA name of the person's time zone; UTC if it is left out.")
        try coder.checked(
            "now", &now, .optional, .personTime, "The person's time, if it is not that of the record.")
        try coder.checked(
            "attributes", &attributes, .optional, .values, "What the person's side knows besides.")
        try coder.optional(
            "phases", &phases,
            as: ContractSchema.any.with(["const": .array(Phase.allCases.map { .string($0.rawValue) })]),
            "No phase can be left out.")
    }
}

// MARK: Events

extension RequestMembers {
    /// - Parameters:
    ///   - id: The event's id.
    ///   - sent: The record's timestamp.
    func event(of type: EventType, id: Identifier, _ event: CloudEvent, sent: Instant) throws(EventError)
        -> SessionEvent
    {
        switch type {
        case .requested: return .requested(try requested(event, id: id, sent: sent))
        case .undoRequested:
            return .undoRequested(UndoRequest(id: id, request: request.map { Identifier($0) }, trace: event.trace))
        case .promptAnswered:
            var answer = try answered()
            answer.isFromAgent = event.isFromAgent
            answer.roles = try event.roles()
            return .answered(answer)
        case .optionsRequested:
            return .optionsRequested(
                OptionsRequest(
                    prompt: Identifier(prompt ?? ""), search: search, start: start.flatMap { Int($0) } ?? 0,
                    limit: limit ?? OptionsRequest.usualLimit))
        case .parameterCorrected:
            guard let value else { throw .invalid("'value' is missing", "value") }
            return .corrected(
                Correction(request: request.map { Identifier($0) }, parameter: parameter ?? "", value: value))
        case .cancelled: return .cancelled(request: request.map { Identifier($0) })
        case .updatesStarted: return .updatesStarted(request: Identifier(request ?? ""))
        case .updatesStopped: return .updatesStopped(request: Identifier(request ?? ""))
        case .handoffClaimed: return .handoffClaimed(handoff: Identifier(handoff ?? ""), claimant: said)
        case .handoffReturned: return .handoffReturned(handoff: Identifier(handoff ?? ""), claimant: said)
        case .handoffCompleted:
            let response = IntentResponse(
                ResponseCode(rawValue: code ?? ""), dialog: dialog, values: response ?? [:])
            return .handoffCompleted(handoff: Identifier(handoff ?? ""), claimant: said, response: response)
        case .forgotten:
            let forgetting = Forgetting(keys: keys?.keys, scope: scope ?? .session)
            if forgetting.scope == .person, let keys = forgetting.keys {
                guard keys.count <= Forgetting.maximumKeys else {
                    throw .invalid("'keys' has at most \(Forgetting.maximumKeys) keys", "keys")
                }
                guard keys.allSatisfy(RememberedValue.isKey) else {
                    throw .invalid("a key has 1 to \(RememberedValue.maximumKeyBytes) bytes", "keys")
                }
            }
            return .forgotten(forgetting)
        case .sessionEnded: return .ended(reason: reason)
        default:
            throw EventError(
                .unexpected, "'\(type.rawValue)' does not belong on this topic", field: "type", isDeadLetter: true)
        }
    }

    private func answered() throws(EventError) -> Answer {
        let prompt = Identifier(prompt ?? "")
        if let utterance {
            guard action == nil, value == nil, option == nil, parameters == nil, delegate == nil else {
                throw .invalid(
                    "an answer with an 'utterance' has no 'action', 'value', 'option', 'parameters' or 'delegate': its words are all of it",
                    "utterance")
            }
            return Answer(prompt: prompt, utterance: Utterance(utterance, language: language))
        }
        guard let action else {
            throw .invalid(
                "an answer has an 'utterance', or an 'action': accept, decline, cancel or delegate", "action")
        }
        var answer = Answer(
            prompt: prompt, action: action, value: value, option: option, parameters: parameters?.states ?? [])
        guard (delegate != nil) == (action == .delegate) else {
            throw .invalid("'delegate' comes with the action delegate, which needs it", "delegate")
        }
        if let delegate {
            guard let principal = Principal(delegate.view), principal.isValid, value == nil, option == nil,
                parameters == nil
            else {
                throw .invalid(
                    "'delegate' is the 'type' and the 'id' of a principal, without other members", "delegate")
            }
            answer.delegate = principal
        }
        return answer
    }

    private var said: Claimant { Claimant(Identifier(claimant ?? "")) }

    private func requested(_ event: CloudEvent, id: Identifier, sent: Instant) throws(EventError) -> IntentRequest {
        if let phases {
            // Phases can't be skipped: that is what makes a confirmation worth something.
            guard phases.view.isNull || phases.view.elements.map(\.string) == Phase.allCases.map(\.rawValue) else {
                throw EventError(
                    .unauthorized, "every intent here is resolved, confirmed and handled: leave 'phases' out",
                    field: "phases", isDeadLetter: false)
            }
        }
        let candidates = candidates?.candidates ?? []
        guard let name = intent.map({ Identifier($0) }) ?? candidates.first?.intent else {
            throw .invalid("'intent' must name an intent", "intent")
        }
        if intent != nil, !candidates.isEmpty {
            throw .invalid("a request has an 'intent', or 'candidates' to choose it from", "candidates")
        }
        var parameters = parameters?.states ?? []
        for (name, number) in confidence?.values ?? [] {
            guard let index = parameters.firstIndex(where: { $0.name == name }) else {
                throw .invalid(
                    "there is a confidence of '\(name.prefix(64))', and no such parameter in the request", "confidence")
            }
            parameters[index].provenance = ParameterState.Provenance(confidence: number)
        }
        var request = IntentRequest(
            id: id, intent: name, parameters: parameters, whenBusy: whenBusy ?? .queue, deadline: deadline,
            locale: locale, attributes: attributes ?? [:], trace: event.trace, principal: event.principal)
        request.isUnagreed = event.isFromAgent
        request.candidates = candidates
        if !candidates.isEmpty { request.fallback = fallback.map { Identifier($0) } }
        if timeZone != nil || now != nil {
            request.clock = PersonClock(
                timeZone: timeZone, ahead: now?.milliseconds(since: sent) ?? 0, said: sent)
        }
        return request
    }

    /// The members of an event; `nil` if it is none that is written to these topics.
    static func members(of event: SessionEvent, token: String?, secret: String?) -> (EventType, RequestMembers)? {
        var members = RequestMembers()
        (members.token, members.secret) = (token, secret)
        switch event {
        case .requested(let request), .unserved(let request, _):
            members.request(request)
            return (.requested, members)
        case .answered(let answer):
            members.prompt = answer.prompt.text
            if let utterance = answer.utterance {
                (members.utterance, members.language) = (utterance.text, utterance.language)
                return (.promptAnswered, members)
            }
            members.action = answer.action
            (members.value, members.option) = (answer.value, answer.option)
            members.parameters = RequestParameters(answer.parameters)
            members.delegate = answer.delegate.map {
                JSON.object(["type": .string($0.kind.rawValue), "id": .string($0.id)])
            }
            return (.promptAnswered, members)
        case .optionsRequested(let request):
            (members.prompt, members.search) = (request.prompt.text, request.search)
            if request.start > 0 { members.start = String(request.start) }
            if request.limit != OptionsRequest.usualLimit { members.limit = request.limit }
            return (.optionsRequested, members)
        case .corrected(let correction):
            (members.request, members.parameter) = (correction.request?.text, correction.parameter)
            members.value = correction.value
            return (.parameterCorrected, members)
        case .cancelled(let request):
            members.request = request?.text
            return (.cancelled, members)
        case .forgotten(let forgetting):
            members.keys = forgetting.keys.map { MemoryKeys(keys: $0) }
            if forgetting.scope != .session { members.scope = forgetting.scope }
            return (.forgotten, members)
        case .ended(let reason):
            members.reason = reason
            return (.sessionEnded, members)
        case .handoffClaimed(let handoff, let claimant):
            (members.handoff, members.claimant) = (handoff.text, claimant.name.text)
            return (.handoffClaimed, members)
        case .handoffReturned(let handoff, let claimant):
            (members.handoff, members.claimant) = (handoff.text, claimant.name.text)
            return (.handoffReturned, members)
        case .handoffCompleted(let handoff, let claimant, let response):
            (members.handoff, members.claimant) = (handoff.text, claimant.name.text)
            (members.code, members.dialog) = (response.code.rawValue, response.dialog)
            if !response.values.isEmpty { members.response = response.values }
            return (.handoffCompleted, members)
        case .updatesStarted(let request):
            members.request = request.text
            return (.updatesStarted, members)
        case .updatesStopped(let request):
            members.request = request.text
            return (.updatesStopped, members)
        case .undoRequested(let undo):
            members.request = undo.request?.text
            return (.undoRequested, members)
        case .outcome, .unreadableOutcome, .workRefused, .refused, .memoryChanged, .changeRefused, .timer: return nil
        }
    }

    private mutating func request(_ request: IntentRequest) {
        if request.candidates.isEmpty {
            intent = request.intent.text
        } else {
            candidates = RequestCandidates(candidates: request.candidates)
            fallback = request.fallback?.text
        }
        parameters = RequestParameters(request.parameters)
        confidence = RequestConfidences(
            request.parameters.compactMap { parameter in
                guard parameter.hasProvenance, !parameter.isSecret else { return nil }
                return parameter.provenance?.confidence.map { (parameter.name, $0) }
            })
        if request.whenBusy != .queue { whenBusy = request.whenBusy }
        (deadline, locale) = (request.deadline, request.locale)
        timeZone = request.clock?.timeZone
        if let clock = request.clock, clock.ahead != 0 { now = clock.now }
        if !request.attributes.isEmpty { attributes = request.attributes }
    }
}

// MARK: Values

/// Values by the names of parameters, in their own order.
struct RequestParameters: MemberValue {
    let states: [ParameterState]

    /// `nil` if there are none.
    init?(_ states: [ParameterState]) {
        if states.isEmpty { return nil }
        self.states = states
    }

    static var schema: ContractSchema { .shape(.parameters) }

    func encode(to writer: inout JSONWriter) { ShownValues(states: states).encode(to: &writer) }

    static func read(_ cursor: inout JSONCursor) throws(OutcomeError) -> RequestParameters? {
        if cursor.kind == .null { return nil }
        guard cursor.kind == .object else {
            throw OutcomeError(.invalid, "'parameters' is an object of values by name", "parameters")
        }
        var states: [ParameterState] = []
        states.reserveCapacity(8)
        try cursor.object { word, value throws(OutcomeError) in
            let name = word.string
            guard EventBounds.parameter ~= name.utf8.count, !name.hasControlCharacters else {
                throw OutcomeError(
                    .invalid,
                    "the name of a parameter has at most \(EventBounds.parameter.upperBound) bytes, and no control characters",
                    "parameters")
            }
            states.append(ParameterState(name: name, value: value.json()))
        }
        return RequestParameters(states)
    }
}

/// The sender's confidence in values, by the names of parameters.
struct RequestConfidences: MemberValue {
    let values: [(name: String, number: Double)]

    /// `nil` if there are none.
    init?(_ values: [(name: String, number: Double)]) {
        if values.isEmpty { return nil }
        self.values = values
    }

    static var schema: ContractSchema { .map(of: .number(EventBounds.confidence)) }

    func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        for (name, number) in values {
            writer.name(named: name)
            writer.number(number)
        }
        writer.endObject()
    }

    static func read(_ cursor: inout JSONCursor) throws(OutcomeError) -> RequestConfidences? {
        if cursor.kind == .null { return nil }
        guard cursor.kind == .object else {
            throw OutcomeError(
                .invalid, "'confidence' is an object of numbers from 0 to 1, by parameter", "confidence")
        }
        var values: [(String, Double)] = []
        try cursor.object { name, value throws(OutcomeError) in
            guard let number = value.double(), EventBounds.confidence ~= number else {
                throw OutcomeError(
                    .invalid, "the confidence of '\(name.string.prefix(64))' is not a number from 0 to 1", "confidence")
            }
            values.append((name.string, number))
        }
        return RequestConfidences(values)
    }
}

/// The intents that the person may have meant.
struct RequestCandidates: MemberValue {
    var candidates: [IntentCandidate]

    static var schema: ContractSchema { .list(of: IntentCandidate.schema, 1...IntentCandidate.maximumCount) }
    mutating func encode(to writer: inout JSONWriter) { candidates.encode(to: &writer) }

    static func read(_ cursor: inout JSONCursor) throws(OutcomeError) -> RequestCandidates? {
        if cursor.kind == .null { return nil }
        let elements = cursor.kind == .array ? cursor.json().view.elements : []
        guard 1...IntentCandidate.maximumCount ~= elements.count else {
            throw OutcomeError(
                .invalid, "'candidates' is a list of 1 to \(IntentCandidate.maximumCount) intents", "candidates")
        }
        var candidates: [IntentCandidate] = []
        for element in elements {
            guard let candidate = try IntentCandidate.read(element.json),
                !candidates.contains(where: { $0.intent == candidate.intent })
            else { throw IntentCandidate.misuse }
            candidates.append(candidate)
        }
        return RequestCandidates(candidates: candidates)
    }
}

extension IntentCandidate: MemberObject {
    static var shape: ContractShape? { .candidate }

    mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.required(
            "intent", &intent, as: .name(EventBounds.intent), "The intent's name. No two candidates have the same.")
        try coder.required("confidence", &confidence, as: .number(EventBounds.confidence), "How sure the sender is.")
        let name = MemberRule<String>.perhapsName
        try coder.checked(
            "title", &title, .optional, MemberRule(name.schema.orNull, name.problem),
            "The intent in words, if the person is asked. An empty one is none.")
        var values = RequestParameters(parameters)
        try coder.optional("parameters", &values, as: RequestParameters.schema.orNull, "The values if it is this one.")
        if Coder.isReading { parameters = values?.states ?? [] }
    }

    mutating func finishReading(isWhole: Bool) throws(OutcomeError) -> Bool {
        if title?.isEmpty == true { title = nil }
        if isWhole, MemberRule<String>.intent.problem(intent.text, "intent") == nil,
            EventBounds.confidence ~= confidence
        {
            return true
        }
        throw Self.misuse
    }

    fileprivate static var misuse: OutcomeError {
        OutcomeError(
            .invalid, "a candidate has an 'intent', each another one, and a 'confidence' from 0 to 1", "candidates")
    }
}

/// Keys of memory. A list that is read only in part would not forget all that the sender wants forgotten; one that isn't
/// read at all would forget everything.
struct MemoryKeys: MemberValue {
    var keys: [String]

    static var schema: ContractSchema { .texts }
    mutating func encode(to writer: inout JSONWriter) { keys.encode(to: &writer) }

    static func read(_ cursor: inout JSONCursor) throws(OutcomeError) -> MemoryKeys? {
        if cursor.kind == .null { return nil }
        let view = cursor.json().view
        let keys = view.elements.compactMap(\.string)
        guard view.kind == .array, keys.count == view.elements.count else {
            throw OutcomeError(.invalid, "'keys' is a list of texts", "keys")
        }
        return MemoryKeys(keys: keys)
    }
}
