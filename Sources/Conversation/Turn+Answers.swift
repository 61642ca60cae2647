import Intents

// The person answers a prompt.
extension Turn {
    mutating func answered(_ answer: Answer) {
        guard let active = session.active, let prompt = active.prompt, prompt.id == answer.prompt else {
            return reject(
                Rejection(
                    .unexpected, "the prompt '\(answer.prompt)' is not open: it was answered, withdrawn or never asked", field: "prompt"))
        }
        let said = answer.value.map { ParameterState(name: prompt.parameter ?? "", value: $0) }
        guard answer.action == .cancel || fits(answer.parameters + (said.map { [$0] } ?? [])) else { return }
        switch answer.action {
        case .cancel: end(.cancelled, "cancelled")
        case .decline: declined(prompt, answer)
        case .accept: accepted(prompt, answer)
        }
    }

    private mutating func declined(_ prompt: Prompt, _ answer: Answer) {
        switch prompt.kind {
        case .value:
            end(.cancelled, "cancelled")
        case .choice, .confirmValue:
            // None of these, or not this: forgotten, so that the resolver asks for a value.
            set(prompt, nil, .given)
            resolve(with: answer)
        case .confirmIntent:
            if answer.parameters.isEmpty { end(.cancelled, "cancelled") } else { resolve(with: answer) }
        }
    }

    private mutating func accepted(_ prompt: Prompt, _ answer: Answer) {
        switch prompt.kind {
        case .value:
            guard let value = answer.value, value != .null else {
                if answer.parameters.isEmpty { return refuse("an answer to a prompt for a value needs a 'value'", "value") }
                return resolve(with: answer)
            }
            set(prompt, value, .given)
            resolve(with: answer)
        case .choice:
            if let id = answer.option {
                guard let option = prompt.options.first(where: { $0.id == id }) else {
                    return refuse("there is no option '\(id)'; there are \(prompt.options.map(\.id).joined(separator: ", "))", "option")
                }
                set(prompt, option.value, .chosen)
            } else if let value = answer.value, value != .null {
                if let option = option(in: prompt, named: value) {
                    set(prompt, option.value, .chosen)
                } else {
                    set(prompt, value, .given)
                }
            } else if answer.parameters.isEmpty {
                return refuse("an answer to a choice needs an 'option' (or a 'value')", "option")
            }
            resolve(with: answer)
        case .confirmValue:
            if let value = answer.value, value != .null, value != prompt.value {
                set(prompt, value, .given)
            } else {
                set(prompt, prompt.value, .confirmed)
            }
            resolve(with: answer)
        case .confirmIntent:
            guard answer.parameters.isEmpty, let active = session.active else { return resolve(with: answer) }
            if active.isInApp { offerInBackground(active, IntentResponse(.handleInApp)) } else { giveOut(.handle) }
        }
    }

    /// The one option that goes by this id or title, letter case aside.
    private func option(in prompt: Prompt, named value: JSON) -> ParameterOption? {
        guard let text = value.view.string?.lowercased() else { return prompt.options.first { $0.value == value } }
        let matches = prompt.options.filter { $0.id.lowercased() == text || $0.title.lowercased() == text }
        return matches.count == 1 ? matches[0] : nil
    }

    private mutating func set(_ prompt: Prompt, _ value: JSON?, _ origin: ParameterState.Origin) {
        if let parameter = prompt.parameter { session.active?.set(parameter, value, origin) }
    }

    private mutating func resolve(with answer: Answer) {
        session.active?.merge(answer.parameters)
        giveOut(.resolve)
    }

    /// The prompt stays open: the answer can be sent again, mended.
    private mutating func refuse(_ message: String, _ field: String) {
        reject(Rejection(.invalid, message, field: field), about: session.active?.request.id)
    }
}
