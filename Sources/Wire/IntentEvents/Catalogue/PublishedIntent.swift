public import IntentModel

/// An intent as a service has published it in the catalogue: what a program has to know to ask for it.
public struct PublishedIntent: Sendable, Hashable {
    /// `nil` for the default service.
    public var service: String?
    /// The version of the service that has published it.
    public var version: String?
    /// The intent's name in events.
    public var intent: Identifier
    public var title: String
    /// The other members by name, such as `parameters` and `schemas`. What a publisher does not know is left out.
    public var details: [String: JSON]

    public init(
        service: String? = nil, version: String? = nil, intent: Identifier, title: String, details: [String: JSON] = [:]
    ) {
        self.service = service
        self.version = version
        self.intent = intent
        self.title = title
        self.details = details
    }

    /// Its details in a language (BCP 47) that the publisher has translations for; otherwise as they are.
    public func details(in locale: String?) -> [String: JSON] {
        guard let locale, let languages = details["languages"]?.view else { return details }
        var tag = Substring(locale)
        while !tag.isEmpty {
            if let texts = languages.members.first(where: { $0.name.lowercased() == tag.lowercased() }) {
                return details.merging(texts.value.members.map { ($0.name, $0.value.json) }) { $1 }
            }
            tag = tag.lastIndex(of: "-").map { tag[..<$0] } ?? ""
        }
        return details
    }

    /// The value of its record.
    public var json: JSON {
        .make { writer in
            writer.beginObject()
            writer.member("service", ifPresent: service)
            writer.member("version", ifPresent: version)
            writer.member("intent", intent)
            writer.member("title", title)
            for (name, value) in details.sorted(by: { $0.key < $1.key }) where !Self.own.contains(name) {
                writer.member(named: name, value)
            }
            writer.endObject()
        }
    }

    static let own: Set<String> = ["service", "version", "intent", "title"]
}
