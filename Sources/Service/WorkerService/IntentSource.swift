public import ArgumentParser
public import IntentRuntime
public import ServiceLifecycle

/// A further source of a ``WorkerProgram``'s intents beside its extensions, such as definition files, with the source's
/// command-line options.
public protocol IntentSource: ParsableArguments {
    /// Prepares the source when the worker starts.
    ///
    /// - Returns: `nil` if the options enable no source.
    /// - Throws: A `ValidationError` that names a wrong setting.
    func open(_ environment: WorkerEnvironment) throws -> (any OpenIntentSource)?
}

/// An ``IntentSource`` in use.
public protocol OpenIntentSource: Sendable {
    /// Reads the declarations: at the start, and again on each SIGHUP.
    ///
    /// - Parameter accepted: The ``IntentSourceReading/state`` of the last accepted reading; `nil` at the start.
    /// - Throws: All problems of the declarations. The worker then continues to serve the previous declarations.
    func read(after accepted: (any Sendable)?) throws -> IntentSourceReading
    /// Returns services that run beside the worker and end after it.
    ///
    /// - Parameter served: Returns the intents that the worker serves at present.
    func services(_ served: @escaping @Sendable () -> IntentRegistry) throws -> [any Service]
    /// Returns one line for each problem in an error that ``read(after:)`` or the registry has thrown.
    func problems(_ error: any Error) -> [String]
    /// Closes the source. Called once, when the worker has ended.
    func close() async
}

/// The result of one reading of an ``OpenIntentSource``.
public struct IntentSourceReading: Sendable {
    public var declarations: [IntentDeclaration]
    /// The difference from the last accepted reading.
    public var changes: IntentChanges
    /// The state that the source compares its next reading with.
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

/// An empty source: the program serves only its extensions.
public struct NoIntentSource: IntentSource {
    public init() {}
    public func open(_ environment: WorkerEnvironment) -> (any OpenIntentSource)? { nil }
}
