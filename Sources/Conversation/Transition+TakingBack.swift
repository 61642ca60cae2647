import IntentModel

// What the person said in an answer or a correction can't be a value of its parameter, or there is no such parameter.
extension Transition {
    /// Tells the person what was rejected, and goes on without it: a wrong value rejects itself, and not the whole request.
    ///
    /// Only a resolver knows the names and types of the parameters, so the coordinator keeps the parameters as they were
    /// before the answer and does not judge the answer. A wrong value costs one more resolve.
    ///
    /// - Returns: `notMine` if it is not about something that was said after the request. A wrong request fails.
    mutating func revertRejectedAnswer(_ rejection: Rejection) -> Handled {
        guard session.active?.phase == .resolve, let name = rejection.field.flatMap({ Self.parameter(of: $0) }),
            session.active?.putBack(name) == true
        else { return .notMine }
        reject(rejection, about: session.active?.request.id)
        dispatch(.resolve)
        return .handled
    }

    /// The parameter that a field such as `parameters.friends[1]` is about.
    private static func parameter(of field: String) -> String? {
        guard field.hasPrefix("parameters.") else { return nil }
        return String(field.dropFirst("parameters.".count).prefix { $0 != "[" })
    }
}
