/// The result of resolving one parameter in one round, with its value in wire form: SiriKit's six resolution results.
///
/// `dialog` is what the person is told or asked; if it is absent, the coordinator uses a plain text of its own.
public enum ParameterResolution: Sendable, Hashable {
    /// The value to continue with, which may have more detail than the requested one (identifiers, coordinates).
    case success(JSON)
    /// The intent continues without a value.
    case notRequired
    /// A value is required, and there is none.
    case needsValue(dialog: String?)
    /// The person has to choose one of these. At least two.
    case disambiguation([ParameterOption], dialog: String?)
    /// The person is asked whether this value is meant. If not, it is forgotten and asked for.
    case confirmationRequired(JSON, dialog: String?)
    /// The value can't be used: the person is told why and asked for another.
    case unsupported(reason: String, dialog: String?)
}

extension ParameterResolution {
    /// The value that it continues with, or asks about.
    package var understood: JSON? {
        switch self {
        case .success(let value), .confirmationRequired(let value, _): value
        case .notRequired, .needsValue, .disambiguation, .unsupported: nil
        }
    }

    /// Whether something was understood: a value, or several of which one is meant.
    package var isAboutValue: Bool {
        switch self {
        case .success, .confirmationRequired, .disambiguation: true
        case .notRequired, .needsValue, .unsupported: false
        }
    }
}
