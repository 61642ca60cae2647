/// For what a session remembers a parameter's value, once it is resolved. ``ParameterDefault/remembered`` takes it up again.
///
/// The memory ends with the session. Secrets are never remembered.
public struct ParameterMemory: Sendable, Hashable {
    enum Scope: Sendable, Hashable {
        case none, intent, session
        case named(String)
    }

    let scope: Scope

    /// Not at all. This is so unless you say otherwise.
    public static let none = Self(scope: .none)
    /// For this parameter of this intent.
    public static let intent = Self(scope: .intent)
    /// For every parameter of that name that says so too, whatever its intent.
    public static let session = Self(scope: .session)
    /// For every parameter that says so with the same key.
    public static func session(as key: String) -> Self { Self(scope: .named(key)) }

    func key(intent: String, parameter: String) -> String? {
        switch scope {
        case .none: nil
        case .intent: "\(intent).\(parameter)"
        case .session: parameter
        case .named(let key): key
        }
    }
}
