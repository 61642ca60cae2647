/// Questions about a parameter, asked during confirm, handle or `perform()`, as in App Intents.
///
/// A question without an answer ends the run: it throws an error, which must be rethrown. Minutes later, and perhaps in
/// another process, the phase **runs again from the start**, and the question returns the answer at once. Ask before
/// you perform anything with an effect, or perform the effect in ``Context/once(_:_:)``. An answer is matched to its
/// question by the parameter, the kind and the position among such questions, so ask in the same order in each run.
///
/// All questions throw ``IntentDeclinedError`` if the person declines, except for ``requestConfirmation(for:dialog:)``.
/// While parameters are being resolved, and outside a phase, they throw ``IntentFailure``. Copies of an intent share
/// the declarations of their parameters, so `intent.$date.requestValue()` in a handler is the same question as
/// `$date.requestValue()` in `perform()`.
extension Parameter {
    /// Asks for the value of the parameter: `try await $date.requestValue("When?")`.
    ///
    /// The answer is converted and checked against the declaration of the parameter (type, range and options). If the
    /// answer is not valid, the person is asked again. From the next run on, the answer is also the value of the
    /// parameter. A parameter with few possible values offers them as a choice.
    ///
    /// - Parameter dialog: The text of the question. Defaults to the prompt of the parameter.
    public func requestValue(_ dialog: LocalizedText? = nil) async throws -> Value.Base {
        let scope = try PhaseScope.asking(about: "'\(definition.title.original)'")
        let ask = Ask(form: .value, kind: .value, subject: subject, dialog: dialog ?? definition.prompts.value)
        let name = scope.name(of: identity)
        let id = scope.id(ask.stem(name))
        guard let answer = scope.answer(to: id) else { throw scope.suspend(id, try await offering(ask, scope)) }
        guard answer.isAccepted else { throw IntentDeclinedError(parameter: name) }
        if let value = scope.withState({ $0.values[id] }) as? Value.Base { return value }
        throw scope.suspend(id, try await offering(ask, scope), reason: "invalidValue")
    }

    /// Asks which of these values the person means. A single value is a question with yes or no; without values the
    /// method throws a failure.
    public func requestDisambiguation(among values: [Value.Base], dialog: LocalizedText? = nil) async throws
        -> Value.Base
    {
        let scope = try PhaseScope.asking(about: "'\(definition.title.original)'")
        let ask = try choice(among: values, dialog, scope)
        let name = scope.name(of: identity)
        let id = scope.id(ask.stem(name))
        guard let answer = scope.answer(to: id) else { throw scope.suspend(id, ask) }
        guard answer.isAccepted else { throw IntentDeclinedError(parameter: name) }
        if let value = answer.choice(among: values) { return value }
        throw scope.suspend(id, ask, reason: "noMatch")
    }

    /// Asks whether the person means this value; returns `false` if the person declines. Accepting one value does not
    /// accept another.
    public func requestConfirmation(for value: Value.Base, dialog: LocalizedText? = nil) async throws -> Bool {
        let scope = try PhaseScope.asking(about: "'\(definition.title.original)'")
        let ask = confirmation(of: value, dialog)
        let id = scope.id(ask.stem(scope.name(of: identity)))
        guard let answer = scope.answer(to: id) else { throw scope.suspend(id, ask) }
        return answer.isAccepted
    }
}

/// Questions as errors to throw, for code that does not `await`. The phase runs again from the start, with the answer
/// as the value of the parameter.
extension Parameter {
    /// Returns an error that asks for the value: `guard let date else { throw $date.needsValueError("When?") }`.
    public func needsValueError(_ dialog: LocalizedText? = nil) -> RestartPerformError {
        RestartPerformError(
            ask: Ask(form: .value, kind: .value, subject: subject, dialog: dialog ?? definition.prompts.value))
    }

    /// Returns an error that asks for the value, like ``needsValueError(_:)``:
    /// `guard let date else { throw $date.requestValue("When?") }`.
    public func requestValue(_ dialog: LocalizedText? = nil) -> RestartPerformError { needsValueError(dialog) }

    /// Returns an error that asks which of these values the person means:
    /// `guard trails.count == 1 else { throw $trail.needsDisambiguationError(among: trails, dialog: "Which trail?") }`.
    ///
    /// - Parameter values: The values to choose from, at least two. A single value is a question with yes or no.
    public func needsDisambiguationError(among values: [Value.Base], dialog: LocalizedText? = nil) -> any Error {
        do { return RestartPerformError(ask: try choice(among: values, dialog, Context.current?.scope)) } catch {
            return error
        }
    }

    /// Returns an error that asks whether the person means this value:
    /// `guard $date.isConfirmed(date) else { throw $date.needsConfirmationError(for: date) }`.
    public func needsConfirmationError(for value: Value.Base, dialog: LocalizedText? = nil) -> RestartPerformError {
        RestartPerformError(ask: confirmation(of: value, dialog))
    }

    /// Returns `true` if the person has accepted this value, after a ``needsConfirmationError(for:dialog:)`` in this
    /// phase.
    public func isConfirmed(_ value: Value.Base) -> Bool {
        guard let scope = Context.current?.scope else { return false }
        let stem = confirmation(of: value, nil).stem(scope.name(of: identity)) + "!"
        return scope.invocation.answers.last { $0.question.hasPrefix(stem) }?.isAccepted ?? false
    }
}

extension Parameter {
    private var subject: Ask.Subject { Ask.Subject(identity: identity, title: definition.title) }

    /// Returns the question as a choice, if the possible values are known.
    private func offering(_ ask: Ask, _ scope: PhaseScope) async throws -> Ask {
        let values = try await definition.offered()
        guard values.count >= 2 else { return ask }
        var ask = ask
        ask.kind = .choice(ParameterOption.list(values, in: scope.invocation.locale))
        return ask
    }

    private func choice(among values: [Value.Base], _ dialog: LocalizedText?, _ scope: PhaseScope?) throws -> Ask {
        let title = definition.title.original
        guard let first = values.first else {
            let message = "there is nothing to choose '\(title)' from: return a failure instead"
            let failure = IntentFailure(.failure(.failure), reason: .unexpected, message: message)
            throw scope?.end(.failed(failure)) ?? failure
        }
        let kind =
            values.count == 1
            ? .confirmValue(JSON(first))
            : PhaseQuestion.Kind.choice(
                ParameterOption.list(values, in: scope?.invocation.locale))
        let fallback = values.count == 1 ? asking(whether: first) : definition.prompts.choice
        return Ask(form: .choice, kind: kind, subject: subject, dialog: dialog ?? fallback)
    }

    /// The question whether the person means a value, with the value in words; `nil` for a secret without one.
    private func asking(whether value: Value.Base) -> LocalizedText? {
        if let prompt = definition.prompts.confirmation { return prompt }
        if definition.isSecret { return nil }
        let locale = Context.current?.locale
        return BuiltInText.confirmValue(definition.title.text(in: locale), value.displayText(in: locale).onOneLine)
    }

    private func confirmation(of value: Value.Base, _ dialog: LocalizedText?) -> Ask {
        Ask(
            form: .confirm, kind: .confirmValue(JSON(value)), subject: subject, dialog: dialog ?? asking(whether: value)
        )
    }
}
