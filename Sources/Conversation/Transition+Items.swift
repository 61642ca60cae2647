import IntentModel

// A handler has finished, and the person is asked something before the request ends: which of the found items they mean, or whether other values will
// do than those that failed. Unless the request goes on, it ends with the handler's response, whatever happens next.
extension Transition {
    /// - Returns: `notMine` if there is nothing to ask about.
    mutating func askToChoose(_ response: IntentResponse) -> Handled {
        guard let choice = response.choice, !response.items.isEmpty, session.active?.isCancelling == false else {
            return .notMine
        }
        var found = response
        found.items = []
        found.validFor = nil
        found.proposed = [:]
        found.appliedAnswers = [:]
        session.active?.result = found
        var prompt = draft(.choice)
        prompt.isAboutItems = true
        prompt.options = response.items
        prompt.dialog = choice.dialog ?? response.dialog ?? text(BuiltInText.whichOneWouldYouLike)
        issue(prompt)
        return .handled
    }

    /// It could not be done, but it could be with other values. The person is asked about those; accepting dispatches the request again with them.
    ///
    /// - Returns: `notMine` if there is nothing to ask about.
    mutating func proposeInstead(_ response: IntentResponse, _ confirmation: ConfirmationRequest?) -> Handled {
        guard !response.proposed.isEmpty, !response.code.requiresAppLaunch, session.active?.isCancelling == false,
            session.active?.redone ?? 0 < policy.maximumAsks
        else {
            return .notMine
        }
        var failure = response
        failure.proposed = [:]
        failure.appliedAnswers = [:]
        failure.validFor = nil
        session.active?.result = failure
        askToConfirm(response, confirmation ?? ConfirmationRequest(dialog: response.dialog))
        return .handled
    }

    /// The person has chosen an item, or none.
    mutating func chose(_ result: IntentResponse, _ prompt: Prompt, _ answer: Answer) {
        if !answer.parameters.isEmpty {
            return refuse(
                .unexpected,
                "nothing can be changed any more: the request has been handled; answer without 'parameters', and send a new request",
                "parameters")
        }
        guard answer.action == .accept else { return end(.success, result.code) }
        guard let item = item(in: prompt, meant: answer) else { return }
        for (key, member) in (result.choice?.remembers ?? [:]).sorted(by: { $0.key < $1.key }) {
            if let value = item.value.view[member] { remember([key: value.json], scope: .session) }
        }
        end(.success, result.code, chosen: item.id)
    }

    /// - Returns: `nil` if the person was told what is wrong with the answer.
    private mutating func item(in prompt: Prompt, meant answer: Answer) -> ParameterOption? {
        let named: ParameterOption?
        if let id = answer.option {
            named = prompt.options.first { $0.id == id }
        } else if let value = answer.value, value != .null {
            named = option(in: prompt, named: value)
        } else {
            named = prompt.options.count == 1 ? prompt.options[0] : nil
        }
        if let named { return named }
        let field = answer.option == nil && answer.value != nil ? "value" : "option"
        refuse(.invalid, "'\(field)' names none of the items; there are \(prompt.optionList)", field)
        return nil
    }
}

extension ActiveRequest {
    /// `true` if a handler has answered. Cheaper than to copy the result.
    var hasResult: Bool { result?.code != nil }

    /// What the request ends with, with its items; `nil` if no handler has answered.
    var finalResult: IntentResponse? {
        guard var final = result else { return nil }
        if let prompt, prompt.isAboutItems { final.items = prompt.options }
        return final
    }
}
