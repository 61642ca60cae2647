import IntentKit

/// What there is to choose from when asking plainly leads nowhere.
extension ParameterBinding {
    /// - Parameter rules: Those of the parameter, or of each value if it is a list.
    func alternatives<Item>(by rules: ValueRules<Item>, _ context: Context) async throws -> [ParameterOption] {
        let values = try await rules.offered().prefix(ValueRules<Item>.fewOptions)
        return values.count < 2 ? [] : ParameterOption.list(Array(values), in: context.locale)
    }
}

extension TypedBinding {
    func alternatives(ofElement: Bool, _ context: Context) async throws -> [ParameterOption] { try await alternatives(by: rules, context) }
}

extension EntityBinding {
    func alternatives(ofElement: Bool, _ context: Context) async throws -> [ParameterOption] { try await alternatives(by: rules, context) }
}

extension ListBinding {
    /// Where the whole list is asked for, each choice is a list of one.
    func alternatives(ofElement: Bool, _ context: Context) async throws -> [ParameterOption] {
        let options = try await alternatives(by: rules, context)
        if ofElement { return options }
        return options.map { ParameterOption(id: $0.id, title: $0.title, subtitle: $0.subtitle, value: .array([$0.value])) }
    }
}

extension ParameterResolution {
    /// The person has to come up with a value.
    var isOpenQuestion: Bool {
        switch self {
        case .needsValue, .unsupported: true
        case .success, .notRequired, .disambiguation, .confirmationRequired: false
        }
    }
}
