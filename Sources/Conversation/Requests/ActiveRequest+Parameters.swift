import IntentModel

// What is known of a request's parameters, and how that changes.
extension ActiveRequest {
    func parameter(_ name: String) -> ParameterState? { parameters.first { $0.name == name } }

    /// Merges what the person said: each value replaces the known one; `null` forgets it.
    mutating func merge(_ changes: [ParameterState]) {
        for change in changes {
            let value = change.value == .null ? nil : change.value
            let isNew = !parameters.contains { $0.name == change.name }
            set(change.name, value, change.origin)
            if change.hasProvenance, value != nil, let provenance = change.provenance {
                note(provenance, of: change.name)
            }
            if isNew, traits.knowsSecrets { parameters[index(of: change.name)].isUnknown = true }
        }
    }

    /// Remembers parameters that the person is about to change.
    mutating func keepReplaced(_ names: [String]) {
        for name in names where !asking.replaced.contains(where: { $0.name == name }) {
            asking.replaced.append(parameter(name) ?? ParameterState(name: name, value: nil))
        }
    }

    /// Puts a parameter back as it was before the person changed it.
    ///
    /// - Returns: whether they had changed it.
    mutating func putBack(_ name: String) -> Bool {
        guard let index = asking.replaced.firstIndex(where: { $0.name == name }) else { return false }
        let before = asking.replaced.remove(at: index)
        confirmed.agreement = nil
        parameters.removeAll { $0.name == name }
        // One that was not known at all is as unknown as before.
        if before.value != nil || before.isSecret || before.origin != .given { parameters.append(before) }
        return true
    }

    /// The bytes of its parameters if these were among them.
    func size(with changes: [ParameterState]) -> Int {
        if changes.isEmpty { return parameters.reduce(0) { $0 + $1.size } }
        let changed = Set(changes.map(\.name))
        return (parameters.filter { !changed.contains($0.name) } + changes).reduce(0) { $0 + $1.size }
    }

    /// - Parameter elements: how each element came about, if the value is a list that is resolved by its elements.
    mutating func set(
        _ name: String, _ value: JSON?, _ origin: ParameterState.Origin, elements: [ParameterState.Origin]? = nil
    ) {
        let index = index(of: name)
        // Others have agreed to the value from before.
        if confirmed.$agreement.hasValue, parameters[index].value != value { confirmed.agreement = nil }
        parameters[index].value = value
        parameters[index].origin = origin
        parameters[index].elements = elements
        // Other words; not a list whose elements are open.
        if origin == .given, elements == nil, parameters[index].hasProvenance { parameters[index].provenance = nil }
    }

    /// Keeps how a parameter's value came about. The words of a secret are as secret as its value.
    mutating func note(_ provenance: ParameterState.Provenance, of name: String) {
        guard let index = parameters.firstIndex(where: { $0.name == name }), !parameters[index].isSecret else { return }
        parameters[index].provenance = provenance.isEmpty ? nil : provenance
    }

    /// Keeps the words that a resolver has understood, and what it says of how it came to its value.
    ///
    /// - Parameters:
    ///   - before: The parameter before the resolver's result was applied.
    ///   - remembered: What it is that the resolver has taken from memory, if that is remembered for the person.
    mutating func noteProvenance(
        _ resolved: ResolvedParameter, _ before: ParameterState?, _ remembered: RememberedValue?
    ) {
        let hasWords = before?.origin == .given && before?.value?.view.kind == .string
        guard hasWords || resolved.hasProvenance || before?.hasProvenance == true, !resolved.isSecret,
            resolved.element == nil
        else {
            return
        }
        var provenance = before?.provenance ?? ParameterState.Provenance()
        if hasWords, let words = before?.value, words != resolved.resolution.understood,
            words.bytes.count <= ParameterState.Provenance.maximumBytes
        {
            provenance.original = words
        }
        if let said = resolved.provenance {
            provenance.source = said.source
            if let words = said.original { provenance.original = words == resolved.resolution.understood ? nil : words }
            provenance.interpreted = said.interpreted ?? provenance.interpreted
            provenance.confidence = said.confidence ?? provenance.confidence
        }
        if let remembered {
            provenance.recordMemory(intent: remembered.intent?.text, time: remembered.time.description)
        }
        note(provenance, of: resolved.name)
    }

    /// The parameters for the person's side: all are secret before a resolver has said which are, and those that it does not know.
    var tellableParameters: [ParameterState] {
        if traits.knowsSecrets, !parameters.contains(where: \.isUnknown) {  // rule: secretsAreNotDisclosed
            return parameters
        }
        return parameters.map { parameter in
            var parameter = parameter
            if parameter.isUnknown || !traits.knowsSecrets { parameter.isSecret = true }
            return parameter
        }
    }

    /// The parameters for a completion. Until the request is resolved, what no resolver has accepted are words, and no values.
    var completedParameters: [ParameterState] {
        isBeingResolved ? tellableParameters.filter { $0.origin != .given } : tellableParameters
    }

    /// The activity for an app when neither confirm nor handle has given one, without secrets.
    var defaultActivity: UserActivity {
        let values = completedParameters.compactMap { parameter in
            parameter.isSecret || parameter.origin == .notRequired ? nil : parameter.value.map { (parameter.name, $0) }
        }
        return UserActivity(activityType: request.intent.text, fitting: values)
    }

    /// From now on only workers see the values of parameters that a resolver calls secret, and of those that it does not name.
    mutating func keepSecrets(_ resolved: [ResolvedParameter]) {
        traits.knowsSecrets = true
        for index in parameters.indices {
            let name = parameters[index].name
            parameters[index].isUnknown = !resolved.contains { $0.name == name }
        }
        for parameter in resolved where parameter.isSecret {  // rule: secretsAreNotDisclosed
            let index = index(of: parameter.name)
            parameters[index].isSecret = true
            parameters[index].provenance = nil
        }
    }

    /// Replaces one element. An index that the list doesn't have changes nothing.
    mutating func set(_ name: String, element: Int, _ value: JSON, _ origin: ParameterState.Origin) {
        guard var list = list(name), list.indices.contains(element) else { return }
        list[element] = (value, origin)
        set(name, list)
    }

    /// Removes one element.
    ///
    /// - Returns: whether other elements remain. If not, nothing was changed.
    mutating func drop(_ name: String, element: Int) -> Bool {
        guard var list = list(name), list.indices.contains(element), list.count > 1 else { return false }
        list.remove(at: element)
        set(name, list)
        asking.forgetWords(of: name)
        // The elements after it have moved up: what was counted for their places is not about them.
        for place in element...list.count {
            let key = Self.askKey(name, element: place)
            asking.asks[key] = nil
            asking.misses[key] = nil
        }
        return true
    }

    /// The parameter's value as a list; `nil` if it isn't one.
    func list(_ name: String) -> [(value: JSON, origin: ParameterState.Origin)]? {
        parameter(name)?.list
    }

    /// What the parameter would be if this were said of it, or of one of its elements.
    func said(_ value: JSON, of prompt: Prompt) -> ParameterState {
        let name = prompt.parameter ?? ""
        guard let element = prompt.asked.element, list(name) != nil else {
            return ParameterState(name: name, value: value)
        }
        var copy = self
        copy.set(name, element: element, value, .given)
        return ParameterState(name: name, value: copy.parameter(name)?.value)
    }

    /// The key under which asks for a parameter, or for one of its elements, are counted.
    static func askKey(_ name: String, element: Int?) -> String { element.map { "\(name)[\($0)]" } ?? name }

    private mutating func set(_ name: String, _ list: [(value: JSON, origin: ParameterState.Origin)]) {
        set(name, .array(list.map(\.value)), .given, elements: list.map(\.origin))
    }

    private mutating func index(of name: String) -> Int {
        if let index = parameters.firstIndex(where: { $0.name == name }) { return index }
        parameters.append(ParameterState(name: name, value: nil))
        return parameters.count - 1
    }
}

extension ParameterState {
    /// The value as a list; `nil` if it isn't one.
    var list: [(value: JSON, origin: Origin)]? {
        guard let view = value?.view, view.kind == .array else { return nil }
        let list = view.elements
        let origins = elements ?? []
        return list.indices.map { (list[$0].json, origins.indices.contains($0) ? origins[$0] : .given) }
    }
}
