/// Parts that a response can have in addition to its dialog:
/// `return .success(dialog: "Mia is on her way").showing(card)`.
extension PhaseResponse {
    /// Adds the text that the person reads next to a snippet, if the dialog contains all information for speech: App
    /// Intents' `IntentDialog(full:supporting:)`.
    public func supporting(_ text: LocalizedText) -> Self {
        var response = self
        response.supporting = text
        return response
    }

    /// Adds a card that the person's side may show next to the dialog.
    public func showing(_ snippet: Snippet) -> Self {
        var response = self
        response.base.snippet = snippet
        return response
    }

    /// Adds values as a type of your own to the values given by name; see ``ResponseValues``.
    public func returning(_ values: some ResponseValues) -> Self {
        var response = self
        response.returned = values
        return response
    }

    /// Proposes a value with which the intent could be handled instead of the requested value: a table at 18:30 instead
    /// of 18:45.
    ///
    /// ```swift
    /// return .ready(dialog: "There is a table at half past six.").proposing(\BookTable.$time, halfPastSix)
    /// return .failure("failureFullyBooked").proposing(\BookTable.$time, halfPastSix)
    /// ```
    /// Confirm proposes with `ready`, handle with a failure that had no effect. The person is asked in any case. If the
    /// person accepts, the proposed value becomes the intent's value, and the intent is handled in a call with its own
    /// idempotency key. If the person declines, the request ends; after a failure it ends with that failure.
    public func proposing<Subject: Intent, Value: ParameterType>(
        _ parameter: any WritableKeyPath<Subject, Parameter<Value>> & Sendable, _ value: Value.Base
    ) -> Self {
        var response = self
        response.proposals.append(
            Proposal(name: { ($0 as? Subject)?[keyPath: parameter].identity }, value: JSON(value)))
        return response
    }

    /// Returns the values that ``returning(_:)`` has set, if they are of this type; for
    /// ``UndoableIntent/inverse(of:)``.
    public func values<Values: ResponseValues>(as type: Values.Type = Values.self) -> Values? { returned as? Values }

    /// Returns the value with this name, if it is of this type.
    public func value<Value: ParameterValue>(_ type: Value.Type = Value.self, named name: String) -> Value? {
        guard let json = base.values[name] else { return nil }
        return json.view.string.flatMap(Value.init(text:)) ?? Value(json: json.view)
    }
}

extension PhaseResponse {
    /// Returns the response with its texts in the language of the request.
    ///
    /// - Parameter names: The names of the intent's parameters, by declaration.
    package func response(
        to intent: some Intent, in locale: String?, names: (ObjectIdentifier) -> String?
    ) throws(IntentFailure) -> IntentResponse {
        var response = base
        if let dialog { response.dialog = dialog.text(in: locale) }
        if let supporting { response.supportingDialog = supporting.text(in: locale) }
        if !items.isEmpty { response.items = ParameterOption.list(items, in: locale) }
        if let asks { response.choice = ItemChoice(dialog: asks.dialog?.text(in: locale), remembers: asks.remembers) }
        if let returned { try returned.add(to: &response.values) }
        for proposal in proposals {
            guard let name = proposal.name(intent).flatMap(names) else {
                throw IntentFailure(
                    .failure(.failure), reason: .unexpected,
                    message:
                        "a response of \(type(of: intent).name) proposes a value for something that is not one of its parameters"
                )
            }
            response.proposed[name] = proposal.value
        }
        return response
    }
}
