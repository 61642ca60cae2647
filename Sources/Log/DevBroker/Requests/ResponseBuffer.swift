/// A connection's unsent responses, written field by field in the order of the protocol.
struct ResponseBuffer: ~Copyable {
    private var storage: UnsafeMutableRawPointer
    private var capacity: Int
    /// The position of the first unsent byte.
    private var start = 0
    private var end = 0

    init() {
        capacity = 4096
        storage = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        storage.deallocate()
    }

    /// The number of unsent bytes.
    var count: Int { end - start }

    func withUnsent<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(UnsafeRawBufferPointer(start: storage + start, count: count))
    }

    mutating func drop(_ count: Int) {
        start += count
        if start == end { (start, end) = (0, 0) }
    }

    @inline(__always)
    private mutating func reserve(_ count: Int) {
        if capacity - end < count { makeRoom(count) }
    }

    private mutating func makeRoom(_ count: Int) {
        let used = self.count
        if used + count > capacity {
            capacity = max(capacity * 2, used + count)
            let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
            larger.copyMemory(from: storage + start, byteCount: used)
            storage.deallocate()
            storage = larger
        } else {
            // The source and the destination may overlap.
            storage.copyMemory(from: storage + start, byteCount: used)
        }
        (start, end) = (0, used)
    }

    mutating func write<Integer: FixedWidthInteger>(_ integer: Integer) {
        let size = MemoryLayout<Integer>.size
        reserve(size)
        storage.storeBytes(of: integer.bigEndian, toByteOffset: end, as: Integer.self)
        end += size
    }

    mutating func write(_ fault: DevelopmentBroker.Fault?) {
        write(Int16(truncatingIfNeeded: fault?.code ?? 0))
    }

    mutating func write(_ string: String) {
        var string = string
        string.withUTF8 { utf8 in
            write(Int16(utf8.count))
            append(UnsafeRawBufferPointer(utf8))
        }
    }

    mutating func write(_ string: String?) {
        if let string { write(string) } else { write(Int16(-1)) }
    }

    mutating func write(bytes: [UInt8]) {
        write(Int32(bytes.count))
        bytes.withUnsafeBytes { append($0) }
    }

    /// Writes an array. `element` writes its elements one by one.
    mutating func write<Elements: Collection>(
        _ elements: Elements, _ element: (inout ResponseBuffer, Elements.Element) -> Void
    ) {
        write(Int32(elements.count))
        for value in elements { element(&self, value) }
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let address = bytes.baseAddress, bytes.count > 0 else { return }
        reserve(bytes.count)
        (storage + end).copyMemory(from: address, byteCount: bytes.count)
        end += bytes.count
    }

    /// Writes the output of `body`, preceded by its size in bytes.
    mutating func writeSized(_ body: (inout ResponseBuffer) -> Void) {
        write(Int32(0))
        let before = count
        body(&self)
        storage.storeBytes(of: Int32(count - before).bigEndian, toByteOffset: start + before - 4, as: Int32.self)
    }
}
