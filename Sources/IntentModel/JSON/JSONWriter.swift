/// Writes one JSON value, without spaces. Adds commas where they are needed.
///
/// Names that the program knows are `StaticString`s, which are written without escaping; names from outside are marked `named:` and escaped.
public struct JSONWriter: Sendable {
    public private(set) var bytes: [UInt8]

    public init(reserving capacity: Int = 256) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    public mutating func beginObject() { open(UInt8(ascii: "{")) }
    public mutating func endObject() { bytes.append(UInt8(ascii: "}")) }
    public mutating func beginArray() { open(UInt8(ascii: "[")) }
    public mutating func endArray() { bytes.append(UInt8(ascii: "]")) }

    // MARK: Values

    public mutating func string(_ value: String) {
        separate()
        append(value)
    }

    public mutating func number(_ value: Int) {
        separate()
        append(value)
    }

    /// A number; NaN and infinities, which JSON does not have, become `null`.
    public mutating func number(_ value: Double) {
        separate()
        if value.isFinite {
            if let whole = Int(exactly: value), whole.magnitude < 1 << 53 {
                append(whole)
            } else {
                bytes.append(contentsOf: "\(value)".utf8)
            }
        } else {
            append("null" as StaticString)
        }
    }

    public mutating func bool(_ value: Bool) {
        separate()
        append(value ? "true" : "false" as StaticString)
    }

    public mutating func null() {
        separate()
        append("null" as StaticString)
    }

    public mutating func value(_ value: JSON) {
        separate()
        bytes.append(contentsOf: value.bytes)
    }

    // MARK: Members

    /// The name of the member whose value is written next.
    public mutating func name(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        append(name)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// The name of the member whose value is written next.
    public mutating func name(named name: String) {
        separate()
        append(name)
        bytes.append(UInt8(ascii: ":"))
    }

    public mutating func member(_ name: StaticString, _ value: String) {
        self.name(name)
        append(value)
    }

    public mutating func member(_ name: StaticString, _ value: Int) {
        self.name(name)
        append(value)
    }

    public mutating func member(_ name: StaticString, _ value: JSON) {
        self.name(name)
        bytes.append(contentsOf: value.bytes)
    }

    public mutating func member(_ name: StaticString, _ value: Bool) {
        self.name(name)
        append(value ? "true" : "false" as StaticString)
    }

    /// Writes the member only if there is a value.
    public mutating func member(_ name: StaticString, ifPresent value: String?) {
        if let value { member(name, value) }
    }

    /// Writes the member only if there is a value.
    public mutating func member(_ name: StaticString, ifPresent value: JSON?) {
        if let value { member(name, value) }
    }

    public mutating func member(named name: String, _ value: JSON) {
        self.name(named: name)
        bytes.append(contentsOf: value.bytes)
    }

    // MARK: Bytes

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
    }

    @inline(__always)
    private mutating func separate() {
        guard let last = bytes.last else { return }
        if last != UInt8(ascii: "{"), last != UInt8(ascii: ":"), last != UInt8(ascii: "[") { bytes.append(UInt8(ascii: ",")) }
    }

    @inline(__always)
    private mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func append(_ value: Int) {
        if value >= 0, value < 10 {
            bytes.append(0x30 + UInt8(value))
        } else {
            bytes.append(contentsOf: String(value).utf8)
        }
    }

    private mutating func append(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            if Self.isPlain(utf8) {
                bytes.append(contentsOf: utf8)
            } else {
                for byte in utf8 { appendEscaped(byte) }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether nothing has to be escaped. Checks eight bytes at a time: a byte below 0x20, a quote or a backslash sets its high bit in `found`.
    private static func isPlain(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        let raw = UnsafeRawBufferPointer(utf8)
        var index = 0
        while index + 8 <= raw.count {
            let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let quote = word ^ (ones &* 0x22)
            let backslash = word ^ (ones &* 0x5C)
            let found = (word &- ones &* 0x20) & ~word | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash
            if found & highs != 0 { return false }
            index += 8
        }
        while index < raw.count {
            let byte = raw[index]
            if byte < 0x20 || byte == 0x22 || byte == 0x5C { return false }
            index += 1
        }
        return true
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
        case 0x0A: append("\\n" as StaticString)
        case 0x0D: append("\\r" as StaticString)
        case 0x09: append("\\t" as StaticString)
        case 0..<0x20:
            let digits = Array("0123456789abcdef".utf8)
            append("\\u00" as StaticString)
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        default: bytes.append(byte)
        }
    }
}
