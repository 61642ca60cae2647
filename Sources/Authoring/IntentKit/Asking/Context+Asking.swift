/// Questions about the intent as a whole, in the middle of confirm, handle or `perform()`. They work like ``Parameter/requestValue(_:)``: they end
/// the run, and the phase runs again from the start with the answers.
///
/// What you tell the person (a fare, a time of arrival) should come from ``once(_:_:)``, so that it is still the same when the answer arrives.
extension Context {
    /// Asks whether to carry out the intent. Returns if the person accepts.
    ///
    /// - Parameters:
    ///   - conditions: When to ask. Without any, always; else only if one of them is met.
    ///   - actionName: What the answers are called. Defaults to the intent's ``Intent/confirmationActionName``.
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
                    form: .confirmIntent, kind: .confirmIntent, subject: nil, dialog: dialog, action: actionName?.action(in: locale)))
        }
        guard answer.isAccepted else { throw IntentDeclinedError() }
    }

    /// Asks which of these the person wants.
    ///
    /// - Throws: ``IntentDeclinedError`` if it is none, and an ``IntentFailure`` if there are no values.
    public func requestChoice<Value: ParameterValue>(between values: [Value], dialog: LocalizedText? = nil) async throws -> Value {
        let options = ParameterOption.list(values, in: locale)
        return values[try choose(options, dialog)]
    }

    /// Asks which of these options the person wants; see ``IntentChoiceOption``.
    ///
    /// - Throws: ``IntentDeclinedError`` if it is none or one whose style is `cancel`, and an ``IntentFailure`` if there are no options.
    public func requestChoice(between options: [IntentChoiceOption], dialog: LocalizedText? = nil) async throws -> IntentChoiceOption {
        let offered = options.enumerated().map { index, option in
            ParameterOption(
                id: String(index + 1), title: option.title.text(in: locale), subtitle: option.subtitle?.text(in: locale),
                value: .string(option.title.original))
        }
        let chosen = options[try choose(offered, dialog)]
        guard chosen.style != .cancel else { throw IntentDeclinedError() }
        return chosen
    }

    /// - Returns: The index of the option that was chosen.
    private func choose(_ options: [ParameterOption], _ dialog: LocalizedText?) throws -> Int {
        let scope = try asking()
        guard let first = options.first else {
            let message = "there is nothing to choose from: return a failure instead"
            throw scope.end(.failed(IntentFailure(.failure(.failure), reason: .unexpected, message: message)))
        }
        let kind = options.count == 1 ? PhaseQuestion.Kind.confirmIntent : .choice(options)
        let ask = Ask(form: .choice, kind: kind, subject: nil, dialog: dialog ?? (options.count == 1 ? LocalizedText(first.title) : nil))
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

/// When ``Context/requestConfirmation(conditions:actionName:dialog:)`` asks: App Intents' type of the same name.
public struct ConfirmationConditions: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A value's confidence is below 0.7 (``ParameterState/Provenance/confidence``), and the person has neither chosen nor confirmed it.
    public static let lowConfidenceSource = ConfirmationConditions(rawValue: 1)
}

/// One of several ways to continue, for ``Context/requestChoice(between:dialog:)->IntentChoiceOption``: App Intents' type of the same name.
public struct IntentChoiceOption: Sendable, Hashable {
    public enum Style: String, Sendable, Hashable {
        case `default`
        /// It removes something: the person's side should set it apart.
        case destructive
        /// Choosing it declines: the call throws ``IntentDeclinedError``.
        case cancel
    }

    /// The text that the person chooses by; unique among the options of one question.
    public var title: LocalizedText
    public var subtitle: LocalizedText?
    public var style: Style

    public init(title: LocalizedText, subtitle: LocalizedText? = nil, style: Style = .default) {
        self.title = title
        self.subtitle = subtitle
        self.style = style
    }

    public static let cancel = IntentChoiceOption(title: "Cancel", style: .cancel)
    public static func cancel(title: LocalizedText) -> IntentChoiceOption { IntentChoiceOption(title: title, style: .cancel) }
}

/// The person declined a question of the handler's code, or chose none of the options.
///
/// Rethrow it, and the request ends as cancelled; catch it to continue in another way.
public struct IntentDeclinedError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The parameter that was asked about, if any.
    public var parameter: String?

    public init(parameter: String? = nil) { self.parameter = parameter }

    public var description: String {
        parameter.map { "the person gave no answer for '\($0)'" } ?? "the person said no"
    }
}

/// An error that asks the person: App Intents' `AppIntentError.restartPerform`.
///
/// `throw $date.needsValueError("When?")` ends the run. The answer becomes the parameter's value, and the phase runs again from the start. Each one
/// thrown is a new question, so throw it only while the value is not acceptable. If the person declines, the request ends as cancelled.
public struct RestartPerformError: Error, Sendable {
    package let ask: Ask
}

/// An error that continues in the app; see ``AppIntent/needsToContinueInForegroundError(_:alwaysConfirm:)``.
public struct ContinueInForegroundError: Error, Sendable {
    let dialog: LocalizedText?
    let alwaysConfirm: Bool
}
