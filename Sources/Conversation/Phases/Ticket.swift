/// The proof that an outcome comes from who got the work of its step: 128 random bits, which go out with the work and have to come back with each outcome.
///
/// Kafka's rights are about topics: who may write outcomes may write those of every phase. Tickets are only on the work topics, so who may read the
/// work of one phase can answer for that phase alone.
public struct Ticket: Sendable, Hashable, LosslessStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// - Parameter random: a cryptographically secure generator, except in tests.
    public init(using random: inout some RandomNumberGenerator) {
        high = random.next()
        low = random.next()
    }

    /// `nil` unless it is 32 lowercase hexadecimal digits.
    public init?(_ description: String) {
        var description = description
        guard let ticket = description.withUTF8({ Ticket(utf8: $0) }) else { return nil }
        self = ticket
    }

    /// - Parameter description: as of ``init(_:)``.
    package init?(utf8 description: UnsafeBufferPointer<UInt8>) {
        var bits: (high: UInt64, low: UInt64) = (0, 0)
        guard description.count == 32 else { return nil }
        for digit in description {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            bits = (bits.high << 4 | bits.low >> 60, bits.low << 4 | UInt64(value))
        }
        (high, low) = bits
    }

    /// 32 hexadecimal digits.
    public var description: String {
        String(unsafeUninitializedCapacity: 32) { text in
            for index in 0..<16 {
                let shift = UInt64(60 - 4 * index)
                text[index] = Self.digit(high >> shift & 15)
                text[16 + index] = Self.digit(low >> shift & 15)
            }
            return 32
        }
    }

    private static func digit(_ value: UInt64) -> UInt8 {
        (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a")) + UInt8(value < 10 ? value : value - 10)
    }
}
