public import IntentModel

/// What the person was asked in the course of a request, and how often.
public struct Asking: Sendable, Hashable {
    /// How many prompts there were.
    public var turns = 0
    /// How often each parameter was asked for.
    public var asks: [String: Int] = [:]
    /// Why each parameter had to be asked for again.
    public var misses: [String: Misses] = [:]
    /// How many questions the phases have asked.
    public var questions = 0
    /// What the person may be offered if the prompt asked last leads nowhere.
    public var alternatives: [ParameterOption] = []
    /// The parameters that the person has changed since a resolver has accepted any, as they were before. If a resolver rejects what was said, they take its place.
    public var replaced: [ParameterState] = []

    public init() {}

    /// Forgets how often a parameter and its elements were asked for: it was resolved, and the person changes it.
    mutating func forgive(_ name: String) {
        if asks.isEmpty, misses.isEmpty { return }
        func isAbout(_ key: String) -> Bool {
            key.utf8.elementsEqual(name.utf8) || key.utf8.starts(with: "\(name)[".utf8)
        }
        asks = asks.filter { !isAbout($0.key) }
        misses = misses.filter { !isAbout($0.key) }
    }
}

/// How often asking for one parameter failed, by reason.
public struct Misses: Sendable, Hashable {
    /// Prompts that were not answered in time.
    public var noAnswer = 0
    /// Values that matched nothing, or could not be read.
    public var noMatch = 0
    /// Values that were understood and can't be used.
    public var unsupported = 0
    /// Whether the person was offered the options.
    public var wasOffered = false
    /// The ids of the options that the person declined: those of the first page.
    public var declined: [String] = []

    public init() {}
}
