/// Requests to sign in, during any phase. As with ``Parameter/requestValue(_:)``, a request ends the run. Once the
/// person has signed in, the phase runs again from the start. The state of the intent is retained until then.
extension Context {
    /// Asks the person to sign in. Returns once the person has signed in.
    ///
    /// ```swift
    /// while await accounts.token(of: context.principal) == nil {
    ///     let url = accounts.authorizationURL(for: context.session)
    ///     try await context.requestSignIn(SignIn(url: url, title: "Spotify"))
    /// }
    /// ```
    /// A request to sign in is the only question that a resolution may ask.
    ///
    /// - Parameters:
    ///   - signIn: The service and the address at which to sign in. The person sees them, so the URL must not contain a
    ///     secret of the service.
    ///   - dialog: The text for the person. Defaults to the pipeline's own text, with the title.
    /// - Returns: The code that the person's side sent with the answer, if the service issued a code; up to 4 KiB.
    /// - Throws: ``IntentDeclinedError`` if the person does not sign in, and an ``IntentFailure`` if the URL, the code
    ///   or the time is out of bounds.
    @discardableResult
    public func requestSignIn(_ signIn: SignIn, dialog: LocalizedText? = nil) async throws -> String? {
        let id = scope.id(Ask.Form.signIn.rawValue)
        guard let answer = scope.answer(to: id) else { throw try scope.suspend(id, signIn, dialog) }
        guard answer.isAccepted else { throw IntentDeclinedError() }
        return answer.value?.view.string
    }
}

/// An error that asks the person to sign in, for code without access to a ``Context``:
/// `throw SignInRequiredError(SignIn(url: …))`.
///
/// Once the person has signed in, the phase runs again from the start. Each thrown error is a new question. If the
/// person declines, the request ends as cancelled.
public struct SignInRequiredError: Error, Sendable {
    public var signIn: SignIn
    /// The text for the person. Defaults to the pipeline's own text, with the title.
    public var dialog: LocalizedText?

    public init(_ signIn: SignIn, dialog: LocalizedText? = nil) {
        self.signIn = signIn
        self.dialog = dialog
    }
}

extension PhaseScope {
    /// Ends the run with a request to sign in.
    ///
    /// - Returns: The error that the code has to throw.
    /// - Throws: A failure if the request violates a rule of ``SignIn``.
    package func suspend(_ id: String, _ signIn: SignIn, _ dialog: LocalizedText?) throws -> any Error {
        if let violation = signIn.violation {
            throw end(
                .failed(
                    IntentFailure(
                        .failure(.failure), reason: .invalid,
                        message: "the person can't be asked to sign in: \(violation.message)",
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
