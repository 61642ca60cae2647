/// What a response may have besides its dialog: `return .success(dialog: "Mia is on her way").showing(card)`.
extension PhaseResponse {
    /// What the person reads beside a snippet, where the dialog says everything aloud: App Intents' `IntentDialog(full:supporting:)`.
    public func supporting(_ text: LocalizedText) -> Self {
        var response = self
        response.supporting = text
        return response
    }

    /// A card that the person's side may show beside the words.
    public func showing(_ snippet: Snippet) -> Self {
        var response = self
        response.base.snippet = snippet
        return response
    }

    /// The values of the response as a type of your own: see ``ResponseValues``. They are added to those given by name.
    public func returning(_ values: some ResponseValues) -> Self {
        var response = self
        response.returned = values
        return response
    }

    /// A value that the intent could be handled with instead of the requested one: a table at 18:30, not at 18:45.
    ///
    /// ```swift
    /// return .ready(dialog: "There is a table at half past six.").proposing(\BookTable.$time, halfPastSix)
    /// return .failure("failureFullyBooked").proposing(\BookTable.$time, halfPastSix)
    /// ```
    /// Confirm proposes with `ready`, handle with a failure after which nothing has been done. The person is asked in any case. If they accept, the
    /// value becomes the intent's, and it is handled with it, as a call with an idempotency key of its own. If they decline, the request ends, after a
    /// failure with that failure.
    public func proposing<Subject: Intent, Value: ParameterType>(
        _ parameter: any WritableKeyPath<Subject, Parameter<Value>> & Sendable, _ value: Value.Base
    ) -> Self {
        var response = self
        response.proposals.append(Proposal(name: { ($0 as? Subject)?[keyPath: parameter].identity }, value: JSON(value)))
        return response
    }

    /// The values that ``returning(_:)`` has set, if they are of that type; for ``UndoableIntent/inverse(of:)``.
    public func values<Values: ResponseValues>(as type: Values.Type = Values.self) -> Values? { returned as? Values }

    /// The value with that name, if it is of that type.
    public func value<Value: ParameterValue>(_ type: Value.Type = Value.self, named name: String) -> Value? {
        guard let json = base.values[name] else { return nil }
        return json.view.string.flatMap(Value.init(text:)) ?? Value(json: json.view)
    }
}

extension PhaseResponse {
    /// The response with its texts in the language of the request.
    ///
    /// - Parameter names: The intent's parameters by their declarations.
    package func response(
        to intent: any Intent, in locale: String?, names: (ObjectIdentifier) -> String?
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
                    message: "a response of \(type(of: intent).name) proposes a value for something that is not one of its parameters")
            }
            response.proposed[name] = proposal.value
        }
        return response
    }
}
