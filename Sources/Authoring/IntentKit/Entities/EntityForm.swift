/// Looks up the values of an entity type through a type-erased query.
public struct EntityForm<Entity: ParameterValue>: Sendable {
    /// Finds entities by their identifiers as text. Texts that are not valid identifiers are ignored.
    package let find: @Sendable ([String]) async throws -> [String: Entity]
    /// Finds the entities that a text may refer to, by title or by the query.
    package let search: @Sendable (_ text: String, _ locale: String?) async throws -> [Entity]
    /// Finds the entities that match a filter in JSON; `nil` if the query can't filter by properties.
    package let filter: (@Sendable (JSONView, _ field: String) async throws -> [Entity])?
    package let suggestions: @Sendable () async throws -> ItemCollection<Entity>
    /// `true` if the suggestions include every entity.
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

    private static func entities(of query: some EntityPropertyQuery<Entity>, _ json: JSONView, _ field: String)
        async throws -> [Entity]
    {
        let filter = try EntityFilter(json, query.properties, field: field)
        return try await query.entities(
            matching: filter.comparators, mode: filter.mode, sortedBy: filter.sort, limit: filter.limit)
    }
}

extension DisplayRepresentation {
    /// Returns `true` if the title or a synonym contains these words, folded by ``TextFolding``: "bell" is in "Mount
    /// Bell", but "ell" is not.
    func hasWords(_ folded: String, locale: String?) -> Bool {
        if folded.isEmpty { return false }
        return ([title] + synonyms).contains { " \(TextFolding.fold($0.text(in: locale))) ".contains(" \(folded) ") }
    }
}
