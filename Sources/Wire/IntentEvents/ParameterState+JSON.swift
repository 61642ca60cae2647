import Conversation
import IntentModel

// Parameters with their states, and the answers to a phase, as work and the journal carry them.
extension JSONCursor {
    /// Takes parameters with their states, as work carries them.
    mutating func parameterStates() -> [ParameterState] {
        var states: [ParameterState] = []
        states.reserveCapacity(8)
        object { name, parameter in
            var state = ParameterState(name: name.string, value: nil)
            parameter.object { name, value in
                switch name {
                case "value": state.value = value.json()
                case "state": state.origin = value.origin()
                case "elements": state.elements = value.origins()
                case "secret": state.isSecret = value.bool() ?? false
                case "provenance": state.provenance = ParameterState.Provenance(value.json().view)
                default: break
                }
            }
            states.append(state)
        }
        return states
    }

    /// Takes how the elements of a list came about.
    private mutating func origins() -> [ParameterState.Origin] {
        var origins: [ParameterState.Origin] = []
        array { origins.append($0.origin()) }
        return origins
    }

    /// ``ParameterState/Origin/given`` for a word that this version does not know.
    private mutating func origin() -> ParameterState.Origin {
        guard let word = word() else { return .given }
        return switch word {
        case "chosen": .chosen
        case "confirmed": .confirmed
        case "resolved": .resolved
        case "notRequired": .notRequired
        default: .given
        }
    }
}

extension JSONView {
    /// How the elements of a list came about.
    var origins: [ParameterState.Origin] { elements.map { $0.string.flatMap(ParameterState.Origin.init) ?? .given } }

    /// What was answered to the questions of a phase.
    var answers: [PhaseAnswer] {
        elements.compactMap { view in
            guard let question = view["question"]?.string else { return nil }
            return PhaseAnswer(
                question: question, isAccepted: view["accepted"]?.bool ?? false, value: view["value"]?.json)
        }
    }
}

extension JSONWriter {
    mutating func parameterStates(_ parameters: [ParameterState]) {
        name("parameters")
        beginObject()
        // By index, because an element of its own would be a copy.
        for index in parameters.indices {
            name(named: parameters[index].name)
            beginObject()
            member("value", ifPresent: parameters[index].value)
            member("state", parameters[index].origin.rawValue)
            if let elements = parameters[index].elements { origins("elements", elements) }
            if parameters[index].isSecret { member("secret", true) }
            // Workers need to know what is doubtful. The rest is for audit, and is in completions.
            if parameters[index].hasProvenance, let provenance = parameters[index].provenance,
                provenance.confidence != nil
            {
                self.provenance(provenance)
            }
            endObject()
        }
        endObject()
    }

    /// Nothing at all if there is none.
    mutating func provenance(_ provenance: ParameterState.Provenance?) {
        guard let provenance else { return }
        name("provenance")
        provenance.write(to: &self)
    }

    mutating func origins(_ name: StaticString, _ origins: [ParameterState.Origin]) {
        self.name(name)
        beginArray()
        for origin in origins { string(origin.rawValue) }
        endArray()
    }

    /// Nothing at all if there are none.
    mutating func answers(_ answers: [PhaseAnswer]) {
        if answers.isEmpty { return }
        name("answers")
        beginArray()
        for answer in answers {
            beginObject()
            member("question", answer.question)
            member("accepted", answer.isAccepted)
            member("value", ifPresent: answer.value)
            endObject()
        }
        endArray()
    }
}
