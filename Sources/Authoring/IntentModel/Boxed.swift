/// Stores a value out of line, so that copying its container costs one reference. For values that are large and seldom
/// present, or seldom changed: setting one allocates memory.
@propertyWrapper
public struct Boxed<Value: Sendable & Hashable>: Sendable, Hashable {
    private var box: Box<Value>?

    public init(wrappedValue: Value?) { box = wrappedValue.map(Box.init) }

    public var wrappedValue: Value? {
        get { box?.value }
        set { box = newValue.map(Box.init) }
    }

    /// The wrapper itself, for copying the value without looking at it.
    public var projectedValue: Self {
        get { self }
        set { self = newValue }
    }

    /// Looks at the value without copying it; `nil` if there is none.
    package func look<Result>(_ body: (Value) -> Result) -> Result? { box.map { body($0.value) } }

    /// `true` if there is a value.
    package var hasValue: Bool { box != nil }

    public static func == (a: Self, b: Self) -> Bool { a.box === b.box || a.box?.value == b.box?.value }

    public func hash(into hasher: inout Hasher) { hasher.combine(box?.value) }
}

/// A value out of line.
package final class Box<Value: Sendable>: Sendable {
    package let value: Value

    package init(_ value: Value) { self.value = value }
}
