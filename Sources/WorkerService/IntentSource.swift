public import ArgumentParser
public import IntentRuntime
public import ServiceLifecycle

/// Where a ``WorkerProgram`` gets intents from beside its extensions, such as definition files: the command-line options of that source.
public protocol IntentSource: ParsableArguments {
    /// Prepares the source when the worker starts.
    ///
    /// - Returns: `nil` if the options ask for nothing.
    /// - Throws: A `ValidationError` that names a wrong setting.
    func open(_ environment: WorkerEnvironment) throws -> (any OpenIntentSource)?
}

/// An ``IntentSource`` in use.
public protocol OpenIntentSource: Sendable {
    /// Reads the declarations: at the start, and again on each SIGHUP.
    ///
    /// - Parameter accepted: The ``IntentSourceReading/state`` of the last reading that is being served; `nil` at the start.
    /// - Throws: Everything that is wrong with them. What is being served stays as it is.
    func read(after accepted: (any Sendable)?) throws -> IntentSourceReading
    /// What runs beside the worker and ends after it.
    func services() throws -> [any Service]
    /// One line for each problem in an error that ``read(after:)`` or the registry has thrown.
    func problems(_ error: any Error) -> [String]
    /// Called once, when the worker has ended.
    func close() async
}

/// What an ``OpenIntentSource`` has read.
public struct IntentSourceReading: Sendable {
    public var declarations: [IntentDeclaration]
    /// The difference from the last reading that was accepted.
    public var changes: IntentChanges
    /// What the source compares its next reading with.
    public var state: any Sendable

    public init(declarations: [IntentDeclaration], changes: IntentChanges, state: any Sendable) {
        self.declarations = declarations
        self.changes = changes
        self.state = state
    }
}

/// The difference between two readings, by the names of the intents.
public struct IntentChanges: Sendable, Hashable {
    public var added: [String]
    public var changed: [String]
    public var removed: [String]

    public init(added: [String] = [], changed: [String] = [], removed: [String] = []) {
        self.added = added
        self.changed = changed
        self.removed = removed
    }

    public var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }
}

/// No source: the program serves its extensions alone.
public struct NoIntentSource: IntentSource {
    public init() {}
    public func open(_ environment: WorkerEnvironment) -> (any OpenIntentSource)? { nil }
}
