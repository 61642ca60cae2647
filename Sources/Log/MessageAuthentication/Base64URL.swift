/// Base64 for URLs (RFC 4648, section 5), without padding.
package enum Base64URL {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let count = min(3, bytes.count - index)
            var word: UInt32 = 0
            for i in 0..<3 { word = word << 8 | (i < count ? UInt32(bytes[index + i]) : 0) }
            for i in 0...count { text.append(digits[Int(word >> (18 - 6 * UInt32(i)) & 63)]) }
            index += 3
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes the text of ``encode(_:)``; `nil` for any other text.
    package static func decode(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var word: UInt32 = 0
        var bits = 0
        for digit in text.utf8 {
            guard let value = value(digit) else { return nil }
            word = word << 6 | value
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(bits)))
            }
        }
        return encode(bytes) == text ? bytes : nil
    }

    private static func value(_ digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a") + 26)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0") + 52)
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
