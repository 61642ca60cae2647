import IntentModel

// What a prompt shows of the intent's parameters.
extension PromptParameter {
    /// The parameters of a resolution. Those that will be asked for have some of their options, so that an answer can give them already.
    ///
    /// - Parameter asked: the parameter that is asked for now, whose options the prompt itself has.
    static func all(_ resolved: [ResolvedParameter], asking asked: String) -> [PromptParameter] {
        var all: [PromptParameter] = []
        for parameter in resolved {
            var shown = PromptParameter(name: parameter.name, title: parameter.title)
            switch parameter.resolution {
            case .success: shown.text = parameter.text
            case .notRequired: break
            case .needsValue, .unsupported, .confirmationRequired:
                shown.isMissing = parameter.name == asked || parameter.declaration != nil
            case .disambiguation(let options, _):
                shown.isMissing = true
                if parameter.name != asked {
                    shown.options = Array(options.prefix(OptionsRequest.usualLimit))
                    shown.omitsOptions = parameter.omitsOptions || options.count > shown.options.count
                }
            }
            if parameter.name != asked { shown.declaration = shown.isMissing ? parameter.declaration : nil }
            // A list may have an entry for each of its open elements.
            if all.last?.name != shown.name { all.append(shown) }
        }
        return all
    }
}

extension Prompt {
    /// Adds the values, which the journal has beside the prompt.
    ///
    /// A parameter that a worker names twice is shown once: each repetition would copy the value, so a small outcome
    /// could make the session larger than its record may be.
    mutating func fillIn(_ known: [ParameterState], in locale: String?) {
        var shown: Set<Identifier> = []
        parameters.removeAll { !shown.insert(Identifier($0.name)).inserted }
        if parameters.isEmpty, kind == .confirmIntent {
            parameters = known.filter { $0.value != nil && $0.origin != .notRequired }.map {
                PromptParameter(name: $0.name)
            }
        }
        for index in parameters.indices {
            guard let state = known.first(where: { $0.name == parameters[index].name }) else { continue }
            if state.isSecret {
                parameters[index].text = nil
            } else if state.origin != .notRequired {
                parameters[index].value = state.value
                if state.hasProvenance, let provenance = state.provenance {
                    parameters[index].source = provenance.source
                    parameters[index].reason = provenance.reason?.text(in: locale)
                }
            }
        }
        for state in proposed {
            guard let index = parameters.firstIndex(where: { $0.name == state.name }) else { continue }
            parameters[index].value = state.isSecret ? nil : state.value
            parameters[index].source = .proposed
            parameters[index].reason = nil
        }
    }
}

extension ParameterState.Provenance {
    /// Why it is this value, for the person.
    fileprivate var reason: LocalizedText? {
        switch source {
        case .remembered: time == nil ? BuiltInText.asBefore : BuiltInText.asLastTime
        case .default, .attribute, .resolver, .proposed, nil: nil
        }
    }
}
