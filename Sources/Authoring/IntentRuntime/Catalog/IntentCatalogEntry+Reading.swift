public import IntentKit

extension IntentCatalogEntry {
    /// The description of an intent that a worker has published, in any language. Missing members have the defaults of
    /// an intent's declaration.
    ///
    /// - Parameter members: The members, as in ``json``.
    public init(name: String, title: String, published members: [String: JSON]) {
        self.name = name
        self.title = members["title"]?.view.string ?? title
        description = members["description"]?.view.string
        phases = members["phases"]?.view.elements.compactMap { $0.string.flatMap(Phase.init) } ?? Phase.allCases
        confirmation = members["confirmation"]?.view.string.flatMap(IntentConfirmationKind.init) ?? .depends
        parameters = members["parameters"]?.view.elements.map { ParameterCatalogEntry(published: $0) } ?? []
        summary = members["summary"].map { SummaryCatalogEntry(published: $0.view) } ?? .template(self.title)
    }
}

extension ParameterCatalogEntry {
    fileprivate init(published view: JSONView) {
        let name = view["name"]?.string ?? ""
        self.init(
            name: name, title: view["title"]?.string ?? name, description: view["description"]?.string,
            type: TypeDescription(published: view["type"]), isRequired: view["required"]?.bool ?? false,
            defaultValue: view["default"].map { Default(value: $0["value"]?.json, text: $0["text"]?.string ?? "") },
            range: view["range"].flatMap { Range(published: $0) }, options: Options(published: view["options"]))
        prompts =
            view["prompts"]?.members.compactMap { member in
                member.value.string.map { Detail(name: member.name, value: $0) }
            } ?? []
        if let memory = view["memory"], let key = memory["key"]?.string {
            self.memory = Memory(key: key, scope: memory["scope"]?.string.flatMap(MemoryScope.init) ?? .session)
        }
        details = view.members.compactMap { member in
            guard !Self.own.contains(member.name) else { return nil }
            return member.value.string.map { Detail(name: member.name, value: $0) }
        }
    }

    private static let own: Set<String> = [
        "name", "title", "description", "type", "required", "default", "range", "options", "prompts", "memory",
    ]
}

extension ParameterCatalogEntry.TypeDescription {
    fileprivate init(published view: JSONView?) {
        name = view?["name"]?.string ?? "JSON"
        description = view?["description"]?.string ?? "a value"
        schema = view?["schema"]?.json ?? .object([:])
    }
}

extension ParameterCatalogEntry.Range {
    fileprivate init?(published view: JSONView) {
        guard let minimum = view["minimum"]?.json, let maximum = view["maximum"]?.json else { return nil }
        self.init(
            minimum: minimum, maximum: maximum,
            text: view["text"]?.string ?? "\(minimum.plainText) to \(maximum.plainText)")
    }
}

extension ParameterCatalogEntry.Options {
    fileprivate init(published view: JSONView?) {
        if let provider = view?["provider"]?.string {
            self = .provided(by: provider)
        } else if let known = view?["known"] {
            self = .known(
                known.elements.compactMap { option in
                    guard let id = option["id"]?.string else { return nil }
                    return .init(
                        id: id, title: option["title"]?.string ?? id, subtitle: option["subtitle"]?.string,
                        synonyms: option["synonyms"]?.elements.compactMap(\.string) ?? [])
                })
        } else {
            self = .any
        }
    }
}

extension SummaryCatalogEntry {
    fileprivate init(published view: JSONView) {
        guard let parameter = view["parameter"]?.string else {
            self = .template(view.string ?? "")
            return
        }
        let cases = view["cases"]?.elements.map { each in
            let operands = each["operands"]?.elements.map(\.json) ?? []
            return Case(
                comparison: each["is"]?.string.flatMap(ParameterSummaryCondition.Comparison.init) ?? .hasAnyValue,
                operands: operands,
                operandTexts: operands.map(\.plainText),
                summary: each["summary"].map { SummaryCatalogEntry(published: $0) } ?? .template(""))
        }
        self = .choice(
            of: parameter, cases: cases ?? [],
            otherwise: view["otherwise"].map { SummaryCatalogEntry(published: $0) } ?? .template(""))
    }
}

extension JSON {
    /// A string without quotes, or any other value as JSON.
    fileprivate var plainText: String { view.string ?? String(decoding: bytes, as: UTF8.self) }
}
