import Conversation
import IntentModel

// The parts of an outcome.
extension OutcomeEvent {
    static func resolvedParameter(_ view: JSONView) throws(EventError) -> ResolvedParameter {
        var parameter: String?
        var title: String?
        var element: ListElement?
        var isSecret = false
        var memoryKey: String?
        var alternatives: [ParameterOption] = []
        var found: [ParameterResolution] = []
        for (name, value) in view.fields {
            switch name {
            case "parameter": parameter = value.string
            case "title": title = value.string
            case "element": element = try listElement(value)
            case "secret": isSecret = value.bool ?? false
            case "memoryKey": memoryKey = value.string
            case "options": alternatives = try reading { () throws(OutcomeError) in try value.choices("resolutions") }
            default:
                if let resolution = try reading({ () throws(OutcomeError) in try ParameterResolution.reading(name, value, "resolutions") })
                {
                    found.append(resolution)
                }
            }
        }
        guard let parameter, found.count == 1 else {
            throw .unreadable("a resolution names its 'parameter' and has exactly one of the six results", "resolutions")
        }
        var resolved = ResolvedParameter(
            name: parameter, title: title, resolution: found[0], element: element, isSecret: isSecret, memoryKey: memoryKey)
        resolved.options = alternatives
        return resolved
    }

    /// An unreadable outcome belongs in the dead letters.
    static func reading<Part>(_ read: () throws(OutcomeError) -> Part) throws(EventError) -> Part {
        do { return try read() } catch { throw EventError(error.reason, error.message, field: error.field, isDeadLetter: true) }
    }

    /// One entry for each parameter; or several that are each about another element of its list.
    static func checkEntries(_ parameters: [ResolvedParameter]) throws(EventError) {
        if Set(parameters.map(\.name)).count == parameters.count { return }
        let entries = Dictionary(grouping: parameters, by: \.name)
        let isClear = entries.values.allSatisfy { $0.count == 1 || Set($0.compactMap(\.element?.index)).count == $0.count }
        guard isClear else {
            throw .unreadable("'resolutions' has one entry for each parameter, or one for each open element of its list", "resolutions")
        }
    }

    private static func listElement(_ view: JSONView) throws(EventError) -> ListElement {
        let list = view["list"]?.elements.map(\.json) ?? []
        let origins = view["origins"]?.origins ?? []
        guard let index = view["index"]?.int, list.indices.contains(index), origins.count == list.count else {
            throw .unreadable("an 'element' has an 'index' into its 'list', and 'origins' has one for each", "resolutions")
        }
        return ListElement(index: index, list: list, origins: origins)
    }

    static func question(_ view: JSONView, _ recorded: [String: JSON]) throws(EventError) -> PhaseQuestion {
        guard let id = view["id"]?.string, 1...256 ~= id.utf8.count else {
            throw .unreadable("'ask.id' names the question in 1 to 256 bytes", "ask.id")
        }
        let kind: PhaseQuestion.Kind
        switch view["kind"]?.string.flatMap(Prompt.Kind.init) {
        case .value: kind = .value
        case .choice:
            kind = .choice(try reading { () throws(OutcomeError) in try (view["options"] ?? JSON.null.view).choices("ask.options") })
        case .confirmValue:
            guard let value = view["value"] else { throw .unreadable("a question of kind confirmValue needs a 'value'", "ask.value") }
            kind = .confirmValue(value.json)
        case .confirmIntent: kind = .confirmIntent
        case nil:
            throw .unreadable("'ask.kind' is one of \(Prompt.Kind.allCases.map(\.rawValue).joined(separator: ", "))", "ask.kind")
        }
        return PhaseQuestion(
            id: id, kind: kind, parameter: view["parameter"]?.string, title: view["title"]?.string, dialog: view["dialog"]?.string,
            unsupportedReason: view["unsupported"].map { $0["reason"]?.string ?? "unsupported" }, summary: view["summary"]?.string,
            recorded: recorded)
    }
}
