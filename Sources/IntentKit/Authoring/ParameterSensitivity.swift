/// Who may see a parameter's value.
public enum ParameterSensitivity: String, Sendable, Hashable, CaseIterable {
    /// Anyone, logs included.
    case `public`
    /// The person and the workers. Neither logs nor error messages have it. This is so unless you say otherwise.
    case `private`
    /// Workers only: it is in no prompt, result, activity or summary, and the session doesn't remember it.
    case secret
}
