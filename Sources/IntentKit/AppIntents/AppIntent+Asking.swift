/// What ``Context`` offers, as it is written in `perform()`.
extension AppIntent {
    /// See ``Context/requestConfirmation(dialog:)``.
    public func requestConfirmation(dialog: String? = nil) async throws {
        _ = try PhaseScope.asking(about: "the person")
        try await context.requestConfirmation(dialog: dialog)
    }

    /// See ``Context/requestChoice(between:dialog:)->Value``.
    public func requestChoice<Value: ParameterValue>(between values: [Value], dialog: String? = nil) async throws -> Value {
        _ = try PhaseScope.asking(about: "the person")
        return try await context.requestChoice(between: values, dialog: dialog)
    }

    /// See ``Context/requestChoice(between:dialog:)->IntentChoiceOption``.
    public func requestChoice(between options: [IntentChoiceOption], dialog: String? = nil) async throws -> IntentChoiceOption {
        _ = try PhaseScope.asking(about: "the person")
        return try await context.requestChoice(between: options, dialog: dialog)
    }

    /// Has the person go on in the app, which gets the intent with its values as they are: `perform()` ends here. Only for intents whose
    /// ``supportedModes`` include the foreground.
    ///
    /// - Parameters:
    ///   - dialog: What the person is told, or asked.
    ///   - alwaysConfirm: Whether the person is asked before; `false` if a yes has just been said.
    /// - Throws: Always: the end of the run, ``IntentDeclinedError`` if the person says no, or an ``IntentFailure`` if the app may not come
    ///   forward.
    public func continueInForeground(_ dialog: String? = nil, alwaysConfirm: Bool = true) async throws {
        let scope = try PhaseScope.asking(about: "the app")
        guard Self.supportedModes.includesForeground else {
            let message = "\(Self.name) can't continue in the foreground: add .foreground(.dynamic) to its supportedModes"
            throw scope.end(.failed(IntentFailure(.failure(.failure), reason: .unexpected, message: message)))
        }
        try scope.continueInForeground(ContinueInForegroundError(dialog: dialog, alwaysConfirm: alwaysConfirm), id: "foreground#1")
    }

    /// The same as an error to throw, and for any ``supportedModes``.
    public func needsToContinueInForegroundError(_ dialog: String? = nil, alwaysConfirm: Bool = true) -> ContinueInForegroundError {
        ContinueInForegroundError(dialog: dialog, alwaysConfirm: alwaysConfirm)
    }
}
