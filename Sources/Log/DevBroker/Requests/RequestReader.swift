/// An error of a request that violates the protocol. The request's connection is closed.
struct MalformedRequest: Error {}

/// Reads the fields of a request, in the order of the protocol.
struct RequestReader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    private var remaining: Int { bytes.count - position }

    mutating func integer<Integer: FixedWidthInteger>(_ type: Integer.Type = Integer.self) throws(MalformedRequest)
        -> Integer
    {
        let size = MemoryLayout<Integer>.size
        guard remaining >= size else { throw MalformedRequest() }
        defer { position += size }
        return Integer(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: Integer.self))
    }

    mutating func skip(_ count: Int) throws(MalformedRequest) {
        guard count >= 0, remaining >= count else { throw MalformedRequest() }
        position += count
    }

    private mutating func readBytes(_ count: Int) throws(MalformedRequest) -> UnsafeRawBufferPointer {
        let start = position
        try skip(count)
        return UnsafeRawBufferPointer(rebasing: bytes[start..<position])
    }

    /// Reads a string; `nil` for the protocol's null.
    mutating func nullableString() throws(MalformedRequest) -> String? {
        let count = Int(try integer(Int16.self))
        return count < 0 ? nil : String(decoding: try readBytes(count), as: UTF8.self)
    }

    mutating func string() throws(MalformedRequest) -> String {
        guard let string = try nullableString() else { throw MalformedRequest() }
        return string
    }

    /// Reads bytes that are valid as long as the request; empty for the protocol's null.
    mutating func byteArray() throws(MalformedRequest) -> UnsafeRawBufferPointer {
        let count = Int(try integer(Int32.self))
        return count <= 0 ? UnsafeRawBufferPointer(start: nil, count: 0) : try readBytes(count)
    }

    /// Reads an array; `nil` for the protocol's null.
    mutating func nullableArray<Element>(
        _ element: (inout RequestReader) throws(MalformedRequest) -> Element
    ) throws(MalformedRequest) -> [Element]? {
        let count = Int(try integer(Int32.self))
        if count < 0 { return nil }
        // Each element has at least two bytes, so a wrong count reserves no memory.
        guard count <= remaining / 2 else { throw MalformedRequest() }
        var elements: [Element] = []
        elements.reserveCapacity(count)
        for _ in 0..<count { elements.append(try element(&self)) }
        return elements
    }

    mutating func array<Element>(
        _ element: (inout RequestReader) throws(MalformedRequest) -> Element
    ) throws(MalformedRequest) -> [Element] {
        try nullableArray(element) ?? []
    }
}
