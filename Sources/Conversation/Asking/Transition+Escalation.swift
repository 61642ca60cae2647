import IntentModel

// A parameter was asked for too often: the person is offered the options, then the request fails or an app goes on.
extension Transition {
    /// Counts why a parameter has to be asked for again, and escalates if that was too often.
    ///
    /// - Parameters:
    ///   - key: The parameter, or the element of it that is asked for.
    ///   - draft: The prompt that asks for it.
    /// - Returns: `notMine` if the parameter is asked for as usual.
    mutating func escalate(_ parameter: ResolvedParameter, _ key: String, _ draft: Prompt) -> Handled {
        guard case .unsupported(let reason, _) = parameter.resolution else { return .notMine }
        var misses = session.active?.asking.misses[key] ?? Misses()
        let isNoMatch = reason == "noMatch" || reason == "invalidValue"
        if isNoMatch { misses.noMatch += 1 } else { misses.unsupported += 1 }
        session.active?.asking.misses[key] = misses
        guard let asks = session.active?.traits.policy?.asks,
            let limit = isNoMatch ? asks.noMatch : asks.unsupported,
            (isNoMatch ? misses.noMatch : misses.unsupported) > limit
        else { return .notMine }
        if offerOptions(parameter.options, draft, key) == .handled {
            if parameter.element == nil { session.active?.set(parameter.name, nil, .given) }
        } else {
            abandon(parameter, key)
        }
        return .handled
    }

    /// Asks again after a prompt that was not answered in time, or escalates.
    ///
    /// - Returns: `notMine` if the request ends as it does where the intent has no policy.
    mutating func escalateSilence(of prompt: Prompt) -> Handled {
        // A confirmation has nothing to escalate to. It times out: silence is never consent.
        if prompt.isAboutItems || prompt.approval != nil { return .notMine }
        // A question of a phase may have the name of a parameter. It is counted separately.
        let key =
            prompt.question.map { "\($0.phase.rawValue)?\($0.id)" }
            ?? prompt.parameter.map { ActiveRequest.askKey($0, element: prompt.asked.element) } ?? ""
        session.active?.asking.misses[key, default: Misses()].noAnswer += 1
        guard let asks = session.active?.traits.policy?.asks else { return .notMine }
        let mayAskAgain = session.active?.asking.misses[key]?.noAnswer ?? 0 <= asks.noAnswer
        if mayAskAgain, countAsk(key) == .accepted {
            issue(prompt)
            return .handled
        }
        // The escalation is about finding a value. No app goes on with what a handler has begun, or what the person has not accepted.
        guard prompt.parameter != nil, prompt.question == nil else { return .notMine }
        if mayAskAgain {
            abandon(key)
            return .handled
        }
        if offerOptions(session.active?.asking.alternatives ?? [], prompt, key) == .handled { return .handled }
        switch asks.finally {
        case .handToApp: abandon(key)
        case .fail(.failure): return .notMine
        case .fail(let code):
            end(.timedOut, code, error: Rejection(.unexpected, "no answer in time to the prompt for '\(key)'"))
        }
        return .handled
    }

    /// How often a parameter of the active request may be asked for.
    var maximumAsks: Int { session.active?.traits.policy?.asks?.maximum ?? policy.limits.maximumAsks }

    /// Counts one more ask, and refuses it if that is one too many. Nobody is told.
    mutating func countAsk(_ key: String) -> Verdict {
        let asks = (session.active?.asking.asks[key] ?? 0) + 1
        guard asks <= maximumAsks else { return .refused }
        session.active?.asking.asks[key] = asks
        return .accepted
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
        switch session.active?.traits.policy?.asks?.finally ?? .fail(.failure) {
        case .handToApp where session.active?.hasApproval == false:
            offerInForeground(IntentResponse(.continueInApp), session.active?.confirmed.activity)
        case let finally:
            let code: ResponseCode = if case .fail(let code) = finally { code } else { .failure }
            end(
                .failure, code, dialog: text(BuiltInText.askedTooOften),
                error: Rejection(
                    .complex,
                    "'\(key)' was asked for \(session.active?.asking.asks[key] ?? 0) times without a value that can be used",
                    field: "parameters.\(key)"))
        }
    }

    /// Offers the options, once.
    private mutating func offerOptions(_ options: [ParameterOption], _ draft: Prompt, _ key: String) -> Handled {
        guard session.active?.traits.policy?.asks?.offersOptions == true, options.count >= 2,
            session.active?.asking.misses[key]?.wasOffered != true, countAsk(key) == .accepted
        else { return .notMine }
        session.active?.asking.misses[key, default: Misses()].wasOffered = true
        session.active?.asking.alternatives = []
        var prompt = draft
        (prompt.kind, prompt.value) = (.choice, nil)
        (prompt.asked.unsupportedReason, prompt.asked.rejectedValue) = (nil, nil)
        (prompt.options, prompt.omitsOptions) = (options, false)
        prompt.dialog = text(BuiltInText.offer(prompt.asked.title ?? prompt.parameter ?? ""))
        issue(prompt)
        return .handled
    }
}
