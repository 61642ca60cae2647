/// Finds entities by their properties, sorted and limited: App Intents' protocol of the same name.
///
/// ```swift
/// struct TrailQuery: EntityPropertyQuery, EnumerableEntityQuery {
///     var properties: QueryProperties<TrailEntity> {
///         QueryProperties(QueryProperty("name", \.name), QueryProperty("length", \.lengthInKilometres))
///     }
///     …
/// }
/// ```
/// In JSON, where a parameter's value is expected (all that match become the values of a list):
/// ```json
/// {"where": [{"property": "length", "is": "between", "value": [5, 12]}], "mode": "and", "sort": [{"property": "length", "order": "descending"}],
///  "limit": 3}
/// ```
/// `mode` is `and` (unless you say otherwise) or `or`; `sort` and `limit` may be left out.
public protocol EntityPropertyQuery<Value>: EntityQuery {
    associatedtype Value
    /// What may be compared and sorted by.
    var properties: QueryProperties<Value> { get }

    /// The entities for which all (`and`) or some (`or`) of the comparisons are true; without comparisons all of them. A query that is also
    /// an ``EnumerableEntityQuery`` need not write it.
    func entities(
        matching comparators: [EntityComparison<Value>], mode: ComparatorMode, sortedBy: [EntityQuerySort<Value>], limit: Int?
    ) async throws -> [Value]
}

extension EntityPropertyQuery where Self: EnumerableEntityQuery {
    public func entities(
        matching comparators: [EntityComparison<Value>], mode: ComparatorMode, sortedBy: [EntityQuerySort<Value>], limit: Int?
    ) async throws -> [Value] {
        var found = try await allEntities().filter { entity in
            if comparators.isEmpty { return true }
            return mode == .and ? comparators.allSatisfy { $0.matches(entity) } : comparators.contains { $0.matches(entity) }
        }
        if !sortedBy.isEmpty {
            // The order of the entities themselves decides between equal ones.
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

/// Whether all comparisons have to be true, or one: App Intents' `ComparatorMode`.
public enum ComparatorMode: String, Sendable, Hashable, CaseIterable { case and, or }
