/// The bounds that incoming JSON is held to before anything is made of it.
public struct JSONLimits: Sendable, Hashable {
    /// Bytes of the whole document.
    public var maximumBytes: Int
    /// Objects and arrays within each other.
    public var maximumDepth: Int
    /// Member names in the whole document.
    public var maximumKeys: Int

    public init(maximumBytes: Int = 65_536, maximumDepth: Int = 32, maximumKeys: Int = 1_000) {
        self.maximumBytes = maximumBytes
        self.maximumDepth = maximumDepth
        self.maximumKeys = maximumKeys
    }

    /// 64 KiB (what CloudEvents intermediaries must forward), depth 32, 1,000 keys.
    public static let event = JSONLimits()
    /// What a worker may answer: 256 KiB, depth 32, 10,000 keys. What comes of it has to fit into the session's record in the journal.
    public static let outcome = JSONLimits(maximumBytes: 256 << 10, maximumKeys: 10_000)
    /// For what the pipeline itself has written: bounds that only stop what cannot be right.
    public static let journal = JSONLimits(maximumBytes: 8 << 20, maximumDepth: 64, maximumKeys: 1_000_000)
}

/// Why a text is not JSON that we take.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable {
        case malformed, notUTF8, tooLarge, tooDeep, tooManyKeys
    }

    public var code: Code
    public var message: String
    /// Where in the text, in bytes from 0, if that is known.
    public var offset: Int?

    public init(_ code: Code, _ message: String, offset: Int? = nil) {
        self.code = code
        self.message = message
        self.offset = offset
    }

    public var description: String { message }
}
