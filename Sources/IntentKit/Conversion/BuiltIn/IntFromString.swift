/// A whole number of text: in base ten also in words ("three"), in another base its digits ("ff").
public struct IntFromString: InstantConverter {
    let radix: Int

    /// - Parameter radix: 2 to 36; what lies outside is brought inside.
    public init(radix: Int = 10) { self.radix = min(max(radix, 2), 36) }

    public func convert(from text: String) -> Int? {
        radix == 10 ? Int(text: text) : Int(SpokenNumber.trimmed(text), radix: radix)
    }
}
