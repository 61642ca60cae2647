/// The approval of an intent: the people who have to agree before it is handled, and the time that they have.
///
/// ```swift
/// static let confirmation: ConfirmationPolicy = .onlyIf { $0.amount.amount > 1_000 }
/// static let policy = IntentPolicy(
///     approval: Approval(
///         by: [.role("finance")], count: 2, timeout: .seconds(10 * 86_400),
///         escalation: .init(after: .seconds(7 * 86_400), to: [.role("board")])))
/// ```
/// The approval of a policy applies to each confirmation of the intent, and not to questions that code asks. With an
/// approval and without a ``Intent/confirmation`` of its own, an intent is always confirmed. Confirm may require another
/// approval for these values, with ``PhaseResponse/requiring(_:)``; it does not apply to values that handle proposes.
///
/// One no ends the request. The requester may cancel it, or change a value: then all have to agree again. After the
/// approval no question of handle may be about a parameter, and before it nothing is handed over to an app.
public struct Approval: Sendable, Hashable {
    /// The principals who may agree, at most ``maximumApprovers``.
    public var approvers: [Approver]
    /// The number of different principals who have to agree, from 1 to 10.
    public var count: Int
    /// `true` if the requester is one of those who may agree. With `false`, or if several have to agree, the request fails
    /// if nobody has authenticated the requester, because they can't be told from the others.
    public var includesRequester: Bool
    /// The time that they have in all, from a second to 30 days; the operator may set a shorter one.
    public var timeout: Duration
    /// The times after which they are reminded, counted from the prompt; at most ``maximumReminders``. By default every
    /// three days, because the results of Kafka are usually kept for seven.
    public var reminders: [Duration]
    /// The principals who may agree as well after some time.
    public var escalation: Escalation?

    /// The principals who may agree to an intent as well after some time.
    public struct Escalation: Sendable, Hashable {
        /// The time after which they may, counted from the prompt.
        public var after: Duration
        public var to: [Approver]

        public init(after: Duration, to: [Approver]) {
            self.after = after
            self.to = to
        }
    }

    public static let maximumApprovers = 16
    public static let maximumReminders = 16
    package static let counts = 1...10
    package static let timeouts = Duration.seconds(1)...Duration.seconds(30 * 24 * 3_600)

    public init(
        by approvers: [Approver], count: Int = 1, includesRequester: Bool = false,
        timeout: Duration = .seconds(7 * 24 * 3_600), reminders: [Duration]? = nil, escalation: Escalation? = nil
    ) {
        self.approvers = approvers
        self.count = count
        self.includesRequester = includesRequester
        self.timeout = timeout
        self.reminders = reminders ?? Self.usualReminders(within: timeout)
        self.escalation = escalation
    }

    /// The default of ``reminders``.
    package static func usualReminders(within timeout: Duration) -> [Duration] {
        (1...9).map { .seconds($0 * 3 * 24 * 3_600) }.filter { $0 < timeout }
    }

    /// The number of principals who can agree, the requester aside; `nil` if it is that of a role.
    package func mostAgreements(without requesters: [Principal]) -> Int? {
        var others: [Principal] = []
        for approver in approvers + (escalation?.to ?? []) {
            guard case .principal(let principal) = approver else { return nil }
            if !(others + requesters).contains(where: { $0.isSame(as: principal) }) { others.append(principal) }
        }
        return others.count
    }

    /// The reason why nobody could give the approval as it was meant; `nil` if there is none.
    package var problem: String? {
        let all = approvers + (escalation?.to ?? [])
        if let approver = all.first(where: { !$0.isValid }) {
            return "names \(approver): an id has 1 to 256 bytes and a role 1 to 128, without control characters"
        }
        if approvers.count > Self.maximumApprovers || escalation?.to.count ?? 0 > Self.maximumApprovers {
            return "names more than \(Self.maximumApprovers) approvers"
        }
        if !Self.counts.contains(count) {
            return "needs \(count) to agree; the number is \(Self.counts.lowerBound) to \(Self.counts.upperBound)"
        }
        if approvers.isEmpty, !includesRequester || all.isEmpty { return "names nobody else who may agree" }
        if let most = mostAgreements(without: []), count > most + (includesRequester ? 1 : 0) {
            return "needs \(count) to agree, and names \(most + (includesRequester ? 1 : 0)) who may"
        }
        if !Self.timeouts.contains(timeout) { return "has a timeout that is not 1 s to 30 days" }
        if reminders.count > Self.maximumReminders { return "has more than \(Self.maximumReminders) reminders" }
        if !(reminders.allSatisfy { $0 >= .seconds(1) && $0 < timeout }) {
            return "has a reminder that is not from 1 s to its timeout"
        }
        if let after = escalation?.after, after < .seconds(1) || after >= timeout {
            return "escalates at a time that is not from 1 s to its timeout"
        }
        if escalation?.to.isEmpty == true { return "escalates to nobody" }
        return nil
    }
}

/// A principal, or the principals of a role, who may agree to an intent.
public enum Approver: Sendable, Hashable, CustomStringConvertible {
    case principal(Principal)
    /// The principals whose token has this role, 1 to 128 bytes without control characters: `roles` in the CloudEvents
    /// attribute `authclaims` of their answer.
    case role(Identifier)

    /// Reads `role:NAME`, or the type and the id of a principal such as `app_user:ann`.
    package init?(text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return nil }
        if parts[0] == "role" {
            self = .role(Identifier(parts[1]))
        } else if let kind = Principal.Kind(rawValue: parts[0]) {
            self = .principal(Principal(kind, Identifier(parts[1])))
        } else {
            return nil
        }
        if !isValid { return nil }
    }

    package var isValid: Bool {
        switch self {
        case .principal(let principal): principal.isValid
        case .role(let role): Self.isRole(role)
        }
    }

    /// The most roles of one principal.
    package static let maximumRoles = 256

    /// `true` if a principal with these roles is meant.
    package func includes(_ principal: Principal, _ roles: [Identifier]) -> Bool {
        switch self {
        case .principal(let other): other.isSame(as: principal)
        case .role(let role): roles.contains(role)
        }
    }

    /// `true` if the name can be that of a role.
    package static func isRole(_ name: Identifier) -> Bool {
        1...128 ~= name.utf8.count && !name.text.hasControlCharacters
    }

    public var description: String {
        switch self {
        case .principal(let principal): "\(principal.kind.rawValue) '\(principal.id.text.prefix(64))'"
        case .role(let role): "the role '\(role.text.prefix(64))'"
        }
    }
}
