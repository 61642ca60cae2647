package import IntentModel

/// Reads the reply of a service that performs a phase in place of a handler. Replies are read more strictly than
/// events, so that the author of the service learns what is wrong.
package enum FulfilmentReply {
    private static let kinds: [String: JSONView.Kind] = [
        "code": .string, "dialog": .string, "response": .object, "items": .array, "choice": .object,
        "proposed": .object,
        "remembered": .object, "rememberedForPerson": .object, "activity": .object, "opens": .object,
        "supporting": .string,
        "snippet": .object, "undo": .object,
        "results": .array,
    ]

    /// Reads the sign-in of a reply; `nil` if the reply asks for none. A reply with a sign-in has no other meaning.
    ///
    /// - Throws: The error in the sign-in.
    package static func signIn(_ view: JSONView) throws(OutcomeError) -> SignIn? {
        guard let member = view["signIn"], !member.isNull else { return nil }
        guard let signIn = SignIn(member), signIn.requires == nil else {
            throw OutcomeError(
                .invalid,
                "'signIn' is an object with an absolute 'url' and, if there is one, a 'code' of at most 64 bytes, a 'title' and 'validFor'",
                "signIn")
        }
        return signIn
    }

    /// Reads a reply to confirm or handle.
    ///
    /// - Throws: The error in the member that can't be read.
    package static func response(_ view: JSONView, phase: Phase) throws(OutcomeError) -> IntentResponse {
        for (member, value) in view.fields where !value.isNull {
            let name = member.string
            if let kind = kinds[name], value.kind != kind {
                throw OutcomeError(.invalid, "'\(name)' is \(article(kind))", name)
            }
        }
        var response = IntentResponse(.unspecified)
        let hasCode = try view.readMembers(ignoringNull: true) { reader throws(OutcomeError) in
            try reader.required("code", &response.code, "")
            try response.members(&reader)
        }
        // Only the pipeline says these.
        (response.offersUpdates, response.appliedAnswers) = (false, [:])
        if let limit = view["validFor"], !limit.isNull, response.validFor ?? .zero <= .zero {
            throw OutcomeError(
                .invalid, "'validFor' is a length of time such as \"5m\" or \"PT5M\", or milliseconds", "validFor")
        }
        guard hasCode else {
            throw OutcomeError(
                .invalid, "a reply needs a 'code', such as \"\(phase == .confirm ? "ready" : "success")\"", "code")
        }
        try response.check()
        if let message = violation(response.code, phase) { throw OutcomeError(.unexpected, message, "code") }
        return response
    }

    /// The problem with a code as the end of a phase; `nil` if the phase may end with it.
    package static func violation(_ code: ResponseCode, _ phase: Phase) -> String? {
        let allowed: [ResponseCode] =
            phase == .confirm
            ? [.ready, .success, .userConfirmationRequired, .handleInApp, .continueInApp]
            : [.success, .partialSuccess, .inProgress, .handleInApp, .continueInApp]
        if code != .unspecified, allowed.contains(code) || code.isFailure { return nil }
        let codes = allowed.map(\.rawValue).joined(separator: ", ")
        return
            "'\(phase.rawValue)' can't end with '\(code.rawValue.prefix(80))': it must be one of \(codes), or begin with 'failure'"
    }

    /// Reads a reply to resolve.
    ///
    /// - Throws: The error in the member that can't be read.
    package static func resolution(_ view: JSONView) throws(OutcomeError) -> ParameterResolution {
        var result = ResolutionMembers()
        try view.readMembers(ignoringNull: true) { reader throws(OutcomeError) in try result.members(&reader) }
        guard let resolution = try result.resolution() else {
            let six = "success, notRequired, needsValue, disambiguation, confirmationRequired, unsupported"
            throw OutcomeError(.invalid, "a reply to resolve has to have exactly one of \(six)", "")
        }
        return resolution
    }

    /// Reads the JSON object of a reply.
    ///
    /// - Throws: An error if the reply is not a JSON object, or exceeds the limits.
    package static func object(_ bytes: [UInt8]) throws(OutcomeError) -> JSONView {
        let view: JSONView
        do { view = try JSONView(parsing: bytes, limits: .outcome) } catch {
            switch error.code {
            case .malformed, .notUTF8: throw OutcomeError(.unparseable, error.message, "")
            case .tooLarge, .tooDeep, .tooManyKeys: throw OutcomeError(.complex, error.message, "")
            }
        }
        guard view.kind == .object else { throw OutcomeError(.invalid, "a reply has to be a JSON object", "") }
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
