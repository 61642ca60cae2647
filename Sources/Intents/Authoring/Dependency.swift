/// Something a handler or an options provider needs, taken from the ``DependencyManager`` when it is read: App Intents' `@Dependency`.
///
/// Reading one that nobody added is a programmer's error and traps with a message that names it.
@propertyWrapper
public struct Dependency<Value: Sendable>: Sendable {
    public init() {}

    public var wrappedValue: Value {
        guard let value = DependencyManager.current.get(Value.self) else {
            fatalError("no dependency of type \(Value.self): add one in your extension's provideDependencies(to:)")
        }
        return value
    }
}
