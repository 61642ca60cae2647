public import IntentModel

/// The JSON Schema (2020-12) of the format, for editors and checks elsewhere.
///
/// It says what may stand where. What only the whole can tell, such as a range that is the wrong way round, only the reader finds.
public enum DefinitionSchema {
    /// The file `intents.schema.json`, as text.
    public static var text: String { String(decoding: PackageResources.intents_schema_json, as: UTF8.self) }

    /// - Throws: ``Intents/JSONError`` if the file in this binary is no JSON, which a test rules out.
    public static func json() throws(JSONError) -> JSON { try JSON(parsing: PackageResources.intents_schema_json, limits: .journal) }
}
