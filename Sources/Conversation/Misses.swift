/// What became of asking for one parameter, each counted apart.
public struct Misses: Sendable, Hashable {
    /// Prompts that nobody answered in time.
    public var noAnswer = 0
    /// Values that matched nothing, or could not be read.
    public var noMatch = 0
    /// Values that were understood and can't be used.
    public var unsupported = 0
    /// The person was offered what there is to choose from.
    public var wasOffered = false

    public init() {}
}
