/// The members of an object, one after the other, in the order of the text. A name that occurs twice is returned twice;
/// the last member counts.
package struct JSONFields: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var index: Int
    private var isEmpty: Bool

    /// - Parameter range: The range of the object; empty if there is no object.
    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        index = range.lowerBound + 1
        isEmpty = range.isEmpty
    }

    package mutating func next() -> (name: JSONName, value: JSONView)? {
        if isEmpty { return nil }
        let found: (name: (range: Range<Int>, isEscaped: Bool), value: Range<Int>)? = bytes.withUnsafeBufferPointer {
            buffer in
            var skipper = JSONSkipper(buffer, index)
            guard skipper.next() else { return nil }
            let name = skipper.skipName()
            skipper.skip(UInt8(ascii: ":"))
            return (name, skipper.skipValue())
        }
        guard let found else {
            isEmpty = true
            return nil
        }
        index = found.value.upperBound
        return (
            JSONName(bytes, found.name.range, isEscaped: found.name.isEscaped), JSONView(unchecked: bytes, found.value)
        )
    }
}

/// The name of a member, as it is in the text. Comparing it with known names in a `switch` makes no string.
package struct JSONName: Sendable {
    @usableFromInline let bytes: [UInt8]
    @usableFromInline let range: Range<Int>
    @usableFromInline let isEscaped: Bool

    init(_ bytes: [UInt8], _ range: Range<Int>, isEscaped: Bool) {
        self.bytes = bytes
        self.range = range
        self.isEscaped = isEscaped
    }

    /// The name without escapes.
    package var string: String { JSONView.unescaped(bytes, range) }

    @inlinable
    package static func ~= (known: StaticString, name: JSONName) -> Bool {
        if name.range.count != known.utf8CodeUnitCount, !name.isEscaped { return false }
        return name.isEqual(to: UnsafeBufferPointer(start: known.utf8Start, count: known.utf8CodeUnitCount))
    }

    @usableFromInline
    func isEqual(to name: UnsafeBufferPointer<UInt8>) -> Bool {
        if isEscaped { return Array(string.utf8).elementsEqual(name) }
        guard range.count == name.count else { return false }
        return bytes.withUnsafeBufferPointer { buffer in
            var index = 0
            while index < name.count, buffer[range.lowerBound + index] == name[index] { index += 1 }
            return index == name.count
        }
    }
}
