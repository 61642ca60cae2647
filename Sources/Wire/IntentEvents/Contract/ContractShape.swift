/// A shape that several members of events have: one of the contract's shared schemas, under this name.
public enum ContractShape: String, Sendable, Hashable, CaseIterable {
    // What people and apps see.
    case parameters, provenance, image, option, item, declaration, promptParameter, shownParameter, action, snippet,
        signIn, activity,
        interaction
    case error, elementResult
    // What requests have.
    case candidate
    // What workers get and send.
    case parameterState, phaseAnswer, principal, resolution, question, failure, confirmation, policy, phasePolicy,
        retryPolicy, askPolicy
    case openedIntent, undoOffer
    // What is in the catalogue.
    case publishedParameter

    public var schema: ContractSchema {
        switch self {
        case .parameters, .provenance, .image, .option, .item, .declaration, .promptParameter, .shownParameter, .action,
            .snippet, .signIn,
            .activity, .interaction, .error, .elementResult, .publishedParameter:
            shownSchema
        default: workSchema
        }
    }

    /// It and all shapes that it refers to, directly or not.
    static func closure(of shapes: Set<ContractShape>) -> Set<ContractShape> {
        var found = shapes
        var open = Array(shapes)
        while let shape = open.popLast() {
            for next in shape.schema.references where found.insert(next).inserted { open.append(next) }
        }
        return found
    }
}
