/// The name of a principal, a session, a request, an intent, a prompt, a handoff or a claimant.
///
/// Two identifiers are equal if their UTF-8 bytes are equal. Two strings are also equal if they only look the same,
/// such as "é" written with one character or with two, or "K" and the Kelvin sign. As identifiers, these are different
/// names.
///
/// A string literal is an identifier. Use ``init(_:)`` with a string, and ``text`` where a string is needed.
public struct Identifier: Sendable {
    /// The name, as it was written.
    public let text: String

    @inlinable
    public init(_ text: String) {
        var text = text
        // Native strings are contiguous already. A bridged string has no bytes to compare in place.
        text.makeContiguousUTF8()
        self.text = text
    }

    /// The bytes that distinguish identifiers.
    public var utf8: String.UTF8View { text.utf8 }

    public var isEmpty: Bool { text.isEmpty }

    /// `true` if the name begins with these bytes.
    public func hasPrefix(_ prefix: String) -> Bool { text.utf8.starts(with: prefix.utf8) }
}

extension Identifier: Hashable {
    @inlinable
    public static func == (a: Identifier, b: Identifier) -> Bool {
        // Equal representations are the same storage, or the same short text in place.
        let (left, right) = (
            unsafeBitCast(a.text, to: (UInt64, UInt64).self), unsafeBitCast(b.text, to: (UInt64, UInt64).self)
        )
        return left == right || hasSameBytes(a, b)
    }

    @inlinable
    public func hash(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: $0) }
        // 0xFF is not a byte of UTF-8, so the next part of a key can't continue the name.
        hasher.combine(0xFF as UInt8)
    }

    @usableFromInline
    static func hasSameBytes(_ a: Identifier, _ b: Identifier) -> Bool {
        a.withBytes { a in b.withBytes { b in a.isEqual(to: b) } }
    }

    /// Calls a function with the bytes in place.
    @inlinable
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        guard let result = text.utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) else {
            preconditionFailure("init makes the text contiguous")
        }
        return result
    }
}

/// Identifiers are ordered by their bytes, which is the order of their Unicode scalars.
extension Identifier: Comparable {
    public static func < (a: Identifier, b: Identifier) -> Bool {
        a.withBytes { a in b.withBytes { b in a.lexicographicallyPrecedes(b) } }
    }
}

extension UnsafeRawBufferPointer {
    /// `true` if the buffers have the same bytes. Compares eight bytes at a time. The last eight may overlap the
    /// previous eight.
    fileprivate func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        var offset = 0
        if count >= 8 {
            while offset + 8 < count {
                if word(at: offset) != other.word(at: offset) { return false }
                offset += 8
            }
            return word(at: count - 8) == other.word(at: count - 8)
        }
        while offset < count {
            if self[offset] != other[offset] { return false }
            offset += 1
        }
        return true
    }

    private func word(at offset: Int) -> UInt64 { loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
}

extension Identifier: ExpressibleByStringInterpolation, LosslessStringConvertible {
    public init(stringLiteral text: String) { self.init(text) }

    public var description: String { text }
}

/// Encoded as the identifier's text.
extension Identifier: Codable {
    public init(from decoder: any Decoder) throws { self.init(try String(from: decoder)) }

    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}

extension JSON {
    public static func string(_ value: Identifier) -> JSON { string(value.text) }
}

extension JSONView {
    /// The string as an identifier; see ``string``.
    public var identifier: Identifier? { string.map { Identifier($0) } }
}

extension JSONWriter {
    public mutating func member(_ name: StaticString, _ value: Identifier) { member(name, value.text) }

    /// Writes the member only if there is a value.
    public mutating func member(_ name: StaticString, ifPresent value: Identifier?) {
        member(name, ifPresent: value?.text)
    }
}
