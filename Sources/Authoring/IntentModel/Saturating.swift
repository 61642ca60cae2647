extension FixedWidthInteger {
    /// The sum; the smallest or the largest number if the sum is out of range. Meant for numbers from outside, which
    /// can have any value.
    @inlinable package func addingSaturating(_ other: Self) -> Self {
        let (sum, isBeyond) = addingReportingOverflow(other)
        if !isBeyond { return sum }
        return other < 0 ? .min : .max
    }

    /// Adds a number, and stops at the smallest or the largest number.
    @inlinable package mutating func addSaturating(_ other: Self) { self = addingSaturating(other) }

    /// The difference; the smallest or the largest number if the difference is out of range.
    @inlinable package func subtractingSaturating(_ other: Self) -> Self {
        let (difference, isBeyond) = subtractingReportingOverflow(other)
        if !isBeyond { return difference }
        return other < 0 ? .max : .min
    }

    /// The product; the smallest or the largest number if the product is out of range.
    @inlinable package func multipliedSaturating(by other: Self) -> Self {
        let (product, isBeyond) = multipliedReportingOverflow(by: other)
        if !isBeyond { return product }
        return (self < 0) == (other < 0) ? .max : .min
    }
}
