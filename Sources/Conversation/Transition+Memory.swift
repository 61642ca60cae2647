public import IntentModel

// What is remembered from requests: by their session, or for the person who owns it.
extension Transition {
    /// All parameters are resolved: what they say is remembered, but for secrets.
    mutating func rememberParameters() {
        guard let active = session.active, !active.traits.memoryKeys.isEmpty else { return }
        // In the order in which they came, so that the same events make the same memory.
        for parameter in active.parameters { remember(parameter) }
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
        guard mayRemember, !parameter.isSecret, parameter.origin != .notRequired, let value = parameter.value, value != .null else {
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
        for (key, value) in values.sorted(by: { $0.key < $1.key }) where value != .null { remember(value, as: key, scope) }
    }

    private mutating func remember(_ value: JSON, ofParameter name: String) {
        guard let key = session.active?.traits.memoryKeys[name] else { return }
        remember(value, as: key, isForPerson(name) ? .person : .session)
    }

    private func isForPerson(_ parameter: String) -> Bool { session.active?.traits.rememberedForPerson.contains(parameter) == true }

    private mutating func remember(_ value: JSON, as key: String, _ scope: MemoryScope) {
        // For someone who is not authenticated, only their session can remember something.
        guard scope == .person, let owner = session.rememberedPerson, RememberedValue.isKey(key) else {
            return session.memory.remember(value, as: key, keys: policy.maximumMemoryKeys, bytes: policy.maximumMemoryBytes)
        }
        let known = session.remembered(key, for: session.active?.request)
        // It is written again now and then, so that the retention of the topic does not delete what the person goes on using.
        if let known, known.value == value, known.time.duration(to: now) < SessionPolicy.memoryRenewal { return }
        change(RememberedValue(key: key, value: value, intent: session.active?.request.intent, time: time(after: known?.time)), of: owner)
    }

    /// What is said now is later than what was known before, whatever the clock of another coordinator is.
    private func time(after known: Instant?) -> Instant { known.map { max(now, $0.advanced(by: .milliseconds(1))) } ?? now }

    private mutating func rejectWithoutPerson() {
        reject(
            Rejection(
                .unauthorized,
                "the scope 'person' is for an authenticated person: their channel has to name them ('authtype' user or app_user, and 'authid')",
                field: "authid"))
    }

    /// No result is sent: the event may be repeated often.
    mutating func forget(_ forgetting: Forgetting) {
        let hasForgotten = session.memory.forget(forgetting.keys)
        guard forgetting.scope == .person else {
            if !hasForgotten { ignore(.nothingToForget) }
            return
        }
        guard let owner = session.rememberedPerson else { return rejectWithoutPerson() }
        let known = forgetting.remembered + session.person.values + (session.active?.request.remembered ?? [])
        var keys: [String] = []
        for key in forgetting.keys ?? known.map(\.key) where !keys.contains(key) { keys.append(key) }
        for key in keys {
            let last = known.filter { $0.key == key }.map(\.time).max()
            change(RememberedValue(key: key, value: nil, time: time(after: last)), of: owner)
        }
        if keys.isEmpty, !hasForgotten { ignore(.nothingToForget) }
    }

    /// Keeps the words that a resolver has understood, and where a value comes from that the person did not give.
    mutating func noteProvenance(_ resolved: ResolvedParameter, _ before: ParameterState?) {
        var remembered: RememberedValue?
        if resolved.memoryScope == .person, resolved.hasProvenance, resolved.provenance?.source == .remembered,
            let key = resolved.memoryKey,
            session.memory.value(key) == nil
        {
            remembered = session.remembered(key, for: session.active?.request)
        }
        session.active?.noteProvenance(resolved, before, remembered)
    }

    /// A value that is too large to be remembered is forgotten, as in the memory of a session.
    private mutating func change(_ changed: RememberedValue, of owner: Principal) {
        let fits = changed.size <= policy.maximumMemoryBytes
        let value = fits ? changed : RememberedValue(key: changed.key, value: nil, time: changed.time)
        _ = session.memory.forget([value.key])
        session.person.change(value, keys: Forgetting.maximumKeys, bytes: policy.maximumMemoryBytes)
        effects.append(.memory(value, of: owner))
    }
}

extension Session {
    /// The person who owns it and is authenticated: something can be remembered about them beyond the session.
    public var rememberedPerson: Principal? {
        guard let owner, owner.isPerson, !isOwnerNamed else { return nil }
        return owner
    }

    /// What is remembered for the person under a key: the later of what was known when the request came, and of what the session has changed since.
    func remembered(_ key: String, for request: IntentRequest?) -> RememberedValue? {
        let own = person.value(key)
        guard let before = request?.remembered.first(where: { $0.key == key }) else { return own }
        guard let own, own.time >= before.time else { return before }
        return own
    }

    /// What a request's work is told of earlier requests, by key: what the session remembers, and else what is remembered for the person.
    func memory(for request: IntentRequest) -> [String: JSON] {
        if person.isEmpty, request.remembered.isEmpty { return memory.values }
        var all: [String: JSON] = [:]
        for key in person.values.map(\.key) + request.remembered.map(\.key) { all[key] = remembered(key, for: request)?.value }
        return all.merging(memory.values) { $1 }
    }
}
