/// How a property is compared with a value: App Intents' `EqualToComparator` and its like.
public enum EntityComparator: String, Sendable, Hashable, CaseIterable {
    case equalTo, notEqualTo
    case lessThan, lessThanOrEqualTo, greaterThan, greaterThanOrEqualTo
    /// Two values, both included.
    case between
    /// Of texts; case and diacritics don't matter.
    case contains, hasPrefix, hasSuffix
}

/// One comparison of a property with a value.
///
/// A query over data elsewhere translates ``property``, ``comparator`` and ``values``; one over data in memory asks ``matches(_:)``.
public struct EntityComparison<Entity: AppEntity>: Sendable {
    public let property: String
    public let comparator: EntityComparator
    /// One value in wire form; two for `between`.
    public let values: [JSON]
    private let match: @Sendable (Entity) -> Bool

    init(property: String, comparator: EntityComparator, values: [JSON], match: @escaping @Sendable (Entity) -> Bool) {
        self.property = property
        self.comparator = comparator
        self.values = values
        self.match = match
    }

    /// Whether it is true of the entity. Where the entity has no value, only `notEqualTo` is true.
    public func matches(_ entity: Entity) -> Bool { match(entity) }
}

/// By which property entities are sorted: App Intents' type of the same name.
public struct EntityQuerySort<Entity: AppEntity>: Sendable {
    public enum Ordering: String, Sendable, Hashable, CaseIterable { case ascending, descending }

    public let property: String
    public let order: Ordering
    let compare: @Sendable (Entity, Entity) -> Bool

    /// Whether the first comes before the second. Entities without a value come last.
    public func isBefore(_ a: Entity, _ b: Entity) -> Bool { compare(a, b) }
}
