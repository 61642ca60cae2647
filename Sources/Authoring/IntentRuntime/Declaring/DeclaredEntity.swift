import IntentKit

/// One entity of an ``EntityCatalogue``.
struct DeclaredEntity: AppEntity {
    let entity: EntityCatalogue.Entity

    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Entity"
    /// A query that finds nothing, because each parameter has the query of its catalogue.
    static let defaultQuery = DeclaredEntityQuery([])

    var id: String { entity.id }
    var displayRepresentation: DisplayRepresentation {
        DisplayRepresentation(title: entity.title, subtitle: entity.subtitle, synonyms: entity.synonyms)
    }

    static func == (a: DeclaredEntity, b: DeclaredEntity) -> Bool { a.entity.id == b.entity.id }
    func hash(into hasher: inout Hasher) { hasher.combine(entity.id) }

    func encodeMembers(to writer: inout JSONWriter) {
        for name in entity.properties.keys.sorted() where name != "id" && name != "title" {
            if let value = entity.properties[name] { writer.member(named: name, value) }
        }
    }

    subscript(text name: String) -> String? {
        switch name {
        case "id": entity.id
        case "title": entity.title.original
        default: entity.properties[name].map { $0.view.string ?? $0.description }
        }
    }

    subscript(number name: String) -> Double? { entity.properties[name]?.view.double }
    subscript(truth name: String) -> Bool? { entity.properties[name]?.view.bool }
}

/// Finds the entities of a catalogue by an index that is built once.
struct DeclaredEntityQuery: EntityStringQuery, EnumerableEntityQuery, EntityPropertyQuery {
    let all: [DeclaredEntity]
    let properties: QueryProperties<DeclaredEntity>
    /// The properties by name, with the kind of their values; `nil` if the kinds differ.
    let propertyKinds: [(name: String, kind: JSONView.Kind?)]
    private let byID: [String: Int]
    /// The indices of the entities by folded name, in every language.
    private let byName: [String: [Int]]
    /// The names of each entity, with a space before, between and after the words.
    private let names: [[String]]

    init(_ entities: [EntityCatalogue.Entity]) {
        all = entities.map { DeclaredEntity(entity: $0) }
        var byID: [String: Int] = [:]
        var byName: [String: [Int]] = [:]
        var names: [[String]] = []
        var kinds: [String: JSONView.Kind?] = [:]
        for (index, entity) in all.enumerated() {
            if byID[entity.id] == nil { byID[entity.id] = index }
            let own = Set(entity.displayRepresentation.allNames).filter { !$0.isEmpty }.sorted()
            for name in own { byName[name, default: []].append(index) }
            names.append(own.map { " \($0) " })
            for (name, value) in entity.entity.properties {
                let kind = value.view.kind
                kinds.updateValue(kinds[name, default: kind] == kind ? kind : nil, forKey: name)
            }
        }
        (self.byID, self.byName, self.names) = (byID, byName, names)
        propertyKinds = kinds.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        let found = propertyKinds.map { name, kind -> EntityQueryProperty<DeclaredEntity> in
            switch kind {
            case .number: EntityQueryProperty(name, \DeclaredEntity[number: name])
            case .bool: EntityQueryProperty(name, \DeclaredEntity[truth: name])
            default: EntityQueryProperty(name, \DeclaredEntity[text: name])
            }
        }
        let own = ["id", "title"].map { EntityQueryProperty(String($0), \DeclaredEntity[text: $0]) }
        properties = QueryProperties(own + found)
    }

    func allEntities() async throws -> [DeclaredEntity] { all }

    func entities(for identifiers: [String]) async throws -> [DeclaredEntity] {
        identifiers.compactMap { byID[$0].map { all[$0] } }
    }

    func entities(matching string: String) async throws -> [DeclaredEntity] {
        let folded = TextFolding.fold(string)
        if folded.isEmpty { return [] }
        if let named = byName[folded] { return named.map { all[$0] } }
        let words = " \(folded) "
        return names.indices.filter { names[$0].contains { $0.contains(words) } }.map { all[$0] }
    }
}
