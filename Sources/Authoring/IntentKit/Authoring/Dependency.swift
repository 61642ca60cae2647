import Synchronization

/// A dependency of a handler, an intent or an options provider: App Intents' `@Dependency`. Each read obtains the value
/// from the ``AppDependencyManager``.
///
/// ```swift
/// @Dependency var fleet: Fleet
/// @Dependency(key: "archive") var store: Store
/// @Dependency(default: Tariff.standard) var tariff: Tariff
/// ```
/// The registry finds a missing dependency at its creation if the dependency is stored in an extension, in a handler
/// that the extension returns, in an intent, or in an options provider of the intent's parameters. Elsewhere, reading a
/// missing dependency traps with a message that names the dependency.
@propertyWrapper
public struct Dependency<Value: Sendable>: Sendable {
    private let key: String?
    private let fallback: (@Sendable () -> Value)?

    /// - Parameter key: The key that distinguishes the dependency from others of the same type.
    public init(key: String? = nil) {
        self.key = key
        fallback = nil
    }

    /// - Parameter default: The value if no dependency was added; evaluated at each read.
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

/// A type-erased ``Dependency``, which reflection over a handler can find without knowing the type of the value.
package protocol AnyDependency {
    var dependencyName: String { get }
    func isProvided(by manager: AppDependencyManager) -> Bool
}

extension Dependency: AnyDependency {
    package var dependencyName: String { "of type \(Value.self)" + (key.map { " with key '\($0)'" } ?? "") }
    package func isProvided(by manager: AppDependencyManager) -> Bool {
        fallback != nil || manager.has(Value.self, key: key)
    }
}

/// The dependencies of handlers and options providers, by type: App Intents' `AppDependencyManager`.
///
/// A process has one manager, ``shared``. Tests pass their own manager to ``IntentRegistry/init(_:dependencies:)``.
public final class AppDependencyManager: Sendable {
    public static let shared = AppDependencyManager()

    /// The manager that `@Dependency` reads from: the manager of the calling registry, else ``shared``.
    @TaskLocal package static var current: AppDependencyManager = .shared

    /// The key of a dependency.
    private struct Key: Hashable {
        var type: ObjectIdentifier
        var name: String?
    }

    private let entries = Mutex<[Key: Entry]>([:])

    public init() {}

    /// Adds a dependency, unless one of this type was added before. A test's own dependency thus takes precedence over
    /// an extension's.
    ///
    /// - Parameter dependency: The dependency, created once, when first read. The expression may read other
    ///   dependencies, but not itself.
    public func add<Value: Sendable>(_ dependency: @autoclosure @escaping @Sendable () -> Value) {
        insert(Value.self, key: nil, dependency)
    }

    /// Adds a dependency, unless one of this type and key was added before.
    ///
    /// - Parameters:
    ///   - key: The key that distinguishes the dependency from others of the same type:
    ///     `@Dependency(key: "archive") var store: Store`.
    ///   - dependency: The dependency, created once, when first read. The closure may read other dependencies, but not
    ///     itself.
    public func add<Value: Sendable>(key: String, dependency: @autoclosure @escaping @Sendable () -> Value) {
        insert(Value.self, key: key, dependency)
    }

    /// Returns the dependency of this type and key; `nil` if none was added.
    public func get<Value: Sendable>(_ type: Value.Type = Value.self, key: String? = nil) -> Value? {
        let entry = entries.withLock { $0[Key(type: ObjectIdentifier(type), name: key)] }
        return entry?.value as? Value
    }

    /// Returns `true` if a dependency of this type and key was added, without creating the dependency.
    func has<Value>(_ type: Value.Type, key: String?) -> Bool {
        entries.withLock { $0[Key(type: ObjectIdentifier(type), name: key)] != nil }
    }

    private func insert<Value: Sendable>(_ type: Value.Type, key: String?, _ make: @escaping @Sendable () -> Value) {
        let key = Key(type: ObjectIdentifier(type), name: key)
        entries.withLock { entries in
            if entries[key] == nil { entries[key] = Entry(make: make) }
        }
    }

    /// Runs a closure in which `@Dependency` reads from this manager, as a registry does for its handlers.
    public func callAsFunction<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await Self.$current.withValue(self, operation: body)
    }

    /// A dependency, created when first read. Each entry has its own lock, so that the creation of one dependency may
    /// read another.
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
