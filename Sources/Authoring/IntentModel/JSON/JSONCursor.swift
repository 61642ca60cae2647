/// Reads a validated JSON text once, from front to back. Each value is read or skipped, and none is scanned twice.
///
/// Meant for values that are read for every record. A cursor reads memory that it does not own, so only
/// ``JSONView/withCursor(_:)`` hands one out, and the cursor must not leave the closure.
@usableFromInline package struct JSONCursor {
    @usableFromInline let bytes: UnsafeBufferPointer<UInt8>
    @usableFromInline var index: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) {
        self.bytes = bytes
        self.index = index
    }

    package var kind: JSONView.Kind { JSONView.kind(of: bytes[index]) }

    /// Reads an object member by member, in the order of the text. Skips any other value.
    ///
    /// - Parameter member: Reads the value of the member with the given name. The value is skipped if the function does
    ///   not move the cursor.
    @inlinable package mutating func object<Failure>(
        _ member: (_ name: JSONWord, _ value: inout JSONCursor) throws(Failure) -> Void
    ) throws(Failure) {
        guard bytes[index] == UInt8(ascii: "{") else { return pass() }
        index &+= 1
        while moveToNext() {
            let name = readWord()
            skipSpace()
            index &+= 1  // the colon
            skipSpace()
            let start = index
            try member(name, &self)
            if index == start { pass() }
        }
        index &+= 1
    }

    /// Reads an array element by element. Skips any other value.
    ///
    /// - Parameter element: Reads the element. The element is skipped if the function does not move the cursor.
    @inlinable package mutating func array<Failure>(_ element: (_ value: inout JSONCursor) throws(Failure) -> Void)
        throws(Failure)
    {
        guard bytes[index] == UInt8(ascii: "[") else { return pass() }
        index &+= 1
        while moveToNext() {
            let start = index
            try element(&self)
            if index == start { pass() }
        }
        index &+= 1
    }

    /// The offset of the value here in the text.
    @inlinable package var position: Int { index }

    /// Enters the object here, and moves to the value of its first member.
    ///
    /// - Returns: The member's name; `nil` at the end of the object, which the cursor then has passed.
    @inlinable package mutating func firstMember() -> JSONWord? {
        index &+= 1
        return member()
    }

    /// Moves to the value of the next member of an object.
    ///
    /// - Parameter start: The position of the last member's value, which is skipped if the cursor is still there.
    /// - Returns: The member's name; `nil` at the end of the object, which the cursor then has passed.
    @inlinable package mutating func nextMember(after start: Int) -> JSONWord? {
        if index == start { pass() }
        return member()
    }

    @inlinable mutating func member() -> JSONWord? {
        guard moveToNext() else {
            index &+= 1
            return nil
        }
        let name = readWord()
        skipSpace()
        index &+= 1  // the colon
        skipSpace()
        return name
    }

    /// Reads the string here, for comparison with known words. Returns `nil` for any other value and does not move the
    /// cursor.
    package mutating func word() -> JSONWord? { kind == .string ? readWord() : nil }

    /// Reads the string here and resolves its escapes. Returns `nil` for any other value and does not move the cursor.
    package mutating func string() -> String? { word()?.string }

    /// Reads the number here, if it has no fraction or exponent and is from -2^53 to 2^53 (see ``JSONView/int``). Skips
    /// any other number and returns `nil`. Returns `nil` for a value that is not a number and does not move the cursor.
    package mutating func int() -> Int? {
        guard kind == .number else { return nil }
        return UnsafeBufferPointer(rebasing: bytes[range()]).countingNumber
    }

    /// Reads the number here. Returns `nil` for any other value and does not move the cursor.
    package mutating func double() -> Double? {
        guard kind == .number else { return nil }
        let text = UnsafeBufferPointer(rebasing: bytes[range()])
        return text.shortDecimal ?? Double(String(decoding: text, as: UTF8.self))
    }

    /// The Boolean here; `nil` for any other value. Does not move the cursor.
    package func bool() -> Bool? { kind == .bool ? bytes[index] == UInt8(ascii: "t") : nil }

    /// Reads the value here as a copy of its text.
    package mutating func json() -> JSON { JSON(unchecked: Array(UnsafeBufferPointer(rebasing: bytes[range()]))) }

    /// Skips the value here.
    ///
    /// - Returns: The range of the value, for ``JSONView/part(_:)``.
    package mutating func range() -> Range<Int> {
        var skipper = JSONSkipper(bytes, index)
        let range = skipper.skipValue()
        index = range.upperBound
        return range
    }

    @usableFromInline mutating func pass() { _ = range() }

    @usableFromInline mutating func readWord() -> JSONWord {
        let start = index &+ 1
        var end = bytes.endOfUnescapedText(from: start)
        let isEscaped = bytes[end] != UInt8(ascii: "\"")
        if isEscaped { end = JSONSkipper.endOfString(in: bytes, from: end) &- 1 }
        index = end &+ 1
        return JSONWord(UnsafeBufferPointer(rebasing: bytes[start..<end]), isEscaped: isEscaped)
    }

    /// Moves to the next element or member; `false` at the end of the object or array.
    @inlinable @inline(__always)
    mutating func moveToNext() -> Bool {
        skipSpace()
        if bytes[index] == UInt8(ascii: ",") {
            index &+= 1
            skipSpace()
        }
        return bytes[index] != UInt8(ascii: "}") && bytes[index] != UInt8(ascii: "]")
    }

    @inlinable @inline(__always)
    mutating func skipSpace() { while bytes[index] <= 0x20 { index &+= 1 } }
}

/// The name or string under a ``JSONCursor``, as it is in the text. Comparing it in a `switch` makes no string.
@usableFromInline package struct JSONWord {
    /// The bytes, with escapes.
    @usableFromInline package let bytes: UnsafeBufferPointer<UInt8>
    @usableFromInline package let isEscaped: Bool

    init(_ bytes: UnsafeBufferPointer<UInt8>, isEscaped: Bool) {
        self.bytes = bytes
        self.isEscaped = isEscaped
    }

    /// The text without escapes.
    package var string: String { isEscaped ? JSONSkipper.unescape(bytes) : String(decoding: bytes, as: UTF8.self) }

    @inlinable
    package static func ~= (known: StaticString, word: JSONWord) -> Bool {
        if !word.isEscaped {
            // Few names have the same length and the same last byte.
            let count = known.utf8CodeUnitCount
            guard word.bytes.count == count, count == 0 || word.bytes[count - 1] == known.utf8Start[count - 1] else {
                return false
            }
        }
        return word.isEqual(to: UnsafeBufferPointer(start: known.utf8Start, count: known.utf8CodeUnitCount))
    }

    @usableFromInline func isEqual(to known: UnsafeBufferPointer<UInt8>) -> Bool {
        if isEscaped { return Array(string.utf8).elementsEqual(known) }
        guard bytes.count == known.count else { return false }
        var index = 0
        while index < known.count, bytes[index] == known[index] { index &+= 1 }
        return index == known.count
    }
}
