/// Finds the bounds of values in a validated text.
struct JSONSkipper {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) {
        self.bytes = bytes
        self.index = index
    }

    /// Moves to the next element or member; `false` at the end of the object or array.
    mutating func next() -> Bool {
        skipSpace()
        if bytes[index] == UInt8(ascii: ",") {
            index += 1
            skipSpace()
        }
        return bytes[index] != UInt8(ascii: "}") && bytes[index] != UInt8(ascii: "]")
    }

    mutating func skip(_ byte: UInt8) {
        skipSpace()
        if bytes[index] == byte { index += 1 }
        skipSpace()
    }

    /// Skips the value that begins here and returns its range.
    mutating func skipValue() -> Range<Int> {
        let start = index
        switch bytes[index] {
        case UInt8(ascii: "\""): index = Self.endOfString(in: bytes, from: index &+ 1)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            var depth = 0
            var end = index  // a local one stays in a register
            repeat {
                switch bytes[end] {
                case UInt8(ascii: "\""): end = Self.endOfString(in: bytes, from: end &+ 1)
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    depth &+= 1
                    end &+= 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    depth &-= 1
                    end &+= 1
                default: end &+= 1
                }
            } while depth > 0
            index = end
        default:
            while index < bytes.count, !isEnd(bytes[index]) { index += 1 }
        }
        return start..<index
    }

    /// The index after the end of the string that contains `start`.
    static func endOfString(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var end = start
        while true {
            end = bytes.endOfUnescapedText(from: end)
            if bytes[end] == UInt8(ascii: "\"") { return end &+ 1 }
            end &+= bytes[end] == UInt8(ascii: "\\") ? 2 : 1
        }
    }

    /// Skips the name that begins here.
    ///
    /// - Returns: The range between the name's quotes, and whether the name has escapes.
    mutating func skipName() -> (range: Range<Int>, isEscaped: Bool) {
        let start = index &+ 1
        let plainEnd = bytes.endOfUnescapedText(from: start)
        index = Self.endOfString(in: bytes, from: plainEnd)
        return (start..<index &- 1, plainEnd != index &- 1)
    }

    private func isEnd(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
    }

    private mutating func skipSpace() {
        while bytes[index] <= 0x20 { index += 1 }
    }

    static func unescape(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        var units: [UInt16] = []  // escapes are in UTF-16, so surrogate pairs are collected here
        var text = ""
        func flush() {
            if !units.isEmpty {
                text += String(decoding: units, as: UTF16.self)
                units.removeAll()
            }
        }
        var i = 0
        while i < bytes.count {
            if bytes[i] != UInt8(ascii: "\\") {
                flush()
                let start = i
                while i < bytes.count, bytes[i] != UInt8(ascii: "\\") { i += 1 }
                text += String(decoding: bytes[start..<i], as: UTF8.self)
                continue
            }
            switch bytes[i + 1] {
            case UInt8(ascii: "u"):
                units.append(bytes[i + 2..<i + 6].reduce(0) { $0 << 4 | hex($1) })
                i += 6
                continue
            case UInt8(ascii: "b"): units.append(0x08)
            case UInt8(ascii: "f"): units.append(0x0C)
            case UInt8(ascii: "n"): units.append(0x0A)
            case UInt8(ascii: "r"): units.append(0x0D)
            case UInt8(ascii: "t"): units.append(0x09)
            case let other: units.append(UInt16(other))
            }
            i += 2
        }
        flush()
        return text
    }

    private static func hex(_ byte: UInt8) -> UInt16 { UInt16(byte < 0x3A ? byte - 0x30 : (byte | 0x20) - 0x57) }
}
