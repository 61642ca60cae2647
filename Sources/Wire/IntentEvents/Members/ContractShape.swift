import IntentModel

/// A shape that several members of events have: one of the contract's shared schemas, under this name.
public enum ContractShape: String, Sendable, Hashable, CaseIterable {
    // Shown to people and apps.
    case parameters, provenance, image, option, item, declaration, promptParameter, shownParameter, action, snippet,
        signIn, activity,
        interaction
    case error, elementResult
    // Sent with requests.
    case candidate
    // Sent to workers and by them.
    case parameterState, phaseAnswer, saidAnswer, principal, approval, approver, consent, resolution, question, failure,
        confirmation, policy,
        phasePolicy,
        retryPolicy, askPolicy
    case openedIntent, undoOffer
    // Listed in the catalogue.
    case publishedParameter
}

extension ContractSchema {
    /// A reference to a shape.
    package static func shape(_ shape: ContractShape) -> ContractSchema {
        ContractSchema(["$ref": .string(definitions + shape.rawValue)])
    }
}
