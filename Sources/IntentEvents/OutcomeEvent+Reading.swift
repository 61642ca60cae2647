import Conversation
import Intents

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
        for (name, value) in view.members {
            switch name {
            case "parameter": parameter = value.string
            case "title": title = value.string
            case "element": element = try listElement(value)
            case "secret": isSecret = value.bool ?? false
            case "memoryKey": memoryKey = value.string
            case "options": alternatives = try choices(value, "resolutions")
            case "success":
                guard let success = value["value"] else { throw .unreadable("'success' needs a 'value'", "resolutions") }
                found.append(.success(success.json))
            case "notRequired": found.append(.notRequired)
            case "needsValue": found.append(.needsValue(dialog: value["dialog"]?.string))
            case "disambiguation":
                found.append(.disambiguation(try choices(value["options"], "resolutions"), dialog: value["dialog"]?.string))
            case "confirmationRequired":
                guard let proposal = value["value"] else { throw .unreadable("'confirmationRequired' needs a 'value'", "resolutions") }
                found.append(.confirmationRequired(proposal.json, dialog: value["dialog"]?.string))
            case "unsupported":
                found.append(.unsupported(reason: value["reason"]?.string ?? "unsupported", dialog: value["dialog"]?.string))
            default: break
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

    /// - Throws: If it breaks a rule for activities.
    static func activity(_ view: JSONView) throws(EventError) -> UserActivity? {
        let activity = view.userActivity
        if let violation = activity?.violation {
            throw EventError(violation.reason, violation.message, field: violation.field, isDeadLetter: true)
        }
        return activity
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
        case .choice: kind = .choice(try choices(view["options"], "ask.options"))
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

    static func openedIntent(_ view: JSONView) throws(EventError) -> OpenedIntent {
        guard let intent = view["intent"]?.string else { throw .unreadable("'opens' names an 'intent'", "opens") }
        return OpenedIntent(intent: intent, parameters: view["parameters"]?.values ?? [:])
    }

    private static func choices(_ view: JSONView?, _ field: String) throws(EventError) -> [ParameterOption] {
        let options = try options(view, field)
        guard options.count >= 2, Set(options.map(\.id)).count == options.count else {
            throw .unreadable("a choice has at least two options, each with an id of its own", field)
        }
        return options
    }

    static func options(_ view: JSONView?, _ field: String) throws(EventError) -> [ParameterOption] {
        var options: [ParameterOption] = []
        for element in view?.elements ?? [] {
            guard let option = element.option else { throw .unreadable("an option has 'id', 'title' and 'value'", field) }
            options.append(option)
        }
        return options
    }
}

extension JSONView {
    /// Something to choose from, with its value.
    var option: ParameterOption? {
        guard let id = self["id"]?.string, let title = self["title"]?.string, let value = self["value"] else { return nil }
        return ParameterOption(id: id, title: title, subtitle: self["subtitle"]?.string, value: value.json)
    }
}
