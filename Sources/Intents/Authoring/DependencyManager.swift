import Synchronization

/// The things that handlers and options providers need, by type: App Intents' `AppDependencyManager`.
///
/// A process has one, ``shared``. Tests give theirs to ``IntentRegistry/init(_:dependencies:)``.
public final class DependencyManager: Sendable {
    public static let shared = DependencyManager()

    /// The one that `@Dependency` asks: that of the registry that is calling, else ``shared``.
    @TaskLocal static var current: DependencyManager = .shared

    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    public init() {}

    /// Adds a dependency unless there is one of that type already, so that a test's own wins over an extension's.
    ///
    /// - Parameter dependency: Made when it is first asked for, once.
    public func add<Value: Sendable>(_ dependency: @autoclosure @escaping @Sendable () -> Value) {
        entries.withLock { entries in
            if entries[ObjectIdentifier(Value.self)] == nil { entries[ObjectIdentifier(Value.self)] = Entry(make: dependency) }
        }
    }

    /// The dependency of that type, if one was added.
    public func get<Value: Sendable>(_ type: Value.Type = Value.self) -> Value? {
        let entry = entries.withLock { $0[ObjectIdentifier(type)] }
        return entry?.value as? Value
    }

    /// Runs with this manager as the one that `@Dependency` asks, as a registry does around its handlers.
    public func callAsFunction<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await Self.$current.withValue(self, operation: body)
    }

    /// Has a lock of its own, so that making one dependency may ask for another.
    private final class Entry: Sendable {
        private let make: @Sendable () -> any Sendable
        private let made = Mutex<(any Sendable)?>(nil)

        init(make: @escaping @Sendable () -> any Sendable) { self.make = make }

        var value: any Sendable {
            made.withLock { made in
                if let value = made { return value }
                let value = make()
                made = value
                return value
            }
        }
    }
}
