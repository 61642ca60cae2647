public import Conversation
public import IntentModel
package import RecordLog

/// A session with the results that are not known to be acknowledged: a session's value in the journal.
///
/// Only coordinators read it. Times are milliseconds.
public struct JournaledSession: Sendable, Hashable {
    public var session: Session
    public var unacknowledged: [EncodedResult]
    /// Not `nil` if the session is forgotten: until when the ids of its last requests are known. All of it but these ids is blank then, so that a version
    /// without this field reads an idle session that may be forgotten.
    var forgotten: Instant?

    public init(_ session: Session, unacknowledged: [EncodedResult] = []) {
        self.session = session
        self.unacknowledged = unacknowledged
    }

    /// A session that is forgotten, but for the ids of its requests.
    public init(_ remains: ForgottenSession, of id: Identifier, at now: Instant) {
        self.init(Session(id: id, rememberedRequests: remains.requests, updated: now))
        session.onceRequests = remains.once
        forgotten = remains.until
    }

    /// The format of its record: a version that does not know approvals must not continue one, and can't read reminders.
    package var format: Int {
        let isNew = session.hasApproval || unacknowledged.contains { $0.type == .promptReminded }
        return isNew ? JournalStamp.currentFormat : JournalStamp.usualFormat
    }

    /// What is known of the session if it is forgotten; `nil` if it is open.
    public var remains: ForgottenSession? {
        forgotten.map { ForgottenSession(requests: session.rememberedRequests, until: $0, once: session.onceRequests) }
    }

    /// Whether a session's value in the journal has nothing but what is known of a forgotten session.
    package static func isForgotten(_ value: Bytes) -> Bool {
        // Only a session without results can be.
        guard value.starts(with: #"{"sequence":0,"#.utf8) else { return false }
        return (try? JSONView(parsing: value, limits: .journal))?["forgotten"] != nil
    }

    init(_ view: JSONView, id: Identifier) throws(JournalFault) {
        self.init(Session(id: id, updated: Instant(milliseconds: 0)))
        var reader = try JournalReader(view)
        try fields(&reader)
    }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("sequence", &session.sequence)
        try coder.field("updated", &session.updated)
        try coder.field("owner", &session.owner)
        try coder.field("ownerNamed", &session.isOwnerNamed, default: false)
        try coder.field("active", &session.active)
        // Almost always the last change has begun the step.
        var step = session.active?.times.step ?? session.updated
        try coder.field("stepBegan", &step, default: session.updated)
        try coder.field("suspended", &session.suspended, default: [])
        if Coder.isReading { session.active?.times.step = step }
        if Coder.isReading || !session.suspended.isEmpty {
            var steps = session.suspended.map { $0.times.step }
            if steps.allSatisfy({ $0 == session.updated }) { steps = [] }
            try coder.field("suspendedSince", &steps, default: [])
            if Coder.isReading {
                for index in session.suspended.indices {
                    session.suspended[index].times.step = steps.indices.contains(index) ? steps[index] : session.updated
                }
            }
        }
        try coder.field("queued", &session.queued, default: [])
        try coder.field("handoffs", &session.handoffs, default: [])
        try coder.field("unanswered", &session.abandoned, default: [])
        try coder.field("updates", &session.updates, default: [])
        try coder.field("remembered", &session.rememberedRequests, default: [])
        try coder.once(&session.onceRequests)
        try coder.field("memory", &session.memory, default: SessionMemory())
        if Coder.isReading || !session.person.isEmpty {
            try coder.field("person", &session.person, default: PersonMemory())
        }
        try coder.field("undoable", &session.undoable, default: [])
        try coder.field("ending", &session.ending)
        try coder.field("unacknowledged", &unacknowledged, default: [])
        try coder.field("forgotten", &forgotten)
    }
}

extension Handoff: JournalObject {
    static var blank: Handoff {
        Handoff(
            id: "", request: "", mode: .foreground, activity: UserActivity(activityType: ""),
            interaction: Interaction(intent: "", parameters: [], code: .unspecified), expires: Instant(milliseconds: 0))
    }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("id", &id)
        try coder.field("request", &request)
        try coder.field("mode", &mode)
        try coder.field("activity", &activity)
        try coder.field("intent", &interaction.intent)
        try coder.parameters(&interaction.parameters)
        try coder.field("code", &interaction.code)
        try coder.field("response", &interaction.response, default: [:])
        try coder.field("returns", &returns, default: 0)
        try coder.field("expires", &expires)
        var (name, proof) = (claimant?.name, claimant?.proof)
        try coder.field("claimant", &name)
        try coder.field("claimProof", &proof)
        if Coder.isReading { claimant = name.map { Claimant($0, proof: proof) } }
    }
}

extension UndoableRequest: JournalObject {
    static var blank: UndoableRequest {
        UndoableRequest(request: .blank, undo: OpenedIntent(intent: ""), expires: Instant(milliseconds: 0))
    }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.bare("request", &request)
        try coder.field("intent", &undo.intent)
        try coder.field("values", &undo.parameters, default: [:])
        try coder.field("undoneBy", &undoneBy)
        try coder.field("expires", &expires)
    }
}

extension AbandonedWork: JournalObject {
    static var blank: AbandonedWork { AbandonedWork(request: "", intent: "", step: 0) }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("request", &request)
        try coder.field("intent", &intent)
        try coder.field("step", &step)
        try coder.field("ticket", &ticket)
        try coder.trace(&trace)
    }
}

extension LiveUpdates: JournalObject {
    static var blank: LiveUpdates {
        let zero = Instant(milliseconds: 0)
        return LiveUpdates(request: .blank, parameters: [], isInApp: false, step: 0, silentAt: zero, ends: zero)
    }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.bare("request", &request)
        try coder.parameters(&parameters)
        try coder.field("inApp", &isInApp, default: false)
        try coder.field("open", &isOpen, default: false)
        try coder.field("stopped", &isStopped, default: false)
        try coder.field("step", &step)
        try coder.field("ticket", &ticket)
        try coder.field("restarts", &restarts, default: 0)
        try coder.field("phase", &phase)
        try coder.field("told", &told)
        try coder.field("silentAt", &silentAt)
        try coder.field("ends", &ends)
    }
}

extension SessionEnding: JournalObject {
    static var blank: SessionEnding { SessionEnding() }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("reason", &reason)
    }
}

extension EncodedResult: JournalObject {
    static var blank: EncodedResult {
        EncodedResult(sequence: 0, type: .completed, request: nil, time: Instant(milliseconds: 0), data: .null)
    }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("sequence", &sequence)
        try coder.field("type", &type)
        try coder.field("request", &request)
        try coder.field("time", &time)
        try coder.trace(&trace)
        try coder.field("data", &data)
    }
}
