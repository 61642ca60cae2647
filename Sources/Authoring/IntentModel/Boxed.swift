/// A part that few values have, kept apart, so that copying those without it costs a pointer.
@propertyWrapper
public struct Boxed<Value: Sendable & Hashable>: Sendable, Hashable {
    private indirect enum Box: Sendable, Hashable { case value(Value) }

    private var box: Box?

    public init(wrappedValue: Value?) { box = wrappedValue.map { .value($0) } }

    public var wrappedValue: Value? {
        get {
            guard case .value(let value) = box else { return nil }
            return value
        }
        set { box = newValue.map { .value($0) } }
    }

    /// Whether it is there.
    package var isThere: Bool { box != nil }
}
