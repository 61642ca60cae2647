/// A whole number of a number: only of a whole one, or by a rule for rounding.
public struct IntFromDouble: InstantConverter {
    let rule: FloatingPointRoundingRule?

    /// - Parameter rule: `nil` takes no number that has a fraction.
    public init(rounding rule: FloatingPointRoundingRule? = nil) { self.rule = rule }

    /// `nil` beyond the bounds of `Int`, too.
    public func convert(from number: Double) -> Int? { Int(exactly: rule.map { number.rounded($0) } ?? number) }
}
