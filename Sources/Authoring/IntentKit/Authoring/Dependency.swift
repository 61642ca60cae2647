import Synchronization

/// A dependency of a handler, an intent or an options provider, which is taken from the ``AppDependencyManager`` when it is read: App Intents'
/// `@Dependency`.
///
/// ```swift
/// @Dependency var fleet: Fleet
/// @Dependency(key: "archive") var store: Store
/// @Dependency(default: Tariff.standard) var tariff: Tariff
/// ```
/// A dependency that is not provided is found when the registry is created, if it is stored in an extension, in a handler that the extension returns,
/// in an intent, or in an options provider of its parameters. Elsewhere, reading such a dependency traps with a message that names it.
@propertyWrapper
public struct Dependency<Value: Sendable>: Sendable {
    private let key: String?
    private let fallback: (@Sendable () -> Value)?

    /// - Parameter key: Distinguishes it from others of the same type.
    public init(key: String? = nil) {
        self.key = key
        fallback = nil
    }

    /// - Parameter default: The value if none was added; created each time it is read.
    public init(key: String? = nil, default: @autoclosure @escaping @Sendable () -> Value) {
        self.key = key
        fallback = `default`
    }

    public var wrappedValue: Value {
        guard let value = AppDependencyManager.current.get(Value.self, key: key) ?? fallback?() else {
            fatalError("no dependency \(dependencyName): add one in your extension's provideDependencies(to:)")
        }
        return value
    }
}

/// Lets reflection over a handler find its dependencies without knowing their types.
package protocol AnyDependency {
    var dependencyName: String { get }
    func isProvided(by manager: AppDependencyManager) -> Bool
}

extension Dependency: AnyDependency {
    package var dependencyName: String { "of type \(Value.self)" + (key.map { " with key '\($0)'" } ?? "") }
    package func isProvided(by manager: AppDependencyManager) -> Bool { fallback != nil || manager.has(Value.self, key: key) }
}

/// The dependencies of handlers and options providers, by type: App Intents' `AppDependencyManager`.
///
/// A process has one, ``shared``. Tests pass their own to ``IntentRegistry/init(_:dependencies:)``.
public final class AppDependencyManager: Sendable {
    public static let shared = AppDependencyManager()

    /// The manager that `@Dependency` uses: that of the registry that is calling, else ``shared``.
    @TaskLocal package static var current: AppDependencyManager = .shared

    /// The key of a dependency.
    private struct Key: Hashable {
        var type: ObjectIdentifier
        var name: String?
    }

    private let entries = Mutex<[Key: Entry]>([:])

    public init() {}

    /// Adds a dependency if there is none of that type yet, so that a test's own takes precedence over an extension's.
    ///
    /// - Parameter dependency: Created once, when it is first read. It may read others, but not itself.
    public func add<Value: Sendable>(_ dependency: @autoclosure @escaping @Sendable () -> Value) {
        insert(Value.self, key: nil, dependency)
    }

    /// Adds a dependency if there is none of that type and key yet.
    ///
    /// - Parameters:
    ///   - key: Distinguishes it from others of the same type: `@Dependency(key: "archive") var store: Store`.
    ///   - dependency: Created once, when it is first read. It may read others, but not itself.
    public func add<Value: Sendable>(key: String, dependency: @autoclosure @escaping @Sendable () -> Value) {
        insert(Value.self, key: key, dependency)
    }

    /// The dependency of that type and key, if one was added.
    public func get<Value: Sendable>(_ type: Value.Type = Value.self, key: String? = nil) -> Value? {
        let entry = entries.withLock { $0[Key(type: ObjectIdentifier(type), name: key)] }
        return entry?.value as? Value
    }

    /// Whether there is one. Does not create it.
    func has<Value>(_ type: Value.Type, key: String?) -> Bool {
        entries.withLock { $0[Key(type: ObjectIdentifier(type), name: key)] != nil }
    }

    private func insert<Value: Sendable>(_ type: Value.Type, key: String?, _ make: @escaping @Sendable () -> Value) {
        let key = Key(type: ObjectIdentifier(type), name: key)
        entries.withLock { entries in
            if entries[key] == nil { entries[key] = Entry(make: make) }
        }
    }

    /// Runs a closure with this manager as the one that `@Dependency` uses, as a registry does for its handlers.
    public func callAsFunction<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await Self.$current.withValue(self, operation: body)
    }

    /// Has its own lock, so that one dependency may read another while it is created.
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
