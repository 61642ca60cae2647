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
