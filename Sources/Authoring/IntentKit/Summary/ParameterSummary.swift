/// An intent in a sentence, with its values: App Intents' protocol of the same name. Written with `Summary` and `When`.
///
/// The person reads it when asked to confirm.
public protocol ParameterSummary: Sendable {
    var content: ParameterSummaryContent { get }
}

/// One sentence of a summary: App Intents' `Summary`. Within an intent it is written `Summary("\(\.$ride) to \(\.$dropOff)")`.
///
/// A parameter without a value is shown by its title in brackets, a secret by its title, and one with a value by ``ParameterValue/displayText(in:)``.
///
/// The sentence's key in a ``LocalizedTable`` has names for the key paths, `"${ride} to ${dropOff}"`; a translation may have them in another order.
/// Translations can also be given in code:
///
/// ```swift
/// Summary("\(\.$ride) to \(\.$dropOff)", translations: ["nl": "Naar \(\.$dropOff) met \(\.$ride)"])
/// ```
public struct IntentParameterSummary<Subject: Intent>: ParameterSummary {
    public let content: ParameterSummaryContent

    /// - Parameter translations: By BCP 47 tag. A table with the same key and language takes precedence.
    public init(_ text: Text, translations: [String: Text] = [:]) {
        content = .sentence(text.pieces, translations: LanguageTag.canonical(translations).mapValues(\.pieces))
    }

    package init(_ text: LocalizedText) { content = .sentence([.text(text)]) }

    /// The summary of an intent that declares none.
    public static var title: Self { Self(Subject.title) }

    /// The literal of a summary, in which key paths are placeholders for values.
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

/// The contents of a ``ParameterSummary``.
public indirect enum ParameterSummaryContent: Sendable {
    /// Words and values in sequence, with translations by BCP 47 tag.
    case sentence([ParameterSummaryPiece], translations: [String: [ParameterSummaryPiece]] = [:])
    /// The first case whose condition the parameter's value meets, else `otherwise`; if that is missing, the intent's title.
    case choice(of: any AnyKeyPath & Sendable, cases: [ParameterSummaryAlternative], otherwise: ParameterSummaryContent?)
}

/// A part of a sentence.
public enum ParameterSummaryPiece: Sendable {
    case text(LocalizedText)
    /// A parameter, by its key path (`\.$ride`).
    case parameter(any AnyKeyPath & Sendable)
}

/// The summary for parameter values that meet a condition.
public struct ParameterSummaryAlternative: Sendable {
    public var condition: ParameterSummaryCondition
    public var content: ParameterSummaryContent

    public init(_ condition: ParameterSummaryCondition, _ content: ParameterSummaryContent) {
        self.condition = condition
        self.content = content
    }
}

/// Builds a block with one ``ParameterSummary``.
@resultBuilder
public enum ParameterSummaryBuilder<Subject: Intent> {
    public static func buildBlock<Content: ParameterSummary>(_ content: Content) -> Content { content }
}

/// Builds a block with one ``ParameterSummary`` that may be missing.
@resultBuilder
public enum ParameterSummaryOtherwiseBuilder<Subject: Intent> {
    public static func buildBlock(_ content: some ParameterSummary) -> ParameterSummaryContent? { content.content }
}
