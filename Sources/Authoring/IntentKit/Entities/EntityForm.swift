/// The lookup of an entity type's values, with the query type-erased.
public struct EntityForm<Entity: ParameterValue>: Sendable {
    /// Finds entities by the texts of their identifiers. Texts that are not valid identifiers are left out.
    package let find: @Sendable ([String]) async throws -> [String: Entity]
    /// The entities that a text may mean, by title or by the query.
    package let search: @Sendable (_ text: String, _ locale: String?) async throws -> [Entity]
    /// The entities that match a filter in JSON; `nil` if the query can't filter by properties.
    package let filter: (@Sendable (JSONView, _ field: String) async throws -> [Entity])?
    package let suggestions: @Sendable () async throws -> ItemCollection<Entity>
    /// Whether the suggestions are all entities.
    package let isComplete: Bool
}

extension EntityForm where Entity: AppEntity {
    init(_ query: some EntityQuery<Entity>) {
        find = { texts in
            var identifiers: [Entity.ID] = []
            for text in texts {
                if let identifier = Entity.ID(entityIdentifierString: text), !identifiers.contains(identifier) {
                    identifiers.append(identifier)
                }
            }
            if identifiers.isEmpty { return [:] }
            let found = try await query.entities(for: identifiers)
            return Dictionary(found.map { ($0.id.entityIdentifierString, $0) }, uniquingKeysWith: { first, _ in first })
        }
        search = { text, locale in
            let folded = TextFolding.fold(text)
            func isNamed(_ entity: Entity) -> Bool { entity.displayRepresentation.isNamed(folded, locale: locale) }
            let found: [Entity]
            if let query = query as? any EntityStringQuery<Entity> {
                found = try await query.entities(matching: text)
            } else {
                let all = try await query.results().items
                let named = all.filter(isNamed)
                found = named.isEmpty ? all.filter { $0.displayRepresentation.hasWords(folded, locale: locale) } : named
            }
            let named = found.filter(isNamed)
            return named.isEmpty ? found : named
        }
        if let query = query as? any EntityPropertyQuery<Entity> {
            filter = { json, field in try await Self.entities(of: query, json, field) }
        } else {
            filter = nil
        }
        suggestions = { try await query.results() }
        isComplete = query is any EnumerableEntityQuery<Entity>
    }

    private static func entities(of query: some EntityPropertyQuery<Entity>, _ json: JSONView, _ field: String) async throws -> [Entity] {
        let filter = try EntityFilter(json, query.properties, field: field)
        return try await query.entities(matching: filter.comparators, mode: filter.mode, sortedBy: filter.sort, limit: filter.limit)
    }
}

extension DisplayRepresentation {
    /// Whether the title or a synonym contains these words, folded by ``TextFolding``: "bell" is in "Mount Bell", but "ell" is not.
    func hasWords(_ folded: String, locale: String?) -> Bool {
        if folded.isEmpty { return false }
        return ([title] + synonyms).contains { " \(TextFolding.fold($0.text(in: locale))) ".contains(" \(folded) ") }
    }
}
