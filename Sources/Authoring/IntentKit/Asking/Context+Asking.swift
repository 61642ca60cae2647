/// Questions about the intent as a whole, asked during confirm, handle or `perform()`. As with
/// ``Parameter/requestValue(_:)``, a question ends the run, and the phase runs again from the start with the answers.
///
/// Compute the facts in a question (a fare, a time of arrival) with ``once(_:_:)``, so that they are the same when the
/// answer arrives.
extension Context {
    /// Asks the person whether to carry out the intent. Returns if the person accepts.
    ///
    /// - Parameters:
    ///   - conditions: The conditions, at least one of which has to hold for the person to be asked. Without conditions
    ///     the person is always asked.
    ///   - actionName: The name of the action, which labels the answers. Defaults to the intent's
    ///     ``Intent/confirmationActionName``.
    /// - Throws: ``IntentDeclinedError`` if the person declines.
    public func requestConfirmation(
        conditions: ConfirmationConditions = [], actionName: ConfirmationActionName? = nil, dialog: LocalizedText? = nil
    ) async throws {
        let scope = try asking()
        if !conditions.isEmpty, !(conditions.contains(.lowConfidenceSource) && scope.hasDoubtfulValue) { return }
        let id = scope.id(Ask.Form.confirmIntent.rawValue)
        guard let answer = scope.answer(to: id) else {
            throw scope.suspend(
                id,
                Ask(
                    form: .confirmIntent, kind: .confirmIntent, subject: nil, dialog: dialog,
                    action: actionName?.action(in: locale)))
        }
        guard answer.isAccepted else { throw IntentDeclinedError() }
    }

    /// Asks the person to choose one of these values.
    ///
    /// - Throws: ``IntentDeclinedError`` if the person chooses no value, and an ``IntentFailure`` if there are no
    ///   values.
    public func requestChoice<Value: ParameterValue>(between values: [Value], dialog: LocalizedText? = nil) async throws
        -> Value
    {
        let options = ParameterOption.list(values, in: locale)
        return values[try choose(options, dialog)]
    }

    /// Asks the person to choose one of these options; see ``IntentChoiceOption``.
    ///
    /// - Throws: ``IntentDeclinedError`` if the person chooses no option or an option with the style `cancel`, and an
    ///   ``IntentFailure`` if there are no options.
    public func requestChoice(between options: [IntentChoiceOption], dialog: LocalizedText? = nil) async throws
        -> IntentChoiceOption
    {
        let offered = options.enumerated().map { index, option in
            ParameterOption(
                id: String(index + 1), title: option.title.text(in: locale),
                subtitle: option.subtitle?.text(in: locale),
                value: .string(option.title.original))
        }
        let chosen = options[try choose(offered, dialog)]
        guard chosen.style != .cancel else { throw IntentDeclinedError() }
        return chosen
    }

    /// Asks the person to choose an option.
    ///
    /// - Returns: The index of the chosen option.
    private func choose(_ options: [ParameterOption], _ dialog: LocalizedText?) throws -> Int {
        let scope = try asking()
        guard let first = options.first else {
            let message = "there is nothing to choose from: return a failure instead"
            throw scope.end(.failed(IntentFailure(.failure(.failure), reason: .unexpected, message: message)))
        }
        let kind = options.count == 1 ? PhaseQuestion.Kind.confirmIntent : .choice(options)
        let ask = Ask(
            form: .choice, kind: kind, subject: nil,
            dialog: dialog ?? (options.count == 1 ? LocalizedText(first.title) : nil))
        let id = scope.id(ask.stem(nil))
        guard let answer = scope.answer(to: id) else { throw scope.suspend(id, ask) }
        guard answer.isAccepted else { throw IntentDeclinedError() }
        if let value = answer.value, let index = options.firstIndex(where: { $0.value == value }) { return index }
        if options.count == 1 { return 0 }
        throw scope.suspend(id, ask, reason: "noMatch")
    }

    private func asking() throws -> PhaseScope {
        try scope.requireAsking(about: "the person")
        return scope
    }
}

/// The conditions under which ``Context/requestConfirmation(conditions:actionName:dialog:)`` asks: App Intents' type of
/// the same name.
public struct ConfirmationConditions: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A value has a confidence below 0.7 (``ParameterState/Provenance/confidence``), and the person has neither chosen
    /// nor confirmed the value.
    public static let lowConfidenceSource = ConfirmationConditions(rawValue: 1)
}

/// One of several ways to continue, for ``Context/requestChoice(between:dialog:)->IntentChoiceOption``: App Intents'
/// type of the same name.
public struct IntentChoiceOption: Sendable, Hashable {
    public enum Style: String, Sendable, Hashable {
        case `default`
        /// The option removes something. The person's side should set the option apart.
        case destructive
        /// Choosing the option declines: the call throws ``IntentDeclinedError``.
        case cancel
    }

    /// The text of the option; unique among the options of one question.
    public var title: LocalizedText
    public var subtitle: LocalizedText?
    public var style: Style

    public init(title: LocalizedText, subtitle: LocalizedText? = nil, style: Style = .default) {
        self.title = title
        self.subtitle = subtitle
        self.style = style
    }

    public static let cancel = IntentChoiceOption(title: "Cancel", style: .cancel)
    public static func cancel(title: LocalizedText) -> IntentChoiceOption {
        IntentChoiceOption(title: title, style: .cancel)
    }
}

/// The error of a question that the person declined, or to which the person chose none of the options.
///
/// If the handler rethrows the error, the request ends as cancelled. Catch the error to continue in another way.
public struct IntentDeclinedError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The parameter that the question was about, if any.
    public var parameter: String?

    public init(parameter: String? = nil) { self.parameter = parameter }

    public var description: String {
        parameter.map { "the person gave no answer for '\($0)'" } ?? "the person said no"
    }
}

/// An error that ends the run with a question to the person: App Intents' `AppIntentError.restartPerform`.
///
/// `throw $date.needsValueError("When?")` ends the run. The answer becomes the value of the parameter, and the phase
/// runs again from the start. Each thrown error is a new question, so throw the error only while the value is not
/// acceptable. If the person declines, the request ends as cancelled.
public struct RestartPerformError: Error, Sendable {
    package let ask: Ask
}

/// An error that continues in the app; see ``AppIntent/needsToContinueInForegroundError(_:alwaysConfirm:)``.
public struct ContinueInForegroundError: Error, Sendable {
    let dialog: LocalizedText?
    let alwaysConfirm: Bool
}
