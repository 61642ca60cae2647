import IntentModel
import IntentRuntime

/// Reads a catalogue of entities from the definition file itself or from a separate file.
struct EntityReader {
    static let maximumEntities = 100_000
    let attachment: (String) throws -> [UInt8]

    func read(_ name: String, _ field: Field) -> EntityCatalogue? {
        guard let members = field.members(.entityCatalogue) else { return nil }
        let title = members["title"]?.localized()
        switch (members["values"], members["file"]) {
        case (let values?, nil):
            for key in DefinitionKeys.columns + ["separator"] {
                members[key]?.refuse("this names a column of a file: 'values' have their members by their own names")
            }
            let elements = values.elements("a list such as [{id: AMS, title: Amsterdam}]") ?? []
            return catalogue(name, title, elements.compactMap { entity($0) }, values)
        case (nil, let file?):
            guard let path = file.text("the name of a file"), let bytes = load(path, file) else { return nil }
            let columns = TableReader.Columns(members)
            return catalogue(name, title, TableReader(columns: columns, field: file).read(bytes, named: path), file)
        case (nil, nil): field.refuse("'values' or 'file' is missing: where are its entities?")
        case (_?, let file?): file.refuse("its values stand here already: leave 'file' or 'values' out")
        }
        return nil
    }

    private func catalogue(
        _ name: String, _ title: LocalizedText?, _ entities: [EntityCatalogue.Entity], _ field: Field
    ) -> EntityCatalogue {
        if entities.isEmpty, (field.isList ? field.oneOrMore.isEmpty : field.findings.problems.isEmpty) {
            field.refuse("there has to be at least one entity")
        }
        if entities.count > Self.maximumEntities {
            field.refuse("there are \(entities.count) entities; \(Self.maximumEntities) are allowed")
        }
        var ids: Set<String> = []
        for entity in entities where !ids.insert(entity.id).inserted {
            field.refuse("the id '\(entity.id)' is there twice: each entity needs one of its own")
        }
        return EntityCatalogue(name, title: title, entities: entities)
    }

    private func entity(_ field: Field) -> EntityCatalogue.Entity? {
        if !field.isMapping { return field.text().map { .init($0, title: LocalizedText($0)) } }
        guard let members = field.members(.entityValue) else { return nil }
        guard let id = members["id"]?.text() else {
            if members["id"] == nil { field.refuse("'id' is missing: what is the entity in events?") }
            return nil
        }
        var properties: [String: JSON] = [:]
        for (name, property) in members["properties"]?.entries("a mapping of values by their names") ?? [] {
            if property.isMapping || property.isList {
                property.refuse("a property is a text, a number, true or false, not \(property.node.kind)")
            } else if !property.node.isNull {
                properties[name] = property.json
            }
        }
        return .init(
            id, title: members["title"]?.localized() ?? LocalizedText(id), subtitle: members["subtitle"]?.localized(),
            synonyms: OptionReader.synonyms(members["synonyms"]), properties: properties)
    }

    private func load(_ path: String, _ field: Field) -> [UInt8]? {
        if path.hasPrefix("/") || path.split(separator: "/").contains("..") {
            field.refuse("'\(path)' has to be a file in the same folder, or in one below")
            return nil
        }
        do { return try attachment(path) } catch {
            field.refuse("'\(path)' can't be read: \(error)")
            return nil
        }
    }
}
