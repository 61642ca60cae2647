/// One sentence of a summary: App Intents' `Summary`. Within an intent it is written `Summary("\(\.$ride) to \(\.$dropOff)")`.
///
/// A parameter without a value is shown by its title, and one with a value as ``ParameterValue/displayText(in:)`` says.
///
/// The sentence's key in a ``LocalizedTable`` has names for the key paths, `"${ride} to ${dropOff}"`; a translation may have them in another
/// order. Or the translations stand here:
///
/// ```swift
/// Summary("\(\.$ride) to \(\.$dropOff)", translations: ["nl": "Naar \(\.$dropOff) met \(\.$ride)"])
/// ```
public struct IntentParameterSummary<Subject: Intent>: ParameterSummary {
    public let content: ParameterSummaryContent

    /// - Parameter translations: By BCP 47 tag. A table that has the same one goes before them.
    public init(_ text: Text, translations: [String: Text] = [:]) {
        content = .sentence(text.pieces, translations: LanguageTag.canonical(translations).mapValues(\.pieces))
    }

    package init(_ text: LocalizedText) { content = .sentence([.text(text)]) }

    /// What an intent without a summary shows.
    public static var title: Self { Self(Subject.title) }

    /// The literal of a summary, in which key paths stand for values.
    public struct Text: Sendable, ExpressibleByStringInterpolation {
        let pieces: [ParameterSummaryPiece]

        public init(stringLiteral value: String) { pieces = [.text(LocalizedText(stringLiteral: value))] }
        public init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

        public struct StringInterpolation: StringInterpolationProtocol {
            var pieces: [ParameterSummaryPiece] = []

            public init(literalCapacity: Int, interpolationCount: Int) {}

            public mutating func appendLiteral(_ literal: String) {
                if !literal.isEmpty { pieces.append(.text(LocalizedText(literal))) }
            }

            public mutating func appendInterpolation<Value>(_ keyPath: any KeyPath<Subject, Parameter<Value>> & Sendable) {
                pieces.append(.parameter(keyPath))
            }
        }
    }
}
