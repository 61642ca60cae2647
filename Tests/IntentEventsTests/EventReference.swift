import IntentEvents
import IntentModel

/// The reference of events, a page of Markdown that is made from the contract and the golden files.
struct EventReference {
    private let topics = Topics()

    /// The events of the page's sections.
    static let sections: [(title: String, about: String, topics: Set<ContractTopic>)] = [
        (
            "Requests and answers",
            """
            What producers, the person's side, apps and operators write. In these events, `null` means that an optional member is absent. \
            Only the topic of answers speaks for the person if coordinators run with `--trust separate`.
            """, [.requests]
        ),
        (
            "Results",
            """
            What the coordinator tells the person's side. A result may come twice, as an identical copy. Values of secret parameters never \
            appear in results. Until a resolver has reported once, no values of a request appear.
            """, [.results]
        ),
        (
            "Work",
            """
            What the coordinator dispatches. Work may come more than once: write the outcome, wait for its acknowledgement, and only then \
            commit the offset. Leave work with another `service` than yours alone.
            """, [.resolve, .confirm, .handle]
        ),
        (
            "Outcomes",
            """
            What a worker reports, in the partition that the work came from and with the key of the work. An outcome of another step than \
            the open one is ignored. An outcome of the open step without the ticket of the work has no effect and becomes a dead letter.
            """, [.outcomes]
        ),
        (
            "Catalogue",
            """
            What workers serve. The key of `intent.served.v1` is `intent/SERVICE/INTENT`, the key of `worker.serving.v1` is \
            `worker/SERVICE/INSTANCE`, with `default` for the default service. A tombstone withdraws the record of its key.
            """, [.catalog]
        ),
    ]

    private static let encryption = """
        With `--encryption-key-file`, the value of a result, of work and of an outcome is AES-256-GCM: a nonce of 12 bytes, the encrypted \
        JSON, and a tag of 16 bytes. The header `intents-encryption` is `A256GCM key=ID` or `A256GCM wrapped=WRAPPED`. `intents.keys` has \
        a record with the key `ID` and the value `{"wrapped":"WRAPPED"}`, in the same partition. `WRAPPED` is the name of a key of the \
        file, a dot, and in hexadecimal the nonce, the encrypted key and the tag. The additional data of a value are the key of the \
        record, and name and value of each header `ce_type`, `ce_id` and `intents-journal` in the order of the record, each behind its \
        length as 4 bytes in big-endian order. The additional data of a key are `ID`, or `own` in a header. The name of a key of the file \
        is the first 4 bytes, in hexadecimal, of the HMAC-SHA256 of `intents-encryption-key` with the key.
        """

    /// The events whose example is another golden file than the one of their name.
    private static let shown = [
        "handoff.offered.v1": "handoff.offered.v1.full", "intent.cancel.v1": "intent.cancel.v1.reason",
        "intent.completed.v1": "intent.completed.v1.success", "options.listed.v1": "options.listed.v1.search",
        "prompt.answered.v1": "prompt.answered.v1.value", "prompt.issued.v1": "prompt.issued.v1.form",
    ]

    /// The name of the golden file that shows an event.
    static func example(of event: ContractEvent) -> String { shown[event.name] ?? event.name }

    /// The text of the page.
    func markdown() throws -> String {
        var lines = [
            "# Events", "",
            "<!-- Generated from the contract: GOLDEN=write swift test --filter ReferencePageTests -->", "",
            """
            Every event of version 1, with its members and an example. The value of a record is a JSON object, and its key is the session. \
            Readers ignore members that they don't know. Bounds of texts are in bytes of UTF-8. Ids and names have no control characters \
            and no marks of direction. Times are RFC 3339. `intents contract schema EVENT` prints the JSON Schema of an event, and \
            [rejections](rejections.md) says what is refused.
            """, "", "## Topics", "", "| topic | what is on it | written by | read by |", "|---|---|---|---|",
        ]
        for topic in ContractTopic.allCases {
            lines.append(
                "| `\(topic.name(topics))` | \(cell(topic.about)) | \(names(topic.writers)) | \(names(topic.readers)) |"
            )
        }
        lines += [
            "", "## Headers", "",
            """
            Events are CloudEvents 1.0. The pipeline writes binary mode. On the topics of requests and answers, all headers may be \
            missing: a record without type is `intent.requested.v1`, and a record without id has its place as its id.
            """, "", tableHead, tableRule,
        ]
        lines += Contract.headers.map { row($0.name, $0.schema.json.view, $0.about, isRequired: $0.isRequired) }
        lines += [
            "",
            "The same request in bare JSON, where the members `type` and `id` may take the place of the headers, and structured mode:",
        ]
        for name in ["accepted.bare", "accepted.structured"] { lines += try example(name) }
        lines += ["", "## Encrypted values", "", Self.encryption]
        for section in Self.sections {
            lines += ["", "## \(section.title)", "", section.about]
            for event in Contract.events where !section.topics.isDisjoint(with: event.topics) {
                lines += try text(of: event)
            }
        }
        lines += ["", "## Shapes", "", "The objects that several events have."]
        for shape in ContractShape.allCases {
            lines += ["", "### \(shape.rawValue)"] + members(of: shape.schema.json.view)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: Sections

    private func text(of event: ContractEvent) throws -> [String] {
        let places = event.topics.map { "`\($0.name(topics))`" }.joined(separator: ", ")
        let head = ["", "### \(event.name)", "", event.about, "", "On \(places). Written by: \(names(event.writers))."]
        return try head + members(of: event.schema.json.view) + example(Self.example(of: event))
    }

    private func example(_ name: String) throws -> [String] {
        let value = try Golden(named: name).value
        return [
            "", "`Tests/IntentEventsTests/Golden/\(name).json`:", "", "```json", value?.view.readable() ?? "null",
            "```",
        ]
    }

    private func names(_ parties: [ContractParty]) -> String { parties.map(\.rawValue).joined(separator: ", ") }

    // MARK: Tables

    private let tableHead = "| member | required | type | meaning |"
    private let tableRule = "|---|---|---|---|"

    private func members(of schema: JSONView) -> [String] {
        let rows = memberRows(of: schema, prefix: "")
        let about = schema["description"]?.string.map { ["", $0] } ?? []
        let table = rows.isEmpty ? ["", "Any members."] : ["", tableHead, tableRule] + rows
        return (rows.isEmpty && !about.isEmpty ? about : about + table) + rules(of: schema)
    }

    private func memberRows(of schema: JSONView, prefix: String) -> [String] {
        let required = Set(schema["required"]?.elements.compactMap(\.string) ?? [])
        return (schema["properties"]?.members ?? []).flatMap { member in
            let value = present(member.value)
            let own = row(
                prefix + member.name, member.value, member.value["description"]?.string ?? "",
                isRequired: required.contains(member.name))
            if value["properties"] != nil { return [own] + memberRows(of: value, prefix: "\(prefix)\(member.name).") }
            if let element = value["items"], element["properties"] != nil {
                return [own] + memberRows(of: element, prefix: "\(prefix)\(member.name)[].")
            }
            return [own]
        }
    }

    private func row(_ name: String, _ schema: JSONView, _ about: String, isRequired: Bool) -> String {
        let bounds = boundTexts(of: schema).joined(separator: "; ")
        let type = typeText(of: schema) + (bounds.isEmpty ? "" : ": \(bounds)")
        return "| `\(name)` | \(isRequired ? "yes" : "") | \(cell(type)) | \(cell(about)) |"
    }

    /// The members of which one has to be there.
    private func rules(of schema: JSONView) -> [String] {
        let exactly = alternatives(schema["oneOf"]).map { ["", "Exactly one of \($0) is there."] } ?? []
        let least = alternatives(schema["anyOf"]).map { ["", "At least one of \($0) is there."] } ?? []
        return exactly + least
    }

    private func alternatives(_ schemas: JSONView?) -> String? {
        let elements = schemas?.elements ?? []
        let names = elements.compactMap { element -> String? in
            let required = element["required"]?.elements ?? []
            let hasOthers = element.members.contains { $0.name != "required" && $0.name != "properties" }
            return required.count == 1 && !hasOthers ? required[0].string : nil
        }
        return names.isEmpty || names.count != elements.count ? nil : names.map { "`\($0)`" }.joined(separator: ", ")
    }

    // MARK: Types

    /// The schema of a value that is not `null`.
    private func present(_ schema: JSONView) -> JSONView {
        guard let alternatives = schema["anyOf"]?.elements, alternatives.count == 2,
            alternatives[1]["type"]?.string == "null"
        else { return schema }
        return alternatives[0]
    }

    private func typeText(of schema: JSONView) -> String {
        let schema = present(schema)
        if let reference = schema["$ref"]?.string ?? schema["allOf"]?.elements.first?["$ref"]?.string {
            let name = String(reference.split(separator: "/").last ?? "")
            return "[\(name)](#\(name.lowercased()))"
        }
        if let constant = schema["const"] { return "`\(constant.compact)`" }
        switch schema["type"]?.string {
        case "array": return "list of \(schema["items"].map(typeText) ?? "any")"
        case "object":
            guard let values = schema["additionalProperties"], !values.members.isEmpty else { return "object" }
            return "map of \(typeText(of: values))"
        case "string": return schema["format"] == nil ? "text" : "time"
        case let name: return name ?? "any"
        }
    }

    private func boundTexts(of schema: JSONView) -> [String] {
        let schema = present(schema)
        var bounds: [String] = []
        if let words = schema["enum"]?.elements, words.count <= 12 {
            bounds.append(words.map { "`\($0.string ?? "")`" }.joined(separator: ", "))
        }
        if let most = schema["maxLength"]?.int {
            bounds.append(schema["minLength"]?.int == 1 ? "1 to \(most) bytes" : "at most \(most) bytes")
        } else if schema["minLength"] != nil {
            bounds.append("not empty")
        }
        if schema["format"] == nil, let pattern = schema["pattern"]?.string { bounds.append("matches `\(pattern)`") }
        if let least = schema["minimum"], least.json.description != "\(Int.min)" {
            bounds.append(schema["maximum"].map { "\(least.json) to \($0.json)" } ?? "at least \(least.json)")
        }
        if let least = schema["minItems"]?.int {
            bounds.append(schema["maxItems"]?.int.map { "\(least) to \($0) elements" } ?? "at least \(least) elements")
        }
        if let element = schema["items"] ?? schema["additionalProperties"] {
            bounds += boundTexts(of: element).map { "each \($0)" }
        }
        return bounds
    }

    private func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
