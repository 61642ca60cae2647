/// Someone: the parts of SiriKit's `INPerson` that a service needs.
///
/// In JSON a string (the name), or an object `{"name","handle"?,"identifier"?}`.
public struct Person: ParameterValue {
    public var displayName: String
    /// A telephone number or mail address.
    public var handle: String?
    /// What the author's own data calls them (`INPerson.customIdentifier`). Set it when resolving, so that a chosen person stays chosen.
    public var customIdentifier: String?

    public init(displayName: String, handle: String? = nil, customIdentifier: String? = nil) {
        self.displayName = displayName
        self.handle = handle
        self.customIdentifier = customIdentifier
    }

    public static var jsonKind: JSONView.Kind { .object }
    public static var typeDescription: String { "a person: a name, or an object with 'name' and, if known, 'handle' and 'identifier'" }

    public init?(json: JSONView) {
        guard let name = json["name"]?.string, !name.isEmpty else { return nil }
        self.init(displayName: name, handle: json["handle"]?.string, customIdentifier: json["identifier"]?.string)
    }

    public init?(text: String) {
        let name = SpokenNumber.trimmed(text)
        guard !name.isEmpty else { return nil }
        self.init(displayName: String(name))
    }

    public func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", displayName)
        writer.member("handle", ifPresent: handle)
        writer.member("identifier", ifPresent: customIdentifier)
        writer.endObject()
    }

    public var displayText: String { displayName }
    public var displayRepresentation: DisplayRepresentation {
        DisplayRepresentation(title: LocalizedText(displayName), subtitle: handle.map { LocalizedText($0) })
    }
    public var optionID: String { customIdentifier ?? handle ?? displayName }
}
