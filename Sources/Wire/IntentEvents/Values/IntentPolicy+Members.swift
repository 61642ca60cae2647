package import IntentModel

// An intent's policy on the wire and in the journal. Durations are milliseconds. Numbers are brought inside of their
// bounds: a policy comes from a worker, and a mistake there must not block a conversation indefinitely.

extension IntentPolicy: MemberObject {
    package static var blank: IntentPolicy { IntentPolicy() }
    package static var shape: ContractShape? { .policy }
    package static var takesAnyValue: Bool { true }

    package mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.optional("effect", &effect, "How often the handler may be called for a request.")
        try coder.optional("resolve", &resolve, unless: PhasePolicy(), "Of the phase resolve.")
        try coder.optional("confirm", &confirm, unless: PhasePolicy(), "Of the phase confirm.")
        try coder.optional("handle", &handle, unless: PhasePolicy(), "Of the phase handle.")
        try coder.optional("answerTimeout", &answerTimeout, "How long a person has to answer.")
        try coder.optional(
            "reminders", &reminders, unless: [], as: .list(of: Duration.schema, 0...Approval.maximumReminders),
            "After how long the person is reminded of a prompt.")
        if Coder.isReading, reminders.count > Approval.maximumReminders {
            reminders.removeLast(reminders.count - Approval.maximumReminders)
        }
        try coder.optional("handoffTimeout", &handoffTimeout, "How long an app has to complete a handoff.")
        try coder.optional("inProgressTimeout", &inProgressTimeout, "How long a handler may be silent after a report.")
        try coder.optional("cleanupTimeout", &cleanupTimeout, "How long a cancelled handler has to clean up.")
        try coder.optional("asks", &asks, "How often the person is asked for a parameter, and what happens then.")
    }
}

extension PhasePolicy: MemberObject {
    package static var blank: PhasePolicy { PhasePolicy() }
    package static var shape: ContractShape? { .phasePolicy }
    package static var takesAnyValue: Bool { true }

    package mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.optional("timeout", &timeout, "How long it may take.")
        try coder.optional("announceAfter", &announceAfter, "After how long the person is told that it takes longer.")
        try coder.optional("retry", &retry, "How often it is tried again.")
    }
}

extension RetryPolicy: MemberObject {
    package static var blank: RetryPolicy { RetryPolicy() }
    package static var shape: ContractShape? { .retryPolicy }
    package static var takesAnyValue: Bool { true }

    package mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.written("firstDelay", &firstDelay, "Before the second attempt.")
        let bounds = PolicyBounds.factor
        try coder.written(
            "factor", &factor, as: .number(bounds), "By how much each delay is longer than the one before.")
        if Coder.isReading { factor = min(max(factor, bounds.lowerBound), bounds.upperBound) }
        try coder.written("maximumDelay", &maximumDelay, "The longest delay.")
        try coder.written(
            "maximumAttempts", &maximumAttempts, within: PolicyBounds.attempts, "How many attempts there are.")
        try coder.optional("neverRetried", &neverRetried, unless: [], "Reasons that end it at once.")
    }
}

extension AskPolicy: MemberObject {
    package static var blank: AskPolicy { AskPolicy() }
    package static var shape: ContractShape? { .askPolicy }
    package static var takesAnyValue: Bool { true }

    package mutating func members<Coder: MemberCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.optional("maximum", &maximum, within: PolicyBounds.attempts, "How often in all.")
        try coder.written("noAnswer", &noAnswer, within: PolicyBounds.asks, "How often after silence.")
        try coder.optional(
            "noMatch", &noMatch, within: PolicyBounds.asks, "How often after words that match nothing.")
        try coder.optional(
            "unsupported", &unsupported, within: PolicyBounds.asks, "How often after a value that can't be used.")
        try coder.written("offersOptions", &offersOptions, "Whether the options are offered in the end.")
        // Readers go by the last of both, writers have one.
        var code: String? = if !Coder.isReading, case .fail(let code) = finally { code.rawValue } else { nil }
        var isHandedToApp = !Coder.isReading && finally == .handToApp
        try coder.optional("fail", &code, "The code of the failure then.")
        try coder.flag("handToApp", &isHandedToApp, "The app goes on then.")
        guard Coder.isReading else { return }
        if let code { finally = .fail(ResponseCode(rawValue: code)) }
        if isHandedToApp { finally = .handToApp }
    }
}

package enum PolicyBounds {
    /// 30 days.
    package static let maximumMilliseconds = 30 * 24 * 3_600 * 1_000
    package static let factor = 1.0...1_000
    package static let attempts = 1...100
    package static let asks = 0...100

    package static func milliseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        if seconds < 0 { return 0 }
        if seconds >= maximumMilliseconds / 1_000 { return maximumMilliseconds }
        return Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
