/// A value on the heap that copies share until one of them changes it. For large parts of a session that most decisions leave alone: a copy of the session
/// then counts one reference instead of copying them.
@propertyWrapper
public struct CopyOnWrite<Value: Sendable & Hashable>: Sendable, Hashable {
    private final class Box: @unchecked Sendable {
        // Only the accessors below touch it, each within one access of the struct.
        @exclusivity(unchecked) var value: Value
        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    public init(wrappedValue: Value) { box = Box(wrappedValue) }

    public var wrappedValue: Value {
        _read { yield box.value }
        _modify {
            if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
            yield &box.value
        }
    }

    /// The value itself, also if it is shared. To be changed only where nothing shares it yet; what reads and writes the journal takes all values `inout`, and
    /// changes those alone that it reads.
    public var projectedValue: Value {
        _read { yield box.value }
        _modify { yield &box.value }
    }

    public static func == (a: Self, b: Self) -> Bool { a.box === b.box || a.box.value == b.box.value }
    public func hash(into hasher: inout Hasher) { hasher.combine(box.value) }
}
