/// Counts of what a worker has done.
public struct WorkerCounters: Sendable, Hashable {
    /// Handler calls.
    public var started = 0
    public var answered = 0
    /// Work that came after its deadline and was skipped.
    public var expired = 0
    public var cancels = 0
    public var deadLetters = 0
    /// Copies of work that was begun here and may be begun once.
    public var copies = 0

    public init() {}
}
