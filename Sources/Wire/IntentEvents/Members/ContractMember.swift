import IntentModel

/// A member of an event, or of a shape in one.
public struct ContractMember: Sendable, Hashable {
    public var name: String
    public var schema: ContractSchema
    /// The meaning, in a sentence or two.
    public var about: String
    public var isRequired: Bool

    package static func required(_ name: String, _ schema: ContractSchema, _ about: String) -> ContractMember {
        ContractMember(name: name, schema: schema, about: about, isRequired: true)
    }

    package static func optional(_ name: String, _ schema: ContractSchema, _ about: String) -> ContractMember {
        ContractMember(name: name, schema: schema, about: about, isRequired: false)
    }

    /// The member with the word `null` as another way to leave it out.
    package var acceptingNull: ContractMember {
        var member = self
        if !isRequired { member.schema = schema.orNull }
        return member
    }
}
