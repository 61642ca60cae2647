public import IntentModel

/// Hides the values of secret parameters, and the secrets of claims, in what is shown of a session.
///
/// A request says its values before anyone knows that one is secret: so everything is noted first, and shown then. What is secret in one request is hidden
/// in all.
public struct SecretMask: Sendable {
    /// The replacement for a value.
    public static let mask = "(secret)"

    /// The names of parameters that are secret.
    public private(set) var parameters: Set<String> = []
    /// The prompts whose answers are.
    private var prompts: Set<Identifier> = []

    public init() {}

    /// Notes what an event, or a session in the journal, says is secret.
    public mutating func note(_ view: JSONView) {
        if view.kind == .object {
            if view["secret"]?.bool == true {
                // A resolution or a prompt names its parameter; a parameter's state is a member of that name.
                for member in ["parameter", "name"] { view[member]?.string.map { _ = parameters.insert($0) } }
                for member in ["prompt", "id"] { view[member]?.identifier.map { _ = prompts.insert($0) } }
            }
            for (name, value) in view.members {
                if value.kind == .object, value["secret"]?.bool == true, name != "prompt" { parameters.insert(name) }
                note(value)
            }
        } else if view.kind == .array {
            for element in view.elements { note(element) }
        }
    }

    /// The same JSON without the values that were noted as secret.
    public func hiding(_ view: JSONView) -> JSON { hiding(view, isSecret: false) }

    private func hiding(_ view: JSONView, isSecret: Bool) -> JSON {
        switch view.kind {
        case .object:
            let isAbout =
                view["secret"]?.bool == true || view["parameter"]?.string.map(parameters.contains) == true
                || view["name"]?.string.map(parameters.contains) == true
                || view["prompt"]?.identifier.map(prompts.contains) == true
            // Who has the secret of a claim can complete the handoff.
            let isClaim = view["handoff"] != nil
            return JSON.make { writer in
                writer.beginObject()
                for (name, value) in view.members {
                    let isHidden =
                        parameters.contains(name) || isClaim && name == "secret"
                        || (isAbout || isSecret) && Self.values.contains(name)
                    writer.member(named: name, isHidden ? hidden(value) : hiding(value, isSecret: isSecret || isAbout))
                }
                writer.endObject()
            }
        case .array: return .array(view.elements.map { hiding($0, isSecret: isSecret) })
        default: return view.json
        }
    }

    /// A parameter's state stays, its value goes; anything else goes as a whole.
    private func hidden(_ value: JSONView) -> JSON {
        guard value.kind == .object, value["state"] != nil else { return value.isNull ? .null : .string(Self.mask) }
        return hiding(value, isSecret: true)
    }

    /// The members that hold what was said.
    private static let values: Set<String> = ["value", "option", "options", "alternatives", "list", "utterance"]
}
