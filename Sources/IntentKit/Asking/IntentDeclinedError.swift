/// The person said no to what code has asked, or chose none of what it offered.
///
/// Let it through and the request ends as cancelled; catch it to go on in another way.
public struct IntentDeclinedError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The parameter that was asked about, if it was about one.
    public var parameter: String?

    public init(parameter: String? = nil) { self.parameter = parameter }

    public var description: String {
        parameter.map { "the person gave no answer for '\($0)'" } ?? "the person said no"
    }
}
