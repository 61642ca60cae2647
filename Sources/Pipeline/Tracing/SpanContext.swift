public import Conversation
import IntentModel

/// Which span of which trace it is, as W3C's `traceparent` says it.
public struct SpanContext: Sendable, Hashable {
    public var traceHigh: UInt64
    public var traceLow: UInt64
    public var span: UInt64
    public var isSampled: Bool
    /// `tracestate`, passed on unread.
    public var state: String?

    public init(traceHigh: UInt64, traceLow: UInt64, span: UInt64, isSampled: Bool, state: String? = nil) {
        (self.traceHigh, self.traceLow, self.span) = (traceHigh, traceLow, span)
        (self.isSampled, self.state) = (isSampled, state)
    }

    public init?(_ trace: TraceContext) { self.init(traceparent: trace.parent, state: trace.state) }

    /// `nil` if the header is not valid.
    public init?(traceparent: String, state: String?) {
        let bytes = Array(traceparent.utf8)
        // A later version may have more fields behind these.
        guard bytes.count >= 55, [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }),
            let version = Self.hex(bytes[0..<2]),
            version != 0xFF,
            bytes.count == 55 || (version > 0 && bytes[55] == UInt8(ascii: "-")), let high = Self.hex(bytes[3..<19]),
            let low = Self.hex(bytes[19..<35]), let span = Self.hex(bytes[36..<52]),
            let flags = Self.hex(bytes[53..<55]), high | low != 0,
            span != 0
        else { return nil }
        self.init(traceHigh: high, traceLow: low, span: span, isSampled: flags & 1 == 1, state: state)
    }

    public var trace: TraceContext { TraceContext(parent: traceparent, state: state) }
    public var traceparent: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }
    /// 32 hexadecimal digits.
    public var traceID: String { Self.hex(traceHigh) + Self.hex(traceLow) }
    /// 16 hexadecimal digits.
    public var spanID: String { Self.hex(span) }

    /// 16 hexadecimal digits.
    public static func hex(_ number: UInt64) -> String {
        String(unsafeUninitializedCapacity: 16) { buffer in
            for index in 0..<16 {
                let digit = UInt8(truncatingIfNeeded: number >> UInt64(60 - 4 * index)) & 0xF
                buffer[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
            }
            return 16
        }
    }

    /// Lower-case digits alone, as the recommendation has it.
    private static func hex(_ digits: ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return number
    }
}

extension SpanContext {
    /// The span of a whole request in this trace. It follows from the request's id, so each coordinator knows it, also after a crash.
    func run(_ request: Identifier) -> SpanContext {
        var context = self
        context.span = Self.mixed(traceLow ^ Self.hash(request))
        return context
    }

    /// The span of one step of the request that this is the span of.
    func step(_ number: Int) -> SpanContext {
        var context = self
        context.span = Self.mixed(span &+ UInt64(truncatingIfNeeded: number))
        return context
    }

    /// FNV-1a.
    private static func hash(_ identifier: Identifier) -> UInt64 {
        identifier.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// SplitMix64's output function: numbers that are near become far. Never 0, which is no span's.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var z = number &+ 0x9E37_79B9_7F4A_7C15
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        z ^= z >> 31
        return z == 0 ? 1 : z
    }
}
