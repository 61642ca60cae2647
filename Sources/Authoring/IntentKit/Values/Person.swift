/// A person: the parts of SiriKit's `INPerson` that a service needs.
///
/// In JSON a person is a string (the name), or an object
/// `{"name","handle"?,"handleLabel"?,"identifier"?,"relationship"?,"aliases"?:[…],"isMe"?:true}`.
public struct Person: ParameterValue {
    public var displayName: String
    /// The telephone number or mail address of the person.
    public var handle: String?
    /// The label of the handle that the person has, or should have: "home", "work", "mobile" (`INPersonHandleLabel`).
    public var handleLabel: String?
    /// The identifier in the author's own data (`INPerson.customIdentifier`). Set the identifier in the resolution, so
    /// that a chosen person stays chosen.
    public var customIdentifier: String?
    /// The relationship to the speaker: "mother" (`INPersonRelationship`).
    public var relationship: String?
    /// Other names of the person.
    public var aliases: [String]
    /// `true` if the person is the speaker.
    public var isMe: Bool

    public init(
        displayName: String, handle: String? = nil, handleLabel: String? = nil, customIdentifier: String? = nil,
        relationship: String? = nil, aliases: [String] = [], isMe: Bool = false
    ) {
        self.displayName = displayName
        self.handle = handle
        self.handleLabel = handleLabel
        self.customIdentifier = customIdentifier
        self.relationship = relationship
        self.aliases = aliases
        self.isMe = isMe
    }

    public static var jsonKind: JSONView.Kind { .object }
    public static var typeDescription: String {
        "a person: a name, or an object with 'name' and, if known, 'handle' and 'identifier'"
    }
    public static var jsonSchema: JSON {
        let string = JSON.typeSchema("string")
        return .objectSchema(
            [
                "name": string, "handle": string, "handleLabel": string, "identifier": string, "relationship": string,
                "aliases": .object(["type": .string("array"), "items": string]), "isMe": .typeSchema("boolean"),
            ], required: ["name"])
    }

    public init?(json: JSONView) {
        var name: String?
        self.init(displayName: "")
        for (member, value) in json.members {
            switch member {
            case "name": name = value.string
            case "handle": handle = value.string
            case "handleLabel": handleLabel = value.string
            case "identifier": customIdentifier = value.string
            case "relationship": relationship = value.string
            case "aliases": aliases = value.elements.compactMap(\.string)
            case "isMe": isMe = value.bool ?? false
            default: break
            }
        }
        guard let name, !name.isEmpty else { return nil }
        displayName = name
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
        writer.member("handleLabel", ifPresent: handleLabel)
        writer.member("identifier", ifPresent: customIdentifier)
        writer.member("relationship", ifPresent: relationship)
        if !aliases.isEmpty { writer.member("aliases", .array(aliases.map { .string($0) })) }
        if isMe { writer.member("isMe", true) }
        writer.endObject()
    }

    public var displayText: String { displayName }
    public var displayRepresentation: DisplayRepresentation {
        DisplayRepresentation(
            title: LocalizedText(displayName), subtitle: handle.map { LocalizedText($0) },
            synonyms: ([relationship].compactMap(\.self) + aliases).map { LocalizedText($0) })
    }
    public var optionID: String { customIdentifier ?? handle ?? displayName }
}
