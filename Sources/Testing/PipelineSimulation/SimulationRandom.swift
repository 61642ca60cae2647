import PipelineTestKit

/// The source of a history's random choices. The same seed gives the same choices.
struct SimulationRandom: RandomNumberGenerator {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// Creates a generator for one decision of a history. The same words give the same numbers whatever else happens.
    init(seed: UInt64, _ words: String...) {
        var hash = TraceHash()
        hash.add(seed)
        for word in words { hash.add(word) }
        self.init(seed: hash.value)
    }

    mutating func next() -> UInt64 { random.next() }

    mutating func below(_ bound: Int) -> Int { Int(next() >> 1) % max(1, bound) }

    mutating func within(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

    /// Returns `true` with a probability of 1 in `times`.
    mutating func once(in times: Int) -> Bool { below(times) == 0 }

    /// - Parameter elements: Must not be empty.
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}

/// A 64-bit hash of everything that a history wrote. Two runs with the same hash had the same history. The algorithm is
/// FNV-1a by words, with a final mix.
struct TraceHash: Sendable, Hashable {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    var value: UInt64 {
        var z = state
        z = (z ^ (z >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        z = (z ^ (z >> 33)) &* 0xC4CE_B9FE_1A85_EC53
        return z ^ (z >> 33)
    }

    mutating func add(_ word: UInt64) {
        state = (state ^ word) &* 0x0000_0100_0000_01B3
        state ^= state >> 29
    }

    mutating func add(_ text: String) { add(Array(text.utf8)) }

    mutating func add(_ bytes: [UInt8]?) {
        guard let bytes else { return add(UInt64.max) }
        add(UInt64(bytes.count))
        bytes.withUnsafeBytes { raw in
            var offset = 0
            while offset + 8 <= raw.count {
                add(raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                offset += 8
            }
            var rest: UInt64 = 0
            while offset < raw.count {
                rest = rest << 8 | UInt64(raw[offset])
                offset += 1
            }
            add(rest)
        }
    }
}
