/// A view of one value inside a validated JSON text, without a copy of the text.
public struct JSONView: Sendable {
    public enum Kind: String, Sendable, Hashable { case null, bool, number, string, array, object }

    private let bytes: [UInt8]
    private let range: Range<Int>

    /// Validates a text: one value within the limits.
    ///
    /// - Throws: ``JSONError`` with the problem and its position.
    public init(parsing bytes: [UInt8], limits: JSONLimits = .event) throws(JSONError) {
        let range = try bytes.withUnsafeBufferPointer { buffer throws(JSONError) in
            var scanner = JSONScanner(buffer, limits: limits)
            try scanner.document()
            var start = 0
            while start < buffer.count, buffer[start] <= 0x20 { start += 1 }
            var end = buffer.count
            while end > start, buffer[end - 1] <= 0x20 { end -= 1 }
            return start..<end
        }
        self.init(unchecked: bytes, range)
    }

    init(unchecked bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        self.range = range
    }

    public var kind: Kind { Self.kind(of: bytes[range.lowerBound]) }

    /// - Parameter first: The first byte of a value.
    static func kind(of first: UInt8) -> Kind {
        switch first {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
        case UInt8(ascii: "n"): .null
        default: .number
        }
    }

    /// The value as a copy of its text.
    public var json: JSON { JSON(unchecked: Array(bytes[range])) }

    public var isNull: Bool { kind == .null }

    public var bool: Bool? { kind == .bool ? bytes[range.lowerBound] == UInt8(ascii: "t") : nil }

    /// The number, if it has no fraction or exponent and is from -2^53 to 2^53. The numbers in events are counts;
    /// within these bounds they can be incremented, added up and converted to smaller units without overflow. JSON
    /// readers agree on these numbers (RFC 8259, section 6).
    public var int: Int? { kind == .number ? withText(\.countingNumber) : nil }

    /// The number, if it has no fraction or exponent and fits into `Int`. Meant for values that are stored and never
    /// computed with.
    public var wholeNumber: Int? { kind == .number ? withText(\.wholeNumber) : nil }

    public var double: Double? { kind == .number ? withText(\.shortDecimal) ?? Double(text) : nil }

    /// The string without escapes; an unpaired surrogate becomes U+FFFD.
    public var string: String? {
        guard kind == .string else { return nil }
        return unescaped(range.lowerBound + 1..<range.upperBound - 1)
    }

    /// Calls a function with a cursor at the value's beginning.
    package func withCursor<Result, Failure>(_ body: (inout JSONCursor) throws(Failure) -> Result) throws(Failure)
        -> Result
    {
        try bytes.withUnsafeBufferPointer { buffer throws(Failure) in
            var cursor = JSONCursor(buffer, range.lowerBound)
            return try body(&cursor)
        }
    }

    /// - Parameter range: The range of a value that a cursor over this view has returned.
    package func part(_ range: Range<Int>) -> JSONView { JSONView(unchecked: bytes, range) }

    /// The elements of an array; empty for other values.
    public var elements: [JSONView] {
        guard kind == .array else { return [] }
        var views: [JSONView] = []
        withCursor { cursor in cursor.array { views.append(part($0.range())) } }
        return views
    }

    /// The members of an object in the order of the text; empty for other values. A name that occurs twice is listed
    /// twice; the last member counts.
    public var members: [(name: String, value: JSONView)] {
        var members: [(name: String, value: JSONView)] = []
        // Eight are enough for most objects. Growing the array in steps would be the most expensive part.
        if kind == .object { members.reserveCapacity(8) }
        for (name, value) in fields { members.append((name.string, value)) }
        return members
    }

    /// The same members as ``members``, without an array and without a string for each name.
    package var fields: JSONFields { JSONFields(bytes, kind == .object ? range : range.lowerBound..<range.lowerBound) }

    /// The member with this name; the last one if there are several.
    public subscript(name: String) -> JSONView? {
        // Strings beyond ASCII can be equal with different bytes.
        guard name.utf8.allSatisfy({ $0 < 0x80 }) else { return member { $0.string == name } }
        var name = name
        return name.withUTF8 { utf8 in member { $0.isEqual(to: utf8) } }
    }

    @inline(__always)
    private func member(_ isMatch: (JSONWord) -> Bool) -> JSONView? {
        var found: Range<Int>?
        withCursor { cursor in cursor.object { name, value in if isMatch(name) { found = value.range() } } }
        return found.map(part)
    }

    private var text: String { String(decoding: bytes[range], as: UTF8.self) }

    private func withText<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
    }

    private func unescaped(_ range: Range<Int>) -> String { Self.unescaped(bytes, range) }

    static func unescaped(_ bytes: [UInt8], _ range: Range<Int>) -> String {
        bytes.withUnsafeBufferPointer { buffer in
            let slice = UnsafeBufferPointer(rebasing: buffer[range])
            guard slice.endOfUnescapedText(from: 0) < slice.count else { return String(decoding: slice, as: UTF8.self) }
            return JSONSkipper.unescape(slice)
        }
    }
}
