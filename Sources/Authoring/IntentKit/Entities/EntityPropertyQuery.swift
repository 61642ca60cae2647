/// A query that finds entities by their properties, sorted and limited: App Intents' protocol of the same name.
///
/// ```swift
/// struct TrailQuery: EntityPropertyQuery, EnumerableEntityQuery {
///     var properties: QueryProperties<TrailEntity> {
///         QueryProperties(EntityQueryProperty("name", \.name), EntityQueryProperty("length", \.lengthInKilometres))
///     }
///     …
/// }
/// ```
/// In JSON a filter replaces the value of a parameter (for a list, all matches become its values):
/// ```json
/// {"where": [{"property": "length", "is": "between", "value": [5, 12]}], "mode": "and",
///  "sort": [{"property": "length", "order": "descending"}], "limit": 3}
/// ```
/// `mode` is `and` (the default) or `or`. `sort` and `limit` are optional.
public protocol EntityPropertyQuery<Value>: EntityQuery {
    associatedtype Value
    /// The properties that a filter may compare and sort by.
    var properties: QueryProperties<Value> { get }

    /// Returns the entities for which all (`and`) or some (`or`) of the comparisons hold; without comparisons, all
    /// entities. A query that is also an ``EnumerableEntityQuery`` has a default implementation.
    func entities(
        matching comparators: [EntityComparison<Value>], mode: ComparatorMode, sortedBy: [EntityQuerySort<Value>],
        limit: Int?
    ) async throws -> [Value]
}

extension EntityPropertyQuery where Self: EnumerableEntityQuery {
    public func entities(
        matching comparators: [EntityComparison<Value>], mode: ComparatorMode, sortedBy: [EntityQuerySort<Value>],
        limit: Int?
    ) async throws -> [Value] {
        var found = try await allEntities().filter { entity in
            if comparators.isEmpty { return true }
            return mode == .and
                ? comparators.allSatisfy { $0.matches(entity) } : comparators.contains { $0.matches(entity) }
        }
        if !sortedBy.isEmpty {
            // Equal entities keep their original order, which `sorted` does not guarantee.
            found = found.enumerated().sorted { a, b in
                for sort in sortedBy {
                    if sort.isBefore(a.element, b.element) { return true }
                    if sort.isBefore(b.element, a.element) { return false }
                }
                return a.offset < b.offset
            }.map(\.element)
        }
        return limit.map { Array(found.prefix(max(0, $0))) } ?? found
    }
}

/// The way in which comparisons are combined: all have to hold, or at least one. App Intents' `ComparatorMode`.
public enum ComparatorMode: String, Sendable, Hashable, CaseIterable { case and, or }

/// The properties by which an ``EntityPropertyQuery`` finds entities: App Intents' type of the same name.
public struct QueryProperties<Entity: AppEntity>: Sendable {
    let all: [EntityQueryProperty<Entity>]

    public init(_ properties: EntityQueryProperty<Entity>...) { all = properties }
    package init(_ properties: [EntityQueryProperty<Entity>]) { all = properties }
}

/// A property by which entities are found and sorted: App Intents' `EntityQueryProperty`.
///
/// Ordered values such as numbers and dates can be compared by order, texts by their contents, and all values for
/// equality. The property may be optional.
public struct EntityQueryProperty<Entity: AppEntity>: Sendable {
    public let name: String
    /// The comparators that the property supports.
    public let comparators: [EntityComparator]
    let typeDescription: String
    /// Creates the test for a comparator and its values; returns `nil` if a value is not of the property's type.
    let test: @Sendable (EntityComparator, [JSONView]) -> (@Sendable (Entity) -> Bool)?
    /// Returns `true` if one entity sorts before another; `nil` if the property has no order.
    let isBefore: (@Sendable (Entity, Entity, _ descending: Bool) -> Bool)?

    /// Creates a property that supports only equality.
    public init<Value: ParameterType>(_ name: String, _ keyPath: any KeyPath<Entity, Value> & Sendable) {
        self.init(name, keyPath, [.equalTo, .notEqualTo], isBefore: nil) { comparator in
            switch comparator {
            case .equalTo: { $0 == $1[0] }
            case .notEqualTo: { $0 != $1[0] }
            default: nil
            }
        }
    }

    /// Creates a property with an order.
    public init<Value: ParameterType>(_ name: String, _ keyPath: any KeyPath<Entity, Value> & Sendable)
    where Value.Base: Comparable {
        let comparators: [EntityComparator] = [
            .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .between,
        ]
        self.init(name, keyPath, comparators, isBefore: Self.order(keyPath)) { Self.ordered($0) }
    }

    /// Creates a text property.
    public init<Value: ParameterType>(_ name: String, _ keyPath: any KeyPath<Entity, Value> & Sendable)
    where Value.Base == String {
        self.init(name, keyPath, EntityComparator.allCases, isBefore: Self.order(keyPath)) { comparator in
            switch comparator {
            case .contains: { TextFolding.fold($0).contains(TextFolding.fold($1[0])) }
            case .hasPrefix: { TextFolding.fold($0).hasPrefix(TextFolding.fold($1[0])) }
            case .hasSuffix: { TextFolding.fold($0).hasSuffix(TextFolding.fold($1[0])) }
            default: Self.ordered(comparator)
            }
        }
    }

    private typealias Test<Base> = @Sendable (_ own: Base, _ values: [Base]) -> Bool

    private init<Value: ParameterType>(
        _ name: String, _ keyPath: any KeyPath<Entity, Value> & Sendable, _ comparators: [EntityComparator],
        isBefore: (@Sendable (Entity, Entity, Bool) -> Bool)?,
        _ test: @escaping @Sendable (EntityComparator) -> Test<Value.Base>?
    ) {
        self.name = name
        self.comparators = comparators
        self.isBefore = isBefore
        typeDescription = Value.Base.typeDescription
        self.test = { comparator, views in
            var values: [Value.Base] = []
            for view in views {
                guard let value = ParameterConversion<Value.Base>.standard.read(view) else { return nil }
                values.append(value)
            }
            guard let test = test(comparator) else { return nil }
            return { [values] entity in
                guard let own = entity[keyPath: keyPath].parameterValue else { return comparator == .notEqualTo }
                return test(own, values)
            }
        }
    }

    private static func ordered<Base: Comparable & Sendable>(_ comparator: EntityComparator) -> Test<Base>? {
        switch comparator {
        case .equalTo: { $0 == $1[0] }
        case .notEqualTo: { $0 != $1[0] }
        case .lessThan: { $0 < $1[0] }
        case .lessThanOrEqualTo: { $0 <= $1[0] }
        case .greaterThan: { $0 > $1[0] }
        case .greaterThanOrEqualTo: { $0 >= $1[0] }
        case .between: { $1[0] <= $0 && $0 <= $1[1] }
        case .contains, .hasPrefix, .hasSuffix: nil
        }
    }

    private static func order<Value: ParameterType>(
        _ keyPath: any KeyPath<Entity, Value> & Sendable
    ) -> @Sendable (Entity, Entity, Bool) -> Bool where Value.Base: Comparable {
        { a, b, descending in
            guard let a = a[keyPath: keyPath].parameterValue else { return false }
            guard let b = b[keyPath: keyPath].parameterValue else { return true }
            return descending ? b < a : a < b
        }
    }
}
