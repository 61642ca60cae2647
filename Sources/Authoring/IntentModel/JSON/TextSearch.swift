// Finds the end of the plain part of a JSON string, eight bytes at a time. Most of a JSON text is in strings, and most
// strings have nothing but plain text.
extension UnsafeBufferPointer<UInt8> {
    /// The index of the first byte from `start` on that is not plain ASCII in a JSON string: a quote, a backslash, a
    /// control character, or part of a longer character. `count` if there is none.
    @inline(__always)
    func endOfPlainText(from start: Int) -> Int {
        end(from: start) {
            $0.marksOfEscapes | $0
        } isEnd: {
            $0.hasToBeEscaped || $0 >= 0x80
        }
    }

    /// The index of the first byte from `start` on that a JSON string has to escape: a quote, a backslash or a control
    /// character. `count` if there is none.
    func endOfUnescapedText(from start: Int) -> Int {
        end(from: start) {
            $0.marksOfEscapes
        } isEnd: {
            $0.hasToBeEscaped
        }
    }

    /// `true` if a JSON string has to escape one of the bytes.
    @inline(__always)
    var haveToBeEscaped: Bool {
        let raw = UnsafeRawBufferPointer(self)
        guard raw.count >= 8 else { return raw.contains { $0.hasToBeEscaped } }
        func marks(at index: Int) -> UInt64 {
            UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)).marksOfEscapes
        }
        // The last eight bytes may overlap those before them.
        var found = marks(at: raw.count &- 8)
        var index = 0
        while index &+ 8 < raw.count {
            found |= marks(at: index)
            index &+= 8
        }
        return found & UInt64.highBits != 0
    }

    /// - Parameters:
    ///   - marks: Sets the high bit of each byte to find. The function may also set the high bits of later bytes, but
    ///     not of earlier ones.
    ///   - isEnd: Returns `true` for a byte to find.
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

    /// Eight bytes in which the high bit of the first byte that a string has to escape is set. No earlier byte has its
    /// high bit set by this. Subtraction borrows from later bytes, so their high bits may be set as well.
    @inline(__always)
    fileprivate var marksOfEscapes: UInt64 {
        let quote = self ^ (Self.lowBits &* 0x22)
        let backslash = self ^ (Self.lowBits &* 0x5C)
        return (self &- Self.lowBits &* 0x20) & ~self | (quote &- Self.lowBits) & ~quote | (backslash &- Self.lowBits)
            & ~backslash
    }
}

extension UInt8 {
    @inline(__always)
    fileprivate var hasToBeEscaped: Bool { self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") }
}
