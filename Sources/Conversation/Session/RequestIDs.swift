public import IntentModel

/// The ids of a session's last requests, oldest first.
///
/// They are kept as the text that the journal has of them, a JSON list: each record of the session has all of them, and most decisions change none.
public struct RequestIDs: Sendable, Hashable, Sequence, ExpressibleByArrayLiteral {
    public private(set) var count = 0
    private var text = Self.empty

    private static let empty = [UInt8]("[]".utf8)

    public init(_ ids: some Sequence<Identifier> = []) { for id in ids { append(id) } }

    public init(arrayLiteral ids: Identifier...) { self.init(ids) }

    /// `nil` if it is not a list of strings.
    package init?(_ list: JSONView) {
        let elements = list.elements
        guard list.kind == .array, elements.allSatisfy({ $0.kind == .string }) else { return nil }
        let text = list.json.bytes
        // Another writer's text may have spaces, and escapes that are not needed.
        guard text.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: "\\") }) else {
            self.init(elements.compactMap(\.identifier))
            return
        }
        self.init()
        (self.text, count) = (text, elements.count)
    }

    /// The list of the ids.
    package var json: JSON { JSON(unchecked: text) }

    public var isEmpty: Bool { count == 0 }

    /// Bytes in memory, about.
    public var bytes: Int { text.count }

    public var last: Identifier? { json.view.elements.last?.identifier }

    public func makeIterator() -> some IteratorProtocol<Identifier> {
        json.view.elements.compactMap(\.identifier).makeIterator()
    }

    public mutating func append(_ id: Identifier) {
        text.removeLast()
        if count > 0 { text.append(UInt8(ascii: ",")) }
        text.append(contentsOf: JSON.string(id).bytes)
        text.append(UInt8(ascii: "]"))
        count += 1
    }

    /// There must be one.
    public mutating func removeFirst() {
        let end = text.withUnsafeBufferPointer { Self.end(ofStringAt: 1, in: $0) }
        text.removeSubrange(1..<(count > 1 ? end + 1 : end))
        count -= 1
    }

    public func contains(_ id: Identifier) -> Bool {
        let wanted = JSON.string(id).bytes
        return text.withUnsafeBufferPointer { text in
            var start = 1
            while start < text.count - 1 {
                let end = Self.end(ofStringAt: start, in: text)
                if end - start == wanted.count, text[start..<end].elementsEqual(wanted) { return true }
                start = end + 1
            }
            return false
        }
    }

    /// The index after the string that begins there.
    private static func end(ofStringAt start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
        var end = start + 1
        while text[end] != UInt8(ascii: "\"") { end += text[end] == UInt8(ascii: "\\") ? 2 : 1 }
        return end + 1
    }
}
