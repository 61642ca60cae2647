/// One sentence of a summary. Within an intent it is written `Summary("\(\.$ride) to \(\.$dropOff)")`.
///
/// A parameter without a value is shown by its title.
public struct IntentParameterSummary<Subject: Intent>: ParameterSummary {
    public let content: ParameterSummaryContent

    public init(_ text: Text) { content = .sentence(text.pieces) }

    init(_ text: LocalizedText) { content = .sentence([.text(text)]) }

    /// The literal of a summary, in which key paths stand for values.
    public struct Text: Sendable, ExpressibleByStringInterpolation {
        let pieces: [ParameterSummaryPiece]

        public init(stringLiteral value: String) { pieces = [.text(LocalizedText(value))] }
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
