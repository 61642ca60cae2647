public import IntentModel

extension Prompt {
    /// The reminders and the approval of a prompt that waits longer than a conversation takes.
    public struct Waiting: Sendable, Hashable {
        /// The time from which reminders, escalation and time limit count.
        public var since: Instant
        /// The time limit.
        public var ends: Instant
        /// The times of the reminders, counted from ``since``, in order.
        public var reminders: [Duration]
        /// The number of reminders that are over.
        public var reminded = 0
        /// The approval, as its intent declares it; `nil` if only the person answers.
        @Boxed public var approval: Approval? = nil
        /// The agreements so far.
        public var consents: [Consent] = []
        /// More approvers: the ones of the escalation, and the ones to whom an approver has delegated.
        public var added: [Approver] = []
        /// The principals in whose place another one may agree.
        public var delegators: [Principal] = []
        /// `true` if others may agree by now because time has passed.
        public var isEscalated = false

        public init(since: Instant, ends: Instant, reminders: [Duration], approval: Approval? = nil) {
            self.since = since
            self.ends = ends
            self.reminders = reminders.sorted()
            self.approval = approval
        }

        /// The time of the next reminder, of the escalation, or of the end.
        package var next: Instant {
            let reminder = reminders.indices.contains(reminded) ? reminders[reminded] : nil
            let escalation = isEscalated ? nil : approval?.escalation?.after
            return [reminder, escalation].compactMap { $0.map(since.advanced) }.min().map { min($0, ends) } ?? ends
        }

        /// All who may agree by now.
        public var approvers: [Approver] { (approval?.approvers ?? []) + added }

        /// `true` if the principal is one of those who may agree.
        func mayAgree(_ principal: Principal, _ roles: [Identifier]) -> Bool {
            !delegators.contains { $0.isSame(as: principal) }
                && approvers.contains { $0.includes(principal, roles) }
        }
    }

    /// The approval that the prompt asks for.
    public var approval: Approval? { waiting?.approval }
}

/// The agreement of one principal to an intent.
public struct Consent: Sendable, Hashable {
    /// `nil` for a requester who is not authenticated.
    public var principal: Principal?
    /// `true` for the requester, who counts once.
    public var isRequester: Bool
    public var time: Instant

    public init(_ principal: Principal?, isRequester: Bool = false, at time: Instant) {
        self.principal = principal
        self.isRequester = isRequester
        self.time = time
    }

    /// `true` if it is the agreement of this principal.
    package func isOf(_ principal: Principal) -> Bool { self.principal?.isSame(as: principal) == true }
}

/// The approval of an intent: who has agreed, and to which values. A request forgets it as soon as one of its values
/// changes.
public struct Agreement: Sendable, Hashable {
    public var prompt: Identifier
    public var consents: [Consent]
    public var dialog: String
    public var summary: String?
    /// The parameters, as they were shown.
    public var parameters: [PromptParameter]
    public var approval: Approval

    /// - Parameter prompt: The prompt with the values of its parameters.
    package init(_ prompt: Prompt, _ consents: [Consent], _ approval: Approval) {
        self.prompt = prompt.id
        self.consents = consents
        dialog = prompt.dialog
        summary = prompt.summary
        parameters = prompt.parameters
        self.approval = approval
    }

    package init() {
        (prompt, consents, dialog, parameters, approval) = ("", [], "", [], Approval(by: []))
    }

    /// `true` if the requester is none of those who have agreed.
    var isOfOthers: Bool { !consents.contains(where: \.isRequester) }

    /// `true` if the prompt, with the values of its parameters, asks for the same as the agreement.
    func covers(_ prompt: Prompt) -> Bool {
        prompt.proposed.isEmpty && prompt.dialog == dialog && prompt.summary == summary
            && prompt.parameters == parameters && (prompt.approval ?? approval) == approval
    }
}

/// An open prompt once more, with the reason.
public struct PromptReminder: Sendable, Hashable {
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// A declared time is over.
        case reminder
        /// Others may agree as well now.
        case escalated
        /// Another principal may agree in the place of one.
        case delegated
        /// One has agreed, and more have to.
        case agreed
    }

    /// The prompt as it is open by now.
    public var prompt: Prompt
    public var reason: Reason

    public init(_ prompt: Prompt, _ reason: Reason) {
        self.prompt = prompt
        self.reason = reason
    }
}
