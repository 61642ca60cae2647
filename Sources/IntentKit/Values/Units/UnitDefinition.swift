/// What a unit is: its size as a fraction of whole numbers, so that conversions come out as exact as a `Double` can be, and what people call it.
public struct UnitDefinition: Sendable, Hashable {
    /// One of this unit is `numerator / denominator` of the dimension's base unit. Positive.
    public let numerator: Int
    public let denominator: Int
    /// Added before that: −32 for Fahrenheit, whose zero is elsewhere.
    public let offset: Double
    /// What people say for it, besides the symbol.
    public let names: [String]

    /// - Parameters:
    ///   - numerator: Positive, as is `denominator`; what is not counts as 1.
    ///   - offset: In this unit; finite.
    public init(_ numerator: Int = 1, over denominator: Int = 1, offset: Double = 0, names: [String]) {
        self.numerator = max(numerator, 1)
        self.denominator = max(denominator, 1)
        self.offset = offset.isFinite ? offset : 0
        self.names = names
    }

    /// How many of `other` one of this is, in lowest terms.
    func ratio(to other: UnitDefinition) -> (numerator: Double, denominator: Double) {
        let numerator = Int128(numerator) * Int128(other.denominator)
        let denominator = Int128(denominator) * Int128(other.numerator)
        var (divisor, rest) = (numerator, denominator)
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        return (Double(numerator / divisor), Double(denominator / divisor))
    }
}
