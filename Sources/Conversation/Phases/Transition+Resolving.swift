import IntentModel

// A resolver reports its results.
extension Transition {
    mutating func resolved(_ parameters: [ResolvedParameter], summary: String?) {
        var question: ResolvedParameter?
        // A list has an entry for each of its open elements. All of them are about the list as it was.
        let known = parameters.hasRepeats ? session.active?.parameters : nil
        session.active?.asking.replaced = []
        let said = takeSaid()
        let unchanged = said.contains { $0.parameter == nil } ? session.active?.parameters : nil
        session.active?.keepSecrets(parameters)
        for parameter in parameters {
            session.active?.traits.note(parameter)
            let known =
                known.map { $0.first { $0.name == parameter.name } } ?? session.active?.parameter(parameter.name)
            switch parameter.resolution {
            case .success(let value):
                session.active?.asking.forgetReplaced(parameter.name)
                let origin = known?.value == value ? known?.origin.kept ?? .resolved : .resolved
                let elements = resolvedOrigins(known, parameter, value)
                session.active?.set(parameter.name, value, origin, elements: elements)
                noteProvenance(parameter, said.isEmpty ? known : known?.heard(parameter))
            case .notRequired where parameter.isNone:
                // The words are no value: nothing that is told shows them as one.
                session.active?.set(parameter.name, nil, .notRequired)
                if !parameter.isSecret { rememberNone(ofParameter: parameter.name) }
            case .notRequired where said.contains { $0.parameter == parameter.name && $0.element == nil }:
                // The words were about another parameter.
                session.active?.set(parameter.name, nil, .notRequired)
            case .notRequired:
                // The value is left out of the intent, and applies again if the parameter is required again.
                session.active?.set(parameter.name, known?.value, .notRequired, elements: known?.elements)
            case .needsValue, .disambiguation, .confirmationRequired, .unsupported:
                let isSaidAgain = !said.isEmpty && keepWords(of: parameter, known, said)
                let isAnswered = !isSaidAgain && isAnswered(known, parameter, among: parameters)
                if let element = parameter.element {
                    guard element.list.indices.contains(element.index), element.origins.count == element.list.count
                    else {
                        return protocolError(
                            "'\(parameter.name)' has no element \(element.index) with an origin for each")
                    }
                    keep(element, of: parameter.name, known, isAnswered: isAnswered)
                }
                if parameter.resolution.isAboutValue { noteProvenance(parameter, known) }
                if !isAnswered, question.map({ parameter.comesBefore($0) }) ?? true { question = parameter }
            }
        }
        if let unchanged {
            let isRead = unchanged != session.active?.parameters
            if isRead { session.active?.asking.inWords.unreadAnswers = 0 } else { noteUnread() }
        }
        if let question {  // rule: openParametersAreAsked
            return ask(about: question, among: parameters, summary: summary)
        }
        rememberParameters()
        dispatch(.confirm)
    }

    /// Takes the words that the resolver has read. Those that it can't accept yet are kept for its next round.
    private mutating func takeSaid() -> [SaidAnswer] {
        guard session.active?.asking.hasWordsToRead == true, let said = session.active?.asking.inWords.said else {
            return []
        }
        session.active?.asking.inWords.said = []
        return said
    }

    /// Notes that no resolver could read the words that answered a confirmation.
    mutating func noteUnread() {
        session.active?.asking.inWords.isUnread = true
        session.active?.asking.inWords.unreadAnswers += 1
    }

    /// Keeps the words that a resolver has found to be about this parameter, and can't accept yet. They replace its value, so that the next round reads
    /// them again.
    ///
    /// - Returns: whether the words replace another value, about which the person must be asked whatever they chose before.
    private mutating func keepWords(of parameter: ResolvedParameter, _ known: ParameterState?, _ said: [SaidAnswer])
        -> Bool
    {
        var own = said.first { $0.parameter == parameter.name && $0.element == parameter.element?.index }
        own?.isForParameterAlone = true
        if parameter.element != nil || parameter.isSecret {
            if let own { session.active?.asking.keep(own) }
            return false
        }
        guard let words = parameter.provenance?.original?.view.string else {
            // The words were about another parameter. What can't be used is shown, and then forgotten.
            if case .unsupported = parameter.resolution { return false }
            if let own, known?.value == .string(own.words) { session.active?.set(parameter.name, nil, .given) }
            return false
        }
        let isNew = known?.origin != .given || known?.value != .string(words)
        if isNew, own == nil {
            session.active?.asking.forgive(parameter.name)
            session.active?.asking.inWords.replaced[parameter.name] = known?.value
        }
        session.active?.set(parameter.name, .string(words), .given)
        let language = own?.language ?? said.first?.language
        session.active?.asking.keep(
            SaidAnswer(
                words, in: language, parameter: parameter.name,
                offered: own?.offered ?? known?.value.map { [$0] } ?? [], isForParameterAlone: true))
        return isNew
    }

    /// What the person chose or confirmed is not asked again, even if the resolver asks. For an element that holds only if the resolver asks about no
    /// other element: otherwise those would never be asked about.
    private func isAnswered(_ state: ParameterState?, _ parameter: ResolvedParameter, among all: [ResolvedParameter])
        -> Bool
    {
        let known: (value: JSON, origin: ParameterState.Origin)
        if let element = parameter.element {
            guard let list = state?.list, list.indices.contains(element.index) else { return false }
            let asked = all.filter { $0.name == parameter.name }.compactMap(\.element?.index)
            let isLast = element.origins.indices.allSatisfy { asked.contains($0) || element.origins[$0] != .given }
            guard isLast else { return false }
            known = list[element.index]
        } else {
            guard let state, let value = state.value else { return false }
            known = (value, state.origin)
        }
        return switch parameter.resolution {
        case .disambiguation(let options, _): known.origin == .chosen && options.contains { $0.value == known.value }
        case .confirmationRequired(let value, _): known.origin == .confirmed && known.value == value
        default: false
        }
    }

    /// Keeps the resolved elements of a list. The open element stays in its place until the answer replaces it: as long as it is there, the resolver asks
    /// about it.
    private mutating func keep(_ element: ListElement, of name: String, _ state: ParameterState?, isAnswered: Bool) {
        var list = element.list
        var origins = element.origins
        // What the person picked stays theirs, whatever the resolver says of it.
        if let known = session.active?.list(name), known.count == list.count {
            for index in list.indices
            where known[index].value == list[index] && known[index].origin.kept == known[index].origin {
                origins[index] = known[index].origin
            }
        }
        origins[element.index] = .given
        if isAnswered, let known = state?.list, known.indices.contains(element.index) {
            (list[element.index], origins[element.index]) = known[element.index]
        }
        let isOpen = origins.contains(.given)
        session.active?.set(name, .array(list), isOpen ? .given : .resolved, elements: origins)
    }

    /// How the elements of a list came about that is resolved now; `nil` if it wasn't resolved by its elements.
    private func resolvedOrigins(_ state: ParameterState?, _ parameter: ResolvedParameter, _ value: JSON)
        -> [ParameterState.Origin]?
    {
        guard parameter.element != nil || state?.elements != nil else { return nil }
        let elements = value.view.elements
        if let element = parameter.element, element.origins.count == elements.count { return element.origins }
        guard state?.elements != nil, let known = state?.list, known.count == elements.count else { return nil }
        return elements.indices.map { elements[$0].json == known[$0].value ? known[$0].origin.kept : .resolved }
    }
}

extension [ResolvedParameter] {
    /// `true` if two of them have the same name.
    fileprivate var hasRepeats: Bool {
        indices.contains { index in self[..<index].contains { $0.name == self[index].name } }
    }
}

extension ResolvedParameter {
    /// Questions are asked in the order of the parameters, and of one list in the order of its elements.
    fileprivate func comesBefore(_ other: ResolvedParameter) -> Bool {
        guard name == other.name, let index = element?.index, let otherIndex = other.element?.index else {
            return false
        }
        return index < otherIndex
    }
}

extension ParameterState {
    /// The parameter before a resolver has read words about it: if there were any, nothing is left of how its old value came about.
    fileprivate func heard(_ parameter: ResolvedParameter) -> ParameterState {
        guard parameter.hasProvenance, parameter.provenance?.original != nil else { return self }
        var state = self
        state.provenance = nil
        return state
    }
}
