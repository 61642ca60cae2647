/// A sentence that describes an intent with its values: App Intents' protocol of the same name. Written with `Summary`,
/// `When` and `Switch`.
///
/// The person reads the summary when asked to confirm.
public protocol ParameterSummary: Sendable {
    var content: ParameterSummaryContent { get }
}

/// One sentence of a summary: App Intents' `Summary`. Within an intent, write `Summary("\(\.$ride) to \(\.$dropOff)")`.
///
/// A parameter without a value is shown by its title in brackets. A secret is shown by its title. Any other parameter
/// is shown by ``ParameterValue/displayText(in:)``.
///
/// The key of the sentence in a ``LocalizedTable`` has names for the key paths: `"${ride} to ${dropOff}"`. A
/// translation may order the names differently. Translations can also be given in code:
///
/// ```swift
/// Summary("\(\.$ride) to \(\.$dropOff)", translations: ["nl": "Naar \(\.$dropOff) met \(\.$ride)"])
/// ```
public struct IntentParameterSummary<Subject: Intent>: ParameterSummary {
    public let content: ParameterSummaryContent

    /// - Parameter translations: The translations by BCP 47 tag. A table with the same key and language takes
    ///   precedence.
    public init(_ text: Text, translations: [String: Text] = [:]) {
        content = .sentence(text.pieces, translations: LanguageTag.canonical(translations).mapValues(\.pieces))
    }

    package init(_ text: LocalizedText) { content = .sentence([.text(text)]) }

    /// The summary of an intent that declares no summary.
    public static var title: Self { Self(Subject.title) }

    /// The literal of a summary, whose key paths are placeholders for values.
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

            public mutating func appendInterpolation<Value>(
                _ keyPath: any KeyPath<Subject, Parameter<Value>> & Sendable
            ) {
                pieces.append(.parameter(keyPath))
            }
        }
    }
}

/// The contents of a ``ParameterSummary``.
public indirect enum ParameterSummaryContent: Sendable {
    /// Words and values in sequence, with their translations by BCP 47 tag.
    case sentence([ParameterSummaryPiece], translations: [String: [ParameterSummaryPiece]] = [:])
    /// The first case whose condition holds for the value of the parameter, else `otherwise`; without `otherwise`, the
    /// title of the intent.
    case choice(
        of: any AnyKeyPath & Sendable, cases: [ParameterSummaryAlternative], otherwise: ParameterSummaryContent?)
}

/// A part of a sentence in a summary.
public enum ParameterSummaryPiece: Sendable {
    case text(LocalizedText)
    /// A parameter, given by its key path (`\.$ride`).
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
