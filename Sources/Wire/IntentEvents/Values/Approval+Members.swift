package import Conversation
package import IntentModel

// An approval on the wire and in the journal. It is read strictly: one that is read in part would let others agree than
// its author meant, or fewer of them. Durations are milliseconds, or lengths of time as text.

extension Approval: MemberObject {
    package static var blank: Approval { Approval(by: []) }
    package static var shape: ContractShape? { .approval }

    package mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.optional(
            "approvers", &approvers, unless: [], as: .list(of: Approver.schema, 0...Self.maximumApprovers),
            "Who may agree.")
        try coder.optional("count", &count, unless: 1, as: .integer(Self.counts), "How many have to; 1 by default.")
        try coder.flag("includesRequester", &includesRequester, "The requester may be one of them.")
        try coder.optional("timeout", &timeout, unless: Self.blank.timeout, "How long they have; 7 days by default.")
        try coder.optional(
            "reminders", &reminders, unless: Self.usualReminders(within: timeout),
            as: .list(of: Duration.schema, 0...Self.maximumReminders),
            "After how long they are reminded; every three days by default.")
        try coder.optional("escalation", &escalation, "Who may agree as well, and after how long.")
    }

    package static func read(_ cursor: inout JSONCursor) throws(OutcomeError) -> Approval? {
        let view = cursor.json().view
        if view.isNull { return nil }
        let reader = try StrictReader(view, "an approval")
        var approval = blank
        approval.approvers = try reader.list("approvers", Approver.init(strict:)) ?? []
        approval.count = try reader.value("count", "a whole number", \.int) ?? 1
        approval.includesRequester = try reader.value("includesRequester", "true or false", \.bool) ?? false
        approval.timeout = try reader.value("timeout", "a length of time", \.answerDuration) ?? blank.timeout
        approval.reminders =
            try reader.list("reminders") { view throws(OutcomeError) in
                guard let duration = view.answerDuration else {
                    throw StrictReader.problem("a reminder of an approval is a length of time")
                }
                return duration
            } ?? usualReminders(within: approval.timeout)
        if let escalation = reader["escalation"] { approval.escalation = try Escalation(strict: escalation) }
        if let problem = approval.problem { throw StrictReader.problem("an approval \(problem)") }
        return approval
    }
}

extension Approval.Escalation: MemberObject {
    package static var blank: Approval.Escalation { Approval.Escalation(after: .zero, to: []) }

    package mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.required("after", &after, "After how long.")
        try coder.required("to", &to, as: .list(of: Approver.schema, 1...Approval.maximumApprovers), "Who they are.")
    }

    fileprivate init(strict view: JSONView) throws(OutcomeError) {
        let reader = try StrictReader(view, "the escalation of an approval")
        self.init(
            after: try reader.value("after", "a length of time", \.answerDuration) ?? .zero,
            to: try reader.list("to", Approver.init(strict:)) ?? [])
    }
}

extension Approver: MemberObject {
    package static var blank: Approver { .role("") }
    package static var shape: ContractShape? { .approver }

    package mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        var (kind, id, role): (Principal.Kind?, Identifier?, Identifier?)
        switch self {
        case .principal(let principal): (kind, id, role) = (principal.kind, principal.id, nil)
        case .role(let name): (kind, id, role) = (nil, nil, name)
        }
        try coder.optional("type", &kind, "Of a principal, as in authtype.")
        try coder.optional("id", &id, "Who that is, as in authid.")
        try coder.optional("role", &role, "Instead: all principals with this role in the roles of authclaims.")
    }

    package static func read(_ cursor: inout JSONCursor) throws(OutcomeError) -> Approver? {
        try Approver(strict: cursor.json().view)
    }

    package static func read(_ cursor: inout JSONCursor, into approvers: inout [Approver]) throws(OutcomeError) {
        approvers.append(try Approver(strict: cursor.json().view))
    }

    fileprivate init(strict view: JSONView) throws(OutcomeError) {
        let reader = try StrictReader(view, "an approver")
        let role = reader["role"].flatMap(\.identifier)
        let kind = reader["type"].flatMap(\.string).flatMap(Principal.Kind.init)
        let id = reader["id"].flatMap(\.identifier)
        if let role, reader["type"] == nil, reader["id"] == nil, Self.isRole(role) {
            self = .role(role)
        } else if let kind, let id, reader["role"] == nil, Principal(kind, id).isValid {
            self = .principal(Principal(kind, id))
        } else {
            throw StrictReader.problem("an approver is a 'role', or the 'type' and the 'id' of a principal")
        }
    }
}

/// Reads the members of an object, each of which has the right type or is left out.
private struct StrictReader {
    private let view: JSONView
    private let what: String

    init(_ view: JSONView, _ what: String) throws(OutcomeError) {
        guard view.kind == .object else { throw Self.problem("\(what) is an object") }
        (self.view, self.what) = (view, what)
    }

    static func problem(_ message: String) -> OutcomeError { OutcomeError(.invalid, message, "approval") }

    subscript(name: String) -> JSONView? { view[name].flatMap { $0.isNull ? nil : $0 } }

    func value<Value>(_ name: String, _ type: String, _ read: (JSONView) -> Value?) throws(OutcomeError) -> Value? {
        guard let member = self[name] else { return nil }
        guard let value = read(member) else { throw Self.problem("'\(name)' of \(what) is \(type)") }
        return value
    }

    func list<Value>(_ name: String, _ read: (JSONView) throws(OutcomeError) -> Value) throws(OutcomeError) -> [Value]?
    {
        guard let member = self[name] else { return nil }
        guard member.kind == .array else { throw Self.problem("'\(name)' of \(what) is a list") }
        var values: [Value] = []
        for element in member.elements { values.append(try read(element)) }
        return values
    }
}

extension Consent: MemberObject {
    package static var blank: Consent { Consent(nil, at: Instant(milliseconds: 0)) }
    package static var shape: ContractShape? { .consent }

    package mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.optional("principal", &principal, "Who has agreed; left out if they are not authenticated.")
        try coder.flag("requester", &isRequester, "The requester.")
        try coder.required("time", &time, "When.")
    }
}

/// An approval as the person's side sees it.
package struct ShownApproval: MemberObject, Sendable {
    package var approvers: [Approver]
    package var count: Int
    package var includesRequester: Bool
    package var consents: [Consent]
    /// The principals in whose place another one may agree.
    private var delegators: [Principal]
    private var escalates: Instant?

    init?(_ waiting: Prompt.Waiting?) {
        guard let waiting, let approval = waiting.approval else { return nil }
        (approvers, count, includesRequester) = (waiting.approvers, approval.count, approval.includesRequester)
        (consents, delegators) = (waiting.consents, waiting.delegators)
        escalates = waiting.isEscalated ? nil : approval.escalation.map { waiting.since.advanced(by: $0.after) }
    }

    private init() { (approvers, count, includesRequester, consents, delegators) = ([], 1, false, [], []) }

    package static var blank: ShownApproval { ShownApproval() }

    /// `true` if the principal is one of those who may agree. Whether they are the requester is not known here.
    package func includes(_ principal: Principal, _ roles: [Identifier]) -> Bool {
        !delegators.contains { $0.isSame(as: principal) } && approvers.contains { $0.includes(principal, roles) }
    }

    /// The text for people who read English, such as "2 of: the requester, bob, the role finance".
    package var inWords: String {
        let names = approvers.map { approver in
            switch approver {
            case .principal(let principal): principal.id.text.onOneLine
            case .role(let role): "the role \(role.text.onOneLine)"
            }
        }
        let all = (includesRequester ? ["the requester"] : []) + names
        let agreed = consents.isEmpty ? "" : ", \(consents.count) of whom have agreed"
        return (count > 1 ? "\(count) of: " : "") + all.joined(separator: count > 1 ? ", " : " or ") + agreed
    }

    package func hasAgreed(_ principal: Principal) -> Bool {
        consents.contains { $0.isOf(principal) }
    }

    package mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.required("approvers", &approvers, "Who may agree.")
        try coder.required("count", &count, "How many have to.")
        try coder.flag("includesRequester", &includesRequester, "The requester may be one of them.")
        try coder.optional("agreed", &consents, unless: [], "Who has agreed so far.")
        try coder.optional("delegators", &delegators, unless: [], "In whose place another one may agree.")
        try coder.optional("escalates", &escalates, "When others may agree as well.")
    }
}

extension Agreement {
    /// The members of an agreement in a completion.
    struct Shown: MemberObject {
        var agreement: Agreement

        static var blank: Shown { Shown(agreement: Agreement()) }

        mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
            try coder.required("prompt", &agreement.prompt, "The prompt that they have answered.")
            try coder.required("by", &agreement.consents, "Who has agreed, and when.")
            try coder.required("dialog", &agreement.dialog, "What they were asked.")
            try coder.optional("summary", &agreement.summary, "The intent in a sentence.")
            var listed = agreement.parameters.map(ListedParameter.init)
            try coder.optional("parameters", &listed, unless: [], "The values that they have agreed to.")
        }
    }
}

// MARK: In the journal

extension Approval: JournalMemberObject {}
extension Consent: JournalMemberObject {}
extension Approver: JournalMemberObject {}

extension Duration: JournalValue {
    func write(to writer: inout JSONWriter) { encode(to: &writer) }

    init(journal view: JSONView) throws(JournalFault) { self = .milliseconds(try Int(journal: view)) }
}

extension Prompt.Waiting: JournalObject {
    static var blank: Prompt.Waiting {
        Prompt.Waiting(since: Instant(milliseconds: 0), ends: Instant(milliseconds: 0), reminders: [])
    }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("since", &since)
        try coder.field("ends", &ends)
        try coder.field("reminders", &reminders, default: [])
        try coder.field("reminded", &reminded, default: 0)
        try coder.field("approval", &$approval)
        try coder.field("consents", &consents, default: [])
        try coder.field("added", &added, default: [])
        try coder.field("delegators", &delegators, default: [])
        try coder.field("escalated", &isEscalated, default: false)
    }
}

extension Agreement: JournalObject {
    static var blank: Agreement { Agreement() }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("prompt", &prompt)
        try coder.field("by", &consents)
        try coder.field("dialog", &dialog)
        try coder.field("summary", &summary)
        try coder.field("parameters", &parameters, default: [])
        try coder.field("approval", &approval)
    }
}
