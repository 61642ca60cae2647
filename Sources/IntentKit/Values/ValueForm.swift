/// What a value's Swift type does not say itself, because a declaration does: the cases of an enumeration, the kind of an entity.
package struct ValueForm<Item: ParameterValue>: Sendable {
    /// What the catalogue calls the type.
    package var typeName: String
    /// What a value has to be, for messages.
    package var typeDescription: String
    /// That of the wire form.
    package var schema: JSON
    /// The values there are.
    package var known: [Item]?
    /// Reads a value instead of all that goes by type.
    package var read: (@Sendable (JSONView) -> Item?)?
    /// Where the values come from, for the catalogue.
    package var catalogue: String?

    package init(
        typeName: String, typeDescription: String, schema: JSON, known: [Item]? = nil, read: (@Sendable (JSONView) -> Item?)? = nil,
        catalogue: String? = nil
    ) {
        self.typeName = typeName
        self.typeDescription = typeDescription
        self.schema = schema
        self.known = known
        self.read = read
        self.catalogue = catalogue
    }

    /// That of a type which says everything but which of its values are allowed.
    package init(options: [Item]) {
        self.init(
            typeName: String(describing: Item.self), typeDescription: Item.typeDescription, schema: Item.jsonSchema, known: options)
    }
}
