/// A member of an event, or of a shape in one.
public struct ContractMember: Sendable, Hashable {
    public var name: String
    public var schema: ContractSchema
    /// What it means, in a sentence or two.
    public var about: String
    public var isRequired: Bool

    static func required(_ name: String, _ schema: ContractSchema, _ about: String) -> ContractMember {
        ContractMember(name: name, schema: schema, about: about, isRequired: true)
    }

    static func optional(_ name: String, _ schema: ContractSchema, _ about: String) -> ContractMember {
        ContractMember(name: name, schema: schema, about: about, isRequired: false)
    }

    /// It with the word `null` as another way to leave it out.
    var acceptingNull: ContractMember {
        var member = self
        if !isRequired { member.schema = schema.orNull }
        return member
    }
}
