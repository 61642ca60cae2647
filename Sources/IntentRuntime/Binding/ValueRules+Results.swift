import IntentKit

extension ValueRules {
    /// Keeps a resolver that always asks from asking for ever: what the person has chosen or said yes to counts as answered.
    func settle(_ result: ResolutionResult<Item>, said: Item?, _ origin: ParameterState.Origin?) -> ResolutionResult<Item> {
        guard let said, origin == .chosen || origin == .confirmed || origin == .resolved else { return result }
        switch result.kind {
        case .confirmationRequired(let value) where value == said: return .success(value)
        case .disambiguation(let values) where values.contains(said): return .success(said)
        default: return result
        }
    }

    /// Puts a result into wire form.
    ///
    /// - Parameter sections: Where the options come from, if they come in sections.
    func wire(_ result: ResolutionResult<Item>, sections: ItemCollection<Item>? = nil, _ locale: String?) -> ParameterResolution {
        let dialog = result.dialog(in: locale)
        switch result.kind {
        case .success(let value): return .success(JSON(value))
        case .notRequired: return .notRequired
        case .needsValue: return .needsValue(dialog: dialog ?? prompts.value?.text(in: locale))
        case .disambiguation(let values):
            switch values.count {
            case 0: return .unsupported(reason: "noMatch", dialog: dialog)
            case 1: return .confirmationRequired(JSON(values[0]), dialog: dialog ?? confirmation(locale))
            default:
                return .disambiguation(
                    options(values, sections, locale), dialog: dialog ?? (prompts.choice ?? prompts.value)?.text(in: locale))
            }
        case .confirmationRequired(let value): return .confirmationRequired(JSON(value), dialog: dialog ?? confirmation(locale))
        case .unsupported(let reason): return .unsupported(reason: reason, dialog: dialog)
        }
    }

    private func confirmation(_ locale: String?) -> String? { prompts.confirmation?.text(in: locale) }

    /// Values with the same identifier get a number behind it, so that an answer can name each.
    private func options(_ values: [Item], _ sections: ItemCollection<Item>?, _ locale: String?) -> [ParameterOption] {
        var seen: [String: Int] = [:]
        return values.map { value in
            let id = value.optionID
            let count = seen[id, default: 0] + 1
            seen[id] = count
            let shown = value.displayRepresentation
            return ParameterOption(
                id: count == 1 ? id : "\(id)#\(count)", title: shown.title.text(in: locale),
                subtitle: (shown.subtitle ?? sections?.title(of: value))?.text(in: locale), value: JSON(value))
        }
    }
}
