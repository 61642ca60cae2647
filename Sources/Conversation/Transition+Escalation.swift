import IntentModel

// A parameter was asked for too often: the person is offered the options, then the request fails or an app goes on.
extension Transition {
    /// Counts why a parameter has to be asked for again, and escalates if that was too often.
    ///
    /// - Parameters:
    ///   - key: The parameter, or the element of it that is asked for.
    ///   - draft: The prompt that asks for it.
    /// - Returns: `false` if the parameter is asked for as usual.
    mutating func climbs(_ parameter: ResolvedParameter, _ key: String, _ draft: Prompt) -> Bool {
        guard let active = session.active, case .unsupported(let reason, _) = parameter.resolution else { return false }
        var misses = active.asking.misses[key, default: Misses()]
        let isNoMatch = reason == "noMatch" || reason == "invalidValue"
        if isNoMatch { misses.noMatch += 1 } else { misses.unsupported += 1 }
        session.active?.asking.misses[key] = misses
        guard let asks = active.policy?.asks, let limit = isNoMatch ? asks.noMatch : asks.unsupported,
            (isNoMatch ? misses.noMatch : misses.unsupported) > limit
        else { return false }
        if offers(parameter.options, draft, key) {
            if parameter.element == nil { session.active?.set(parameter.name, nil, .given) }
        } else {
            abandon(parameter, key)
        }
        return true
    }

    /// A prompt was not answered in time.
    ///
    /// - Returns: `false` if the request ends as it does where the intent has no policy.
    mutating func wasSilent(_ prompt: Prompt) -> Bool {
        // A confirmation has nothing to escalate to. It times out: silence is never consent.
        if prompt.isAboutItems { return false }
        // A question of a phase may have the name of a parameter. It is counted separately.
        let key =
            prompt.question.map { "\($0.phase.rawValue)?\($0.id)" }
            ?? prompt.parameter.map { ActiveRequest.askKey($0, element: prompt.element) } ?? ""
        session.active?.asking.misses[key, default: Misses()].noAnswer += 1
        guard let active = session.active, let asks = active.policy?.asks else { return false }
        let mayAskAgain = active.asking.misses[key]?.noAnswer ?? 0 <= asks.noAnswer
        if mayAskAgain, countAsk(key) {
            issue(prompt)
            return true
        }
        // The escalation is about finding a value. No app goes on with what a handler has begun, or what the person has not accepted.
        guard prompt.parameter != nil, prompt.question == nil else { return false }
        if mayAskAgain {
            abandon(key)
            return true
        }
        if offers(active.asking.alternatives, prompt, key) { return true }
        switch asks.finally {
        case .handToApp: abandon(key)
        case .fail(.failure): return false
        case .fail(let code):
            end(.timedOut, code, error: Rejection(.unexpected, "no answer in time to the prompt for '\(key)'"))
        }
        return true
    }

    /// Counts one more ask; `false` if that is one too many.
    mutating func countAsk(_ key: String) -> Bool {
        let asks = (session.active?.asking.asks[key] ?? 0) + 1
        guard asks <= session.active?.policy?.asks?.maximum ?? policy.maximumAsks else { return false }
        session.active?.asking.asks[key] = asks
        return true
    }

    /// The last step for a parameter. A value that can't be used is not sent anywhere, not even to the app that goes on.
    mutating func abandon(_ parameter: ResolvedParameter, _ key: String) {
        if case .unsupported = parameter.resolution {
            let asks = session.active?.asking.asks[key]
            let isTaken =
                parameter.element.map { session.active?.drop(parameter.name, element: $0.index) == true } ?? false
            if !isTaken { session.active?.set(parameter.name, nil, .given) }
            session.active?.asking.asks[key] = asks
        }
        abandon(key)
    }

    /// The last step: the request fails, or an app goes on.
    mutating func abandon(_ key: String) {
        guard let active = session.active else { return }
        switch active.policy?.asks?.finally ?? .fail(.failure) {
        case .handToApp:
            offerInForeground(active, IntentResponse(.continueInApp))
        case .fail(let code):
            end(
                .failure, code,
                error: Rejection(
                    .complex,
                    "'\(key)' was asked for \(active.asking.asks[key, default: 0]) times without a value that can be used",
                    field: "parameters.\(key)"))
        }
    }

    /// Offers the options, once.
    private mutating func offers(_ options: [ParameterOption], _ draft: Prompt, _ key: String) -> Bool {
        guard let active = session.active, active.policy?.asks?.offersOptions == true, options.count >= 2,
            active.asking.misses[key]?.wasOffered != true, countAsk(key)
        else { return false }
        session.active?.asking.misses[key, default: Misses()].wasOffered = true
        session.active?.asking.alternatives = []
        var prompt = draft
        (prompt.kind, prompt.value, prompt.unsupportedReason, prompt.rejectedValue) = (.choice, nil, nil, nil)
        (prompt.options, prompt.omitsOptions) = (options, false)
        prompt.dialog = text(BuiltInText.offer(prompt.title ?? prompt.parameter ?? ""))
        issue(prompt)
        return true
    }
}
