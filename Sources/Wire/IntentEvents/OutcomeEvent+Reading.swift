import Conversation
import IntentModel

// The parts of an outcome.
extension OutcomeEvent {
    static func resolvedParameters(_ data: JSONView) throws(EventError) -> [ResolvedParameter] {
        guard data.kind == .array else {
            throw .unreadable("'resolutions' is a list with an entry for each parameter", "resolutions")
        }
        var parameters: [ResolvedParameter] = []
        parameters.reserveCapacity(8)
        try data.withCursor { cursor throws(EventError) in
            try cursor.array { entry throws(EventError) in try resolvedParameter(&entry, data, &parameters) }
        }
        try checkEntries(parameters)
        return parameters
    }

    private static func resolvedParameter(
        _ cursor: inout JSONCursor, _ data: JSONView, _ parameters: inout [ResolvedParameter]
    ) throws(EventError) {
        var parameter: String?
        var title: String?
        var element: ListElement?
        var isSecret = false
        var memoryKey: String?
        var memoryScope = MemoryScope.session
        var alternatives: [ParameterOption] = []
        var omitsOptions = false
        var isNone = false
        var declaration: JSON?
        var text: String?
        var supporting: String?
        var provenance: ParameterState.Provenance?
        var found: ParameterResolution?
        var count = 0
        try cursor.object { name, value throws(EventError) in
            switch name {
            case "parameter": parameter = value.string()
            case "title": title = value.string()
            case "element": element = try listElement(data.part(value.range()))
            case "secret": isSecret = value.bool() ?? false
            case "memoryKey": memoryKey = value.string()
            case "memoryScope": memoryScope = value.string().flatMap(MemoryScope.init) ?? .session
            case "none": isNone = value.bool() ?? false
            case "options":
                let view = data.part(value.range())
                alternatives = try reading { () throws(OutcomeError) in try view.choices("resolutions") }
            case "optionsOmitted": omitsOptions = value.bool() ?? false
            case "declaration": declaration = try Self.declaration(data.part(value.range()))
            case "text": text = value.string()
            case "supporting": supporting = value.string()
            case "provenance": provenance = ParameterState.Provenance(value.json().view)
            default:
                let (name, view) = (data.name(name), data.part(value.range()))
                if let resolution = try reading({ () throws(OutcomeError) in
                    try ParameterResolution.reading(name, view, "resolutions")
                }) {
                    found = resolution
                    count += 1
                }
            }
        }
        guard let parameter, let found, count == 1 else {
            throw .unreadable(
                "a resolution names its 'parameter' and has exactly one of the six results", "resolutions")
        }
        func complete(_ resolved: inout ResolvedParameter) {
            resolved.options = alternatives
            resolved.memoryScope = memoryScope
            (resolved.omitsOptions, resolved.isNone) = (omitsOptions, isNone)
            (resolved.declaration, resolved.text, resolved.supportingDialog) = (declaration, text, supporting)
            if !isSecret { resolved.provenance = provenance }
        }
        parameters.append(
            ResolvedParameter(
                name: parameter, title: title, resolution: found, element: element, isSecret: isSecret,
                memoryKey: memoryKey))
        // In its place: a variable that is changed and returned is copied.
        complete(&parameters[parameters.count - 1])
    }

    /// An unreadable outcome belongs in the dead letters.
    static func reading<Part>(_ read: () throws(OutcomeError) -> Part) throws(EventError) -> Part {
        do { return try read() } catch {
            throw EventError(error.reason, error.message, field: error.field, isDeadLetter: true)
        }
    }

    /// One entry for each parameter; or several that are each about another element of its list.
    static func checkEntries(_ parameters: [ResolvedParameter]) throws(EventError) {
        if !parameters.hasRepeatedNames { return }
        let entries = Dictionary(grouping: parameters, by: \.name)
        let isClear = entries.values.allSatisfy {
            $0.count == 1 || Set($0.compactMap(\.element?.index)).count == $0.count
        }
        guard isClear else {
            throw .unreadable(
                "'resolutions' has one entry for each parameter, or one for each open element of its list",
                "resolutions")
        }
    }

    private static func listElement(_ view: JSONView) throws(EventError) -> ListElement {
        let list = view["list"]?.elements.map(\.json) ?? []
        let origins = view["origins"]?.origins ?? []
        guard let index = view["index"]?.int, list.indices.contains(index), origins.count == list.count else {
            throw .unreadable(
                "an 'element' has an 'index' into its 'list', and 'origins' has one for each", "resolutions")
        }
        return ListElement(index: index, list: list, origins: origins)
    }

    static func question(_ view: JSONView, _ recorded: [String: JSON]) throws(EventError) -> PhaseQuestion {
        guard let id = view["id"]?.string, EventBounds.id ~= id.utf8.count else {
            throw .unreadable("'ask.id' names the question in 1 to 256 bytes", "ask.id")
        }
        let kind: PhaseQuestion.Kind
        switch view["kind"]?.string.flatMap(Prompt.Kind.init) {
        case .value: kind = .value
        case .choice:
            kind = .choice(
                try reading { () throws(OutcomeError) in try (view["options"] ?? JSON.null.view).choices("ask.options")
                })
        case .confirmValue:
            guard let value = view["value"] else {
                throw .unreadable("a question of kind confirmValue needs a 'value'", "ask.value")
            }
            kind = .confirmValue(value.json)
        case .confirmIntent: kind = .confirmIntent
        case .signIn:
            guard let signIn = view["signIn"].flatMap(SignIn.init) else {
                throw .unreadable(
                    "'ask.signIn' has an absolute 'url', a 'code' of at most 64 bytes, a 'title', 'validFor', or what it 'requires'",
                    "ask.signIn")
            }
            kind = .signIn(signIn)
        case nil:
            throw .unreadable(
                "'ask.kind' is one of \(Prompt.Kind.allCases.map(\.rawValue).joined(separator: ", "))", "ask.kind")
        }
        var question = PhaseQuestion(
            id: id, kind: kind, parameter: view["parameter"]?.string, title: view["title"]?.string,
            dialog: view["dialog"]?.string,
            unsupportedReason: view["unsupported"].map { $0["reason"]?.string ?? "unsupported" },
            summary: view["summary"]?.string,
            recorded: recorded)
        if let declared = view["declaration"] { question.declaration = try declaration(declared) }
        question.parameters = shownParameters(view)
        question.action = view["action"].flatMap(ConfirmationAction.init)
        question.supportingDialog = view["supporting"]?.string
        question.snippet = view["snippet"].flatMap(Snippet.init)
        return question
    }

    /// Only the person's side reads more of it.
    private static func declaration(_ view: JSONView) throws(EventError) -> JSON {
        guard view.kind == .object else { throw .unreadable("a 'declaration' is an object", "declaration") }
        return view.json
    }

    /// The parameters in words. What has no name is passed over.
    static func shownParameters(_ view: JSONView) -> [PromptParameter] {
        (view["parameters"]?.elements ?? []).compactMap { parameter in
            parameter["parameter"]?.string.map {
                PromptParameter(name: $0, title: parameter["title"]?.string, text: parameter["text"]?.string)
            }
        }
    }
}

extension [ResolvedParameter] {
    /// Whether a parameter has several entries. For as few as most intents have, comparing all is quicker than a set of them.
    fileprivate var hasRepeatedNames: Bool {
        if count > 16 { return Set(map(\.name)).count < count }
        for index in indices { for before in 0..<index where self[before].name == self[index].name { return true } }
        return false
    }
}
