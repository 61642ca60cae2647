/// A question that a handler's code asks. ``PhaseScope`` turns the question into a ``PhaseQuestion``.
package struct Ask: Sendable {
    /// The form of a question, which is the first part of its identifier.
    package enum Form: String, Sendable {
        case value, choice, confirm, confirmIntent, foreground, signIn
    }

    /// The parameter that the question is about, with its declaration.
    struct Subject: Sendable {
        var identity: ObjectIdentifier
        var title: LocalizedText
    }

    var form: Form
    var kind: PhaseQuestion.Kind
    var subject: Subject?
    var dialog: LocalizedText?
    var action: ConfirmationAction?

    /// Returns the beginning of the question's identifier: `value:date`. For a value to be confirmed the stem includes
    /// the value, so that the acceptance of one value does not extend to another.
    func stem(_ parameter: String?) -> String {
        var stem = form.rawValue
        if let parameter { stem += ":\(parameter)" }
        if form == .confirm, case .confirmValue(let value) = kind { stem += "=\(Self.digest(value))" }
        return stem
    }

    /// Returns the FNV-1a hash of the value's text, which is the same in every process, unlike Swift's hashes.
    private static func digest(_ value: JSON) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in value.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 36)
    }

    /// Returns the form and the parameter in this identifier; `nil` if the question is not about a parameter.
    package static func parse(_ id: String) -> (form: Form, parameter: String)? {
        let parts = id.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let form = Form(rawValue: String(parts[0])) else { return nil }
        return (form, String(parts[1].prefix { $0 != "=" && $0 != "#" && $0 != "!" }))
    }
}

// A question's identifier consists of its form, its parameter and a number, so that a repeated run asks under the same
// identifier: `value:date#1` is the first value that this run requests for `date`. The identifier of a thrown question
// has `!` instead of `#`. Each thrown question is new, because the code that throws it did not accept the previous
// answer.
extension PhaseScope {
    /// Returns the scope in which to ask.
    ///
    /// - Throws: A failure outside a phase, and while parameters are being resolved.
    static func asking(about what: String) throws -> PhaseScope {
        guard let scope = Context.current?.scope else {
            throw IntentFailure(
                .failure(.failure), reason: .internal,
                message: "\(what) can only be asked for in confirm, handle or perform(), and not in a detached task")
        }
        try scope.requireAsking(about: what)
        return scope
    }

    func requireAsking(about what: String) throws {
        guard phase != .resolve else {
            let message =
                "\(what) can't be asked for by code while parameters are being resolved: return a resolution result"
            throw end(.failed(IntentFailure(.failure(.failure), reason: .unexpected, message: message)))
        }
    }

    /// Returns the identifier of the next question with this stem in this run.
    func id(_ stem: String) -> String {
        withState { state in
            let number = state.occurrences[stem, default: 0] + 1
            state.occurrences[stem] = number
            return "\(stem)#\(number)"
        }
    }

    package func answer(to id: String) -> PhaseAnswer? { invocation.answers.last { $0.question == id } }

    /// Ends the run with a question.
    ///
    /// - Parameter reason: The reason for which the previous answer was rejected.
    /// - Returns: The error that the code has to throw.
    func suspend(_ id: String, _ ask: Ask, reason: String? = nil) -> any Error {
        var question = PhaseQuestion(
            id: id, kind: ask.kind, parameter: ask.subject.flatMap { name(of: $0.identity) },
            title: ask.subject?.title.text(in: invocation.locale), dialog: ask.dialog?.text(in: invocation.locale),
            unsupportedReason: reason)
        question.action = ask.action
        return end(.asked(question))
    }

    /// Asks the question of a ``RestartPerformError``, or throws if the person has already declined it.
    package func restart(_ ask: Ask) throws -> Never {
        let what = ask.subject.map { "'\($0.title.original)'" } ?? "the person"
        try requireAsking(about: what)
        let parameter = ask.subject.flatMap { name(of: $0.identity) }
        let stem = ask.stem(parameter) + "!"
        let before = invocation.answers.filter { $0.question.hasPrefix(stem) }
        if before.last?.isAccepted == false { throw IntentDeclinedError(parameter: parameter) }
        if ask.form == .confirm, !before.isEmpty {
            let message = "\(what) has been confirmed; throw needsConfirmationError only while isConfirmed is false"
            throw IntentFailure(.failure(.failure), reason: .unexpected, message: message)
        }
        throw suspend("\(stem)\(Set(before.map(\.question)).count + 1)", ask)
    }

    /// Ends the run and continues in the app, once the person has accepted if `request` requires it.
    package func continueInForeground(_ request: ContinueInForegroundError, id: String = "foreground!1") throws -> Never
    {
        try requireAsking(about: "the app")
        if request.alwaysConfirm {
            guard let answer = answer(to: id) else {
                throw suspend(id, Ask(form: .foreground, kind: .confirmIntent, subject: nil, dialog: request.dialog))
            }
            guard answer.isAccepted else { throw IntentDeclinedError() }
        }
        throw end(.responded(IntentResponse(.continueInApp, dialog: request.dialog?.text(in: invocation.locale))))
    }
}
