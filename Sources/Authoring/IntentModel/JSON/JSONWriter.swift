/// Writes one JSON value, without spaces. Adds the commas.
///
/// Names in the program are `StaticString`s and are written without escaping. Names from outside are marked `named:`
/// and escaped.
public struct JSONWriter: ~Copyable, @unchecked Sendable {
    // The writer manages its own memory: appending pieces of a few bytes to an array would take several times as long.
    private var memory: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var count = 0

    public init(reserving capacity: Int = 256) {
        self.capacity = max(capacity, 16)
        memory = .allocate(capacity: self.capacity)
    }

    deinit { memory.deallocate() }

    /// The text that has been written so far.
    public var bytes: [UInt8] { Array(UnsafeBufferPointer(start: memory, count: count)) }

    public mutating func beginObject() { open(UInt8(ascii: "{")) }
    public mutating func endObject() { append(UInt8(ascii: "}")) }
    public mutating func beginArray() { open(UInt8(ascii: "[")) }
    public mutating func endArray() { append(UInt8(ascii: "]")) }

    // MARK: Values

    public mutating func string(_ value: String) {
        separate()
        append(value)
    }

    public mutating func number(_ value: Int) {
        separate()
        append(value)
    }

    /// Writes a number. NaN and infinities, which JSON does not have, become `null`.
    public mutating func number(_ value: Double) {
        separate()
        if value.isFinite {
            if let whole = Int(exactly: value), whole.magnitude < 1 << 53 {
                append(whole)
            } else {
                var text = value.description
                text.withUTF8 { append($0) }
            }
        } else {
            append("null" as StaticString)
        }
    }

    public mutating func bool(_ value: Bool) {
        separate()
        append(value ? "true" : "false" as StaticString)
    }

    public mutating func null() {
        separate()
        append("null" as StaticString)
    }

    public mutating func value(_ value: JSON) {
        separate()
        append(contentsOf: value.bytes)
    }

    // MARK: Members

    /// Writes the name of the member whose value is written next.
    public mutating func name(_ name: StaticString) {
        separate(from: name.utf8CodeUnitCount &+ 3)
        write(UInt8(ascii: "\""))
        write(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        write(UInt8(ascii: "\""))
        write(UInt8(ascii: ":"))
    }

    /// Writes the name of the member whose value is written next.
    public mutating func name(named name: String) {
        separate()
        append(name)
        append(UInt8(ascii: ":"))
    }

    public mutating func member(_ name: StaticString, _ value: String) {
        self.name(name)
        append(value)
    }

    public mutating func member(_ name: StaticString, _ value: Int) {
        self.name(name)
        append(value)
    }

    public mutating func member(_ name: StaticString, _ value: JSON) {
        self.name(name)
        append(contentsOf: value.bytes)
    }

    public mutating func member(_ name: StaticString, _ value: Bool) {
        self.name(name)
        append(value ? "true" : "false" as StaticString)
    }

    /// Writes the member only if there is a value.
    public mutating func member(_ name: StaticString, ifPresent value: String?) {
        if let value { member(name, value) }
    }

    /// Writes the member only if there is a value.
    public mutating func member(_ name: StaticString, ifPresent value: JSON?) {
        if let value { member(name, value) }
    }

    public mutating func member(named name: String, _ value: JSON) {
        self.name(named: name)
        append(contentsOf: value.bytes)
    }

    // MARK: Bytes

    private mutating func open(_ bracket: UInt8) {
        separate(from: 1)
        write(bracket)
    }

    /// Writes the comma before the next value or name, if there has to be one, and reserves memory for `next` bytes.
    @inline(__always)
    private mutating func separate(from next: Int = 0) {
        reserve(next &+ 1)
        if count == 0 { return }
        let last = memory[count &- 1]
        if last != UInt8(ascii: "{"), last != UInt8(ascii: ":"), last != UInt8(ascii: "[") { write(UInt8(ascii: ",")) }
    }

    /// Reserves memory for this many more bytes.
    @inline(__always)
    private mutating func reserve(_ more: Int) {
        if capacity - count < more { grow(more) }
    }

    @inline(never)
    private mutating func grow(_ more: Int) {
        capacity = max(2 * capacity, count + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: memory, count: count)
        memory.deallocate()
        memory = larger
    }

    @inline(__always)
    private mutating func append(_ byte: UInt8) {
        reserve(1)
        write(byte)
    }

    /// Appends a byte that memory is reserved for.
    @inline(__always)
    private mutating func write(_ byte: UInt8) {
        memory[count] = byte
        count &+= 1
    }

    @inline(__always)
    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        reserve(bytes.count)
        write(bytes)
    }

    /// Appends bytes that memory is reserved for.
    @inline(__always)
    private mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        (memory + count).initialize(from: start, count: bytes.count)
        count &+= bytes.count
    }

    @inline(__always)
    private mutating func append(contentsOf bytes: [UInt8]) { bytes.withUnsafeBufferPointer { append($0) } }

    @inline(__always)
    private mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func append(_ value: Int) {
        // The longest number has 19 digits and a sign.
        reserve(20)
        if value < 0 { append(UInt8(ascii: "-")) }
        let first = count
        var rest = value.magnitude
        repeat {
            memory[count] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            count += 1
            rest /= 10
        } while rest > 0
        var (low, high) = (first, count - 1)
        while low < high {
            (memory[low], memory[high]) = (memory[high], memory[low])
            low += 1
            high -= 1
        }
    }

    private mutating func append(_ text: String) {
        append(UInt8(ascii: "\""))
        // Calling `withUTF8` would retain the text.
        let written: Void? = text.utf8.withContiguousStorageIfAvailable { appendEscaped($0) }
        if written == nil { Array(text.utf8).withUnsafeBufferPointer { appendEscaped($0) } }
        append(UInt8(ascii: "\""))
    }

    @inline(__always)
    private mutating func appendEscaped(_ utf8: UnsafeBufferPointer<UInt8>) {
        if utf8.haveToBeEscaped {
            for byte in utf8 { appendEscaped(byte) }
        } else {
            append(utf8)
        }
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            append(UInt8(ascii: "\\"))
            append(byte)
        case 0x0A: append("\\n" as StaticString)
        case 0x0D: append("\\r" as StaticString)
        case 0x09: append("\\t" as StaticString)
        case 0..<0x20:
            append("\\u00" as StaticString)
            append(Self.hexadecimal(byte >> 4))
            append(Self.hexadecimal(byte & 15))
        default: append(byte)
        }
    }

    private static func hexadecimal(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
