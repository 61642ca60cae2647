// Numbers are parsed from their bytes, because otherwise each number would first need a string of its own.
extension UnsafeBufferPointer<UInt8> {
    /// The text as a whole number; `nil` if the text is not a whole number or does not fit into `Int`.
    var wholeNumber: Int? {
        let isNegative = first == UInt8(ascii: "-")
        var number = 0
        for byte in dropFirst(isNegative ? 1 : 0) {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            let (shifted, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (next, isBeyond) =
                isNegative
                ? shifted.subtractingReportingOverflow(Int(digit)) : shifted.addingReportingOverflow(Int(digit))
            if isTooLarge || isBeyond { return nil }
            number = next
        }
        return count > (isNegative ? 1 : 0) ? number : nil
    }

    /// The text as a whole number from -2^53 to 2^53; `nil` otherwise.
    var countingNumber: Int? {
        guard let number = wholeNumber, number.magnitude <= 1 << 53 else { return nil }
        return number
    }

    /// The text as a number, if it has at most 15 digits and no exponent; `nil` otherwise.
    ///
    /// Up to 15 digits, the digits and the power of ten are exact as `Double`, so one division rounds correctly
    /// (Clinger, "How to read floating point numbers accurately").
    var shortDecimal: Double? {
        let isNegative = first == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        guard count > start, count - start <= 16 else { return nil }
        var (digits, places, hasPoint) = (0, 0, false)
        for byte in self[start...] {
            if byte == UInt8(ascii: "."), !hasPoint {
                hasPoint = true
                continue
            }
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            digits = digits &* 10 &+ Int(digit)
            if hasPoint { places += 1 }
        }
        guard digits < 1_000_000_000_000_000 else { return nil }
        let value = Double(digits) / Self.powersOfTen[places]
        return isNegative ? -value : value
    }

    private static var powersOfTen: [Double] {
        [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16]
    }
}
