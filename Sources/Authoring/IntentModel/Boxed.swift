/// Stores a value that is rarely present out of line, so that copying its container without the value costs one
/// pointer.
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

    /// `true` if there is a value.
    package var hasValue: Bool { box != nil }
}
