import Conversation

/// A random number generator for tests. The same seed gives the same numbers on every machine.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var randomness: Randomness

    public init(seed: UInt64) { randomness = Randomness(seed: seed) }

    public mutating func next() -> UInt64 { randomness.next() }

    /// Returns `true` once in this number of times, on average.
    public mutating func once(in times: Int) -> Bool { Int.random(in: 0..<times, using: &self) == 0 }

    /// - Parameter elements: The elements to choose from, at least one.
    public mutating func pick<C: Collection>(_ elements: C) -> C.Element { elements.randomElement(using: &self)! }
}
