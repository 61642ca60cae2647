/// A filter in a request, decoded from the wire form of an ``EntityPropertyQuery``.
struct EntityFilter<Entity: AppEntity>: Sendable {
    var comparators: [EntityComparison<Entity>] = []
    var mode = ComparatorMode.and
    var sort: [EntityQuerySort<Entity>] = []
    var limit: Int?

    /// - Parameter field: The filter's path in the request, for messages.
    /// - Throws: A rejection that names the invalid member.
    init(_ json: JSONView, _ properties: QueryProperties<Entity>, field: String) throws(IntentFailure) {
        for (name, value) in json.members {
            let field = "\(field).\(name)"
            switch name {
            case "where":
                if value.kind != .array { throw Self.invalid(field, "has to be an array of comparisons") }
                for (index, view) in value.elements.enumerated() {
                    comparators.append(try Self.comparison(view, properties, "\(field)[\(index)]"))
                }
            case "mode":
                mode = try Self.choice(value, field)
            case "sort":
                for (index, view) in (value.kind == .array ? value.elements : [value]).enumerated() {
                    sort.append(try Self.sorting(view, properties, value.kind == .array ? "\(field)[\(index)]" : field))
                }
            case "limit":
                guard let count = value.int, count > 0 else {
                    throw Self.invalid(field, "has to be a whole number above 0")
                }
                limit = count
            default: break
            }
        }
    }

    private static func comparison(
        _ json: JSONView, _ properties: QueryProperties<Entity>, _ field: String
    ) throws(IntentFailure) -> EntityComparison<Entity> {
        let property = try property(json["property"], properties, field)
        let comparator: EntityComparator =
            try json["is"].map { view throws(IntentFailure) in try choice(view, "\(field).is") } ?? .equalTo
        guard property.comparators.contains(comparator) else {
            let all = property.comparators.map(\.rawValue).joined(separator: ", ")
            throw invalid("\(field).is", "can't be \(comparator.rawValue) for '\(property.name)'; it can be \(all)")
        }
        let value = json["value"]
        let values = comparator == .between ? value?.elements ?? [] : value.map { [$0] } ?? []
        guard values.count == (comparator == .between ? 2 : 1), let test = property.test(comparator, values) else {
            let expected =
                comparator == .between ? "an array of two, each \(property.typeDescription)" : property.typeDescription
            throw invalid("\(field).value", "has to be \(expected)")
        }
        return EntityComparison(
            property: property.name, comparator: comparator, values: values.map(\.json), match: test)
    }

    /// Reads a sort order: `{"property":"length","order":"descending"}`, or the name of the property alone.
    private static func sorting(
        _ json: JSONView, _ properties: QueryProperties<Entity>, _ field: String
    ) throws(IntentFailure) -> EntityQuerySort<Entity> {
        let property = try property(json.kind == .string ? json : json["property"], properties, field)
        let order: EntityQuerySort<Entity>.Ordering =
            try json["order"].map { view throws(IntentFailure) in try choice(view, "\(field).order") } ?? .ascending
        guard let isBefore = property.isBefore else {
            throw invalid(field, "can't be '\(property.name)', which has no order")
        }
        return EntityQuerySort(property: property.name, order: order) { isBefore($0, $1, order == .descending) }
    }

    private static func property(
        _ json: JSONView?, _ properties: QueryProperties<Entity>, _ field: String
    ) throws(IntentFailure) -> EntityQueryProperty<Entity> {
        guard let name = json?.string, let property = properties.all.first(where: { $0.name == name }) else {
            let all = properties.all.map { "'\($0.name)'" }.joined(separator: ", ")
            throw invalid("\(field).property", "has to be one of \(all)")
        }
        return property
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ json: JSONView, _ field: String
    ) throws(IntentFailure) -> Choice where Choice.RawValue == String {
        guard let choice = json.string.flatMap(Choice.init(rawValue:)) else {
            throw invalid(
                field, "has to be one of \(Choice.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", "))")
        }
        return choice
    }

    private static func invalid(_ field: String, _ problem: String) -> IntentFailure {
        IntentFailure(.reject, reason: .invalid, message: "\(field) \(problem)", field: field)
    }
}

/// A comparison of a property with a value: App Intents' `EqualToComparator` and the like.
public enum EntityComparator: String, Sendable, Hashable, CaseIterable {
    case equalTo, notEqualTo
    case lessThan, lessThanOrEqualTo, greaterThan, greaterThanOrEqualTo
    /// The property is between two values, inclusive.
    case between
    /// A comparison of texts that ignores case and diacritics.
    case contains, hasPrefix, hasSuffix
}

/// One comparison of a property with a value.
///
/// A query over remote data translates ``property``, ``comparator`` and ``values``. A query over data in memory calls
/// ``matches(_:)``.
public struct EntityComparison<Entity: AppEntity>: Sendable {
    public let property: String
    public let comparator: EntityComparator
    /// The value to compare with, in wire form; two values for `between`.
    public let values: [JSON]
    private let match: @Sendable (Entity) -> Bool

    init(property: String, comparator: EntityComparator, values: [JSON], match: @escaping @Sendable (Entity) -> Bool) {
        self.property = property
        self.comparator = comparator
        self.values = values
        self.match = match
    }

    /// Returns `true` if the comparison holds for the entity. For an entity without a value, only `notEqualTo` holds.
    public func matches(_ entity: Entity) -> Bool { match(entity) }
}

/// The property by which entities are sorted: App Intents' type of the same name.
public struct EntityQuerySort<Entity: AppEntity>: Sendable {
    public enum Ordering: String, Sendable, Hashable, CaseIterable { case ascending, descending }

    public let property: String
    public let order: Ordering
    let compare: @Sendable (Entity, Entity) -> Bool

    /// Returns `true` if the first entity sorts before the second. Entities without a value sort last.
    public func isBefore(_ a: Entity, _ b: Entity) -> Bool { compare(a, b) }
}
