/// A question as code asks it: what ``PhaseScope`` makes a ``PhaseQuestion`` of.
package struct Ask: Sendable {
    /// The first part of the question's id.
    package enum Form: String, Sendable {
        case value, choice, confirm, confirmIntent, foreground
    }

    /// A parameter as its declaration knows it.
    struct Subject: Sendable {
        var identity: ObjectIdentifier
        var title: LocalizedText
    }

    var form: Form
    var kind: PhaseQuestion.Kind
    var subject: Subject?
    var dialog: String?

    /// What the question's id begins with: `value:date`. That of a value to be confirmed has the value in it, so that a yes to one is none to
    /// another.
    func stem(_ parameter: String?) -> String {
        var stem = form.rawValue
        if let parameter { stem += ":\(parameter)" }
        if form == .confirm, case .confirmValue(let value) = kind { stem += "=\(Self.digest(value))" }
        return stem
    }

    /// FNV-1a of the value's text: the same in every process, as Swift's hashes are not.
    private static func digest(_ value: JSON) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in value.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 36)
    }

    /// The form and the parameter of a question with this id, if code has asked it about a parameter.
    package static func parse(_ id: String) -> (form: Form, parameter: String)? {
        let parts = id.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let form = Form(rawValue: String(parts[0])) else { return nil }
        return (form, String(parts[1].prefix { $0 != "=" && $0 != "#" && $0 != "!" }))
    }
}

// A question's id is made of its form, its parameter and a number, so that a run that does the same asks under the same id:
// `value:date#1` is the first value that this run asks for as `date`. One that is thrown instead of awaited has a `!`: each is a new question,
// because code that throws it has not been content with the answer before.
extension PhaseScope {
    /// The scope to ask in.
    ///
    /// - Throws: A failure outside of a phase, and while parameters are being resolved.
    static func asking(about what: String) throws -> PhaseScope {
        guard let scope = Context.current?.scope else {
            throw IntentFailure(
                .failure(.failure), reason: .internal,
                message: "\(what) can only be asked for in confirm, handle or perform(), and in no task that is detached from them")
        }
        try scope.requireAsking(about: what)
        return scope
    }

    func requireAsking(about what: String) throws {
        guard phase != .resolve else {
            let message = "\(what) can't be asked for by code while parameters are being resolved: answer with a resolution result"
            throw end(.failed(IntentFailure(.failure(.failure), reason: .unexpected, message: message)))
        }
    }

    /// The id of the next question with this stem in this run.
    func id(_ stem: String) -> String {
        withState { state in
            let number = state.occurrences[stem, default: 0] + 1
            state.occurrences[stem] = number
            return "\(stem)#\(number)"
        }
    }

    func answer(to id: String) -> PhaseAnswer? { invocation.answers.last { $0.question == id } }

    /// Ends the run with a question.
    ///
    /// - Parameter reason: Why the answer before was not taken.
    /// - Returns: What the code has to throw.
    func suspend(_ id: String, _ ask: Ask, reason: String? = nil) -> any Error {
        let question = PhaseQuestion(
            id: id, kind: ask.kind, parameter: ask.subject.flatMap { name(of: $0.identity) },
            title: ask.subject?.title.text(in: invocation.locale), dialog: ask.dialog, unsupportedReason: reason)
        return end(.asked(question))
    }

    /// What a ``RestartPerformError`` leads to: its question, unless the person has said no to it before.
    package func restart(_ ask: Ask) throws -> Never {
        let what = ask.subject.map { "'\($0.title.original)'" } ?? "the person"
        try requireAsking(about: what)
        let parameter = ask.subject.flatMap { name(of: $0.identity) }
        let stem = ask.stem(parameter) + "!"
        let before = invocation.answers.filter { $0.question.hasPrefix(stem) }
        if before.last?.isAccepted == false { throw IntentDeclinedError(parameter: parameter) }
        if ask.form == .confirm, !before.isEmpty {
            let message = "\(what) has been confirmed; throw needsConfirmationError only while isConfirmed says that it has not"
            throw IntentFailure(.failure(.failure), reason: .unexpected, message: message)
        }
        throw suspend("\(stem)\(Set(before.map(\.question)).count + 1)", ask)
    }

    /// Ends the run in the app, after a yes if one has to be asked for.
    package func continueInForeground(_ request: ContinueInForegroundError, id: String = "foreground!1") throws -> Never {
        try requireAsking(about: "the app")
        if request.alwaysConfirm {
            guard let answer = answer(to: id) else {
                throw suspend(id, Ask(form: .foreground, kind: .confirmIntent, subject: nil, dialog: request.dialog))
            }
            guard answer.isAccepted else { throw IntentDeclinedError() }
        }
        throw end(.responded(.continueInApp(nil, dialog: request.dialog)))
    }
}
