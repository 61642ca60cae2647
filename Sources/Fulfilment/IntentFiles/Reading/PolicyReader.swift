import IntentModel

/// Reads an intent's times, retries and limits.
enum PolicyReader {
    /// - Parameter policy: The defaults, such as the policy of the whole file.
    static func read(_ field: Field, over policy: IntentPolicy) -> IntentPolicy {
        var policy = policy
        guard let members = field.members(.policy) else { return policy }
        policy.resolve = members["resolve"].map { phase($0, over: policy.resolve) } ?? policy.resolve
        policy.confirm = members["confirm"].map { phase($0, over: policy.confirm) } ?? policy.confirm
        policy.handle = members["handle"].map { phase($0, over: policy.handle) } ?? policy.handle
        policy.answerTimeout = members["answerTimeout"]?.duration(atLeast: .seconds(1)) ?? policy.answerTimeout
        policy.reminders = members["reminders"].map(reminders) ?? policy.reminders
        policy.approval = members["approval"].map(approval) ?? policy.approval
        policy.handoffTimeout = members["handoffTimeout"]?.duration(atLeast: .seconds(1)) ?? policy.handoffTimeout
        policy.inProgressTimeout =
            members["inProgressTimeout"]?.duration(atLeast: .seconds(1)) ?? policy.inProgressTimeout
        policy.cleanupTimeout = members["cleanupTimeout"]?.duration() ?? policy.cleanupTimeout
        policy.asks = members["asks"].map { asks($0, over: policy.asks ?? AskPolicy()) } ?? policy.asks
        return policy
    }

    private static func phase(_ field: Field, over policy: PhasePolicy) -> PhasePolicy {
        var policy = policy
        guard let members = field.members(.phasePolicy) else { return policy }
        policy.timeout = members["timeout"]?.duration(atLeast: .milliseconds(100)) ?? policy.timeout
        policy.announceAfter = members["announceAfter"]?.duration() ?? policy.announceAfter
        policy.retry = members["retry"].map { retry($0, over: policy.retry ?? RetryPolicy()) } ?? policy.retry
        return policy
    }

    private static func retry(_ field: Field, over policy: RetryPolicy) -> RetryPolicy {
        var policy = policy
        guard let members = field.members(.retry) else { return policy }
        if let value = members["attempts"]?.int(1...1_000) { policy.maximumAttempts = value }
        if let value = members["firstDelay"]?.duration() { policy.firstDelay = value }
        if let value = members["factor"]?.number(1...1_000) { policy.factor = value }
        if let value = members["maximumDelay"]?.duration() { policy.maximumDelay = value }
        if let reasons = members["neverRetried"] {
            policy.neverRetried = reasons.oneOrMore.compactMap { $0.choice(of: RejectionReason.self) }
        }
        return policy
    }

    private static func asks(_ field: Field, over policy: AskPolicy) -> AskPolicy {
        var policy = policy
        guard let members = field.members(.asks) else { return policy }
        if let value = members["maximum"]?.int(1...100) { policy.maximum = value }
        if let value = members["noAnswer"]?.int(0...100) { policy.noAnswer = value }
        if let value = members["noMatch"]?.int(0...100) { policy.noMatch = value }
        if let value = members["unsupported"]?.int(0...100) { policy.unsupported = value }
        if let value = members["offersOptions"]?.bool() { policy.offersOptions = value }
        if let end = members["finally"], let value = finally(end) { policy.finally = value }
        return policy
    }

    private static func reminders(_ field: Field) -> [Duration] {
        field.oneOrMore.compactMap { $0.duration(atLeast: .seconds(1)) }
    }

    private static func approval(_ field: Field) -> Approval {
        var approval = Approval(by: [])
        guard let members = field.members(.approval) else { return approval }
        approval.approvers = members["approvers"].map(approvers) ?? []
        if let value = members["count"]?.int(Approval.counts) { approval.count = value }
        if let value = members["includesRequester"]?.bool() { approval.includesRequester = value }
        if let value = members["timeout"]?.duration(atLeast: Approval.timeouts.lowerBound) { approval.timeout = value }
        approval.reminders = members["reminders"].map(reminders) ?? []
        if let escalation = members["escalation"], let parts = escalation.members(.escalation) {
            approval.escalation = Approval.Escalation(
                after: parts["after"]?.duration(atLeast: .seconds(1)) ?? .zero, to: parts["to"].map(approvers) ?? [])
        }
        return approval
    }

    private static func approvers(_ field: Field) -> [Approver] {
        let form = "role:NAME, or a principal such as app_user:ann"
        return field.oneOrMore.compactMap { field in
            field.text(form).flatMap { Approver(text: $0) ?? field.refuse(expecting: form) }
        }
    }

    /// Reads `handToApp`, `fail`, or `{fail: failureNobodyThere}`.
    private static func finally(_ field: Field) -> AskPolicy.Finally? {
        guard field.isMapping else {
            return field.choice(["fail", "handToApp"]).map { $0 == "handToApp" ? .handToApp : .fail(.failure) }
        }
        guard let fail = field.members(.askEnd)?["fail"], let code = fail.text("a response code such as failure") else {
            return nil
        }
        guard ResponseCode(rawValue: code).isFailure else {
            return fail.refuse(expecting: "a response code that begins with 'failure'")
        }
        return .fail(ResponseCode(rawValue: code))
    }
}
