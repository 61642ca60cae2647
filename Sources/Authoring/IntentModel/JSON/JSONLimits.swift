/// The limits that incoming JSON is checked against before it is read.
public struct JSONLimits: Sendable, Hashable {
    /// The maximum number of bytes of the whole document.
    public var maximumBytes: Int
    /// The maximum depth of nested objects and arrays.
    public var maximumDepth: Int
    /// The maximum number of member names in the whole document.
    public var maximumKeys: Int

    public init(maximumBytes: Int = 65_536, maximumDepth: Int = 32, maximumKeys: Int = 1_000) {
        self.maximumBytes = maximumBytes
        self.maximumDepth = maximumDepth
        self.maximumKeys = maximumKeys
    }

    /// The limits for an event: 64 KiB (the size that CloudEvents intermediaries must forward), depth 32, 1,000 keys.
    public static let event = JSONLimits()
    /// The limits for an outcome of a worker: 256 KiB, depth 32, 10,000 keys. The resulting state has to fit into the
    /// session's record in the journal.
    public static let outcome = JSONLimits(maximumBytes: 256 << 10, maximumKeys: 10_000)
    /// The limits for JSON that the pipeline itself has written. They only reject texts that can't be valid.
    public static let journal = JSONLimits(maximumBytes: 8 << 20, maximumDepth: 64, maximumKeys: 1_000_000)
}

/// The reason why a text is rejected as JSON.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable {
        case malformed, notUTF8, tooLarge, tooDeep, tooManyKeys
    }

    public var code: Code
    public var message: String
    /// The position in the text, in bytes from 0, if known.
    public var offset: Int?

    public init(_ code: Code, _ message: String, offset: Int? = nil) {
        self.code = code
        self.message = message
        self.offset = offset
    }

    public var description: String { message }
}
