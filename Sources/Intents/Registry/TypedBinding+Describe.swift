/// A parameter that can say for the catalogue what it is.
protocol DescribableParameter {
    func describe(in locale: String?) -> ParameterDescription
}

extension TypedBinding: DescribableParameter {
    func describe(in locale: String?) -> ParameterDescription {
        var description = ParameterDescription(
            name: name, title: title(in: locale), description: definition.description?.text(in: locale),
            type: .init(
                name: String(describing: Base.self), description: BuiltInText.typeDescription(Base.typeDescription).text(in: locale),
                schema: Base.jsonSchema),
            isRequired: Value.isRequired, options: options(in: locale))
        if let value = definition.default?.value {
            description.defaultValue = .init(value: JSON(value), text: value.displayText(in: locale))
        }
        if let range = definition.range {
            description.range = .init(minimum: range.minimum, maximum: range.maximum, text: range.text)
        }
        if let prompt = definition.prompt { description.prompts.append(.init(name: "value", value: prompt.text(in: locale))) }
        return description
    }

    private func options(in locale: String?) -> ParameterDescription.Options {
        if let provider = definition.options { return .provided(by: String(describing: type(of: provider))) }
        guard let known = Base.knownValues else { return .any }
        return .known(
            known.map { value in
                let shown = value.displayRepresentation
                return .init(id: value.optionID, title: shown.title.text(in: locale), subtitle: shown.subtitle?.text(in: locale))
            })
    }
}
