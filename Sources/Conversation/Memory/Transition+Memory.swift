public import IntentModel

// What is remembered from requests: by their session, or for the person who owns it.
extension Transition {
    /// All parameters are resolved: what they say is remembered, but for secrets.
    mutating func rememberParameters() {
        guard session.active?.traits.memoryKeys.isEmpty == false, let parameters = session.active?.parameters else {
            return
        }
        // In the order in which they came, so that the same events make the same memory.
        for parameter in parameters { remember(parameter) }
    }

    /// The person has agreed to the request: an agent's values are theirs from now on.
    mutating func personAgreed() {
        guard session.active?.request.isUnagreed == true else { return }
        session.active?.request.isUnagreed = false
        rememberParameters()
    }

    /// `false` for values of an agent to which the person has not agreed.
    private var mayRemember: Bool { session.active?.request.isUnagreed != true }

    /// Remembers a parameter's value, if it is one that is remembered and goes into the intent.
    mutating func remember(_ parameter: ParameterState) {
        guard mayRemember, !parameter.isSecret, parameter.origin != .notRequired, let value = parameter.value,
            value != .null
        else {
            return
        }
        if isForPerson(parameter.name), parameter.hasProvenance {
            // What the request brings along, or the declaration, is no habit of the person.
            let source = parameter.provenance?.source
            if source == .default || source == .attribute { return }
        }
        remember(value, ofParameter: parameter.name)
    }

    /// The person wants none in particular: that takes the place of what they wanted before.
    mutating func rememberNone(ofParameter name: String) { if mayRemember { remember(.null, ofParameter: name) } }

    /// Remembers what a handler wants to be remembered.
    mutating func remember(_ response: IntentResponse) {
        remember(response.remembered, scope: .session)
        if response.hasRareParts, mayRemember { remember(response.rememberedForPerson, scope: .person) }
    }

    mutating func remember(_ values: [String: JSON], scope: MemoryScope) {
        if values.isEmpty { return }
        for (key, value) in values.sorted(by: { $0.key < $1.key }) where value != .null {
            remember(value, as: key, scope)
        }
    }

    private mutating func remember(_ value: JSON, ofParameter name: String) {
        guard let key = session.active?.traits.memoryKeys[name] else { return }
        remember(value, as: key, isForPerson(name) ? .person : .session)
    }

    private func isForPerson(_ parameter: String) -> Bool {
        session.active?.traits.rememberedForPerson.contains(parameter) == true
    }

    private mutating func remember(_ value: JSON, as key: String, _ scope: MemoryScope) {
        // For someone who is not authenticated, only their session can remember something.
        guard scope == .person, let owner = session.rememberedPerson, RememberedValue.isKey(key) else {
            return session.memory.remember(
                value, as: key, keys: policy.limits.maximumMemoryKeys, bytes: policy.limits.maximumMemoryBytes)
        }
        if session.active?.request.isForgotten == true { return }  // rule: forgettingCoversOpenRequests
        // It is written again now and then, so that the retention of the topic does not delete what the person goes on using.
        if let known = session.active?.request.remembered.first(where: { $0.key == key }), known.value == value,
            known.time.duration(to: now) < SessionPolicy.memoryRenewal
        {
            return
        }
        _ = session.memory.forget([key])
        let remembered = RememberedValue(key: key, value: value, intent: session.active?.request.intent, time: now)
        // A value that is too large is forgotten, as in the memory of a session.
        change(remembered.size <= policy.limits.maximumMemoryBytes ? .remember(remembered) : .forget([key]), of: owner)
    }

    /// Changes what is remembered about the person. The session's open requests know it at once.
    private mutating func change(_ kind: MemoryChange.Kind, of owner: Principal, event: Identifier? = nil) {
        if session.person.stream == "" { session.person.stream = Identifier(randomness.code()) }
        session.person.last += 1
        let change = MemoryChange(
            kind, stream: session.person.stream, number: session.person.last,
            since: session.active.map { $0.request.memorySince } ?? session.person.told, time: now, event: event)
        session.person.keep(change, keys: policy.limits.maximumMemoryKeys, bytes: policy.limits.maximumMemoryBytes)
        session.forEachOpenRequest { if $0.takes(change) { change.apply(to: &$0.remembered) } }
        if !session.isIdle { change.apply(to: &session.active!.openedMemory) }
        effects.append(.memory(change, of: owner))
    }

    private mutating func rejectWithoutPerson() {
        reject(
            Rejection(
                .unauthorized,
                "the scope 'person' is for an authenticated person: their channel has to name them ('authtype' user or app_user, and 'authid')",
                field: "authid"))
    }

    /// The session's own memory is gone at once, without a result: the event may be repeated often. The forgetting of a person's values is confirmed when it is
    /// gone for good.
    mutating func forget(_ forgetting: Forgetting) {
        guard forgetting.scope == .person else {
            if !session.memory.forget(forgetting.keys) { ignore(.nothingToForget) }
            return
        }
        guard let owner = session.rememberedPerson else { return rejectWithoutPerson() }
        guard session.person.forgettings < PersonMemory.maximumForgettings else {
            return reject(
                Rejection(
                    .busy, "\(session.person.forgettings) forgettings of the session are not done yet; ask again later",
                    field: nil))
        }
        _ = session.memory.forget(forgetting.keys)
        let before = session.active
        change(.forget(forgetting.keys), of: owner, event: forgetting.event)  // rule: forgettingIsReportedWhenDone
        forgetInOpenRequests(forgetting.keys, before)
    }

    /// Changes of the owner are done, by this session or others.
    mutating func memoryChanged(_ news: MemoryNews) {
        let before = session.person
        for change in session.person.pending where change.number <= news.done {
            guard change.isAwaited, case .forget(let keys) = change.kind, let event = change.event else { continue }
            let done = news.forgettings.first { $0.stream == change.stream && $0.number == change.number }
            // The oldest one that is kept stands for those before it.
            if done != nil || news.forgettings.first?.stream == "" {
                tell(.memoryForgotten(ForgottenMemory(event: event, keys: keys, count: done?.count)), about: nil)
            } else {
                reject(
                    Rejection(.internal, "the log has lost what was to be forgotten; ask for it again", event: event))
            }
        }
        session.person.pending.removeAll { $0.number <= news.done }
        session.person.note(done: news.done)
        for forgetting in news.forgettings where session.person.told.map({ $0 < forgetting.position }) ?? true {
            session.person.told = forgetting.position
            // Its own ones it has followed when they came.
            if !forgetting.isOf(session.person) {
                forgetInOpenRequests(forgetting.keys, session.active, forgotten: forgetting.position)
            }
        }
        if session.person == before { ignore(.nothingToForget) }
    }

    /// The values that open requests have from the memory are forgotten, and asked for again unless the intent is being handled already.
    /// Nothing of them is remembered for the person any more.
    ///
    /// - Parameters:
    ///   - before: the active request as it was before.
    ///   - position: where it was forgotten; requests that came later are left alone. `nil` for all.
    private mutating func forgetInOpenRequests(
        _ keys: [String]?, _ before: ActiveRequest?, forgotten position: MemoryPosition? = nil
    ) {
        func isAffected(_ request: IntentRequest) -> Bool { position.map { request.came(before: $0) } ?? true }
        session.forEachOpenRequest { request in  // rule: forgettingCoversOpenRequests
            guard isAffected(request) else { return }
            request.remembered.forget(keys)
            request.isForgotten = true
        }
        for index in session.updates.indices where isAffected(session.updates[index].request) {
            session.updates[index].request.remembered.forget(keys)
        }
        for index in session.undoable.indices where isAffected(session.undoable[index].request) {
            session.undoable[index].request.remembered.forget(keys)
        }
        for index in session.suspended.indices where isAffected(session.suspended[index].request) {
            session.suspended[index].openedMemory.forget(keys)
            if session.suspended[index].isBeingHandled || session.suspended[index].forget(keys) == 0 { continue }
            session.suspended[index].stage = .resolving(ActiveRequest.Working())
        }
        guard let before, isAffected(before.request) else { return }
        session.active?.openedMemory.forget(keys)
        if before.isBeingHandled || before.prompt?.isAboutIntents == true { return }
        // A resolver that is at work has what was remembered, and so may what it has asked.
        let isAtWork =
            before.phase == .resolve
            || before.prompt.map { $0.question == nil && before.stage == .awaitingAnswer($0) } ?? false
        let hadValues = session.active?.request.remembered.count != before.request.remembered.count
        let hasForgotten = session.active?.forget(keys) ?? 0 > 0
        if isAtWork && hadValues || hasForgotten { dispatch(.resolve) }
    }

    /// Drops a change that the log has refused. The sender of a forgetting gets a rejection.
    mutating func changeRefused(_ number: Int, _ rejection: Rejection) {
        guard let change = session.person.pending.first(where: { $0.number == number }) else {
            return ignore(.nothingToForget)
        }
        session.person.pending.removeAll { $0.number == number }
        guard let event = change.event else { return }
        var rejection = rejection
        rejection.event = event
        reject(rejection)
    }

    /// Tells that a forgetting is not confirmed, because the session ends.
    ///
    /// - Returns: `notMine` if there is none.
    mutating func giveUpConfirming() -> Handled {
        let open = session.person.pending.compactMap(\.event)
        session.person.pending.removeAll { $0.isAwaited }
        for event in open {
            reject(
                Rejection(
                    .busy,
                    "the session ends, and it is not known yet whether this is forgotten; ask for it again to have it confirmed",
                    event: event))
        }
        return open.isEmpty ? .notMine : .handled
    }

    /// Keeps the words that a resolver has understood, and where a value comes from that the person did not give.
    mutating func noteProvenance(_ resolved: ResolvedParameter, _ before: ParameterState?) {
        var remembered: RememberedValue?
        if resolved.memoryScope == .person, resolved.hasProvenance, resolved.provenance?.source == .remembered,
            let key = resolved.memoryKey,
            session.memory.value(key) == nil
        {
            remembered = session.active?.request.remembered.first { $0.key == key }
        }
        session.active?.noteProvenance(resolved, before, remembered)
    }
}

extension Session {
    /// The person who owns it and is authenticated: something can be remembered about them beyond the session.
    public var rememberedPerson: Principal? {
        guard let owner, owner.isPerson, !isOwnerNamed else { return nil }
        return owner
    }

    /// What a request's work is told of earlier requests, by key.
    ///
    /// - Parameter remembered: The values that are remembered for the person. Those of the session go before them.
    func memory(with remembered: [RememberedValue]) -> [String: JSON] {
        if remembered.isEmpty { return memory.values }
        return Dictionary(remembered.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }).merging(
            memory.values
        ) { $1 }
    }

    /// The requests that have not ended, or whose live updates may go on.
    private var openRequests: [IntentRequest] {
        [active?.request].compactMap { $0 } + suspended.map(\.request) + queued + updates.map(\.request)
    }

    /// `true` if the session may have to follow or to confirm a forgetting.
    package var mayHaveToForget: Bool { rememberedPerson != nil && (!openRequests.isEmpty || person.forgettings > 0) }

    /// Whether there is something in the news that the session has not followed.
    package func isConcerned(by news: MemoryNews) -> Bool {
        if person.pending.contains(where: { $0.isAwaited && $0.number <= news.done }) { return true }
        let others = news.forgettings.filter { forgetting in
            !forgetting.isOf(person) && person.told.map { $0 < forgetting.position } ?? true
        }
        return openRequests.contains { request in others.contains { request.came(before: $0.position) } }
    }

    /// Changes each request that has not ended.
    mutating func forEachOpenRequest(_ body: (inout IntentRequest) -> Void) {
        if !isIdle { body(&active!.request) }
        for index in suspended.indices { body(&suspended[index].request) }
        for index in queued.indices { body(&queued[index]) }
    }
}

extension DoneForgetting {
    /// Whether a session has asked for it, which follows it at once. The one that stands for others is nobody's.
    fileprivate func isOf(_ person: PersonMemory) -> Bool { stream != "" && stream == person.stream }
}

extension IntentRequest {
    /// Whether it came before a forgetting was known.
    fileprivate func came(before position: MemoryPosition) -> Bool { memorySince.map { $0 < position } ?? true }

    /// `false` for a value whose request came before something was forgotten of which this request knows: the value may be a forgotten one.
    fileprivate func takes(_ change: MemoryChange) -> Bool {
        guard case .remember = change.kind, let memorySince else { return true }
        return change.since.map { memorySince <= $0 } ?? false
    }
}

extension ActiveRequest {
    /// Forgets the parameters that have their values from the memory under these keys.
    ///
    /// - Returns: how many these were.
    fileprivate mutating func forget(_ keys: [String]?) -> Int {
        let traits = traits
        let before = parameters.count
        // The values on offer may be those that are forgotten.
        asking.forgetOffers()
        parameters.removeAll { parameter in
            guard traits.rememberedForPerson.contains(parameter.name), let key = traits.memoryKeys[parameter.name],
                keys?.contains(key) ?? true
            else { return false }
            return parameter.hasProvenance && parameter.provenance?.source == .remembered
        }
        return before - parameters.count
    }
}
