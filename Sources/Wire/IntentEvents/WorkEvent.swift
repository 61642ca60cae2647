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
            var cancel = WorkCancel(address)
            try event.data.readEvent { reader throws(OutcomeError) in try cancel.members(&reader, &limits) }
            (work, isNamed, deadline) = (.cancel(cancel), cancel.address.isNamed, cancel.deadline)
        case .permit:
            var permit = WorkPermit(address, claim: nil)
            try event.data.readEvent { reader throws(OutcomeError) in try permit.members(&reader) }
            (work, isNamed) = (.permit(permit), permit.address.isNamed)
        default:
            var item = WorkItem(address)
            try event.data.readEvent { reader throws(OutcomeError) in try item.members(&reader, &limits) }
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

/// The time limits of a work record as they are written, in milliseconds from the record's timestamp.
private struct WorkLimits {
    var timeLimit: Int?
    var requestTimeLimit: Int?
}

extension EventEncoder {
    /// The record of a work topic.
    ///
    /// - Parameter trace: the trace context of its header. Defaults to that of the work.
    public mutating func record(
        _ work: Work, session: Identifier, topics: Topics, partition: Int32, trace: TraceContext? = nil, at now: Instant
    ) -> Record {
        // Each look at a work item copies it.
        let address: WorkAddress
        var writer = JSONWriter(reserving: 512)
        writer.beginObject()
        switch work {
        case .item(var item), .update(var item):
            var limits = WorkLimits(
                timeLimit: item.deadline?.timeLeft(at: now), requestTimeLimit: item.requestDeadline?.timeLeft(at: now))
            item.members(&writer, &limits)
            address = item.address
        case .cancel(var cancel):
            var limits = WorkLimits(timeLimit: cancel.deadline?.timeLeft(at: now))
            cancel.members(&writer, &limits)
            address = cancel.address
        case .permit(var permit):
            permit.members(&writer)
            address = permit.address
        }
        writer.endObject()
        let kind = work.kind(in: address.phase)
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

extension Instant {
    /// The milliseconds until this instant; 0 if it has passed.
    fileprivate func timeLeft(at now: Instant) -> Int { Int(max(0, milliseconds(since: now))) }
}

// MARK: Members

extension Contract {
    static let work: [ContractEvent] = [
        work(.resolve, "Work: resolve the parameters.", on: [.resolve, .resolveInApp]),
        work(.confirm, "Work: check whether it can be done.", on: [.confirm, .confirmInApp]),
        work(.handle, "Work: do it.", on: handling),
        work(.update, "Report updates of a request that has succeeded.", on: handling),
        event(
            .cancel, "Cancels work: all steps up to this one. It comes on the topic of that work.",
            on: ContractTopic.work,
            ContractMember.list { describer in
                var (cancel, limits) = (WorkCancel(.blank), WorkLimits())
                cancel.members(&describer, &limits)
            }),
        event(
            .permit, "Permits one worker to call a once-only handler.", on: handling,
            ContractMember.list { describer in
                var permit = WorkPermit(.blank, claim: nil)
                permit.members(&describer)
            }),
    ]

    private static let handling: [ContractTopic] = [.handle, .handleInApp]

    private static func work(_ kind: Work.Kind, _ about: String, on topics: [ContractTopic]) -> ContractEvent {
        event(
            kind.type, about, on: topics,
            ContractMember.list { describer in
                var (item, limits) = (WorkItem(.blank), WorkLimits())
                item.members(&describer, &limits, of: kind)
            })
    }

    private static func event(
        _ type: EventType, _ about: String, on topics: [ContractTopic], _ members: [ContractMember]
    ) -> ContractEvent {
        ContractEvent(type, about, on: topics, by: [.coordinator], members)
    }
}

extension WorkAddress {
    fileprivate static let blank = WorkAddress(request: "", step: 0, intent: "", phase: .handle)

    fileprivate var isNamed: Bool { !request.isEmpty && step >= 0 && !intent.isEmpty }

    fileprivate mutating func members<Coder: MemberCoder & ~Copyable>(
        _ coder: inout Coder, namesPhase: Bool = false
    ) throws(Coder.Failure) {
        try coder.required("request", &request, as: .someText, "The request.")
        try coder.required("step", &step, "The step of the request.")
        try coder.required("intent", &intent, as: .someText, "The intent.")
        if namesPhase { try coder.required("phase", &self.phase, "The phase of the work.") }
    }

    /// The members that follow all others.
    fileprivate mutating func lastMembers<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.flag("inApp", &isInApp, "The app's workers get it.")
        try coder.optional(
            "service", &service, as: .text(matching: ServiceName.pattern),
            "The service whose workers get it; the default service if it is left out.")
    }
}

extension WorkItem {
    /// - Parameter kind: The kind of work that is described. Readers and writers go over the members of all.
    fileprivate mutating func members<Coder: MemberCoder & ~Copyable>(
        _ coder: inout Coder, _ limits: inout WorkLimits, of kind: Work.Kind? = nil
    ) throws(Coder.Failure) {
        try address.members(&coder)
        try coder.required("ticket", &ticket, as: Ticket.schema, "Copy it into each outcome.")
        try coder.required(
            "attempt", &attempt, as: .integer(from: 1), "How often the phase has been dispatched.")
        try coder.states("parameters", &parameters, "Each parameter by name.")
        try coder.required(
            "deadline", &deadline, as: .time, "When an outcome is no longer of use, by the coordinator's clock.")
        try coder.optional(
            "timeLimit", &limits.timeLimit,
            "The same in milliseconds from the record's timestamp: what a worker with another clock goes by.")
        try coder.required(
            "idempotencyKey", &idempotencyKey,
            "The same for every repeat: pass it on to calls that must not happen twice.")
        if kind == nil || kind == .handle {
            try coder.optional(
                "effect", &effect, "atMostOnce: the handler may only be called after a permit.")
            try coder.optional(
                "inProgressTimeout", &inProgressTimeout,
                "How long after a report an outcome is still of use, instead of until deadline.")
            try coder.optional(
                "requestDeadline", &requestDeadline,
                "When an outcome is no longer of use, whatever was reported, by the coordinator's clock.")
            try coder.optional(
                "requestTimeLimit", &limits.requestTimeLimit,
                "The same in milliseconds from the record's timestamp, whose clock may be another one.")
        }
        try coder.optional("locale", &locale, "As in the request.")
        try coder.optional("timeZone", &timeZone, "The person's time zone, if it is known.")
        try coder.optional(
            "now", &now, "When the person said what the phase reads, if it is not the time of this record.")
        try coder.optional("attributes", &attributes, unless: [:], "As in the request.")
        try coder.optional("principal", &principal, "Who has requested it, if they are authenticated.")
        if kind != .update {
            try coder.optional(
                "answers", &answers, unless: [], "What the person has answered to this phase's questions.")
            try coder.optional("recorded", &recorded, unless: [:], "What the phase has recorded, by name.")
        }
        if kind == nil || kind == .resolve {
            try coder.optional("said", &said, unless: [], "Answers in words to read, each with its question.")
        }
        try coder.optional("memory", &memory, unless: [:], "What is remembered, by key.")
        try address.lastMembers(&coder)
    }
}

extension WorkCancel {
    fileprivate mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder, _ limits: inout WorkLimits)
        throws(Coder.Failure)
    {
        try address.members(&coder, namesPhase: true)
        try coder.optional("reason", &reason, "Why.")
        try coder.optional(
            "deadline", &deadline, "How long the handler may clean up, by the coordinator's clock.")
        try coder.optional(
            "timeLimit", &limits.timeLimit, "The same in milliseconds from the record's timestamp.")
        try address.lastMembers(&coder)
    }
}

extension WorkPermit {
    fileprivate mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try address.members(&coder, namesPhase: true)
        try coder.required(
            "claim", &claim, as: .text, "The claim of intent.starting.v1 that is permitted.")
        try address.lastMembers(&coder)
    }
}
