import IntentModel

// What the session remembers of its requests.
extension Transition {
    /// All parameters are resolved: what they say is remembered, but for secrets.
    mutating func rememberParameters() {
        guard let active = session.active, !active.traits.memoryKeys.isEmpty else { return }
        // In the order in which they came, so that the same events make the same memory.
        for parameter in active.parameters { remember(parameter) }
    }

    /// Remembers a parameter's value, if it is one that is remembered and goes into the intent.
    mutating func remember(_ parameter: ParameterState) {
        guard let key = session.active?.traits.memoryKeys[parameter.name], !parameter.isSecret, parameter.origin != .notRequired,
            let value = parameter.value, value != .null
        else { return }
        session.memory.remember(value, as: key, keys: policy.maximumMemoryKeys, bytes: policy.maximumMemoryBytes)
    }

    /// Nobody is told: it may be asked for again and again.
    mutating func forget(_ keys: [String]?) {
        if !session.memory.forget(keys) { ignore(.nothingToForget) }
    }
}
