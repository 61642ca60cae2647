import IntentModel
import RecordLog

/// Text that is written into memory of a size that is known before. Appending to an array would look for room with each piece.
struct TextBuffer: ~Copyable {
    private let memory: UnsafeMutableBufferPointer<UInt8>
    private var count = 0

    /// How many bytes a number has at most.
    static let longestNumber = 20

    private init(_ memory: UnsafeMutableBufferPointer<UInt8>) { self.memory = memory }

    /// - Parameter capacity: bytes that are enough for all that is written; writing more is a programming error and traps.
    static func bytes(capacity: Int, _ write: (inout TextBuffer) -> Void) -> Bytes {
        Bytes(unsafeUninitializedCapacity: capacity) { memory, count in
            var text = TextBuffer(memory)
            write(&text)
            count = text.count
        }
    }

    mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    mutating func append(_ identifier: Identifier) { append(identifier.text) }

    mutating func append(_ value: Int64) {
        if value < 0 { append("-" as StaticString) }
        var rest = value.magnitude
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.longestNumber) { digits in
            var start = digits.count
            repeat {
                start -= 1
                digits.initializeElement(at: start, to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
                rest /= 10
            } while rest > 0
            append(UnsafeBufferPointer(rebasing: digits[start...]))
        }
    }

    /// Numbers with commas between them.
    mutating func append(_ values: [Int64]) {
        for (index, value) in values.enumerated() {
            if index > 0 { append("," as StaticString) }
            append(value)
        }
    }

    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        precondition(bytes.count <= memory.count - count)
        guard let start = bytes.baseAddress, let end = memory.baseAddress else { return }
        (end + count).initialize(from: start, count: bytes.count)
        count += bytes.count
    }
}
