#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Decompresses the records of a batch, up to a limit.
///
/// The libraries are the ones that librdkafka links. They are loaded when the first batch needs them. Snappy's format
/// is simple enough to be decoded here.
enum Inflation {
    enum Failure: Error, Hashable {
        /// The decompressed records exceed the limit.
        case tooLarge
        /// The bytes are not valid for the codec.
        case corrupt
        /// The codec is unknown, or its library is not installed.
        case unsupported
    }

    /// Decompresses the records of a batch.
    ///
    /// - Parameters:
    ///   - codec: Kafka's number: 1 is gzip, 2 Snappy, 3 LZ4, 4 Zstandard.
    ///   - limit: The maximum number of bytes of the result.
    static func inflate(_ bytes: UnsafeRawBufferPointer, codec: UInt16, limit: Int) throws(Failure) -> [UInt8] {
        switch codec {
        case 1: try Gzip.inflate(bytes, limit: limit)
        case 2: try Snappy.inflate(bytes, limit: limit)
        case 3: try LZ4.inflate(bytes, limit: limit)
        case 4: try Zstandard.inflate(bytes, limit: limit)
        default: throw .unsupported
        }
    }
}

/// The growing result of a decompression: pieces of a decoder, up to a limit.
private struct InflatedBytes {
    private static let pieceSize = 64 * 1024

    let limit: Int
    private(set) var bytes: [UInt8] = []

    init(limit: Int) { self.limit = limit }

    /// Appends the next piece of a decoder.
    ///
    /// - Parameter body: Writes to the buffer and returns the number of written bytes.
    mutating func append(_ body: (UnsafeMutableRawBufferPointer) throws(Inflation.Failure) -> Int) throws(Inflation
        .Failure) -> Int
    {
        let count = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: Self.pieceSize))
        var written: Result<Int, Inflation.Failure> = .success(0)
        bytes.withUnsafeMutableBytes { buffer in
            let free = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            do throws(Inflation.Failure) { written = .success(try body(free)) } catch { written = .failure(error) }
        }
        let number = try written.get()
        bytes.removeLast(Self.pieceSize - number)
        if bytes.count > limit { throw .tooLarge }
        return number
    }
}

/// A library that is loaded at run time.
private struct CodecLibrary: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer?

    init(_ names: String...) { handle = names.lazy.compactMap { dlopen($0, RTLD_NOW) }.first }

    func function<Function>(_ name: String, as type: Function.Type) throws(Inflation.Failure) -> Function {
        guard let handle, let symbol = dlsym(handle, name) else { throw .unsupported }
        return unsafeBitCast(symbol, to: type)
    }
}

private enum Gzip {
    private static let library = CodecLibrary("libz.so.1", "libz.1.dylib")

    /// zlib's `z_stream`.
    private struct Stream {
        var input: UnsafeRawPointer?
        var inputCount: UInt32 = 0
        var totalInput: UInt = 0
        var output: UnsafeMutableRawPointer?
        var outputCount: UInt32 = 0
        var totalOutput: UInt = 0
        var message: UnsafeRawPointer?
        var state: UnsafeRawPointer?
        var allocate: UnsafeRawPointer?
        var free: UnsafeRawPointer?
        var opaque: UnsafeRawPointer?
        var dataType: Int32 = 0
        var checksum: UInt = 0
        var reserved: UInt = 0
    }

    private typealias Begin = @convention(c) (UnsafeMutableRawPointer, Int32, UnsafePointer<CChar>, Int32) -> Int32
    private typealias Inflate = @convention(c) (UnsafeMutableRawPointer, Int32) -> Int32
    private typealias End = @convention(c) (UnsafeMutableRawPointer) -> Int32

    static func inflate(_ bytes: UnsafeRawBufferPointer, limit: Int) throws(Inflation.Failure) -> [UInt8] {
        let begin = try library.function("inflateInit2_", as: Begin.self)
        let inflate = try library.function("inflate", as: Inflate.self)
        let end = try library.function("inflateEnd", as: End.self)
        let stream = UnsafeMutablePointer<Stream>.allocate(capacity: 1)
        stream.initialize(to: Stream())
        defer { stream.deallocate() }
        // 16 selects the header of gzip, 15 the largest window.
        guard begin(stream, 16 + 15, "1.2.11", Int32(MemoryLayout<Stream>.size)) == 0 else { throw .unsupported }
        defer { _ = end(stream) }
        stream.pointee.input = bytes.baseAddress
        stream.pointee.inputCount = UInt32(clamping: bytes.count)
        var inflated = InflatedBytes(limit: limit)
        var hasEnded = false
        while !hasEnded {
            let written = try inflated.append { (buffer) throws(Inflation.Failure) in
                stream.pointee.output = buffer.baseAddress
                stream.pointee.outputCount = UInt32(clamping: buffer.count)
                switch inflate(stream, 0) {
                case 0: break
                case 1: hasEnded = true
                default: throw .corrupt
                }
                return buffer.count - Int(stream.pointee.outputCount)
            }
            if written == 0, !hasEnded { throw .corrupt }
        }
        return inflated.bytes
    }
}

private enum Zstandard {
    private static let library = CodecLibrary("libzstd.so.1", "libzstd.1.dylib")

    private struct Input {
        var bytes: UnsafeRawPointer?
        var count: Int
        var position = 0
    }

    private struct Output {
        var bytes: UnsafeMutableRawPointer?
        var count: Int
        var position = 0
    }

    private typealias Create = @convention(c) () -> OpaquePointer?
    private typealias Free = @convention(c) (OpaquePointer?) -> Int
    private typealias Decompress =
        @convention(c) (OpaquePointer?, UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Int
    private typealias IsError = @convention(c) (Int) -> UInt32

    static func inflate(_ bytes: UnsafeRawBufferPointer, limit: Int) throws(Inflation.Failure) -> [UInt8] {
        let create = try library.function("ZSTD_createDStream", as: Create.self)
        let free = try library.function("ZSTD_freeDStream", as: Free.self)
        let decompress = try library.function("ZSTD_decompressStream", as: Decompress.self)
        let isError = try library.function("ZSTD_isError", as: IsError.self)
        guard let stream = create() else { throw .unsupported }
        defer { _ = free(stream) }
        var input = Input(bytes: bytes.baseAddress, count: bytes.count)
        var inflated = InflatedBytes(limit: limit)
        // The decoder returns 0 at the end of a frame.
        var rest = 1
        while rest != 0 || input.position < input.count {
            let before = input.position
            let written = try inflated.append { (buffer) throws(Inflation.Failure) in
                var output = Output(bytes: buffer.baseAddress, count: buffer.count)
                rest = decompress(stream, &output, &input)
                if isError(rest) != 0 { throw .corrupt }
                return output.position
            }
            if written == 0, input.position == before { throw .corrupt }
        }
        return inflated.bytes
    }
}

private enum LZ4 {
    private static let library = CodecLibrary("liblz4.so.1", "liblz4.1.dylib")
    private static let version: UInt32 = 100

    private typealias Create = @convention(c) (UnsafeMutablePointer<OpaquePointer?>, UInt32) -> Int
    private typealias Free = @convention(c) (OpaquePointer?) -> Int
    private typealias Decompress =
        @convention(c) (
            OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>, UnsafeRawPointer?,
            UnsafeMutablePointer<Int>,
            UnsafeRawPointer?
        ) -> Int
    private typealias IsError = @convention(c) (Int) -> UInt32

    static func inflate(_ bytes: UnsafeRawBufferPointer, limit: Int) throws(Inflation.Failure) -> [UInt8] {
        let create = try library.function("LZ4F_createDecompressionContext", as: Create.self)
        let free = try library.function("LZ4F_freeDecompressionContext", as: Free.self)
        let decompress = try library.function("LZ4F_decompress", as: Decompress.self)
        let isError = try library.function("LZ4F_isError", as: IsError.self)
        var context: OpaquePointer?
        guard isError(create(&context, version)) == 0 else { throw .unsupported }
        defer { _ = free(context) }
        var position = 0
        var inflated = InflatedBytes(limit: limit)
        // The decoder returns 0 at the end of a frame.
        var rest = 1
        while rest != 0 {
            let before = position
            let written = try inflated.append { (buffer) throws(Inflation.Failure) in
                var (outputCount, inputCount) = (buffer.count, bytes.count - position)
                rest = decompress(
                    context, buffer.baseAddress, &outputCount, bytes.baseAddress.map { $0 + position }, &inputCount, nil
                )
                if isError(rest) != 0 { throw .corrupt }
                position += inputCount
                return outputCount
            }
            if rest != 0, written == 0, position == before { throw .corrupt }
        }
        return inflated.bytes
    }
}

/// Snappy: Google's block format, alone or in the frames of Java's library.
private enum Snappy {
    private static let javaMagic: [UInt8] = [0x82, 0x53, 0x4E, 0x41, 0x50, 0x50, 0x59, 0x00]
    private static let javaHeaderSize = 16

    static func inflate(_ bytes: UnsafeRawBufferPointer, limit: Int) throws(Inflation.Failure) -> [UInt8] {
        var inflated: [UInt8] = []
        guard bytes.count > javaHeaderSize + 4, bytes.prefix(javaMagic.count).elementsEqual(javaMagic) else {
            try inflate(block: bytes, into: &inflated, limit: limit)
            return inflated
        }
        var position = javaHeaderSize
        while position < bytes.count {
            guard position + 4 <= bytes.count else { throw .corrupt }
            let size = Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)))
            position += 4
            guard size <= bytes.count - position else { throw .corrupt }
            try inflate(
                block: UnsafeRawBufferPointer(rebasing: bytes[position..<position + size]), into: &inflated,
                limit: limit)
            position += size
        }
        return inflated
    }

    private static func inflate(block: UnsafeRawBufferPointer, into inflated: inout [UInt8], limit: Int)
        throws(Inflation.Failure)
    {
        var reader = Reader(bytes: block)
        let size = try reader.size()
        let start = inflated.count
        guard size <= limit - start else { throw .tooLarge }
        while reader.position < block.count {
            let tag = Int(try reader.number(ofBytes: 1))
            if tag & 3 == 0 {
                var count = tag >> 2
                if count >= 60 { count = try reader.number(ofBytes: count - 59) }
                count += 1
                guard count <= block.count - reader.position, count <= size - (inflated.count - start) else {
                    throw .corrupt
                }
                inflated += block[reader.position..<reader.position + count]
                reader.position += count
                continue
            }
            let (count, distance) =
                switch tag & 3 {
                case 1: (4 + (tag >> 2 & 7), (tag >> 5) << 8 | (try reader.number(ofBytes: 1)))
                case 2: (1 + tag >> 2, try reader.number(ofBytes: 2))
                default: (1 + tag >> 2, try reader.number(ofBytes: 4))
                }
            guard distance > 0, distance <= inflated.count - start, count <= size - (inflated.count - start) else {
                throw .corrupt
            }
            for _ in 0..<count { inflated.append(inflated[inflated.count - distance]) }
        }
        if inflated.count - start != size { throw .corrupt }
    }

    private struct Reader {
        let bytes: UnsafeRawBufferPointer
        var position = 0

        /// Reads a little-endian number.
        mutating func number(ofBytes count: Int) throws(Inflation.Failure) -> Int {
            guard count <= bytes.count - position else { throw .corrupt }
            defer { position += count }
            return (0..<count).reduce(0) { $0 | Int(bytes[position + $1]) << (8 * $1) }
        }

        /// Reads the size of the block, with seven bits in each byte.
        mutating func size() throws(Inflation.Failure) -> Int {
            var size = 0
            for shift in stride(from: 0, through: 28, by: 7) {
                let byte = try number(ofBytes: 1)
                size |= (byte & 0x7F) << shift
                if byte < 0x80 { return size }
            }
            throw .corrupt
        }
    }
}
