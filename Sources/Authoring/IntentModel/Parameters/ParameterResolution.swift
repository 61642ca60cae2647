/// The result of resolving one parameter in one round, with its value in wire form: SiriKit's six resolution results.
///
/// `dialog` is the text for the person. Without it, the coordinator uses a plain text of its own.
public enum ParameterResolution: Sendable, Hashable {
    /// The value to continue with. It may have more detail than the requested value (identifiers, coordinates).
    case success(JSON)
    /// The intent continues without a value.
    case notRequired
    /// A value is required, and none was given.
    case needsValue(dialog: String?)
    /// The person has to choose one of these options. There are at least two.
    case disambiguation([ParameterOption], dialog: String?)
    /// The person is asked whether this value is meant. If not, the value is discarded and the person is asked for
    /// another.
    case confirmationRequired(JSON, dialog: String?)
    /// The value can't be used. The person gets the reason and is asked for another value.
    case unsupported(reason: String, dialog: String?)
}

extension ParameterResolution {
    /// The value to continue with or to ask about.
    package var understood: JSON? {
        switch self {
        case .success(let value), .confirmationRequired(let value, _): value
        case .notRequired, .needsValue, .disambiguation, .unsupported: nil
        }
    }

    /// `true` if the resolver has understood something: a value, or several values to choose from.
    package var isAboutValue: Bool {
        switch self {
        case .success, .confirmationRequired, .disambiguation: true
        case .notRequired, .needsValue, .unsupported: false
        }
    }
}
