/// The source of the unpredictable parts of a decision, such as a ``Ticket``. It is passed to the session, as the time is.
public struct Randomness: RandomNumberGenerator, Sendable {
    private enum Source: Sendable {
        case seeded(state: UInt64)
        case generator(@Sendable () -> UInt64)
    }

    private var source: Source

    /// - Parameter generator: makes unpredictable numbers.
    public init(_ generator: @escaping @Sendable () -> UInt64) { source = .generator(generator) }

    /// The same numbers for the same seed, on every machine (Steele, Lea and Flood's SplitMix64). They are predictable, so this is only for tests.
    public init(seed: UInt64) { source = .seeded(state: seed) }

    /// 64 bits as 16 hexadecimal digits, for an unpredictable id.
    mutating func code() -> String {
        let digits = String(next(), radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    public mutating func next() -> UInt64 {
        switch source {
        case .generator(let next): return next()
        case .seeded(var z):
            z &+= 0x9E37_79B9_7F4A_7C15
            source = .seeded(state: z)
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }
}
