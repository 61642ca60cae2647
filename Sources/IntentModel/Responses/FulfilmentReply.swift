/// The answer of a service that does a phase in the place of a handler, read. It is stricter than reading events: who wrote it is to learn what is wrong.
package enum FulfilmentReply {
    private static let kinds: [String: JSONView.Kind] = [
        "code": .string, "dialog": .string, "response": .object, "items": .array, "choice": .object, "proposed": .object,
        "remembered": .object, "activity": .object, "opens": .object,
    ]

    /// An answer to confirm or handle.
    ///
    /// - Throws: What nobody can read in it.
    package static func response(_ view: JSONView, phase: Phase) throws(OutcomeError) -> IntentResponse {
        var response = IntentResponse(.unspecified)
        var hasCode = false
        for (name, value) in view.members where !value.isNull {
            if let kind = kinds[name], value.kind != kind { throw OutcomeError(.invalid, "'\(name)' is \(article(kind))", name) }
            if name == "code" { hasCode = true }
            _ = try response.take(name, value)
            if name == "validFor", response.validFor ?? .zero <= .zero {
                throw OutcomeError(.invalid, "'validFor' is a length of time such as \"5m\" or \"PT5M\", or milliseconds", name)
            }
        }
        guard hasCode else {
            throw OutcomeError(.invalid, "an answer has a 'code', such as \"\(phase == .confirm ? "ready" : "success")\"", "code")
        }
        try response.check()
        if let message = violation(response.code, phase) { throw OutcomeError(.unexpected, message, "code") }
        return response
    }

    /// Which codes a phase may end with.
    package static func violation(_ code: ResponseCode, _ phase: Phase) -> String? {
        let allowed: [ResponseCode] =
            phase == .confirm
            ? [.ready, .success, .userConfirmationRequired, .handleInApp, .continueInApp]
            : [.success, .inProgress, .handleInApp, .continueInApp]
        if code != .unspecified, allowed.contains(code) || code.isFailure { return nil }
        let codes = allowed.map(\.rawValue).joined(separator: ", ")
        return "'\(phase.rawValue)' can't answer '\(code.rawValue.prefix(80))': it is one of \(codes), or begins with 'failure'"
    }

    /// An answer to resolve.
    ///
    /// - Throws: What nobody can read in it.
    package static func resolution(_ view: JSONView) throws(OutcomeError) -> ParameterResolution {
        var found: [ParameterResolution] = []
        for (name, value) in view.members where !value.isNull {
            if let resolution = try ParameterResolution.reading(name, value, name) { found.append(resolution) }
        }
        guard found.count == 1 else {
            let six = "success, notRequired, needsValue, disambiguation, confirmationRequired, unsupported"
            throw OutcomeError(.invalid, "an answer to resolve has exactly one of \(six)", "")
        }
        return found[0]
    }

    /// The JSON object that an answer is.
    ///
    /// - Throws: If it is none, or breaks the bounds.
    package static func object(_ bytes: [UInt8]) throws(OutcomeError) -> JSONView {
        let view: JSONView
        do { view = try JSONView(parsing: bytes, limits: .outcome) } catch {
            switch error.code {
            case .malformed, .notUTF8: throw OutcomeError(.unparseable, error.message, "")
            case .tooLarge, .tooDeep, .tooManyKeys: throw OutcomeError(.complex, error.message, "")
            }
        }
        guard view.kind == .object else { throw OutcomeError(.invalid, "an answer is a JSON object", "") }
        return view
    }

    private static func article(_ kind: JSONView.Kind) -> String {
        switch kind {
        case .object: "an object"
        case .array: "a list"
        case .string: "a text"
        case .number: "a number"
        case .bool: "true or false"
        case .null: "null"
        }
    }
}
