import Synchronization

/// Something a handler, an intent or an options provider needs, taken from the ``DependencyManager`` when it is read: App Intents' `@Dependency`.
///
/// ```swift
/// @Dependency var fleet: Fleet
/// @Dependency(key: "archive") var store: Store
/// @Dependency(default: Tariff.standard) var tariff: Tariff
/// ```
/// That nobody has added one is found when the registry is made, wherever it is stored in an extension, in a handler that the extension returns,
/// in an intent or in an options provider of its parameters. Reading one elsewhere that nobody added traps with a message that names it.
@propertyWrapper
public struct Dependency<Value: Sendable>: Sendable {
    private let key: String?
    private let fallback: (@Sendable () -> Value)?

    /// - Parameter key: Tells it from others of the same type.
    public init(key: String? = nil) {
        self.key = key
        fallback = nil
    }

    /// - Parameter default: What it is if nobody has added one; made each time it is read.
    public init(key: String? = nil, default: @autoclosure @escaping @Sendable () -> Value) {
        self.key = key
        fallback = `default`
    }

    public var wrappedValue: Value {
        guard let value = DependencyManager.current.get(Value.self, key: key) ?? fallback?() else {
            fatalError("no dependency \(dependencyName): add one in your extension's provideDependencies(to:)")
        }
        return value
    }
}

/// Lets reflection over a handler find what it needs without knowing the types.
package protocol AnyDependency {
    var dependencyName: String { get }
    func isProvided(by manager: DependencyManager) -> Bool
}

extension Dependency: AnyDependency {
    package var dependencyName: String { "of type \(Value.self)" + (key.map { " with key '\($0)'" } ?? "") }
    package func isProvided(by manager: DependencyManager) -> Bool { fallback != nil || manager.has(Value.self, key: key) }
}

/// The things that handlers and options providers need, by type: App Intents' `AppDependencyManager`.
///
/// A process has one, ``shared``. Tests give theirs to ``IntentRegistry/init(_:dependencies:)``.
public final class DependencyManager: Sendable {
    public static let shared = DependencyManager()

    /// The one that `@Dependency` asks: that of the registry that is calling, else ``shared``.
    @TaskLocal package static var current: DependencyManager = .shared

    /// What a dependency is found by.
    private struct Key: Hashable {
        var type: ObjectIdentifier
        var name: String?
    }

    private let entries = Mutex<[Key: Entry]>([:])

    public init() {}

    /// Adds a dependency unless there is one of that type already, so that a test's own wins over an extension's.
    ///
    /// - Parameter dependency: Made when it is first asked for, once. It may ask for others, but not for itself.
    public func add<Value: Sendable>(_ dependency: @autoclosure @escaping @Sendable () -> Value) {
        insert(Value.self, key: nil, dependency)
    }

    /// Adds a dependency unless there is one of that type and key already.
    ///
    /// - Parameters:
    ///   - key: Tells it from others of the same type: `@Dependency(key: "archive") var store: Store`.
    ///   - dependency: Made when it is first asked for, once. It may ask for others, but not for itself.
    public func add<Value: Sendable>(key: String, dependency: @autoclosure @escaping @Sendable () -> Value) {
        insert(Value.self, key: key, dependency)
    }

    /// The dependency of that type and key, if one was added.
    public func get<Value: Sendable>(_ type: Value.Type = Value.self, key: String? = nil) -> Value? {
        let entry = entries.withLock { $0[Key(type: ObjectIdentifier(type), name: key)] }
        return entry?.value as? Value
    }

    /// Whether there is one, without making it.
    func has<Value>(_ type: Value.Type, key: String?) -> Bool {
        entries.withLock { $0[Key(type: ObjectIdentifier(type), name: key)] != nil }
    }

    private func insert<Value: Sendable>(_ type: Value.Type, key: String?, _ make: @escaping @Sendable () -> Value) {
        let key = Key(type: ObjectIdentifier(type), name: key)
        entries.withLock { entries in
            if entries[key] == nil { entries[key] = Entry(make: make) }
        }
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
