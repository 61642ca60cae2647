/// Checks the syntax of a JSON text (RFC 8259) in one pass, without allocations.
struct JSONScanner {
    let bytes: UnsafeBufferPointer<UInt8>
    let limits: JSONLimits
    var index = 0
    var depth = 0
    var keys = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    /// Checks that the whole text is one value.
    mutating func document() throws(JSONError) {
        guard bytes.count <= limits.maximumBytes else {
            throw JSONError(
                .tooLarge, "\(bytes.count) bytes are more than the \(limits.maximumBytes) that an event may have")
        }
        skipSpace()
        try value()
        skipSpace()
        if index < bytes.count { throw malformed("something follows the value") }
    }

    mutating func value() throws(JSONError) {
        guard index < bytes.count else { throw malformed("the text ends where a value is expected") }
        switch bytes[index] {
        case UInt8(ascii: "{"): try object()
        case UInt8(ascii: "["): try array()
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try literal("true")
        case UInt8(ascii: "f"): try literal("false")
        case UInt8(ascii: "n"): try literal("null")
        default: try number()
        }
    }

    @inline(__always)
    mutating func skipSpace() {
        while index < bytes.count, bytes[index] <= 0x20, isSpace(bytes[index]) { index += 1 }
    }

    @inline(__always)
    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    private mutating func object() throws(JSONError) {
        try beginContainer()
        if peek(UInt8(ascii: "}")) { return endContainer() }
        while true {
            guard peek(UInt8(ascii: "\"")) else { throw malformed("a member name is expected") }
            keys += 1
            if keys > limits.maximumKeys {
                throw JSONError(.tooManyKeys, "more than \(limits.maximumKeys) member names")
            }
            try string()
            guard skip(UInt8(ascii: ":")) else { throw malformed("':' is expected") }
            try value()
            if skip(UInt8(ascii: ",")) { continue }
            guard peek(UInt8(ascii: "}")) else { throw malformed("',' or '}' is expected") }
            return endContainer()
        }
    }

    private mutating func array() throws(JSONError) {
        try beginContainer()
        if peek(UInt8(ascii: "]")) { return endContainer() }
        while true {
            try value()
            if skip(UInt8(ascii: ",")) { continue }
            guard peek(UInt8(ascii: "]")) else { throw malformed("',' or ']' is expected") }
            return endContainer()
        }
    }

    private mutating func beginContainer() throws(JSONError) {
        depth += 1
        if depth > limits.maximumDepth {
            throw JSONError(.tooDeep, "nested more than \(limits.maximumDepth) levels deep")
        }
        index += 1
        skipSpace()
    }

    private mutating func endContainer() {
        depth -= 1
        index += 1
    }

    /// Moves past this byte, and the space around it; `false` if another byte comes after the space here.
    @inline(__always)
    private mutating func skip(_ byte: UInt8) -> Bool {
        if !peek(byte) {
            skipSpace()
            if !peek(byte) { return false }
        }
        index += 1
        skipSpace()
        return true
    }

    @inline(__always)
    private func peek(_ byte: UInt8) -> Bool { index < bytes.count && bytes[index] == byte }

    private mutating func literal(_ text: StaticString) throws(JSONError) {
        let length = text.utf8CodeUnitCount
        guard index + length <= bytes.count else { throw malformed("'\(text)' is expected") }
        for i in 0..<length where bytes[index + i] != text.utf8Start[i] { throw malformed("'\(text)' is expected") }
        index += length
    }

    private mutating func number() throws(JSONError) {
        if peek(UInt8(ascii: "-")) { index += 1 }
        if peek(UInt8(ascii: "0")) { index += 1 } else { try digits("a value is expected") }
        if peek(UInt8(ascii: ".")) {
            index += 1
            try digits("a digit is expected after '.'")
        }
        if peek(UInt8(ascii: "e")) || peek(UInt8(ascii: "E")) {
            index += 1
            if peek(UInt8(ascii: "+")) || peek(UInt8(ascii: "-")) { index += 1 }
            try digits("a digit is expected in the exponent")
        }
    }

    private mutating func digits(_ otherwise: StaticString) throws(JSONError) {
        let start = index
        while index < bytes.count, bytes[index] &- 0x30 < 10 { index += 1 }
        if index == start { throw malformed("\(otherwise)") }
    }

    private mutating func string() throws(JSONError) {
        index += 1
        while true {
            index = bytes.endOfPlainText(from: index)
            guard index < bytes.count else { throw malformed("a string does not end") }
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                index += 1
                return
            }
            if byte == UInt8(ascii: "\\") {
                try escape()
            } else if byte < 0x20 {
                throw malformed("a control character must be escaped in a string")
            } else {
                try multibyte()
            }
        }
    }

    private mutating func escape() throws(JSONError) {
        guard index + 1 < bytes.count else { throw malformed("a string does not end") }
        switch bytes[index + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"):
            index += 2
        case UInt8(ascii: "u"):
            guard index + 6 <= bytes.count, (index + 2..<index + 6).allSatisfy({ isHexDigit(bytes[$0]) }) else {
                throw malformed("'\\u' needs four hexadecimal digits")
            }
            index += 6
        default: throw malformed("an unknown escape in a string")
        }
    }

    private func isHexDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6 }

    /// Checks a scalar of two to four bytes, as in Unicode table 3-7: no overlong forms, no surrogates, nothing above
    /// U+10FFFF.
    private mutating func multibyte() throws(JSONError) {
        let first = bytes[index]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: length = 4
        default: throw notUTF8()
        }
        guard index + length <= bytes.count, second.contains(bytes[index + 1]) else { throw notUTF8() }
        for i in 2..<max(length, 2) where bytes[index + i] & 0xC0 != 0x80 { throw notUTF8() }
        index += length
    }

    private func malformed(_ what: String) -> JSONError {
        JSONError(.malformed, "not JSON: \(what), at byte \(index)", offset: index)
    }
    private func notUTF8() -> JSONError { JSONError(.notUTF8, "not UTF-8 at byte \(index)", offset: index) }
}
