import Intents

// Asking has led nowhere too often: the person is offered what there is, then it fails or an app goes on.
extension Turn {
    /// Counts why a parameter is to be asked for again, and goes up the ladder if that was too often.
    ///
    /// - Returns: `false` if it is to be asked for as usual.
    mutating func climbs(_ parameter: ResolvedParameter) -> Bool {
        guard let active = session.active, case .unsupported(let reason, _) = parameter.resolution else { return false }
        var misses = active.misses[parameter.name, default: Misses()]
        let isNoMatch = reason == "noMatch" || reason == "invalidValue"
        if isNoMatch { misses.noMatch += 1 } else { misses.unsupported += 1 }
        session.active?.misses[parameter.name] = misses
        guard let asks = active.policy?.asks, let limit = isNoMatch ? asks.noMatch : asks.unsupported,
            (isNoMatch ? misses.noMatch : misses.unsupported) > limit
        else { return false }
        session.active?.set(parameter.name, nil, .given)
        if !offers(parameter.name, parameter.title, parameter.options) { giveUp(parameter.name) }
        return true
    }

    /// Nobody has answered a prompt in time.
    ///
    /// - Returns: `false` if the request ends as it does without a word of the intent.
    mutating func wasSilent(_ prompt: Prompt) -> Bool {
        let name = prompt.parameter ?? ""
        session.active?.misses[name, default: Misses()].noAnswer += 1
        guard let active = session.active, let asks = active.policy?.asks else { return false }
        if active.misses[name]?.noAnswer ?? 0 <= asks.noAnswer {
            guard countAsk(name, active) else {
                giveUp(name)
                return true
            }
            askAgain(prompt)
            return true
        }
        guard prompt.parameter != nil else { return false }
        if offers(name, nil, active.alternatives) { return true }
        switch asks.finally {
        case .handToApp: giveUp(name)
        case .fail(.failure): return false
        case .fail(let code): end(.timedOut, code, error: Rejection(.unexpected, "no answer in time to the prompt for '\(name)'"))
        }
        return true
    }

    /// Counts one more ask; `false` if that is one too many.
    mutating func countAsk(_ name: String, _ active: ActiveRequest) -> Bool {
        let asks = active.asks[name, default: 0] + 1
        guard asks <= active.policy?.asks?.maximum ?? policy.maximumAsks else { return false }
        session.active?.asks[name] = asks
        return true
    }

    /// The last rung. A value that can't be used reaches nobody.
    mutating func giveUp(_ name: String) {
        guard let active = session.active else { return }
        switch active.policy?.asks?.finally ?? .fail(.failure) {
        case .handToApp:
            offerInForeground(active, IntentResponse(.continueInApp))
        case .fail(let code):
            end(
                .failure, code,
                error: Rejection(
                    .complex, "'\(name)' was asked for \(active.asks[name, default: 0]) times without a value that can be used",
                    field: "parameters.\(name)"))
        }
    }

    /// Offers what there is to choose from, once.
    private mutating func offers(_ name: String, _ title: String?, _ options: [ParameterOption]) -> Bool {
        guard let active = session.active, active.policy?.asks?.offersOptions == true, options.count >= 2,
            active.misses[name]?.wasOffered != true, countAsk(name, active)
        else { return false }
        session.active?.misses[name, default: Misses()].wasOffered = true
        session.active?.alternatives = []
        prompt(.choice, name, "\(title ?? name): which of these?", options: options)
        return true
    }
}
