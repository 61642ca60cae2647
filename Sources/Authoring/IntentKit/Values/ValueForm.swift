/// The form of values that a declaration made at run time defines instead of their Swift type: the cases of an
/// enumeration, the kind of an entity.
package struct ValueForm<Item: ParameterValue>: Sendable {
    /// The type's name in the catalogue.
    package var typeName: String
    /// A description of a valid value, for messages.
    package var typeDescription: String
    /// The JSON Schema of the wire form.
    package var schema: JSON
    /// The permitted values.
    package var known: [Item]?
    /// A reader that replaces the reading of values by type.
    package var read: (@Sendable (JSONView) -> Item?)?
    /// The source of the values, for the catalogue.
    package var catalogue: String?

    package init(
        typeName: String, typeDescription: String, schema: JSON, known: [Item]? = nil,
        read: (@Sendable (JSONView) -> Item?)? = nil,
        catalogue: String? = nil
    ) {
        self.typeName = typeName
        self.typeDescription = typeDescription
        self.schema = schema
        self.known = known
        self.read = read
        self.catalogue = catalogue
    }

    /// Creates the form of a Swift type of which only some values are permitted.
    package init(options: [Item]) {
        self.init(
            typeName: String(describing: Item.self), typeDescription: Item.typeDescription, schema: Item.jsonSchema,
            known: options)
    }
}
