public import Conversation
public import IntentModel
public import RecordLog

/// An event on a work topic.
public struct WorkEvent: Sendable {
    public var session: Identifier
    public var work: Work
    /// The record's timestamp, by the clock of the coordinator or of the broker; `nil` if the record has none.
    public let sent: Instant?
    /// How long the work may take, or how long a cancelled handler may clean up, counted from ``sent``. At least zero; `nil` without a limit.
    public let timeLimit: Duration?
    /// How long the request may take, whatever its handler reports, counted from ``sent``. At least zero; `nil` without a limit.
    public let requestTimeLimit: Duration?

    /// - Throws: ``EventError``.
    public init(_ record: ConsumedRecord) throws(EventError) {
        var limits = WorkLimits()
        session = try SessionKey.read(record)
        let event = try CloudEvent(record, limits: .journal)
        guard let type = event.type, let phase = type.workPhase else { throw .unknownType(event.typeName, "no work") }
        let address = WorkAddress(request: "", step: -1, intent: "", phase: phase, trace: event.trace)
        let isNamed: Bool
        var deadline: Instant?
        var requestDeadline: Instant?
        switch type {
        case .cancel:
            let cancel = WorkCancel(reading: event.data, address, &limits)
            (work, isNamed, deadline) = (.cancel(cancel), cancel.address.isNamed, cancel.deadline)
        case .permit:
            let permit = WorkPermit(reading: event.data, address)
            (work, isNamed) = (.permit(permit), permit.address.isNamed)
        default:
            let item = WorkItem(reading: event.data, address, &limits)
            (isNamed, deadline, requestDeadline) = (item.address.isNamed, item.deadline, item.requestDeadline)
            work = type == .update ? .update(item) : .item(item)
        }
        sent = record.timestamp >= 0 ? Instant(milliseconds: record.timestamp) : nil
        timeLimit = Self.limit(limits.timeLimit, until: deadline, from: sent)
        requestTimeLimit = Self.limit(limits.requestTimeLimit, until: requestDeadline, from: sent)
        guard isNamed else {
            throw EventError(
                .invalid, "work needs 'request', 'step' and 'intent'", field: "request", isDeadLetter: true)
        }
    }

    /// Earlier versions write only the deadline. It is by the clock of the coordinator, which has set the timestamp too.
    private static func limit(_ milliseconds: Int?, until deadline: Instant?, from sent: Instant?) -> Duration? {
        if let milliseconds { return .milliseconds(max(0, milliseconds)) }
        guard let deadline, let sent else { return nil }
        return max(.zero, sent.duration(to: deadline))
    }
}

/// The time limits of a work record as they are written, in milliseconds.
private struct WorkLimits {
    var timeLimit: Int?
    var requestTimeLimit: Int?

    /// Reads one member; `false` if it is no time limit.
    mutating func read(_ name: JSONWord, _ value: inout JSONCursor) -> Bool {
        switch name {
        case "timeLimit": timeLimit = value.int()
        case "requestTimeLimit": requestTimeLimit = value.int()
        default: return false
        }
        return true
    }
}

extension EventEncoder {
    /// The record of a work topic.
    ///
    /// - Parameter trace: the trace context of its header. Defaults to that of the work.
    public mutating func record(
        _ work: Work, session: Identifier, topics: Topics, partition: Int32, trace: TraceContext? = nil, at now: Instant
    ) -> Record {
        // Each look at a work item copies it.
        let address = work.address
        let kind = work.kind(in: address.phase)
        var writer = JSONWriter(reserving: 512)
        writer.beginObject()
        writer.member("request", address.request)
        writer.member("step", address.step)
        writer.member("intent", address.intent)
        switch work {
        case .item(let item), .update(let item): writer.workItem(item, at: now)
        case .cancel(let cancel):
            writer.member("phase", address.phase.rawValue)
            writer.member("reason", ifPresent: cancel.reason?.rawValue)
            if let deadline = cancel.deadline {
                writer.member("deadline", deadline.description)
                writer.member("timeLimit", deadline.timeLeft(at: now))
            }
        case .permit(let permit):
            writer.member("phase", address.phase.rawValue)
            writer.member("claim", ifPresent: permit.claim)
        }
        if address.isInApp { writer.member("inApp", true) }
        writer.member("service", ifPresent: address.service)
        writer.endObject()
        return Record(
            topic: topics.work(address.phase, inApp: address.isInApp), partition: partition, key: Bytes(session.utf8),
            value: writer.bytes,
            headers: headers(
                kind.type, id: EventID.bytes(session: session, request: address.request, address.step, kind.rawValue),
                subject: address.request, at: now, trace: trace ?? address.trace),
            timestamp: now.milliseconds)
    }
}

extension EventType {
    /// The phase whose workers get work of this type, where the event does not name it; `nil` if it is not work.
    fileprivate var workPhase: Phase? {
        switch self {
        case .resolve: .resolve
        case .confirm: .confirm
        case .handle, .update, .cancel, .permit: .handle
        default: nil
        }
    }
}

extension Work.Kind {
    public var type: EventType {
        switch self {
        case .resolve: .resolve
        case .confirm: .confirm
        case .handle: .handle
        case .update: .update
        case .cancel: .cancel
        case .permit: .permit
        }
    }
}

extension WorkAddress {
    fileprivate var isNamed: Bool { !request.isEmpty && step >= 0 && !intent.isEmpty }

    /// Reads one member; `false` if it is not about the address.
    fileprivate mutating func read(_ name: JSONWord, _ value: inout JSONCursor) -> Bool {
        switch name {
        case "request": request = Identifier(value.string() ?? "")
        case "step": step = value.int() ?? -1
        case "intent": intent = Identifier(value.string() ?? "")
        case "inApp": isInApp = value.bool() ?? false
        case "service": service = value.string()
        default: return false
        }
        return true
    }
}

extension WorkItem {
    fileprivate init(reading data: JSONView, _ address: WorkAddress, _ limits: inout WorkLimits) {
        self.init(address)
        // The address comes first, in what is written here, and the members of most work come before the others.
        var isInAddress = true
        data.withCursor { cursor in
            cursor.object { name, value in
                if isInAddress, self.address.read(name, &value) { return }
                isInAddress = false
                switch name {
                case "ticket": ticket = value.word().flatMap(Ticket.init)
                case "attempt": attempt = value.int() ?? 1
                case "parameters": parameters = value.parameterStates()
                case "deadline": deadline = value.word().flatMap(Instant.init)
                case "timeLimit": limits.timeLimit = value.int()
                case "idempotencyKey": idempotencyKey = Identifier(value.string() ?? "")
                case "locale": locale = value.string()
                case "inProgressTimeout": inProgressTimeout = data.part(value.range()).boundedDuration
                case "effect": effect = value.string().flatMap(IntentEffect.init)
                case "requestDeadline": requestDeadline = value.word().flatMap(Instant.init)
                case "timeZone": timeZone = value.string()
                case "now": now = value.word().flatMap(Instant.init)
                case "attributes": attributes = data.part(value.range()).values
                case "principal": principal = data.part(value.range()).principal
                case "answers": answers = data.part(value.range()).answers
                case "recorded": recorded = data.part(value.range()).values
                case "memory": memory = data.part(value.range()).values
                default: if !limits.read(name, &value) { _ = self.address.read(name, &value) }
                }
            }
        }
    }
}

extension Instant {
    /// A time as RFC 3339 has it.
    fileprivate init?(_ word: JSONWord) {
        guard let milliseconds = word.isEscaped ? Timestamp.parse(word.string) : Timestamp.parse(word.bytes) else {
            return nil
        }
        self.init(milliseconds: milliseconds)
    }

    /// The milliseconds until this instant; 0 if it has passed.
    fileprivate func timeLeft(at now: Instant) -> Int { Int(max(0, milliseconds(since: now))) }
}

extension JSONView {
    /// `nil` if it names none, or one of a kind that this version does not know.
    var principal: Principal? {
        guard let kind = self["type"]?.string.flatMap(Principal.Kind.init), let id = self["id"]?.identifier else {
            return nil
        }
        return Principal(kind, id)
    }
}

extension WorkCancel {
    fileprivate init(reading data: JSONView, _ address: WorkAddress, _ limits: inout WorkLimits) {
        var cancel = WorkCancel(address)
        data.withCursor { cursor in
            cursor.object { name, value in
                if cancel.address.read(name, &value) { return }
                switch name {
                case "phase": cancel.address.phase = value.string().flatMap(Phase.init) ?? cancel.address.phase
                case "reason": cancel.reason = value.string().flatMap(CancellationReason.init)
                case "deadline": cancel.deadline = value.word().flatMap(Instant.init)
                default: _ = limits.read(name, &value)
                }
            }
        }
        self = cancel
    }
}

extension WorkPermit {
    fileprivate init(reading data: JSONView, _ address: WorkAddress) {
        var permit = WorkPermit(address, claim: nil)
        data.withCursor { cursor in
            cursor.object { name, value in
                if permit.address.read(name, &value) { return }
                switch name {
                case "phase": permit.address.phase = value.string().flatMap(Phase.init) ?? permit.address.phase
                case "claim": permit.claim = value.string()
                default: break
                }
            }
        }
        self = permit
    }
}

extension JSONWriter {
    fileprivate mutating func workItem(_ item: WorkItem, at now: Instant) {
        member("ticket", ifPresent: item.ticket?.description)
        member("attempt", item.attempt)
        parameterStates(item.parameters)
        if let deadline = item.deadline {
            member("deadline", deadline.description)
            member("timeLimit", deadline.timeLeft(at: now))
        }
        member("idempotencyKey", item.idempotencyKey)
        member("effect", ifPresent: item.effect?.rawValue)
        if let timeout = item.inProgressTimeout { member("inProgressTimeout", PolicyBounds.milliseconds(timeout)) }
        if let deadline = item.requestDeadline {
            member("requestDeadline", deadline.description)
            member("requestTimeLimit", deadline.timeLeft(at: now))
        }
        member("locale", ifPresent: item.locale)
        member("timeZone", ifPresent: item.timeZone)
        if let now = item.now { member("now", now.description) }
        if !item.attributes.isEmpty { object("attributes", item.attributes) }
        if let principal = item.principal { self.principal(principal) }
        answers(item.answers)
        if !item.recorded.isEmpty { object("recorded", item.recorded) }
        if !item.memory.isEmpty { object("memory", item.memory) }
    }
}

extension JSONWriter {
    mutating func principal(_ principal: Principal) {
        name("principal")
        beginObject()
        member("type", principal.kind.rawValue)
        member("id", principal.id)
        endObject()
    }
}
