import IntentModel

// An intent's policy on the wire and in the journal. Durations are milliseconds. What is out of bounds is brought inside: it comes from a worker, and a
// mistake there must not block a conversation indefinitely.
extension JSONWriter {
    mutating func intentPolicy(_ policy: IntentPolicy) {
        beginObject()
        member("effect", ifPresent: policy.effect?.rawValue)
        phase("resolve", policy.resolve)
        phase("confirm", policy.confirm)
        phase("handle", policy.handle)
        duration("answerTimeout", policy.answerTimeout)
        duration("handoffTimeout", policy.handoffTimeout)
        duration("inProgressTimeout", policy.inProgressTimeout)
        duration("cleanupTimeout", policy.cleanupTimeout)
        if let asks = policy.asks {
            name("asks")
            self.asks(asks)
        }
        endObject()
    }

    private mutating func phase(_ name: StaticString, _ phase: PhasePolicy) {
        if phase == PhasePolicy() { return }
        self.name(name)
        beginObject()
        duration("timeout", phase.timeout)
        duration("announceAfter", phase.announceAfter)
        if let retry = phase.retry {
            self.name("retry")
            beginObject()
            duration("firstDelay", retry.firstDelay)
            self.name("factor")
            number(retry.factor)
            duration("maximumDelay", retry.maximumDelay)
            member("maximumAttempts", retry.maximumAttempts)
            if !retry.neverRetried.isEmpty {
                self.name("neverRetried")
                beginArray()
                for reason in retry.neverRetried { string(reason.rawValue) }
                endArray()
            }
            endObject()
        }
        endObject()
    }

    private mutating func asks(_ asks: AskPolicy) {
        beginObject()
        if let maximum = asks.maximum { member("maximum", maximum) }
        member("noAnswer", asks.noAnswer)
        if let noMatch = asks.noMatch { member("noMatch", noMatch) }
        if let unsupported = asks.unsupported { member("unsupported", unsupported) }
        member("offersOptions", asks.offersOptions)
        switch asks.finally {
        case .fail(let code): member("fail", code.rawValue)
        case .handToApp: member("handToApp", true)
        }
        endObject()
    }

    private mutating func duration(_ name: StaticString, _ duration: Duration?) {
        guard let duration else { return }
        member(name, PolicyBounds.milliseconds(duration))
    }
}

extension JSONView {
    var intentPolicy: IntentPolicy {
        var policy = IntentPolicy()
        for (name, value) in members {
            switch name {
            case "effect": policy.effect = value.string.flatMap(IntentEffect.init)
            case "resolve": policy.resolve = value.phasePolicy
            case "confirm": policy.confirm = value.phasePolicy
            case "handle": policy.handle = value.phasePolicy
            case "answerTimeout": policy.answerTimeout = value.boundedDuration
            case "handoffTimeout": policy.handoffTimeout = value.boundedDuration
            case "inProgressTimeout": policy.inProgressTimeout = value.boundedDuration
            case "cleanupTimeout": policy.cleanupTimeout = value.boundedDuration
            case "asks": policy.asks = value.askPolicy
            default: break
            }
        }
        return policy
    }

    private var phasePolicy: PhasePolicy {
        var policy = PhasePolicy()
        for (name, value) in members {
            switch name {
            case "timeout": policy.timeout = value.boundedDuration
            case "announceAfter": policy.announceAfter = value.boundedDuration
            case "retry": policy.retry = value.retryPolicy
            default: break
            }
        }
        return policy
    }

    private var retryPolicy: RetryPolicy {
        var policy = RetryPolicy()
        for (name, value) in members {
            switch name {
            case "firstDelay": policy.firstDelay = value.boundedDuration ?? policy.firstDelay
            case "factor":
                policy.factor =
                    value.double.map {
                        $0.isNaN ? 1 : min(max($0, PolicyBounds.factor.lowerBound), PolicyBounds.factor.upperBound)
                    }
                    ?? policy.factor
            case "maximumDelay": policy.maximumDelay = value.boundedDuration ?? policy.maximumDelay
            case "maximumAttempts":
                policy.maximumAttempts = value.bounded(PolicyBounds.attempts) ?? policy.maximumAttempts
            case "neverRetried":
                policy.neverRetried = value.elements.compactMap { $0.string.flatMap(RejectionReason.init) }
            default: break
            }
        }
        return policy
    }

    private var askPolicy: AskPolicy {
        var policy = AskPolicy()
        for (name, value) in members {
            switch name {
            case "maximum": policy.maximum = value.bounded(PolicyBounds.attempts)
            case "noAnswer": policy.noAnswer = value.bounded(PolicyBounds.asks) ?? 0
            case "noMatch": policy.noMatch = value.bounded(PolicyBounds.asks)
            case "unsupported": policy.unsupported = value.bounded(PolicyBounds.asks)
            case "offersOptions": policy.offersOptions = value.bool ?? true
            case "fail": policy.finally = .fail(ResponseCode(rawValue: value.string ?? "failure"))
            case "handToApp" where value.bool == true: policy.finally = .handToApp
            default: break
            }
        }
        return policy
    }

    var boundedDuration: Duration? { int.map { .milliseconds(min(max($0, 0), PolicyBounds.maximumMilliseconds)) } }

    private func bounded(_ range: ClosedRange<Int>) -> Int? {
        int.map { min(max($0, range.lowerBound), range.upperBound) }
    }
}

enum PolicyBounds {
    /// 30 days.
    static let maximumMilliseconds = 30 * 24 * 3_600 * 1_000
    static let factor = 1.0...1_000
    static let attempts = 1...100
    static let asks = 0...100

    static func milliseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        if seconds < 0 { return 0 }
        if seconds >= maximumMilliseconds / 1_000 { return maximumMilliseconds }
        return Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
