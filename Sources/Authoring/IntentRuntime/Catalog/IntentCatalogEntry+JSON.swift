public import IntentKit

extension IntentCatalogEntry {
    /// The entry as JSON, for programs.
    public var json: JSON {
        .make { writer in
            writer.beginObject()
            writer.member("name", name)
            writer.member("title", title)
            writer.member("description", ifPresent: description)
            writer.member("phases", .array(phases.map { .string($0.rawValue) }))
            writer.member("confirmation", confirmation.rawValue)
            writer.member("summary", summary.json)
            writer.member("parameters", .array(parameters.map(\.json)))
            writer.endObject()
        }
    }
}

extension ParameterCatalogEntry {
    /// The entry as JSON, for programs. Each of the ``details`` is a member of its own.
    public var json: JSON {
        .make { writer in
            writer.beginObject()
            writer.member("name", name)
            writer.member("title", title)
            writer.member("description", ifPresent: description)
            writer.member("type", type.json)
            writer.member("required", isRequired)
            if let defaultValue { writer.member("default", defaultValue.json) }
            if let range { writer.member("range", range.json) }
            if let json = options.json { writer.member("options", json) }
            if let memory {
                writer.member("memory", .object(["key": .string(memory.key), "scope": .string(memory.scope.rawValue)]))
            }
            if !prompts.isEmpty { writer.member("prompts", Self.object(prompts)) }
            for detail in details { writer.member(named: detail.name, .string(detail.value)) }
            writer.endObject()
        }
    }

    private static func object(_ details: [Detail]) -> JSON {
        .make { writer in
            writer.beginObject()
            for detail in details { writer.member(named: detail.name, .string(detail.value)) }
            writer.endObject()
        }
    }
}

extension ParameterCatalogEntry.TypeDescription {
    var json: JSON {
        .make { writer in
            writer.beginObject()
            writer.member("name", name)
            writer.member("description", description)
            writer.member("schema", schema)
            writer.endObject()
        }
    }
}

extension ParameterCatalogEntry.Default {
    fileprivate var json: JSON {
        .make { writer in
            writer.beginObject()
            writer.member("value", ifPresent: value)
            writer.member("text", text)
            writer.endObject()
        }
    }
}

extension ParameterCatalogEntry.Range {
    var json: JSON { .object(["minimum": minimum, "maximum": maximum, "text": .string(text)]) }
}

extension ParameterCatalogEntry.Options {
    fileprivate var json: JSON? {
        switch self {
        case .any: return nil
        case .provided(let provider): return .object(["provider": .string(provider)])
        case .known(let options):
            let known = options.map { option in
                JSON.make { writer in
                    writer.beginObject()
                    writer.member("id", option.id)
                    writer.member("title", option.title)
                    writer.member("subtitle", ifPresent: option.subtitle)
                    if !option.synonyms.isEmpty {
                        writer.member("synonyms", .array(option.synonyms.map { .string($0) }))
                    }
                    writer.endObject()
                }
            }
            return .object(["known": .array(known)])
        }
    }
}

extension SummaryCatalogEntry {
    /// A string for a template, or else an object with `parameter`, `cases` and `otherwise`.
    fileprivate var json: JSON {
        switch self {
        case .template(let template): return .string(template)
        case .choice(let parameter, let cases, let otherwise):
            let cases = cases.map { each in
                JSON.make { writer in
                    writer.beginObject()
                    writer.member("is", each.comparison.rawValue)
                    if !each.operands.isEmpty { writer.member("operands", .array(each.operands)) }
                    writer.member("summary", each.summary.json)
                    writer.endObject()
                }
            }
            return .object(["parameter": .string(parameter), "cases": .array(cases), "otherwise": otherwise.json])
        }
    }
}
