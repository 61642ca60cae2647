import Conversation

/// Random numbers for tests: the same for the same seed, on every machine.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var randomness: Randomness

    public init(seed: UInt64) { randomness = Randomness(seed: seed) }

    public mutating func next() -> UInt64 { randomness.next() }

    /// True once in so many times, on average.
    public mutating func once(in times: Int) -> Bool { Int.random(in: 0..<times, using: &self) == 0 }

    /// - Parameter elements: At least one.
    public mutating func pick<C: Collection>(_ elements: C) -> C.Element { elements.randomElement(using: &self)! }
}
