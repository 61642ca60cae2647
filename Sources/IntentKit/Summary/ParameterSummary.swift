/// An intent in a sentence, with its values: App Intents' protocol of the same name. Written with `Summary` and `When`.
///
/// The person reads it when asked to confirm.
public protocol ParameterSummary: Sendable {
    var content: ParameterSummaryContent { get }
}
