/// Signing in, in the middle of any phase. It works like ``Parameter/requestValue(_:)``: it ends the run, and once the person has signed in, the phase runs again from
/// the start. All that is known of the intent is kept until then.
extension Context {
    /// Asks the person to sign in. Returns once they have.
    ///
    /// ```swift
    /// while await accounts.token(of: context.principal) == nil {
    ///     try await context.requestSignIn(SignIn(url: accounts.authorizationURL(for: context.session), title: "Spotify"))
    /// }
    /// ```
    /// Unlike other questions, a resolution may ask this one.
    ///
    /// - Parameters:
    ///   - signIn: To what, and where. It is shown to the person: put no secret of the service into its URL.
    ///   - dialog: What the person is told. Defaults to the pipeline's own words, with the title.
    /// - Returns: The code that the person's side has sent with the answer, if the service gave the person one; up to 4 KiB.
    /// - Throws: ``IntentDeclinedError`` if the person does not sign in, and an ``IntentFailure`` if the URL, the code or the time is out of bounds.
    @discardableResult
    public func requestSignIn(_ signIn: SignIn, dialog: LocalizedText? = nil) async throws -> String? {
        let id = scope.id(Ask.Form.signIn.rawValue)
        guard let answer = scope.answer(to: id) else { throw try scope.suspend(id, signIn, dialog) }
        guard answer.isAccepted else { throw IntentDeclinedError() }
        return answer.value?.view.string
    }
}

/// An error that asks the person to sign in, for code that has no ``Context`` at hand: `throw SignInRequiredError(SignIn(url: …))`.
///
/// When they have, the phase runs again from the start. Each one thrown is a new question. If the person declines, the request ends as cancelled.
public struct SignInRequiredError: Error, Sendable {
    public var signIn: SignIn
    /// What the person is told. Defaults to the pipeline's own words, with the title.
    public var dialog: LocalizedText?

    public init(_ signIn: SignIn, dialog: LocalizedText? = nil) {
        self.signIn = signIn
        self.dialog = dialog
    }
}

extension PhaseScope {
    /// Ends the run with the question.
    ///
    /// - Throws: A failure if the question breaks a rule.
    package func suspend(_ id: String, _ signIn: SignIn, _ dialog: LocalizedText?) throws -> any Error {
        if let violation = signIn.violation {
            throw end(
                .failed(
                    IntentFailure(
                        .failure(.failure), reason: .invalid, message: "the person can't be asked to sign in: \(violation.message)",
                        field: violation.field)))
        }
        return end(.asked(PhaseQuestion(id: id, kind: .signIn(signIn), dialog: dialog?.text(in: invocation.locale))))
    }

    /// Asks the question of a ``SignInRequiredError``, or throws if the person has already declined it.
    package func signIn(_ error: SignInRequiredError) throws -> Never {
        let stem = "\(Ask.Form.signIn.rawValue)!"
        let before = invocation.answers.filter { $0.question.hasPrefix(stem) }
        if before.last?.isAccepted == false { throw IntentDeclinedError() }
        throw try suspend("\(stem)\(Set(before.map(\.question)).count + 1)", error.signIn, error.dialog)
    }
}
