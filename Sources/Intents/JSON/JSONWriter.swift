/// Writes one JSON value, without spaces. Commas come by themselves.
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

    /// The name of the member whose value is written next.
    public mutating func name(_ name: String) {
        separate()
        append(name)
        bytes.append(UInt8(ascii: ":"))
    }

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
            if let whole = Int(exactly: value), abs(whole) < 1 << 53 { append(whole) } else { bytes.append(contentsOf: "\(value)".utf8) }
        } else {
            bytes.append(contentsOf: "null".utf8)
        }
    }

    public mutating func bool(_ value: Bool) {
        separate()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    public mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    public mutating func value(_ value: JSON) {
        separate()
        bytes.append(contentsOf: value.bytes)
    }

    public mutating func member(_ name: String, _ value: String) {
        self.name(name)
        append(value)
    }

    public mutating func member(_ name: String, _ value: Int) {
        self.name(name)
        append(value)
    }

    public mutating func member(_ name: String, _ value: JSON) {
        self.name(name)
        bytes.append(contentsOf: value.bytes)
    }

    public mutating func member(_ name: String, _ value: Bool) {
        self.name(name)
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    /// Writes the member only if there is a value.
    public mutating func member(_ name: String, ifPresent value: String?) {
        if let value { member(name, value) }
    }

    /// Writes the member only if there is a value.
    public mutating func member(_ name: String, ifPresent value: JSON?) {
        if let value { member(name, value) }
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
    }

    private mutating func separate() {
        switch bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): break
        default: bytes.append(UInt8(ascii: ","))
        }
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
            if utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
                bytes.append(contentsOf: utf8)
            } else {
                for byte in utf8 { appendEscaped(byte) }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
        case 0x0A: bytes.append(contentsOf: "\\n".utf8)
        case 0x0D: bytes.append(contentsOf: "\\r".utf8)
        case 0x09: bytes.append(contentsOf: "\\t".utf8)
        case 0..<0x20:
            let digits = Array("0123456789abcdef".utf8)
            bytes.append(contentsOf: "\\u00".utf8)
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        default: bytes.append(byte)
        }
    }
}
