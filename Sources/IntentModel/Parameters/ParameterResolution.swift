/// What became of one parameter in one round of resolution, with its value in wire form: SiriKit's six resolution results.
///
/// `dialog` is what the person is told or asked; where it is absent the coordinator words a plain one.
public enum ParameterResolution: Sendable, Hashable {
    /// The value to go on with, which may say more than the one that came (identifiers, coordinates).
    case success(JSON)
    /// The intent goes on without it.
    case notRequired
    /// There is no value and there has to be one.
    case needsValue(dialog: String?)
    /// One of these must be meant. At least two.
    case disambiguation([ParameterOption], dialog: String?)
    /// Is this what is meant? No: the value is forgotten and asked for.
    case confirmationRequired(JSON, dialog: String?)
    /// The value can't be used: the person is told why and asked for another.
    case unsupported(reason: String, dialog: String?)
}
