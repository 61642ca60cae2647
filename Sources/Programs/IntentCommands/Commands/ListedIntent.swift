import IntentEvents
import IntentKit
import IntentModel
import IntentRuntime

/// An intent in the output of `intents catalog`: from the catalogue, or from declarations without Kafka.
struct ListedIntent {
    var description: IntentCatalogEntry
    /// The intent's entry in the catalogue; `nil` without Kafka.
    private var entry: Catalogue.Entry?
    /// The schemas that the service has published, by ``IntentCatalogEntry/SchemaUse``.
    private var schemas: [String: JSON] = [:]

    init(description: IntentCatalogEntry) { self.description = description }

    init(_ entry: Catalogue.Entry, in locale: String?) {
        let published = entry.published
        description = IntentCatalogEntry(
            name: entry.intent.text, title: published?.title ?? entry.intent.text,
            published: published?.details(in: locale) ?? [:])
        self.entry = entry
        for (name, schema) in published?.details["schemas"]?.view.members ?? [] { schemas[name] = schema.json }
    }

    /// The head of a table of intents.
    ///
    /// - Parameter isServed: `true` for intents of the catalogue, with the service that gets their work.
    static func head(isServed: Bool) -> [String] { ["intent", "title"] + (isServed ? ["served by"] : []) }

    /// The intent as a row of a table.
    var row: [String] {
        let server = entry.map { entry in
            (entry.services + entry.appServices)[0].text + (entry.isInApp ? ", in the app" : "")
        }
        return [description.name, description.title] + (server.map { [$0] } ?? [])
    }

    var text: String {
        guard let entry else { return description.text }
        func line(_ what: String, _ servers: [Catalogue.Server]) -> String {
            servers.isEmpty
                ? ""
                : "  \(what): \(servers.map { "\($0.text), \($0.workers) \($0.workers == 1 ? "worker" : "workers")" }.joined(separator: "; "))\n"
        }
        let text = description.text.split(separator: "\n").map { "\(String($0).printable)\n" }.joined()
        return text + line("served by", entry.services) + line("served in the app by", entry.appServices)
    }

    var json: JSON {
        guard let entry else { return description.json }
        return .make { writer in
            writer.beginObject()
            for (name, value) in description.json.view.members { writer.member(named: name, value.json) }
            writer.member("services", .array(entry.services.map(\.json)))
            if !entry.appServices.isEmpty { writer.member("appServices", .array(entry.appServices.map(\.json))) }
            writer.endObject()
        }
    }

    func schema(for use: IntentCatalogEntry.SchemaUse) -> JSON {
        schemas[use.rawValue] ?? description.parametersSchema(for: use)
    }
}

extension Catalogue.Server {
    var name: String { service ?? ServiceName.ofDefault }

    fileprivate var text: String { name + (version.map { " \($0.printable)" } ?? "") }

    fileprivate var json: JSON {
        .make { writer in
            writer.beginObject()
            writer.member("service", name)
            writer.member("version", ifPresent: version)
            writer.member("workers", workers)
            writer.endObject()
        }
    }
}
