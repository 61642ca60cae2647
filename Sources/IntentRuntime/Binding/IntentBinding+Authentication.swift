import IntentKit

extension IntentBinding {
    /// Refuses an intent whose person is not known well enough, before any of the handler's code runs.
    func authenticate(_ invocation: IntentInvocation, _ context: Context) throws(IntentFailure) {
        guard authenticationPolicy != .alwaysAllowed else { return }
        let stated = context.attributes[IntentAuthenticationPolicy.attribute]?.view.string
        guard !authenticationPolicy.isMet(by: stated) else { return }
        let attribute = IntentAuthenticationPolicy.attribute
        let wanted = authenticationPolicy.accepted.map { "'\($0)'" }.joined(separator: " or ")
        let message = "\(name) needs the attribute '\(attribute)' to be \(wanted)"
        var failure = IntentFailure(
            .failure(.failureRequiringInAppAuthentication), reason: .unauthorized, message: message, field: "attributes.\(attribute)")
        var intent = prototype
        _ = try decode(invocation.parameters, into: &intent)
        failure.activity = defaultActivity(for: intent)
        throw failure
    }
}
