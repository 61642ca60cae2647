import IntentModel
import IntentRuntime

/// Reads entities from a file of comma-separated values (RFC 4180, with a header line), or of an array of JSON objects.
struct TableReader {
    /// The names of the columns or members with a meaning. `properties` lists the columns that are properties; without
    /// the list, all other columns are properties.
    struct Columns {
        var id = "id"
        var name: String?
        var subtitle: String?
        var synonyms: String?
        var properties: [String]?
        var separator: Character = ","

        init(_ members: [String: Field]) {
            if let text = members["id"]?.text() { id = text }
            name = members["name"]?.text()
            subtitle = members["subtitle"]?.text()
            synonyms = members["synonyms"]?.text()
            properties = members["properties"]?.oneOrMore.compactMap { $0.text() }
            if let field = members["separator"], let text = field.scalar {
                if text.count == 1, text != "\"" {
                    separator = text.first ?? ","
                } else {
                    field.refuse("this has to be one character")
                }
            }
        }
    }

    let columns: Columns
    let field: Field

    func read(_ bytes: [UInt8], named path: String) -> [EntityCatalogue.Entity] {
        if path.hasSuffix(".json") { return objects(bytes, path) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            field.refuse("'\(path)' is not UTF-8 text")
            return []
        }
        var rows: [CommaSeparated.Row]
        do { rows = try CommaSeparated.rows(of: text, separator: columns.separator) } catch {
            field.refuse("\(path):\(error.line): \(error.message)")
            return []
        }
        guard let header = rows.first?.fields else {
            field.refuse("'\(path)' is empty: its first line must have the names of the columns")
            return []
        }
        rows.removeFirst()
        guard let layout = layout(header, path) else { return [] }
        let numeric = header.indices.filter { column in rows.allSatisfy { Self.isNumber($0.fields[safe: column] ?? "") }
        }
        var entities: [EntityCatalogue.Entity] = []
        for row in rows {
            if row.fields.count != header.count {
                field.refuse(
                    "\(path):\(row.line): this line has \(row.fields.count) values; there are \(header.count) columns")
                continue
            }
            if row.fields[layout.id].isEmpty {
                field.refuse("\(path):\(row.line): the column '\(columns.id)' is empty: each entity needs an id")
                continue
            }
            var properties: [String: JSON] = [:]
            for column in layout.properties where !row.fields[column].isEmpty {
                let value = row.fields[column]
                properties[header[column]] =
                    numeric.contains(column) ? JSON(unchecked: Array(value.utf8)) : .string(value)
            }
            entities.append(
                entity(
                    row.fields[layout.id], name: layout.name.map { row.fields[$0] },
                    subtitle: layout.subtitle.map { row.fields[$0] },
                    synonyms: layout.synonyms.map { Self.split(row.fields[$0]) } ?? [], properties))
        }
        return entities
    }

    private typealias Layout = (id: Int, name: Int?, subtitle: Int?, synonyms: Int?, properties: [Int])

    private func layout(_ header: [String], _ path: String) -> Layout? {
        var isComplete = true
        func find(_ column: String) -> Int? {
            if let index = header.firstIndex(of: column) { return index }
            field.refuse("'\(path)' has no column '\(column)'\(Nearest.advice(for: column, among: header))")
            isComplete = false
            return nil
        }
        let id = find(columns.id)
        let name =
            columns.name.map { find($0) } ?? ["name", "title"].lazy.compactMap { header.firstIndex(of: $0) }.first
        let subtitle = columns.subtitle.flatMap { find($0) }
        let synonyms = columns.synonyms.flatMap { find($0) }
        let properties = columns.properties.map { $0.compactMap { find($0) } }
        guard isComplete, let id else { return nil }
        let used = Set([id, name, subtitle, synonyms].compactMap(\.self))
        return (
            id, name, subtitle, synonyms,
            properties ?? header.indices.filter { !used.contains($0) && !header[$0].isEmpty }
        )
    }

    private func objects(_ bytes: [UInt8], _ path: String) -> [EntityCatalogue.Entity] {
        let root: JSONView
        do { root = try JSONView(parsing: bytes, limits: .journal) } catch {
            field.refuse("'\(path)' is not JSON: \(error)")
            return []
        }
        guard root.kind == .array else {
            field.refuse("'\(path)' has to be an array of objects")
            return []
        }
        func text(_ view: JSONView?) -> String? {
            view.flatMap { $0.string ?? ($0.kind == .number ? $0.json.description : nil) }
        }
        return root.elements.enumerated().compactMap { index, view in
            guard let id = text(view[columns.id]), !id.isEmpty else {
                field.refuse("'\(path)': element \(index) has no '\(columns.id)': each entity needs an id")
                return nil
            }
            let name = columns.name ?? (view["name"] == nil ? "title" : "name")
            let used = [columns.id, name, columns.subtitle, columns.synonyms].compactMap(\.self)
            var properties: [String: JSON] = [:]
            for (key, value) in view.members where !used.contains(key) && columns.properties?.contains(key) != false {
                if [.string, .number, .bool].contains(value.kind) { properties[key] = value.json }
            }
            let synonyms = columns.synonyms.flatMap { view[$0] }.map { view in
                view.kind == .array ? view.elements.compactMap(\.string) : Self.split(view.string ?? "")
            }
            return entity(
                id, name: text(view[name]), subtitle: columns.subtitle.flatMap { text(view[$0]) },
                synonyms: synonyms ?? [], properties)
        }
    }

    private func entity(
        _ id: String, name: String?, subtitle: String?, synonyms: [String], _ properties: [String: JSON]
    ) -> EntityCatalogue.Entity {
        func shown(_ text: String?) -> LocalizedText? { text.flatMap { $0.isEmpty ? nil : LocalizedText($0) } }
        return .init(
            id, title: shown(name) ?? LocalizedText(id), subtitle: shown(subtitle),
            synonyms: synonyms.map { LocalizedText($0) },
            properties: properties)
    }

    /// Splits a value with several synonyms: `Mokum|A'dam` or `Mokum; A'dam`.
    private static func split(_ text: String) -> [String] {
        text.split { $0 == "|" || $0 == ";" }.map { $0.drop { $0 == " " } }.map { part in
            String(part.reversed().drop { $0 == " " }.reversed())
        }.filter { !$0.isEmpty }
    }

    private static func isNumber(_ text: String) -> Bool {
        text.isEmpty || (try? JSON(parsing: Array(text.utf8)))?.view.kind == .number
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
