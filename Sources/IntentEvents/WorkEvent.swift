public import Conversation
import IntentModel
public import RecordLog

/// An event on a work topic.
public struct WorkEvent: Sendable {
    public var session: String
    public var item: WorkItem

    /// - Throws: ``EventError``.
    public init(_ record: ConsumedRecord) throws(EventError) {
        session = try SessionKey.read(record)
        let event = try CloudEvent(record, limits: .journal)
        let name = event.type ?? ""
        guard let type = EventType(rawValue: name), let kind = WorkItem.Kind(type) else {
            throw .unknownType(name, "no work")
        }
        var item = WorkItem(kind: kind, phase: kind.phase ?? .handle, request: "", step: -1, intent: "", trace: event.trace)
        event.data.forEachMember { name, value in
            switch name {
            case "request": item.request = value.string ?? ""
            case "step": item.step = value.int ?? -1
            case "phase": item.phase = value.string.flatMap(Phase.init) ?? item.phase
            case "inApp": item.isInApp = value.bool ?? false
            case "attempt": item.attempt = value.int ?? 1
            case "intent": item.intent = value.string ?? ""
            case "parameters": item.parameters = value.parameterStates
            case "deadline": item.deadline = value.string.flatMap(Instant.init(rfc3339:))
            case "idempotencyKey": item.idempotencyKey = value.string ?? ""
            case "effect": item.effect = value.string.flatMap(IntentEffect.init)
            case "claim": item.claim = value.string
            case "reason": item.reason = value.string.flatMap(CancellationReason.init)
            case "locale": item.locale = value.string
            case "attributes": item.attributes = value.values
            case "answers": item.answers = value.answers
            case "recorded": item.recorded = value.values
            case "memory": item.memory = value.values
            default: break
            }
        }
        guard !item.request.isEmpty, item.step >= 0, !item.intent.isEmpty else {
            throw EventError(.invalid, "work needs 'request', 'step' and 'intent'", field: "request", isDeadLetter: true)
        }
        self.item = item
    }
}

extension EventEncoder {
    /// The work topic's record for an item.
    public mutating func record(_ item: WorkItem, session: String, topics: Topics, partition: Int32, at now: Instant) -> Record {
        var writer = JSONWriter(reserving: 512)
        writer.beginObject()
        writer.member("request", item.request)
        writer.member("step", item.step)
        writer.member("intent", item.intent)
        switch item.kind {
        case .cancel:
            writer.member("phase", item.phase.rawValue)
            writer.member("reason", ifPresent: item.reason?.rawValue)
            if let deadline = item.deadline { writer.member("deadline", deadline.description) }
        case .permit:
            writer.member("phase", item.phase.rawValue)
            writer.member("claim", ifPresent: item.claim)
        case .resolve, .confirm, .handle, .update:
            writer.member("attempt", item.attempt)
            writer.parameterStates(item.parameters)
            if let deadline = item.deadline { writer.member("deadline", deadline.description) }
            writer.member("idempotencyKey", item.idempotencyKey)
            writer.member("effect", ifPresent: item.effect?.rawValue)
            writer.member("locale", ifPresent: item.locale)
            if !item.attributes.isEmpty { writer.object("attributes", item.attributes) }
            writer.answers(item.answers)
            if !item.recorded.isEmpty { writer.object("recorded", item.recorded) }
            if !item.memory.isEmpty { writer.object("memory", item.memory) }
        }
        if item.isInApp { writer.member("inApp", true) }
        writer.endObject()
        let type: EventType
        switch item.kind {
        case .resolve: type = .resolve
        case .confirm: type = .confirm
        case .handle: type = .handle
        case .cancel: type = .cancel
        case .permit: type = .permit
        case .update: type = .update
        }
        let topic: String
        switch item.phase {
        case .resolve: topic = topics.resolve
        case .confirm: topic = topics.confirm
        case .handle: topic = item.isInApp ? topics.handleInApp : topics.handle
        }
        return Record(
            topic: topic, partition: partition, key: Bytes(session.utf8), value: writer.bytes,
            headers: headers(
                type, id: "\(Session.key(session: session, request: item.request)).\(item.step).\(item.kind.rawValue)",
                subject: item.request, at: now, trace: item.trace),
            timestamp: now.milliseconds)
    }
}

extension WorkItem.Kind {
    init?(_ type: EventType) {
        switch type {
        case .resolve: self = .resolve
        case .confirm: self = .confirm
        case .handle: self = .handle
        case .cancel: self = .cancel
        case .permit: self = .permit
        case .update: self = .update
        default: return nil
        }
    }

    var phase: Phase? {
        switch self {
        case .resolve: .resolve
        case .confirm: .confirm
        case .handle, .update: .handle
        case .cancel, .permit: nil
        }
    }
}

extension JSONView {
    /// Parameters with their states, as work carries them.
    var parameterStates: [ParameterState] {
        var states: [ParameterState] = []
        states.reserveCapacity(8)
        forEachMember { name, view in
            var state = ParameterState(name: name, value: nil)
            view.forEachMember { name, value in
                switch name {
                case "value": state.value = value.json
                case "state": state.origin = value.string.flatMap(ParameterState.Origin.init) ?? .given
                case "elements": state.elements = value.origins
                case "secret": state.isSecret = value.bool ?? false
                default: break
                }
            }
            states.append(state)
        }
        return states
    }

    /// How the elements of a list came about.
    var origins: [ParameterState.Origin] { elements.map { $0.string.flatMap(ParameterState.Origin.init) ?? .given } }

    /// What was answered to the questions of a phase.
    var answers: [PhaseAnswer] {
        elements.compactMap { view in
            guard let question = view["question"]?.string else { return nil }
            return PhaseAnswer(question: question, isAccepted: view["accepted"]?.bool ?? false, value: view["value"]?.json)
        }
    }
}

extension JSONWriter {
    mutating func parameterStates(_ parameters: [ParameterState]) {
        name("parameters")
        beginObject()
        for parameter in parameters {
            name(named: parameter.name)
            beginObject()
            member("value", ifPresent: parameter.value)
            member("state", parameter.origin.rawValue)
            if let elements = parameter.elements { origins("elements", elements) }
            if parameter.isSecret { member("secret", true) }
            endObject()
        }
        endObject()
    }

    mutating func origins(_ name: StaticString, _ origins: [ParameterState.Origin]) {
        self.name(name)
        beginArray()
        for origin in origins { string(origin.rawValue) }
        endArray()
    }

    /// Nothing at all if there are none.
    mutating func answers(_ answers: [PhaseAnswer]) {
        if answers.isEmpty { return }
        name("answers")
        beginArray()
        for answer in answers {
            beginObject()
            member("question", answer.question)
            member("accepted", answer.isAccepted)
            member("value", ifPresent: answer.value)
            endObject()
        }
        endArray()
    }
}
