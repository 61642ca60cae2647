import IntentModel

extension FormField {
    /// The form schemas that a client supports.
    package enum Dialect: Sendable, Hashable {
        /// Titles of choices beside their values, and lists of choices: since 2025-11-25.
        case titled
        /// `enum` with `enumNames`, and no lists: 2025-06-18.
        case named
    }

    /// Returns the JSON Schema of the field.
    func schema(_ dialect: Dialect) -> JSON {
        .make { writer in
            writer.beginObject()
            switch kind {
            case .text(let format):
                writer.member("type", "string")
                writer.member("format", ifPresent: format)
                writer.member("maxLength", Self.maximumText)
            case .number(let isWhole, let minimum, let maximum):
                writer.member("type", isWhole ? "integer" : "number")
                writer.member("minimum", ifPresent: minimum)
                writer.member("maximum", ifPresent: maximum)
            case .flag: writer.member("type", "boolean")
            case .choice(let choices):
                writer.member("type", "string")
                switch dialect {
                case .titled: writer.member("oneOf", .array(choices.map(\.json)))
                case .named:
                    writer.member("enum", .array(choices.map { .string($0.id) }))
                    writer.member("enumNames", .array(choices.map { .string($0.title) }))
                }
            case .choices(let choices, let minimum, let maximum):
                writer.member("type", "array")
                writer.member("items", .object(["anyOf": .array(choices.map(\.json))]))
                if let minimum { writer.member("minItems", minimum) }
                if let maximum { writer.member("maxItems", maximum) }
            }
            writer.member("title", ifPresent: title)
            writer.member("description", ifPresent: description)
            writer.endObject()
        }
    }

    /// Returns the field for a client of a dialect. If the client does not support lists, the person enters the choices
    /// in words.
    func adapted(to dialect: Dialect) -> FormField {
        guard dialect == .named, case .choices = kind else { return self }
        var field = self
        field.kind = .text(format: nil)
        return field
    }
}

extension FormField.Choice {
    fileprivate var json: JSON { .object(["const": .string(id), "title": .string(title)]) }
}
