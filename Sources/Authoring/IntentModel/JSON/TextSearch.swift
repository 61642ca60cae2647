// Where the plain part of a JSON string ends, eight bytes at a time: most of a JSON text is in strings, and most of these have nothing to look at.
extension UnsafeBufferPointer<UInt8> {
    /// The index of the first byte from `start` on that is no plain ASCII in a JSON string: a quote, a backslash, a control character, or part of a longer
    /// character; `count` if there is none.
    func endOfPlainText(from start: Int) -> Int {
        end(from: start) {
            $0.marksOfEscapes | $0
        } isEnd: {
            $0.hasToBeEscaped || $0 >= 0x80
        }
    }

    /// The index of the first byte from `start` on that can't be in a JSON string as it is: a quote, a backslash or a control character; `count` if there is none.
    func endOfUnescapedText(from start: Int) -> Int {
        end(from: start) {
            $0.marksOfEscapes
        } isEnd: {
            $0.hasToBeEscaped
        }
    }

    /// - Parameters:
    ///   - marks: sets the high bit of the bytes that are looked for. It may set that of later bytes too, but not of earlier ones.
    ///   - isEnd: whether this byte is looked for.
    @inline(__always)
    private func end(from start: Int, _ marks: (UInt64) -> UInt64, isEnd: (UInt8) -> Bool) -> Int {
        let raw = UnsafeRawBufferPointer(self)
        var index = start
        while index &+ 8 <= raw.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let found = marks(word) & UInt64.highBits
            if found != 0 { return index &+ found.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < raw.count, !isEnd(raw[index]) { index &+= 1 }
        return index
    }
}

extension UInt64 {
    fileprivate static let highBits: UInt64 = 0x8080_8080_8080_8080
    private static let lowBits: UInt64 = 0x0101_0101_0101_0101

    /// Of eight bytes: the high bit of the first one that a string has to escape is set, and of no byte before it. Subtracting borrows from later bytes, so theirs
    /// may be set as well.
    @inline(__always)
    fileprivate var marksOfEscapes: UInt64 {
        let quote = self ^ (Self.lowBits &* 0x22)
        let backslash = self ^ (Self.lowBits &* 0x5C)
        return (self &- Self.lowBits &* 0x20) & ~self | (quote &- Self.lowBits) & ~quote | (backslash &- Self.lowBits) & ~backslash
    }
}

extension UInt8 {
    @inline(__always)
    fileprivate var hasToBeEscaped: Bool { self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") }
}
