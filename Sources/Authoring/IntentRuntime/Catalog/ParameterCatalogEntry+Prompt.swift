import IntentKit

// The description of a parameter's permitted values for a prompt.
extension ParameterBinding {
    func declaration(ofElement: Bool, in locale: String?) -> JSON {
        let entry = describe(in: locale)
        var type = entry.type
        // A long list of values is left out, because the prompt's options already have the values.
        let namesAll = definition.known.map { $0.count <= Self.mostNamed } ?? true
        if ofElement {
            let form = definition.form
            type.name = form?.typeName ?? String(describing: Base.ListItem.self)
            type.description = BuiltInText.typeDescription(form?.typeDescription ?? Base.ListItem.typeDescription).text(
                in: locale)
            type.schema = form?.schema ?? Base.ListItem.jsonSchema
        }
        return .make { writer in
            writer.beginObject()
            writer.name("type")
            writer.beginObject()
            writer.member("name", type.name)
            if namesAll { writer.member("description", type.description) }
            writer.member(
                "schema",
                namesAll ? type.schema : .object(["type": type.schema.view["type"]?.json ?? .string("string")]))
            writer.endObject()
            writer.member("required", entry.isRequired)
            writer.member("description", ifPresent: entry.description)
            if let range = entry.range { writer.member("range", range.json) }
            if let size = entry.size, !ofElement {
                writer.name("size")
                writer.beginObject()
                writer.member("minimum", size.lowerBound)
                if size.upperBound < .max { writer.member("maximum", size.upperBound) }
                writer.endObject()
            }
            writer.member("sensitivity", definition.sensitivity.rawValue)
            if let input = definition.inputOptions { writer.member("input", input.json) }
            writer.endObject()
        }
    }

    /// The maximum number of known values that the schema lists.
    private static var mostNamed: Int { 25 }
}

extension ParameterInputOptions {
    /// The options as in App Intents, with the names of its properties.
    fileprivate var json: JSON {
        .make { writer in
            writer.beginObject()
            writer.member("keyboardType", keyboardType.rawValue)
            writer.member("capitalizationType", capitalizationType.rawValue)
            writer.member("multiline", multiline)
            writer.member("autocorrect", autocorrect)
            writer.member("smartQuotes", smartQuotes)
            writer.member("smartDashes", smartDashes)
            writer.endObject()
        }
    }
}
