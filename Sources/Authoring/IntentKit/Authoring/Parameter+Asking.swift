/// Questions for a parameter in the middle of confirm, handle or `perform()`, as in App Intents.
///
/// A question without an answer ends the run: it throws an error, which must be rethrown. Minutes later, and perhaps in another process, the phase
/// **runs again from the start**, and the question returns the answer at once. So ask before you do anything with an effect, or do that in
/// ``Context/once(_:_:)``. Answers are found by their question's parameter, kind and position among such questions: ask in the same order in each
/// run.
///
/// All of them throw ``IntentDeclinedError`` if the person declines, except for ``requestConfirmation(for:dialog:)``. They throw ``IntentFailure``
/// while parameters are being resolved and outside of a phase. Copies of an intent share their parameters' declarations, so
/// `intent.$date.requestValue()` in a handler asks the same as `$date.requestValue()` in `perform()`.
extension Parameter {
    /// Asks for the parameter's value. `try await $date.requestValue("When?")`
    ///
    /// The answer is converted and checked as the parameter declares it (its type, range and options); if it is not valid, the person is asked again.
    /// From the next run on it is also the parameter's value. A parameter with few possible values offers them as a choice.
    ///
    /// - Parameter dialog: Defaults to the parameter's prompt.
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

    /// Asks which of these values is meant. A single value is asked about with yes or no; without values it throws a failure.
    public func requestDisambiguation(among values: [Value.Base], dialog: LocalizedText? = nil) async throws -> Value.Base {
        let scope = try PhaseScope.asking(about: "'\(definition.title.original)'")
        let ask = try choice(among: values, dialog, scope)
        let name = scope.name(of: identity)
        let id = scope.id(ask.stem(name))
        guard let answer = scope.answer(to: id) else { throw scope.suspend(id, ask) }
        guard answer.isAccepted else { throw IntentDeclinedError(parameter: name) }
        if let value = answer.choice(among: values) { return value }
        throw scope.suspend(id, ask, reason: "noMatch")
    }

    /// Asks whether this value is meant; `false` if the person declines. Accepting one value does not accept another.
    public func requestConfirmation(for value: Value.Base, dialog: LocalizedText? = nil) async throws -> Bool {
        let scope = try PhaseScope.asking(about: "'\(definition.title.original)'")
        let ask = confirmation(of: value, dialog)
        let id = scope.id(ask.stem(scope.name(of: identity)))
        guard let answer = scope.answer(to: id) else { throw scope.suspend(id, ask) }
        return answer.isAccepted
    }
}

/// The same questions as errors to throw, for code that does not `await`. The phase runs again from the start with the answer as the parameter's
/// value.
extension Parameter {
    /// `guard let date else { throw $date.needsValueError("When?") }`
    public func needsValueError(_ dialog: LocalizedText? = nil) -> RestartPerformError {
        RestartPerformError(ask: Ask(form: .value, kind: .value, subject: subject, dialog: dialog ?? definition.prompts.value))
    }

    /// The same as ``needsValueError(_:)``: `guard let date else { throw $date.requestValue("When?") }`
    public func requestValue(_ dialog: LocalizedText? = nil) -> RestartPerformError { needsValueError(dialog) }

    /// `guard trails.count == 1 else { throw $trail.needsDisambiguationError(among: trails, dialog: "Which trail?") }`
    ///
    /// - Parameter values: At least two to choose from; a single value is asked about with yes or no.
    public func needsDisambiguationError(among values: [Value.Base], dialog: LocalizedText? = nil) -> any Error {
        do { return RestartPerformError(ask: try choice(among: values, dialog, Context.current?.scope)) } catch { return error }
    }

    /// `guard $date.isConfirmed(date) else { throw $date.needsConfirmationError(for: date) }`
    public func needsConfirmationError(for value: Value.Base, dialog: LocalizedText? = nil) -> RestartPerformError {
        RestartPerformError(ask: confirmation(of: value, dialog))
    }

    /// Whether the person has accepted this value, after a ``needsConfirmationError(for:dialog:)`` in this phase.
    public func isConfirmed(_ value: Value.Base) -> Bool {
        guard let scope = Context.current?.scope else { return false }
        let stem = confirmation(of: value, nil).stem(scope.name(of: identity)) + "!"
        return scope.invocation.answers.last { $0.question.hasPrefix(stem) }?.isAccepted ?? false
    }
}

extension Parameter {
    private var subject: Ask.Subject { Ask.Subject(identity: identity, title: definition.title) }

    /// The same question as a choice, if the values are known.
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
        return Ask(form: .choice, kind: kind, subject: subject, dialog: dialog)
    }

    private func confirmation(of value: Value.Base, _ dialog: LocalizedText?) -> Ask {
        Ask(form: .confirm, kind: .confirmValue(JSON(value)), subject: subject, dialog: dialog)
    }
}

/// Lets reflection over an intent find the options providers of its parameters.
package protocol OptionsHolding {
    var optionsProvider: (any Sendable)? { get }
}

extension Parameter: OptionsHolding {
    package var optionsProvider: (any Sendable)? { definition.options }
}
