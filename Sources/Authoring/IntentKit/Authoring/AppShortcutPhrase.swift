/// Words with which a person may ask for an intent: App Intents' type of the same name.
///
/// ```swift
/// static let phrases: [AppShortcutPhrase<Self>] = ["Book me a ride", "Get me a car to \(\.$dropOff)"]
/// ```
/// The pipeline does not listen: phrases are published with the intent's description, for a recogniser that turns words into requests. A parameter in a phrase
/// stands for what the person says there, and is `${dropOff}` in the catalogue and in the phrase's key in a ``LocalizedTable``.
public struct AppShortcutPhrase<Subject: Intent>: Sendable, ExpressibleByStringInterpolation {
    package let content: ParameterSummaryContent

    /// - Parameter translations: By BCP 47 tag. A table with the same key and language takes precedence.
    public init(_ text: IntentParameterSummary<Subject>.Text, translations: [String: IntentParameterSummary<Subject>.Text] = [:]) {
        content = IntentParameterSummary<Subject>(text, translations: translations).content
    }

    /// How many an intent may have.
    package static var maximumCount: Int { 100 }

    public init(stringLiteral value: String) { self.init(IntentParameterSummary<Subject>.Text(stringLiteral: value)) }
    public init(stringInterpolation: IntentParameterSummary<Subject>.Text.StringInterpolation) {
        self.init(IntentParameterSummary<Subject>.Text(stringInterpolation: stringInterpolation))
    }
}
